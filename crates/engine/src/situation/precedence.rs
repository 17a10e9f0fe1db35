//! Precedence: the order of units that the rules treat alike, such as enemies at the same distance.
//!
//! Type, morale and figures decide first, then position from their own side's point of view: the foremost, then the one
//! on the right; on hexes, their side's order of hexes. The order in which a study lists its units decides only between
//! units that are alike in all these respects. A battle rotated by 180 degrees therefore has the same odds.
//!
//! Example: two battalions are at the same distance to the left and right of a battery. The battery fires at the one
//! with fewer figures or, if they have equal numbers, at the one on the right of its own line.

use std::cmp::{Ordering, Reverse};

use arrayvec::ArrayVec;
use grognard_rules::model::Board;

use crate::geometry::hex;
use crate::geometry::plane::{Heading, Point, Rect};
use crate::situation::neighbours::Neighbours;
use crate::state::{UNITS_MAX, Unit, UnitId};

impl Neighbours<'_> {
    /// The unit with the lowest key. If several have the same key, the first by precedence.
    #[inline]
    pub(crate) fn first_by<K: Ord>(
        self,
        units: impl Iterator<Item = UnitId>,
        key: impl Fn(UnitId) -> K,
    ) -> Option<UnitId> {
        self.first_keyed(units.map(|id| (key(id), id))).map(|(_, id)| id)
    }

    /// Like [`Neighbours::first_by`], for units with their keys.
    #[inline]
    pub(crate) fn first_keyed<K: Ord>(self, keyed: impl Iterator<Item = (K, UnitId)>) -> Option<(K, UnitId)> {
        keyed.min_by(|one, other| self.compare(one, other))
    }

    /// Units in order of precedence.
    pub(crate) fn in_order(self, units: impl Iterator<Item = UnitId>) -> ArrayVec<UnitId, UNITS_MAX> {
        let mut units: ArrayVec<UnitId, UNITS_MAX> = units.collect();
        units.sort_unstable_by(|&one, &other| self.precedence(one, other));
        units
    }

    /// Compares two units by their keys, and by precedence if these are equal.
    #[inline]
    pub(crate) fn compare<K: Ord>(self, one: &(K, UnitId), other: &(K, UnitId)) -> Ordering {
        one.0.cmp(&other.0).then_with(|| self.precedence(one.1, other.1))
    }

    /// Compares two units that the rules treat alike.
    #[cold]
    pub(crate) fn precedence(self, one: UnitId, other: UnitId) -> Ordering {
        let [a, b] = [one, other].map(|id| self.battle.unit(id));
        let is = |unit: &Unit| (unit.kind, unit.morale, unit.figures, unit.counters);
        let has = |unit: &Unit| (unit.heading.tenths(), unit.formation, unit.start, unit.doctrine, unit.command);
        let stands = |id: UnitId| Reverse(self.battle.standing(id));
        is(a)
            .cmp(&is(b))
            .then_with(|| self.compare_places(a, b))
            .then_with(|| has(a).cmp(&has(b)))
            .then_with(|| stands(one).cmp(&stands(other)))
            .then(a.number.cmp(&b.number))
            .then(one.cmp(&other))
    }

    fn compare_places(self, a: &Unit, b: &Unit) -> Ordering {
        match self.rules.board {
            Board::None => Ordering::Equal,
            Board::Hex => self.rules.hex.as_ref().map_or(Ordering::Equal, |board| {
                let place = |unit: &Unit| hex::place_seen_by(unit.side, hex::hex_of(&board.grid, unit));
                place(a).cmp(&place(b))
            }),
            Board::Plane { .. } if a.front == b.front && a.side == b.side => Ordering::Equal,
            Board::Plane { .. } => {
                let home = self.setup.home(a.side);
                let home = [home, if a.side == b.side { home } else { self.setup.home(b.side) }];
                seen_from(home[0], a.front).cmp(&seen_from(home[1], b.front))
            }
        }
    }
}

/// The sort key of a point for a side that looks away from its home edge: the foremost point comes first, then the one
/// on the right.
pub(crate) fn seen_from(home: Heading, point: Point) -> (Reverse<i64>, Reverse<i64>) {
    let (aside, ahead) = Rect::new(Point::default(), home.reversed(), 0, 0).local(point);
    (Reverse(ahead), Reverse(aside))
}
