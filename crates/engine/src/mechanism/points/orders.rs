//! Orders: units receive orders one at a time, while the side can pay.
//!
//! Points are allotted first ([`super::purse`]), then generals ride ([`super::general`]). Units act in order of their
//! distance from the enemy; precedence breaks ties, as everywhere. A player chooses which unit to order next. For each
//! unit, the first doctrine row that applies gives an order. The row refers to the enemy that the unit touches or to
//! the nearest one; a row for any enemy refers to the nearest one for which it applies. The act that carries out the
//! order has the cost and the bars. A refused order costs nothing. A row for any enemy is then tried for the next
//! enemy, and after that the next rows are tried. A unit receives orders until no row applies, it is ordered to hold,
//! or it has made an act that ends its orders. Example: cavalry 4" from the enemy, with 2 points, moves into contact (1
//! point) and gets a charge marker (1 point).

use arrayvec::ArrayVec;
use grognard_rules::model::{Decisions, Deed, DoctrineRow, Order};

use crate::mechanism::common::units::{next_of, opponent};
use crate::mechanism::points::act::carry_out;
use crate::mechanism::points::{general, payment, purse};
use crate::state::{Marks, Side, UNITS_MAX, UNITS_PER_SIDE_MAX, UnitId, Units};
use crate::step::asking::{ask, ask_about, comes_to_the_same, is_played, is_to, repeated};
use crate::step::choices::Chosen;
use crate::step::player::Offer;
use crate::step::{Context, Position, choices, phase_of};
use crate::telling::event::Event;

/// The maximum number of orders for one unit in one phase.
const ORDERS_MAX: usize = 8;

/// Units that have not yet received orders, with their distances from the enemy, nearest first.
type Queue = ArrayVec<(i32, UnitId), UNITS_PER_SIDE_MAX>;

/// Enemies that a unit may charge, in its doctrine's order of preference.
pub(super) type Targets = ArrayVec<UnitId, UNITS_MAX>;

/// The result of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// The order was carried out.
    Done,
    /// The order was carried out, and the unit can do no more.
    Last,
    /// There is nothing to do.
    Nothing,
}

pub(crate) fn play(ctx: &mut Context<'_>, side: Side) {
    purse::deal(ctx, side);
    general::ride(ctx, side);
    let mut queue = Queue::new();
    let when = phase_of(ctx).when.as_ref();
    for id in ctx.battle.side(side) {
        if !ctx.battle.unit(id).gone() && ctx.has_orders(id) && ctx.holds_for(when, id, opponent) {
            let _ = queue.try_push((purse::to_the_enemy(ctx, id), id));
        }
    }
    queue.sort_unstable_by(|one, other| ctx.neighbours().compare(one, other));
    while let Some((id, mut listed)) = next(ctx, &mut queue) {
        for _ in 0..ORDERS_MAX {
            if ctx.battle.unit(id).gone() || order_one(ctx, id, listed.take()) != Given::Done {
                break;
            }
        }
    }
    purse::discard(ctx);
}

/// Takes the next unit out of the queue: the first, or the one that the side's player chooses among those that can
/// receive an order now. Also returns the offers for its first order, if known.
fn next(ctx: &mut Context<'_>, queue: &mut Queue) -> Option<(UnitId, Option<Vec<Offer>>)> {
    let &(_, first) = queue.first()?;
    if queue.len() < 2 || !is_played(ctx, first) {
        return queue.pop_at(0).map(|(_, id)| (id, None));
    }
    let mut able: Vec<(Vec<Offer>, UnitId)> = Vec::new();
    queue.retain(|&mut (_, id)| {
        let listed = opponent(ctx, id).map(|nearest| offers(ctx, id, nearest, Search::default()));
        let listed = listed.filter(|listed| listed.len() > 1);
        let is_able = listed.is_some();
        able.extend(listed.map(|listed| (listed, id)));
        is_able
    });
    let place = next_of(ctx, &able, Offer::Order);
    queue.pop_at(place)?;
    let (listed, id) = able.swap_remove(place);
    Some((id, Some(listed)))
}

/// Gives a unit the first order that is not refused. `listed` contains its offers, if known.
fn order_one(ctx: &mut Context<'_>, id: UnitId, mut listed: Option<Vec<Offer>>) -> Given {
    let rules = ctx.rules;
    let rows = &ctx.decisions(id).rows;
    let Some(nearest) = opponent(ctx, id) else { return Given::Nothing };
    let mut from = Search::default();
    loop {
        let chosen = if is_played(ctx, id) {
            ask_for_act(ctx, id, nearest, from, listed.take())
        } else {
            next_row(ctx, id, nearest, from)
        };
        let Some((row, foe)) = chosen else { return Given::Nothing };
        let found = &rows[row];
        let Some(act) = found.act else { return Given::Nothing };
        let act_row = &rules.acts[usize::from(act)];
        if ctx.witness.is_some() {
            let order = found.order;
            ctx.tell(|| Event::Ordered { unit: id, row, order });
        }
        match carry_out(ctx, id, foe, act, found.order) {
            Ok(()) if act_row.last => return Given::Last,
            Ok(()) => return Given::Done,
            Err(Some(why)) => ctx.tell(|| Event::Refused { unit: id, why }),
            Err(None) => {}
        }
        from = from.without(rows, row, foe);
    }
}

/// The point where the search for an order continues: a row, with the enemies for which it has been refused.
#[derive(Clone, Copy, Default)]
struct Search {
    row: usize,
    refused: Units,
}

impl Search {
    /// Continues after a refused order: a row for any enemy may still apply to another one.
    fn without(self, rows: &[DoctrineRow], row: usize, foe: UnitId) -> Self {
        if !rows[row].of_any {
            return Self { row: row + 1, refused: Units::default() };
        }
        let refused = if row == self.row { self.refused } else { Units::default() };
        Self { row, refused: refused.plus(Units::one(foe)) }
    }
}

/// The next row of doctrine that applies, and the enemy that its order is about.
fn next_row(ctx: &Position<'_>, id: UnitId, nearest: UnitId, from: Search) -> Option<(usize, UnitId)> {
    let Search { row: mut from, refused } = from;
    if !refused.is_empty() {
        let another = choices::choose(ctx, id, from..from + 1, |_, enemy| !refused.has(enemy));
        if another.is_some() {
            return another;
        }
        from += 1;
    }
    let Decisions { rows, first, .. } = ctx.decisions(id);
    let applies = |when: &grognard_expr::Expr| when.holds(&ctx.view(id, Some(nearest)));
    let plain = match from {
        0 => first.get(&ctx.view(id, Some(nearest))) as usize,
        from => (from..rows.len())
            .find(|&row| !rows[row].of_any && rows[row].when.as_ref().is_none_or(applies))
            .unwrap_or(rows.len()),
    };
    let (row, foe) = choices::choose(ctx, id, from..plain, |_, _| true).unwrap_or((plain, nearest));
    (row < rows.len()).then_some((row, foe))
}

/// Whether a unit could receive the order of a row: its side can pay, and no bar forbids the order on every path.
fn may_be_given(ctx: &Position<'_>, id: UnitId, row: &DoctrineRow, foe: UnitId) -> bool {
    let Some(act) = row.act else { return false };
    let firing = ctx.battle.unit(id).marks.has(Marks::FIRING);
    let idle = match ctx.rules.acts[usize::from(act)].deed {
        Deed::Fire => firing,
        Deed::Cease => !firing,
        Deed::Form(formation) => ctx.battle.unit(id).formation == formation,
        _ => false,
    };
    !idle && payment::permit(ctx, act, id, foe).is_ok()
}

/// The paid orders that a unit could receive next, and the order to hold. Orders before `from` have just been refused
/// by the rules and are not offered again.
fn offers(ctx: &Position<'_>, id: UnitId, nearest: UnitId, from: Search) -> Vec<Offer> {
    let rows = &ctx.decisions(id).rows;
    let mut offers = vec![Offer::Hold];
    for (row, found) in rows.iter().enumerate().skip(from.row).filter(|(_, row)| row.order != Order::Hold) {
        let about: Vec<UnitId> = if found.of_any { ctx.enemies(id).collect() } else { vec![nearest] };
        for enemy in about {
            let offer = Offer::Row { row, enemy: Some(enemy) };
            let known = offers.iter().any(|other| comes_to_the_same(rows, None, other, &offer));
            let refused = row == from.row && from.refused.has(enemy);
            if !known && !refused && is_to(ctx, found, id, Some(enemy)) && may_be_given(ctx, id, found, enemy) {
                offers.push(offer);
            }
        }
    }
    offers
}

/// Asks a player for a unit's next paid order: a row and an enemy. Orders come one after another. `listed` contains the
/// offers, if known.
fn ask_for_act(
    ctx: &mut Context<'_>,
    id: UnitId,
    nearest: UnitId,
    from: Search,
    listed: Option<Vec<Offer>>,
) -> Option<(usize, UnitId)> {
    let offer = repeated(ctx, id).unwrap_or_else(|| ask_next(ctx, id, nearest, from, listed));
    match offer {
        Offer::Row { row, enemy } => Some((row, enemy?)),
        _ => None,
    }
}

fn ask_next(ctx: &mut Context<'_>, id: UnitId, nearest: UnitId, from: Search, listed: Option<Vec<Offer>>) -> Offer {
    let offers = listed.unwrap_or_else(|| offers(ctx, id, nearest, from));
    let rows = &ctx.decisions(id).rows;
    // If an order is refused, doctrine continues with the next row.
    let (mut place, mut at, mut doctrine) = (0, from, next_row(ctx, id, nearest, from));
    while let Some((row, enemy)) = doctrine {
        let taken = Offer::Row { row, enemy: Some(enemy) };
        if let Some(found) = offers.iter().position(|offer| comes_to_the_same(rows, None, offer, &taken)) {
            place = found;
            break;
        }
        at = at.without(rows, row, enemy);
        doctrine = next_row(ctx, id, nearest, at);
    }
    ask(ctx, id, &offers, place, doctrine.map(|(row, _)| row))
}

/// A unit's order in this phase concerning an enemy that it has routed, if the order is one that `may` be given. Also
/// returns the enemy that the unit charges next, if the order is to charge on. `onward` lists the enemies that it may
/// charge: doctrine takes the first, and a player may take any of them. The order is reported but not counted.
pub(crate) fn choice(
    ctx: &mut Context<'_>,
    id: UnitId,
    foe: UnitId,
    may: impl Fn(Order) -> bool,
    onward: impl Fn(&Position<'_>) -> Targets,
) -> Option<(Order, Option<UnitId>)> {
    let rows = &ctx.decisions(id).rows;
    let mut chosen = choices::by_doctrine(ctx, id, |_| Some(foe), |_, _| false);
    if let Some(chosen) = chosen.as_mut().filter(|chosen| rows[chosen.row].order == Order::Charge) {
        chosen.enemy = onward(ctx).first().copied();
    }
    if is_played(ctx, id) {
        let about = |ctx: &Position<'_>, row: &DoctrineRow| match row.order {
            Order::Charge => onward(ctx).into_iter().map(Some).collect(),
            _ => vec![None],
        };
        chosen = ask_about(ctx, id, Some(foe), chosen, about, |_, row, _| may(row.order));
    }
    let Chosen { row, enemy } = chosen?;
    let order = rows[row].order;
    if !may(order) {
        return None;
    }
    ctx.tell(|| Event::Ordered { unit: id, row, order });
    Some((order, enemy))
}
