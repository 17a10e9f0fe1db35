//! Shock: a charge that has reached its target is fought out (clauses 7.61 to 7.64).
//!
//! The charger takes the phase's roll against its target; the aspect in which it struck, figures, formations and morale are
//! what the pack's modifiers read. A target that fled before contact is not fought: the charge is over.

use grognard_dice::Dice;

use crate::state::battle::{Flags, UnitId};
use crate::step::context::Field;
use crate::telling::event::{Occasion, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, roll: u8) {
    let index = field.battle.phase;
    let rules = field.rules;
    let unit = field.battle.unit(id);
    if !unit.flags.has(Flags::CONTACT) || !unit.flags.has(Flags::CHARGING) || unit.broken(rules) {
        return;
    }
    let target = unit.foe;
    let phase = &rules.phases[usize::from(index)];
    if !field.battle.unit(target).gone() && field.holds(phase.when.as_ref(), id, Some(target)) {
        field.roll(Occasion::Phase(index), roll, id, Some(target));
    }
    field.battle.flags_mut(id).clear(Flags::CONTACT);
}
