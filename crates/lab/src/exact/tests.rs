//! Tests of computed studies.

use grognard_engine::Side;
use grognard_exact::Limits;
use grognard_source::Sources;

use super::*;
use crate::json::to_json;
use crate::results::{Kind, WIN};
use crate::study::Changes;

/// Ignores progress.
struct Nobody;

impl Watcher for Nobody {
    fn walking(&self, _cell: u32, _progress: &Progress) {}
    fn solved(&self, _cell: u32) {}
}

const DUEL: &str = r#"
study = "duel"
pack = "risk"
turns = 60
[side.attacker]
units = [{ type = "army", figures = 5 }]
[side.defender]
units = [{ type = "army", figures = 5 }]
[vary]
"attacker.0.figures" = [5, 10]
"defender.0.figures" = [5, 8]
[[expect]]
cell = 3
odds = { attacker = "0.723969978" }
source = "J. Osborne, Mathematics Magazine 76(2), 2003"
"#;

fn study(text: &str) -> Study {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text);
    Study::read(file, None, &Changes::default(), &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

fn options(change: impl FnOnce(&mut SolveOptions)) -> SolveOptions {
    let mut options =
        SolveOptions { limits: Limits::default(), cells: Vec::new(), time: None, threads: 2, command: String::new() };
    change(&mut options);
    options
}

fn solved(change: impl FnOnce(&mut SolveOptions)) -> Results {
    options(change).solve(&study(DUEL), &Nobody, &Stop::new()).unwrap()
}

#[test]
fn a_study_is_worked_out_cell_by_cell() {
    let exact = solved(|_| ());
    let win = |cell| exact.estimate(cell, Some(Side::First), WIN).unwrap();
    // More digits of the values in Osborne's table, computed outside this project.
    assert!((win(0).mean - 0.506_202_829).abs() < 6e-10);
    assert!((win(3).mean - 0.723_969_978).abs() < 6e-10);
    for row in exact.summary() {
        assert!(row.low == row.mean && row.high == row.mean && row.runs == 0, "{row:?}");
    }
    let difference = exact.difference(3, Some(Side::First), WIN).unwrap();
    assert_eq!((difference.kind, difference.baseline), (Kind::ShareDifference, Some(1)));
    assert_eq!(difference.mean, win(3).mean - win(1).mean);
}

/// Three dice against two, by counting all faces, as in many printed tables: the two sides together lose two figures.
#[test]
fn losses_of_both_sides_are_told_together() {
    let roll = DUEL.replace("turns = 60", "turns = 1").replace("[5, 10]", "[3]").replace("[5, 8]", "[2]");
    let (roll, _) = roll.split_once("[[expect]]").expect("a study with an expectation");
    let exact = options(|_| ()).solve(&study(roll), &Nobody, &Stop::new()).unwrap();
    let json = to_json(&exact);
    let pairs = json["cells"][0]["losses_together"].as_array().expect("pairs");
    assert_eq!(pairs.len(), 3);
    for (pair, (own, theirs, ways)) in pairs.iter().zip([(0, 2, 2890.0), (1, 1, 2611.0), (2, 0, 2275.0)]) {
        assert_eq!([&pair[0], &pair[1]], [own, theirs]);
        assert!((pair[2].as_f64().expect("a number") - ways / 7776.0).abs() < 1e-15, "{pair}");
    }
}

#[test]
fn threads_and_a_choice_of_cells_change_no_number() {
    let (all, one) = (solved(|_| ()), solved(|options| options.threads = 1));
    assert_eq!(all.summary(), one.summary());
    let chosen = solved(|options| options.cells = vec![3, 1, 3]);
    assert_eq!(chosen.manifest.cells.iter().map(|cell| cell.cell).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(chosen.manifest.report.expect.len(), 1);
    let own = |exact: &Results, cell| exact.estimate(cell, Some(Side::First), WIN).cloned();
    assert_eq!(own(&chosen, 3), own(&all, 3));
    assert_eq!(chosen.difference(3, Some(Side::First), WIN), all.difference(3, Some(Side::First), WIN));
    let alone = solved(|options| options.cells = vec![3]);
    assert_eq!(alone.difference(3, Some(Side::First), WIN), None);
}

/// Battles with too many states for exact fractions: probabilities are floats, and some states can be left out.
const FIREFIGHT: &str = r#"
study = "firefight"
pack = "napoleonic-figures"
turns = 6
distance = 10
[side.attacker]
doctrine = "charge-home"
units = [{ type = "line-battalion", figures = 6, at = [0, 16] }]
[side.defender]
doctrine = "stand"
units = [{ type = "line-battalion", figures = 6 }]
[vary]
"defender.0.formation" = ["line", "column"]
"#;

#[test]
fn what_is_left_out_widens_every_interval_and_no_more() {
    let firefight = study(FIREFIGHT);
    let solved =
        |prune| options(|options| options.limits.prune = prune).solve(&firefight, &Nobody, &Stop::new()).unwrap();
    let (all, some) = (solved(0.0), solved(1e-4));
    for cell in &some.odds {
        assert!(cell.left_out > 1e-6 && cell.left_out <= 1e-4, "{}", cell.left_out);
    }
    for (pruned, full) in some.summary().iter().zip(all.summary()) {
        assert!(pruned.low <= pruned.mean && pruned.mean <= pruned.high && pruned.low < pruned.high, "{pruned:?}");
        assert!(pruned.low <= full.mean + 1e-12 && full.mean <= pruned.high + 1e-12, "{pruned:?}, truly {}", full.mean);
        if pruned.kind == Kind::Share {
            assert!(pruned.high - pruned.low <= 1e-4, "{pruned:?}");
        }
    }
}

#[test]
fn the_first_cell_that_is_too_large_is_named_and_those_before_it_are_kept() {
    let whole = solved(|_| ());
    for threads in [1, 2, 4] {
        let options = options(|options| {
            options.limits.states = 5;
            options.threads = threads;
        });
        let error = options.solve(&study(DUEL), &Nobody, &Stop::new()).unwrap_err();
        let ExactError::TooLarge { cell: 1, error: TooLarge { budget: Budget::States(5), progress }, solved, .. } =
            &error
        else {
            panic!("{error:?}");
        };
        assert_eq!((progress.turns, progress.found), (60, 6));
        let kept = solved.as_ref().expect("the cell before it");
        assert_eq!((&kept.manifest.cells[..], &kept.odds[..]), (&whole.manifest.cells[..1], &whole.odds[..1]));
        assert!(error.to_string().contains("more than 5 states in turn"), "{error}");
    }
}

/// Raises the flag when a cell is solved.
struct Impatient<'a>(&'a Stop);

impl Watcher for Impatient<'_> {
    fn walking(&self, _cell: u32, _progress: &Progress) {}
    fn solved(&self, _cell: u32) {
        self.0.raise();
    }
}

#[test]
fn who_stops_the_work_keeps_the_cells_that_are_solved() {
    let stop = Stop::new();
    let error = options(|options| options.threads = 1).solve(&study(DUEL), &Impatient(&stop), &stop).unwrap_err();
    let ExactError::TooLarge { cell: 1, solved: Some(kept), .. } = error else { panic!("{error:?}") };
    assert_eq!(kept.odds, solved(|_| ()).odds[..1]);
}

#[test]
fn time_that_is_up_is_said_with_how_far_it_came() {
    let error = options(|options| options.time = Some(Duration::ZERO))
        .solve(&study(FIREFIGHT), &Nobody, &Stop::new())
        .unwrap_err();
    let ExactError::TooLarge { error: TooLarge { budget: Budget::Time(Duration::ZERO), progress }, .. } = &error else {
        panic!("{error:?}");
    };
    assert_eq!(progress.turns, 6);
    assert!(error.to_string().contains("more than 0 s: stopped at "), "{error}");
}

#[test]
fn a_raised_flag_stops_the_work() {
    let stop = Stop::new();
    stop.raise();
    let error = options(|_| ()).solve(&study(DUEL), &Nobody, &stop).unwrap_err();
    assert!(matches!(error, ExactError::TooLarge { error: TooLarge { budget: Budget::Stopped, .. }, .. }), "{error:?}");
    let error = options(|options| options.cells = vec![4]).solve(&study(DUEL), &Nobody, &Stop::new()).unwrap_err();
    assert!(matches!(error, ExactError::NoCell { cell: 4, cells: 4 }), "{error:?}");
}

#[test]
fn the_object_has_the_keys_of_a_run_and_more() {
    let text = DUEL
        .replace("[5, 10]", "[1]")
        .replace("[5, 8]", "[1]")
        .replace("cell = 3", "cell = 0")
        .replace("0.723969978", "15/36");
    let exact = options(|_| ()).solve(&study(&text), &Nobody, &Stop::new()).unwrap();
    let json = to_json(&exact);
    let keys = |json: &serde_json::Value| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let top = ["study", "pack", "method", "seed", "sides", "level", "runs", "elapsed_s", "battles_per_s", "cells"];
    assert_eq!(keys(&json), top);
    assert_eq!(json["level"], 1.0);
    assert_eq!(json["method"], "exact");
    let cell = &json["cells"][0];
    assert_eq!(
        keys(cell),
        ["cell", "vary", "runs", "outcomes", "metrics", "histograms", "losses_together", "final_states", "exact"]
    );
    // One die against one, with ties to the defender: the attacker wins 15 of 36.
    let attacker = &cell["outcomes"]["attacker"];
    assert_eq!(keys(attacker), ["mean", "low", "high", "fraction"]);
    assert_eq!(attacker["fraction"], "5/12");
    assert_eq!(
        [&attacker["mean"], &attacker["low"], &attacker["high"]].map(|value| value.as_f64()),
        [Some(15.0 / 36.0); 3]
    );
    assert_eq!(cell["histograms"]["defender.losses"].to_string(), format!("[[0,{}],[1,{}]]", 21.0 / 36.0, 15.0 / 36.0));
    assert_eq!(cell["exact"]["left_out"], 0.0);
}

/// Two armies that attack each other alternately.
const BOTH_WAYS: &str = r#"
study = "both-ways"
pack = "risk"
turns = 60
both-ways = true
[side.attacker]
units = [{ type = "army", figures = FOUR }]
[side.defender]
units = [{ type = "army", figures = THREE }]
"#;

#[test]
fn what_is_fought_both_ways_has_the_mean_of_both_roles() {
    let solved = |text: &str| options(|_| ()).solve(&study(text), &Nobody, &Stop::new()).unwrap();
    let text = |attacker: &str, defender: &str| BOTH_WAYS.replace("FOUR", attacker).replace("THREE", defender);
    let both = solved(&text("4", "3"));
    let one = |attacker, defender| solved(&text(attacker, defender).replace("both-ways = true", ""));
    let p = |results: &Results, side| results.estimate(0, Some(side), WIN).unwrap().mean;
    // From Osborne's table: four against three and, with roles exchanged, three against the army of four, which moves
    // second.
    let (given, exchanged) = (one("4", "3"), one("3", "4"));
    assert!((p(&given, Side::First) - 0.642).abs() < 5e-4 && (p(&exchanged, Side::First) - 0.315).abs() < 5e-4);
    let expected = f64::midpoint(p(&given, Side::First), p(&exchanged, Side::Second));
    assert!((p(&both, Side::First) - expected).abs() < 1e-15, "{expected}");
    // Losses belong to the army, whichever side it plays.
    let losses = |results: &Results, side| results.estimate(0, Some(side), "losses").unwrap().mean;
    let expected = f64::midpoint(losses(&given, Side::First), losses(&exchanged, Side::Second));
    assert!((losses(&both, Side::First) - expected).abs() < 1e-13, "{expected}");
    let sum: f64 = both.odds[0].ends.iter().map(|end| end.chance.value).sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn a_folder_of_odds_is_read_as_it_was_written() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("exact");
    for text in [DUEL, FIREFIGHT] {
        let solve = |threads| {
            let options = options(|options| options.threads = threads);
            options.solve_into(&folder, &study(text), &Nobody, &Stop::new()).unwrap()
        };
        let written = solve(1);
        assert_eq!(Results::open(&folder).unwrap(), written);
        let data = |name: &&str| name.starts_with("data/");
        let names = ["data/cells.parquet", "data/ends.parquet", "data/means.parquet", "data/odds.parquet"];
        let names: Vec<_> =
            names.into_iter().chain(["data/summary.parquet", "data/work.parquet", "manifest.json"]).collect();
        let read = || names.iter().filter(|name| data(name)).map(|name| std::fs::read(folder.join(name)).unwrap());
        let once: Vec<_> = read().collect();
        solve(2);
        assert!(read().eq(once));
        assert_eq!(crate::testing::tree(&folder).into_keys().collect::<Vec<_>>(), names);
    }
    // Every value and every end is in the file.
    let results = Results::open(&folder).unwrap();
    for cell in &results.odds {
        let all = |odds: &Odds| odds.chance(|_| true);
        assert!((all(&cell.turns) - 1.0).abs() < 1e-9 && cell.metrics.first.iter().all(|odds| all(odds) > 0.999));
        let broken: f64 =
            cell.final_states(Side::First).iter().filter(|([broken, _], _)| *broken > 0).map(|(_, p)| p).sum();
        let routed = crate::METRICS.iter().position(|metric| metric.key == "routed").unwrap();
        assert!((broken - cell.metrics.first[routed].mean.value).abs() < 1e-9);
    }
}

#[test]
fn some_cells_make_a_folder_in_which_they_keep_their_numbers() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("exact");
    let solve = |cells: &[u32]| {
        let options = options(|options| options.cells = cells.to_vec());
        options.solve_into(&folder, &study(DUEL), &Nobody, &Stop::new()).unwrap()
    };
    let all = solve(&[]);
    let alone = solve(&[3]);
    assert_eq!(Results::open(&folder).unwrap(), alone);
    assert_eq!(alone.odds, all.odds[3..]);
    assert_eq!(alone.manifest.cell(3).unwrap().label, all.manifest.cells[3].label);
    assert!(alone.manifest.cell(0).is_none() && alone.manifest.cells[0].baseline.is_none());
    let wins = |results: &Results| results.estimate(3, Some(Side::First), WIN).unwrap().mean;
    assert_eq!(wins(&alone), wins(&all));
    assert!(alone.difference(3, Some(Side::First), WIN).is_none());
    // If its baseline is solved too, the cell is compared.
    let both = solve(&[1, 3]);
    assert_eq!(Results::open(&folder).unwrap(), both);
    assert_eq!(both.difference(3, Some(Side::First), WIN), all.difference(3, Some(Side::First), WIN));
}

/// Half of the battles end without a rout. They do not count towards the mean turn of a rout, and have no value in the
/// odds.
#[test]
fn the_turn_of_a_rout_is_that_of_battles_with_one() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("exact");
    let results = options(|_| ()).solve_into(&folder, &study(DUEL), &Nobody, &Stop::new()).unwrap();
    let at = |key: &str| crate::METRICS.iter().position(|metric| metric.key == key).unwrap();
    let side = Side::Second;
    let odds = &results.odds[0].metrics[side][at("rout_turn")];
    let routs = odds.chance(|turn| turn > 0);
    let ever = results.estimate(0, Some(side), "ever_routed").unwrap();
    assert!((ever.mean - routs).abs() < 1e-12 && (0.01..0.99).contains(&routs), "{routs}");
    let sum: f64 = odds.values.iter().map(|(turn, number)| f64::from(*turn) * number.value).sum();
    let row = results.estimate(0, Some(side), "rout_turn").unwrap();
    assert!((row.mean - sum / routs).abs() < 1e-12, "{row:?}");
    assert_eq!((row.low, row.high), (row.mean, row.mean));
    assert_eq!(Results::open(&folder).unwrap(), results);
}

#[test]
fn odds_are_no_shards() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("exact");
    let results = options(|_| ()).solve_into(&folder, &study(DUEL), &Nobody, &Stop::new()).unwrap();
    let sum = place.path().join("sum");
    let merged = crate::results::merge(
        &[results],
        &sum,
        "grognard merge",
        true,
        &crate::progress::Silent,
        &crate::progress::Stop::new(),
    );
    assert!(merged.unwrap_err().to_string().contains("no battles to add"));
    assert!(!sum.exists());
}

/// A damaged file of odds is refused.
#[test]
fn a_damaged_folder_of_odds_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("exact");
    for name in ["odds.parquet", "means.parquet", "work.parquet", "ends.parquet"] {
        options(|_| ()).solve_into(&folder, &study(DUEL), &Nobody, &Stop::new()).unwrap();
        let path = folder.join("data").join(name);
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let error = Results::open(&folder).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("have changed since it was written"), "{error}");
    }
}
