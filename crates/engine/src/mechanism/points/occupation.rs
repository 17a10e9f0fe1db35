//! Occupation: units that fill a piece of ground, and leave it. A unit does not fill ground at the price of a contact.

use grognard_dice::Dice;

use crate::geometry::plane::Rect;
use crate::mechanism::common::moving::settle_on;
use crate::mechanism::points::contact::touching;
use crate::situation::occupied::{is_taken, middled, piece_under};
use crate::state::UnitId;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Witness};

/// Whether a unit fills a piece of ground.
#[inline]
pub(crate) fn fills(ctx: &Position<'_>, id: UnitId) -> bool {
    ctx.battle.unit(id).fills != 0
}

/// Updates the ground that a unit fills after a move: it leaves the old piece, and fills the new one if it may.
pub(crate) fn fill_ground<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, from: &Rect) {
    fill_under(ctx, id, from, false);
}

/// The same for a unit that has taken an enemy's place: it fills that ground even if it otherwise may not.
pub(crate) fn fill_taken_ground<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, from: &Rect) {
    fill_under(ctx, id, from, true);
}

/// Whether a unit may fill a piece of ground.
pub(crate) fn may_fill(ctx: &Position<'_>, id: UnitId, piece: usize) -> bool {
    let fills = ctx.setup.terrain.get(piece).and_then(|piece| piece.ground(ctx.rules).fills.as_ref());
    fills.is_some_and(|fills| ctx.holds(fills.begins.as_ref(), id, None))
}

pub(crate) fn fill_under<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, from: &Rect, taken: bool) {
    if ctx.setup.terrain.is_empty() {
        return;
    }
    ctx.battle.unit_mut(id).fills = 0;
    let unit = ctx.battle.unit(id);
    if unit.gone() {
        return;
    }
    let here = unit.rect(ctx.rules);
    let Some(piece) = piece_under(ctx.rules, &ctx.setup.terrain, &here) else { return };
    let was_in = ctx.setup.terrain[piece].rect.holds(from.centre());
    let free = !is_taken(ctx.rules, ctx.setup, &ctx.battle.units, piece, id) && !parts(ctx, id, piece);
    if !was_in && free && (taken || may_fill(ctx, id, piece)) {
        fill(ctx, id, piece);
    }
}

/// Whether a unit would come apart from an enemy by going from where it stands into the middle of a piece.
fn parts(ctx: &Position<'_>, id: UnitId, piece: usize) -> bool {
    let (piece, touch) = (&ctx.setup.terrain[piece].rect, ctx.rules.movement.touch);
    ctx.targets(id).any(|enemy| touching(ctx, id, enemy) && piece.distance(&ctx.place(enemy)) > touch)
}

/// Puts a unit into the middle of a piece, which it fills from now on.
pub(crate) fn fill<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, piece: usize) {
    let here = ctx.rect(id);
    let place = middled(&here, &ctx.setup.terrain[piece]);
    settle_on(ctx, id, &place);
    ctx.battle.unit_mut(id).fills = piece as u8 + 1;
    ctx.tell(|| Event::Filled { unit: id, piece: piece as u8 });
}
