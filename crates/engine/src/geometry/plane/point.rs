//! Points of the plane.

use crate::geometry::plane::heading::{Heading, ONE};

/// A point on the table, in hundredths of an inch. The origin is the middle of the table, with x to the east and y to
/// the north.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The distance east of the origin.
    pub x: i32,
    /// The distance north of the origin.
    pub y: i32,
}

/// `value / ONE`, rounded to the nearest integer. Halves are rounded away from zero, so that the table looks the same
/// from all sides.
pub(crate) const fn unscale(value: i64) -> i64 {
    // The sign as a number: 0 or -1.
    (value + ONE / 2 + (value >> 63)) >> 16
}

/// The square root of `square`, rounded down. On most tables, squares of distances fit into 32 bits, for which the root
/// is faster.
#[inline]
pub(super) fn root(square: i64) -> i32 {
    u32::try_from(square).map_or_else(|_| square.isqrt() as i32, |square| square.isqrt() as i32)
}

impl Point {
    /// This point moved along a heading by this many hundredths of an inch.
    #[must_use]
    pub fn moved(self, heading: Heading, distance: i32) -> Self {
        let (fx, fy) = heading.forward();
        Self { x: self.x + unscale(fx * distance as i64) as i32, y: self.y + unscale(fy * distance as i64) as i32 }
    }

    /// The intersection of two lines, each of which passes through a point at right angles to a heading. `None` if they
    /// are parallel.
    #[must_use]
    pub fn where_lines_meet((point, across): (Self, Heading), (other, other_across): (Self, Heading)) -> Option<Self> {
        let ((ax, ay), (bx, by)) = (across.forward(), other_across.forward());
        let ahead = bx * i64::from(other.x - point.x) + by * i64::from(other.y - point.y);
        let turn = ax * by - ay * bx;
        let away = |along: i64| i32::try_from(ahead * along / turn).ok();
        if turn == 0 {
            None
        } else {
            Some(Self { x: point.x.checked_add(away(-ay)?)?, y: point.y.checked_add(away(ax)?)? })
        }
    }

    /// The square of the distance to another point.
    #[inline]
    #[must_use]
    pub const fn square_distance(self, other: Self) -> i64 {
        let (dx, dy) = (self.x as i64 - other.x as i64, self.y as i64 - other.y as i64);
        dx * dx + dy * dy
    }
}
