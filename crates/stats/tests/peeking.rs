//! What looking at a study while it is fought does to its intervals: measured, and held to what is promised.
//!
//! `cargo run --release -p grognard-stats --example peeking` measures the same on more studies, for the documentation. Rates
//! of 0.05 are measured here on 400 studies with a standard error of 0.011, and tolerances are four of those. Seeds are
//! fixed: the answer is always the same.

use crate::simulated::{BLOCK, pairs, precise, shares};

const STUDIES: u64 = 400;
const NOISE: f64 = 4.0 * 0.011;

#[test]
fn a_plain_interval_does_not_survive_peeking_and_a_watched_one_does() {
    for (seed, chance) in [(1, 0.5), (2, 0.1)] {
        let found = shares(chance, 100, 30, seed);
        assert!(found.peeking > 0.15, "{chance}: {found:?}");
        assert!(found.watched <= 0.05 + NOISE, "{chance}: {found:?}");
        assert!(found.fixed <= 0.05 + 2.0 * NOISE, "{chance}: {found:?}");
    }
}

#[test]
fn stopping_on_width_keeps_the_level_and_costs_little() {
    // 0.005 needs 38,414 battles of a half, 1,540 of a hundredth, and 380 of what never happens.
    for (seed, chance) in [(3, 0.5), (4, 0.3), (5, 0.08), (6, 0.03)] {
        let found = precise(chance, 0.005, STUDIES, seed);
        assert!((found.missed - 0.05).abs() <= NOISE, "{chance}: {found:?}");
        assert!((0.9..=1.2).contains(&found.cost), "{chance}: {found:?}");
    }
    // The first rung after 38,414: each of the studies ends there, though a few need a battle more or less.
    let half = precise(0.5, 0.005, STUDIES, 3);
    assert_eq!(half.battles, 40_960.0);
    // Of what is rare a count may be wrong by a great part of itself, and the interval at the end is wider than it need be.
    for (seed, chance) in [(7, 0.01), (8, 0.003)] {
        let found = precise(chance, 0.005, STUDIES, seed);
        assert!(found.missed <= 0.05 + NOISE && found.cost <= 1.2, "{chance}: {found:?}");
    }
}

#[test]
fn deciding_gives_few_false_alarms_and_finds_what_is_there() {
    let same = pairs(0.05, 0.05, STUDIES, 100, 9);
    assert!(same.told <= 0.05 && same.peeking > 0.25, "{same:?}");
    // One point of difference: no study is told the wrong one, and few need more than ten blocks.
    let better = pairs(0.055, 0.045, STUDIES, 100, 10);
    assert!(better.told > 0.99 && better.wrong == 0.0 && better.pairs < 10.0 * BLOCK as f64, "{better:?}");
}
