//! Courses: moves of a rectangle without turning, straight ahead or, for units with all-around facing, in any
//! direction.

use crate::geometry::plane::heading::Heading;
use crate::geometry::plane::rect::{Rect, TOUCH};

/// A straight move in any direction, from a starting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The starting position.
    pub from: Rect,
    /// The direction.
    pub along: Heading,
}

impl Course {
    /// Straight ahead.
    #[must_use]
    pub fn ahead(from: Rect) -> Self {
        Self { from, along: from.heading() }
    }

    fn is_ahead(&self) -> bool {
        self.along == self.from.heading()
    }

    /// The position after a move of this many hundredths of an inch.
    #[inline]
    #[must_use]
    pub fn at(&self, distance: i32) -> Rect {
        if self.is_ahead() { self.from.marched(distance) } else { self.from.moved(self.along, distance) }
    }

    /// The distance until the rectangle touches another one, in hundredths of an inch. `None` if it passes by, even if
    /// the edges touch.
    #[inline]
    #[must_use]
    pub fn to_contact(&self, other: &Rect) -> Option<i32> {
        if self.is_ahead() {
            return self.from.march_to_contact(other);
        }
        self.passage(other).filter(|&(_, leave)| leave > 0).map(|(enter, _)| enter.max(0))
    }

    /// The start and the end of the overlap with another rectangle, in hundredths of an inch, as in [`Rect::passage`].
    /// In a sideways move, rectangles that overlap only by rounding count as touching.
    #[inline]
    #[must_use]
    pub fn passage(&self, other: &Rect) -> Option<(i32, i32)> {
        if self.is_ahead() {
            return self.from.passage(other);
        }
        let (_, leave) = self.from.inset(TOUCH as i32).passage_along(other, self.along)?;
        let (enter, _) = self.from.passage_along(other, self.along)?;
        Some((enter, leave))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Heading, Point, Rect};
    use super::Course;

    fn rect(at: (i32, i32), tenths: i32, width: i32, depth: i32) -> Rect {
        Rect::new(Point { x: at.0, y: at.1 }, Heading::from_tenths(tenths), width, depth)
    }

    fn course(tenths: i32) -> Course {
        Course { from: rect((0, 0), 0, 150, 150), along: Heading::from_tenths(tenths) }
    }

    #[test]
    fn a_square_goes_to_any_side_without_turning() {
        let end = course(900).at(400);
        assert_eq!((end.front, end.heading()), (Point { x: 400, y: 0 }, Heading::NORTH));
        // The other one is an inch to its right, 1.5" deep.
        let other = rect((250, 0), 0, 150, 150);
        assert_eq!(course(900).to_contact(&other), Some(100));
        assert_eq!(course(2700).to_contact(&other), None, "it goes the other way");
        assert_eq!(course(1800).to_contact(&other), None);
        // At 45 degrees, moving an inch to the side takes 1.41".
        let corner = course(450).to_contact(&rect((250, 150), 0, 150, 400)).expect("it is met");
        assert!((140..=142).contains(&corner), "{corner}");
    }

    #[test]
    fn it_leaves_what_it_touches() {
        let behind = rect((0, -150), 0, 400, 400);
        for tenths in [10, 300, 900, 2700, 3599] {
            assert_eq!(course(tenths).to_contact(&behind), None, "{tenths}");
        }
        assert_eq!(course(1200).to_contact(&behind), Some(0));
    }

    #[test]
    fn it_is_over_other_ground_as_long_as_any_part_of_it_is() {
        // The terrain is from 2" to 2.2" to the right of its middle: its right edge reaches it after 1.25", and its
        // left edge leaves it after 2.95".
        let strip = rect((210, 1000), 0, 20, 2000);
        let (enter, leave) = course(900).passage(&strip).expect("it is crossed");
        assert_eq!(enter, 125);
        assert!((293..=295).contains(&leave), "{leave}");
    }
}
