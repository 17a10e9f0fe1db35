//! Who is there: sets of a battle's units, and those that are on the table.

use grognard_rules::model::Rules;

use crate::state::{Battle, Flags, UNITS_MAX, Unit, UnitId};

/// Some of a battle's units; as an iterator, in the order of their numbers. A copy is gone through, and the set stays as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Units(u128);

const _: () = assert!(UNITS_MAX <= u128::BITS as usize);

impl Units {
    /// Everybody there may be.
    pub(crate) const ALL: Self = Self(u128::MAX);

    /// The first so many units.
    #[inline]
    pub(crate) const fn first(units: usize) -> Self {
        Self(if units < u128::BITS as usize { (1 << units) - 1 } else { u128::MAX })
    }

    /// A unit by itself.
    #[inline]
    pub(crate) const fn one(id: UnitId) -> Self {
        Self(1 << id.0)
    }

    /// Those of either.
    #[inline]
    pub(crate) const fn plus(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Those of both.
    #[inline]
    pub(crate) const fn among(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// These but for those.
    #[inline]
    pub(crate) const fn but(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Those of them of whom something is so.
    #[inline]
    pub(crate) fn those(self, so: impl Fn(UnitId) -> bool) -> Self {
        self.fold(Self(0), |those, id| if so(id) { those.plus(Self::one(id)) } else { those })
    }

    /// Whether a unit is one of them.
    #[inline]
    pub(crate) const fn has(self, id: UnitId) -> bool {
        self.0 >> id.0 & 1 == 1
    }

    /// The one they are, if there is one only.
    #[inline]
    pub(crate) const fn only(self) -> Option<UnitId> {
        if self.0.is_power_of_two() { Some(UnitId(self.0.trailing_zeros() as u8)) } else { None }
    }

    /// Whether nobody is one of them.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Units {
    type Item = UnitId;

    #[inline]
    fn next(&mut self) -> Option<UnitId> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(UnitId(first))
    }
}

/// Units that are on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roster {
    /// All of them.
    pub(crate) here: Units,
    /// Those of them that are not broken.
    pub(crate) able: Units,
    /// Those of them that are screens.
    pub(crate) screens: Units,
}

impl Roster {
    /// Who is there in a battle, by the state of each unit: what the roster that is kept must say.
    pub(crate) fn of(rules: &Rules, battle: &Battle) -> Self {
        let units = Units::first(battle.units.len());
        let those = |so: &dyn Fn(&Unit) -> bool| units.those(|id| so(battle.unit(id)));
        Self {
            here: those(&|unit| !unit.gone()),
            able: those(&|unit| !unit.gone() && !unit.broken(rules)),
            screens: those(&|unit| !unit.gone() && unit.flags.has(Flags::SCREEN) && !battle.is_crew(rules, unit)),
        }
    }

    /// Those of it that are among some.
    #[inline]
    pub(crate) const fn among(self, units: Units) -> Self {
        let Self { here, able, screens } = self;
        Self { here: here.among(units), able: able.among(units), screens: screens.among(units) }
    }
}
