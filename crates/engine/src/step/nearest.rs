//! The nearest enemy of a unit; of several equally near ones, the first by precedence.

use crate::geometry::hex;
use crate::state::{UnitId, Units};
use crate::step::position::Position;

/// All other units on the table.
#[inline]
pub(crate) fn others(ctx: &Position<'_>, of: UnitId) -> Units {
    ctx.neighbours().others(of)
}

/// The nearest enemy that is not broken. If there is none, the nearest broken one.
pub(crate) fn nearest_target(ctx: &Position<'_>, of: UnitId) -> Option<UnitId> {
    nearest_enemy(ctx, of)
        .or_else(|| ctx.neighbours().first_by(ctx.targets(of), |enemy| ctx.view(of, Some(enemy)).distance()))
}

/// The unbroken enemy with the nearest edge.
pub(crate) fn closest_enemy(ctx: &Position<'_>, of: UnitId) -> Option<UnitId> {
    ctx.neighbours().first_by(ctx.enemies(of), |enemy| ctx.view(of, Some(enemy)).distance())
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
