//! The roster of the units on the table.

use grognard_rules::model::Rules;

use crate::state::battle::Battle;
use crate::state::unit::Unit;
use crate::state::unit_set::Units;

/// The units that are on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roster {
    /// All units on the table.
    pub(crate) here: Units,
    /// The units on the table that are not broken.
    pub(crate) able: Units,
    /// The screens on the table.
    pub(crate) screens: Units,
}

impl Roster {
    /// The roster computed from the state of each unit. A cached roster must equal it.
    pub(crate) fn of(rules: &Rules, battle: &Battle) -> Self {
        let units = Units::first(battle.units.len());
        let those = |so: &dyn Fn(&Unit) -> bool| units.those(|id| so(battle.unit(id)));
        Self {
            here: those(&|unit| !unit.gone()),
            able: those(&|unit| !unit.gone() && !unit.broken(rules)),
            screens: those(&|unit| !unit.gone() && battle.is_screen(rules, unit)),
        }
    }

    /// The part of the roster within a set.
    #[inline]
    pub(crate) const fn among(self, units: Units) -> Self {
        let Self { here, able, screens } = self;
        Self { here: here.among(units), able: able.among(units), screens: screens.among(units) }
    }
}
