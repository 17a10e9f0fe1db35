//! Paths of several legs.

/// One leg of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// Straight ahead, this many hundredths of an inch.
    March(i32),
    /// A wheel of this many tenths of a degree; clockwise is positive.
    Wheel(i32),
}

/// The maximum number of legs in a path.
pub const LEGS_MAX: usize = 8;
