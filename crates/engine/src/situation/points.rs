//! Purses: the points that pay for a unit's orders.

use grognard_rules::model::Generals;

use crate::state::{Battle, BySide, Plan, Plans, Setup, Side, UnitId};

/// The points available to a unit, and the factor on the prices that it pays.
pub(crate) struct Purse {
    /// The points left; `None` if there is no limit.
    pub(crate) points: Option<u16>,
    /// The factor on every price.
    pub(crate) times: u16,
}

/// The purse of a unit. Orders belong to a side, and generals' points to a command.
pub(crate) fn purse(rules: Option<&Generals>, setup: &Setup, battle: &Battle, id: UnitId) -> Purse {
    let unit = battle.unit(id);
    let Some(rules) = rules.filter(|_| has_generals(setup, unit.side)) else {
        return Purse { points: battle.orders.left(), times: 1 };
    };
    let Some(command) = battle.command_of(unit) else { return Purse { points: Some(0), times: 1 } };
    let dear = command.busy.is_some_and(|with| with != id);
    Purse { points: Some(command.points), times: if dear { rules.dear.0 } else { 1 } }
}

/// Whether a side has generals.
pub(crate) fn has_generals(setup: &Setup, side: Side) -> bool {
    !setup.generals.is_empty() && setup.generals.iter().any(|post| post.side == side)
}

/// The plan by which a side's dice are allotted in a turn. `None` while the side changes its plan and has no points.
///
/// It costs nothing to add generals who arrive in this turn to a plan, if nothing else changes.
pub(crate) fn plan_now(setup: &Setup, side: Side, turn: u8, idle: u8) -> Option<Plan> {
    let plans = &setup.plans[side];
    let current = plans.iter().rposition(|&(from, _)| from <= turn);
    let Some(index) = current else { return Some(None) };
    let (from, plan) = &plans[index];
    let changed = index > 0 && turn < from.saturating_add(idle);
    let inserted = |before: &Plan| match (before, plan) {
        (Some(before), Some(now)) => {
            let old = |name: &&u8| setup.generals[usize::from(**name)].arrives != *from;
            now.iter().filter(old).eq(before.iter())
        }
        _ => false,
    };
    let free = index > 0 && inserted(&plans[index - 1].1);
    (!changed || free).then(|| plan.clone())
}

/// No plans on any side.
pub(crate) fn no_plans(sides: usize) -> Plans {
    BySide::of(sides, |_| Vec::new())
}
