//! The battles of one cell as far as they were fought, read for one metric.

use std::collections::BTreeMap;

use grognard_stats::{Estimate, Level, mean_watched};

use crate::army::Army;
use crate::runner::Fighter;
use crate::sensitivity::Quantity;

/// Battles at the first look; every further look is at twice as many.
pub(super) const FIRST_LOOK: u64 = 1_024;

/// What is read off battles, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'a> {
    pub(super) quantity: &'a Quantity,
    /// Battles that are one observation: both of a round where battles are fought both ways.
    pub(super) round: usize,
}

/// How often each value came in the battles of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lane {
    counts: BTreeMap<i32, u64>,
    /// Battles fought, numbers 0 to one less.
    pub(super) battles: u64,
}

impl Lane {
    /// The number of battles at the next look, `most` at the most.
    pub(super) fn next_look(&self, most: u64) -> u64 {
        (2 * self.battles).max(FIRST_LOOK).min(most)
    }

    /// Fights on until so many battles are fought.
    pub(super) fn fight_on(&mut self, army: &Army<'_>, cell: u32, battles: u64, reading: Reading<'_>) {
        for round in army.fight(cell, self.battles..battles).chunks(reading.round) {
            let value = round.iter().map(|outcome| reading.quantity.in_battle(outcome)).sum();
            *self.counts.entry(value).or_default() += 1;
        }
        self.battles = battles;
    }

    /// The mean of the metric in one battle, with an interval that holds at every look.
    pub(super) fn estimate(&self, reading: Reading<'_>, level: Level) -> Estimate {
        let most = i32::try_from(reading.quantity.most).unwrap_or(i32::MAX).saturating_mul(reading.round as i32);
        let counts = self.counts.iter().map(|(&value, &count)| (value, count));
        let Estimate { point, low, high, level, .. } = mean_watched(counts, &(0..=most), level);
        let by = 1.0 / (reading.round as f64 * f64::from(reading.quantity.per));
        Estimate { point: by * point, low: by * low, high: by * high, level, runs: self.battles }
    }
}
