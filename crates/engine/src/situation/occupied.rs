//! Ground that is filled: a unit that stands in a wood or a village takes up all of it.
//!
//! The place of such a unit is the piece: distances are measured from its edge, touching it is touching the unit, nobody else
//! stands in it, and the unit has no flanks. It stands with its middle on the middle of the piece. It fills a piece from when
//! its move has brought its middle into it, off the road and with nobody else there, until it moves again.
//!
//! Example: infantry in the middle of a wood 4" deep; guns 9" from it are 7" from the edge, and 7" is what the range is.

use grognard_dice::Dice;
use grognard_rules::model::Rules;

use crate::geometry::plane::Rect;
use crate::mechanism::common::ground::on_road;
use crate::mechanism::figures::movement::settle_on;
use crate::state::battle::{Setup, Unit, UnitId};
use crate::state::terrain::Piece;
use crate::step::context::Context;
use crate::telling::event::{Event, Witness};

/// The ground of a unit: its own, or the piece that it fills.
#[inline]
pub(crate) fn place(rules: &Rules, terrain: &[Piece], unit: &Unit) -> Rect {
    match unit.fills {
        0 => unit.rect(rules),
        piece => terrain.get(usize::from(piece) - 1).map_or_else(|| unit.rect(rules), |piece| piece.rect),
    }
}

/// The piece in which a place has its middle that whoever stands in it fills; none on a road.
pub(crate) fn piece_under(rules: &Rules, terrain: &[Piece], place: &Rect) -> Option<usize> {
    let touch = rules.movement.touch;
    let under = |piece: &Piece| piece.ground(rules).fills.is_some() && piece.rect.inset(touch).holds(place.centre());
    let found = terrain.iter().rposition(under)?;
    (!on_road(rules, terrain, place)).then_some(found)
}

/// The same ground about the middle of a piece.
pub(crate) fn middled(place: &Rect, piece: &Piece) -> Rect {
    let middle = piece.rect.centre();
    Rect::new(middle.moved(place.heading(), place.depth / 2), place.heading(), place.width, place.depth)
}

/// Whether any other unit stands in a piece.
pub(crate) fn is_taken(rules: &Rules, setup: &Setup, units: &[Unit], piece: usize, but: UnitId) -> bool {
    let Some(found) = setup.terrain.get(piece) else { return true };
    let inner = found.rect.inset(rules.movement.touch);
    let mut others = units.iter().enumerate();
    others.any(|(index, other)| {
        index != but.index() && !other.gone() && inner.overlaps(&place(rules, &setup.terrain, other))
    })
}

impl<D: Dice, W: Witness> Context<'_, D, W> {
    /// The ground of a unit: its own, or the piece that it fills.
    #[inline]
    pub(crate) fn place(&self, id: UnitId) -> Rect {
        self.scratch.stands.place(self.rules, &self.setup.terrain, id, self.battle.unit(id))
    }
}

/// Whether a unit fills a piece of ground.
#[inline]
pub(crate) fn fills<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, id: UnitId) -> bool {
    ctx.battle.unit(id).fills != 0
}

/// A unit has moved from here to where it stands: it no longer fills what it filled, and fills what it has come into and
/// may.
pub(crate) fn fill_ground<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, from: &Rect) {
    fill_under(ctx, id, from, false);
}

/// The same for a unit that has taken the place of an enemy: it fills that one's ground, whoever may fill it otherwise.
pub(crate) fn fill_taken_ground<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, from: &Rect) {
    fill_under(ctx, id, from, true);
}

/// Whether a unit is of those that may fill a piece.
pub(crate) fn may_fill<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, id: UnitId, piece: usize) -> bool {
    let fills = ctx.setup.terrain.get(piece).and_then(|piece| piece.ground(ctx.rules).fills.as_ref());
    fills.is_some_and(|fills| ctx.holds(fills.begins.as_ref(), id, None))
}

fn fill_under<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, from: &Rect, taken: bool) {
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
    if was_in || !(taken || may_fill(ctx, id, piece)) || is_taken(ctx.rules, ctx.setup, &ctx.battle.units, piece, id) {
        return;
    }
    fill(ctx, id, piece);
}

/// Puts a unit into the middle of a piece, which it fills from now on.
pub(crate) fn fill<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, piece: usize) {
    let here = ctx.rect(id);
    let place = middled(&here, &ctx.setup.terrain[piece]);
    settle_on(ctx, id, &place);
    ctx.battle.unit_mut(id).fills = piece as u8 + 1;
    ctx.tell(|| Event::Filled { unit: id, piece: piece as u8 });
}
