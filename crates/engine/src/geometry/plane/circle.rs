//! Circles around and inside units, which decide most distance questions.

use crate::geometry::plane::point::Point;
use crate::geometry::plane::rect::Rect;

/// An upper limit, in hundredths of an inch, for the total rounding error when measuring between two rectangles.
pub(super) const ROUNDING: i64 = 8;

/// A distance larger than any table, in hundredths of an inch. Several such distances can be added without overflow.
const VAST: i32 = 1 << 28;

/// The circles around and inside a rectangle, concentric with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The middle.
    pub centre: Point,
    /// The distance from the middle to the farthest corner, in hundredths of an inch, or slightly more.
    outer: i32,
    /// The distance from the middle to the nearest edge, in hundredths of an inch, or slightly less.
    inner: i32,
}

impl Circle {
    /// The circles of an empty rectangle.
    pub(crate) const NOWHERE: Self = Self { centre: Point { x: 0, y: 0 }, outer: 1, inner: 0 };

    /// The circles of a rectangle.
    #[inline]
    #[must_use]
    pub fn of(rect: &Rect) -> Self {
        let (width, depth) = (rect.width, rect.depth);
        Self { centre: rect.centre(), outer: (width + depth) / 2 + 1, inner: width.min(depth) / 2 }
    }

    /// Circles with the same middle that give no information about distance.
    #[inline]
    #[must_use]
    pub(crate) const fn vague(self) -> Self {
        Self { outer: VAST, inner: -VAST, ..self }
    }

    /// Whether two rectangles are more than this many hundredths of an inch apart, according to the circles around
    /// them. True is certain; false is not.
    #[inline]
    #[must_use]
    pub fn beyond(&self, other: &Self, reach: i32) -> bool {
        let within = i64::from(reach) + i64::from(self.outer) + i64::from(other.outer) + ROUNDING;
        self.centre.square_distance(other.centre) > within * within
    }

    /// Whether two rectangles are no more than this many hundredths of an inch apart, according to the circles
    /// inside them.
    #[inline]
    #[must_use]
    pub fn near(&self, other: &Self, reach: i32) -> bool {
        let within = i64::from(reach) + i64::from(self.inner) + i64::from(other.inner) - ROUNDING;
        within >= 0 && self.centre.square_distance(other.centre) <= within * within
    }

    /// Whether no part of a rectangle is more than this many hundredths of an inch from another, according to the
    /// circle around it.
    #[inline]
    #[must_use]
    pub fn within(&self, other: &Self, reach: i32) -> bool {
        let within = i64::from(reach) - i64::from(self.outer) - ROUNDING;
        within >= 0 && self.centre.square_distance(other.centre) <= within * within
    }

    /// Whether the straight line between two points misses the rectangle, according to the square around its circle.
    #[inline]
    #[must_use]
    pub fn missed_by(&self, from: Point, to: Point) -> bool {
        let far = self.outer + ROUNDING as i32;
        let aside = |here: i32, from: i32, to: i32| from.max(to) < here - far || from.min(to) > here + far;
        aside(self.centre.x, from.x, to.x) || aside(self.centre.y, from.y, to.y)
    }

    /// The radius of the outer circle, with an allowance for rounding.
    #[inline]
    pub(super) fn radius(&self) -> i64 {
        i64::from(self.outer) + ROUNDING
    }
}
