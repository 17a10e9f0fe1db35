//! A battle is always the same: alone or after others, watched or not, in any order and on any number of threads.

use std::thread;

use grognard_dice::SeededDice;
use grognard_engine::{Event, Outcome, Setup, Unwitnessed, fight, step};
use grognard_rules::model::Rules;

use super::armies::{self, Sort};
use crate::common::{Recorder, Words, drill, load};

const ARMIES: u64 = 200;
const BATTLES: u64 = 6;

/// Every battle of these tests: an army and a number.
fn battles() -> Vec<(u64, u64)> {
    (0..ARMIES).flat_map(|army| (0..BATTLES).map(move |battle| (army, battle))).collect()
}

fn setups() -> Vec<Setup> {
    (0..ARMIES).map(|army| armies::setup(drill(), Sort::Mixed, army)).collect()
}

/// A battle with fresh dice.
fn alone(rules: &Rules, setup: &Setup, battle: u64) -> (Outcome, Vec<Event>) {
    let mut dice = SeededDice::new(1815);
    dice.battle(battle);
    let mut seen = Recorder::default();
    let outcome = fight(rules, setup, &mut dice, &mut seen);
    (outcome, seen.events().to_vec())
}

#[test]
fn a_battle_is_the_same_after_any_others() {
    let (rules, setups) = (drill(), setups());
    let mut order = battles();
    let mut words = Words::new(7);
    for last in (1..order.len()).rev() {
        order.swap(last, words.between(0, last as i32) as usize);
    }
    let mut dice = SeededDice::new(1815);
    for (army, battle) in order {
        let setup = &setups[army as usize];
        dice.battle(battle);
        let mut seen = Recorder::default();
        let outcome = fight(rules, setup, &mut dice, &mut seen);
        assert_eq!((outcome, seen.events().to_vec()), alone(rules, setup, battle), "army {army}, battle {battle}");
    }
}

#[test]
fn watching_changes_nothing() {
    let (rules, setups) = (drill(), setups());
    let mut dice = SeededDice::new(1815);
    for (army, battle) in battles() {
        let setup = &setups[army as usize];
        dice.battle(battle);
        let unseen = fight(rules, setup, &mut dice, &mut Unwitnessed);
        assert_eq!(unseen, alone(rules, setup, battle).0, "army {army}, battle {battle}");
        // The same is true step by step, state by state.
        let (mut plain, mut watched) = (setup.start.clone(), setup.start.clone());
        let mut seen = Recorder::default();
        loop {
            let outcomes = [
                step(rules, setup, &mut plain, &mut dice, &mut Unwitnessed),
                step(rules, setup, &mut watched, &mut dice, &mut seen),
            ];
            assert_eq!((outcomes[0], &plain), (outcomes[1], &watched), "army {army}, battle {battle}");
            if outcomes[0].is_some() {
                break;
            }
        }
    }
}

/// `fight` keeps its working memory from step to step; a single step starts without any.
#[test]
fn a_fight_is_its_steps() {
    let (rules, setups) = (drill(), setups());
    let mut dice = SeededDice::new(1815);
    for (army, battle) in battles() {
        let setup = &setups[army as usize];
        dice.battle(battle);
        let mut state = setup.start.clone();
        let mut seen = Recorder::default();
        let outcome = loop {
            if let Some(outcome) = step(rules, setup, &mut state, &mut dice, &mut seen) {
                break outcome;
            }
        };
        let (fought, told) = alone(rules, setup, battle);
        for (number, events) in seen.events().iter().zip(&told).enumerate() {
            assert_eq!(events.0, events.1, "army {army}, battle {battle}, event {number}");
        }
        assert_eq!((outcome, seen.events().len()), (fought, told.len()), "army {army}, battle {battle}");
    }
}

#[test]
fn one_two_and_eight_threads_see_the_same_events_in_the_same_order() {
    let (rules, setups) = (drill(), setups());
    let battles = battles();
    let on = |threads: usize| -> Vec<(Outcome, Vec<Event>)> {
        let share = battles.len().div_ceil(threads);
        thread::scope(|scope| {
            let shares: Vec<_> = battles
                .chunks(share)
                .map(|share| {
                    scope.spawn(|| {
                        let fought = share.iter().map(|&(army, battle)| alone(rules, &setups[army as usize], battle));
                        fought.collect::<Vec<_>>()
                    })
                })
                .collect();
            shares.into_iter().flat_map(|share| share.join().expect("no battle panics")).collect()
        })
    };
    let one = on(1);
    for threads in [2, 8] {
        assert_eq!(one, on(threads), "{threads} threads");
    }
}

/// A pack compiled twice is the same pack.
#[test]
fn compiling_again_changes_nothing() {
    let again = load("figures-drill");
    for (army, setup) in setups().iter().enumerate() {
        assert_eq!(alone(drill(), setup, 3), alone(&again, setup, 3), "army {army}");
    }
}
