//! A shot that passes through: a ball strikes its target and bounds on into the units behind it.
//!
//! A unit fires at its target, from the middle of its front or of the face that fires to the middle of the target. If
//! the pack has such shots (`through`), the line of fire continues beyond the target, as far as the range of the unit
//! and at most `beyond` from the middle of the target. Every enemy whose ground it crosses is hit too, nearest first
//! and at most as many as the pack allows, and friends as well if the pack says so. Ground that hides a unit from the
//! firer protects it, and a unit on the target's own ground is not behind it. The roll of the phase is taken against
//! the target, and against each of the others that roll or the one that the pack gives for them. All rolls are taken
//! before any result is carried out. A friend takes its result as if it had caused it itself.

use arrayvec::ArrayVec;
use grognard_rules::model::Through;

use crate::geometry::plane::Heading;
use crate::mechanism::common::shot::{may_hit, strike, tell_passed};
use crate::state::terrain::hides;
use crate::state::{UNITS_MAX, UnitId};
use crate::step::{Context, Position};

/// Fires at a target, and at the units behind it.
pub(crate) fn fire_at(ctx: &mut Context<'_>, through: &Through, id: UnitId, target: UnitId, roll: u8) {
    let behind = behind(ctx, through, id, target);
    tell_passed(ctx, through, (id, target), &behind);
    let others = behind.into_iter().map(|unit| (unit, through.roll.unwrap_or(roll)));
    strike(ctx, id, std::iter::once((target, roll)).chain(others));
}

/// The units behind a target that a shot at it hits, nearest first.
fn behind(ctx: &Position<'_>, through: &Through, id: UnitId, target: UnitId) -> ArrayVec<UnitId, UNITS_MAX> {
    let range = ctx.rules.kinds[usize::from(ctx.battle.unit(id).kind)].range;
    let (from, ground) = (ctx.neighbours().eye(id, target), ctx.place(target));
    let aim = ground.centre();
    let flown = from.square_distance(aim).isqrt() as i32;
    let far = (range - flown).min(through.beyond.unwrap_or(range));
    if far <= 0 {
        return ArrayVec::new();
    }
    let end = aim.moved(Heading::between(from, aim), far);
    let hit = ctx.neighbours().others(id).those(|unit| {
        let there = ctx.place(unit);
        unit != target
            && may_hit(ctx, through.friends, id, unit)
            && there.crossed_by(aim, end)
            && !there.overlaps(&ground)
            && !hides(ctx.rules, &ctx.setup.terrain, from, there.centre())
    });
    let mut hit: ArrayVec<UnitId, UNITS_MAX> = hit.collect();
    hit.sort_unstable_by_key(|&unit| (ctx.place(unit).distance_from(aim), unit));
    hit.truncate(usize::from(through.most));
    hit
}
