//! The memory of the battles of one cell, so that sequences common to many battles are computed once.
//!
//! [`step`](crate::step) is a pure function of the state and of the outcomes of the dice. For every state from which a
//! battle has continued, a [`Memory`] keeps the decisions and the successor of each outcome. A battle on a known path
//! then costs only its dice: one word and one table lookup per decision, which many battles take side by side. A battle
//! that leaves the known paths continues from the last known state through the same steps, and the new states are
//! added. Outcomes are identical to those of [`fight`](crate::fight), bit for bit; only the time differs. Battles
//! between few units reach the same states again and again. In larger battles, the memory would fill up with states
//! that are reached only once. So once most of it is full, a battle adds only the first step beyond the known paths:
//! paths are remembered only as far as many battles follow them (the expansion of Monte Carlo tree search: Coulom,
//! "Efficient selectivity and backup operators in Monte-Carlo tree search", 2006). Later steps are played without being
//! remembered.
//!
//! States that are equal except for the turn are remembered as one, because their next step has the same results unless
//! it reads the turn. Each lane knows its own turn, from which it has the position of its words. A step that turns out
//! to read the turn is remembered separately for each turn, and so is everything in the last turn and after a unit has
//! broken. If many steps read the turn, as in packs whose doctrines do, all states are remembered by turn.

mod bout;
mod recorded;

use std::cell::RefCell;

use grognard_dice::SeededDice;

use self::bout::Found;
use self::recorded::{Accounted, Record, Recorded};
use crate::cache::graph::{BYTES_MAX, Graph, Kind, Link, TURN};
use crate::cache::outcomes::Outcomes;
use crate::cache::states::{Layer, States};
use crate::state::{Battle, Outcome, Setup};
use crate::step::fight::{Steps, play_step};
use crate::telling::event::Unwitnessed;
use crate::telling::luck::{Account, Fallen, Ledger, Value};

/// If battles that leave the known paths add at most this many paths on average, they soon return, and whole paths are
/// worth remembering. In larger battles, they add dozens.
const RETURNS: usize = 12;

/// The turn of states that stand for equal states of all turns.
const ANY: u8 = 0;

/// The number of an outcome that is not known yet.
const UNKNOWN_OUTCOME: u32 = u32::MAX;

/// Steps that were played.
#[derive(Debug, Default)]
struct Passed {
    /// Their number, if nothing was known to follow the first state.
    steps: u32,
    /// Whether any step before the last one depends on the turn.
    dated_before: bool,
    /// Whether the last step depends on the turn.
    dated: bool,
    /// The outcome, if the battle is over.
    outcome: Option<Outcome>,
}

/// The memory of the battles of one pair of rules and setup.
#[derive(Debug)]
pub struct Memory {
    graph: Graph,
    /// The parts of states; most parts are shared by many states.
    states: States,
    /// All places, each with a link to what is known to follow; if nothing is known, to the place itself. States that
    /// are equal except for the turn share a place, in turn [`ANY`], unless their next step may depend on the turn.
    places: Layer<Link>,
    /// Whether every step is treated as depending on the turn.
    dated: bool,
    /// The number of places of any turn whose next step depends on the turn.
    dated_places: usize,
    /// The first turn, and the last one.
    first: u8,
    last: u8,
    /// For the outcomes of [`Kind::OverNow`], their numbers in each turn, by outcome and turn.
    overs: Vec<u32>,
    /// The limit in bytes, and the number that are still available.
    bytes: usize,
    room: usize,
    /// The number of battles that left the known paths while most of the memory was free, and the number of paths that
    /// they added.
    leaving: usize,
    added: usize,
    /// The battle being continued, its state before the last step, and the key of a state.
    battle: Battle,
    before: Battle,
    key: Vec<u32>,
    /// The decisions of the step being played.
    record: RefCell<Record>,
}

impl Memory {
    /// An empty memory for battles with this start, limited to about this many bytes, and never more than 1 GiB.
    #[must_use]
    pub fn new(setup: &Setup, bytes: usize) -> Self {
        Self::of(setup, bytes, false)
    }

    /// An empty memory. `dated` says whether every step is treated as depending on the turn.
    fn of(setup: &Setup, bytes: usize, dated: bool) -> Self {
        // Every numbered item has at least four bytes.
        let bytes = bytes.min(BYTES_MAX);
        let states = States::of(&setup.start);
        Self {
            graph: Graph::new(dated),
            places: Layer::new(states.width()),
            dated,
            dated_places: 0,
            first: setup.start.turn,
            last: setup.turns,
            overs: Vec::new(),
            states,
            bytes,
            room: bytes,
            leaving: 0,
            added: 0,
            battle: setup.start.clone(),
            before: setup.start.clone(),
            key: Vec::new(),
            record: RefCell::default(),
        }
    }

    /// Fights the battles with these indices. The outcomes are those of [`fight`](crate::fight) with the dice of each
    /// battle.
    ///
    /// All battles of one memory must use the same rules and setup. Their order does not matter.
    pub fn fight(&mut self, steps: &mut Steps<'_>, dice: &mut SeededDice, battles: &[u64]) -> Outcomes {
        self.fight_with(steps, dice, battles, || (), |_, ()| ())
    }

    /// Like [`Memory::fight`], but also returns the luck of the dice and its worth, as measured by
    /// [`crate::telling::luck::Lucky`] dice.
    pub fn fight_with_luck(
        &mut self,
        steps: &mut Steps<'_>,
        dice: &mut SeededDice,
        battles: &[u64],
        value: &Value,
    ) -> (Outcomes, Vec<Fallen>) {
        let mut fallen = vec![Fallen::default(); battles.len()];
        let outcomes =
            self.fight_with(steps, dice, battles, || Account::new(value), |index, account| fallen[index] = account.now);
        (outcomes, fallen)
    }

    /// Continues from a state to the end of the first step that uses the dice or ends the turn, and remembers the path.
    /// If there is no room to remember it, plays to the end of the battle.
    fn play_on<L: Ledger>(
        &mut self,
        steps: &mut Steps<'_>,
        dice: &mut SeededDice,
        (place, turn): (u32, u8),
        full: bool,
        ledger: &mut L,
    ) -> Found {
        self.states.put_together(self.places.key(place as usize), &mut self.battle);
        if !self.dated {
            self.battle.turn = turn;
        }
        // The decisions made since that position are repeated.
        ledger.arrive(place, turn);
        ledger.go_back();
        if full {
            let mut accounted = Accounted { dice, ledger };
            return Found::Over(steps.play_on(&mut self.battle, &mut accounted, &mut Unwitnessed));
        }
        // The key of the previous state is a good start: the new state is similar.
        self.key.clear();
        self.key.extend_from_slice(self.places.key(place as usize));
        self.record.get_mut().clear();
        let passed = self.play_steps(steps, dice, (place, turn));
        let record = std::mem::take(self.record.get_mut());
        if L::KEEPS {
            record.iter().for_each(|taken| ledger.enter(taken.at, taken.favour, taken.below, taken.outcome));
        }
        let place = if passed.steps > 1 && !record.taken.is_empty() {
            self.pass(place, turn, passed.dated_before)
        } else {
            self.in_turn_if(passed.dated_before, place, turn)
        };
        // Units record the turn in which they break.
        let dated = passed.dated || passed.outcome.is_none() && self.battle.anybody_broke();
        let place = self.in_turn_if(dated, place, turn);
        let link = self.remember((place, turn), &record, passed.outcome.as_ref());
        *self.record.get_mut() = record;
        Found::Link(link)
    }

    /// Plays steps from the current state, that of this place, to the end of the first one that uses the dice or ends
    /// the turn.
    fn play_steps(&mut self, steps: &mut Steps<'_>, dice: &mut SeededDice, (place, turn): (u32, u8)) -> Passed {
        let fresh = self.is_fresh(place);
        let (mut recorded, mut witness) = (Recorded { dice, record: &self.record }, Unwitnessed);
        let mut ctx = steps.context(&mut self.battle, &mut recorded, &mut witness);
        let mut passed = Passed::default();
        loop {
            if fresh {
                self.before.copy_from(&ctx.battle);
            }
            passed.outcome = play_step(&mut ctx);
            passed.dated = ctx.scratch.dated.get();
            passed.steps += u32::from(fresh);
            let used = !self.record.borrow().taken.is_empty();
            if passed.outcome.is_some() || used || !self.dated && ctx.battle.turn > turn {
                return passed;
            }
            passed.dated_before |= passed.dated;
        }
    }

    /// Remembers that a state always leads to the state before the last step. Returns the place of that state.
    fn pass(&mut self, place: u32, turn: u8, dated: bool) -> u32 {
        // Units record the turn in which they break.
        let place = self.in_turn_if(dated || self.before.anybody_broke(), place, turn);
        std::mem::swap(&mut self.battle, &mut self.before);
        let next = self.arrive();
        std::mem::swap(&mut self.battle, &mut self.before);
        self.places.weights_mut()[place as usize] = Link::to(Kind::Place(next));
        next
    }

    /// The place of a state, or its place in this turn if the state stands for equal states of all turns and its next
    /// step depends on the turn: because `dated` says so, or because that is known.
    fn in_turn_if(&mut self, dated: bool, place: u32, turn: u8) -> u32 {
        if self.is_of_any_turn(place) && (dated || self.is_dated(place)) { self.in_turn(place, turn) } else { place }
    }

    /// Whether nothing is known to follow a state.
    fn is_fresh(&self, place: u32) -> bool {
        self.link_of(place) == Link::to(Kind::Place(place))
    }

    /// The link to what is known to follow a state.
    fn link_of(&self, place: u32) -> Link {
        self.places.weights()[place as usize]
    }

    /// Whether the state stands for equal states of all turns.
    fn is_of_any_turn(&self, place: u32) -> bool {
        self.states.turn(self.places.key(place as usize)) == ANY
    }

    /// Whether the next step from a state of any turn is known to depend on the turn.
    fn is_dated(&self, place: u32) -> bool {
        matches!(self.link_of(place).kind(), Kind::Dated(_))
    }

    /// The place in this turn of a state of any turn whose next step depends on the turn.
    fn in_turn(&mut self, place: u32, turn: u8) -> u32 {
        let turns = match self.link_of(place).kind() {
            Kind::Dated(turns) => turns,
            was => {
                if let Kind::Decision(number) = was {
                    self.graph.replace(number);
                }
                self.dated_places += 1;
                let turns = self.graph.add_turns(place, usize::from(self.last) + 1);
                self.places.weights_mut()[place as usize] = Link::to(Kind::Dated(turns));
                turns
            }
        };
        self.key.clear();
        self.key.extend_from_slice(self.places.key(place as usize));
        let filled = self.states.filled();
        if self.states.move_to_turn(&mut self.key, turn).is_err() {
            unreachable!("there are fewer frames than bytes to be filled");
        }
        let place = self.place(filled);
        self.graph.connect(Graph::in_turn(turns, turn.into()), self.link_of(place));
        place
    }

    /// Adds the path from a state through these decisions to the current state. Returns the link at its end.
    fn remember(&mut self, (place, turn): (u32, u8), record: &Record, outcome: Option<&Outcome>) -> Link {
        let (mut at, mut link) = (None, self.link_of(place));
        for taken in record.iter() {
            debug_assert!(self.dated || taken.at.turn == turn, "a step belongs to one turn");
            let number = if let Kind::Decision(number) = link.kind() {
                number
            } else {
                let number = self.graph.ask(taken, place);
                self.connect(place, at, Link::to(Kind::Decision(number)));
                number
            };
            let next = self.graph.decision(number).link(taken.outcome);
            (at, link) = (Some(next), self.graph.linked(next));
        }
        if matches!(link.kind(), Kind::Unknown) || at.is_none() && self.is_fresh(place) {
            link = self.end((place, turn), outcome);
            self.connect(place, at, link);
        }
        if !self.dated
            && self.battle.turn > turn
            && let Kind::TurnEnds(turns) = link.kind()
        {
            let next = self.arrive();
            self.graph.connect(Graph::in_turn(turns, self.to_last(turn)), self.link_of(next));
        }
        let filled = self.graph.filled();
        self.fill(filled);
        link
    }

    /// Changes the link at this place of the graph or, without one, the link of a state.
    fn connect(&mut self, place: u32, at: Option<u32>, link: Link) {
        match at {
            Some(at) => self.graph.connect(at, link),
            None => self.places.weights_mut()[place as usize] = link,
        }
    }

    /// The end of a path from a state to the current one.
    fn end(&mut self, (place, turn): (u32, u8), outcome: Option<&Outcome>) -> Link {
        Link::to(match outcome {
            Some(outcome) if self.is_of_any_turn(place) => Kind::OverNow(self.graph.over(&outcome.in_turn(TURN))),
            Some(outcome) => Kind::Over(self.graph.over(outcome)),
            None if !self.dated && self.battle.turn > turn => Kind::TurnEnds(self.graph.add_turns(place, 2)),
            None => {
                let next = self.arrive();
                return self.link_of(next);
            }
        })
    }

    /// The link from the end of this turn to the next turn: 1 if that is the last turn, otherwise 0.
    fn to_last(&self, turn: u8) -> u32 {
        u32::from(turn + 1 >= self.last)
    }

    /// The place of the battle's current state.
    fn arrive(&mut self) -> u32 {
        let filled = self.states.filled();
        let turn = self.battle.turn;
        // The last turn ends in another way, and units record the turn in which they broke.
        let any = !self.dated && turn < self.last && !self.battle.anybody_broke();
        self.battle.turn = if any { ANY } else { turn };
        let taken_apart = self.states.take_apart(&self.battle, &mut self.key);
        self.battle.turn = turn;
        if taken_apart.is_err() {
            unreachable!("there are fewer units than bytes to be filled");
        }
        self.place(filled)
    }

    /// The place with the current key. `filled` are the bytes of all states before the key was made.
    fn place(&mut self, filled: usize) -> u32 {
        let places = self.places.len();
        let place = self.places.slot(&self.key, || Link::to(Kind::Place(places as u32)));
        if place == places {
            // Memory for its key, its link, and the number that leads to it.
            let numbers = self.key.len() + 3;
            self.fill(self.states.filled() - filled + numbers * size_of::<u32>());
        }
        place as u32
    }

    /// The number of the outcome with this number in [`TURN`] in another turn.
    fn over_in(&mut self, outcome: u32, turn: u8) -> u32 {
        let at = outcome as usize * (usize::from(self.last) + 1) + usize::from(turn);
        if self.overs.len() <= at {
            self.overs.resize(at + 1, UNKNOWN_OUTCOME);
        }
        if self.overs[at] == UNKNOWN_OUTCOME {
            let outcome = self.graph.outcomes().items()[outcome as usize].in_turn(turn);
            self.overs[at] = self.graph.over(&outcome);
        }
        self.overs[at]
    }

    /// Whether there is no room for what a battle adds. `found` says whether it has added something before.
    fn is_full(&self, found: bool) -> bool {
        let returns = self.added <= self.leaving * RETURNS;
        let scarce = if returns { self.bytes / 4 } else { self.ample() };
        self.room == 0 || found && self.room <= scarce
    }

    /// While more than these bytes are free, everything is remembered.
    fn ample(&self) -> usize {
        self.bytes - self.bytes / 4
    }

    /// Counts a path that is added by a battle. `found` says whether the battle has added something before.
    fn count_path(&mut self, found: bool) {
        if self.room > self.ample() {
            self.leaving += usize::from(!found);
            self.added += 1;
        }
    }

    fn fill(&mut self, bytes: usize) {
        self.room = self.room.saturating_sub(bytes);
    }
}
