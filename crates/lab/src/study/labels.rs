//! A study's names for varied paths and their values.

use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Table};

use super::names::{Entry, entries};
use crate::results::{Label, Labels, Varied};

/// The labels of a study that varies these paths. A path or a value may be missing because the command line has pinned
/// it.
pub(super) fn labels(document: &Document, vary: &[Varied], pinned: &[Path], faults: &mut Diagnostics) -> Labels {
    let Some(table) = document.root.get("label").and_then(Node::as_table) else { return Labels::default() };
    let read = |entry: Entry, faults: &mut Diagnostics| {
        let path = entry.path.to_string();
        let Some(varied) = vary.iter().find(|varied| varied.path == path) else {
            if !pinned.contains(&entry.path) {
                let known = vary.iter().map(|varied| varied.path.as_str());
                faults.push(Diagnostic::unknown("varied path", &path, known).at(entry.span));
            }
            return None;
        };
        let mut label = Label { path, ..Label::default() };
        match entry.node.as_table() {
            None => label.name = entry.node.as_text().map(str::to_owned),
            Some(table) => {
                let text = |name: &str| table.get(name).and_then(Node::as_text).map(str::to_owned);
                (label.name, label.unit) = (text("name"), text("unit"));
                if let Some(values) = table.get("values").and_then(Node::as_table) {
                    label.values = values_of(values, varied, pinned.contains(&entry.path), faults);
                }
            }
        }
        Some(label)
    };
    let all = entries(table, &[], faults);
    Labels(all.into_iter().filter_map(|entry| read(entry, faults)).collect())
}

/// The names of a path's values.
fn values_of(
    table: &Table,
    varied: &Varied,
    pinned: bool,
    faults: &mut Diagnostics,
) -> std::collections::BTreeMap<String, String> {
    let mut values = std::collections::BTreeMap::new();
    for (key, node) in table.iter() {
        let known = || varied.values.iter().map(|value| value.text.as_str());
        if known().any(|text| text == key.name) {
            values.extend(node.as_text().map(|name| (key.name.clone(), name.to_owned())));
        } else if !pinned {
            faults.push(Diagnostic::unknown(&format!("value of `{}`", varied.path), &key.name, known()).at(key.span));
        }
    }
    values
}
