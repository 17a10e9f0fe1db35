//! Models with several wounds: the damage that counts, and the number of models lost.
//!
//! Example: three hits with a damage of 2 each on models with three wounds. The first two remove a model, whose fourth
//! point of damage is lost; the third wounds the next model.

use super::Amount;
use super::weights::{Budget, Excess, Key, Spread, count_at, packed};

/// Models that take the damage of a pool's last stage, one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Models {
    /// The number of wounds of a model.
    pub wounds: Amount,
    /// The number of wounds that the first model has left.
    pub left: Amount,
    /// Whether excess damage to a model carries over to the next.
    pub spill: bool,
    /// Whether the total `models` is requested: the number of models lost.
    pub gone: bool,
}

impl Models {
    /// The number of wounds of a model, and the number that the first model has left.
    pub(super) fn numbers(&self, inputs: &[i32]) -> (i64, i64) {
        let wounds = i64::from(self.wounds.at(inputs)).max(1);
        (wounds, i64::from(self.left.at(inputs)).clamp(1, wounds))
    }

    /// The part of this damage that counts after this many wounds.
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

    /// The distributions after 0, 1, 2 … up to `most` hits with this damage. The damage is in the first count of the
    /// keys; all other counts are added up.
    pub(super) fn walks<'w>(
        &self,
        damage: &Spread,
        most: u32,
        inputs: &[i32],
        known: &'w mut Walks,
        budget: &mut Budget,
    ) -> Result<&'w [Spread], Excess> {
        let first = |key: Key| count_at(key, 0);
        let walks = known.of(damage, self.numbers(inputs), self.spill);
        while walks.len() <= most as usize {
            let fall = |before: Key, key: Key| {
                let lost = first(key) - self.suffered(first(before), first(key), inputs);
                before + key - Key::from(lost) * packed(0)
            };
            let next = walks[walks.len() - 1].with_near(damage, budget, fall)?;
            walks.push(next);
        }
        Ok(walks)
    }
}

/// The walks for other combinations of a table's inputs: if only the number of dice differs, they are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Walks(Vec<Walk>);

#[derive(Clone, Debug)]
struct Walk {
    damage: Spread,
    numbers: (i64, i64),
    spill: bool,
    /// The distributions after 0, 1, 2 … hits.
    after: Vec<Spread>,
}

/// The maximum number of results kept, about 64 MB.
const KEPT_MAX: usize = 2_000_000;

impl Walks {
    /// The walks for this damage on such models, as far as they are known.
    fn of(&mut self, damage: &Spread, numbers: (i64, i64), spill: bool) -> &mut Vec<Spread> {
        let is_it = |walk: &Walk| walk.numbers == numbers && walk.spill == spill && walk.damage == *damage;
        let place = match self.0.iter().position(is_it) {
            Some(place) => place,
            None => {
                let kept = self.0.iter().flat_map(|walk| &walk.after).map(|after| after.entries().len());
                if kept.sum::<usize>() > KEPT_MAX {
                    self.0.clear();
                }
                self.0.push(Walk { damage: damage.clone(), numbers, spill, after: vec![Spread::certain(0)] });
                self.0.len() - 1
            }
        };
        &mut self.0[place].after
    }
}
