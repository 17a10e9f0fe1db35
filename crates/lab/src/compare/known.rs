//! Comparisons in which at least one cell's odds were computed.

use grognard_engine::{METRICS, Side};
use grognard_stats::{Estimate, Intervals, Level, Sums, mean_p_value, share_p_value};

use super::evidence::{count, histogram, of_round};
use super::{Difference, Favour, favour};
use crate::exact::{CellOdds, Odds, estimate};
use crate::results::{Bounds, CellHeader, DRAW, TURNS, WIN, quantities, round_mean};
use crate::tally::CellTally;

/// The data on a cell.
#[derive(Clone, Copy)]
pub(super) enum Known<'a> {
    /// The tally of its battles.
    Counted(&'a CellTally),
    /// The odds of all possible battles.
    WorkedOut(&'a CellOdds),
}

impl Known<'_> {
    /// The favourite of the cell.
    pub(super) fn favour(self, level: Level) -> Favour {
        let odds = match self {
            Self::Counted(tally) => return favour(tally, level),
            Self::WorkedOut(odds) => odds,
        };
        let [first, second] = [0, 1].map(|place| odds.outcomes[place].value);
        let apart = first - second;
        let all = 1.0 - odds.left_out;
        let slack = odds.left_out + odds.error;
        let margin = Estimate::bounded(apart / all, apart - slack, apart + slack);
        let side = if margin.holds(0.0) {
            None
        } else if apart > 0.0 {
            Some(Side::First)
        } else {
            Some(Side::Second)
        };
        Favour { side, margin }
    }
}

/// A cell with its data.
#[derive(Clone, Copy)]
pub(super) struct Party<'a> {
    pub(super) header: &'a CellHeader,
    pub(super) known: Known<'a>,
}

/// Every difference between two cells, if at least one of them was computed. The interval is that of the sampled
/// cell, shifted by the exact value; p-values are not corrected yet.
pub(super) fn differences(cells: [Party<'_>; 2], level: Level, together: Level) -> Vec<Difference> {
    let one = |(side, metric, share): (Option<Side>, &'static str, bool)| {
        let values = |level: Level| cells.map(|cell| cell.value(side, metric, share, level));
        let [before, after] = values(level);
        let [wide_before, wide_after] = values(together);
        let slack = cells.map(|cell| cell.slack(side)).iter().sum();
        let apart = difference(&after, &before, slack);
        let p = match cells.map(|cell| cell.known) {
            [Known::WorkedOut(odds), Known::Counted(tally)] => {
                p_value((tally, most(cells[1].header, side, share)), odds, &before, (side, metric, share))
            }
            [Known::Counted(tally), Known::WorkedOut(odds)] => {
                p_value((tally, most(cells[0].header, side, share)), odds, &after, (side, metric, share))
            }
            _ if apart.holds(0.0) => 1.0,
            _ => 0.0,
        };
        let together = difference(&wide_after, &wide_before, slack);
        let values = [before, after];
        Difference { side, metric, share, values, apart, together, p, corrected_p: p, variance_ratio: None }
    };
    quantities(cells[0].header.figures.len()).into_iter().map(one).collect()
}

impl Party<'_> {
    fn value(&self, side: Option<Side>, metric: &str, is_share: bool, level: Level) -> Estimate {
        let tally = match self.known {
            Known::WorkedOut(odds) => {
                return estimate(self.header, odds, side, metric).unwrap_or(Estimate::bounded(0.5, 0.0, 1.0));
            }
            Known::Counted(tally) => tally,
        };
        let (most, intervals) = (most(self.header, side, is_share), Intervals::at(level));
        match &tally.rounds {
            Some(rounds) => round_mean(of_round(rounds, side, metric), 0..=most, intervals),
            None if is_share => intervals.share(count(tally, side, metric), tally.runs()),
            None => intervals.mean(histogram(tally, side, metric).iter(), 0..=most),
        }
    }

    /// The limit of the rounding error of a computed number.
    fn slack(&self, side: Option<Side>) -> f64 {
        let bounds = Bounds::of(self.header);
        let most = if side.is_some() { bounds.metric } else { bounds.turns }.max(1);
        match self.known {
            Known::Counted(_) => 0.0,
            Known::WorkedOut(odds) => (odds.error + f64::EPSILON) * most as f64,
        }
    }
}

/// The maximum of a metric in a battle.
fn most(header: &CellHeader, side: Option<Side>, is_share: bool) -> i32 {
    let bounds = Bounds::of(header);
    match side {
        _ if is_share => 1,
        Some(_) => bounds.metric as i32,
        None => bounds.turns as i32,
    }
}

/// `one` minus `other`; at most one of them was sampled.
fn difference(one: &Estimate, other: &Estimate, slack: f64) -> Estimate {
    let sampled = if one.is_computed() { other } else { one };
    Estimate {
        point: one.point - other.point,
        low: one.low - other.high - slack,
        high: one.high - other.low + slack,
        ..*sampled
    }
}

/// The p-value of the hypothesis that these battles have these odds, for one metric; `value` is its value according to
/// the odds.
fn p_value(
    (tally, most): (&CellTally, i32),
    odds: &CellOdds,
    value: &Estimate,
    (side, metric, is_share): (Option<Side>, &str, bool),
) -> f64 {
    // Of all values that pruning leaves possible, the one closest to the result of the battles.
    let nearest = |found: f64| found.clamp(value.low, value.high);
    if let Some(rounds) = &tally.rounds {
        let counts = of_round(rounds, side, metric);
        let found = counts.sum() as f64 / counts.runs().max(1) as f64 / 2.0;
        return mean_p_value(counts.iter(), &(0..=2 * most), 2.0 * nearest(found));
    }
    let runs = tally.runs();
    if is_share {
        let count = count(tally, side, metric);
        return share_p_value(count, runs, nearest(count as f64 / runs.max(1) as f64));
    }
    let counts = histogram(tally, side, metric);
    let found = counts.sum() as f64 / runs.max(1) as f64;
    if Sums::of(counts.iter()).variance() > 0.0 {
        return mean_p_value(counts.iter(), &(0..=most), nearest(found));
    }
    // The probability that all battles have one value.
    let chance = odds_of(odds, side, metric).map_or(0.0, |odds| odds.chance(|value| f64::from(value) == found));
    share_p_value(runs, runs, (chance + odds.left_out).min(1.0))
}

fn odds_of<'o>(odds: &'o CellOdds, side: Option<Side>, metric: &str) -> Option<&'o Odds> {
    debug_assert!(![WIN, DRAW].contains(&metric));
    match side {
        None => (metric == TURNS).then_some(&odds.turns),
        Some(side) => odds.metrics[side].get(METRICS.iter().position(|known| known.key == metric)?),
    }
}
