//! Army phases: a side makes one roll as a whole, and the result applies to each of its units on the table.
//!
//! The roll and the condition read values that are the same for all units of the side, such as its losses
//! (`army.lost`). Example: a side that has lost half of its units rolls two dice; if they total more than its general's
//! leadership, all units flee.

use crate::state::Side;
use crate::step::Context;
use crate::telling::event::Occasion;
use grognard_rules::model::RollId;

pub(crate) fn play(ctx: &mut Context<'_>, side: Side, roll: RollId) {
    let index = ctx.battle.phase;
    let rules = ctx.rules;
    let units = ctx.battle.side(side);
    // The first unit rolls for the side, even if it is lost: the roll does not depend on a unit.
    let Some(first) = units.clone().next().filter(|_| units.clone().any(|id| !ctx.battle.unit(id).gone())) else {
        return;
    };
    if !ctx.holds(rules.phases[usize::from(index)].when.as_ref(), first, None) {
        return;
    }
    let outcome = ctx.cast(Occasion::Phase(index), roll, first, None);
    for id in units {
        if !ctx.battle.is_part(id) {
            ctx.apply(&outcome.own, id, id);
        }
    }
}
