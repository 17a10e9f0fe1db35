//! Documents: the contents of a file, each value with its location.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::span::Span;

/// A TOML document in which every key and value knows its location.
///
/// Its parts may come from several texts: `extends` and overrides put nodes of other files into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The outermost table. Its span is the beginning of the file.
    pub root: Table,
    /// The beginning of the document.
    pub span: Span,
}

/// A value and its location.
///
/// The location of a table under a header is that header; of an array of tables, its first header. A value set from the
/// command line is located in the text of that argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its location.
    pub span: Span,
}

/// A value. Dates do not exist here, and floats are finite.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number; neither infinite nor NaN.
    Float(f64),
    /// Text.
    Text(String),
    /// Values in order.
    Array(Vec<Node>),
    /// Values by name.
    Table(Table),
}

/// A name in a table and its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The name.
    pub name: String,
    /// Its location.
    pub span: Span,
}

/// Values by name, in the order of the file.
///
/// A copy shares everything with its original, until one of them is changed: then they still share all tables except
/// those that lead to the change.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Arc<Rows>,
}

#[derive(Clone, Debug, Default)]
struct Rows {
    /// Shared by copies with the same keys.
    keys: Arc<Keys>,
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Keys {
    list: Vec<Key>,
    places: BTreeMap<String, usize>,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.shares_all(other) || self.shares_keys(other) && self.rows.nodes == other.rows.nodes
    }
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether one is a copy of the other and neither has been changed since, so that they are equal.
    #[must_use]
    pub fn shares_all(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows, &other.rows)
    }

    fn shares_keys(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows.keys, &other.rows.keys) || self.rows.keys.list == other.rows.keys.list
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.rows.keys.places.get(name).copied()
    }

    /// The value named `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Node> {
        self.place(name).map(|place| &self.rows.nodes[place])
    }

    /// The value named `name`, mutable.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Node> {
        let place = self.place(name)?;
        Some(&mut Arc::make_mut(&mut self.rows).nodes[place])
    }

    /// The key and value named `name`.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<(&Key, &Node)> {
        self.place(name).map(|place| (&self.rows.keys.list[place], &self.rows.nodes[place]))
    }

    /// Inserts a value: in place of the one with the same name, or at the end. Returns what it replaced.
    pub fn insert(&mut self, key: Key, node: Node) -> Option<(Key, Node)> {
        let place = self.place(&key.name);
        let rows = Arc::make_mut(&mut self.rows);
        let keys = Arc::make_mut(&mut rows.keys);
        if let Some(place) = place {
            let before = std::mem::replace(&mut keys.list[place], key);
            return Some((before, std::mem::replace(&mut rows.nodes[place], node)));
        }
        keys.places.insert(key.name.clone(), keys.list.len());
        keys.list.push(key);
        rows.nodes.push(node);
        None
    }

    /// Removes a value; those after it move up.
    pub fn remove(&mut self, name: &str) -> Option<(Key, Node)> {
        let place = self.place(name)?;
        let rows = Arc::make_mut(&mut self.rows);
        let keys = Arc::make_mut(&mut rows.keys);
        keys.places.remove(name);
        keys.places.values_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        Some((keys.list.remove(place), rows.nodes.remove(place)))
    }

    /// Keys and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Key, &Node)> + DoubleEndedIterator {
        self.rows.keys.list.iter().zip(&self.rows.nodes)
    }

    /// The names in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.rows.keys.list.iter().map(|key| key.name.as_str())
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.nodes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.nodes.is_empty()
    }
}

impl IntoIterator for Table {
    type Item = (Key, Node);
    type IntoIter = std::iter::Zip<std::vec::IntoIter<Key>, std::vec::IntoIter<Node>>;

    fn into_iter(self) -> Self::IntoIter {
        let Rows { keys, nodes } = Arc::unwrap_or_clone(self.rows);
        Arc::unwrap_or_clone(keys).list.into_iter().zip(nodes)
    }
}

impl Node {
    /// The table, if it is one.
    #[must_use]
    pub fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The array, if it is one.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The `id` of a table that has one, if it is text.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.as_table()?.get("id")?.as_text()
    }
}

/// Whether the rows of an array are addressed by their ids: all are tables with an `id`, and there is at least one.
#[must_use]
pub fn has_ids(rows: &[Node]) -> bool {
    !rows.is_empty() && rows.iter().all(|row| row.id().is_some())
}

impl Value {
    /// The kind of a value, for messages: `a whole number`, `text`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "true or false",
            Self::Int(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "text",
            Self::Array(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// Whether it is a leaf: neither a table nor an array that contains one.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        match self {
            Self::Table(_) => false,
            Self::Array(items) => items.iter().all(|item| item.value.is_leaf()),
            _ => true,
        }
    }
}

/// As TOML on one line.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Int(value) => write!(formatter, "{value}"),
            // The debug form of a float keeps its point, and reads back as the same float.
            Self::Float(value) => write!(formatter, "{value:?}"),
            Self::Text(text) => write_text(text, formatter),
            Self::Array(items) => {
                formatter.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    formatter.write_str(if at == 0 { "" } else { ", " })?;
                    item.value.fmt(formatter)?;
                }
                formatter.write_str("]")
            }
            Self::Table(table) => table.fmt(formatter),
        }
    }
}

/// As an inline table of TOML.
impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return formatter.write_str("{}");
        }
        for (at, (key, node)) in self.iter().enumerate() {
            formatter.write_str(if at == 0 { "{ " } else { ", " })?;
            write_key(&key.name, formatter)?;
            write!(formatter, " = {}", node.value)?;
        }
        formatter.write_str(" }")
    }
}

/// Writes a key as TOML: bare where possible.
pub(super) fn write_key(name: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !name.is_empty() && name.bytes().all(bare) { formatter.write_str(name) } else { write_text(name, formatter) }
}

fn write_text(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' => formatter.write_str("\\\"")?,
            '\\' => formatter.write_str("\\\\")?,
            '\n' => formatter.write_str("\\n")?,
            '\t' => formatter.write_str("\\t")?,
            control if control.is_control() => write!(formatter, "\\u{:04X}", u32::from(control))?,
            other => write!(formatter, "{other}")?,
        }
    }
    formatter.write_str("\"")
}

#[cfg(test)]
mod tests {
    use crate::{Absent, Override, Path, Sources};

    use super::*;

    /// A copy is free, and changing it copies only the tables on the way to the change.
    #[test]
    fn a_changed_copy_shares_all_tables_but_those_that_lead_to_the_change() {
        let mut sources = Sources::new();
        let file = sources
            .add("pack.toml", "[a]\nx = 1\n[[a.row]]\nid = 'p'\nadd = 1\n[[a.row]]\nid = 'q'\nadd = 2\n[b]\ny = 1\n");
        let whole = Document::parse(file, &sources).expect("good TOML");
        let table = |document: &Document, path: &str| {
            document.get(&Path::parse(path).expect("a path")).and_then(Node::as_table).expect("a table").clone()
        };
        let mut copy = whole.clone();
        assert!(copy.root.shares_all(&whole.root));
        let change = sources.add("--set", "a.row.q.add=7");
        let change = Override::parse(change, &sources).expect("a change");
        copy.set(&change, Absent::Refuse).expect("there is a number");
        for (path, shared) in [("a", false), ("a.row.p", true), ("a.row.q", false), ("b", true)] {
            assert_eq!(table(&copy, path).shares_all(&table(&whole, path)), shared, "{path}");
        }
        assert_eq!(copy.get(&change.path).map(|node| &node.value), Some(&Value::Int(7)));
        assert_eq!(whole.get(&change.path).map(|node| &node.value), Some(&Value::Int(2)));
        assert!(copy != whole && copy.root.get("b") == whole.root.get("b"));
    }
}
