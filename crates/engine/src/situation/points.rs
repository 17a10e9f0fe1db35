//! What a unit pays for its orders with.

use grognard_rules::model::Generals;

use crate::state::battle::{Battle, Setup};
use crate::state::general::{Plan, Plans};
use crate::state::side::{BySide, Side};
use crate::state::unit::UnitId;

/// What units pay with, and what one of them pays for an order.
pub(crate) struct Purse {
    /// What is there; none where there is no limit.
    pub(crate) points: Option<u16>,
    /// How many times as much it pays as others do.
    pub(crate) times: u16,
}

/// Where a unit's points are. Orders are counted by side, points of generals by command.
pub(crate) fn purse(rules: Option<&Generals>, setup: &Setup, battle: &Battle, id: UnitId) -> Purse {
    let unit = battle.unit(id);
    let plain = match battle.orders {
        u16::MAX => None,
        UNTHROWN => Some(0),
        points => Some(points),
    };
    let Some(rules) = rules.filter(|_| has_generals(setup, unit.side)) else {
        return Purse { points: plain, times: 1 };
    };
    let Some(command) = battle.command_of(unit) else { return Purse { points: Some(0), times: 1 } };
    let dear = command.busy.is_some_and(|with| with != id);
    Purse { points: Some(command.points), times: if dear { rules.dear.0 } else { 1 } }
}

/// Whether a side has generals.
pub(crate) fn has_generals(setup: &Setup, side: Side) -> bool {
    !setup.generals.is_empty() && setup.generals.iter().any(|post| post.side == side)
}

/// The plan by which a side's dice go in a turn; none: it is changing it, and has no points.
///
/// To put generals who come on the table in this turn into a plan, and to change nothing else, costs nothing.
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

/// The points with which every battle begins: not thrown for yet, where the pack throws for them in an orders phase.
pub(crate) fn at_first(pays: bool) -> u16 {
    if pays { UNTHROWN } else { u16::MAX }
}

/// No plans on either side.
pub(crate) fn no_plans() -> Plans {
    BySide::from_fn(|_| Vec::new())
}

/// What [`Battle::orders`] says while the points of an orders phase have not been thrown for.
pub(crate) const UNTHROWN: u16 = u16::MAX - 1;
