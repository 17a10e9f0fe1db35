//! Distinct states.

use hashbrown::HashTable;

use crate::cache::states::interner::hash_of;

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
        let (keys, width) = (&self.keys, self.width);
        debug_assert_eq!(key.len(), width, "the key of another kind of state");
        let of = |slot: u32| &keys[slot as usize * width..][..width];
        let hash = hash_of(key);
        if let Some(&slot) = self.table.find(hash, |&slot| of(slot) == key) {
            return slot as usize;
        }
        let slot = self.weights.len();
        self.table.insert_unique(hash, slot as u32, |&slot| hash_of(of(slot)));
        self.keys.extend_from_slice(key);
        self.weights.push(nothing());
        slot
    }

    /// The slot of the state with this key, if it is there.
    #[must_use]
    pub fn find(&self, key: &[u32]) -> Option<usize> {
        let found = self.table.find(hash_of(key), |&slot| self.key(slot as usize) == key);
        found.map(|&slot| slot as usize)
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
