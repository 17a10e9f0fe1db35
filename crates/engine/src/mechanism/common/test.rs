//! Tests: units that meet a condition take a roll, such as a rally or a morale check at the end of a turn.
//!
//! Broken units also take part, so that a rout can end. `foe` is the unbroken enemy with the nearest edge, if there is
//! one.

use crate::mechanism::common::units::is_abandoned;
use crate::state::UnitId;
use crate::step::Context;
use crate::step::nearest::closest_enemy;
use crate::telling::event::Occasion;
use grognard_rules::model::RollId;

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId, roll: RollId) {
    let index = ctx.battle.phase;
    let rules = ctx.rules;
    let phase = &rules.phases[usize::from(index)];
    // A crew away from its guns takes its own test. If the crew was removed, only its guns are on the table.
    if is_abandoned(ctx, id) && ctx.battle.unit(id).away == 0 {
        return;
    }
    if ctx.holds_for(phase.when.as_ref(), id, closest_enemy) {
        ctx.roll(Occasion::Phase(index), roll, id, closest_enemy(ctx, id));
    }
}
