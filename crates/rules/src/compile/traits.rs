//! Traits: named special rules for unit types.
//!
//! A trait is expanded into ordinary rows before the pack is compiled. Each is located where the trait defines it:
//! modifiers among those of their roll, exceptions in the conditions of the rows that they cancel, and for a reroll a
//! second roll that replaces the first. The battle itself knows only which types have a trait.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::checker::{Checker, at, is_member};
use super::pack_schema;
use crate::model::Attribute;
use crate::wire::{BearerName, Pack, TraitRerollWire, TraitWire, UnitWire};
use grognard_source::{
    Absent, Diagnostic, Diagnostics, Document, Key, Node, Override, Path, Span, Table, Value, decode, names_key,
    nearest,
};

/// The maximum number of traits in a pack: they are the bits of a mask.
pub(super) const TRAITS_MAX: usize = 32;

/// The traits of a pack.
#[derive(Deserialize)]
struct Traits {
    #[serde(default, rename = "trait")]
    traits: BTreeMap<String, TraitWire>,
}

/// The pack with the rows of its traits written out.
///
/// # Errors
///
/// Rows that refer to something that does not exist.
pub(super) fn written_out(document: &Document) -> Result<Document, Diagnostics> {
    let Some((key, node)) = document.root.entry("trait") else { return Ok(document.clone()) };
    let mut root = Table::new();
    root.insert(key.clone(), node.clone());
    let Traits { traits } = decode(&Document { root, span: document.span })?;
    let mut writer = Writer { document: document.clone(), faults: Diagnostics::new() };
    // A trait without a valid name is refused later; conditions could not refer to it.
    let on = || traits.iter().filter(|(name, one)| one.on && is_member(name));
    for (name, one) in on() {
        for row in &one.modifier {
            writer.modifier(
                &at!["trait", name, "modifier", row.id],
                &row.roll,
                &bears(row.of, name, row.when.as_ref()),
            );
        }
        for row in &one.except {
            let at = at!["trait", name, "except", row.id];
            writer.except(&at, name, &row.row, &bears(row.of, name, row.when.as_ref()));
        }
    }
    // After all modifiers, so that the roll that replaces this one has them, too.
    for (name, one) in on() {
        for row in &one.reroll {
            writer.reroll(&at!["trait", name, "reroll", row.id], row, name, one);
        }
    }
    writer.faults.into_result(writer.document)
}

/// The condition that a unit has a trait, and any further condition.
fn bears(of: BearerName, name: &str, when: Option<&String>) -> String {
    let who = match of {
        BearerName::Own => "self",
        BearerName::Foe => "foe",
    };
    match when {
        Some(when) => format!("{who}.{name} && ({when})"),
        None => format!("{who}.{name}"),
    }
}

struct Writer {
    document: Document,
    faults: Diagnostics,
}

impl Writer {
    /// The location of a key of a row, and that of its condition, or of the row if it has none.
    fn spans(&self, at: &Path, key: &str) -> (Span, Span) {
        let span = |path: &Path| self.document.get(path).map(|node| node.span);
        let whole = self.document.span_at(at);
        (span(&at.join(key)).unwrap_or(whole), span(&at.join("when")).unwrap_or(whole))
    }

    /// The table of a roll, or a fault where it is named.
    fn roll(&mut self, at: &Path, name: &str) -> Option<Table> {
        let found = self.document.get(&at!["roll", name]).and_then(Node::as_table).cloned();
        if found.is_none() {
            let rolls = self.document.root.get("roll").and_then(Node::as_table);
            let known: Vec<String> = rolls.into_iter().flat_map(Table::names).map(str::to_owned).collect();
            let (span, _) = self.spans(at, "roll");
            let fault = Diagnostic::unknown("roll", name, known.iter().map(String::as_str));
            self.faults.push(fault.at(span).path(&at.join("roll")));
        }
        found
    }

    fn modifier(&mut self, at: &Path, roll: &str, when: &str) {
        let Some(table) = self.roll(at, roll) else { return };
        let Some(row) = self.document.get(at).cloned() else { return };
        let id = row.id().unwrap_or_default().to_owned();
        let there = table.get("modifier").and_then(Node::as_array).unwrap_or_default();
        if there.iter().any(|other| other.id() == Some(&id)) {
            let fault = Diagnostic::new(format!("roll `{roll}` already has a modifier `{id}`"));
            self.faults.push(fault.at(row.span).path(at).help("give one of them another name"));
            return;
        }
        let row = self.row(at, &row, &["of", "roll"], when);
        self.push(&at!["roll", roll], "modifier", row);
    }

    /// Adds a roll that replaces another and rerolls some of its dice. Rows of one trait without further conditions
    /// share it.
    fn reroll(&mut self, at: &Path, wire: &TraitRerollWire, name: &str, of: &TraitWire) {
        let (roll, stage) = (wire.roll.as_str(), wire.stage.as_deref());
        let shared = |other: &&TraitRerollWire| {
            other.roll == wire.roll && other.of == wire.of && other.when.is_none() && wire.when.is_none()
        };
        let mut before = of.reroll.iter().take_while(|other| other.id != wire.id).filter(shared);
        let first = before.next();
        if let Some(other) = first.into_iter().chain(before).find(|other| other.stage == wire.stage) {
            let fault = Diagnostic::new(format!("`reroll.{}` rolls the dice of `reroll.{}` again", wire.id, other.id));
            let (span, _) = self.spans(at, "which");
            self.faults.push(fault.at(span).path(&at.join("which")).help("omit one of them, or give both a `when`"));
            return;
        }
        // Rows of different traits may have the same id.
        let id = first.map_or(wire.id.as_str(), |first| first.id.as_str());
        let again = if id == name { format!("{roll} ({name})") } else { format!("{roll} ({name} {id})") };
        if first.is_some() && self.document.get(&at!["roll", again]).is_none() {
            return;
        }
        let Some(mut table) = self.roll(at, if first.is_some() { &again } else { roll }) else { return };
        let Some(row) = self.document.get(at).cloned() else { return };
        let Some(which) = row.as_table().and_then(|row| row.get("which")).cloned() else { return };
        let stages: Vec<String> = table
            .get("stage")
            .and_then(Node::as_array)
            .unwrap_or_default()
            .iter()
            .filter_map(|row| row.id().map(str::to_owned))
            .collect();
        let dice = match stage {
            None => table.get_mut("own"),
            Some(stage) => match table.get_mut("stage") {
                Some(Node { value: Value::Array(stages), .. }) => stages.iter_mut().find(|row| row.id() == Some(stage)),
                _ => None,
            },
        };
        let Some(Node { value: Value::Table(dice), .. }) = dice else {
            let (span, _) = self.spans(at, "stage");
            let name = stage.unwrap_or_default();
            let fault = Diagnostic::new(format!("roll `{roll}` has no stage `{name}`"));
            let known: Vec<&str> = stages.iter().map(String::as_str).collect();
            let own = "omit `stage` for the dice of `own`";
            let help = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? For the dice of `own`, omit `stage`"),
                None if known.is_empty() => own.to_owned(),
                None => format!("its stages are `{}`; {own}", known.join("`, `")),
            };
            self.faults.push(fault.at(span).path(&at.join("stage")).help(help));
            return;
        };
        put(dice, "reroll", which.clone());
        table.remove("instead");
        if let Some(Node { value: Value::Text(title), .. }) = table.get_mut("title").filter(|_| first.is_none()) {
            *title = format!("{title} ({})", of.title);
        }
        if let Some(Node { value: Value::Table(rolls), .. }) = self.document.root.get_mut("roll") {
            put(rolls, &again, Node { value: Value::Table(table), span: row.span });
        }
        if first.is_some() {
            self.cite_too(&at!["roll", roll, "instead"], &again, &row);
            return;
        }
        let mut row = self.row(at, &row, &["of", "which", "stage"], &bears(wire.of, name, wire.when.as_ref()));
        if let Value::Table(row) = &mut row.value {
            put(row, "roll", Node { value: Value::Text(again), span: which.span });
        }
        self.push(&at!["roll", roll], "instead", row);
    }

    /// Adds the clauses of a row to those of the row that puts this roll in place of another.
    fn cite_too(&mut self, at: &Path, roll: &str, row: &Node) {
        let cited = row.as_table().and_then(|row| row.get("cite")).and_then(Node::as_array).unwrap_or_default();
        let Some(Node { value: Value::Array(rows), .. }) = self.document.get_mut(at) else { return };
        for row in rows {
            let Value::Table(row) = &mut row.value else { continue };
            if row.get("roll").and_then(Node::as_text) == Some(roll)
                && let Some(Node { value: Value::Array(own), .. }) = row.get_mut("cite")
            {
                own.extend(cited.iter().cloned());
            }
        }
    }

    /// Adds the negation of another condition to the condition of a row. For a modifier, a row that adds 0 says why the
    /// modifier does not apply, and cites the exception's clauses.
    fn except(&mut self, at: &Path, name: &str, row: &str, when: &str) {
        let (span, when_span) = self.spans(at, "row");
        let path = match Path::parse(row) {
            Ok(path) => path,
            Err(error) => {
                self.faults.push(Diagnostic::new(error.to_string()).at(span).path(&at.join("row")));
                return;
            }
        };
        if !names_key(pack_schema(), &self.document, &path, "when") {
            let fault = self.no_row(&path);
            self.faults.push(fault.at(span).path(&at.join("row")));
            return;
        }
        let before = self.document.get(&path.join("when"));
        let old = before.and_then(Node::as_text).map(|old| format!("({old}) && ")).unwrap_or_default();
        let text = format!("{old}!({when})");
        let span_of = before.map_or(when_span, |node| node.span);
        if let [roll, of, modifier, id] = path.segments()
            && (roll.as_str(), modifier.as_str()) == ("roll", "modifier")
            && let Some(exception) =
                self.document.get(at).filter(|row| row.as_table().is_some_and(|row| row.get("cite").is_some()))
        {
            let mut none = self.row(at, exception, &["of", "row"], &format!("{old}({when})"));
            let span = none.span;
            if let Value::Table(table) = &mut none.value {
                put(table, "id", Node { value: Value::Text(format!("{id} ({name})")), span });
                put(table, "add", Node { value: Value::Int(0), span });
            }
            self.push(&at!["roll", of], "modifier", none);
        }
        let change = Override {
            path: path.join("when"),
            path_span: span,
            node: Node { value: Value::Text(text), span: span_of },
        };
        if let Err(faults) = self.document.set(&change, Absent::Insert(pack_schema())) {
            self.faults.append(faults);
        }
    }

    /// The fault for a path that does not lead to a row with a condition.
    fn no_row(&self, path: &Path) -> Diagnostic {
        let mut rows: Vec<String> = Vec::new();
        let mut last = Path::root();
        for (leaf, _) in self.document.leaves() {
            // The tables above a leaf that the leaf before it did not have.
            let same = leaf.segments().iter().zip(last.segments()).take_while(|(one, other)| one == other).count();
            let tables = (same + 1..leaf.len()).map(|depth| leaf.first(depth));
            rows.extend(
                tables
                    .filter(|table| table.segments()[0] != "trait")
                    .filter(|table| names_key(pack_schema(), &self.document, table, "when"))
                    .map(|table| table.to_string()),
            );
            last = leaf;
        }
        let below = |path: &Path| {
            let start = format!("{path}.");
            let below: Vec<String> =
                rows.iter().filter(|row| row.starts_with(&start)).take(3).map(|row| format!("`{row}`")).collect();
            below.join(", ")
        };
        if self.document.get(path).is_some() {
            let rows = below(path);
            let help = if rows.is_empty() {
                "name a modifier, a phase, a reaction or another row that may have `when`".to_owned()
            } else {
                format!("name a row in it, such as {rows}")
            };
            return Diagnostic::new(format!("`{path}` has no condition, so nothing can be an exception to it"))
                .help(help);
        }
        let fault = Diagnostic::new(format!("there is no row `{path}`"));
        let whole = path.to_string();
        if let Some(near) = nearest(&whole, rows.iter().map(String::as_str)) {
            return fault.help(format!("did you mean `{near}`?"));
        }
        // One segment of the path is misspelt: find the most similar name in its place, and the rows below it.
        let depth = (0..path.len()).find(|&depth| self.document.get(&path.first(depth + 1)).is_none()).unwrap_or(0);
        let before = path.first(depth);
        let known = match self.document.get(&before) {
            Some(Node { value: Value::Table(table), .. }) => table.names().map(str::to_owned).collect(),
            Some(Node { value: Value::Array(rows), .. }) => {
                rows.iter().filter_map(Node::id).map(str::to_owned).collect()
            }
            Some(_) => Vec::new(),
            None => self.document.root.names().map(str::to_owned).collect::<Vec<_>>(),
        };
        let meant = nearest(&path.segments()[depth], known.iter().map(String::as_str)).map(|near| before.join(near));
        let rows = below(meant.as_ref().unwrap_or(&before));
        match meant {
            Some(meant) if rows.is_empty() => fault.help(format!("`{meant}` has no rows with a condition")),
            Some(meant) => fault.help(format!("did you mean a row in `{meant}`, such as {rows}?")),
            None if rows.is_empty() => {
                fault.help("name a modifier, a phase, a reaction or another row that may have `when`")
            }
            None => fault.help(format!("in `{before}` there are {rows}")),
        }
    }

    /// A row of a trait without some of its keys, under this condition.
    fn row(&self, at: &Path, row: &Node, without: &[&str], when: &str) -> Node {
        let (_, span) = self.spans(at, "when");
        let mut table = row.as_table().cloned().unwrap_or_default();
        for key in without {
            table.remove(key);
        }
        put(&mut table, "when", Node { value: Value::Text(when.to_owned()), span });
        Node { value: Value::Table(table), span: row.span }
    }

    /// Puts a row at the end of a list.
    fn push(&mut self, at: &Path, list: &str, row: Node) {
        let Some(Node { value: Value::Table(table), .. }) = self.document.get_mut(at) else { return };
        if table.get(list).is_none() {
            put(table, list, Node { value: Value::Array(Vec::new()), span: row.span });
        }
        if let Some(Node { value: Value::Array(rows), .. }) = table.get_mut(list) {
            rows.push(row);
        }
    }
}

fn put(table: &mut Table, name: &str, node: Node) {
    let key = Key { name: name.to_owned(), span: node.span };
    table.insert(key, node);
}

/// Checks names. Returns for each trait itself and all traits that it includes, as bits.
pub(super) fn bundles(checker: &mut Checker<'_>, wire: &Pack<'_>, attributes: &[Attribute]) -> Vec<u32> {
    let names: Vec<&str> = wire.traits.keys().map(String::as_str).collect();
    let mut brings: Vec<Vec<usize>> = Vec::new();
    for (name, one) in &wire.traits {
        let at = at!["trait", name];
        let taken = checker.is_taken(attributes, name) || wire.counter.contains_key(name);
        if !is_member(name) {
            let help = "use lower-case letters, digits and `_`: conditions read it as `self.name`";
            checker.fault(&at, format!("`{name}` is not a valid name for a trait"), Some(help));
        } else if taken {
            checker.fault(&at, format!("every unit already has `{name}`"), Some("give the trait another name"));
        }
        let others = checker.find_each(&at.join("with"), "trait", &one.with, &names.iter().copied());
        brings.push(others.into_iter().map(usize::from).collect());
    }
    refuse_circles(checker, wire, &names, &brings);
    let on: Vec<bool> = wire.traits.values().map(|one| one.on).collect();
    (0..names.len()).map(|of| reached(of, &brings, &on)).collect()
}

/// A trait and all traits that it includes, except for those not in force.
fn reached(of: usize, brings: &[Vec<usize>], on: &[bool]) -> u32 {
    let (mut mask, mut open) = (0, vec![of]);
    while let Some(one) = open.pop() {
        if on[one] && mask >> one & 1 == 0 {
            mask |= 1 << one;
            open.extend(&brings[one]);
        }
    }
    mask
}

/// Reports traits that include themselves, each cycle once.
fn refuse_circles(checker: &mut Checker<'_>, wire: &Pack<'_>, names: &[&str], brings: &[Vec<usize>]) {
    let mut done = vec![false; names.len()];
    for start in 0..names.len() {
        let mut way = vec![start];
        let mut next = vec![0];
        while let (Some(&at), Some(&place)) = (way.last(), next.last()) {
            let Some(&other) = brings[at].get(place).filter(|_| !done[at]) else {
                done[at] = true;
                way.pop();
                next.pop();
                continue;
            };
            *next.last_mut().unwrap_or(&mut 0) += 1;
            if let Some(first) = way.iter().position(|&one| one == other) {
                let circle: Vec<&str> = way[first..].iter().chain([&other]).map(|&one| names[one]).collect();
                let place = wire.traits[names[at]].with.iter().position(|name| name == names[other]).unwrap_or(0);
                let path = at!["trait", names[at], "with", place];
                let message = format!("traits include each other in a cycle: {}", circle.join(", then "));
                checker.fault(&path, message, Some("remove one of them from `with`"));
            } else if !done[other] {
                way.push(other);
                next.push(0);
            }
        }
    }
}

/// The traits of a unit type, as bits.
pub(super) fn of_kind(checker: &mut Checker<'_>, wire: &Pack<'_>, id: &str, unit: &UnitWire, bundles: &[u32]) -> u32 {
    let mut mask = 0;
    for (index, name) in unit.traits.iter().enumerate() {
        let at = at!["unit", id, "traits", index];
        if wire.traits.is_empty() {
            let help = format!("declare it: `[trait.{name}]`");
            checker.fault(&at, format!("there is no trait `{name}`: the pack has none"), Some(&help));
        } else if let Some(found) = checker.find::<u8>(&at, "trait", name, wire.traits.keys().map(String::as_str)) {
            mask |= bundles.get(usize::from(found)).copied().unwrap_or(0);
        }
    }
    mask
}
