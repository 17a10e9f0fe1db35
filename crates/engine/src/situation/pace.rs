//! How far units move and charge.

use grognard_rules::model::Rules;

use crate::state::battle::Battle;
use crate::state::unit::{Flags, Unit};

/// How far a unit moves in this formation, in hundredths of an inch; none: it cannot. A square of several units is as slow as
/// the slowest of them (9.55); guns inside are manhandled along.
pub(crate) fn pace(rules: &Rules, battle: &Battle, unit: &Unit) -> Option<i32> {
    let speed = |unit: &Unit| rules.kinds[usize::from(unit.kind)].speed[usize::from(unit.formation)];
    let own = speed(unit).filter(|_| rules.formations[usize::from(unit.formation)].moves);
    if unit.guests == 0 {
        return own;
    }
    let host = battle.units.iter().position(|other| other == unit);
    let on_foot = |other: &&Unit| rules.kinds[usize::from(other.kind)].cannon == 0;
    let inside = |other: &&Unit| {
        other.flags.has(Flags::INSIDE) && other.side == unit.side && Some(other.foe.index()) == host && on_foot(other)
    };
    let slowest = battle.units.iter().filter(inside).filter_map(speed).min();
    own.map(|own| slowest.map_or(own, |slowest| own.min(slowest)))
}

/// How far a unit can charge, in hundredths of an inch: its move in this formation and the extra reach of a charge.
pub(crate) fn reach(rules: &Rules, battle: &Battle, unit: &Unit) -> i32 {
    pace(rules, battle, unit).map_or(0, |pace| pace + rules.kinds[usize::from(unit.kind)].charge)
}
