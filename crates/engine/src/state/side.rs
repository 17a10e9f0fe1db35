//! The sides of a battle.

use serde::{Deserialize, Serialize};

/// The maximum number of sides in a battle.
pub const SIDES_MAX: usize = 4;

/// One of the sides of a battle. `First` moves first in every turn, unless the pack rolls for the initiative.
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
    /// The side listed first in a study, which moves first.
    #[default]
    First = 0,
    /// The side listed second.
    Second = 1,
    /// The third side, in battles of three or four sides.
    Third = 2,
    /// The fourth side, in battles of four sides.
    Fourth = 3,
}

impl Side {
    /// The two sides of a two-sided battle, in the order in which they move.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// All possible sides, in the order in which they move.
    pub const ALL: [Self; SIDES_MAX] = [Self::First, Self::Second, Self::Third, Self::Fourth];

    /// The first `count` sides.
    ///
    /// ```
    /// use grognard_engine::Side;
    ///
    /// assert_eq!(Side::first(3), [Side::First, Side::Second, Side::Third]);
    /// ```
    #[must_use]
    pub fn first(count: usize) -> &'static [Self] {
        &Self::ALL[..count.min(SIDES_MAX)]
    }

    /// The enemy in a battle of two sides. Use [`Side::only_enemy`] if there may be more.
    ///
    /// ```
    /// use grognard_engine::Side;
    ///
    /// assert_eq!(Side::First.other(), Side::Second);
    /// ```
    ///
    /// # Panics
    ///
    /// If this is the third or fourth side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Third | Self::Fourth => panic!("a battle of two sides has no third and no fourth"),
        }
    }

    /// The enemy, if there are two sides; `None` if there are more.
    ///
    /// ```
    /// use grognard_engine::Side;
    ///
    /// assert_eq!(Side::Second.only_enemy(2), Some(Side::First));
    /// assert_eq!(Side::Second.only_enemy(3), None);
    /// ```
    #[must_use]
    pub const fn only_enemy(self, sides: usize) -> Option<Self> {
        if sides == 2 { Some(self.other()) } else { None }
    }

    /// All of `count` sides: first this one, then those that move after it.
    ///
    /// ```
    /// use grognard_engine::Side;
    ///
    /// assert_eq!(Side::Second.onwards(3), [Side::Second, Side::Third, Side::First]);
    /// ```
    #[inline]
    #[must_use]
    pub fn onwards(self, count: usize) -> &'static [Self] {
        use Side::{First, Fourth, Second, Third};
        // In this list, each side is followed by all the others.
        let round: &[Self] = match count {
            0..=2 => &[First, Second, First],
            3 => &[First, Second, Third, First, Second],
            _ => &[First, Second, Third, Fourth, First, Second, Third],
        };
        &round[self.index()..][..count]
    }

    /// The side as an index: 0 for the first side, 1 for the second, and so on.
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

/// One value for each side. Battles of two sides do not have a third or fourth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BySide<T> {
    /// The first side's value.
    pub first: T,
    /// The second side's value.
    pub second: T,
    /// The third side's value.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub third: Option<T>,
    /// The fourth side's value.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub fourth: Option<T>,
}

fn none<T>() -> Option<T> {
    None
}

impl<T> BySide<T> {
    /// Values for the first and the second side.
    pub const fn new(first: T, second: T) -> Self {
        Self { first, second, third: None, fourth: None }
    }

    /// A value for each of two sides, made by `make`.
    pub fn from_fn(make: impl FnMut(Side) -> T) -> Self {
        Self::of(2, make)
    }

    /// A value for each of `count` sides (two to four), made by `make`.
    ///
    /// ```
    /// use grognard_engine::{BySide, Side};
    ///
    /// let places = BySide::of(3, Side::index);
    /// assert_eq!((places.count(), places[Side::Third]), (3, 2));
    /// ```
    #[inline]
    pub fn of(count: usize, mut make: impl FnMut(Side) -> T) -> Self {
        Self {
            first: make(Side::First),
            second: make(Side::Second),
            third: (count > 2).then(|| make(Side::Third)),
            fourth: (count > 3).then(|| make(Side::Fourth)),
        }
    }

    /// A value for each of `count` sides, made by `make`; `None` if it fails to make one of them.
    #[must_use]
    pub fn try_of(count: usize, mut make: impl FnMut(Side) -> Option<T>) -> Option<Self> {
        let (first, second) = (make(Side::First)?, make(Side::Second)?);
        let third = if count > 2 { Some(make(Side::Third)?) } else { None };
        let fourth = if count > 3 { Some(make(Side::Fourth)?) } else { None };
        Some(Self { first, second, third, fourth })
    }

    /// The number of sides.
    #[inline]
    #[must_use]
    pub const fn count(&self) -> usize {
        2 + self.third.is_some() as usize + self.fourth.is_some() as usize
    }

    /// The sides.
    #[inline]
    #[must_use]
    pub fn sides(&self) -> &'static [Side] {
        Side::first(self.count())
    }

    /// A side's value; `None` if there is no such side.
    ///
    /// ```
    /// use grognard_engine::{BySide, Side};
    ///
    /// let losses = BySide::new(3, 5);
    /// assert_eq!((losses.get(Side::Second), losses.get(Side::Third)), (Some(&5), None));
    /// ```
    #[must_use]
    pub const fn get(&self, side: Side) -> Option<&T> {
        match side {
            Side::First => Some(&self.first),
            Side::Second => Some(&self.second),
            Side::Third => self.third.as_ref(),
            Side::Fourth => self.fourth.as_ref(),
        }
    }

    /// The values, in the order of the sides.
    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        [&self.first, &self.second].into_iter().chain(&self.third).chain(&self.fourth)
    }

    /// Changes each value with `change`.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> BySide<U> {
        BySide {
            first: change(self.first),
            second: change(self.second),
            third: self.third.map(&mut change),
            fourth: self.fourth.map(&mut change),
        }
    }

    /// The values of two sides, swapped.
    #[must_use]
    pub fn swap(self) -> Self {
        Self { first: self.second, second: self.first, ..self }
    }
}

impl<T: Default> BySide<T> {
    /// Grows to at least this number of sides. New sides get the default value.
    pub fn grow(&mut self, count: usize) {
        if count > 2 {
            self.third.get_or_insert_default();
        }
        if count > 3 {
            self.fourth.get_or_insert_default();
        }
    }
}

impl<T> core::ops::Index<Side> for BySide<T> {
    type Output = T;
    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
            Side::Third => self.third.as_ref().expect("a battle of three sides"),
            Side::Fourth => self.fourth.as_ref().expect("a battle of four sides"),
        }
    }
}

impl<T> core::ops::IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
            Side::Third => self.third.as_mut().expect("a battle of three sides"),
            Side::Fourth => self.fourth.as_mut().expect("a battle of four sides"),
        }
    }
}
