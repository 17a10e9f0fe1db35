//! The metrics of the pack that the study requests: a table for each, with the mean of every cell and the range that
//! contains most battles.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, MetricHeader, Results, SummaryRow};

use super::Setting;
use super::figures::{Figure, aligned};
use super::grid::{self, Column};
use super::names::Names;
use super::shares::{beside_cells, side_name};
use crate::text::true_minus;

/// The tables; empty if the study requests no metric.
pub(super) fn tables(results: &Results, names: &Names<'_>, setting: Setting) -> Vec<Vec<String>> {
    let metrics = results.manifest.metrics.iter().filter(|metric| metric.ratio.is_some());
    metrics.map(|metric| table(results, names, metric, setting)).collect()
}

fn table(results: &Results, names: &Names<'_>, metric: &MetricHeader, setting: Setting) -> Vec<String> {
    let manifest = &results.manifest;
    let place = manifest.counted_keys().iter().position(|key| *key == metric.key);
    let all = Side::first(manifest.sides.len());
    let opposite = place.is_some_and(|place| is_mirrored(results, place));
    let sides = if opposite { &all[..1] } else { all };
    let columns: Vec<Column> = sides.iter().flat_map(|&side| columns(results, metric, place, side)).collect();
    let title = format!("{}: {}", metric.key, metric.title);
    let mut lines = match setting {
        Setting::Text(_) => vec![title],
        Setting::Markdown => vec![format!("**{}**", grid::escaped(&title)), String::new()],
    };
    lines.extend(beside_cells(results, names, setting, &columns));
    let mut legend = Vec::new();
    if place.is_some() {
        legend.push("5–95 %: the range of nine battles in ten.".to_owned());
    }
    if opposite {
        legend.push(format!("{} has the opposite values.", side_name(results, all[1])));
    }
    if legend.is_empty() {
        return lines;
    }
    lines.push(String::new());
    match setting {
        Setting::Text(_) => lines.extend(legend),
        Setting::Markdown => lines.push(grid::escaped(&legend.join(" "))),
    }
    lines
}

/// A side's mean in each cell and, for a metric with a histogram, the median and the middle nine tenths.
fn columns(results: &Results, metric: &MetricHeader, place: Option<usize>, side: Side) -> Vec<Column> {
    let cells = &results.manifest.cells;
    let head = |what: &str| format!("{}\n{what}", side_name(results, side));
    let mean = |cell: &CellHeader| {
        let mean = results.estimate(cell.cell, Some(side), &metric.key).map(SummaryRow::estimate);
        mean.map_or_else(Figure::default, |mean| Figure::mean(&mean))
    };
    let mut columns = vec![Column::new(&head("mean"), aligned(&cells.iter().map(mean).collect::<Vec<_>>()))];
    if let Some(place) = place {
        let shares = || (0..cells.len()).map(|cell| results.shares_counted(cell, side, place).unwrap_or_default());
        let median = shares().map(|shares| quantile(&shares, 0.5).map_or_else(String::new, whole));
        columns.push(Column::new(&head("median"), median.collect()).right());
        let within = shares().map(|shares| match (quantile(&shares, 0.05), quantile(&shares, 0.95)) {
            (Some(low), Some(high)) => format!("{} to {}", whole(low), whole(high)),
            _ => String::new(),
        });
        columns.push(Column::new(&head("5–95 %"), within.collect()).right());
    }
    columns
}

fn whole(value: i32) -> String {
    true_minus(&value.to_string())
}

/// The smallest value that this share of battles does not exceed. Shares are sums of rounded numbers.
fn quantile(shares: &[(i32, f64)], part: f64) -> Option<i32> {
    let mut sum = 0.0;
    let reached = |&&(_, share): &&(i32, f64)| {
        sum += share;
        sum >= part - 1e-9
    };
    shares.iter().find(reached).map(|&(value, _)| value)
}

/// Whether there are two sides and each value of one is the negative of the other's, with the same share.
fn is_mirrored(results: &Results, place: usize) -> bool {
    let cells = 0..results.manifest.cells.len();
    let shares = |cell, side| results.shares_counted(cell, side, place).unwrap_or_default();
    let opposite = |(own, foe): (&(i32, f64), &(i32, f64))| own.0 == -foe.0 && (own.1 - foe.1).abs() < 1e-9;
    let mirrored = |cell| {
        let (first, second) = (shares(cell, Side::First), shares(cell, Side::Second));
        first.len() == second.len() && first.iter().zip(second.iter().rev()).all(opposite)
    };
    results.manifest.sides.len() == 2 && cells.into_iter().all(mirrored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_occur() {
        let shares = [(-2, 0.04), (0, 0.01), (1, 0.45), (3, 0.45), (9, 0.05)];
        assert_eq!([0.05, 0.5, 0.95].map(|part| quantile(&shares, part)), [Some(0), Some(1), Some(3)]);
        assert_eq!(quantile(&[(4, 1.0)], 0.95), Some(4));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
