//! Luck: how lucky an outcome is.

use std::ops::{Add, AddAssign, Neg};

/// Whether the first outcomes of a decision or the last ones are good for the roller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Favour {
    /// Neither: it is not clear which outcome is better.
    #[default]
    None = 0,
    /// The first ones.
    Early = 1,
    /// The last ones.
    Late = 2,
}

impl Favour {
    /// The favour with this number; [`Favour::None`] for other numbers.
    #[must_use]
    pub fn of(number: u32) -> Self {
        match number {
            1 => Self::Early,
            2 => Self::Late,
            _ => Self::None,
        }
    }
}

/// The luck of dice, summed over decisions.
///
/// For one decision, luck is how far the middle of the outcome's share of all words is from the middle of all words,
/// towards the good end (the outcome's *ridit* minus one half, Bross, *Biometrics* 14 (1958) 18). Over all words, this
/// sums to exactly 0 for any odds, so luck is 0 on average under the rules. Luck is an integer; that of a certain
/// outcome is 0.
///
/// Unit: 2^-33 of a roll, where a roll is the distance from the worst possible word to the best. Range for one
/// decision: −2^32 to 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Luck(pub i64);

/// The number of words.
const WORDS: i64 = 1 << 32;

impl Luck {
    /// One roll, from the worst to the best.
    pub const ROLL: Self = Self(2 * WORDS);

    /// The luck of an outcome under these thresholds ([`crate::Odds::below`]).
    ///
    /// ```
    /// use grognard_dice::{Favour, Luck};
    /// // The good outcome comes up three times in four: a little luck. The bad outcome is a lot of bad luck.
    /// assert_eq!(Luck::of(Favour::Early, &[3 << 30], 0), Luck(1 << 30));
    /// assert_eq!(Luck::of(Favour::Early, &[3 << 30], 1), Luck(-3 << 30));
    /// ```
    #[inline]
    #[must_use]
    pub fn of(favour: Favour, below: &[u32], outcome: usize) -> Self {
        let start = outcome.checked_sub(1).map_or(0, |before| i64::from(below[before]));
        let end = below.get(outcome).map_or(WORDS, |&end| i64::from(end));
        let late = start + end - WORDS;
        match favour {
            Favour::None => Self(0),
            Favour::Early => Self(-late),
            Favour::Late => Self(late),
        }
    }

    /// In rolls.
    #[must_use]
    pub fn rolls(self) -> f64 {
        self.0 as f64 / Self::ROLL.0 as f64
    }
}

impl Add for Luck {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Luck {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Neg for Luck {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thresholds;

    #[test]
    fn over_all_words_luck_sums_to_nothing() {
        for weights in [vec![1u128], vec![1, 1], vec![26, 10], vec![1, 2, 3, 4, 5], vec![1, u128::MAX >> 2, 7]] {
            let below = thresholds(&weights);
            for favour in [Favour::Early, Favour::Late, Favour::None] {
                let mut start = 0;
                let sum: i128 = (0..weights.len())
                    .map(|outcome| {
                        let end = below.get(outcome).map_or(1 << 32, |&end| i128::from(end));
                        let words = end - std::mem::replace(&mut start, end);
                        words * i128::from(Luck::of(favour, &below, outcome).0)
                    })
                    .sum();
                assert_eq!(sum, 0, "{weights:?}, {favour:?}");
            }
        }
    }

    #[test]
    fn what_has_to_happen_is_no_luck() {
        assert_eq!(Luck::of(Favour::Late, &[], 0), Luck(0));
        assert_eq!(Luck::of(Favour::Late, &[0], 1), Luck(0));
    }

    #[test]
    fn the_best_and_the_worst_of_many_are_a_roll_apart() {
        let below = thresholds(&[1; 1_000]);
        let (worst, best) = (Luck::of(Favour::Early, &below, 999), Luck::of(Favour::Early, &below, 0));
        assert_eq!(best, -worst);
        assert!((best.rolls() - 0.4995).abs() < 1e-6);
    }
}
