//! Paired difference of shares between a cell and its baseline, from battles fought with the same dice.

use crate::tail::{at_most, turning_point};
use crate::{Estimate, Level};

/// Joint outcomes of pairs: the same battle fought in a cell and in the baseline cell, with the same dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Pairs in which the event happened in both.
    pub both: u64,
    /// Pairs in which the event happened only in the cell.
    pub cell_only: u64,
    /// Pairs in which the event happened only in the baseline.
    pub baseline_only: u64,
    /// Pairs in which the event happened in neither.
    pub neither: u64,
}

impl Pairs {
    /// Pairs fought.
    #[must_use]
    pub fn runs(&self) -> u64 {
        [self.both, self.cell_only, self.baseline_only, self.neither].into_iter().fold(0, u64::saturating_add)
    }

    /// Variance of the paired difference over the variance that independent battles would have had.
    ///
    /// 0.25 means that pairing was worth four times as many battles. `None` if neither cell's share varied.
    #[must_use]
    pub fn variance_ratio(&self) -> Option<f64> {
        let runs = self.runs() as f64;
        let share = |count: u64| count as f64 / runs;
        let (gained, lost) = (share(self.cell_only), share(self.baseline_only));
        let (cell, baseline) = (share(self.both) + gained, share(self.both) + lost);
        let independent = cell * (1.0 - cell) + baseline * (1.0 - baseline);
        (independent > 0.0).then(|| (gained + lost - (gained - lost).powi(2)) / independent)
    }

    /// The exact two-sided p-value of "no difference": McNemar's test on the pairs that differ.
    #[must_use]
    pub fn p_value(&self) -> f64 {
        let differing = self.cell_only.saturating_add(self.baseline_only);
        (2.0 * at_most(self.cell_only.min(self.baseline_only), differing, 0.5)).min(1.0)
    }
}

/// The cell's share minus the baseline's, with Tango's score interval for pairs.
///
/// Range: −1..=1. Even if all pairs agree, the interval has a width. Source: Tango, *Statistics in Medicine* 17 (1998)
/// 891.
#[must_use]
pub fn share_difference(pairs: Pairs, level: Level) -> Estimate {
    let runs = pairs.runs();
    let bounds = (-1.0, 1.0);
    if runs == 0 {
        return Estimate::unknown(bounds, level);
    }
    let point = (pairs.cell_only as f64 - pairs.baseline_only as f64) / runs as f64;
    let z = level.z();
    let low = turning_point(-1.0, point, |difference| score(&pairs, difference) <= z);
    let high = turning_point(point, 1.0, |difference| score(&pairs, difference) <= -z);
    Estimate::within(point, (low, high), bounds, level, runs)
}

/// The number of standard errors by which the pairs lie above `difference`, if that were the true difference. Decreases
/// as `difference` grows.
fn score(pairs: &Pairs, difference: f64) -> f64 {
    let (gained, lost, runs) = (pairs.cell_only as f64, pairs.baseline_only as f64, pairs.runs() as f64);
    // The most likely share of baseline-only pairs under `difference` solves a·q² + b·q + c = 0 (Tango's equation 9).
    let a = 2.0 * runs;
    let b = (2.0 * runs - gained + lost) * difference - gained - lost;
    let c = -lost * difference * (1.0 - difference);
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    // The root that does not subtract nearly equal numbers.
    let lost_share = if b <= 0.0 { (root - b) / (2.0 * a) } else { -2.0 * c / (root + b) };
    let variance = runs * (2.0 * lost_share + difference * (1.0 - difference));
    let above = gained - lost - runs * difference;
    if variance > 0.0 {
        above / variance.sqrt()
    } else if above == 0.0 {
        0.0
    } else {
        above.signum() * f64::INFINITY
    }
}
