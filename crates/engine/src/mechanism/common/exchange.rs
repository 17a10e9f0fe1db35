//! Exchange: units simply in contact roll against each other.
//!
//! Every unit for which the phase's condition holds takes the phase's roll against the nearest enemy. On a board without
//! ground that is the first enemy still standing. Example: `risk`, where the attacker's dice meet the defender's.

use grognard_dice::Dice;

use crate::state::battle::UnitId;
use crate::step::context::Field;
use crate::telling::event::{Occasion, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, roll: u8) {
    let index = field.battle.phase;
    let rules = field.rules;
    let phase = &rules.phases[usize::from(index)];
    if field.battle.unit(id).broken(rules) {
        return;
    }
    let Some(foe) = field.nearest_enemy(id) else { return };
    if field.holds(phase.when.as_ref(), id, Some(foe)) {
        field.roll(Occasion::Phase(index), roll, id, Some(foe));
    }
}
