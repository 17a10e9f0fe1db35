//! Charges: declaration, reaction and move to contact (clauses 7.61, 7.62, 7.65).
//!
//! A formed unit that the pack allows to charge may declare a charge on the nearest enemy in its front arc. It must be
//! able to reach that enemy by one wheel and a march straight ahead, with no unit in the way. The arc in which the
//! charge strikes is decided at that moment, by the position of the charger's figures (7.13). The target reacts at once
//! (a test of nerve, closing fire). A charger that still charges then moves into contact. A target that breaks turns
//! its back, and is struck in the arc that it then shows. If the target has moved out of reach, the charger moves as
//! far as it can and fights no one. Shock is resolved in a later phase.

use grognard_rules::model::{Board, DoctrineRow, Order, Trigger};
use grognard_rules::situation::Subject;

use crate::geometry::plane::{Arc, Circle, Course, Heading};
use crate::mechanism::common::ground::{self, suffer_ground};
use crate::mechanism::common::moving::{
    Entered, clear_march, clear_march_among, faces_everywhere, faces_two_ways, head_for, heading_to, is_off_table,
    settle_on, turns_freely, wheel_clear, within_table,
};
use crate::mechanism::common::room::overlaps_anybody_but;
use crate::mechanism::common::units::{own_of, screens_of, square_of};
use crate::mechanism::figures::charge_zone::{answer_charge_zone, cast_charge_zone, is_held};
use crate::situation::neighbours::Stack;
use crate::situation::pace::reach;
use crate::situation::positions::sees;
use crate::situation::sight::exposure;
use crate::state::{Flags, Unit, UnitId, Units};
use crate::step::asking::decide;
use crate::step::nearest::{nearest_target, others};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// The largest gap, in hundredths of an inch, at which units still count as touching. Positions are rounded.
const ROUNDING: i32 = 4;

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId) {
    if !ctx.has_orders(id) || ctx.battle.unit(id).broken(ctx.rules) {
        return;
    }
    // A unit brought up behind another charger has already moved (7.33, 7.41).
    if ctx.targets(id).is_empty() || ctx.scratch.brought_up.has(id) {
        return;
    }
    let nearest = |ctx: &Position<'_>| nearest_in_front(ctx, id);
    let may = |ctx: &Position<'_>, enemy| {
        !faces_two_ways(ctx, id) && in_front(ctx, id, enemy) && way_to(ctx, id, enemy).is_some()
    };
    let allows = |ctx: &Position<'_>, row: &DoctrineRow, enemy: Option<UnitId>| {
        row.order == Order::Charge && enemy.is_some_and(|enemy| may_charge(ctx, id, enemy) && may(ctx, enemy))
    };
    let Some((_, Order::Charge, chosen)) = decide(ctx, id, nearest, may, allows) else { return };
    let Some(target) = chosen.or_else(|| nearest(ctx)) else { return };
    let way = match declare(ctx, id, target) {
        Ok(way) => way,
        Err(why) => {
            ctx.tell(|| Event::Refused { unit: id, why });
            return;
        }
    };
    cast_charge_zone(ctx, id);
    let before = (*ctx.battle.unit(id), *ctx.battle.unit(target));
    let square = square_of(ctx, target);
    let tested = ctx.react(Trigger::Charged, target, id);
    answer_charge_zone(ctx, id, &square, tested);
    let unit = ctx.battle.unit(id);
    if unit.flags.has(Flags::CHARGING) && !unit.broken(ctx.rules) {
        // The path is still valid if neither unit has moved since the declaration and there are no other units that
        // could block it.
        let unmoved = ctx.battle.units.len() == 2
            && unit.stands_like(&before.0)
            && ctx.battle.unit(target).stands_like(&before.1);
        close(ctx, id, target, &way, unmoved);
    }
}

/// Whether a unit is formed and the pack lets it charge an enemy, wherever the enemy is.
fn may_charge(ctx: &Position<'_>, id: UnitId, target: UnitId) -> bool {
    ctx.rules.formations[ctx.battle.unit(id).formation].formed
        && ctx.holds(ctx.rules.movement.charge.as_ref(), id, Some(target))
}

/// Declares a charge, and reports where the charge will end if nothing changes.
fn declare(ctx: &mut Context<'_>, id: UnitId, target: UnitId) -> Result<Way, Refusal> {
    if !may_charge(ctx, id, target) {
        return Err(Refusal::MayNotCharge);
    }
    if faces_two_ways(ctx, id) {
        return Err(Refusal::Ambiguous);
    }
    if !in_front(ctx, id, target) {
        return Err(Refusal::NotInFront);
    }
    // Only a witness needs the reason.
    let why = || if ctx.witness.is_some() { no_way(ctx, id, target) } else { Refusal::OutOfReach };
    let way = way_to(ctx, id, target).ok_or_else(why)?;
    let view = ctx.view(id, Some(target));
    let arc = view.exposed(Subject::Foe);
    let distance = if ctx.witness.is_some() { view.distance() } else { 0 };
    let charger = ctx.battle.unit_mut(id);
    charger.flags.set(Flags::CHARGING);
    charger.flags.strike(arc);
    charger.foe = target;
    ctx.battle.flags_mut(target).set(Flags::CHARGED);
    ctx.tell(|| Event::Declared { unit: id, target, distance });
    Ok(way)
}

/// Whether any part of the target lies in the unit's front arc. A unit with all-around facing has every enemy in front.
pub(crate) fn in_front(ctx: &Position<'_>, id: UnitId, target: UnitId) -> bool {
    let units = [id, target].map(|id| (id, ctx.battle.unit(id)));
    sees(ctx.rules, &ctx.setup.terrain, &ctx.scratch.positions, units[0], units[1])
}

/// The nearest enemy in a unit's front arc, unbroken ones first. If the arc is empty, the nearest enemy of all.
fn nearest_in_front(ctx: &Position<'_>, id: UnitId) -> Option<UnitId> {
    let nearest = nearest_target(ctx, id)?;
    let ready = !ctx.battle.unit(nearest).broken(ctx.rules) && in_front(ctx, id, nearest);
    if ctx.battle.units.len() == 2 || ready {
        return Some(nearest);
    }
    let ahead = ctx.targets(id).filter(|&enemy| in_front(ctx, id, enemy));
    let broken = |enemy: UnitId| ctx.battle.unit(enemy).broken(ctx.rules);
    let key = |enemy: UnitId| (broken(enemy), ctx.view(id, Some(enemy)).distance());
    let first = ctx.neighbours().first_by(ahead, key);
    Some(first.unwrap_or(nearest))
}

/// The path of a charge: its course after the wheel, its length, and the terrain that the wheel enters.
#[derive(Clone, Copy)]
struct Way {
    course: Course,
    distance: i32,
    entered: Entered,
}

/// The path of a charge to its target. `None` if the target is too far away or a unit is in the way.
fn way_to(ctx: &Position<'_>, id: UnitId, target: UnitId) -> Option<Way> {
    let rules = ctx.rules;
    if rules.board == Board::None {
        return Some(Way { course: Course::ahead(ctx.rect(id)), distance: 0, entered: Entered::default() });
    }
    let reach = reach(rules, &ctx.battle, id);
    if ctx.circle(id).beyond(&ctx.circle(target), reach) {
        return None;
    }
    let (rect, there) = (ctx.rect(id), ctx.rect(target));
    if faces_everywhere(ctx, id) {
        // The unit charges regardless of its facing: towards the nearest part of the target, or else towards its middle
        // (7.62).
        let nearest = (rect.distance(&there) > 0).then(|| rect.shifted(rect.shift_to_touch(&there)).centre());
        let goals = [nearest, Some(there.centre())].into_iter().flatten();
        return goals.map(|goal| Heading::between(rect.centre(), goal)).find_map(|to| way_towards(ctx, id, target, to));
    }
    // The unit charges straight ahead if that leads to the target, or else after a wheel towards the target's middle
    // (7.33, 7.61).
    let ahead = rect.march_to_contact(&there).is_some().then(|| rect.heading());
    let wheeled = || way_towards(ctx, id, target, heading_to(ctx, id, there.centre()));
    ahead.and_then(|ahead| way_towards(ctx, id, target, ahead)).or_else(wheeled)
}

/// The path of a charge in one direction.
fn way_towards(ctx: &Position<'_>, id: UnitId, target: UnitId, towards: Heading) -> Option<Way> {
    let rules = ctx.rules;
    let (there, reach) = (ctx.rect(target), reach(rules, &ctx.battle, id));
    let (course, spent, entered) = head_for(ctx, id, towards);
    let distance = course.to_contact(&there)?;
    if spent + distance > reach || ground::pass(ctx, id, &course, distance, reach - spent).distance < distance {
        return None;
    }
    let (ground, circle) = (course.at(distance), Circle::of(&course.from));
    if is_off_table(rules, &ground) {
        return None;
    }
    let others = others(ctx, id).but(Units::one(target)).but(own_of(ctx, id));
    // Units farther away than the length of the march do not block it.
    let blocked = others.filter(|&other| !circle.beyond(&ctx.circle(other), distance)).any(|other| {
        let there = ctx.rect(other);
        course.to_contact(&there).is_some_and(|nearer| nearer < distance)
            || ground.overlaps(&there)
            || course.from.overlaps(&there)
    });
    (!blocked && wheels_clear(ctx, id, others, &course)).then_some(Way { course, distance, entered })
}

/// The reason why a charge has no path to its target.
fn no_way(ctx: &Position<'_>, id: UnitId, target: UnitId) -> Refusal {
    let reach = reach(ctx.rules, &ctx.battle, id);
    let wheels = ctx.rules.board != Board::None && !turns_freely(ctx, id);
    if !wheels || ctx.circle(id).beyond(&ctx.circle(target), reach) {
        return Refusal::OutOfReach;
    }
    let there = ctx.rect(target);
    let (course, spent, _) = head_for(ctx, id, heading_to(ctx, id, there.centre()));
    let lacks = |distance| distance <= reach && spent + distance > reach;
    if course.to_contact(&there).is_some_and(lacks) { Refusal::WheelTooLong } else { Refusal::OutOfReach }
}

/// Whether a unit on this course passes over none of these units during its initial wheel.
fn wheels_clear(ctx: &Position<'_>, id: UnitId, among: Units, course: &Course) -> bool {
    let rect = ctx.rect(id);
    let turn = rect.heading().turn_to(course.from.heading());
    turns_freely(ctx, id) || wheel_clear(ctx, among, &rect, turn) == turn
}

/// Recomputes the arc in which charges strike a unit whose position or facing has changed since they were declared. It
/// may have broken, turned its back and fallen into column (7.44, 8.53), or it may no longer face all around (7.22).
pub(crate) fn strike_anew(ctx: &mut Position<'_>, target: UnitId) {
    let broken = *ctx.battle.unit(target);
    for id in ctx.battle.enemies(broken.side) {
        let charger = *ctx.battle.unit(id);
        if charger.gone() || charger.strikes(target).is_none() {
            continue;
        }
        let arc = exposure(ctx.rules, (&broken, &ctx.rect(target)), (&charger, &ctx.rect(id)));
        ctx.battle.flags_mut(id).strike(arc);
    }
}

/// The enemies that a unit's charge has reached, or whose charges have reached it.
pub(crate) fn met_by(ctx: &Position<'_>, id: UnitId) -> Units {
    let reaches = |a: UnitId, b: UnitId| {
        let unit = ctx.battle.unit(a);
        unit.flags.has(Flags::CONTACT) && unit.foe == b
    };
    let unit = ctx.battle.unit(id);
    let enemies = others(ctx, id).among(ctx.battle.enemy_units(unit.side));
    enemies.those(|enemy| reaches(id, enemy) || reaches(enemy, id))
}

/// Whether two units touch.
pub(crate) fn touches(ctx: &Position<'_>, id: UnitId, other: UnitId) -> bool {
    ctx.view(id, Some(other)).distance() <= ctx.rules.movement.touch + ROUNDING
}

/// Cancels the charge of a unit that had reached its target and has since been moved away from it.
pub(crate) fn break_contact(ctx: &mut Position<'_>, id: UnitId) {
    let Unit { flags, foe, .. } = *ctx.battle.unit(id);
    if flags.has(Flags::CONTACT) && !touches(ctx, id, foe) {
        ctx.battle.flags_mut(id).clear(Flags::CONTACT);
    }
}

/// Cancels charges that had reached a unit but have lost contact because it was driven back.
pub(crate) fn lose_contact(ctx: &mut Position<'_>, target: UnitId) {
    for id in ctx.battle.enemies(ctx.battle.unit(target).side) {
        let charger = ctx.battle.unit(id);
        let reached = charger.flags.has(Flags::CONTACT) && charger.foe == target;
        if reached && !touches(ctx, id, target) {
            ctx.battle.flags_mut(id).clear(Flags::CONTACT);
        }
    }
}

/// Brings up the units directly behind one that has charged or marched straight ahead. Each moves the same distance, if
/// it is not blocked (7.41). Their screens make way, and a unit in contact does not stop the next one from closing up.
pub(crate) fn follow_up(ctx: &mut Context<'_>, stack: &Stack, before: &Unit) {
    let rules = ctx.rules;
    let Some(follows) = rules.support.as_ref().and_then(|support| support.follows.as_ref()) else { return };
    let Some((&leader, followers)) = stack.split_first() else { return };
    let now = *ctx.battle.unit(leader);
    if followers.is_empty() || now.heading != before.heading {
        return;
    }
    let distance = before.front.square_distance(now.front).isqrt() as i32;
    let screens = screens_of(ctx, stack);
    let met = met_by(ctx, leader);
    let mut ahead = leader;
    for &id in followers {
        let unit = *ctx.battle.unit(id);
        let speed = rules.kinds[unit.kind].speed[unit.formation].unwrap_or(0);
        let able = !unit.flags.has(Flags::MOVED) && !unit.broken(rules) && speed >= distance && !is_held(ctx, id);
        if !able || faces_two_ways(ctx, id) || !ctx.holds(Some(follows), id, Some(leader)) {
            return;
        }
        let course = Course::ahead(unit.rect(rules));
        // The positions of units in front, and of enemies that they have met, count only at the end of the course.
        let in_the_way = others(ctx, id).but(own_of(ctx, id)).but(screens).but(met).but(Units::one(ahead));
        let clear = clear_march_among(ctx, id, in_the_way, &course, distance, rules.movement.gap);
        let Some(clear) = clear.map(|clear| within_table(rules, &course, clear)).filter(|&clear| clear > 0) else {
            return;
        };
        let passage = ground::pass(ctx, id, &course, clear, speed);
        let ground = course.at(passage.distance);
        let follower = ctx.battle.unit_mut(id);
        (follower.front, follower.heading) = (ground.front, ground.heading());
        if overlaps_anybody_but(ctx, id, screens) {
            *ctx.battle.unit_mut(id) = unit;
            return;
        }
        ctx.battle.flags_mut(id).set(Flags::MOVED);
        ctx.scratch.brought_up = ctx.scratch.brought_up.plus(Units::one(id));
        ctx.tell(|| Event::Marched { unit: id, wheel: 0, distance: passage.distance });
        suffer_ground(ctx, id, &passage);
        if passage.distance < distance {
            return;
        }
        ahead = id;
    }
}

/// Moves a charger into contact, or as far as it can if its target has given way.
///
/// `unmoved` says whether no unit has moved since the charge was declared.
fn close(ctx: &mut Context<'_>, id: UnitId, target: UnitId, declared: &Way, unmoved: bool) {
    let rules = ctx.rules;
    if ctx.battle.unit(target).gone() {
        fall_short(ctx, id, declared);
        return;
    }
    if rules.board == Board::None {
        ctx.battle.flags_mut(id).set(Flags::CONTACT);
        return;
    }
    let way = if unmoved { Some(*declared) } else { way_to(ctx, id, target) };
    let arc = if ctx.witness.is_some() { ctx.view(id, Some(target)).exposed(Subject::Foe) } else { Arc::Front };
    let charger = ctx.battle.unit_mut(id);
    charger.flags.set(Flags::MOVED);
    if let Some(Way { course, distance, entered }) = way {
        let before = *charger;
        let stack = if rules.support.is_some() { ctx.neighbours().stack(id) } else { Stack::new() };
        let ground = course.at(distance);
        let charger = ctx.battle.unit_mut(id);
        (charger.front, charger.heading) = (ground.front, ground.heading());
        charger.flags.set(Flags::CONTACT);
        let wheel = before.heading.turn_to(course.along);
        ctx.tell(|| Event::Contact { unit: id, target, arc, wheel, distance });
        follow_up(ctx, &stack, &before);
        if !ctx.setup.terrain.is_empty() {
            let passage = ground::pass(ctx, id, &course, distance, i32::MAX);
            suffer_ground(ctx, id, &passage.after(&entered));
        }
    } else {
        fall_short(ctx, id, declared);
    }
}

/// Moves a charger that reaches no enemy along its declared path, as far as its reach and the units in the way allow.
fn fall_short(ctx: &mut Context<'_>, id: UnitId, declared: &Way) {
    let rules = ctx.rules;
    ctx.battle.flags_mut(id).clear(Flags::CHARGING);
    ctx.tell(|| Event::FellShort { unit: id });
    if rules.board == Board::None {
        return;
    }
    // Closing fire may have made the unit narrower since the declaration.
    let unit = *ctx.battle.unit(id);
    let wheel = unit.heading.turn_to(declared.course.along);
    let (course, spent, entered) = head_for(ctx, id, declared.course.along);
    let most = (reach(rules, &ctx.battle, id) - spent).max(0);
    if !wheels_clear(ctx, id, others(ctx, id).but(own_of(ctx, id)), &course) {
        return;
    }
    let Some(clear) = clear_march(ctx, id, &course, most, rules.movement.gap) else { return };
    let passage = ground::pass(ctx, id, &course, clear, most).after(&entered);
    let ground = course.at(passage.distance);
    if passage.distance == 0 || is_off_table(rules, &ground) {
        return;
    }
    settle_on(ctx, id, &ground);
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    ctx.tell(|| Event::Marched { unit: id, wheel, distance: passage.distance });
    suffer_ground(ctx, id, &passage);
}
