//! Units on the plane: oriented rectangles in hundredths of an inch.

use crate::geometry::plane::circle::Circle;
use crate::geometry::plane::heading::{FULL_TURN, Heading, ONE, cosine, sine};
use crate::geometry::plane::point::{Point, root, unscale};

/// The arc of a unit in which a point lies (`figures.md` 4.2; clauses 7.12 to 7.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Arc {
    /// Ahead, within the angle of the front corners, including its limits.
    Front = 0,
    /// Neither ahead nor behind.
    Flank = 1,
    /// Behind, within the angle of the rear corners.
    Rear = 2,
}

/// An oriented rectangle: the area that a unit occupies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// The middle of the front edge.
    pub front: Point,
    /// From flank to flank, in hundredths of an inch.
    pub width: i32,
    /// From front to rear, in hundredths of an inch.
    pub depth: i32,
    heading: Heading,
    /// The heading's unit vector, looked up once.
    forward: (i64, i64),
    /// The middle, computed once.
    centre: Point,
}

/// The maximum overlap, in hundredths of an inch, at which rectangles still count as touching: corners are rounded to
/// whole hundredths, and so are marches into contact.
pub(crate) const TOUCH: i64 = 2;

/// The maximum overlap, in hundredths of an inch, of two units in permitted positions, in a pack with this [`touch`].
/// Marches into contact and the rounding of corners add to it.
///
/// [`touch`]: grognard_rules::model::Movement::touch
pub(crate) const fn overlap_max(touch: i32) -> i32 {
    touch + 2 * TOUCH as i32
}

/// The gaps between two rectangles with parallel edges, from the first one's point of view, in half hundredths of an
/// inch. A gap is negative if the rectangles overlap in that direction.
struct Gaps {
    /// From flank to flank.
    beside: i64,
    /// From the front to the other's nearest edge.
    ahead: i64,
    /// From the rear to the other's nearest edge.
    behind: i64,
}

impl Gaps {
    /// The shortest distance, in hundredths of an inch.
    fn distance(&self) -> i32 {
        let (beside, along) = (self.beside.max(0), self.ahead.max(self.behind).max(0));
        root((beside * beside + along * along) / 4)
    }
}

impl Rect {
    /// The rectangle with `front` as the middle of its front edge.
    #[inline]
    #[must_use]
    pub fn new(front: Point, heading: Heading, width: i32, depth: i32) -> Self {
        Self { heading, forward: heading.forward(), ..Self::NOWHERE }.spanning(front, width, depth)
    }

    /// An empty rectangle.
    pub(crate) const NOWHERE: Self = Self {
        front: Point { x: 0, y: 0 },
        width: 0,
        depth: 0,
        heading: Heading::NORTH,
        forward: (0, ONE),
        centre: Point { x: 0, y: 0 },
    };

    /// Another rectangle with the same heading.
    #[inline]
    fn spanning(&self, front: Point, width: i32, depth: i32) -> Self {
        let there = Self { front, width, depth, ..*self };
        Self { centre: there.at(0, -depth / 2), ..there }
    }

    /// Its heading.
    #[inline]
    #[must_use]
    pub fn heading(&self) -> Heading {
        self.heading
    }

    /// `front` moved along the heading.
    #[inline]
    fn ahead(&self, distance: i32) -> Point {
        self.at(0, distance)
    }

    /// A point in the rectangle's own frame: x to its right, y ahead of its front edge.
    #[must_use]
    pub fn local(&self, point: Point) -> (i64, i64) {
        let (fx, fy) = self.forward;
        let (dx, dy) = (point.x as i64 - self.front.x as i64, point.y as i64 - self.front.y as i64);
        (unscale(dx * fy - dy * fx), unscale(dx * fx + dy * fy))
    }

    /// The table point at `x` to the right of the front's middle and `y` ahead of it.
    #[must_use]
    pub fn at(&self, x: i32, y: i32) -> Point {
        let (fx, fy) = self.forward;
        let (x, y) = (x as i64, y as i64);
        Point { x: self.front.x + unscale(x * fy + y * fx) as i32, y: self.front.y + unscale(y * fy - x * fx) as i32 }
    }

    /// The point of the rectangle that is nearest to a given point.
    #[must_use]
    pub fn nearest_to(&self, point: Point) -> Point {
        let (x, y) = self.local(point);
        let half = i64::from(self.width) / 2;
        self.at(x.clamp(-half, half) as i32, y.clamp(-i64::from(self.depth), 0) as i32)
    }

    /// The middle of the rectangle.
    #[inline]
    #[must_use]
    pub fn centre(&self) -> Point {
        self.centre
    }

    /// Its corners: front left, front right, rear right, rear left.
    #[must_use]
    pub fn corners(&self) -> [Point; 4] {
        // Gives the same results as [`Rect::at`], without repeated multiplications.
        let (fx, fy) = self.forward;
        let (half, depth) = (i64::from(self.width / 2), i64::from(self.depth));
        let (across, back) = ((half * fy, -half * fx), (-depth * fx, -depth * fy));
        let aside = (unscale(across.0), unscale(across.1));
        let away = |(x, y): (i64, i64)| Point { x: self.front.x + x as i32, y: self.front.y + y as i32 };
        let behind = |side: i64| (unscale(back.0 + side * across.0), unscale(back.1 + side * across.1));
        [away((-aside.0, -aside.1)), away(aside), away(behind(1)), away(behind(-1))]
    }

    /// The same rectangle turned about its centre to another heading.
    #[must_use]
    pub fn turned_about_centre(&self, heading: Heading) -> Self {
        let front = self.centre().moved(heading, self.depth / 2);
        Self::new(front, heading, self.width, self.depth)
    }

    /// Another rectangle with the same centre and heading.
    #[must_use]
    pub fn reshaped(&self, width: i32, depth: i32) -> Self {
        self.spanning(self.ahead((depth - self.depth) / 2), width, depth)
    }

    /// The rectangle marched straight ahead (clause 7.41).
    #[must_use]
    pub fn marched(&self, distance: i32) -> Self {
        self.spanning(self.ahead(distance), self.width, self.depth)
    }

    /// The rectangle wheeled: one front corner stays put and the other swings forward (clause 7.33).
    ///
    /// `tenths` is the turn in tenths of a degree, clockwise positive: a wheel to the right pivots on the right corner.
    #[must_use]
    pub fn wheeled(&self, tenths: i32) -> Self {
        let half = self.width / 2;
        let heading = self.heading.turned(tenths);
        let side = if tenths >= 0 { half } else { -half };
        let pivot = self.at(side, 0);
        let turned = Self::new(pivot, heading, self.width, self.depth);
        turned.spanning(turned.at(-side, 0), self.width, self.depth)
    }

    /// The cost of a wheel: the length of the outer corner's arc, in hundredths of an inch (clause 7.33).
    #[must_use]
    pub fn wheel_cost(&self, tenths: i32) -> i32 {
        // width x angle in radians; pi / 1800 = 31_415_926_535 / 18e12.
        ((self.width as i128 * tenths.unsigned_abs() as i128 * 31_415_926_535 + 9_000_000_000_000) / 18_000_000_000_000)
            as i32
    }

    /// The largest wheel that costs no more than `allowance`, in tenths of a degree.
    #[must_use]
    pub fn wheel_within(&self, allowance: i32) -> i32 {
        if self.width <= 0 {
            return 1800;
        }
        let tenths = allowance as i128 * 18_000_000_000_000 / (self.width as i128 * 31_415_926_535);
        if tenths > 1800 { 1800 } else { tenths as i32 }
    }

    /// The arc of this rectangle that contains a point, for an arc of `angle` tenths of a degree (`figures.md` 4.2).
    ///
    /// A point inside the rectangle counts as in front.
    #[must_use]
    pub fn arc_of(&self, point: Point, angle: u16) -> Arc {
        self.arc_of_local(self.local(point), (sine(angle as usize), cosine(angle as usize)))
    }

    /// Like [`Rect::arc_of`], for a point in the rectangle's own frame and an angle given by its sine and cosine.
    fn arc_of_local(&self, (x, y): (i64, i64), (sine, cosine): (i64, i64)) -> Arc {
        let beyond = x.abs() * 2 - i64::from(self.width);
        let behind = -(y + i64::from(self.depth));
        if y >= 0 && beyond * cosine <= 2 * y * sine {
            Arc::Front
        } else if behind >= 0 && beyond * cosine <= 2 * behind * sine {
            Arc::Rear
        } else if beyond <= 0 && y < 0 && behind < 0 {
            Arc::Front
        } else {
            Arc::Flank
        }
    }

    /// The arc of an attack by `bases` figures whose base centres are spaced evenly between two points: front if any
    /// centre is in front, rear if all are in the rear, flank otherwise (clauses 7.13, 7.14).
    #[must_use]
    pub fn aspect_of(&self, first: Point, last: Point, bases: i32, angle: u16) -> Arc {
        let limits = (sine(angle as usize), cosine(angle as usize));
        let ((ax, ay), (bx, by)) = (self.local(first), self.local(last));
        // Front and rear are convex: if both ends are in the same one, so are all points between them. If both ends are
        // behind the front edge, no point is in front.
        let ends = (self.arc_of_local((ax, ay), limits), self.arc_of_local((bx, by), limits));
        match ends {
            (Arc::Front, _) | (_, Arc::Front) => return Arc::Front,
            (Arc::Rear, Arc::Rear) => return Arc::Rear,
            _ if ay < 0 && by < 0 => return Arc::Flank,
            _ => {}
        }
        let steps = i64::from((bases - 1).max(1));
        let between = |a: i64, b: i64, base: i64| (a * (steps - base) + b * base) / steps;
        let at = |base: i64| (between(ax, bx, base), between(ay, by, base));
        let in_front = |base: i64| self.arc_of_local(at(base), limits) == Arc::Front;
        if in_front(steps / 2) || (1..steps).any(in_front) { Arc::Front } else { Arc::Flank }
    }

    /// The square of the distance from a point in the rectangle's own frame to its nearest part; 0 inside it.
    fn square_distance_to_local(&self, (x, y): (i64, i64)) -> i64 {
        let beside = (x.abs() * 2 - i64::from(self.width)).max(0);
        let ahead = y.max(-y - i64::from(self.depth)).max(0);
        beside * beside / 4 + ahead * ahead
    }

    /// The shortest distance to another rectangle, in hundredths of an inch; 0 if they touch or overlap.
    #[must_use]
    pub fn distance(&self, other: &Self) -> i32 {
        if let Some(gaps) = self.gaps(other) {
            return gaps.distance();
        }
        let (theirs, mine) = (self.corners_of(other), other.corners_of(self));
        if !(self.all_beyond_an_edge(&theirs, 0) || other.all_beyond_an_edge(&mine, 0)) {
            return 0;
        }
        let theirs = theirs.into_iter().map(|corner| self.square_distance_to_local(corner));
        let mine = mine.into_iter().map(|corner| other.square_distance_to_local(corner));
        let nearest = theirs.chain(mine).min().unwrap_or(0);
        root(nearest)
    }

    /// The distance to another rectangle's right (1) or left (-1) rear corner, measured as in [`Rect::distance`].
    pub(super) fn distance_to_rear_corner(&self, other: &Self, side: i64) -> i32 {
        let (x, y) = (side * i64::from(other.width), -2 * i64::from(other.depth));
        if let Some(gaps) = self.gaps_to(other, (x, y), (0, 0)) {
            return gaps.distance();
        }
        let [_, _, right, left] = other.corners();
        let theirs = self.square_distance_to_local(self.local(if side > 0 { right } else { left }));
        let mine = other.corners_of(self).map(|corner| {
            let (x, y) = (2 * corner.0 - x, 2 * corner.1 - y);
            (x * x + y * y) / 4
        });
        root(mine.into_iter().fold(theirs, i64::min))
    }

    /// Whether an edge of this rectangle lies along an edge of another that it touches, if only for part of its length.
    pub(crate) fn edge_on(&self, other: &Self) -> bool {
        self.gaps(other).is_some_and(|gaps| gaps.beside < 0 || gaps.ahead.max(gaps.behind) < 0)
    }

    /// The front edge, as a rectangle without depth.
    pub(super) fn front_edge(&self) -> Self {
        self.spanning(self.front, self.width, 0)
    }

    /// Whether the rectangles overlap; touching is not enough.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        // Most rectangles are so far apart that the circles around them, or around one of them, show it.
        let circle = Circle::of(other);
        if Circle::of(self).beyond(&circle, 0) {
            return false;
        }
        let ((x, y), radius) = (self.local(circle.centre), circle.radius());
        if 2 * (x.abs() - radius) >= i64::from(self.width) || y.max(-y - i64::from(self.depth)) >= radius {
            return false;
        }
        !(self.all_beyond_an_edge(&self.corners_of(other), TOUCH)
            || other.all_beyond_an_edge(&other.corners_of(self), TOUCH))
    }

    /// The gaps to another rectangle if the edges are parallel, otherwise `None`.
    fn gaps(&self, other: &Self) -> Option<Gaps> {
        self.gaps_to(other, (0, -i64::from(other.depth)), (other.width, other.depth))
    }

    /// Like [`Rect::gaps`], for a part of the other rectangle. The part is given by its width and depth, and by twice
    /// the vector from the middle of the other's front to the middle of the part, in the other's frame.
    fn gaps_to(&self, other: &Self, (x, y): (i64, i64), (width, depth): (i32, i32)) -> Option<Gaps> {
        let turn = (other.heading.tenths() + FULL_TURN - self.heading.tenths()) % FULL_TURN;
        // The other's forward vector in this one's frame, and the part's width and depth across and along it.
        let (right, forward, width, depth) = match turn {
            0 => (0, 1, width, depth),
            900 => (1, 0, depth, width),
            1800 => (0, -1, width, depth),
            2700 => (-1, 0, depth, width),
            _ => return None,
        };
        // Twice the vector from middle to middle. It is rounded only once, so that the gaps are the same from the other
        // rectangle's point of view.
        let (to_right, ahead) = self.local_doubled(other.front);
        let (x, y) = (to_right + right * y + forward * x, ahead + forward * y - right * x + i64::from(self.depth));
        let depths = i64::from(self.depth) + i64::from(depth);
        Some(Gaps {
            beside: x.abs() - i64::from(self.width) - i64::from(width),
            ahead: y - depths,
            behind: -y - depths,
        })
    }

    /// A point in the rectangle's own frame, in half hundredths of an inch.
    pub(super) fn local_doubled(&self, point: Point) -> (i64, i64) {
        let (fx, fy) = self.forward;
        let (dx, dy) = (i64::from(point.x - self.front.x), i64::from(point.y - self.front.y));
        (unscale(2 * (dx * fy - dy * fx)), unscale(2 * (dx * fx + dy * fy)))
    }

    /// Another rectangle's corners in this one's frame.
    fn corners_of(&self, other: &Self) -> [(i64, i64); 4] {
        other.corners().map(|corner| self.local(corner))
    }

    /// Whether all of these points, in the rectangle's own frame, lie beyond one of its edges, or inside that edge by
    /// no more than `slack`.
    fn all_beyond_an_edge(&self, corners: &[(i64, i64); 4], slack: i64) -> bool {
        let half = i64::from(self.width) - 2 * slack;
        let (mut right, mut left, mut ahead, mut behind) = (true, true, true, true);
        for &(x, y) in corners {
            right &= 2 * x >= half;
            left &= 2 * x <= -half;
            ahead &= y >= -slack;
            behind &= y <= slack - i64::from(self.depth);
        }
        right | left | ahead | behind
    }

    /// Whether the straight line between two points passes through the inside of the rectangle.
    #[must_use]
    pub fn crossed_by(&self, from: Point, to: Point) -> bool {
        let (ax, ay) = self.local(from);
        let (bx, by) = self.local(to);
        let (half, depth) = (i64::from(self.width) / 2, i64::from(self.depth));
        // Most lines lie entirely to one side of the rectangle.
        if ax.max(bx) <= -half || ax.min(bx) >= half || ay.min(by) >= 0 || ay.max(by) <= -depth {
            return false;
        }
        // The line's parameter runs from 0 to 1, scaled by `ONE`. The part inside the rectangle is an interval of it.
        let (mut enter, mut leave) = (0_i64, ONE);
        for (start, end, low, high) in [(ax, bx, -half, half), (ay, by, -depth, 0)] {
            let run = end - start;
            if run == 0 {
                if start <= low || start >= high {
                    return false;
                }
                continue;
            }
            let (first, last) = if run > 0 { (low, high) } else { (high, low) };
            enter = enter.max((first - start) * ONE / run);
            leave = leave.min((last - start) * ONE / run);
        }
        enter < leave
    }

    /// The distance that this rectangle can march straight ahead before its front touches another one. `None` if it
    /// would pass by, even if the flanks touch.
    #[must_use]
    pub fn march_to_contact(&self, other: &Self) -> Option<i32> {
        if let Some(Gaps { beside, ahead, .. }) = self.gaps(other) {
            return (beside < -2 * TOUCH && ahead >= -2 * TOUCH).then_some((ahead / 2).max(0) as i32);
        }
        let half = (i64::from(self.width) / 2 - TOUCH).max(1);
        // Most rectangles are to one side or behind, and the circles around them show it.
        let ((x, y), radius) = (self.local(other.centre()), Circle::of(other).radius());
        if x.abs() - radius >= half || y + radius < -2 * TOUCH {
            return None;
        }
        let corners = self.corners_of(other);
        let mut nearest: Option<i64> = None;
        let mut consider = |y: i64| nearest = Some(nearest.map_or(y, |best| best.min(y)));
        for index in 0..4 {
            let (ax, ay) = corners[index];
            let (bx, by) = corners[(index + 1) % 4];
            if ax.abs() < half {
                consider(ay);
            }
            let passes_through = ax.max(bx) > -half && ax.min(bx) < half && ax != bx;
            for edge in [-half, half] {
                // If an edge crosses the line of the flank, its y at the crossing counts.
                if passes_through && (ax - edge) * (bx - edge) <= 0 {
                    consider((ay * (bx - edge) + by * (edge - ax)) / (bx - ax));
                }
            }
        }
        // Because of rounding, a touching corner may seem to lie inside.
        nearest.filter(|&y| y >= -2 * TOUCH).map(|y| y.max(0) as i32)
    }
}
