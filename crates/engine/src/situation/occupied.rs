//! Filled terrain: a unit in a wood or a village takes up all of it.
//!
//! The unit's ground is the whole piece. Distances are measured from the edge of the piece, anything that touches the
//! piece touches the unit, no other unit can be in it, and the unit has no flanks. The unit is centred on the piece. A
//! unit starts to fill a piece when a move brings its middle into the piece, off the road, and no other unit is there,
//! or when the others have gone. It stops when a move takes its middle out.
//!
//! Example: infantry is in the middle of a wood 4" deep. Guns 9" from the infantry are 7" from the edge of the wood, so
//! the range is 7".

use grognard_rules::model::Rules;

use crate::geometry::plane::Rect;
use crate::state::general::base;
use crate::state::{Battle, Piece, Setup, Unit, UnitId};

/// The ground of a unit: its own, or the piece that it fills.
#[inline]
pub(crate) fn place(rules: &Rules, terrain: &[Piece], unit: &Unit) -> Rect {
    match unit.fills {
        0 => unit.rect(rules),
        piece => terrain.get(usize::from(piece) - 1).map_or_else(|| unit.rect(rules), |piece| piece.rect),
    }
}

/// The ground of a general: his base, or the ground of the unit that he is with.
pub(crate) fn ground_of(rules: &Rules, setup: &Setup, battle: &Battle, general: usize) -> Rect {
    let general = &battle.generals[general];
    match general.with {
        Some(unit) => place(rules, &setup.terrain, battle.unit(unit)),
        None => base(rules, general.at),
    }
}

/// The fillable piece that contains the middle of a rectangle; `None` on a road.
pub(crate) fn piece_under(rules: &Rules, setup: &Setup, place: &Rect) -> Option<usize> {
    let touch = rules.movement.touch;
    let under = |piece: &Piece| piece.ground(rules).fills.is_some() && piece.rect.inset(touch).holds(place.centre());
    let found = setup.terrain.iter().rposition(under)?;
    (!setup.roads.carry(place)).then_some(found)
}

/// Centres a rectangle on a piece.
pub(crate) fn middled(place: &Rect, piece: &Piece) -> Rect {
    let middle = piece.rect.centre();
    Rect::new(middle.moved(place.heading(), place.depth / 2), place.heading(), place.width, place.depth)
}

/// Whether any other unit is in a piece.
pub(crate) fn is_taken(rules: &Rules, setup: &Setup, units: &[Unit], piece: usize, but: UnitId) -> bool {
    let Some(found) = setup.terrain.get(piece) else { return true };
    let inner = found.rect.inset(rules.movement.touch);
    let mut others = units.iter().enumerate();
    others.any(|(index, other)| {
        index != but.index() && !other.gone() && inner.overlaps(&place(rules, &setup.terrain, other))
    })
}
