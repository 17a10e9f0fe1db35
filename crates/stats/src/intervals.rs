//! One choice of intervals for all numbers of a study.

use std::ops::RangeInclusive;

use crate::{
    Estimate, Level, Pairs, Sums, bonferroni, mean, mean_watched, share, share_difference, share_difference_watched,
    share_exact, share_watched,
};

/// What an interval promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Close to its level, for a number of battles that was fixed beforehand: Wilson, Student, Tango.
    #[default]
    Usual,
    /// Shares never below their level: Clopper–Pearson. Means and differences as usual.
    Exact,
    /// Its level at every look, all looks together, however often one looks and whatever makes one stop.
    Watched,
}

/// The intervals of a study: at which level, and of which kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intervals {
    /// The level of each interval by itself.
    pub level: Level,
    /// What they promise.
    pub kind: Kind,
}

impl Intervals {
    /// The usual ones at a level.
    #[must_use]
    pub fn usual(level: Level) -> Self {
        Self { level, kind: Kind::Usual }
    }

    /// The same kind, wide enough for so many of them to hold together.
    #[must_use]
    pub fn together(self, count: usize) -> Self {
        Self { level: bonferroni(self.level, count), ..self }
    }

    /// The share of `count` among `runs`.
    #[must_use]
    pub fn share(self, count: u64, runs: u64) -> Estimate {
        match self.kind {
            Kind::Usual => share(count, runs, self.level),
            Kind::Exact => share_exact(count, runs, self.level),
            Kind::Watched => share_watched(count, runs, self.level),
        }
    }

    /// The mean of values, with how often each occurred, that lie within `range`; of differences likewise.
    #[must_use]
    pub fn mean<C>(self, counts: C, range: RangeInclusive<i32>) -> Estimate
    where
        C: IntoIterator<Item = (i32, u64)> + Clone,
    {
        match self.kind {
            Kind::Usual | Kind::Exact => {
                mean(Sums::of(counts), i64::from(*range.start())..=i64::from(*range.end()), self.level)
            }
            Kind::Watched => mean_watched(counts, &range, self.level),
        }
    }

    /// The cell's share minus the baseline's.
    #[must_use]
    pub fn share_difference(self, pairs: Pairs) -> Estimate {
        match self.kind {
            Kind::Usual | Kind::Exact => share_difference(pairs, self.level),
            Kind::Watched => share_difference_watched(pairs, self.level),
        }
    }
}
