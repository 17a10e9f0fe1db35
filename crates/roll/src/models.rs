//! Models of several wounds: which of the damage counts, and how many models are gone.
//!
//! Example: three hits with a damage of 2 on models of three wounds. The first two remove a model, whose fourth point of damage is
//! lost; the third wounds the next model.

use super::Amount;
use super::weights::{Budget, Excess, Key, Spread, count_at, packed};

/// Models that take the damage of a pool's last stage, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Models {
    /// The wounds of a model.
    pub wounds: Amount,
    /// Those that the first model has left.
    pub left: Amount,
    /// Whether damage that a model does not need goes on to the next.
    pub spill: bool,
    /// Whether the total `models` is wanted: how many are gone.
    pub gone: bool,
}

impl Models {
    /// The wounds of a model, and what the first one has left.
    fn numbers(&self, inputs: &[i32]) -> (i64, i64) {
        let wounds = i64::from(self.wounds.at(inputs)).max(1);
        (wounds, i64::from(self.left.at(inputs)).clamp(1, wounds))
    }

    /// The part of some damage that counts after this many wounds.
    pub(super) fn suffered(&self, before: i64, damage: i64, inputs: &[i32]) -> i64 {
        let (wounds, left) = self.numbers(inputs);
        let front = if before < left { left - before } else { wounds - (before - left) % wounds };
        if self.spill { damage } else { damage.min(front) }
    }

    /// The number of models removed after this many wounds.
    pub(super) fn gone(&self, after: i64, inputs: &[i32]) -> i64 {
        let (wounds, left) = self.numbers(inputs);
        if after < left { 0 } else { 1 + (after - left) / wounds }
    }

    /// The distributions after 0, 1, 2 … up to `most` hits with such damage. The damage is in the first count of the keys; all
    /// other counts are added up.
    pub(super) fn walks(
        &self,
        damage: &Spread,
        most: u32,
        inputs: &[i32],
        budget: &mut Budget,
    ) -> Result<Vec<Spread>, Excess> {
        let first = |key: Key| count_at(key, 0);
        let mut walks = vec![Spread::certain(0)];
        for hit in 0..most as usize {
            let fall = |before: Key, key: Key| {
                let lost = first(key) - self.suffered(first(before), first(key), inputs);
                before + key - Key::from(lost) * packed(0)
            };
            let next = walks[hit].with_near(damage, budget, fall)?;
            walks.push(next);
        }
        Ok(walks)
    }
}
