//! Moves: a wheel about a front corner, then a straight march or shift, and the ground that they pass over.

use crate::geometry::plane::rect::{Rect, TOUCH};

/// Tenths of a degree between the positions at which a wheel is checked.
const WHEEL_STEP: i32 = 20;

/// The rounding error, in half hundredths of an inch, by which something exactly abeam may seem to be ahead.
const ROUNDED: i64 = 4;

/// A move from one position to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its start.
    pub start: Rect,
    /// The wheel about a front corner, in tenths of a degree, clockwise positive.
    pub wheel: i32,
    /// The direction after the wheel, in tenths of a degree clockwise from straight ahead.
    pub bearing: i32,
    /// The distance after the wheel, in hundredths of an inch.
    pub distance: i32,
    /// Its cost, in hundredths of an inch: the wheel, measured by the rules, plus the distance.
    pub length: i32,
}

impl Way {
    /// The position after the wheel.
    #[must_use]
    pub fn turned(&self) -> Rect {
        if self.wheel == 0 { self.start } else { self.start.wheeled(self.wheel) }
    }

    /// The position at the end.
    #[must_use]
    pub fn end(&self) -> Rect {
        let turned = self.turned();
        turned.moved(turned.heading().turned(self.bearing), self.distance)
    }

    /// Positions along the move, including the end, at most this many hundredths of an inch apart: first those of the
    /// wheel, then those after it.
    pub fn places(&self, apart: i32) -> impl Iterator<Item = Rect> + use<> {
        let (way, turned) = (*self, self.turned());
        let heading = turned.heading().turned(self.bearing);
        let steps = self.wheel / WHEEL_STEP;
        let wheel = (0..=steps.abs()).map(move |step| way.start.wheeled(step * WHEEL_STEP * steps.signum()));
        let marches = self.distance / apart.max(1);
        let march = (0..=marches).map(move |step| turned.moved(heading, step * apart));
        wheel.chain(march).chain(std::iter::once(self.end()))
    }

    /// Whether the direction after the wheel deviates from straight ahead by more than this many tenths of a degree.
    #[must_use]
    pub fn oblique(&self, most: i32) -> bool {
        let bearing = self.bearing.rem_euclid(3600);
        self.distance > 0 && bearing > most && bearing < 3600 - most
    }

    /// Whether the move overlaps another rectangle by more than `touch` anywhere, including at its end.
    #[must_use]
    pub fn passes_over(&self, other: &Rect, touch: i32) -> bool {
        let over = |rect: &Rect| rect.inset(touch).overlaps(other);
        let steps = self.wheel / WHEEL_STEP;
        let wheeled = (1..=steps.abs()).any(|step| over(&self.start.wheeled(step * WHEEL_STEP * steps.signum())));
        let turned = self.turned();
        if wheeled || (self.wheel != 0 && over(&turned)) {
            return true;
        }
        if self.bearing.rem_euclid(1800) == 0 {
            let end = self.end();
            let front = if self.bearing.rem_euclid(3600) == 0 { end.front } else { turned.front };
            return over(&Rect::new(front, turned.heading(), turned.width, turned.depth + self.distance));
        }
        let heading = turned.heading().turned(self.bearing);
        let inner = turned.inset(touch + TOUCH as i32);
        let passage = inner.passage_along(other, heading);
        passage.is_some_and(|(enter, leave)| enter < self.distance && leave > 0) || over(&self.end())
    }

    /// Like [`Way::passes_over`], but a rectangle under the start counts only if the move leads towards its middle or
    /// ends on it.
    #[must_use]
    pub fn runs_over(&self, other: &Rect, touch: i32) -> bool {
        if self.start.inset(touch).overlaps(other) {
            return self.leads_towards(other) || self.end().inset(touch).overlaps(other);
        }
        self.passes_over(other, touch)
    }

    /// Whether the move brings the middle of the rectangle nearer to the middle of another one, by more than a rounding
    /// error.
    #[must_use]
    pub fn leads_towards(&self, other: &Rect) -> bool {
        let turned = self.turned();
        let from_middle = Rect::new(turned.centre(), turned.heading().turned(self.bearing), 0, 0);
        2 * from_middle.local(other.centre()).1 > ROUNDED
    }
}
