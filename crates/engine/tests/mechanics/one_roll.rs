//! One-turn battles with a single roll: the losses of both sides, and their frequencies.

use std::collections::BTreeMap;

use grognard_dice::{EnumeratedDice, SeededDice};
use grognard_engine::{BySide, Deployment, Outcome, Setup, SidePlan, Unwitnessed, deploy, fight};
use grognard_rules::model::Rules;

use crate::common::{Men, agree};

/// Battles sampled for one distribution.
pub(crate) const SAMPLED: u64 = 60_000;

/// Figures lost by the roller and by its enemy.
pub(crate) type Losses = (u16, u16);

/// The weight of each combination of losses.
pub(crate) type Weights = BTreeMap<Losses, u64>;

/// A duel of this many turns without doctrines.
pub(crate) fn duel(rules: &Rules, own: &Men, foe: &Men, turns: u8) -> Setup {
    let side = |name: &str, men: &Men| SidePlan { name: name.into(), units: vec![men.plan()], ..SidePlan::default() };
    let sides = BySide::new(side("own", own), side("foe", foe));
    deploy(rules, &Deployment { sides, turns, ..Deployment::default() }).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn losses(outcome: &Outcome) -> Losses {
    (outcome.sides.first.losses, outcome.sides.second.losses)
}

/// The exact probability of every result of a battle, from every path of the dice.
pub(crate) fn exact<K: Ord>(rules: &Rules, setup: &Setup, key: impl Fn(&Outcome) -> K) -> BTreeMap<K, f64> {
    let mut found = BTreeMap::new();
    let mut dice = EnumeratedDice::new();
    while dice.next_path() {
        let outcome = fight(rules, setup, &mut dice, &mut Unwitnessed);
        *found.entry(key(&outcome)).or_insert(0.0) += dice.chance();
    }
    let sum: f64 = found.values().sum();
    assert!((sum - 1.0).abs() < 1e-12, "probabilities sum to {sum}");
    found
}

/// The frequency of each result in sampled battles.
pub(crate) fn sampled<K: Ord>(
    rules: &Rules,
    setup: &Setup,
    battles: u64,
    key: impl Fn(&Outcome) -> K,
) -> BTreeMap<K, u64> {
    let mut found = BTreeMap::new();
    let mut dice = SeededDice::new(1815);
    for index in 0..battles {
        dice.battle(index);
        *found.entry(key(&fight(rules, setup, &mut dice, &mut Unwitnessed))).or_insert(0) += 1;
    }
    found
}

/// Checks one turn of a pack against weights derived independently.
#[track_caller]
pub(crate) fn hold(rules: &Rules, own: &Men, foe: &Men, expected: &Weights) {
    hold_in(&format!("{own:?} against {foe:?}"), rules, &duel(rules, own, foe, 1), expected);
}

/// Checks the battles of a setup against weights derived independently.
#[track_caller]
pub(crate) fn hold_in(what: &str, rules: &Rules, setup: &Setup, expected: &Weights) {
    let total = expected.values().sum::<u64>() as f64;
    let exact = exact(rules, setup, losses);
    assert_eq!(exact.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
    for (losses, &weight) in expected {
        let chance = weight as f64 / total;
        assert!((exact[losses] - chance).abs() < 1e-12, "{what}: {losses:?} has {} not {chance}", exact[losses]);
    }
    let counts = sampled(rules, setup, SAMPLED, losses);
    assert!(counts.keys().all(|losses| expected.contains_key(losses)), "{what}: {counts:?}");
    for (losses, &weight) in expected {
        let count = counts.get(losses).copied().unwrap_or(0);
        agree(&format!("{what}, {losses:?}"), count, SAMPLED, weight as f64 / total);
    }
}

/// The weights of the enemy's losses if the roller loses nothing.
pub(crate) fn to_the_enemy(weights: impl IntoIterator<Item = (u16, u64)>) -> Weights {
    let mut sum = Weights::new();
    for (lost, weight) in weights {
        *sum.entry((0, lost)).or_insert(0) += weight;
    }
    sum.retain(|_, weight| *weight > 0);
    sum
}

/// The weights of the number of successes of this many dice, each of which succeeds in `hit` of `hit + miss` cases.
pub(crate) fn binomial(dice: u16, hit: u64, miss: u64) -> Vec<(u16, u64)> {
    let mut weights = vec![1_u64];
    for _ in 0..dice {
        let mut next = vec![0; weights.len() + 1];
        for (hits, weight) in weights.iter().enumerate() {
            next[hits] += weight * miss;
            next[hits + 1] += weight * hit;
        }
        weights = next;
    }
    (0..).zip(weights).collect()
}

/// Every combination of faces that these dice can show.
pub(crate) fn throws(dice: &[&[u16]]) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new()];
    for faces in dice {
        all = all.iter().flat_map(|before| faces.iter().map(|face| [before.as_slice(), &[*face]].concat())).collect();
    }
    all
}
