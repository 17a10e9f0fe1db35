//! Where a schema allows new values.

use schemars::Schema;

use super::choice::{Tag, alternatives, tag_word};
use crate::document::{Document, Node, Table, Value};
use crate::path::{Path, row_segments};
use crate::schema::{Additional, View};

/// Whether the schema has a place for a value at `path`, given the document's values on the way there.
///
/// # Errors
///
/// The number of segments that have a place, and the names that could follow them.
pub(crate) fn permits(schema: &Schema, document: &Document, path: &Path) -> Result<(), (usize, Vec<String>)> {
    views_at(schema, document, path).map(|_| ())
}

/// Whether the schema itself names a key of the table at `path`, so that the key is not a name chosen by the author.
#[must_use]
pub fn names_key(schema: &Schema, document: &Document, path: &Path, key: &str) -> bool {
    let Some(table) = document.get(path).and_then(Node::as_table) else { return false };
    let views = views_at(schema, document, path).unwrap_or_default();
    views.iter().flat_map(|view| decided(view, Some(table))).any(|view| view.property(key).is_some())
}

/// What the schema says about the value at `path`.
fn views_at<'s>(schema: &'s Schema, document: &Document, path: &Path) -> Result<Vec<View<'s>>, (usize, Vec<String>)> {
    let mut node: Option<&Node> = None;
    let mut views = vec![View::root(schema)];
    for (depth, segment) in path.segments().iter().enumerate() {
        let table = if depth == 0 { Some(&document.root) } else { node.and_then(Node::as_table) };
        views = views.iter().flat_map(|view| decided(view, table)).collect();
        let below: Vec<View<'_>> = views.iter().filter_map(|view| step(view, node, segment)).collect();
        if below.is_empty() {
            let names = views.iter().flat_map(View::names).map(str::to_owned).collect();
            return Err((depth, names));
        }
        node = if depth == 0 { document.root.get(segment) } else { node.and_then(|node| node.child(segment)) };
        views = below;
    }
    Ok(views)
}

/// The views a table may have once its choices are made: one if its tag decides, otherwise each.
fn decided<'s>(view: &View<'s>, table: Option<&Table>) -> Vec<View<'s>> {
    if view.choices().is_empty() {
        return vec![view.clone()];
    }
    let alternatives = alternatives(view);
    let word = |tag| table.and_then(|table| table.get(tag)).and_then(Node::as_text).map(|word| (tag, word));
    let told = match Tag::of(&alternatives) {
        Some(Tag::Value(tag)) => word(tag),
        _ => None,
    };
    let suits = |alternative: &&View<'_>| told.is_none_or(|(tag, word)| tag_word(alternative, tag) == Some(word));
    alternatives
        .into_iter()
        .filter(suits)
        .flat_map(|alternative| decided(&view.choosing(0, alternative), table))
        .collect()
}

fn step<'s>(view: &View<'s>, node: Option<&Node>, segment: &str) -> Option<View<'s>> {
    match node.map(|node| &node.value) {
        None | Some(Value::Table(_)) => view.property(segment).or_else(|| match view.additional(segment) {
            Additional::Each(part) => Some(view.part(part)),
            Additional::Closed | Additional::Open => None,
        }),
        // Rows are never created: a missing row has no place.
        Some(Value::Array(rows)) => {
            let index = row_segments(rows).iter().position(|row| row == segment)?;
            view.item(index)
        }
        Some(_) => None,
    }
}
