//! Retreats and evasions: through the rear hexes, or towards the unit's own side of the board (clauses I.D, II.F).
//!
//! Each flag forces a retreat of a number of hexes. The unit takes a path that is free to the end if it can; each hex
//! that it falls short costs figures. Example: a unit must retreat four hexes, and two are free. It retreats two and
//! loses two figures.

use arrayvec::ArrayVec;
use grognard_rules::model::{HexRules, OFF_BOARD, Provides};

use crate::geometry::hex::{self, hex_leader_alone, hex_of, shown};
use crate::geometry::plane::{Arc, Point};
use crate::mechanism::hex::provisions::{all_provided, exits, provided, provision, turned_in_combat};
use crate::mechanism::hex::{leader, placing, strike};
use crate::situation::hex::motion;
use crate::state::{HexFlags, UnitId};
use crate::step::asking::is_played;
use crate::step::banners::banners_decide;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent, Occasion};

/// The index of a rampage among the kinds of combat.
const RAMPAGE: u8 = 8;

/// The possible retreat of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The number of hexes that it can retreat.
    pub(super) made: u8,
    /// Whether the retreat is complete: the unit makes all its hexes or meets a leader.
    pub(super) whole: bool,
    /// The hex in which it ends.
    pub(super) end: u8,
    /// All hexes in which it could end. None of them costs more figures than another.
    ends: u128,
}

/// The longest way out, of at most the given number of hexes. If it can end in several hexes, the one next to the
/// fewest enemies is taken; the side's order of hexes breaks ties.
pub(super) fn way_out(ctx: &Position<'_>, hex: &HexRules, id: UnitId, hexes: i32) -> Way {
    let (_, exits) = exits(ctx, hex, id);
    let (start, side) = (hex_of(&hex.grid, ctx.battle.unit(id)), ctx.battle.unit(id).side);
    let held = motion::held(hex, &ctx.battle, id);
    let taken = held.friends | held.enemies | motion::barred(hex, &ctx.view(id, None));
    let mut layer = 1_u128 << start;
    let mut way = Way { made: 0, whole: hexes <= 0, end: start, ends: layer };
    let (mut first_met, mut met) = (None, 0_u128);
    for step in 1..=hexes {
        let mut next = 0_u128;
        for at in hex::bits(layer) {
            for direction in exits {
                let near = hex.grid.near(at, direction);
                if near != OFF_BOARD {
                    next |= 1 << near;
                }
            }
        }
        next &= !taken;
        if met == 0 {
            first_met = hex::seen_by(side, next & held.leaders).next().map(|leader| (step as u8, leader));
        }
        met |= next & held.leaders;
        layer = next & !held.leaders;
        if layer == 0 {
            break;
        }
        let danger = |&at: &u8| (hex.grid.around(at) & held.enemies).count_ones();
        let end = hex::seen_by(side, layer).min_by_key(danger).unwrap_or(start);
        way = Way { made: step as u8, whole: step == hexes, end, ends: layer };
    }
    // A retreat that meets a lone leader ends there without loss.
    match first_met {
        Some((made, end)) if !way.whole => Way { made, whole: true, end, ends: met },
        Some(_) => Way { ends: way.ends | met, ..way },
        None => way,
    }
}

/// The path of an evasion: as many hexes as the unit can make (B22). The last one may hold a lone leader.
fn evasion(ctx: &Position<'_>, hex: &HexRules, id: UnitId, hexes: i32) -> Option<Way> {
    let side = ctx.battle.unit(id).side;
    (1..=hexes).rev().find_map(|made| {
        let way = way_out(ctx, hex, id, made);
        // The two directions out are next to each other, so every step takes the unit farther away.
        let far = |&end: &u8| i32::from(placing::away(ctx, hex, id, end)) == made;
        let ends = hex::bits(way.ends).filter(far).fold(0, |ends, end| ends | motion::bit(end));
        let end = hex::bits(ends & motion::bit(way.end)).chain(hex::seen_by(side, ends)).next()?;
        Some(Way { made: made as u8, whole: true, end, ends })
    })
}

/// The hex in which a unit ends its retreat, by default or by its player's choice, and the number of hexes it moves.
fn end_of(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, way: Way) -> (u8, u8) {
    if way.ends.count_ones() < 2 || !is_played(ctx, id) {
        return (way.end, way.made);
    }
    let end = placing::end_chosen(ctx, id, hex::bits(way.ends), way.end);
    (end, placing::away(ctx, hex, id, end))
}

/// Moves an evading unit out of its hex, or abandons it.
pub(super) fn evade(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, from: UnitId, hexes: i32) {
    if let Some((row, _)) = provision(ctx, hex, Provides::Abandon, id, Some(from)) {
        provided(ctx, row, id);
        let mate = ctx.battle.unit(id).hex.mate;
        ctx.battle.unit_mut(id).hex.flags.set(HexFlags::ABANDONED);
        ctx.remove(id, Event::Destroyed);
        if let Some(mate) = mate.get() {
            leader::flee(ctx, hex, mate);
        }
        return;
    }
    if let (Some(row), _) = exits(ctx, hex, id) {
        provided(ctx, row, id);
    }
    let Some(way) = evasion(ctx, hex, id, hexes) else { return };
    let (end, made) = end_of(ctx, hex, id, way);
    ctx.tell(|| Event::Hex(HexEvent::FellBack { unit: id, hexes: made, of: made.into() }));
    placing::put(ctx, hex, id, end);
}

/// Drives a unit back for its flags. Once a banner decides the battle, neither it nor any other unit loses any more
/// (B7).
pub(super) fn driven_back(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, from: UnitId, flags: i32) {
    if banners_decide(ctx) {
        return;
    }
    let Some((row, each)) = provision(ctx, hex, Provides::Retreat, id, Some(from)) else { return };
    provided(ctx, row, id);
    let more = if hex.any(Provides::RetreatMore) {
        let more = hex.sum(Provides::RetreatMore, ctx.battle.unit(id).kind, &ctx.view(id, Some(from)));
        if more > 0 {
            all_provided(ctx, hex, Provides::RetreatMore, id, Some(from));
        }
        more
    } else {
        0
    };
    let hexes = flags * (each + more);
    let behind = shown(hex, ctx.battle.unit(id), ctx.battle.unit(from).front) == Arc::Rear
        && hex::distance(ctx.battle.unit(id).front, ctx.battle.unit(from).front) == 1;
    let rampage = provision(ctx, hex, Provides::Rampage, id, Some(from));
    if let Some((row, _)) = rampage {
        run_wild(ctx, hex, id, row);
        if banners_decide(ctx) {
            return;
        }
    }
    let (row, directions) = exits(ctx, hex, id);
    if turned_in_combat(ctx, id).is_some()
        && let Some((row, _)) = provision(ctx, hex, Provides::KeepRear, id, Some(from))
    {
        provided(ctx, row, id);
    }
    if let Some(row) = row {
        provided(ctx, row, id);
    }
    let way = way_out(ctx, hex, id, hexes);
    let (end, made) = end_of(ctx, hex, id, way);
    if behind && made > 0 && ends_in_passing(ctx, hex, id, from) {
        return;
    }
    ctx.tell(|| Event::Hex(HexEvent::FellBack { unit: id, hexes: made, of: hexes }));
    placing::put(ctx, hex, id, end);
    let missing = if way.whole { 0 } else { hexes - i32::from(made) };
    if let Some((_, each)) = rampage {
        trample(ctx, hex, id, directions, missing * each);
    } else if missing > 0
        && let Some((row, each)) = provision(ctx, hex, Provides::Blocked, id, Some(from))
    {
        provided(ctx, row, id);
        pay(ctx, hex, id, missing * each, from);
    }
}

/// Strikes a unit that passes an enemy in its rear, before it moves. Returns whether that ends its retreat, because the
/// unit is removed or the battle is decided.
fn ends_in_passing(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, from: UnitId) -> bool {
    // The unit's own rampage may have removed the enemy that it would have to pass.
    if ctx.battle.unit(from).gone() {
        return false;
    }
    let Some((row, each)) = provision(ctx, hex, Provides::PassFoe, id, Some(from)) else { return false };
    provided(ctx, row, id);
    pay(ctx, hex, id, each, from);
    ctx.battle.unit(id).gone() || banners_decide(ctx)
}

/// Removes the figures that a unit's own retreat, or another's, costs it. Its leader may be lost with them.
fn pay(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, figures: i32, cause: UnitId) {
    let before = ctx.battle.unit(id).figures;
    ctx.lose(id, figures.min(before.into()) as u16, cause);
    leader::after_losses(ctx, hex, id, cause, before);
}

/// Lets a rampaging unit strike all adjacent units, in the order of directions, until a banner decides the battle.
fn run_wild(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, row: u8) {
    provided(ctx, row, id);
    let rampage = &hex.provisions[usize::from(row)];
    let role = ctx.scratch.combat.map(|combat| combat.role);
    if let Some(combat) = &mut ctx.scratch.combat {
        combat.role = RAMPAGE;
    }
    for near in neighbours(ctx, hex, id, 0..6) {
        let outcome = ctx.cast(Occasion::Provision(row), rampage.roll, id, Some(near));
        let effect = outcome.foe;
        // A rampage does not set off another rampage.
        let again = provision(ctx, hex, Provides::Rampage, near, Some(id)).is_some();
        if again {
            let lost = u16::from(effect.score.colours) + effect.lose;
            if lost > 0 {
                pay(ctx, hex, near, lost.into(), id);
            }
        } else {
            strike::suffer(ctx, hex, id, near, &effect);
        }
        ctx.apply(&outcome.own, id, near);
        if banners_decide(ctx) {
            break;
        }
    }
    if let (Some(combat), Some(role)) = (&mut ctx.scratch.combat, role) {
        combat.role = role;
    }
}

/// Makes units in the way of a rampaging unit pay for the hexes that it cannot retreat, one unit at a time.
fn trample(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, ways: [u8; 2], each: i32) {
    if each <= 0 || ctx.battle.unit(id).gone() {
        return;
    }
    let side = ctx.battle.unit(id).side;
    for near in neighbours(ctx, hex, id, ways) {
        // Units and enemy leaders pay (B26).
        let unit = ctx.battle.unit(near);
        if hex_leader_alone(unit) && unit.side == side {
            continue;
        }
        pay(ctx, hex, near, each, id);
        if banners_decide(ctx) {
            break;
        }
    }
}

/// The units next to a unit in these directions, friend or foe. All are found at once, so that a leader who flees from
/// one of these hexes into another is not struck twice.
fn neighbours(
    ctx: &Position<'_>,
    hex: &HexRules,
    id: UnitId,
    directions: impl IntoIterator<Item = u8>,
) -> ArrayVec<UnitId, 6> {
    let at = hex_of(&hex.grid, ctx.battle.unit(id));
    let near = directions.into_iter().map(|direction| hex.grid.near(at, direction)).filter(|&near| near != OFF_BOARD);
    let places = near.map(|near| hex.grid.place(near));
    places.filter_map(|(q, r)| hex::occupant(&ctx.battle, Point { x: q, y: r })).collect()
}
