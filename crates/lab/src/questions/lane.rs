//! Lanes: the battles of one cell fought so far, read for one metric.

use std::collections::BTreeMap;

use grognard_engine::Outcome;
use grognard_stats::{Estimate, Intervals, Kind, Level};

use crate::intervals;
use crate::sensitivity::Quantity;

/// The number of battles at the first look; it doubles with each further look.
pub(super) const FIRST_LOOK: u64 = 1_024;

/// The values taken from battles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'a> {
    pub(super) quantity: &'a Quantity,
    /// Battles per observation: 2 if battles are fought both ways, otherwise 1.
    pub(super) round: usize,
}

/// The counts of each value in some battles of a cell.
pub(super) type Counts = BTreeMap<i32, u64>;

impl Reading<'_> {
    /// Counts battles; for a difference, together with the baseline's battles with the same numbers.
    pub(super) fn counts(self, battles: &[Outcome], baseline: Option<&[Outcome]>) -> Counts {
        let value = |round: &[Outcome]| round.iter().map(|outcome| self.quantity.in_battle(outcome)).sum::<i32>();
        let mut beside = baseline.map(|baseline| baseline.chunks(self.round));
        let mut counts = Counts::new();
        for round in battles.chunks(self.round) {
            let other = beside.as_mut().and_then(Iterator::next).map_or(0, value);
            *counts.entry(value(round) - other).or_default() += 1;
        }
        counts
    }
}

/// The counts of each value in the battles of a cell so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lane {
    counts: Counts,
    /// Whether the counts are of differences from a baseline.
    difference: bool,
    /// The number of battles fought, numbered from 0.
    pub(super) battles: u64,
}

impl Lane {
    /// The number of battles at the next look, at most `most`.
    pub(super) fn next_look(&self, most: u64) -> u64 {
        (2 * self.battles).max(FIRST_LOOK).min(most)
    }

    /// Adds the results of the next battles, up to this number. `difference` says whether they are differences from a
    /// baseline.
    pub(super) fn add(&mut self, counts: Counts, battles: u64, difference: bool) {
        for (value, count) in counts {
            *self.counts.entry(value).or_default() += count;
        }
        (self.battles, self.difference) = (battles, difference);
    }

    /// The mean of the metric in one battle, or of its difference from the baseline's, with an interval that is valid
    /// at every look.
    pub(super) fn estimate(&self, reading: Reading<'_>, level: Level) -> Estimate {
        let most = i32::try_from(reading.quantity.most).unwrap_or(i32::MAX).saturating_mul(reading.round as i32);
        let least = if self.difference { -most } else { 0 };
        let counts = self.counts.iter().map(|(&value, &count)| (value, count));
        let watched = Intervals { level, kind: Kind::Watched };
        let Estimate { point, low, high, level, .. } = intervals::mean(counts, least..=most, watched);
        let by = 1.0 / (reading.round as f64 * f64::from(reading.quantity.per));
        Estimate { point: by * point, low: by * low, high: by * high, level, runs: self.battles }
    }
}
