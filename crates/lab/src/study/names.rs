//! Paths as a study writes them: in one piece, or spread over nested tables.

use std::collections::BTreeMap;

use grognard_source::{Diagnostic, Diagnostics, Key, Node, Path, Span, Table, Value};

/// A path with the value that the study gives it.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) path: Path,
    /// The location of the path.
    pub(super) span: Span,
    pub(super) node: Node,
}

/// Tables of a study whose keys are paths.
const TABLES: [&str; 3] = ["set", "vary", "pairs"];

/// Joins every key of the tables of paths into one: TOML reads `attacker.0.type = "x"` without quotes as nested tables,
/// which mean the same.
pub(super) fn join_paths(study: &mut Table) {
    for name in TABLES {
        if let Some(node) = study.get_mut(name) {
            join(node);
        }
    }
    if let Some(Value::Array(cells)) = study.get_mut("cells").map(|node| &mut node.value) {
        cells.iter_mut().for_each(join);
    }
    if let Some(Value::Array(targets)) = study.get_mut("target").map(|node| &mut node.value) {
        for target in targets {
            if let Value::Table(target) = &mut target.value
                && let Some(cells) = target.get_mut("cells")
            {
                join(cells);
            }
        }
    }
    if let Some(Value::Table(report)) = study.get_mut("report").map(|node| &mut node.value) {
        if let Some(baseline) = report.get_mut("baseline") {
            join(baseline);
        }
        if let Some(Value::Table(headline)) = report.get_mut("headline").map(|node| &mut node.value)
            && let Some(cell) = headline.get_mut("cell")
        {
            join(cell);
        }
    }
    if let Some(labels) = study.get_mut("label") {
        join_but(labels, is_label);
    }
    if let Some(baseline) = study.get_mut("baseline") {
        join(baseline);
    }
    if let Some(Value::Array(parts)) = study.get_mut("part").map(|node| &mut node.value) {
        for part in parts {
            if let Value::Table(part) = &mut part.value {
                join_paths(part);
            }
        }
    }
}

fn join(node: &mut Node) {
    join_but(node, is_range);
}

/// Joins the keys of a table of paths, except those of a table that is a value.
fn join_but(node: &mut Node, is_value: fn(&Table) -> bool) {
    if let Value::Table(table) = &mut node.value {
        let mut joined = Table::new();
        join_into(&mut joined, None, std::mem::take(table), is_value);
        *table = joined;
    }
}

fn join_into(joined: &mut Table, before: Option<&Key>, table: Table, is_value: fn(&Table) -> bool) {
    for (key, node) in table {
        let key = match before {
            None => key,
            Some(before) => {
                let segment = Path::root().join(&key.name);
                Key { name: format!("{}.{segment}", before.name), span: key.span }
            }
        };
        match node.value {
            Value::Table(below) if !is_value(&below) => join_into(joined, Some(&key), below, is_value),
            value => {
                joined.insert(key, Node { value, span: node.span });
            }
        }
    }
}

/// Whether a table is a range of numbers, or was intended to be one.
pub(super) fn is_range(table: &Table) -> bool {
    table.get("from").is_some() || table.get("to").is_some()
}

/// Whether a table is the label of a path rather than part of one.
fn is_label(table: &Table) -> bool {
    let text = |name: &str| table.get(name).and_then(Node::as_text).is_some();
    text("name") || text("unit") || table.get("values").and_then(Node::as_table).is_some()
}

/// The entries of a table of paths, in the order of the file, without the names in `except`.
pub(super) fn entries(table: &Table, except: &[&str], faults: &mut Diagnostics) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut known: BTreeMap<Path, Span> = BTreeMap::new();
    for (key, node) in table.iter().filter(|(key, _)| !except.contains(&key.name.as_str())) {
        let path = match Path::parse(&key.name) {
            Ok(path) => path,
            Err(error) => {
                faults.push(Diagnostic::new(error.to_string()).at(key.span));
                continue;
            }
        };
        if let Some(&first) = known.get(&path) {
            faults.push(twice(&path, key.span, first));
        } else {
            known.insert(path.clone(), key.span);
            entries.push(Entry { path, span: key.span, node: node.clone() });
        }
    }
    entries
}

/// The fault for a path that is given twice.
pub(super) fn twice(path: &Path, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(format!("`{path}` is given twice")).at(span).path(path).note("first given here", Some(first))
}
