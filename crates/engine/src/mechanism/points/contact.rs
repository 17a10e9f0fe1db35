//! Contact: how units come into contact, stay in contact when one of them moves, and lose it.
//!
//! A unit remembers how it struck the enemies that it touched at the end of its last move. The most important is the
//! enemy that it will charge, or else the one that it struck on its most vulnerable side: rear before flank before
//! front. The unit also remembers other enemies that it struck in the flank or rear. It forgets an enemy as soon as the
//! two lose contact, whichever moved. A marked charge is then cancelled. It is also cancelled if the enemy has moved to
//! a place where the unit may not charge it. Clauses: C1 to C5, F1 to F6, KC2, R6, S13, U12.
//!
//! Example: cavalry that comes up between two battalions touches the first on its front and the second on its flank; it
//! charges the second. Infantry that comes up behind the middle one of three neighbours strikes its rear and the flanks
//! of the others.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::geometry::plane::{Arc, Heading, Rect, Way};
use crate::mechanism::common::moving::{is_off_table, settle_on};
use crate::mechanism::points::occupation::fill_freed_ground;
use crate::mechanism::points::{passage, payment};
use crate::situation::occupied::place as place_of;
use crate::situation::ways::WayFacts;
use crate::state::{Flags, Marks, UNITS_MAX, Unit, UnitId};
use crate::step::nearest::others;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};
use crate::telling::narrator::words::unit_name;

/// Enemies, each with its shift east and north.
pub(crate) type Nudges = ArrayVec<(UnitId, (i32, i32)), UNITS_MAX>;

/// Whether two units touch.
pub(crate) fn touching(ctx: &Position<'_>, id: UnitId, foe: UnitId) -> bool {
    ctx.view(id, Some(foe)).distance() <= ctx.rules.movement.touch
}

/// Reports the rule by which a unit left a contact.
pub(crate) fn tell_leaving(ctx: &mut Context<'_>, id: UnitId, facts: WayFacts) {
    let Some(leave) = ctx.rules.movement.leave.as_ref().filter(|_| ctx.witness.is_some()) else { return };
    ctx.scratch.way.set(facts);
    let row = leave.first.get(&ctx.view(id, None)) as usize;
    ctx.scratch.way.set(WayFacts::default());
    if let Some(row) = leave.rows.get(row) {
        ctx.tell_special((id, None), &row.source, |scene| format!("{} breaks contact.", unit_name(scene, id)));
    }
}

/// Clears contacts of units that no longer touch, and cancels their charges. Also cancels charges on enemies that a
/// unit may no longer charge. Charges that are being resolved are left alone. Units fill terrain that an enemy kept
/// them from, if the enemy has gone.
pub(crate) fn part(ctx: &mut Context<'_>) {
    fill_freed_ground(ctx);
    for index in 0..ctx.battle.units.len() as u8 {
        let id = UnitId(index);
        let Unit { foe, beside, met, .. } = *ctx.battle.unit(id);
        if ctx.battle.unit(id).gone() {
            continue;
        }
        let apart = |enemy: UnitId| ctx.battle.unit(enemy).gone() || !touching(ctx, id, enemy);
        let parted = beside.map(|(enemy, arc)| arc != Arc::Front && apart(enemy));
        let charging = ctx.battle.unit(id).flags.has(Flags::CHARGING) && !ctx.scratch.joint.contains(&id);
        let leaves = (charging || met != Arc::Front) && apart(foe);
        let barred = if charging && !leaves { payment::charge_barred(ctx, id, foe) } else { None };
        for ((enemy, _), _) in beside.into_iter().zip(parted).filter(|&(_, parted)| parted) {
            ctx.battle.unit_mut(id).forget_meeting(enemy);
        }
        if leaves {
            ctx.battle.unit_mut(id).met = Arc::Front;
        }
        if charging && (leaves || barred.is_some()) {
            call_off(ctx, id);
            ctx.tell(|| barred.map_or(Event::FellShort { unit: id }, |why| Event::Refused { unit: id, why }));
        }
    }
}

/// Calls off a unit's charge. Its target is no longer marked as charged, unless another unit charges it (KC3).
pub(crate) fn call_off(ctx: &mut Position<'_>, id: UnitId) {
    let target = ctx.battle.unit(id).foe;
    ctx.battle.flags_mut(id).clear(Flags::CHARGING);
    let charges = |unit: &Unit| unit.flags.has(Flags::CHARGING) && unit.foe == target;
    if !ctx.battle.units.iter().any(charges) {
        ctx.battle.flags_mut(target).clear(Flags::CHARGED);
    }
}

/// Puts a unit on this ground. If its facing changes, units that still touch it no longer strike its flank or rear.
pub(crate) fn take_place(ctx: &mut Position<'_>, id: UnitId, place: &Rect) {
    let turns = ctx.battle.unit(id).heading != place.heading();
    settle_on(ctx, id, place);
    if turns {
        face_strikers(ctx, id);
    }
}

/// Records that units touching a unit no longer strike its flank or rear, after it has turned or changed formation.
pub(crate) fn face_strikers(ctx: &mut Position<'_>, id: UnitId) {
    for unit in &mut ctx.battle.units {
        unit.forget_meeting(id);
    }
}

/// The shifts that keep enemies in contact with a unit in its new place. Each is the smallest possible or, if that
/// would put an enemy where it may not be, another one. Units in contact may be a little apart; closing this gap is not
/// a shift. The place is refused if it overlaps a unit that is not shifted, or if a shift would be too long.
pub(crate) fn nudges(ctx: &Position<'_>, id: UnitId, place: &Rect) -> Result<Nudges, Refusal> {
    let rules = ctx.rules;
    let (touch, most) = (rules.movement.touch, rules.movement.nudge);
    let before = ctx.place(id);
    let mut nudges = Nudges::new();
    // A unit that fills a piece of ground is touched at the edge of the piece, not of its base.
    if ctx.battle.unit(id).fills != 0 {
        return Ok(nudges);
    }
    for (index, other) in ctx.battle.units.iter().enumerate() {
        if index == id.index() || other.gone() {
            continue;
        }
        let there = place_of(rules, &ctx.setup.terrain, other);
        let enemy = other.side != ctx.battle.unit(id).side;
        if !(enemy && before.distance(&there) <= touch) {
            if place.inset(touch).overlaps(&there) {
                return Err(passage::taken_there(ctx, id, place).map_or(Refusal::NoRoom, Refusal::Closed));
            }
            continue;
        }
        let (x, y) = there.shift_to_touch(place);
        // A piece of ground cannot be shifted.
        if unit_length(x, y) > if other.fills == 0 { most + touch } else { touch } {
            return Err(Refusal::NoShift);
        }
        if (x, y) != (0, 0) {
            nudges.push((UnitId(index as u8), (x, y)));
        }
    }
    if are_clear(ctx, id, &nudges) {
        return Ok(nudges);
    }
    other_nudges(ctx, id, place, &nudges).ok_or(Refusal::NoShift)
}

/// The shortest shifts that do not put a unit where it may not be. For each enemy, this is the smallest shift or
/// another one at right angles to an edge of either unit. Example: the smallest shift moves an enemy 0.1" sideways, off
/// the corner of a square. If another unit is there, the enemy moves 0.25" back.
fn other_nudges(ctx: &Position<'_>, id: UnitId, place: &Rect, smallest: &Nudges) -> Option<Nudges> {
    let (touch, most) = (ctx.rules.movement.touch, ctx.rules.movement.nudge);
    let ways = |&(enemy, first): &(UnitId, (i32, i32))| {
        let there = ctx.place(enemy);
        let keeps = |&(x, y): &(i32, i32)| {
            let shifted = there.shifted((x, y));
            let apart = !shifted.inset(touch).overlaps(place);
            (x, y) != first && unit_length(x, y) <= most + touch && apart && shifted.distance(place) <= touch
        };
        let others = there.ways_out_of(place).into_iter().filter(keeps).map(|way| (enemy, way));
        std::iter::once((enemy, first)).chain(others).collect::<ArrayVec<_, 9>>()
    };
    let ways: ArrayVec<_, UNITS_MAX> = smallest.iter().map(ways).collect();
    let all: usize = ways.iter().map(ArrayVec::len).product();
    let nth = |mut rest: usize| {
        let pick = |ways: &ArrayVec<_, 9>| {
            let way = ways[rest % ways.len()];
            rest /= ways.len();
            way
        };
        ways.iter().map(pick).collect::<Nudges>()
    };
    let length = |nudges: &Nudges| nudges.iter().map(|&(_, (x, y))| unit_length(x, y)).sum::<i32>();
    (1..all).map(nth).filter(|nudges| are_clear(ctx, id, nudges)).min_by_key(length)
}

/// Whether each of these units may be in the place to which it would be shifted.
fn are_clear(ctx: &Position<'_>, id: UnitId, nudges: &Nudges) -> bool {
    nudges.iter().all(|&(enemy, _)| may_stand_nudged(ctx, id, enemy, nudges))
}

/// Whether a shifted enemy is clear of a unit (in its shifted position, if that unit moves too) and of terrain closed
/// to it.
fn may_stand_nudged(ctx: &Position<'_>, id: UnitId, enemy: UnitId, nudges: &Nudges) -> bool {
    let rules = ctx.rules;
    let moved = |other: UnitId| {
        let shift = nudges.iter().find(|nudge| nudge.0 == other).map_or((0, 0), |nudge| nudge.1);
        ctx.place(other).shifted(shift)
    };
    let (start, end) = (ctx.place(enemy), moved(enemy));
    let inner = end.inset(rules.movement.touch);
    let taken = others(ctx, enemy).any(|other| other != id && inner.overlaps(&moved(other)));
    if taken || is_off_table(rules, &end) {
        return false;
    }
    let along = Heading::between(start.front, end.front);
    let distance = start.front.square_distance(end.front).isqrt() as i32;
    let bearing = start.heading().turn_to(along).rem_euclid(3600);
    !passage::closed(ctx, enemy, &Way { start, wheel: 0, bearing, distance, length: distance })
}

pub(crate) fn unit_length(x: i32, y: i32) -> i32 {
    (i64::from(x) * i64::from(x) + i64::from(y) * i64::from(y)).isqrt() as i32
}

/// Records how a unit strikes the enemies that it touches after a move from its former ground to a position. The one
/// that counts is `target`, or else the one that it strikes on its most vulnerable side. Among those struck in the same
/// arc, one that it has just met comes first. Returns the enemy that counts and the arc, if either is new.
pub(crate) fn remember(
    ctx: &mut Position<'_>,
    id: UnitId,
    (start, end): (&Rect, &Rect),
    target: Option<UnitId>,
) -> Option<(UnitId, Arc)> {
    let Unit { foe, met, marks, .. } = *ctx.battle.unit(id);
    let touched = ctx.targets(id).filter(|&enemy| touching(ctx, id, enemy));
    let strikes = |enemy: UnitId| {
        let new = start.distance(&ctx.place(enemy)) > ctx.rules.movement.touch;
        (Reverse((arc_of(ctx, enemy, start, end), new, enemy == foe)), enemy)
    };
    let mut struck: ArrayVec<_, UNITS_MAX> = touched.map(strikes).collect();
    struck.sort_unstable_by(|one, other| ctx.neighbours().compare(one, other));
    // The enemy that the unit has charged this turn remains its foe, and its charge still counts against that enemy.
    let aim = target.or(marks.has(Marks::CHARGED).then_some(foe));
    let counts = struck.iter().position(|&(Reverse((arc, new, known)), enemy)| match aim {
        Some(aim) => enemy == aim,
        None => arc != Arc::Front || new || known,
    });
    let first = counts.map(|at| struck.remove(at));
    let unit = ctx.battle.unit_mut(id);
    (unit.foe, unit.met) = first.map_or((foe, Arc::Front), |(Reverse((arc, ..)), enemy)| (enemy, arc));
    unit.remember_beside(struck.into_iter().map(|(Reverse((arc, ..)), enemy)| (enemy, arc)));
    let (Reverse((arc, new, known)), enemy) = first?;
    (new || !known || arc != met).then_some((enemy, arc))
}

/// The arc in which a unit that moved from one place to another strikes an enemy.
pub(crate) fn arc_of(ctx: &Position<'_>, enemy: UnitId, start: &Rect, end: &Rect) -> Arc {
    let defender = ctx.battle.unit(enemy);
    let place = defender.rect(ctx.rules);
    if ctx.rules.formations[defender.formation].all_round || passage::encloses(ctx, &place) {
        return Arc::Front;
    }
    end.strikes(start, &place, ctx.rules.movement.touch)
}
