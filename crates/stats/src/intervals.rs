//! One choice of intervals for all numbers of a study.

use std::ops::RangeInclusive;

use crate::{
    Estimate, Level, Pairs, Sums, bonferroni, mean, mean_exact, mean_watched, share, share_difference,
    share_difference_exact, share_difference_watched, share_exact, share_watched,
};

/// The kind of an interval: its guarantee.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Coverage is never below the level in any known case, including rare events, for a number of battles fixed
    /// beforehand: Clopper–Pearson, and Gaffke's bound for means and differences.
    #[default]
    Exact,
    /// Coverage is close to the level if no event is rare, and the intervals are slightly narrower: Wilson, Student,
    /// Tango.
    Wilson,
    /// Simultaneous coverage at every look, for any number of looks and any stopping rule.
    Watched,
}

/// The intervals of a study: their level and their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intervals {
    /// The level of each individual interval.
    pub level: Level,
    /// Their guarantee.
    pub kind: Kind,
}

impl Intervals {
    /// The default kind at a level.
    #[must_use]
    pub fn at(level: Level) -> Self {
        Self { level, kind: Kind::default() }
    }

    /// Intervals such that `count` of them hold together at this level, for any dependence (Bonferroni).
    ///
    /// Joint intervals depend on the far tails, where Wilson, Student and Tango miss far too often, so exact intervals
    /// take their place.
    #[must_use]
    pub fn together(self, count: usize) -> Self {
        let kind = if self.kind == Kind::Wilson { Kind::Exact } else { self.kind };
        Self { level: bonferroni(self.level, count), kind }
    }

    /// The share of `count` among `runs`.
    #[must_use]
    pub fn share(self, count: u64, runs: u64) -> Estimate {
        match self.kind {
            Kind::Exact => share_exact(count, runs, self.level),
            Kind::Wilson => share(count, runs, self.level),
            Kind::Watched => share_watched(count, runs, self.level),
        }
    }

    /// The share of `count` among `runs` battles, fought in groups of `each` with the same dice. The interval assumes
    /// that all battles of a group went the same way, which makes it as wide as possible.
    #[must_use]
    pub fn widest_share(self, count: u64, runs: u64, each: u64) -> Estimate {
        let each = each.max(1);
        let point = self.share(count, runs).point;
        let widest = self.share(count / each, runs / each);
        Estimate { point, low: widest.low.min(point), high: widest.high.max(point), runs, ..widest }
    }

    /// The mean of values within `range`, given with their counts; likewise for differences.
    #[must_use]
    pub fn mean<C>(self, counts: C, range: RangeInclusive<i32>) -> Estimate
    where
        C: IntoIterator<Item = (i32, u64)> + Clone,
    {
        match self.kind {
            Kind::Exact => mean_exact(counts, &range, self.level),
            Kind::Wilson => mean(Sums::of(counts), i64::from(*range.start())..=i64::from(*range.end()), self.level),
            Kind::Watched => mean_watched(counts, &range, self.level),
        }
    }

    /// The mean of values within `range`, given with their counts, over battles that may have been fought in pairs with
    /// the same dice. The interval counts each value as half an observation, because two such battles may tell no more
    /// than one.
    #[must_use]
    pub fn mean_of_rounds(self, counts: Vec<(i32, u64)>, range: RangeInclusive<i32>) -> Estimate {
        let runs: u64 = counts.iter().map(|(_, count)| count).sum();
        let sum: f64 = counts.iter().map(|&(value, count)| f64::from(value) * count as f64).sum();
        let half = self.mean(counts.into_iter().map(|(value, count)| (value, count / 2)), range);
        let point = if runs == 0 { half.point } else { sum / runs as f64 };
        Estimate { point, low: half.low.min(point), high: half.high.max(point), runs, ..half }
    }

    /// The cell's share minus the baseline's.
    #[must_use]
    pub fn share_difference(self, pairs: Pairs) -> Estimate {
        match self.kind {
            Kind::Exact => share_difference_exact(pairs, self.level),
            Kind::Wilson => share_difference(pairs, self.level),
            Kind::Watched => share_difference_watched(pairs, self.level),
        }
    }
}
