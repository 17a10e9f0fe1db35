//! Counters of units.

use std::sync::Arc;

use super::checker::{Checker, at, is_member};
use super::roll::plain_effect;
use crate::model::{
    Attribute, Beyond, COUNT_MAX, CountChange, CountEffect, Counter, Counters, Effect, Moment, MoraleState, NewCount,
    Reaction, Roll, Whose,
};
use crate::situation::{Fact, Field, Subject};
use crate::wire::{BeyondWire, CountChangeWire, CountOn, CounterWire, MechanismName, Pack, PhaseWire, UnitWire};
use grognard_expr::{Kind, Lookup, Row, Situation, Var};
use grognard_source::Path;

/// Checks the names. Returns for each counter whether conditions can read it.
pub(super) fn sound(checker: &mut Checker<'_>, wire: &Pack<'_>, attributes: &[Attribute]) -> Vec<bool> {
    let mut sound = Vec::new();
    for id in wire.counter.keys() {
        let at = at!["counter", id];
        let fault = if !is_member(id) {
            let help = "use lower-case letters, digits and `_`: conditions read it as `self.name`";
            Some((at.clone(), format!("`{id}` is not a valid name for a counter"), help.to_owned()))
        } else if checker.is_taken(attributes, id) {
            Some((at.clone(), format!("every unit already has `{id}`"), "give the counter another name".to_owned()))
        } else {
            None
        };
        sound.push(fault.is_none());
        if let Some((at, message, help)) = fault {
            checker.fault(&at, message, Some(&help));
        }
    }
    sound
}

pub(super) fn counters(checker: &mut Checker<'_>, wire: &Pack<'_>, morale: &[MoraleState]) -> Vec<Counter> {
    let mut counters = Vec::new();
    for (index, (id, counter)) in (0..).zip(wire.counter.iter()) {
        let at = at!["counter", id];
        if counter.min > counter.max {
            let message = format!("a counter from {} to {} has no value", counter.min, counter.max);
            checker.fault(&at.join("max"), message, Some("`max` must not be less than `min`"));
        }
        if let Some(start) = counter.start {
            within(checker, &at.join("start"), id, counter, start);
        }
        let mut beyond = |key: &str, beyond: Option<&BeyondWire>| match beyond? {
            BeyondWire::Stop(_) => Some(Beyond { effect: None }),
            BeyondWire::Suffer(effect) => {
                Some(Beyond { effect: Some(plain_effect(checker, &at.join(key), effect, morale)) })
            }
        };
        let (below, above) = (beyond("below", counter.below.as_ref()), beyond("above", counter.above.as_ref()));
        let mut made = Counter {
            id: id.clone(),
            title: counter.title.clone().unwrap_or_else(|| id.replace('_', " ")),
            min: counter.min,
            max: counter.max,
            when: checker.condition(&at.join("when"), counter.when.as_ref()),
            shared: counter.shared,
            below,
            above,
            changes: Vec::new(),
            effects: Vec::new(),
            source: checker.source(&at, &counter.cite, counter.note.as_ref()),
        };
        for row in &counter.change {
            let changed = change(checker, wire, &made, index, row);
            made.changes.extend(changed);
        }
        for row in &counter.effect {
            let at = at.join("effect").join(row.id.as_str());
            let when = checker.expr(&at.join("when"), &row.when, Kind::Bool).or_else(|| checker.never());
            made.effects.push(CountEffect {
                id: row.id.clone(),
                title: row.title.clone(),
                when: when.map(|when| Lookup::sum(&[Row { when: Some(&when), add: 1 }])),
                effect: plain_effect(checker, &at.join("own"), &row.own, morale),
                source: checker.source(&at, &row.cite, row.note.as_ref()),
            });
        }
        counters.push(made);
    }
    counters
}

/// The starting values of a unit type's counters.
pub(super) fn of_kind(checker: &mut Checker<'_>, wire: &Pack<'_>, id: &str, unit: &UnitWire) -> Counters {
    let mut counters = Counters::default();
    for (index, counter) in (0..).zip(wire.counter.values()) {
        counters.set(index, counter.start.unwrap_or(counter.min));
    }
    for (name, &value) in &unit.counters {
        let at = at!["unit", id, "counters", name];
        if let Some(index) = checker.counter(&at, name) {
            within(checker, &at, name, &wire.counter[name], value);
            counters.set(index, value.clamp(-COUNT_MAX, COUNT_MAX));
        }
    }
    counters
}

/// Reports a value outside a counter's range. An empty range is reported once.
fn within(checker: &mut Checker<'_>, at: &Path, id: &str, counter: &CounterWire, value: i32) {
    if counter.min > counter.max {
        return;
    }
    if value < counter.min || value > counter.max {
        let help = format!("from {} to {}", counter.min, counter.max);
        checker.fault(at, format!("`{id}` cannot be {value}"), Some(&help));
    }
}

fn change(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    counter: &Counter,
    index: u8,
    row: &CountChangeWire,
) -> Option<CountChange> {
    let at = at!["counter", counter.id, "change", row.id];
    let moment = match (row.on, &row.phase) {
        (CountOn::TurnBegins, None) => Some(Moment::TurnBegins),
        (CountOn::TurnEnds, None) => Some(Moment::TurnEnds),
        (CountOn::Phase, Some(phase)) => {
            let phases = wire.phase.iter().map(|phase| phase.id.as_str());
            let found = checker.find(&at.join("phase"), "phase", phase, phases);
            found.map(|found| Moment::Phase(found, whose(&wire.phase[usize::from(found)])))
        }
        (CountOn::Phase, None) => {
            checker.fault(&at, "`on = \"phase\"` needs `phase`", Some("add the name of the phase"));
            None
        }
        (_, Some(_)) => {
            checker.fault(&at.join("phase"), "`phase` is allowed only with `on = \"phase\"`", None);
            None
        }
    };
    let when = checker.condition(&at.join("when"), row.when.as_ref());
    let to = match (&row.add, row.set) {
        (Some(add), None) => checker.amount(&at.join("add"), add).map(NewCount::Add),
        (None, Some(set)) => {
            within(checker, &at.join("set"), &counter.id, &wire.counter[&counter.id], set);
            Some(NewCount::Set(set))
        }
        _ => {
            checker.fault(&at, "a row must either add to its counter or set it", Some("give `add` or `set`"));
            None
        }
    };
    let source = checker.source(&at, &row.cite, row.note.as_ref());
    if let Some(NewCount::Add(add)) = &to {
        let (low, high) = reach(checker, counter, index, when.as_ref(), add);
        refuse_beyond(checker, &at.join("add"), counter, low, high);
    }
    Some(CountChange { id: row.id.clone(), at: moment?, when, to: to?, source })
}

fn whose(phase: &PhaseWire) -> Whose {
    // Both sides have fought the combats that it resolves.
    if phase.mechanism == MechanismName::Resolve { Whose::Both } else { phase.by }
}

/// Reports a counter that can reach `low` or `high` without a rule for that.
fn refuse_beyond(checker: &mut Checker<'_>, at: &Path, counter: &Counter, low: i32, high: i32) {
    let (id, min, max) = (&counter.id, counter.min, counter.max);
    if min > max {
        return;
    }
    let mut refuse = |what: String, key: &str| {
        let help = format!(
            "define what happens then in `counter.{id}`, with `{key} = \"stop\"` or an effect on the unit; or limit it with a condition"
        );
        checker.fault(at, what, Some(&help));
    };
    if low < min && counter.below.is_none() {
        refuse(format!("`{id}` can fall to {low} here, but its minimum is {min}"), "below");
    }
    if high > max && counter.above.is_none() {
        refuse(format!("`{id}` can rise to {high} here, but its maximum is {max}"), "above");
    }
}

/// One value of one counter, for conditions that read only this counter.
struct OneCount<'a> {
    fields: &'a [Field],
    counter: u8,
    value: i32,
}

impl OneCount<'_> {
    fn knows(&self, var: Var) -> bool {
        let own = Field { subject: Subject::Own, fact: Fact::Counter(self.counter) };
        self.fields.get(var.index()) == Some(&own)
    }
}

impl Situation for OneCount<'_> {
    fn value(&self, var: Var) -> i32 {
        if self.knows(var) { self.value } else { 0 }
    }
}

/// The lowest and highest value that a row can give a counter whose current value meets the row's condition.
fn reach(checker: &Checker<'_>, counter: &Counter, index: u8, when: Option<&Lookup>, add: &Lookup) -> (i32, i32) {
    let fields = checker.fields();
    let (mut low, mut high) = (counter.max, counter.min);
    for value in counter.min..=counter.max {
        let about = OneCount { fields: &fields, counter: index, value };
        let knows = |var: Var| about.knows(var);
        if when.is_some_and(|when| when.decided(&about, knows) == Some(0)) {
            continue;
        }
        let (less, more) = add.decided(&about, knows).map_or_else(|| add.range(), |add| (add, add));
        low = low.min(value.saturating_add(less));
        high = high.max(value.saturating_add(more));
    }
    (low, high)
}

/// Reports effects of rolls and reactions that can take a counter beyond its range without a rule for that.
pub(super) fn check_effects(
    checker: &mut Checker<'_>,
    counters: &[Counter],
    rolls: &[Arc<Roll>],
    reactions: &[Reaction],
) {
    if counters.is_empty() {
        return;
    }
    for roll in rolls {
        for (row, result) in (0..).zip(&roll.results) {
            let outcomes = || roll.outcomes.iter().filter(move |outcome| outcome.row == row);
            for (whose, of) in [
                ("own", outcomes().map(|outcome| outcome.own).collect::<Vec<_>>()),
                ("foe", outcomes().map(|outcome| outcome.foe).collect()),
            ] {
                check(checker, &at!["roll", roll.id, "result", result.id, whose], counters, &of);
            }
        }
    }
    for reaction in reactions {
        check(checker, &at!["reaction", reaction.id, "own"], counters, &[reaction.own]);
        check(checker, &at!["reaction", reaction.id, "foe"], counters, &[reaction.foe]);
    }
    for counter in counters {
        for row in &counter.effects {
            check(checker, &at!["counter", counter.id, "effect", row.id, "own"], counters, &[row.effect]);
        }
        for (key, beyond) in [("below", &counter.below), ("above", &counter.above)] {
            if let Some(effect) = beyond.as_ref().and_then(|beyond| beyond.effect) {
                check(checker, &at!["counter", counter.id, key], counters, &[effect]);
            }
        }
    }
}

/// Reports effects in one place that can take a counter beyond its range.
fn check(checker: &mut Checker<'_>, at: &Path, counters: &[Counter], effects: &[Effect]) {
    for (index, counter) in counters.iter().enumerate() {
        let changing = || effects.iter().map(|effect| effect.counts).filter(|counts| counts.changed >> index & 1 == 1);
        let by = |set: bool| {
            changing()
                .filter(move |counts| (counts.set >> index & 1 == 1) == set)
                .map(|counts| i32::from(counts.by[index]))
        };
        let range = counter.min..=counter.max;
        for value in by(true).filter(|value| !range.is_empty() && !range.contains(value)).take(1) {
            let help = format!("from {} to {}", counter.min, counter.max);
            let at = at.join("set").join(counter.id.as_str());
            checker.fault(&at, format!("`{}` cannot be {value}", counter.id), Some(&help));
        }
        let least = by(false).min().map_or(counter.min, |least| counter.min + least);
        let most = by(false).max().map_or(counter.max, |most| counter.max + most);
        refuse_beyond(checker, &at.join("add").join(counter.id.as_str()), counter, least, most);
    }
}
