//! Deployment on hexes: positions are hexes, facings are spines, and leaders share the hex of a unit.

use grognard_rules::model::{HexRules, OFF_BOARD, Provides, Rules};

use crate::deploy::arrival::turn_of;
use crate::deploy::plan::{self, Approach, Deployment, FacingPlan, Misdeployment};
use crate::geometry::hex::{heading, hex_of, onward, spine};
use crate::geometry::plane::{Heading, Point};
use crate::situation::hex::motion;
use crate::situation::view::View;
use crate::state::{Arrives, Battle, HexFlags, Setup, Side, Unit, UnitId};
use crate::step::scratch::Scratch;

/// Puts every unit into its hex.
pub(super) fn place(
    rules: &Rules,
    hex: &HexRules,
    plan: &Deployment,
    battle: &mut Battle,
    faults: &mut Vec<Misdeployment>,
) {
    for (given, path) in [(plan.distance.is_some(), "distance"), (plan.approach != Approach::Front, "approach")] {
        if given {
            faults.push(Misdeployment {
                path: path.into(),
                message: format!("a board of hexes has no `{path}`"),
                help: Some("place units with `at` and `facing`".into()),
            });
        }
    }
    for index in 0..battle.units.len() {
        let id = UnitId(index as u8);
        let unit = *battle.unit(id);
        let path = format!("{}.{}", plan.sides[unit.side].name, unit.number);
        let facing = plan.sides[unit.side].units[usize::from(unit.number)].facing;
        let at = place_of(hex, unit.front, &path, faults);
        let towards = heading_of(hex, unit.side, facing, &path, faults);
        let leads = rules.leads(unit.kind);
        let unit = battle.unit_mut(id);
        unit.front = at;
        unit.heading = towards;
        if leads {
            unit.hex.flags.set(HexFlags::LEADER);
        }
    }
    for index in 0..battle.units.len() {
        share(hex, plan, battle, UnitId(index as u8), faults);
    }
}

fn place_of(hex: &HexRules, at: Point, path: &str, faults: &mut Vec<Misdeployment>) -> Point {
    let place = Point { x: at.x / 100, y: at.y / 100 };
    let whole = at.x % 100 == 0 && at.y % 100 == 0;
    if !whole || hex.grid.at(place.x, place.y) == OFF_BOARD {
        faults.push(Misdeployment {
            path: format!("{path}.at"),
            message: format!("there is no such hex on the board{}", plan::cited(&hex.source)),
            help: Some("use axial coordinates, in whole numbers: [0, 0] is the middle of the board".into()),
        });
    }
    place
}

/// The spine for a facing in degrees counter-clockwise from east.
fn heading_of(
    hex: &HexRules,
    side: Side,
    plan: Option<FacingPlan>,
    path: &str,
    faults: &mut Vec<Misdeployment>,
) -> Heading {
    let Some(FacingPlan::Heading(tenths)) = plan else { return heading(onward(side)) };
    let asked = Heading::from_tenths(900 - i32::from(tenths));
    if spine(asked).is_none() {
        let row = hex.all(Provides::Facing).next();
        let cite = row.map_or_else(String::new, |(_, row)| plan::cited(&row.source));
        faults.push(Misdeployment {
            path: format!("{path}.facing"),
            message: format!("a unit cannot face {} degrees: that is not a spine of its hex{cite}", tenths / 10),
            help: Some("use 30, 90, 150, 210, 270 or 330, counter-clockwise from east; 90 is north".into()),
        });
    }
    asked
}

/// Refuses units in hexes whose terrain is closed to them.
pub(super) fn check_bars(
    rules: &Rules,
    hex: &HexRules,
    plan: &Deployment,
    setup: &Setup,
    faults: &mut Vec<Misdeployment>,
) {
    let scratch = Scratch::new();
    for (index, unit) in setup.start.units.iter().enumerate().filter(|(_, unit)| !unit.is_place()) {
        let at = hex_of(&hex.grid, unit);
        let view = View::new(rules, setup, &setup.start, &scratch, UnitId(index as u8), None);
        if motion::barred(hex, &view) & motion::bit(at) != 0 {
            let terrain = &hex.terrain[usize::from(hex.ground[usize::from(at)])];
            let name = format!("{}.{}", plan.sides[unit.side].name, unit.number);
            faults.push(Misdeployment {
                path: format!("{name}.at"),
                message: format!(
                    "unit `{name}` stands in {}, which is closed to it{}",
                    terrain.title,
                    plan::cited(&terrain.source)
                ),
                help: Some("choose another hex, or change the terrain in this one".into()),
            });
        }
    }
}

/// Checks that no hex has more than one unit; a leader may share the hex of a unit of his side.
fn share(hex: &HexRules, plan: &Deployment, battle: &mut Battle, id: UnitId, faults: &mut Vec<Misdeployment>) {
    let unit = *battle.unit(id);
    for other in 0..id.0 {
        let other = UnitId(other);
        let there = *battle.unit(other);
        // A unit that arrives later waits until the hex is free.
        if there.front != unit.front || turn_of(plan, &there) != turn_of(plan, &unit) {
            continue;
        }
        let leads = |unit: &Unit| unit.hex.flags.has(HexFlags::LEADER);
        let alone = unit.hex.mate.is_none() && there.hex.mate.is_none();
        if there.side == unit.side && leads(&unit) != leads(&there) && alone {
            battle.unit_mut(id).hex.mate = other.into();
            battle.unit_mut(other).hex.mate = id.into();
            continue;
        }
        // Units that wait to be called need no hexes of their own.
        if matches!(turn_of(plan, &unit), Some(Arrives::Called | Arrives::Split)) {
            continue;
        }
        let name = |unit: &Unit| format!("{}.{}", plan.sides[unit.side].name, unit.number);
        faults.push(Misdeployment {
            path: format!("{}.at", name(&unit)),
            message: format!(
                "units `{}` and `{}` are in the same hex{}",
                name(&there),
                name(&unit),
                plan::cited(&hex.source)
            ),
            help: Some("a hex holds one unit, and a leader of its side with it".into()),
        });
    }
}
