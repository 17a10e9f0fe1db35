//! Evidence against a mean, gathered by betting on the values.

use std::ops::RangeInclusive;

use crate::Level;

/// The number of bettors, each of whom stakes half as much as the one before; the last one stakes 2 parts in a thousand
/// million.
const BETTORS: usize = 32;

/// The boldest bettor's stake, as a share of the maximum possible stake.
const BOLDEST: f64 = 0.9;

/// The evidence of values against a hypothetical mean: logarithms of e-values.
///
/// If the hypothetical mean is right (or too high, for `greater`; or too low, for `less`), e-values have a mean of at
/// most 1, however often they are looked at. So the chance that one of them *ever* reaches 1/α is at most α (Ville's
/// inequality).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// Evidence that the mean is greater.
    pub greater: f64,
    /// Evidence that the mean is less.
    pub less: f64,
}

impl Evidence {
    /// The evidence that the mean is different, in either direction: half of the stakes on each.
    #[must_use]
    pub fn either(self) -> f64 {
        self.greater.max(self.less) - std::f64::consts::LN_2
    }

    /// Whether it is enough, at this level, to report that the mean is different: the chance of ever reporting this
    /// wrongly is at most 1 − `level`.
    #[must_use]
    pub fn is_enough(self, level: Level) -> bool {
        self.greater.max(self.less) >= enough(level)
    }

    /// The p-value that corresponds to [`Evidence::either`]: valid at any time, and at most 1.
    #[must_use]
    pub fn p_value(self) -> f64 {
        (-self.either()).exp().min(1.0)
    }
}

/// The logarithm of a one-sided e-value that is enough at this level for both directions together.
pub(super) fn enough(level: Level) -> f64 {
    (2.0 / level.alpha()).ln()
}

/// The evidence of values against their mean being `mean`; all of them lie within `range`, and so does `mean`.
///
/// `counts` are the values with the number of occurrences of each. Bettors begin with equal shares of one coin and
/// stake a fixed part of what they have on every value being greater (or less) than `mean`, at fair odds. The evidence
/// is their final wealth. Each stakes a different part, so for any true mean and any number of battles, one of them
/// stakes about the right part. With fixed stakes, the order of the values does not matter: the evidence depends only
/// on their counts. Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
/// *Journal of the Royal Statistical Society B* 86 (2024) 1; fixed stakes as in their section 4.3 (diversified bets).
#[must_use]
pub fn evidence<C>(counts: C, range: &RangeInclusive<i32>, mean: f64) -> Evidence
where
    C: IntoIterator<Item = (i32, u64)>,
{
    let counts: Vec<(i32, u64)> = counts.into_iter().collect();
    let mean = mean.clamp(f64::from(*range.start()), f64::from(*range.end()));
    Evidence { greater: greater(&counts, range, mean), less: less(&counts, range, mean) }
}

/// [`Evidence::greater`]: the final wealth of those who stake on values above `mean`.
pub(super) fn greater(counts: &[(i32, u64)], range: &RangeInclusive<i32>, mean: f64) -> f64 {
    let worst = mean - f64::from(*range.start());
    wealth(counts.iter().map(|&(value, count)| (gain(f64::from(value) - mean, worst), count)))
}

/// [`Evidence::less`]: the final wealth of those who stake on values below `mean`.
pub(super) fn less(counts: &[(i32, u64)], range: &RangeInclusive<i32>, mean: f64) -> f64 {
    let worst = f64::from(*range.end()) - mean;
    wealth(counts.iter().map(|&(value, count)| (gain(mean - f64::from(value), worst), count)))
}

/// The gain from a stake of 1, all of which is lost if the distance is `-worst`.
fn gain(distance: f64, worst: f64) -> f64 {
    if worst > 0.0 {
        distance / worst
    } else if distance > 0.0 {
        // The mean cannot be at the end of the range unless all values are.
        f64::INFINITY
    } else {
        0.0
    }
}

/// The logarithm of the final wealth of all bettors, for gains with the number of occurrences of each.
fn wealth(gains: impl Iterator<Item = (f64, u64)>) -> f64 {
    let mut logs = [0.0; BETTORS];
    for (gain, count) in gains.filter(|(_, count)| *count > 0) {
        let mut stake = BOLDEST;
        for log in &mut logs {
            *log += count as f64 * (stake * gain).ln_1p();
            stake /= 2.0;
        }
    }
    // Summed from the largest one down, so that nothing overflows.
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most.is_infinite() {
        return most;
    }
    most + (logs.iter().map(|log| (log - most).exp()).sum::<f64>() / BETTORS as f64).ln()
}
