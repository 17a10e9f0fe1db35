//! What looking at a study while it is fought does to its intervals: measured, and held to what is promised.
//!
//! `cargo run --release -p grognard-stats --example peeking` measures the same on more studies, for the documentation. Rates
//! of 0.05 are measured here on 400 studies with a standard error of 0.011, and tolerances are four of those. Seeds are
//! fixed: the answer is always the same.

mod simulated;

use simulated::{BLOCK, pairs, precise, shares};

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
    // 0.005 for half of the battles needs 9.4 blocks.
    for (seed, chance) in [(3, 0.5), (4, 0.3), (5, 0.2)] {
        let found = precise(chance, 0.005, STUDIES, seed);
        assert!((found.missed - 0.05).abs() <= NOISE, "{chance}: {found:?}");
        assert!((1.0..=1.2).contains(&found.cost), "{chance}: {found:?}");
    }
    // A rare thing is known so well after a single block that nobody could do with less.
    assert!((precise(0.001, 0.005, STUDIES, 6).missed - 0.05).abs() <= 2.0 * NOISE);
}

#[test]
fn deciding_gives_few_false_alarms_and_finds_what_is_there() {
    let same = pairs(0.05, 0.05, STUDIES, 100, 7);
    assert!(same.told <= 0.05 && same.peeking > 0.25, "{same:?}");
    // One point of difference: no study is told the wrong one, and few need more than ten blocks.
    let better = pairs(0.055, 0.045, STUDIES, 100, 8);
    assert!(better.told > 0.99 && better.wrong == 0.0 && better.pairs < 10.0 * BLOCK as f64, "{better:?}");
}
