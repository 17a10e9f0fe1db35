//! `grognard compare`, run as a user runs it.

use super::Place;

/// Runs the duel into a folder.
fn run(place: &Place, out: &str, more: &str) {
    place.grognard(&format!("run duel.toml --no-report -q --out {out} {more}")).ends(0);
}

#[test]
fn the_cells_of_a_folder() {
    let place = Place::with_duel();
    run(&place, "all", "--keep all");
    let ran = place.grognard("compare all").ends(0);
    for words in [
        "How many defenders?",
        "paired: every battle is compared with the one that had the same dice",
        "attacker wins: difference from the baseline (before), in percentage points",
        "2 of 2 matchups differ by more than the margin of error",
        "simultaneous 95 % intervals for all 2 differences in attacker (Bonferroni)",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    // The favourite changes from five against three to five against seven, so that matchup is listed first. Five
    // against five is close to even.
    let flipped = ran.out.find("flipped: the favourite has changed").expect("a flipped matchup");
    assert!(flipped < ran.out.find("figures 5").or_else(|| ran.out.rfind("5\n")).expect("the other one"), "{ran:?}");

    let json = place.grognard("compare all --json").ends(0).json();
    assert_eq!(json["cells"][0]["surely_flipped"], true);
    let run = place.grognard("run duel.toml --no-report -q --json --keep none").ends(0).json();
    let cell = json["cells"][0]["after"]["cell"].as_u64().expect("a number") as usize;
    let (ours, theirs) = (&json["cells"][0]["differences"]["attacker"], &run["cells"][cell]["differences"]["outcomes"]);
    assert_eq!(ours["mean"], theirs["attacker"]["mean"]);
    assert_eq!(ours["variance_ratio"], theirs["attacker"]["variance_ratio"]);

    let other = place.grognard("compare all --baseline 1 --metric defender.losses").ends(0);
    assert!(other.out.contains("from 5,000 kept in each cell"), "{other:?}");
    assert!(other.out.contains("defender.losses: difference from the baseline (before)\n"), "{other:?}");
}

#[test]
fn two_folders_before_and_after_a_change() {
    let place = Place::with_duel();
    run(&place, "before", "");
    run(&place, "after", "--set roll.assault.ties=\"own\"");
    let ran = place.grognard("compare before after").ends(0);
    for words in [
        "1 value differs:\n  roll.assault.ties  \"foe\" → \"own\"",
        "the correlation comes from 5,000 kept in each cell",
        "3 of 3 matchups differ",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    run(&place, "seeded", "--seed 7 --set roll.assault.ties=\"own\"");
    let ran = place.grognard("compare before seeded").ends(0);
    assert!(ran.out.contains("not paired: the seeds differ"), "{ran:?}");
    run(&place, "unkept", "--keep none");
    let ran = place.grognard("compare before unkept").ends(0);
    assert!(ran.out.contains("not paired: too few battles are kept"), "{ran:?}");
    assert!(ran.out.contains("Rules and study are the same."), "{ran:?}");
    let same = place.grognard("compare before before --json").ends(0).json();
    assert!(same["cells"].as_array().expect("cells").iter().all(|cell| cell["differences"]["attacker"]["mean"] == 0.0));
}

#[test]
fn one_study_fought_both_ways() {
    let place = Place::with_duel();
    let ran = place.grognard("compare duel.toml --set roll.assault.ties=\"own\" --runs 4_096 -q").ends(0);
    assert!(ran.out.contains("paired: every battle is compared with the one that had the same dice"), "{ran:?}");
    assert_eq!(ran.err, "", "{ran:?}");
    place.write(
        "generous/pack.toml",
        "pack = \"generous\"\nversion = \"1\"\nextends = \"risk\"\n[roll.assault]\nties = \"own\"\n",
    );
    let packs = place.grognard("compare --pack generous --against risk duel.toml --runs 4_096 -q").ends(0);
    assert!(
        packs.out.contains("before  duel: risk 1.0.0") && packs.out.contains("after   duel: generous 1"),
        "{packs:?}"
    );
    // The same change, made in another way, gives the same battles.
    let table = |out: &str| out[out.find("attacker wins").expect("a table")..].to_owned();
    assert_eq!(table(&packs.out), table(&ran.out));
    // If `--against` is compared with the study's own pack, both are named, and the study's own is the one after the
    // change.
    let alone = place.grognard("compare --against generous duel.toml --runs 4_096 -q").ends(0);
    assert!(
        alone.out.contains("before  duel: generous 1") && alone.out.contains("after   duel: risk 1.0.0"),
        "{alone:?}"
    );
    // With `--set`, the pack of `--against` is compared with and without the value.
    let changed = place.grognard("compare --against generous duel.toml --set roll.assault.ties=\"foe\" --runs 500 -q");
    assert!(changed.ends(0).out.contains("after   duel: generous 1"));
    // The location of an error is the option that caused it.
    place.grognard("compare duel.toml --against nobody").refused("nobody").says("--> --against:1:1");
    place.grognard("compare duel.toml --pack nobody").refused("nobody").says("--> --pack:1:1");
}

/// If a change leaves all battles as they were, there is neither a margin of error nor a p-value. A change that changes
/// nothing has no table.
#[test]
fn what_is_the_same_is_not_estimated() {
    let place = Place::with_duel();
    let same = place.grognard("compare --pack risk --against risk duel.toml --runs 512 -q").ends(0);
    assert!(same.out.ends_with("\n\nRules and study are the same, and so is every battle.\n"), "{same:?}");
    // The same applies to computed odds of the same rules.
    for folder in ["one", "other"] {
        place.grognard(&format!("exact duel.toml --out {folder} -q")).ends(0);
    }
    let exact = place.grognard("compare one other").ends(0);
    assert!(exact.out.ends_with("\n\nRules and study are the same, and so are the odds.\n"), "{exact:?}");
    // No battle lasts that long.
    let longer = "compare duel.toml --set turns=61 --runs 512 -q";
    let told = place.grognard(longer).ends(0);
    let row = told.out.lines().find(|line| line.trim_start().starts_with("0 ")).unwrap_or_else(|| panic!("{told:?}"));
    assert!(!row.contains('±') && row.contains('–'), "{row}");
    assert!(!told.out.contains("1.0000"), "{told:?}");
    assert!(told.out.contains("0 without a margin of error: every battle ended as before the change."), "{told:?}");
    let json = place.grognard(&format!("{longer} --json")).ends(0).json();
    assert_eq!(json["cells"][0]["same"], true, "{json:#}");
    let changed =
        place.grognard("compare duel.toml --set roll.assault.ties=\"own\" --runs 512 -q --json").ends(0).json();
    assert_eq!(changed["cells"][0]["same"], false);
}

/// The folder has the numbers for programs, and the JSON begins with what was compared.
#[test]
fn a_report_has_the_numbers_beside_it() {
    let place = Place::with_duel();
    let line = "compare duel.toml --set roll.assault.ties=\"own\" --runs 4096 --seed 7 -q --out changed";
    let json = place.grognard(&format!("{line} --json")).ends(0);
    assert_eq!(
        place.list("changed"),
        [
            "before-and-after.png",
            "before-and-after.svg",
            "comparison.csv",
            "comparison.json",
            "comparison.md",
            "comparison.pdf",
            "index.html",
            "turns-before-and-after.png",
            "turns-before-and-after.svg"
        ]
    );
    let text = |name: &str| String::from_utf8(place.read(&format!("changed/{name}"))).expect("text");
    assert_eq!(json.out, text("comparison.json"));
    let json = json.json();
    assert_eq!((&json["study"], &json["pack"], &json["seed"]), (&"duel".into(), &"risk".into(), &7.into()), "{json:#}");
    // Three cells are fought before and after the change.
    assert_eq!(json["battles"], 3 * 2 * 4096);
    let promise = "95 % for the differences in all 3 matchups together, for each metric. The values before and after \
         have separate intervals.";
    assert_eq!(json["guarantee"], promise);
    let page = text("index.html").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text("comparison.md").contains(promise) && page.contains(promise));
    let csv = text("comparison.csv");
    assert!(csv.starts_with("before_cell,after_cell,label,metric,before,after,mean,low,high,corrected_low,"), "{csv}");
    assert!(csv.lines().filter(|line| line.contains(",attacker,")).count() == 3, "{csv}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let place = Place::with_duel();
    run(&place, "some", "");
    place.grognard("compare duel.toml").refused("duel.toml is a study, not a results folder");
    place.grognard("compare risk-dice").refused("write `grognard compare risk-dice --set PATH=VALUE` or `--pack PACK`");
    place.grognard("compare nowhere").refused("is not a results folder");
    place.grognard("compare some --baseline 9").refused("cells are numbered from 0 to 2");
    place.grognard("compare some --metric attacker.wins").refused("attacker, defender, draw, turns, attacker.losses");
    place.grognard("compare some --runs 10").refused("have already been fought");
    place.grognard("compare duel.toml --pack risc").refused("risk");
    place.grognard("compare duel.toml --set roll.assault.tie=\"own\"").refused("roll.assault.tie");
    place
        .grognard("compare duel.toml --set defender.0.figures=4")
        .refused("no cell of the first has the same varied values");
    assert_eq!(place.grognard("compare some some --set turns=1").status, Some(2));
    place.write("other.toml", super::DUEL.replace("attacker", "french"));
    place.grognard("run other.toml --no-report -q --out other --runs 10").ends(0);
    place.grognard("compare some other").refused("the sides are attacker and defender in one, french and defender");
}

#[test]
fn what_is_fought_in_the_time_there_is_is_compared() {
    let place = Place::with_duel();
    // No machine fights this many battles in a day.
    let line = "compare duel.toml --set roll.assault.own.count=2 --runs 1e12 --time 2s --threads 2 --json";
    let ran = place.grognard(line).ends(0).says("stopped after");
    assert_eq!(ran.json()["cells"].as_array().map(Vec::len), Some(3));
    run(&place, "all", "--keep all");
    place.grognard("compare all --time 1s").refused("the battles of a results folder have already been fought");
}

/// A designer's attempts to compare a variant with its base: each refusal names the command to write.
#[test]
fn a_variant_is_compared_with_its_base() {
    let place = Place::new();
    place.grognard("new mine --from sf-skirmish").ends(0);
    place.write("apart/study.toml", String::from_utf8(place.read("mine/study.toml")).expect("text"));
    let both =
        |study: &str, pack: &str| format!("write `grognard compare {study} --pack {pack} --against sf-skirmish`");
    for (line, command) in [
        ("compare mine", both("mine", "mine")),
        ("compare sf-duel mine", both("mine", "mine")),
        ("compare sf-duel mine/study.toml", both("mine/study.toml", "mine")),
        ("compare sf-skirmish mine", both("mine", "mine")),
        ("compare sf-skirmish sf-duel", "write `grognard compare sf-duel --set PATH=VALUE`".to_owned()),
        ("compare sf-skirmish", "write `grognard compare STUDY --set PATH=VALUE`".to_owned()),
        ("compare sf-duel sf-ground", "run both and name their results folders".to_owned()),
        ("compare risk sf-skirmish", "write `grognard compare STUDY --pack sf-skirmish --against risk`".to_owned()),
    ] {
        place.grognard(line).refused(&command);
    }
    let inside = super::grognard(&place.path("mine"), "compare sf-skirmish .");
    inside.refused(&both(".", "."));
    let told = super::grognard(&place.path("mine"), "compare . --pack . --against sf-skirmish --runs 500 -q").ends(0);
    assert!(told.out.ends_with("\n\nRules and study are the same, and so is every battle.\n"), "{told:?}");
    let readme = String::from_utf8(place.read("mine/README.md")).expect("text");
    assert!(readme.contains("\ngrognard compare . --pack . --against sf-skirmish\n"), "{readme}");
}
