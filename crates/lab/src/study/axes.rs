//! What a study varies: `[vary]`, `[pairs]` and `[[cells]]`, as lists of values.

use std::collections::BTreeSet;

use grognard_rules::source::{Diagnostic, Diagnostics, Document, Node, Path, Value, decode};

use super::names::{Entry, entries, is_range, twice};
use super::wire::RangeWire;

/// The most cells that a study may have.
pub(super) const CELLS_MAX: usize = 10_000;

/// Something that varies independently of all else: one path, or several whose values go together.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// The paths, as they are written.
    pub(super) paths: Vec<Entry>,
    /// Its points: a value for each path. At least one.
    pub(super) points: Vec<Vec<Node>>,
}

/// A cell that the study writes out.
#[derive(Clone, Debug)]
pub(super) struct Explicit {
    pub(super) label: Option<String>,
    pub(super) settings: Vec<Entry>,
}

/// All that a study varies.
#[derive(Clone, Debug, Default)]
pub(super) struct Axes {
    /// In the order of the file; the first varies slowest. Pairs come last.
    pub(super) axes: Vec<Axis>,
    pub(super) explicit: Vec<Explicit>,
}

impl Axes {
    /// Reads what a study varies. Its shape must have been checked.
    pub(super) fn read(document: &Document, faults: &mut Diagnostics) -> Self {
        let table = |name: &str| document.root.get(name).and_then(Node::as_table);
        let varied = table("vary").map_or_else(Vec::new, |table| entries(table, &[], faults));
        let paired = table("pairs").map_or_else(Vec::new, |table| entries(table, &[], faults));
        for pair in &paired {
            if let Some(first) = varied.iter().find(|vary| vary.path == pair.path) {
                faults.push(twice(&pair.path, pair.span, first.span));
            }
        }
        let mut axes: Vec<Axis> = Vec::new();
        for entry in varied {
            let points = values(&entry, faults).into_iter().map(|value| vec![value]).collect();
            axes.push(Axis { paths: vec![entry], points });
        }
        axes.extend(pairs(paired, faults));
        axes.retain(|axis| !axis.points.is_empty());

        let rows = document.root.get("cells").and_then(Node::as_array).unwrap_or_default();
        let explicit = rows.iter().filter_map(Node::as_table).map(|table| Explicit {
            label: table.get("label").and_then(Node::as_text).map(str::to_owned),
            settings: entries(table, &["label"], faults),
        });
        Self { axes, explicit: explicit.collect() }
    }

    /// One fault if there are more cells than [`CELLS_MAX`].
    pub(super) fn check_count(&self, document: &Document) -> Result<(), Diagnostics> {
        let mut grid = Some(usize::from(self.explicit.is_empty() || !self.axes.is_empty()));
        for axis in &self.axes {
            grid = grid.and_then(|count| count.checked_mul(axis.points.len()));
        }
        let count = grid.and_then(|count| count.checked_add(self.explicit.len()));
        if count.is_some_and(|count| count <= CELLS_MAX) {
            return Ok(());
        }
        let lengths: Vec<String> = self.axes.iter().map(|axis| axis.points.len().to_string()).collect();
        let lengths = lengths.join(" × ");
        let mut fault = Diagnostic::new(match count {
            Some(count) => format!("the study has {count} cells ({lengths}), more than {CELLS_MAX}"),
            None => format!("the study has more cells than can be counted ({lengths})"),
        });
        fault.span = ["vary", "pairs", "cells"].into_iter().find_map(|name| Some(document.root.entry(name)?.0.span));
        Err(fault.help("vary fewer values, or pair some of them with `[pairs]`").into())
    }
}

/// `[pairs]` as one axis.
fn pairs(paths: Vec<Entry>, faults: &mut Diagnostics) -> Option<Axis> {
    let first = paths.first()?;
    let lists: Vec<Vec<Node>> = paths.iter().map(|entry| all_values(entry, faults)).collect();
    let length = lists[0].len();
    for (entry, list) in paths.iter().zip(&lists).skip(1) {
        if list.len() != length {
            let message = format!("the lists of `[pairs]` differ in length: {length} values and {}", list.len());
            let fault = Diagnostic::new(message).at(entry.node.span).path(&entry.path);
            faults.push(fault.note(format!("{length} values here"), Some(first.node.span)));
            return None;
        }
    }
    let points = (0..length).map(|at| lists.iter().map(|list| list[at].clone()).collect()).collect();
    Some(Axis { paths, points })
}

/// The values of a list or a range, each of them once.
fn values(entry: &Entry, faults: &mut Diagnostics) -> Vec<Node> {
    let values = all_values(entry, faults);
    let mut seen = BTreeSet::new();
    for value in &values {
        if !seen.insert(value.value.to_string()) {
            let fault = Diagnostic::new(format!("the value {} is listed twice", value.value));
            faults.push(fault.at(value.span).path(&entry.path));
        }
    }
    values
}

pub(super) fn all_values(entry: &Entry, faults: &mut Diagnostics) -> Vec<Node> {
    match &entry.node.value {
        Value::Array(items) => items.clone(),
        Value::Table(table) if is_range(table) => range(entry, &entry.path, faults),
        _ => Vec::new(),
    }
}

/// The numbers of a range.
fn range(entry: &Entry, path: &Path, faults: &mut Diagnostics) -> Vec<Node> {
    let span = entry.node.span;
    let Some(table) = entry.node.as_table() else { return Vec::new() };
    let RangeWire { from, to, step } = match decode(&Document { root: table.clone(), span }) {
        Ok(range) => range,
        Err(more) => {
            faults.append(more);
            return Vec::new();
        }
    };
    let mut fault = |message: String| {
        faults.push(Diagnostic::new(message).at(span).path(path));
        Vec::new()
    };
    // A sliver more than the quotient, so that 0.1 to 0.3 by 0.1 has three numbers.
    let steps = ((to - from) / step + 1e-9).floor();
    if step == 0.0 || !step.is_finite() || steps < 0.0 {
        return fault(format!("no step of {step} leads from {from} to {to}"));
    }
    if !steps.is_finite() || steps >= CELLS_MAX as f64 {
        return fault(format!("{from} to {to} by {step} are more than {CELLS_MAX} values"));
    }
    let whole = [from, to, step].iter().all(|number| number.fract() == 0.0 && number.abs() < 1e15);
    let number = |at: usize| from + at as f64 * step;
    let value = |at: usize| match whole {
        true => Value::Int(number(at) as i64),
        // To nine decimals: 0.1 + 2 × 0.1 is meant to be 0.3.
        false => Value::Float((number(at) * 1e9).round() / 1e9),
    };
    (0..=steps as usize).map(|at| Node { value: value(at), span }).collect()
}
