//! Test: units for which a condition holds take a roll - a rally, a morale check at the end of a turn.
//!
//! Broken units take part too, so that a rout can end. `foe` is the nearest enemy that is not broken, if there is one.

use grognard_dice::Dice;

use crate::state::battle::UnitId;
use crate::step::context::Field;
use crate::telling::event::{Occasion, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, roll: u8) {
    let index = field.battle.phase;
    let rules = field.rules;
    let phase = &rules.phases[usize::from(index)];
    let unit = field.battle.unit(id);
    if unit.figures == 0 && unit.away == 0 && field.has_cannon(id) {
        // Nobody is there to test: the crew is dead, or stands apart and tests for itself.
        return;
    }
    if field.holds_for(phase.when.as_ref(), id, Field::nearest_enemy) {
        field.roll(Occasion::Phase(index), roll, id, field.nearest_enemy(id));
    }
}
