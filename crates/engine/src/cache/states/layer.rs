//! Distinct states.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// States by key, each with a weight, in the order in which they were first reached: for example, all states still open
/// after a number of steps.
#[derive(Clone, Debug)]
pub struct Layer<W> {
    /// The keys in sequence, `width` numbers each.
    keys: Vec<u32>,
    width: usize,
    weights: Vec<W>,
    /// Used only for lookups, never iterated.
    table: HashTable<u32>,
}

/// A hash of a key, faster than that of a list of any length.
#[inline]
fn hash_of_key(key: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    key.iter().for_each(|&number| hasher.write_u32(number));
    hasher.finish()
}

impl<W> Layer<W> {
    /// An empty layer of states whose keys have `width` numbers.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { keys: Vec::new(), width, weights: Vec::new(), table: HashTable::new() }
    }

    /// The number of numbers in a key.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are no states.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.weights.clear();
        self.table.clear();
    }

    /// The slot of the state with this key. A new state gets a new slot, with the weight `nothing`.
    ///
    /// The key must have as many numbers as all others, and there must be fewer than 2^32 states.
    pub fn slot(&mut self, key: &[u32], nothing: impl FnOnce() -> W) -> usize {
        debug_assert_eq!(key.len(), self.width, "the key of another kind of state");
        if let Some(slot) = self.find(key) {
            return slot;
        }
        if self.table.len() == self.table.capacity() {
            self.grow();
        }
        let (slot, keys, width) = (self.weights.len(), &self.keys, self.width);
        let hash_of = |&slot: &u32| hash_of_key(&keys[slot as usize * width..][..width]);
        self.table.insert_unique(hash_of_key(key), slot as u32, hash_of);
        self.keys.extend_from_slice(key);
        self.weights.push(nothing());
        slot
    }

    /// The slot of the state with this key, if it is there.
    #[inline]
    #[must_use]
    pub fn find(&self, key: &[u32]) -> Option<usize> {
        // Number by number: keys are too short for a call that compares memory.
        let found = self.table.find(hash_of_key(key), |&slot| self.key(slot as usize).iter().eq(key));
        found.map(|&slot| slot as usize)
    }

    /// Replaces the table by a larger one. Keys are read in sequence, and the old table makes room first.
    fn grow(&mut self) {
        let slots = self.weights.len();
        self.table = HashTable::new();
        self.table.reserve(slots + 1, |_| 0);
        for slot in 0..slots {
            self.table.insert_unique(hash_of_key(self.key(slot)), slot as u32, |_| 0);
        }
    }

    /// The key of the state in a slot.
    #[must_use]
    pub fn key(&self, slot: usize) -> &[u32] {
        &self.keys[slot * self.width..][..self.width]
    }

    /// The weights of all states, by slot.
    #[must_use]
    pub fn weights(&self) -> &[W] {
        &self.weights
    }

    /// The weights of all states, mutable.
    pub fn weights_mut(&mut self) -> &mut [W] {
        &mut self.weights
    }

    /// Approximate memory use in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let numbers = self.keys.capacity() + self.table.capacity() * 2;
        (numbers * size_of::<u32>() + self.weights.capacity() * size_of::<W>()) as u64
    }
}
