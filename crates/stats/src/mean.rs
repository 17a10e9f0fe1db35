//! Means, and differences from the baseline's mean.

use std::ops::RangeInclusive;

use crate::tail::student;
use crate::{Estimate, Level, risk_unseen, share};

/// The sums needed for the mean of an integer per battle, or of its difference from the baseline per pair of battles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// The number of battles, or of pairs of battles.
    pub runs: u64,
    /// The sum of the values.
    pub sum: i128,
    /// The sum of the squares of the values.
    pub squares: u128,
}

impl Sums {
    /// The sums of values, given with their counts.
    #[must_use]
    pub fn of(counts: impl IntoIterator<Item = (i32, u64)>) -> Self {
        counts.into_iter().fold(Self::default(), |sums, (value, count)| Self {
            runs: sums.runs.saturating_add(count),
            sum: sums.sum.saturating_add(i128::from(value) * i128::from(count)),
            squares: sums.squares.saturating_add(u128::from(value.unsigned_abs()).pow(2) * u128::from(count)),
        })
    }

    /// The variance over battles, with `runs` − 1 in the denominator; 0 for fewer than two battles.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.runs < 2 {
            return 0.0;
        }
        // All numbers are integers up to the last division, so equal values give exactly 0.
        let magnitude = self.sum.unsigned_abs();
        let scaled =
            u128::from(self.runs).saturating_mul(self.squares).saturating_sub(magnitude.saturating_mul(magnitude));
        scaled as f64 / (self.runs as f64 * (self.runs - 1) as f64)
    }

    /// Variance of these paired differences over the variance that independent battles would have had.
    ///
    /// 0.25 means that pairing was worth four times as many battles. `cell` and `baseline` are the sums of the two
    /// cells themselves. `None` if neither varied.
    #[must_use]
    pub fn variance_ratio(&self, cell: &Self, baseline: &Self) -> Option<f64> {
        let independent = cell.variance() + baseline.variance();
        (independent > 0.0).then(|| self.variance() / independent)
    }
}

/// The mean of a value that always lies within `range`, with its interval.
///
/// For a metric, the range is what any battle could give; for a difference from the baseline, −max..=max. A count of 0
/// or 1 is a share and gets the Wilson interval. Otherwise it is Student's interval, which relies on the central limit
/// theorem and undercovers if a few rare, large values dominate the mean.
///
/// If every battle gave the same value (or there was only one), the observed variance is 0 and Student's interval would
/// have no width. The bound is then on values *not* seen: with confidence `level`, at most a share [`risk_unseen`] of
/// battles gives another value within `range`; the interval contains all means that this allows. It assumes nothing
/// about the distribution, and for counts is narrower than an empirical Bernstein bound.
#[must_use]
pub fn mean(sums: Sums, range: RangeInclusive<i64>, level: Level) -> Estimate {
    if range == (0..=1) {
        return share(u64::try_from(sums.sum).unwrap_or(0), sums.runs, level);
    }
    let bounds = (*range.start() as f64, (*range.end()).max(*range.start()) as f64);
    if sums.runs == 0 {
        return Estimate::unknown(bounds, level);
    }
    let point = sums.sum as f64 / sums.runs as f64;
    let variance = sums.variance();
    let ends = if variance > 0.0 {
        let half = student(level, sums.runs - 1) * (variance / sums.runs as f64).sqrt();
        (point - half, point + half)
    } else {
        let unseen = risk_unseen(sums.runs, level);
        (point - unseen * (point - bounds.0), point + unseen * (bounds.1 - point))
    };
    Estimate::within(point, ends, bounds, level, sums.runs)
}
