//! The value that a given share of the battles does not exceed.

use std::ops::RangeInclusive;

use crate::tail::{at_least, at_most};
use crate::{Estimate, Level};

/// The smallest value that at least a share `q` of the battles did not exceed, with its order-statistic interval.
///
/// `counts` are the values that occurred, ascending, with how often; all values lie within `range`. `q` is kept within
/// 0..=1 (0.5 is the median). The ends are values that occurred, chosen by binomial ranks, so that the coverage is never
/// below the level whatever the distribution; with too few battles for that they are the ends of `range`.
/// Source: Conover, *Practical Nonparametric Statistics*, section 3.2.
#[must_use]
pub fn quantile<C>(counts: C, q: f64, range: RangeInclusive<i32>, level: Level) -> Estimate
where
    C: IntoIterator<Item = (i32, u64)> + Clone,
{
    let bounds = (f64::from(*range.start()), f64::from((*range.end()).max(*range.start())));
    let runs = counts.clone().into_iter().fold(0_u64, |all, (_, count)| all.saturating_add(count));
    if runs == 0 {
        return Estimate::unknown(bounds, level);
    }
    let q = if q.is_nan() { 0.5 } else { q.clamp(0.0, 1.0) };
    let tail = level.alpha() / 2.0;
    let needed = ((q * runs as f64).ceil() as u64).clamp(1, runs);

    // Below the least value lie no battles: if that few would not be too rare, the quantile may lie there.
    let mut low = (at_most(0, runs, q) > tail).then_some(bounds.0);
    let (mut point, mut high) = (None, None);
    let mut so_far = 0_u64;
    for (value, count) in counts {
        so_far = so_far.saturating_add(count);
        let value = f64::from(value);
        // `value` can be the quantile unless so few battles at or below it would be too rare, given q.
        if low.is_none() && at_most(so_far, runs, q) > tail {
            low = Some(value);
        }
        if point.is_none() && so_far >= needed {
            point = Some(value);
        }
        // No greater value can be, once so many at or below this one would be too rare.
        if high.is_none() && at_least(so_far, runs, q) <= tail {
            high = Some(value);
        }
    }
    let point = point.unwrap_or(bounds.1);
    Estimate::within(point, (low.unwrap_or(bounds.0), high.unwrap_or(bounds.1)), bounds, level, runs)
}
