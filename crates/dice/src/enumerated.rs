//! Dice that enumerate every outcome.

use crate::{Address, Decision, Dice, Odds, Shown};

/// Enumerates every path of decisions through a step, each with its exact probability.
///
/// The caller runs the same step once per path, each time from the same state:
///
/// ```
/// use grognard_dice::{Address, Decision, Dice, EnumeratedDice, Faces, Odds};
///
/// struct Coin;
/// impl Decision for Coin {
///     fn odds(&self) -> Odds<'_> {
///         Odds { below: &[1 << 31], weights: &[1, 1], total: 2 }
///     }
///     fn by_hand(&self, _: &mut dyn Faces) -> usize {
///         0
///     }
/// }
///
/// // Toss until heads, but three times at most: how many tosses on average?
/// let mut dice = EnumeratedDice::new();
/// let mut mean = 0.0;
/// while dice.next_path() {
///     let mut tosses = 1;
///     let address = |nth| Address { turn: 1, stage: 0, purpose: 0, lane: 0, nth };
///     while tosses < 3 && dice.decide(address(tosses), &Coin) == 0 {
///         tosses += 1;
///     }
///     mean += dice.chance() * f64::from(tosses);
/// }
/// assert_eq!(mean, 1.75);
/// ```
///
/// Outcomes of weight zero are skipped. A step that decides differently on the same path (another address or other
/// odds) is not deterministic, and two decisions at one address would share a word when sampled. Both are bugs in the
/// step, which debug assertions find.
#[derive(Clone, Debug, Default)]
pub struct EnumeratedDice {
    path: Vec<Choice>,
    /// The number of decisions taken on the current path.
    taken: usize,
    started: bool,
}

/// One decision on the current path.
#[derive(Clone, Copy, Debug)]
struct Choice {
    at: Address,
    outcome: usize,
    /// The last possible outcome of this decision.
    last: usize,
    weight: u128,
    total: u128,
    /// The probability of the outcome in floating point.
    chance: f64,
    /// The error bound of the odds.
    rounding: f64,
}

/// The exact probability of a path, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probability {
    /// The numerator, at most `denominator`.
    pub numerator: u128,
    /// The denominator.
    pub denominator: u128,
}

impl EnumeratedDice {
    /// Dice before their first path.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Moves to the next path. Returns false after the last one, and resets the dice.
    pub fn next_path(&mut self) -> bool {
        debug_assert_eq!(self.taken, self.path.len(), "the step took fewer decisions than on the path before");
        self.taken = 0;
        if !self.started {
            self.started = true;
            return true;
        }
        while let Some(choice) = self.path.last_mut() {
            if choice.outcome < choice.last {
                // The step asks again; `decide` then skips to the next outcome that can happen.
                choice.outcome += 1;
                return true;
            }
            self.path.pop();
        }
        self.started = false;
        false
    }

    /// The outcomes chosen on the current path, in order.
    pub fn outcomes(&self) -> impl Iterator<Item = (Address, usize)> + '_ {
        self.path[..self.taken].iter().map(|choice| (choice.at, choice.outcome))
    }

    /// The exact probability of the decisions taken so far on this path; `None` if it does not fit in 128 bits or is
    /// not known exactly.
    #[must_use]
    pub fn probability(&self) -> Option<Probability> {
        let mut product = Probability { numerator: 1, denominator: 1 };
        for choice in &self.path[..self.taken] {
            if choice.rounding > 0.0 {
                return None;
            }
            // Cancelled crosswise, so that the product is in lowest terms without ever being larger.
            let within = gcd(choice.weight, choice.total);
            let (weight, total) = (choice.weight / within, choice.total / within);
            let (left, right) = (gcd(product.numerator, total), gcd(weight, product.denominator));
            product.numerator = (product.numerator / left).checked_mul(weight / right)?;
            product.denominator = (product.denominator / right).checked_mul(total / left)?;
        }
        Some(product)
    }

    /// The maximum error, from rounded odds of the decisions taken so far, in the total probability of any set of
    /// paths.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        self.path[..self.taken].iter().map(|choice| choice.rounding).sum()
    }

    /// The probability of the decisions taken so far on this path, in floating point.
    #[must_use]
    pub fn chance(&self) -> f64 {
        self.path[..self.taken].iter().map(|choice| choice.chance).product()
    }
}

impl Dice for EnumeratedDice {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let wanted = match self.path.get(self.taken) {
            Some(choice) => {
                debug_assert_eq!(choice.at, at, "the step asked for another decision on the same path");
                // Only the last one has a new outcome.
                if self.taken + 1 < self.path.len() {
                    self.taken += 1;
                    return choice.outcome;
                }
                choice.outcome
            }
            None => {
                debug_assert!(self.path.iter().all(|choice| choice.at != at), "two decisions share the address {at:?}");
                0
            }
        };
        let choice = Choice::new(at, &decision.odds(), decision.rounding(), wanted);
        match self.path.get_mut(self.taken) {
            Some(known) => *known = choice,
            None => self.path.push(choice),
        }
        self.taken += 1;
        choice.outcome
    }

    fn shown(&mut self, _: Address, _: &dyn Decision, _: usize) -> Vec<Shown> {
        Vec::new()
    }
}

impl Choice {
    /// The decision, with the first possible outcome at or after `wanted`.
    fn new(at: Address, odds: &Odds<'_>, rounding: f64, wanted: usize) -> Self {
        let can_happen = |&k: &usize| odds.weights[k] > 0;
        let outcome = (wanted..odds.weights.len()).find(can_happen).unwrap_or(wanted);
        let last = (outcome..odds.weights.len()).rev().find(can_happen).unwrap_or(outcome);
        let weight = odds.weights.get(outcome).copied().unwrap_or(0);
        debug_assert!(weight > 0, "the decision at {at:?} has no outcome {wanted} that can happen");
        let chance = weight as f64 / odds.total as f64;
        Self { at, outcome, last, weight, total: odds.total, chance, rounding }
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Die;
    use crate::testing::{Sum, at};

    #[test]
    fn three_dice_sum_as_they_should() {
        let d6 = Sum::of(vec![Die::numbered(6)]);
        let mut dice = EnumeratedDice::new();
        let mut ways = [0u128; 19];
        let mut chance = [0f64; 19];
        let mut paths = 0;
        while dice.next_path() {
            let sum: usize = (0..3).map(|nth| dice.decide(at(nth), &d6) + 1).sum();
            let Probability { numerator, denominator } = dice.probability().unwrap();
            assert_eq!((numerator, denominator), (1, 216));
            ways[sum] += numerator;
            chance[sum] += dice.chance();
            paths += 1;
        }
        assert_eq!(paths, 216);
        // The number of ways to throw 3 to 18 with three dice, as listed in any table.
        assert_eq!(ways[3..], [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1]);
        for (sum, ways) in ways.iter().enumerate() {
            assert!((chance[sum] - *ways as f64 / 216.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_path_that_branches_on_what_it_rolled_is_walked_whole() {
        let d2 = Sum::of(vec![Die::numbered(2)]);
        let mut dice = EnumeratedDice::new();
        let mut found = Vec::new();
        while dice.next_path() {
            let mut rolled = Vec::new();
            for nth in 0..3 {
                rolled.push(dice.decide(at(nth), &d2));
                if rolled[usize::from(nth)] == 1 {
                    break;
                }
            }
            let path: Vec<usize> = dice.outcomes().map(|(_, outcome)| outcome).collect();
            assert_eq!(path, rolled);
            found.push((rolled, dice.probability().unwrap().denominator));
        }
        assert_eq!(found, [(vec![0, 0, 0], 8), (vec![0, 0, 1], 8), (vec![0, 1], 4), (vec![1], 2)]);
    }

    #[test]
    fn outcomes_of_weight_zero_are_skipped() {
        struct Gaps;
        impl Decision for Gaps {
            fn odds(&self) -> Odds<'_> {
                Odds { below: &[0, 1 << 30, 1 << 30, u32::MAX], weights: &[0, 1, 0, 3, 0], total: 4 }
            }
            fn by_hand(&self, _: &mut dyn crate::Faces) -> usize {
                1
            }
        }
        let mut dice = EnumeratedDice::new();
        let mut found = Vec::new();
        while dice.next_path() {
            let outcomes = (dice.decide(at(0), &Gaps), dice.decide(at(1), &Gaps));
            found.push((outcomes, dice.probability().unwrap().numerator));
        }
        assert_eq!(found, [((1, 1), 1), ((1, 3), 3), ((3, 1), 3), ((3, 3), 9)]);
    }

    #[test]
    fn a_step_without_decisions_is_one_certain_path() {
        let mut dice = EnumeratedDice::new();
        assert!(dice.next_path());
        assert_eq!(dice.probability(), Some(Probability { numerator: 1, denominator: 1 }));
        assert!(!dice.next_path());
    }

    #[test]
    fn a_probability_beyond_128_bits_is_left_to_floating_point() {
        let one_face = Sum::of(vec![Die::numbered(3), Die::numbered(3)]);
        let mut dice = EnumeratedDice::new();
        assert!(dice.next_path());
        for nth in 0..60 {
            dice.decide(at(nth), &one_face);
        }
        assert_eq!(dice.probability(), None);
        assert!((dice.chance().log2() + 120.0 * 3f64.log2()).abs() < 1e-9);
    }

    #[test]
    #[should_panic(expected = "share the address")]
    fn an_address_used_twice_is_found() {
        let d6 = Sum::of(vec![Die::numbered(6)]);
        let mut dice = EnumeratedDice::new();
        assert!(dice.next_path());
        dice.decide(at(0), &d6);
        dice.decide(at(0), &d6);
    }
}
