//! Battles that are fought side by side from one memory.

use grognard_dice::SeededDice;

use super::Memory;
use crate::cache::graph::{Graph, Kind, Link, TURN};
use crate::cache::lanes::{LANES, Lane, Lanes, Stop};
use crate::cache::outcomes::{Outcomes, number};
use crate::cache::states::Interner;
use crate::state::Outcome;
use crate::step::fight::Steps;
use crate::telling::luck::Ledger;

/// If more than one place in this number has a next step that depends on the turn, places of any turn cost more than
/// they save.
const MOSTLY: usize = 8;

/// The result of playing beyond the known paths.
pub(super) enum Found {
    /// The link at the end of the new path.
    Link(Link),
    /// The end of the battle.
    Over(Outcome),
}

impl Memory {
    /// Like [`Memory::fight`], but with a ledger for each battle. When the battle is over, `close` receives its place
    /// and its ledger.
    pub(super) fn fight_with<L: Ledger>(
        &mut self,
        steps: &mut Steps<'_>,
        dice: &mut SeededDice,
        battles: &[u64],
        ledger: impl Fn() -> L,
        mut close: impl FnMut(usize, L),
    ) -> Outcomes {
        let dated = steps.are_dated() || self.dated_places > self.places.len() / MOSTLY;
        if dated && !self.dated {
            *self = Self::of(steps.setup(), self.bytes, dated);
        }
        if self.places.is_empty() {
            self.arrive();
        }
        let turn = if self.dated { TURN } else { self.first };
        let begin = |(index, &dice)| Lane { index, dice, found: false, ledger: ledger(), turn };
        let mut waiting = battles.iter().enumerate();
        let lanes = Lanes::new(waiting.by_ref().take(LANES).map(begin).collect());
        let mut stopped: Vec<Stop> = (0..lanes.lanes.len() as u16).map(Stop::at_start).collect();
        let mut bout =
            Bout { memory: self, steps, dice, lanes, ends: vec![0; battles.len()], beyond: Interner::default() };
        while !stopped.is_empty() || !bout.lanes.are_idle() {
            for mut stop in stopped.drain(..) {
                let lane = usize::from(stop.lane);
                while let Some(end) = bout.go_on(stop) {
                    let over = &mut bout.lanes.lanes[lane];
                    bout.ends[over.index] = end;
                    let Some(next) = waiting.next() else { break };
                    let over = std::mem::replace(over, begin(next));
                    close(over.index, over.ledger);
                    stop = Stop::at_start(stop.lane);
                }
            }
            bout.lanes.walk(&bout.memory.graph, bout.dice, &mut stopped);
        }
        let Bout { lanes, ends, beyond, .. } = bout;
        lanes.lanes.into_iter().for_each(|lane| close(lane.index, lane.ledger));
        self.outcomes(ends, beyond.items())
    }

    /// Puts together the outcomes of battles from these ends.
    fn outcomes(&self, mut ends: Vec<u32>, beyond: &[Outcome]) -> Outcomes {
        const NONE: u32 = u32::MAX;
        let known = self.graph.outcomes();
        let mut distinct = Vec::new();
        let mut add = |outcome: &Outcome| {
            distinct.push(*outcome);
            distinct.len() as u32 - 1
        };
        let mut numbers = vec![NONE; known.items().len()];
        // An outcome may have been remembered after a battle had ended with it beyond the known paths.
        let beyond: Vec<Result<u32, u32>> =
            beyond.iter().map(|outcome| known.known(outcome).map_or_else(|| Err(add(outcome)), Ok)).collect();
        for end in &mut ends {
            let number = match end.checked_sub(BEYOND).map(|number| beyond[number as usize]) {
                Some(Err(number)) => {
                    *end = number;
                    continue;
                }
                Some(Ok(known)) => known,
                None => *end,
            };
            let new = &mut numbers[number as usize];
            if *new == NONE {
                *new = add(&known.items()[number as usize]);
            }
            *end = *new;
        }
        Outcomes::new(distinct, ends)
    }
}

/// Battles being fought.
struct Bout<'b, 's, L> {
    memory: &'b mut Memory,
    steps: &'b mut Steps<'s>,
    dice: &'b mut SeededDice,
    lanes: Lanes<L>,
    /// How each battle ended: the number of its outcome in the memory or, from [`BEYOND`] on, in `beyond`.
    ends: Vec<u32>,
    /// Outcomes that were not remembered.
    beyond: Interner<Outcome>,
}

/// The first number used for outcomes that were not remembered.
const BEYOND: u32 = 1 << 31;

impl<L: Ledger> Bout<'_, '_, L> {
    /// Moves a lane on to its next decision. If the battle ends first, returns how it ended.
    fn go_on(&mut self, stop: Stop) -> Option<u32> {
        let memory = &mut *self.memory;
        let Lane { dice: battle, found, ledger, turn, .. } = &mut self.lanes.lanes[usize::from(stop.lane)];
        // The link to be followed, and its place in the graph, if it has one.
        let (mut at, mut link) = (Some(stop.link), memory.graph.linked(stop.link));
        loop {
            let place = match link.kind() {
                Kind::Decision(number) => {
                    let block = memory.graph.block(number);
                    if !block.is_gone() {
                        self.lanes.stand(stop.lane, number, block);
                        return None;
                    }
                    link = memory.link_of(memory.graph.place(number));
                    continue;
                }
                Kind::Over(outcome) => return Some(outcome),
                Kind::OverNow(outcome) => return Some(memory.over_in(outcome, *turn)),
                Kind::Place(place) if memory.is_fresh(place) => place,
                Kind::Place(place) => {
                    link = memory.link_of(place);
                    // Battles that come later need not look up the place.
                    if let Some(at) = at {
                        memory.graph.connect(at, link);
                    }
                    continue;
                }
                Kind::Unknown => memory.graph.place(stop.from),
                Kind::TurnEnds(turns) => {
                    let next = Graph::in_turn(turns, memory.to_last(*turn));
                    if memory.graph.linked(next).is_known() {
                        *turn += 1;
                        (at, link) = (Some(next), memory.graph.linked(next));
                        continue;
                    }
                    memory.graph.place_of_turns(turns)
                }
                Kind::Dated(turns) => {
                    let (place, next) = (memory.graph.place_of_turns(turns), Graph::in_turn(turns, (*turn).into()));
                    if !memory.graph.linked(next).is_known() && !memory.is_full(*found) {
                        memory.in_turn(place, *turn);
                    }
                    if memory.graph.linked(next).is_known() {
                        (at, link) = (Some(next), memory.graph.linked(next));
                        continue;
                    }
                    place
                }
            };
            self.dice.battle(*battle);
            let full = memory.is_full(*found);
            memory.count_path(*found);
            match memory.play_on(self.steps, self.dice, (place, *turn), full, ledger) {
                Found::Link(found) => (at, link) = (None, found),
                Found::Over(outcome) => return Some(BEYOND + number(&mut self.beyond, &outcome)),
            }
            *found = true;
        }
    }
}
