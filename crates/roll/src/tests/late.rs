//! Odds of large pools that are computed when they are needed: the same as those computed at load.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use grognard_dice::{Decision, Die};

use super::large::{as_near_as_said, stage};
use super::*;
use crate::late::Plan;
use crate::odds_table::Inputs;
use crate::{Amount, Branch, Goal, Hand, Models, Need, Pool, RollError, RollTable, Stage};

type Ranges = Vec<RangeInclusive<i32>>;

fn need(input: usize) -> Stage {
    Stage::new(d6(), Need::AtLeast(Amount::input(input)))
}

fn damage(die: u8) -> Stage {
    Stage::of(Hand::sum(Die::numbered(die), 1))
}

/// A varying number of dice that hit, wound and are not saved, with varying needs.
fn three_needs() -> Mechanic {
    Mechanic::Pool(Pool::of(Amount::input(0), vec![need(1), need(2), need(3)]))
}

fn table(mechanic: &Mechanic, ranges: &[RangeInclusive<i32>]) -> RollTable {
    let class = |totals: &Totals| totals.get(0) + 3000 * totals.get(1);
    RollTable::of_totals(mechanic.clone(), ranges, u8::MAX, &mut |totals| class(totals) as u16).expect("odds")
}

/// Asserts that the odds for these inputs are those of the same pool with no other inputs.
#[track_caller]
fn as_alone(all: &RollTable, mechanic: &Mechanic, values: &[i32]) {
    let alone = table(mechanic, &values.iter().map(|&value| value..=value).collect::<Ranges>());
    let (alone, among) = (alone.at(values), all.at(values));
    assert_eq!(alone.classes(), among.classes(), "{values:?}");
    assert_eq!((alone.odds().weights, alone.odds().total), (among.odds().weights, among.odds().total), "{values:?}");
    assert_eq!((alone.odds().below, alone.rounding()), (among.odds().below, among.rounding()), "{values:?}");
}

#[test]
fn four_hundred_dice_with_three_needs_that_vary() {
    let ranges = [0..=400, 1..=7, 1..=7, 1..=7];
    let all = table(&three_needs(), &ranges);
    // Hit on 4 or more, wound on 3 or more, pierce on 5 or more: 1/2 x 2/3 x 1/3 = 1/9.
    let one_ninth = RollTable::of_totals(three_needs(), &[0..=400, 4..=4, 3..=3, 5..=5], u8::MAX, &mut |totals| {
        totals.get(0) as u16
    });
    for dice in [0, 1, 40, 41, 255, 400] {
        as_alone(&all, &three_needs(), &[dice, 4, 3, 5]);
    }
    for dice in [41, 255, 400] {
        let (table, at) = (one_ninth.as_ref().expect("odds"), [dice, 4, 3, 5]);
        as_near_as_said(&table.at(&at), dice, &[8, 1], 1e-14);
        as_near_as_said(&all.at(&at), dice, &[8, 1], 1e-14);
    }
    // First the needs are in another order; then every die succeeds, and then none does.
    as_near_as_said(&all.at(&[400, 5, 4, 3]), 400, &[8, 1], 1e-14);
    assert_eq!(all.at(&[400, 1, 1, 1]).classes(), [400]);
    assert_eq!(all.at(&[400, 2, 7, 2]).classes(), [0]);
    assert_eq!(all.classes().len(), 401);
}

#[test]
fn a_die_of_damage_after_needs_that_vary() {
    let pool = Mechanic::Pool(Pool::of(Amount::input(0), vec![need(1), need(2), damage(6)]));
    let all = table(&pool, &[0..=400, 2..=6, 2..=6]);
    for dice in [0, 1, 7, 100, 400] {
        as_alone(&all, &pool, &[dice, 5, 2]);
    }
    // Two sixths times three sixths is one in six: those dice show 1 to 6.
    as_near_as_said(&all.at(&[400, 5, 4]), 400, &[30, 1, 1, 1, 1, 1, 1], 1e-14);
    assert_eq!(all.classes().len(), 2401);
}

#[test]
fn models_take_the_wounds_of_hundreds_of_dice() {
    let models = Models { wounds: 3.into(), left: Amount::input(3), spill: false, gone: true };
    let pool = Pool::of(Amount::input(0), vec![need(1), need(2), damage(3)]);
    let pool = Mechanic::Pool(Pool { models: Some(models), ..pool });
    let all = table(&pool, &[0..=400, 2..=6, 2..=6, 1..=3]);
    for values in [[3, 2, 2, 1], [40, 5, 3, 2], [400, 3, 4, 3]] {
        as_alone(&all, &pool, &values);
    }
}

/// The totals that some inputs can give, from their odds.
fn happening(mechanic: &Mechanic, inputs: &Inputs) -> BTreeSet<Totals> {
    let totals = |combination| mechanic.distribution(&inputs.values(combination)).expect("odds");
    (0..inputs.combinations()).flat_map(totals).map(|(totals, _)| totals).collect()
}

#[test]
fn possible_totals_are_those_that_can_happen() {
    let twice = Stage { counts: 3.into(), ..need(1) };
    let hits = |stage: Stage| Stage { to: Goal::Hits, ..stage };
    let models = |wounds: Amount, spill| Models { wounds, left: 1.into(), spill, gone: true };
    let one = |stages: Vec<Stage>| Pool::of(Amount::input(0), stages);
    let by_model = |models: Models, stages: Vec<Stage>| Pool { models: Some(models), ..one(stages) };
    let groups = vec![Amount::input(0), 2.into()];
    for (name, pool) in [
        ("three stages", one(vec![need(1), need(2), stage(4)])),
        ("successes that count as three", one(vec![twice.clone()])),
        ("damage", one(vec![need(1), damage(3)])),
        ("two dice of damage", one(vec![need(1), Stage { counts: 2.into(), ..damage(2) }])),
        ("groups", Pool::of_groups(groups, vec![hits(need(1)), hits(Stage { counts: 2.into(), ..need(2) })])),
        ("models", by_model(models(3.into(), false), vec![need(1), damage(3)])),
        ("models of varying wounds", by_model(models(Amount::input(2), false), vec![need(1), damage(3)])),
        ("models and damage that spills", by_model(models(2.into(), true), vec![need(1), damage(3)])),
        ("models and a single stage", by_model(models(2.into(), false), vec![damage(3)])),
    ] {
        let mechanic = Mechanic::Pool(pool);
        for ranges in [[0..=5, 1..=7, 3..=5], [3..=4, 1..=1, 2..=3]] {
            let inputs = Inputs::of(&mechanic, &ranges).expect("inputs");
            let plan = Plan::of(&mechanic, &inputs).expect("a plan").expect("a pool");
            assert_eq!(plan.totals(&mechanic), Ok(happening(&mechanic, &inputs)), "{name}, {ranges:?}");
        }
    }
    // A six hits directly, while other dice cause wounds: every total that can happen is among the possible ones.
    let six = Branch { on: Need::AtLeast(6.into()), when: None, counts: 1.into(), to: Goal::Hits, also: false };
    let first = Stage { branches: vec![six], ..need(1) };
    let mechanic = Mechanic::Pool(by_model(models(3.into(), false), vec![first, damage(3)]));
    let inputs = Inputs::of(&mechanic, &[2..=4, 2..=5]).expect("inputs");
    let plan = Plan::of(&mechanic, &inputs).expect("a plan").expect("a pool");
    assert!(plan.totals(&mechanic).expect("totals").is_superset(&happening(&mechanic, &inputs)));
}

#[test]
fn classes_keep_their_odds_under_other_numbers() {
    let ranges = [0..=400, 1..=7, 1..=7, 1..=7];
    let all = table(&three_needs(), &ranges);
    let weights = |table: &RollTable| table.at(&[50, 4, 3, 5]).odds().weights.to_vec();
    let before = weights(&all);
    let numbers: Vec<u16> = (0..=400).rev().collect();
    let turned = all.clone().renamed(&numbers);
    assert_eq!(weights(&turned).into_iter().rev().collect::<Vec<_>>(), before);
    assert_eq!(weights(&all), before);
}

#[test]
fn too_many_combinations_and_too_many_dice_are_refused() {
    let four = Mechanic::Pool(Pool::of(Amount::input(0), vec![need(1), need(2), need(3), need(4)]));
    let too_many = RollTable::of_totals(four, &[0..=400, 1..=8, 1..=8, 1..=8, 1..=8], u8::MAX, &mut |_| 0).unwrap_err();
    assert!(matches!(too_many, RollError::TooManyCombinations { limit: 1_048_576, .. }), "{too_many}");
    let too_many =
        RollTable::of_totals(three_needs(), &[0..=1001, 1..=7, 1..=7, 1..=7], u8::MAX, &mut |_| 0).unwrap_err();
    assert!(matches!(too_many, RollError::TooManyDice { dice: 1001, limit: 1000, .. }), "{too_many}");
}
