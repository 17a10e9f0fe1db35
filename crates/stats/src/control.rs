//! Estimates that use a quantity whose true mean is known: control variates.

use std::ops::RangeInclusive;

use crate::{Estimate, Sums};

/// The sums of two quantities in one sample; the true mean of each is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Controls {
    /// The number of battles.
    pub runs: u64,
    /// The sums of both quantities.
    pub sums: [f64; 2],
    /// The sums of the squares of both, and of their products.
    pub squares: [f64; 3],
}

/// The spread of the controls, relative to their squares, below which they count as constants.
const FLAT: f64 = 1e-9;

/// The number of battles below which controls are not used.
const RUNS_LEAST: u64 = 100;

/// The mean of a value, adjusted for the luck of the dice: corrected by the observed values of controls with mean 0.
///
/// `plain` is the estimate without controls, `products` are the sums of value times each control. Returns the estimate
/// and the ratio of its variance to that of the plain mean: 0.4 means that controls explain six tenths of the value's
/// variance. The interval is that of the plain mean, moved by the correction and narrowed by the root of the ratio.
/// Events so rare that their luck cannot be estimated keep the plain interval, which is valid for rare events. The
/// regression's coefficients come from the same battles, which biases the estimate by something of the order of 1/runs
/// of the value's spread. `None` only for fewer than 100 battles: an estimate given only if an event was seen often
/// enough would be too high on average. Source of the regression: Lavenberg and Welch, *Management Science* 27 (1981)
/// 322.
#[must_use]
pub fn controlled(
    value: &Sums,
    plain: &Estimate,
    controls: &Controls,
    products: [f64; 2],
    range: RangeInclusive<i64>,
) -> Option<(Estimate, f64)> {
    if value.runs < RUNS_LEAST || value.runs != controls.runs {
        return None;
    }
    let runs = value.runs as f64;
    let mean = value.sum as f64 / runs;
    let means = controls.sums.map(|sum| sum / runs);
    let spread = |squares: f64, one: f64, other: f64| squares / runs - one * other;
    let [one, other] = [0, 1].map(|at| spread(controls.squares[at], means[at], means[at]));
    let both = spread(controls.squares[2], means[0], means[1]);
    let with = [0, 1].map(|at| spread(products[at], means[at], mean));
    let variance = value.variance() * (runs - 1.0) / runs;
    let Some(inverse) = inverse(one, other, both).filter(|_| variance > 0.0) else {
        // The value and the luck contain no information about each other.
        return Some((*plain, 1.0));
    };
    let slopes = [inverse[0] * with[0] + inverse[2] * with[1], inverse[2] * with[0] + inverse[1] * with[1]];
    let explained = slopes[0] * with[0] + slopes[1] * with[1];
    let left = (variance - explained).max(0.0);
    let ratio = left / variance * (runs - 2.0) / (runs - 3.0);
    let correction = slopes[0] * means[0] + slopes[1] * means[1];
    // The further the controls are from 0, the less certain the correction is.
    let far = inverse[0] * means[0].powi(2) + inverse[1] * means[1].powi(2) + 2.0 * inverse[2] * means[0] * means[1];
    let narrowed = (ratio * (1.0 + far)).sqrt();
    let point = mean - correction;
    let ends = (point - narrowed * (plain.point - plain.low), point + narrowed * (plain.high - plain.point));
    let bounds = (*range.start() as f64, (*range.end()).max(*range.start()) as f64);
    Some((Estimate::within(point, ends, bounds, plain.level, value.runs), ratio))
}

/// The inverse of a symmetric matrix of two rows, as its diagonal and its off-diagonal element. If one control does not
/// vary, or both are the same, only the other is used; `None` if neither varies.
fn inverse(one: f64, other: f64, both: f64) -> Option<[f64; 3]> {
    let determinant = one * other - both * both;
    if determinant > FLAT * one * other && one > 0.0 && other > 0.0 {
        Some([other / determinant, one / determinant, -both / determinant])
    } else if one >= other && one > 0.0 {
        Some([1.0 / one, 0.0, 0.0])
    } else if other > 0.0 {
        Some([0.0, 1.0 / other, 0.0])
    } else {
        None
    }
}
