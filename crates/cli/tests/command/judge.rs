//! `grognard judge`: do the rules give the results that their designer wants?

use super::Place;

/// Five figures against two to five, by the rules of Risk: the attacker wins with probability 0.89 against two and 0.51
/// against five.
const STUDY: &str = "study = 'duel'\ntitle = 'Five against some'\npack = 'risk'\n\
    [side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n[side.defender]\nunits = [{ type = 'army' }]\n\
    [vary]\n'defender.0.figures' = [2, 5]\n";

fn target(says: &str, rest: &str) -> String {
    format!("[[target]]\nsays = '{says}'\n{rest}\n")
}

#[test]
fn targets_are_met_missed_or_undecided_and_the_status_says_so() {
    let place = Place::new();
    let met = target(
        "Few are beaten",
        "metric = 'attacker wins'\ncells = { defender.0.figures = 2 }\nband = ['80 %', '95 %']",
    );
    let missed = target("Many are beaten", "metric = 'attacker wins'\nband = [0.8, 1]");
    // An interval that contains the end of a band decides nothing: these are far too few battles of five against five.
    let open = target("Nobody is sure", "metric = 'attacker wins'\ncells = [1]\nband = ['50 %', '52 %']");
    let differs =
        target("Three more cost", "metric = 'attacker wins'\ndifference = true\ncells = 1\nband = ['-45 %', '-30 %']");
    let turns = target("It is soon over", "metric = 'turns'\nband = [1, 8]");
    for (targets, status, word, says) in [
        (vec![&met], 0, "met", "The target is met."),
        (vec![&missed], 3, "missed", "The target is missed."),
        (vec![&open], 4, "undecided", "The target is undecided."),
        (vec![&met, &differs, &turns], 0, "met", "All 3 targets are met."),
        (vec![&met, &missed], 3, "missed", "Of 2 targets: 1 met, 1 missed."),
        (vec![&open, &met], 4, "undecided", "Of 2 targets: 1 met, 1 undecided."),
        (vec![&open, &missed], 3, "missed", "Of 2 targets: 1 missed, 1 undecided."),
    ] {
        let targets: String = targets.into_iter().cloned().collect();
        place.write("study.toml", format!("{STUDY}{targets}"));
        let ran = place.grognard("judge study.toml --runs 20000 --quiet").ends(status);
        assert!(ran.out.contains(says) && ran.out.contains("95 % for "), "{ran:?}");
        let json = place.grognard("judge study.toml --runs 20000 --quiet --json").ends(status).json();
        assert_eq!(json["state"], word, "{json:#}");
    }
    // By exact odds, the share is 0.506, which lies in the band.
    place.write("study.toml", format!("{STUDY}{open}"));
    let exact = place.grognard("judge study.toml --exact --json --quiet").ends(0).json();
    assert!((exact["targets"][0]["value"].as_f64().expect("a share") - 0.506).abs() < 5e-4, "{exact:#}");
}

#[test]
fn the_worst_cell_is_told_and_threads_change_nothing() {
    let place = Place::new();
    let missed = target("Many are beaten", "metric = 'attacker wins'\nband = ['80 %', '100 %']");
    place.write("study.toml", format!("{STUDY}{missed}"));
    let one = place.grognard("judge study.toml --runs 4096 --quiet --json --threads 1 --out judged").ends(3);
    assert_eq!(one.out, place.grognard("judge study.toml --runs 4096 --quiet --json --threads 3").ends(3).out);
    let json = one.json();
    let judged = &json["targets"][0];
    assert_eq!((&judged["worst"], &judged["state"]), (&1.into(), &"missed".into()), "{json:#}");
    let states: Vec<_> = judged["cells"].as_array().into_iter().flatten().map(|cell| cell["state"].clone()).collect();
    assert_eq!(states, ["met", "missed"]);
    assert_eq!(
        place.list("judged"),
        ["index.html", "judge.csv", "judge.json", "judge.md", "judge.pdf", "targets.png", "targets.svg"]
    );
}

#[test]
fn a_changed_rule_is_judged_by_the_same_targets() {
    let place = Place::new();
    let met = target(
        "Few are beaten",
        "metric = 'attacker wins'\ncells = { defender.0.figures = 2 }\nband = ['80 %', '95 %']",
    );
    place.write("study.toml", format!("{STUDY}{met}"));
    place.grognard("judge study.toml --runs 4096 --quiet").ends(0);
    place.grognard("judge study.toml --runs 4096 --quiet --set attacker.0.figures=2").ends(3);
    // If a path is pinned, its values in a target are ignored.
    place.grognard("judge study.toml --runs 4096 --quiet --set defender.0.figures=5").ends(3);
}

#[test]
fn what_is_wrong_with_a_target_is_said_where_it_stands() {
    let place = Place::new();
    place.write("study.toml", STUDY);
    let ran = place.grognard("judge study.toml").ends(2);
    assert!(ran.err.contains("has no targets") && ran.err.contains("[[target]]"), "{ran:?}");
    for (rest, message, help) in [
        ("metric = 'attacker luck'\nband = [0, 1]", "no metric `attacker luck`", "did you mean"),
        ("metric = 'attacker'\nband = [0.5]", "the list has 1 item", "it must have 2"),
        ("metric = 'attacker'\nband = [0.5, 0.2]", "exceeds the second", "smaller end first"),
        ("metric = 'attacker'\nband = [50, 70]", "`50` is not a share of battles", "0.7"),
        ("metric = 'turns'\nband = ['many', 7]", "`many` is not a value of the metric", "4.5"),
        ("metric = 'attacker'\nband = [0, 1]\ncells = 7", "there is no cell 7", "0 to 1"),
        ("metric = 'attacker'\nband = [0, 1]\ncells = { defender.0.figures = 3 }", "is never 3", "2, 5"),
        ("metric = 'attacker'\nband = [0, 1]\ndifference = true", "cell 0 is not compared with another", "`cells`"),
        ("metric = 'attacker'\nbands = [0, 1]", "bands", "band"),
        ("metric = 'attacker'\nband = [0, 1]\nby = ['default']", "varies no player", "`\"attacker.player\" = "),
    ] {
        place.write("study.toml", format!("{STUDY}{}", target("x", rest)));
        for line in ["check study.toml", "judge study.toml"] {
            let ran = place.grognard(line).ends(2);
            let placed = ran.err.contains("study.toml:") && ran.err.contains(message) && ran.err.contains(help);
            assert!(placed, "{line} with {rest}: {ran:?}");
        }
    }
}

#[test]
fn a_target_may_be_for_some_players_alone() {
    let place = Place::new();
    // One side has five rows to follow; a player who ignores them moves anyway.
    let study = "study = 'duel'\npack = 'napoleonic-figures'\nturns = 2\ndistance = 12\nruns = 100\n\
        [side.attacker]\nunits = [{ type = 'heavy-cavalry', formation = 'line' }]\ndoctrine = 'charge-home'\n\
        [side.defender]\nunits = [{ type = 'large-line-battalion', formation = 'line' }]\ndoctrine = 'stand'\n\
        [vary]\n'attacker.player' = ['default', 'random']\n'defender.player' = ['default', 'random']\n";
    let judged = |by: &str, more: &str| {
        let target = target("x", &format!("metric = 'turns'\nband = [0, 9]\n{by}"));
        place.write("study.toml", format!("{study}{target}"));
        let json = place.grognard(&format!("judge study.toml --quiet --json {more}")).ends(0).json();
        let cells = json["targets"][0]["cells"].as_array().expect("cells").clone();
        cells.iter().map(|cell| cell["cell"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(judged("", ""), [0, 1, 2, 3]);
    assert_eq!(judged("by = ['default']", ""), [0]);
    assert_eq!(judged("by = ['random', 'default']", ""), [0, 3]);
    assert_eq!(judged("by = ['random']\ncells = [2, 3]", ""), [3]);
    // If one side has only one player, `by` refers to the other side.
    assert_eq!(judged("by = ['random']", "--set attacker.player=default"), [1]);
    for (by, message, help) in [
        ("by = ['expert']", "no player `expert`", "`default`, `random`"),
        ("by = ['default']\ncells = [3]", "in any of the target's cells", "more cells"),
    ] {
        let target = target("x", &format!("metric = 'turns'\nband = [0, 9]\n{by}"));
        place.write("study.toml", format!("{study}{target}"));
        let ran = place.grognard("check study.toml").ends(2);
        assert!(ran.err.contains("study.toml:") && ran.err.contains(message) && ran.err.contains(help), "{ran:?}");
    }
}

#[test]
fn a_target_may_stand_on_the_command_line() {
    let place = Place::new();
    let own = target("Never", "metric = 'attacker wins'\ncells = [1]\nband = ['0 %', '1 %']");
    place.write("study.toml", format!("{STUDY}{own}"));
    let judged = |more: &[&str], status: i32| {
        let words = ["judge", "study.toml", "--quiet", "--json", "--runs", "4096"];
        place.words(&[&words[..], more].concat()).ends(status).json()
    };
    // Five figures win with probability 0.89 against two and 0.51 against five. The study's own target is ignored.
    let both = judged(&["--target", "attacker wins = 40 %..95 %"], 0);
    assert_eq!(both["targets"].as_array().map(Vec::len), Some(1), "{both:#}");
    assert_eq!(both["targets"][0]["cells"].as_array().map(Vec::len), Some(2), "{both:#}");
    // No share lies below 0 %, so the deciding cell is the one nearest to the other end, with 0.89.
    let open = judged(&["--target", "attacker wins = 0..0.99"], 0);
    assert_eq!(open["targets"][0]["worst"], 0, "{open:#}");
    judged(&["--target", "attacker wins = 0.8..0.95", "--cell", "0"], 0);
    judged(&["--target", "attacker wins = 0.8..0.95", "--only", "defender.0.figures=5"], 3);
    let differs = ["--target", "attacker wins from the baseline = -45 %..-30 %", "--cell", "1"];
    judged(&differs, 0);
    // `--cell` selects among the study's own targets too.
    judged(&["--cell", "1"], 3);
    let ran = place.grognard("judge study.toml --cell 0").ends(2);
    assert!(ran.err.contains("no target of the study covers these cells") && ran.err.contains("--target"), "{ran:?}");
    // The command line in a report has the same target and cells.
    let out =
        place.words(&[&["judge", "study.toml", "--quiet", "--runs", "4096", "--out", "judged"], &differs[..]].concat());
    out.ends(0);
    let page = String::from_utf8(place.read("judged/judge.md")).expect("text");
    assert!(page.contains("--target 'attacker wins from the baseline = -45 %..-30 %' --cell 1"), "{page}");
}

#[test]
fn what_is_wrong_with_a_target_of_the_command_line_is_said_where_it_stands() {
    let place = Place::new();
    place.write("study.toml", STUDY);
    for (text, column, message, help) in [
        ("attacker wins", 1, "a metric and a band", "40 %..60 %"),
        ("attacker luck = 0..1", 1, "no metric `attacker luck`", "did you mean"),
        ("attacker = 50 %", 12, "the band has only one end", "both"),
        ("attacker = 50..70", 12, "`50` is not a share of battles", "0.7"),
        ("attacker = 70 %..50 %", 12, "exceeds the second", "smaller end first"),
        ("turns = many..7", 9, "`many` is not a value of the metric", "4.5"),
        ("attacker from the baseline = 0..1", 1, "cell 0 is not compared with another", "--cell"),
    ] {
        for command in ["judge", "tune"] {
            let ran = place.words(&[command, "study.toml", "--target", text]).ends(2);
            let placed = ran.err.contains(&format!("--target:1:{column}"));
            assert!(placed && ran.err.contains(message) && ran.err.contains(help), "{command} {text}: {ran:?}");
        }
    }
}
