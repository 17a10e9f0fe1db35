//! What the intervals of a results folder promise.

use grognard_engine::METRICS;
use grognard_stats::{Intervals, Kind, Level};
use serde::{Deserialize, Serialize};

use super::Manifest;

/// What intervals promise beside their level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// Their kind.
    #[serde(default)]
    pub kind: PromiseKind,
    /// Whether all intervals of the summary together hold at the level, and not only each by itself.
    #[serde(default)]
    pub together: bool,
}

/// See [`grognard_stats::Kind`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromiseKind {
    /// Close to the level, for a number of battles that was fixed beforehand.
    #[default]
    Usual,
    /// Shares never below the level.
    Exact,
    /// The level at every look.
    Watched,
}

impl Promise {
    /// Whether it is what is promised unless more is asked for.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// The intervals that keep it, at this level, in a study of cells with these baselines.
    #[must_use]
    pub fn intervals(self, level: Level, baselines: &[Option<u32>]) -> Intervals {
        let kind = match self.kind {
            PromiseKind::Usual => Kind::Usual,
            PromiseKind::Exact => Kind::Exact,
            PromiseKind::Watched => Kind::Watched,
        };
        let each = Intervals { level, kind };
        if self.together { each.together(estimates(baselines)) } else { each }
    }
}

impl Manifest {
    /// The intervals of its estimates.
    #[must_use]
    pub fn intervals(&self) -> Intervals {
        self.promise.intervals(Level::new(self.level).unwrap_or_default(), &self.baselines())
    }
}

/// Estimates that a summary has: three outcomes, the turns and the metrics of both sides, and the same of differences.
fn estimates(baselines: &[Option<u32>]) -> usize {
    let of_cell = 3 + 1 + 2 * METRICS.len();
    let compared = (0..).zip(baselines).filter(|(cell, baseline)| baseline.is_some_and(|baseline| baseline != *cell));
    of_cell * (baselines.len() + compared.count())
}
