//! Close combat: declaration, reaction, evasion, dice and battle back (clauses I.C, II.A, II.G).
//!
//! Example: a light cavalry unit is attacked on its flank. It may turn until the attacker is on its front, then evade
//! through the hexes that are now its rear. If it stands, the attacker rolls the dice for an attack on its front.

use grognard_rules::model::{Choice, HexRules, Order, Provides};

use crate::geometry::hex::{arc, direction, facing, heading, hex_leader_alone, shown};
use crate::geometry::plane::Arc;
use crate::mechanism::hex::leader::flee;
use crate::mechanism::hex::provisions::{provided, provision, row};
use crate::mechanism::hex::target::{Target, Targets, duty_of, forbidden, targets};
use crate::mechanism::hex::{advance, deck, fire, retreat, strike};
use crate::state::{HexFlags, UnitId};
use crate::step::asking::{ask, ask_for_enemy, decides, is_played};
use crate::step::banners::banners_decide;
use crate::step::choices::Chosen;
use crate::step::player::Offer;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent};

/// Indices of the kinds of combat.
pub(super) const ATTACK: u8 = 1;
pub(super) const BONUS: u8 = 2;
pub(super) const BATTLE_BACK: u8 = 3;
const FIRST_STRIKE: u8 = 4;
pub(super) const EVADED: u8 = 5;
const BONUS_EVADED: u8 = 6;

pub(crate) fn play(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId) {
    if let Some(target) = opponent(ctx, hex, id) {
        attack(ctx, hex, id, target, ATTACK);
    }
}

/// The enemy that a unit attacks in its close-combat phase.
pub(super) fn opponent(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId) -> Option<UnitId> {
    if !may_begin(ctx, id) {
        return None;
    }
    let open = targets(ctx, hex, id);
    if open.is_empty() {
        if ctx.witness.is_some()
            && let Some(row) = forbidden(ctx, hex, id)
        {
            ctx.tell(|| Event::Hex(HexEvent::Breached { unit: id, row }));
        }
        return None;
    }
    if !may_fight(ctx, hex, id) {
        return None;
    }
    chosen(ctx, hex, id, &open, ATTACK)
}

/// Whether a unit has orders, is not tired and has not fought yet.
fn may_begin(ctx: &Position<'_>, id: UnitId) -> bool {
    let flags = ctx.battle.unit(id).hex.flags;
    flags.has(HexFlags::ORDERED) && !flags.has(HexFlags::FOUGHT) && !flags.has(HexFlags::TIRED)
}

/// Whether a unit may begin a close combat at all.
pub(crate) fn may_fight(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId) -> bool {
    if !may_begin(ctx, id) {
        return false;
    }
    if let Some((row, _)) = provision(ctx, hex, Provides::NoAttack, id, None) {
        ctx.tell(|| Event::Hex(HexEvent::Breached { unit: id, row }));
        return false;
    }
    true
}

/// The target that a unit attacks: its player's choice, or the target for the earliest row of its doctrine. The number
/// of dice breaks ties. A unit that must fight takes the best target available.
pub(super) fn chosen(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, open: &Targets, role: u8) -> Option<UnitId> {
    let (mut best, mut holds): (Option<(usize, Target)>, Option<usize>) = (None, None);
    for target in open {
        match row(ctx, hex, id, Some(target.id)) {
            Some((row, Order::Attack)) => {
                let better = |best: &(usize, Target)| (row, -target.dice) < (best.0, -best.1.dice);
                if best.as_ref().is_none_or(better) {
                    best = Some((row, *target));
                }
            }
            Some((row, _)) => holds = holds.or(Some(row)),
            None => {}
        }
    }
    let bound = ctx.battle.unit(id).hex.flags.has(HexFlags::BOUND) && role == ATTACK;
    let played = is_played(ctx, id);
    let duty = match bound && (played || best.is_none()) {
        true => provision(ctx, hex, Provides::MustAttack, id, None).map(|(row, _)| row),
        false => None,
    };
    let forced = duty.and_then(|_| open.iter().rev().max_by_key(|target| target.dice)).map(|target| target.id);
    let mut chosen = best.map(|(row, target)| Chosen { row, enemy: Some(target.id) });
    if played {
        let doctrine = chosen.or(holds.map(|row| Chosen { row, enemy: None }));
        chosen = ask_for_enemy(ctx, id, Order::Attack, open.iter().map(|target| target.id), doctrine, forced);
    }
    match (duty, chosen) {
        (Some(row), _) if best.is_none() => provided(ctx, row, id),
        (_, Some(Chosen { row, .. })) => ctx.tell(|| Event::Ordered { unit: id, row, order: Order::Attack }),
        _ => {}
    }
    chosen.map_or(forced, |chosen| chosen.enemy)
}

/// Fights a whole close combat.
pub(crate) fn attack(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId, role: u8) {
    declare(ctx, hex, id, target, role);
    react(ctx, hex, id, target);
    ctx.tell(|| Event::Hex(HexEvent::Answered { unit: id, target }));
    if hex_leader_alone(ctx.battle.unit(target)) {
        attacked(ctx, hex, id, target);
    } else if let Some((row, hexes)) = evades(ctx, hex, id, target) {
        set_role(ctx, if role == BONUS { BONUS_EVADED } else { EVADED });
        strike::strike(ctx, hex, id, target);
        if !ctx.battle.unit(target).gone() && !banners_decide(ctx) {
            provided(ctx, row, target);
            retreat::evade(ctx, hex, target, id, hexes);
        }
    } else {
        let places = [id, target].map(|id| ctx.battle.unit(id).front);
        let struck_first = strike_first(ctx, hex, id, target);
        // Elephants that are driven back rampage, and may then remove the unit that they have attacked.
        let stands = |(id, place)| !ctx.battle.unit(id).gone() && ctx.battle.unit(id).front == place;
        if [id, target].into_iter().zip(places).all(stands) && !banners_decide(ctx) {
            set_role(ctx, role);
            resolve(ctx, hex, id, target, struck_first);
        }
    }
    ctx.scratch.combat = None;
    ctx.tell(|| Event::Hex(HexEvent::Fought { unit: id, target }));
}

/// Begins a close combat.
pub(super) fn declare(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId, role: u8) {
    ctx.battle.unit_mut(id).hex.flags.set(HexFlags::FOUGHT);
    if ctx.witness.is_some() {
        let arc = shown(hex, ctx.battle.unit(target), ctx.battle.unit(id).front);
        ctx.tell(|| Event::Hex(HexEvent::Declared { unit: id, target, role, arc }));
        tell_duties(ctx, hex, id, target);
    }
    ctx.scratch.combat = Some(fire::combat(ctx, role, target));
    let state = &mut ctx.battle.unit_mut(target).hex;
    if state.assailant.is_none() {
        state.assailant = id.into();
    } else if !state.assailant.is(id) {
        state.flags.set(HexFlags::BESET);
    }
}

/// Reports the provisions that affected the choice of a target.
fn tell_duties(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId) {
    let unit = ctx.battle.unit(id);
    let ahead = shown(hex, unit, ctx.battle.unit(target).front) == Arc::Front;
    let through = if ahead { Provides::AttackFront } else { Provides::AttackAround };
    let rows = match duty_of(ctx, hex, id) {
        Some(duty) if duty.lapsed.is_none() => [Some(duty.row), None],
        Some(duty) if duty.front != target => [None, duty.lapsed],
        _ => [None, None],
    };
    let through = provision(ctx, hex, through, id, Some(target)).map(|(row, _)| row);
    for row in [through].into_iter().chain(rows).flatten() {
        provided(ctx, row, id);
    }
}

pub(super) fn set_role(ctx: &mut Position<'_>, role: u8) {
    if let Some(combat) = &mut ctx.scratch.combat {
        combat.role = role;
    }
}

/// Turns an attacked unit towards its attacker, if it may turn and its side wants it to.
pub(super) fn react(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId) {
    let (unit, foe) = (*ctx.battle.unit(id), *ctx.battle.unit(target));
    if shown(hex, &foe, unit.front) == Arc::Front {
        return;
    }
    let Some((row, steps)) = provision(ctx, hex, Provides::React, target, Some(id)) else { return };
    if steps == 0 {
        provided(ctx, row, target);
        return;
    }
    if foe.hex.flags.has(HexFlags::REACTED)
        && let Some((row, _)) = provision(ctx, hex, Provides::ReactOnce, target, Some(id))
    {
        ctx.tell(|| Event::Hex(HexEvent::Breached { unit: target, row }));
        return;
    }
    if !decides(ctx, Choice::React, target, id) {
        return;
    }
    let Some(towards) = direction(foe.front, unit.front) else { return };
    let old = facing(foe.heading);
    // The unit takes the best arc with the smallest turn; of two equal turns, it makes the counter-clockwise one.
    let turns = (0..=steps).flat_map(|by| [by, -by]);
    let facings = turns.map(|by| (i32::from(old) + by).rem_euclid(6) as u8);
    let best = facings.clone().min_by_key(|&facing| arc(towards, facing) as u8);
    let Some(best) = best.filter(|&best| best != old) else { return };
    let new =
        if is_played(ctx, target) { turned_to(ctx, target, facings.filter(|&new| new != old), best) } else { best };
    provided(ctx, row, target);
    let state = ctx.battle.unit_mut(target);
    state.heading = heading(new);
    state.hex.flags.set(HexFlags::REACTED);
    let at = state.front;
    if let Some(combat) = &mut ctx.scratch.combat {
        combat.turned = true;
    }
    ctx.tell(|| Event::Hex(HexEvent::Moved { unit: target, from: at, facing: old }));
}

/// The facing to which the player of an attacked unit turns it: the doctrine's choice, or another facing in reach
/// (I.C.1).
fn turned_to(ctx: &mut Context<'_>, target: UnitId, facings: impl Iterator<Item = u8>, best: u8) -> u8 {
    let mut facings: Vec<u8> = facings.collect();
    facings.sort_unstable();
    facings.dedup();
    let place = facings.iter().position(|&facing| facing == best).unwrap_or(0);
    let offers: Vec<Offer> = facings.into_iter().map(Offer::Facing).collect();
    match ask(ctx, target, &offers, place, None) {
        Offer::Facing(facing) => facing,
        _ => best,
    }
}

/// The provision by which an attacked unit evades, and the number of hexes. `None` if it does not evade.
pub(super) fn evades(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId) -> Option<(u8, i32)> {
    let (row, hexes) = provision(ctx, hex, Provides::Evade, target, Some(id)).filter(|&(_, hexes)| hexes > 0)?;
    // The side decides only if the unit can evade at all.
    let abandons = provision(ctx, hex, Provides::Abandon, target, Some(id)).is_some();
    let can = abandons || retreat::way_out(ctx, hex, target, 1).made > 0;
    (can && decides(ctx, Choice::Evade, target, id)).then_some((row, hexes))
}

/// Lets the defender play its First Strike card, if it has one, and strike. Returns whether it did.
fn strike_first(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId) -> bool {
    let Some(deck) = &hex.deck else { return false };
    let Some((row, _)) = provision(ctx, hex, Provides::FirstStrike, target, Some(id)) else { return false };
    let side = ctx.battle.unit(target).side;
    let held =
        ctx.battle.cards.hands[side.index()].iter().position(|kind| kind.get().is_some_and(|kind| kind.of(deck).held));
    let Some(place) = held.filter(|_| decides(ctx, Choice::StrikeFirst, target, id)) else { return false };
    ctx.battle.beside_units().cards.play(side, place);
    deck::fill(ctx, deck, side);
    provided(ctx, row, target);
    set_role(ctx, FIRST_STRIKE);
    strike::strike(ctx, hex, target, id);
    true
}

/// Resolves the attack and then, unless it decides the battle, the attacker's further options or the battle back.
fn resolve(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId, struck_first: bool) {
    let place = ctx.battle.unit(target).front;
    strike::strike(ctx, hex, id, target);
    if banners_decide(ctx) {
        return;
    }
    let foe = ctx.battle.unit(target);
    if foe.gone() || foe.front != place {
        if !ctx.battle.unit(id).gone() {
            advance::advance(ctx, hex, id, target, place);
        }
        return;
    }
    if struck_first || ctx.battle.unit(id).gone() {
        return;
    }
    if let Some((row, _)) = provision(ctx, hex, Provides::BattleBack, target, Some(id)) {
        provided(ctx, row, target);
        set_role(ctx, BATTLE_BACK);
        strike::strike(ctx, hex, target, id);
    }
}

/// Resolves an attack on a leader who is alone in his hex: the dice hit him or he flees.
pub(crate) fn attacked(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, leader: UnitId) {
    strike::strike(ctx, hex, id, leader);
    if !ctx.battle.unit(leader).gone() {
        flee(ctx, hex, leader);
    }
}
