//! The charge zone: the effect of a declared charge on enemies other than its target (clause 7.65).
//!
//! The zone lies in front of the charger and is as deep as the charger's move in its formation. Every enemy in it is
//! threatened until that enemy's own next half-turn is over. A threatened unit makes the pack's reaction at once, and
//! the pack's modifiers can read that it is threatened. Units that the pack holds in place do not march up.

use grognard_rules::model::{Board, Trigger};

use crate::mechanism::common::units::square_of;
use crate::mechanism::figures::skirmishers::in_order_of_tests;
use crate::state::{Flags, UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::Event;

/// Marks every enemy in the zone of a unit that has just declared a charge.
pub(crate) fn cast_charge_zone(ctx: &mut Context<'_>, id: UnitId) {
    for enemy in ctx.battle.enemies(ctx.battle.unit(id).side) {
        if in_charge_zone(ctx, id, enemy) {
            threaten(ctx, enemy, id);
        }
    }
}

/// Lets enemies react if they are now in the zone and were not charged themselves. The target's reaction may have moved
/// units out of the zone or into it. `square` lists the units that were in the target's square when it was charged.
/// `tested` lists the units whose group has already made its single check (9.49).
pub(crate) fn answer_charge_zone(ctx: &mut Context<'_>, id: UnitId, square: &[UnitId], mut tested: Units) {
    if ctx.rules.charge_zone.is_none() || ctx.battle.units.len() == 2 {
        return;
    }
    let (side, target) = (ctx.battle.unit(id).side, ctx.battle.unit(id).foe);
    let enemies = Units::first(ctx.battle.units.len()).among(ctx.battle.enemy_units(side));
    for enemy in in_order_of_tests(ctx, enemies) {
        if enemy != target && !square.contains(&enemy) && in_charge_zone(ctx, id, enemy) {
            if !ctx.battle.unit(enemy).flags.has(Flags::THREATENED) {
                threaten(ctx, enemy, id);
            }
            if !tested.has(enemy) {
                tested = tested.plus(ctx.react(Trigger::Threatened, enemy, id));
            }
        }
    }
}

/// Marks a unit in the charge zone, together with the units in its square.
fn threaten(ctx: &mut Context<'_>, enemy: UnitId, charger: UnitId) {
    ctx.battle.flags_mut(enemy).set(Flags::THREATENED);
    for member in square_of(ctx, enemy) {
        ctx.battle.flags_mut(member).set(Flags::THREATENED);
    }
    ctx.tell(|| Event::Threatened { unit: enemy, charger });
}

/// Whether an enemy is in a unit's charge zone now.
fn in_charge_zone(ctx: &Position<'_>, id: UnitId, enemy: UnitId) -> bool {
    let rules = ctx.rules;
    let (Some(zone), Board::Plane { arc, .. }) = (&rules.charge_zone, rules.board) else { return false };
    let unit = ctx.battle.unit(id);
    if !unit.flags.has(Flags::CHARGING) || ctx.battle.unit(enemy).gone() {
        return false;
    }
    let depth = rules.kinds[unit.kind].speed[unit.formation].unwrap_or(0);
    ctx.view(id, Some(enemy)).distance() <= depth
        && ctx.holds(zone.when.as_ref(), id, None)
        && ctx.neighbours().zone_holds(id, &ctx.rect(enemy), depth, arc)
}

/// Whether a charge zone holds a unit in place.
pub(crate) fn is_held(ctx: &Position<'_>, id: UnitId) -> bool {
    let Some(holds) = ctx.rules.charge_zone.as_ref().and_then(|zone| zone.holds.as_ref()) else { return false };
    ctx.battle.unit(id).flags.has(Flags::THREATENED) && ctx.holds(Some(holds), id, None)
}
