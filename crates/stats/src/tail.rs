//! Tails of the binomial and Student distributions, and where they reach a given chance.

use crate::Level;
use statrs::function::beta::{beta_reg, ln_beta};

/// Halvings of an interval after which a double cannot distinguish its ends.
const HALVINGS: usize = 120;

/// Degrees of freedom above which the normal quantile is used instead of Student's: they differ by less than 1 in 10⁵.
const NORMAL_FREEDOM: u64 = 1_000_000;

/// The maximum number of steps towards a zero; usually a few are enough.
const STEPS: usize = 120;

/// How close to 0 is close enough for a function based on logarithms of chances.
const CLOSE: f64 = 1e-10;

/// The point of `low..high` at which `rises` changes: it is false below the point and true above it.
pub(crate) fn turning_point(mut low: f64, mut high: f64, rises: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if rises(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The zero of `height` between two places: it is above 0 at the first and not above 0 at the second. Each place is
/// given with its height, which may be infinite.
///
/// The method of false position: if one end stays, its height is halved (Illinois: Dowell and Jarratt, *BIT* 11 (1971)
/// 168), and every eighth step halves the interval. An infinite height also requires halving.
pub(crate) fn zero_between(above: (f64, f64), below: (f64, f64), height: impl Fn(f64) -> f64) -> f64 {
    let ((mut above, mut at_above), (mut below, mut at_below)) = (above, below);
    for step in 0..STEPS {
        if (above - below).abs() <= f64::EPSILON * above.abs().max(below.abs()) {
            break;
        }
        let next = if step % 8 == 7 || at_above.is_infinite() || at_below.is_infinite() {
            f64::midpoint(above, below)
        } else {
            above + (below - above) * at_above / (at_above - at_below)
        };
        let found = height(next);
        if found.abs() < CLOSE {
            return next;
        }
        if found > 0.0 {
            (above, at_above) = (next, found);
            at_below /= 2.0;
        } else {
            (below, at_below) = (next, found);
            at_above /= 2.0;
        }
    }
    f64::midpoint(above, below)
}

/// The chance of `count` or more successes among `runs` if each has chance `p`.
pub(crate) fn at_least(count: u64, runs: u64, p: f64) -> f64 {
    if count == 0 {
        1.0
    } else if count > runs || p <= 0.0 {
        0.0
    } else if p >= 1.0 {
        1.0
    } else {
        // P(X >= k) = I_p(k, n − k + 1): NIST DLMF 8.17.5.
        beta_reg(count as f64, (runs - count) as f64 + 1.0, p)
    }
}

/// The chance of `count` or fewer successes among `runs` if each has chance `p`.
pub(crate) fn at_most(count: u64, runs: u64, p: f64) -> f64 {
    // Failures are counted instead, so that a small chance is not the difference of two large ones.
    at_least(runs.saturating_sub(count), runs, 1.0 - p)
}

/// The quantile of the beta distribution with these parameters that has `tail` below it; the search begins at `start`.
pub(crate) fn beta_quantile(a: f64, b: f64, tail: f64, start: f64) -> f64 {
    // Newton's steps on the logarithm of the tail, which is close to a parabola, kept within the known bounds.
    let (mut low, mut high) = (0.0, 1.0);
    let mut p = if start > 0.0 && start < 1.0 { start } else { a / (a + b) };
    let (beta, target) = (ln_beta(a, b), tail.ln());
    for _ in 0..HALVINGS {
        let below = beta_reg(a, b, p).ln();
        if below >= target {
            high = p;
        } else {
            low = p;
        }
        let density = (a - 1.0) * p.ln() + (b - 1.0) * (-p).ln_1p() - beta;
        let newton = p - (below - target) / (density - below).exp();
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - p).abs() <= 1e-15 * next {
            return next;
        }
        p = next;
    }
    p
}

/// Both tails of Student's distribution beyond ±`t`.
pub(crate) fn student_tails(t: f64, freedom: f64) -> f64 {
    // NIST DLMF 8.17 with x = ν/(ν + t²).
    beta_reg(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// Half-width of the level's interval in standard errors of a mean with `freedom` degrees of freedom (at least 1).
pub(crate) fn student(level: Level, freedom: u64) -> f64 {
    if freedom > NORMAL_FREEDOM {
        return level.z();
    }
    // In the heaviest case, one degree of freedom, the tails fall as 2/(π·t): the bracket holds every level below 1 −
    // 10⁻¹⁵.
    turning_point(0.0, 1e16, |t| student_tails(t, freedom.max(1) as f64) <= level.alpha())
}
