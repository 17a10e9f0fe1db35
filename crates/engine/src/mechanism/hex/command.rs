//! Command: which units have orders in a half-turn (B5 of the ancients game).
//!
//! With cards, a side plays the most useful card in its hand. Without cards, it gives orders to all its units, or to
//! the number that the activation allows. Units nearest to the enemy come first; precedence breaks ties. A player
//! chooses the card, and the units that get orders.

use arrayvec::ArrayVec;
use grognard_rules::model::{Card, Deck, HexRules, Section};

use crate::geometry::hex::{attached, distance};
use crate::mechanism::common::units::next_of;
use crate::mechanism::hex::deck;
use crate::state::{CardKind, HAND, HexFlags, Side, UNITS_PER_SIDE_MAX, UnitId};
use crate::step::asking::{ask, is_played};
use crate::step::nearest::nearest_enemy;
use crate::step::player::Offer;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent};

/// Units, each with the distance to its nearest enemy.
type Ranked = ArrayVec<(i32, UnitId), UNITS_PER_SIDE_MAX>;

/// The distance in hexes beyond which no unit can reach another.
const FAR: i32 = 12;

pub(crate) fn play(ctx: &mut Context<'_>, side: Side) {
    let Some(hex) = ctx.rules.hex.as_deref() else { return };
    if let Some(deck) = &hex.deck {
        // The other side also needs a hand: it may be attacked in the first half-turn and hold First Strike.
        for &side in ctx.battle.sides_from(side) {
            deck::fill(ctx, deck, side);
        }
        play_card(ctx, hex, deck, side);
        deck::fill(ctx, deck, side);
        return;
    }
    let Some(orders) = ctx.battle.orders.left() else {
        for id in ctx.battle.side(side) {
            if ctx.battle.takes_part(id) {
                ctx.battle.unit_mut(id).hex.flags.set(HexFlags::ORDERED);
            }
        }
        return;
    };
    if ctx.witness.is_none() && usize::from(orders) >= ctx.battle.units.len() {
        // If there is an order for every unit, their sequence matters only to a witness.
        for id in ctx.battle.side(side) {
            let unit = ctx.battle.unit_mut(id);
            if !unit.gone() && !attached(unit) {
                unit.hex.flags.set(HexFlags::ORDERED);
            }
        }
        return;
    }
    let units = ranked(ctx, side, |_, _| true);
    for (_, id) in share_out(ctx, &units, (usize::from(orders), false), of_choice) {
        order(ctx, id);
    }
}

fn order(ctx: &mut Context<'_>, id: UnitId) {
    ctx.battle.unit_mut(id).hex.flags.set(HexFlags::ORDERED);
    ctx.tell(|| Event::Hex(HexEvent::Commanded(id)));
}

/// The units of a side that may be ordered, those nearest to the enemy first.
fn ranked(ctx: &Position<'_>, side: Side, may: impl Fn(UnitId, Option<UnitId>) -> bool) -> Ranked {
    let mut units = Ranked::new();
    for id in ctx.battle.side(side) {
        let unit = ctx.battle.unit(id);
        if unit.gone() || attached(unit) {
            continue;
        }
        let enemy = nearest_enemy(ctx, id);
        if may(id, enemy) {
            let near = enemy.map_or(FAR, |enemy| distance(unit.front, ctx.battle.unit(enemy).front));
            units.push((near, id));
        }
    }
    units.sort_unstable_by(|one, other| ctx.neighbours().compare(one, other));
    units
}

/// Plays the card in the hand that gives orders to the units nearest to the enemy, or the card that the side's player
/// chooses.
fn play_card(ctx: &mut Context<'_>, hex: &HexRules, deck: &Deck, side: Side) {
    let mut best: Option<(i32, Held, Ranked)> = None;
    for held in hand(ctx, deck, side) {
        let units = ordered_by(ctx, hex, deck, (held.kind.of(deck), side), |_, _| 0);
        // Lone leaders are worth little compared with troops.
        let worth = units.iter().map(|&(near, id)| {
            let leads = ctx.battle.unit(id).hex.flags.has(HexFlags::LEADER);
            if leads { 1 } else { (FAR + 1 - near).max(1) }
        });
        let worth = worth.sum();
        if best.as_ref().is_none_or(|best| worth > best.0) {
            best = Some((worth, held, units));
        }
    }
    let player = ctx.battle.side(side).next().filter(|&first| is_played(ctx, first));
    let (place, units) = match (best, player) {
        (Some((_, held, _)), Some(first)) => {
            let held = asked(ctx, deck, (side, first), held);
            (held.place, ordered_by(ctx, hex, deck, (held.kind.of(deck), side), of_choice))
        }
        (Some((_, held, units)), None) => (held.place, units),
        // If all cards in the hand are for the enemy's turn, one of them is discarded to give one unit an order.
        (None, _) => {
            let units = ranked(ctx, side, |_, _| true);
            (0, share_out(ctx, &units, (1, false), of_choice))
        }
    };
    if let Some(kind) = ctx.battle.beside_units().cards.play(side, place) {
        ctx.battle.beside_units().cards.now = kind.into();
        ctx.tell(|| Event::Hex(HexEvent::Played(kind)));
    }
    for (_, id) in units {
        order(ctx, id);
    }
}

/// A card in a hand, and its index.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Held {
    place: usize,
    kind: CardKind,
}

/// The cards in a hand that are not for the enemy's turn.
fn hand(ctx: &Position<'_>, deck: &Deck, side: Side) -> ArrayVec<Held, HAND> {
    let hand = ctx.battle.cards.hands[side.index()].iter().enumerate();
    let held = hand.filter_map(|(place, kind)| kind.get().map(|kind| Held { place, kind }));
    held.filter(|held| !held.kind.of(deck).held).collect()
}

/// The card that the player of a side chooses; `first` is the side's first unit. Cards of the same kind are one offer.
fn asked(ctx: &mut Context<'_>, deck: &Deck, (side, first): (Side, UnitId), of_most_use: Held) -> Held {
    let hand = hand(ctx, deck, side);
    let mut kinds: Vec<CardKind> = hand.iter().map(|held| held.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let offers: Vec<Offer> = kinds.into_iter().map(Offer::Card).collect();
    let doctrine = offers.iter().position(|offer| *offer == Offer::Card(of_most_use.kind)).unwrap_or(0);
    match ask(ctx, first, &offers, doctrine, None) {
        Offer::Card(kind) if kind != of_most_use.kind => {
            hand.into_iter().find(|held| held.kind == kind).unwrap_or(of_most_use)
        }
        _ => of_most_use,
    }
}

/// The units to which a card gives orders, chosen with `pick`.
fn ordered_by(ctx: &mut Context<'_>, hex: &HexRules, deck: &Deck, (card, side): (&Card, Side), pick: Pick) -> Ranked {
    let units = ranked(ctx, side, |id, enemy| {
        card.section.is_none_or(|section| stands_in(ctx, hex, id, section)) && ctx.holds(card.of.as_ref(), id, enemy)
    });
    let most = usize::from(card.orders.unwrap_or(deck.hand));
    share_out(ctx, &units, (most, card.linked), pick)
}

/// A function that returns the index of the unit that gets the next order.
type Pick = fn(&mut Context<'_>, &[(i32, UnitId)]) -> usize;

/// The unit that is first by doctrine, or the one that the side's player chooses.
fn of_choice(ctx: &mut Context<'_>, units: &[(i32, UnitId)]) -> usize {
    next_of(ctx, units, Offer::Order)
}

/// The units that get orders: `most` of them, or all if there are fewer. If `linked`, each unit after the first must be
/// adjacent to one already chosen.
fn share_out(ctx: &mut Context<'_>, units: &Ranked, (most, linked): (usize, bool), pick: Pick) -> Ranked {
    let mut ordered = Ranked::new();
    let mut from = 0;
    while ordered.len() < most {
        if linked && !ordered.is_empty() {
            let joins = |&&(_, id): &&(i32, UnitId)| {
                let at = ctx.battle.unit(id).front;
                ordered.iter().all(|member| member.1 != id)
                    && ordered.iter().any(|member| distance(at, ctx.battle.unit(member.1).front) == 1)
            };
            let next: Ranked = units.iter().filter(joins).copied().collect();
            if next.is_empty() {
                break;
            }
            ordered.push(next[pick(ctx, &next)]);
            continue;
        }
        // The sequence of choices makes no difference, so units are chosen in the order of the list. A choice may skip
        // units only while enough others are left.
        let spare = (units.len() - from).saturating_sub(most - ordered.len());
        let next = if linked { &units[..] } else { &units[from..units.len().min(from + spare + 1)] };
        if next.is_empty() {
            break;
        }
        let place = pick(ctx, next);
        ordered.push(next[place]);
        from += place + 1;
    }
    ordered
}

/// Whether a unit is in a section, from its own side's point of view.
fn stands_in(ctx: &Position<'_>, hex: &HexRules, id: UnitId, section: Section) -> bool {
    let at = ctx.battle.unit(id).front;
    // The distance east of the middle, in half columns: each row is shifted by half a hex.
    let (east, line) = (2 * at.x + at.y, 2 * i32::from(hex.section));
    // The second side looks from the other edge: its left is in the east.
    let x = if ctx.battle.unit(id).side == Side::First { east } else { -east };
    match section {
        Section::Left => x <= -line,
        Section::Centre => x.abs() <= line,
        Section::Right => x >= line,
    }
}
