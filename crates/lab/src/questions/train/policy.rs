//! Policies: a doctrine in training, with its rows and every small change to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use grognard_expr::numbers;
use grognard_source::{Key, Node, Span, Table, Value};

use super::choices::Choices;
use crate::study::{WrittenDoctrine, as_number, pip, thousandths, written_as};

/// The steps, in pips, by which numbers are changed.
pub(super) const PIPS: [i64; 4] = [1, -1, 4, -4];

/// A row of a doctrine.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The row as it is now. Shared, because most candidates in a race leave it unchanged.
    pub table: Arc<Table>,
    /// The row in its original doctrine.
    pub was: Arc<Table>,
    /// The doctrine that it was taken from; `None` if it is the doctrine's own row.
    pub from: Option<String>,
    /// Whether it was moved before another row.
    pub moved: bool,
}

impl Row {
    fn new(table: Table, from: Option<String>) -> Self {
        let table = Arc::new(table);
        Self { was: Arc::clone(&table), table, from, moved: false }
    }
}

/// A doctrine that is being trained: rows in order, and its choices outside them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// Its rows.
    pub rows: Vec<Row>,
    /// Its other keys, such as `activates`, except its title and its players.
    pub keys: Table,
}

/// A small change to a policy.
#[derive(Clone, Debug)]
pub(in crate::questions) struct Candidate {
    pub(in crate::questions) policy: Policy,
    /// The change in words.
    pub(super) says: String,
}

/// The material for new rows, apart from the doctrine itself.
#[derive(Debug)]
pub(in crate::questions) struct Pool {
    /// The doctrine's own keys other than its rows.
    pub(super) own: Table,
    /// The doctrine's location, also used for all keys that training adds.
    pub(super) span: Span,
    /// The side's possible choices outside rows.
    pub(super) choices: Choices,
    /// The other doctrines of the pack.
    pub(super) doctrines: Vec<WrittenDoctrine>,
    /// Their rows, each with its doctrine.
    others: Vec<(String, Table)>,
    /// Conditions that rows of a phase have, each with its phase.
    conditions: BTreeSet<(String, String)>,
    formations: Vec<String>,
}

impl Pool {
    /// Whether another doctrine of the pack has this name.
    pub(in crate::questions) fn has(&self, name: &str) -> bool {
        self.doctrines.iter().any(|doctrine| doctrine.name == name)
    }

    pub(super) fn of(
        doctrines: &[WrittenDoctrine],
        from: &WrittenDoctrine,
        formations: Vec<String>,
        choices: Choices,
    ) -> Self {
        let own = from.name.as_str();
        let rows = || doctrines.iter().flat_map(|doctrine| doctrine.rows.iter().map(move |row| (doctrine, row)));
        let conditions = rows().flat_map(|(_, row)| {
            let parts = conjuncts(text(row, "when")).into_iter();
            parts.map(|part| (text(row, "phase").to_owned(), part.to_owned()))
        });
        // A row ordered in addition to another is useless without it.
        let alone = rows().filter(|(doctrine, row)| doctrine.name != own && row.get("also").is_none());
        let others = doctrines.iter().filter(|doctrine| doctrine.name != own);
        Self {
            own: from.others.clone(),
            span: from.span,
            choices,
            doctrines: others.cloned().collect(),
            conditions: conditions.collect(),
            others: alone.map(|(doctrine, row)| (doctrine.name.clone(), row.clone())).collect(),
            formations,
        }
    }
}

impl Policy {
    pub(in crate::questions) fn of(doctrine: &WrittenDoctrine) -> Self {
        let rows = doctrine.rows.iter().map(|table| Row::new(table.clone(), None)).collect();
        Self { rows, keys: doctrine.others.clone() }
    }

    /// The doctrine as it would be written in a pack, without a title. `span` is the location given to its rows.
    pub(in crate::questions) fn doctrine(&self, span: Span) -> Table {
        let mut doctrine = self.keys.clone();
        let row = |row: &Table| Node { value: Value::Table(row.clone()), span };
        put(&mut doctrine, "row", Some(Value::Array(self.tables().map(row).collect())), span);
        doctrine
    }

    pub(in crate::questions) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.rows.iter().map(|row| &*row.table)
    }

    /// Every small change, always in the same order.
    pub(in crate::questions) fn neighbours(&self, pool: &Pool) -> Vec<Candidate> {
        let mut all = Vec::new();
        for place in 0..self.rows.len() {
            self.reorder(place, &mut all);
            self.renumber(place, &mut all);
            self.rewrite(place, pool, &mut all);
        }
        self.take_over(pool, &mut all);
        self.cross(pool, &mut all);
        self.change_choices(pool, &mut all);
        all
    }

    /// Policies without one of the additions or changes of training: a row, a condition, or a choice outside rows.
    pub(super) fn without_additions(&self, pool: &Pool) -> Vec<Candidate> {
        let mut all = self.without_choices(pool);
        for (place, row) in self.rows.iter().enumerate() {
            if (row.from.is_some() || row.table != row.was) && !self.is_bound(place) {
                all.push(self.left_out(place));
            }
            let before = conjuncts(text(&row.was, "when"));
            let now = conjuncts(text(&row.table, "when"));
            for added in now.iter().filter(|part| !before.contains(part)) {
                let left: Vec<&str> = now.iter().copied().filter(|part| part != added).collect();
                let says = format!("{}: no longer only when {added}", id(&row.table));
                all.push(self.with(place, "when", condition(&left), says));
            }
        }
        all
    }

    /// The policy without a row.
    pub(in crate::questions) fn left_out(&self, place: usize) -> Candidate {
        let mut policy = self.clone();
        let row = policy.rows.remove(place);
        Candidate { says: format!("without {}", id(&row.table)), policy }
    }

    /// Whether a row is bound to its neighbours: a row ordered in addition to another stays after it.
    pub(in crate::questions) fn is_bound(&self, place: usize) -> bool {
        [place, place + 1].iter().any(|&at| self.rows.get(at).is_some_and(|row| row.table.get("also").is_some()))
    }

    fn reorder(&self, place: usize, all: &mut Vec<Candidate>) {
        if self.is_bound(place) {
            return;
        }
        all.push(self.left_out(place));
        let phase = text(&self.rows[place].table, "phase");
        let before = (0..place).rev().find(|&other| text(&self.rows[other].table, "phase") == phase);
        if let Some(before) = before.filter(|&before| !self.is_bound(before)) {
            let mut policy = self.clone();
            let mut row = policy.rows.remove(place);
            row.moved = true;
            let says = format!("{} before {}", id(&row.table), id(&policy.rows[before].table));
            policy.rows.insert(before, row);
            all.push(Candidate { policy, says });
        }
    }

    /// Changes numbers: distances, figures, and those in the condition.
    fn renumber(&self, place: usize, all: &mut Vec<Candidate>) {
        let row = &self.rows[place].table;
        for (key, node) in row.iter() {
            if let Some(value) = thousandths(&node.value) {
                for to in PIPS.map(|pips| value + pips * pip(value)).into_iter().filter(|to| *to >= 0) {
                    let says = format!("{}: {} {} instead of {}", id(row), key.name, written_as(to), written_as(value));
                    all.push(self.with(place, &key.name, Some(as_number(&node.value, to)), says));
                }
            }
            self.reweigh(place, &key.name, node, all);
        }
        let when = text(row, "when");
        for range in numbers(when) {
            let Ok(value) = when[range.clone()].replace(' ', "").parse::<f64>() else { continue };
            let Some(value) = thousandths(&Value::Float(value)) else { continue };
            for to in PIPS.map(|pips| value + pips * pip(value)).into_iter().filter(|to| *to >= 0 || value < 0) {
                let mut text = when.to_owned();
                text.replace_range(range.clone(), &written_as(to));
                let says = format!("{}: when {text}", id(row));
                all.push(self.with(place, "when", Some(Value::Text(text)), says));
            }
        }
    }

    /// Changes numbers in a table of a row, such as `weigh`.
    fn reweigh(&self, place: usize, key: &str, node: &Node, all: &mut Vec<Candidate>) {
        let row = id(&self.rows[place].table);
        for (inner, number) in node.as_table().into_iter().flat_map(Table::iter) {
            let Some(value) = thousandths(&number.value) else { continue };
            for to in PIPS.map(|pips| value + pips * pip(value)) {
                let says = format!("{row}: {key}.{} {} instead of {}", inner.name, written_as(to), written_as(value));
                let mut table = node.as_table().cloned().unwrap_or_default();
                put(&mut table, &inner.name, Some(as_number(&number.value, to)), inner.span);
                all.push(self.with(place, key, Some(Value::Table(table)), says));
            }
        }
    }

    /// Changes formations and enemies, and adds or removes conditions.
    fn rewrite(&self, place: usize, pool: &Pool, all: &mut Vec<Candidate>) {
        let row = &self.rows[place].table;
        if let Some(now) = row.get("formation").and_then(Node::as_text) {
            for other in pool.formations.iter().filter(|other| *other != now) {
                let says = format!("{}: {other} instead of {now}", id(row));
                all.push(self.with(place, "formation", Some(Value::Text(other.clone())), says));
            }
        }
        let (of, says) = match row.get("of") {
            Some(_) => (None, "looks at the nearest enemy"),
            None => (Some(Value::Text("any".to_owned())), "looks at any enemy"),
        };
        all.push(self.with(place, "of", of, format!("{}: {says}", id(row))));
        let now = conjuncts(text(row, "when"));
        for dropped in 0..now.len() {
            let left: Vec<&str> = (0..now.len()).filter(|&part| part != dropped).map(|part| now[part]).collect();
            let says = format!("{}: no longer only when {}", id(row), now[dropped]);
            all.push(self.with(place, "when", condition(&left), says));
        }
        let phase = text(row, "phase");
        for (_, added) in pool.conditions.iter().filter(|(of, part)| of == phase && !now.contains(&part.as_str())) {
            let both: Vec<&str> = now.iter().copied().chain([added.as_str()]).collect();
            let says = format!("{}: only when {added}", id(row));
            all.push(self.with(place, "when", condition(&both), says));
        }
    }

    /// Copies rows of other doctrines, and puts them before and after the rows for the same phase.
    fn take_over(&self, pool: &Pool, all: &mut Vec<Candidate>) {
        for (doctrine, other) in &pool.others {
            let named = |key: &str| text(other, key);
            let is_known =
                |row: &Row| ["phase", "when", "do", "formation"].iter().all(|key| text(&row.table, key) == named(key));
            if self.rows.iter().any(is_known) {
                continue;
            }
            let of_phase = |row: &Row| text(&row.table, "phase") == named("phase");
            let first = self.rows.iter().position(of_phase).unwrap_or(self.rows.len());
            let last = self.rows.iter().rposition(of_phase).map_or(self.rows.len(), |last| last + 1);
            let mut places = vec![(first, "first of its phase")];
            if last > first {
                places.push((last, "last of its phase"));
            }
            for (at, place) in places {
                let mut policy = self.clone();
                let table = self.renamed(other);
                let says = format!("{} of {doctrine}, {place}", id(other));
                policy.rows.insert(at, Row::new(table, Some(doctrine.clone())));
                all.push(Candidate { policy, says });
            }
        }
    }

    /// Replaces this doctrine's orders in a phase with another doctrine's, or all of its orders and choices.
    fn cross(&self, pool: &Pool, all: &mut Vec<Candidate>) {
        for WrittenDoctrine { name, rows, others, .. } in &pool.doctrines {
            let mut phases: Vec<&str> = Vec::new();
            let own = self.rows.iter().map(|row| &*row.table);
            for phase in rows.iter().chain(own.filter(|_| !rows.is_empty())).map(|row| text(row, "phase")) {
                if !phases.contains(&phase) {
                    phases.push(phase);
                }
            }
            for phase in phases {
                let of_phase = |table: &Table| text(table, "phase") == phase;
                let kept = self.rows.iter().filter(|row| !of_phase(&row.table)).cloned().collect();
                let policy = Self { rows: kept, keys: self.keys.clone() };
                let policy = policy.followed_by(rows.iter().filter(|row| of_phase(row)), name);
                self.try_instead(policy, format!("{phase} as {name} does"), all);
            }
            let policy = Self { rows: Vec::new(), keys: self.keys.clone() }.followed_by(rows.iter(), name);
            self.try_instead(policy.with_choices_of(others, pool), format!("all as {name} does"), all);
        }
    }

    /// The policy with rows of another doctrine after its own.
    fn followed_by<'t>(mut self, rows: impl Iterator<Item = &'t Table>, doctrine: &str) -> Self {
        for table in rows {
            let table = self.renamed(table);
            self.rows.push(Row::new(table, Some(doctrine.to_owned())));
        }
        self
    }

    /// Adds this policy to the candidates if it differs. A doctrine without any orders is not a candidate.
    fn try_instead(&self, policy: Self, says: String, all: &mut Vec<Candidate>) {
        let differs = policy.tables().ne(self.tables()) || policy.keys.to_string() != self.keys.to_string();
        if differs && (self.rows.is_empty() || !policy.rows.is_empty()) {
            all.push(Candidate { policy, says });
        }
    }

    /// A row of another doctrine under an unused name.
    fn renamed(&self, row: &Table) -> Table {
        let mut row = row.clone();
        let own = id(&row).to_owned();
        let is_free = |name: &String| self.rows.iter().all(|row| id(&row.table) != name.as_str());
        let free = std::iter::once(own.clone()).chain((2..).map(|number| format!("{own}-{number}"))).find(is_free);
        put_into(&mut row, "id", free.map(Value::Text));
        row
    }

    fn with(&self, place: usize, key: &str, value: Option<Value>, says: String) -> Candidate {
        let mut policy = self.clone();
        put_into(Arc::make_mut(&mut policy.rows[place].table), key, value);
        Candidate { policy, says }
    }
}

/// Puts a value into a row, or removes it.
fn put_into(row: &mut Table, key: &str, value: Option<Value>) {
    let span = row.iter().next().map(|(key, _)| key.span);
    if let Some(span) = span {
        put(row, key, value, span);
    }
}

/// Puts a value into a table, or removes it.
pub(super) fn put(table: &mut Table, key: &str, value: Option<Value>, span: Span) {
    if let Some(value) = value {
        table.insert(Key { name: key.to_owned(), span }, Node { value, span });
    } else {
        table.remove(key);
    }
}

pub(in crate::questions) fn text<'a>(row: &'a Table, key: &str) -> &'a str {
    row.get(key).and_then(Node::as_text).unwrap_or_default()
}

pub(super) fn id(row: &Table) -> &str {
    text(row, "id")
}

/// Conditions that must all be true, combined into one; `None` if there are none.
fn condition(parts: &[&str]) -> Option<Value> {
    let several = parts.len() > 1;
    let part = |part: &&str| if several && !is_plain(part) { format!("({part})") } else { (*part).to_owned() };
    (!parts.is_empty()).then(|| Value::Text(parts.iter().map(part).collect::<Vec<_>>().join(" && ")))
}

/// Whether a condition can be combined with others without brackets.
fn is_plain(part: &str) -> bool {
    cut(part, "||").len() == 1 && cut(part, "?").len() == 1
}

/// The conditions that must all be true for this one to be true.
fn conjuncts(when: &str) -> Vec<&str> {
    match when.trim() {
        "" => Vec::new(),
        when if is_plain(when) => cut(when, "&&"),
        when => vec![when],
    }
}

/// A text split at a separator wherever the separator is outside brackets and quotes.
pub(super) fn cut<'a>(text: &'a str, sign: &str) -> Vec<&'a str> {
    let (mut parts, mut begin, mut depth, mut quote) = (Vec::new(), 0, 0_i32, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            (None, _) if depth == 0 && at >= begin && text[at..].starts_with(sign) => {
                parts.push(text[begin..at].trim());
                begin = at + sign.len();
            }
            (None, _) => {}
        }
    }
    parts.push(text[begin..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_falls_into_those_that_must_all_hold() {
        assert_eq!(conjuncts("a == 'x && y' && !(b && c) && d"), ["a == 'x && y'", "!(b && c)", "d"]);
        assert_eq!(conjuncts("a || b && c"), ["a || b && c"]);
        assert_eq!(conjuncts(" "), [""; 0]);
        let both = condition(&["a || b", "c"]);
        assert_eq!(both, Some(Value::Text("(a || b) && c".to_owned())));
        assert_eq!(condition(&["a || b"]), Some(Value::Text("a || b".to_owned())));
        assert_eq!(condition(&[]), None);
    }
}
