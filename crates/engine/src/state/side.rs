//! The two sides of a battle.

use serde::{Deserialize, Serialize};

/// One of the two sides. `First` moves first in every turn, unless the pack rolls for the initiative.
///
/// ```
/// use grognard_engine::{BySide, Side};
///
/// let losses = BySide::new(3, 5);
/// assert_eq!(Side::BOTH.map(|side| losses[side]), [3, 5]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Side {
    /// The first one a study names: the side that moves first.
    #[default]
    First = 0,
    /// The other side.
    Second = 1,
}

impl Side {
    /// Both sides, in order of moving.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The enemy.
    ///
    /// ```
    /// use grognard_engine::Side;
    ///
    /// assert_eq!(Side::First.other(), Side::Second);
    /// ```
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first side, 1 for the second.
    ///
    /// ```
    /// use grognard_engine::Side;
    ///
    /// assert_eq!(["attacker", "defender"][Side::Second.index()], "defender");
    /// ```
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BySide<T> {
    /// The first side's.
    pub first: T,
    /// The second side's.
    pub second: T,
}

impl<T> BySide<T> {
    /// The values of the first and of the second side.
    pub const fn new(first: T, second: T) -> Self {
        Self { first, second }
    }

    /// Each side's value made by `make`.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        Self { first: make(Side::First), second: make(Side::Second) }
    }

    /// Each value changed by `change`.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> BySide<U> {
        BySide { first: change(self.first), second: change(self.second) }
    }

    /// The values with the sides swapped.
    #[must_use]
    pub fn swap(self) -> Self {
        Self { first: self.second, second: self.first }
    }
}

impl<T> core::ops::Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> core::ops::IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}
