//! Template: one shot hits every unit on the ground that it covers.
//!
//! A unit aims at the middle of its target. Where the pack has the shot stray (`scatter`), dice say how far from there it lands
//! and which way, counted clockwise from the line of fire. Every enemy on the table whose ground the round template touches is
//! hit, and where the pack says so every friend too, but never the unit that fires. The roll of the phase is taken against
//! each unit that is hit. All rolls are taken before any result is carried out, so that none depends on another. The enemies bear
//! their results first, then the friends, and of each those farthest along the line of fire first, so that nobody who falls back finds in
//! his way who falls back as well; of two that are equally far, the one farther to the right of that line. A friend bears its result as
//! one of its own making: nobody caused it, and it does not fall back from anybody.

use std::cmp::Reverse;

use grognard_rules::model::{Scatter, Template};

use crate::geometry::plane::{Heading, Point, Rect};
use crate::mechanism::common::shot::{bear, cast_at, drift, may_hit, tell_covered};
use crate::state::{UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::narrator::words::inches;

/// Resolves a unit's shot at its target.
pub(crate) fn drop_on(ctx: &mut Context<'_>, template: &Template, id: UnitId, target: UnitId, roll: u8) {
    let aim = ctx.place(target).centre();
    let at = template.scatter.as_ref().map_or(aim, |scatter| stray(ctx, scatter, id, target, aim));
    let hit = beneath(ctx, template, id, at);
    tell_covered(ctx, template, (id, target), hit);
    let mut outcomes = cast_at(ctx, id, hit.map(|unit| (unit, roll)));
    let from = ctx.battle.unit(id).front;
    let line = Rect::new(from, Heading::between(from, aim), 0, 0);
    outcomes.sort_unstable_by_key(|&(unit, _)| {
        let (aside, ahead) = line.local(ctx.place(unit).centre());
        (!may_hit(ctx, false, id, unit), Reverse(ahead), Reverse(aside))
    });
    bear(ctx, id, &outcomes);
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
