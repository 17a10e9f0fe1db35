//! The rule rows of a pack, and everything that can be broken in each.
//!
//! A row is a table with citations: a modifier, a result, a bar, a provision, a formation, a unit type, a phase or a
//! card. A nested table has its own citations. Clause texts, titles, notes, doctrine and metrics are not rule rows.

use std::collections::BTreeSet;

use grognard_rules::library::load;
use grognard_source::{Document, Node, Path, Sources, Table, Value, has_ids};

use super::super::registered::listed;
use super::words::{Change, changed, other_than_the_only};
use crate::common::Mutation;

/// A rule row with one change that breaks it.
pub(super) struct Mutant {
    /// The row's path.
    pub(super) row: String,
    /// The clauses that the row cites.
    pub(super) cite: Vec<String>,
    /// The base-game facts (`B33`) that its note names.
    pub(super) facts: BTreeSet<u32>,
    /// The change.
    pub(super) mutation: Mutation,
    /// A description of the change.
    pub(super) what: &'static str,
}

/// Top-level tables without rules.
const NO_RULES: [&str; 10] =
    ["pack", "title", "version", "about", "extends", "board", "arms", "clause", "doctrine", "metric"];
/// Keys that do not change battles.
const NO_NUMBERS: [&str; 7] = ["id", "title", "note", "cite", "cites", "all-round", "marker"];

/// Keys that a type with cannon must have but that have no effect. Its figures are the crew, which `battery.crew`
/// counts, and the layouts of its formations give its size.
const UNREAD_WITH_CANNON: [&str; 3] = ["figures", "width", "depth"];

/// Every mutant of a pack, in the order of its rows.
pub(super) fn mutants(pack: &str) -> Vec<Mutant> {
    let mut sources = Sources::new();
    let document =
        load(pack, None, &mut sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false))).document;
    let mut finder = Finder { document: &document, found: Vec::new() };
    for (key, node) in document.root.iter().filter(|(key, _)| !NO_RULES.contains(&key.name.as_str())) {
        finder.node(&Path::root().join(&key.name), node, None);
    }
    finder.found
}

struct Finder<'d> {
    document: &'d Document,
    found: Vec<Mutant>,
}

/// The path of a row, its citations, and the facts in its note.
struct Row {
    path: Path,
    cite: Vec<String>,
    facts: BTreeSet<u32>,
}

impl Row {
    fn of(path: &Path, table: &Table) -> Option<Self> {
        let keys = table.get("cites").and_then(Node::as_table);
        let lists = table.get("cite").into_iter().chain(keys.into_iter().flat_map(Table::iter).map(|(_, list)| list));
        let mut cite: Vec<String> = lists.flat_map(listed).collect();
        if cite.is_empty() {
            return None;
        }
        cite.sort_unstable();
        cite.dedup();
        let note = table.get("note").and_then(Node::as_text).unwrap_or_default();
        Some(Self { path: path.clone(), cite, facts: facts(note) })
    }
}

/// The facts that a note or the name of a test mentions: `B33, B35 to B37` or `facts_b33_b35_to_b37`.
pub(super) fn facts(text: &str) -> BTreeSet<u32> {
    let words: Vec<&str> = text.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    let fact = |word: &str| word.strip_prefix(['B', 'b'])?.parse::<u32>().ok();
    let one = |(place, &word): (usize, &&str)| {
        let last = fact(word)?;
        let to = place >= 2 && words[place - 1] == "to";
        let first = if to { fact(words[place - 2])? } else { last };
        Some(first..=last)
    };
    words.iter().enumerate().filter_map(one).flatten().collect()
}

impl Finder<'_> {
    fn push(&mut self, row: &Row, mutation: String, what: &'static str) {
        let Row { path, cite, facts } = row;
        let (cite, facts) = (cite.clone(), facts.clone());
        self.found.push(Mutant { row: path.to_string(), cite, facts, mutation: Mutation(mutation), what });
    }

    fn node(&mut self, path: &Path, node: &Node, row: Option<&Row>) {
        match (&node.value, row) {
            (Value::Table(table), _) => {
                let own = Row::of(path, table);
                if let Some(row) = &own {
                    self.push(row, path.to_string(), "row dropped");
                }
                let cannon =
                    path.segments().first().is_some_and(|first| first == "unit") && table.get("cannon").is_some();
                let read = |key: &str| !(NO_NUMBERS.contains(&key) || cannon && UNREAD_WITH_CANNON.contains(&key));
                for (key, node) in table.iter().filter(|(key, _)| read(&key.name)) {
                    self.node(&path.join(&key.name), node, own.as_ref().or(row));
                }
            }
            (Value::Array(items), Some(row)) if node.value.is_leaf() => self.list(path, items, row),
            (Value::Array(items), _) => {
                let by_id = has_ids(items);
                for (place, item) in items.iter().enumerate() {
                    let name = item.id().filter(|_| by_id).map_or(place.to_string(), str::to_owned);
                    self.node(&path.join(name), item, row);
                }
            }
            (value, Some(row)) => self.leaf(path, value, row),
            (_, None) => {}
        }
    }

    /// Removes the words of a list, one at a time. If a list has only one word, replaces it with another.
    fn list(&mut self, path: &Path, items: &[Node], row: &Row) {
        if let ([only], Some(key)) = (items, path.segments().last())
            && let Some(other) = only.as_text().and_then(|text| other_than_the_only(self.document, key, text))
        {
            let list = Value::Array(vec![Node { value: Value::Text(other), span: only.span }]);
            self.push(row, format!("{path} = {list}"), "other word");
        }
        for out in 0..items.len().max(1) {
            let left: Vec<Node> =
                items.iter().enumerate().filter(|(place, _)| *place != out).map(|(_, item)| item.clone()).collect();
            if !left.is_empty() {
                self.push(row, format!("{path} = {}", Value::Array(left)), "word dropped");
            }
        }
    }

    fn leaf(&mut self, path: &Path, value: &Value, row: &Row) {
        let document = self.document;
        let mut set = |to: Value, what| self.push(row, format!("{path} = {to}"), what);
        match value {
            Value::Int(number) => {
                set(Value::Int(number + 1), "a pip more");
                if *number != 0 {
                    set(Value::Int(-number), "sign flipped");
                }
            }
            Value::Float(number) => {
                set(Value::Float(a_pip_more(*number)), "a pip more");
                set(Value::Float(-number), "sign flipped");
            }
            Value::Bool(flag) => set(Value::Bool(!flag), "flag turned"),
            Value::Text(text) => match changed(document, path, text) {
                Some(Change::Condition(other)) => set(Value::Text(other), "condition negated"),
                Some(Change::Formula(other)) => set(Value::Text(other), "a pip more"),
                Some(Change::Dice(other)) => set(Value::Text(other), "other dice"),
                Some(Change::Word(other)) => set(Value::Text(other), "other word"),
                // The text is the name of something else in the pack.
                None => self.push(row, path.to_string(), "key dropped"),
            },
            Value::Array(_) | Value::Table(_) => {}
        }
    }
}

/// Increases a number by one in the last decimal place: 0.25 becomes 0.26.
fn a_pip_more(number: f64) -> f64 {
    let text = number.to_string();
    let places = text.split_once('.').map_or(0, |(_, places)| places.len());
    format!("{:.places$}", number + 0.1_f64.powi(places as i32)).parse().expect("a number")
}
