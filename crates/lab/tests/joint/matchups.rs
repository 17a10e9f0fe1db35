//! The promises of `matchups`.

use std::collections::BTreeMap;

use grognard_lab::questions::{Matched, Use, cyclic_share, equilibrium, watched_scores};
use grognard_stats::{Estimate, Level, bonferroni, evidence};

use super::drawn::{Dice, Studies};

/// Choices that beat each other in a cycle by 30, 20 and 10 points: all of them have weight, and none is dominated.
const SCORES: [[f64; 3]; 3] = [[0.5, 0.3, 0.8], [0.7, 0.5, 0.4], [0.2, 0.6, 0.5]];

/// More than rounding, and far less than anything that is printed.
const ROUNDING: f64 = 1e-6;

/// How often everything printed about a table of nine pairings is true at all looks. This covers the scores and, at
/// the end, the value of the game, the limits of all weights and of the cyclic share, the choices that are certainly
/// used, never used or dominated, and the maximum that the best mixes give away. Equal choices score this share of the
/// battles against each other, as if no battle were drawn, and the others 0.4 to 1.6 times as much.
pub(crate) fn of_matchups(looks: &[u64], chance: f64, level: Level, studies: Studies) -> f64 {
    let truth: Vec<Vec<f64>> = SCORES.map(|row| row.map(|score| 2.0 * chance * score).to_vec()).to_vec();
    studies.share(|dice| {
        let Some(won) = won(&truth, looks, level, dice) else { return false };
        let runs = looks.last().copied().unwrap_or(0);
        let counts: Vec<BTreeMap<i32, u64>> = won.iter().map(|&won| half_points(won, runs)).collect();
        let pairings: Vec<(&BTreeMap<i32, u64>, i32)> = counts.iter().map(|counts| (counts, 2)).collect();
        let known = watched_scores(&pairings, level);
        is_true(&Matched::of(known.chunks(3).map(<[Estimate]>::to_vec).collect(), false), &truth)
    })
}

fn half_points(won: u64, runs: u64) -> BTreeMap<i32, u64> {
    [(0, runs - won), (2, won)].into()
}

/// The battles of each pairing that the first side wins; `None` if the interval of a score misses the truth before the
/// last look.
fn won(truth: &[Vec<f64>], looks: &[u64], level: Level, dice: &mut Dice) -> Option<Vec<u64>> {
    let each = bonferroni(level, truth.iter().map(Vec::len).sum());
    let mut pairing = |&chance: &f64| {
        let (mut won, mut fought) = (0, 0);
        for &look in looks {
            // A watched interval contains the means against which there is not enough evidence.
            if evidence(half_points(won, fought), &(0..=2), 2.0 * chance).is_enough(each) {
                return None;
            }
            won += dice.successes(look - fought, chance);
            fought = look;
        }
        Some(won)
    };
    truth.iter().flatten().map(&mut pairing).collect()
}

/// Whether everything reported about a table is true of these scores.
fn is_true(found: &Matched, truth: &[Vec<f64>]) -> bool {
    let best = equilibrium(truth);
    let within = |(low, high): (f64, f64), value: f64| low - ROUNDING <= value && value <= high + ROUNDING;
    let scores = found.scores.iter().flatten().zip(truth.iter().flatten());
    let spread = &found.spread;
    let sides = [(&spread.rows, &spread.rows_used, &best.rows), (&spread.columns, &spread.columns_used, &best.columns)];
    let weights = |(ends, used, weights): (&Vec<(f64, f64)>, &Vec<Use>, &Vec<f64>)| {
        let weights = ends.iter().zip(used).zip(weights);
        weights.into_iter().all(|((&ends, used), &weight)| within(ends, weight) && *used != Use::Never)
    };
    let kept =
        |column: usize| truth.iter().zip(&found.best.rows).map(|(row, weight)| row[column] * weight).sum::<f64>();
    let given = |row: &Vec<f64>| row.iter().zip(&found.best.columns).map(|(score, weight)| score * weight).sum::<f64>();
    let [worst, dearest] =
        [(0..3).map(kept).fold(f64::INFINITY, f64::min), truth.iter().map(given).fold(f64::NEG_INFINITY, f64::max)];
    let cyclic = spread.cyclic.zip(cyclic_share(truth));
    scores.into_iter().all(|(score, &truth)| within((score.low, score.high), truth))
        && within((found.value.low, found.value.high), best.value)
        && sides.into_iter().all(weights)
        && cyclic.is_none_or(|(ends, share)| within(ends, share))
        && found.dominated.is_empty()
        && best.value - worst <= found.exploitability[0] + ROUNDING
        && dearest - best.value <= found.exploitability[1] + ROUNDING
}
