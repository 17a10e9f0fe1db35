//! Evidence against a mean, gathered by betting on the values.

use std::ops::RangeInclusive;

use crate::Level;

/// Bettors, each of whom stakes half as much as the one before: the last one 2 parts in a thousand million.
const BETTORS: usize = 32;

/// The share of what could be lost at most that the boldest bettor stakes.
const BOLDEST: f64 = 0.9;

/// The evidence of values against a hypothetical mean: logarithms of e-values.
///
/// If the mean is what was said (or less, for `greater`; or more, for `less`), e-values have a mean of 1 at most, however
/// often they are looked at; so the chance that one of them *ever* reaches 1/α is at most α (Ville's inequality).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// For the mean being greater.
    pub greater: f64,
    /// For the mean being less.
    pub less: f64,
}

impl Evidence {
    /// The evidence for the mean being another, one way or the other: half of either's stakes.
    #[must_use]
    pub fn either(self) -> f64 {
        self.greater.max(self.less) - std::f64::consts::LN_2
    }

    /// Whether it is enough, at this level, to say that the mean is another: the chance of ever saying so wrongly is at most
    /// 1 − `level`.
    #[must_use]
    pub fn is_enough(self, level: Level) -> bool {
        self.greater.max(self.less) >= enough(level)
    }

    /// The p-value that goes with [`Evidence::either`]: valid at any moment, and at most 1.
    #[must_use]
    pub fn p_value(self) -> f64 {
        (-self.either()).exp().min(1.0)
    }
}

/// The logarithm of an e-value, one way, that is enough at this level, both ways together.
pub(super) fn enough(level: Level) -> f64 {
    (2.0 / level.alpha()).ln()
}

/// The evidence of values against their mean being `mean`; all of them lie within `range`, and so does `mean`.
///
/// `counts` are the values with the number of occurrences of each. Bettors begin with equal shares of one coin and
/// stake a fixed part of what they have on every value being greater (or less) than `mean`, at fair odds; the evidence
/// is what they have in the end. Each stakes another part, so that for any true mean and any number of battles one of
/// them stakes about the right one. Fixed stakes make the order of the values indifferent: the evidence depends on
/// their counts alone. Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
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

/// [`Evidence::greater`]: what those have in the end who stake on values above `mean`.
pub(super) fn greater(counts: &[(i32, u64)], range: &RangeInclusive<i32>, mean: f64) -> f64 {
    let worst = mean - f64::from(*range.start());
    wealth(counts.iter().map(|&(value, count)| (gain(f64::from(value) - mean, worst), count)))
}

/// [`Evidence::less`]: what those have in the end who stake on values below `mean`.
pub(super) fn less(counts: &[(i32, u64)], range: &RangeInclusive<i32>, mean: f64) -> f64 {
    let worst = f64::from(*range.end()) - mean;
    wealth(counts.iter().map(|&(value, count)| (gain(mean - f64::from(value), worst), count)))
}

/// What a stake of 1 brings that is lost in whole where the distance is `-worst`.
fn gain(distance: f64, worst: f64) -> f64 {
    if worst > 0.0 {
        distance / worst
    } else if distance > 0.0 {
        // The mean cannot be at the very end if any value is not.
        f64::INFINITY
    } else {
        0.0
    }
}

/// The logarithm of what all bettors have in the end, for gains with how often each came.
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
