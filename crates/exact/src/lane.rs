//! The successors of some states in a step: the work of one thread.

use std::ops::Range;

use grognard_dice::{EnumeratedDice, Probability};
use grognard_engine::states::{Finds, Full, Known, States};
use grognard_engine::{Battle, Gauges, Setup, Steps, Unwitnessed};
use grognard_rules::model::Rules;

use crate::float::Float;
use crate::solution::Ended;
use crate::ways::Front;

/// The number of paths that a lane plays at a time.
pub(crate) const TURN: usize = 1 << 10;
/// The maximum number of paths that a lane stores before they are taken over.
const STORED: usize = 1 << 14;

/// A state, or a part of its paths.
pub(crate) struct Part {
    /// Its slot.
    pub(crate) slot: usize,
    /// The number of paths in the batch, up to and including its last one.
    pub(crate) end: usize,
    /// Whether all its paths are in the batch, and an equal state of another turn has the same paths.
    pub(crate) lasts: bool,
}

/// The paths of some states, in order.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) parts: Vec<Part>,
    /// The floating-point probability of each path, with its number of roundings, and whether the battle is over at its
    /// end.
    pub(crate) paths: Vec<(Float, bool)>,
    /// The probability of each path, if it fits in 128 bits; empty if not requested.
    pub(crate) exact: Vec<Option<Probability>>,
    /// The keys of the states at the ends of unfinished paths, in sequence.
    pub(crate) keys: Vec<u32>,
    /// The outcomes of finished paths.
    pub(crate) outcomes: Vec<Ended>,
    /// The maximum error of any probability due to rounded odds of rolls.
    pub(crate) rounding: f64,
    /// The turn of the battles that continue, if their keys omit it.
    pub(crate) turn: Option<u8>,
    /// Memory of the known states when the last of these paths was played.
    pub(crate) known_bytes: u64,
    /// Whether there were more parts of states than can be numbered.
    pub(crate) full: bool,
}

impl Batch {
    /// Clears the batch.
    pub(crate) fn clear(&mut self) {
        // Destructured by name, so that no field is forgotten.
        let Self { parts, paths, exact, keys, outcomes, rounding, turn, known_bytes, full } = self;
        parts.clear();
        paths.clear();
        exact.clear();
        keys.clear();
        outcomes.clear();
        (*rounding, *turn, *known_bytes, *full) = (0.0, None, 0, false);
    }
}

/// States of a layer that are played in sequence.
pub(crate) struct Lane {
    /// The remaining states, by slot.
    slots: Range<usize>,
    /// The dice of the current state.
    dice: EnumeratedDice,
    finds: Finds,
    pub(crate) batch: Batch,
    /// Whether an equal state of another turn has the same paths as the current state, as far as they have been played.
    lasts: bool,
    /// The length of those keys in the batch whose parts already have numbers.
    adopted: usize,
}

/// The states of a layer to be played.
pub(crate) struct Played<'a, W> {
    pub(crate) open: &'a Front<W>,
    /// The turn of these states; `None` if their keys contain it.
    pub(crate) turn: Option<u8>,
    /// For each state, whether its paths are cached.
    pub(crate) known: &'a [bool],
    /// Whether whole-number probabilities are requested.
    pub(crate) exact: bool,
}

/// The data needed to play steps.
pub(crate) struct Hand<'a> {
    steps: Steps<'a>,
    battle: Battle,
    key: Vec<u32>,
    /// Whether `key` is up to date with `battle`.
    fits: bool,
    /// The metrics requested, if any.
    gauges: Option<Gauges<'a>>,
}

impl<'a> Hand<'a> {
    pub(crate) fn new(rules: &'a Rules, setup: &'a Setup, gauges: &[u8]) -> Self {
        let sides = setup.start.sides().len();
        let gauges = (!gauges.is_empty()).then(|| Gauges::new(rules, sides, gauges));
        let (battle, key) = (setup.start.clone(), Vec::new());
        Self { steps: Steps::new(rules, setup), battle, key, fits: false, gauges }
    }

    /// Whether no state has the same successors as a state of another turn.
    pub(crate) fn plays_dated_steps(&self) -> bool {
        self.steps.are_dated()
    }
}

impl Lane {
    pub(crate) fn of(slots: Range<usize>, batch: Batch) -> Self {
        Self { slots, dice: EnumeratedDice::new(), finds: Finds::default(), batch, lasts: true, adopted: 0 }
    }

    /// Whether all paths of all its states have been played.
    pub(crate) fn is_done(&self) -> bool {
        self.slots.is_empty()
    }

    /// Plays more paths, if there is room for them. States with cached paths are skipped.
    pub(crate) fn play<W>(&mut self, hand: &mut Hand<'_>, states: &States, now: &Played<'_, W>) {
        let Self { slots, dice, finds, batch, lasts, .. } = self;
        let until = batch.paths.len() + TURN;
        // The parts found last time now have their final numbers.
        hand.fits = false;
        while slots.start < slots.end && until <= STORED {
            let slot = slots.start;
            if now.known[slot] {
                batch.parts.push(Part { slot, end: batch.paths.len(), lasts: false });
                slots.start += 1;
                continue;
            }
            let from = now.open.key(slot);
            while dice.next_path() {
                if std::mem::take(&mut hand.fits) {
                    states.change(&hand.key, from, &mut hand.battle);
                } else {
                    states.put_together(from, &mut hand.battle);
                }
                if let Some(turn) = now.turn {
                    hand.battle.turn = turn;
                }
                *lasts &= !hand.battle.anybody_broke();
                let outcome = match &mut hand.gauges {
                    None => hand.steps.step(&mut hand.battle, dice, &mut Unwitnessed),
                    Some(gauges) => {
                        gauges.begin();
                        hand.steps.step(&mut hand.battle, dice, gauges)
                    }
                };
                // For each decision, a weight and its total are rounded, divided, and multiplied in.
                let chance = Float::new(dice.chance(), 4 * dice.outcomes().count() as u32);
                let rounding = dice.rounding();
                batch.paths.push((chance, outcome.is_some()));
                batch.rounding = batch.rounding.max(rounding);
                if now.exact {
                    batch.exact.push(dice.probability());
                }
                *lasts &= !hand.steps.was_dated() && rounding == 0.0;
                match outcome {
                    Some(outcome) => batch.outcomes.push(Ended::of(outcome, hand.gauges.as_ref())),
                    None => {
                        *lasts &= !hand.battle.anybody_broke();
                        if now.turn.is_some() {
                            batch.turn = Some(std::mem::take(&mut hand.battle.turn));
                        }
                        let apart = states.take_apart_beside(finds, &hand.battle, &mut hand.key, from);
                        hand.fits = apart.is_ok();
                        batch.full |= apart.is_err();
                        batch.keys.extend_from_slice(&hand.key);
                    }
                }
                if batch.paths.len() >= until {
                    // The other paths go into another batch.
                    *lasts = false;
                    batch.parts.push(Part { slot, end: batch.paths.len(), lasts: false });
                    return;
                }
            }
            let lasts = std::mem::replace(lasts, true) && now.turn.is_some();
            batch.parts.push(Part { slot, end: batch.paths.len(), lasts });
            slots.start += 1;
        }
    }

    /// Gives numbers to the parts of states found since the last time.
    pub(crate) fn adopt(&mut self, states: &mut States, known: Known) -> Result<(), Full> {
        states.adopt(&mut self.finds, known, &mut self.batch.keys[self.adopted..])?;
        self.adopted = self.batch.keys.len();
        self.batch.known_bytes = states.bytes();
        if self.batch.full { Err(Full) } else { Ok(()) }
    }

    /// Takes the paths played, and leaves room for more.
    pub(crate) fn take(&mut self, room: Batch) -> Batch {
        self.adopted = 0;
        std::mem::replace(&mut self.batch, room)
    }
}
