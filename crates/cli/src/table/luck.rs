//! How much of the outcome the dice decided, and how often the first side wins with the luck removed.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, Results, SummaryRow, WIN};
use grognard_stats::worth;

use super::Setting;
use super::figures::{Figure, aligned};
use super::grid::{self, Block, Column};
use super::names::Names;
use crate::text::shortened;

/// Maximum number of cells listed.
const CELLS_MAX: usize = 40;

/// The luck of each cell; empty if it was not counted.
pub(super) fn table(results: &Results, names: &Names<'_>, setting: Setting) -> Option<Vec<String>> {
    let manifest = &results.manifest;
    if !manifest.luck || results.tallies.iter().all(|tally| tally.luck.is_none()) {
        return None;
    }
    let cells: Vec<&CellHeader> = manifest.cells.iter().take(CELLS_MAX).collect();
    let row = |cell: &CellHeader| results.controlled(cell.cell, Some(Side::First), WIN);
    let wins =
        |cell: &&CellHeader| row(cell).map_or_else(|| Figure::words("–"), |row| Figure::percent(&row.estimate()));
    let ratio = |cell: &CellHeader| row(cell).and_then(|row: &SummaryRow| row.variance_ratio);
    let decided = |cell: &&CellHeader| ratio(cell).map_or_else(|| "–".to_owned(), |ratio| percent(1.0 - ratio));
    let side = shortened(&manifest.sides[0], 24);
    let mut columns = vec![
        Column::new("cell", cells.iter().map(|cell| cell.cell.to_string()).collect()).right(),
        Column::new("dice decided", cells.iter().map(decided).collect()).right(),
        Column::new(&format!("{side}\nwins"), aligned(&cells.iter().map(wins).collect::<Vec<_>>())),
        Column::new("worth", cells.iter().map(|cell| worth(ratio(cell))).collect()).right(),
    ];
    if cells.len() > 1 {
        columns.push(Column::new("", cells.iter().map(|cell| names.label(cell)).collect()));
    }
    let title = "The luck of the dice, and wins without it";
    let mut lines = match setting {
        Setting::Text(_) => {
            let rows = Block { heading: String::new(), rows: (0..cells.len()).collect() };
            [vec![title.to_owned()], grid::lines(&columns, &[rows])].concat()
        }
        Setting::Markdown => [vec![format!("**{title}**"), String::new()], grid::markdown(&columns)].concat(),
    };
    let mut legend = Vec::new();
    if manifest.cells.len() > cells.len() {
        legend.push(format!("And {} others (--json has them all).", manifest.cells.len() - cells.len()));
    }
    legend.push("dice decided: the share of the outcome that the luck of both sides explains, in per cent.".to_owned());
    legend.push("wins: with the luck of both sides removed; ×N: as precise as N times as many battles.".to_owned());
    if manifest.promise.together {
        legend.push(
            "Also widened, but not guaranteed to be simultaneous: these intervals use a normal approximation."
                .to_owned(),
        );
    }
    lines.push(String::new());
    match setting {
        Setting::Text(_) => lines.extend(legend),
        Setting::Markdown => lines.push(legend.join(" ")),
    }
    Some(lines)
}

/// A part of a whole in per cent, at least 0.
fn percent(part: f64) -> String {
    format!("{:.0} %", 100.0 * part.max(0.0))
}
