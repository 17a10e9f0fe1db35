//! Losses in a battle: a small distribution per cell and side, with its mean.

use grognard_lab::results::CellHeader;
use grognard_lab::{BySide, Side};
use grognard_stats::Estimate;

use super::groups::grouped;
use super::{Distribution, DistributionRow};
use crate::reading::Reading;
use crate::sentence::{self, FIGURES};
use crate::text::{InPrint, capitalised};

/// The stem of its file names.
const NAME: &str = "casualties";

/// The metric shown.
pub(crate) const METRIC: &str = "losses";

/// The chart's data; `None` if there are no counts, if nearly all battles have the same losses, or if there are more
/// than two sides, since the chart compares two.
pub(super) fn casualties(reading: &Reading<'_>) -> Option<Distribution> {
    if reading.is_of_many() {
        return None;
    }
    let manifest = &reading.results.manifest;
    let at = manifest.metrics.iter().position(|metric| metric.key == METRIC)?;
    let row = |(cell, name): (&CellHeader, String)| {
        let mean = |side| reading.mean(cell, Some(side), METRIC);
        let shares = |side| Some(reading.spread(cell, side, at)?.shares());
        let shares = BySide::new(shares(Side::First)?, shares(Side::Second)?);
        let mean = BySide::new(mean(Side::First)?, mean(Side::Second)?);
        Some(DistributionRow { cell: cell.cell, name, mean, shares })
    };
    let groups = grouped(reading, row);
    let metric = manifest.metrics[at].title.clone();
    let finding = finding(reading, telling(reading));
    let (name, cells) = (NAME.to_owned(), reading.cells().len());
    let chart = Distribution { name, finding, metric, sides: reading.sides(), only: None, groups, cells };
    (!chart.is_flat()).then_some(chart)
}

/// The side whose losses the study leads with, if any. Otherwise the subject; or the other side, if the headline's
/// comparison changes only the other side's losses.
fn telling(reading: &Reading<'_>) -> Side {
    if let Some(side) = reading.headline.side.filter(|_| reading.headline.metric == METRIC) {
        return side;
    }
    let differs = |side: Side| {
        let mean = |cell: &CellHeader| reading.mean(cell, Some(side), METRIC).map(|mean| mean.mean_point());
        let comparisons = reading.comparisons(Some(side), METRIC);
        reading.headlined(&comparisons).is_some_and(|one| mean(one.cell) != mean(one.baseline))
    };
    let subject = reading.subject;
    match subject.only_enemy(reading.sides().count()) {
        Some(other) if !differs(subject) && differs(other) => other,
        _ => subject,
    }
}

/// The losses of the side whose losses vary most from cell to cell; `None` if neither side's losses vary.
pub(crate) fn losses(reading: &Reading<'_>) -> Option<String> {
    let apart = |side: Side| {
        let means = || reading.cells().iter().filter_map(move |cell| reading.mean(cell, Some(side), METRIC));
        let least = means().map(|mean| mean.high).fold(f64::INFINITY, f64::min);
        means().map(|mean| mean.low).fold(f64::NEG_INFINITY, f64::max) - least
    };
    let sides = Side::first(reading.results.manifest.sides.len()).iter().copied();
    let side = sides.max_by(|&one, &other| apart(one).total_cmp(&apart(other)))?;
    (apart(side) > 0.0).then(|| finding(reading, side))
}

fn finding(reading: &Reading<'_>, side: Side) -> String {
    let comparisons = reading.comparisons(Some(side), METRIC);
    let mean = |cell: &CellHeader| reading.mean(cell, Some(side), METRIC);
    let told = reading.headlined(&comparisons).and_then(|comparison| {
        let own = mean(comparison.cell)?.mean_point() + FIGURES;
        let theirs = mean(comparison.baseline)?.mean_point();
        let told = sentence::contrast(&reading.names, comparison.cells(), Some(side), [&own, &theirs]);
        Some(told + sentence::unsure(&comparison.difference))
    });
    let sides = reading.sides();
    let name = capitalised(&sides[side]);
    match (told, reading.cells()) {
        (Some(told), _) => format!("{name} loses {told}"),
        (None, [one]) => {
            let mean = |side| reading.mean(one, Some(side), METRIC).map(|mean| mean.mean_point()).unwrap_or_default();
            let (first, second) = (mean(Side::First), mean(Side::Second));
            format!("{} loses {first}{FIGURES}, {} {second}", capitalised(&sides.first), sides.second)
        }
        (None, cells) => {
            let means = || cells.iter().filter_map(|cell| Some((mean(cell)?, cell)));
            let by_mean = |left: &(Estimate, _), right: &(Estimate, _)| left.0.point.total_cmp(&right.0.point);
            let told = means().min_by(by_mean).zip(means().max_by(by_mean)).map(|(least, most)| {
                let with = |(mean, cell): (Estimate, &CellHeader), unit: &str| {
                    format!("{}{unit} {}", mean.mean_point(), reading.names.place(cell, Some(side)))
                };
                format!("{}, {}", with(least, FIGURES), with(most, ""))
            });
            format!("{name} loses {}", told.unwrap_or_default())
        }
    }
}
