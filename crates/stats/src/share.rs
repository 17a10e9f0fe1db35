//! How often something happens.

use crate::tail::{at_least, at_most, turning_point};
use crate::{Estimate, Level};

const WHOLE: (f64, f64) = (0.0, 1.0);

/// The share of `count` among `runs`, with the Wilson score interval.
///
/// Its coverage lies close to the level, a little above or below it; [`share_exact`] never lies below. None of `runs` or
/// all of them still leave an interval: zero seen is not zero risk. A `count` above `runs` is taken as `runs`.
/// Source: Wilson (1927), as recommended by Brown, Cai and DasGupta (2001).
#[must_use]
pub fn share(count: u64, runs: u64, level: Level) -> Estimate {
    if runs == 0 {
        return Estimate::unknown(WHOLE, level);
    }
    let count = count.min(runs);
    let (hits, all, z) = (count as f64, runs as f64, level.z());
    let spread = z * z / all;
    let point = hits / all;
    let centre = (point + spread / 2.0) / (1.0 + spread);
    let half = z / (1.0 + spread) * (point * (1.0 - point) / all + spread / (4.0 * all)).sqrt();
    let low = if count == 0 { 0.0 } else { centre - half };
    let high = if count == runs { 1.0 } else { centre + half };
    Estimate::within(point, (low, high), WHOLE, level, runs)
}

/// The share of `count` among `runs`, with the Clopper–Pearson interval, whose coverage is never below the level.
///
/// A `count` above `runs` is taken as `runs`. Source: Clopper and Pearson (1934).
#[must_use]
pub fn share_exact(count: u64, runs: u64, level: Level) -> Estimate {
    if runs == 0 {
        return Estimate::unknown(WHOLE, level);
    }
    let count = count.min(runs);
    let tail = level.alpha() / 2.0;
    let low = if count == 0 { 0.0 } else { turning_point(0.0, 1.0, |p| at_least(count, runs, p) >= tail) };
    let high = if count == runs { 1.0 } else { turning_point(0.0, 1.0, |p| at_most(count, runs, p) <= tail) };
    Estimate::within(count as f64 / runs as f64, (low, high), WHOLE, level, runs)
}

/// The largest chance that something may have although none of `runs` battles showed it, with confidence `level`.
///
/// One-sided: 1 − (1 − level)^(1/runs), at 0.95 about 3/`runs`. 1 when nothing was fought.
#[must_use]
pub fn risk_unseen(runs: u64, level: Level) -> f64 {
    if runs == 0 { 1.0 } else { -(level.alpha().ln() / runs as f64).exp_m1() }
}

/// The two-sided p-value of "the chance is `chance`" where something happened `count` times in `runs` battles: the exact
/// binomial test, twice the smaller tail.
///
/// A `count` above `runs` is taken as `runs`.
#[must_use]
pub fn share_p_value(count: u64, runs: u64, chance: f64) -> f64 {
    let count = count.min(runs);
    (2.0 * at_least(count, runs, chance).min(at_most(count, runs, chance))).min(1.0)
}
