//! Odds in whole numbers, for battles that a test computes from a pack's clauses, and comparisons of computed odds with
//! them.

use std::collections::BTreeMap;
use std::fmt::Debug;

use grognard_engine::{Outcome, Side};
use grognard_exact::{Number, Solution};
use grognard_source::{Document, Sources, Value};
use num_bigint::BigUint;
use num_integer::Integer;

/// Possible results, each with its weight; the weights add up to `whole`.
#[derive(Clone, Debug)]
pub(crate) struct Odds<S> {
    weights: BTreeMap<S, BigUint>,
    whole: BigUint,
}

impl<S: Ord> Odds<S> {
    /// One certain result.
    pub(crate) fn sure(what: S) -> Self {
        Self { weights: BTreeMap::from([(what, BigUint::from(1_u32))]), whole: BigUint::from(1_u32) }
    }

    /// The results after a further event, whose odds depend on each of these results.
    pub(crate) fn then<T: Ord>(self, next: impl Fn(S) -> Odds<T>) -> Odds<T> {
        let branches: Vec<_> = self.weights.into_iter().map(|(what, weight)| (weight, next(what))).collect();
        let common = branches.iter().fold(BigUint::from(1_u32), |common, (_, branch)| common.lcm(&branch.whole));
        let mut weights: BTreeMap<T, BigUint> = BTreeMap::new();
        for (weight, branch) in branches {
            let weight = weight * (&common / branch.whole);
            for (what, of_branch) in branch.weights {
                *weights.entry(what).or_default() += &weight * of_branch;
            }
        }
        Odds { weights, whole: self.whole * common }
    }

    /// The same odds with each result converted.
    pub(crate) fn map<T: Ord>(self, other: impl Fn(S) -> T) -> Odds<T> {
        self.then(|what| Odds::sure(other(what)))
    }

    /// The weight of one result.
    fn weight(&self, what: &S) -> BigUint {
        self.weights.get(what).cloned().unwrap_or_default()
    }
}

impl Odds<u32> {
    /// The score of a die.
    pub(crate) fn die(faces: u32) -> Self {
        Self { weights: (1..=faces).map(|face| (face, BigUint::from(1_u32))).collect(), whole: faces.into() }
    }

    /// The sum of this many independent results.
    pub(crate) fn sum(&self, times: u32) -> Self {
        (0..times).fold(Self::sure(0), |sum, _| sum.then(|sum| self.clone().map(|one| sum + one)))
    }
}

/// How a battle ended: the winner, or `None` if neither side won.
pub(crate) type Ends = Odds<Option<Side>>;

/// Compares the number with `weight` of `whole`: the fraction must be the same or, if the number has none, the first
/// twelve digits.
#[track_caller]
pub(crate) fn agrees(what: &str, number: &Number, weight: &BigUint, whole: &BigUint) {
    if let Some(fraction) = &number.fraction {
        let (found, expected) = (&fraction.numerator * whole, weight * &fraction.denominator);
        assert!(found == expected, "{what}: {} is not {}", number.value, value(weight, whole));
        return;
    }
    let expected = value(weight, whole);
    assert!((number.value - expected).abs() < 1e-12, "{what}: {} is not {expected}", number.value);
}

/// The quotient of the whole numbers to sixteen digits.
fn value(weight: &BigUint, whole: &BigUint) -> f64 {
    let digits = weight * 10_u64.pow(16) / whole;
    digits.to_u64_digits().first().copied().unwrap_or(0) as f64 / 1e16
}

/// Compares the solution with the odds of a test, result by result; `read` has the result of a battle.
#[track_caller]
pub(crate) fn each_agrees<S: Ord + Debug>(
    what: &str,
    solution: &Solution,
    by_hand: &Odds<S>,
    read: impl Fn(&Outcome) -> S,
) {
    // All of them together are certain, so no other result is possible.
    assert_eq!(by_hand.weights.values().sum::<BigUint>(), by_hand.whole, "{what}");
    for (result, weight) in &by_hand.weights {
        let found = solution.chance(|outcome| read(outcome) == *result);
        agrees(&format!("{what}, {result:?}"), &found, weight, &by_hand.whole);
    }
}

/// Compares both the solution and the study's expected odds with the odds of a test, for wins of either side and for
/// draws.
#[track_caller]
pub(crate) fn both_agree(what: &str, solution: &Solution, expected: &[String; 3], by_hand: &Ends) {
    assert_eq!(by_hand.weights.values().sum::<BigUint>(), by_hand.whole, "{what}");
    for (winner, expected) in [Some(Side::First), Some(Side::Second), None].into_iter().zip(expected) {
        let weight = by_hand.weight(&winner);
        let found = value(&weight, &by_hand.whole);
        let what = format!("{what}, {winner:?}");
        agrees(&what, &solution.chance(|outcome| outcome.winner == winner), &weight, &by_hand.whole);
        // The expected number is rounded to its digits after the point, and exact if it has none.
        let (before, after) = expected.split_once('.').unwrap_or((expected, ""));
        let digits: BigUint = format!("{before}{after}").parse().expect("a decimal number");
        let (above, below) = (weight * 10_u64.pow(after.len() as u32), digits * &by_hand.whole);
        let twice = 2_u32 * if above > below { &above - &below } else { &below - &above };
        let near = if after.is_empty() { above == below } else { twice <= by_hand.whole };
        assert!(near, "{what}: the study expects {expected}, the clauses give {found}");
    }
}

/// A study's expected odds for its cells, in order: wins of these sides, and draws.
pub(crate) fn expected(study: &str, sides: [&str; 2]) -> Vec<[String; 3]> {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", study.to_owned());
    let document =
        Document::parse(file, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let rows = document.root.get("expect").and_then(|rows| rows.as_array()).expect("the study expects odds");
    let cells = (0..).zip(rows).map(|(cell, row)| {
        let row = row.as_table().expect("a table");
        assert_eq!(row.get("cell").map(|node| &node.value), Some(&Value::Int(cell)), "cells in their order");
        let odds = row.get("odds").and_then(|odds| odds.as_table()).expect("odds");
        [sides[0], sides[1], "draw"].map(|name| odds.get(name).and_then(|node| node.as_text()).expect(name).to_owned())
    });
    cells.collect()
}
