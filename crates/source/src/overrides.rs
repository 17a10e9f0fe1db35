//! Values set from outside: by `--set`, or by the varied values of a study.

use schemars::Schema;

use super::diagnostic::{Diagnostic, Diagnostics};
use super::document::{Document, Key, Node, Table, Value};
use super::nearest::{nearest, quoted, suggestion};
use super::parse::parse_argument;
use super::path::Path;
use super::shape::permits;
use super::span::{FileId, Sources, Span};

/// A value to be set at a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// Its path in the document.
    pub path: Path,
    /// The location of the path itself.
    pub path_span: Span,
    /// The value. Its location is where it was written, so that later faults point there.
    pub node: Node,
}

/// What to do about a path that does not exist yet.
#[derive(Clone, Copy, Debug)]
pub enum Absent<'a> {
    /// It is a fault.
    Refuse,
    /// The value is inserted if the schema has a place for it, along with the tables that lead to it.
    Insert(&'a Schema),
}

impl Override {
    /// Reads `PATH=VALUE` from a text that was added to the sources, under a name such as `--set`.
    ///
    /// The value is TOML (`4`, `-2`, `1.5`, `true`, `"text"`, `[1, 2]`), or a bare word, which is text.
    ///
    /// # Errors
    ///
    /// No `=`, a faulty path, no value, or a value that [`Document::parse`] would refuse.
    pub fn parse(file: FileId, sources: &Sources) -> Result<Self, Diagnostics> {
        let text = sources.text(file);
        let whole = Span::new(file, 0..text.len());
        let Some(equals) = equals_sign(text) else {
            let fault = Diagnostic::new(format!("{} has no `=`", quoted(text))).at(whole);
            return Err(fault.help("write PATH=VALUE, such as distance=12").into());
        };
        let path_span = trimmed(text, file, 0, equals);
        let path =
            Path::parse(sources.slice(path_span)).map_err(|error| Diagnostic::new(error.to_string()).at(path_span))?;
        let value_span = trimmed(text, file, equals + 1, text.len());
        if value_span.range().is_empty() {
            return Err(Diagnostic::new("there is no value after `=`").at(value_span).path(&path).into());
        }
        let node = parse_argument(file, value_span.range(), sources)?;
        Ok(Self { path, path_span, node })
    }
}

/// The first `=` that is not within quotes.
fn equals_sign(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.char_indices().find_map(|(at, character)| {
        quoted ^= character == '"';
        (character == '=' && !quoted).then_some(at)
    })
}

fn trimmed(text: &str, file: FileId, start: usize, end: usize) -> Span {
    let part = &text[start..end];
    let start = start + (part.len() - part.trim_start().len());
    Span::new(file, start..start + part.trim().len())
}

impl Document {
    /// Sets a value at a path, replacing a leaf: anything but a table or a list of tables.
    ///
    /// # Errors
    ///
    /// If the path does not exist and may not be added (the fault names the nearest path), or if it is not a leaf.
    pub fn set(&mut self, change: &Override, absent: Absent<'_>) -> Result<(), Diagnostics> {
        let path = &change.path;
        let refused = match (self.get(path), absent) {
            (Some(node), _) if node.value.is_leaf() => None,
            (Some(node), _) => Some(self.more_than_a_leaf(path, node, &change.node)),
            (None, Absent::Refuse) => Some(self.no_such_path(change, self.existing(path), Vec::new())),
            (None, Absent::Insert(schema)) => {
                permits(schema, self, path).err().map(|(depth, names)| self.no_such_path(change, depth, names))
            }
        };
        if let Some(fault) = refused {
            return Err(fault.at(change.path_span).path(path).into());
        }
        put_in_table(&mut self.root, path.segments(), change);
        Ok(())
    }

    /// The number of segments of a path that exist.
    fn existing(&self, path: &Path) -> usize {
        (0..path.len()).rev().find(|&depth| depth == 0 || self.get(&path.first(depth)).is_some()).unwrap_or(0)
    }

    /// The fault for a path whose first `depth` segments are right; these may be followed by `names`, or by the
    /// existing names there.
    fn no_such_path(&self, change: &Override, depth: usize, mut names: Vec<String>) -> Diagnostic {
        let path = &change.path;
        let before = path.first(depth);
        names.extend(match self.get(&before) {
            // A row's id cannot be set.
            Some(node) => node.segments().into_iter().filter(|name| name != "id").collect::<Vec<_>>(),
            None => self.root.names().map(str::to_owned).collect(),
        });
        let names = || names.iter().map(String::as_str);
        let fault = Diagnostic::new(format!("there is no value `{path}`"));
        if let Some(near) = path.segments().get(depth).and_then(|segment| nearest(segment, names())) {
            let mut meant = before.join(near);
            let rest = &path.segments()[depth + 1..];
            let whole = rest.iter().fold(meant.clone(), |whole, segment| whole.join(segment));
            if self.get(&whole).is_some() {
                meant = whole;
            }
            let meant = self.leaf_within(&meant, &change.node).unwrap_or(meant);
            return fault.help(format!("did you mean `{meant}`?"));
        }
        if let Some(whole) = self.path_with(path, &change.node) {
            return fault.help(format!("did you mean `{whole}`?"));
        }
        let help = suggestion("", names());
        let place = if depth == 0 { String::new() } else { format!("in `{before}`, ") };
        Diagnostic { help: help.map(|help| place + &help), ..fault }
    }

    /// The leaf to which a shortened path refers, without its beginning and perhaps its end: `roll.shock.modifier.square.add`
    /// for `modifier.square.add` or `modifier.square`, if that should be a number.
    #[must_use]
    pub fn path_with(&self, path: &Path, given: &Node) -> Option<Path> {
        let part = path.segments();
        let begins = |leaf: &Path| leaf.segments().windows(part.len().max(1)).position(|found| found == part);
        let leaves = self.leaves().into_iter().filter(|(leaf, _)| is_value(leaf));
        let with: Vec<(Path, usize)> = leaves.filter_map(|(leaf, _)| begins(&leaf).map(|at| (leaf, at))).collect();
        let whole = with.iter().find(|(leaf, at)| at + part.len() == leaf.len());
        let (leaf, at) = whole.or(with.first())?;
        self.leaf_within(&leaf.first(at + part.len()), given)
    }

    /// The value at a path, or else the most likely value within it: of the given kind if possible, and as few steps
    /// down as possible.
    fn leaf_within(&self, path: &Path, given: &Node) -> Option<Path> {
        if self.get(path)?.value.is_leaf() {
            return Some(path.clone());
        }
        let leaves = self.leaves().into_iter();
        let within = leaves.filter(|(leaf, _)| leaf.segments().starts_with(path.segments()) && is_value(leaf));
        within.min_by_key(|(leaf, node)| (!is_alike(&node.value, &given.value), leaf.len())).map(|(leaf, _)| leaf)
    }

    fn more_than_a_leaf(&self, path: &Path, node: &Node, given: &Node) -> Diagnostic {
        let fault = Diagnostic::new(format!("`{path}` is {}, but only a single value can be set", node.value.kind()));
        match self.leaf_within(path, given) {
            Some(leaf) => fault.help(format!("set a value in it, such as `{leaf}`")),
            None => fault,
        }
    }
}

/// Whether a value is part of the rules, and not the name of a row or a description of it.
fn is_value(leaf: &Path) -> bool {
    /// Keys that name or describe a row.
    const WORDS: [&str; 6] = ["id", "title", "about", "note", "cite", "text"];
    !leaf.segments().iter().any(|name| WORDS.contains(&name.as_str()))
}

/// Whether two values are of the same kind, or both numbers.
fn is_alike(one: &Value, other: &Value) -> bool {
    let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::Float(_));
    one.kind() == other.kind() || (is_number(one) && is_number(other))
}

fn put_in_table(table: &mut Table, segments: &[String], change: &Override) {
    let Some((first, rest)) = segments.split_first() else { return };
    if table.get(first).is_none() {
        let empty = Node { value: Value::Table(Table::new()), span: change.path_span };
        table.insert(Key { name: first.clone(), span: change.path_span }, empty);
    }
    if let Some(node) = table.get_mut(first) {
        put(node, rest, change);
    }
}

fn put(node: &mut Node, segments: &[String], change: &Override) {
    match (&mut node.value, segments) {
        (_, []) => *node = change.node.clone(),
        (Value::Table(table), _) => put_in_table(table, segments, change),
        (_, [first, rest @ ..]) => {
            if let Some(row) = node.child_mut(first) {
                put(row, rest, change);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, schema_for};

    use super::*;

    const PACK: &str = "
pack = 'x'
dice = [1, 2]
[[roll.shock.modifier]]
id = 'square'
add = -4
[[units]]
at = [0, 16]
";

    /// Only its schema is used.
    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Wire {
        pack: String,
        dice: Vec<u8>,
        roll: std::collections::BTreeMap<String, Roll>,
        units: Vec<Unit>,
        fire: Option<Fire>,
    }

    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Roll {
        modifier: Vec<Row>,
    }

    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Row {
        id: String,
        add: i8,
        note: Option<String>,
    }

    #[derive(JsonSchema)]
    #[schemars(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Unit {
        at: [u8; 2],
    }

    #[derive(JsonSchema)]
    #[schemars(tag = "mechanic", rename_all = "kebab-case", deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Fire {
        Pool { dice: u8 },
        Target { need: u8 },
    }

    struct Case {
        sources: Sources,
        document: Document,
    }

    impl Case {
        fn new() -> Self {
            let mut sources = Sources::new();
            let file = sources.add("pack.toml", PACK);
            let document = Document::parse(file, &sources).expect("good TOML");
            Self { sources, document }
        }

        fn set(&mut self, text: &str, absent: Absent<'_>) -> Result<(), String> {
            let file = self.sources.add("--set", text);
            Override::parse(file, &self.sources)
                .and_then(|change| self.document.set(&change, absent))
                .map_err(|faults| faults.render(&self.sources, false))
        }

        fn value(&self, path: &str) -> String {
            let path = Path::parse(path).expect("a good path");
            self.document.get(&path).map_or("nothing".to_owned(), |node| node.value.to_string())
        }
    }

    #[test]
    fn values_are_read_as_a_person_types_them() {
        let value = |text: &str| {
            let mut sources = Sources::new();
            let file = sources.add("--set", format!("a={text}"));
            Override::parse(file, &sources).map(|change| {
                let said = sources.slice(change.node.span);
                assert_eq!(said, text.trim());
                change.node.value.to_string()
            })
        };
        for (text, read) in [
            ("4", "4"),
            ("-2", "-2"),
            ("1.5", "1.5"),
            ("true", "true"),
            ("line", "\"line\""),
            (" charge home ", "\"charge home\""),
            ("'4'", "\"4\""),
            ("[1, 2]", "[1, 2]"),
            ("self.arm == 'cavalry'", "\"self.arm == 'cavalry'\""),
            ("1 + 1", "\"1 + 1\""),
        ] {
            assert_eq!(value(text).as_deref(), Ok(read), "{text}");
        }
        for text in ["", " ", "[1, ", "[line]", "\"x", "{", "inf", "1815-06-18", "99999999999999999999"] {
            assert!(value(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_leaf_is_replaced_and_stands_where_it_was_said() {
        let mut case = Case::new();
        assert_eq!(case.set("roll.shock.modifier.square.add = -5", Absent::Refuse), Ok(()));
        assert_eq!(case.set("units.0.at.1=12", Absent::Refuse), Ok(()));
        assert_eq!(case.set("dice=[3]", Absent::Refuse), Ok(()));
        assert_eq!(case.value("roll.shock.modifier.square.add"), "-5");
        assert_eq!(case.value("units.0.at"), "[0, 12]");
        assert_eq!(case.value("dice"), "[3]");
        let span = case.document.span_at(&Path::parse("roll.shock.modifier.square.add").expect("a path"));
        assert_eq!((case.sources.name(span.file), case.sources.slice(span)), ("--set", "-5"));
    }

    #[test]
    fn a_path_that_does_not_exist_is_refused_with_the_nearest() {
        let mut case = Case::new();
        let mut fault = |text: &str| case.set(text, Absent::Refuse).expect_err("there is no such path");
        assert_eq!(
            fault("roll.shok.modifier.square.add=1"),
            "error: there is no value `roll.shok.modifier.square.add`
 --> --set:1:1
  |
1 | roll.shok.modifier.square.add=1
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: did you mean `roll.shock.modifier.square.add`?
"
        );
        assert!(fault("modifier.square.add=1").contains("did you mean `roll.shock.modifier.square.add`?"));
        assert!(fault("square=1").contains("did you mean `roll.shock.modifier.square.add`?"));
        assert!(
            fault("roll.shock.modifier.wedge.add=1").contains("in `roll.shock.modifier`, the only one is `square`")
        );
        assert!(fault("wedge=1").contains("valid names: `pack`, `dice`, `roll`, `units`"));
        assert!(fault("units.1.at=1").contains("in `units`, the only one is `0`"));
        assert!(fault("pack.x=1").contains("there is no value `pack.x`"));
        assert!(fault("roll.shock=1").contains("`roll.shock` is a table, but only a single value can be set"));
        // The path in the help leads to a number that can be set, not to a table or a text.
        for near in ["roll.shock=1", "roll=1", "roll.shock.modifier.sqare=1", "roll.shok=1"] {
            assert!(fault(near).contains("`roll.shock.modifier.square.add`"), "{near}: {}", fault(near));
        }
        assert!(fault("units=1").contains("set a value in it, such as `units.0.at.0`"));
        assert!(fault("modifier.square=1").contains("did you mean `roll.shock.modifier.square.add`?"));
        assert!(fault("modifier.wedge.add=1").contains("valid names: `pack`"));
        let row = fault("roll.shock.modifier.square=2");
        assert!(row.contains("such as `roll.shock.modifier.square.add`"), "{row}");
        assert!(fault("a..b=1").contains("cannot have empty parts"));
        assert!(fault("wedge").contains("write PATH=VALUE"));
    }

    #[test]
    fn the_schema_may_have_a_place_for_what_is_absent() {
        let schema = schema_for!(Wire);
        let absent = Absent::Insert(&schema);
        let mut case = Case::new();
        assert_eq!(case.set("roll.shock.modifier.square.note=why", absent), Ok(()));
        assert_eq!(case.value("roll.shock.modifier.square.note"), "\"why\"");
        let fault = case.set("roll.shock.modifier.square.nte=why", absent).expect_err("misspelt");
        assert!(fault.contains("did you mean `roll.shock.modifier.square.note`?"), "{fault}");
        assert!(case.set("roll.shock.modifier.wedge.add=1", absent).is_err(), "no row is created");
        assert!(case.set("pack.x=1", absent).is_err());
        // Before the tag is known, names of either variant are allowed; after that, only those of its variant.
        assert_eq!(case.set("fire.mechanic=pool", absent), Ok(()));
        assert_eq!(case.set("fire.dice=3", absent), Ok(()));
        assert_eq!(case.value("fire"), "{ mechanic = \"pool\", dice = 3 }");
        assert!(case.set("fire.need=3", absent).is_err());
    }
}
