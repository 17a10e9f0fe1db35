//! Means of trials that share their battles: simulated coverage.

use grognard_stats::{Level, crossed_mean};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A uniform number from −1 to 1: its variance is one third.
fn even(random: &mut ChaCha8Rng) -> f64 {
    f64::from(random.next_u32()) / f64::from(1_u32 << 31) - 1.0
}

/// How often the interval contains 0, and how often an interval from only the trials' means does, for tables with this
/// many trials and battles.
fn coverage(seed: u64, trials: usize, battles: usize, of: [f64; 3]) -> (f64, f64) {
    const STUDIES: usize = 1_000;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut held, mut alone) = (0, 0);
    for _ in 0..STUDIES {
        let shared: Vec<f64> = (0..battles).map(|_| of[1] * even(&mut random)).collect();
        let rows: Vec<Vec<f64>> = (0..trials)
            .map(|_| {
                let own = of[0] * even(&mut random);
                shared.iter().map(|shared| own + shared + of[2] * even(&mut random)).collect()
            })
            .collect();
        held += usize::from(crossed_mean(&rows, &vec![1; battles], (-100.0, 100.0), Level::P95).holds(0.0));
        let means: Vec<f64> = rows.iter().map(|row| row.iter().sum::<f64>() / battles as f64).collect();
        let mean = means.iter().sum::<f64>() / trials as f64;
        let square = means.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / (trials * (trials - 1)) as f64;
        alone += usize::from(mean.abs() <= 2.0 * square.sqrt());
    }
    (held as f64 / STUDIES as f64, alone as f64 / STUDIES as f64)
}

/// 1,000 tables each, seeds 1 to 4: 0.95 has a standard error of 0.007, and the bounds are four of these, a false alarm
/// in one case in 16,000.
#[test]
fn intervals_hold_whatever_is_shared() {
    for (seed, trials, battles, of) in [
        (1, 20, 50, [0.05, 1.0, 0.3]),
        (2, 20, 50, [1.0, 1.0, 1.0]),
        (3, 8, 50, [0.3, 0.0, 1.0]),
        (4, 6, 100, [0.3, 2.0, 1.0]),
    ] {
        let (held, alone) = coverage(seed, trials, battles, of);
        assert!((0.95 - 0.028..=0.99).contains(&held), "{seed}: {held}");
        // If battles shift all trials equally, intervals from only the trials' means miss at least half of the time.
        assert!(seed != 1 || alone < 0.5, "{alone}");
    }
}

#[test]
fn tables_too_small_to_tell_say_nothing() {
    for rows in [vec![], vec![vec![0.5, 0.7]], vec![vec![0.5], vec![0.7]], vec![vec![0.5, 0.6], vec![0.7]]] {
        let counts = vec![1; rows.first().map_or(0, Vec::len)];
        let estimate = crossed_mean(&rows, &counts, (-1.0, 1.0), Level::P95);
        assert_eq!((estimate.low, estimate.high), (-1.0, 1.0), "{rows:?}");
    }
    // If all are equal, there is no error.
    let flat = crossed_mean(&[vec![0.5; 3], vec![0.5; 3]], &[1; 3], (-1.0, 1.0), Level::P95);
    assert_eq!((flat.point, flat.low, flat.high), (0.5, 0.5, 0.5));
}

/// Battles with equal results may be given as one column with their number.
#[test]
fn equal_battles_may_be_counted() {
    let each = [vec![0.0, 0.0, 0.5, 1.0, 1.0, 1.0], vec![0.5, 0.5, 0.5, 0.0, 0.0, 0.0]];
    let counted = [vec![0.0, 0.5, 1.0], vec![0.5, 0.5, 0.0]];
    let one = crossed_mean(&each, &[1; 6], (-10.0, 10.0), Level::P95);
    let other = crossed_mean(&counted, &[2, 1, 3], (-10.0, 10.0), Level::P95);
    for (one, other) in [(one.point, other.point), (one.low, other.low), (one.high, other.high)] {
        assert!((one - other).abs() < 1e-12, "{one}, {other}");
    }
}
