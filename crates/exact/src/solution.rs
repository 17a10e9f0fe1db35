//! What all battles come to.

use std::collections::BTreeMap;

use grognard_engine::Outcome;
use num_bigint::BigUint;

use crate::float::Float;
use crate::number::Number;

/// Every way in which a battle can end, with its probability.
#[derive(Clone, Debug)]
pub struct Solution {
    outcomes: Vec<Outcome>,
    odds: Odds,
    left_out: Float,
    effort: Effort,
}

/// The probabilities of the outcomes, in their order.
#[derive(Clone, Debug)]
pub(crate) enum Odds {
    Whole { numerators: Vec<BigUint>, denominator: BigUint },
    Floating(Vec<Float>),
}

/// How much work a solution was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Different states, added up over all steps.
    pub states: u64,
    /// Paths walked through steps.
    pub paths: u64,
    /// The most states after one step.
    pub widest: u64,
    /// Memory that states took, in bytes, as far as it was looked at.
    pub bytes: u64,
}

impl Solution {
    pub(crate) fn new(outcomes: Vec<Outcome>, odds: Odds, left_out: Float, effort: Effort) -> Self {
        Self { outcomes, odds, left_out, effort }
    }

    /// Every outcome that is possible, in the order in which they were first reached, with its probability.
    pub fn outcomes(&self) -> impl Iterator<Item = (&Outcome, Number)> {
        let numbered = self.outcomes.iter().enumerate();
        numbered.map(|(number, outcome)| (outcome, self.sum(std::iter::once((number, 1)))))
    }

    /// The probability that a battle ends in such a way.
    pub fn chance(&self, holds: impl Fn(&Outcome) -> bool) -> Number {
        let those = self.outcomes.iter().enumerate().filter(|(_, outcome)| holds(outcome));
        self.sum(those.map(|(number, _)| (number, 1)))
    }

    /// The mean over all battles of a value of their ends.
    pub fn mean(&self, value: impl Fn(&Outcome) -> u32) -> Number {
        self.sum(self.outcomes.iter().enumerate().map(|(number, outcome)| (number, value(outcome))))
    }

    /// The probability of each value that the ends of battles can have, in ascending order.
    pub fn distribution(&self, value: impl Fn(&Outcome) -> u32) -> Vec<(u32, Number)> {
        let mut numbers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, outcome) in self.outcomes.iter().enumerate() {
            numbers.entry(value(outcome)).or_default().push(number);
        }
        let sum = |numbers: Vec<usize>| self.sum(numbers.into_iter().map(|number| (number, 1)));
        numbers.into_iter().map(|(value, numbers)| (value, sum(numbers))).collect()
    }

    /// The most that the battles which were left out can add to any probability; 0 where none were.
    #[must_use]
    pub fn left_out(&self) -> f64 {
        self.left_out.value() + self.left_out.error()
    }

    /// How much work it was.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The sum of some outcomes' probabilities, each times a value.
    fn sum(&self, of: impl Iterator<Item = (usize, u32)>) -> Number {
        match &self.odds {
            Odds::Whole { numerators, denominator } => {
                let of = of.filter_map(|(number, value)| Some(numerators.get(number)? * value));
                Number::of_fraction(&of.fold(BigUint::ZERO, |sum, numerator| sum + numerator), denominator)
            }
            Odds::Floating(weights) => {
                let mut sum = Float::ZERO;
                for (number, value) in of {
                    let weight = weights.get(number).copied().unwrap_or(Float::ZERO);
                    sum.add(if value == 1 { weight } else { weight.times(Float::new(f64::from(value), 0)) });
                }
                Number::of_float(sum)
            }
        }
    }
}
