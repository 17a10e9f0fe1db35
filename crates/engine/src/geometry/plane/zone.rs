//! Zones in front, the ground close behind a rear edge, and enfilade (`figures.md` 4.3, 4.5 and 4.6).

use arrayvec::ArrayVec;

use crate::geometry::plane::heading::{Heading, ONE, cosine, sine};
use crate::geometry::plane::rect::{Rect, TOUCH};

/// A rectangle's corners after up to three cuts: each cut adds at most one.
type Polygon = ArrayVec<(i64, i64), 8>;

impl Rect {
    /// Whether any part of another rectangle lies ahead of this one's front, within the angle of the front corners and
    /// no farther than `depth` from the front edge. The zone includes its edges.
    ///
    /// Worked example: a front 4" wide with a zone 12" deep reaches a point 3" to the right and 8" ahead (the angle's
    /// limit there is 2" + 8" x 0.4040, the distance 8.06"), but not one 6.5" to the right.
    #[must_use]
    pub fn zone_holds(&self, other: &Self, depth: i32, angle: u16) -> bool {
        let corners = other.corners().map(|corner| self.local(corner));
        let limit = (sine(usize::from(angle)), cosine(usize::from(angle)));
        near_edge(&corners, i64::from(self.width), i64::from(depth), limit)
    }

    /// Whether any part of another rectangle lies directly behind some part of this one's rear edge, no farther than
    /// `reach` from it. Anything next to the rear edge is not behind it.
    #[must_use]
    pub fn has_behind(&self, other: &Self, reach: i32) -> bool {
        let strip = Self::new(self.at(0, -self.depth), self.heading(), self.width, reach + TOUCH as i32 + 1);
        strip.overlaps(other)
    }

    /// The gap to another rectangle directly behind this one. The middle of the other's front must be within this one's
    /// width, and its heading within `angle` tenths of a degree of this one's; otherwise `None`.
    #[must_use]
    pub fn gap_straight_behind(&self, other: &Self, angle: u16) -> Option<i32> {
        let (x, y) = self.local(other.front);
        // Rounding may make touching edges overlap by a hundredth of an inch.
        let gap = -i64::from(self.depth) - y;
        let straight = 2 * x.abs() <= i64::from(self.width);
        let aligned = self.heading().turn_to(other.heading()).unsigned_abs() <= u32::from(angle);
        (gap >= -1 && straight && aligned).then(|| gap.max(0) as i32)
    }

    /// Whether a firer can rake this rectangle from flank to flank: a ray from the middle of its front, inclined no
    /// more than `angle` from its heading, crosses both flank sides within range. A firer that shoots in any direction
    /// has no such limit.
    ///
    /// Worked example: a line 3" wide and 0.5" deep is raked by a firer 6" beside its flank. The middle of the firer's
    /// front may lie up to 1" (0.5" x 6" / 3") before the line's front edge or behind its rear edge.
    #[must_use]
    pub fn raked_by(&self, firer: &Self, any_way: bool, angle: u16, range: i32) -> bool {
        let (x, y) = self.local(firer.front);
        let (width, depth) = (i64::from(self.width), i64::from(self.depth));
        // Twice the distances to the nearer and to the farther flank side.
        let near = 2 * x.abs() - width;
        let far = near + 2 * width;
        if near <= 0 {
            return false;
        }
        // Slopes of the ray: inches ahead for each inch towards the far side, with 16 binary places.
        let (behind, ahead) = (-depth - y, -y);
        let mut least = ceiling(behind * 2 * ONE, near).max(ceiling(behind * 2 * ONE, far));
        let mut most = (ahead * 2 * ONE).div_euclid(near).min((ahead * 2 * ONE).div_euclid(far));
        if !any_way {
            let relative =
                Heading::from_tenths(i32::from(firer.heading().tenths()) - i32::from(self.heading().tenths()));
            // Positive if the firer's heading leans ahead of the direct line to the far side.
            let lean = if x > 0 {
                Heading::from_tenths(2700).turn_to(relative)
            } else {
                relative.turn_to(Heading::from_tenths(900))
            };
            let (low, high) = (lean - i32::from(angle), lean + i32::from(angle));
            if low >= 900 || high <= -900 {
                return false;
            }
            if low > -900 {
                least = least.max(tangent(low));
            }
            if high < 900 {
                most = most.min(tangent(high));
            }
        }
        // If only one slope is possible, it may have been rounded both up and down.
        if least > most + 1 {
            return false;
        }
        let slope = i128::from(if least > 0 { least } else { most.min(0) });
        let one = i128::from(ONE);
        let way = i128::from(far) * i128::from(far) * (one * one + slope * slope);
        way <= 4 * i128::from(range) * i128::from(range) * one * one
    }
}

fn ceiling(value: i64, by: i64) -> i64 {
    -(-value).div_euclid(by)
}

/// The tangent of an angle between -90 and 90 degrees, in tenths of a degree, with 16 binary places.
fn tangent(tenths: i32) -> i64 {
    let angle = usize::from(Heading::from_tenths(tenths).tenths());
    sine(angle) * ONE / cosine(angle).max(1)
}

/// Whether any part of a polygon lies at `y >= 0`, no farther than `reach` from an edge of this width centred on the
/// origin, and within an angle (given by its sine and cosine) of the edge's ends.
fn near_edge(corners: &[(i64, i64); 4], width: i64, reach: i64, (sine, cosine): (i64, i64)) -> bool {
    let ahead = |&(_, y): &(i64, i64)| y >= 0;
    let beyond = |&(x, _): &(i64, i64)| 2 * x.abs() > width + 2 * (reach + 1);
    if !corners.iter().any(ahead) {
        return false;
    }
    if corners.iter().all(|&(_, y)| y > reach)
        || corners.iter().all(|corner| corner.0 > 0 && beyond(corner))
        || corners.iter().all(|corner| corner.0 < 0 && beyond(corner))
    {
        return false;
    }
    // Cuts are rounded. The polygon is mirrored so that most of it lies on the right; mirror images then give the same
    // result.
    let side = if corners.iter().map(|&(x, _)| x).sum::<i64>() < 0 { -1 } else { 1 };
    let mut polygon: Polygon = corners.iter().map(|&(x, y)| (side * x, y)).collect();
    cut(&mut polygon, |(_, y)| y);
    cut(&mut polygon, |(x, y)| (2 * y * sine - (2 * x - width) * cosine) >> 8);
    cut(&mut polygon, |(x, y)| (2 * y * sine - (-2 * x - width) * cosine) >> 8);
    if polygon.is_empty() {
        return false;
    }
    let square = 4 * reach * reach;
    let ends = [(-width, 0), (width, 0)];
    let count = polygon.len();
    (0..count).any(|index| {
        let ((ax, ay), (bx, by)) = (polygon[index], polygon[(index + 1) % count]);
        let (a, b) = ((2 * ax, 2 * ay), (2 * bx, 2 * by));
        let aside = (a.0.abs() - width).max(0);
        aside * aside + a.1 * a.1 <= square || ends.iter().any(|&end| near_segment(end, a, b, square))
    })
}

/// Keeps the part of a polygon on the side of a line where `side` is not negative.
fn cut(polygon: &mut Polygon, side: impl Fn((i64, i64)) -> i64) {
    let mut kept = Polygon::new();
    let count = polygon.len();
    for index in 0..count {
        let (from, to) = (polygon[index], polygon[(index + 1) % count]);
        let (here, there) = (side(from), side(to));
        if here >= 0 {
            let _ = kept.try_push(from);
        }
        if (here >= 0) != (there >= 0) {
            let at = |from: i64, to: i64| {
                let (from, to) = (i128::from(from) * i128::from(-there), i128::from(to) * i128::from(here));
                ((from + to) / i128::from(here - there)) as i64
            };
            let _ = kept.try_push((at(from.0, to.0), at(from.1, to.1)));
        }
    }
    *polygon = kept;
}

/// Whether a point is no farther from a segment than the root of `square`.
fn near_segment(point: (i64, i64), a: (i64, i64), b: (i64, i64), square: i64) -> bool {
    let (along, to) = ((b.0 - a.0, b.1 - a.1), (point.0 - a.0, point.1 - a.1));
    let length = along.0 * along.0 + along.1 * along.1;
    let reached = along.0 * to.0 + along.1 * to.1;
    if length == 0 || reached <= 0 || reached >= length {
        return false; // the nearest point is an end, which is checked separately
    }
    let across = i128::from(along.0 * to.1 - along.1 * to.0);
    across * across <= i128::from(square) * i128::from(length)
}

#[cfg(test)]
mod tests {
    use crate::geometry::plane::{Heading, Point, Rect};

    const ANGLE: u16 = 220;

    fn at(x: i32, y: i32, tenths: i32, width: i32, depth: i32) -> Rect {
        Rect::new(Point { x, y }, Heading::from_tenths(tenths), width, depth)
    }

    #[test]
    fn a_charge_zone_reaches_as_far_as_the_example_says() {
        let charger = at(0, 0, 0, 400, 100);
        let point = |x, y| at(x, y, 0, 0, 0);
        assert!(charger.zone_holds(&point(300, 800), 1200, ANGLE));
        assert!(!charger.zone_holds(&point(650, 800), 1200, ANGLE));
        assert!(!charger.zone_holds(&point(0, 1250), 1200, ANGLE));
        assert!(charger.zone_holds(&point(0, 1200), 1200, ANGLE));
        assert!(!charger.zone_holds(&point(0, -1), 1200, ANGLE));
    }

    #[test]
    fn a_zone_holds_what_only_crosses_it() {
        let owner = at(0, 0, 0, 300, 50);
        // A long thin unit lies across the zone, with all its corners outside it.
        let across = at(0, 150, 0, 2000, 20);
        assert!(owner.zone_holds(&across, 200, ANGLE));
        assert!(!owner.zone_holds(&across, 120, ANGLE));
        // Another unit is beyond the angle: 5" to the right, 1" ahead.
        assert!(!owner.zone_holds(&at(500, 100, 0, 300, 50), 400, ANGLE));
    }

    #[test]
    fn zones_agree_with_points_of_a_grid() {
        // Checks every hundredth-inch point of the other unit, for units in scattered positions.
        let owner = at(0, 0, 0, 200, 50);
        for (index, &(x, y)) in
            [(180, 120), (220, 60), (-250, 200), (0, 260), (-140, -20), (400, 240)].iter().enumerate()
        {
            let other = at(x, y, 370 * index as i32, 120, 80);
            let mut held = false;
            for right in -60..=60 {
                for back in 0..=80 {
                    let point = other.at(right, -back);
                    let aside = (i64::from(point.x.abs()) - 100).max(0);
                    let ahead = i64::from(point.y);
                    let within = ahead >= 0 && aside * 1_000_000 <= ahead * 404_026;
                    held |= within && aside * aside + ahead * ahead <= 200 * 200;
                }
            }
            assert_eq!(owner.zone_holds(&other, 200, ANGLE), held, "{x} {y}");
        }
    }

    #[test]
    fn what_stands_behind_is_found_from_the_rear_edge() {
        let line = at(0, 0, 0, 300, 50);
        let column = |gap: i32| at(0, -50 - gap, 0, 150, 100);
        assert!(line.has_behind(&column(90), 100));
        assert!(line.has_behind(&column(100), 100));
        assert!(!line.has_behind(&column(110), 100));
        assert!(!line.has_behind(&at(0, 120, 0, 300, 50), 100));
        // Units next to it, level or deeper, and one diagonally behind its corner.
        assert!(!line.has_behind(&at(400, 0, 0, 300, 50), 100));
        assert!(!line.has_behind(&at(300, 0, 0, 300, 150), 100));
        assert!(!line.has_behind(&at(310, -80, 0, 300, 50), 100));
        assert!(line.has_behind(&at(290, -80, 0, 300, 50), 100));
        assert_eq!(line.gap_straight_behind(&column(70), ANGLE), Some(70));
        assert_eq!(line.gap_straight_behind(&at(160, -100, 0, 150, 100), ANGLE), None);
        assert_eq!(line.gap_straight_behind(&at(0, -100, 230, 150, 100), ANGLE), None);
        assert_eq!(line.gap_straight_behind(&at(0, 0, 0, 150, 100), ANGLE), None);
    }

    #[test]
    fn a_line_is_raked_within_the_bound_of_the_clause() {
        let line = at(0, 0, 0, 300, 50);
        // At d = 6", the middle of the firer's front may lie between -1.5" and 1.0"; the far side is 9" away.
        let raked = |y: i32, range: i32| {
            let aim = Heading::between(Point { x: -750, y }, Point { x: 0, y: -25 });
            line.raked_by(&at(-750, y, i32::from(aim.tenths()), 100, 50), false, ANGLE, range)
        };
        assert!(raked(100, 1000) && raked(-150, 1000) && raked(-25, 1000));
        assert!(!raked(120, 1000) && !raked(-170, 1000));
        assert!(!raked(-25, 890), "the far side lies beyond the range");
        assert!(!line.raked_by(&at(-750, -25, 0, 100, 50), false, ANGLE, 1000), "the firer looks elsewhere");
        assert!(line.raked_by(&at(-750, -25, 0, 100, 50), true, ANGLE, 1000), "unless it shoots in any direction");
        assert!(line.raked_by(&at(750, -25, 2700, 100, 50), false, ANGLE, 1000), "from the right as well");
        assert!(!line.raked_by(&at(100, 600, 1800, 100, 50), false, ANGLE, 1000), "not from ahead");
    }
}
