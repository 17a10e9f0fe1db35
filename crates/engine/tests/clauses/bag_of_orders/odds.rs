//! The odds of an assault in `bag-of-orders`, calculated from the clauses.

use std::cmp::Ordering;

use grognard_engine::{Side, deploy};

use super::{PINS, own, rules};
use crate::common::{Share, Shares, add, deployment, unit, walk};

/// The men of both sides, their pins, and whether they are at close quarters.
type Standing = ([usize; 2], [usize; 2], bool);

/// The nerve of an assault group and of a section, and the number that each adds in an assault.
const NERVE: [usize; 2] = [9, 8];
const CLOSE: [i32; 2] = [1, 0];

/// The chance that two dice total at most this.
fn two_dice(most: usize) -> Share {
    let sums = (1..=6).flat_map(|one| (1..=6).map(move |other| one + other));
    Share::of(sums.filter(|&sum| sum <= most).count() as u128, 36)
}

/// The probability of each number of men lost to this many shots, with or without a pin.
fn shots(dice: usize, need: usize) -> Shares<(usize, bool)> {
    let mut all = Shares::from([((0, false), Share::all())]);
    for _ in 0..dice {
        let mut next = Shares::new();
        for ((lost, pinned), chance) in all {
            for face in 1..=6 {
                if face < need && face < 6 {
                    add(&mut next, (lost, pinned), &chance * &Share::of(1, 6));
                } else {
                    add(&mut next, (lost + 1, true), &chance * &Share::of(1, 12));
                    add(&mut next, (lost, pinned || face == 6), &chance * &Share::of(1, 12));
                }
            }
        }
        all = next;
    }
    all
}

/// The three possible results of a rally.
fn rallied((men, pins, close): Standing, side: usize) -> impl Iterator<Item = Standing> {
    (1..=3).map(move |shed| {
        let mut pins = pins;
        pins[side] -= shed;
        (men, pins, close)
    })
}

/// The results when a side is activated in a position, each with its probability.
///
/// Derived from the clauses. The first side storms from six inches; the second does not move.
fn activation((men, mut pins, mut close): Standing, side: usize) -> Vec<(Standing, Share)> {
    let (foe, mut after, mut all) = (1 - side, Vec::new(), Share::all());
    if pins[side] > 0 {
        let passes = two_dice(NERVE[side].saturating_sub(pins[side]));
        after.push(((men, pins, close), passes.rest()));
        all = passes;
        pins[side] -= 1;
    }
    if pins[side] >= 3 {
        after.extend(rallied((men, pins, close), side).map(|to| (to, &all * &Share::of(1, 3))));
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
                after.extend(rallied(loss, side).map(|to| (to, &all * &Share::of(1, 108))));
            } else {
                after.push((loss, &all * &Share::of(1, 36)));
            }
        }
    } else {
        for ((lost, pinned), chance) in shots(men[side], if pins[side] > 0 { 6 } else { 5 }) {
            let (mut men, mut pins) = (men, pins);
            men[foe] = men[foe].saturating_sub(lost);
            pins[foe] = (pins[foe] + usize::from(pinned)).min(6);
            after.push(((men, pins, close), &all * &chance));
        }
    }
    after
}

/// The odds of an assault from six inches after this many turns: the assault group wins, the section wins, or neither.
fn by_arithmetic(pins: [usize; 2], turns: usize) -> [Share; 3] {
    let mut won = [(); 3].map(|()| Share::none());
    let mut open = Shares::from([(([5, 5], pins, false), Share::all())]);
    for _ in 0..turns {
        let mut next: Shares<Standing> = Shares::new();
        for first in 0..2 {
            // Each side has one chip.
            let mut half: Shares<Standing> = open.iter().map(|(&at, chance)| (at, chance * &Share::of(1, 2))).collect();
            for side in [first, 1 - first] {
                let mut after = Shares::new();
                for (at, chance) in half {
                    for (to, of) in activation(at, side) {
                        match to.0 {
                            [0, 0] => won[2] += &chance * &of,
                            [0, _] => won[1] += &chance * &of,
                            [_, 0] => won[0] += &chance * &of,
                            _ => add(&mut after, to, &chance * &of),
                        }
                    }
                }
                half = after;
            }
            for (at, chance) in half {
                add(&mut next, at, chance);
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

/// The probabilities according to the engine.
fn by_the_engine(pins: [usize; 2], turns: u8) -> Shares<usize> {
    let foe = unit("section").at(0.0, 6.0).facing(180.0);
    let mut plan = deployment(("storm", &[own("assault-group", 0.0)]), ("stand", &[foe]));
    plan.turns = turns;
    let mut setup = deploy(rules(), &plan).expect("an assault can be deployed");
    for (unit, pins) in setup.start.units.iter_mut().zip(pins) {
        unit.counters.set(PINS, pins as i32);
    }
    walk(rules(), &setup, |_| None, |outcome| outcome.winner.map_or(2, Side::index))
}

#[test]
fn assaults_come_out_as_by_arithmetic_over_the_clauses() {
    for pins in [[0, 0], [0, 1], [0, 4], [2, 0], [3, 6]] {
        let found = by_the_engine(pins, 4);
        for (who, expected) in by_arithmetic(pins, 4).into_iter().enumerate() {
            assert_eq!(found.get(&who).cloned().unwrap_or_else(Share::none), expected, "{pins:?}, {who}");
        }
    }
}

/// Men and pins of three sections: two of the first side, in the order in which they fire, and their enemy.
type Trio = ([usize; 3], [usize; 3]);

/// The results of an order to one of the three sections.
///
/// Derived from the clauses. The enemy fires at the first section, which is nearer.
fn order(before: Shares<Trio>, whom: impl Fn(&Trio) -> usize) -> Shares<Trio> {
    let mut after = Shares::new();
    for (at, chance) in before {
        let own = whom(&at);
        let (men, mut pins) = at;
        if men[own] == 0 || men[2] == 0 {
            add(&mut after, at, chance);
            continue;
        }
        let mut obeys = chance.clone();
        if pins[own] > 0 {
            let passes = two_dice(8 - pins[own]);
            add(&mut after, at, &chance * &passes.rest());
            obeys = &chance * &passes;
            pins[own] -= 1;
        }
        let target = if own == 2 { 0 } else { 2 };
        for ((lost, pinned), of) in shots(men[own], if pins[own] > 0 { 6 } else { 5 }) {
            let (mut men, mut pins) = (men, pins);
            men[target] = men[target].saturating_sub(lost);
            pins[target] += usize::from(pinned);
            add(&mut after, (men, pins), &obeys * &of);
        }
    }
    after
}

/// Two sections have two of the three chips. The enemy's chip is equally likely to be drawn first, second or third. A
/// pinned section is ordered after an unpinned one, and no section gets a second order while the other has had none.
#[test]
fn two_sections_against_one_come_out_as_by_arithmetic_over_the_clauses() {
    let start = || Shares::from([(([5; 3], [0; 3]), Share::of(1, 3))]);
    let unpinned = |(men, pins): &Trio| men[0] > 0 && pins[0] == 0;
    let foe_first = order(start(), |_| 2);
    let foe_first = order(foe_first, |at| usize::from(!unpinned(at)));
    let foe_first = order(foe_first, |at| usize::from(unpinned(at)));
    let foe_second = order(order(order(start(), |_| 0), |_| 2), |_| 1);
    let foe_last = order(order(order(start(), |_| 0), |_| 1), |_| 2);
    let mut won = [(); 3].map(|()| Share::none());
    for ((men, _), chance) in [foe_first, foe_second, foe_last].into_iter().flatten() {
        // The side that has lost fewer men wins; a side without men has lost.
        let end = match (men[2], (10 - men[0] - men[1]).cmp(&(5 - men[2]))) {
            (0, _) | (_, Ordering::Less) => 0,
            (_, Ordering::Greater) => 1,
            (_, Ordering::Equal) => 2,
        };
        won[end] += chance;
    }
    let section = |east: f64, north: f64, facing: f64| unit("section").at(east, north).facing(facing);
    let two = [section(0.0, 0.0, 0.0), section(5.0, -1.0, 0.0)];
    let mut plan = deployment(("stand", &two), ("stand", &[section(0.0, 10.0, 180.0)]));
    plan.turns = 1;
    let setup = deploy(rules(), &plan).expect("three sections can be deployed");
    let found = walk(rules(), &setup, |_| None, |outcome| outcome.winner.map_or(2, Side::index));
    for (who, expected) in won.into_iter().enumerate() {
        assert_eq!(found.get(&who).cloned().unwrap_or_else(Share::none), expected, "{who}");
    }
}
