//! A cache of earlier results.

use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

use super::hashed::Hashed;

/// Results by the key they were computed from. Packs are compiled again whenever one number changes, and nearly all of
/// a pack is then unchanged.
///
/// A result depends only on its key, so the order of requests does not change it.
pub struct Remembered<K, V> {
    held: Mutex<Held<K, V>>,
    room: usize,
    weigh: fn(&V) -> usize,
}

struct Held<K, V> {
    known: Hashed<K, Arc<V>>,
    weight: usize,
}

impl<K: Eq + Hash, V> Remembered<K, V> {
    /// Creates a cache for results up to this total weight. If a new result exceeds it, all others are forgotten; a
    /// result that is too heavy by itself is not kept.
    pub fn new(room: usize, weigh: fn(&V) -> usize) -> Self {
        Self { held: Mutex::new(Held { known: Hashed::default(), weight: 0 }), room, weigh }
    }

    /// The result for a key, computed if it is not cached.
    ///
    /// # Errors
    /// Those of `make`, which are not cached.
    pub fn of<E>(&self, key: K, make: impl FnOnce(&K) -> Result<V, E>) -> Result<Arc<V>, E> {
        let held = || self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let known = held().known.get(&key).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let made = Arc::new(make(&key)?);
        let weight = (self.weigh)(&made);
        if weight <= self.room {
            let mut held = held();
            if held.weight + weight > self.room {
                held.known.clear();
                held.weight = 0;
            }
            if held.known.insert(key, Arc::clone(&made)).is_none() {
                held.weight += weight;
            }
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;

    use super::*;

    #[test]
    fn results_are_made_once_as_long_as_there_is_room() {
        let (squares, made) = (Remembered::new(10, |square: &u32| *square as usize), Cell::new(0));
        let square = |number: u32| {
            let make = |number: &u32| {
                made.set(made.get() + 1);
                Ok::<_, Infallible>(number * number)
            };
            squares.of(number, make).map(|square| *square)
        };
        for (number, times) in [(2, 1), (2, 1), (1, 2), (2, 2), (3, 3), (3, 3), (2, 4), (5, 5), (5, 6)] {
            assert_eq!(square(number), Ok(number * number));
            assert_eq!(made.get(), times, "9 drives out 4 and 1, and 4 drives out 9; 25 is never held");
        }
        let refuse = |_: &u32| Err::<u32, _>("no");
        assert_eq!(
            (squares.of(7, refuse), squares.of(7, |_| Ok::<_, &str>(3)).map(|square| *square)),
            (Err("no"), Ok(3))
        );
    }
}
