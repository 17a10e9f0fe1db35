//! Named deployments, which draw up a side without a position for each unit.

use grognard_rules::model::Rules;

use crate::deploy;
use crate::deploy::plan::{Array, Deployment, Misdeployment, SidePlan};
use crate::geometry::plane::{Heading, Point, Rect};
use crate::state::{Battle, BySide, Side, UnitId};

/// Checks that sides with named deployments have the room and the units that these require.
pub(super) fn check(rules: &Rules, plan: &Deployment, battle: &Battle, faults: &mut Vec<Misdeployment>) {
    for side in Side::BOTH {
        let side_plan = &plan.sides[side];
        let Some(array) = &side_plan.array else { continue };
        let path = format!("{}.deployment", side_plan.name);
        if rules.array.is_none() {
            faults.push(Misdeployment {
                path: path.clone(),
                message: format!("the pack {} has no named deployments", rules.name),
                help: Some("give the units places with `at`, or add `[array]` to the pack".into()),
            });
        }
        if array.array == Array::ScreenAhead
            && !battle.side(side).any(|id| !battle.unit(id).gone() && in_open_order(rules, battle, id))
        {
            faults.push(Misdeployment {
                path,
                message: format!("side `{}` has no unit in open order for its screen", side_plan.name),
                help: Some("put a unit into skirmish order with `formation`".into()),
            });
        }
    }
}

fn in_open_order(rules: &Rules, battle: &Battle, id: UnitId) -> bool {
    !rules.formations[battle.unit(id).formation].formed
}

/// Gives the units of named deployments their positions.
pub(super) fn draw_up(rules: &Rules, plan: &Deployment, battle: &mut Battle) {
    let Some(defaults) = &rules.array else { return };
    let anchors = BySide::from_fn(|side| match plan.sides[side].array.as_ref() {
        Some(array) => array.at.map_or_else(
            || Point { x: 0, y: if side == Side::First { defaults.apart / 2 } else { -defaults.apart / 2 } },
            |(x, y)| Point { x, y },
        ),
        None => deploy::middle(battle, battle.side(side)),
    });
    let enemies = anchors.swap();
    for side in Side::BOTH {
        let side_plan = &plan.sides[side];
        let Some(array) = &side_plan.array else { continue };
        let interval = array.interval.unwrap_or(defaults.interval);
        let between = array.lines.unwrap_or(defaults.lines);
        let heading = Heading::between(anchors[side], enemies[side]);
        let frame = Rect::new(anchors[side], heading, 0, 0);
        let mut ahead = 0;
        for line in lines(rules, battle, side_plan, side, array.array) {
            let close_up = array.array == Array::OneBehindAnother;
            let depth = row(rules, battle, &frame, ahead, interval, &line);
            ahead -= depth + if close_up { interval } else { between };
        }
    }
}

/// The lines of a side from front to rear.
fn lines(rules: &Rules, battle: &Battle, plan: &SidePlan, side: Side, array: Array) -> Vec<Vec<UnitId>> {
    let free = |id: &UnitId| {
        let number = usize::from(battle.unit(*id).number);
        !battle.unit(*id).gone() && plan.units.get(number).is_some_and(|unit| unit.at.is_none())
    };
    let units: Vec<UnitId> = battle.side(side).filter(free).collect();
    match array {
        Array::LineAbreast => vec![units],
        Array::TwoLines => {
            let (front, rear) = units.split_at(units.len().div_ceil(2));
            vec![front.to_vec(), rear.to_vec()]
        }
        Array::ScreenAhead => {
            let (screen, line) = units.into_iter().partition(|&id| in_open_order(rules, battle, id));
            vec![screen, line]
        }
        Array::OneBehindAnother => units.into_iter().map(|id| vec![id]).collect(),
    }
}

/// Places units side by side, with their fronts this far ahead of the frame's origin. Returns the depth of the deepest
/// unit.
fn row(rules: &Rules, battle: &mut Battle, frame: &Rect, ahead: i32, interval: i32, units: &[UnitId]) -> i32 {
    let footprints: Vec<_> = units.iter().map(|&id| battle.unit(id).footprint(rules)).collect();
    let width: i32 = footprints.iter().map(|footprint| footprint.width + interval).sum::<i32>() - interval;
    let mut left = -width / 2;
    for (&id, footprint) in units.iter().zip(&footprints) {
        let unit = battle.unit_mut(id);
        unit.front = frame.at(left + footprint.width / 2, ahead);
        unit.heading = frame.heading();
        left += footprint.width + interval;
    }
    footprints.iter().map(|footprint| footprint.depth).max().unwrap_or(0)
}
