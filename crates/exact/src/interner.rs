//! Things by number.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Numbers things in the order in which they first appear.
///
/// A hash only says where to look: numbers depend on the order of asking and on equality alone, so they are the same on
/// every machine.
pub(crate) struct Interner<T> {
    items: Vec<T>,
    table: HashTable<u32>,
    /// The number that was asked for last: often it is asked for again.
    last: u32,
}

/// There are more things than numbers of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

/// A hash that is the same in every run.
pub(crate) fn hash_of<T: Hash + ?Sized>(item: &T) -> u64 {
    FxBuildHasher.hash_one(item)
}

impl<T: Clone + Eq + Hash> Interner<T> {
    pub(crate) const fn new() -> Self {
        Self { items: Vec::new(), table: HashTable::new(), last: 0 }
    }

    /// The number of `item`: the one it had before, or the next.
    pub(crate) fn number(&mut self, item: &T) -> Result<u32, Full> {
        if self.items.get(self.last as usize) == Some(item) {
            return Ok(self.last);
        }
        let hash = hash_of(item);
        let items = &self.items;
        if let Some(&number) = self.table.find(hash, |&number| items[number as usize] == *item) {
            self.last = number;
            return Ok(number);
        }
        let number = u32::try_from(items.len()).map_err(|_| Full)?;
        self.table.insert_unique(hash, number, |&number| hash_of(&items[number as usize]));
        self.items.push(item.clone());
        self.last = number;
        Ok(number)
    }

    /// The things, by number.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    pub(crate) fn into_items(self) -> Vec<T> {
        self.items
    }

    /// Memory it takes, about.
    pub(crate) fn bytes(&self) -> u64 {
        (self.items.capacity() * size_of::<T>() + self.table.capacity() * size_of::<u32>() * 2) as u64
    }
}
