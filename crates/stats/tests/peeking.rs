//! The effect of looking at a running study on its intervals: measured, and compared with the guarantees.
//!
//! `cargo run --release -p grognard-stats --example peeking` measures the same on more studies, for the documentation.
//! Here, rates of 0.05 are measured on 400 studies with a standard error of 0.011, and tolerances are four of these.
//! Seeds are fixed, so the result is always the same.

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
    // A half-width of 0.005 needs 38,414 battles for a share of one half, 1,540 for one hundredth, and 380 for events
    // that never happen.
    for (seed, chance) in [(3, 0.5), (4, 0.3), (5, 0.08), (6, 0.03)] {
        let found = precise(chance, 0.005, STUDIES, seed);
        assert!((found.missed - 0.05).abs() <= NOISE, "{chance}: {found:?}");
        assert!((0.9..=1.2).contains(&found.cost), "{chance}: {found:?}");
    }
    // The first scheduled check after 38,414: every study ends there, even though some need slightly more or fewer
    // battles.
    let half = precise(0.5, 0.005, STUDIES, 3);
    assert_eq!(half.battles, 40_960.0);
    // The count of a rare event may have a large relative error, and the interval at the end is wider than necessary.
    for (seed, chance) in [(7, 0.01), (8, 0.003)] {
        let found = precise(chance, 0.005, STUDIES, seed);
        assert!(found.missed <= 0.05 + NOISE && found.cost <= 1.2, "{chance}: {found:?}");
    }
}

#[test]
fn deciding_gives_few_false_alarms_and_finds_what_is_there() {
    let same = pairs(0.05, 0.05, STUDIES, 100, 9);
    assert!(same.told <= 0.05 && same.peeking > 0.25, "{same:?}");
    // With a difference of one point, no study reports the wrong one, and few need more than ten blocks.
    let better = pairs(0.055, 0.045, STUDIES, 100, 10);
    assert!(better.told > 0.99 && better.wrong == 0.0 && better.pairs < 10.0 * BLOCK as f64, "{better:?}");
}
