//! Simultaneous phases: all fire is resolved before any loss is removed.
//!
//! The rolls of such a phase (`simultaneous = true`) are made one after another, but their effects wait until all have
//! been made. So no roll depends on another, and equal armies have equal chances, regardless of the order in which
//! their units are listed.
//!
//! On hexes, the results of shots and strikes are applied in the order of the rolls: losses, and units driven back.
//!
//! If the pack distributes losses (`casualties`), the hits of all rolls apply to the enemy's side as a whole. They are
//! allotted one by one, each to a unit that still has figures: by the rules, by choice of the side that is hit or that
//! scored the hit, or by dice. A unit sustains hits while it has more than one figure. All sides allot their hits
//! before any figures are removed. The active side is the last to do so, so its player knows the others' choices. Hits
//! are lost if no unit is left to take them. These losses have no causing unit.
//!
//! Example: a fleet with a battleship (3 figures) and a fighter (1 figure) suffers three hits. The battleship sustains
//! hits before the fighter is lost: it takes two and has one figure left; the fighter takes the third.

use std::cmp::Reverse;

use grognard_dice::NTH_MAX;
use grognard_rules::model::{Bearer, Casualties, HitFirst, Mechanism, PickedBy, RollId};

use crate::geometry::plane::Point;
use crate::mechanism::common::exchange::attacked;
use crate::mechanism::common::units::alike;
use crate::mechanism::hex::{at_once, shot};
use crate::state::{SIDES_MAX, Side, UNITS_MAX, UnitId};
use crate::step::asking::{ask_in_lane, is_played};
use crate::step::at_random::Drawn;
use crate::step::player::Offer;
use crate::step::{Context, Position, phase_of};
use crate::telling::event::{Occasion, Scene};
use crate::telling::narrator::words::{counted, unit_name};

/// Holds back all effects until [`end`].
pub(crate) fn begin(ctx: &mut Position<'_>) {
    ctx.scratch.holds_back = true;
}

/// Applies the results that have been held back.
pub(crate) fn end(ctx: &mut Context<'_>) {
    let rules = ctx.rules;
    let melee = rules.hex.as_deref().filter(|_| phase_of(ctx).mechanism == Mechanism::CloseCombat);
    if let Some(hex) = melee {
        at_once::strike_all(ctx, hex);
    }
    let stood: Vec<Point> = melee.into_iter().flat_map(|_| &ctx.battle.units).map(|unit| unit.front).collect();
    ctx.scratch.holds_back = false;
    let mut effects = std::mem::take(&mut ctx.scratch.held_back);
    for (effect, id, cause) in effects.drain(..) {
        ctx.apply(&effect, id, cause);
    }
    // Keeps the capacity of the lists for the next phase.
    ctx.scratch.held_back = effects;
    let mut shots = std::mem::take(&mut ctx.scratch.held_shots);
    if let Some(hex) = rules.hex.as_deref() {
        for (effect, id, cause, combat) in shots.drain(..) {
            // An effect on another unit may have removed this one.
            if !ctx.battle.unit(id).gone() {
                ctx.scratch.combat = combat;
                shot::hit(ctx, hex, cause, id, &effect);
            }
        }
        ctx.scratch.combat = None;
    }
    ctx.scratch.held_shots = shots;
    if let Some(hex) = melee {
        at_once::conclude(ctx, hex, &stood);
    }
    if let Some(casualties) = phase_of(ctx).casualties.as_deref() {
        bear(ctx, casualties);
    }
}

/// Fires with a unit at an enemy side as a whole.
pub(crate) fn shoot(ctx: &mut Context<'_>, id: UnitId, roll: RollId) {
    let (rules, index) = (ctx.rules, ctx.battle.phase);
    if ctx.targets(id).is_empty() || !ctx.holds(rules.phases[usize::from(index)].when.as_ref(), id, None) {
        return;
    }
    let own = ctx.battle.unit(id).side;
    let enemy = own.only_enemy(ctx.battle.sides().len()).or_else(|| attacked(ctx, id));
    let Some(enemy) = enemy else { return };
    let outcome = ctx.cast(Occasion::Phase(index), roll, id, None);
    let pooled = &mut ctx.scratch.pooled[own.index()][enemy.index()];
    *pooled = pooled.saturating_add(outcome.foe.lose);
    ctx.apply(&outcome.own, id, id);
}

/// Allots the hits on all sides, then removes the figures.
fn bear(ctx: &mut Context<'_>, casualties: &Casualties) {
    let pooled = std::mem::take(&mut ctx.scratch.pooled);
    let mut hits = [0_u16; SIDES_MAX];
    for of_side in pooled {
        hits.iter_mut().zip(of_side).for_each(|(sum, hits)| *sum = sum.saturating_add(hits));
    }
    let active = ctx.battle.active;
    let mut taken = [0_u16; UNITS_MAX];
    for &side in ctx.battle.rivals(active).iter().chain([&active]).filter(|side| hits[side.index()] > 0) {
        match casualties.by {
            PickedBy::Owner => share_out(ctx, casualties, (side, Some(side)), hits[side.index()], &mut taken),
            PickedBy::Rules | PickedBy::Random => {
                share_out(ctx, casualties, (side, None), hits[side.index()], &mut taken);
            }
            // Each enemy side chooses who takes the hits that it has scored.
            PickedBy::Shooter => {
                for &shooter in ctx.battle.rivals(side) {
                    let hits = pooled[shooter.index()][side.index()];
                    share_out(ctx, casualties, (side, Some(shooter)), hits, &mut taken);
                }
            }
        }
        for id in ctx.battle.side(side).filter(|id| taken[id.index()] > 0) {
            ctx.battle.unit_mut(id).figures += taken[id.index()];
        }
    }
    for &side in ctx.battle.sides() {
        if hits[side.index()] > 0 {
            tell(ctx, casualties, side, hits[side.index()], &taken);
        }
    }
    for (index, figures) in taken.into_iter().enumerate().filter(|&(_, figures)| figures > 0) {
        let id = UnitId(index as u8);
        ctx.lose(id, figures, id);
    }
}

/// Decides which units of a side take these hits; `by` is the side that picks them. Hits are subtracted from the units'
/// figures at once.
fn share_out(
    ctx: &mut Context<'_>,
    casualties: &Casualties,
    (side, by): (Side, Option<Side>),
    hits: u16,
    taken: &mut [u16; UNITS_MAX],
) {
    let picker = by.and_then(|by| first_of(ctx, by));
    let wishes = picker.map_or(&[][..], |picker| wishes_of(ctx, casualties, picker));
    let asked = picker.filter(|&picker| is_played(ctx, picker));
    for hit in 0..hits {
        let next = match (&casualties.first, asked) {
            (HitFirst::Chances(_), _) => throw_for(ctx, casualties, side, hit),
            (_, None) => hit_first(ctx, casualties, wishes, side),
            (_, Some(picker)) => ask_for_one(ctx, casualties, wishes, side, (picker, hit)),
        };
        let Some(next) = next else { break };
        taken[next.index()] += 1;
        ctx.battle.unit_mut(next).figures -= 1;
    }
}

/// The unit whose player or doctrine decides for a side.
fn first_of(ctx: &Position<'_>, side: Side) -> Option<UnitId> {
    ctx.battle.side(side).find(|&id| !ctx.battle.unit(id).gone())
}

/// The doctrine's choice of the units to be hit first.
fn wishes_of<'a>(ctx: &Position<'a>, casualties: &Casualties, picker: UnitId) -> &'a [Bearer] {
    let doctrine = &ctx.rules.doctrines[ctx.battle.unit(picker).doctrine];
    if casualties.by == PickedBy::Owner { &doctrine.gives_up } else { &doctrine.picks_off }
}

/// The key that decides between units: the unit with the smallest key takes the next hit. Precedence breaks ties.
type Key = (usize, i32, i32, usize);

/// The key of a unit; `None` if it cannot take a hit.
fn key(ctx: &Position<'_>, casualties: &Casualties, wishes: &[Bearer], id: UnitId) -> Option<Key> {
    let unit = ctx.battle.unit(id);
    if unit.gone() || unit.figures == 0 || !ctx.holds(casualties.when.as_ref(), id, None) {
        return None;
    }
    let fits = |order: &[Bearer]| {
        order.iter().position(|bearer| match *bearer {
            Bearer::Sustains => unit.figures > 1,
            Bearer::Kind(kind) => kind == unit.kind,
        })
    };
    let named = |order: &[Bearer]| order.iter().position(|bearer| *bearer == Bearer::Kind(unit.kind));
    let (rank, order) = match &casualties.first {
        HitFirst::Order(order) => (fits(order)? as i32, order.as_slice()),
        HitFirst::Least(least) => (least.get(&ctx.view(id, None)), &[][..]),
        HitFirst::Chances(_) => (0, &[][..]),
    };
    let (wish, rank, decides) = match fits(wishes) {
        Some(place) => (place, 0, wishes.get(place)),
        None => (wishes.len(), rank, order.get(rank as usize)),
    };
    // Hits that can be sustained are spread; others go to units that have already been hit.
    let figures = i32::from(unit.figures);
    let figures = if decides == Some(&Bearer::Sustains) { -figures } else { figures };
    let place = named(wishes).unwrap_or_else(|| wishes.len() + named(order).unwrap_or(order.len()));
    Some((wish, rank, figures, place))
}

/// The unit of a side that takes the next hit by the rules, or by its doctrine.
fn hit_first(ctx: &Position<'_>, casualties: &Casualties, wishes: &[Bearer], side: Side) -> Option<UnitId> {
    let keyed = ctx.battle.side(side).filter_map(|id| Some((key(ctx, casualties, wishes, id)?, id)));
    ctx.neighbours().first_keyed(keyed).map(|(_, id)| id)
}

/// The units of a side that can take a hit, in the order in which they are hit. Units that differ only in their
/// position in the list are represented by one of them, with their number.
fn classes(ctx: &Position<'_>, casualties: &Casualties, wishes: &[Bearer], side: Side) -> Vec<(UnitId, u32)> {
    let mut keyed: Vec<(Key, UnitId)> =
        ctx.battle.side(side).filter_map(|id| Some((key(ctx, casualties, wishes, id)?, id))).collect();
    keyed.sort_unstable_by(|one, other| ctx.neighbours().compare(one, other));
    let mut found: Vec<(UnitId, u32)> = Vec::new();
    for (_, id) in keyed {
        match found.iter_mut().find(|(known, _)| alike(ctx, *known, id)) {
            Some((_, units)) => *units += 1,
            None => found.push((id, 1)),
        }
    }
    found
}

/// The unit that the picker's player chooses for this hit.
fn ask_for_one(
    ctx: &mut Context<'_>,
    casualties: &Casualties,
    wishes: &[Bearer],
    side: Side,
    (picker, hit): (UnitId, u16),
) -> Option<UnitId> {
    let offers: Vec<Offer> =
        classes(ctx, casualties, wishes, side).into_iter().map(|(id, _)| Offer::Bear(id)).collect();
    if offers.is_empty() {
        return None;
    }
    // By doctrine, the first in the list takes the hit.
    // There can be more hits than words in one lane. Each lane of the picker's side serves for as many as it has.
    let picker_unit = ctx.battle.unit(picker);
    let number = u16::from(picker_unit.number) + hit / (u16::from(NTH_MAX) + 1);
    let lane = ctx.battle.cycled_lane(picker_unit.side, number);
    match ask_in_lane(ctx, lane, picker, &offers, 0, None) {
        Offer::Bear(id) => Some(id),
        _ => None,
    }
}

/// The unit that the dice pick.
fn throw_for(ctx: &mut Context<'_>, casualties: &Casualties, side: Side, hit: u16) -> Option<UnitId> {
    let HitFirst::Chances(chances) = &casualties.first else { return None };
    let weight = |id: UnitId| chances.as_ref().map_or(1, |chances| chances.get(&ctx.view(id, None)).max(0)) as u32;
    let mut units = classes(ctx, casualties, &[], side);
    for (id, alike) in &mut units {
        *alike *= weight(*id);
    }
    units.retain(|&(_, weight)| weight > 0);
    if units.len() < 2 {
        return units.first().map(|&(id, _)| id);
    }
    // There are more hits than numbers in one lane, so they cycle through the lanes of the side.
    let lane = ctx.battle.cycled_lane(side, hit);
    let address = ctx.address_of(casualties.site, lane);
    let weights = units.iter().map(|&(_, weight)| u128::from(weight)).collect();
    Some(units[ctx.dice.decide(address, &Drawn::new("unit", weights))].0)
}

/// Reports which units take the hits on a side.
fn tell(ctx: &mut Context<'_>, casualties: &Casualties, side: Side, hits: u16, taken: &[u16; UNITS_MAX]) {
    let Some(unit) = first_of(ctx, side) else { return };
    ctx.tell_special((unit, None), &casualties.source, |scene: Scene<'_>| {
        let bearers = scene.battle.side(side).map(|id| (Reverse(taken[id.index()]), id));
        let mut bearers: Vec<(Reverse<u16>, UnitId)> = bearers.filter(|(Reverse(hits), _)| *hits > 0).collect();
        bearers.sort_unstable();
        let borne: u16 = bearers.iter().map(|(Reverse(hits), _)| hits).sum();
        let mut list: Vec<String> =
            bearers.iter().map(|(Reverse(hits), id)| format!("{} {hits}", unit_name(scene, *id))).collect();
        if borne < hits {
            list.push(format!("{} wasted", hits - borne));
        }
        format!("{} takes {}: {}.", scene.setup.names[side], counted(hits.into(), "hit"), list.join(", "))
    });
}
