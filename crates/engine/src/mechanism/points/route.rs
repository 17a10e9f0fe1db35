//! Routes: the path that a unit takes for an order, and the facts about it.
//!
//! A unit marches straight ahead if it would meet its enemy that way; otherwise it first wheels towards the enemy. The
//! wheel is measured by the pack's rule. The move is halved at most once, however many reasons there are for that. A
//! path out of terrain that the unit fills is measured from the edge of the terrain.

use grognard_rules::model::KindId;
use grognard_rules::situation::WayFact;

use crate::geometry::plane::{Heading, Rect, Way};
use crate::mechanism::common::leaving::is_lost_at;
use crate::mechanism::common::room::stands_on_anybody;
use crate::mechanism::points::occupation::{fills, ground_after, way_inside};
use crate::mechanism::points::passage::{note_ground, note_place};
use crate::situation::occupied::place;
use crate::situation::pace::pace;
use crate::situation::ways::WayFacts;
use crate::state::{Piece, UnitId};
use crate::step::Position;

/// The cost of a wheel.
fn wheel_cost(ctx: &Position<'_>, rect: &Rect, tenths: i32) -> i32 {
    let cost = rect.wheel_cost(tenths);
    if ctx.rules.movement.wheel_by_middle { (cost + 1) / 2 } else { cost }
}

/// The largest wheel that a unit can make for a cost in hundredths of an inch.
fn wheel_within(ctx: &Position<'_>, rect: &Rect, allowance: i32) -> i32 {
    rect.wheel_within(if ctx.rules.movement.wheel_by_middle { 2 * allowance } else { allowance })
}

/// The distance that a unit may move on a path with these facts: its rate, halved if a row halves it. Also returns that
/// row.
pub(crate) fn allowance_for(ctx: &Position<'_>, id: UnitId, facts: WayFacts) -> (i32, Option<usize>) {
    let rules = ctx.rules;
    let Some(rate) = pace(rules, &ctx.battle, id) else { return (0, None) };
    let Some(half) = &rules.movement.half else { return (rate, None) };
    ctx.scratch.way.set(facts);
    let row = half.first.get(&ctx.view(id, None)) as usize;
    ctx.scratch.way.set(WayFacts::default());
    let bonus = match &rules.movement.road {
        Some((inches, _)) if facts.has(WayFact::Road) => *inches,
        _ => 0,
    };
    if row < half.rows.len() { (rate / 2 + bonus, Some(row)) } else { (rate + bonus, None) }
}

/// A path with its length: the cost of its wheel, plus the distance after the unit has left the terrain that it fills.
fn measured(ctx: &Position<'_>, id: UnitId, way: Way) -> Way {
    let turned = way.turned();
    let inside = way_inside(ctx, id, &turned, turned.heading().turned(way.bearing));
    Way { length: wheel_cost(ctx, &way.start, way.wheel) + (way.distance - inside).max(0), ..way }
}

/// The path straight ahead, or after a wheel, that brings a unit into contact. `None` if it would pass by.
pub(crate) fn way_to_contact(ctx: &Position<'_>, id: UnitId, target: UnitId) -> Option<Way> {
    let rect = ctx.rect(id);
    let there = ctx.place(target);
    let wheel = wheel_towards(&rect, &there);
    let turned = if wheel == 0 { rect } else { rect.wheeled(wheel) };
    let mut distance = turned.march_to_contact(&there)?;
    // Corners are rounded to hundredths of an inch, so the last few hundredths are found by trial.
    let touch = ctx.rules.movement.touch;
    for _ in 0..4 {
        let end = turned.marched(distance);
        if end.inset(touch).overlaps(&there) {
            distance -= 1;
        } else if end.distance(&there) > touch {
            distance += 1;
        } else {
            break;
        }
    }
    Some(measured(ctx, id, Way { start: rect, wheel, bearing: 0, distance: distance.max(0), length: 0 }))
}

fn wheel_towards(rect: &Rect, there: &Rect) -> i32 {
    if rect.march_to_contact(there).is_some() {
        return 0;
    }
    rect.heading().turn_to(Heading::between(rect.front, there.centre()))
}

/// A march towards an enemy.
#[derive(Clone, Copy)]
pub(crate) struct Advance {
    /// The enemy.
    pub(crate) target: UnitId,
    /// The distance from it at which the march ends, in hundredths of an inch.
    pub(crate) stop: i32,
    /// Whether the march may lead past friends of the unit's arm if it does not end on them. Otherwise it stops at the
    /// first of them.
    pub(crate) past: bool,
}

/// The path towards an enemy, to a distance of `stop` from it or as far as the move allows. `None` if the unit is
/// already there.
///
/// `most` is the limit in hundredths of an inch; `None` stands for the unit's rate.
pub(crate) fn way_towards(ctx: &Position<'_>, id: UnitId, advance: Advance, most: Option<i32>) -> Option<Way> {
    let rules = ctx.rules;
    let Advance { target, stop, past } = advance;
    let rect = ctx.rect(id);
    let there = ctx.place(target);
    let keep = stop.max(rules.movement.gap);
    let wanted = rect.distance(&there) - keep;
    if wanted <= 0 {
        return None;
    }
    let allowance = most.unwrap_or_else(|| allowance_for(ctx, id, WayFacts::default()).0);
    let most = wheel_within(ctx, &rect, allowance);
    let wheel = wheel_towards(&rect, &there).clamp(-most, most);
    let spent = wheel_cost(ctx, &rect, wheel);
    let turned = if wheel == 0 { rect } else { rect.wheeled(wheel) };
    let inside = way_inside(ctx, id, &turned, turned.heading());
    let left = (allowance - spent + inside).min(wanted).max(0);
    let distance = clear_distance(ctx, id, &turned, left, (keep, past));
    // If the unit may not go past friends, it does not turn on the spot.
    let way = Way { start: rect, wheel, bearing: 0, distance, length: 0 };
    (past && wheel != 0 || distance > 0).then(|| measured(ctx, id, way))
}

/// The longest path within the unit's own allowance. Halving and the road bonus depend on the path itself, so one path
/// is tried for each possible allowance.
pub(crate) fn longest(ctx: &Position<'_>, id: UnitId, make: impl Fn(i32) -> Option<Way>) -> Option<Way> {
    let rules = ctx.rules;
    let rect = ctx.rect(id);
    let on_road = |piece: &Piece| piece.ground(rules).road && piece.rect.distance(&rect) <= rules.movement.touch;
    let road = rules.movement.road.as_ref().filter(|_| ctx.setup.terrain.iter().any(on_road));
    let road = road.map_or(0, |(inches, _)| *inches);
    let (open, halved) = allowance_for(ctx, id, WayFacts::default());
    let half = if halved.is_some() { open } else { open / 2 };
    let mut allowances = [open + road, open, half + road, half];
    allowances.sort_unstable_by(|a, b| b.cmp(a));
    let fits = |way: &Way| way.length <= allowance_for(ctx, id, facts_of(ctx, id, way, None)).0;
    let once = (0..4).filter(|&index| index == 0 || allowances[index] != allowances[index - 1]);
    once.map(|index| allowances[index]).find_map(|most| make(most).filter(fits))
}

/// Whether a path is oblique: not straight ahead, by the pack's definition.
fn oblique(ctx: &Position<'_>, way: &Way) -> bool {
    ctx.rules.movement.ahead.as_ref().is_some_and(|(most, _)| way.oblique(*most))
}

/// The path straight back from an enemy without turning, as far as the move allows.
pub(crate) fn way_back(ctx: &Position<'_>, id: UnitId, enemy: UnitId) -> Option<Way> {
    if ctx.setup.terrain.is_empty() {
        return back_within(ctx, id, enemy, None);
    }
    longest(ctx, id, |most| back_within(ctx, id, enemy, Some(most)))
}

/// Like [`way_back`], within a limit in hundredths of an inch; `None` stands for the unit's rate in the open.
fn back_within(ctx: &Position<'_>, id: UnitId, enemy: UnitId, most: Option<i32>) -> Option<Way> {
    let rect = ctx.rect(id);
    let away = Heading::between(ctx.rect(enemy).centre(), rect.centre());
    let bearing = rect.heading().turn_to(away).rem_euclid(3600);
    let full = Way { start: rect, wheel: 0, bearing, distance: 1, length: 1 };
    let mut facts = WayFacts::default();
    facts.note(WayFact::Oblique, oblique(ctx, &full));
    let most = most.unwrap_or_else(|| allowance_for(ctx, id, facts).0);
    let mut distance = most + way_inside(ctx, id, &rect, away);
    let mut way = Way { distance, ..full };
    // If a unit is in the way, or the table edge and nothing is scored there, the path is shortened by a quarter of an
    // inch at a time.
    let no_place = |end: &Rect| stands_on_anybody(ctx, id, end) || is_lost_at(ctx, id, end);
    while distance > 0 && no_place(&way.end()) {
        distance = (distance - 25).max(0);
        way.distance = distance;
    }
    (distance > 0).then(|| measured(ctx, id, way))
}

/// The path of a shift without turning.
pub(crate) fn way_aside(ctx: &Position<'_>, id: UnitId, bearing: u16, by: i32) -> Way {
    let start = ctx.rect(id);
    measured(ctx, id, Way { start, wheel: 0, bearing: i32::from(bearing) * 10, distance: by, length: 0 })
}

/// The distance that a unit can march, at most `wanted`. The unit stops short of enemies in its way, never ends on
/// friends, and stops at friends of its arm unless the march may lead past them.
fn clear_distance(ctx: &Position<'_>, id: UnitId, from: &Rect, wanted: i32, (keep, past): (i32, bool)) -> i32 {
    let own = ctx.battle.unit(id);
    let arm = |kind: KindId| ctx.rules.kinds[kind].arm;
    let mut far = wanted;
    loop {
        let before = far;
        for (index, other) in ctx.battle.units.iter().enumerate() {
            if index == id.index() || other.gone() {
                continue;
            }
            let obstacle = place(ctx.rules, &ctx.setup.terrain, other);
            let Some(contact) = from.march_to_contact(&obstacle) else { continue };
            if other.side != own.side {
                far = far.min((contact - keep).max(0));
            } else if from.marched(far).overlaps(&obstacle) || !past && arm(other.kind) == arm(own.kind) {
                far = far.min(contact);
            }
        }
        // A unit that stops short of one friend may overlap another one that it would have passed.
        if far == before {
            return far;
        }
    }
}

/// The facts about a path. `target` is the unit with which the path leads into contact.
pub(crate) fn facts_of(ctx: &Position<'_>, id: UnitId, way: &Way, target: Option<UnitId>) -> WayFacts {
    let rules = ctx.rules;
    let touch = rules.movement.touch;
    let own = ctx.battle.unit(id);
    let arm = |kind: KindId| rules.kinds[kind].arm;
    let end = way.end();
    // For contact and overlap, the ground that the unit fills before and after the move counts.
    let (before_at, after_at) = (ctx.place(id), ground_after(ctx, id, &end));
    let mut facts = WayFacts::default();
    facts.note(WayFact::Oblique, oblique(ctx, way));
    for (index, other) in ctx.battle.units.iter().enumerate() {
        if index == id.index() || other.gone() {
            continue;
        }
        let there = place(rules, &ctx.setup.terrain, other);
        let enemy = other.side != own.side;
        let like = arm(other.kind) == arm(own.kind);
        facts.note(WayFact::Overlaps, after_at.inset(touch).overlaps(&there));
        if enemy || like {
            // The base of a unit may extend beyond the terrain that it fills, over units that touch its edge.
            let over = way.runs_over(&there, touch);
            facts.note(if enemy { WayFact::ThroughEnemy } else { WayFact::ThroughLike }, over);
        }
        if enemy {
            let (before, after) = (before_at.distance(&there) <= touch, after_at.distance(&there) <= touch);
            facts.note(WayFact::Parts, before && !after);
            facts.note(WayFact::PartsLike, before && !after && like);
            facts.note(WayFact::Meets, after && !before);
            facts.note(WayFact::Touches, after);
        }
    }
    note_ground(ctx, id, way, target, &mut facts);
    let road = rules.movement.road.as_ref().map_or(0, |(inches, _)| *inches);
    let most = allowance_for(ctx, id, facts).0;
    facts.note(WayFact::Bonus, facts.has(WayFact::Road) && way.length > most - road);
    facts
}

/// The facts about a turn or a change of formation on the spot. There are none for a unit that fills a piece of
/// terrain: it stays in the piece, whatever else its base touches.
pub(crate) fn facts_of_turn(ctx: &Position<'_>, id: UnitId, place: &Rect) -> WayFacts {
    if fills(ctx, id) {
        return WayFacts::default();
    }
    let mut facts = contacts_of_turn(ctx, id, place);
    facts.note(WayFact::Overlaps, stands_on_anybody(ctx, id, place));
    let base = ctx.rect(id);
    let turn = base.heading().turn_to(place.heading());
    facts.note(WayFact::Far, wheel_cost(ctx, &base, turn) > allowance_for(ctx, id, WayFacts::default()).0);
    note_place(ctx, id, place, None, &mut facts);
    facts
}

/// The facts about the enemies that a unit touches after a turn on the spot.
pub(crate) fn contacts_of_turn(ctx: &Position<'_>, id: UnitId, place: &Rect) -> WayFacts {
    let (touch, rect, own) = (ctx.rules.movement.touch, ctx.place(id), ctx.battle.unit(id));
    let mut facts = WayFacts::default();
    for enemy in ctx.battle.enemies(own.side) {
        let other = ctx.battle.unit(enemy);
        let there = ctx.place(enemy);
        let touches = !other.gone() && place.distance(&there) <= touch;
        facts.note(WayFact::Touches, touches);
        facts.note(WayFact::Meets, touches && rect.distance(&there) > touch);
    }
    facts
}
