//! Asking: every choice that the rules leave open goes through here to doctrine or to a
//! [`Player`](crate::step::player::Player).

use grognard_rules::model::{AT_RANDOM, ByteId, Choice, DoctrineRow, Offered, Order};

use crate::state::{Allowance, UnitId};
use crate::step::at_random::AnyOf;
use crate::step::choices::{Chosen, by_doctrine, foresee, row_of_choice};
use crate::step::context::{Context, scene};
use crate::step::nearest::nearest_enemy;
use crate::step::player::{Asked, Offer};
use crate::step::position::Position;
use crate::telling::event::Event;

/// Gives a unit an order: the order of the first doctrine row that applies, or the one that its player chooses. Returns
/// the row's index, the order and, if the row considers any enemy that satisfies `may`, the enemy picked. `None` if no
/// row applies.
///
/// Other rows consider the `nearest` enemy, which is searched for only if a row depends on it. `allows` decides which
/// rows a player may choose for which enemy. If doctrine's own row is not allowed, the mechanism refuses the order.
pub(crate) fn decide(
    ctx: &mut Context<'_>,
    id: UnitId,
    nearest: impl FnOnce(&Position<'_>) -> Option<UnitId>,
    may: impl Fn(&Position<'_>, UnitId) -> bool,
    allows: impl Fn(&Position<'_>, &DoctrineRow, Option<UnitId>) -> bool,
) -> Option<(usize, Order, Option<UnitId>)> {
    if ctx.battle.orders.is_used_up() {
        return None;
    }
    let chosen = if is_played(ctx, id) {
        let nearest = nearest(ctx);
        ask_for_row(ctx, id, nearest, may, allows)
    } else {
        by_doctrine(ctx, id, nearest, may)
    };
    let Chosen { row, enemy } = chosen?;
    Some((row, order_row(ctx, id, row), enemy))
}

/// Gives a unit the order of this doctrine row and counts it.
#[inline]
fn order_row(ctx: &mut Context<'_>, id: UnitId, row: usize) -> Order {
    let order = ctx.decisions(id).rows[row].order;
    if order != Order::Hold && ctx.battle.orders != Allowance::Any {
        ctx.battle.beside_units().orders.count();
    }
    ctx.tell(|| Event::Ordered { unit: id, row, order });
    order
}

/// Whether a player or chance chooses for a unit, instead of its doctrine.
#[inline]
pub(crate) fn is_played(ctx: &Context<'_>, id: UnitId) -> bool {
    let side = ctx.battle.unit(id).side;
    ctx.setup.random[side] || ctx.player.as_ref().is_some_and(|player| player.plays(side))
}

/// Asks the player for one of these offers, unless there is only one. For a side that chooses at random and has no
/// player, the dice choose.
pub(crate) fn ask(ctx: &mut Context<'_>, unit: UnitId, offers: &[Offer], doctrine: usize, row: Option<usize>) -> Offer {
    let lane = ctx.battle.lane_of(unit);
    ask_in_lane(ctx, lane, unit, offers, doctrine, row)
}

/// Like [`ask`], for choices of which one unit may have more in a phase than its lane has words: chance chooses in
/// `lane`.
pub(crate) fn ask_in_lane(
    ctx: &mut Context<'_>,
    lane: u8,
    unit: UnitId,
    offers: &[Offer],
    doctrine: usize,
    row: Option<usize>,
) -> Offer {
    let side = ctx.battle.unit(unit).side;
    if let Some(player) = ctx.player.as_mut().filter(|player| player.plays(side)) {
        if let Some(offer) = player.repeat() {
            return offer;
        }
        let place = match offers.len() {
            0 | 1 => doctrine,
            _ => player.choose(scene(&ctx.position), &Asked { unit, offers, doctrine, row }),
        };
        player.note(offers[place]);
        return offers[place];
    }
    if offers.len() < 2 { offers[doctrine] } else { offers[any_of(ctx, lane, offers.len())] }
}

/// The offer that a unit's player takes at its next decision, if it repeats one. Only for decisions that always end in
/// [`ask`].
pub(crate) fn repeated(ctx: &mut Context<'_>, unit: UnitId) -> Option<Offer> {
    let side = ctx.battle.unit(unit).side;
    ctx.player.as_mut().filter(|player| player.plays(side))?.repeat()
}

/// Lets dice choose one of `count` equally likely possibilities.
pub(crate) fn any_of(ctx: &mut Context<'_>, lane: u8, count: usize) -> usize {
    if count < 2 {
        return 0;
    }
    let address = ctx.address_of(AT_RANDOM, lane);
    ctx.dice.decide(address, &AnyOf::new(count))
}

/// Asks a player which row of its doctrine a unit follows in this phase. Returns the row, and the enemy if the row may
/// consider any.
///
/// `nearest` is the enemy for rows that consider only the nearest one. Other rows may be about any enemy that satisfies
/// `may`. `allows` tells whether the rules let a unit carry out a row against an enemy.
pub(crate) fn ask_for_row(
    ctx: &mut Context<'_>,
    id: UnitId,
    nearest: Option<UnitId>,
    may: impl Fn(&Position<'_>, UnitId) -> bool,
    allows: impl Fn(&Position<'_>, &DoctrineRow, Option<UnitId>) -> bool,
) -> Option<Chosen> {
    if let Some(offer) = repeated(ctx, id) {
        return chosen(offer);
    }
    let doctrine = by_doctrine(ctx, id, |_| nearest, &may);
    let about = |ctx: &Position<'_>, row: &DoctrineRow| match row.of_any {
        true => ctx.enemies(id).filter(|&enemy| may(ctx, enemy)).map(Some).collect(),
        false => vec![None],
    };
    ask_about(ctx, id, nearest, doctrine, about, allows)
}

/// Like [`ask_for_row`], given the row that doctrine follows. `about` lists the enemies that a row may be about: `None`
/// stands for the nearest one, or for the one that the rules determine.
pub(crate) fn ask_about(
    ctx: &mut Context<'_>,
    id: UnitId,
    nearest: Option<UnitId>,
    doctrine: Option<Chosen>,
    about: impl Fn(&Position<'_>, &DoctrineRow) -> Vec<Option<UnitId>>,
    allows: impl Fn(&Position<'_>, &DoctrineRow, Option<UnitId>) -> bool,
) -> Option<Chosen> {
    let rows = &ctx.decisions(id).rows;
    let mut offers = vec![Offer::Hold];
    for (row, found) in rows.iter().enumerate().filter(|&(row, _)| stands_alone(rows, row)) {
        for enemy in about(ctx, found) {
            let offer = Offer::Row { row, enemy };
            let known = offers.iter().any(|other| comes_to_the_same(rows, nearest, other, &offer));
            // Additional orders are carried out even if the row's own order is refused. A refused order still uses up
            // one of the side's orders.
            let spent = ctx.battle.orders != Allowance::Any && doctrine == Some(Chosen { row, enemy });
            let about = enemy.or(nearest);
            if !known && is_to(ctx, found, id, about) && (spent || goes_on(rows, row) || allows(ctx, found, about)) {
                offers.push(offer);
            }
        }
    }
    let taken = doctrine.map_or(Offer::Hold, |Chosen { row, enemy }| Offer::Row { row, enemy });
    // A row that the rules do not allow amounts to holding.
    let place = offers.iter().position(|offer| comes_to_the_same(rows, nearest, offer, &taken)).unwrap_or(0);
    chosen(ask(ctx, id, &offers, place, doctrine.map(|chosen| chosen.row)))
}

/// The row that an offer carries out; `None` to hold.
fn chosen(offer: Offer) -> Option<Chosen> {
    match offer {
        Offer::Row { row, enemy } => Some(Chosen { row, enemy }),
        _ => None,
    }
}

/// Asks a player which of these enemies a unit attacks or fires at, if a row of its doctrine for this phase orders it
/// to. A unit whose doctrine has no such row is not asked.
///
/// `doctrine` is the row that applies, with the enemy that it picks; the enemy is `None` if the row orders the unit to
/// hold. `forced` is the enemy that the rules make the unit attack if doctrine picks none; the unit may then not hold.
pub(crate) fn ask_for_enemy(
    ctx: &mut Context<'_>,
    id: UnitId,
    order: Order,
    enemies: impl IntoIterator<Item = UnitId>,
    doctrine: Option<Chosen>,
    forced: Option<UnitId>,
) -> Option<Chosen> {
    let named = doctrine.filter(|chosen| chosen.enemy.is_some());
    let rows = &ctx.decisions(id).rows;
    // Uses the doctrine row that applies, or else any row that gives this order against the enemy. It does not matter
    // which.
    let ordered = |enemy: UnitId| {
        let given = |row: &DoctrineRow| row.order == order && is_to(ctx, row, id, Some(enemy));
        let row = named.map(|chosen| chosen.row).or_else(|| rows.iter().position(given));
        row.map(|row| Offer::Row { row, enemy: Some(enemy) })
    };
    let mut offers: Vec<Offer> = enemies.into_iter().filter_map(ordered).collect();
    let &Offer::Row { row, .. } = offers.first()? else { return None };
    match forced {
        None => offers.insert(0, Offer::Hold),
        // A forced attack is always offered, even if no row orders it against this enemy.
        Some(_) if offers.iter().any(|offer| matches!(offer, Offer::Row { enemy, .. } if *enemy == forced)) => {}
        Some(_) => offers.push(Offer::Row { row, enemy: forced }),
    }
    let enemy = named.and_then(|chosen| chosen.enemy).or(forced);
    let is_taken = |offer: &Offer| match *offer {
        Offer::Row { enemy: about, .. } => about == enemy,
        _ => enemy.is_none(),
    };
    let place = offers.iter().position(is_taken)?;
    chosen(ask(ctx, id, &offers, place, doctrine.map(|chosen| chosen.row)))
}

/// Whether a side accepts a choice in the middle of a combat. A unit whose doctrine has no row for it is not asked.
pub(crate) fn decides(ctx: &mut Context<'_>, choice: Choice, own: UnitId, foe: UnitId) -> bool {
    let doctrine = ctx.says_yes(choice, own, foe);
    if !is_played(ctx, own) || (row_of_choice(ctx, choice, own).is_none() && !may_be_asked(ctx, choice, own, foe)) {
        return doctrine;
    }
    ask(ctx, own, &[Offer::Hold, Offer::Take(choice)], usize::from(doctrine), None) != Offer::Hold
}

/// Whether a unit joins or leaves a square in this phase, by its doctrine or its player.
pub(crate) fn wants(ctx: &mut Context<'_>, id: UnitId, order: Order) -> bool {
    let (rows, applies) = (&ctx.decisions(id).rows, foresee(ctx, id));
    let by_doctrine = applies.filter(|&row| rows[row].order == order);
    let about = nearest_enemy(ctx, id);
    let given = |row: &DoctrineRow| row.order == order && is_to(ctx, row, id, about);
    let known = by_doctrine.or_else(|| rows.iter().position(given));
    let Some(row) = known.filter(|_| is_played(ctx, id)) else { return by_doctrine.is_some() };
    let offers = [Offer::Hold, Offer::Row { row, enemy: None }];
    ask(ctx, id, &offers, usize::from(by_doctrine.is_some()), applies) != Offer::Hold
}

/// Whether a unit may receive the order of a row against an enemy. Rows of its own doctrine are always allowed, other
/// rows only if they are offered to the unit.
pub(crate) fn is_to(ctx: &Position<'_>, row: &DoctrineRow, id: UnitId, about: Option<UnitId>) -> bool {
    row.offered.as_ref().is_none_or(|offered| is_offered(ctx, offered, id, about))
}

fn is_offered(ctx: &Position<'_>, offered: &Offered, id: UnitId, about: Option<UnitId>) -> bool {
    let kind = ctx.battle.unit(id).kind.index();
    offered.kinds.get(kind).is_some_and(|&is| is) && ctx.holds(offered.who.as_ref(), id, about)
}

/// Whether a player is asked for a decision that doctrine never makes.
fn may_be_asked(ctx: &Position<'_>, choice: Choice, own: UnitId, foe: UnitId) -> bool {
    let doctrine = &ctx.rules.doctrines[ctx.battle.unit(own).doctrine];
    let asked = doctrine.asked[usize::from(ctx.battle.phase)][choice as usize].as_ref();
    asked.is_some_and(|offered| is_offered(ctx, offered, own, Some(foe)))
}

/// Whether a row can be chosen by itself: it is neither an additional order of another row nor a plain order to hold.
fn stands_alone(rows: &[DoctrineRow], row: usize) -> bool {
    rows[row].also.is_none() && (rows[row].order != Order::Hold || goes_on(rows, row))
}

/// Whether a row is followed by an additional order.
fn goes_on(rows: &[DoctrineRow], row: usize) -> bool {
    rows.get(row + 1).is_some_and(|next| next.also.is_some())
}

/// Whether two offers are the same order concerning the same enemy.
pub(crate) fn comes_to_the_same(rows: &[DoctrineRow], nearest: Option<UnitId>, one: &Offer, other: &Offer) -> bool {
    let row_of = |offer: &Offer| match *offer {
        // This row only orders the unit to hold.
        Offer::Row { row, .. } if rows[row].order == Order::Hold && !goes_on(rows, row) => None,
        Offer::Row { row, enemy } => Some((row, enemy)),
        _ => None,
    };
    match (row_of(one), row_of(other)) {
        (None, None) => true,
        (Some((row, enemy)), Some((as_row, as_enemy))) => {
            let (first, second) = (&rows[row], &rows[as_row]);
            let alike = first.order == second.order
                && first.towards == second.towards
                && first.order != Order::Path
                && [row, as_row].iter().all(|&row| !goes_on(rows, row));
            (row == as_row || alike) && enemy_of(first, enemy, nearest) == enemy_of(second, as_enemy, nearest)
        }
        _ => false,
    }
}

/// The enemy that an order is about. For fire without a named enemy, the rules choose the target.
fn enemy_of(row: &DoctrineRow, enemy: Option<UnitId>, nearest: Option<UnitId>) -> Option<UnitId> {
    if row.order == Order::Fire { enemy } else { enemy.or(nearest) }
}
