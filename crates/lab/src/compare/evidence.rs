//! The data on two cells, and the differences that follow from it.

use grognard_engine::{METRICS, Outcome, Side};
use grognard_stats::{
    Estimate, Intervals, Level, Pairs, Sums, independent_difference, independent_means_p_value,
    independent_shares_p_value, mean_from_known, mean_p_value, pairs_from_known,
};

use super::{Difference, Pairing, Unpaired};
use crate::results::{
    Bounds, CellHeader, DRAW, TURNS, WIN, pairs_of_metric, pairs_of_verdict, quantities, round_mean, round_ratio,
};
use crate::tally::{CellTally, Histogram, PairedTally, RoundTally, Verdict};

/// The data on the pairs of battles of two cells.
pub(super) enum Joint<'a> {
    /// All pairs were counted.
    All(&'a PairedTally),
    /// All battles had the same dice, and these pairs were kept.
    Kept(Box<CellTally>),
    /// There are no pairs.
    None(Unpaired),
}

/// The number of pairs below which it is better to treat battles as independent.
const KEPT_LEAST: usize = 100;

impl Joint<'_> {
    /// Pairs of battles with the same numbers in both cells; if they were fought both ways, the first has an even
    /// number.
    pub(super) fn kept(before: &[Outcome], after: &[Outcome], both_ways: bool) -> Self {
        let pairs = before.len().min(after.len());
        let pairs = if both_ways { pairs / 2 * 2 } else { pairs };
        if pairs < KEPT_LEAST {
            return Self::None(Unpaired::NotKept);
        }
        let mut tally = CellTally::new(true).with_rounds(both_ways);
        let [before, after] = [before, after].map(|battles| battles[..pairs].iter().copied().collect());
        tally.count(&after);
        if let Some(paired) = &mut tally.paired {
            paired.count(&after, &before);
        }
        Self::Kept(Box::new(tally))
    }

    /// Whether every one of the second cell's `runs` battles is known to have ended like its counterpart.
    pub(super) fn is_same(&self, runs: u64) -> bool {
        match self {
            Self::All(paired) => paired.is_same(),
            Self::Kept(kept) => kept.runs() == runs && kept.paired.as_ref().is_some_and(PairedTally::is_same),
            Self::None(_) => false,
        }
    }

    pub(super) fn pairing(&self) -> Pairing {
        match self {
            Self::All(_) => Pairing::All,
            Self::Kept(tally) => Pairing::Kept(tally.runs()),
            Self::None(why) => Pairing::None(*why),
        }
    }
}

/// The data on two cells.
pub(super) struct Evidence<'a> {
    /// Before and after.
    tallies: [&'a CellTally; 2],
    joint: &'a Joint<'a>,
    bounds: Bounds,
}

/// A difference with its interval, its p-value and the effect of pairing.
type Found = (Estimate, f64, Option<f64>);

impl<'a> Evidence<'a> {
    pub(super) fn new(headers: [&CellHeader; 2], tallies: [&'a CellTally; 2], joint: &'a Joint<'a>) -> Self {
        Self { tallies, joint, bounds: Bounds::of(headers[0]).or(Bounds::of(headers[1])) }
    }

    /// Every difference, at the level of a single interval and at the simultaneous level; p-values are not corrected
    /// yet.
    pub(super) fn differences(&self, level: Level, together: Level) -> Vec<Difference> {
        let one = |(side, metric, share): (Option<Side>, &'static str, bool)| {
            let found = |level: Level| {
                if share { self.shares(side, metric, level) } else { self.means(side, metric, level) }
            };
            let (values, (apart, p, variance_ratio)) = found(level);
            let (_, (together, ..)) = found(together);
            Difference { side, metric, share, values, apart, together, p, corrected_p: p, variance_ratio }
        };
        quantities(self.tallies[0].metrics.count()).into_iter().map(one).collect()
    }

    fn shares(&self, side: Option<Side>, metric: &str, level: Level) -> ([Estimate; 2], Found) {
        let counts = self.tallies.map(|tally| count(tally, side, metric));
        let runs = self.tallies.map(CellTally::runs);
        let intervals = Intervals::at(level);
        let values = [0, 1].map(|party| intervals.share(counts[party], runs[party]));
        if let Some(values_and_found) = self.rounds(side, metric, (0, 1), level) {
            return values_and_found;
        }
        let pairs = |tally: &CellTally, paired: &PairedTally| pairs(tally, paired, side, metric);
        let found = match self.joint {
            Joint::All(paired) => {
                let pairs = pairs(self.tallies[1], paired);
                (intervals.share_difference(pairs), pairs.p_value(), pairs.variance_ratio())
            }
            Joint::Kept(kept) => {
                let known = kept.paired.as_ref().map_or_else(Pairs::default, |paired| pairs(kept, paired));
                let all = pairs_from_known(&known, counts[1], counts[0], runs[1], level);
                (intervals.share_difference(all), all.p_value(), known.variance_ratio())
            }
            Joint::None(_) => {
                let p = independent_shares_p_value((counts[1], runs[1]), (counts[0], runs[0]));
                (independent_difference(&values[1], &values[0]), p, None)
            }
        };
        (values, found)
    }

    /// The values and their difference if both cells were fought both ways, computed from the sums of rounds.
    fn rounds(
        &self,
        side: Option<Side>,
        metric: &str,
        (least, most): (i64, i64),
        level: Level,
    ) -> Option<([Estimate; 2], Found)> {
        let [Some(before), Some(after)] = self.tallies.map(|tally| tally.rounds.as_deref()) else { return None };
        let own = [before, after].map(|rounds| of_round(rounds, side, metric));
        let values = own.map(|sums| round_mean(sums, least as i32..=most as i32, Intervals::at(level)));
        let battles = self.tallies.map(|tally| sums_of_battles(tally, side, metric));
        let [sums_before, sums_after] = own.map(|sums| Sums::of(sums.iter()));
        let independent = || {
            let p = independent_means_p_value(&sums_after, &sums_before);
            (independent_difference(&values[1], &values[0]), p, None)
        };
        let of_pairs = |paired: &'a PairedTally| paired.rounds.as_deref().map(|rounds| of_round(rounds, side, metric));
        let found = match self.joint {
            Joint::All(paired) => of_pairs(paired).map(|sums| {
                let range = -(most as i32)..=most as i32;
                let apart = round_mean(sums, range.clone(), Intervals::at(level));
                (
                    apart,
                    mean_p_value(sums.iter(), &(2 * range.start()..=2 * range.end()), 0.0),
                    round_ratio(sums, &battles),
                )
            }),
            Joint::Kept(kept) => kept.paired.as_ref().and_then(of_pairs).and_then(|sums| {
                let known = Sums::of(sums.iter());
                let apart = sums_after.sum - sums_before.sum;
                let (both, p) = mean_from_known(apart, sums_after.runs, &known, -2 * most..=2 * most, level)?;
                Some((of_one_battle(both), p, round_ratio(sums, &battles)))
            }),
            Joint::None(_) => None,
        };
        Some((values, found.unwrap_or_else(independent)))
    }

    fn means(&self, side: Option<Side>, metric: &str, level: Level) -> ([Estimate; 2], Found) {
        let most = if side.is_some() { self.bounds.metric } else { self.bounds.turns };
        if let Some(values_and_found) = self.rounds(side, metric, (0, most), level) {
            return values_and_found;
        }
        let histograms = self.tallies.map(|tally| histogram(tally, side, metric));
        let sums = histograms.map(|histogram| Sums::of(histogram.iter()));
        let intervals = Intervals::at(level);
        let values = histograms.map(|histogram| intervals.mean(histogram.iter(), 0..=most as i32));
        let independent =
            || (independent_difference(&values[1], &values[0]), independent_means_p_value(&sums[1], &sums[0]), None);
        let found = match self.joint {
            Joint::All(paired) => {
                let apart = difference(paired, side, metric);
                let pairs = Sums::of(apart.iter());
                let range = -most as i32..=most as i32;
                (
                    intervals.mean(apart.iter(), range.clone()),
                    mean_p_value(apart.iter(), &range, 0.0),
                    pairs.variance_ratio(&sums[1], &sums[0]),
                )
            }
            Joint::Kept(kept) => {
                let known = kept.paired.as_ref();
                let known =
                    known.map_or_else(Sums::default, |paired| Sums::of(difference(paired, side, metric).iter()));
                let apart = sums[1].sum - sums[0].sum;
                mean_from_known(apart, sums[1].runs, &known, -most..=most, level)
                    .map_or_else(independent, |(estimate, p)| (estimate, p, known.variance_ratio(&sums[1], &sums[0])))
            }
            Joint::None(_) => independent(),
        };
        (values, found)
    }
}

/// The mean of the two battles of a round.
fn of_one_battle(both: Estimate) -> Estimate {
    let half = |value: f64| value / 2.0;
    Estimate { point: half(both.point), low: half(both.low), high: half(both.high), runs: 2 * both.runs, ..both }
}

/// The histogram of rounds for a metric.
pub(super) fn of_round<'t>(rounds: &'t RoundTally, side: Option<Side>, metric: &str) -> &'t Histogram {
    match metric {
        WIN | DRAW => &rounds.verdicts[Verdict::of(side).index()],
        _ => side.map_or(&rounds.turns, |side| &rounds.metrics[side][place(metric)]),
    }
}

/// The values in individual battles of a cell.
fn sums_of_battles(tally: &CellTally, side: Option<Side>, metric: &str) -> Sums {
    match metric {
        WIN | DRAW => {
            let count = tally.outcomes[Verdict::of(side).index()];
            Sums { runs: tally.runs(), sum: i128::from(count), squares: u128::from(count) }
        }
        _ => Sums::of(histogram(tally, side, metric).iter()),
    }
}

/// The number of battles in a cell in which the event happened.
pub(super) fn count(tally: &CellTally, side: Option<Side>, metric: &str) -> u64 {
    match metric {
        WIN | DRAW => tally.outcomes[Verdict::of(side).index()],
        _ => histogram(tally, side, metric).count_of(1),
    }
}

fn pairs(tally: &CellTally, paired: &PairedTally, side: Option<Side>, metric: &str) -> Pairs {
    match metric {
        WIN | DRAW => pairs_of_verdict(&paired.joint, Verdict::of(side)),
        _ => pairs_of_metric(difference(paired, side, metric), histogram(tally, side, metric)),
    }
}

pub(super) fn histogram<'t>(tally: &'t CellTally, side: Option<Side>, metric: &str) -> &'t Histogram {
    side.map_or(&tally.turns, |side| &tally.metrics[side][place(metric)])
}

fn difference<'t>(paired: &'t PairedTally, side: Option<Side>, metric: &str) -> &'t Histogram {
    debug_assert!(side.is_some() || metric == TURNS);
    side.map_or(&paired.turns, |side| &paired.metrics[side][place(metric)])
}

/// The index of a metric in its tallies.
fn place(metric: &str) -> usize {
    METRICS.iter().position(|known| known.key == metric).unwrap_or(0)
}
