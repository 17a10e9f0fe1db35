//! Roads: whether a unit is on a road, and where the road leads ahead of it and behind it (clauses 8.61, 8.63).
//!
//! Every piece of road is a leg: a straight centre line, with half a width of road on both sides. Legs join where their
//! centre lines meet, if that is near an end of both or on one of them. Any part that sticks out beyond that point
//! belongs to the joint. A point is on a leg if it is no farther from the centre line than half the width and no
//! farther past an end than [`TOLERANCE`]. All questions about roads are answered from the legs.
//!
//! Example: a road goes 20" north, and from its end another goes east. A unit whose front is 3" past the corner has 3"
//! of road straight behind it, and then 20" to the south.

use grognard_rules::model::Rules;

use crate::geometry::plane::{Heading, Point, Rect};
use crate::state::terrain::Piece;

/// The largest error, in hundredths of an inch, that rounding makes between a unit and the end of a leg. Headings are
/// tenths of a degree, so a line of 86 inches, across the table, may end 0.04" beside the correct point. A joint has
/// two such lines, and a move of 24 inches adds 0.02".
const TOLERANCE: i32 = 10;

/// The largest turn, in tenths of a degree, at which a road still counts as straight ahead.
const STRAIGHT: i32 = 50;

/// The largest turn, in tenths of a degree, of a road that leads on: a right angle, with the same allowance as
/// [`STRAIGHT`]. After a larger turn, the road leads back.
const SQUARE: i32 = 900 + STRAIGHT;

/// The distance, in hundredths of an inch, between the points of a march that are checked for a road.
const APART: usize = 25;

/// The roads on a table. Each leg is listed in both directions.
#[derive(Clone, Debug, Default)]
pub struct Roads(Vec<Leg>);

/// A piece of road in one direction.
#[derive(Clone, Copy, Debug)]
struct Leg {
    /// The piece, with its far end as the front.
    strip: Rect,
    /// The far end of its centre line: the end of the piece, or the joint with another leg.
    end: Point,
    /// The largest turn with which a unit may enter it, in tenths of a degree.
    bend: i32,
}

impl Leg {
    /// Whether a point is on the leg.
    fn holds(&self, point: Point) -> bool {
        let (aside, ahead) = self.strip.local(point);
        let tolerance = i64::from(TOLERANCE);
        2 * aside.abs() <= i64::from(self.strip.width)
            && ahead <= tolerance
            && ahead >= -i64::from(self.strip.depth) - tolerance
    }

    /// The rest of the leg from a point on it: the heading to its end, and the length. `None` at the end.
    fn rest(&self, from: Point) -> Option<(Heading, i32)> {
        let left = from.square_distance(self.end).isqrt() as i32;
        let past = self.strip.local(from).1 - self.strip.local(self.end).1;
        (left > TOLERANCE && past <= i64::from(TOLERANCE)).then(|| (Heading::between(from, self.end), left))
    }
}

impl Roads {
    /// The roads among these pieces of terrain.
    pub(crate) fn of(rules: &Rules, terrain: &[Piece]) -> Self {
        let roads = || terrain.iter().filter(|piece| piece.ground(rules).road);
        let strips: Vec<Rect> = roads().map(|piece| lengthwise(piece, rules)).collect();
        let legs = roads().zip(&strips).flat_map(|(piece, strip)| {
            let bend = piece.ground(rules).bend;
            [*strip, reversed(strip)].map(|strip| leg(&strips, &strip, bend))
        });
        Self(legs.collect())
    }

    /// Whether a point is on a road.
    fn hold(&self, point: Point) -> bool {
        self.0.iter().any(|leg| leg.holds(point))
    }

    /// Whether the middle of a unit's front and the middle of its rear are on a road.
    pub(crate) fn carry(&self, ground: &Rect) -> bool {
        self.hold(ground.front) && self.hold(ground.at(0, -ground.depth))
    }

    /// Whether a march straight ahead from this ground stays on a road.
    pub(crate) fn carry_march(&self, from: &Rect, distance: i32) -> bool {
        (0..=distance).step_by(APART).chain([distance]).all(|at| self.carry(&from.marched(at)))
    }

    /// Whether a point is on a road that goes this way.
    pub(crate) fn lead(&self, point: Point, heading: Heading) -> bool {
        self.0.iter().any(|leg| heading.turn_to(leg.strip.heading()).abs() <= STRAIGHT && leg.holds(point))
    }

    /// The heading and length of the road ahead of a point on it, as far as the next joint or the end. A leg straight
    /// ahead comes first, then the longest one that leads on, then the longest one that leads back. At a joint, the leg
    /// that a unit comes from leads back by no more than a hairpin once the unit has turned.
    pub(crate) fn next_leg(&self, from: Point, heading: Heading) -> Option<(Heading, i32)> {
        let legs = self.0.iter().filter_map(|leg| {
            let turn = heading.turn_to(leg.strip.heading()).abs();
            let (way, left) = leg.rest(from).filter(|_| leg.holds(from))?;
            // For a point off the centre line, the heading to the end of the leg differs from the leg's own.
            let is_open = turn.max(heading.turn_to(way).abs()) <= leg.bend;
            is_open.then_some(((turn <= STRAIGHT, turn <= SQUARE, left), way))
        });
        // If several are equally long, the first one is taken.
        let best = legs.reduce(|best, leg| if leg.0 > best.0 { leg } else { best });
        best.map(|((.., left), way)| (way, left))
    }

    /// The road behind the middle of a unit's front, leg by leg, for this length or as far as it goes. Each part has
    /// the unit's width and the heading in which a unit comes up along it. Empty if the road does not lead in the
    /// unit's direction.
    pub(crate) fn behind<'r>(&'r self, ground: &Rect, length: i32) -> impl Iterator<Item = Rect> + use<'r> {
        let (width, mut at, mut back) = (ground.width, ground.front, ground.heading().reversed());
        let mut left = if self.lead(at, ground.heading()) { length } else { 0 };
        std::iter::from_fn(move || {
            let (way, far) = if left > 0 { self.next_leg(at, back)? } else { return None };
            let part = Rect::new(at, way.reversed(), width, far.min(left));
            (at, back, left) = (at.moved(way, part.depth), way, left - part.depth);
            Some(part)
        })
    }

    /// Whether a unit that moves on this heading, with this point foremost, comes up from behind along a part of a road.
    pub(crate) fn leads_up(&self, part: &Rect, foremost: Point, heading: Heading) -> bool {
        let (aside, ahead) = part.local(foremost);
        ahead < 0
            && 2 * aside.abs() <= i64::from(part.width)
            && heading.turn_to(part.heading()).abs() <= STRAIGHT
            && self.lead(foremost, heading)
    }
}

/// A piece of road as a rectangle with the centre line from rear to front. A line may be shorter than it is thick; a
/// block leads along its longer sides.
fn lengthwise(piece: &Piece, rules: &Rules) -> Rect {
    let Piece { rect, .. } = piece;
    let is_line = rect.depth == piece.ground(rules).thickness;
    let (along, length, width) = if is_line || rect.width >= rect.depth {
        (rect.heading().turned(900), rect.width, rect.depth)
    } else {
        (rect.heading(), rect.depth, rect.width)
    };
    Rect::new(rect.centre().moved(along, length / 2), along, width, length)
}

/// The same strip in the other direction.
fn reversed(strip: &Rect) -> Rect {
    Rect::new(strip.at(0, -strip.depth), strip.heading().reversed(), strip.width, strip.depth)
}

/// The leg of one of these strips, extended to its joints if it ends short of them.
fn leg(strips: &[Rect], strip: &Rect, bend: i32) -> Leg {
    let (start, end) = (end_of(strips, &reversed(strip)), end_of(strips, strip));
    let ahead = strip.local(end).1.max(0) as i32;
    let depth = ahead + (-strip.local(start).1 as i32).max(strip.depth);
    Leg { strip: Rect::new(strip.at(0, ahead), strip.heading(), strip.width, depth), end, bend }
}

/// The end of a strip's centre line, at its front: the nearest joint, or the strip's own end.
fn end_of(strips: &[Rect], strip: &Rect) -> Point {
    let joints = strips.iter().filter_map(|other| joint(strip, other));
    joints.min_by_key(|&point| point.square_distance(strip.front)).unwrap_or(strip.front)
}

/// The point where the centre lines of two strips meet, if it is within a width of road of the first strip's front, and
/// on the other strip or within the same distance of it.
fn joint(strip: &Rect, other: &Rect) -> Option<Point> {
    let turn = strip.heading().turn_to(other.heading()).abs();
    if !(STRAIGHT..=1800 - STRAIGHT).contains(&turn) {
        return None;
    }
    let line = |strip: &Rect| (strip.front, strip.heading().turned(900));
    let meet = Point::where_lines_meet(line(strip), line(other))?;
    let (width, ahead) = (i64::from(strip.width), strip.local(meet).1);
    let along = other.local(meet).1;
    let near_front = ahead.abs() <= width && ahead > -i64::from(strip.depth) / 2;
    let on_other = along <= width && along >= -i64::from(other.depth) - width;
    (near_front && on_other).then_some(meet)
}
