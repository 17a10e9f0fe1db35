//! The numbers that a study expects, compared with the results.

use std::fmt;

use grognard_engine::{METRICS, Side};
use grognard_stats::{Estimate, Intervals, Level};

use super::given::mean_given;
use super::summary::{Bounds, round_mean};
use super::{DRAW, Expectation, Expected, Results, TURNS, WIN};
use crate::exact::Odds;
use crate::tally::{CellTally, Histogram, RoundTally, Verdict};

/// The probability that any of a study's numbers is reported as disagreeing although all of them are right.
const FALSE_ALARM: f64 = 0.01;

/// An expected number and the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<'a> {
    /// The expectation, as the study states it.
    pub expected: &'a Expected,
    /// The expected number: a probability from 0 to 1, or a mean.
    pub odds: f64,
    /// The result, with its interval at the level of the folder.
    pub found: Estimate,
    /// Whether the two agree.
    pub agrees: bool,
}

impl fmt::Display for Expectation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(name) => out.write_str(name),
            Self::Value { metric, value, or_more: false } => write!(out, "{metric} {value}"),
            Self::Value { metric, value, or_more: true } => write!(out, "{metric} {value} or more"),
            Self::Mean(metric) => write!(out, "{metric}, mean"),
        }
    }
}

impl Expected {
    /// The number, to floating-point precision.
    #[must_use]
    pub fn number(&self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// Whether an estimate is compatible with the number.
    #[must_use]
    pub fn is_met_by(&self, found: &Estimate) -> bool {
        // A decimal stands for every value that rounds to it; a computed value is exact up to floating-point error.
        let slack = if self.rounded { 0.5 / self.denominator as f64 } else { 0.0 } + 1e-12 * self.number().max(1.0);
        found.low <= self.number() + slack && found.high >= self.number() - slack
    }
}

impl Results {
    /// The numbers that the study expects, each with the result; those of cells that do not exist are omitted.
    ///
    /// They are judged together at a level of 99 %. Individually, at 95 %, five in a hundred would disagree by chance.
    #[must_use]
    pub fn judged(&self) -> Vec<Judged<'_>> {
        let expected = &self.manifest.report.expect;
        let level = Level::new(1.0 - FALSE_ALARM).unwrap_or(Level::P99);
        let all = Intervals { level, ..self.manifest.intervals() }.together(expected.len());
        expected.iter().filter_map(|expected| self.judge(expected, all)).collect()
    }

    fn judge<'a>(&self, expected: &'a Expected, all: Intervals) -> Option<Judged<'a>> {
        let each = self.manifest.intervals();
        let found = self.found(expected, each)?;
        let agrees = expected.is_met_by(&self.found(expected, all)?);
        Some(Judged { expected, odds: expected.number(), found, agrees })
    }

    /// The result for an expected number, with an interval of this kind; `None` if the cell or the metric does not
    /// exist.
    #[must_use]
    pub fn found(&self, expected: &Expected, intervals: Intervals) -> Option<Estimate> {
        let place = self.manifest.cells.iter().position(|cell| cell.cell == expected.cell)?;
        if let Some(tally) = self.tallies.get(place) {
            return self.counted(expected, place, tally, intervals);
        }
        match &expected.of {
            Expectation::Outcome(name) => {
                let side = self.verdict(name)?.winner();
                Some(self.estimate(expected.cell, side, if side.is_some() { WIN } else { DRAW })?.estimate())
            }
            Expectation::Mean(metric) if metric == TURNS => Some(self.estimate(expected.cell, None, TURNS)?.estimate()),
            Expectation::Mean(metric) => {
                let (side, place) = self.metric(metric)?;
                Some(self.estimate(expected.cell, Some(side), &self.manifest.metrics[place].key)?.estimate())
            }
            Expectation::Value { metric, value, or_more } => {
                let chance =
                    self.odds_of(place, metric)?.chance(|other| other == *value || (*or_more && other > *value));
                let left_out = self.odds.get(place)?.left_out;
                Some(Estimate::bounded(chance / (1.0 - left_out), chance, chance + left_out))
            }
        }
    }

    /// The result from the battles that were counted.
    fn counted(&self, expected: &Expected, place: usize, tally: &CellTally, intervals: Intervals) -> Option<Estimate> {
        let rounds = tally.rounds.as_deref();
        Some(match &expected.of {
            Expectation::Outcome(name) => {
                let verdict = self.verdict(name)?.index();
                match rounds {
                    Some(rounds) => round_mean(&rounds.verdicts[verdict], 0..=1, intervals),
                    None => intervals.share(tally.outcomes[verdict], tally.runs()),
                }
            }
            Expectation::Value { metric, value, or_more } => {
                let value = i64::from(*value);
                let those = |other: i64| other == value || (*or_more && other > value);
                let counts = self.histogram(tally, metric)?.iter().filter(|&(other, _)| those(other.into()));
                let count: u64 = counts.map(|(_, count)| count).sum();
                // Only the sums over the two battles of a round are recorded, and they do not give this share.
                intervals.widest_share(count, tally.runs(), if rounds.is_some() { 2 } else { 1 })
            }
            Expectation::Mean(metric) => {
                let bound = Bounds::of(self.manifest.cells.get(place)?).of_metric(metric);
                if self.metric(metric).is_some_and(|(_, place)| METRICS.get(place).is_some_and(|metric| metric.partial))
                {
                    return mean_given(self.histogram(tally, metric)?, bound, rounds.is_some(), intervals);
                }
                let most = i32::try_from(bound);
                let most = most.map_or(i32::MAX / 2, |most| most.min(i32::MAX / 2));
                match rounds {
                    Some(rounds) => round_mean(self.of_rounds(rounds, metric)?, 0..=most, intervals),
                    None => intervals.mean(self.histogram(tally, metric)?.iter(), 0..=most),
                }
            }
        })
    }

    fn of_rounds<'t>(&self, rounds: &'t RoundTally, metric: &str) -> Option<&'t Histogram> {
        if metric == TURNS {
            return Some(&rounds.turns);
        }
        let (side, place) = self.metric(metric)?;
        rounds.metrics[side].get(place)
    }

    fn verdict(&self, name: &str) -> Option<Verdict> {
        let sides = &self.manifest.sides;
        if name == DRAW {
            return Some(Verdict::Draw);
        }
        let place = sides.iter().position(|side| side == name)?;
        Some(Verdict::of(Side::ALL.get(place).copied()))
    }

    /// The side and the index of a metric: `defender.losses`.
    fn metric(&self, name: &str) -> Option<(Side, usize)> {
        let (side, key) = name.rsplit_once('.')?;
        let names = self.manifest.side_names();
        let side = names.sides().iter().copied().find(|&known| names[known] == side)?;
        Some((side, self.manifest.metrics.iter().position(|metric| metric.key == key)?))
    }

    fn histogram<'t>(&self, tally: &'t CellTally, metric: &str) -> Option<&'t Histogram> {
        if metric == TURNS {
            return Some(&tally.turns);
        }
        let (side, place) = self.metric(metric)?;
        tally.metrics[side].get(place)
    }

    fn odds_of(&self, cell: usize, metric: &str) -> Option<&Odds> {
        let odds = self.odds.get(cell)?;
        if metric == TURNS {
            return Some(&odds.turns);
        }
        let (side, place) = self.metric(metric)?;
        odds.metrics[side].get(place)
    }
}
