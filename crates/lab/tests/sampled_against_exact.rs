//! Sampled against exact: every built-in study, every cell that can be computed, every outcome and every histogram.
//!
//! Each cell is computed and fought with seeded dice. Each histogram of the battles is compared with its odds by
//! Pearson's test; values expected in fewer than [`LEAST`] battles are combined. No battle may have a value with odds
//! of 0. The tests of all studies together raise a false alarm with probability [`FALSE_ALARM`], divided equally among
//! them. The seed is the study's, so the result is always the same.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use grognard_engine::{METRICS, Outcome, Side};
use grognard_exact::{Limits, Number, Solution};
use grognard_lab::exact::solve_cell;
use grognard_lab::runner::Fighter;
use grognard_lab::study::{Cell, Changes, Study};
use grognard_source::Sources;
use rayon::prelude::*;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::loaded::{self, BEGINNERS};

/// Battles per cell; `just exact` fights [`MANY`].
const BATTLES: u64 = 2_000;
/// Battles per cell when time does not matter.
const MANY: u64 = 500_000;
/// The maximum number of states after a step that a test can handle in time.
const STATES: u64 = 2_000;
/// The maximum number of paths for each of those states: a step of many units can have few states, but more paths than
/// a test can handle in time.
const PATHS: u64 = 100;
/// The maximum number of units on the table that a test can handle in time.
const UNITS: usize = 4;
/// The minimum expected number of battles with a value, so that Pearson's test is valid.
const LEAST: f64 = 10.0;
/// The probability that any test fails although everything is right.
const FALSE_ALARM: f64 = 0.001;
/// The maximum number of histograms that are compared with their odds in all studies.
const HISTOGRAMS_MAX: f64 = 20_000.0;

/// The studies' files.
fn studies() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of studies")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> Study {
    let mut sources = Sources::new();
    Study::load(path, &Changes::default(), &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// A value of a battle's end.
type Value = Box<dyn Fn(&Outcome) -> u32>;

/// Everything that is counted in a battle.
fn values() -> Vec<(String, Value)> {
    let mut values: Vec<(String, Value)> = vec![
        ("winner".to_owned(), Box::new(|outcome| outcome.winner.map_or(2, |side| side.index() as u32))),
        ("turns".to_owned(), Box::new(|outcome| u32::from(outcome.turns))),
    ];
    for side in Side::BOTH {
        for metric in METRICS {
            let value = move |outcome: &Outcome| u32::from(metric.of(&outcome.sides[side]));
            values.push((format!("{side:?} {}", metric.key), Box::new(value)));
        }
        let units = move |outcome: &Outcome| {
            let side = &outcome.sides[side];
            u32::from(side.routed_units) * (u32::from(side.units) + 1) + u32::from(side.shaken_units)
        };
        values.push((format!("{side:?} units broken and shaken"), Box::new(units)));
    }
    values
}

/// The probability of battles at least as unlikely as these if the odds are right; `None` if only one value is
/// possible.
fn p_value(what: &str, odds: &[(u32, Number)], battles: &[u32]) -> Option<f64> {
    let most = battles.iter().chain(odds.iter().map(|(value, _)| value)).max().copied().unwrap_or(0);
    let mut counts = vec![0_u32; most as usize + 1];
    battles.iter().for_each(|&value| counts[value as usize] += 1);
    let count = |value: u32| f64::from(counts[value as usize]);
    let possible: f64 = odds.iter().map(|(value, _)| count(*value)).sum();
    assert_eq!(possible, battles.len() as f64, "{what}: a battle came to what is impossible");
    let (mut classes, mut rare) = (Vec::new(), (0.0, 0.0));
    for (value, number) in odds {
        let expected = number.value * battles.len() as f64;
        if expected >= LEAST {
            classes.push((count(*value), expected));
        } else {
            rare = (rare.0 + count(*value), rare.1 + expected);
        }
    }
    if rare.1 >= LEAST {
        classes.push(rare);
    } else if let Some(last) = classes.last_mut() {
        *last = (last.0 + rare.0, last.1 + rare.1);
    }
    let freedom = classes.len().checked_sub(1).filter(|&freedom| freedom > 0)?;
    let distance: f64 = classes.iter().map(|(found, expected)| (found - expected).powi(2) / expected).sum();
    Some(ChiSquared::new(freedom as f64).expect("some freedom").sf(distance))
}

/// Compares a cell's battles with its odds. Returns the number of histograms compared.
fn hold(what: &str, solution: &Solution, battles: &[Outcome]) -> usize {
    let mut held = 0;
    for (name, value) in values() {
        let what = format!("{what}, {name}");
        let odds = solution.distribution(&value);
        let mean: f64 = odds.iter().map(|(value, number)| f64::from(*value) * number.value).sum();
        assert!((mean - solution.mean(&value).value).abs() < 1e-9, "{what}: the mean is not that of the histogram");
        let sampled: Vec<u32> = battles.iter().map(&value).collect();
        if let Some(p) = p_value(&what, &odds, &sampled) {
            assert!(p >= FALSE_ALARM / HISTOGRAMS_MAX, "{what}: p = {p:.1e}\n{odds:?}");
            held += 1;
        }
    }
    held
}

#[test]
fn every_study_is_fought_as_it_is_worked_out() {
    let (reached, _) = hold_all(STATES, UNITS, BATTLES);
    let small = [
        "bluecher-shock",
        "charge-shares",
        "command-roll",
        "fire-at-formations",
        "hex-dice",
        "hex-flank",
        "hex-reaction",
        "pip-flank",
        "pip-square",
        "pip-square-price",
        "refduel",
        "risk-dice",
        "risk-roll",
        "square-vs-line",
        "symbol-die",
    ];
    for study in small {
        assert!(reached.iter().any(|name| name == study), "no cell of {study} is in reach any more");
    }
}

/// All cells that the command solves with its own limits, and more battles of each.
#[test]
#[ignore = "takes many minutes, and gigabytes: `just exact`"]
fn every_cell_is_fought_as_it_is_worked_out() {
    let (_, beyond) = hold_all(Limits::default().states, usize::MAX, MANY);
    assert!(beyond.is_empty(), "beyond the usual limits:\n{}", beyond.join("\n"));
}

/// Compares all cells that have at most this many states and units. Returns the studies with any such cell, and the
/// cells that have more.
fn hold_all(states: u64, units: usize, battles: u64) -> (Vec<String>, Vec<String>) {
    let limits = Limits { states, paths: PATHS * states, ..Limits::default() };
    let hold_cell = |study: &Study, cell: &Cell| -> Result<usize, String> {
        let what = format!("{}, cell {} ({})", study.header.name, cell.header.cell, cell.header.label);
        if cell.setup.start.units.len() > units {
            return Err(format!("{what}: {} units", cell.setup.start.units.len()));
        }
        let solved = solve_cell(cell, &limits, &mut |_| ControlFlow::Continue(()));
        let solution = solved.map_err(|error| format!("{what}: {error}"))?;
        Ok(hold(&what, &solution, &study.fight(cell.header.cell, 0..battles)))
    };
    let (mut held, mut reached, mut beyond) = (0, Vec::new(), Vec::new());
    // Between beginners, the headline study has cells that are small enough for a test.
    let beginners = loaded::study("square-vs-line", BEGINNERS, Changes::default());
    for study in studies().iter().map(|path| read(path)).chain([beginners]) {
        let cells: Vec<_> = study.cells.par_iter().map(|cell| hold_cell(&study, cell)).collect();
        for cell in cells {
            match cell {
                Ok(histograms) => {
                    held += histograms;
                    reached.push(study.header.name.clone());
                }
                Err(why) => beyond.push(why),
            }
        }
    }
    assert!(held as f64 <= HISTOGRAMS_MAX, "{held} histograms: the false-alarm rate is no longer as stated");
    (reached, beyond)
}

/// The test can fail: it detects odds of another battle.
#[test]
fn other_odds_are_found_out() {
    let study = read(&studies().into_iter().find(|path| path.ends_with("risk-dice.toml")).expect("the study of Risk"));
    let [five, six] = [44, 45].map(|cell: usize| &study.cells[cell]);
    let solution = solve_cell(five, &Limits::default(), &mut |_| ControlFlow::Continue(())).expect("a small cell");
    let odds = solution.distribution(|outcome| outcome.winner.map_or(2, |side| side.index() as u32));
    let winners = |cell: u32| -> Vec<u32> {
        let winner = |outcome: &Outcome| outcome.winner.map_or(2, |side| side.index() as u32);
        study.fight(cell, 0..BATTLES).iter().map(winner).collect()
    };
    assert!(p_value("itself", &odds, &winners(five.header.cell)).expect("two values") > 0.001);
    assert!(p_value("another", &odds, &winners(six.header.cell)).expect("two values") < 1e-9);
}
