//! The states that are open after so many steps, each once.

use hashbrown::HashTable;

use crate::interner::hash_of;

/// States with their weights, in the order in which they were first reached.
pub(crate) struct Layer<W> {
    /// The keys one after the other, `width` numbers each.
    keys: Vec<u32>,
    width: usize,
    weights: Vec<W>,
    table: HashTable<u32>,
}

impl<W> Layer<W> {
    /// An empty layer of states whose keys have `width` numbers.
    pub(crate) fn new(width: usize) -> Self {
        Self { keys: Vec::new(), width, weights: Vec::new(), table: HashTable::new() }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The slot of the state with this key; a new one, with the weight `nothing`, if it was not there.
    pub(crate) fn slot(&mut self, key: &[u32], nothing: impl FnOnce() -> W) -> usize {
        let (keys, width) = (&self.keys, self.width);
        let of = |slot: u32| &keys[slot as usize * width..][..width];
        let hash = hash_of(key);
        if let Some(&slot) = self.table.find(hash, |&slot| of(slot) == key) {
            return slot as usize;
        }
        let slot = self.weights.len();
        // `Limits` keeps layers below 2^32 states.
        self.table.insert_unique(hash, slot as u32, |&slot| hash_of(of(slot)));
        self.keys.extend_from_slice(key);
        self.weights.push(nothing());
        slot
    }

    pub(crate) fn key(&self, slot: usize) -> &[u32] {
        &self.keys[slot * self.width..][..self.width]
    }

    pub(crate) fn weights(&self) -> &[W] {
        &self.weights
    }

    pub(crate) fn weights_mut(&mut self) -> &mut [W] {
        &mut self.weights
    }

    /// The same states with other weights.
    pub(crate) fn map<V>(self, change: impl FnMut(W) -> V) -> Layer<V> {
        let Self { keys, width, weights, table } = self;
        Layer { keys, width, weights: weights.into_iter().map(change).collect(), table }
    }

    /// Memory it takes, about.
    pub(crate) fn bytes(&self) -> u64 {
        let numbers = self.keys.capacity() + self.table.capacity() * 2;
        (numbers * size_of::<u32>() + self.weights.capacity() * size_of::<W>()) as u64
    }
}

impl<W: Copy> Layer<W> {
    /// Drops the states whose weight is not to be kept. No state can be looked up or added afterwards.
    pub(crate) fn retain(&mut self, keep: impl Fn(&W) -> bool) {
        let mut kept = 0;
        for slot in 0..self.weights.len() {
            if keep(&self.weights[slot]) {
                self.weights[kept] = self.weights[slot];
                self.keys.copy_within(slot * self.width..(slot + 1) * self.width, kept * self.width);
                kept += 1;
            }
        }
        self.weights.truncate(kept);
        self.keys.truncate(kept * self.width);
        self.table.clear();
    }
}
