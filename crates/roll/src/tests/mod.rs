//! Checks the mechanics against brute force, against published odds, and against nonsense.

mod battles;
mod brute_force;
mod hostile;
mod large;
mod late;
mod natural;
mod published;
mod stages;
mod tables;

use std::collections::BTreeMap;

use grognard_dice::{Die, Faces};

use super::weights::gcd;
use super::{Mechanic, Totals};

fn d6() -> Die {
    Die::numbered(6)
}

fn labels(labels: &[&str]) -> Vec<String> {
    labels.iter().map(|&label| label.to_owned()).collect()
}

/// A probability in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction {
    part: u128,
    whole: u128,
}

impl Fraction {
    const ZERO: Self = Self { part: 0, whole: 1 };

    fn new(part: u128, whole: u128) -> Self {
        let divisor = gcd(part, whole);
        Self { part: part / divisor, whole: whole / divisor }
    }

    fn plus(self, other: Self) -> Self {
        let divisor = gcd(self.whole, other.whole);
        let (left, right) = (other.whole / divisor, self.whole / divisor);
        Self::new(self.part * left + other.part * right, self.whole * left)
    }

    fn as_f64(self) -> f64 {
        self.part as f64 / self.whole as f64
    }
}

/// The probabilities of all totals, as computed.
fn worked_out(mechanic: &Mechanic, inputs: &[i32]) -> BTreeMap<Totals, Fraction> {
    let entries = mechanic.distribution(inputs).unwrap_or_else(|error| panic!("{error}"));
    assert!(entries.windows(2).all(|pair| pair[0].0 < pair[1].0), "totals ascend without repetition");
    let whole: u128 = entries.iter().map(|&(_, weight)| weight).sum();
    assert_eq!(entries.iter().fold(0, |divisor, &(_, weight)| gcd(divisor, weight)), 1, "weights are in lowest terms");
    entries.into_iter().map(|(totals, weight)| (totals, Fraction::new(weight, whole))).collect()
}

/// The probability that the totals pass `test`.
fn chance(mechanic: &Mechanic, inputs: &[i32], test: impl Fn(&Totals) -> bool) -> Fraction {
    let held = worked_out(mechanic, inputs).into_iter().filter(|(totals, _)| test(totals));
    held.fold(Fraction::ZERO, |sum, (_, fraction)| sum.plus(fraction))
}

/// The mean of total number `index`.
fn mean(mechanic: &Mechanic, inputs: &[i32], index: usize) -> f64 {
    worked_out(mechanic, inputs)
        .into_iter()
        .map(|(totals, chance)| f64::from(totals.get(index)) * chance.as_f64())
        .sum()
}

/// Every way in which the dice can fall.
struct EveryThrow {
    /// The face up and the number of faces of each die.
    path: Vec<(usize, usize)>,
    rolled: usize,
}

impl EveryThrow {
    /// The probabilities of all totals, by playing every way.
    fn of(mechanic: &Mechanic, inputs: &[i32]) -> BTreeMap<Totals, Fraction> {
        let mut every = Self { path: Vec::new(), rolled: 0 };
        let mut found: BTreeMap<Totals, Fraction> = BTreeMap::new();
        loop {
            every.rolled = 0;
            let totals = mechanic.by_hand(inputs, &mut every);
            assert_eq!(every.rolled, every.path.len());
            let whole = every.path.iter().map(|&(_, faces)| faces as u128).product();
            let sum = found.entry(totals).or_insert(Fraction::ZERO);
            *sum = sum.plus(Fraction::new(1, whole));
            while every.path.last().is_some_and(|&(face, faces)| face + 1 == faces) {
                every.path.pop();
            }
            match every.path.last_mut() {
                Some((face, _)) => *face += 1,
                None => return found,
            }
        }
    }
}

impl Faces for EveryThrow {
    fn roll(&mut self, die: &Die) -> usize {
        if self.rolled == self.path.len() {
            self.path.push((0, die.faces.len()));
        }
        self.rolled += 1;
        self.path[self.rolled - 1].0
    }
}
