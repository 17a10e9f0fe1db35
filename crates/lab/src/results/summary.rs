//! From tallies to estimates with their intervals.

use grognard_engine::{METRICS, Side};
use grognard_stats::{Estimate, Intervals, Pairs};

use super::{CellHeader, DRAW, Kind, SummaryRow, TURNS, WIN};
use crate::tally::{CellTally, Histogram, PairedTally, Verdict};

/// The estimates of all cells, in the order of `cells`; `tallies` has one tally for each.
///
/// For each cell: the share of each outcome, the mean of turns and of every metric of each side, then the same compared
/// with the baseline, if there is one.
pub(crate) fn summarise(cells: &[CellHeader], tallies: &[CellTally], intervals: Intervals) -> Vec<SummaryRow> {
    let mut rows = Vec::new();
    for (header, tally) in cells.iter().zip(tallies) {
        let bounds = Bounds::of(header);
        let cell = Summary { cell: header.cell, intervals, bounds };
        cell.estimates(tally, &mut rows);
        let baseline = header.baseline.and_then(|baseline| cells.get(baseline as usize));
        if let (Some(paired), Some(baseline)) = (&tally.paired, baseline) {
            let pair = Summary { bounds: bounds.or(Bounds::of(baseline)), ..cell };
            pair.differences(tally, paired, baseline.cell, &mut rows);
        }
    }
    rows
}

/// The largest values that battles of a cell could give: of use where all of them gave the same.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) turns: i64,
    /// Of every metric that is not a share; generous.
    pub(crate) metric: i64,
}

impl Bounds {
    pub(crate) fn of(header: &CellHeader) -> Self {
        let turns = i64::from(header.turns);
        Self { turns, metric: header.figures.map(i64::from).into_iter().fold(turns, i64::max) }
    }

    /// The bound of a metric by its name, such as `turns` or `defender.losses`.
    pub(crate) fn of_metric(self, name: &str) -> i64 {
        let share = |key: &str| METRICS.iter().any(|metric| metric.key == key && metric.share);
        match name.rsplit_once('.') {
            None => self.turns,
            Some((_, key)) if share(key) => 1,
            Some(_) => self.metric,
        }
    }

    fn or(self, other: Self) -> Self {
        Self { turns: self.turns.max(other.turns), metric: self.metric.max(other.metric) }
    }
}

/// The metric and side of a verdict's share.
fn of_verdict(verdict: Verdict) -> (Option<Side>, &'static str) {
    let winner = verdict.winner();
    (winner, if winner.is_some() { WIN } else { DRAW })
}

/// The summary of one cell.
struct Summary {
    cell: u32,
    intervals: Intervals,
    bounds: Bounds,
}

impl Summary {
    fn row(&self, key: (Option<Side>, &str), kind: Kind, baseline: Option<u32>, estimate: Estimate) -> SummaryRow {
        SummaryRow {
            cell: self.cell,
            side: key.0,
            metric: key.1.to_owned(),
            kind,
            baseline,
            mean: estimate.point,
            low: estimate.low,
            high: estimate.high,
            level: self.intervals.level.get(),
            runs: estimate.runs,
        }
    }

    fn estimates(&self, tally: &CellTally, rows: &mut Vec<SummaryRow>) {
        let runs = tally.runs();
        for verdict in Verdict::ALL {
            let estimate = self.intervals.share(tally.outcomes[verdict.index()], runs);
            rows.push(self.row(of_verdict(verdict), Kind::Share, None, estimate));
        }
        let mean_of = |histogram: &Histogram, most: i64| self.intervals.mean(histogram.iter(), 0..=whole(most));
        let turns = mean_of(&tally.turns, self.bounds.turns);
        rows.push(self.row((None, TURNS), Kind::Mean, None, turns));
        for side in Side::BOTH {
            for (metric, histogram) in METRICS.iter().zip(&tally.metrics[side]) {
                let (kind, estimate) = if metric.share {
                    (Kind::Share, self.intervals.share(histogram.count_of(1), runs))
                } else {
                    (Kind::Mean, mean_of(histogram, self.bounds.metric))
                };
                rows.push(self.row((Some(side), metric.key), kind, None, estimate));
            }
        }
    }

    fn differences(&self, tally: &CellTally, paired: &PairedTally, baseline: u32, rows: &mut Vec<SummaryRow>) {
        for verdict in Verdict::ALL {
            let estimate = self.intervals.share_difference(pairs_of_verdict(&paired.joint, verdict));
            rows.push(self.row(of_verdict(verdict), Kind::ShareDifference, Some(baseline), estimate));
        }
        let difference_of = |histogram: &Histogram, bound: i64| {
            let bound = whole(bound);
            self.intervals.mean(histogram.iter(), -bound..=bound)
        };
        let turns = difference_of(&paired.turns, self.bounds.turns);
        rows.push(self.row((None, TURNS), Kind::MeanDifference, Some(baseline), turns));
        for side in Side::BOTH {
            for ((metric, difference), own) in METRICS.iter().zip(&paired.metrics[side]).zip(&tally.metrics[side]) {
                let (kind, estimate) = if metric.share {
                    (Kind::ShareDifference, self.intervals.share_difference(pairs_of_metric(difference, own)))
                } else {
                    (Kind::MeanDifference, difference_of(difference, self.bounds.metric))
                };
                rows.push(self.row((Some(side), metric.key), kind, Some(baseline), estimate));
            }
        }
    }
}

/// A bound as values have it.
fn whole(bound: i64) -> i32 {
    i32::try_from(bound).unwrap_or(i32::MAX)
}

/// In how many pairs this verdict was given in both cells, in the cell alone, in the baseline alone, in neither.
#[must_use]
pub fn pairs_of_verdict(joint: &[[u64; 3]; 3], verdict: Verdict) -> Pairs {
    let mut pairs = Pairs::default();
    for (own, row) in joint.iter().enumerate() {
        for (base, count) in row.iter().enumerate() {
            *match (own == verdict.index(), base == verdict.index()) {
                (true, true) => &mut pairs.both,
                (true, false) => &mut pairs.cell_only,
                (false, true) => &mut pairs.baseline_only,
                (false, false) => &mut pairs.neither,
            } += count;
        }
    }
    pairs
}

/// The same for a metric that is 0 or 1, from its differences and the cell's own values.
#[must_use]
pub fn pairs_of_metric(difference: &Histogram, own: &Histogram) -> Pairs {
    let (cell_only, baseline_only) = (difference.count_of(1), difference.count_of(-1));
    Pairs {
        both: own.count_of(1).saturating_sub(cell_only),
        cell_only,
        baseline_only,
        neither: own.count_of(0).saturating_sub(baseline_only),
    }
}
