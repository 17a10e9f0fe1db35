//! The verdicts of `tune`, and those of `judge`, which are the verdicts on the first candidate.

use std::collections::BTreeMap;
use std::ops::Range;

use grognard_lab::questions::{Candidate, State, Tuning};
use grognard_lab::study::{Changes, Study, Target, Variants};
use grognard_source::Sources;
use grognard_stats::Level;

use super::drawn::{Dice, Studies};

/// Figures that a unit may lose in a battle.
const FIGURES: i32 = 3;

/// A study with one number to change, whose battles are not fought.
const STUDY: &str = "study = 'duel'\npack = 'refduel'\nturns = 12\n[side.a]\nunits = [{ type = 'plain' }]\n[side.b]\n\
    units = [{ type = 'plain' }]\n";

/// How often no verdict of a search is wrong: no candidate that misses a target is reported to meet all, and none that
/// meets all is reported to miss one. A candidate wins a share of its battles and loses each of three figures with the
/// same probability. The targets are to win at least a share of `chance`, and to lose at most that share of the
/// figures. Three candidates meet both, one of them with ease and two exactly; the others miss both by one part in a
/// thousand million.
pub(crate) fn of_tuning(runs: u64, chance: f64, level: Level, studies: Studies) -> f64 {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", STUDY);
    let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
    let variants = Variants::of(&study, &mut sources).expect("its own texts");
    let numbers = variants.of_packs().0.into_iter().filter(|number| number.path.to_string() == "unit.plain.figures");
    let tuning =
        Tuning { numbers: numbers.collect(), changes: 1, pips: 3, candidates: 7, battles: runs, level, threads: 0 };
    let target = |metric: &str, share: bool, band: (f64, f64)| Target {
        says: metric.to_owned(),
        metric: metric.to_owned(),
        share,
        difference: false,
        cells: vec![0],
        band,
    };
    let losses = target("a.losses", false, (0.0, f64::from(FIGURES) * chance));
    let study = Study { targets: vec![target("a", true, (chance, 1.0)), losses], ..study };
    studies.share(|dice| {
        let seed = (dice.part() * 2_f64.powi(53)) as u64;
        let draw = |candidate: &Candidate, place: usize, _: u32, range: &Range<u64>| {
            let which = (pips(candidate) + 3) as u64;
            let stream = (range.start << 8) | (which << 1) | place as u64;
            let (mut dice, battles) = (Dice::of(seed, stream), range.end - range.start);
            let [wins, figure] = truth(candidate, chance);
            match place {
                0 => {
                    let won = dice.successes(battles, wins);
                    BTreeMap::from([(0, battles - won), (1, won)])
                }
                _ => {
                    let (rest, lost) = (1.0 - figure, figure);
                    let chances = [rest.powi(3), 3.0 * rest.powi(2) * lost, 3.0 * rest * lost.powi(2), lost.powi(3)];
                    (0..=FIGURES).zip(dice.faces(battles, &chances)).collect()
                }
            }
        };
        let tuned = tuning.run_on(&study, &draw);
        tuning.all().iter().all(|candidate| match tuned.verdict(candidate) {
            State::Met => meets(candidate),
            State::Missed => !meets(candidate),
            State::Undecided => true,
        })
    })
}

/// By how many pips a candidate changes the number.
fn pips(candidate: &Candidate) -> i64 {
    candidate.moves.first().map_or(0, |(_, pips)| *pips)
}

/// Whether a candidate meets both targets.
fn meets(candidate: &Candidate) -> bool {
    matches!(pips(candidate), 1 | -2 | 3)
}

/// The true share of wins of a candidate, and the probability that it loses a figure.
fn truth(candidate: &Candidate, chance: f64) -> [f64; 2] {
    let by = 1e-9 * chance;
    match pips(candidate) {
        3 => [(1.0 + chance) / 2.0, chance / 2.0],
        _ if meets(candidate) => [chance, chance],
        _ => [chance - by, chance + by],
    }
}
