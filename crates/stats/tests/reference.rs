//! Comparisons with numbers computed elsewhere. If no table is named, they come from SciPy 1.x: `scipy.stats.norm`,
//! `beta`, `t`, `binomtest`, `ttest_rel`, and, for Tango's interval, a numerical search over the likelihood of the four
//! joint counts.

use grognard_stats::{
    Estimate, Level, Pairs, Sums, bonferroni, holm, mean, mean_exact, mean_p_value, risk_unseen, share,
    share_difference, share_exact,
};

fn assert_close(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{got} is not {want} ± {tolerance}");
}

fn assert_ends(got: Estimate, low: f64, high: f64, tolerance: f64) {
    assert_close(got.low, low, tolerance);
    assert_close(got.high, high, tolerance);
}

#[test]
fn normal_quantiles() {
    // Source: any table of the normal distribution.
    assert_close(Level::P95.z(), 1.959_963_984_540_054, 1e-10);
    assert_close(Level::P99.z(), 2.575_829_303_548_901, 1e-10);
}

#[test]
fn levels_out_of_range_are_refused() {
    assert!([0.0, 0.49, 1.0, 1.5, -1.0, f64::NAN].into_iter().all(|level| Level::new(level).is_none()));
    assert_eq!(Level::new(0.9).map(Level::get), Some(0.9));
}

/// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
/// methods 3 (Wilson) and 5 (Clopper–Pearson), at 95 %.
#[test]
fn shares_of_newcombe_1998() {
    let table = [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.1611), (0.0, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ];
    for (count, runs, wilson, exact) in table {
        assert_ends(share(count, runs, Level::P95), wilson.0, wilson.1, 5e-5);
        assert_ends(share_exact(count, runs, Level::P95), exact.0, exact.1, 5e-5);
    }
}

#[test]
fn exact_shares_of_large_counts() {
    assert_ends(share_exact(240_250, 250_000, Level::P95), 0.960_233_758_602_654, 0.961_755_529_975_274, 1e-10);
    assert_ends(share_exact(500_000, 1_000_000, Level::P95), 0.499_019_519_195_311, 0.500_980_480_804_688, 1e-10);
    assert_ends(share_exact(7, 1_000_000_000, Level::P95), 2.814_363_056e-9, 1.442_267_536_4e-8, 1e-14);
}

#[test]
fn shares_at_the_ends() {
    // Closed forms: 1 − 0.025^(1/n) and its mirror image.
    assert_ends(share_exact(3, 3, Level::P95), 0.025_f64.cbrt(), 1.0, 1e-12);
    assert_ends(share_exact(0, 1, Level::P95), 0.0, 0.975, 1e-12);
    for estimate in [share(0, 0, Level::P95), share_exact(0, 0, Level::P95)] {
        assert_eq!((estimate.point, estimate.low, estimate.high, estimate.runs), (0.5, 0.0, 1.0, 0));
    }
    for runs in [1, 2, 1_000_000] {
        for estimate in [share(0, runs, Level::P95), share_exact(0, runs, Level::P95)] {
            assert_eq!((estimate.point, estimate.low), (0.0, 0.0));
            assert!(estimate.high > 0.0);
        }
        for estimate in [share(runs, runs, Level::P95), share_exact(runs + 5, runs, Level::P95)] {
            assert_eq!((estimate.point, estimate.high), (1.0, 1.0));
            assert!(estimate.low < 1.0);
        }
    }
}

#[test]
fn unseen_is_not_impossible() {
    // The rule of three: Hanley and Lippman-Hand, JAMA 249 (1983) 1743.
    assert_close(risk_unseen(1_000, Level::P95) * 1_000.0, 3.0, 0.01);
    assert_close(risk_unseen(1, Level::P95), 0.95, 1e-12);
    assert_close(risk_unseen(0, Level::P95), 1.0, 0.0);
}

/// 5 0 3 3 8 2 2 7 1 4, as values with counts.
const TEN: [(i32, u64); 8] = [(0, 1), (1, 1), (2, 2), (3, 2), (4, 1), (5, 1), (7, 1), (8, 1)];

/// Mean 3.5, Student's interval with 9 degrees of freedom.
#[test]
fn mean_of_ten() {
    let sums = Sums::of(TEN);
    assert_eq!(sums, Sums { runs: 10, sum: 35, squares: 181 });
    let estimate = mean(sums, 0..=30, Level::P95);
    assert_close(estimate.point, 3.5, 1e-12);
    assert_ends(estimate, 1.676_190_588_636_111, 5.323_809_411_363_889, 1e-7);
}

#[test]
fn means_without_variance_keep_a_width() {
    // Each of 100 battles lost 4 of at most 30: up to 1 − 0.05^(1/100) = 0.029513 of battles may lose anything from 0
    // to 30.
    let estimate = mean(Sums { runs: 100, sum: 400, squares: 1_600 }, 0..=30, Level::P95);
    assert_ends(estimate, 4.0 - 4.0 * 0.029_513_049_6, 4.0 + 26.0 * 0.029_513_049_6, 1e-8);
    let one = mean(Sums { runs: 1, sum: 4, squares: 16 }, 0..=30, Level::P95);
    assert_ends(one, 0.2, 28.7, 1e-9);
    let none = mean(Sums::default(), 0..=30, Level::P95);
    assert_eq!((none.point, none.low, none.high, none.runs), (15.0, 0.0, 30.0, 0));
}

#[test]
fn a_mean_of_noughts_and_ones_is_a_share() {
    assert_eq!(mean(Sums { runs: 29, sum: 1, squares: 1 }, 0..=1, Level::P95), share(1, 29, Level::P95));
}

#[test]
fn a_count_that_cannot_vary_is_computed() {
    assert!(mean(Sums { runs: 7, sum: 0, squares: 0 }, 0..=0, Level::P95).is_computed());
}

#[test]
fn paired_shares() {
    let table = [
        (150, 86, 1_600, (0.021_361_564_6, 0.058_998_033_4)), // the counts of Agresti and Min (2005), table 1
        (8, 3, 30, (-0.054_823_036, 0.376_354_961)),
        (1, 0, 44, (-0.059_393_231, 0.118_077_097)), // the counts of Tango (1998), section 5
        (12, 2, 50, (0.061_112_407, 0.344_708_748)),
        (14, 0, 50, (0.174_741_707, 0.416_651_237)),
        (3, 0, 1_000, (-0.000_838_239, 0.008_783_014)),
        (130_000, 9_000, 250_000, (0.481_774_213, 0.486_221_176)),
    ];
    for (cell_only, baseline_only, runs, (low, high)) in table {
        let both = (runs - cell_only - baseline_only) / 2;
        let pairs = Pairs { both, cell_only, baseline_only, neither: runs - cell_only - baseline_only - both };
        let estimate = share_difference(pairs, Level::P95);
        assert_ends(estimate, low, high, 5e-8);
        let swapped = Pairs { cell_only: baseline_only, baseline_only: cell_only, ..pairs };
        assert_ends(share_difference(swapped, Level::P95), -high, -low, 5e-8);
    }
}

#[test]
fn paired_shares_at_the_ends() {
    // No pair differs: z²/(n + z²), Tango's closed form.
    let none = share_difference(Pairs { both: 20, neither: 24, ..Pairs::default() }, Level::P95);
    assert_ends(none, -0.080_295_603_758, 0.080_295_603_758, 1e-9);
    for runs in [1, 10, 1_000_000] {
        let all = share_difference(Pairs { cell_only: runs, ..Pairs::default() }, Level::P95);
        assert_eq!((all.point, all.high), (1.0, 1.0));
        assert!(all.low < 1.0 && all.low > -1.0);
    }
    let nothing = share_difference(Pairs::default(), Level::P95);
    assert_eq!((nothing.point, nothing.low, nothing.high, nothing.runs), (0.0, -1.0, 1.0, 0));
}

#[test]
fn variance_ratios_and_p_values_of_paired_shares() {
    // Equal margins of one half: the ratio is 1 − the correlation of the pairs, here 2·20/100.
    let pairs = Pairs { both: 40, cell_only: 10, baseline_only: 10, neither: 40 };
    assert_close(pairs.variance_ratio().unwrap(), 0.4, 1e-12);
    assert_eq!(Pairs { both: 9, ..Pairs::default() }.variance_ratio(), None);
    assert_eq!(Pairs::default().variance_ratio(), None);

    let p = |cell_only, baseline_only| Pairs { cell_only, baseline_only, ..Pairs::default() }.p_value();
    assert_close(p(8, 3), 0.226_562_5, 1e-12);
    assert_close(p(150, 86), 3.715_936_139_571_386_6e-5, 1e-12);
    assert_close(p(14, 0), 0.000_122_070_312_5, 1e-14);
    assert_close(p(5, 5), 1.0, 0.0);
    assert_close(p(0, 0), 1.0, 0.0);
}

/// 5 0 3 3 8 2 2 7 1 4 against 1 1 2 3 9 0 2 4 1 2.
#[test]
fn paired_means() {
    let cell = Sums::of(TEN);
    let baseline = Sums::of([(0, 1), (1, 3), (2, 3), (3, 1), (4, 1), (9, 1)]);
    let paired = Sums { runs: 10, sum: 10, squares: 36 };
    let estimate = mean(paired, -30..=30, Level::P95);
    assert_close(estimate.point, 1.0, 1e-12);
    assert_ends(estimate, -0.215_872_940_909, 2.215_872_940_909, 1e-7);
    assert_close(paired.variance_ratio(&cell, &baseline).unwrap(), 2.0 / 9.0, 1e-12);
}

#[test]
fn paired_means_at_the_ends() {
    let same = Sums { runs: 100, sum: 0, squares: 0 };
    assert_ends(mean(same, -10..=10, Level::P95), -0.295_130_496, 0.295_130_496, 1e-8);
    let shifted = Sums { runs: 100, sum: -300, squares: 900 };
    assert!(mean(shifted, -10..=10, Level::P95).half_width() > 0.0);
    assert_eq!(mean(Sums::default(), -10..=10, Level::P95).low, -10.0);
    assert_eq!(Sums::default().variance_ratio(&Sums::default(), &Sums::default()), None);
}

/// A level's interval contains exactly those means whose p-value is at least one minus the level.
#[test]
fn p_values_of_means_go_with_their_intervals() {
    let range = -12..=12;
    for counts in [
        vec![(0, 997), (12, 3)],
        vec![(-1, 40), (0, 900), (1, 60)],
        vec![(-12, 1), (0, 20), (2, 9)],
        vec![(0, 100)],
        vec![(12, 50)],
    ] {
        let of = |mean: f64| mean_p_value(counts.iter().copied(), &range, mean);
        for level in [Level::P95, Level::P99, bonferroni(Level::P95, 1_000)] {
            let interval = mean_exact(counts.iter().copied(), &range, level);
            for (end, outward) in [(interval.low, -1.0), (interval.high, 1.0)] {
                if end.abs() < 12.0 {
                    assert!((of(end) / level.alpha() - 1.0).abs() < 1e-6, "{counts:?}: {} at {end}", of(end));
                    assert!(of(end + 0.01 * outward) < level.alpha(), "{counts:?} at {end}");
                }
            }
        }
        assert_close(of(mean_exact(counts.iter().copied(), &range, Level::P95).point), 1.0, 0.1);
    }
    // For a share it is the exact binomial p-value: twice 0.5¹⁰.
    assert_close(mean_p_value([(1, 10)], &(0..=1), 0.5), 2.0 / 1_024.0, 1e-12);
    assert_close(mean_p_value([], &range, 0.0), 1.0, 0.0);
}

#[test]
fn many_comparisons() {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
    for (got, want) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
        assert_close(*got, want, 1e-12);
    }
    assert!(holm(&[]).is_empty());
    assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    assert_close(bonferroni(Level::P95, 10).get(), 0.995, 1e-12);
    assert_eq!(bonferroni(Level::P95, 0), Level::P95);
    assert!(bonferroni(Level::P95, usize::MAX).get() < 1.0);
}
