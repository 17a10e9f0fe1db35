//! Shots on hexes: the range of a unit, and the effect of its shot on the units that it hits.

use arrayvec::ArrayVec;
use grognard_rules::model::{Effect, HexRules, Provides};

use crate::geometry::hex::hex_leader_alone;
use crate::mechanism::common::shot::cause;
use crate::mechanism::hex::leader;
use crate::mechanism::hex::provisions::provision;
use crate::mechanism::hex::strike::suffer;
use crate::state::{UNITS_MAX, UnitId};
use crate::step::banners::banners_decide;
use crate::step::{Context, Position};
use crate::telling::event::Occasion;

/// The present range of a unit.
pub(super) fn range(ctx: &Position<'_>, hex: &HexRules, id: UnitId, enemy: Option<UnitId>) -> i32 {
    provision(ctx, hex, Provides::Range, id, enemy).map_or(0, |(_, range)| range)
}

/// Rolls against each of these units. Then their results are carried out one after another, until a banner decides the
/// battle.
pub(super) fn strike(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, units: impl Iterator<Item = (UnitId, u8)>) {
    let occasion = Occasion::Phase(ctx.battle.phase);
    let effects: ArrayVec<_, UNITS_MAX> =
        units.map(|(unit, roll)| (unit, ctx.cast(occasion, roll, id, Some(unit)).foe)).collect();
    for (unit, effect) in effects {
        // It may have been removed by an earlier result.
        if !ctx.battle.unit(unit).gone() {
            hit(ctx, hex, cause(ctx, id, unit), unit, &effect);
        }
        if banners_decide(ctx) {
            break;
        }
    }
}

/// Carries out the effect of a shot of `id` on a unit. A lone leader who survives it flees.
pub(super) fn hit(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, unit: UnitId, effect: &Effect) {
    let alone = hex_leader_alone(ctx.battle.unit(unit));
    suffer(ctx, hex, id, unit, effect);
    if alone && !ctx.battle.unit(unit).gone() {
        leader::flee(ctx, hex, unit);
    }
}
