//! The pack's metrics that can be read from the end of a battle, such as the margin in points.

use grognard_lab::results::CellHeader;
use grognard_lab::{BySide, Side};
use grognard_stats::Estimate;

use super::groups::{Group, grouped};
use super::{Distribution, DistributionRow};
use crate::reading::Reading;
use crate::sentence;
use crate::text::{InPrint, capitalised};

/// The prefix of the metric's key in the stem of file names.
const NAME: &str = "metric-";

/// A chart for each metric with a histogram, except for those that hardly ever vary; empty if there are more than two
/// sides, since the chart compares two.
pub(super) fn counted(reading: &Reading<'_>) -> Vec<Distribution> {
    if reading.is_of_many() {
        return Vec::new();
    }
    let keys = reading.results.manifest.counted_keys();
    keys.iter().enumerate().filter_map(|(place, key)| of_metric(reading, place, key)).collect()
}

/// The stem of the file names of a metric's chart. The key may come from an untrusted file.
pub(super) fn name_of(key: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    format!("{NAME}{}", key.chars().map(plain).collect::<String>())
}

fn of_metric(reading: &Reading<'_>, place: usize, key: &str) -> Option<Distribution> {
    let row = |(cell, name): (&CellHeader, String)| {
        let mean = |side| reading.mean(cell, Some(side), key);
        let shares = |side| reading.shares_counted(cell, side, place);
        let shares = BySide::new(shares(Side::First)?, shares(Side::Second)?);
        let mean = BySide::new(mean(Side::First)?, mean(Side::Second)?);
        Some(DistributionRow { cell: cell.cell, name, mean, shares })
    };
    let groups = grouped(reading, row);
    let rows = || groups.iter().flat_map(|group: &Group<DistributionRow>| &group.rows);
    let only = rows().all(DistributionRow::is_mirrored).then_some(reading.subject);
    let metrics = &reading.results.manifest.metrics;
    let metric = metrics.iter().find(|metric| metric.key == key)?.title.clone();
    let finding = finding(reading, key, &metric)?;
    let cells = reading.cells().len();
    let chart = Distribution { name: name_of(key), finding, metric, sides: reading.sides(), only, groups, cells };
    (!chart.is_flat()).then_some(chart)
}

/// The mean in the headline's comparison, or else the smallest and the largest.
fn finding(reading: &Reading<'_>, key: &str, metric: &str) -> Option<String> {
    let side = reading.subject;
    let mean = |cell: &CellHeader| reading.mean(cell, Some(side), key);
    let whose = format!("{}: {metric}, mean", capitalised(&reading.sides()[side]));
    if let Some(comparison) = reading.headlined(&reading.comparisons(Some(side), key)) {
        let (own, theirs) = (mean(comparison.cell)?.mean_point(), mean(comparison.baseline)?.mean_point());
        let told = sentence::contrast(&reading.names, comparison.cells(), Some(side), [&own, &theirs]);
        return Some(format!("{whose} {told}{}", sentence::unsure(&comparison.difference)));
    }
    let cells = || reading.cells().iter().filter_map(|cell| Some((mean(cell)?, cell)));
    let by_mean = |one: &(Estimate, _), other: &(Estimate, _)| one.0.point.total_cmp(&other.0.point);
    let (least, most) = cells().min_by(by_mean).zip(cells().max_by(by_mean))?;
    if reading.cells().len() == 1 {
        return Some(format!("{whose} {}", least.0.mean_point()));
    }
    let with = |(mean, cell): (Estimate, &CellHeader)| {
        format!("{} {}", mean.mean_point(), reading.names.place(cell, Some(side)))
    };
    Some(format!("{whose} from {} to {}", with(least), with(most)))
}
