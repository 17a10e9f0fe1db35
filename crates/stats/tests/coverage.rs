//! Measured coverage: how often the 95 % interval holds the true value.
//!
//! Binomial coverage is summed exactly over every count. The rest is simulated with fixed seeds: 4,000 studies each, so
//! that a true coverage of 0.95 is measured with a standard error of 0.0034; the tolerances below are four of those,
//! besides what the interval itself is allowed to be off by.

use grognard_stats::{Estimate, Level, Pairs, Sums, mean, quantile, share, share_difference, share_exact};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const STUDIES: u32 = 4_000;
const NOISE: f64 = 4.0 * 0.0034;

/// The share of `STUDIES` studies for which `holds` is true.
fn coverage(seed: u64, mut holds: impl FnMut(&mut ChaCha8Rng) -> bool) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let held = (0..STUDIES).filter(|_| holds(&mut random)).count();
    held as f64 / f64::from(STUDIES)
}

fn chance(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Casualties of a kind: how many of `dice` dice roll below `p`.
fn hits(random: &mut ChaCha8Rng, dice: u64, p: f64) -> u64 {
    (0..dice).filter(|_| chance(random) < p).count() as u64
}

fn tally(sums: &mut Sums, value: u64) {
    sums.runs += 1;
    sums.sum += i128::from(value);
    sums.squares += u128::from(value * value);
}

/// Binomial probabilities of every count, by recurrence from the mode outward in logarithms.
fn binomial(runs: u64, p: f64) -> Vec<f64> {
    let mut log = vec![runs as f64 * (1.0 - p).ln()];
    for count in 0..runs {
        let step = ((runs - count) as f64 / (count + 1) as f64 * p / (1.0 - p)).ln();
        log.push(log[count as usize] + step);
    }
    log.into_iter().map(f64::exp).collect()
}

/// Coverage for a true share of 1 %, 2 % … 99 %.
fn binomial_coverage(runs: u64, of: fn(u64, u64, Level) -> Estimate) -> Vec<f64> {
    let intervals: Vec<Estimate> = (0..=runs).map(|count| of(count, runs, Level::P95)).collect();
    let at = |p: f64| {
        let chances = binomial(runs, p);
        intervals.iter().zip(chances).filter(|(interval, _)| interval.holds(p)).map(|(_, chance)| chance).sum()
    };
    (1..100).map(|percent| at(f64::from(percent) / 100.0)).collect()
}

#[test]
fn shares() {
    for runs in [20, 100, 500] {
        let least = |coverage: &[f64]| coverage.iter().copied().fold(1.0, f64::min);
        // Brown, Cai and DasGupta (2001): Wilson's mean coverage is close to nominal, with dips near 0 and 1.
        let wilson = binomial_coverage(runs, share);
        let wilson_mean = wilson.iter().sum::<f64>() / wilson.len() as f64;
        assert!((0.945..0.96).contains(&wilson_mean), "{runs}: Wilson's mean coverage {wilson_mean}");
        assert!(least(&wilson) > 0.83, "{runs}: Wilson's least coverage {}", least(&wilson));
        let exact = least(&binomial_coverage(runs, share_exact));
        assert!(exact >= 0.95 - 1e-9, "{runs}: Clopper–Pearson's least coverage {exact}");
    }
}

#[test]
fn means_of_casualties() {
    // 40 battles, each losing the hits of 12 dice on a 6.
    let truth = 12.0 / 6.0;
    let measured = coverage(1815, |random| {
        let mut sums = Sums::default();
        for _ in 0..40 {
            tally(&mut sums, hits(random, 12, 1.0 / 6.0));
        }
        mean(sums, 0..=12, Level::P95).holds(truth)
    });
    assert!((measured - 0.95).abs() < NOISE, "coverage {measured}");
}

#[test]
fn means_of_rare_casualties() {
    // One battle in 200 loses 10: most studies of 40 battles see none of it and rest on the bound for what is unseen.
    let measured = coverage(1809, |random| {
        let struck = hits(random, 40, 0.005);
        let sums = Sums { runs: 40, sum: i128::from(struck) * 10, squares: u128::from(struck) * 100 };
        mean(sums, 0..=10, Level::P95).holds(0.05)
    });
    assert!(measured > 0.95 - NOISE, "coverage {measured}");
}

#[test]
fn medians() {
    // The median of 12 dice on a 6 is 2: P(≤ 1) = 0.381, P(≤ 2) = 0.677.
    let measured = coverage(1813, |random| {
        let mut counts = [0; 13];
        for _ in 0..60 {
            counts[hits(random, 12, 1.0 / 6.0) as usize] += 1;
        }
        quantile((0..).zip(counts), 0.5, 0..=12, Level::P95).holds(2.0)
    });
    assert!(measured > 0.95 - NOISE, "coverage {measured}");
}

#[test]
fn paired_shares() {
    // The cell wins on more than 0.3, the baseline on more than 0.5 of the same draw, with a little noise of its own.
    for (seed, runs) in [(1, 30), (2, 200)] {
        let measured = coverage(seed, |random| {
            let mut pairs = Pairs::default();
            for _ in 0..runs {
                let (shared, other) = (chance(random), chance(random));
                let cell = shared > 0.3;
                let baseline = if other < 0.2 { other < 0.1 } else { shared > 0.5 };
                match (cell, baseline) {
                    (true, true) => pairs.both += 1,
                    (true, false) => pairs.cell_only += 1,
                    (false, true) => pairs.baseline_only += 1,
                    (false, false) => pairs.neither += 1,
                }
            }
            share_difference(pairs, Level::P95).holds(0.7 - 0.5)
        });
        assert!((measured - 0.95).abs() < NOISE + 0.01, "{runs} pairs: coverage {measured}");
    }
}

#[test]
fn paired_means() {
    // The baseline loses the hits of 8 dice; the cell those and the hits of 4 more.
    let measured = coverage(1807, |random| {
        let mut sums = Sums::default();
        for _ in 0..50 {
            tally(&mut sums, hits(random, 4, 1.0 / 6.0));
        }
        mean(sums, -12..=12, Level::P95).holds(4.0 / 6.0)
    });
    assert!((measured - 0.95).abs() < NOISE + 0.01, "coverage {measured}");
}
