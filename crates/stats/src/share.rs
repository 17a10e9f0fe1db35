//! Shares: how often something happens.

use crate::tail::{at_least, at_most, beta_quantile};
use crate::{Estimate, Level};

const WHOLE: (f64, f64) = (0.0, 1.0);

/// The share of `count` among `runs`, with the Wilson score interval.
///
/// Its coverage is close to the level if at least about ten battles show it and about ten do not. For rarer events it
/// may be far below: down to 84 % at a level of 95 %, and worse for joint intervals. The coverage of [`share_exact`] is
/// never below the level. Even if it happened in none or all of the battles, the interval has a width: zero seen is not
/// zero risk. A `count` above `runs` is taken as `runs`. Source: Wilson (1927), as recommended by Brown, Cai and
/// DasGupta (2001).
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

/// The limits of Wilson's interval, `z` standard errors from its centre.
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
    // The upper limit is the complement of the lower limit for this many failures.
    let high = 1.0 - lower_end(runs - count, runs, tail, z);
    Estimate::within(count as f64 / runs as f64, (low, high), WHOLE, level, runs)
}

/// The chance of an event for which `count` or more successes in `runs` have probability `tail`; `z` is the tail's
/// normal quantile.
fn lower_end(count: u64, runs: u64, tail: f64, z: f64) -> f64 {
    if count == 0 {
        0.0
    } else {
        beta_quantile(count as f64, (runs - count) as f64 + 1.0, tail, wilson(count, runs, z).0)
    }
}

/// The maximum probability of an event that none of `runs` battles showed, with confidence `level`.
///
/// One-sided: 1 − (1 − level)^(1/runs), at 0.95 about 3/`runs`. It is 1 if nothing was fought.
#[must_use]
pub fn risk_unseen(runs: u64, level: Level) -> f64 {
    if runs == 0 { 1.0 } else { -(level.alpha().ln() / runs as f64).exp_m1() }
}

/// The two-sided p-value of "the chance is `chance`" if something happened `count` times in `runs` battles: the exact
/// binomial test, twice the smaller tail.
///
/// A `count` above `runs` is taken as `runs`.
#[must_use]
pub fn share_p_value(count: u64, runs: u64, chance: f64) -> f64 {
    let count = count.min(runs);
    (2.0 * at_least(count, runs, chance).min(at_most(count, runs, chance))).min(1.0)
}
