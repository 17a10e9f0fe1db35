//! The nearest enemy of a unit. If several are equally near, the first by precedence.

use grognard_rules::model::Board;

use crate::geometry::hex;
use crate::situation::sight::FAR;
use crate::state::{UnitId, Units};
use crate::step::position::Position;

/// All other units on the table.
#[inline]
pub(crate) fn others(ctx: &Position<'_>, of: UnitId) -> Units {
    ctx.neighbours().others(of)
}

/// The nearest enemy that is not broken or, if there is none, the nearest broken one.
pub(crate) fn nearest_target(ctx: &Position<'_>, of: UnitId) -> Option<UnitId> {
    nearest_enemy(ctx, of).or_else(|| nearest_edge(ctx, of, ctx.targets(of)))
}

/// The unbroken enemy with the nearest edge.
pub(crate) fn closest_enemy(ctx: &Position<'_>, of: UnitId) -> Option<UnitId> {
    nearest_edge(ctx, of, ctx.enemies(of))
}

/// The unit, among these, with the nearest edge.
pub(crate) fn nearest_edge(ctx: &Position<'_>, of: UnitId, among: Units) -> Option<UnitId> {
    if among.only().is_some() {
        return among.only();
    }
    let distance = |other: UnitId| ctx.view(of, Some(other)).distance();
    let mut near = among;
    if let Board::Plane { .. } = ctx.rules.board {
        // Most units are certainly farther away than the one with the nearest middle, and need not be measured.
        let circle = ctx.circle(of);
        let first = near.min_by_key(|&other| ctx.circle(other).centre.square_distance(circle.centre))?;
        let reach = distance(first);
        near = among.those(|other| reach == FAR || !circle.beyond(&ctx.circle(other), reach));
    }
    let nearest = ctx.neighbours().first_by(near, distance);
    debug_assert!(nearest == ctx.neighbours().first_by(among, distance), "a circle is smaller than it should be");
    nearest
}

/// The unbroken enemy with the nearest middle.
pub(crate) fn nearest_enemy(ctx: &Position<'_>, of: UnitId) -> Option<UnitId> {
    if ctx.rules.hex.is_some() {
        let at = ctx.battle.unit(of).front;
        return ctx.neighbours().first_by(ctx.enemies(of), |enemy| hex::distance(at, ctx.battle.unit(enemy).front));
    }
    let centre = ctx.circle(of).centre;
    ctx.neighbours().first_by(ctx.enemies(of), |enemy| ctx.circle(enemy).centre.square_distance(centre))
}
