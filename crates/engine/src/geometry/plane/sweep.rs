//! Marching over ground: the part of a straight march in which a rectangle overlaps another one.

use crate::geometry::plane::heading::{Heading, ONE};
use crate::geometry::plane::point::Point;
use crate::geometry::plane::rect::Rect;

impl Rect {
    /// The start and the end of the overlap with another rectangle in a march straight ahead, in hundredths of an inch.
    /// `None` if there is no overlap. Negative distances are behind this rectangle.
    #[must_use]
    pub fn passage(&self, other: &Self) -> Option<(i32, i32)> {
        self.swept(other, (0, 10_000))
    }

    /// Like [`Rect::passage`], for a move along a heading without turning.
    pub(super) fn passage_along(&self, other: &Self, along: Heading) -> Option<(i32, i32)> {
        self.swept(other, self.local(self.front.moved(along, 10_000)))
    }

    /// Like [`Rect::passage`], for a move with this displacement, to the right and ahead, in every 100 inches. One inch
    /// would be too short for an exact direction.
    ///
    /// Two convex shapes overlap while their projections on every edge's normal do. Each projection moves at a constant
    /// speed, so each normal gives an interval of the march. The result is the intersection of these intervals.
    fn swept(&self, other: &Self, (right, ahead): (i64, i64)) -> Option<(i32, i32)> {
        let least = |values: [i64; 4]| values.into_iter().min().unwrap_or(0);
        let most = |values: [i64; 4]| values.into_iter().max().unwrap_or(0);
        // The part of the march for which the projections on an axis overlap. The arguments are this rectangle's
        // projection, its speed, and the other one's projection.
        let (mut enter, mut leave) = (-ONE * 16, ONE * 16);
        let mut overlap = |(rear, front): (i64, i64), speed: i64, (low, high): (i64, i64)| {
            if speed == 0 {
                return rear < high && front > low;
            }
            let (first, last) = ((low - front) * 10_000 / speed, (high - rear) * 10_000 / speed);
            enter = enter.max(first.min(last));
            leave = leave.min(first.max(last));
            enter < leave
        };
        // For most rectangles, the axes of this one already show that there is no overlap.
        let theirs = other.corners().map(|corner| self.local(corner));
        let (x, y) = (theirs.map(|(x, _)| x), theirs.map(|(_, y)| y));
        let (width, depth) = (i64::from(self.width), i64::from(self.depth));
        // Sideways coordinates are doubled, so that half the width is a whole number.
        if !overlap((-width, width), 2 * right, (2 * least(x), 2 * most(x)))
            || !overlap((-depth, 0), ahead, (least(y), most(y)))
        {
            return None;
        }
        let clamp = |value: i64| value.clamp(-ONE * 16, ONE * 16) as i32;
        // Rectangles parallel to the table's edges have the same axes, without any rounding.
        let along_edges = |rect: &Self| rect.heading().tenths().is_multiple_of(900) && rect.width % 2 == 0;
        if along_edges(self) && along_edges(other) {
            return Some((clamp(enter), clamp(leave)));
        }
        let mine = self.corners().map(|corner| other.local(corner));
        let (mine_x, mine_y) = (mine.map(|(x, _)| x), mine.map(|(_, y)| y));
        let origin = other.local(self.front);
        let far = other.local(self.at(right as i32, ahead as i32));
        let (their_half, their_depth) = (i64::from(other.width) / 2, i64::from(other.depth));
        if !overlap((least(mine_x), most(mine_x)), far.0 - origin.0, (-their_half, their_half))
            || !overlap((least(mine_y), most(mine_y)), far.1 - origin.1, (-their_depth, 0))
        {
            return None;
        }
        Some((clamp(enter), clamp(leave)))
    }

    /// Whether a point lies in the rectangle or on its edge.
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        let (x, y) = self.local(point);
        2 * x.abs() <= i64::from(self.width) && y <= 0 && y >= -i64::from(self.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Heading, Point, Rect};

    fn rect(at: (i32, i32), tenths: i32, width: i32, depth: i32) -> Rect {
        Rect::new(Point { x: at.0, y: at.1 }, Heading::from_tenths(tenths), width, depth)
    }

    #[test]
    fn a_line_passes_a_hedge_ahead_of_it() {
        // The hedge is from 2.0" to 2.2" ahead; the line is half an inch deep.
        let hedge = rect((0, 220), 0, 2000, 20);
        assert_eq!(rect((0, 0), 0, 300, 50).passage(&hedge), Some((200, 270)));
        assert_eq!(rect((0, 0), 1800, 300, 50).passage(&hedge), Some((-220, -150)));
        assert_eq!(rect((0, 0), 900, 300, 50).passage(&hedge), None);
    }

    #[test]
    fn a_march_aslant_is_longer_over_the_same_ground() {
        // At 60 degrees to the hedge's normal, a march of two inches brings the unit one inch nearer. The corner
        // nearest to the hedge is ahead by half the width times sin 60: 0.5" x 0.866 = 0.43", which is 0.87" of march.
        let hedge = rect((0, 220), 0, 20_000, 20);
        let (enter, leave) = rect((0, 0), 600, 100, 50).passage(&hedge).expect("it meets the hedge");
        assert!((enter - (400 - 87)).abs() <= 2, "{enter}");
        // The rear of the other corner is 0.43" + 0.5" x 0.5 = 0.68" behind the middle of the front.
        assert!((leave - (440 + 137)).abs() <= 2, "{leave}");
    }

    #[test]
    fn only_the_relative_motion_counts() {
        // Whichever rectangle moves, its axes are checked first, and the axes of the other one may be skipped. Only
        // slanted corners are rounded.
        let still = rect((130, 270), 2700, 80, 300);
        for (turn, width, rounding) in [(0, 120, 0), (900, 121, 0), (1800, 120, 0), (2700, 121, 0), (450, 120, 9)] {
            for along in (0..3600).step_by(50) {
                let moving = rect((-35, 11), turn, width, 70);
                let there = moving.passage_along(&still, Heading::from_tenths(along));
                let back = still.passage_along(&moving, Heading::from_tenths(along).reversed());
                let ends = |(enter, leave)| [enter, leave];
                let near = there.map(ends).zip(back.map(ends)).is_some_and(|(there, back)| {
                    there.iter().zip(back).all(|(one, other): (&i32, i32)| (one - other).abs() <= rounding)
                });
                assert!(near || there == back, "turned by {turn}, along {along}: {there:?}, {back:?}");
            }
        }
    }

    #[test]
    fn a_piece_beside_the_way_is_not_met() {
        let woods = rect((500, 600), 0, 400, 400);
        assert_eq!(rect((0, 0), 0, 600, 50).passage(&woods), None, "they would only touch");
        assert_eq!(rect((0, 0), 0, 602, 50).passage(&woods), Some((200, 650)));
    }
}
