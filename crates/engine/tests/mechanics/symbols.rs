//! Symbol dice: the published odds of the ancients hex game's battle die.

use super::one_roll::{Weights, duel, exact, hold, to_the_enemy};
use crate::common::{load, unit};
use grognard_engine::Outcome;

/// Weights of hits and flags if each die hits in `hit` of six cases, shows a flag in one, or does neither.
fn hits_and_flags(dice: u16, hit: u64) -> Weights {
    let mut weights: Weights = [((0, 0), 1)].into();
    for _ in 0..dice {
        let mut next = Weights::new();
        for ((flags, hits), weight) in weights {
            for (after, times) in [((flags + 1, hits), 1), ((flags, hits + 1), hit), ((flags, hits), 5 - hit)] {
                *next.entry(after).or_insert(0) += weight * times;
            }
        }
        weights = next;
    }
    weights
}

#[test]
fn symbols_are_counted_together() {
    let rules = load("symbol-die");
    for dice in 1..=5 {
        hold(&rules, &unit("archers").figures(dice), &unit("archers"), &hits_and_flags(dice, 1));
        hold(&rules, &unit("swordsmen").figures(dice), &unit("archers"), &hits_and_flags(dice, 2));
    }
}

/// The probability that a condition on (flags, hits) is true.
fn share(kind: &str, dice: u16, holds: impl Fn(u16, u16) -> bool) -> f64 {
    let rules = load("symbol-die");
    let setup = duel(&rules, &unit(kind).figures(dice), &unit("archers"), 1);
    let holds = |outcome: &Outcome| holds(outcome.sides.first.losses, outcome.sides.second.losses);
    exact(&rules, &setup, holds).get(&true).copied().unwrap_or(0.0)
}

#[test]
fn the_published_odds_are_met_to_the_last_digit() {
    let close = |got: f64, want: f64, digits: f64| assert!((got - want).abs() <= 0.5 * digits + 1e-12, "{got} {want}");
    for (dice, want) in [(2, 0.4444), (3, 0.2963), (4, 0.1975), (5, 0.1317)] {
        close(share("swordsmen", dice, |_, hits| hits == 0), want, 1e-4);
    }
    for (dice, want) in [(2, 0.6944), (3, 0.5787), (4, 0.4823), (5, 0.4019)] {
        close(share("archers", dice, |_, hits| hits == 0), want, 1e-4);
    }
    for (dice, want) in [(1, 0.1667), (2, 0.3056), (3, 0.4213), (4, 0.5177), (5, 0.5981)] {
        close(share("archers", dice, |flags, _| flags > 0), want, 1e-4);
    }
    close(share("swordsmen", 4, |_, hits| hits >= 4), 0.01235, 1e-5);
    close(share("swordsmen", 5, |_, hits| hits >= 4), 0.04527, 1e-5);
    for (hits, want) in [(0, 0.6667), (1, 0.2778), (2, 0.0463), (3, 0.0077)] {
        close(share("trampling", 1, |_, lost| lost == hits), want, 1e-4);
    }
    // Each die averages (6p + 1) / 5 hits, with a limit too high to matter.
    for (kind, mean) in [("elephants", 0.2), ("trampling", 0.4)] {
        let found: f64 = (1..=11).map(|least| share(kind, 1, |_, hits| hits >= least)).sum();
        assert!((found - mean).abs() < 1e-7, "{kind}: {found}");
    }
}

#[test]
fn an_elephants_sword_hits_and_is_rolled_again() {
    // One die with at most ten rerolls: 6^11 throws. Computed backwards from the last die, in sixths.
    let one = |hit_and_stop: u64| {
        let mut weights = vec![5 - hit_and_stop, hit_and_stop + 1];
        for _ in 0..10 {
            let scale = weights.iter().sum::<u64>();
            let mut next = vec![0; weights.len() + 1];
            next[0] += (5 - hit_and_stop) * scale;
            next[1] += hit_and_stop * scale;
            for (hits, weight) in weights.iter().enumerate() {
                next[hits + 1] += weight;
            }
            weights = next;
        }
        to_the_enemy((0..).zip(weights))
    };
    let rules = load("symbol-die");
    hold(&rules, &unit("elephants"), &unit("archers"), &one(0));
    hold(&rules, &unit("trampling"), &unit("archers"), &one(1));
}
