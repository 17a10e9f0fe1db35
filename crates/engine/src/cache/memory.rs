//! The memory of the battles of one cell, so that sequences common to many battles are computed once.
//!
//! [`step`](crate::step) is a pure function of the state and of the outcomes of the dice. For every state from which a
//! battle has continued, a [`Memory`] keeps the decisions and the successor of each outcome. A battle on a known path
//! then costs only its dice: one word and one table lookup per decision. A battle that leaves the known paths continues
//! from the last known state through the same steps, and the new states are added. Outcomes are identical to those of
//! [`fight`](crate::fight), bit for bit; only the time differs. Battles of few units reach the same states again and
//! again. In other battles, the memory would fill up with states that are reached only once. So once part of it is
//! full, a battle adds only the first step beyond the known paths: paths are remembered only as far as many battles
//! follow them (the expansion of Monte Carlo tree search: Coulom, "Efficient selectivity and backup operators in
//! Monte-Carlo tree search", 2006). Later steps are played without being remembered.

use std::cell::RefCell;
use std::collections::BTreeMap;

use grognard_dice::{Address, Decision, Dice, SeededDice, Shown};

use crate::cache::states::{Layer, States};
use crate::state::{Battle, Outcome, Setup};
use crate::step::fight::{Steps, play_step};
use crate::telling::event::Unwitnessed;
use crate::telling::luck::{Account, Fallen, Ledger, Value};

/// No child yet. The first node is the start of all battles and never a child.
const UNKNOWN: u32 = 0;

/// Approximate overhead of a map entry, in bytes.
const ENTRY: usize = 64;

/// A possible state of a battle between two decisions.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// A state from which no battle has continued yet: an index into [`Memory::places`].
    Fresh(u32),
    /// A decision.
    Decide {
        at: Address,
        /// The position and number of its thresholds in [`Memory::below`], and the number of its favour.
        thresholds: u16,
        below: u32,
        /// The first of its outcomes' successors in [`Memory::children`].
        children: u32,
        /// The last state before it.
        place: u32,
    },
    /// The end of the battle: an index into [`Memory::outcomes`].
    Over(u32),
}

/// The result of playing beyond the known paths.
enum Found {
    Node(u32),
    /// The end of the known part.
    Over(Outcome),
}

/// A decision that was taken.
struct Taken {
    at: Address,
    /// Its thresholds, and the number of its favour.
    below: Box<[u32]>,
    outcome: usize,
}

/// Dice that record their decisions.
struct Recorded<'a> {
    dice: &'a mut SeededDice,
    /// Shared with the memory, which checks after each step whether a decision was made.
    taken: &'a RefCell<Vec<Taken>>,
}

impl Dice for Recorded<'_> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let outcome = self.dice.decide(at, decision);
        let below = decision.odds().below.iter().copied().chain([decision.favour() as u32]).collect();
        self.taken.borrow_mut().push(Taken { at, below, outcome });
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

/// Dice whose luck is recorded.
struct Told<'a, L> {
    dice: &'a mut SeededDice,
    ledger: &'a mut L,
}

impl<L: Ledger> Dice for Told<'_, L> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let outcome = self.dice.decide(at, decision);
        self.ledger.decided(at, decision, outcome);
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

/// The memory of the battles of one pair of rules and setup.
#[derive(Debug)]
pub struct Memory {
    nodes: Vec<Node>,
    children: Vec<u32>,
    outcomes: Vec<Outcome>,
    below: Vec<u32>,
    /// The start of each list of thresholds in `below`.
    shelves: BTreeMap<Box<[u32]>, u32>,
    /// The parts of states, most of which are shared by many states.
    states: States,
    /// Each place, with its node.
    places: Layer<u32>,
    /// The number of bytes still available.
    room: usize,
    /// While more than these bytes are free, everything is remembered.
    scarce: usize,
    /// The battle being continued, and the key of the state it reaches.
    battle: Battle,
    key: Vec<u32>,
}

impl Memory {
    /// An empty memory for battles with this start, limited to about this many bytes, and never more than 4 GiB.
    #[must_use]
    pub fn new(setup: &Setup, bytes: usize) -> Self {
        // Every indexed item has at least one byte, so all indices stay below 2^32.
        let bytes = bytes.min(u32::MAX as usize);
        let states = States::of(&setup.start);
        let mut memory = Self {
            nodes: Vec::new(),
            children: Vec::new(),
            outcomes: Vec::new(),
            below: Vec::new(),
            shelves: BTreeMap::new(),
            places: Layer::new(states.width()),
            states,
            room: bytes,
            scarce: bytes - bytes / 4,
            battle: setup.start.clone(),
            key: Vec::new(),
        };
        memory.arrive();
        memory
    }

    /// Fights a battle: the outcome that [`fight`](crate::fight) gives with the same dice.
    ///
    /// All battles of one memory must use the same rules and setup.
    pub fn fight(&mut self, steps: &mut Steps<'_>, dice: &mut SeededDice) -> Outcome {
        self.fight_with(steps, dice, &mut ())
    }

    /// The same, with the luck of the dice and its worth, as [`crate::telling::luck::Lucky`] dice measure them.
    pub fn fight_with_luck(
        &mut self,
        steps: &mut Steps<'_>,
        dice: &mut SeededDice,
        value: &Value,
    ) -> (Outcome, Fallen) {
        let mut account = Account::new(value);
        let outcome = self.fight_with(steps, dice, &mut account);
        (outcome, account.now)
    }

    #[inline]
    fn fight_with<L: Ledger>(&mut self, steps: &mut Steps<'_>, dice: &mut SeededDice, ledger: &mut L) -> Outcome {
        let mut node = 0;
        let mut found = false;
        loop {
            let place = match self.nodes[node as usize] {
                Node::Over(outcome) => return self.outcomes[outcome as usize],
                Node::Fresh(place) => place,
                Node::Decide { at, thresholds, below, children, place } => {
                    let with_favour = &self.below[below as usize..][..=usize::from(thresholds)];
                    let outcome = dice.pick(at, &with_favour[..usize::from(thresholds)]);
                    ledger.arrive(place);
                    ledger.enter(at, with_favour, outcome);
                    let next = self.children[children as usize + outcome];
                    if next != UNKNOWN {
                        node = next;
                        continue;
                    }
                    place
                }
            };
            let full = self.room == 0 || (found && self.room <= self.scarce);
            match self.play_on(steps, dice, place, full, ledger) {
                Found::Node(next) => (node, found) = (next, true),
                Found::Over(outcome) => return outcome,
            }
        }
    }

    /// Continues from a state to the end of the first step that uses the dice, and remembers the path. If there is no
    /// room to remember it, plays to the end of the battle.
    fn play_on<L: Ledger>(
        &mut self,
        steps: &mut Steps<'_>,
        dice: &mut SeededDice,
        place: u32,
        full: bool,
        ledger: &mut L,
    ) -> Found {
        self.states.put_together(self.places.key(place as usize), &mut self.battle);
        // The decisions made since that position are made again.
        ledger.arrive(place);
        ledger.go_back();
        if full {
            let mut told = Told { dice, ledger };
            return Found::Over(steps.play_on(&mut self.battle, &mut told, &mut Unwitnessed));
        }
        // The key of the previous state is a good start: the new state is similar.
        self.key.clear();
        self.key.extend_from_slice(self.places.key(place as usize));
        let taken = RefCell::new(Vec::new());
        let (mut recorded, mut witness) = (Recorded { dice, taken: &taken }, Unwitnessed);
        let mut ctx = steps.context(&mut self.battle, &mut recorded, &mut witness);
        let outcome = loop {
            let outcome = play_step(&mut ctx);
            if outcome.is_some() || !taken.borrow().is_empty() {
                break outcome;
            }
        };
        drop(ctx);
        let taken = taken.into_inner();
        for taken in &taken {
            ledger.enter(taken.at, &taken.below, taken.outcome);
        }
        Found::Node(self.remember(place, &taken, outcome))
    }

    /// Adds the path from a state through these decisions to the current state. Returns its node.
    fn remember(&mut self, place: u32, taken: &[Taken], outcome: Option<Outcome>) -> u32 {
        let mut node = self.places.weights()[place as usize];
        let Some((last, before)) = taken.split_last() else {
            // Without a decision, the path can only lead to the end of the battle.
            if let Some(outcome) = outcome {
                self.nodes[node as usize] = self.end(outcome);
            }
            return node;
        };
        for taken in before {
            let child = self.child(node, taken, place);
            if self.children[child] == UNKNOWN {
                self.children[child] = self.add(Node::Fresh(place));
            }
            node = self.children[child];
        }
        let child = self.child(node, last, place);
        if self.children[child] == UNKNOWN {
            self.children[child] = match outcome {
                Some(outcome) => {
                    let end = self.end(outcome);
                    self.add(end)
                }
                None => self.arrive(),
            };
        }
        self.children[child]
    }

    /// The index in [`Memory::children`] of a decision's successor at this node.
    fn child(&mut self, node: u32, taken: &Taken, place: u32) -> usize {
        if let Node::Decide { children, .. } = self.nodes[node as usize] {
            return children as usize + taken.outcome;
        }
        let children = self.children.len();
        // One threshold fewer than outcomes, and the favour.
        let outcomes = taken.below.len();
        self.children.resize(children + outcomes, UNKNOWN);
        self.fill(outcomes * size_of::<u32>());
        let below = self.shelve(&taken.below);
        let thresholds = taken.below.len() as u16 - 1;
        self.nodes[node as usize] = Node::Decide { at: taken.at, thresholds, below, children: children as u32, place };
        children + taken.outcome
    }

    /// The position of these thresholds and this favour in [`Memory::below`].
    fn shelve(&mut self, thresholds: &[u32]) -> u32 {
        if let Some(&below) = self.shelves.get(thresholds) {
            return below;
        }
        let below = self.below.len() as u32;
        self.below.extend(thresholds);
        self.shelves.insert(thresholds.into(), below);
        self.fill(2 * size_of_val(thresholds) + ENTRY);
        below
    }

    /// The node of the battle's current state.
    fn arrive(&mut self) -> u32 {
        let filled = self.states.filled();
        if self.states.take_apart(&self.battle, &mut self.key).is_err() {
            unreachable!("there are fewer units than bytes to be filled");
        }
        let (places, node) = (self.places.len(), self.nodes.len() as u32);
        let place = self.places.slot(&self.key, || node);
        if place < places {
            return self.places.weights()[place];
        }
        // Memory for its key, its node, and the place that links them.
        let numbers = self.key.len() + 3;
        self.fill(self.states.filled() - filled + numbers * size_of::<u32>());
        self.add(Node::Fresh(place as u32))
    }

    fn end(&mut self, outcome: Outcome) -> Node {
        self.fill(size_of::<Outcome>());
        self.outcomes.push(outcome);
        Node::Over(self.outcomes.len() as u32 - 1)
    }

    fn add(&mut self, node: Node) -> u32 {
        self.fill(size_of::<Node>());
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn fill(&mut self, bytes: usize) {
        self.room = self.room.saturating_sub(bytes);
    }
}
