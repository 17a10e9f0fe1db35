//! Shots on hexes: the range of a unit, and the effect of its shot on the units that it hits.

use grognard_rules::model::{Effect, HexRules, Provides};

use crate::geometry::hex::hex_leader_alone;
use crate::mechanism::common::shot::{Outcomes, cause};
use crate::mechanism::hex::leader;
use crate::mechanism::hex::provisions::provision;
use crate::mechanism::hex::strike::{hold, suffer};
use crate::state::UnitId;
use crate::step::banners::banners_decide;
use crate::step::{Context, Position};

/// The current range of a unit.
pub(super) fn range(ctx: &Position<'_>, hex: &HexRules, id: UnitId, enemy: Option<UnitId>) -> i32 {
    provision(ctx, hex, Provides::Range, id, enemy).map_or(0, |(_, range)| range)
}

/// Applies the results of a shot to one unit after another, until a banner decides the battle.
pub(super) fn bear(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, outcomes: Outcomes) {
    for (unit, outcome) in outcomes {
        // An effect on another unit may have removed this one.
        if !ctx.battle.unit(unit).gone() {
            hit(ctx, hex, cause(ctx, id, unit), unit, &outcome.foe);
        }
        ctx.apply(&outcome.own, id, unit);
        if banners_decide(ctx) {
            break;
        }
    }
}

/// Carries out the effect of a shot of `id` on a unit, or of a strike that was held back. A lone leader who survives it
/// flees.
pub(crate) fn hit(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, unit: UnitId, effect: &Effect) {
    if ctx.scratch.holds_back {
        hold(ctx, id, unit, effect);
        return;
    }
    let alone = hex_leader_alone(ctx.battle.unit(unit));
    suffer(ctx, hex, id, unit, effect);
    if alone && !ctx.battle.unit(unit).gone() {
        leader::flee(ctx, hex, unit);
    }
}
