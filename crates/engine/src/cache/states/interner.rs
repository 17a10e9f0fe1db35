//! Interning: gives numbers to distinct items.

use std::fmt;
use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Numbers items in the order in which they first appear.
///
/// The hash is only used for lookups: numbers depend only on the order of requests and on equality, so they are the
/// same on every machine.
#[derive(Clone, Debug)]
pub struct Interner<T> {
    items: Vec<T>,
    /// Used only for lookups, never iterated.
    table: HashTable<u32>,
}

/// The error if there are more items than 32-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("more than 4,294,967,296 different things")
    }
}

impl std::error::Error for Full {}

/// A hash that is the same in every run.
#[must_use]
pub fn hash_of<T: Hash + ?Sized>(item: &T) -> u64 {
    FxBuildHasher.hash_one(item)
}

/// An empty interner.
impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self { items: Vec::new(), table: HashTable::new() }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// The number of `item`: its existing one, or the next.
    ///
    /// # Errors
    ///
    /// If it has none and no number is left.
    pub fn number(&mut self, item: &T) -> Result<u32, Full> {
        let hash = hash_of(item);
        if let Some(number) = self.find(hash, item) {
            return Ok(number);
        }
        let number = u32::try_from(self.items.len()).map_err(|_| Full)?;
        if self.table.len() == self.table.capacity() {
            self.grow();
        }
        self.table.insert_unique(hash, number, |&number| hash_of(&self.items[number as usize]));
        self.items.push(item.clone());
        Ok(number)
    }

    /// Replaces the table with a larger one. The old table is freed first, and the items are read in sequence.
    fn grow(&mut self) {
        self.table = HashTable::new();
        self.table.reserve(self.items.len() + 1, |_| 0);
        for (number, item) in self.items.iter().enumerate() {
            self.table.insert_unique(hash_of(item), number as u32, |_| 0);
        }
    }

    /// The number of `item`, if it has one. `hash` must come from [`hash_of`].
    fn find(&self, hash: u64, item: &T) -> Option<u32> {
        self.table.find(hash, |&number| self.items[number as usize] == *item).copied()
    }

    /// The number of `item`, if it has one.
    pub(in crate::cache) fn known(&self, item: &T) -> Option<u32> {
        self.find(hash_of(item), item)
    }

    /// The number of `item`: its number here, or else in `more`, whose numbers continue from these.
    ///
    /// # Errors
    ///
    /// If it has none and no number is left.
    pub(super) fn number_beside(&self, more: &mut Self, item: &T) -> Result<u32, Full> {
        match self.known(item) {
            Some(number) => Ok(number),
            None => more.number(item)?.checked_add(self.items.len() as u32).ok_or(Full),
        }
    }

    /// The item with this number, here or in `more`, whose numbers continue from these.
    pub(super) fn item_beside<'a>(&'a self, more: &'a Self, number: u32) -> Option<&'a T> {
        let number = number as usize;
        self.items.get(number).or_else(|| more.items.get(number - self.items.len()))
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.table.clear();
    }

    /// Whether this is the number of `item`.
    #[inline]
    #[must_use]
    pub fn is(&self, number: u32, item: &T) -> bool {
        self.items.get(number as usize) == Some(item)
    }

    /// The items, by number.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items, by number; consumes the interner.
    #[must_use]
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// Approximate memory use in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.items.capacity() * size_of::<T>() + self.table.capacity() * size_of::<u32>() * 2) as u64
    }
}
