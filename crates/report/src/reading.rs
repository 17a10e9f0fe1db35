//! Results as a report reads them: cells with names for print, estimates with their intervals.

use std::ops::RangeInclusive;

use grognard_lab::exact::{Number, Odds};
use grognard_lab::results::{CellHeader, DRAW, Results, Setting, SummaryRow, WIN, pairs_of_verdict};
use grognard_lab::tally::{CellTally, Histogram, Verdict};
use grognard_lab::{BySide, Side};
use grognard_stats::{Estimate, Level, Pairs, share};

use crate::names::Names;

/// Results, and what of them the report is about.
pub(crate) struct Reading<'a> {
    /// The results themselves.
    pub(crate) results: &'a Results,
    /// Names for print.
    pub(crate) names: Names,
    /// The side whose wins the sentences are about: the one that the study changes, or the first.
    pub(crate) subject: Side,
}

/// How often each value of a metric came.
pub(crate) enum Spread<'a> {
    /// In the battles that were fought, and the level of intervals.
    Counted(&'a Histogram, Level),
    /// In all battles there can be, but for a share that was left out.
    WorkedOut(&'a Odds, f64),
}

impl Spread<'_> {
    /// The share of battles with each value that came, in ascending order.
    pub(crate) fn shares(&self) -> Vec<(i32, f64)> {
        match self {
            Self::Counted(histogram, _) => {
                let runs = histogram.runs().max(1) as f64;
                histogram.iter().map(|(value, count)| (value, count as f64 / runs)).collect()
            }
            Self::WorkedOut(odds, left_out) => {
                let share = |(value, number): &(u32, Number)| (*value as i32, number.value / (1.0 - left_out));
                odds.values.iter().map(share).collect()
            }
        }
    }

    /// The share of battles with any value in this range.
    pub(crate) fn share_of(&self, values: RangeInclusive<i32>) -> Estimate {
        match self {
            Self::Counted(histogram, level) => {
                let counts = histogram.iter().filter(|(value, _)| values.contains(value)).map(|(_, count)| count);
                share(counts.sum(), histogram.runs(), *level)
            }
            Self::WorkedOut(odds, left_out) => {
                let chance = odds.chance(|value| values.contains(&(value as i32)));
                Estimate::bounded(chance / (1.0 - left_out), chance, chance + left_out)
            }
        }
    }
}

/// A cell beside its baseline.
pub(crate) struct Comparison<'a> {
    /// The cell.
    pub(crate) cell: &'a CellHeader,
    /// The cell it is compared with.
    pub(crate) baseline: &'a CellHeader,
    /// The cell's share or mean less the baseline's.
    pub(crate) difference: Estimate,
}

impl<'a> Reading<'a> {
    /// Reads results.
    pub(crate) fn of(results: &'a Results) -> Self {
        let names = Names::of(&results.manifest);
        let subject = subject(results, &names);
        Self { results, names, subject }
    }

    /// The cells, in order.
    pub(crate) fn cells(&self) -> &'a [CellHeader] {
        &self.results.manifest.cells
    }

    /// The sides' names in words.
    pub(crate) fn sides(&self) -> BySide<String> {
        self.results.manifest.side_names().map(crate::text::spaced)
    }

    /// The confidence level of the folder's intervals.
    pub(crate) fn level(&self) -> Level {
        Level::new(self.results.manifest.level).unwrap_or_default()
    }

    /// How often `side` won.
    pub(crate) fn wins(&self, cell: &CellHeader, side: Side) -> Option<Estimate> {
        self.results.estimate(cell.cell, Some(side), WIN).map(SummaryRow::estimate)
    }

    /// How often nobody won.
    pub(crate) fn draws(&self, cell: &CellHeader) -> Option<Estimate> {
        self.results.estimate(cell.cell, None, DRAW).map(SummaryRow::estimate)
    }

    /// The mean of a metric.
    pub(crate) fn mean(&self, cell: &CellHeader, side: Option<Side>, metric: &str) -> Option<Estimate> {
        self.results.estimate(cell.cell, side, metric).map(SummaryRow::estimate)
    }

    /// What was counted in the cell; none for exact odds.
    pub(crate) fn tally(&self, cell: &CellHeader) -> Option<&'a CellTally> {
        self.results.tallies.get(cell.cell as usize)
    }

    /// The turns of the longest battle.
    pub(crate) fn longest(&self, cell: &CellHeader) -> Option<i32> {
        let place = cell.cell as usize;
        let counted = self.results.tallies.get(place).and_then(|tally| tally.turns.iter().next_back());
        let worked_out = || self.results.odds.get(place)?.turns.values.last().map(|(turns, _)| *turns as i32);
        counted.map(|(turns, _)| turns).or_else(worked_out)
    }

    /// How often each value of the metric at this place came, or will come; none if nobody counted.
    pub(crate) fn spread(&self, cell: &CellHeader, side: Side, metric: usize) -> Option<Spread<'a>> {
        let place = cell.cell as usize;
        let (results, level) = (self.results, self.level());
        match (results.tallies.get(place), results.odds.get(place)) {
            (Some(tally), _) => Some(Spread::Counted(tally.metrics[side].get(metric)?, level)),
            (None, Some(odds)) => Some(Spread::WorkedOut(odds.metrics[side].get(metric)?, odds.left_out)),
            (None, None) => None,
        }
    }

    /// Every cell that has a baseline other than itself, compared with it in `metric`.
    pub(crate) fn comparisons(&self, side: Option<Side>, metric: &str) -> Vec<Comparison<'a>> {
        let compare = |cell: &'a CellHeader| {
            let baseline = self.cells().get(cell.baseline? as usize)?;
            let difference = self.results.difference(cell.cell, side, metric)?.estimate();
            (baseline.cell != cell.cell).then_some(Comparison { cell, baseline, difference })
        };
        self.cells().iter().filter_map(compare).collect()
    }

    /// How many times the battles the same dice were worth over all comparisons of `side`'s wins: the sum of the variances that the
    /// differences would have had from independent battles over that of those they have. None for exact odds, and where nothing
    /// differed.
    pub(crate) fn worth(&self, side: Side) -> Option<f64> {
        let (mut independent, mut paired) = (0.0, 0.0);
        for comparison in self.comparisons(Some(side), WIN) {
            let Some(ratio) =
                self.results.difference(comparison.cell.cell, Some(side), WIN).and_then(|row| row.variance_ratio)
            else {
                continue;
            };
            // Intervals of one level from equally many battles are as wide as the roots of the variances.
            let wins = [comparison.cell, comparison.baseline].map(|cell| self.wins(cell, side));
            let variance: f64 = wins.into_iter().flatten().map(|wins| (wins.high - wins.low).powi(2)).sum();
            independent += variance;
            paired += ratio * variance;
        }
        (paired > 0.0).then(|| independent / paired)
    }

    /// Pairs of battles by whether `side` won in the cell and in its baseline.
    pub(crate) fn pairs(&self, cell: &CellHeader, side: Side) -> Option<Pairs> {
        let verdict = Verdict::of(Some(side));
        Some(pairs_of_verdict(&self.tally(cell)?.paired.as_ref()?.joint, verdict))
    }
}

/// The comparison with the greatest difference; the first of equals.
pub(crate) fn greatest<'a, 'b>(comparisons: &'b [Comparison<'a>]) -> Option<&'b Comparison<'a>> {
    comparisons.iter().rev().max_by(|left, right| left.difference.point.abs().total_cmp(&right.difference.point.abs()))
}

/// The side that the contrasted paths, or else all varied paths, belong to.
fn subject(results: &Results, names: &Names) -> Side {
    let manifest = &results.manifest;
    let sides = manifest.side_names();
    let owner = |path: &str| Side::BOTH.into_iter().find(|&side| path.split('.').next() == Some(sides[side]));
    let contrasted = names.inner.iter().filter_map(|&path| manifest.vary.get(path));
    contrasted.chain(&manifest.vary).find_map(|varied| owner(&varied.path)).unwrap_or(Side::First)
}

/// The settings of `cell` that `other` does not share.
pub(crate) fn differing<'a>(cell: &'a CellHeader, other: &CellHeader) -> Vec<&'a Setting> {
    cell.vary.iter().filter(|setting| !other.vary.contains(setting)).collect()
}

/// The settings of `cell` that `other` shares.
pub(crate) fn shared<'a>(cell: &'a CellHeader, other: &CellHeader) -> Vec<&'a Setting> {
    cell.vary.iter().filter(|setting| other.vary.contains(setting)).collect()
}
