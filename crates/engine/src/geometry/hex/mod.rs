//! Boards of hexes: facing along spines, arcs, sectors at range and lines of sight. Integers throughout.
//!
//! Directions 0 to 5 lead to the neighbours, east first and then counter-clockwise. Facings 0 to 5 are spines; facing
//! `f` lies between the directions `f` and `f + 1`. A unit stores its axial coordinates as its front and its facing as
//! its heading. Facing 1 is north.

use grognard_rules::model::{DIRECTIONS, HexGrid, HexRules, OFF_BOARD, Provides};

use crate::geometry::plane::{Arc, Heading, Point};
use crate::state::{Battle, HexFlags, Side, Unit, UnitId};

/// No hex.
pub(crate) const OFF_BOARD_HEX: u8 = OFF_BOARD;

/// Every facing, as bits.
pub(crate) const FACINGS: u8 = 63;

/// The spine that a heading points at; `None` if it points anywhere else.
#[must_use]
pub fn spine(heading: Heading) -> Option<u8> {
    let tenths = heading.tenths();
    tenths.is_multiple_of(600).then(|| ((4200 - tenths) / 600 % 6) as u8)
}

/// The spine that a heading points at or is nearest to.
#[inline]
#[must_use]
pub fn facing(heading: Heading) -> u8 {
    ((4200 + 300 - heading.tenths()) / 600 % 6) as u8
}

/// The heading of a spine.
#[inline]
#[must_use]
pub fn heading(facing: u8) -> Heading {
    Heading::from_tenths(600 - 600 * i32::from(facing))
}

/// The two front directions of a facing, as bits.
#[inline]
pub(crate) const fn front(towards: u8) -> u8 {
    [0b11, 0b110, 0b1100, 0b11000, 0b11_0000, 0b10_0001, 0, 0][towards as usize & 7]
}

/// The two rear directions of a facing, as bits.
#[inline]
pub(crate) const fn rear(towards: u8) -> u8 {
    [0b1_1000, 0b11_0000, 0b10_0001, 0b11, 0b110, 0b1100, 0, 0][towards as usize & 7]
}

/// The arc in which the neighbour in a direction lies, for a unit with this facing.
#[inline]
#[must_use]
pub fn arc(direction: u8, facing: u8) -> Arc {
    match (direction + 6 - facing) % 6 {
        0 | 1 => Arc::Front,
        2 | 5 => Arc::Flank,
        _ => Arc::Rear,
    }
}

/// The arc in which the hex at this vector lies, for a unit with this facing; a hex on the line between two arcs is in
/// the one nearer the front.
///
/// The vector is `a` steps in a direction `i` and `b` steps in the next one.
#[must_use]
pub fn sector(q: i32, r: i32, facing: u8) -> Arc {
    let Some((i, a, b)) = split(q, r) else { return Arc::Front };
    match (i + 6 - facing) % 6 {
        0 => Arc::Front,
        1 if b <= a => Arc::Front,
        5 if a <= b => Arc::Front,
        3 => Arc::Rear,
        2 if b > a => Arc::Rear,
        4 if a > b => Arc::Rear,
        _ => Arc::Flank,
    }
}

/// The facings, as bits, that have the hex at this vector in the front sector.
pub(crate) fn ahead(q: i32, r: i32) -> u8 {
    let Some((i, a, b)) = split(q, r) else { return FACINGS };
    1 << i | u8::from(b <= a) << ((i + 5) % 6) | u8::from(a <= b) << ((i + 1) % 6)
}

/// A vector as `a` steps in direction `i`, at least one, and `b` steps in the next; `None` for the zero vector.
fn split(q: i32, r: i32) -> Option<(u8, i32, i32)> {
    let s = -q - r;
    Some(match () {
        () if (q, r) == (0, 0) => return None,
        // Between east and north-east: `q + r` steps of (1, 0) and `-r` steps of (1, -1); and so on round the hex.
        () if q + r > 0 && r <= 0 => (0, q + r, -r),
        () if q > 0 && s >= 0 => (1, q, s),
        () if r < 0 && q <= 0 => (2, -r, -q),
        () if q + r < 0 && r >= 0 => (3, s, r),
        () if q < 0 && s <= 0 => (4, -q, -s),
        () => (5, r, q),
    })
}

/// The direction of a neighbour; `None` if the two are not neighbours.
#[inline]
#[must_use]
pub fn direction(from: Point, to: Point) -> Option<u8> {
    /// Directions by row and column, both from -1.
    static STEPS: [[Option<u8>; 3]; 3] = [[None, Some(2), Some(1)], [Some(3), None, Some(0)], [Some(4), Some(5), None]];
    let row = STEPS.get(usize::try_from(to.y - from.y + 1).ok()?)?;
    *row.get(usize::try_from(to.x - from.x + 1).ok()?)?
}

/// The direction nearest to the line from one hex to another. If two are equally near, it is the one to the right of
/// the line.
pub(crate) fn towards(from: Point, to: Point) -> u8 {
    split(to.x - from.x, to.y - from.y).map_or(0, |(way, a, b)| if b <= a { way } else { (way + 1) % 6 })
}

/// The two directions towards a side's own baseline. A third side's is in the west, and a fourth's in the east.
#[must_use]
pub const fn homeward(side: Side) -> [u8; 2] {
    match side {
        Side::First => [4, 5],
        Side::Second => [1, 2],
        Side::Third => [3, 2],
        Side::Fourth => [0, 5],
    }
}

/// The facing away from a side's own baseline.
#[must_use]
pub const fn onward(side: Side) -> u8 {
    match side {
        Side::First => 1,
        Side::Second => 4,
        Side::Third => 0,
        Side::Fourth => 3,
    }
}

/// The number of steps between two hexes.
#[inline]
#[must_use]
pub fn distance(from: Point, to: Point) -> i32 {
    let (q, r) = (to.x - from.x, to.y - from.y);
    (q.abs() + r.abs() + (q + r).abs()) / 2
}

/// Whether a unit can see another's hex: the line from centre to centre passes through no closed hex, and along no side
/// between two closed hexes.
#[must_use]
pub fn sees(grid: &HexGrid, closed: u128, from: Point, to: Point) -> bool {
    let steps = distance(from, to);
    if steps == 2 {
        // The line passes through a hex next to both, or along the side between two such hexes.
        let between = |at: Point| grid.around(grid.at(at.x, at.y));
        return between(from) & between(to) & !closed != 0;
    }
    let Some((way, a, b)) = split(to.x - from.x, to.y - from.y) else { return true };
    let [(q, r), (next_q, next_r)] =
        [way, (way + 1) % 6].map(|way| DIRECTIONS[usize::from(way)]).map(|(q, r)| (i32::from(q), i32::from(r)));
    let shut = |(i, j): (i32, i32)| {
        let hex = grid.at(from.x + i * q + j * next_q, from.y + i * r + j * next_r);
        hex == OFF_BOARD || closed >> hex & 1 == 1
    };
    // The line passes through a hex if the hex's centre is nearer to the line than the hex's farthest corner is to the
    // centre, both measured across the line. At equal distances, the line touches a corner, or runs along a side.
    let reach = a + b + a.max(b);
    (1..steps).all(|step| {
        let hexes = ((step - a).max(0)..=step.min(b)).map(|j| (step - j, j));
        let off = |&(i, j): &(i32, i32)| 3 * (a * j - b * i).abs();
        let mut beside = hexes.clone().filter(|hex| a == b && off(hex) == reach).map(&shut);
        let along = beside.next().is_none_or(|first| !first || beside.any(|other| !other));
        along && !hexes.filter(|hex| off(hex) < reach).any(&shut)
    })
}

/// The arc that a unit shows to a position. If the rules have no facing, this is always the front.
#[inline]
#[must_use]
pub fn shown(hex: &HexRules, unit: &Unit, to: Point) -> Arc {
    if !hex.any(Provides::Facing) || hex_leader_alone(unit) {
        return Arc::Front;
    }
    sector(to.x - unit.front.x, to.y - unit.front.y, facing(unit.heading))
}

/// Whether this is a leader on his own, not with a unit. Such a leader has no facing.
#[inline]
#[must_use]
pub fn hex_leader_alone(unit: &Unit) -> bool {
    unit.hex.flags.has(HexFlags::LEADER) && unit.hex.mate.is_none()
}

/// The hex that a unit is in.
#[inline]
pub(crate) fn hex_of(grid: &HexGrid, unit: &Unit) -> u8 {
    grid.at(unit.front.x, unit.front.y)
}

/// The hexes of a set, lowest first.
#[inline]
pub(crate) fn bits(mut word: u128) -> impl Iterator<Item = u8> + Clone {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            lowest as u8
        })
    })
}

/// The hexes of a set in a side's order, starting from its rear and right, so that neither side is favoured.
pub(crate) fn seen_by(side: Side, mut word: u128) -> impl Iterator<Item = u8> + Clone {
    std::iter::from_fn(move || {
        let next = match side {
            Side::First | Side::Fourth => word.checked_ilog2()?,
            Side::Second | Side::Third => word.trailing_zeros(),
        };
        (word != 0).then(|| {
            word &= !(1 << next);
            next as u8
        })
    })
}

/// The position of a hex in the order of [`seen_by`].
pub(crate) const fn place_seen_by(side: Side, hex: u8) -> u8 {
    match side {
        Side::First | Side::Fourth => u8::MAX - hex,
        Side::Second | Side::Third => hex,
    }
}

/// The six directions in a side's order: from its right, counter-clockwise.
pub(crate) const fn ways_of(side: Side) -> [u8; 6] {
    match side {
        Side::First => [0, 1, 2, 3, 4, 5],
        Side::Second => [3, 4, 5, 0, 1, 2],
        Side::Third => [5, 0, 1, 2, 3, 4],
        Side::Fourth => [2, 3, 4, 5, 0, 1],
    }
}

/// The unit in a hex. A leader with a unit does not count.
#[inline]
pub(crate) fn occupant(battle: &Battle, at: Point) -> Option<UnitId> {
    let stands = |unit: &Unit| unit.front == at && !unit.gone() && !attached(unit);
    battle.units.iter().position(stands).map(|index| UnitId(index as u8))
}

/// For each hex, the directions in which a hex of some set is adjacent, as bits. Any byte is a valid index, so callers
/// need not check that it is a hex.
pub(crate) type Beside = [u8; 256];

/// The empty set.
pub(crate) const NOTHING: Beside = [0; 256];

/// For each hex on the board, the directions of its neighbours that are in this set.
pub(crate) fn beside(grid: &HexGrid, mut hexes: u128) -> Beside {
    let mut all = NOTHING;
    while hexes != 0 {
        let at = hexes.trailing_zeros() as u8;
        hexes &= hexes - 1;
        for (near, back) in grid.neighbours(at).into_iter().zip([3, 4, 5, 0, 1, 2]) {
            all[usize::from(near)] |= 1 << back;
        }
    }
    all
}

/// The enemies of a side in the hexes around a hex, by direction.
pub(crate) fn enemies_beside(battle: &Battle, side: Side, at: Point) -> [Option<UnitId>; 6] {
    let mut around = [None; 6];
    for id in battle.enemies(side) {
        let unit = battle.unit(id);
        if let Some(direction) = direction(at, unit.front).filter(|_| !unit.gone() && !attached(unit)) {
            around[usize::from(direction)].get_or_insert(id);
        }
    }
    around
}

/// Whether a unit is a leader who is with another unit.
#[inline]
pub(crate) fn attached(unit: &Unit) -> bool {
    unit.hex.flags.has(HexFlags::LEADER) && unit.hex.mate.is_some()
}

#[cfg(test)]
mod tests;
