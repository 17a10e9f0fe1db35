//! Units that start off the table.

use grognard_rules::model::Rules;

use crate::deploy::plan::{Deployment, Misdeployment};
use crate::state::{Arrives, Battle, Flags, HexFlags, Setup, Side, Unit, UnitId};

/// When a unit arrives; `None` if it starts on the table.
pub(super) fn turn_of(plan: &Deployment, unit: &Unit) -> Option<Arrives> {
    let unit_plan = plan.sides[unit.side].units.get(usize::from(unit.number));
    unit_plan.and_then(|unit| unit.arrives)
}

/// The units of a side that start on the table, or all its units if none of them does.
pub(super) fn first_on(plan: &Deployment, battle: &Battle, side: Side) -> Vec<UnitId> {
    let here: Vec<UnitId> = battle.side(side).filter(|&id| !battle.unit(id).gone()).collect();
    let at_once = |id: &UnitId| turn_of(plan, battle.unit(*id)).is_none();
    let first: Vec<UnitId> = here.iter().copied().filter(at_once).collect();
    if first.is_empty() { here } else { first }
}

/// Keeps units that arrive later off the table.
pub(super) fn keep_off(rules: &Rules, plan: &Deployment, setup: &mut Setup, faults: &mut Vec<Misdeployment>) {
    check_calls(rules, plan, setup, faults);
    check_places(rules, plan, setup, faults);
    let units: Vec<UnitId> = (0..setup.start.units.len() as u8).map(UnitId).collect();
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
                message: "a unit that has yet to arrive has no skirmishers out".into(),
                help: Some("omit `screen` or `arrives`".into()),
            });
        }
        put_off(setup, id, arrives);
    }
}

/// Refuses units that wait for a call that cannot come.
fn check_calls(rules: &Rules, plan: &Deployment, setup: &Setup, faults: &mut Vec<Misdeployment>) {
    for &side in plan.sides.sides() {
        let waits = |id: &UnitId| turn_of(plan, setup.start.unit(*id)) == Some(Arrives::Called);
        let stays_off = |id: &UnitId| waits(id) || turn_of(plan, setup.start.unit(*id)) == Some(Arrives::Split);
        let whole = || setup.start.side(side).filter(|&id| !setup.start.is_part(id));
        let name = &plan.sides[side].name;
        for id in whole().filter(waits) {
            let unit = setup.start.unit(id);
            if !rules.arrival.as_ref().is_some_and(|arrival| arrival.calls.contains(&unit.kind)) {
                let kind = &rules.kinds[unit.kind].id;
                faults.push(Misdeployment {
                    path: format!("{name}.{}.arrives", unit.number),
                    message: format!("no result of the pack calls a unit of the type `{kind}`"),
                    help: Some(format!("give it a turn, or write `calls = \"{kind}\"` in a result of the pack")),
                });
            }
        }
        if whole().next().is_some() && whole().all(|id| stays_off(&id)) {
            let wait = if whole().all(|id| waits(&id)) {
                "to be called, but no unit is there to call them"
            } else {
                "for others, but no unit is there"
            };
            faults.push(Misdeployment {
                path: format!("{name}.0.arrives"),
                message: format!("all units of `{name}` wait {wait}"),
                help: Some("let one of them begin on the table: omit its `arrives`".into()),
            });
        }
    }
}

/// Refuses entries for parts of units that cannot split, and settings for a part that does not exist yet.
fn check_places(rules: &Rules, plan: &Deployment, setup: &Setup, faults: &mut Vec<Misdeployment>) {
    let splits = rules.phases.iter().any(|phase| phase.regroup.as_ref().is_some_and(|regroup| regroup.split.is_some()));
    for &side in plan.sides.sides() {
        for (number, unit) in plan.sides[side].units.iter().enumerate() {
            if unit.arrives != Some(Arrives::Split) {
                continue;
            }
            let Some(kind) = rules.kind(&unit.kind).map(|kind| &rules.kinds[kind]) else { continue };
            let mut fault = |key: &str, message: String, help: &str| {
                let path = format!("{}.{number}.{key}", plan.sides[side].name);
                faults.push(Misdeployment { path, message, help: Some(help.into()) });
            };
            if !splits {
                let help = "add a `regroup` phase with `split` to the pack, or omit the unit";
                fault("arrives", "no unit of the pack splits".into(), help);
            } else if kind.cannon > 0 || setup.start.side(side).any(|id| is_leader(setup, id, number)) {
                fault(
                    "arrives",
                    format!("{} never splits", kind.title),
                    "omit the unit: batteries and leaders stay whole",
                );
            } else if unit.figures.is_some() {
                fault(
                    "figures",
                    "a unit that another splits off has the figures that the pack gives it".into(),
                    "omit `figures`",
                );
            }
        }
    }
}

/// Whether this unit has this number in its side and is a leader on hexes.
fn is_leader(setup: &Setup, id: UnitId, number: usize) -> bool {
    let unit = setup.start.unit(id);
    usize::from(unit.number) == number && unit.hex.flags.has(HexFlags::LEADER)
}

/// Keeps a unit off the table until this turn, unless it already arrives later.
pub(super) fn put_off(setup: &mut Setup, id: UnitId, arrives: Arrives) {
    setup.arrivals.resize(setup.start.units.len(), None);
    let arrival = &mut setup.arrivals[id.index()];
    *arrival = Some(arrives).max(*arrival);
    setup.start.unit_mut(id).flags.set(Flags::LATE);
}
