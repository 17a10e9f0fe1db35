//! States of a battle, as keys of a few numbers.

use grognard_engine::{Battle, Unit};

use crate::interner::{Full, Interner};

/// Every state seen so far, taken apart: a state is a [`Battle`] without its units, and its units.
///
/// Two states have the same key exactly if the engine calls them equal ([`Battle`]'s own `Eq`); no field is named here, so
/// none can be forgotten.
pub(crate) struct States {
    frames: Interner<Battle>,
    units: Interner<Unit>,
    /// Numbers in a key: the frame's, then one for each unit.
    width: usize,
}

impl States {
    /// For battles with as many units as `start`.
    pub(crate) fn of(start: &Battle) -> Self {
        Self { frames: Interner::new(), units: Interner::new(), width: start.units.len() + 1 }
    }

    /// Numbers in a key.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Puts the key of `battle` into `key`. The battle is used up: its units are gone afterwards.
    pub(crate) fn take_apart(&mut self, battle: &mut Battle, key: &mut Vec<u32>) -> Result<(), Full> {
        debug_assert_eq!(battle.units.len() + 1, self.width, "units that are gone stay in the battle's list");
        key.clear();
        key.push(0);
        for unit in &battle.units {
            key.push(self.units.number(unit)?);
        }
        battle.units.clear();
        key[0] = self.frames.number(battle)?;
        Ok(())
    }

    /// The battle with this key, but for its units.
    pub(crate) fn frame(&self, key: &[u32]) -> &Battle {
        &self.frames.items()[key[0] as usize]
    }

    /// Makes `battle` the one with this key.
    pub(crate) fn put_together(&self, key: &[u32], battle: &mut Battle) {
        copy(self.frame(key), battle);
        battle.units.extend(key[1..].iter().map(|&unit| self.units.items()[unit as usize]));
    }

    /// Memory it takes, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.frames.bytes() + self.units.bytes()
    }
}

/// Makes a battle equal to another in its place: it has room for far more units than it has, which a clone would move about.
pub(crate) fn copy(from: &Battle, to: &mut Battle) {
    // Taken apart by name, so that a field added to the state is not forgotten here.
    let &Battle { turn, active, phase, orders, first_units, ref commands, cards, ref units, ref generals } = from;
    (to.turn, to.active, to.phase, to.orders, to.first_units, to.cards) =
        (turn, active, phase, orders, first_units, cards);
    to.commands.clone_from(commands);
    to.units.clone_from(units);
    to.generals.clone_from(generals);
}
