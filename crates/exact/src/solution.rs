//! The results of all battles.

use std::collections::BTreeMap;

use grognard_engine::Outcome;
use grognard_engine::states::hash_of;
use hashbrown::HashTable;
use num_bigint::BigUint;
use num_integer::Integer;
use serde::{Deserialize, Serialize};

use crate::float::Float;
use crate::number::Number;

/// Every way in which a battle can end, with its probability.
#[derive(Clone, Debug)]
pub struct Solution {
    outcomes: Vec<Outcome>,
    odds: Odds,
    left_out: Float,
    effort: Effort,
    /// The most by which rounded odds of rolls may have moved any probability.
    rounding: f64,
}

/// The probabilities of the outcomes, in their order.
#[derive(Clone, Debug)]
pub(crate) enum Odds {
    Whole { numerators: Vec<BigUint>, denominator: BigUint },
    Floating(Vec<Float>),
}

impl Odds {
    fn into_floats(self) -> Vec<Float> {
        match self {
            Self::Whole { numerators, denominator } => {
                numerators.iter().map(|numerator| Float::ratio(numerator, &denominator)).collect()
            }
            Self::Floating(weights) => weights,
        }
    }
}

/// The work of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Different states, added up over all steps.
    pub states: u64,
    /// Paths through steps.
    pub paths: u64,
    /// The maximum number of states after one step.
    pub widest: u64,
    /// The measured memory for states in bytes.
    pub bytes: u64,
}

impl Solution {
    pub(crate) fn new(outcomes: Vec<Outcome>, odds: Odds, left_out: Float, effort: Effort) -> Self {
        Self { outcomes, odds, left_out, effort, rounding: 0.0 }
    }

    /// The same, if rounded odds of rolls may have changed any probability by this much.
    pub(crate) fn rounded(self, rounding: f64) -> Self {
        Self { rounding, ..self }
    }

    /// The same battles with the names of the two sides exchanged.
    #[must_use]
    pub fn swap(mut self) -> Self {
        self.outcomes.iter_mut().for_each(|outcome| *outcome = outcome.swap());
        self
    }

    /// The battles of which every second one comes from `other`.
    #[must_use]
    pub fn half_of_each(self, other: Self) -> Self {
        let mut outcomes = self.outcomes;
        let mut table: HashTable<usize> = HashTable::new();
        for place in 0..outcomes.len() {
            table.insert_unique(hash_of(&outcomes[place]), place, |&place| hash_of(&outcomes[place]));
        }
        // Where each of the other's outcomes, all of which differ, stands among them all.
        let place = |outcome: &Outcome| {
            let known = table.find(hash_of(outcome), |&place| outcomes[place] == *outcome).copied();
            known.unwrap_or_else(|| {
                outcomes.push(*outcome);
                outcomes.len() - 1
            })
        };
        let theirs: Vec<usize> = other.outcomes.iter().map(place).collect();
        let odds = match (self.odds, other.odds) {
            (
                Odds::Whole { numerators: mut all, denominator: own },
                Odds::Whole { numerators: more, denominator: of_more },
            ) => {
                let common = own.lcm(&of_more);
                let (factor, more_factor) = (&common / &own, &common / &of_more);
                all.iter_mut().for_each(|numerator| *numerator *= &factor);
                all.resize(outcomes.len(), BigUint::ZERO);
                for (numerator, place) in more.into_iter().zip(&theirs) {
                    all[*place] += numerator * &more_factor;
                }
                Odds::Whole { numerators: all, denominator: common << 1 }
            }
            (own, more) => {
                // Halves of binary numbers are exact.
                let halves = |odds: Odds| odds.into_floats().into_iter().map(|weight| weight.times_exactly(0.5));
                let mut all: Vec<Float> = halves(own).collect();
                all.resize(outcomes.len(), Float::ZERO);
                for (weight, place) in halves(more).zip(&theirs) {
                    all[*place].add(weight);
                }
                Odds::Floating(all)
            }
        };
        let mut left_out = self.left_out.times_exactly(0.5);
        left_out.add(other.left_out.times_exactly(0.5));
        let effort = Effort {
            states: self.effort.states + other.effort.states,
            paths: self.effort.paths + other.effort.paths,
            widest: self.effort.widest.max(other.effort.widest),
            bytes: self.effort.bytes.max(other.effort.bytes),
        };
        let rounding = self.rounding.max(other.rounding);
        Self { outcomes, odds, left_out, effort, rounding }
    }

    /// Every outcome that is possible, in the order in which they were first reached, with its probability.
    pub fn outcomes(&self) -> impl Iterator<Item = (&Outcome, Number)> {
        let numbered = self.outcomes.iter().enumerate();
        numbered.map(|(number, outcome)| (outcome, self.sum(std::iter::once((number, 1)))))
    }

    /// The probability of these ends of a battle.
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

    /// The maximum that omitted battles can add to any probability; 0 if there are none.
    #[must_use]
    pub fn left_out(&self) -> f64 {
        self.left_out.value() + self.left_out.error()
    }

    /// The work of the solution.
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
                let (mut sum, mut most) = (Float::ZERO, 0);
                for (number, value) in of {
                    most = most.max(value);
                    let weight = weights.get(number).copied().unwrap_or(Float::ZERO);
                    sum.add(if value == 1 { weight } else { weight.times(Float::new(f64::from(value), 0)) });
                }
                let sum = Number::of_float(sum);
                Number { error: sum.error + self.rounding * f64::from(most), ..sum }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use grognard_engine::Side;

    use super::*;

    fn solution(turns: &[u8], odds: Odds) -> Solution {
        let outcome =
            |&turns: &u8| Outcome { winner: Some(Side::First), turns, sides: grognard_engine::BySide::default() };
        Solution::new(turns.iter().map(outcome).collect(), odds, Float::ZERO, Effort { states: 2, ..Effort::default() })
    }

    fn whole(numerators: &[u8], denominator: u8) -> Odds {
        let numerators = numerators.iter().map(|&numerator| BigUint::from(numerator)).collect();
        Odds::Whole { numerators, denominator: BigUint::from(denominator) }
    }

    #[test]
    fn half_of_each_has_the_mean_of_both() {
        let one = || solution(&[1, 2], whole(&[1, 2], 3));
        let other = || solution(&[3, 2], whole(&[3, 1], 4));
        let both = one().half_of_each(other());
        let fractions: Vec<(u8, String)> = both
            .outcomes()
            .map(|(outcome, number)| (outcome.turns, number.fraction.expect("a fraction").to_string()))
            .collect();
        // 1/6, (2/3 + 1/4) / 2, 3/8.
        assert_eq!(fractions, [(1, "1/6".to_owned()), (2, "11/24".to_owned()), (3, "3/8".to_owned())]);
        assert_eq!(both.effort().states, 4);

        let floating = solution(&[3, 2], Odds::Floating(vec![Float::new(0.75, 0), Float::new(0.25, 0)]));
        let near = one().half_of_each(floating);
        for ((outcome, exact), (same, near)) in both.outcomes().zip(near.outcomes()) {
            assert_eq!(outcome, same);
            assert!(near.fraction.is_none() && (near.value - exact.value).abs() <= near.error + exact.error);
        }
    }

    #[test]
    fn swapped_battles_are_won_by_the_others() {
        let swapped = solution(&[1], whole(&[1], 1)).swap();
        assert_eq!(swapped.chance(|outcome| outcome.winner == Some(Side::Second)).value, 1.0);
    }
}
