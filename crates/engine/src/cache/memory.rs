//! The memory of the battles of one cell, so that courses that many of them share are computed once.
//!
//! [`step`](crate::step) is a pure function of the state and of what the dice decide. A [`Memory`] keeps, for every state from
//! which a battle was played on, the decisions that were asked for and where each outcome led. A battle that goes a known way
//! is then no more than its dice: one word and one look into a table for each decision. A battle that leaves the known ways is
//! played on from the last known state through the same steps, and what it finds is added. Outcomes are those of
//! [`fight`](crate::fight), to the bit; only the time differs. Battles of few units meet the same states again and again.
//! Where they do not, the memory would fill up with states that nobody meets twice: once a part of it is full a battle adds the
//! first step beyond the known ways and no more, so that ways are remembered as far as many battles go them (the expansion of
//! Monte Carlo tree search: Coulom, "Efficient selectivity and backup operators in Monte-Carlo tree search", 2006). What lies
//! beyond is played without being remembered.

use std::cell::RefCell;
use std::collections::BTreeMap;

use grognard_dice::{Address, Decision, Dice, Luck, SeededDice, Shown};

use crate::cache::states::{Layer, States};
use crate::state::{Battle, BySide, Outcome, Setup};
use crate::step::fight::{Steps, play_step};
use crate::telling::event::Unwitnessed;
use crate::telling::luck::{Account, Ledger};

/// No child yet. The first node is where battles begin, and nothing leads back there.
const UNKNOWN: u32 = 0;

/// Bytes that a map keeps for an entry beside what it points to, roughly.
const ENTRY: usize = 64;

/// Where a battle may stand between two decisions.
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
        /// Where its outcomes lead: from this one on in [`Memory::children`].
        children: u32,
        /// The last state before it.
        place: u32,
    },
    /// The end of the battle: an index into [`Memory::outcomes`].
    Over(u32),
}

/// What a battle that leaves the known ways finds.
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

/// Dice that write down what they decide.
struct Recorded<'a> {
    dice: &'a mut SeededDice,
    /// Shared with the memory, which looks after each step whether anything was decided.
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

/// Dice whose luck is written down as they fall.
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
    /// Where in `below` a list of thresholds begins.
    shelves: BTreeMap<Box<[u32]>, u32>,
    /// The parts of places, most of which are shared by many places.
    states: States,
    /// Each place, with its node.
    places: Layer<u32>,
    /// Bytes that may still be filled.
    room: usize,
    /// As long as more than these bytes may still be filled, everything is remembered.
    scarce: usize,
    /// The battle that is being played on, and the key of where it arrives.
    battle: Battle,
    key: Vec<u32>,
}

impl Memory {
    /// An empty memory for battles with this start, limited to about this many bytes, and never more than 4 GiB.
    #[must_use]
    pub fn new(setup: &Setup, bytes: usize) -> Self {
        // Every index is that of something of a byte at least: all of them stay below 2^32.
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
    /// Every battle of a memory must go by steps of the same rules and setup.
    pub fn fight(&mut self, steps: &mut Steps<'_>, dice: &mut SeededDice) -> Outcome {
        self.fight_with(steps, dice, &mut ())
    }

    /// The same, with the luck of each side's dice, as [`crate::telling::luck::Lucky`] dice measure it.
    pub fn fight_with_luck(&mut self, steps: &mut Steps<'_>, dice: &mut SeededDice) -> (Outcome, BySide<Luck>) {
        let mut account = Account::default();
        let outcome = self.fight_with(steps, dice, &mut account);
        (outcome, account.luck())
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

    /// Plays on from a place, to the end of the first step that asks the dice anything, and remembers the way there. To the
    /// end of the battle if there is no room to remember it.
    fn play_on<L: Ledger>(
        &mut self,
        steps: &mut Steps<'_>,
        dice: &mut SeededDice,
        place: u32,
        full: bool,
        ledger: &mut L,
    ) -> Found {
        self.states.put_together(self.places.key(place as usize), &mut self.battle);
        // The decisions since that place are taken once more.
        ledger.arrive(place);
        ledger.go_back();
        if full {
            let mut told = Told { dice, ledger };
            return Found::Over(steps.play_on(&mut self.battle, &mut told, &mut Unwitnessed));
        }
        // Where it will arrive is much like where it comes from.
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

    /// Adds the way from a place through these decisions to where the battle stands now; the node there.
    fn remember(&mut self, place: u32, taken: &[Taken], outcome: Option<Outcome>) -> u32 {
        let mut node = self.places.weights()[place as usize];
        let Some((last, before)) = taken.split_last() else {
            // Without a decision it can only be the end.
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

    /// Which of [`Memory::children`] a decision, taken at this node, leads to.
    fn child(&mut self, node: u32, taken: &Taken, place: u32) -> usize {
        if let Node::Decide { children, .. } = self.nodes[node as usize] {
            return children as usize + taken.outcome;
        }
        let children = self.children.len();
        // As many thresholds as there are outcomes but one, and the favour.
        let outcomes = taken.below.len();
        self.children.resize(children + outcomes, UNKNOWN);
        self.fill(outcomes * size_of::<u32>());
        let below = self.shelve(&taken.below);
        let thresholds = taken.below.len() as u16 - 1;
        self.nodes[node as usize] = Node::Decide { at: taken.at, thresholds, below, children: children as u32, place };
        children + taken.outcome
    }

    /// Where these thresholds and this favour lie in [`Memory::below`].
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

    /// The node of the state in which the battle stands now.
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
        // Its key, its node, and where both are found.
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
