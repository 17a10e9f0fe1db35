//! The odds of an assault in `bag-of-orders`, by arithmetic over the clauses.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use grognard_dice::EnumeratedDice;
use grognard_engine::states::States;
use grognard_engine::{Battle, Side, Unwitnessed, deploy, step};

use super::{PINS, own, rules};
use crate::common::{deployment, unit};

/// The men of both sides, their pins, and whether they are at close quarters.
type Standing = ([usize; 2], [usize; 2], bool);

/// The nerve of an assault group and a section, and what they add in an assault.
const NERVE: [usize; 2] = [9, 8];
const CLOSE: [i32; 2] = [1, 0];

/// The chance of so much or less on two dice.
fn two_dice(most: usize) -> f64 {
    let sums = (1..=6).flat_map(|one| (1..=6).map(move |other| one + other));
    sums.filter(|&sum| sum <= most).count() as f64 / 36.0
}

/// The chances of men lost to this many shots, and of a pin.
fn shots(dice: usize, need: usize) -> BTreeMap<(usize, bool), f64> {
    let mut all = BTreeMap::from([((0, false), 1.0)]);
    for _ in 0..dice {
        let mut next = BTreeMap::new();
        for ((lost, pinned), chance) in all {
            for face in 1..=6 {
                let mut add =
                    |lost, pinned, part: f64| *next.entry((lost, pinned)).or_insert(0.0) += chance * part / 6.0;
                if face < need && face < 6 {
                    add(lost, pinned, 1.0);
                } else {
                    add(lost + 1, true, 0.5);
                    add(lost, pinned || face == 6, 0.5);
                }
            }
        }
        all = next;
    }
    all
}

/// The three ends of a rally.
fn rallied((men, pins, close): Standing, side: usize) -> impl Iterator<Item = Standing> {
    (1..=3).map(move |shed| {
        let mut pins = pins;
        pins[side] -= shed;
        (men, pins, close)
    })
}

/// What an activation of a side makes of a position, each with its chance.
///
/// Written from the clauses. The first side storms, from six inches; the second stands.
fn activation((men, mut pins, mut close): Standing, side: usize) -> Vec<(Standing, f64)> {
    let (foe, mut after, mut all) = (1 - side, Vec::new(), 1.0);
    if pins[side] > 0 {
        let passes = two_dice(NERVE[side].saturating_sub(pins[side]));
        after.push(((men, pins, close), 1.0 - passes));
        all = passes;
        pins[side] -= 1;
    }
    if pins[side] >= 3 {
        after.extend(rallied((men, pins, close), side).map(|to| (to, all / 3.0)));
        return after;
    }
    close |= side == 0;
    if close {
        for (own, theirs) in (1..=6).flat_map(|own| (1..=6).map(move |theirs| (own, theirs))) {
            let score = |side: usize, die: i32| die + men[side] as i32 + CLOSE[side] - pins[side] as i32;
            let margin = score(side, own) - score(foe, theirs);
            let (mut men, mut pins) = (men, pins);
            if margin == 0 {
                men = men.map(|men| men - 1);
            } else {
                let loser = if margin > 0 { foe } else { side };
                men[loser] = men[loser].saturating_sub(margin.unsigned_abs() as usize);
                pins[loser] = (pins[loser] + 1).min(6);
            }
            let loss = (men, pins, close);
            if pins[side] >= 3 && men.iter().all(|&men| men > 0) {
                after.extend(rallied(loss, side).map(|to| (to, all / 108.0)));
            } else {
                after.push((loss, all / 36.0));
            }
        }
    } else {
        for ((lost, pinned), chance) in shots(men[side], if pins[side] > 0 { 6 } else { 5 }) {
            let (mut men, mut pins) = (men, pins);
            men[foe] = men[foe].saturating_sub(lost);
            pins[foe] = (pins[foe] + usize::from(pinned)).min(6);
            after.push(((men, pins, close), all * chance));
        }
    }
    after
}

/// Who has won an assault from six inches after so many turns: the assault group, the section or nobody.
fn by_arithmetic(pins: [usize; 2], turns: usize) -> [f64; 3] {
    let mut won = [0.0; 3];
    let mut open: BTreeMap<Standing, f64> = BTreeMap::from([(([5, 5], pins, false), 1.0)]);
    for _ in 0..turns {
        let mut next: BTreeMap<Standing, f64> = BTreeMap::new();
        for first in 0..2 {
            // Each side has one chip.
            let mut half: BTreeMap<Standing, f64> = open.iter().map(|(&at, chance)| (at, chance / 2.0)).collect();
            for side in [first, 1 - first] {
                let mut after = BTreeMap::new();
                for (at, chance) in half {
                    for (to, of) in activation(at, side) {
                        match to.0 {
                            [0, 0] => won[2] += chance * of,
                            [0, _] => won[1] += chance * of,
                            [_, 0] => won[0] += chance * of,
                            _ => *after.entry(to).or_insert(0.0) += chance * of,
                        }
                    }
                }
                half = after;
            }
            for (at, chance) in half {
                *next.entry(at).or_insert(0.0) += chance;
            }
        }
        open = next;
    }
    for ((men, ..), chance) in open {
        won[match men[0].cmp(&men[1]) {
            Ordering::Greater => 0,
            Ordering::Less => 1,
            Ordering::Equal => 2,
        }] += chance;
    }
    won
}

/// The chances by the engine, every path of the dice walked and equal states put together.
fn by_the_engine(pins: [usize; 2], turns: u8) -> [f64; 3] {
    let foe = unit("section").at(0.0, 6.0).facing(180.0);
    let mut plan = deployment(("storm", &[own("assault-group", 0.0)]), ("stand", &[foe]));
    plan.turns = turns;
    let mut setup = deploy(rules(), &plan).expect("an assault can be deployed");
    for (unit, pins) in setup.start.units.iter_mut().zip(pins) {
        unit.counters.set(PINS, pins as i32);
    }
    let mut states = States::of(&setup.start);
    let mut won = [0.0; 3];
    let mut open: Vec<(Battle, f64)> = vec![(setup.start.clone(), 1.0)];
    while !open.is_empty() {
        let mut next: BTreeMap<Vec<u32>, (Battle, f64)> = BTreeMap::new();
        for (battle, chance) in open {
            let mut dice = EnumeratedDice::new();
            while dice.next_path() {
                let mut after = battle.clone();
                let outcome = step(rules(), &setup, &mut after, &mut dice, &mut Unwitnessed);
                let chance = chance * dice.chance();
                if let Some(outcome) = outcome {
                    won[outcome.winner.map_or(2, Side::index)] += chance;
                    continue;
                }
                let mut key = Vec::new();
                states.take_apart(&after, &mut key).expect("few states");
                next.entry(key).or_insert((after, 0.0)).1 += chance;
            }
        }
        open = next.into_values().collect();
    }
    won
}

#[test]
fn assaults_come_out_as_by_arithmetic_over_the_clauses() {
    for pins in [[0, 0], [0, 1], [0, 4], [2, 0], [3, 6]] {
        let (expected, found) = (by_arithmetic(pins, 4), by_the_engine(pins, 4));
        for (expected, found) in expected.iter().zip(found) {
            assert!((expected - found).abs() < 1e-12, "{pins:?}: {expected} is {found}");
        }
    }
}
