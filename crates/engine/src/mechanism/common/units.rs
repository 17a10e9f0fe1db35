//! Questions about units that several mechanisms ask.

use arrayvec::ArrayVec;
use grognard_rules::model::{ByteId, Effect, MoraleId, Rules};

use crate::state::{Flags, Side, UNITS_MAX, UNITS_PER_SIDE_MAX, Unit, UnitId, Units};
use crate::step::asking::{ask, is_played};
use crate::step::player::Offer;
use crate::step::{Context, Position};

/// Whether a unit is a battery or a train.
#[inline]
pub(crate) fn has_cannon(ctx: &Position<'_>, id: UnitId) -> bool {
    ctx.rules.kinds[ctx.battle.unit(id).kind].cannon > 0
}

/// Whether a unit is a battery or a train without its crew: the crew is dead, has run away, or is apart from it. Such
/// guns do nothing and stay in place (8.45, 8.47).
pub(crate) fn is_abandoned(ctx: &Position<'_>, id: UnitId) -> bool {
    ctx.battle.unit(id).figures == 0 && has_cannon(ctx, id)
}

/// Whether two units of a side differ only in their position in its list.
pub(crate) fn alike(ctx: &Position<'_>, one: UnitId, other: UnitId) -> bool {
    let bare = |id: UnitId| Unit { number: 0, foe: UnitId(0), kin: UnitId(0), ..*ctx.battle.unit(id) };
    bare(one) == bare(other) && ctx.battle.standing(one) == ctx.battle.standing(other)
}

/// The index of the unit that goes next or gets the next order: the first of these, or the one that the side's player
/// chooses. All of them must be of one side. `offer` turns a unit into an offer.
pub(crate) fn next_of<K>(ctx: &mut Context<'_>, ranked: &[(K, UnitId)], offer: fn(UnitId) -> Offer) -> usize {
    let Some(&(_, first)) = ranked.first() else { return 0 };
    one_of(ctx, first, ranked.iter().map(|&(_, id)| id), offer)
}

/// The index of one of these units: the first, or the one chosen by the player of unit `by`'s side. Units that
/// differ only in their position in the list are one offer.
pub(crate) fn one_of(
    ctx: &mut Context<'_>,
    by: UnitId,
    units: impl ExactSizeIterator<Item = UnitId>,
    offer: fn(UnitId) -> Offer,
) -> usize {
    if units.len() < 2 || !is_played(ctx, by) {
        return 0;
    }
    let mut offered: Vec<(usize, UnitId)> = Vec::new();
    for (place, id) in units.enumerate() {
        if !offered.iter().any(|&(_, known)| alike(ctx, known, id)) {
            offered.push((place, id));
        }
    }
    let offers: Vec<Offer> = offered.iter().map(|&(_, id)| offer(id)).collect();
    let taken = ask(ctx, by, &offers, 0, None);
    offers.iter().position(|&other| other == taken).map_or(0, |taken| offered[taken].0)
}

/// Takes the next unit out of a queue: the first, or the one that the player of `side` chooses among those that `may`
/// be taken now. Units ahead of the first that may be taken are dropped for good, as they would be without a player;
/// other units may be taken later.
pub(crate) fn take_next(
    ctx: &mut Context<'_>,
    side: Side,
    queue: &mut ArrayVec<UnitId, UNITS_MAX>,
    may: impl Fn(&Position<'_>, UnitId) -> bool,
    offer: fn(UnitId) -> Offer,
) -> Option<UnitId> {
    let by = ctx.battle.side(side).next().filter(|&by| queue.len() > 1 && is_played(ctx, by));
    let Some(by) = by else { return queue.pop_at(0) };
    while queue.first().is_some_and(|&first| !may(ctx, first)) {
        queue.remove(0);
    }
    let able: ArrayVec<UnitId, UNITS_MAX> = queue.iter().copied().filter(|&id| may(ctx, id)).collect();
    let taken = *able.get(one_of(ctx, by, able.iter().copied(), offer))?;
    queue.retain(|id| *id != taken);
    Some(taken)
}

/// The units inside another unit's square.
pub(crate) fn members<'f>(ctx: &'f Position<'_>, host: UnitId) -> impl Iterator<Item = UnitId> + 'f {
    let inside = move |&id: &UnitId| ctx.battle.unit(id).flags.has(Flags::INSIDE) && ctx.battle.unit(id).foe == host;
    ctx.battle.side(ctx.battle.unit(host).side).filter(inside)
}

/// The units inside another unit's square as a list, so that they can be changed.
pub(crate) fn square_of(ctx: &Position<'_>, host: UnitId) -> ArrayVec<UnitId, { UNITS_PER_SIDE_MAX }> {
    if ctx.rules.square.is_none() { ArrayVec::new() } else { members(ctx, host).collect() }
}

/// The screens of units.
pub(crate) fn screens_of(ctx: &Position<'_>, units: &[UnitId]) -> Units {
    let kin = units.iter().map(|&id| ctx.battle.unit(id).kin);
    let screens = kin.filter(|&kin| ctx.battle.is_part(kin));
    screens.fold(Units::default(), |all, screen| all.plus(Units::one(screen)))
}

/// The units that do not block a unit: its screen or crew, and the screens of units in its square; for a screen or a
/// crew, its unit or the square that contains it.
pub(crate) fn own_of(ctx: &Position<'_>, id: UnitId) -> Units {
    let Unit { kin, guests, .. } = *ctx.battle.unit(id);
    let own = Units::one(kin).plus(Units::one(ctx.battle.host_of(kin)));
    if guests == 0 { own } else { own.plus(screens_of(ctx, &square_of(ctx, id))) }
}

/// Whether an enemy still on the table already counts as lost for victory.
pub(crate) fn counts_as_lost(ctx: &Position<'_>, enemy: UnitId) -> bool {
    ctx.rules.victory.lost.as_ref().is_some_and(|lost| lost.get(&ctx.view(enemy, None)) != 0)
}

/// The enemy that a unit's orders refer to: one that it touches, or else the nearest one that does not count as lost.
///
/// If it touches several, unbroken ones come first, then the one it has moved into contact with. Precedence breaks
/// ties.
pub(crate) fn opponent(ctx: &Position<'_>, id: UnitId) -> Option<UnitId> {
    let mut there = ctx.battle.enemies(ctx.battle.unit(id).side).filter(|&enemy| !ctx.battle.unit(enemy).gone());
    let first = there.next()?;
    let Some(second) = there.next() else { return Some(first) };
    let own = ctx.battle.unit(id);
    let key = |enemy: UnitId| {
        let distance = ctx.view(id, Some(enemy)).distance();
        let touches = distance <= ctx.rules.movement.touch;
        let spent = if touches { ctx.battle.unit(enemy).broken(ctx.rules) } else { counts_as_lost(ctx, enemy) };
        (!touches, spent, touches && own.foe != enemy, if touches { 0 } else { distance })
    };
    ctx.neighbours().first_by(std::iter::once(first).chain(std::iter::once(second)).chain(there), key)
}

/// The state after an effect that worsens morale, for a unit that is in this state or counts as being in it.
pub(crate) fn worsened(rules: &Rules, from: MoraleId, effect: &Effect) -> MoraleId {
    let worst = rules.morale.len() as u8 - 1;
    let shaken = rules.morale[from].shaken;
    let steps = effect.worsen + if shaken { effect.worsen_shaken } else { 0 };
    MoraleId::from_byte(from.byte().saturating_add(steps).min(worst))
}
