//! Shock: combat between a charger and the target that it has reached (clauses 7.61 to 7.64).
//!
//! The charger takes the phase's roll against its target; the pack's modifiers read the side struck, figures,
//! formations and morale. There is no combat with a target that fled before contact, or with guns without a crew; the
//! charge is then over. Example: a battery whose crew ran from the charge defends with 0 figures (7.64), so no dice are
//! rolled.

use crate::mechanism::common::units::is_abandoned;
use crate::state::{Flags, UnitId};
use crate::step::Context;
use crate::telling::event::Occasion;
use grognard_rules::model::RollId;

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId, roll: RollId) {
    let index = ctx.battle.phase;
    let rules = ctx.rules;
    let unit = ctx.battle.unit(id);
    if !unit.flags.has(Flags::CONTACT) || !unit.flags.has(Flags::CHARGING) || unit.broken(rules) {
        return;
    }
    let target = unit.foe;
    let phase = &rules.phases[usize::from(index)];
    let defends = !ctx.battle.unit(target).gone() && !is_abandoned(ctx, target);
    if defends && ctx.holds(phase.when.as_ref(), id, Some(target)) {
        ctx.roll(Occasion::Phase(index), roll, id, Some(target));
    }
    ctx.battle.flags_mut(id).clear(Flags::CONTACT);
}
