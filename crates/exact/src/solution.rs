//! The results of all battles.

use std::collections::BTreeMap;

use grognard_engine::states::hash_of;
use grognard_engine::{Gauges, Outcome};
use hashbrown::HashTable;
use num_bigint::BigUint;
use num_integer::Integer;
use serde::{Deserialize, Serialize};

use crate::float::Float;
use crate::number::Number;

/// The end of a battle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ended {
    outcome: Outcome,
    /// The metrics requested: those of the first side, followed by those of the other sides.
    counted: Box<[i32]>,
}

impl Ended {
    pub(crate) fn of(outcome: Outcome, gauges: Option<&Gauges<'_>>) -> Self {
        let counted = gauges.map_or_else(Vec::new, |gauges| {
            let counts = gauges.counts();
            counts.iter().flatten().map(|gauged| gauged.part).collect()
        });
        Self { outcome, counted: counted.into() }
    }

    /// The same end in another turn; see [`Outcome::in_turn`].
    pub(crate) fn in_turn(&self, turn: u8) -> Self {
        Self { outcome: self.outcome.in_turn(turn), counted: self.counted.clone() }
    }

    fn swap(self) -> Self {
        let Self { outcome, mut counted } = self;
        let half = counted.len() / 2;
        counted.rotate_left(half);
        Self { outcome: outcome.swap(), counted }
    }
}

/// Every possible end of a battle, with its probability.
#[derive(Clone, Debug)]
pub struct Solution {
    ends: Vec<Ended>,
    odds: Odds,
    left_out: Float,
    effort: Effort,
    /// The maximum error of any probability due to rounded odds of rolls.
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
    pub(crate) fn new(ends: Vec<Ended>, odds: Odds, left_out: Float, effort: Effort) -> Self {
        Self { ends, odds, left_out, effort, rounding: 0.0 }
    }

    /// The same solution, in which rounded odds of rolls may have changed any probability by this much.
    pub(crate) fn rounded(self, rounding: f64) -> Self {
        Self { rounding, ..self }
    }

    /// The same battles with the names of the two sides exchanged.
    #[must_use]
    pub fn swap(mut self) -> Self {
        self.ends = self.ends.into_iter().map(Ended::swap).collect();
        self
    }

    /// A mixture in which every other battle comes from `other`.
    #[must_use]
    pub fn half_of_each(self, other: Self) -> Self {
        let mut ends = self.ends;
        let mut table: HashTable<usize> = HashTable::new();
        for place in 0..ends.len() {
            table.insert_unique(hash_of(&ends[place]), place, |&place| hash_of(&ends[place]));
        }
        // The index in `ends` of each end of the other solution; its ends are all distinct.
        let place = |end: Ended| {
            let known = table.find(hash_of(&end), |&place| ends[place] == end).copied();
            known.unwrap_or_else(|| {
                ends.push(end);
                ends.len() - 1
            })
        };
        let theirs: Vec<usize> = other.ends.into_iter().map(place).collect();
        let odds = match (self.odds, other.odds) {
            (
                Odds::Whole { numerators: mut all, denominator: own },
                Odds::Whole { numerators: more, denominator: of_more },
            ) => {
                let common = own.lcm(&of_more);
                let (factor, more_factor) = (&common / &own, &common / &of_more);
                all.iter_mut().for_each(|numerator| *numerator *= &factor);
                all.resize(ends.len(), BigUint::ZERO);
                for (numerator, place) in more.into_iter().zip(&theirs) {
                    all[*place] += numerator * &more_factor;
                }
                Odds::Whole { numerators: all, denominator: common << 1 }
            }
            (own, more) => {
                // Halving a binary number is exact.
                let halves = |odds: Odds| odds.into_floats().into_iter().map(|weight| weight.times_exactly(0.5));
                let mut all: Vec<Float> = halves(own).collect();
                all.resize(ends.len(), Float::ZERO);
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
        Self { ends, odds, left_out, effort, rounding }
    }

    /// Every possible outcome, in the order in which they were first reached, with its probability. If metrics were
    /// requested, an outcome is listed once for each combination of their values.
    pub fn outcomes(&self) -> impl Iterator<Item = (&Outcome, Number)> {
        self.ends().map(|(outcome, _, number)| (outcome, number))
    }

    /// Every possible outcome with the values of the metrics requested: those of the first side, followed by those of
    /// the other sides.
    pub fn ends(&self) -> impl Iterator<Item = (&Outcome, &[i32], Number)> {
        let numbered = self.ends.iter().enumerate();
        numbered.map(|(number, end)| (&end.outcome, &*end.counted, self.sum(std::iter::once((number, 1)))))
    }

    /// The probability of the outcomes that satisfy `holds`.
    pub fn chance(&self, holds: impl Fn(&Outcome) -> bool) -> Number {
        let those = self.ends.iter().enumerate().filter(|(_, end)| holds(&end.outcome));
        self.sum(those.map(|(number, _)| (number, 1)))
    }

    /// The mean over all battles of a value of their ends.
    pub fn mean(&self, value: impl Fn(&Outcome) -> u32) -> Number {
        self.sum(self.ends.iter().enumerate().map(|(number, end)| (number, value(&end.outcome))))
    }

    /// The probability of each value that the ends of battles can have, in ascending order.
    pub fn distribution(&self, value: impl Fn(&Outcome) -> u32) -> Vec<(u32, Number)> {
        self.by_value(|end| value(&end.outcome))
    }

    /// The probability of each value of a requested metric, in ascending order, and its mean. `place` is its place
    /// among those of [`ends`](Self::ends).
    #[must_use]
    pub fn counted(&self, place: usize) -> (Vec<(i32, Number)>, Number) {
        let value = |end: &Ended| end.counted.get(place).copied().unwrap_or(0);
        let part = |sign: i32| {
            let of = |end: &Ended| value(end).saturating_mul(sign).max(0).unsigned_abs();
            self.sum(self.ends.iter().enumerate().map(|(number, end)| (number, of(end))))
        };
        (self.by_value(value), part(1).less(&part(-1)))
    }

    fn by_value<T: Ord>(&self, value: impl Fn(&Ended) -> T) -> Vec<(T, Number)> {
        let mut numbers: BTreeMap<T, Vec<usize>> = BTreeMap::new();
        for (number, end) in self.ends.iter().enumerate() {
            numbers.entry(value(end)).or_default().push(number);
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
        let outcome = |turns| Outcome { winner: Some(Side::First), turns, sides: grognard_engine::BySide::default() };
        let end = |&turns: &u8| Ended { outcome: outcome(turns), counted: Box::new([i32::from(turns), -1]) };
        Solution::new(turns.iter().map(end).collect(), odds, Float::ZERO, Effort { states: 2, ..Effort::default() })
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
        assert_eq!(swapped.ends().map(|(_, counted, _)| counted.to_vec()).collect::<Vec<_>>(), [[-1, 1]]);
    }

    #[test]
    fn metrics_may_be_below_zero() {
        let solution = solution(&[1, 2], whole(&[1, 3], 4));
        let fraction = |number: &Number| number.fraction.as_ref().map(ToString::to_string);
        let (values, mean) = solution.counted(0);
        let values: Vec<_> = values.iter().map(|(value, number)| (*value, fraction(number).expect("few"))).collect();
        assert_eq!(values, [(1, "1/4".to_owned()), (2, "3/4".to_owned())]);
        assert_eq!(fraction(&mean), Some("7/4".to_owned()));
        let (values, mean) = solution.counted(1);
        assert_eq!((values[0].0, fraction(&values[0].1)), (-1, Some("1/1".to_owned())));
        assert_eq!((mean.value, mean.fraction), (-1.0, None));
    }
}
