//! Searches for a change with a known answer: the change was planted, and the odds of every candidate are computed.
//!
//! `PLANTED=1000 cargo test --release -p grognard-lab --lib questions::planted -- --nocapture` (`just planted`) runs
//! as many studies as the table in docs/questions.md is based on; without `PLANTED`, it runs only a few.

use std::ops::ControlFlow;

use grognard_engine::Outcome;
use grognard_exact::Limits;
use grognard_source::Sources;
use grognard_stats::Level;

use super::chances::Chances;
use super::{Candidate, State, Tuning};
use crate::Side;
use crate::progress::{Silent, Stop};
use crate::study::{Changes, Number, Study, Target, Variants};

/// The number of studies, unless `PLANTED` gives another.
const FEW: u64 = 20;
/// How far the planted change lies within the band of the score, and how far beyond a band every smaller change lies.
const WITHIN: f64 = 0.02;
const BEYOND: f64 = 0.005;
/// The half width of the band of turns.
const TURNS: f64 = 0.4;

/// A unit with +1 on the die against one without; two numbers may change by up to three steps each.
const STUDY: &str = "study = 'duel'\npack = 'refduel'\nturns = 12\n[side.a]\nunits = [{ type = 'one-up' }]\n[side.b]\n\
    units = [{ type = 'plain' }]\n";

/// The exact odds of a candidate: the first side's score, and turns.
type Odds = [f64; 2];

fn odds(study: &Study, variants: &Variants<'_>, tuning: &Tuning, candidate: &Candidate) -> Odds {
    let cells = variants.cells(study, &[0], &tuning.changes_of(candidate)).expect("the rules allow it");
    let solution = crate::exact::solve_cell(&cells[0], &Limits::default(), &mut |_| ControlFlow::Continue(()));
    let solution = solution.expect("a duel is small");
    let half_points = |outcome: &Outcome| outcome.winner.map_or(1, |winner| 2 * u32::from(winner == Side::First));
    [solution.mean(half_points).value / 2.0, solution.mean(|outcome| u32::from(outcome.turns)).value]
}

/// Bands around the results of the planted candidate. `None` if a smaller change lies in them, or is too close for this
/// many battles.
fn bands(odds: &[Odds], all: &[Candidate], planted: usize) -> Option<[(f64, f64); 2]> {
    let [score, turns] = odds[planted];
    let bands = [(score - WITHIN, score + WITHIN), (turns - TURNS, turns + TURNS)];
    let beyond = |(value, (low, high)): (&f64, &(f64, f64))| (low - value).max(value - high);
    let is_clear = |at: usize| {
        let [score, turns] = [0, 1].map(|which| beyond((&odds[at][which], &bands[which])));
        score > BEYOND || turns > TURNS / 2.0
    };
    let smaller = (0..all.len()).filter(|&at| all[at].size() < all[planted].size());
    (score + WITHIN < 1.0 && smaller.into_iter().all(is_clear)).then_some(bands)
}

fn target(metric: &str, share: bool, band: (f64, f64)) -> Target {
    Target { says: metric.to_owned(), metric: metric.to_owned(), share, difference: false, cells: vec![0], band }
}

/// Results are wrong in at most 5 % of studies, and the planted change is found in at least 95 %.
#[test]
fn planted_changes_are_found_and_certificates_hold() {
    let studies: u64 = std::env::var("PLANTED").ok().and_then(|count| count.parse().ok()).unwrap_or(FEW);
    let mut sources = Sources::new();
    let file = sources.add("study.toml", STUDY);
    let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let numbers: Vec<Number> = (variants.of_packs().0.into_iter())
        .filter(|number| ["unit.plain.figures", "unit.one-up.figures"].contains(&number.path.to_string().as_str()))
        .collect();
    let (level, battles) = (Level::P95, 200_000);
    let tuning = Tuning { numbers, changes: 2, pips: 3, candidates: 1_000, battles, level, threads: 0 };
    let all = tuning.all();
    assert_eq!(all.len(), 1 + 2 * 6 + 36);
    let odds: Vec<Odds> = all.iter().map(|candidate| odds(&study, &variants, &tuning, candidate)).collect();
    let mut chances = Chances(1_815);
    let (mut wrong, mut found, mut fought, mut seed) = (0, 0, 0, 0);
    while seed < studies {
        let planted = 1 + chances.below(all.len() - 1);
        let Some(bands) = bands(&odds, &all, planted) else { continue };
        seed += 1;
        let targets = vec![target("a score", true, bands[0]), target("turns", false, bands[1])];
        let study = Study { targets, seed, ..study.clone() };
        let tuned = tuning.run(&study, &variants, &Silent, &Stop::new()).expect("threads");
        let is_in =
            |at: usize| (0..2).all(|which| bands[which].0 <= odds[at][which] && odds[at][which] <= bands[which].1);
        let is_wrong = |at: usize| match tuned.verdict(&all[at]) {
            State::Met => !is_in(at),
            State::Missed => is_in(at),
            State::Undecided => false,
        };
        wrong += u64::from((0..all.len()).any(is_wrong));
        found += u64::from(tuned.verdict(&all[planted]) == State::Met);
        fought += tuned.fought;
    }
    println!("{studies} studies, {fought} battles: {wrong} wrong certificates, planted change found in {found}");
    // With only a few studies, one may be wrong.
    assert!(wrong <= (studies / 20).max(1), "{wrong} of {studies} certificates are wrong");
    assert!(found >= studies - (studies / 20).max(1), "found in {found} of {studies}");
}
