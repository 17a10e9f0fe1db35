//! Actions of `fleet-action` with ships of five of its six types on each side, compared with arithmetic in whole
//! numbers from the clauses of the pack.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::common::odds::agrees;
use grognard_engine::{BySide, Deployment, Side, SidePlan, UnitPlan, deploy};
use grognard_exact::{Limits, solve};
use grognard_rules::library;
use grognard_source::Sources;
use num_bigint::BigUint;

/// By type: the hits that it can take, its guns, and what they need to hit.
const SHIPS: [(&str, u8, u8, u64); 6] = [
    ("fighters", 1, 1, 9),
    ("destroyer", 1, 1, 9),
    ("cruiser", 2, 2, 8),
    ("carrier", 3, 1, 9),
    ("ironclad", 4, 2, 7),
    ("battleship", 4, 4, 7),
];

/// The index of the ironclad, which also has light guns. These are lost first.
const IRONCLAD: usize = 4;
/// The number of its light guns, and the score that they need.
const LIGHT: (u8, u64) = (4, 9);

/// The hits that the ships can still take, in the order of [`SHIPS`].
type Fleet = [u8; 6];

/// The maximum number of guns of a fleet.
const GUNS: u32 = 11;

/// The weights of the numbers of hits of these guns, each given by the number of faces that hit; they add up to 10 to
/// the power of `dice`.
fn hits(guns: impl Iterator<Item = u64>, dice: u32) -> Vec<u64> {
    let (mut weights, mut thrown) = (vec![1_u64], 0);
    for need in guns {
        let mut next = vec![0; weights.len() + 1];
        for (hits, weight) in weights.iter().enumerate() {
            next[hits] += weight * (need - 1);
            next[hits + 1] += weight * (11 - need);
        }
        (weights, thrown) = (next, thrown + 1);
    }
    weights.iter().map(|weight| weight * 10_u64.pow(dice - thrown)).collect()
}

/// Each destroyer afloat has a torpedo that needs an 8.
fn torpedoes(fleet: &Fleet) -> Vec<u64> {
    hits((fleet[1] > 0).then_some(8).into_iter(), 1)
}

/// Each ship afloat fires its guns, one fewer for each hit that it has sustained.
fn guns(fleet: &Fleet) -> Vec<u64> {
    let of = |(ship, &left): (usize, &u8)| {
        let (_, whole, heavy, need) = SHIPS[ship];
        let light = if ship == IRONCLAD { LIGHT.0 } else { 0 };
        let lost = whole - left;
        let (firing, light_firing) = match left {
            0 => (0, 0),
            _ => (heavy.saturating_sub(lost.saturating_sub(light)), light.saturating_sub(lost)),
        };
        std::iter::repeat_n(need, firing.into()).chain(std::iter::repeat_n(LIGHT.1, light_firing.into()))
    };
    hits(fleet.iter().enumerate().flat_map(of), GUNS)
}

/// The ship that takes the next hit: a place among [`SHIPS`].
type Choice = fn(&Fleet) -> Option<usize>;

/// The first of these ships that is afloat.
fn first(fleet: &Fleet, order: &[usize]) -> Option<usize> {
    order.iter().copied().find(|&ship| fleet[ship] > 0)
}

/// Of the ships that survive the hit, the one that can take the most hits, or the smaller of two; if none survives,
/// the smallest ship.
fn sustain(fleet: &Fleet) -> Option<usize> {
    let sustains = (0..6).filter(|&ship| fleet[ship] > 1).max_by_key(|&ship| (fleet[ship], std::cmp::Reverse(ship)));
    sustains.or_else(|| first(fleet, &[0, 1, 2, 3, 4, 5]))
}

const CHOICES: [(&str, Choice); 4] = [
    ("cheapest-first", |fleet| first(fleet, &[0, 1, 2, 3, 4, 5])),
    ("sustain-first", sustain),
    ("carrier-first", |fleet| first(fleet, &[3, 0, 1, 2, 4, 5])),
    ("largest-first", |fleet| first(fleet, &[5, 4, 3, 2, 1, 0])),
];

/// Torpedoes hit the largest ship, and never fighters.
const AIMED: Choice = |fleet| first(fleet, &[5, 4, 3, 2, 1]);

fn after(mut fleet: Fleet, hits: usize, choice: Choice) -> Fleet {
    for _ in 0..hits {
        let Some(ship) = choice(&fleet) else { break };
        fleet[ship] -= 1;
    }
    fleet
}

/// Whether three ships in five are lost: a fleet has five, and the type that it lacks never has hits.
fn beaten(fleet: &Fleet) -> bool {
    fleet.iter().filter(|&&left| left == 0).count() > 3
}

/// The numbers of ways in which a fleet's volley makes 0, 1, … hits.
type Volley = fn(&Fleet) -> Vec<u64>;

/// The weights of a win of the first fleet, of the second, and of neither after this many turns, and their sum.
fn by_hand(fleets: [Fleet; 2], choices: [Choice; 2], turns: usize) -> ([BigUint; 3], BigUint) {
    let mut open = BTreeMap::from([(fleets, BigUint::from(1_u32))]);
    let (mut ends, mut all): ([BigUint; 3], _) = (Default::default(), BigUint::from(1_u32));
    for _ in 0..turns {
        let volleys: [(Volley, [Choice; 2], u32); 2] = [(torpedoes, [AIMED, AIMED], 2), (guns, choices, 2 * GUNS)];
        for (fire, choices, dice) in volleys {
            let scale = BigUint::from(10_u32).pow(dice);
            ends.iter_mut().for_each(|end| *end *= &scale);
            all *= scale;
            let mut next: BTreeMap<[Fleet; 2], BigUint> = BTreeMap::new();
            for (fleets, weight) in &open {
                for (on_second, of_first) in fire(&fleets[0]).into_iter().enumerate() {
                    for (on_first, of_second) in fire(&fleets[1]).into_iter().enumerate() {
                        let weight = weight * of_first * of_second;
                        let first = after(fleets[0], on_first, choices[0]);
                        let second = after(fleets[1], on_second, choices[1]);
                        match (beaten(&first), beaten(&second)) {
                            (false, true) => ends[0] += weight,
                            (true, false) => ends[1] += weight,
                            (true, true) => ends[2] += weight,
                            (false, false) => *next.entry([first, second]).or_default() += weight,
                        }
                    }
                }
            }
            open = next;
        }
    }
    ends[2] += open.into_values().sum::<BigUint>();
    (ends, all)
}

#[test]
fn actions_come_out_as_by_arithmetic_over_the_clauses() {
    let mut sources = Sources::new();
    let pack = library::load("fleet-action", None, &mut sources).and_then(|pack| pack.compile(&sources));
    let rules = pack.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let fleet = |name: &str, doctrine: &str, ships: [usize; 5]| SidePlan {
        name: name.into(),
        doctrine: Some(doctrine.into()),
        units: ships.map(|ship| UnitPlan { kind: SHIPS[ship].0.into(), ..UnitPlan::default() }).to_vec(),
        ..SidePlan::default()
    };
    // The lists are in different orders; an ironclad replaces one battleship or both.
    let (battleships, ironclads) = ([0, 1, 2, 3, 5], [2, 4, 0, 3, 1]);
    let mut actions: Vec<_> = CHOICES.map(|choice| (choice, battleships, [2, 5, 0, 3, 1])).to_vec();
    actions.extend([(CHOICES[1], battleships, ironclads), (CHOICES[3], ironclads, ironclads)]);
    for ((own, choice), first, second) in actions {
        let sides = BySide::new(fleet("a", own, first), fleet("b", "cheapest-first", second));
        let plan = Deployment { sides, turns: 2, ..Deployment::default() };
        let setup = deploy(&rules, &plan).expect("two fleets");
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let solution = solve(&rules, &setup, &Limits::default(), go_on).unwrap_or_else(|error| panic!("{error}"));
        let whole = [first, second].map(|ships| {
            let mut fleet = [0; 6];
            ships.into_iter().for_each(|ship| fleet[ship] = SHIPS[ship].1);
            fleet
        });
        let (ends, all) = by_hand(whole, [choice, CHOICES[0].1], 2);
        assert_eq!(ends.iter().sum::<BigUint>(), all);
        for (winner, end) in [Some(Side::First), Some(Side::Second), None].into_iter().zip(ends) {
            let found = solution.chance(|outcome| outcome.winner == winner);
            agrees(&format!("{own}, {winner:?}"), &found, &end, &all);
        }
    }
}
