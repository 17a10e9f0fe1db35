//! Paths: the names of values in a document.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use super::document::{Document, Node, Table, Value, has_ids, write_key};
use super::span::Span;

/// The name of a value: `roll.shock.modifier.cavalry-vs-square.add`.
///
/// Segments are names of a table's values, ids of rows, or positions (from 0) in lists whose rows have no ids. A
/// segment with characters other than letters, digits, `-` and `_` is in quotes.
///
/// A path that goes further than another shares the other's segments: many paths are made only in case there is a
/// fault to report.
#[derive(Clone, Default)]
pub struct Path(Arc<Steps>);

#[derive(Default)]
struct Steps {
    /// The path that goes on here; never the whole document.
    before: Option<Path>,
    own: Vec<String>,
    /// All segments, once they are read, if there is a path before.
    all: OnceLock<Vec<String>>,
}

/// Reasons why a text is not a [`Path`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The text is empty, begins or ends with a dot, or has two dots in a row.
    #[error("a path cannot have empty parts: write names joined by single dots")]
    EmptySegment,
    /// A segment begins with a quote that is not closed, or continues after the closing quote.
    #[error("a quoted part of a path must end at its second quote, before a dot")]
    Quote,
}

impl Path {
    /// The path of the whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    fn of(own: Vec<String>) -> Self {
        Self(Arc::new(Steps { own, ..Steps::default() }))
    }

    /// Reads a path. In quotes, `\"` and `\\` stand for the characters themselves.
    ///
    /// # Errors
    ///
    /// See [`PathError`].
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let mut segments = Vec::new();
        let mut rest = text;
        loop {
            let segment;
            (segment, rest) = if rest.starts_with('"') { quoted_segment(rest)? } else { bare_segment(rest)? };
            segments.push(segment);
            match rest.strip_prefix('.') {
                Some(more) => rest = more,
                None if rest.is_empty() => return Ok(Self::of(segments)),
                None => return Err(PathError::Quote),
            }
        }
    }

    /// The parts.
    #[must_use]
    pub fn segments(&self) -> &[String] {
        let Steps { before: Some(_), all, .. } = &*self.0 else { return &self.0.own };
        all.get_or_init(|| {
            let mut all = Vec::with_capacity(self.len());
            self.gather(&mut all);
            all
        })
    }

    fn gather(&self, all: &mut Vec<String>) {
        self.0.before.iter().for_each(|before| before.gather(all));
        all.extend_from_slice(&self.0.own);
    }

    /// How many parts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.before.as_ref().map_or(0, Self::len) + self.0.own.len()
    }

    /// Whether it names the whole document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Goes one step down.
    pub fn push(&mut self, segment: impl Into<String>) {
        match Arc::get_mut(&mut self.0) {
            Some(steps) => {
                steps.all.take();
                steps.own.push(segment.into());
            }
            None => *self = self.join(segment),
        }
    }

    /// Goes one step up.
    pub fn pop(&mut self) {
        match Arc::get_mut(&mut self.0).filter(|steps| !steps.own.is_empty()) {
            Some(steps) => {
                steps.all.take();
                steps.own.pop();
            }
            None => *self = self.first(self.len().saturating_sub(1)),
        }
    }

    /// Its first `length` parts.
    #[must_use]
    pub fn first(&self, length: usize) -> Self {
        Self::of(self.segments().iter().take(length).cloned().collect())
    }

    /// The path one step down.
    #[must_use]
    pub fn join(&self, segment: impl Into<String>) -> Self {
        let before = (!self.is_empty()).then(|| self.clone());
        Self(Arc::new(Steps { before, own: vec![segment.into()], all: OnceLock::new() }))
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        self.segments() == other.segments()
    }
}

impl Eq for Path {}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.segments().cmp(other.segments())
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Path").field(&self.segments()).finish()
    }
}

fn bare_segment(text: &str) -> Result<(String, &str), PathError> {
    let end = text.find('.').unwrap_or(text.len());
    if end == 0 { Err(PathError::EmptySegment) } else { Ok((text[..end].to_owned(), &text[end..])) }
}

fn quoted_segment(text: &str) -> Result<(String, &str), PathError> {
    let mut segment = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Ok((segment, &text[at + 1..])),
            '\\' => segment.push(characters.next().ok_or(PathError::Quote)?.1),
            other => segment.push(other),
        }
    }
    Err(PathError::Quote)
}

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments().iter().enumerate() {
            formatter.write_str(if at == 0 { "" } else { "." })?;
            write_key(segment, formatter)?;
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Self::parse(text)
    }
}

impl Document {
    /// The value at a path other than the root.
    #[must_use]
    pub fn get(&self, path: &Path) -> Option<&Node> {
        let (first, rest) = path.segments().split_first()?;
        rest.iter().try_fold(self.root.get(first)?, |node, segment| node.child(segment))
    }

    /// The value at a path other than the root, mutable.
    pub fn get_mut(&mut self, path: &Path) -> Option<&mut Node> {
        let (first, rest) = path.segments().split_first()?;
        rest.iter().try_fold(self.root.get_mut(first)?, |node, segment| node.child_mut(segment))
    }

    /// Removes the value at a path other than the root: a value, a table, or a row of a list.
    pub fn remove(&mut self, path: &Path) -> Option<Node> {
        let (last, before) = path.segments().split_last()?;
        if before.is_empty() {
            return Some(self.root.remove(last)?.1);
        }
        match &mut self.get_mut(&Path::of(before.to_vec()))?.value {
            Value::Table(table) => Some(table.remove(last)?.1),
            Value::Array(rows) => {
                let place = row_index(rows, last).filter(|&place| place < rows.len())?;
                Some(rows.remove(place))
            }
            _ => None,
        }
    }

    /// The location of the value at a path or, failing that, of the nearest value that encloses it.
    #[must_use]
    pub fn span_at(&self, path: &Path) -> Span {
        let mut segments = path.segments().iter();
        let Some(mut node) = segments.next().and_then(|first| self.root.get(first)) else { return self.span };
        for segment in segments {
            let Some(child) = node.child(segment) else { break };
            node = child;
        }
        node.span
    }

    /// Every leaf with its path, in the order of the document. A leaf is anything but a table or an array.
    #[must_use]
    pub fn leaves(&self) -> Vec<(Path, &Node)> {
        let mut leaves = Vec::new();
        leaves_of_table(&self.root, &mut Path::root(), &mut leaves);
        leaves
    }

    /// Every number with its path, in the order of the document.
    #[must_use]
    pub fn numbers(&self) -> Vec<(Path, &Node)> {
        let mut leaves = self.leaves();
        leaves.retain(|(_, node)| matches!(node.value, Value::Int(_) | Value::Float(_)));
        leaves
    }
}

impl Node {
    /// The value one step down a path.
    #[must_use]
    pub fn child(&self, segment: &str) -> Option<&Self> {
        match &self.value {
            Value::Table(table) => table.get(segment),
            Value::Array(rows) => rows.get(row_index(rows, segment)?),
            _ => None,
        }
    }

    /// The value one step down a path, mutable.
    pub(super) fn child_mut(&mut self, segment: &str) -> Option<&mut Self> {
        match &mut self.value {
            Value::Table(table) => table.get_mut(segment),
            Value::Array(rows) => {
                let index = row_index(rows, segment)?;
                rows.get_mut(index)
            }
            _ => None,
        }
    }

    /// The segments that lead one step down, in order.
    pub(super) fn segments(&self) -> Vec<String> {
        match &self.value {
            Value::Table(table) => table.names().map(str::to_owned).collect(),
            Value::Array(rows) => row_segments(rows),
            _ => Vec::new(),
        }
    }
}

/// The names of an array's rows in a path: their ids, or their positions.
pub(super) fn row_segments(rows: &[Node]) -> Vec<String> {
    if has_ids(rows) {
        rows.iter().filter_map(Node::id).map(str::to_owned).collect()
    } else {
        (0..rows.len()).map(|index| index.to_string()).collect()
    }
}

fn row_index(rows: &[Node], segment: &str) -> Option<usize> {
    if has_ids(rows) {
        return rows.iter().position(|row| row.id() == Some(segment));
    }
    // A position has only one spelling, so `+1` and `01` are not positions.
    segment.parse().ok().filter(|index: &usize| index.to_string() == segment)
}

fn leaves_of_table<'a>(table: &'a Table, path: &mut Path, leaves: &mut Vec<(Path, &'a Node)>) {
    for (key, node) in table.iter() {
        path.push(&key.name);
        leaves_of(node, path, leaves);
        path.pop();
    }
}

fn leaves_of<'a>(node: &'a Node, path: &mut Path, leaves: &mut Vec<(Path, &'a Node)>) {
    match &node.value {
        Value::Table(table) => leaves_of_table(table, path, leaves),
        Value::Array(rows) => {
            for (row, segment) in rows.iter().zip(row_segments(rows)) {
                path.push(segment);
                leaves_of(row, path, leaves);
                path.pop();
            }
        }
        _ => leaves.push((path.clone(), node)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::span::Sources;
    use super::*;

    const PACK: &str = r#"
pack = "figures"
[[roll.shock.modifier]]
id = "cavalry-vs-square"
add = -4
[[roll.shock.modifier]]
id = "9.50 G"
add = 1.5
[[units]]
at = [0, 16]
"#;

    fn pack() -> (Sources, Document) {
        let mut sources = Sources::new();
        let file = sources.add("a.toml", PACK);
        let document = Document::parse(file, &sources).expect("good TOML");
        (sources, document)
    }

    fn path(text: &str) -> Path {
        Path::parse(text).expect("a good path")
    }

    #[test]
    fn what_is_removed_is_gone_and_nothing_else() {
        let mut sources = Sources::new();
        let text =
            "a = 1\nb = 2\n[[row]]\nid = 'x'\nadd = 1\n[[row]]\nid = 'y'\nadd = 2\n[t.u]\nc = 3\nlist = [4, 5]\n";
        let file = sources.add("pack.toml", text);
        let whole = Document::parse(file, &sources).expect("good TOML");
        for (path, left) in [
            ("a", "b = 2"),
            ("row.x", "row.y.add = 2"),
            ("row.y.add", "row.y.id = y"),
            ("t.u", "t = {}"),
            ("t.u.list.0", "t.u.list = [5]"),
        ] {
            let path = Path::parse(path).expect("a path");
            let mut document = whole.clone();
            let gone = document.remove(&path).unwrap_or_else(|| panic!("{path} is there"));
            assert_eq!(Some(&gone), whole.get(&path), "{path}");
            let (known, value) = left.split_once(" = ").expect("a path and a value");
            let known = document.get(&Path::parse(known).expect("a path")).expect("it remains");
            assert_eq!(known.value.to_string().trim_matches('"'), value, "{path}");
            assert_eq!(document.leaves().len() + leaves(&gone), whole.leaves().len(), "{path}");
        }
        for path in ["c", "row.z", "a.b", "t.u.list.2", "t.v.c"] {
            let path = Path::parse(path).expect("a path");
            let mut document = whole.clone();
            assert_eq!((document.remove(&path), &document), (None, &whole), "{path}");
        }
    }

    fn leaves(node: &Node) -> usize {
        let mut leaves = Vec::new();
        leaves_of(node, &mut Path::root(), &mut leaves);
        leaves.len()
    }

    /// Paths that share segments are the paths that were built, and stay so if one of them goes on or back.
    #[test]
    fn a_path_that_goes_on_from_another_leaves_it_as_it_is() {
        let base = path("a.b");
        let (mut on, further) = (base.join("c"), base.join("c").join("d"));
        assert_eq!([&on, &further].map(Path::to_string), ["a.b.c", "a.b.c.d"]);
        let copy = on.clone();
        on.push("e");
        assert_eq!((on.to_string().as_str(), copy.to_string().as_str(), on.len()), ("a.b.c.e", "a.b.c", 4));
        for left in ["a.b.c", "a.b", "a", ""] {
            on.pop();
            assert_eq!((on.to_string().as_str(), on.is_empty()), (left, left.is_empty()));
        }
        on.pop();
        on.push("x");
        assert_eq!((on.to_string().as_str(), base.to_string().as_str()), ("x", "a.b"));
        assert!(copy == path("a.b.c") && copy < further && Path::root().join("a") == path("a"));
    }

    #[test]
    fn paths_read_back_as_they_are_written() {
        for text in ["a", "a.b-c.0", r#"a."9.50 G".b"#, r#""".x"#, r#""quote \" and \\ slash""#] {
            assert_eq!(path(text).to_string(), text);
        }
        assert_eq!(path(r#""a""#).to_string(), "a");
        for text in ["", ".", "a.", ".a", "a..b"] {
            assert_eq!(Path::parse(text), Err(PathError::EmptySegment), "{text}");
        }
        for text in [r#"""#, r#""a"b"#, r#"a."b"#, r#""\"#] {
            assert_eq!(Path::parse(text), Err(PathError::Quote), "{text}");
        }
    }

    #[test]
    fn rows_with_ids_go_by_id_and_others_by_position() {
        let (_, document) = pack();
        let get = |text: &str| document.get(&path(text)).map(|node| node.value.to_string());
        assert_eq!(get("roll.shock.modifier.cavalry-vs-square.add").as_deref(), Some("-4"));
        assert_eq!(get(r#"roll.shock.modifier."9.50 G".add"#).as_deref(), Some("1.5"));
        assert_eq!(get("units.0.at.1").as_deref(), Some("16"));
        for absent in
            ["roll.shock.modifier.0.add", "units.1", "units.00", "units.+0", "units.-1", "pack.x", "roll.fire"]
        {
            assert_eq!(get(absent), None, "{absent}");
        }
        assert!(document.get(&Path::root()).is_none());
    }

    #[test]
    fn an_absent_value_stands_where_its_nearest_encloser_does() {
        let (sources, document) = pack();
        let at = |text: &str| sources.slice(document.span_at(&path(text)));
        assert_eq!(at("roll.shock.modifier.cavalry-vs-square.add"), "-4");
        assert_eq!(at("roll.shock.modifier.cavalry-vs-square.when"), "[[roll.shock.modifier]]");
        assert_eq!(at("pack.a.b"), "\"figures\"");
        assert_eq!(document.span_at(&path("nowhere.x")), document.span);
        assert_eq!(document.span_at(&Path::root()), document.span);
    }

    #[test]
    fn numbers_are_listed_in_order() {
        let (_, document) = pack();
        let numbers: Vec<_> = document.numbers().iter().map(|(path, node)| format!("{path}={}", node.value)).collect();
        assert_eq!(
            numbers,
            [
                "roll.shock.modifier.cavalry-vs-square.add=-4",
                "roll.shock.modifier.\"9.50 G\".add=1.5",
                "units.0.at.0=0",
                "units.0.at.1=16"
            ]
        );
        for (path, node) in document.leaves() {
            assert_eq!(document.get(&path), Some(node));
            assert_eq!(Path::parse(&path.to_string()), Ok(path));
        }
    }
}
