//! The headline finding of a study's report.

use grognard_engine::METRICS;
use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Table, Value};

use super::names::entries;
use super::select::{Wanted, with_values};
use crate::results::{CellHeader, DRAW, Headline, TURNS};

/// The question that a study asks: the comment at the beginning of its file, on one line.
pub(super) fn question(text: &str) -> String {
    // Lines such as `#:schema` are for editors.
    let to_editors = |line: &&str| line.starts_with("#:") || line.is_empty();
    let lines = text.lines().map(str::trim).skip_while(to_editors).map_while(|line| line.strip_prefix('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// The metrics that a report can lead with: each side's wins, draws and turns, and for each side the metrics of every
/// battle and those that the study requests.
pub(super) fn metrics(sides: &[String], asked: &[String]) -> Vec<String> {
    let keys = || METRICS.iter().map(|metric| metric.key).chain(asked.iter().map(String::as_str));
    let of_side = |side: &String| keys().map(|key| format!("{side}.{key}")).collect::<Vec<_>>();
    let whole = sides.iter().cloned().chain([DRAW.to_owned(), TURNS.to_owned()]);
    whole.chain(sides.iter().flat_map(of_side)).collect()
}

/// The headline of the study's report, if the study gives one. Values of `pinned` paths are ignored.
///
/// # Errors
/// It names a cell or a metric that does not exist.
pub(super) fn headline(
    document: &Document,
    cells: &[&CellHeader],
    metrics: &[String],
    pinned: &[Path],
) -> Result<Option<Headline>, Diagnostics> {
    let report = document.root.get("report").and_then(Node::as_table);
    let Some(table) = report.and_then(|report| report.get("headline")?.as_table()) else { return Ok(None) };
    let mut faults = Diagnostics::new();
    let metric = table.get("metric").and_then(|node| Some((node.as_text()?.to_owned(), node.span)));
    if let Some((metric, span)) = metric.as_ref().filter(|(metric, _)| !metrics.contains(metric)) {
        faults.push(Diagnostic::unknown("metric", metric, metrics.iter().map(String::as_str)).at(*span));
    }
    let cell = table.get("cell").and_then(|node| match &node.value {
        Value::Int(number) => by_number(*number, node, cells, pinned, &mut faults),
        Value::Text(label) => by_label(label, node, cells, pinned, &mut faults),
        Value::Table(settings) => by_settings(settings, node, cells, pinned, &mut faults),
        _ => None,
    });
    faults.into_result(cell.map(|cell| Headline { cell, metric: metric.map(|(metric, _)| metric) }))
}

fn by_number(
    number: i64,
    node: &Node,
    cells: &[&CellHeader],
    pinned: &[Path],
    faults: &mut Diagnostics,
) -> Option<u32> {
    // With a pinned path there are fewer cells, with different numbers.
    let varies = |path: &Path| cells.iter().flat_map(|cell| &cell.vary).any(|setting| setting.path == path.to_string());
    if pinned.iter().any(varies) {
        return None;
    }
    let cell = u32::try_from(number).ok().filter(|&cell| (cell as usize) < cells.len());
    if cell.is_none() {
        let fault = Diagnostic::new(format!("there is no cell {number} for the headline")).at(node.span);
        faults.push(fault.help(format!("cells are numbered from 0 to {}", cells.len().saturating_sub(1))));
    }
    cell
}

fn by_label(label: &str, node: &Node, cells: &[&CellHeader], pinned: &[Path], faults: &mut Diagnostics) -> Option<u32> {
    let cell = cells.iter().find(|cell| cell.label == label).map(|cell| cell.cell);
    if cell.is_none() && pinned.is_empty() {
        let known = cells.iter().map(|cell| cell.label.as_str());
        faults.push(Diagnostic::unknown("cell", label, known).at(node.span));
    }
    cell
}

/// The first cell with these values at these paths.
fn by_settings(
    settings: &Table,
    node: &Node,
    cells: &[&CellHeader],
    pinned: &[Path],
    faults: &mut Diagnostics,
) -> Option<u32> {
    let wanted = entries(settings, &[], faults);
    let wanted = wanted.iter().filter(|entry| !pinned.contains(&entry.path)).map(|entry| Wanted {
        path: &entry.path,
        span: entry.span,
        node: &entry.node,
    });
    let cell = with_values(wanted, cells, faults)?.first().copied();
    if cell.is_none() && pinned.is_empty() {
        let fault = Diagnostic::new("no cell has all of these values").at(node.span);
        faults.push(fault.help("name fewer of them, or the cell by its label"));
    }
    cell
}
