//! Values from the command line, written into the study.

use grognard_source::{Diagnostics, Key, Node, Override, Path, Table, Value};

use super::axes::all_values;
use super::names::Entry;

/// Writes a value into the study as if its file had said so: in the place of the values of a varied path, or else into
/// `[set]`. In a study of several parts, into those that vary it, or else into all of them: those that have no place for it are
/// known only once their packs are read, and [`unset`] again.
pub(super) fn pin(study: &mut Table, change: &Override) {
    let mut parts: Vec<&mut Table> = match study.get("part") {
        Some(_) => {
            let parts = study.get_mut("part").map(|node| &mut node.value);
            let Some(Value::Array(parts)) = parts else { return };
            let tables = parts.iter_mut().filter_map(|part| match &mut part.value {
                Value::Table(table) => Some(table),
                _ => None,
            });
            tables.collect()
        }
        None => vec![study],
    };
    let varied = parts.iter_mut().map(|part| pin_varied(part, change));
    // Every part is asked, also after one has it.
    if varied.filter(|&varied| varied).count() == 0 {
        parts.into_iter().for_each(|part| set(part, change));
    }
}

/// Takes a value out of `[set]` of the part at a place again.
pub(super) fn unset(study: &mut Table, part: usize, path: &Path) {
    let Some(Value::Array(parts)) = study.get_mut("part").map(|node| &mut node.value) else { return };
    let Some(Value::Table(part)) = parts.get_mut(part).map(|part| &mut part.value) else { return };
    if let Some(Value::Table(set)) = part.get_mut("set").map(|node| &mut node.value) {
        let mut left = Table::new();
        for (key, node) in std::mem::take(set) {
            if Path::parse(&key.name).ok().as_ref() != Some(path) {
                left.insert(key, node);
            }
        }
        *set = left;
    }
}

/// Pins a value where a path is varied; false if it is not.
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

/// One value instead of a list; for pairs as often as the other lists have values.
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

fn set(study: &mut Table, change: &Override) {
    let span = change.path_span;
    if study.get("set").is_none() {
        study.insert(Key { name: "set".to_owned(), span }, Node { value: Value::Table(Table::new()), span });
    }
    if let Some(Value::Table(table)) = study.get_mut("set").map(|node| &mut node.value)
        && !replace(table, change, |_| change.node.value.clone())
    {
        table.insert(Key { name: change.path.to_string(), span }, change.node.clone());
    }
}
