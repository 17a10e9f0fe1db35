//! Terrain: the pieces of terrain on a table, and the terrain at a point.
//!
//! Pieces are rectangles. A line in a study becomes a rectangle whose depth is the thickness of its kind of terrain.
//! Where pieces overlap, the last one in the study is on top. Clauses: 7.23 (linear terrain), 8.16 and 9.59 (terrain
//! that disorders), 9.43 (cover).

use grognard_rules::model::{Ground, Rules};

use crate::geometry::plane::{Point, Rect};

/// The maximum number of pieces of terrain on a table.
pub const TERRAIN_MAX: usize = 64;

/// A piece of terrain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its kind: an index into [`Rules::grounds`].
    pub ground: u8,
    /// Its rectangle.
    pub rect: Rect,
    /// The whole piece in the study; `rect` may be only the part that one unit fills.
    pub whole: Rect,
}

impl Piece {
    /// Its kind of terrain.
    #[inline]
    #[must_use]
    pub fn ground<'r>(&self, rules: &'r Rules) -> &'r Ground {
        &rules.grounds[usize::from(self.ground)]
    }
}

/// The kind of ground at a point; `None` in the open.
pub(crate) fn at(terrain: &[Piece], point: Point) -> Option<u8> {
    terrain.iter().rev().find(|piece| piece.rect.holds(point)).map(|piece| piece.ground)
}

/// The kind of ground at a point, ignoring roads. High ground counts only if nothing else is on it. `None` in the open.
pub(crate) fn under_roads(rules: &Rules, terrain: &[Piece], point: Point) -> Option<u8> {
    let lies = |piece: &&Piece| !piece.ground(rules).road && piece.rect.holds(point);
    let mut there = terrain.iter().rev().filter(lies);
    let low = there.clone().find(|piece| !piece.ground(rules).high);
    low.or_else(|| there.next()).map(|piece| piece.ground)
}

/// Whether any part of a rectangle lies on terrain of this kind. Touching it is not enough.
pub(crate) fn lies_on(rules: &Rules, terrain: &[Piece], place: &Rect, kind: impl Fn(&Ground) -> bool) -> bool {
    let inner = place.inset(rules.movement.touch);
    terrain.iter().any(|piece| kind(piece.ground(rules)) && inner.overlaps(&piece.rect))
}

/// Whether a unit on this ground is covered from an enemy: it is in covering terrain, or there is such terrain between
/// them. `eye` is the point from which the enemy looks. Terrain that contains this point is not between them.
pub(crate) fn covered(rules: &Rules, terrain: &[Piece], unit: &Rect, eye: Point) -> bool {
    let middle = unit.centre();
    terrain.iter().any(|piece| piece.ground(rules).cover && piece.rect.holds(middle))
        || has_cover_between(rules, terrain, unit, eye)
}

/// Whether covering terrain lies between a unit on this ground and an enemy, or extends from the unit towards the enemy
/// (9.43). `eye` is the point from which the enemy looks. Two units in the same wood have nothing between them.
pub(crate) fn has_cover_between(rules: &Rules, terrain: &[Piece], unit: &Rect, eye: Point) -> bool {
    let middle = unit.centre();
    let between = |piece: &Piece| piece.rect.crossed_by(eye, middle) && !piece.rect.holds(eye);
    terrain.iter().any(|piece| piece.ground(rules).cover && between(piece))
}

/// Whether a unit is covered from an enemy's fire. Linear ground that the firer lines covers the firer; it covers a
/// target only if the target also lines it.
pub(crate) fn covered_from_fire(rules: &Rules, terrain: &[Piece], unit: &Rect, firer: &Rect, eye: Point) -> bool {
    let lines = |piece: &Piece, who: &Rect| piece.rect.distance(who) <= rules.dressing.touch;
    terrain.iter().any(|piece| {
        let firers_own = piece.ground(rules).linear && lines(piece, firer) && !lines(piece, unit);
        !firers_own && covered(rules, std::slice::from_ref(piece), unit, eye)
    })
}

/// The distance from a unit to covering linear ground between it and a point; `None` if there is no such ground.
pub(crate) fn shelter(rules: &Rules, terrain: &[Piece], unit: &Rect, from: Point) -> Option<i32> {
    let lines = terrain.iter().filter(|piece| {
        let ground = piece.ground(rules);
        ground.linear && ground.cover && piece.rect.crossed_by(from, unit.centre())
    });
    lines.map(|piece| piece.rect.distance(unit)).min()
}

/// The distance from a point to the nearest ground that disorders units; `None` if there is none.
pub(crate) fn rough(rules: &Rules, terrain: &[Piece], point: Point) -> Option<i32> {
    let disorders = terrain.iter().filter(|piece| piece.ground(rules).disorders.is_some());
    disorders.map(|piece| piece.rect.distance_from(point)).min()
}

/// Whether ground blocks the line of sight between two points. Ground that contains either point does not.
pub(crate) fn hides(rules: &Rules, terrain: &[Piece], eye: Point, goal: Point) -> bool {
    terrain.iter().any(|piece| {
        piece.ground(rules).blocks_sight
            && piece.rect.crossed_by(eye, goal)
            && !piece.rect.holds(eye)
            && !piece.rect.holds(goal)
    })
}

/// Whether a point lies in an area.
pub(crate) fn enclosed(rules: &Rules, terrain: &[Piece], point: Point) -> bool {
    area_under(rules, terrain, point).is_some()
}

/// The area that contains a point, or the topmost one if several do.
pub(crate) fn area_under(rules: &Rules, terrain: &[Piece], point: Point) -> Option<usize> {
    terrain.iter().rposition(|piece| piece.ground(rules).area && piece.rect.holds(point))
}

/// Whether a rectangle touches a road among these pieces.
pub(crate) fn touches_road<'p>(rules: &Rules, pieces: impl IntoIterator<Item = &'p Piece>, place: &Rect) -> bool {
    let touches = |piece: &Piece| piece.rect.distance(place) <= rules.movement.touch;
    pieces.into_iter().any(|piece| piece.ground(rules).road && touches(piece))
}

/// Whether a rectangle touches a road among these pieces that leads through `ground` or through another part of the
/// same piece in the study. If that is a river, the road is a bridge or a ford.
pub(crate) fn bridged<'p>(
    rules: &Rules,
    pieces: impl IntoIterator<Item = &'p Piece>,
    place: &Rect,
    ground: &Piece,
) -> bool {
    touches_road(rules, pieces.into_iter().filter(|road| road.rect.overlaps(&ground.whole)), place)
}

/// Whether a point is on high terrain, regardless of other terrain there.
pub(crate) fn is_high(rules: &Rules, terrain: &[Piece], point: Point) -> bool {
    terrain.iter().any(|piece| piece.ground(rules).high && piece.rect.holds(point))
}

/// Whether this rectangle touches linear terrain, or is within this many hundredths of an inch of it.
pub(crate) fn touches_linear(rules: &Rules, terrain: &[Piece], ground: &Rect, within: i32) -> bool {
    terrain.iter().any(|piece| piece.ground(rules).linear && piece.rect.distance(ground) <= within)
}
