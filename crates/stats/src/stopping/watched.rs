//! Intervals that are valid at every look.

use std::ops::RangeInclusive;

use super::betting::{enough, greater, less};
use crate::tail::zero_between;
use crate::{Estimate, Level, Pairs};

/// The mean of values within `range`, with an interval that is one of a confidence sequence: with probability `level`,
/// *all* intervals ever looked at contain the true mean, as battles are added and under any stopping rule.
///
/// `counts` are the values with the number of occurrences of each. The interval contains every mean against which
/// [`crate::evidence`] is not yet sufficient, and assumes nothing about the values' distribution. It is about twice as
/// wide as the one for a fixed number of battles. Without `counts`, it is the whole range.
#[must_use]
pub fn mean_watched<C>(counts: C, range: &RangeInclusive<i32>, level: Level) -> Estimate
where
    C: IntoIterator<Item = (i32, u64)>,
{
    let counts: Vec<(i32, u64)> = counts.into_iter().collect();
    let bounds = (f64::from(*range.start()), f64::from((*range.end()).max(*range.start())));
    let each = || counts.iter().copied();
    let runs = each().fold(0_u64, |all, (_, count)| all.saturating_add(count));
    if runs == 0 {
        return Estimate::unknown(bounds, level);
    }
    let point = each().map(|(value, count)| f64::from(value) * count as f64).sum::<f64>() / runs as f64;
    let point = point.clamp(bounds.0, bounds.1);
    let enough = enough(level);
    // Outside the interval, there is enough evidence against a mean; inside, there is not.
    let end = |bound: f64, beyond: &dyn Fn(f64) -> f64| {
        let at_bound = beyond(bound);
        if at_bound > 0.0 { zero_between((bound, at_bound), (point, beyond(point)), beyond) } else { bound }
    };
    let low = end(bounds.0, &|mean| greater(&counts, range, mean) - enough);
    let high = end(bounds.1, &|mean| less(&counts, range, mean) - enough);
    Estimate::within(point, (low, high), bounds, level, runs)
}

/// The share of `count` among `runs`, with an interval that is valid at every look: see [`mean_watched`].
///
/// A `count` above `runs` is taken as `runs`.
#[must_use]
pub fn share_watched(count: u64, runs: u64, level: Level) -> Estimate {
    let count = count.min(runs);
    mean_watched([(0, runs - count), (1, count)], &(0..=1), level)
}

/// The cell's share minus the baseline's, with an interval that is valid at every look: see [`mean_watched`].
#[must_use]
pub fn share_difference_watched(pairs: Pairs, level: Level) -> Estimate {
    let same = pairs.both.saturating_add(pairs.neither);
    mean_watched([(-1, pairs.baseline_only), (0, same), (1, pairs.cell_only)], &(-1..=1), level)
}
