//! Template: one shot hits every unit on the ground that it covers.
//!
//! A unit aims at the middle of its target. If the pack has shots drift (`scatter`), dice give the distance and the
//! direction, clockwise from the line of fire. Every enemy on the table that the round template touches is hit, and
//! every friend too if the pack says so, but never the unit that fires. The roll of the phase is taken against
//! each unit that is hit. All rolls are taken before any result is carried out, so that none depends on another. A
//! friend takes its result as if it had caused it itself, so it does not fall back from any unit.

use grognard_rules::model::{Scatter, Template};

use crate::geometry::plane::{Heading, Point};
use crate::mechanism::common::shot::{drift, may_hit, strike, tell_covered};
use crate::state::{UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::narrator::words::inches;

/// Resolves a unit's shot at its target.
pub(crate) fn drop_on(ctx: &mut Context<'_>, template: &Template, id: UnitId, target: UnitId, roll: u8) {
    let aim = ctx.place(target).centre();
    let at = template.scatter.as_ref().map_or(aim, |scatter| stray(ctx, scatter, id, target, aim));
    let hit = beneath(ctx, template, id, at);
    tell_covered(ctx, template, (id, target), hit);
    strike(ctx, id, hit.map(|unit| (unit, roll)));
}

/// The point where a shot lands that drifts from the point aimed at.
fn stray(ctx: &mut Context<'_>, scatter: &Scatter, id: UnitId, target: UnitId, aim: Point) -> Point {
    let (distance, turn) = drift(ctx, scatter, (id, target), inches);
    aim.moved(Heading::between(ctx.battle.unit(id).front, aim).turned(turn), distance)
}

/// The units that a template with its middle here touches, and that it may hit.
fn beneath(ctx: &Position<'_>, template: &Template, id: UnitId, at: Point) -> Units {
    let here = |unit: UnitId| ctx.place(unit).distance_from(at) <= template.radius;
    ctx.neighbours().others(id).those(|unit| may_hit(ctx, template.friends, id, unit) && here(unit))
}
