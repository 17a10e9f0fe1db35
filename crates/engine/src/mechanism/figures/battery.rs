//! Batteries: separate cannon and crew, and changes of formation that take time (clauses 8.42 to 8.49, 9.56).
//!
//! A battery's figures are its crew. Losses fall on cannon or on the crew, depending on the pack. A broken crew leaves
//! its guns, which stay in place and can do nothing. If the crew rallies, it returns to them: see `crew`. A battery
//! that loses its last cannon is removed.
//!
//! Example: a field battery with 8" of move can march 6" and unlimber for 2" more; after 6.5" it cannot unlimber.

use grognard_rules::model::{FormationId, Towards};

use crate::mechanism::common::reshape::{take_formation_with_room, turn_from_or_to};
use crate::mechanism::common::room::overlaps_anybody;
use crate::state::ids::Maybe;
use crate::state::{Flags, UnitId};
use crate::step::nearest::nearest_enemy;
use crate::step::{Context, Position};
use crate::telling::event::Event;

/// Begins a change of formation that takes the whole turn. Returns false if this change does not take that long.
pub(crate) fn begins_slowly(ctx: &mut Context<'_>, id: UnitId, formation: FormationId) -> bool {
    let Some(slow) = &ctx.rules.formations[formation].slow else { return false };
    if !ctx.holds(slow.when.as_ref(), id, None) {
        return false;
    }
    let unit = ctx.battle.unit_mut(id);
    unit.forming = formation.into();
    unit.flags.set(Flags::CHANGED);
    ctx.tell(|| Event::Forming { unit: id, formation });
    true
}

/// At the end of a side's half-turn, cancels the slow changes of units that have not stood still (8.43).
pub(crate) fn give_up_slow_changes(ctx: &mut Position<'_>) {
    if ctx.rules.battery.is_none() {
        return;
    }
    for id in ctx.battle.side(ctx.battle.active) {
        let unit = ctx.battle.unit(id);
        if unit.forming.is_some() && unit.flags.has(Flags::MOVED) {
            ctx.battle.unit_mut(id).forming = Maybe::NONE;
        }
    }
}

/// Puts units that have stood still into their new formation when their side's next half-turn begins, with the facing
/// that their owner chooses (8.43, 8.44).
pub(crate) fn finish_slow_changes(ctx: &mut Context<'_>) {
    if ctx.rules.battery.is_none() {
        return;
    }
    let next = ctx.battle.follows(ctx.battle.active).unwrap_or_else(|| ctx.battle.begins());
    for id in ctx.battle.side(next) {
        let unit = *ctx.battle.unit(id);
        let Some(formation) = unit.forming.get() else { continue };
        ctx.battle.unit_mut(id).forming = Maybe::NONE;
        if unit.gone() || unit.broken(ctx.rules) || !take_formation_with_room(ctx, id, formation) {
            continue;
        }
        let enemy = nearest_enemy(ctx, id).filter(|_| ctx.rules.formations[formation].turns);
        if let Some(enemy) = enemy {
            let before = *ctx.battle.unit(id);
            turn_from_or_to(ctx, id, enemy, Towards::Enemy);
            if overlaps_anybody(ctx, id) {
                *ctx.battle.unit_mut(id) = before;
            }
        }
    }
}
