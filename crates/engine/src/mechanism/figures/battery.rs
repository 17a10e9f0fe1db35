//! Batteries: cannon and crew apart, and changes of formation that take time (clauses 8.42 to 8.49, 9.56).
//!
//! A battery's figures are its crew. Losses fall on cannon or on the crew, as the pack says. A crew that breaks leaves its
//! guns, which stay where they are and can do nothing; if it rallies, it comes back to them: see `crew`. Without cannon left the battery
//! is gone.
//!
//! Example: a field battery with 8" of move marches 6" and unlimbers for 2" more; after 6.5" it cannot.

use grognard_dice::Dice;
use grognard_rules::model::Towards;

use crate::mechanism::figures::formation;
use crate::mechanism::figures::formation::{overlaps_anybody, take_formation_with_room, turn_from_or_to};
use crate::state::battle::{Flags, UnitId};
use crate::step::context::{Context, nearest_enemy};
use crate::telling::event::{Event, Refusal, Witness};

/// Whether a unit is a battery or a train.
#[inline]
pub(crate) fn has_cannon<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, id: UnitId) -> bool {
    ctx.rules.kinds[usize::from(ctx.battle.unit(id).kind)].cannon > 0
}

/// Takes hits off a battery: cannon, or crew figures.
pub(crate) fn lose_of_battery<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, hits: u16, cause: UnitId) {
    let Some(battery) = &ctx.rules.battery else { return };
    let on_cannon = ctx.holds(battery.cannon_lost.as_ref(), id, Some(cause));
    let unit = ctx.battle.unit_mut(id);
    unit.hits += hits;
    if on_cannon {
        let lost = hits.min(unit.cannon);
        unit.cannon -= lost;
        let left = unit.cannon;
        ctx.tell(|| Event::CannonLost { unit: id, cannon: lost });
        if left == 0 {
            ctx.destroy(id);
        }
        return;
    }
    let lost = (hits / battery.crew_hits.max(1)).min(unit.figures);
    if lost == 0 {
        return;
    }
    unit.figures -= lost;
    ctx.tell(|| Event::Lost { unit: id, figures: lost });
    note_crew_gone(ctx, id);
}

pub(crate) fn note_crew_gone<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId) {
    let turn = ctx.battle.turn;
    let unit = ctx.battle.unit_mut(id);
    if unit.figures == 0 {
        if unit.broke == 0 {
            unit.broke = turn;
        }
        ctx.scratch.broken = true;
    }
}

/// Hundredths of an inch that a unit keeps back to take this formation at the end of its move, or why it may not.
pub(crate) fn cost_in_move<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    id: UnitId,
    formation: u8,
) -> Result<i32, Refusal> {
    let in_move = ctx.rules.formations[usize::from(formation)].in_move.as_ref();
    let in_move = in_move.ok_or(Refusal::NotInMove(formation))?;
    let bar = in_move.bars.iter().position(|bar| ctx.holds(Some(&bar.when), id, None));
    bar.map_or(Ok(in_move.cost), |bar| Err(Refusal::BarredInMove(formation, bar as u8)))
}

/// Lets a unit take a formation at the end of its move, if it has the move left for it. It needs no formation phase, and
/// may have changed in that already.
pub(crate) fn form_in_move<D: Dice, W: Witness>(
    ctx: &mut Context<'_, D, W>,
    id: UnitId,
    formation: u8,
    towards: Towards,
    left: i32,
) {
    let unit = ctx.battle.unit(id);
    if unit.formation == formation || unit.gone() || unit.broken(ctx.rules) {
        return;
    }
    let why = match cost_in_move(ctx, id, formation) {
        Err(why) => Some(why),
        Ok(cost) if cost > left => Some(Refusal::NoMove(formation)),
        Ok(_) => None,
    };
    if let Some(why) = why {
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    ctx.battle.flags_mut(id).clear(Flags::CHANGED);
    let enemy = nearest_enemy(ctx, id);
    formation::form(ctx, id, formation, enemy, towards);
}

/// Sets out on a change that takes the whole turn; false if this one does not.
pub(crate) fn begins_slowly<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, formation: u8) -> bool {
    let Some(slow) = &ctx.rules.formations[usize::from(formation)].slow else { return false };
    if !ctx.holds(slow.when.as_ref(), id, None) {
        return false;
    }
    let unit = ctx.battle.unit_mut(id);
    unit.forming = formation + 1;
    unit.flags.set(Flags::CHANGED);
    ctx.tell(|| Event::Forming { unit: id, formation });
    true
}

/// At the end of a side's half-turn: who has not stood still gives its change up (8.43).
pub(crate) fn give_up_slow_changes<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>) {
    if ctx.rules.battery.is_none() {
        return;
    }
    for id in ctx.battle.side(ctx.battle.active) {
        let unit = ctx.battle.unit(id);
        if unit.forming > 0 && unit.flags.has(Flags::MOVED) {
            ctx.battle.unit_mut(id).forming = 0;
        }
    }
}

/// When the enemy's half-turn is over as well: who has stood still has its new formation, and the facing its owner likes
/// with it (8.43, 8.44).
pub(crate) fn finish_slow_changes<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>) {
    if ctx.rules.battery.is_none() {
        return;
    }
    for id in ctx.battle.side(ctx.battle.active.other()) {
        let unit = *ctx.battle.unit(id);
        if unit.forming == 0 {
            continue;
        }
        let formation = unit.forming - 1;
        ctx.battle.unit_mut(id).forming = 0;
        if unit.gone() || unit.broken(ctx.rules) || !take_formation_with_room(ctx, id, formation) {
            continue;
        }
        let enemy = nearest_enemy(ctx, id).filter(|_| ctx.rules.formations[usize::from(formation)].turns);
        if let Some(enemy) = enemy {
            let before = *ctx.battle.unit(id);
            turn_from_or_to(ctx, id, enemy, Towards::Enemy);
            if overlaps_anybody(ctx, id) {
                *ctx.battle.unit_mut(id) = before;
            }
        }
    }
}
