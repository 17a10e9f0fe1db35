//! Contact of two rectangles: on the front, the flank or the rear, depending on where the move began and ended.
//!
//! Flank contact: the attacker began with no part straight ahead of the defender, and its front edge touches one of the
//! defender's rear corners. Rear contact: the attacker began entirely behind the line of the defender's rear edge,
//! faces the same way, and has at least half of its front edge on that edge; such a contact does not count as a flank
//! contact. Example: a defender 2.5" by 1" with its middle at the origin, facing north; an attacker 1.5" by 1" that
//! moves from (6,0) to (1.75,0) facing west makes flank contact.

use crate::geometry::plane::heading::{Heading, cosine, sine};
use crate::geometry::plane::point::{Point, root};
use crate::geometry::plane::rect::{Arc, Rect};

/// Headings up to this many tenths of a degree apart count as equal.
const SAME_WAY: i32 = 50;

/// The unit vectors' scale, see [`crate::geometry::plane::Heading::forward`].
const ONE: i64 = 1 << 16;

impl Rect {
    /// The side on which a move from `start` to here struck a defender, for contact up to `touch` hundredths of an
    /// inch.
    #[must_use]
    pub fn strikes(&self, start: &Self, defender: &Self, touch: i32) -> Arc {
        if self.strikes_rear(start, defender, touch) {
            Arc::Rear
        } else if start.clear_of_front(defender) && self.front_touches_rear_corner(defender, touch) {
            Arc::Flank
        } else {
            Arc::Front
        }
    }

    /// Whether no part of this rectangle is straight ahead of the defender: in front of its front edge, between the
    /// extended lines of its flanks.
    #[must_use]
    pub fn clear_of_front(&self, defender: &Self) -> bool {
        let half = i64::from(defender.width) / 2;
        // Cuts the rectangle along the front line, and finds the sideways extent of the part ahead of that line.
        let corners = self.corners().map(|corner| defender.local(corner));
        let (mut least, mut most) = (i64::MAX, i64::MIN);
        let mut meet = |x: i64| (least, most) = (least.min(x), most.max(x));
        for index in 0..4 {
            let ((ax, ay), (bx, by)) = (corners[index], corners[(index + 1) % 4]);
            if ay > 0 {
                meet(ax);
            }
            if (ay > 0) != (by > 0) && ay != by {
                meet(ax + (bx - ax) * -ay / (by - ay));
            }
        }
        least >= half || most <= -half || least > most
    }

    /// Whether the front edge touches one of the defender's rear corners.
    #[must_use]
    pub fn front_touches_rear_corner(&self, defender: &Self, touch: i32) -> bool {
        let front = self.front_edge();
        [-1, 1].into_iter().any(|side| front.distance_to_rear_corner(defender, side) <= touch)
    }

    /// Whether every corner of this rectangle lies behind the line of the defender's rear edge.
    #[must_use]
    pub fn wholly_behind(&self, defender: &Self, touch: i32) -> bool {
        let line = -i64::from(defender.depth) + i64::from(touch);
        self.corners().into_iter().all(|corner| defender.local(corner).1 <= line)
    }

    /// The length of the front edge that lies on the defender's rear edge, in hundredths of an inch; 0 unless the two
    /// face the same way. If the front edge slopes, only the part that is within `touch` counts.
    #[must_use]
    pub fn front_on_rear_edge(&self, defender: &Self, touch: i32) -> i32 {
        let turn = self.heading().turn_to(defender.heading());
        if turn.abs() > SAME_WAY {
            return 0;
        }
        // In half hundredths, like gaps: `t` is measured to the right along the front edge, and (x, y) is its middle as
        // seen from the rear edge.
        let (x, ahead) = defender.local_doubled(self.front);
        let (y, near) = (ahead + 2 * i64::from(defender.depth), 2 * i64::from(touch) + 1);
        let angle = turn.unsigned_abs() as usize;
        let within = |most: i64, middle: i64, slope: i64| [-most - middle, most - middle].map(|t| t * ONE / slope);
        let [left, right] = within(i64::from(defender.width), x, cosine(angle));
        let (mut from, mut to) = (left.max(-i64::from(self.width)), right.min(i64::from(self.width)));
        if turn != 0 {
            let ends = within(near, y * i64::from(turn.signum()), sine(angle)).map(|t| t * i64::from(turn.signum()));
            (from, to) = (from.max(ends[0].min(ends[1])), to.min(ends[0].max(ends[1])));
        } else if y.abs() > near {
            return 0;
        }
        ((to - from) / 2).max(0) as i32
    }

    fn strikes_rear(&self, start: &Self, defender: &Self, touch: i32) -> bool {
        start.wholly_behind(defender, touch) && 2 * self.front_on_rear_edge(defender, touch) >= self.width
    }

    /// The rectangle shrunk by this much on every side, at most to zero size.
    #[must_use]
    pub fn inset(&self, by: i32) -> Self {
        let by = by.min(self.width / 2).min(self.depth / 2);
        Self::new(self.at(0, -by), self.heading(), self.width - 2 * by, self.depth - 2 * by)
    }

    /// The rectangle moved along a heading without turning.
    #[must_use]
    pub fn moved(&self, along: Heading, distance: i32) -> Self {
        Self::new(self.front.moved(along, distance), self.heading(), self.width, self.depth)
    }

    /// The rectangle moved by this much east and north.
    #[must_use]
    pub fn shifted(&self, (x, y): (i32, i32)) -> Self {
        Self::new(Point { x: self.front.x + x, y: self.front.y + y }, self.heading(), self.width, self.depth)
    }

    /// The smallest shift, east and north, after which this rectangle touches another one, whether the two are apart or
    /// overlap.
    #[must_use]
    pub fn shift_to_touch(&self, other: &Self) -> (i32, i32) {
        if self.distance(other) > 0 { self.way_to(other) } else { self.way_out_of(other) }
    }

    /// The vector from this rectangle to the nearest part of another one that does not touch it. One end is a corner of
    /// one of the two.
    fn way_to(&self, other: &Self) -> (i32, i32) {
        let own = self.corners().map(|corner| from_to(corner, other.nearest(corner)));
        let theirs = other.corners().map(|corner| from_to(self.nearest(corner), corner));
        own.into_iter().chain(theirs).min_by_key(square).unwrap_or_default()
    }

    /// The smallest shift out of another rectangle that this one overlaps.
    fn way_out_of(&self, other: &Self) -> (i32, i32) {
        self.ways_out_of(other).into_iter().min_by_key(square).unwrap_or_default()
    }

    /// The shifts, east and north, that take this rectangle out of another one that it overlaps: one square to each
    /// edge of either rectangle.
    #[must_use]
    pub fn ways_out_of(&self, other: &Self) -> [(i32, i32); 8] {
        let theirs = other.ways_out_for(&self.corners().map(|corner| other.local(corner)));
        let own = self.ways_out_for(&other.corners().map(|corner| self.local(corner)));
        let along_theirs = theirs.map(|(x, y)| from_to(other.at(0, 0), other.at(x, y)));
        let along_own = own.map(|(x, y)| from_to(self.at(x, y), self.at(0, 0)));
        let [a, b, c, d] = along_theirs;
        let [e, f, g, h] = along_own;
        [a, b, c, d, e, f, g, h]
    }

    /// The shifts, to the right and ahead along the rectangle's own sides, that move these corners out of it.
    fn ways_out_for(&self, corners: &[(i64, i64); 4]) -> [(i32, i32); 4] {
        let span = |of: fn(&(i64, i64)) -> i64| {
            let (least, most) = (corners.iter().map(of).min(), corners.iter().map(of).max());
            (least.unwrap_or(0) as i32, most.unwrap_or(0) as i32)
        };
        let ((left, right), (behind, ahead)) = (span(|corner| corner.0), span(|corner| corner.1));
        let half = self.width / 2;
        [(0, -behind), (0, -self.depth - ahead), (half - left, 0), (-half - right, 0)]
    }

    /// The point of the rectangle that is nearest to another point.
    #[must_use]
    pub fn nearest(&self, point: Point) -> Point {
        let (x, y) = self.local(point);
        let (half, depth) = (i64::from(self.width) / 2, i64::from(self.depth));
        self.at(x.clamp(-half, half) as i32, y.clamp(-depth, 0) as i32)
    }

    /// The distance from a point to the nearest part of the rectangle, in hundredths of an inch; 0 inside it.
    #[must_use]
    pub fn distance_from(&self, point: Point) -> i32 {
        root(self.square_distance_from(point))
    }

    /// Whether [`Rect::distance_from`] is no more than this.
    #[must_use]
    pub fn is_within(&self, point: Point, reach: i32) -> bool {
        // `distance_from` rounds its root down.
        let beyond = i64::from(reach) + 1;
        self.square_distance_from(point) < beyond * beyond
    }

    fn square_distance_from(&self, point: Point) -> i64 {
        let (x, y) = self.local(point);
        let beside = (x.abs() - i64::from(self.width) / 2).max(0);
        let ahead = y.max(-y - i64::from(self.depth)).max(0);
        beside * beside + ahead * ahead
    }

    /// The distance from the rear edge to the front edge of another rectangle, which must be behind this one, face the
    /// same way and cover more than half of its width. `None` if it does not, or if the two overlap by more than
    /// `overlap_max`.
    #[must_use]
    pub fn room_behind(&self, other: &Self, overlap_max: i32) -> Option<i32> {
        if self.heading().turn_to(other.heading()).abs() > SAME_WAY {
            return None;
        }
        let (x, y) = self.local(other.front);
        let (half, theirs) = (i64::from(self.width) / 2, i64::from(other.width) / 2);
        let overlap = (x + theirs).min(half) - (x - theirs).max(-half);
        let room = -y - i64::from(self.depth);
        (2 * overlap > i64::from(self.width) && room >= -i64::from(overlap_max)).then_some(room.max(0) as i32)
    }
}

fn from_to(from: Point, to: Point) -> (i32, i32) {
    (to.x - from.x, to.y - from.y)
}

fn square(&(x, y): &(i32, i32)) -> i64 {
    i64::from(x) * i64::from(x) + i64::from(y) * i64::from(y)
}
