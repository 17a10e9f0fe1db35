//! Sets of units.

use crate::state::ids::UnitId;
use crate::state::unit::UNITS_MAX;

/// A set of a battle's units. Iteration follows the order of their numbers. Iterating consumes a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Units(u128);

const _: () = assert!(UNITS_MAX <= WHOLE);

/// The number of bits in a set, and in its lower half, which is enough for most battles.
const WHOLE: usize = u128::BITS as usize;
const HALF: usize = WHOLE / 2;

impl Units {
    /// The set of all units.
    pub(crate) const ALL: Self = Self(u128::MAX);

    /// The first `units` units.
    #[inline]
    pub(crate) const fn first(units: usize) -> Self {
        match units {
            0..HALF => Self(((1_u64 << units) - 1) as u128),
            HALF..WHOLE => Self((1 << units) - 1),
            _ => Self::ALL,
        }
    }

    /// A set of one unit.
    #[inline]
    pub(crate) const fn one(id: UnitId) -> Self {
        // Most battles fit into the lower half.
        Self(if id.index() < HALF { (1_u64 << id.0) as u128 } else { 1 << id.0 })
    }

    /// The union of two sets.
    #[inline]
    pub(crate) const fn plus(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The intersection of two sets.
    #[inline]
    pub(crate) const fn among(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// The difference of two sets.
    #[inline]
    pub(crate) const fn but(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The units that satisfy a predicate.
    #[inline]
    pub(crate) fn those(self, so: impl Fn(UnitId) -> bool) -> Self {
        self.fold(Self(0), |those, id| if so(id) { those.plus(Self::one(id)) } else { those })
    }

    /// Whether the set has a unit.
    #[inline]
    pub(crate) const fn has(self, id: UnitId) -> bool {
        !self.among(Self::one(id)).is_empty()
    }

    /// The only unit of the set, if it has exactly one.
    #[inline]
    pub(crate) const fn only(self) -> Option<UnitId> {
        if self.0.is_power_of_two() { Some(UnitId(self.0.trailing_zeros() as u8)) } else { None }
    }

    /// Whether the set is empty.
    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Units {
    type Item = UnitId;

    #[inline]
    fn next(&mut self) -> Option<UnitId> {
        let (low, high) = (self.0 as u64, (self.0 >> HALF) as u64);
        if low != 0 {
            self.0 = u128::from(high) << HALF | u128::from(low & (low - 1));
            return Some(UnitId(low.trailing_zeros() as u8));
        }
        if high == 0 {
            return None;
        }
        self.0 = u128::from(high & (high - 1)) << HALF;
        Some(UnitId(HALF as u8 + high.trailing_zeros() as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_units_that_were_put_into_it() {
        for units in [0, 1, 5, 63, 64, 65, UNITS_MAX, WHOLE] {
            let first = Units::first(units);
            let numbers: Vec<usize> = first.map(UnitId::index).collect();
            assert_eq!(numbers, (0..units).collect::<Vec<_>>());
            assert_eq!((first.is_empty(), first.only()), (units == 0, (units == 1).then_some(UnitId(0))));
            for id in (0..WHOLE as u8).map(UnitId) {
                assert_eq!(first.has(id), id.index() < units, "{id:?} of {units}");
                assert_eq!(Units::one(id).only(), Some(id));
                assert_eq!(first.but(Units::one(id)).plus(Units::one(id)), first.plus(Units::one(id)));
            }
            let even: Vec<usize> = first.those(|id| id.index() % 2 == 0).map(UnitId::index).collect();
            assert_eq!(even, (0..units).step_by(2).collect::<Vec<_>>());
        }
        assert_eq!(Units::first(WHOLE), Units::ALL);
    }
}
