//! A battle in the middle of a step. It reports each change to the position cache.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use grognard_rules::model::Counters;

use crate::situation::positions::PositionCache;
use crate::state::{Battle, Flags, Unit, UnitId};

/// A battle that reports each change to its [`PositionCache`].
pub(crate) struct TrackedBattle<'a> {
    battle: &'a mut Battle,
    positions: Rc<PositionCache>,
}

impl<'a> TrackedBattle<'a> {
    pub(crate) fn new(battle: &'a mut Battle, positions: &Rc<PositionCache>) -> Self {
        positions.track(true);
        Self { battle, positions: Rc::clone(positions) }
    }
}

impl TrackedBattle<'_> {
    /// A unit, for any kind of change to it.
    #[inline]
    pub(crate) fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        self.positions.forget(id);
        self.battle.unit_mut(id)
    }

    /// A unit's flags. They do not affect its position.
    #[inline]
    pub(crate) fn flags_mut(&mut self, id: UnitId) -> &mut Flags {
        self.positions.forget_status(id);
        &mut self.battle.unit_mut(id).flags
    }

    /// The battle, for changes that affect neither units nor the parts of commands stored in their status words.
    #[inline]
    pub(crate) fn beside_units(&mut self) -> &mut Battle {
        self.battle
    }

    /// A unit's open hits. Neither its status word nor its position depends on them.
    #[inline]
    pub(crate) fn hits_mut(&mut self, id: UnitId) -> &mut u16 {
        &mut self.battle.unit_mut(id).hits
    }

    /// A unit's counters. Neither its status word nor its position depends on them.
    #[inline]
    pub(crate) fn counters_mut(&mut self, id: UnitId) -> &mut Counters {
        &mut self.battle.unit_mut(id).counters
    }

    /// Clears everything that lasts for only half a turn.
    pub(crate) fn end_half_turn(&mut self) {
        let active = self.battle.active;
        for index in 0..self.battle.units.len() {
            let unit = &mut self.battle.units[index];
            let before = (unit.flags, unit.marks);
            unit.marks.end_half_turn(unit.cannon > 0 && unit.flags.has(Flags::MOVED));
            unit.flags.end_half_turn(unit.side == active);
            unit.hex.end_half_turn();
            if (unit.flags, unit.marks) != before {
                self.positions.forget_status(UnitId(index as u8));
            }
        }
    }
}

impl Deref for TrackedBattle<'_> {
    type Target = Battle;

    #[inline]
    fn deref(&self) -> &Battle {
        self.battle
    }
}

impl DerefMut for TrackedBattle<'_> {
    /// Assumes that anything may change, so it drops the whole cache.
    #[inline]
    fn deref_mut(&mut self) -> &mut Battle {
        self.positions.forget_all();
        self.battle
    }
}

impl Drop for TrackedBattle<'_> {
    fn drop(&mut self) {
        self.positions.track(false);
    }
}
