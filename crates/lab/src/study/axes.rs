//! Axes: the paths that a study varies in `[vary]`, `[pairs]` and `[[cells]]`, as lists of values.

use std::collections::BTreeSet;

use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Value, decode};

use super::names::{Entry, entries, is_range, twice};
use super::wire::RangeWire;

/// The maximum number of cells in a study.
pub(super) const CELLS_MAX: usize = 10_000;

/// The limit on values in all cells together, which bounds the expansion of a short study.
const VALUES_MAX: usize = 1_000_000;

/// Something that varies independently of everything else: one path, or several whose values are paired.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// The paths, as they are written.
    pub(super) paths: Vec<Entry>,
    /// Its points: a value for each path. At least one.
    pub(super) points: Vec<Vec<Node>>,
}

/// A cell written out in the study.
#[derive(Clone, Debug)]
pub(super) struct Explicit {
    pub(super) label: Option<String>,
    pub(super) settings: Vec<Entry>,
}

/// Everything that a study varies.
#[derive(Clone, Debug, Default)]
pub(super) struct Axes {
    /// The axes, in the order of the file; the first varies slowest. Pairs come last.
    pub(super) axes: Vec<Axis>,
    pub(super) explicit: Vec<Explicit>,
}

impl Axes {
    /// Reads the varied values of a study whose shape has been checked. Cells are counted before any value is
    /// expanded.
    ///
    /// # Errors
    /// One fault if there are more cells than [`CELLS_MAX`], or more values in them than [`VALUES_MAX`].
    pub(super) fn read(document: &Document, faults: &mut Diagnostics) -> Result<Self, Diagnostics> {
        let table = |name: &str| document.root.get(name).and_then(Node::as_table);
        let varied = table("vary").map_or_else(Vec::new, |table| entries(table, &[], faults));
        let paired = table("pairs").map_or_else(Vec::new, |table| entries(table, &[], faults));
        let rows = document.root.get("cells").and_then(Node::as_array).unwrap_or_default();
        check_count(document, &varied, &paired, rows.len())?;
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
        let explicit = rows.iter().filter_map(Node::as_table).map(|table| Explicit {
            label: table.get("label").and_then(Node::as_text).map(str::to_owned),
            settings: entries(table, &["label"], faults),
        });
        Ok(Self { axes, explicit: explicit.collect() })
    }
}

/// Counts cells and their values only from the lengths of lists and ranges.
fn check_count(document: &Document, varied: &[Entry], paired: &[Entry], explicit: usize) -> Result<(), Diagnostics> {
    let pairs = paired.iter().map(length).max();
    // An empty list is reported separately, and is not an axis.
    let lengths: Vec<usize> = varied.iter().map(length).chain(pairs).filter(|&length| length > 0).collect();
    let mut grid = Some(usize::from(explicit == 0 || !lengths.is_empty()));
    for &length in &lengths {
        grid = grid.and_then(|count| count.checked_mul(length));
    }
    let count = grid.and_then(|count| count.checked_add(explicit));
    let paths = varied.len() + paired.len();
    let values = grid.and_then(|count| count.checked_mul(paths));
    if count.is_some_and(|count| count <= CELLS_MAX) && values.is_some_and(|values| values <= VALUES_MAX) {
        return Ok(());
    }
    let mut product = lengths.iter().take(LENGTHS_TOLD).map(usize::to_string).collect::<Vec<_>>().join(" × ");
    if lengths.len() > LENGTHS_TOLD {
        product.push_str(&format!(" × {} more", lengths.len() - LENGTHS_TOLD));
    }
    let mut fault = Diagnostic::new(match count {
        Some(count) if count > CELLS_MAX => {
            format!("the study has {count} cells ({product}); the limit is {CELLS_MAX}")
        }
        Some(count) => {
            format!("the study has {count} cells with {paths} values each, more than the limit of {VALUES_MAX} in all")
        }
        None => format!("the study has more cells than can be counted ({product}); the limit is {CELLS_MAX}"),
    });
    fault.span = ["vary", "pairs", "cells"].into_iter().find_map(|name| Some(document.root.entry(name)?.0.span));
    Err(fault.help("vary fewer values, or pair some of them with `[pairs]`").into())
}

/// The maximum number of list lengths that a fault names.
const LENGTHS_TOLD: usize = 20;

/// The number of values in a list or a range; 0 if it is faulty, which [`all_values`] reports.
fn length(entry: &Entry) -> usize {
    match &entry.node.value {
        Value::Array(items) => items.len(),
        Value::Table(table) if is_range(table) => {
            let range = decode::<RangeWire>(&Document { root: table.clone(), span: entry.node.span });
            range.ok().and_then(|range| last_step(&range).ok()).map_or(0, |last| last + 1)
        }
        _ => 0,
    }
}

/// `[pairs]` as one axis.
fn pairs(paths: Vec<Entry>, faults: &mut Diagnostics) -> Option<Axis> {
    let first = paths.first()?;
    let lists: Vec<Vec<Node>> = paths.iter().map(|entry| all_values(entry, faults)).collect();
    let length = lists[0].len();
    for (entry, list) in paths.iter().zip(&lists).skip(1) {
        if list.len() != length {
            let message = format!("the lists in `[pairs]` differ in length: {length} values and {}", list.len());
            let fault = Diagnostic::new(message).at(entry.node.span).path(&entry.path);
            faults.push(fault.note(format!("{length} values here"), Some(first.node.span)));
            return None;
        }
    }
    let points = (0..length).map(|at| lists.iter().map(|list| list[at].clone()).collect()).collect();
    Some(Axis { paths, points })
}

/// The values of a list or a range, without repetition.
fn values(entry: &Entry, faults: &mut Diagnostics) -> Vec<Node> {
    let values = all_values(entry, faults);
    let (mut seen, mut told) = (BTreeSet::new(), BTreeSet::new());
    for value in &values {
        // A range is reported once, however many of its values are equal.
        if !seen.insert(value.value.to_string()) && told.insert((value.span.start, value.span.end)) {
            let fault = match &entry.node.value {
                Value::Table(_) => Diagnostic::new(format!("these steps reach {} more than once", value.value))
                    .help("numbers are rounded to nine decimals: give a larger `step`"),
                _ => Diagnostic::new(format!("the value {} is listed twice", value.value)),
            };
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
    let wire: RangeWire = match decode(&Document { root: table.clone(), span }) {
        Ok(range) => range,
        Err(more) => {
            faults.append(more);
            return Vec::new();
        }
    };
    let last = match last_step(&wire) {
        Ok(last) => last,
        Err(fault) => {
            faults.push(fault.at(span).path(path));
            return Vec::new();
        }
    };
    let RangeWire { from, to, step } = wire;
    let whole = [from, to, step].iter().all(|number| number.fract() == 0.0 && number.abs() < 1e15);
    let number = |at: usize| from + at as f64 * step;
    let value = |at: usize| match whole {
        true => Value::Int(number(at) as i64),
        // Rounded to nine decimals, because 0.1 + 2 × 0.1 should be 0.3.
        false => Value::Float((number(at) * 1e9).round() / 1e9),
    };
    (0..=last).map(|at| Node { value: value(at), span }).collect()
}

/// A number as a person would write it, never with hundreds of digits.
fn short(number: f64) -> String {
    let plain = number == 0.0 || !number.is_finite() || (1e-9..1e15).contains(&number.abs());
    if plain { number.to_string() } else { format!("{number:e}") }
}

/// The number of steps in a range from its first number to its last.
fn last_step(&RangeWire { from, to, step }: &RangeWire) -> Result<usize, Box<Diagnostic>> {
    // Slightly more than the quotient, so that 0.1 to 0.3 by 0.1 has three numbers.
    let steps = ((to - from) / step + 1e-9).floor();
    if step == 0.0 || !step.is_finite() || steps < 0.0 {
        let turned = step != 0.0 && step.is_finite();
        let [from, to, back, step] = [from, to, -step, step].map(short);
        let fault = Diagnostic::new(format!("steps of {step} do not reach {to} from {from}"));
        return Err(Box::new(if turned {
            fault.help(format!("`from = {to}, to = {from}`, or `step = {back}`"))
        } else {
            fault
        }));
    }
    if !steps.is_finite() || steps >= CELLS_MAX as f64 {
        let [from, to, step] = [from, to, step].map(short);
        let fault = Diagnostic::new(format!("{from} to {to} in steps of {step} is more than {CELLS_MAX} values"));
        return Err(Box::new(fault.help("give a larger `step`, or list the values: `[1, 2, 4]`")));
    }
    Ok(steps as usize)
}
