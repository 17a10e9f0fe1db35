//! The summary, read back.

use polars_core::prelude::DataFrame;

use super::super::side_of;
use super::{Fault, Fields};
use crate::results::{DRAW, Kind, Manifest, SummaryRow, TURNS, WIN};

/// A summary from its frame.
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
