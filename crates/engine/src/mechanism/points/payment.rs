//! Bars and costs of acts.

use grognard_rules::model::{Act, ActBars, Deed};

use crate::mechanism::points::purse::take;
use crate::situation::points::{Purse, purse};
use crate::situation::ways::WayFacts;
use crate::state::UnitId;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// The bar, if any, that forbids an act now.
pub(crate) fn act_barred(ctx: &Position<'_>, act: u8, bars: &ActBars, id: UnitId, foe: UnitId) -> Option<Refusal> {
    let row = bars.first.get(&ctx.view(id, Some(foe))) as usize;
    bars.rows.get(row).map(|&bar| Refusal::Act { act, bar })
}

/// The act that places a charge marker.
pub(crate) fn charge_act(ctx: &Position<'_>) -> Option<u8> {
    ctx.rules.acts.iter().position(|act| act.deed == Deed::Charge).map(|act| act as u8)
}

/// The bar of the pack's charge act, if any, that keeps a unit from charging an enemy.
pub(crate) fn charge_barred(ctx: &Position<'_>, id: UnitId, enemy: UnitId) -> Option<Refusal> {
    let act = charge_act(ctx)?;
    act_barred(ctx, act, &ctx.rules.acts[usize::from(act)].before, id, enemy)
}

/// Whether the bars of the pack's charge act let a unit charge an enemy. True if there is no such act.
pub(crate) fn may_charge(ctx: &Position<'_>, id: UnitId, enemy: UnitId) -> bool {
    charge_barred(ctx, id, enemy).is_none()
}

/// Refuses an act that a bar forbids on every path, or that the side cannot pay for.
pub(crate) fn permit(ctx: &Position<'_>, act: u8, id: UnitId, foe: UnitId) -> Result<(), Refusal> {
    let row: &Act = &ctx.rules.acts[usize::from(act)];
    if let Some(bar) = act_barred(ctx, act, &row.before, id, foe) {
        return Err(bar);
    }
    let purse = purse_of(ctx, id);
    let cost = u16::from(row.cost) * purse.times;
    if purse.points.is_some_and(|points| points < cost) { Err(Refusal::NoPoints { act }) } else { Ok(()) }
}

/// Refuses an act that a bar forbids because of the path.
pub(crate) fn permit_way(ctx: &Position<'_>, act: u8, id: UnitId, foe: UnitId, facts: WayFacts) -> Result<(), Refusal> {
    let Some(bars) = &ctx.rules.acts[usize::from(act)].planned else { return Ok(()) };
    ctx.scratch.way.set(facts);
    let bar = act_barred(ctx, act, bars, id, foe);
    ctx.scratch.way.set(WayFacts::default());
    bar.map_or(Ok(()), Err)
}

/// The purse of a unit.
pub(crate) fn purse_of(ctx: &Position<'_>, id: UnitId) -> Purse {
    purse(ctx.rules.generals.as_deref(), ctx.setup, &ctx.battle, id)
}

/// Pays for an act concerning an enemy.
pub(crate) fn pay(ctx: &mut Context<'_>, act: u8, id: UnitId, foe: UnitId) {
    let cost = u16::from(ctx.rules.acts[usize::from(act)].cost);
    let (cost, left) = take(ctx, id, cost);
    ctx.tell(|| Event::Paid { unit: id, foe, act, cost, left });
}
