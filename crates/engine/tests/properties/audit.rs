//! A witness that keeps the state at each event, so that a test can compare the changes with what was reported.

use grognard_engine::{Battle, Event, Scene, Witness};

/// The events of a step, each with the state in which it was reported.
#[derive(Clone, Debug)]
pub(crate) struct Audit {
    /// The state at the beginning, then at each event, then at the end.
    states: Vec<Battle>,
    events: Vec<Event>,
}

/// The change between two consecutive states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'a> {
    /// The event reported before it; `None` for the first change of the step.
    pub(crate) told_before: Option<&'a Event>,
    /// The event reported after it; `None` if the step ended.
    pub(crate) told: Option<&'a Event>,
    pub(crate) from: &'a Battle,
    pub(crate) to: &'a Battle,
}

impl Audit {
    pub(crate) fn new(start: &Battle) -> Self {
        Self { states: vec![start.clone()], events: Vec::new() }
    }

    pub(crate) fn end(&mut self, battle: &Battle) {
        self.states.push(battle.clone());
    }

    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// The state in which an event was reported.
    pub(crate) fn at(&self, number: usize) -> &Battle {
        &self.states[number + 1]
    }

    /// Every change of the step in order.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Change<'_>> {
        self.states.windows(2).enumerate().map(|(index, pair)| Change {
            told_before: index.checked_sub(1).map(|before| &self.events[before]),
            told: self.events.get(index),
            from: &pair[0],
            to: &pair[1],
        })
    }
}

impl Witness for Audit {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        self.states.push(scene.battle.clone());
        self.events.push(event.clone());
    }
}
