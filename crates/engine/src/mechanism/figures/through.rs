//! Shots that pass through: a ball strikes its target and bounds on into the units behind it.
//!
//! The line of fire runs from the middle of the firer's front, or of the face that fires, to the middle of the target.
//! With `through`, it continues beyond the target, as far as the firer's range but no farther than `beyond` from the
//! middle of the target. Every enemy that it crosses is also hit, nearest first, up to the pack's maximum. Friends are
//! hit too if the pack says so. If two are equally near, the one whose middle is nearer along the line of fire is hit
//! first, then the one farther to the right of it. Terrain that hides a unit from the firer protects it, and a unit on
//! the ground of the target itself does not count as behind it. The roll of the phase is made against the target.
//! Against each of the others, the firer makes the same roll or the pack's separate one. All rolls are made before any
//! result is applied. A friend's result has no causing unit.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use grognard_rules::model::{RollId, Through};

use crate::geometry::plane::{Heading, Rect};
use crate::mechanism::common::shot::{bear, cast_at, may_hit, tell_passed};
use crate::state::terrain::hides;
use crate::state::{UNITS_MAX, UnitId};
use crate::step::{Context, Position};

/// Fires at a target, and at the units behind it.
pub(crate) fn fire_at(ctx: &mut Context<'_>, through: &Through, id: UnitId, target: UnitId, roll: RollId) {
    let behind = behind(ctx, through, id, target);
    tell_passed(ctx, through, (id, target), &behind);
    let others = behind.into_iter().map(|unit| (unit, through.roll.unwrap_or(roll)));
    let outcomes = cast_at(ctx, id, std::iter::once((target, roll)).chain(others));
    bear(ctx, id, &outcomes);
}

/// The units behind a target that a shot at the target also hits, nearest first.
fn behind(ctx: &Position<'_>, through: &Through, id: UnitId, target: UnitId) -> ArrayVec<UnitId, UNITS_MAX> {
    let range = ctx.rules.kinds[ctx.battle.unit(id).kind].range;
    let (from, ground) = (ctx.neighbours().eye(id, target), ctx.place(target));
    let aim = ground.centre();
    let flown = from.square_distance(aim).isqrt() as i32;
    let far = (range - flown).min(through.beyond.unwrap_or(range));
    if far <= 0 {
        return ArrayVec::new();
    }
    let line = Rect::new(from, Heading::between(from, aim), 0, 0);
    let end = aim.moved(line.heading(), far);
    let hit = ctx.neighbours().others(id).those(|unit| {
        let there = ctx.place(unit);
        unit != target
            && may_hit(ctx, through.friends, id, unit)
            && there.crossed_by(aim, end)
            && !there.overlaps(&ground)
            && !hides(ctx.rules, &ctx.setup.terrain, from, there.centre())
    });
    let mut hit: ArrayVec<UnitId, UNITS_MAX> = hit.collect();
    hit.sort_unstable_by_key(|&unit| {
        let place = ctx.place(unit);
        let (aside, ahead) = line.local(place.centre());
        (place.distance_from(aim), ahead, Reverse(aside))
    });
    hit.truncate(usize::from(through.most));
    hit
}
