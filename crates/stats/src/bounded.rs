//! Means of bounded values, with intervals that make no other assumptions.

use std::f64::consts::{PI, SQRT_2};
use std::ops::RangeInclusive;

use statrs::function::erf::erfc;

use crate::tail::zero_between;
use crate::{Estimate, Level, Pairs, share_exact, share_p_value};

/// Newton steps to the saddlepoint; each is kept within the bracket.
const STEPS: usize = 60;

/// The mean of values within `range`, with the interval from Gaffke's bound: for values 0 and 1 it is that of Clopper
/// and Pearson.
///
/// `counts` are the values with the number of occurrences of each. The upper limit is the upper quantile of a mean with
/// random weights, which have a flat Dirichlet distribution over the values seen and one more value at the top of the
/// range; the lower limit is its mirror image. No distribution is known for which the coverage falls below the level;
/// for values 0 and 1 that is a theorem, for others a conjecture, which `grognard-stats` tests on rare, large and
/// skewed values. Without `counts`, the interval is the whole range. Sources: Gaffke, *Journal of Statistical Planning
/// and Inference* 126 (2005) 267; Learned-Miller and Thomas, "A new confidence interval for the mean of a bounded
/// random variable", arXiv 1905.06208 (2019).
#[must_use]
pub fn mean_exact<C>(counts: C, range: &RangeInclusive<i32>, level: Level) -> Estimate
where
    C: IntoIterator<Item = (i32, u64)>,
{
    let counts: Vec<(i32, u64)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    let bounds = (f64::from(*range.start()), f64::from((*range.end()).max(*range.start())));
    let runs = counts.iter().fold(0_u64, |all, (_, count)| all.saturating_add(*count));
    if runs == 0 {
        return Estimate::unknown(bounds, level);
    }
    if *range == (0..=1) {
        return share_exact(counts.iter().filter(|(value, _)| *value > 0).map(|(_, count)| count).sum(), runs, level);
    }
    let point = counts.iter().map(|&(value, count)| f64::from(value) * count as f64).sum::<f64>() / runs as f64;
    let masses: Vec<(f64, f64)> = counts.iter().map(|&(value, count)| (f64::from(value), count as f64)).collect();
    let mirrored: Vec<(f64, f64)> = masses.iter().map(|&(value, mass)| (-value, mass)).collect();
    let high = upper_end(masses, point, bounds.1, level);
    let low = -upper_end(mirrored, -point, -bounds.0, level);
    Estimate::within(point, (low, high), bounds, level, runs)
}

/// The two-sided p-value of "the mean is `mean`": one minus the highest level at which the interval of [`mean_exact`]
/// does not contain it.
///
/// So it is a valid p-value for any values within `range`, on the same grounds as that interval. For values 0 and 1 it
/// is that of the exact binomial test. Without `counts`, it is 1.
#[must_use]
pub fn mean_p_value<C>(counts: C, range: &RangeInclusive<i32>, mean: f64) -> f64
where
    C: IntoIterator<Item = (i32, u64)>,
{
    let counts: Vec<(i32, u64)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
    let runs = counts.iter().fold(0_u64, |all, (_, count)| all.saturating_add(*count));
    if runs == 0 {
        return 1.0;
    }
    if *range == (0..=1) {
        return share_p_value(counts.iter().filter(|(value, _)| *value > 0).map(|(_, count)| count).sum(), runs, mean);
    }
    let masses: Vec<(f64, f64)> = counts.iter().map(|&(value, count)| (f64::from(value), count as f64)).collect();
    let mirrored: Vec<(f64, f64)> = masses.iter().map(|&(value, mass)| (-value, mass)).collect();
    let above = tail_above(masses, mean, f64::from(*range.end()));
    let below = tail_above(mirrored, -mean, -f64::from(*range.start()));
    (2.0 * above.min(below)).min(1.0)
}

/// The cell's share minus the baseline's: [`mean_exact`] of the differences of pairs.
#[must_use]
pub fn share_difference_exact(pairs: Pairs, level: Level) -> Estimate {
    let same = pairs.both.saturating_add(pairs.neither);
    mean_exact([(-1, pairs.baseline_only), (0, same), (1, pairs.cell_only)], &(-1..=1), level)
}

/// The value that the mean under random weights exceeds with probability α/2; `masses` are values with the number of
/// occurrences of each.
fn upper_end(masses: Vec<(f64, f64)>, point: f64, top: f64, level: Level) -> f64 {
    let masses = with_unseen(masses, top);
    if masses.len() == 1 {
        return top;
    }
    let tail = level.alpha() / 2.0;
    // One more mass at the top moves the centre above the point.
    let (centre, all) = centre(&masses);
    let square = masses.iter().map(|(value, mass)| mass * (value - centre).powi(2)).sum::<f64>() / all / all;
    let beyond = |mean: f64| exceeds(&masses, mean).max(f64::MIN_POSITIVE).ln() - tail.ln();
    // Searches outward from the centre, where the probability is one half, until it is smaller than required.
    let (mut low, mut at_low) = (centre, 0.5_f64.ln() - tail.ln());
    let mut high = (centre + level.z() * square.sqrt()).min(top);
    let mut at_high = beyond(high);
    while at_high > 0.0 && high < top {
        (low, at_low) = (high, at_high);
        high = (high + 0.5 * (high - centre)).min(top);
        at_high = beyond(high);
    }
    // Close to the top, the tail falls so steeply that halving is safer.
    let at_high = if high >= top { f64::NEG_INFINITY } else { at_high };
    zero_between((low, at_low), (high, at_high), beyond).max(point)
}

/// The chance that the mean under random weights exceeds `mean`; at least one half if it lies below its centre.
fn tail_above(masses: Vec<(f64, f64)>, mean: f64, top: f64) -> f64 {
    let masses = with_unseen(masses, top);
    if masses.len() == 1 || mean <= centre(&masses).0 { 0.5 } else { exceeds(&masses, mean) }
}

/// The values seen, and the maximum possible value once more.
fn with_unseen(mut masses: Vec<(f64, f64)>, top: f64) -> Vec<(f64, f64)> {
    match masses.iter_mut().find(|(value, _)| *value >= top) {
        Some((_, mass)) => *mass += 1.0,
        None => masses.push((top, 1.0)),
    }
    masses
}

/// The mean of these values, and the sum of their masses.
fn centre(masses: &[(f64, f64)]) -> (f64, f64) {
    let all: f64 = masses.iter().map(|(_, mass)| mass).sum();
    (masses.iter().map(|(value, mass)| value * mass).sum::<f64>() / all, all)
}

/// The chance that the mean with Dirichlet weights exceeds `mean`, which lies above its centre and below its maximum.
///
/// The weights are independent gamma variables divided by their sum, so the mean exceeds `mean` if and only if the sum
/// of the gamma variables times the values minus `mean` exceeds 0. The tail of that sum is found by a saddlepoint
/// approximation. Source: Lugannani and Rice, *Advances in Applied Probability* 12 (1980) 475. For one seen and one
/// unseen value it is 0.4 % of the tail too large.
fn exceeds(masses: &[(f64, f64)], mean: f64) -> f64 {
    let top = masses.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    if mean >= top {
        return 0.0;
    }
    // The first and second derivative of the logarithm of the moments' generating function; the first one increases
    // with `tilt`.
    let slopes = |tilt: f64| {
        masses.iter().fold((0.0, 0.0), |(first, second), &(value, mass)| {
            let part = (value - mean) / (1.0 - tilt * (value - mean));
            (first + mass * part, second + mass * part * part)
        })
    };
    let (mut low, mut high) = (0.0, 1.0 / (top - mean));
    let mut tilt = 0.0;
    for _ in 0..STEPS {
        let (first, second) = slopes(tilt);
        if first > 0.0 {
            high = tilt;
        } else {
            low = tilt;
        }
        let newton = tilt - first / second;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - tilt).abs() <= 1e-13 * next.abs() {
            break;
        }
        tilt = next;
    }
    let generating: f64 = masses.iter().map(|&(value, mass)| -mass * (-tilt * (value - mean)).ln_1p()).sum();
    let root = (-2.0 * generating).max(0.0).sqrt();
    let scaled = tilt * slopes(tilt).1.sqrt();
    if root < 1e-3 || scaled <= 0.0 {
        // This is close to the centre, where an interval never ends.
        return 0.5;
    }
    let density = (-root * root / 2.0).exp() / (2.0 * PI).sqrt();
    (0.5 * erfc(root / SQRT_2) + density * (1.0 / scaled - 1.0 / root)).clamp(0.0, 1.0)
}
