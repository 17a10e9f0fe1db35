//! Totals with the number of ways to get each.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::{FormulaError, too_large};
use crate::number::{Fraction, Number};

/// The limit on pairs of totals to combine.
const PAIRS_MAX: usize = 4_000_000;
/// The limit on totals of a formula: more than anybody reads, and few enough that each can have its fraction.
const TOTALS_MAX: usize = 100_000;

/// The odds of a formula: every total with its probability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    ways: BTreeMap<i64, BigUint>,
    all: BigUint,
}

impl Odds {
    pub(super) fn certain(total: i64) -> Self {
        Self { ways: BTreeMap::from([(total, BigUint::from(1_u8))]), all: BigUint::from(1_u8) }
    }

    /// The odds of totals, given the number of ways to get each.
    pub(super) fn of(ways: BTreeMap<i64, BigUint>) -> Self {
        let ways: BTreeMap<i64, BigUint> = ways.into_iter().filter(|(_, ways)| *ways > BigUint::ZERO).collect();
        let all = ways.values().sum();
        Self { ways, all }
    }

    /// The odds of totals with these weights; weights of the same total are added.
    #[must_use]
    pub fn of_weights(weights: impl IntoIterator<Item = (i64, u128)>) -> Self {
        let mut ways: BTreeMap<i64, BigUint> = BTreeMap::new();
        for (total, weight) in weights {
            *ways.entry(total).or_default() += weight;
        }
        Self::of(ways)
    }

    /// The distribution of a combination of two independent totals.
    pub(super) fn with(&self, other: &Self, of: impl Fn(i64, i64) -> Option<i64>) -> Result<Self, FormulaError> {
        if self.ways.len().saturating_mul(other.ways.len()) > PAIRS_MAX {
            return Err(too_large("pairs of totals"));
        }
        let mut ways: BTreeMap<i64, BigUint> = BTreeMap::new();
        for (&one, own) in &self.ways {
            for (&two, others) in &other.ways {
                let total = of(one, two).ok_or_else(|| too_large("totals"))?;
                *ways.entry(total).or_default() += own * others;
            }
            if ways.len() > TOTALS_MAX {
                return Err(too_large("totals"));
            }
        }
        Ok(Self { ways, all: &self.all * &other.all })
    }

    /// The totals in ascending order.
    pub fn totals(&self) -> impl Iterator<Item = i64> + '_ {
        self.ways.keys().copied()
    }

    /// The probability of a total, as a fraction in lowest terms.
    #[must_use]
    pub fn fraction(&self, total: i64) -> Fraction {
        Fraction::new(self.ways.get(&total).unwrap_or(&BigUint::ZERO), &self.all)
    }

    /// The probability of the totals that satisfy `holds`.
    #[must_use]
    pub fn chance(&self, holds: impl Fn(i64) -> bool) -> Number {
        let ways: BigUint = self.ways.iter().filter(|(total, _)| holds(**total)).map(|(_, ways)| ways).sum();
        Number::of_fraction(&ways, &self.all)
    }

    /// The probability of a total.
    #[must_use]
    pub fn chance_of(&self, total: i64) -> Number {
        self.number(self.ways.get(&total).unwrap_or(&BigUint::ZERO))
    }

    /// The totals in ascending order, each with its probability and that of a total at least as high.
    #[must_use]
    pub fn chances(&self) -> Vec<(i64, Number, Number)> {
        let mut above = BigUint::ZERO;
        let mut found: Vec<_> = self
            .ways
            .iter()
            .rev()
            .map(|(&total, ways)| {
                above += ways;
                (total, self.number(ways), self.number(&above))
            })
            .collect();
        found.reverse();
        found
    }

    fn number(&self, ways: &BigUint) -> Number {
        Number::of_fraction(ways, &self.all)
    }

    /// The mean total.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let Some(least) = self.totals().next() else { return 0.0 };
        self.moment(|total| total.abs_diff(least)) + least as f64
    }

    /// The standard deviation of the total.
    #[must_use]
    pub fn sd(&self) -> f64 {
        let mean = self.mean();
        self.totals().map(|total| self.chance_of(total).value * (total as f64 - mean).powi(2)).sum::<f64>().sqrt()
    }

    /// The chances that this total is higher than another one, equal to it, and lower.
    ///
    /// # Errors
    /// There are too many pairs of totals.
    pub fn against(&self, other: &Self) -> Result<[Number; 3], FormulaError> {
        let difference = self.with(other, |one, other| Some(one.cmp(&other) as i64))?;
        Ok([1, 0, -1].map(|sign| difference.chance(|total| total == sign)))
    }

    /// The mean of a value that is not negative.
    fn moment(&self, value: impl Fn(i64) -> u64) -> f64 {
        let sum: BigUint = self.ways.iter().map(|(&total, ways)| ways * value(total)).sum();
        Number::of_fraction(&sum, &self.all).value
    }
}
