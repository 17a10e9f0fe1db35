//! Templates: one shot hits every unit under the template.
//!
//! A unit aims at the middle of its target. With `scatter`, dice give the distance and direction from there to the
//! point of impact, clockwise from the line of fire. Every enemy on the table that the round template touches is hit.
//! Friends are hit too if the pack says so, but never the firer. The roll of the phase is made against each unit that
//! is hit. All rolls are made before any result is applied, so that none depends on another. Results apply to enemies
//! first, then to friends. In each group, those farthest along the line of fire come first, so that units that fall
//! back do not block each other. At equal distance, the one farther to the right of that line comes first. A friend's
//! result has no causing unit, and the friend does not fall back from an enemy.

use std::cmp::Reverse;

use grognard_rules::model::{RollId, Scatter, Template};

use crate::geometry::plane::{Heading, Point, Rect};
use crate::mechanism::common::shot::{bear, cast_at, drift, may_hit, tell_covered};
use crate::state::{UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::narrator::words::inches;

/// Resolves a unit's shot at its target.
pub(crate) fn drop_on(ctx: &mut Context<'_>, template: &Template, id: UnitId, target: UnitId, roll: RollId) {
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

/// The point where a shot lands after scattering from its aiming point.
fn stray(ctx: &mut Context<'_>, scatter: &Scatter, id: UnitId, target: UnitId, aim: Point) -> Point {
    let (distance, turn) = drift(ctx, scatter, (id, target), inches);
    aim.moved(Heading::between(ctx.battle.unit(id).front, aim).turned(turn), distance)
}

/// The units that a template centred on `at` touches and may hit.
fn beneath(ctx: &Position<'_>, template: &Template, id: UnitId, at: Point) -> Units {
    let here = |unit: UnitId| ctx.place(unit).distance_from(at) <= template.radius;
    ctx.neighbours().others(id).those(|unit| may_hit(ctx, template.friends, id, unit) && here(unit))
}
