//! The kind of intervals in a results folder.

use grognard_engine::METRICS;
use grognard_stats::{Intervals, Kind, Level};
use serde::{Deserialize, Serialize};

use super::Manifest;

/// The kind of intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// Their kind.
    #[serde(default)]
    pub kind: PromiseKind,
    /// Whether all intervals of the summary are simultaneous at the level, not just each on its own.
    #[serde(default)]
    pub together: bool,
}

/// See [`grognard_stats::Kind`].
///
/// ```
/// use grognard_lab::results::{Promise, PromiseKind};
///
/// let promise = Promise { kind: PromiseKind::Watched, together: false };
/// assert!(!promise.is_usual());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PromiseKind {
    /// Coverage never below the level, for a number of battles fixed beforehand.
    #[default]
    #[serde(alias = "usual")]
    Exact,
    /// Coverage close to the level unless events are rare.
    Wilson,
    /// Coverage at the level at every look.
    Watched,
}

impl Promise {
    /// Whether it is the default.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    fn kind(self) -> Kind {
        match self.kind {
            PromiseKind::Exact => Kind::Exact,
            PromiseKind::Wilson => Kind::Wilson,
            PromiseKind::Watched => Kind::Watched,
        }
    }
}

impl Manifest {
    /// The intervals of this kind for its estimates.
    #[must_use]
    pub fn intervals(&self) -> Intervals {
        if self.promise.together { self.joint(self.estimates()) } else { self.each() }
    }

    /// The simultaneous intervals of this many estimates at its level.
    #[must_use]
    pub fn joint(&self, count: usize) -> Intervals {
        self.each().together(count)
    }

    fn each(&self) -> Intervals {
        Intervals { level: Level::new(self.level).unwrap_or_default(), kind: self.promise.kind() }
    }

    /// The maximum number of estimates in its summary: every side's wins, the draws, the turns and all metrics of all
    /// sides, including those of the pack; the same for differences; and, if luck is counted, all except the pack's a
    /// second time with the luck removed.
    fn estimates(&self) -> usize {
        let sides = self.sides.len();
        let without_luck = sides + 1 + 1 + sides * METRICS.len();
        let of_cell = without_luck + sides * self.gauge_keys().len();
        let compared = self.cells.iter().filter(|cell| cell.baseline.is_some_and(|baseline| baseline != cell.cell));
        let controlled = if self.luck { without_luck * self.cells.len() } else { 0 };
        of_cell * (self.cells.len() + compared.count()) + controlled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{MetricHeader, RatioHeader};
    use crate::runner::Keep;
    use crate::testing::manifest;

    #[test]
    fn all_that_is_printed_is_counted_among_what_holds_together() {
        let mut manifest = manifest(&[Some(0), Some(0)], 10, Keep::None);
        let plain = 3 + 1 + 2 * METRICS.len();
        assert_eq!(manifest.estimates(), 3 * plain);
        let ratio = Some(RatioHeader { low: 0, high: 1, empty: 0, histogram: false });
        manifest.metrics.push(MetricHeader { key: "own".to_owned(), title: String::new(), share: false, ratio });
        // Two cells and one difference, each for two sides.
        assert_eq!(manifest.estimates(), 3 * plain + 6);
        manifest.luck = true;
        assert_eq!(manifest.estimates(), 3 * plain + 6 + 2 * plain);
        let mut of_three = manifest.clone();
        of_three.luck = false;
        of_three.sides.push(of_three.sides[0].clone());
        assert_eq!(of_three.estimates(), 3 * (plain + 1 + METRICS.len()) + 9);
        manifest.promise.together = true;
        let each = Level::new(manifest.level).unwrap_or_default();
        assert_eq!(manifest.intervals(), Intervals::at(each).together(3 * plain + 6 + 2 * plain));
    }
}
