//! A witness that records every event, and every clause that the events apply.

use std::collections::BTreeSet;

use grognard_engine::{Citing, Event, Refusal, RollEvent, Scene, Witness};
use grognard_rules::model::{Contestant, Rules};

use super::witnessed::witnessed;

/// All events of a battle, and the clauses that their rows cite.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    events: Vec<Event>,
    cited: BTreeSet<String>,
    /// The clauses cited by each event.
    by_events: Vec<BTreeSet<String>>,
    citing: Citing,
}

impl Recorder {
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Every clause number cited, `house` included.
    pub(crate) fn cited(&self) -> &BTreeSet<String> {
        &self.cited
    }

    /// The clauses that the first roll cites.
    pub(crate) fn cited_by_first_roll(&self) -> &BTreeSet<String> {
        self.cited_by(|event| matches!(event, Event::Rolled(_))).next().expect("something was rolled")
    }

    /// The clauses that the last roll cites.
    pub(crate) fn cited_by_last_roll(&self) -> &BTreeSet<String> {
        self.cited_by(|event| matches!(event, Event::Rolled(_))).next_back().expect("something was rolled")
    }

    /// The clauses that each of these events cites.
    pub(crate) fn cited_by(&self, of: impl Fn(&Event) -> bool) -> impl DoubleEndedIterator<Item = &BTreeSet<String>> {
        self.events.iter().zip(&self.by_events).filter(move |(event, _)| of(event)).map(|(_, cited)| cited)
    }

    pub(crate) fn rolls(&self) -> impl DoubleEndedIterator<Item = &RollEvent> {
        self.events.iter().filter_map(|event| match event {
            Event::Rolled(roll) => Some(&**roll),
            _ => None,
        })
    }

    pub(crate) fn refusals(&self) -> Vec<Refusal> {
        let why = |event: &Event| if let Event::Refused { why, .. } = event { Some(*why) } else { None };
        self.events.iter().filter_map(why).collect()
    }
}

impl Witness for Recorder {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        let mut own = BTreeSet::new();
        for clause in self.citing.clauses(scene, event) {
            own.insert(clause.to_owned());
            if self.cited.insert(clause.to_owned()) {
                witnessed(clause);
            }
        }
        self.by_events.push(own);
        self.events.push(event.clone());
    }
}

/// The modifiers that applied to one contestant's numbers, by their names in the pack.
pub(crate) fn modifiers_of<'r>(rules: &'r Rules, event: &RollEvent, whose: Contestant) -> Vec<&'r str> {
    let roll = &rules.rolls[event.roll];
    let mine = event.modifiers.iter().filter(|&&(input, _)| roll.inputs[input].by == whose);
    mine.map(|&(_, row)| roll.modifiers[row].id.as_str()).collect()
}
