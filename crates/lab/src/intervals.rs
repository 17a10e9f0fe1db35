//! A cache of intervals. Small numbers of battles give the same counts in one cell after another, and the counts of the
//! unchanged rules recur in every question.

use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use grognard_expr::Remembered;
use grognard_stats::{Estimate, Intervals, Pairs};

/// The numbers from which an interval is computed.
#[derive(PartialEq, Eq, Hash)]
enum Counted {
    /// For the mean of a value: the counts of each value, and its range.
    Values(Vec<(i32, u64)>, RangeInclusive<i32>),
    /// For a share: successes and battles.
    Battles(u64, u64),
    /// For the difference of two shares: pairs with both, with only the first or the second, and with neither.
    Pairs([u64; 4]),
}

/// These numbers, the bits of the level, and the kind of interval.
type Made = (Counted, u64, u8);

/// Each interval takes up to a few hundred bytes.
static INTERVALS: LazyLock<Remembered<Made, Estimate>> = LazyLock::new(|| Remembered::new(1 << 14, |_| 1));

fn of(counted: Counted, intervals: Intervals, make: impl FnOnce() -> Estimate) -> Estimate {
    let made = (counted, intervals.level.get().to_bits(), intervals.kind as u8);
    let Ok(estimate) = INTERVALS.of(made, |_| Ok::<_, Infallible>(make()));
    *estimate
}

/// [`Intervals::mean`].
pub(crate) fn mean(
    counts: impl Iterator<Item = (i32, u64)> + Clone,
    range: RangeInclusive<i32>,
    intervals: Intervals,
) -> Estimate {
    let made = Counted::Values(counts.clone().collect(), range.clone());
    of(made, intervals, || intervals.mean(counts, range))
}

/// [`Intervals::share`].
pub(crate) fn share(count: u64, runs: u64, intervals: Intervals) -> Estimate {
    of(Counted::Battles(count, runs), intervals, || intervals.share(count, runs))
}

/// [`Intervals::share_difference`].
pub(crate) fn share_difference(pairs: Pairs, intervals: Intervals) -> Estimate {
    let made = Counted::Pairs([pairs.both, pairs.cell_only, pairs.baseline_only, pairs.neither]);
    of(made, intervals, || intervals.share_difference(pairs))
}

#[cfg(test)]
mod tests {
    use grognard_stats::{Kind, Level};

    use super::*;

    /// Asked twice, in any order: numbers, ranges, levels and kinds are told apart.
    #[test]
    fn remembered_intervals_are_those_that_would_be_computed() {
        let kinds = [Kind::Exact, Kind::Wilson, Kind::Watched];
        let all = kinds.map(|kind| [0.9, 0.95].map(|level| Intervals { level: Level::new(level).unwrap(), kind }));
        for _ in 0..2 {
            for intervals in all.into_iter().flatten() {
                for most in [1, 5] {
                    for counts in [vec![(0, 3)], vec![(0, 3), (1, 2)], vec![(1, 3)]] {
                        let found = mean(counts.iter().copied(), 0..=most, intervals);
                        assert_eq!(found, intervals.mean(counts, 0..=most));
                    }
                }
                for (count, runs) in [(0, 1), (1, 1), (1, 3), (3, 40)] {
                    assert_eq!(share(count, runs, intervals), intervals.share(count, runs));
                    let pairs = Pairs { cell_only: count, baseline_only: runs - count, ..Pairs::default() };
                    assert_eq!(share_difference(pairs, intervals), intervals.share_difference(pairs));
                }
            }
        }
    }
}
