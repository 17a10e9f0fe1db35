//! Successors of all states met so far: a state of a later turn that is equal except for the turn leads to the same
//! states, and need not be played again.

use std::ops::Range;

use grognard_engine::states::Layer;

use crate::float::Float;

/// A successor of a state: a possible result of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// The number of the state, or of the outcome in the first turn in which this successor was found.
    pub(crate) to: To,
    /// Its probability, with the number of roundings.
    pub(crate) chance: Float,
}

/// The end of a path from a state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum To {
    /// A state.
    Open(u32),
    /// The end of the battle.
    Over(u32),
}

/// A successor in compact form: there may be tens of millions.
#[derive(Clone, Copy)]
struct Kept {
    value: f64,
    roundings: u32,
    /// The number of the state or the outcome, with [`OVER`] for an outcome.
    to: u32,
}

/// Marks a successor that is the end of the battle.
const OVER: u32 = 1 << 31;

impl Kept {
    /// `None` if its number is too large.
    fn of(&Way { to, chance }: &Way) -> Option<Self> {
        let (number, end) = match to {
            To::Open(state) => (state, 0),
            To::Over(outcome) => (outcome, OVER),
        };
        (number < OVER).then(|| Self { value: chance.value(), roundings: chance.roundings(), to: number | end })
    }

    fn way(self) -> Way {
        let number = self.to & !OVER;
        let to = if self.to & OVER == 0 { To::Open(number) } else { To::Over(number) };
        Way { to, chance: Float::new(self.value, self.roundings) }
    }
}

/// Every state met so far, with its cached successors if there are any; or only the states before and after a step.
pub(crate) struct Ways {
    width: usize,
    /// One stage for each step of a turn, so that states looked up together are stored together.
    stages: Vec<Stage>,
    ways: Vec<Kept>,
    /// Whether a state can equal a state of a later turn.
    lasting: bool,
}

/// The states before a step of any turn.
struct Stage {
    /// The states, each with its successors: an empty range if they are not cached.
    states: Layer<Range<u32>>,
    /// For each state, by number, its slot in the last front at this stage that it was in, plus one, plus the number of
    /// slots in all earlier fronts; 0 if it was in none.
    slots: Vec<u32>,
    /// The number of slots in the fronts before the one that is being filled.
    before: u32,
    /// The number of slots in that front.
    filled: u32,
}

impl Stage {
    fn new(width: usize) -> Self {
        Self { states: Layer::new(width), slots: Vec::new(), before: 0, filled: 0 }
    }

    /// Begins a front: no state has a slot in it yet.
    fn begin(&mut self) {
        self.before += std::mem::take(&mut self.filled);
        if self.before > SLOTS_MAX / 2 {
            self.before = 0;
            self.slots.fill(0);
        }
    }
}

/// The maximum number of slots in a front. Numbers of slots in several fronts are then below 2^32.
pub(crate) const SLOTS_MAX: u32 = u32::MAX >> 1;

impl Ways {
    /// A cache for keys with this many numbers, and with this number of steps in a turn.
    pub(crate) fn of(width: usize, stages: usize) -> Self {
        Self { width, stages: (0..stages).map(|_| Stage::new(width)).collect(), ways: Vec::new(), lasting: true }
    }

    /// A cache for keys with this many numbers, if no state equals one of another turn: nothing is kept beyond the next
    /// step.
    pub(crate) fn passing(width: usize) -> Self {
        Self { lasting: false, ..Self::of(width, 2) }
    }

    /// Whether anything is kept beyond the next step.
    pub(crate) fn are_lasting(&self) -> bool {
        self.lasting
    }

    /// An empty front, one step after `before`; the first front if `before` is `None`.
    pub(crate) fn front<W>(&mut self, before: Option<&Front<W>>) -> Front<W> {
        let stage = before.map_or(0, |front| (front.stage + 1) % self.stages.len());
        if !self.lasting {
            self.stages[stage].states.clear();
        }
        self.stages[stage].begin();
        Front { stage, width: self.width, states: Vec::new(), keys: Vec::new(), weights: Vec::new() }
    }

    /// The successors of the state in a slot; an empty range if they are not cached.
    pub(crate) fn from<W>(&self, front: &Front<W>, slot: usize) -> Range<u32> {
        self.stages[front.stage].states.weights()[front.states[slot] as usize].clone()
    }

    /// A cached successor.
    pub(crate) fn way(&self, way: u32) -> Way {
        self.ways[way as usize].way()
    }

    /// Caches these successors of the state in a slot, if there are numbers left for them.
    pub(crate) fn remember<W>(&mut self, front: &Front<W>, slot: usize, ways: &[Way]) {
        let begin = self.ways.len();
        self.ways.extend(ways.iter().map_while(Kept::of));
        match u32::try_from(self.ways.len()) {
            Ok(end) if self.ways.len() - begin == ways.len() => {
                let states = &mut self.stages[front.stage].states;
                states.weights_mut()[front.states[slot] as usize] = begin as u32..end;
            }
            _ => self.ways.truncate(begin),
        }
    }

    /// The number of known states.
    #[cfg(test)]
    pub(crate) fn states(&self) -> usize {
        self.stages.iter().map(|stage| stage.states.len()).sum()
    }

    /// Its approximate memory use.
    pub(crate) fn bytes(&self) -> u64 {
        let of = |stage: &Stage| stage.states.bytes() + (stage.slots.capacity() * size_of::<u32>()) as u64;
        self.stages.iter().map(of).sum::<u64>() + (self.ways.capacity() * size_of::<Kept>()) as u64
    }
}

/// The states that are open after a number of steps, in the order in which they were first reached, each with a weight.
pub(crate) struct Front<W> {
    /// The step of a turn that comes next.
    stage: usize,
    width: usize,
    /// Their numbers among all states that [`Ways`] knows at this stage.
    states: Vec<u32>,
    /// Their keys, in sequence: threads that play the states read them while others fill the next front.
    keys: Vec<u32>,
    weights: Vec<W>,
}

impl<W> Front<W> {
    /// The length of a key.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The key of the state in a slot.
    pub(crate) fn key(&self, slot: usize) -> &[u32] {
        &self.keys[slot * self.width..][..self.width]
    }

    /// The weights of all states, by slot.
    pub(crate) fn weights(&self) -> &[W] {
        &self.weights
    }

    /// The weights, mutable.
    pub(crate) fn weights_mut(&mut self) -> &mut [W] {
        &mut self.weights
    }

    /// The number of the state with this key, if it is known at this stage.
    pub(crate) fn number(&self, ways: &Ways, key: &[u32]) -> Option<u32> {
        ways.stages[self.stage].states.find(key).map(|state| state as u32)
    }

    /// The number of the state with this key, and its slot here. If it had no slot, a new one gets the weight
    /// `nothing`.
    pub(crate) fn find(&mut self, ways: &mut Ways, key: &[u32], nothing: impl FnOnce() -> W) -> (u32, usize) {
        let state = ways.stages[self.stage].states.slot(key, || 0..0) as u32;
        (state, self.slot(ways, state, nothing))
    }

    /// The slot of the state with this number. If it had none, a new slot gets the weight `nothing`.
    #[inline]
    pub(crate) fn slot(&mut self, ways: &mut Ways, state: u32, nothing: impl FnOnce() -> W) -> usize {
        let stage = &mut ways.stages[self.stage];
        match stage.slots.get(state as usize) {
            Some(&slot) if slot > stage.before => (slot - stage.before - 1) as usize,
            _ => self.push(stage, state, nothing()),
        }
    }

    /// Adds a slot for a state that has none.
    fn push(&mut self, stage: &mut Stage, state: u32, weight: W) -> usize {
        let Stage { states, slots, before, filled } = stage;
        if slots.len() <= state as usize {
            slots.resize(states.len(), 0);
        }
        *filled += 1;
        slots[state as usize] = *before + *filled;
        self.states.push(state);
        self.keys.extend_from_slice(states.key(state as usize));
        self.weights.push(weight);
        self.states.len() - 1
    }

    /// Removes everything except these states from `ways`, including their successors.
    pub(crate) fn forget_others(&mut self, ways: &mut Ways) {
        *ways = Ways::of(self.width, ways.stages.len());
        let Stage { states, .. } = &mut ways.stages[self.stage];
        for (state, key) in self.states.iter_mut().zip(self.keys.chunks_exact(self.width)) {
            *state = states.slot(key, || 0..0) as u32;
        }
    }

    /// The same states with other weights.
    pub(crate) fn map<V>(self, change: impl FnMut(W) -> V) -> Front<V> {
        let Self { stage, width, states, keys, weights } = self;
        Front { stage, width, states, keys, weights: weights.into_iter().map(change).collect() }
    }

    /// Its approximate memory use.
    pub(crate) fn bytes(&self) -> u64 {
        let numbers = self.keys.capacity() + self.states.capacity();
        (numbers * size_of::<u32>() + self.weights.capacity() * size_of::<W>()) as u64
    }
}

impl<W: Copy> Front<W> {
    /// Drops the states whose weight should not be kept.
    pub(crate) fn retain(&mut self, keep: impl Fn(&W) -> bool) {
        let mut kept = 0;
        for slot in 0..self.states.len() {
            if keep(&self.weights[slot]) {
                self.states[kept] = self.states[slot];
                self.weights[kept] = self.weights[slot];
                self.keys.copy_within(slot * self.width..(slot + 1) * self.width, kept * self.width);
                kept += 1;
            }
        }
        self.states.truncate(kept);
        self.weights.truncate(kept);
        self.keys.truncate(kept * self.width);
    }
}
