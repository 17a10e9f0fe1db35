//! Movement and charge distances.

use grognard_rules::model::Rules;

use crate::state::{Battle, Flags, Unit, UnitId};

/// The distance that a unit moves in this formation, in hundredths of an inch; `None` if it cannot move. A square of
/// several units is as slow as its slowest unit (9.55). Guns inside are manhandled along.
pub(crate) fn pace(rules: &Rules, battle: &Battle, id: UnitId) -> Option<i32> {
    let unit = battle.unit(id);
    let speed = |unit: &Unit| rules.kinds[unit.kind].speed[unit.formation];
    let own = speed(unit).filter(|_| rules.formations[unit.formation].moves);
    if unit.guests == 0 {
        return own;
    }
    let on_foot = |other: &&Unit| rules.kinds[other.kind].cannon == 0;
    let inside =
        |other: &&Unit| other.flags.has(Flags::INSIDE) && other.side == unit.side && other.foe == id && on_foot(other);
    let slowest = battle.units.iter().filter(inside).filter_map(speed).min();
    own.map(|own| slowest.map_or(own, |slowest| own.min(slowest)))
}

/// The distance that a unit can charge, in hundredths of an inch: its move in this formation and the extra reach of a
/// charge.
pub(crate) fn reach(rules: &Rules, battle: &Battle, id: UnitId) -> i32 {
    pace(rules, battle, id).map_or(0, |pace| pace + rules.kinds[battle.unit(id).kind].charge)
}
