//! Units that a study keeps off the table at first.

use crate::deploy::plan::{Deployment, Misdeployment};
use crate::state::{Battle, Flags, Setup, Side, Unit, UnitId};

/// The first turn in which a unit may arrive; none: it begins on the table.
pub(super) fn turn_of(plan: &Deployment, unit: &Unit) -> Option<u8> {
    let unit_plan = plan.sides[unit.side].units.get(usize::from(unit.number));
    unit_plan.and_then(|unit| unit.arrives)
}

/// The units of a side that begin on the table; all of them if none does.
pub(super) fn first_on(plan: &Deployment, battle: &Battle, side: Side) -> Vec<UnitId> {
    let here: Vec<UnitId> = battle.side(side).filter(|&id| !battle.unit(id).gone()).collect();
    let at_once = |id: &UnitId| turn_of(plan, battle.unit(*id)).is_none();
    let first: Vec<UnitId> = here.iter().copied().filter(at_once).collect();
    if first.is_empty() { here } else { first }
}

/// Keeps the units off the table to which the study gives a turn.
pub(super) fn keep_off(plan: &Deployment, setup: &mut Setup, faults: &mut Vec<Misdeployment>) {
    let units: Vec<UnitId> = Side::BOTH.into_iter().flat_map(|side| setup.start.side(side)).collect();
    for id in units {
        let unit = *setup.start.unit(id);
        let Some(turn) = turn_of(plan, &unit).filter(|_| !setup.start.is_part(id)) else { continue };
        let path = |key: &str| format!("{}.{}.{key}", plan.sides[unit.side].name, unit.number);
        if turn == 0 || turn > plan.turns {
            faults.push(Misdeployment {
                path: path("arrives"),
                message: format!("no unit can arrive in turn {turn} of a battle of {} turns", plan.turns),
                help: Some(format!("from 1 to {}", plan.turns)),
            });
        }
        let mut parts = setup.start.side(unit.side).filter(|&part| setup.start.is_part(part));
        if parts.any(|part| setup.start.unit(part).kin == id && !setup.start.unit(part).gone()) {
            faults.push(Misdeployment {
                path: path("screen"),
                message: "a unit that has yet to arrive has nobody out".into(),
                help: Some("leave `screen` or `arrives` out".into()),
            });
        }
        put_off(setup, id, turn);
    }
}

/// Keeps a unit off the table until a turn, or longer if it already has a later one.
pub(super) fn put_off(setup: &mut Setup, id: UnitId, turn: u8) {
    setup.arrivals.resize(setup.start.units.len(), 0);
    let arrival = &mut setup.arrivals[id.index()];
    *arrival = turn.max(*arrival);
    setup.start.unit_mut(id).flags.set(Flags::LATE);
}
