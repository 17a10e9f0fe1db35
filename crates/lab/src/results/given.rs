//! Means over only the battles of a cell that have the number, such as the turn of the first rout.
//!
//! Tallies count battles without it under 0. Given how many battles have the number, their values are independent
//! draws, so the intervals are the usual ones for that many battles.

use grognard_stats::{Estimate, Intervals, bonferroni, tied_difference};

use crate::exact::Odds;
use crate::intervals;
use crate::tally::Histogram;

/// The mean over the battles that have a value, from 1 to `most`; `None` if no battle has one. `rounds` says whether
/// every two battles had the same dice.
pub(crate) fn mean_given(counts: &Histogram, most: i64, rounds: bool, intervals: Intervals) -> Option<Estimate> {
    let those = || counts.iter().filter(|&(value, _)| value > 0);
    let most = i32::try_from(most).map_or(i32::MAX / 2, |most| most.clamp(1, i32::MAX / 2));
    let runs: u64 = those().map(|(_, count)| count).sum();
    if runs == 0 {
        return None;
    }
    if !rounds {
        return Some(intervals::mean(those(), 1..=most, intervals));
    }
    Some(intervals.mean_of_rounds(those().collect(), 1..=most))
}

/// The cell's mean minus the baseline's, each over the battles that have a value; `None` if either has none. The shared
/// dice correlate the two means in an unknown way, so the interval combines two intervals that hold together.
pub(crate) fn difference_given(
    [own, base]: [&Histogram; 2],
    most: i64,
    rounds: bool,
    intervals: Intervals,
) -> Option<Estimate> {
    let both = Intervals { level: bonferroni(intervals.level, 2), ..intervals };
    let mean = |counts: &Histogram| mean_given(counts, most, rounds, both);
    Some(tied_difference(&mean(own)?, &mean(base)?, intervals.level))
}

/// The mean over the battles that have a value, from computed odds. Its limits allow for battles with the probability
/// `left_out`, which may have any value up to `most`.
pub(crate) fn odds_given(odds: &Odds, left_out: f64, most: i64) -> Option<Estimate> {
    let those = || odds.values.iter().filter(|(value, _)| *value > 0);
    let chance: f64 = those().map(|(_, number)| number.value).sum();
    if chance <= 0.0 {
        return None;
    }
    let sum: f64 = those().map(|(value, number)| f64::from(*value) * number.value).sum();
    let point = odds.mean.value;
    if left_out == 0.0 {
        return Some(Estimate::bounded(point, point, point));
    }
    let with = |value: f64| (sum + left_out * value) / (chance + left_out);
    Some(Estimate::bounded(point, with(1.0).min(point), with(most.max(1) as f64).max(point)))
}

#[cfg(test)]
mod tests {
    use grognard_exact::Number;

    use super::*;

    fn counts(pairs: &[(i32, u64)]) -> Histogram {
        pairs.iter().copied().collect()
    }

    #[test]
    fn battles_without_one_do_not_count() {
        let intervals = Intervals::default();
        let found = mean_given(&counts(&[(0, 900), (2, 30), (4, 70)]), 8, false, intervals).unwrap();
        // (2 · 30 + 4 · 70) / 100.
        assert_eq!((found.point, found.runs), (3.4, 100));
        let alone = intervals.mean([(2, 30), (4, 70)], 1..=8);
        assert_eq!((found.low, found.high), (alone.low, alone.high));
        assert_eq!(mean_given(&counts(&[(0, 900)]), 8, false, intervals), None);
        let rounds = mean_given(&counts(&[(0, 900), (2, 30), (4, 70)]), 8, true, intervals).unwrap();
        assert_eq!((rounds.point, rounds.runs), (3.4, 100));
        assert!(rounds.low < found.low && rounds.high > found.high);
        // One battle says almost nothing about battles fought both ways.
        let one = mean_given(&counts(&[(0, 900), (2, 1)]), 8, true, intervals).unwrap();
        assert_eq!((one.point, one.low, one.high), (2.0, 1.0, 8.0));
    }

    #[test]
    fn a_difference_holds_whatever_ties_the_cells_together() {
        let intervals = Intervals::default();
        let (own, base) = (counts(&[(0, 5), (3, 50), (5, 50)]), counts(&[(0, 90), (2, 100)]));
        let found = difference_given([&own, &base], 8, false, intervals).unwrap();
        assert_eq!((found.point, found.runs, found.level), (2.0, 100, intervals.level));
        let both = Intervals { level: bonferroni(intervals.level, 2), ..intervals };
        let [one, other] = [&own, &base].map(|counts| mean_given(counts, 8, false, both).unwrap());
        assert_eq!((found.low, found.high), (one.low - other.high, one.high - other.low));
        assert_eq!(difference_given([&own, &counts(&[(0, 3)])], 8, false, intervals), None);
    }

    #[test]
    fn odds_that_are_not_whole_say_how_far_the_mean_may_lie() {
        let plain = |value| Number { value, error: 0.0, fraction: None };
        let odds = Odds { values: vec![(0, plain(0.5)), (2, plain(0.3)), (4, plain(0.1))], mean: plain(2.5) };
        let all = odds_given(&odds, 0.0, 8).unwrap();
        assert_eq!((all.point, all.low, all.high), (2.5, 2.5, 2.5));
        let some = odds_given(&odds, 0.1, 8).unwrap();
        // Every battle left out of the odds might rout in turn 1, or in turn 8.
        assert!((some.low - 1.1 / 0.5).abs() < 1e-12 && (some.high - 1.8 / 0.5).abs() < 1e-12, "{some:?}");
        assert_eq!(odds_given(&Odds { values: vec![(0, plain(1.0))], mean: plain(0.0) }, 0.0, 8), None);
    }
}
