//! The rules for stopping, in extreme cases and compared with known results.

use grognard_stats::{
    Evidence, Intervals, Kind, Level, Pairs, decide, evidence, mean, mean_exact, mean_watched, share, share_difference,
    share_difference_exact, share_difference_watched, share_exact, share_watched,
};

/// Differences of scores in half points: a win counts two, a draw one.
const SCORES: std::ops::RangeInclusive<i32> = -2..=2;

#[test]
fn none_one_all_and_draws() {
    let none = share_watched(0, 0, Level::P95);
    assert_eq!((none.point, none.low, none.high, none.runs), (0.5, 0.0, 1.0, 0));
    for runs in [1, 2, 1_000, 1_000_000_000] {
        let (nobody, all) = (share_watched(0, runs, Level::P95), share_watched(runs, runs, Level::P95));
        assert_eq!((nobody.point, nobody.low, all.point, all.high), (0.0, 0.0, 1.0, 1.0));
        assert!(nobody.high > 0.0 && nobody.high > share(0, runs, Level::P95).high, "{nobody:?}");
        assert!((all.low - (1.0 - nobody.high)).abs() < 1e-12, "{all:?}, {nobody:?}");
    }

    // One battle shows almost nothing.
    assert!(share_watched(1, 1, Level::P95).low < 0.01);
    // A count above the number of battles is taken as all of them.
    assert_eq!(share_watched(9, 5, Level::P95), share_watched(5, 5, Level::P95));

    // If every pair ends the same way, nothing is decided, and the interval still has a width.
    for runs in [1, 4_096, 1_000_000] {
        let alike = decide([(0, runs)], &SCORES, Level::P95);
        assert!(!alike.decided && alike.difference.holds(0.0) && alike.difference.half_width() > 0.0, "{alike:?}");
        assert_eq!(alike.evidence, Evidence { greater: 0.0, less: 0.0 });
        assert_eq!(alike.evidence.p_value(), 1.0);
    }
    let nothing = decide([], &SCORES, Level::P95);
    assert!(!nothing.decided && nothing.difference.runs == 0 && nothing.difference.holds(0.0));
    // If every pair is won, the matter is decided after a handful of pairs, but never after one.
    let won = |runs| decide([(2, runs)], &SCORES, Level::P95).decided;
    assert_eq!([won(1), won(5), won(15), won(1_000)], [false, false, true, true]);
    let lost = decide([(-2, 1_000)], &SCORES, Level::P95);
    assert!(lost.decided && lost.difference.high < 0.0 && lost.evidence.less > 0.0 && lost.evidence.greater < 0.0);
}

/// An interval contains exactly those means against which there is not enough evidence.
#[test]
fn intervals_and_evidence_say_the_same() {
    for (counts, range) in [
        ([(0, 700), (1, 300)].as_slice(), 0..=1),
        (&[(0, 9_990), (1, 10)], 0..=1),
        (&[(0, 40), (3, 12), (12, 5)], 0..=12),
        (&[(-2, 1_900), (-1, 30), (0, 90_000), (1, 10), (2, 2_400)], SCORES),
    ] {
        let counts = counts.iter().copied();
        let interval = mean_watched(counts.clone(), &range, Level::P95);
        let width = interval.high - interval.low;
        assert!(interval.low < interval.point && interval.point < interval.high, "{interval:?}");
        for (mean, held) in [
            (interval.low - 1e-6 * width, false),
            (interval.low + 1e-6 * width, true),
            (interval.point, true),
            (interval.high - 1e-6 * width, true),
            (interval.high + 1e-6 * width, false),
        ] {
            let against = evidence(counts.clone(), &range, mean).is_enough(Level::P95);
            assert_eq!(!against, held, "{mean} of {interval:?}");
        }
        // A decision means that the interval does not contain 0.
        let decided = decide(counts, &range, Level::P95);
        assert_eq!(decided.decided, !decided.difference.holds(0.0), "{decided:?}");
    }
}

/// An e-value is the gain of a fair bet: its mean over all possible results of battles is one, whatever their number.
#[test]
fn bets_are_fair() {
    let choose = |of: u64, count: u64| (0..count).map(|k| (of - k) as f64 / (k + 1) as f64).product::<f64>();
    for (runs, p) in [(1, 0.5), (7, 0.2), (40, 0.03)] {
        let (mut greater, mut less) = (0.0, 0.0);
        for count in 0..=runs {
            let chance = choose(runs, count) * f64::powi(p, count as i32) * f64::powi(1.0 - p, (runs - count) as i32);
            let seen = evidence([(0, runs - count), (1, count)], &(0..=1), p);
            greater += chance * seen.greater.exp();
            less += chance * seen.less.exp();
        }
        assert!((greater - 1.0).abs() < 1e-9 && (less - 1.0).abs() < 1e-9, "{runs}, {p}: {greater} and {less}");
    }
}

/// The cost of watching: an interval about twice as wide as for a fixed number of battles.
#[test]
fn watching_costs_about_twice_the_width() {
    for (count, runs) in [(2_048, 4_096), (50_000, 100_000), (500_000_000, 1_000_000_000), (10_000, 100_000)] {
        let ratio = share_watched(count, runs, Level::P95).half_width() / share(count, runs, Level::P95).half_width();
        assert!((1.7..2.2).contains(&ratio), "{count} of {runs}: {ratio}");
    }
    let counts = [(0, 5_000), (1, 3_000), (5, 2_000)];
    let sums = grognard_stats::Sums::of(counts);
    let ratio = mean_watched(counts, &(0..=12), Level::P95).half_width() / mean(sums, 0..=12, Level::P95).half_width();
    assert!((1.7..2.2).contains(&ratio), "{ratio}");
}

#[test]
fn mirrored_values_have_mirrored_intervals() {
    let own = mean_watched([(-2, 30), (0, 900), (1, 70)], &SCORES, Level::P95);
    let other = mean_watched([(-1, 70), (0, 900), (2, 30)], &SCORES, Level::P95);
    assert!((own.low + other.high).abs() < 1e-12 && (own.high + other.low).abs() < 1e-12, "{own:?}, {other:?}");
}

#[test]
fn each_kind_gives_its_own_intervals() {
    let of = |kind| Intervals { level: Level::P95, kind };
    assert_eq!(of(Kind::Wilson).share(30, 100), share(30, 100, Level::P95));
    assert_eq!(of(Kind::Exact).share(30, 100), share_exact(30, 100, Level::P95));
    assert_eq!(of(Kind::Watched).share(30, 100), share_watched(30, 100, Level::P95));
    let pairs = Pairs { both: 40, cell_only: 20, baseline_only: 5, neither: 35 };
    assert_eq!(of(Kind::Wilson).share_difference(pairs), share_difference(pairs, Level::P95));
    assert_eq!(of(Kind::Exact).share_difference(pairs), share_difference_exact(pairs, Level::P95));
    assert_eq!(of(Kind::Watched).share_difference(pairs), share_difference_watched(pairs, Level::P95));
    let counts = [(0, 40), (3, 12)];
    assert_eq!(of(Kind::Watched).mean(counts, 0..=12), mean_watched(counts, &(0..=12), Level::P95));
    assert_eq!(of(Kind::Wilson).mean(counts, 0..=12), mean(grognard_stats::Sums::of(counts), 0..=12, Level::P95));
    assert_eq!(of(Kind::Exact).mean(counts, 0..=12), mean_exact(counts, &(0..=12), Level::P95));
    assert_eq!(Intervals::at(Level::P95), of(Kind::Exact));
    // Twelve joint intervals: Bonferroni, with a kind that is valid in the tails.
    let twelve = of(Kind::Wilson).together(12);
    assert!((twelve.level.alpha() - 0.05 / 12.0).abs() < 1e-12 && twelve.kind == Kind::Exact);
    assert_eq!(of(Kind::Watched).together(12).kind, Kind::Watched);
}
