//! Estimates in print.

use grognard_stats::{Estimate, Level, Pairs, Sums, decimals, mean, rounded_up, share, share_difference, worth};

#[test]
fn digits_follow_the_interval() {
    for (half_width, places) in [(30.0, 0), (1.0, 0), (0.96, 0), (0.94, 1), (0.21, 1), (0.1, 1), (0.08, 2), (0.0016, 3)]
    {
        assert_eq!(decimals(half_width), places, "{half_width}");
    }
    assert_eq!(decimals(0.0), 3);
    assert_eq!(decimals(1e-12), 6);
    assert_eq!(decimals(f64::NAN), 0);
}

#[test]
fn a_margin_is_never_understated() {
    for (half_width, places, printed) in [
        (0.21, 1, 0.3),
        (0.3, 1, 0.3),
        (0.1 + 0.2, 1, 0.3),
        (0.01, 1, 0.1),
        (0.0, 1, 0.1),
        (3.2, 0, 4.0),
        (0.081, 2, 0.09),
    ] {
        assert_eq!(rounded_up(half_width, places), printed, "{half_width}");
    }
}

#[test]
fn shares_in_per_cent() {
    assert_eq!(share(31_712, 33_000, Level::P95).percent(), "96.1 % (95.9–96.3)");
    assert_eq!(share(478, 1_000, Level::P95).percent(), "48 % (45–51)");
    assert_eq!(share(478, 1_000, Level::P95).percent_point(), "48 %");
    assert_eq!(Estimate::computed(0.961_324).percent(), "96.132 % (computed)");
    assert_eq!(share(0, 0, Level::P95).percent(), "unknown (no battles)");
    assert_eq!(share(0, 0, Level::P95).percent_point(), "?");
}

/// A computed number is printed with no more digits than are certain, and no more than any computed number.
#[test]
fn computed_within_bounds() {
    let within = |half: f64| Estimate::bounded(0.961_324, 0.961_324 - half, 0.961_324 + half);
    assert_eq!(within(0.004).percent(), "96.1 % (computed)");
    assert_eq!(within(1e-9).percent(), "96.132 % (computed)");
    assert_eq!(within(1e-9).plain(), "0.961 (computed)");
    assert!(within(0.004).is_computed() && Estimate::computed(0.5).is_computed());
}

#[test]
fn none_and_all_say_how_far_that_goes() {
    // z²/(n + z²) = 0.0015366 % for 250,000.
    assert_eq!(share(0, 250_000, Level::P95).percent(), "0 % (at most 0.0015)");
    assert_eq!(share(250_000, 250_000, Level::P95).percent(), "100 % (at least 99.9985)");
    assert_eq!(share(0, 250_000, Level::P95).percent_point(), "0 %");
    assert_eq!(share(0, 250_000, Level::P95).percent_told(), "0 % (at most 0.0015)");
    assert_eq!(share(478, 1_000, Level::P95).percent_told(), "48 %");
    assert_eq!(Estimate::computed(0.0).percent_told(), "0 %");
}

#[test]
fn some_is_never_printed_as_none_or_all() {
    assert_eq!(share(1, 300, Level::P95).percent_point(), "0.3 %");
    assert_eq!(share(299, 300, Level::P95).percent_point(), "99.7 %");
    assert_eq!(share(29_999, 30_000, Level::P95).percent(), "99.997 % (99.981–99.999)");
    assert_eq!(Estimate::computed(1e-5).percent_point(), "0.001 %");
    assert_eq!(Estimate::computed(1e-6).percent_point(), "0.0001 %");
}

#[test]
fn differences_in_points() {
    let pairs = Pairs { both: 119_000, cell_only: 121_250, baseline_only: 500, neither: 9_250 };
    assert_eq!(share_difference(pairs, Level::P95).points(), "+48.3 points (+48.1 to +48.5)");
    let level = share_difference(Pairs { both: 50, neither: 50, ..Pairs::default() }, Level::P95);
    assert_eq!(level.points(), "0 points (\u{2212}4 to +4)");
    assert_eq!(share_difference(Pairs::default(), Level::P95).points(), "unknown (no battles)");
}

#[test]
fn means() {
    let sums = Sums { runs: 10_000, sum: 21_400, squares: 56_000 };
    assert_eq!(mean(sums, 0..=30, Level::P95).plain(), "2.14 (2.12–2.16)");
    assert_eq!(Estimate::computed(2.5).plain(), "2.500 (computed)");
    let difference = Estimate { point: -0.004, low: -0.05, high: 0.042, level: Level::P95, runs: 100 };
    assert_eq!(difference.difference(), "0.00 (\u{2212}0.05 to +0.04)");
}

#[test]
fn what_pairing_is_worth_is_said_in_two_digits() {
    let said = |times: f64| worth(Some(1.0 / times));
    assert_eq!([said(0.94), said(2.26), said(9.96), said(46.4)], ["×0.9", "×2.3", "×10", "×46"]);
    assert_eq!([said(134.0), said(2_345.0), said(52_000.0)], ["×130", "×2300", "×5e4"]);
    assert_eq!([worth(None), worth(Some(0.0))], ["–", "–"]);
}
