//! Differences between battles that were not paired, or whose pairs are only partly known.

use grognard_stats::{
    Level, Pairs, Sums, independent_difference, independent_means_p_value, independent_shares_p_value, mean_from_known,
    pairs_from_known, share, share_difference,
};

/// Newcombe, *Statistics in Medicine* 17 (1998) 873, table II, method 10.
#[test]
fn newcombes_examples() {
    for (one, other, low, high) in
        [((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090), ((5, 56), (0, 29), -0.0381, 0.1926)]
    {
        let estimate = |(count, runs): (u64, u64)| share(count, runs, Level::P95);
        let apart = independent_difference(&estimate(one), &estimate(other));
        assert!((apart.low - low).abs() < 5e-5 && (apart.high - high).abs() < 5e-5, "{apart:?}");
        assert_eq!(apart.runs, one.1.min(other.1));
    }
}

#[test]
fn p_values_of_independent_battles() {
    // R: prop.test(c(56, 48), c(70, 80), correct = FALSE) gives z² = 7.0234.
    assert!((independent_shares_p_value((56, 70), (48, 80)) - 0.00804).abs() < 5e-5);
    assert_eq!(independent_shares_p_value((0, 10), (0, 20)), 1.0);
    assert_eq!(independent_shares_p_value((0, 0), (0, 20)), 1.0);
    // t = −3/√2.5 = −1.8974 with 6.25/1.0625 = 5.8824 degrees of freedom; both tails, from integrating the density:
    // 0.10753.
    let sums = |values: [i32; 5]| Sums::of(values.map(|value| (value, 1)));
    let (one, other) = (sums([1, 2, 3, 4, 5]), sums([2, 4, 6, 8, 10]));
    assert!((independent_means_p_value(&one, &other) - 0.10753).abs() < 5e-5);
    assert_eq!(independent_means_p_value(&one, &one), 1.0);
    let constant = |value: i32| Sums::of([(value, 5)]);
    assert_eq!(independent_means_p_value(&constant(1), &constant(2)), 0.0);
}

#[test]
fn pairs_that_are_known_stand_for_all() {
    // 10,000 pairs, 1,000 of them known: 100 differ, so at most 11.7 % do (Clopper–Pearson, one-sided 95 %: 0.1170).
    let known = Pairs { both: 500, cell_only: 60, baseline_only: 40, neither: 400 };
    let all = pairs_from_known(&known, 5_600, 5_400, 10_000, Level::P95);
    assert_eq!(all.runs(), 10_000);
    assert_eq!((all.both + all.cell_only, all.both + all.baseline_only), (5_600, 5_400));
    let differing = (all.cell_only + all.baseline_only) as f64 / 10_000.0;
    assert!((differing - 0.117).abs() < 0.001, "{differing}");
    // The point estimate is that of all battles, and the interval is wider than it would be if the known share were
    // certain.
    let apart = share_difference(all, Level::P95);
    assert!((apart.point - 0.02).abs() < 1e-12);
    let certain = Pairs { both: 5_000, cell_only: 600, baseline_only: 400, neither: 4_000 };
    assert!(apart.half_width() > share_difference(certain, Level::P95).half_width());
    // No more pairs differ than the counts allow, and no fewer than they require.
    let none = Pairs { both: 500, neither: 500, ..Pairs::default() };
    let needed = pairs_from_known(&none, 9_000, 1_000, 10_000, Level::P95);
    assert_eq!((needed.cell_only, needed.baseline_only), (8_000, 0));
    let most = Pairs { cell_only: 500, baseline_only: 500, ..Pairs::default() };
    let rare = pairs_from_known(&most, 3, 2, 10_000, Level::P95);
    assert_eq!((rare.cell_only, rare.baseline_only, rare.both), (3, 2, 0));
}

#[test]
fn means_from_known_pairs() {
    // Differences −1, 0 and 1 equally often: variance 2/3 · 300/299; over all battles, the differences sum to 50.
    let known = Sums::of([(-1, 100), (0, 100), (1, 100)]);
    let (estimate, p) = mean_from_known(50, 1_000, &known, -5..=5, Level::P95).expect("they vary");
    // Student's quantile for 299 degrees of freedom is 1.9679 (R: qt(0.975, 299)).
    let half = 1.9679 * (2.0 / 3.0 * 300.0 / 299.0 / 1_000.0_f64).sqrt();
    assert!((estimate.point - 0.05).abs() < 1e-12 && (estimate.half_width() - half).abs() < 1e-5, "{estimate:?}");
    // t = 0.05 / 0.02586 = 1.9332: R: 2 * pt(-1.9332, 299) is 0.0541.
    assert!((p - 0.0541).abs() < 2e-4, "{p}");
    assert!(mean_from_known(50, 1_000, &Sums::of([(1, 300)]), -5..=5, Level::P95).is_none());
    assert!(mean_from_known(0, 0, &known, -5..=5, Level::P95).is_none());
}
