//! Front arcs, and the direction of attacks by figures (`figures.md` 4.2; clauses 7.12 to 7.14).
//!
//! A unit has another in front when any part of that other unit lies in its front arc. For S6, the line of six figures,
//! that is anything no farther to either side of its middle than 1.5" + 0.404 y, where y is the distance ahead. An
//! attack is judged by the base centres of all figures that make it, in every rank.

use grognard_rules::model::Footprint;

use crate::geometry::plane::heading::{FULL_TURN, Heading};
use crate::geometry::plane::{Arc, Point, Rect};

impl Rect {
    /// Whether any part of another rectangle lies in this one's front arc of `angle` tenths of a degree, and any part
    /// of it is at least `ahead` hundredths of an inch ahead of the line of the front edge. The arc includes its
    /// limits.
    #[must_use]
    pub fn has_in_front(&self, other: &Self, angle: u16, ahead: i32) -> bool {
        // If its middle is in front, then parts of it lie farther ahead.
        if self.arc_of(other.centre(), angle) == Arc::Front {
            return true;
        }
        // Both are convex: they are separate if and only if an edge of one of them separates them.
        !(self.arc_is_clear_of(other, angle, ahead) || other.is_clear_of_arc(self, angle))
    }

    /// Whether all of another rectangle lies beyond one edge of the front arc, or none of it lies `ahead` of the front.
    fn arc_is_clear_of(&self, other: &Self, angle: u16, ahead: i32) -> bool {
        let (sine, cosine) = Heading::from_tenths(i32::from(angle)).forward();
        let width = i64::from(self.width);
        let corners = other.corners().map(|corner| self.local(corner));
        let beyond = |side: i64| corners.iter().all(|&(x, y)| (2 * side * x - width) * cosine > 2 * y * sine);
        corners.iter().all(|&(_, y)| y < i64::from(ahead)) || beyond(1) || beyond(-1)
    }

    /// Whether all of another rectangle's front arc lies beyond one edge of this rectangle.
    fn is_clear_of_arc(&self, owner: &Self, angle: u16) -> bool {
        // The arc is spanned by the front edge and the two directions in which it opens.
        let half = owner.width / 2;
        let ends = [owner.at(-half, 0), owner.at(half, 0)].map(|end| self.local(end));
        let ahead = owner.heading().tenths() + FULL_TURN - self.heading().tenths();
        let opens =
            [-i32::from(angle), i32::from(angle)].map(|aside| Heading::from_tenths(i32::from(ahead) + aside).forward());
        let (width, depth) = (i64::from(self.width), i64::from(self.depth));
        let beyond = |outside: &dyn Fn((i64, i64)) -> i64, way: &dyn Fn((i64, i64)) -> i64| {
            ends.iter().all(|&end| outside(end) > 0) && opens.iter().all(|&direction| way(direction) >= 0)
        };
        beyond(&|(x, _)| 2 * x - width, &|(x, _)| x)
            || beyond(&|(x, _)| -2 * x - width, &|(x, _)| -x)
            || beyond(&|(_, y)| y, &|(_, y)| y)
            || beyond(&|(_, y)| -y - depth, &|(_, y)| -y)
    }

    /// The side that faces a point, by the bearing of the point from the middle. Sides are numbered clockwise from 0,
    /// the front.
    #[must_use]
    pub fn side_towards(&self, point: Point) -> u8 {
        let turn = self.heading().turn_to(Heading::between(self.centre(), point));
        ((turn + 450).rem_euclid(3600) / 900) as u8
    }

    /// The middle of a side. Sides are numbered clockwise from 0, the front.
    #[must_use]
    pub fn middle_of_side(&self, side: u8) -> Point {
        let (half, depth) = (self.width / 2, self.depth);
        match side {
            0 => self.front,
            1 => self.at(half, -depth / 2),
            2 => self.at(0, -depth),
            _ => self.at(-half, -depth / 2),
        }
    }

    /// The arc of an attack by figures on `ground`: front if any base centre is in front, rear if all are in the rear,
    /// flank otherwise (clauses 7.13, 7.14).
    ///
    /// `footprint` and `figures` give the layout of the attackers: rows of equal length from front to rear; a short
    /// last row is centred.
    #[must_use]
    pub fn aspect(&self, ground: &Self, footprint: Footprint, figures: u16, angle: u16) -> Arc {
        let ranks = i32::from(footprint.ranks.max(1));
        let figures = i32::from(figures.max(1));
        let abreast = i32::from(footprint.front).max((figures + ranks - 1) / ranks);
        let mut all_rear = true;
        for rank in 0..ranks {
            let bases = (figures - rank * abreast).min(abreast);
            if bases <= 0 {
                break;
            }
            let outermost = (bases - 1) * ground.width / (2 * abreast);
            let behind = -(2 * rank + 1) * ground.depth / (2 * ranks);
            let ends: [Point; 2] = [ground.at(-outermost, behind), ground.at(outermost, behind)];
            match self.aspect_of(ends[0], ends[1], bases, angle) {
                Arc::Front => return Arc::Front,
                Arc::Flank => all_rear = false,
                Arc::Rear => {}
            }
        }
        if all_rear { Arc::Rear } else { Arc::Flank }
    }
}
