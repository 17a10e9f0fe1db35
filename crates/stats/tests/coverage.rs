//! Measured coverage: how often the 95 % interval holds the true value.
//!
//! Coverage of shares, of means and differences of three values, of ratios, of shares without luck, of watched shares and of those with a
//! precision is summed over everything that can be counted: no seed, no sample, no false alarm. The rest is simulated with fixed seeds,
//! and tolerances are four standard errors. `just covered` does the same over the whole range for the documentation.

use crate::covered::drawn::{Studies, Value, of_study, of_tests, of_trials};
use crate::covered::{
    of_count, of_looks, of_luck, of_precision, of_share, of_three, of_two, of_watched, on_flanks, ratio_on_flanks,
};
use grognard_stats::{
    Intervals, Kind, Level, Pairs, Sums, bonferroni, independent_difference, mean, mean_exact, share, share_difference,
    share_exact,
};
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

/// Chances from one in a million to all but one in a million, closest together where something happens a few times in `runs`.
fn chances(runs: u64) -> Vec<f64> {
    let rare = (0..40).map(|step| 0.01 * 1.27_f64.powi(step) / runs as f64);
    let some: Vec<f64> = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5].into_iter().chain(rare).collect();
    some.iter().filter(|chance| **chance <= 0.5).flat_map(|&chance| [chance, 1.0 - chance]).collect()
}

fn least(coverage: impl IntoIterator<Item = f64>) -> f64 {
    coverage.into_iter().fold(1.0, f64::min)
}

#[test]
fn shares_keep_their_level_however_rare() {
    // Alone, and as one of a hundred that hold together.
    for level in [Level::P95, bonferroni(Level::P95, 100)] {
        for runs in [30, 190, 1_000, 1_000_000] {
            let exact = least(chances(runs).into_iter().map(|chance| of_share(share_exact, runs, chance, level)));
            assert!(exact >= level.get() - 1e-7, "{runs} at {level:?}: {exact}");
        }
    }
    // What the default intervals are, and why Wilson's are not: of 1,000 battles of something with odds of 0.000126 he misses one in
    // ten, and of what is still likelier to be missed one in six.
    assert!((of_share(share, 1_000, 0.000_126, Level::P95) - 0.8816).abs() < 0.001);
    assert!(least(chances(1_000).into_iter().map(|chance| of_share(share, 1_000, chance, Level::P95))) < 0.85);
    assert_eq!(Intervals::default().share(1, 1_000), share_exact(1, 1_000, Level::P95));
}

/// However often it is looked at, a watched share stays within its interval.
#[test]
fn watched_shares_keep_their_level_at_all_looks_together() {
    let looks = [30, 60, 120, 240, 480, 1_000];
    let watched = |level: Level| {
        let held = |chance: f64| *of_watched(&looks, chance, level).last().expect("six looks");
        least(chances(1_000).into_iter().map(held))
    };
    for level in [Level::P95, bonferroni(Level::P95, 100)] {
        assert!(watched(level) >= level.get(), "{} at {level:?}", watched(level));
    }
    // Plain intervals do not: of a share of a half one in six misses at one of the looks.
    let plain = of_looks(&looks, 0.5, |count, runs| share_exact(count, runs, Level::P95).holds(0.5));
    assert!((0.82..0.84).contains(plain.last().expect("six looks")), "{plain:?}");
    // One look is a plain interval.
    let once = of_looks(&[1_000], 0.1, |count, runs| share_exact(count, runs, Level::P95).holds(0.1))[0];
    assert!((once - of_share(share_exact, 1_000, 0.1, Level::P95)).abs() < 1e-12);
}

/// Ratios rest on normal theory, which holds for what is common and fails for what is rare. Without its luck a share keeps its level.
#[test]
fn ratios_hold_for_what_is_common_and_shares_without_luck_always() {
    let ratio = |chance: f64, runs: u64| {
        of_count(|bad| ratio_on_flanks(bad, runs, Level::P95), on_flanks(chance), runs, chance)
    };
    for (runs, chance) in [(1_000, 0.1), (1_000, 0.5), (1_000_000, 0.001)] {
        assert!((0.94..0.96).contains(&ratio(chance, runs)), "{runs}, {chance}: {}", ratio(chance, runs));
    }
    let rare = 3.1 / 1_000.0;
    assert!((0.80..0.82).contains(&ratio(rare, 1_000)), "{}", ratio(rare, 1_000));
    let luck = |chance: f64, runs: u64| of_luck(Intervals::default(), runs, chance);
    for (runs, chance) in [(100, 0.1), (100, 0.3), (100, 0.5), (1_000, 0.01)] {
        assert!(luck(chance, runs) >= 0.95, "{runs}, {chance}: {}", luck(chance, runs));
    }
}

/// Intervals of shares that hold together: whatever shares there are, all hold at once at the level at least.
#[test]
fn joint_intervals_of_shares_hold_together() {
    for runs in [190, 500, 1_000] {
        // One hundred independent shares, as rare as suits the intervals least.
        let joint = |intervals: Intervals| {
            let worst = chances(runs).into_iter().map(|chance| match intervals.kind {
                Kind::Wilson => of_share(share, runs, chance, intervals.level),
                _ => of_share(share_exact, runs, chance, intervals.level),
            });
            least(worst).powi(100)
        };
        assert!(joint(Intervals { kind: Kind::Wilson, ..Intervals::default() }.together(100)) >= 0.95, "{runs}");
        let level = bonferroni(Level::P95, 100);
        assert!(joint(Intervals { level, kind: Kind::Wilson }) < 0.5, "{runs}: Wilson's were good enough");
    }
}

/// Differences of pairs, of which the cell alone and the baseline alone have it with these chances.
fn pair_coverage(kind: Kind, runs: u64, gained: f64, lost: f64, level: Level) -> f64 {
    let of = |counts: [(i32, u64); 3]| {
        let pairs = Pairs { both: 0, cell_only: counts[2].1, baseline_only: counts[0].1, neither: counts[1].1 };
        Intervals { level, kind }.share_difference(pairs)
    };
    of_three(of, [-1, 0, 1], [1.0 - gained - lost, gained], runs)
}

#[test]
fn paired_differences_keep_their_level_however_rare() {
    for level in [Level::P95, bonferroni(Level::P95, 100)] {
        for runs in [30, 1_000_000] {
            let some = [0.0, 0.1, 1.0, 4.0].map(|count| count / runs as f64);
            for (gained, lost) in some.into_iter().flat_map(|gained| some.map(|lost| (gained, lost))) {
                let exact = pair_coverage(Kind::Exact, runs, gained, lost, level);
                assert!(exact >= level.get(), "{runs}, {gained}, {lost}: {exact}");
            }
        }
    }
    // Tango's: 93 % where nothing is lost and four are gained.
    assert!(pair_coverage(Kind::Wilson, 1_000_000, 4.051e-6, 0.0, Level::P95) < 0.94);
}

#[test]
fn means_keep_their_level_however_rare() {
    // Battles mostly lose nothing, some lose a figure and few lose all twelve.
    let of = |level: Level| move |counts: [(i32, u64); 3]| mean_exact(counts, &(0..=12), level);
    for level in [Level::P95, bonferroni(Level::P95, 100)] {
        for (runs, one, all) in [
            (30, 0.3, 0.003),
            (30, 0.1, 0.1),
            (1_000, 0.0, 0.003),
            (1_000, 0.02, 0.0001),
            (1_000, 0.02, 0.003),
            (1_000_000, 3e-6, 3e-6),
            (1_000_000, 2e-5, 3e-6),
        ] {
            let exact = of_three(of(level), [0, 1, 12], [one, all], runs);
            assert!(exact >= level.get(), "{runs}, {one}, {all}: {exact}");
        }
    }
    let student = |counts: [(i32, u64); 3]| mean(Sums::of(counts), 0..=12, Level::P95);
    // Student's, of what comes three times: one in five.
    assert!(of_three(student, [0, 1, 12], [0.0, 0.003], 1_000) < 0.82);
}

#[test]
fn independent_differences_keep_their_level() {
    for level in [Level::P95, bonferroni(Level::P95, 100)] {
        let exact = |runs: u64| {
            move |[one, other]: [u64; 2]| {
                independent_difference(&share_exact(one, runs, level), &share_exact(other, runs, level))
            }
        };
        for (runs, one, other) in [
            (30, 0.5, 0.5),
            (30, 0.9, 0.5),
            (30, 0.03, 0.1),
            (100_000, 1e-6, 1e-6),
            (100_000, 3e-5, 1e-6),
            (100_000, 3e-5, 5e-5),
        ] {
            let held = of_two(exact(runs), runs, [one, other]);
            assert!(held >= level.get(), "{runs}, {one}, {other}: {held} at {level:?}");
        }
    }
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

/// Of 500 studies each, with a tolerance of four standard errors: a false alarm in 30,000 for each number.
const DRAWN: Studies = Studies { count: 500, seed: 1_815 };
const OF_DRAWN: f64 = 4.0 * 0.0097;

/// Shares of battles from one in a million to a half, and the rare ones that suit so many battles least.
fn shares_for(runs: u64) -> [f64; 4] {
    [1e-6, 0.3 / runs as f64, 3.0 / runs as f64, 0.5].map(|share| share.clamp(1e-6, 0.5))
}

#[test]
fn means_of_many_values_and_their_paired_differences_keep_their_level() {
    for runs in [30, 1_000, 1_000_000] {
        for chance in shares_for(runs) {
            for value in [Value::losses(chance), Value::more_losses(chance)] {
                let held = value.covered(Intervals::default(), runs, DRAWN);
                assert!(held >= 0.95 - OF_DRAWN, "{runs}, {chance}: {held}");
            }
            let unpaired =
                Value::losses(chance).covered_beside(&Value::losses(chance / 2.0), Intervals::default(), runs, DRAWN);
            assert!(unpaired >= 0.95 - OF_DRAWN, "{runs}, {chance}: {unpaired}");
        }
    }
    // Student's, of what is rare: the battles that lose nothing hide the few that do.
    let student = Intervals { kind: Kind::Wilson, ..Intervals::default() };
    assert!(Value::losses(0.000_26).covered(student, 1_000, DRAWN) < 0.9);
}

#[test]
fn watched_means_and_differences_keep_their_level_at_all_looks_together() {
    let looks = [30, 60, 120, 240, 480, 1_000];
    for chance in shares_for(1_000) {
        for value in [Value::losses(chance), Value::more_losses(chance)] {
            let held = value.watched(&looks, Level::P95, DRAWN);
            assert!(held >= 0.95 - OF_DRAWN, "{chance}: {held}");
        }
    }
}

/// All metrics of cells that share their dice, and their differences.
#[test]
fn estimates_of_a_study_hold_together_whatever_ties_them() {
    let studies = Studies { count: 300, ..DRAWN };
    for runs in [30, 1_000] {
        for chance in shares_for(runs) {
            let held = of_study(Intervals::default(), runs, chance, studies);
            assert!(held >= 0.95 - 4.0 * 0.0126, "{runs}, {chance}: {held}");
        }
    }
}

#[test]
fn corrected_p_values_rarely_find_what_is_not_there() {
    let studies = Studies { count: 300, ..DRAWN };
    for runs in [30, 1_000] {
        for chance in shares_for(runs) {
            let held = of_tests(runs, chance, Level::P95, studies);
            assert!(held >= 0.95 - 4.0 * 0.0126, "{runs}, {chance}: {held}");
        }
    }
}

/// Effects over ranges rest on normal theory: good for what is common, poor for what is rare.
#[test]
fn means_over_trials_and_battles_hold_for_what_is_common() {
    let held = of_trials(1_000, 0.3, Level::P95, DRAWN);
    assert!((0.93..=1.0).contains(&held), "{held}");
    let rare = of_trials(100, 0.003, Level::P95, DRAWN);
    assert!(rare < 0.9, "{rare}");
}

/// Stopping where the interval is narrow enough: nearly as good as a number of battles that was fixed beforehand.
#[test]
fn intervals_at_the_precision_asked_for_keep_their_level() {
    for half_width in [0.1, 0.02] {
        let held = least(
            [1e-6, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5].map(|share| of_precision(half_width, share, Level::P95)),
        );
        assert!(held >= 0.945, "{half_width}: {held}");
    }
}
