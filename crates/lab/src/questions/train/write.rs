//! Trained doctrines in a pack's format: TOML, with a comment on each change.

use std::fmt::Write;

use grognard_source::{Table, Value};

use super::Trained;
use super::policy::{Policy, Row, id};
use crate::study::WrittenDoctrine;

/// The name of a new doctrine: `wanted`, with a number if that is taken. A table with an existing name would be merged.
pub(in crate::questions) fn free_name(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

impl Trained {
    /// Whether it differs from the original. It does not if no change gained anything, or if all were undone at the
    /// end.
    #[must_use]
    pub fn is_new(&self) -> bool {
        let text = |policy: &Policy| policy.doctrine(self.from.span).to_string();
        text(&self.policy) != text(&Policy::of(&self.from))
    }

    /// The doctrine as a table for a pack. `notes` are lines that state its origin.
    #[must_use]
    pub fn toml(&self, notes: &[String]) -> String {
        written(&self.from, (&self.name, "trained"), &self.policy, notes)
    }
}

/// A doctrine made from another one, as a table for a pack. `how` is added to the other's title.
pub(in crate::questions) fn written(
    from: &WrittenDoctrine,
    (name, how): (&str, &str),
    policy: &Policy,
    notes: &[String],
) -> String {
    let mut toml = String::new();
    for note in notes {
        let _ = writeln!(toml, "# {note}");
    }
    let is_left = |own: &&str| policy.rows.iter().any(|row| row.from.is_none() && id(&row.was) == *own);
    let gone = from.others.names().filter(|key| policy.keys.get(key).is_none());
    let left_out: Vec<&str> = from.rows.iter().map(id).filter(|own| !is_left(own)).chain(gone).collect();
    if !left_out.is_empty() {
        let _ = writeln!(toml, "# Left out: {}.", left_out.join(", "));
    }
    let title = Value::Text(format!("{}, {how}", from.title));
    let _ = writeln!(toml, "[doctrine.{name}]\ntitle = {title}");
    for (key, node) in policy.keys.iter() {
        if let Some(comment) = changed(&from.others, &policy.keys, &key.name) {
            let _ = writeln!(toml, "# {comment}");
        }
        let _ = writeln!(toml, "{} = {}", key.name, node.value);
    }
    toml.push_str("row = [\n");
    for row in &policy.rows {
        for comment in comments(row) {
            let _ = writeln!(toml, "  # {comment}");
        }
        let _ = writeln!(toml, "  {},", row.table);
    }
    toml.push_str("]\n");
    toml
}

/// Comments on the changes that training made to a row.
fn comments(row: &Row) -> Vec<String> {
    let mut comments = Vec::new();
    if let Some(doctrine) = &row.from {
        comments.push(format!("New: {} of {doctrine}.", id(&row.was)));
    }
    if row.moved {
        comments.push("Moved up.".to_owned());
    }
    let keys = row.was.names().chain(row.table.names().filter(|key| row.was.get(key).is_none()));
    comments.extend(keys.filter_map(|key| changed(&row.was, &row.table, key)));
    comments
}

/// `Was when = "distance <= 8".`
fn changed(was: &Table, is: &Table, key: &str) -> Option<String> {
    let of = |table: &Table| table.get(key).map(|node| node.value.to_string());
    let (was, is) = (of(was), of(is));
    if was == is {
        return None;
    }
    Some(match was {
        Some(was) => format!("Was {key} = {was}."),
        None if key == "when" => "Was without a condition.".to_owned(),
        None => format!("Was without {key}."),
    })
}
