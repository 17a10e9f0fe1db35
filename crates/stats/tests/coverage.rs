//! Measured coverage: how often the 95 % interval contains the true value.
//!
//! Coverage of shares, of means and differences of three values, of ratios, of shares with the luck removed, and of
//! shares that are watched or fought to a precision is summed over all possible counts: there is no seed, no sample and
//! no false alarm. The rest is simulated with fixed seeds, and tolerances are four standard errors. `just covered` does
//! the same over the whole range for the documentation.

use crate::covered::drawn::{
    Dice, Studies, Value, of_decisions, of_kept_pairs, of_pooled, of_precise_means, of_some_battles, of_some_rounds,
    of_study, of_tests,
};
use crate::covered::normal::{
    of_kept_means, of_luck_means, of_ratio_difference, of_tests_of_means, of_tests_of_shares,
};
use crate::covered::{of_looks, of_luck, of_precision, of_ratio, of_share, of_three, of_two, of_values, of_watched};
use grognard_stats::{
    Estimate, Intervals, Kind, Level, Pairs, Sums, bonferroni, mean, mean_exact, share, share_difference, share_exact,
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

/// Chances from one in a million to all but one in a million, most closely spaced where an event happens a few times in
/// `runs`.
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
    // For one interval, and for one of a hundred that are simultaneous.
    for level in [Level::P95, bonferroni(Level::P95, 100)] {
        for runs in [30, 190, 1_000, 1_000_000] {
            let exact = least(chances(runs).into_iter().map(|chance| of_share(share_exact, runs, chance, level)));
            assert!(exact >= level.get() - 1e-7, "{runs} at {level:?}: {exact}");
        }
    }
    // Why Wilson's intervals are not the default: for an event with probability 0.000126, one in ten of them from 1,000
    // battles misses, and in the worst case one in six.
    assert!((of_share(share, 1_000, 0.000_126, Level::P95) - 0.8816).abs() < 0.001);
    assert!(least(chances(1_000).into_iter().map(|chance| of_share(share, 1_000, chance, Level::P95))) < 0.85);
    assert_eq!(Intervals::default().share(1, 1_000), share_exact(1, 1_000, Level::P95));
}

/// However often it is checked, a watched share stays within its interval.
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
    // Plain intervals do not keep their level: for a share of one half, one study in six has a miss at one of the
    // checks.
    let plain = of_looks(&looks, 0.5, |count, runs| share_exact(count, runs, Level::P95).holds(0.5));
    assert!((0.82..0.84).contains(plain.last().expect("six looks")), "{plain:?}");
    // One look is a plain interval.
    let once = of_looks(&[1_000], 0.1, |count, runs| share_exact(count, runs, Level::P95).holds(0.1))[0];
    assert!((once - of_share(share_exact, 1_000, 0.1, Level::P95)).abs() < 1e-12);
}

/// Ratios rest on normal theory, which holds for common events and fails for rare ones. The interval of a share with
/// the luck removed keeps its level.
#[test]
fn ratios_hold_for_what_is_common_and_shares_without_luck_always() {
    let ratio = |chance: f64, runs: u64| of_ratio(runs, chance, Level::P95);
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

/// Simultaneous intervals of shares: whatever the shares are, all intervals hold at once with at least the stated
/// probability.
#[test]
fn joint_intervals_of_shares_hold_together() {
    for runs in [190, 500, 1_000] {
        // One hundred independent shares, at the rarity that is worst for the intervals.
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

/// Differences of pairs: the cell alone and the baseline alone have the event with these probabilities.
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
    // Tango's interval: 93 % if nothing is lost and four battles are gained.
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
    // Student's interval for an event that happens three times misses one in five.
    assert!(of_three(student, [0, 1, 12], [0.0, 0.003], 1_000) < 0.82);
}

/// Two battles with the same dice are not two observations: at worst, they always have the same result.
#[test]
fn shares_of_battles_fought_both_ways_keep_their_level() {
    for (rounds, chances) in
        [(15, [0.0, 0.5]), (15, [0.3, 0.2]), (500, [0.0, 0.003]), (500, [0.01, 0.002]), (500, [0.8, 0.1])]
    {
        let held = of_values(Intervals::default(), rounds, chances);
        assert!(held >= 0.95, "{rounds}, {chances:?}: {held}");
    }
    let as_if_alone = |counts: [(i32, u64); 3]| {
        let alone = Intervals::default().share(2 * counts[2].1, 1_000);
        Estimate { low: 2.0 * alone.low, high: 2.0 * alone.high, ..alone }
    };
    assert!(of_three(as_if_alone, [0, 1, 2], [0.0, 0.5], 500) < 0.85, "each battle was an observation");
}

#[test]
fn independent_differences_keep_their_level() {
    for level in [Level::P95, bonferroni(Level::P95, 100)] {
        for (runs, one, other) in [
            (30, 0.5, 0.5),
            (30, 0.9, 0.5),
            (30, 0.03, 0.1),
            (100_000, 1e-6, 1e-6),
            (100_000, 3e-5, 1e-6),
            (100_000, 3e-5, 5e-5),
            (1_000_000, 1.0 - 3e-6, 0.5),
        ] {
            let held = of_two(Intervals::at(level), runs, [one, other]);
            assert!(held >= level.get() - 1e-5, "{runs}, {one}, {other}: {held} at {level:?}");
        }
    }
}

#[test]
fn paired_shares() {
    // Both see the same draw, each with a little separate noise: the cell wins above 0.3, the baseline above 0.5.
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

/// 500 studies each, with a tolerance of four standard errors: a false alarm in one case in 30,000 for each number.
const DRAWN: Studies = Studies { count: 500, seed: 1_815 };
const OF_DRAWN: f64 = 4.0 * 0.0097;

/// Shares of battles from one in a million to a half, and the rare ones that are worst for this many battles.
fn shares_for(runs: u64) -> [f64; 4] {
    [1e-6, 0.3 / runs as f64, 3.0 / runs as f64, 0.5].map(|share| share.clamp(1e-6, 0.5))
}

/// Checks the simulations themselves: 4,000 draws have the right mean and variance, within five standard errors.
#[test]
fn draws_follow_their_distribution() {
    for (runs, chance) in [(30, 0.9), (1_000, 0.3), (1_000_000, 3e-6), (1_000_000, 0.5)] {
        let draws: Vec<f64> = (0..4_000).map(|study| Dice::of(7, study).successes(runs, chance) as f64).collect();
        let (mean, variance) = (runs as f64 * chance, runs as f64 * chance * (1.0 - chance));
        let found = draws.iter().sum::<f64>() / 4_000.0;
        assert!((found - mean).abs() < 5.0 * (variance / 4_000.0).sqrt(), "{runs}, {chance}: {found}, not {mean}");
        let squares = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / 4_000.0;
        // A Poisson variable's fourth moment is larger by one over its variance.
        let error = variance * ((2.0 + 1.0 / variance) / 4_000.0).sqrt();
        assert!((squares - variance).abs() < 5.0 * error, "{runs}, {chance}: {squares}, not {variance}");
    }
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
    // Student's interval for rare losses: the many battles without losses hide the few with them.
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

/// Shares above one half need no separate simulation: the interval of an event's absence mirrors that of the event.
#[test]
fn the_intervals_of_opposites_are_mirror_images() {
    let is_mirrored = |one: Estimate, other: Estimate, most: f64| {
        let ends = [(one.low, other.high), (one.high, other.low), (one.point, other.point)];
        ends.iter().all(|(one, other)| (one + other - most).abs() < 1e-9)
    };
    for kind in [Kind::Exact, Kind::Wilson, Kind::Watched] {
        let intervals = Intervals { kind, ..Intervals::default() };
        for (count, runs) in [(0, 30), (1, 30), (7, 1_000), (3, 1_000_000), (400_000, 1_000_000)] {
            let [own, other] = [count, runs - count].map(|count| intervals.share(count, runs));
            assert!(is_mirrored(own, other, 1.0), "{kind:?}, {count}: {own:?}, {other:?}");
            let losses = |values: [i32; 3]| intervals.mean(values.into_iter().zip([runs - count, count, 1]), 0..=12);
            let (own, other) = (losses([0, 1, 12]), losses([12, 11, 0]));
            assert!(is_mirrored(own, other, 12.0), "{kind:?}, {count}: {own:?}, {other:?}");
            let pairs = |cell_only, baseline_only| {
                intervals.share_difference(Pairs { both: 0, cell_only, baseline_only, neither: runs })
            };
            let (own, other) = (pairs(count, 2), pairs(2, count));
            assert!(is_mirrored(own, other, 0.0), "{kind:?}, {count}: {own:?}, {other:?}");
        }
    }
}

/// Metrics that only some battles have, and their difference from a cell with correlated battles; and differences for
/// which only some pairs were kept.
#[test]
fn numbers_of_some_battles_keep_their_level() {
    let studies = Studies { count: 300, ..DRAWN };
    for runs in [30, 1_000] {
        for chance in [0.05, 0.5, 0.999] {
            for differs in [false, true] {
                let held = of_some_battles(Intervals::default(), runs, chance, differs, studies);
                assert!(held.is_some_and(|held| held >= 0.95 - 4.0 * 0.0126), "{runs}, {chance}, {differs}: {held:?}");
            }
        }
    }
    for (runs, chance) in [(1_000, 1e-6), (1_000, 0.003), (1_000, 0.5), (1_000_000, 1e-4), (1_000_000, 0.999)] {
        let held = of_kept_pairs(Level::P95, runs, chance, studies);
        assert!(held >= 0.95 - 4.0 * 0.0126, "{runs}, {chance}: {held}");
    }
}

/// Intervals that rest on normal theory hold for common events.
#[test]
fn normal_theory_holds_for_what_is_common() {
    let noise = 4.0 * 0.0126;
    let studies = Studies { count: 300, ..DRAWN };
    let level = Level::P95;
    for held in [
        of_ratio_difference(1_000, 0.3, level, studies),
        of_luck_means(Intervals::default(), 1_000, 0.3, studies),
        of_kept_means(level, 1_000, 0.3, studies).expect("pairs differ"),
        of_tests_of_shares(1_000, 0.3, level, studies),
        of_tests_of_means(1_000, 0.3, level, studies),
    ] {
        assert!((0.95 - noise..=1.0).contains(&held), "{held}");
    }
    // Differences of ratios for an event that happens six times in a thousand battles: seven intervals in a hundred
    // miss.
    let rare = of_ratio_difference(1_000, 0.0056, level, Studies { count: 4_000, ..DRAWN });
    assert!((0.91..0.94).contains(&rare), "{rare}");
}

/// Shares over several cells, means over the battles that have a value in rounds with the same dice, and decisions
/// between cells that score the same.
#[test]
fn numbers_over_cells_and_rounds_and_decisions_keep_their_level() {
    let studies = Studies { count: 300, ..DRAWN };
    for runs in [30, 1_000] {
        for chance in shares_for(runs) {
            let held = of_pooled(Intervals::default(), runs, chance, studies);
            assert!(held >= 0.95 - 4.0 * 0.0126, "{runs}, {chance}: {held}");
            let held = of_decisions(&[30, 60, 120, 240, 480, 1_000], chance, Level::P95, studies);
            assert!(held >= 0.95 - 4.0 * 0.0126, "{runs}, {chance}: {held}");
        }
        for chance in [0.05, 0.5, 0.999] {
            let held = of_some_rounds(Intervals::default(), runs, chance, studies);
            assert!(held.is_some_and(|held| held >= 0.95 - 4.0 * 0.0126), "{runs}, {chance}: {held:?}");
        }
    }
}

/// Stopping when the interval is narrow enough is nearly as good as a number of battles fixed beforehand.
#[test]
fn intervals_at_the_precision_asked_for_keep_their_level() {
    for half_width in [0.1, 0.02] {
        let held = least(
            [1e-6, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.35, 0.5].map(|share| of_precision(half_width, share, Level::P95)),
        );
        assert!(held >= 0.945, "{half_width}: {held}");
        // These are the means of such a study.
        for chance in [0.01, 0.5] {
            let held = of_precise_means(Level::P95, half_width, chance, Studies { count: 300, ..DRAWN });
            assert!(held >= 0.945 - 4.0 * 0.0132, "{half_width}, {chance}: {held}");
        }
    }
}
