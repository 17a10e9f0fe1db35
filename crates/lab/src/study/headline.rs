//! What the report of a study leads with.

use grognard_engine::METRICS;
use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Table, Value};

use super::expand::shown;
use super::names::entries;
use crate::results::{CellHeader, DRAW, Headline, TURNS};

/// The question that a study asks: the comment at the beginning of its file, on one line.
pub(super) fn question(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.trim().strip_prefix('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// The metrics that a report can lead with: each side's wins, draws and turns, and of each side those of every battle and those that
/// the study asks for.
pub(super) fn metrics(sides: &[String; 2], asked: &[String]) -> Vec<String> {
    let keys = || METRICS.iter().map(|metric| metric.key).chain(asked.iter().map(String::as_str));
    let of_side = |side: &String| keys().map(|key| format!("{side}.{key}")).collect::<Vec<_>>();
    let whole = sides.iter().cloned().chain([DRAW.to_owned(), TURNS.to_owned()]);
    whole.chain(sides.iter().flat_map(of_side)).collect()
}

/// What the study's report leads with, if the study says so. Values of `pinned` paths are left out of account.
///
/// # Errors
/// It names a cell or a metric that is not there.
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
    // A pinned path leaves fewer cells, which have other numbers.
    let varies = |path: &Path| cells.iter().flat_map(|cell| &cell.vary).any(|setting| setting.path == path.to_string());
    if pinned.iter().any(varies) {
        return None;
    }
    let cell = u32::try_from(number).ok().filter(|&cell| (cell as usize) < cells.len());
    if cell.is_none() {
        let fault = Diagnostic::new(format!("there is no cell {number} to lead with")).at(node.span);
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
    let known = faults.len();
    let mut wanted = Vec::new();
    for entry in entries(settings, &[], faults).into_iter().filter(|entry| !pinned.contains(&entry.path)) {
        let (path, value) = (entry.path.to_string(), shown(&entry.node.value));
        let all = || cells.iter().flat_map(|cell| &cell.vary);
        let mut values: Vec<&str> = Vec::new();
        for setting in all().filter(|setting| setting.path == path) {
            if !values.contains(&setting.value.text.as_str()) {
                values.push(&setting.value.text);
            }
        }
        if values.is_empty() {
            let mut paths: Vec<&str> = all().map(|setting| setting.path.as_str()).collect();
            paths.sort_unstable();
            paths.dedup();
            faults.push(Diagnostic::unknown("varied path", &path, paths).at(entry.span));
        } else if !values.iter().any(|known| is_same(known, &value.text)) {
            let fault = Diagnostic::new(format!("`{path}` is never {}", entry.node.value)).at(entry.node.span);
            faults.push(fault.help(format!("its values are {}", values.join(", "))));
        }
        wanted.push((path, value.text));
    }
    if faults.len() > known {
        return None;
    }
    let has = |cell: &CellHeader, (path, text): &(String, String)| {
        cell.vary.iter().any(|setting| setting.path == *path && is_same(&setting.value.text, text))
    };
    let cell = cells.iter().find(|cell| wanted.iter().all(|want| has(cell, want))).map(|cell| cell.cell);
    if cell.is_none() && pinned.is_empty() {
        let fault = Diagnostic::new("no cell has all of these values").at(node.span);
        faults.push(fault.help("name fewer of them, or the cell by its label"));
    }
    cell
}

/// Whether two values are the same, 2 and 2.0 included.
fn is_same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    one == other || number(one).is_some_and(|one| number(other) == Some(one))
}
