//! Opportunity fire: a unit that turns, pivots or changes formation in an enemy's fire zone may be shot at (clauses
//! 7.55, 8.17, 8.44).
//!
//! The change is announced to every enemy whose zone contains any part of the unit. Each of them makes the pack's
//! reaction once, before the change is made, unless its doctrine holds its fire or it cannot see or hit the unit. A
//! unit that breaks under the fire, or may no longer take its new formation, does not carry out the change. Nor does
//! the screen of a unit whose figures in close order have all fallen (9.42). Losses that only change the shape of the
//! unit's ranks do not prevent the change. Example: a line turns 1.5" in front of an enemy with a zone of 2". That is
//! one announcement.

use grognard_rules::model::{Choice, RollId, Trigger};

use crate::mechanism::figures::fire::can_tell;
use crate::state::UnitId;
use crate::step::asking::decides;
use crate::step::{Context, Position};
use crate::telling::event::Event;

/// Announces a change to the enemies whose fire zones the unit is in, and lets them fire. Returns false if the unit
/// breaks, or if only its screen is left.
pub(crate) fn announce_change(ctx: &mut Context<'_>, id: UnitId, trigger: Trigger) -> bool {
    if ctx.rules.fire_zone.is_none() {
        return true;
    }
    // The zones are determined before any unit fires: the unit may be narrower after the first volley.
    let owners = ctx.targets(id).those(|owner| ctx.neighbours().in_zone(owner, id));
    let in_close_order = |ctx: &Position<'_>| ctx.rules.formations[ctx.battle.unit(id).formation].spacing.is_none();
    let close = in_close_order(ctx);
    let only_its_screen_is_left = |ctx: &Position<'_>| close && !in_close_order(ctx);
    for owner in owners {
        if ctx.battle.unit(id).gone() || only_its_screen_is_left(ctx) {
            break;
        }
        ctx.tell(|| Event::InZone { unit: id, owner, trigger });
        if decides(ctx, Choice::HoldFire, owner, id) {
            ctx.tell(|| Event::HeldFire { unit: owner });
        } else {
            ctx.react(trigger, owner, id);
        }
    }
    // A check may drive a screen back into column.
    let is_screen = only_its_screen_is_left(ctx);
    ctx.answer_losses();
    !is_screen && !ctx.battle.unit(id).broken(ctx.rules)
}

/// Whether the owner of a zone sees a unit in it and could hit it. Otherwise the owner does not fire.
pub(crate) fn could_tell(ctx: &Position<'_>, owner: UnitId, id: UnitId, roll: RollId) -> bool {
    ctx.neighbours().sees_past_others(owner, id) && can_tell(ctx, owner, id, roll)
}

/// The kind of change that a turn of this unit counts as: a pivot if the unit cannot move in its formation.
pub(crate) fn kind_of_turn(ctx: &Position<'_>, id: UnitId) -> Trigger {
    let formation = &ctx.rules.formations[ctx.battle.unit(id).formation];
    if formation.moves { Trigger::TurnsInZone } else { Trigger::PivotsInZone }
}
