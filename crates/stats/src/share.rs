//! How often something happens.

use crate::tail::{at_least, at_most, beta_quantile};
use crate::{Estimate, Level};

const WHOLE: (f64, f64) = (0.0, 1.0);

/// The share of `count` among `runs`, with the Wilson score interval.
///
/// Its coverage lies close to the level where at least some ten battles show it and some ten do not. Of what is rarer it may lie far
/// below: at a level of 95 % down to 84 %, and worse for joint intervals. [`share_exact`] never lies below. None of `runs` or
/// all of them still leave an interval: zero seen is not zero risk. A `count` above `runs` is taken as `runs`.
/// Source: Wilson (1927), as recommended by Brown, Cai and DasGupta (2001).
#[must_use]
pub fn share(count: u64, runs: u64, level: Level) -> Estimate {
    if runs == 0 {
        return Estimate::unknown(WHOLE, level);
    }
    let count = count.min(runs);
    let (below, above) = wilson(count, runs, level.z());
    let low = if count == 0 { 0.0 } else { below };
    let high = if count == runs { 1.0 } else { above };
    Estimate::within(count as f64 / runs as f64, (low, high), WHOLE, level, runs)
}

/// The ends of Wilson's interval, `z` standard errors from its centre.
fn wilson(count: u64, runs: u64, z: f64) -> (f64, f64) {
    let (hits, all) = (count as f64, runs as f64);
    let spread = z * z / all;
    let point = hits / all;
    let centre = (point + spread / 2.0) / (1.0 + spread);
    let half = z / (1.0 + spread) * (point * (1.0 - point) / all + spread / (4.0 * all)).sqrt();
    (centre - half, centre + half)
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
    let (tail, z) = (level.alpha() / 2.0, level.z());
    let low = lower_end(count, runs, tail, z);
    // The upper end is the complement of the lower end for this many failures.
    let high = 1.0 - lower_end(runs - count, runs, tail, z);
    Estimate::within(count as f64 / runs as f64, (low, high), WHOLE, level, runs)
}

/// The chance with which `count` or more of `runs` happen in a share `tail` of all cases; `z` is the tail's normal quantile.
fn lower_end(count: u64, runs: u64, tail: f64, z: f64) -> f64 {
    if count == 0 {
        0.0
    } else {
        beta_quantile(count as f64, (runs - count) as f64 + 1.0, tail, wilson(count, runs, z).0)
    }
}

/// The maximum probability of an event that none of `runs` battles showed, with confidence `level`.
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
