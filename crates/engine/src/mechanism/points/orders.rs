//! Orders: units are given orders one after the other, as many as the side can pay for.
//!
//! Points are shared out first ([`crate::mechanism::points::purse`]), then generals ride ([`crate::mechanism::points::general`]). The units nearest to the enemy
//! come first. For each of them the first doctrine row that applies gives an order, with regard to the enemy that it
//! touches or that is nearest, or, where the row looks at any, to the nearest for whom it applies; the act that carries it out
//! says what it costs and what forbids it. A refused order costs nothing, and the rows below it are looked at; a unit goes on to
//! receive orders until no row applies, it is told to hold, or an act is its last. Example: a cavalry unit 4" from the enemy with
//! 2 points moves into contact (1) and is given a charge marker (1).

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::{Act, ActBars, Decisions, Order};

use crate::mechanism::points::act::carry_out;
use crate::mechanism::points::purse::{Purse, purse};
use crate::mechanism::points::route::WayFacts;
use crate::mechanism::points::{general, purse};
use crate::situation::facts::FAR;
use crate::state::battle::{UNITS_PER_SIDE_MAX, UnitId};
use crate::state::side::Side;
use crate::step::choices;
use crate::step::context::Context;
use crate::telling::event::{Event, Refusal, Witness};

/// The most orders one unit can be given in one phase.
const ORDERS_MAX: usize = 8;

/// What came of an order.
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

/// Whether an enemy is lost to its side already, as far as victory goes, although it still stands there.
fn counts_as_lost<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, enemy: UnitId) -> bool {
    ctx.rules.victory.lost.as_ref().is_some_and(|lost| lost.get(&ctx.view(enemy, None)) != 0)
}

/// Whom a unit's orders regard: an enemy that it touches, or else the nearest one on the table that is not lost already.
///
/// Of several that it touches those come first that are not broken, then the one it has moved into contact with.
pub(crate) fn opponent<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, id: UnitId) -> Option<UnitId> {
    let side = ctx.battle.unit(id).side.other();
    let mut there = ctx.battle.side(side).filter(|&enemy| !ctx.battle.unit(enemy).gone());
    let first = there.next()?;
    let Some(second) = there.next() else { return Some(first) };
    let own = ctx.battle.unit(id);
    let key = |enemy: UnitId| {
        let distance = ctx.view(id, Some(enemy)).distance();
        let touches = distance <= ctx.rules.movement.touch;
        let spent = if touches { ctx.battle.unit(enemy).broken(ctx.rules) } else { counts_as_lost(ctx, enemy) };
        (!touches, spent, touches && own.foe != enemy, if touches { 0 } else { distance })
    };
    std::iter::once(first).chain(std::iter::once(second)).chain(there).min_by_key(|&enemy| key(enemy))
}

/// The bar of an act that forbids it now, if any does.
pub(crate) fn act_barred<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    act: u8,
    bars: &ActBars,
    id: UnitId,
    foe: UnitId,
) -> Option<Refusal> {
    let row = bars.first.get(&ctx.view(id, Some(foe))) as usize;
    bars.rows.get(row).map(|&bar| Refusal::Act { act, bar })
}

/// Refuses what a bar forbids whatever the way, and what the side cannot pay for.
pub(crate) fn permit<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    act: u8,
    id: UnitId,
    foe: UnitId,
) -> Result<(), Refusal> {
    let row: &Act = &ctx.rules.acts[usize::from(act)];
    if let Some(bar) = act_barred(ctx, act, &row.before, id, foe) {
        return Err(bar);
    }
    let purse = purse_of(ctx, id);
    let cost = u16::from(row.cost) * purse.times;
    if purse.points.is_some_and(|points| points < cost) { Err(Refusal::NoPoints { act }) } else { Ok(()) }
}

/// Refuses what a bar forbids because of the way.
pub(crate) fn permit_way<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    act: u8,
    id: UnitId,
    foe: UnitId,
    facts: WayFacts,
) -> Result<(), Refusal> {
    let Some(bars) = &ctx.rules.acts[usize::from(act)].planned else { return Ok(()) };
    ctx.scratch.way.set(facts);
    let bar = act_barred(ctx, act, bars, id, foe);
    ctx.scratch.way.set(WayFacts::default());
    bar.map_or(Ok(()), Err)
}

/// What a unit pays with.
pub(crate) fn purse_of<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, id: UnitId) -> Purse {
    purse(ctx.rules.generals.as_deref(), ctx.setup, &ctx.battle, id)
}

/// Pays for an act.
pub(crate) fn pay<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, act: u8, id: UnitId) {
    let (cost, left) = purse::take(ctx, id, u16::from(ctx.rules.acts[usize::from(act)].cost));
    ctx.tell(|| Event::Paid { unit: id, act, cost, left });
}

/// What a unit's doctrine orders in this phase with regard to an enemy, without counting it.
pub(crate) fn choice<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, foe: UnitId) -> Option<Order> {
    let Decisions { rows, first, .. } = ctx.decisions(id);
    let row = first.get(&ctx.view(id, Some(foe))) as usize;
    let order = rows.get(row)?.order;
    ctx.tell(|| Event::Ordered { unit: id, row, order });
    Some(order)
}
