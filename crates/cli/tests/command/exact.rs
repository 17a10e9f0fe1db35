//! `grognard exact`: what it prints, and what it says if there is too much to compute.

use super::{DUEL, Place};

#[test]
fn odds_are_printed_as_a_run_prints_them() {
    let place = Place::with_duel();
    let ran = place.grognard("exact duel.toml").ends(0).says("duel: 3 cells, exact, risk 1.0.0");
    assert!(ran.out.starts_with("How many defenders?\n3 cells, exact, risk 1.0.0\n"), "{ran:?}");
    for words in ["exact: every possible battle is counted", "No battle can be drawn.", "Percentage points; exact."] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    // J. Osborne, Mathematics Magazine 76(2), 2003, five against five, with more digits computed elsewhere.
    assert!(ran.out.contains("50.620"), "{ran:?}");
    assert!(ran.err.contains(" situations, "), "{ran:?}");
    // Fractions of a second count.
    for time in ["0.02s", "1.25"] {
        let ran = place.grognard(&format!("exact square-vs-line --max-time {time}")).ends(1);
        ran.says(&format!("more than {} s: stopped at ", time.trim_end_matches('s')));
    }
    assert_eq!(place.list(""), ["duel.toml"], "nothing is written");
}

#[test]
fn threads_change_nothing_and_quiet_is_quiet() {
    let place = Place::with_duel();
    let one = place.grognard("exact duel.toml --threads 1 --quiet").ends(0);
    assert_eq!(one.err, "");
    assert_eq!(place.grognard("exact duel.toml --threads 8").ends(0).out, one.out);
}

#[test]
fn json_has_fractions_and_histograms() {
    let place = Place::with_duel();
    let ran = place.grognard("exact duel.toml --json --cell 1 --set attacker.0.figures=1 --set turns=1");
    let json = ran.ends(0).json();
    assert_eq!([&json["study"], &json["method"]], ["duel", "exact"]);
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(1));
    let cell = &json["cells"][0];
    assert_eq!(cell["cell"], 1);
    // One against five: in a single roll the defender cannot be beaten, and one die loses to two in 161 of 216 cases.
    assert_eq!(cell["outcomes"]["defender"]["fraction"], "161/216");
    assert_eq!(cell["outcomes"]["draw"]["fraction"], "55/216");
    let losses = &cell["histograms"]["attacker.losses"];
    assert_eq!([&losses[0][0], &losses[1][0]], [0, 1]);
    assert!((losses[1][1].as_f64().expect("a number") - 161.0 / 216.0).abs() < 1e-15);
}

/// One point for each figure, and two turns of blows.
const BLOWS: [&str; 2] = [
    "pack = 'blows'\ntitle = 'Blows'\nversion = '1'\nextends = 'refduel'\n\
     [victory]\nlimit = 'points'\n\
     points = [{ id = 'blood', for = 'figures', points = 1, cite = ['house'], note = 'A point a figure.' }]\n\
     [[metric]]\nid = 'margin'\ntitle = 'points ahead'\non = 'battle-ends'\ncount = 'margin'\n\
     cite = ['house']\nnote = 'A lead.'\n\
     [[metric]]\nid = 'ahead'\ntitle = 'turns ahead'\non = 'turn-ends'\ncount = 'margin > 0'\n\
     cite = ['house']\nnote = 'For how long.'\n",
    "study = 'blows'\npack = 'blows'\nseed = 7\nruns = 2000\nturns = 1\nmetrics = ['ahead', 'margin']\n\
     [side.red]\nunits = [{ type = 'one-up' }]\n[side.blue]\nunits = [{ type = 'plain' }]\n\
     [vary]\n'blue.0.type' = ['plain', 'one-up']\n",
];

/// The lead is the difference between two dice, with one added to red's: from -4 to 6, with probability `(6 - |lead -
/// 1|) / 36`. The lowest 5 % of battles end at -3 (-3 or less: 3 of 36, or 8 %; -4: 1 of 36), the lowest 95 % at 5 (5
/// or less: 35 of 36; 4 or less: 33 of 36).
#[test]
fn metrics_that_are_asked_for_have_a_table_of_their_own() {
    let place = Place::new();
    place.write("blows/pack.toml", BLOWS[0]);
    place.write("blows.toml", BLOWS[1]);
    let ran = place.grognard("exact blows.toml").ends(0);
    let table = ran.out.split("margin: points ahead\n").nth(1).unwrap_or_else(|| panic!("{ran:?}"));
    let lines: Vec<Vec<&str>> = table.lines().take(6).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["red", "red", "red"]);
    assert_eq!(lines[1][..], ["cell", "type", "mean", "median", "5–95", "%"][..]);
    assert_eq!(lines[3], ["0", "plain", "1.000", "1", "−3", "to", "5"]);
    assert_eq!(lines[4], ["1", "one", "up", "0", "0", "−4", "to", "4"]);
    assert!(table.contains("5–95 %: the range of nine battles in ten.\nblue has the opposite values.\n"), "{table}");
    assert!(!ran.out.contains("turns ahead"), "it is counted along the way: {ran:?}");
    let ran = place.grognard("run blows.toml --no-report").ends(0);
    let table = ran.out.split("ahead: turns ahead\n").nth(1).unwrap_or_else(|| panic!("{ran:?}"));
    assert!(table.lines().next().is_some_and(|line| line.split_whitespace().eq(["red", "blue"])), "{table}");
    let table = ran.out.split("margin: points ahead\n").nth(1).unwrap_or_else(|| panic!("{ran:?}"));
    let row: Vec<&str> = table.lines().nth(3).unwrap_or_default().split_whitespace().collect();
    // The seed is 7. The standard deviation is 2.4, and that of the mean of 2,000 battles 0.054.
    assert!(row[2].starts_with("1.") || row[2].starts_with("0.9"), "{row:?}");
    assert!(row[3].starts_with('±') && row[4..] == ["1", "−3", "to", "5"], "{row:?}");
}

/// No unit in the battle has the varied type, so its value changes nothing.
#[test]
fn a_varied_number_without_effect_is_named() {
    let place = Place::new();
    place.write("blows/pack.toml", BLOWS[0]);
    let vary = "'blue.0.type' = ['plain', 'one-up']\n'unit.two-up.is.edge' = [2, 3]\n";
    place.write("blows.toml", BLOWS[1].replace("'blue.0.type' = ['plain', 'one-up']\n", vary));
    for command in ["exact blows.toml", "run blows.toml --no-report --runs 200"] {
        let ran = place.grognard(command).ends(0);
        let told: Vec<&str> = ran.out.lines().filter(|line| line.contains("makes no difference")).collect();
        assert_eq!(told.len(), 1, "{ran:?}");
        assert!(told[0].starts_with("is edge makes no difference: every value has the same results."), "{ran:?}");
    }
}

/// Computes the duel in this folder and fights it: every share of battles must agree with its odds.
fn agrees_with_sampling(place: &Place) {
    let exact = place.grognard("exact duel.toml --json").ends(0).json();
    let run = place.grognard("run duel.toml --json --no-report --runs 20_000 --level 0.9999").ends(0).json();
    for cell in 0..3 {
        for (outcome, sampled) in run["cells"][cell]["outcomes"].as_object().expect("an object") {
            let odds = exact["cells"][cell]["outcomes"][outcome]["mean"].as_f64().expect("a number");
            let end = |name: &str| sampled[name].as_f64().expect("a number");
            // Nine intervals at 99.99 % with one seed: a false alarm in about one case in a thousand.
            assert!(end("low") <= odds && odds <= end("high"), "cell {cell}, {outcome}: {odds}, {sampled}");
        }
    }
}

#[test]
fn a_run_of_the_same_study_agrees() {
    let place = Place::with_duel();
    agrees_with_sampling(&place);
}

#[test]
fn too_much_to_work_out_is_said_with_how_far_it_came() {
    let place = Place::with_duel();
    let ran = place.grognard("exact duel.toml --max-states 4").ends(1).says("more than 4 states in turn");
    // Cells solved before the limit was reached are printed.
    assert_eq!(place.grognard("exact duel.toml --max-states 1").ends(1).out, "");
    let ran_on = place.grognard("exact risk-dice --max-states 5 --json").ends(1).says("cell 28 (");
    let whole = place.grognard("exact risk-dice --json").ends(0).json();
    let cells = ran_on.json()["cells"].as_array().expect("cells").clone();
    assert_eq!(cells[..], whole["cells"].as_array().expect("cells")[..28]);
    for words in ["cell ", "% of all battles over", "--max-states", "--prune", "grognard run duel"] {
        assert!(ran.err.contains(words), "{words:?} not in {ran:?}");
    }
    place.grognard("exact duel.toml --max-memory 100").ends(1).says("--max-memory");
    let ran =
        place.grognard("exact square-vs-line --max-time 1 --out there").ends(1).says("more than 1 s: stopped at ");
    assert!(ran.err.contains("% of all battles over") && ran.err.contains("--max-time"), "{ran:?}");
    // Fractions of a second count: a limit below a second is not rounded up to one, and decimals are not dropped.
    for time in ["0.02s", "1.25"] {
        let ran = place.grognard(&format!("exact square-vs-line --max-time {time}")).ends(1);
        ran.says(&format!("more than {} s: stopped at ", time.trim_end_matches('s')));
    }
    assert_eq!(place.list(""), ["duel.toml"], "nothing is written");
}

/// A study that is too large stops at the time limit.
#[test]
fn time_is_limited_unless_more_is_given() {
    let help = Place::new().grognard("exact --help").ends(0).out;
    let told = help[help.find("--max-time").expect("the flag")..].split("\n\n").next().unwrap_or_default().to_owned();
    assert!(told.contains("[default: 10m]"), "{told}");
}

#[test]
fn bad_flags_are_refused() {
    let place = Place::new();
    place.write("duel.toml", DUEL);
    place.grognard("exact duel.toml --cell 3").refused("there is no cell 3");
    for flags in ["--prune 1", "--prune -1", "--max-states 0", "--max-memory 8Q", "--max-time 0", "--cell x"] {
        place.grognard(&format!("exact duel.toml {flags}")).ends(2);
    }
}

/// The headline cell, with whole battles of eight turns: its odds are exact to more digits than anyone needs.
#[test]
fn the_headline_is_within_reach() {
    let place = Place::new();
    let json = place.grognard("exact square-vs-line --cell 18 --json").ends(0).json();
    let cell = &json["cells"][0];
    let sum: f64 =
        ["attacker", "defender", "draw"].iter().filter_map(|name| cell["outcomes"][name]["mean"].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    assert!(cell["exact"]["error"].as_f64().expect("a number") < 1e-9);
}

#[test]
fn a_run_works_odds_out_where_that_is_less_work() {
    let place = Place::with_duel();
    let method = |flags: &str| {
        let ran = place.grognard(&format!("run duel.toml --no-report --json {flags}")).ends(0);
        ran.json()["method"].as_str().expect("a method").to_owned()
    };
    assert_eq!(method("--method exact"), "exact");
    assert_eq!(method("--method auto"), "exact");
    assert_eq!(method("--method auto --precision 0.01"), "exact");
    assert_eq!(place.list("results/duel"), ["data", "manifest.json"]);
    let tables = ["cells.parquet", "ends.parquet", "means.parquet", "odds.parquet", "summary.parquet", "work.parquet"];
    assert_eq!(place.list("results/duel/data"), tables);
    // A few battles are less work than any odds, and so is a precision of 0.2.
    assert_eq!(method("--method auto --runs 20"), "sampled");
    assert_eq!(method("--method auto --precision 0.2"), "sampled");
    assert_eq!(method(""), "sampled");
    let ran = place.grognard("run duel.toml --no-report --method auto --runs 20").ends(0);
    ran.says("computing the odds would take more work than fighting the battles, so the battles are fought");
    // The odds are those of `exact`.
    let exact = place.grognard("exact duel.toml").ends(0).out;
    assert_eq!(place.grognard("run duel.toml --method exact --no-report --out there").ends(0).out, exact);
    let manifest: serde_json::Value = serde_json::from_slice(&place.read("there/manifest.json")).expect("JSON");
    assert_eq!(manifest["made"]["command"], "grognard run duel.toml --method exact --out there");
    for flags in ["--shard 1/2", "--resume", "--watch", "--keep all"] {
        place.grognard(&format!("run duel.toml --method exact {flags}")).refused("needs battles");
    }
    place.grognard("run duel.toml --method exact --set attacker.0.figures=0").ends(2);
}

/// The other commands can read a folder of exact odds.
#[test]
fn odds_go_to_a_folder_where_asked() {
    let place = Place::with_duel();
    let ran =
        place.grognard("exact duel.toml --out exact").ends(0).says("results  exact").says("report   exact/report/");
    assert!(ran.out.contains("50.620"), "{ran:?}");
    place.grognard("report exact").ends(0);
    let page = String::from_utf8(place.read("exact/report/report.md")).expect("UTF-8");
    assert!(page.contains("| 50.620 % |") && page.contains("exact") && page.contains("no sampling error"), "{page}");
    for chart in ["casualties", "losses-together", "turn-of-rout"] {
        assert!(page.contains(chart), "no {chart} in {page}");
    }
    // Cells against their baseline, without a margin of error.
    let ran = place.grognard("compare exact").ends(0);
    assert!(ran.out.contains("exact: both count every possible battle") && !ran.out.contains('±'), "{ran:?}");
    // Sampled battles agree with it, and those of another study do not.
    place.grognard("run duel.toml --no-report --quiet --runs 20_000 --out sampled").ends(0);
    let ran = place.grognard("compare exact sampled").ends(0);
    assert!(ran.out.contains("None of 3 matchups differs by more than the margin of error."), "{ran:?}");
    assert!(ran.out.contains("one sampled, the other exact"), "{ran:?}");
    place.grognard("run duel.toml --no-report --quiet --runs 20_000 --out other --set attacker.0.figures=6").ends(0);
    for order in ["exact other", "other exact"] {
        let json = place.grognard(&format!("compare {order} --json")).ends(0).json();
        for cell in json["cells"].as_array().expect("cells") {
            let difference = &cell["differences"]["attacker"];
            assert!(difference["corrected_p"].as_f64().expect("a number") < 1e-6, "{order}: {difference}");
            assert!(
                difference["corrected_low"].as_f64() > Some(0.0) || difference["corrected_high"].as_f64() < Some(0.0)
            );
            assert_eq!(cell["pairing"], "none: exact odds");
        }
    }
    // A folder of exact odds is not part of a run, and contains no battles.
    place.grognard("merge exact sampled --out sum").refused("no battles to add");
    place.grognard("run duel.toml --resume --out exact").refused("the method is exact odds there and sampling here");
    place.grognard("replay exact").refused("no battles were fought there");
    place.grognard("exact duel.toml --out nowhere --cell 0,9").refused("there is no cell 9");
    assert!(!place.path("nowhere").exists());
    // If only some cells are computed, their numbers are the same in every command that reads the folder.
    let some = place.grognard("exact duel.toml --quiet --out exact --cell 0,2").ends(0);
    assert_eq!(place.grognard("exact duel.toml --quiet --cell 2 --cell 0").ends(0).out, some.out);
    let compared = place.grognard("compare exact").ends(0);
    assert!(compared.out.contains("0→2  "), "{compared:?}");
    place.grognard("report exact").ends(0);
    place.write("foreign/file.txt", "mine");
    place.grognard("exact duel.toml --out foreign").refused("not a results folder of Grognard");
}

#[test]
fn both_ways_are_worked_out() {
    let place = Place::new();
    place.write("duel.toml", format!("both-ways = true\n{DUEL}"));
    agrees_with_sampling(&place);
    let told = place.grognard("replay duel.toml --battle 1 --odds").ends(0).out;
    assert!(told.contains("roles exchanged") && told.contains("Odds before turn 1"), "{told}");
}

#[test]
fn a_short_report_needs_a_folder() {
    let place = Place::with_duel();
    place.grognard("exact duel.toml --short").refused("--short shortens the report").says("add --out DIR");
    assert_eq!(place.list(""), ["duel.toml"]);
}

#[test]
fn odds_that_differ_from_what_is_expected_are_listed() {
    let place = Place::with_duel();
    place.write(
        "other.toml",
        format!("{}[[expect]]\ncell = 0\nodds = {{ attacker = '0.25' }}\nsource = 'x'\n", super::DUEL),
    );
    let ran = place.grognard("exact other.toml --quiet").ends(0);
    let line = ran.out.lines().find(|line| line.contains("25.000 % expected")).expect("it is listed");
    assert!(!line.trim_start().contains("  ") && line.ends_with(" % found"), "{line}");
}
