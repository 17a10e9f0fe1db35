//! Occupation: units that fill a piece of terrain, and leave it. A unit does not leave a contact to fill terrain. Its
//! move, flight or pursuit out of the piece is measured from the edge of the piece, like all its distances (KT3). A
//! unit that other units kept from filling its terrain fills it when they have gone.
//!
//! Example: infantry in the middle of a wood 6" deep has half its move, 1.5". It comes that far out of the wood, so its
//! base moves 4".

use crate::geometry::plane::{Heading, Rect, Way};
use crate::mechanism::common::moving::{furthest, settle_on};
use crate::situation::occupied::{is_taken, middled, piece_under};
use crate::state::{UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::Event;
use crate::telling::narrator::words::unit_name;

/// Whether a unit fills a piece of ground.
#[inline]
pub(crate) fn fills(ctx: &Position<'_>, id: UnitId) -> bool {
    ctx.battle.unit(id).fills != 0
}

/// Updates the piece of terrain that a unit fills after a move: it leaves the old piece and, if it may, fills the one
/// in which its middle is now, possibly the same.
pub(crate) fn fill_ground(ctx: &mut Context<'_>, id: UnitId) {
    fill_under(ctx, id, false);
}

/// Like [`fill_ground`], for a unit that has taken the place of an enemy in an area. It fills that ground even if it
/// otherwise might not.
pub(crate) fn fill_taken_ground(ctx: &mut Context<'_>, id: UnitId) {
    fill_under(ctx, id, true);
}

/// Lets units fill the terrain under their middle if the units that kept them from filling it have gone.
pub(crate) fn fill_freed_ground(ctx: &mut Context<'_>) {
    if ctx.setup.terrain.is_empty() {
        return;
    }
    for id in Units::first(ctx.battle.units.len()) {
        if !ctx.battle.unit(id).gone() && !fills(ctx, id) {
            fill_ground(ctx, id);
        }
    }
}

/// Whether a unit may fill a piece of ground.
pub(crate) fn may_fill(ctx: &Position<'_>, id: UnitId, piece: usize) -> bool {
    let fills = ctx.setup.terrain.get(piece).and_then(|piece| piece.ground(ctx.rules).fills.as_ref());
    fills.is_some_and(|fills| ctx.holds(fills.begins.as_ref(), id, None))
}

fn fill_under(ctx: &mut Context<'_>, id: UnitId, taken: bool) {
    if ctx.setup.terrain.is_empty() {
        return;
    }
    let unit = ctx.battle.unit(id);
    let found = if unit.gone() { None } else { piece_for(ctx, id, &unit.rect(ctx.rules), taken) };
    ctx.battle.unit_mut(id).fills = 0;
    if let Some(piece) = found {
        fill(ctx, id, piece);
    }
}

/// The piece, if any, that a unit would fill after a move to this place. `taken` means that the unit takes the place of
/// an enemy in an area, and may be there for that reason.
pub(crate) fn piece_for(ctx: &Position<'_>, id: UnitId, here: &Rect, taken: bool) -> Option<usize> {
    let piece = piece_under(ctx.rules, ctx.setup, here)?;
    let stays = usize::from(ctx.battle.unit(id).fills) == piece + 1;
    let free = !is_taken(ctx.rules, ctx.setup, &ctx.battle.units, piece, id) && !parts(ctx, id, here, piece);
    (free && (taken || stays || may_fill(ctx, id, piece))).then_some(piece)
}

/// The ground that a unit would take up after a move to this place: the place itself, or the piece that it would fill.
pub(crate) fn ground_after(ctx: &Position<'_>, id: UnitId, place: &Rect) -> Rect {
    piece_for(ctx, id, place, false).map_or(*place, |piece| ctx.setup.terrain[piece].rect)
}

/// The distance that a unit filling a piece of terrain can move in this direction before its base reaches the edge of
/// the piece, from which its moves are measured. 0 if it does not fill one.
pub(crate) fn way_inside(ctx: &Position<'_>, id: UnitId, base: &Rect, along: Heading) -> i32 {
    let filled = usize::from(ctx.battle.unit(id).fills).checked_sub(1);
    let Some(piece) = filled.and_then(|piece| ctx.setup.terrain.get(piece)) else { return 0 };
    let middle = base.centre();
    if !piece.rect.holds(middle) {
        return 0;
    }
    let from_middle = Rect::new(middle, along, 0, 0);
    let leading = base.corners().map(|corner| from_middle.local(corner).1).into_iter().max().unwrap_or(0) as i32;
    let edge = furthest(piece.rect.width + piece.rect.depth, |far| piece.rect.holds(middle.moved(along, far)));
    (edge - leading).max(0)
}

/// Reports that a move out of the ground that a unit fills is measured from the edge of that ground.
pub(crate) fn tell_way_out(ctx: &mut Context<'_>, id: UnitId, way: &Way) {
    let filled = usize::from(ctx.battle.unit(id).fills).checked_sub(1);
    let Some(piece) = filled.filter(|_| ctx.witness.is_some() && way.distance > 0) else { return };
    let ground = ctx.setup.terrain[piece].ground(ctx.rules);
    let Some(fills) = &ground.fills else { return };
    ctx.tell_special((id, None), &fills.source, |scene| {
        format!("{} measures its move from the edge of the {}.", unit_name(scene, id), ground.title)
    });
}

/// Whether a unit would lose contact with an enemy by moving from here into the middle of a piece.
fn parts(ctx: &Position<'_>, id: UnitId, here: &Rect, piece: usize) -> bool {
    let (piece, touch) = (&ctx.setup.terrain[piece].rect, ctx.rules.movement.touch);
    ctx.targets(id).any(|enemy| {
        let there = ctx.place(enemy);
        here.distance(&there) <= touch && piece.distance(&there) > touch
    })
}

/// Puts a unit into the middle of a piece, which it fills from now on.
pub(crate) fn fill(ctx: &mut Context<'_>, id: UnitId, piece: usize) {
    let here = ctx.rect(id);
    let place = middled(&here, &ctx.setup.terrain[piece]);
    settle_on(ctx, id, &place);
    ctx.battle.unit_mut(id).fills = piece as u8 + 1;
    ctx.tell(|| Event::Filled { unit: id, piece: piece as u8 });
}
