//! From tallies to estimates with their intervals.

use std::ops::RangeInclusive;

use grognard_engine::{BySide, Fallen, METRICS, Side};
use grognard_stats::{Controls, Estimate, Intervals, Pairs, Sums, controlled, ratio, ratio_difference};

use super::given::{difference_given, mean_given};
use super::{CellHeader, DRAW, Kind, Manifest, Method, RatioHeader, Results, SummaryRow, TURNS, WIN};
use crate::exact::summarise_odds;
use crate::intervals;
use crate::tally::{CellTally, Histogram, LuckTally, PairedTally, VERDICTS, Verdict, WorthTally, of_losses};

impl Results {
    /// Every estimate with its interval, by cell; within a cell in the order in which they are reported.
    #[must_use]
    pub fn summary(&self) -> &[SummaryRow] {
        let Self { manifest, tallies, odds, .. } = self;
        self.summary.0.get_or_init(|| match manifest.method {
            Method::Sampled => summarise(manifest, tallies, manifest.intervals()),
            Method::Exact => summarise_odds(manifest, odds),
        })
    }
}

impl PartialEq for Results {
    fn eq(&self, other: &Self) -> bool {
        let Self { folder, manifest, tallies, odds, summary: _, watched, players } = self;
        (folder, manifest, tallies, odds, watched, players)
            == (&other.folder, &other.manifest, &other.tallies, &other.odds, &other.watched, &other.players)
            && self.summary() == other.summary()
    }
}

/// The estimates of all cells, in the order of `cells`; `tallies` has one tally for each.
///
/// For each cell: the share of each outcome, the mean of turns and of every metric of each side, then the same compared
/// with the baseline, if there is one.
pub(crate) fn summarise(manifest: &Manifest, tallies: &[CellTally], intervals: Intervals) -> Vec<SummaryRow> {
    let cells = &manifest.cells;
    let gauges: Vec<(&str, RatioHeader)> =
        manifest.metrics.iter().filter_map(|metric| Some((metric.key.as_str(), metric.ratio?))).collect();
    let mut rows = Vec::new();
    for (header, tally) in cells.iter().zip(tallies) {
        let bounds = Bounds::of(header);
        let cell = CellSummary { cell: header.cell, intervals, bounds };
        cell.estimates(tally, &mut rows);
        cell.ratios(&gauges, tally, &mut rows);
        if let Some(luck) = tally.luck.as_deref().filter(|_| tally.rounds.is_none()) {
            cell.controlled(tally, luck, &mut rows);
        }
        let baseline = header.baseline.and_then(|baseline| cells.get(baseline as usize));
        if let (Some(paired), Some(baseline)) = (&tally.paired, baseline) {
            let pair = CellSummary { bounds: bounds.or(Bounds::of(baseline)), ..cell };
            let theirs = &tallies[baseline.cell as usize];
            pair.differences(tally, paired, baseline.cell, theirs, &mut rows);
            pair.ratio_differences(&gauges, (tally, theirs, paired), baseline.cell, &mut rows);
        }
    }
    rows
}

/// The largest possible values in battles of a cell, needed if all battles gave the same value.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) turns: i64,
    /// A generous bound on every metric that is not a share.
    pub(crate) metric: i64,
}

impl Bounds {
    pub(crate) fn of(header: &CellHeader) -> Self {
        let turns = i64::from(header.turns);
        Self { turns, metric: header.figures.iter().copied().map(i64::from).fold(turns, i64::max) }
    }

    /// The bound of a metric by its name, such as `turns` or `defender.losses`.
    pub(crate) fn of_metric(self, name: &str) -> i64 {
        let known = |key: &str| METRICS.iter().find(|metric| metric.key == key);
        match name.rsplit_once('.').map(|(_, key)| known(key)) {
            Some(Some(metric)) if metric.share => 1,
            Some(metric) if metric.is_none_or(|metric| !metric.partial) => self.metric,
            _ => self.turns,
        }
    }

    /// Bounds that are valid for both cells.
    pub(crate) fn or(self, other: Self) -> Self {
        Self { turns: self.turns.max(other.turns), metric: self.metric.max(other.metric) }
    }
}

/// The metric and side of a verdict's share.
fn of_verdict(verdict: Verdict) -> (Option<Side>, &'static str) {
    let winner = verdict.winner();
    (winner, if winner.is_some() { WIN } else { DRAW })
}

/// The summary of one cell.
struct CellSummary {
    cell: u32,
    intervals: Intervals,
    bounds: Bounds,
}

impl CellSummary {
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
            variance_ratio: None,
        }
    }

    fn estimates(&self, tally: &CellTally, rows: &mut Vec<SummaryRow>) {
        let runs = tally.runs();
        let rounds = tally.rounds.as_deref();
        let mut push = |key: (Option<Side>, &str), kind: Kind, estimate: Estimate, variance_ratio: Option<f64>| {
            rows.push(SummaryRow { variance_ratio, ..self.row(key, kind, None, estimate) });
        };
        for &verdict in Verdict::among(tally.metrics.count()) {
            let count = tally.outcomes[verdict.index()];
            let sums = rounds.map(|rounds| &rounds.verdicts[verdict.index()]);
            let ratio = sums.and_then(|sums| round_ratio(sums, &[share_sums(count, runs)]));
            push(of_verdict(verdict), Kind::Share, outcome_share(tally, verdict, self.intervals), ratio);
        }
        let mean_of = |histogram: &Histogram, sums: Option<&Histogram>, range: RangeInclusive<i32>| match sums {
            Some(sums) => (round_mean(sums, range, self.intervals), round_ratio(sums, &[Sums::of(histogram.iter())])),
            None => (intervals::mean(histogram.iter(), range, self.intervals), None),
        };
        let (turns, ratio) = mean_of(&tally.turns, rounds.map(|rounds| &rounds.turns), 0..=whole(self.bounds.turns));
        push((None, TURNS), Kind::Mean, turns, ratio);
        for &side in tally.metrics.sides() {
            for (at, metric) in METRICS.iter().enumerate() {
                let histogram = &tally.metrics[side][at];
                let sums = rounds.map(|rounds| &rounds.metrics[side][at]);
                if metric.partial {
                    if let Some(mean) = mean_given(histogram, self.bounds.turns, sums.is_some(), self.intervals) {
                        push((Some(side), metric.key), Kind::Mean, mean, None);
                    }
                    continue;
                }
                let (kind, (estimate, ratio)) = if metric.share {
                    // The mean of a value that is 0 or 1 has the interval of a share.
                    (Kind::Share, mean_of(histogram, sums, 0..=1))
                } else {
                    (Kind::Mean, mean_of(histogram, sums, 0..=whole(self.bounds.metric)))
                };
                push((Some(side), metric.key), kind, estimate, ratio);
            }
        }
    }

    /// The metrics that the pack counts during battles.
    fn ratios(&self, gauges: &[(&str, RatioHeader)], tally: &CellTally, rows: &mut Vec<SummaryRow>) {
        for &side in tally.gauges.sides() {
            for ((key, header), sums) in gauges.iter().zip(&tally.gauges[side]) {
                let mut estimate = ratio(sums, header.range(), header.empty as f64, self.intervals.level);
                estimate.runs = tally.runs();
                rows.push(self.row((Some(side), key), Kind::Mean, None, estimate));
            }
        }
    }

    fn ratio_differences(
        &self,
        gauges: &[(&str, RatioHeader)],
        (own, base, paired): (&CellTally, &CellTally, &PairedTally),
        baseline: u32,
        rows: &mut Vec<SummaryRow>,
    ) {
        // The sums are over rounds if battles are fought both ways.
        let runs = own.runs();
        for &side in own.gauges.sides() {
            let sums = own.gauges[side].iter().zip(&base.gauges[side]).zip(&paired.gauges[side]);
            for ((key, header), ((own, base), pairs)) in gauges.iter().zip(sums) {
                let mut estimate =
                    ratio_difference(own, base, pairs, header.range(), header.empty as f64, self.intervals.level);
                estimate.runs = runs;
                rows.push(self.row((Some(side), key), Kind::MeanDifference, Some(baseline), estimate));
            }
        }
    }

    /// The estimates with the luck of the dice removed. There are none for battles fought both ways, where luck cancels
    /// out.
    fn controlled(&self, tally: &CellTally, luck: &LuckTally, rows: &mut Vec<SummaryRow>) {
        let one = Fallen::ONE as f64;
        let in_ones = |sums: BySide<i128>| [sums.first as f64 / one, sums.second as f64 / one];
        let controls = |worth: &WorthTally| Controls {
            runs: tally.runs(),
            sums: in_ones(worth.sums),
            squares: worth.squares.map(|sum| sum as f64 / one / one),
        };
        let (wins, losses) = (controls(&luck.wins), controls(&luck.losses));
        let mut push = |key: (Option<Side>, &str),
                        share: bool,
                        value: Sums,
                        plain: Estimate,
                        (controls, products): (&Controls, BySide<i128>),
                        most: i64| {
            if let Some((estimate, ratio)) = controlled(&value, &plain, controls, in_ones(products), 0..=most) {
                let kind = if share { Kind::ControlledShare } else { Kind::ControlledMean };
                rows.push(SummaryRow { variance_ratio: Some(ratio), ..self.row(key, kind, None, estimate) });
            }
        };
        for &verdict in Verdict::among(2) {
            let count = tally.outcomes[verdict.index()];
            let plain = self.intervals.share(count, tally.runs());
            let products = luck.verdicts[verdict.index()];
            push(of_verdict(verdict), true, share_sums(count, tally.runs()), plain, (&wins, products), 1);
        }
        let plain = |histogram: &Histogram, most: i64| self.intervals.mean(histogram.iter(), 0..=whole(most));
        let turns = plain(&tally.turns, self.bounds.turns);
        push((None, TURNS), false, Sums::of(tally.turns.iter()), turns, (&wins, luck.turns), self.bounds.turns);
        for side in Side::BOTH {
            for (at, metric) in METRICS.iter().enumerate().filter(|(_, metric)| !metric.partial) {
                let histogram = &tally.metrics[side][at];
                let most = if metric.share { 1 } else { self.bounds.metric };
                let (value, estimate) = (Sums::of(histogram.iter()), plain(histogram, most));
                let controls = if of_losses(metric) { &losses } else { &wins };
                push((Some(side), metric.key), metric.share, value, estimate, (controls, luck.metrics[side][at]), most);
            }
        }
    }

    fn differences(
        &self,
        tally: &CellTally,
        paired: &PairedTally,
        baseline: u32,
        theirs: &CellTally,
        rows: &mut Vec<SummaryRow>,
    ) {
        let rounds = paired.rounds.as_deref();
        let mut push = |key: (Option<Side>, &str), kind: Kind, estimate: Estimate, variance_ratio: Option<f64>| {
            rows.push(SummaryRow { variance_ratio, ..self.row(key, kind, Some(baseline), estimate) });
        };
        for &verdict in Verdict::among(tally.metrics.count()) {
            let at = verdict.index();
            let ratio = match rounds.map(|rounds| &rounds.verdicts[at]) {
                Some(sums) => {
                    round_ratio(sums, &[tally, theirs].map(|tally| share_sums(tally.outcomes[at], tally.runs())))
                }
                None => pairs_of_verdict(&paired.joint, verdict).variance_ratio(),
            };
            push(
                of_verdict(verdict),
                Kind::ShareDifference,
                outcome_difference(paired, verdict, self.intervals),
                ratio,
            );
        }
        let difference_of = |difference: &Histogram, sums: Option<&Histogram>, cells: [&Histogram; 2], bound: i64| {
            let range = -whole(bound)..=whole(bound);
            let cells = cells.map(|histogram| Sums::of(histogram.iter()));
            if let Some(sums) = sums {
                return (round_mean(sums, range, self.intervals), round_ratio(sums, &cells));
            }
            let pairs = Sums::of(difference.iter());
            (intervals::mean(difference.iter(), range, self.intervals), pairs.variance_ratio(&cells[0], &cells[1]))
        };
        let of_rounds = rounds.map(|rounds| &rounds.turns);
        let (turns, ratio) = difference_of(&paired.turns, of_rounds, [&tally.turns, &theirs.turns], self.bounds.turns);
        push((None, TURNS), Kind::MeanDifference, turns, ratio);
        for &side in tally.metrics.sides() {
            for (at, metric) in METRICS.iter().enumerate() {
                let (difference, own) = (&paired.metrics[side][at], &tally.metrics[side][at]);
                let of_rounds = rounds.map(|rounds| &rounds.metrics[side][at]);
                let cells = [own, &theirs.metrics[side][at]];
                if metric.partial {
                    let apart = difference_given(cells, self.bounds.turns, of_rounds.is_some(), self.intervals);
                    if let Some(apart) = apart {
                        push((Some(side), metric.key), Kind::MeanDifference, apart, None);
                    }
                    continue;
                }
                let (kind, (estimate, ratio)) = if !metric.share {
                    (Kind::MeanDifference, difference_of(difference, of_rounds, cells, self.bounds.metric))
                } else if of_rounds.is_some() {
                    (Kind::ShareDifference, difference_of(difference, of_rounds, cells, 1))
                } else {
                    let pairs = pairs_of_metric(difference, own);
                    (
                        Kind::ShareDifference,
                        (intervals::share_difference(pairs, self.intervals), pairs.variance_ratio()),
                    )
                };
                push((Some(side), metric.key), kind, estimate, ratio);
            }
        }
    }
}

/// The share of battles with a verdict; computed from rounds of two battles if they are fought both ways.
#[must_use]
pub fn outcome_share(tally: &CellTally, verdict: Verdict, intervals: Intervals) -> Estimate {
    match tally.rounds.as_deref() {
        Some(rounds) => round_mean(&rounds.verdicts[verdict.index()], 0..=1, intervals),
        None => intervals::share(tally.outcomes[verdict.index()], tally.runs(), intervals),
    }
}

/// A cell's share of a verdict minus its baseline's; computed from rounds of two battles if they are fought both ways.
#[must_use]
pub fn outcome_difference(paired: &PairedTally, verdict: Verdict, intervals: Intervals) -> Estimate {
    match paired.rounds.as_deref() {
        Some(rounds) => round_mean(&rounds.verdicts[verdict.index()], -1..=1, intervals),
        None => intervals::share_difference(pairs_of_verdict(&paired.joint, verdict), intervals),
    }
}

/// A bound for values, limited to half of the type's maximum so that the sum of two values also fits.
fn whole(bound: i64) -> i32 {
    i32::try_from(bound).map_or(i32::MAX / 2, |bound| bound.min(i32::MAX / 2))
}

/// The mean over battles of a value within `range`, from its sums over the two battles of each round.
pub(crate) fn round_mean(sums: &Histogram, range: RangeInclusive<i32>, intervals: Intervals) -> Estimate {
    let both = intervals::mean(sums.iter(), 2 * range.start()..=2 * range.end(), intervals);
    let half = |value: f64| value / 2.0;
    Estimate { point: half(both.point), low: half(both.low), high: half(both.high), runs: 2 * both.runs, ..both }
}

/// The variance of a mean over rounds, divided by that of as many independent battles. `cells` are the individual
/// battles of the cell and, for a difference, of its baseline.
pub(crate) fn round_ratio(sums: &Histogram, cells: &[Sums]) -> Option<f64> {
    let independent: f64 = cells.iter().map(|sums| 2.0 * sums.variance()).sum();
    (independent > 0.0).then(|| Sums::of(sums.iter()).variance() / independent)
}

/// The sums of a share over this many battles.
fn share_sums(count: u64, runs: u64) -> Sums {
    Sums { runs, sum: i128::from(count), squares: u128::from(count) }
}

/// The number of pairs with this verdict in both cells, only in the cell, only in the baseline, and in neither.
#[must_use]
pub fn pairs_of_verdict(joint: &[[u64; VERDICTS]; VERDICTS], verdict: Verdict) -> Pairs {
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

/// Like [`pairs_of_verdict`], for a metric that is 0 or 1, from its differences and the cell's own values.
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
