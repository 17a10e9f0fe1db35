//! Test: units for which a condition holds take a roll - a rally, a morale check at the end of a turn.
//!
//! Broken units take part too, so that a rout can end. `foe` is the enemy that is not broken whose nearest edge is nearest, if there
//! is one.

use crate::mechanism::common::units::is_abandoned;
use crate::state::UnitId;
use crate::step::Context;
use crate::step::nearest::closest_enemy;
use crate::telling::event::Occasion;

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId, roll: u8) {
    let index = ctx.battle.phase;
    let rules = ctx.rules;
    let phase = &rules.phases[usize::from(index)];
    // A crew that stands apart tests for itself. One that was taken off has nothing on the table but its guns.
    if is_abandoned(ctx, id) && ctx.battle.unit(id).away == 0 {
        return;
    }
    if ctx.holds_for(phase.when.as_ref(), id, closest_enemy) {
        ctx.roll(Occasion::Phase(index), roll, id, closest_enemy(ctx, id));
    }
}
