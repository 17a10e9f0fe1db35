//! Tables of odds, and the decisions they make.

use std::ops::RangeInclusive;

use grognard_dice::{Address, Decision, Dice, Die, Faces, ScriptedDice, SeededDice, Shown};

use super::*;
use crate::{Amount, Hand, Need, Opposed, Pool, RollError, RollTable, Sum, Under};

fn at(nth: u8) -> Address {
    Address { turn: 1, stage: 0, purpose: 0, lane: 0, nth }
}

fn duel() -> Mechanic {
    let side = |input| Hand { plus: Amount::input(input), ..Hand::sum(d6(), 1) };
    Mechanic::Opposed(Opposed { own: side(0), foe: side(1), naturals: false })
}

/// 0 lost by 3 or more, 1 lost, 2 drawn, 3 won, 4 won by 3 or more.
fn margin_class(_: &[i32], totals: &Totals) -> u16 {
    match totals.get(2) {
        ..=-3 => 0,
        -2..=-1 => 1,
        0 => 2,
        1..=2 => 3,
        3.. => 4,
    }
}

fn duel_table() -> RollTable {
    RollTable::build(duel(), &[-10..=10, -10..=10], &mut margin_class).unwrap()
}

#[test]
fn a_table_has_the_odds_of_the_mechanic_by_class() {
    let table = duel_table();
    for own in -10..=10 {
        for foe in -10..=10 {
            let roll = table.at(&[own, foe]);
            let odds = roll.odds();
            assert_eq!(odds.weights.iter().sum::<u128>(), odds.total);
            assert_eq!(odds.below.len() + 1, odds.weights.len());
            for (class, &weight) in roll.classes().iter().zip(odds.weights) {
                let expected = chance(&duel(), &[own, foe], |totals| margin_class(&[], totals) == *class);
                assert_eq!(Fraction::new(weight, odds.total), expected);
            }
            assert!(roll.classes().is_sorted());
        }
    }
    assert_eq!(table.at(&[10, -10]).classes(), [4], "what cannot happen is not an outcome");
    assert_eq!(table.classes(), [0, 1, 2, 3, 4]);
}

#[test]
fn by_hand_and_by_table_decide_alike() {
    let table = duel_table();
    let roll = table.at(&[1, 0]);
    let mut dice = ScriptedDice::new([3, 1, 4, 5, 1, 6]);
    let classes: Vec<u16> = (0..3).map(|nth| roll.class(dice.decide(at(nth), &roll))).collect();
    dice.finish();
    assert_eq!(classes, [4, 2, 0]);
}

#[test]
fn inputs_that_only_the_classes_read_may_follow() {
    // The mechanic reads one input, the classes a second one: a threshold.
    let mechanic = Mechanic::Sum(Sum::new(Hand::sum(d6(), Amount::input(0))));
    let mut passes = |inputs: &[i32], totals: &Totals| u16::from(totals.get(0) >= inputs[1]);
    let table = RollTable::build(mechanic, &[1..=2, 1..=13], &mut passes).unwrap();
    assert_eq!(table.at(&[2, 7]).odds().weights, [5, 7], "15 and 21 of 36, in lowest terms");
    assert_eq!(table.at(&[1, 7]).classes(), [0]);
    assert_eq!(table.input_ranges().collect::<Vec<_>>(), [1..=2, 1..=13]);
}

#[test]
#[cfg_attr(debug_assertions, should_panic(expected = "99 is not in"))]
fn inputs_beyond_their_range_count_as_its_end() {
    let table = duel_table();
    assert_eq!(table.at(&[99, 10]).odds().weights, table.at(&[10, 10]).odds().weights);
}

#[test]
fn tables_that_would_be_too_large_are_refused_with_their_ranges() {
    let build = |ranges: &[RangeInclusive<i32>]| RollTable::build(duel(), ranges, &mut margin_class).map(|_| ());
    assert_eq!(
        build(&[0..=999, 0..=65]).unwrap_err().to_string(),
        "the ranges of the inputs (0 to 999, 0 to 65) have 66000 combinations; at most 65536 fit a table"
    );
    assert!(matches!(
        build(&[i32::MIN..=i32::MAX, i32::MIN..=i32::MAX, 0..=1]),
        Err(RollError::TooManyCombinations { combinations, .. }) if combinations == 1 << 65
    ));
    #[allow(clippy::reversed_empty_ranges, reason = "an empty range is what is tested")]
    let empty = build(&[0..=1, 5..=4]);
    assert_eq!(empty, Err(RollError::EmptyRange { input: 1, low: 5, high: 4 }));
    assert_eq!(build(&[0..=1]), Err(RollError::MissingInput { input: 1, given: 1 }));
    let many =
        Opposed { own: Hand::sum(Die::numbered(100), 2), foe: Hand::sum(Die::numbered(100), 2), naturals: false };
    let many = RollTable::build(Mechanic::Opposed(many), &[0..=1000], &mut margin_class);
    assert!(many.unwrap_err().to_string().contains("give more than 2000000 results"));
    let slow = Opposed { own: Hand::sum(d6(), 24), foe: Hand::sum(d6(), Amount::input(0)), naturals: false };
    assert!(RollTable::build(Mechanic::Opposed(slow), &[0..=24], &mut margin_class).is_ok());
}

/// 200,000 battles of seed 1815, chi-square with 4 degrees of freedom: 33.4 is exceeded by one seed in a million.
#[test]
fn sampled_rolls_come_up_as_often_as_worked_out() {
    let table = duel_table();
    let roll = table.at(&[1, 0]);
    let mut dice = SeededDice::new(1815);
    let mut counts = [0u64; 5];
    for battle in 0..200_000 {
        dice.battle(battle);
        counts[usize::from(roll.class(dice.decide(at(0), &roll)))] += 1;
    }
    let odds = roll.odds();
    let chi: f64 = counts
        .iter()
        .zip(odds.weights)
        .map(|(&count, &weight)| {
            let expected = 200_000.0 * weight as f64 / odds.total as f64;
            (count as f64 - expected).powi(2) / expected
        })
        .sum();
    assert!(chi < 33.4, "chi-square {chi}");
}

#[test]
fn narration_shows_faces_that_give_the_outcome() {
    let pool = Mechanic::Pool(Pool::new(Amount::input(0), d6(), Need::AtLeast(Amount::input(1))));
    let hits = &mut |_: &[i32], totals: &Totals| totals.get(0) as u16;
    let table = RollTable::build(pool, &[0..=8, 2..=6], hits).unwrap();
    let roll = table.at(&[8, 5]);
    let mut dice = SeededDice::new(7);
    for battle in 0..200 {
        dice.battle(battle);
        let outcome = dice.decide(at(0), &roll);
        let shown: Vec<Shown> = dice.shown(at(0), &roll, outcome);
        let hits = shown.iter().filter(|shown| ["5", "6"].contains(&shown.label.as_str())).count();
        assert_eq!((shown.len(), hits), (8, usize::from(roll.class(outcome))));
    }
}

/// Builds the table twice: once by asking for classes for each combination, and once by asking only once for the class
/// of each set of totals.
fn both_ways(
    mechanic: Mechanic,
    ranges: &[RangeInclusive<i32>],
    class: impl Fn(&Totals) -> u16,
) -> (RollTable, RollTable) {
    let each = RollTable::build(mechanic.clone(), ranges, &mut |_, totals| class(totals)).expect("odds");
    let (mut calls, mut met) = (0, std::collections::BTreeSet::new());
    let alike = RollTable::of_totals(mechanic, ranges, u8::MAX, &mut |totals| {
        (calls, _) = (calls + 1, met.insert(*totals));
        class(totals)
    });
    assert_eq!(calls, met.len(), "each once");
    (each, alike.expect("odds"))
}

#[test]
fn classes_of_the_totals_alone_are_those_of_each_combination() {
    let side = |input| Hand { plus: Amount::input(input), ..Hand::sum(d6(), 1) };
    let mechanic = Mechanic::Opposed(Opposed { own: side(0), foe: side(1), naturals: false });
    let ranges = [-4..=4, -3..=3];
    let class = |totals: &Totals| ((totals.get(2) + 20) * 3 + totals.get(0).rem_euclid(3)) as u16;
    let (each, alike) = both_ways(mechanic, &ranges, class);
    assert!(alike.size() < each.size());
    for inputs in [[-4, -3], [0, 3], [4, -3], [4, 3]] {
        let (one, other) = (each.at(&inputs), alike.at(&inputs));
        assert_eq!((one.classes(), one.odds().weights), (other.classes(), other.odds().weights));
        for face in 0..6 {
            assert_eq!(one.play(&mut Lying(face)), other.play(&mut Lying(face)));
        }
    }
}

/// The number on the dice counts down while their result stays the same, so later totals are below the first ones.
#[test]
fn classes_of_totals_that_are_met_from_the_highest_down_are_those_of_each_combination() {
    let hand = Hand { plus: Amount::input(0), ..Hand::sum(d6(), 2) };
    let mechanic = Mechanic::Under(Under { hand, target: 7.into(), natural: true, doubles: false });
    assert_eq!(mechanic.totals().last().map(String::as_str), Some("natural"));
    let class = |totals: &Totals| ((totals.get(0) + 20) * 20 + totals.get(3)) as u16;
    let ranges = [-4..=4];
    let (each, alike) = both_ways(mechanic, &ranges, class);
    for plus in -4..=4 {
        let (one, other) = (each.at(&[plus]), alike.at(&[plus]));
        assert_eq!((one.classes(), one.odds().weights), (other.classes(), other.odds().weights), "{plus}");
        for face in 0..6 {
            assert_eq!(one.play(&mut Lying(face)), other.play(&mut Lying(face)), "{plus}");
        }
    }
}

/// If only the margin is read, equal differences have equal odds, and rolls by hand still find their class.
#[test]
fn combinations_that_differ_only_in_totals_that_are_not_read_share_their_odds() {
    let side = |input| Hand { plus: Amount::input(input), ..Hand::sum(d6(), 1) };
    let opposed = |own| Mechanic::Opposed(Opposed { own, foe: side(1), naturals: false });
    let under = Under { hand: side(0), target: Amount::input(1), natural: false, doubles: false };
    // The number of dice also depends on the first input, so here more than the difference matters.
    let twice = Hand { plus: Amount::input(0), ..Hand::sum(d6(), Amount::input(0)) };
    let pool = Mechanic::Pool(Pool::new(Amount::input(0), d6(), Need::AtLeast(Amount::input(1))));
    let class = |total: usize| move |totals: &Totals| (totals.get(total) + 40) as u16;
    for (mechanic, read) in [(opposed(side(0)), 2), (Mechanic::Under(under), 2), (opposed(twice), 2), (pool, 0)] {
        let (ranges, class) = ([0..=4, -3..=8], class(read));
        let each = RollTable::build(mechanic.clone(), &ranges, &mut |_, totals| class(totals)).expect("odds");
        let mut met = std::collections::BTreeSet::new();
        let alike = RollTable::of_totals(mechanic.clone(), &ranges, 1 << read, &mut |totals| {
            assert!(met.insert(totals.get(read)), "{mechanic:?}: {totals:?} twice");
            class(totals)
        });
        let alike = alike.expect("odds");
        assert_eq!(alike.classes(), each.classes(), "{mechanic:?}");
        for inputs in (0..=4).flat_map(|one| (-3..=8).map(move |other| [one, other])) {
            let (one, other) = (each.at(&inputs), alike.at(&inputs));
            assert_eq!((one.classes(), one.odds().weights), (other.classes(), other.odds().weights), "{inputs:?}");
            for face in 0..6 {
                assert_eq!(one.play(&mut Lying(face)), other.play(&mut Lying(face)), "{mechanic:?} {inputs:?}");
            }
        }
    }
}

/// A die with this face up, counted from 0.
struct Lying(usize);

impl Faces for Lying {
    fn roll(&mut self, _: &Die) -> usize {
        self.0
    }
}
