//! Room: whether a unit overlaps others.

use grognard_rules::model::Board;

use crate::geometry::plane::Rect;
use crate::situation::occupied;
use crate::state::{Unit, UnitId, Units};
use crate::step::Position;
use crate::step::nearest::others;

/// Whether a unit overlaps another one.
pub(crate) fn overlaps_anybody(ctx: &Position<'_>, id: UnitId) -> bool {
    overlaps_anybody_but(ctx, id, Units::default())
}

/// Whether a unit overlaps another one, not counting these.
pub(crate) fn overlaps_anybody_but(ctx: &Position<'_>, id: UnitId, but: Units) -> bool {
    if !matches!(ctx.rules.board, Board::Plane { .. }) {
        return false;
    }
    let (rect, circle) = (ctx.rect(id), ctx.circle(id));
    others(ctx, id).but(but).any(|other| !circle.beyond(&ctx.circle(other), 0) && rect.overlaps(&ctx.rect(other)))
}

/// Whether a position overlaps a unit other than the one to be placed there.
pub(crate) fn stands_on_anybody(ctx: &Position<'_>, id: UnitId, place: &Rect) -> bool {
    let place = place.inset(ctx.rules.movement.touch);
    let mut others = ctx.battle.units.iter().enumerate();
    let ground = |other: &Unit| occupied::place(ctx.rules, &ctx.setup.terrain, other);
    others.any(|(index, other)| index != id.index() && !other.gone() && place.overlaps(&ground(other)))
}
