//! A battle in the middle of a step: it changes where those see it who keep what they know of its units.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use crate::situation::positions::PositionCache;
use crate::state::battle::Battle;
use crate::state::unit::{Flags, Unit, UnitId};

/// A battle that changes where its [`PositionCache`] see it.
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
    /// A unit that is about to change.
    #[inline]
    pub(crate) fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        self.positions.forget(id);
        self.battle.unit_mut(id)
    }

    /// What a unit has done or suffered, which is no matter of where it stands.
    #[inline]
    pub(crate) fn flags_mut(&mut self, id: UnitId) -> &mut Flags {
        self.positions.forget_status(id);
        &mut self.battle.unit_mut(id).flags
    }

    /// The battle, for changes of something else than units and what their status words say of commands.
    #[inline]
    pub(crate) fn beside_units(&mut self) -> &mut Battle {
        self.battle
    }

    /// What a unit has not answered for yet, which neither its status word nor its position depends on.
    #[inline]
    pub(crate) fn hits_mut(&mut self, id: UnitId) -> &mut u16 {
        &mut self.battle.unit_mut(id).hits
    }

    /// Units forget what lasts for half a turn.
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
    /// Anything may change.
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
