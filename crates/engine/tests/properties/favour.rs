//! A modifier in a unit's favour does not hurt it.
//!
//! For a single roll, this is a theorem, and it is tested as one over every input of every roll of the figures system.
//! The chance of a result at least as good never falls, and no single random word gives a worse result. For a whole
//! battle, it is not a theorem: a unit that wins its first fight may get into a worse second one. For battles, the
//! effect is measured, battle by battle, with the same dice.

use std::cmp::Ordering;

use grognard_dice::{Decision, SeededDice};
use grognard_engine::{Deployment, Setup, Side, Unwitnessed, deploy, fight};
use grognard_rules::model::{Contestant, Roll, RollOutcome, Rules};

use crate::common::{Men, deployment, drill, load_with, unit};

/// The direction in which a change of each input helps the roller: 1 if up, -1 if down.
fn helps(roll: &Roll) -> Vec<i32> {
    let mut helps = vec![0; roll.inputs.len()];
    for quantity in &roll.quantities {
        let Some(input) = quantity.input else { continue };
        let more_is_good = match quantity.name {
            "dice" | "added" | "target" => 1,
            "need" => -1,
            other => panic!("{}: what a rise of `{other}` does is not said here", roll.id),
        };
        helps[usize::from(input)] = if quantity.by == Contestant::Own { more_is_good } else { -more_is_good };
    }
    helps
}

/// How good an outcome is for the roller. The rows of every roll of the pack are in order from good to bad, except for
/// fire, where the losses of the target count.
fn goodness(roll: &Roll, outcome: &RollOutcome) -> i32 {
    if roll.id == "fire" { i32::from(outcome.foe.lose) } else { -i32::from(outcome.row) }
}

/// Every combination of a roll's inputs.
fn combinations(roll: &Roll) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for range in roll.table.input_ranges() {
        all = all.iter().flat_map(|head| range.clone().map(move |value| [&head[..], &[value]].concat())).collect();
    }
    all
}

/// For each possible outcome: how good it is, the first word beyond it, and its weight.
fn odds(roll: &Roll, inputs: &[i32]) -> (Vec<(i32, u32, u128)>, u128) {
    let at = roll.table.at(inputs);
    let odds = at.odds();
    let ends = odds.below.iter().copied().chain([u32::MAX]);
    let of = |class: &u16| goodness(roll, &roll.outcomes[usize::from(*class)]);
    let list =
        at.classes().iter().map(of).zip(ends).zip(odds.weights).map(|((good, end), &weight)| (good, end, weight));
    (list.collect(), odds.total)
}

#[test]
fn no_roll_gets_worse_by_a_modifier_in_the_rollers_favour() {
    let mut pairs = 0;
    for roll in drill().rolls.iter() {
        let helps = helps(roll);
        let ranges: Vec<_> = roll.table.input_ranges().collect();
        for inputs in combinations(roll) {
            for (input, &way) in helps.iter().enumerate() {
                let mut better = inputs.clone();
                better[input] += way;
                if way == 0 || !ranges[input].contains(&better[input]) {
                    continue;
                }
                pairs += 1;
                compare(roll, &inputs, &better);
            }
        }
    }
    assert!(pairs > 1_000, "{pairs} pairs of inputs were compared");
}

/// Whether the first fraction is at least the second: compares whole parts, then the reciprocals of the rest (Euclid).
fn is_no_less((a, b): (u128, u128), (c, d): (u128, u128)) -> bool {
    match (a / b).cmp(&(c / d)) {
        Ordering::Equal if c % d == 0 => true,
        Ordering::Equal if a % b == 0 => false,
        Ordering::Equal => is_no_less((d, c % d), (b, a % b)),
        other => other == Ordering::Greater,
    }
}

fn compare(roll: &Roll, inputs: &[i32], better: &[i32]) {
    let ((before, total_before), (after, total_after)) = (odds(roll, inputs), odds(roll, better));
    // The chance of an outcome at least this good.
    for &(level, _, _) in before.iter().chain(&after) {
        let at_least = |list: &[(i32, u32, u128)]| -> u128 {
            list.iter().filter(|&&(good, _, _)| good >= level).map(|&(_, _, weight)| weight).sum()
        };
        let (old, new) = (at_least(&before), at_least(&after));
        let no_less = is_no_less((new, total_after), (old, total_before));
        assert!(no_less, "{} {inputs:?} -> {better:?}: level {level}", roll.id);
    }
    // The same word, read in both situations.
    let words = before.iter().chain(&after).flat_map(|&(_, end, _)| [end.saturating_sub(1), end]).chain([0, u32::MAX]);
    for word in words {
        let read = |inputs: &[i32]| {
            let at = roll.table.at(inputs);
            goodness(roll, &roll.outcomes[usize::from(at.class(at.odds().outcome(word)))])
        };
        assert!(read(better) >= read(inputs), "{} {inputs:?} -> {better:?}: word {word}", roll.id);
    }
}

/// A change to the rules, the side that it favours, and the units that fight.
struct Case {
    change: &'static str,
    favours: Side,
    first: (&'static str, Vec<Men>),
    second: (&'static str, Vec<Men>),
}

fn setup(rules: &Rules, case: &Case) -> Setup {
    let plan = deployment((case.first.0, &case.first.1), (case.second.0, &case.second.1));
    deploy(rules, &Deployment { turns: 8, ..plan }).unwrap_or_else(|faults| panic!("{}: {faults:#?}", case.change))
}

fn cases() -> Vec<Case> {
    let horse = |east: f64| unit("heavy-cavalry").at(east, 10.0).facing(180.0);
    let foot = |east: f64| unit("line-battalion").at(east, 0.0).facing(0.0);
    let case = |change, favours, first, second| Case { change, favours, first, second };
    vec![
        case(
            "roll.shock.modifier.heavy-horse.add=4",
            Side::First,
            ("charge-home", vec![horse(-6.0), horse(6.0)]),
            ("stand", vec![foot(-6.0), foot(6.0)]),
        ),
        case(
            "roll.shock.modifier.square-against-cavalry.add=3",
            Side::First,
            ("charge-home", vec![horse(-6.0), horse(6.0)]),
            ("stand", vec![foot(-6.0).formation("square"), foot(6.0).formation("square")]),
        ),
        case(
            "roll.fire.own.need=8",
            Side::Second,
            ("charge-home", vec![horse(-6.0), horse(6.0)]),
            ("stand", vec![foot(-6.0), foot(6.0)]),
        ),
        case(
            "unit.grenadier-battalion.is.cmr=11",
            Side::Second,
            ("charge-home", vec![horse(0.0)]),
            ("stand", vec![unit("grenadier-battalion").at(0.0, 0.0).facing(0.0)]),
        ),
        case(
            "roll.fire.modifier.massed-target.add=3",
            Side::Second,
            ("charge-home", vec![unit("light-battalion").formation("column").at(0.0, 10.0).facing(180.0)]),
            ("stand", vec![foot(0.0)]),
        ),
    ]
}

/// Each case has 4,000 pairs of battles, with seed 1815. If the change did not help the side, this would pass about
/// once in 300,000 times (4.5 standard errors of the difference, one-sided).
#[test]
fn a_modifier_in_a_sides_favour_wins_it_more_battles() {
    for case in cases() {
        let (plain, changed) = (load_with("figures-drill", &[]), load_with("figures-drill", &[case.change]));
        let setup = setup(&plain, &case);
        let mut dice = SeededDice::new(1815);
        let (mut better, mut worse) = (0_i32, 0_i32);
        for index in 0..4_000 {
            dice.battle(index);
            let [before, after] = [&plain, &changed].map(|rules| {
                fight(rules, &setup, &mut dice, &mut Unwitnessed)
                    .winner
                    .map_or(0, |winner| if winner == case.favours { 1 } else { -1 })
            });
            better += i32::from(after > before);
            worse += i32::from(after < before);
        }
        let z = f64::from(better - worse) / f64::from(better + worse).max(1.0).sqrt();
        assert!(z > 4.5, "{}: {better} battles end better for it, {worse} worse: z = {z:.1}", case.change);
    }
}
