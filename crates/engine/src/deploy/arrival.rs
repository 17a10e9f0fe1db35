//! Units that a study keeps off the table at first.

use grognard_rules::model::Rules;

use crate::deploy::plan::{Deployment, Misdeployment};
use crate::state::{Arrives, Battle, Flags, Setup, Side, Unit, UnitId};

/// When a unit arrives; `None` if it starts on the table.
pub(super) fn turn_of(plan: &Deployment, unit: &Unit) -> Option<Arrives> {
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

/// Keeps the units off the table that the study brings on later.
pub(super) fn keep_off(rules: &Rules, plan: &Deployment, setup: &mut Setup, faults: &mut Vec<Misdeployment>) {
    check_calls(rules, plan, setup, faults);
    let units: Vec<UnitId> = Side::BOTH.into_iter().flat_map(|side| setup.start.side(side)).collect();
    for id in units {
        let unit = *setup.start.unit(id);
        let Some(arrives) = turn_of(plan, &unit).filter(|_| !setup.start.is_part(id)) else { continue };
        let path = |key: &str| format!("{}.{}.{key}", plan.sides[unit.side].name, unit.number);
        if let Arrives::From(turn) = arrives
            && (turn == 0 || turn > plan.turns)
        {
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
        put_off(setup, id, arrives);
    }
}

/// Refuses units that wait for a call that cannot come.
fn check_calls(rules: &Rules, plan: &Deployment, setup: &Setup, faults: &mut Vec<Misdeployment>) {
    for side in Side::BOTH {
        let waits = |id: &UnitId| turn_of(plan, setup.start.unit(*id)) == Some(Arrives::Called);
        let whole = || setup.start.side(side).filter(|&id| !setup.start.is_part(id));
        let name = &plan.sides[side].name;
        for id in whole().filter(waits) {
            let unit = setup.start.unit(id);
            if !rules.arrival.as_ref().is_some_and(|arrival| arrival.calls.contains(&unit.kind)) {
                let kind = &rules.kinds[usize::from(unit.kind)].id;
                faults.push(Misdeployment {
                    path: format!("{name}.{}.arrives", unit.number),
                    message: format!("no result of the pack calls a unit of the type `{kind}`"),
                    help: Some(format!("give it a turn, or write `calls = \"{kind}\"` in a result of the pack")),
                });
            }
        }
        if whole().next().is_some() && whole().all(|id| waits(&id)) {
            faults.push(Misdeployment {
                path: format!("{name}.0.arrives"),
                message: format!("all units of `{name}` wait to be called, and none is there to call them"),
                help: Some("let one of them begin on the table: omit its `arrives`".into()),
            });
        }
    }
}

/// Keeps a unit off the table until this turn, or longer if it already arrives later.
pub(super) fn put_off(setup: &mut Setup, id: UnitId, arrives: Arrives) {
    setup.arrivals.resize(setup.start.units.len(), None);
    let arrival = &mut setup.arrivals[id.index()];
    *arrival = Some(arrives).max(*arrival);
    setup.start.unit_mut(id).flags.set(Flags::LATE);
}
