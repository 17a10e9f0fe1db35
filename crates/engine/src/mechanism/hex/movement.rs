//! Movement: a unit with orders moves to the hex and facing with the highest value, or to the hex nearest to an
//! objective, by any march that the provisions allow.

use grognard_rules::model::{DoctrineRow, HexRules, Order, Provides};

use crate::geometry::hex::{facing, hex_of};
use crate::geometry::plane::Point;
use crate::mechanism::hex::foes::Foes;
use crate::mechanism::hex::placing::settle;
use crate::mechanism::hex::provisions::{place_of_row, provision};
use crate::mechanism::hex::search::{best_march, nearest_march};
use crate::situation::hex::motion;
use crate::situation::objectives::nearest_open;
use crate::state::{HexFlags, UnitId};
use crate::step::asking::{ask_for_row, is_played};
use crate::step::nearest::nearest_enemy;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent};

pub(crate) fn play(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId) {
    let unit = ctx.battle.unit(id);
    if hex.any(Provides::Ordered) && !unit.hex.flags.has(HexFlags::ORDERED) {
        return;
    }
    if let Some((row, _)) = provision(ctx, hex, Provides::MoveAgain, id, None)
        && !unit.hex.flags.has(HexFlags::SIGHTED)
    {
        ctx.tell(|| Event::Hex(HexEvent::Breached { unit: id, row }));
        return;
    }
    let decisions = ctx.decisions(id);
    let row = if is_played(ctx, id) {
        let moves = |ctx: &Position<'_>, row: &DoctrineRow, _| match row.order {
            Order::Manoeuvre(_) => true,
            Order::Seize => goal(ctx, hex, id).is_some(),
            _ => false,
        };
        let enemy = nearest_enemy(ctx, id);
        let Some(chosen) = ask_for_row(ctx, id, enemy, |_, _| false, moves) else { return };
        chosen.row
    } else {
        place_of_row(ctx, hex, id, || nearest_enemy(ctx, id))
    };
    let Some(order) = decisions.rows.get(row).map(|row| row.order) else { return };
    let goal = if order == Order::Seize { goal(ctx, hex, id) } else { None };
    if goal.is_none() && !matches!(order, Order::Manoeuvre(_)) {
        return;
    }
    let side = ctx.battle.unit(id).side;
    let known = ctx.scratch.foes.take().filter(|foes| foes.of == side);
    let foes = known.unwrap_or_else(|| Box::new(Foes::of(&ctx.battle, hex, side)));
    let motion = motion::motion_among(ctx.rules, ctx.setup, hex, &ctx.battle, ctx.scratch, id, foes.held);
    let motion = motion::of_turn(motion, &ctx.battle, id);
    let start = motion.start(hex_of(&hex.grid, ctx.battle.unit(id)), facing(ctx.battle.unit(id).heading));
    let best = match (order, goal) {
        (Order::Manoeuvre(weigh), _) => best_march(ctx, hex, id, &motion, start, (&foes, &weigh)),
        (_, Some(goal)) => nearest_march(ctx, hex, id, &motion, start, goal),
        _ => start,
    };
    ctx.scratch.foes = Some(foes);
    if best != start {
        ctx.tell(|| Event::Ordered { unit: id, row, order });
        settle(ctx, hex, id, &motion, &best);
    }
}

/// The hex of the objective that a unit goes to. `None` if there is no objective, or if the unit is already there.
fn goal(ctx: &Position<'_>, hex: &HexRules, id: UnitId) -> Option<u8> {
    let (_, index) = nearest_open(&ctx.view(id, None), id).filter(|&(distance, _)| distance > 0)?;
    let Point { x, y } = ctx.setup.objectives[index].at;
    Some(hex.grid.at(x, y))
}
