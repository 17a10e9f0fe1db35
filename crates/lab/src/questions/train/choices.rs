//! Choices of a doctrine outside its rows: which units take hits (`gives-up`, `picks-off`), and which go first
//! (`activates`). The side to attack (`attacks`) matters only among three or more sides, and such battles are not used
//! for training.

use grognard_engine::{Setup, Side};
use grognard_expr::numbers;
use grognard_rules::model::{Bearer, HitFirst, KindId, PickedBy, Rules, TurnOrder};
use grognard_source::{Node, Span, Table, Value};

use super::policy::{Candidate, PIPS, Policy, Pool, cut, put};
use crate::study::{Study, WrittenDoctrine, pip, thousandths, written_as};

/// The entry in a casualty order that matches every unit that survives a hit.
const SUSTAIN: &str = "sustain";

/// The lists by which a side chooses which unit takes a hit.
const LISTS: [&str; 2] = ["gives-up", "picks-off"];

/// The formula by which a side chooses which unit goes first.
const ACTIVATES: &str = "activates";

/// All keys by which a side chooses.
const KEYS: [&str; 3] = [LISTS[0], LISTS[1], ACTIVATES];

/// The choices that a side can make in the battles of a study by a list or a formula of its doctrine.
#[derive(Debug, Default)]
pub(super) struct Choices {
    /// The possible entries of each list, in the pack's order; empty if the rules leave no choice to the side.
    lists: [Vec<String>; 2],
    /// The facts that a formula may read; empty if units do not go one at a time.
    terms: Vec<String>,
}

impl Choices {
    /// The choices of a side in these cells.
    pub(super) fn of(study: &Study, chosen: &[usize], side: Side) -> Self {
        let mut choices = Self::default();
        for cell in chosen.iter().map(|&cell| &study.cells[cell]) {
            let rules = &*cell.rules;
            // If roles are exchanged, a side's units are those of the other side.
            let setups = [(Some(&cell.setup), side), (cell.swapped.as_deref(), side.other())];
            for (setup, side) in setups.into_iter().filter_map(|(setup, side)| Some((setup?, side))) {
                let sides = [(PickedBy::Owner, side), (PickedBy::Shooter, side.other())];
                for (list, (by, hit)) in choices.lists.iter_mut().zip(sides) {
                    merge(list, entries(rules, setup, by, hit));
                }
            }
            if rules.turn_order.as_deref().is_some_and(TurnOrder::goes_by_unit) {
                merge(&mut choices.terms, terms(rules));
            }
        }
        choices
    }

    /// Whether the rules leave no choice to the side.
    pub(super) fn is_empty(&self) -> bool {
        self.lists.iter().all(Vec::is_empty) && self.terms.is_empty()
    }

    /// Whether the side chooses by this key.
    pub(super) fn has(&self, key: &str) -> bool {
        match LISTS.iter().position(|list| *list == key) {
            Some(list) => !self.lists[list].is_empty(),
            None => key == ACTIVATES && !self.terms.is_empty(),
        }
    }
}

fn merge(names: &mut Vec<String>, others: Vec<String>) {
    for other in others {
        if !names.contains(&other) {
            names.push(other);
        }
    }
}

/// The entries of an order that can decide which unit of a side takes a hit.
fn entries(rules: &Rules, setup: &Setup, by: PickedBy, hit: Side) -> Vec<String> {
    let orders: Vec<&HitFirst> = rules
        .phases
        .iter()
        .filter_map(|phase| phase.casualties.as_deref())
        .filter(|casualties| casualties.by == by)
        .map(|casualties| &casualties.first)
        .collect();
    // Types that the phase's own order does not name take no hits.
    let takes_hits = |kind: KindId| {
        orders.iter().any(|first| match first {
            HitFirst::Order(order) => order.iter().any(|bearer| match bearer {
                Bearer::Kind(named) => *named == kind,
                Bearer::Sustains => false,
            }),
            HitFirst::Least(_) => true,
            HitFirst::Chances(_) => false,
        })
    };
    let fights = |kind: KindId| setup.start.side(hit).any(|unit| setup.start.unit(unit).kind == kind);
    let kinds: Vec<KindId> = rules.kinds.ids().filter(|&kind| fights(kind) && takes_hits(kind)).collect();
    if kinds.len() < 2 {
        return Vec::new();
    }
    let sustains = kinds.iter().any(|&kind| rules.kinds[kind].figures > 1).then(|| SUSTAIN.to_owned());
    sustains.into_iter().chain(kinds.iter().map(|&kind| rules.kinds[kind].id.clone())).collect()
}

/// Facts that distinguish units: their figures, their counters, and the numbers of their types.
fn terms(rules: &Rules) -> Vec<String> {
    let counters: Vec<&str> = rules.counters.iter().map(|counter| counter.id.as_str()).collect();
    let facts = ["figures", "lost"].into_iter().chain(counters);
    let both = facts.flat_map(|fact| [format!("self.{fact}"), format!("foe.{fact}")]);
    let numbers = rules.attributes.iter().filter(|attribute| attribute.words.is_empty());
    both.chain(numbers.map(|attribute| format!("self.{}", attribute.id))).collect()
}

impl Policy {
    /// Every small change to the choices outside the rows, always in the same order.
    pub(super) fn change_choices(&self, pool: &Pool, all: &mut Vec<Candidate>) {
        for (key, entries) in LISTS.into_iter().zip(&pool.choices.lists) {
            self.reorder_list(key, entries, pool, all);
        }
        if pool.choices.has(ACTIVATES) {
            self.rewrite_formula(ACTIVATES, pool, all);
        }
        for key in KEYS.into_iter().filter(|key| pool.choices.has(key)) {
            let now = value(&self.keys, key);
            // Compared as strings: equal lists of two doctrines have different locations.
            let mut known = Vec::from_iter(now.map(Value::to_string));
            for WrittenDoctrine { name, others, .. } in &pool.doctrines {
                if let Some(other) = value(others, key).filter(|other| !known.contains(&other.to_string())) {
                    known.push(other.to_string());
                    all.push(self.with_key(key, Some(other.clone()), pool.span, format!("{key} as {name} does")));
                }
            }
            if now.is_some() {
                all.push(self.with_key(key, None, pool.span, format!("without {key}")));
            }
        }
    }

    /// Moves an entry to the front, or up by one. Entries that cannot decide anything stay where they are.
    fn reorder_list(&self, key: &str, entries: &[String], pool: &Pool, all: &mut Vec<Candidate>) {
        let now = list(&self.keys, key);
        let mut change = |order: Vec<&str>, says: String| {
            all.push(self.with_key(key, Some(list_of(&order, pool.span)), pool.span, says));
        };
        for entry in entries.iter().filter(|entry| now.first() != Some(&entry.as_str())) {
            let others = now.iter().copied().filter(|other| other != entry);
            change(std::iter::once(entry.as_str()).chain(others).collect(), format!("{key}: {entry} first"));
        }
        let deciding: Vec<usize> =
            (0..now.len()).filter(|&place| entries.iter().any(|entry| entry == now[place])).collect();
        // A swap with the first entry is left out, because moving an entry to the front does the same.
        for pair in deciding.windows(2).filter(|pair| pair[0] > 0) {
            let mut order = now.clone();
            order.swap(pair[0], pair[1]);
            change(order, format!("{key}: {} before {}", now[pair[1]], now[pair[0]]));
        }
    }

    /// Changes numbers, and adds one more fact, which counts for or against a unit.
    fn rewrite_formula(&self, key: &str, pool: &Pool, all: &mut Vec<Candidate>) {
        let now = self.keys.get(key).and_then(Node::as_text).unwrap_or_default();
        let mut change = |text: String| {
            let says = format!("{key}: {text}");
            all.push(self.with_key(key, Some(Value::Text(text)), pool.span, says));
        };
        for range in numbers(now) {
            let Ok(number) = now[range.clone()].replace(' ', "").parse::<f64>() else { continue };
            let Some(number) = thousandths(&Value::Float(number)) else { continue };
            for to in PIPS.map(|pips| number + pips * pip(number)).into_iter().filter(|to| *to >= 0 || number < 0) {
                let mut text = now.to_owned();
                text.replace_range(range.clone(), &written_as(to));
                change(text);
            }
        }
        let sum = if cut(now, "?").len() == 1 { now.to_owned() } else { format!("({now})") };
        for term in &pool.choices.terms {
            for sign in ["+", "-"] {
                change(match (now, sign) {
                    ("", "+") => term.clone(),
                    ("", _) => format!("-{term}"),
                    _ => format!("{sum} {sign} {term}"),
                });
            }
        }
    }

    /// Policies without a choice that training has changed, or without an entry that it has added to a list.
    pub(super) fn without_choices(&self, pool: &Pool) -> Vec<Candidate> {
        let mut all = Vec::new();
        for key in KEYS {
            let (was, now) = (value(&pool.own, key), value(&self.keys, key));
            if was.map(Value::to_string) == now.map(Value::to_string) {
                continue;
            }
            all.push(self.with_key(key, was.cloned(), pool.span, format!("{key} as before")));
            let (before, order) = (list(&pool.own, key), list(&self.keys, key));
            for entry in order.iter().filter(|entry| order.len() > 1 && !before.contains(entry)) {
                let left: Vec<&str> = order.iter().copied().filter(|other| other != entry).collect();
                let says = format!("{key}: without {entry}");
                all.push(self.with_key(key, Some(list_of(&left, pool.span)), pool.span, says));
            }
        }
        all
    }

    /// Another doctrine's choices in place of this one's.
    pub(super) fn with_choices_of(mut self, other: &Table, pool: &Pool) -> Self {
        for key in KEYS.into_iter().filter(|key| pool.choices.has(key)) {
            put(&mut self.keys, key, value(other, key).cloned(), pool.span);
        }
        self
    }

    fn with_key(&self, key: &str, value: Option<Value>, span: Span, says: String) -> Candidate {
        let mut policy = self.clone();
        put(&mut policy.keys, key, value, span);
        Candidate { policy, says }
    }
}

fn value<'t>(keys: &'t Table, key: &str) -> Option<&'t Value> {
    keys.get(key).map(|node| &node.value)
}

/// The entries of a list; empty if there is no list.
fn list<'t>(keys: &'t Table, key: &str) -> Vec<&'t str> {
    let entries = keys.get(key).and_then(Node::as_array).unwrap_or_default();
    entries.iter().filter_map(Node::as_text).collect()
}

fn list_of(entries: &[&str], span: Span) -> Value {
    Value::Array(entries.iter().map(|&entry| Node { value: Value::Text(entry.to_owned()), span }).collect())
}
