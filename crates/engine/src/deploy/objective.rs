//! Objectives: markers on the table that sides can hold.

use grognard_rules::model::{Board, OBJECTIVES_MAX, OFF_BOARD, Rules, SCORE_MAX};

use crate::deploy::plan::{Deployment, Misdeployment, cited, reach_of};
use crate::geometry::plane::Point;
use crate::situation::objectives::points_range;
use crate::state::{Hold, Holdings, ObjectivePost, Setup};

/// The objectives of a deployment, and their state at the start of a battle.
pub(crate) fn place(
    rules: &Rules,
    plan: &Deployment,
    faults: &mut Vec<Misdeployment>,
) -> (Vec<ObjectivePost>, Holdings) {
    let objective = rules.victory.points.as_ref().and_then(|points| points.objective.as_ref());
    let mut fault = |path: String, message: String, help: &str| {
        faults.push(Misdeployment { path, message, help: Some(help.to_owned()) });
    };
    if objective.is_none() && !plan.objectives.is_empty() {
        let message = format!("`{}` has no objectives", rules.name);
        fault("objectives".to_owned(), message, "omit them, or add `[objective]` and `victory.points` to the pack");
        return (Vec::new(), Holdings::default());
    }
    if plan.objectives.len() > OBJECTIVES_MAX {
        let message = format!("a battle has {} objectives", plan.objectives.len());
        fault("objectives".to_owned(), message, &format!("at most {OBJECTIVES_MAX}"));
    }
    let mut posts: Vec<ObjectivePost> = Vec::new();
    for (number, objective_plan) in plan.objectives.iter().take(OBJECTIVES_MAX).enumerate() {
        let name = objective_plan.name.clone().unwrap_or_else(|| format!("objective {}", number + 1));
        let (x, y) = objective_plan.at;
        let (on_table, reach) = match (rules.board, rules.hex.as_deref()) {
            (Board::Plane { table, .. }, _) => {
                (x.abs() <= table.half_width && y.abs() <= table.half_depth, reach_of(table))
            }
            (Board::Hex, Some(hex)) => {
                let whole = x % 100 == 0 && y % 100 == 0;
                let inside = whole && hex.grid.at(x / 100, y / 100) != OFF_BOARD;
                (inside, "give the axial coordinates of a hex of the board".to_owned())
            }
            _ => (false, "a board without ground has no positions".to_owned()),
        };
        if !on_table {
            let clauses = objective.map_or_else(String::new, |objective| cited(&objective.source));
            fault(format!("objectives.{number}.at"), format!("{name} would be off the table{clauses}"), &reach);
        }
        let at = if rules.hex.is_some() { Point { x: x / 100, y: y / 100 } } else { Point { x, y } };
        if let Some(other) = posts.iter().find(|post| on_table && post.at == at) {
            let message = format!("{name} would be in the same place as {}", other.name);
            let help = "give it another place, or give one of them the `worth` of both";
            fault(format!("objectives.{number}.at"), message, help);
        } else if posts.iter().any(|post| post.name == name) {
            // Narration identifies objectives only by their names.
            let message = format!("two objectives are named {name}");
            fault(format!("objectives.{number}.name"), message, "give one of them another name");
        }
        posts.push(ObjectivePost { name, at, worth: objective_plan.worth });
    }
    let held: Vec<Hold> = posts.iter().map(|_| Hold::default()).collect();
    (posts, Holdings { held, ..Holdings::default() })
}

/// Refuses points beyond what conditions and metrics can read.
pub(crate) fn check_points(rules: &Rules, setup: &Setup, faults: &mut Vec<Misdeployment>) {
    let (low, high) = points_range(rules, setup).score;
    let most = high.max(-low);
    if most > SCORE_MAX {
        let sign = if most > high { "-" } else { "" };
        faults.push(Misdeployment {
            path: if setup.objectives.is_empty() { "turns" } else { "objectives" }.to_owned(),
            message: format!("a side could reach {sign}{most} points in this battle"),
            help: Some(format!(
                "at most {SCORE_MAX}: give fewer points in `victory.points`, less `worth`, fewer `turns` or fewer units"
            )),
        });
    }
}
