//! Exchange: units in contact roll against each other.
//!
//! Every unit for which the phase's condition holds takes the phase's roll against the enemy with the nearest edge. On a board
//! without ground that is the first enemy still standing. Where the pack distributes losses over a side, it is the
//! enemy's side as a whole. Example: `risk`, where the attacker's dice meet the defender's.

use crate::mechanism::common::simultaneous::shoot;
use crate::state::UnitId;
use crate::step::Context;
use crate::step::nearest::closest_enemy;
use crate::telling::event::Occasion;

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId, roll: u8) {
    let index = ctx.battle.phase;
    let rules = ctx.rules;
    let phase = &rules.phases[usize::from(index)];
    if ctx.battle.unit(id).broken(rules) {
        return;
    }
    if phase.casualties.is_some() {
        shoot(ctx, id, roll);
        return;
    }
    let Some(foe) = closest_enemy(ctx, id) else { return };
    if ctx.holds(phase.when.as_ref(), id, Some(foe)) {
        ctx.roll(Occasion::Phase(index), roll, id, Some(foe));
    }
}
