//! Markers, which stay with a unit until they are removed.

/// A unit's markers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marks(u8);

impl Marks {
    /// It is firing, and continues to do so until the marker is removed.
    pub const FIRING: Self = Self(1);
    /// It has pivoted by order in this half-turn.
    pub const PIVOTED: Self = Self(2);
    /// It is a battery or a train and has moved in its side's last half-turn. Lasts until the end of the enemy's
    /// half-turn.
    pub const MARCHED: Self = Self(4);

    /// Its charge on [`Unit::foe`](crate::Unit::foe) has been resolved in this half-turn.
    pub const CHARGED: Self = Self(8);
    /// It is a battery disordered by the square that it is in.
    pub const SHARES: Self = Self(16);

    /// Whether the unit has any of these markers.
    #[inline]
    #[must_use]
    pub const fn has(self, marks: Self) -> bool {
        self.0 & marks.0 != 0
    }

    pub(crate) fn set(&mut self, marks: Self) {
        self.0 |= marks.0;
    }

    pub(crate) fn clear(&mut self, marks: Self) {
        self.0 &= !marks.0;
    }

    /// Removes markers that last only for a half-turn. `marched` tells whether the unit is a battery or a train that
    /// moved in the half-turn that ends.
    pub(crate) fn end_half_turn(&mut self, marched: bool) {
        self.clear(Self(Self::PIVOTED.0 | Self::MARCHED.0 | Self::CHARGED.0));
        if marched {
            self.set(Self::MARCHED);
        }
    }
}
