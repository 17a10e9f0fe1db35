//! The summary as a tidy table.

use super::cells::varied_columns;
use super::table::{Table, column};
use crate::results::{CellHeader, Manifest, SummaryRow};

/// A summary as a table: `cell, label`, a column for each varied path, `side, metric, kind, baseline, mean, low, high,
/// level, runs, variance_ratio`.
#[must_use]
pub fn summary_table<'a>(summary: &'a [SummaryRow], manifest: &'a Manifest) -> Table<'a> {
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
    Table::new(summary.len(), columns)
}
