//! Headings and directions, in integers.

use crate::geometry::plane::Point;

/// The number one in the fixed-point format of direction vectors, with 16 binary places.
pub(super) const ONE: i64 = 1 << 16;

/// A heading: tenths of a degree clockwise from north, 0 to 3599.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Heading(u16);

/// Tenths of a degree in a full turn.
pub const FULL_TURN: u16 = 3600;

impl Heading {
    /// North: away from the first side's baseline.
    pub const NORTH: Self = Self(0);

    /// The heading of this many tenths of a degree; any number is reduced to the range 0 to 3599.
    #[must_use]
    pub const fn from_tenths(tenths: i32) -> Self {
        Self(tenths.rem_euclid(FULL_TURN as i32) as u16)
    }

    /// Tenths of a degree clockwise from north, 0 to 3599.
    #[must_use]
    pub const fn tenths(self) -> u16 {
        self.0
    }

    /// This heading turned clockwise by this many tenths of a degree.
    #[must_use]
    pub const fn turned(self, tenths: i32) -> Self {
        Self::from_tenths(self.0 as i32 + tenths)
    }

    /// The opposite heading.
    #[must_use]
    pub const fn reversed(self) -> Self {
        self.turned(FULL_TURN as i32 / 2)
    }

    /// The turn from this heading to another, in tenths of a degree: -1800 to 1799, clockwise positive.
    #[must_use]
    pub const fn turn_to(self, other: Self) -> i32 {
        (other.0 as i32 - self.0 as i32 + 1800).rem_euclid(FULL_TURN as i32) - 1800
    }

    /// The unit vector along this heading, with x to the east and y to the north, scaled by 65,536.
    #[inline]
    #[must_use]
    pub fn forward(self) -> (i64, i64) {
        let h = self.0 as usize;
        (sine(h), sine(h + 900))
    }

    /// The heading from one point to another; north if they are the same. Exact to a tenth of a degree.
    #[must_use]
    pub fn between(from: Point, to: Point) -> Self {
        let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
        if dx == 0 && dy == 0 {
            return Self::NORTH;
        }
        // Within a quadrant, bisection finds the angle. `along` and `across` are measured from the quadrant's first
        // axis.
        let (quadrant, along, across) = match (dx >= 0, dy > 0) {
            (true, true) => (0, dy, dx),
            (true, false) => {
                if dx > 0 {
                    (900, dx, -dy)
                } else {
                    (1800, -dy, -dx)
                }
            }
            (false, false) => {
                if dy < 0 {
                    (1800, -dy, -dx)
                } else {
                    (2700, -dx, dy)
                }
            }
            (false, true) => (2700, -dx, dy),
        };
        let beyond = |angle: usize| across * sine(angle + 900) > along * sine(angle);
        let (mut low, mut high) = (0_usize, 900_usize);
        while low < high {
            let middle = usize::midpoint(low, high);
            if beyond(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // `low` is the first tenth not passed; the one before may be nearer. If both are equally near, the even one is
        // taken: its mirror image is even, too.
        let nearest = if low > 0 {
            let over = along * sine(low) - across * sine(low + 900);
            let under = across * sine(low - 1 + 900) - along * sine(low - 1);
            if under < over || (under == over && low % 2 == 1) { low - 1 } else { low }
        } else {
            low
        };
        Self::from_tenths(quadrant + nearest as i32)
    }
}

/// The sine of an angle in tenths of a degree, 0 to 4499, scaled by [`ONE`].
#[inline]
#[must_use]
pub(super) fn sine(tenths: usize) -> i64 {
    SINES[tenths] as i64
}

/// The cosine of an angle in tenths of a degree, 0 to 3599, scaled by [`ONE`].
#[inline]
#[must_use]
pub(super) fn cosine(tenths: usize) -> i64 {
    sine(tenths + 900)
}

/// Sines for each tenth of a degree from 0 to 450 degrees, so that a cosine is the sine of the angle plus a quarter
/// turn. They come from the Taylor series in 60-bit fixed point, without floats, and are the same on every machine.
static SINES: [i32; 4500] = sines();

const fn sines() -> [i32; 4500] {
    let mut table = [0_i32; 4500];
    let mut tenths = 0;
    while tenths < 4500 {
        let angle = tenths % 3600;
        table[tenths] = match angle {
            0..=900 => taylor_sine(angle as i128),
            901..=1800 => taylor_sine(1800 - angle as i128),
            1801..=2700 => -taylor_sine(angle as i128 - 1800),
            _ => -taylor_sine(3600 - angle as i128),
        };
        tenths += 1;
    }
    table
}

const fn taylor_sine(tenths: i128) -> i32 {
    const BITS: u32 = 60;
    /// Pi in 60-bit fixed point.
    const PI: i128 = 3_622_009_729_038_463_111;
    let x = tenths * PI / 1800;
    let square = (x * x) >> BITS;
    let mut term = x;
    let mut sum = x;
    let mut n = 1;
    while n < 12 {
        term = -((term * square) >> BITS) / ((2 * n) * (2 * n + 1));
        sum += term;
        n += 1;
    }
    ((sum + (1 << (BITS - 17))) >> (BITS - 16)) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_are_those_of_the_tables() {
        // Handbook values, rounded to 16 binary places.
        for (tenths, expected) in [(0, 0), (220, 24_550), (300, 32_768), (450, 46_341), (600, 56_756), (900, 65_536)] {
            assert_eq!(sine(tenths), expected, "sine of {tenths} tenths of a degree");
        }
        assert_eq!(sine(2100), -32_768);
        assert_eq!(cosine(1800), -65_536);
    }

    #[test]
    fn every_heading_is_found_again_from_its_vector() {
        for tenths in 0..3600 {
            let heading = Heading::from_tenths(tenths);
            let (x, y) = heading.forward();
            let to = Point { x: (x >> 2) as i32, y: (y >> 2) as i32 };
            assert_eq!(Heading::between(Point { x: 0, y: 0 }, to), heading);
        }
    }

    #[test]
    fn turns_take_the_short_way() {
        assert_eq!(Heading::from_tenths(3500).turn_to(Heading::from_tenths(100)), 200);
        assert_eq!(Heading::from_tenths(100).turn_to(Heading::from_tenths(3500)), -200);
        assert_eq!(Heading::NORTH.reversed().tenths(), 1800);
    }
}
