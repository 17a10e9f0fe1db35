//! Expands a study's varied values into cells: their values, names and baselines.

use std::collections::{BTreeMap, BTreeSet};

use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Value};

use super::axes::{Axes, Axis};
use super::names::{Entry, entries};
use crate::results::{CellHeader, Labels, Setting, Value as Shown, Varied};

/// A cell by its values.
#[derive(Clone, Debug)]
pub(super) struct CellPlan {
    /// The varied paths with their values in this cell.
    pub(super) settings: Vec<Entry>,
    /// Its point on each axis, by index; `None` for a cell written out in the study.
    points: Option<Vec<usize>>,
    /// Its name, if the study gives it one.
    label: Option<String>,
}

impl CellPlan {
    /// Whether a cell has the values of this plan.
    pub(super) fn makes(&self, cell: &CellHeader) -> bool {
        self.settings.iter().all(|setting| {
            let path = setting.path.to_string();
            cell.vary.iter().any(|own| own.path == path && own.value == shown(&setting.node.value))
        })
    }
}

/// The cells of the full grid, the last axis varying fastest, followed by those that are written out.
pub(super) fn expand(axes: &Axes) -> Vec<CellPlan> {
    let mut cells = Vec::new();
    if axes.explicit.is_empty() || !axes.axes.is_empty() {
        let mut points = vec![0; axes.axes.len()];
        loop {
            let settings = axes.axes.iter().zip(&points).flat_map(|(axis, &point)| settings_of(axis, point));
            cells.push(CellPlan { settings: settings.collect(), points: Some(points.clone()), label: None });
            if !advance(&mut points, &axes.axes) {
                break;
            }
        }
    }
    cells.extend(axes.explicit.iter().map(|cell| CellPlan {
        settings: cell.settings.clone(),
        points: None,
        label: cell.label.clone(),
    }));
    cells
}

fn settings_of(axis: &Axis, point: usize) -> impl Iterator<Item = Entry> + '_ {
    axis.paths.iter().zip(&axis.points[point]).map(|(path, node)| Entry { node: node.clone(), ..path.clone() })
}

/// The next combination of points; false after the last.
fn advance(points: &mut [usize], axes: &[Axis]) -> bool {
    for (point, axis) in points.iter_mut().zip(axes).rev() {
        *point += 1;
        if *point < axis.points.len() {
            return true;
        }
        *point = 0;
    }
    false
}

/// For each cell, the cell that it is compared with.
///
/// A cell of the grid is compared with the cell that has the baseline's values and otherwise the same values. A cell
/// that is written out is compared with the first such cell that has the baseline's values.
pub(super) fn baselines(
    document: &Document,
    axes: &Axes,
    cells: &[CellPlan],
    (pack, pinned): (&Document, &[Path]),
    faults: &mut Diagnostics,
) -> Vec<Option<u32>> {
    let none = vec![None; cells.len()];
    let report = document.root.get("report").and_then(Node::as_table);
    let wanted = match report.and_then(|report| report.get("baseline")) {
        None => None,
        Some(Node { value: Value::Int(number), span }) => {
            return match u32::try_from(*number).ok().filter(|&cell| (cell as usize) < cells.len()) {
                Some(cell) => vec![Some(cell); cells.len()],
                None => {
                    let fault = Diagnostic::new(format!("there is no cell {number} for the baseline")).at(*span);
                    faults.push(fault.help(format!("cells are numbered from 0 to {}", cells.len() - 1)));
                    none
                }
            };
        }
        Some(node) => node.as_table(),
    };
    if cells.len() < 2 {
        return none;
    }
    let Some(wanted) = wanted else { return default_baselines(axes, cells, pack) };
    let wanted = entries(wanted, &[], faults);
    let fixed = fixed_points(axes, cells, &wanted, pinned, faults);
    let written_out = cells.iter().position(|cell| cell.points.is_none() && has_all(cell, &wanted));
    cells
        .iter()
        .map(|cell| match &cell.points {
            Some(points) => grid_cell(axes, points, &fixed),
            None => written_out.map(|cell| cell as u32),
        })
        .collect()
}

/// The default baselines: the pack's own value of the first axis if the study lists it, or else the axis's first value;
/// or the first cell that is written out.
fn default_baselines(axes: &Axes, cells: &[CellPlan], pack: &Document) -> Vec<Option<u32>> {
    let first_axis = axes.axes.iter().position(|axis| axis.points.len() > 1);
    let own = |axis: &Axis| {
        let has_own = |point: &Vec<Node>| {
            axis.paths
                .iter()
                .zip(point)
                .all(|(entry, node)| pack.get(&entry.path).is_some_and(|own| same(&own.value, &node.value)))
        };
        axis.points.iter().position(has_own).unwrap_or(0)
    };
    let fixed: Vec<_> = first_axis.map(|axis| (axis, own(&axes.axes[axis]))).into_iter().collect();
    let written_out = cells.iter().position(|cell| cell.points.is_none()).map(|cell| cell as u32);
    cells
        .iter()
        .map(|cell| cell.points.as_ref().map_or(written_out, |points| grid_cell(axes, points, &fixed)))
        .collect()
}

/// The grid's cell at these points, with the fixed points in place of those of their axes. `None` if nothing is fixed.
fn grid_cell(axes: &Axes, points: &[usize], fixed: &[(usize, usize)]) -> Option<u32> {
    let point = |axis: usize| fixed.iter().find(|(at, _)| *at == axis).map_or(points[axis], |(_, point)| *point);
    let index = axes.axes.iter().enumerate().fold(0, |index, (at, axis)| index * axis.points.len() + point(at));
    (!fixed.is_empty()).then_some(index as u32)
}

fn has_all(cell: &CellPlan, wanted: &[Entry]) -> bool {
    wanted.iter().all(|want| {
        cell.settings.iter().any(|setting| setting.path == want.path && same(&setting.node.value, &want.node.value))
    })
}

/// The points of axes with the baseline's values. Reports paths that do not vary and values that they never have.
fn fixed_points(
    axes: &Axes,
    cells: &[CellPlan],
    wanted: &[Entry],
    pinned: &[Path],
    faults: &mut Diagnostics,
) -> Vec<(usize, usize)> {
    let mut fixed = Vec::new();
    for want in wanted {
        let place = |axis: &Axis| axis.paths.iter().position(|entry| entry.path == want.path);
        let found = axes.axes.iter().enumerate().find_map(|(at, axis)| Some((at, axis, place(axis)?)));
        let Some((at, axis, column)) = found else {
            let in_cells = cells
                .iter()
                .any(|cell| cell.points.is_none() && cell.settings.iter().any(|setting| setting.path == want.path));
            if !in_cells {
                let varied: Vec<String> =
                    axes.axes.iter().flat_map(|axis| &axis.paths).map(|entry| entry.path.to_string()).collect();
                let fault =
                    Diagnostic::unknown("varied path", &want.path.to_string(), varied.iter().map(String::as_str));
                faults.push(fault.at(want.span));
            }
            continue;
        };
        match axis.points.iter().position(|point| same(&point[column].value, &want.node.value)) {
            Some(point) => fixed.push((at, point)),
            // The command line set another value at this path, for every cell.
            None if pinned.contains(&want.path) => {}
            None => {
                let listed: Vec<String> = axis.points.iter().map(|point| point[column].value.to_string()).collect();
                let fault = Diagnostic::new(format!("`{}` is never {}", want.path, want.node.value));
                faults.push(fault.at(want.node.span).help(format!("its values are {}", listed.join(", "))));
            }
        }
    }
    fixed
}

/// Whether two values are the same, with 2 and 2.0 equal.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Int(int), Value::Float(float)) | (Value::Float(float), Value::Int(int)) => *int as f64 == *float,
        _ => one.to_string() == other.to_string(),
    }
}

/// The varied paths with the values that cells give them.
pub(super) fn varied(cells: &[CellPlan]) -> Vec<Varied> {
    let mut varied: Vec<Varied> = Vec::new();
    let mut seen = BTreeMap::<&Path, (usize, BTreeSet<String>)>::new();
    for setting in cells.iter().flat_map(|cell| &cell.settings) {
        let (place, texts) = seen.entry(&setting.path).or_insert_with(|| {
            varied.push(Varied { path: setting.path.to_string(), values: Vec::new() });
            (varied.len() - 1, BTreeSet::new())
        });
        let value = shown(&setting.node.value);
        if texts.insert(value.text.clone()) {
            varied[*place].values.push(value);
        }
    }
    varied
}

/// The cell as results show it. `turns`, `figures` and `units` are those of its deployment. If no varied value
/// distinguishes a cell, its name is `title`.
pub(super) fn header(
    cell: u32,
    plan: &CellPlan,
    varied: &[Varied],
    baseline: Option<u32>,
    (title, labels): (&str, &Labels),
) -> CellHeader {
    let vary: Vec<Setting> = plan
        .settings
        .iter()
        .map(|entry| Setting { path: entry.path.to_string(), value: shown(&entry.node.value) })
        .collect();
    let tells = |setting: &&Setting| {
        varied.iter().any(|varied| varied.path == setting.path && (varied.values.len() > 1 || plan.points.is_none()))
    };
    let label = plan.label.clone().unwrap_or_else(|| {
        let words: Vec<String> = vary.iter().filter(tells).map(|setting| labels.words(setting)).collect();
        if words.is_empty() { title.to_owned() } else { words.join(", ") }
    });
    CellHeader { cell, label, vary, turns: 0, figures: Vec::new(), units: Vec::new(), baseline }
}

/// A value to be shown.
pub(super) fn shown(value: &Value) -> Shown {
    match value {
        Value::Text(text) => Shown { text: text.clone(), number: None },
        Value::Int(number) => Shown { text: number.to_string(), number: Some(*number as f64) },
        Value::Float(number) => Shown { text: number.to_string(), number: Some(*number) },
        other => Shown { text: other.to_string(), number: None },
    }
}
