//! Values from the command line, written into the study.

use grognard_source::{Diagnostic, Diagnostics, Key, Node, Override, Path, Table, Value};

use super::axes::all_values;
use super::names::Entry;

/// Writes a value into the study as if it were in its file: in place of the values of a varied path, or else into
/// `[set]`. In a study with several parts, it goes into those that vary the path, or else into all of them. The parts
/// that have no place for it are known only once their packs are read; the value is then [`unset`] there.
pub(super) fn pin(study: &mut Table, change: &Override) {
    let mut parts = parts(study);
    let varied = parts.iter_mut().map(|part| pin_varied(part, change));
    // Every part is tried, even after one has accepted it.
    if varied.filter(|&varied| varied).count() == 0 {
        parts.into_iter().for_each(|part| put(part, "set", change));
    }
}

/// Writes a list of values into `[vary]`, replacing whatever the study does with that path. In a study with several
/// parts, it goes into those that already vary the path, or else into all of them, as with [`pin`].
pub(super) fn vary(study: &mut Table, change: &Override, faults: &mut Diagnostics) {
    let parts = parts(study);
    for part in &parts {
        let listed =
            ["pairs", "cells"].into_iter().find(|name| part.get(name).is_some_and(|node| has(node, &change.path)));
        if let Some(name) = listed {
            let fault = Diagnostic::new(format!("the study lists values of `{}` under `{name}`", change.path));
            let fault = fault.at(change.path_span).path(&change.path);
            faults.push(fault.help(format!("change `{name}` in the study, or set the path to one value")));
        }
    }
    let varies = |part: &Table| part.get("vary").is_some_and(|node| has(node, &change.path));
    let somewhere = parts.iter().any(|part| varies(part));
    for part in parts {
        if !somewhere || varies(part) {
            remove(part, "set", &change.path);
            put(part, "vary", change);
        }
    }
}

/// The tables that say what a study varies: those of its parts, or the study itself.
pub(super) fn parts(study: &mut Table) -> Vec<&mut Table> {
    if study.get("part").is_none() {
        return vec![study];
    }
    let Some(Value::Array(parts)) = study.get_mut("part").map(|node| &mut node.value) else { return Vec::new() };
    let tables = parts.iter_mut().filter_map(|part| match &mut part.value {
        Value::Table(table) => Some(table),
        _ => None,
    });
    tables.collect()
}

/// Whether a table, or a table of a list, has a value at this path.
pub(super) fn has(node: &Node, path: &Path) -> bool {
    match &node.value {
        Value::Table(table) => table.names().any(|name| Path::parse(name).ok().as_ref() == Some(path)),
        Value::Array(rows) => rows.iter().any(|row| has(row, path)),
        _ => false,
    }
}

/// Writes a value into `[set]` of a study, or of a part of one.
pub(super) fn put_value(part: &mut Table, path: &Path, node: &Node) {
    put(part, "set", &Override { path: path.clone(), path_span: node.span, node: node.clone() });
}

/// Removes a value again from `[set]` and `[vary]` of the part with this index.
pub(super) fn unset(study: &mut Table, part: usize, path: &Path) {
    if let Some(part) = parts(study).into_iter().nth(part) {
        remove(part, "set", path);
        remove(part, "vary", path);
    }
}

/// Removes a value from a table of a study.
fn remove(study: &mut Table, name: &str, path: &Path) {
    if let Some(Value::Table(table)) = study.get_mut(name).map(|node| &mut node.value) {
        let mut left = Table::new();
        for (key, node) in std::mem::take(table) {
            if Path::parse(&key.name).ok().as_ref() != Some(path) {
                left.insert(key, node);
            }
        }
        *table = left;
    }
}

/// Pins a value if the path is varied; otherwise returns false.
fn pin_varied(study: &mut Table, change: &Override) -> bool {
    let mut varied = false;
    for name in ["vary", "pairs"] {
        if let Some(Value::Table(table)) = study.get_mut(name).map(|node| &mut node.value) {
            varied |= pin_list(table, change, name == "pairs");
        }
    }
    if let Some(Value::Array(cells)) = study.get_mut("cells").map(|node| &mut node.value) {
        for cell in cells {
            if let Value::Table(table) = &mut cell.value {
                varied |= replace(table, change, |_| change.node.value.clone());
            }
        }
    }
    varied
}

/// Replaces a list by one value. For pairs, the value is repeated to keep the list's length.
fn pin_list(table: &mut Table, change: &Override, keep_length: bool) -> bool {
    replace(table, change, |old| {
        let entry = Entry { path: change.path.clone(), span: change.path_span, node: old.clone() };
        let length = if keep_length { all_values(&entry, &mut Diagnostics::new()).len() } else { 1 };
        Value::Array(vec![change.node.clone(); length])
    })
}

fn replace(table: &mut Table, change: &Override, value: impl Fn(&Node) -> Value) -> bool {
    let same = |name: &&str| Path::parse(name).is_ok_and(|path| path == change.path);
    let Some(name) = table.names().find(same).map(str::to_owned) else { return false };
    let Some(node) = table.get_mut(&name) else { return false };
    *node = Node { value: value(node), span: change.node.span };
    true
}

/// Writes a value into a table of a study.
fn put(study: &mut Table, name: &str, change: &Override) {
    let span = change.path_span;
    if study.get(name).is_none() {
        study.insert(Key { name: name.to_owned(), span }, Node { value: Value::Table(Table::new()), span });
    }
    if let Some(Value::Table(table)) = study.get_mut(name).map(|node| &mut node.value)
        && !replace(table, change, |_| change.node.value.clone())
    {
        table.insert(Key { name: change.path.to_string(), span }, change.node.clone());
    }
}
