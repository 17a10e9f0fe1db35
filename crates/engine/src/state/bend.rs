//! Bends: units whose front follows linear terrain that changes direction (clause 7.23).
//!
//! A bent front has two parts, left and right of the bend, and every figure faces at right angles to its own part. Lost
//! figures are removed at the ends of the front. The bend stays in place while there are figures on both sides of it.
//! Example: S6 lines a hedge that changes direction by 20 degrees between its fourth and its fifth figure. The line is
//! bent 0.5" to the right of the middle of its front; figures 1 to 4 face 0 degrees, figures 5 and 6 face 20.

use grognard_rules::model::Rules;

use crate::geometry::plane::Rect;
use crate::state::terrain::{Piece, touches_linear};
use crate::state::unit::Unit;

/// The position and the angle of a bend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bend {
    /// The turn from the heading of the left part to that of the right part, in tenths of a degree clockwise; 0 if the
    /// front is straight.
    pub tenths: i16,
    /// The distance from the middle of the front to the bend, in hundredths of an inch, positive to the right; 0 for a
    /// straight front. The unit's own heading is that of the part that contains the middle: the right part if this is
    /// negative, otherwise the left part.
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

    /// The turn from the heading of the left part to the unit's own, in tenths of a degree clockwise.
    pub(crate) fn own_turn(self) -> i32 {
        if self.at < 0 { i32::from(self.tenths) } else { 0 }
    }

    /// The positions at which a front of this width, in hundredths of an inch, can bend between two figures, as values
    /// of [`Bend::at`]. Those nearest to `nearest_to` come first; if two are equally near, the one to the right does.
    pub(crate) fn places(width: i32, figures: i32, nearest_to: i32) -> impl Iterator<Item = i16> {
        let mut places: Vec<i32> = (1..figures).map(|left| (2 * left - figures) * width / (2 * figures)).collect();
        places.sort_unstable_by_key(|at| ((at - nearest_to).abs(), -at));
        places.into_iter().map(|at| at as i16)
    }
}

impl Unit {
    /// The left and right parts of the unit, each with the heading of its figures. For a straight front, these are its
    /// halves.
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

    /// The distance from the middle of its front to the middle of its outermost figure.
    fn outermost(&self, rules: &Rules) -> i32 {
        let footprint = self.footprint(rules);
        (footprint.width - footprint.width / i32::from(footprint.front.max(1))) / 2
    }

    /// The position of the bend, which leaves at least half a figure on each side.
    fn bends_at(&self, rules: &Rules) -> i32 {
        let most = self.outermost(rules);
        i32::from(self.bend.at).clamp(-most, most)
    }

    /// The bend as two fronts without width, with the headings of the two parts.
    fn frames(&self, at: i32) -> [Rect; 2] {
        let place = Rect::new(self.front, self.heading, 0, 0).at(at, 0);
        let left = self.heading.turned(-self.bend.own_turn());
        [left, left.turned(i32::from(self.bend.tenths))].map(|heading| Rect::new(place, heading, 0, 0))
    }
}
