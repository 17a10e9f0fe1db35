//! From odds to the rows of a summary.

use grognard_engine::{METRICS, Side};
#[cfg(feature = "folders")]
use grognard_stats::Estimate;

use super::CellOdds;
use crate::results::{Bounds, CellHeader, DRAW, Kind, Manifest, SummaryRow, TURNS, WIN, odds_given};
use crate::tally::Verdict;

/// The summary of all cells, in the order of a run's report, from the odds of each cell.
///
/// If battles were left out, the point estimate assumes that they are like the others; the interval is valid
/// regardless.
pub(crate) fn summarise(manifest: &Manifest, odds: &[CellOdds]) -> Vec<SummaryRow> {
    let cells = &manifest.cells;
    let all = cells.iter().zip(odds).map(|(cell, odds)| {
        let mut all = figures(cell, odds);
        all.extend(counted(manifest, odds));
        all
    });
    let figures: Vec<Vec<Figure<'_>>> = all.collect();
    let place = |number: u32| cells.iter().position(|cell| cell.cell == number);
    let mut rows = Vec::new();
    for (header, own) in cells.iter().zip(&figures) {
        rows.extend(own.iter().map(|figure| figure.row(header.cell, None)));
        let baseline = header.baseline.filter(|&baseline| baseline != header.cell);
        if let Some((baseline, base)) = baseline.and_then(|number| Some((number, figures.get(place(number)?)?))) {
            let of_base =
                |own: &Figure<'_>| base.iter().find(|base| (base.side, base.metric) == (own.side, own.metric));
            let both = own.iter().filter_map(|own| Some((own, of_base(own)?)));
            rows.extend(both.map(|(own, base)| own.minus(base).row(header.cell, Some(baseline))));
        }
    }
    rows
}

/// A number of one cell with the limits between which it certainly lies; `None` for a metric that it does not have.
#[cfg(feature = "folders")]
pub(crate) fn estimate(header: &CellHeader, odds: &CellOdds, side: Option<Side>, metric: &str) -> Option<Estimate> {
    let figures = figures(header, odds);
    let found = figures.iter().find(|figure| figure.side == side && figure.metric == metric)?;
    Some(Estimate::bounded(found.point, found.low, found.high))
}

/// A number of one cell, and how far it may be from the truth.
struct Figure<'m> {
    side: Option<Side>,
    metric: &'m str,
    kind: Kind,
    point: f64,
    low: f64,
    high: f64,
}

impl Figure<'_> {
    fn row(&self, cell: u32, baseline: Option<u32>) -> SummaryRow {
        let Self { side, metric, kind, point: mean, low, high } = *self;
        SummaryRow {
            cell,
            side,
            metric: metric.to_owned(),
            kind,
            baseline,
            mean,
            low,
            high,
            level: 1.0,
            runs: 0,
            variance_ratio: None,
        }
    }

    /// The difference between a cell's number and its baseline's.
    fn minus(&self, base: &Self) -> Self {
        let kind = if self.kind == Kind::Share { Kind::ShareDifference } else { Kind::MeanDifference };
        let (point, low, high) = (self.point - base.point, self.low - base.high, self.high - base.low);
        Self { kind, point, low, high, ..*self }
    }
}

fn figures(header: &CellHeader, odds: &CellOdds) -> Vec<Figure<'static>> {
    let bounds = Bounds::of(header);
    let left_out = odds.left_out;
    let figure = |side, metric, kind, value: f64, most: f64| {
        let point = value / (1.0 - left_out);
        Figure { side, metric, kind, point, low: value, high: value + left_out * most }
    };
    let mut figures = Vec::new();
    for &verdict in Verdict::among(odds.metrics.count()) {
        let winner = verdict.winner();
        let metric = if winner.is_some() { WIN } else { DRAW };
        figures.push(figure(winner, metric, Kind::Share, odds.outcomes[verdict.index()].value, 1.0));
    }
    figures.push(figure(None, TURNS, Kind::Mean, odds.turns.mean.value, bounds.turns as f64));
    for &side in odds.metrics.sides() {
        for (metric, values) in METRICS.iter().zip(&odds.metrics[side]) {
            if metric.partial {
                let given = odds_given(values, left_out, bounds.turns).map(|given| Figure {
                    side: Some(side),
                    metric: metric.key,
                    kind: Kind::Mean,
                    point: given.point,
                    low: given.low,
                    high: given.high,
                });
                figures.extend(given);
                continue;
            }
            let (kind, most) = if metric.share { (Kind::Share, 1.0) } else { (Kind::Mean, bounds.metric as f64) };
            figures.push(figure(Some(side), metric.key, kind, values.mean.value, most));
        }
    }
    figures
}

/// The metrics of the pack.
fn counted<'m>(manifest: &'m Manifest, odds: &CellOdds) -> Vec<Figure<'m>> {
    let ratios = || manifest.metrics.iter().filter_map(|metric| Some((metric.key.as_str(), metric.ratio?)));
    let (mut figures, left_out) = (Vec::new(), odds.left_out);
    for &side in odds.counted.sides() {
        for ((metric, header), counted) in ratios().zip(&odds.counted[side]) {
            let (value, (least, most)) = (counted.mean.value, header.range());
            figures.push(Figure {
                side: Some(side),
                metric,
                kind: Kind::Mean,
                point: value / (1.0 - left_out),
                low: value + left_out * least,
                high: value + left_out * most,
            });
        }
    }
    figures
}
