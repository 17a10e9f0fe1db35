//! Orders: units are given orders one after the other, as many as the side can pay for.
//!
//! Points are shared out first ([`super::purse`]), then generals ride ([`super::general`]). Units act in order of their distance
//! from the enemy. For each, the first doctrine row that applies gives an order. It refers to the enemy that the unit touches or
//! to the nearest one; a row for any enemy refers to the nearest for which it applies. The act that carries out the order has the
//! cost and the bars. A refused order costs nothing, and the rows below it are tried. A unit receives orders until no row applies,
//! it is ordered to hold, or an act is its last. Example: cavalry 4" from the enemy with 2 points moves into contact (1) and gets
//! a charge marker (1).

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::{Decisions, Order};

use crate::mechanism::common::units::opponent;
use crate::mechanism::points::act::carry_out;
use crate::mechanism::points::{general, purse};
use crate::situation::sight::FAR;
use crate::state::{Side, UNITS_PER_SIDE_MAX, UnitId};
use crate::step::{Context, choices};
use crate::telling::event::{Event, Witness};

/// The most orders one unit can be given in one phase.
const ORDERS_MAX: usize = 8;

/// The result of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// It was carried out.
    Done,
    /// It was carried out, and the unit does no more.
    Last,
    /// There is nothing to be done.
    Nothing,
}

pub(crate) fn play<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, side: Side) {
    purse::deal(ctx, side);
    general::ride(ctx, side);
    let mut queue: ArrayVec<(i32, UnitId), UNITS_PER_SIDE_MAX> = ArrayVec::new();
    for id in ctx.battle.side(side) {
        if !ctx.battle.unit(id).gone() && ctx.has_orders(id) {
            let distance = opponent(ctx, id).map_or(FAR, |enemy| ctx.view(id, Some(enemy)).distance());
            let _ = queue.try_push((distance, id));
        }
    }
    queue.sort_unstable();
    for (_, id) in queue {
        for _ in 0..ORDERS_MAX {
            if ctx.battle.unit(id).gone() || order_one(ctx, id) != Given::Done {
                break;
            }
        }
    }
    purse::discard(ctx);
}

/// Gives a unit the first order that is not refused.
fn order_one<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId) -> Given {
    let rules = ctx.rules;
    let Decisions { rows, first, .. } = ctx.decisions(id);
    let Some(foe) = opponent(ctx, id) else { return Given::Nothing };
    let nearest = foe;
    let mut row = 0;
    loop {
        let applies = |when: &grognard_expr::Expr| when.holds(&ctx.view(id, Some(nearest)));
        let plain = match row {
            0 => first.get(&ctx.view(id, Some(nearest))) as usize,
            from => (from..rows.len())
                .find(|&row| !rows[row].of_any && rows[row].when.as_ref().is_none_or(applies))
                .unwrap_or(rows.len()),
        };
        let foe;
        (row, foe) = choices::choose(ctx, id, row..plain, |_, _| true).unwrap_or((plain, nearest));
        let Some(found) = rows.get(row) else { return Given::Nothing };
        let Some(act) = found.act else { return Given::Nothing };
        let act_row = &rules.acts[usize::from(act)];
        if W::WATCHES {
            let order = found.order;
            ctx.tell(|| Event::Ordered { unit: id, row, order });
        }
        match carry_out(ctx, id, foe, act, found.order) {
            Ok(()) if act_row.last => return Given::Last,
            Ok(()) => return Given::Done,
            Err(Some(why)) => ctx.tell(|| Event::Refused { unit: id, why }),
            Err(None) => {}
        }
        row += 1;
    }
}

/// The order of a unit's doctrine in this phase with regard to an enemy. It is reported but not counted.
pub(crate) fn choice<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, foe: UnitId) -> Option<Order> {
    let Decisions { rows, first, .. } = ctx.decisions(id);
    let row = first.get(&ctx.view(id, Some(foe))) as usize;
    let order = rows.get(row)?.order;
    ctx.tell(|| Event::Ordered { unit: id, row, order });
    Some(order)
}
