//! Random numbers for the design: the same for the same seed, on every machine.

use crate::digest::mix;

/// A sequence of numbers by SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). It does not affect any battle.
pub(super) struct Draws(u64);

impl Draws {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 up to, but not including, `below`; 0 if that is 0.
    pub(super) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        // The high word of the product is as uniform as 64 bits allow.
        ((u128::from(mix(self.0)) * below as u128) >> 64) as usize
    }

    /// Numbers from 0 to `count` - 1 in random order (Fisher and Yates).
    pub(super) fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            let other = self.below(last + 1);
            order.swap(last, other);
        }
        order
    }
}
