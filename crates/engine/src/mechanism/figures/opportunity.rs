//! Opportunity fire: whoever turns, pivots or changes formation in an enemy's fire zone may be shot at (clauses 7.55, 8.17,
//! 8.44).
//!
//! The change is announced to every enemy whose zone holds any part of the unit; each takes the pack's reaction, once,
//! before the change takes effect, unless its doctrine holds its fire. A unit that breaks under the fire, or loses the right to its
//! new formation, does not carry out the change. Example: a line 1.5" before an enemy with a zone of 2" turns: one announcement.

use grognard_dice::Dice;
use grognard_rules::model::{Choice, Trigger};

use crate::state::{Flags, UnitId};
use crate::step::asking::decides;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Witness};

/// Announces a change to the enemies in whose fire zones a unit stands, and lets them fire; false if the unit breaks.
pub(crate) fn announce_change<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, trigger: Trigger) -> bool {
    if ctx.rules.fire_zone.is_none() {
        return true;
    }
    let side = ctx.battle.unit(id).side.other();
    for owner in ctx.battle.side(side) {
        if ctx.battle.unit(owner).gone() || !ctx.neighbours().in_zone(owner, id) {
            continue;
        }
        ctx.tell(|| Event::InZone { unit: id, owner, trigger });
        if decides(ctx, Choice::HoldFire, owner, id) {
            ctx.tell(|| Event::HeldFire { unit: owner });
        } else if ctx.react(trigger, owner, id) {
            ctx.battle.flags_mut(owner).set(Flags::FIRED);
        }
    }
    ctx.answer_losses();
    !ctx.battle.unit(id).broken(ctx.rules)
}

/// What a turn of this unit counts as: a pivot if the unit cannot move in its formation.
pub(crate) fn kind_of_turn(ctx: &Position<'_>, id: UnitId) -> Trigger {
    let formation = &ctx.rules.formations[usize::from(ctx.battle.unit(id).formation)];
    if formation.moves { Trigger::TurnsInZone } else { Trigger::PivotsInZone }
}
