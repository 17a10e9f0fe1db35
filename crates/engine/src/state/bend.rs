//! Bends: units whose front follows linear terrain that changes direction (clause 7.23).
//!
//! A bent front has two parts, left and right of the bend, and every figure faces square to its own part. The bend
//! stays in place when the unit loses figures, which are removed at the ends, as long as there are figures on both
//! sides of it. Example: S6 lines a hedge that changes direction by 20 degrees between its fourth and its fifth figure.
//! The line is bent 0.5" to the right of the middle of its front; figures 1 to 4 face 0 degrees, figures 5 and 6 face
//! 20.

use grognard_rules::model::Rules;

use crate::geometry::plane::Rect;
use crate::state::terrain::{Piece, touches_linear};
use crate::state::unit::Unit;

/// The position and the angle of a bend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bend {
    /// Tenths of a degree, clockwise, from the heading of the left part to that of the right one; 0 if the front is
    /// straight.
    pub tenths: i16,
    /// Hundredths of an inch from the middle of the front to the bend, positive to the right; 0 for a straight front.
    /// The unit's own heading is that of the stretch on which the middle lies: the right one if this is negative, and
    /// otherwise the left one.
    pub at: i16,
}

impl Bend {
    /// A straight front.
    pub const NONE: Self = Self { tenths: 0, at: 0 };

    /// Whether the front is straight.
    #[inline]
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.tenths == 0
    }

    /// Tenths of a degree, clockwise, from the heading of the left part to the unit's own.
    pub(crate) fn own_turn(self) -> i32 {
        if self.at < 0 { i32::from(self.tenths) } else { 0 }
    }

    /// The positions at which a front of this width, in hundredths of an inch, can bend between two figures, as values
    /// of [`Bend::at`]: the nearest to `nearest_to` first; if two are equally near, the one to the right.
    pub(crate) fn places(width: i32, figures: i32, nearest_to: i32) -> impl Iterator<Item = i16> {
        let mut places: Vec<i32> = (1..figures).map(|left| (2 * left - figures) * width / (2 * figures)).collect();
        places.sort_unstable_by_key(|at| ((at - nearest_to).abs(), -at));
        places.into_iter().map(|at| at as i16)
    }
}

impl Unit {
    /// Its left and right parts, each with the heading of its figures; the halves of a straight front.
    #[must_use]
    pub fn stretches(&self, rules: &Rules) -> [Rect; 2] {
        let footprint = self.footprint(rules);
        let (half, at) = (footprint.width / 2, self.bends_at(rules));
        let [left, right] = self.frames(at);
        [(left, -half, at), (right, at, half)].map(|(frame, from, to)| {
            Rect::new(frame.at((from + to) / 2 - at, 0), frame.heading(), to - from, footprint.depth)
        })
    }

    /// Whether every figure of its front touches linear terrain.
    pub(crate) fn lines(&self, rules: &Rules, terrain: &[Piece]) -> bool {
        let footprint = self.footprint(rules);
        let (half, figures, at) = (footprint.width / 2, i32::from(footprint.front.max(1)), self.bends_at(rules));
        let [left, right] = self.frames(at);
        (0..figures).all(|figure| {
            let middle = (2 * figure + 1 - figures) * half / figures;
            let frame = if middle <= at { &left } else { &right };
            let ground =
                Rect::new(frame.at(middle - at, 0), frame.heading(), footprint.width / figures, footprint.depth);
            touches_linear(rules, terrain, &ground, rules.dressing.touch)
        })
    }

    /// Whether figures of its front are on both sides of the bend.
    pub(crate) fn bends(&self, rules: &Rules) -> bool {
        let (most, at) = (self.outermost(rules), i32::from(self.bend.at));
        at >= -most && at < most
    }

    /// The distance from the middle of its front to that of its outermost figure.
    fn outermost(&self, rules: &Rules) -> i32 {
        let footprint = self.footprint(rules);
        (footprint.width - footprint.width / i32::from(footprint.front.max(1))) / 2
    }

    /// The position of the bend: at least half a figure is left on each side.
    fn bends_at(&self, rules: &Rules) -> i32 {
        let most = self.outermost(rules);
        i32::from(self.bend.at).clamp(-most, most)
    }

    /// The bend as the middle of a front without width, with the heading of each part.
    fn frames(&self, at: i32) -> [Rect; 2] {
        let place = Rect::new(self.front, self.heading, 0, 0).at(at, 0);
        let left = self.heading.turned(-self.bend.own_turn());
        [left, left.turned(i32::from(self.bend.tenths))].map(|heading| Rect::new(place, heading, 0, 0))
    }
}
