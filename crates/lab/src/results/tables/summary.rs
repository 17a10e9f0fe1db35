//! The summary as a tidy frame, both ways.

use polars_core::prelude::{DataFrame, PolarsResult};

use super::cells::varied_columns;
use super::parquet::{Fault, Fields, column};
use super::side_of;
use crate::results::{CellHeader, DRAW, Kind, Manifest, SummaryRow, TURNS, WIN};

/// A summary as a frame: `cell, label`, a column for each varied path, `side, metric, kind, baseline, mean, low, high, level, runs,
/// variance_ratio`.
pub(in crate::results) fn summary_to_frame(summary: &[SummaryRow], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let names = manifest.side_names();
    let cells: Vec<Option<&CellHeader>> = summary.iter().map(|row| manifest.cell(row.cell)).collect();
    let mut columns = vec![
        column("cell", summary.iter().map(|row| row.cell as i32).collect::<Vec<_>>()),
        column("label", cells.iter().map(|cell| cell.map(|cell| cell.label.as_str())).collect::<Vec<_>>()),
    ];
    columns.extend(varied_columns(manifest, &cells));
    columns.extend([
        column("side", summary.iter().map(|row| row.side.map(|side| names[side])).collect::<Vec<_>>()),
        column("metric", summary.iter().map(|row| row.metric.as_str()).collect::<Vec<_>>()),
        column("kind", summary.iter().map(|row| row.kind.name()).collect::<Vec<_>>()),
        column("baseline", summary.iter().map(|row| row.baseline.map(|cell| cell as i32)).collect::<Vec<_>>()),
        column("mean", summary.iter().map(|row| row.mean).collect::<Vec<_>>()),
        column("low", summary.iter().map(|row| row.low).collect::<Vec<_>>()),
        column("high", summary.iter().map(|row| row.high).collect::<Vec<_>>()),
        column("level", summary.iter().map(|row| row.level).collect::<Vec<_>>()),
        column("runs", summary.iter().map(|row| row.runs as i64).collect::<Vec<_>>()),
        column("variance_ratio", summary.iter().map(|row| row.variance_ratio).collect::<Vec<_>>()),
    ]);
    DataFrame::new(summary.len(), columns)
}

/// A summary from the frame that [`summary_to_frame`] makes.
pub(in crate::results) fn summary_from_frame(frame: &DataFrame, manifest: &Manifest) -> Result<Vec<SummaryRow>, Fault> {
    let fields = Fields(frame);
    let (cells, baselines, runs) = (fields.ints("cell")?, fields.ints("baseline")?, fields.longs("runs")?);
    let (sides, metrics, kinds) = (fields.texts("side")?, fields.texts("metric")?, fields.texts("kind")?);
    let (means, lows, highs) = (fields.floats("mean")?, fields.floats("low")?, fields.floats("high")?);
    let (levels, ratios) = (fields.floats("level")?, fields.floats("variance_ratio")?);
    let known = |metric: &str| {
        [WIN, DRAW, TURNS].contains(&metric) || manifest.metrics.iter().any(|header| header.key == metric)
    };
    let cell = |number: i32| u32::try_from(number).ok().filter(|&number| manifest.cell(number).is_some());

    let read = |row: usize| {
        let side = match sides.get(row) {
            None => None,
            Some(name) => Some(side_of(name, manifest.side_names())?),
        };
        let baseline = match baselines.get(row) {
            None => None,
            Some(number) => Some(cell(number)?),
        };
        Some(SummaryRow {
            cell: cell(cells.get(row)?)?,
            side,
            metric: metrics.get(row).filter(|metric| known(metric))?.to_owned(),
            kind: Kind::named(kinds.get(row)?)?,
            baseline,
            mean: means.get(row)?,
            low: lows.get(row)?,
            high: highs.get(row)?,
            level: levels.get(row)?,
            runs: u64::try_from(runs.get(row)?).ok()?,
            variance_ratio: ratios.get(row),
        })
    };
    (0..frame.height()).map(|row| read(row).ok_or_else(|| format!("row {row} is invalid"))).collect()
}
