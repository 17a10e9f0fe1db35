//! Fire: a unit shoots at the nearest enemy in range, in its front arc and in sight (clauses 7.51 to 7.53).
//!
//! Each face of a square fires separately at enemies in front of it, with its own figures (7.52, 9.55). An enemy is in
//! front of the face to which its middle is nearest by bearing. Guns inside shoot from the middle of the square in any
//! direction (8.45, 9.55), unless the square has moved. Example: a square of twelve figures between two columns fires
//! with three figures at each.
//!
//! A unit does not fire if no dice result can hit. Range is measured between nearest edges. The line of sight runs from
//! the middle of the firer's front, or of the face that fires, to the middle of the target. Any other unit in between
//! blocks it.

use arrayvec::ArrayVec;
use grognard_expr::Lookup;
use grognard_rules::model::{DoctrineRow, Order, RollId};

use crate::geometry::plane::Heading;
use crate::mechanism::common::units::has_cannon;
use crate::mechanism::figures::charge::in_front;
use crate::mechanism::figures::{template, through};
use crate::state::{Flags, UnitId, Units};
use crate::step::asking::decide;
use crate::step::nearest::{nearest_edge, nearest_target};
use crate::step::{Context, Position, phase_of};
use crate::telling::event::{Event, Occasion, Refusal};

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId, roll: RollId) {
    let index = ctx.battle.phase;
    let rules = ctx.rules;
    let unit = ctx.battle.unit(id);
    let can = rules.kinds[unit.kind].range > 0 && rules.formations[unit.formation].fires;
    if !can || unit.forming.is_some() || !ctx.has_orders(id) || unit.broken(rules) {
        return;
    }
    let phase = &rules.phases[usize::from(index)];
    if ctx.targets(id).is_empty() || !ctx.holds_for(phase.when.as_ref(), id, nearest_target) {
        return;
    }
    let within = in_range(ctx, id);
    let any =
        |ctx: &Position<'_>, enemy| within.has(enemy) && in_view(ctx, id, enemy) && can_tell(ctx, id, enemy, roll);
    if !rules.formations[ctx.battle.unit(id).formation].faces || ctx.battle.units.len() == 2 {
        shoot(ctx, id, roll, within, any, None);
        return;
    }
    // The faces that have a target, in order of the distance to the nearest target, so that neither left nor right has
    // priority.
    let about = ctx.neighbours();
    let mut faces = ArrayVec::<((i32, UnitId), u8), 4>::new();
    for enemy in within.filter(|&enemy| any(ctx, enemy)) {
        let (face, at) = (face_towards(ctx, id, enemy), (ctx.view(id, Some(enemy)).distance(), enemy));
        match faces.iter_mut().find(|known| known.1 == face) {
            Some(known) if about.compare(&at, &known.0).is_lt() => known.0 = at,
            Some(_) => {}
            None => faces.push((at, face)),
        }
    }
    faces.sort_unstable_by(|one, other| about.compare(&one.0, &other.0));
    if faces.is_empty() {
        shoot(ctx, id, roll, within, any, None);
    }
    // The nearest enemy is determined once, before the first face fires.
    let nearest = if faces.len() > 1 { nearest_target(ctx, id) } else { None };
    for (_, face) in faces {
        let before_it = |ctx: &Position<'_>, enemy| any(ctx, enemy) && face_towards(ctx, id, enemy) == face;
        shoot(ctx, id, roll, within, before_it, nearest);
    }
}

/// Fires the guns inside a square.
pub(crate) fn from_square(ctx: &mut Context<'_>, id: UnitId, roll: RollId) {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(id);
    if !unit.flags.has(Flags::INSIDE) || !has_cannon(ctx, id) || !ctx.has_orders(id) || unit.broken(rules) {
        return;
    }
    let host = *ctx.battle.unit(unit.foe);
    let middle = host.rect(rules).centre();
    let (range, phase) = (rules.kinds[unit.kind].range, phase_of(ctx));
    let nearest = nearest_target(ctx, unit.foe);
    if nearest.is_none() || host.flags.has(Flags::MOVED) || !ctx.holds(phase.when.as_ref(), id, nearest) {
        return;
    }
    let may = |ctx: &Position<'_>, enemy: UnitId| {
        let there = ctx.rect(enemy);
        there.distance_from(middle) <= range && ctx.neighbours().in_sight(middle, &[id, unit.foe], enemy)
    };
    // The guns' base is turned about the middle of the square, first towards the nearest permitted target, then towards
    // the chosen one.
    let aim = |ctx: &mut Context<'_>, enemy: UnitId| {
        let towards = Heading::between(middle, ctx.rect(enemy).centre());
        let gun = ctx.battle.unit_mut(id);
        (gun.front, gun.heading) = (middle.moved(towards, unit.footprint(rules).depth / 2), towards);
    };
    let first = ctx.targets(id).filter(|&enemy| may(ctx, enemy));
    let first = ctx.neighbours().first_by(first, |enemy| ctx.rect(enemy).distance_from(middle));
    let Some(first) = first else { return };
    aim(ctx, first);
    let fires = |_: &Position<'_>, row: &DoctrineRow, _: Option<UnitId>| row.order == Order::Fire;
    let Some((_, Order::Fire, chosen)) = decide(ctx, id, |_| Some(first), may, fires) else { return };
    let target = chosen.or_else(|| best_target(ctx, id, ctx.targets(id), may)).unwrap_or(first);
    aim(ctx, target);
    if can_tell(ctx, id, target, roll) {
        fire_at(ctx, id, target, roll);
    }
}

/// Fires at one of the permitted targets, as ordered by doctrine. `nearest` is the nearest enemy, if known.
fn shoot(
    ctx: &mut Context<'_>,
    id: UnitId,
    roll: RollId,
    targets: Units,
    may: impl Fn(&Position<'_>, UnitId) -> bool,
    nearest: Option<UnitId>,
) {
    let nearest = |ctx: &Position<'_>| nearest.or_else(|| nearest_target(ctx, id));
    let allows = |ctx: &Position<'_>, row: &DoctrineRow, _: Option<UnitId>| {
        row.order == Order::Fire && targets.into_iter().any(|enemy| may(ctx, enemy))
    };
    let Some((_, Order::Fire, chosen)) = decide(ctx, id, nearest, &may, allows) else { return };
    let Some(target) = chosen.or_else(|| best_target(ctx, id, targets, &may)) else {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::NoTarget });
        return;
    };
    fire_at(ctx, id, target, roll);
}

fn fire_at(ctx: &mut Context<'_>, id: UnitId, target: UnitId, roll: RollId) {
    let index = ctx.battle.phase;
    ctx.battle.flags_mut(id).set(Flags::FIRED);
    let phase = &ctx.rules.phases[usize::from(index)];
    let holds = |when: &Option<Lookup>| ctx.holds(when.as_ref(), id, Some(target));
    if let Some(template) = phase.template.as_deref().filter(|template| holds(&template.when)) {
        template::drop_on(ctx, template, id, target, roll);
    } else if let Some(through) = phase.through.as_deref().filter(|through| holds(&through.when)) {
        through::fire_at(ctx, through, id, target, roll);
    } else {
        ctx.roll(Occasion::Phase(index), roll, id, Some(target));
    }
}

/// Whether a shot can have any effect. No player fires if no dice result hits.
pub(crate) fn can_tell(ctx: &Position<'_>, id: UnitId, target: UnitId, roll: RollId) -> bool {
    let own = ctx.view(id, Some(target));
    let roll = ctx.rules.taken(roll, &own);
    let tells = |&class: &u16| roll.outcomes[usize::from(class)].tells();
    roll.always_tells || roll.at(&roll.read(&own, &own.turned())).classes().iter().any(tells)
}

/// The face of a square towards an enemy. Faces are numbered clockwise from 0, the front.
fn face_towards(ctx: &Position<'_>, id: UnitId, enemy: UnitId) -> u8 {
    ctx.rect(id).side_towards(ctx.rect(enemy).centre())
}

/// The nearest permitted target, unbroken ones first.
fn best_target(
    ctx: &Position<'_>,
    id: UnitId,
    targets: Units,
    may: impl Fn(&Position<'_>, UnitId) -> bool,
) -> Option<UnitId> {
    let broken = targets.those(|enemy| ctx.battle.unit(enemy).broken(ctx.rules));
    for mut left in [targets.but(broken), broken] {
        // This check is the most expensive, so it comes last: the first enemy that passes is the target.
        while let Some(enemy) = nearest_edge(ctx, id, left) {
            if may(ctx, enemy) {
                return Some(enemy);
            }
            left = left.but(Units::one(enemy));
        }
    }
    None
}

/// The enemies in range.
fn in_range(ctx: &Position<'_>, id: UnitId) -> Units {
    let range = ctx.rules.kinds[ctx.battle.unit(id).kind].range;
    ctx.targets(id).those(|enemy| ctx.neighbours().near(id, enemy, range))
}

/// Whether an enemy is in arc and in sight.
fn in_view(ctx: &Position<'_>, id: UnitId, enemy: UnitId) -> bool {
    in_front(ctx, id, enemy) && ctx.neighbours().sees_past_others(id, enemy)
}
