//! Generals on the table: their rides, the units they join, and their loss.
//!
//! At the start of an orders phase, after the points are allotted, each general rides, at no cost. Doctrine may want
//! him with a unit of his command that has no other general. He then goes to the one nearest to the enemy that he can
//! reach, and is part of that unit from then on. The unit that he is already with has priority. Otherwise he goes to
//! his post, behind the foremost unit of his command. Superior generals stay within reach of the general whose units
//! are nearest to the enemy. Generals of a command choose first; their superiors may join any remaining unit of their
//! side. Distances and ground are handled in [`super::ride`]. A general cannot leave a unit in a morale state listed by
//! the pack. When a unit flees, a roll decides whether its general is lost; if the unit is destroyed, he is lost.

use arrayvec::ArrayVec;
use grognard_rules::model::{ByteId, Choice, Generals, Role};

use crate::geometry::plane::{Heading, Point};
use crate::mechanism::common::moving::is_off_table;
use crate::mechanism::common::units;
use crate::mechanism::points::purse::{nearer, to_the_enemy};
use crate::mechanism::points::ride::{Course, Ride, ride_along, road_bonus};
use crate::situation::occupied::ground_of;
use crate::state::general::base;
use crate::state::{GENERALS_MAX, Side, UNITS_PER_SIDE_MAX, UnitId};
use crate::step::asking::{decides, is_played};
use crate::step::{Context, Position};
use crate::telling::event::{Event, GeneralEvent, RideFacts};

/// The step, in hundredths of an inch, by which a general stops short to find clear ground.
const STEP: i32 = 25;

/// Lets the generals of a side ride.
pub(crate) fn ride(ctx: &mut Context<'_>, side: Side) {
    let Some(generals) = &ctx.rules.generals else { return };
    let over = |index: usize| ctx.setup.generals[index].rank(generals).role == Role::Assists;
    let mut order: ArrayVec<usize, GENERALS_MAX> = (0..ctx.setup.generals.len()).collect();
    order.sort_by_key(|&index| over(index));
    for index in order {
        if ctx.battle.serves(ctx.setup, side, index) {
            ride_one(ctx, generals, side, index);
        }
    }
}

fn ride_one(ctx: &mut Context<'_>, generals: &Generals, side: Side, index: usize) {
    let with = ctx.battle.generals[index].with;
    let held = |unit: UnitId| {
        let unit = ctx.battle.unit(unit);
        !unit.gone() && generals.stays_with >> unit.morale.byte() & 1 == 1
    };
    let stays = with.is_some_and(held);
    if stays {
        return;
    }
    let wanted = wanted(ctx, generals, side, index);
    if wanted.is_some() && wanted == with {
        return;
    }
    let ride = wanted.and_then(|unit| ride_to(ctx, generals, side, index, unit));
    let out_of = with.and_then(|unit| filled_by(ctx, unit));
    if let Some(unit) = with {
        leave_unit(ctx, index, unit);
    }
    match wanted.zip(ride) {
        Some((unit, ride)) => join_unit(ctx, index, unit, ride),
        None => take_general_post(ctx, generals, side, (index, out_of)),
    }
}

/// The ride of a general to a unit. Its distance is measured to the unit's edge, from the edge of the unit that he is
/// with or of his own base. `None` if he does not reach it.
fn ride_to(ctx: &Position<'_>, generals: &Generals, side: Side, index: usize, unit: UnitId) -> Option<Ride> {
    let (own, there) = (ground_of(ctx.rules, ctx.setup, &ctx.battle, index), ctx.place(unit));
    let far = own.distance(&there);
    let from = own.centre();
    let goal = there.nearest(from);
    // He rides from the middle of his base, or of his unit, until the edge of his base touches the goal.
    let wanted = (from.square_distance(goal).isqrt() as i32 - generals.base / 2).max(far);
    let towards = filled_by(ctx, unit);
    let out_of = ctx.battle.generals[index].with.and_then(|unit| filled_by(ctx, unit));
    let heading = Heading::between(from, goal);
    let ride = ride_along(ctx, generals, side, &Course { from, heading, wanted, free: wanted - far, out_of, towards });
    (ride.distance == wanted).then_some(Ride { distance: far, ..ride })
}

/// The piece of terrain that a unit fills, if any.
fn filled_by(ctx: &Position<'_>, unit: UnitId) -> Option<usize> {
    usize::from(ctx.battle.unit(unit).fills).checked_sub(1)
}

/// The unit that a general should be with: the first of those that he may join and whose doctrine wants him. The unit
/// that he is with comes first, then the one nearest to the enemy.
fn wanted(ctx: &mut Context<'_>, generals: &Generals, side: Side, index: usize) -> Option<UnitId> {
    let (post, with) = (&ctx.setup.generals[index], ctx.battle.generals[index].with);
    let role = post.rank(generals).role;
    let from = ground_of(ctx.rules, ctx.setup, &ctx.battle, index);
    let fit = ctx.battle.side(side).filter_map(|id| {
        let unit = ctx.battle.unit(id);
        let leads = |command: u8| ctx.battle.in_command(generals, ctx.setup, command) == Some(index);
        let his = match role {
            Role::Leads => unit.command == post.command,
            Role::Commands => leads(unit.command),
            Role::Assists => true,
        };
        let free = ctx.battle.general_with(id).is_none_or(|other| other == index);
        let near = with == Some(id) || from.distance(&ctx.place(id)) <= generals.reach + road_bonus(ctx, generals);
        let foe = if his && free && !unit.gone() && near { units::opponent(ctx, id) } else { None }?;
        // If no player decides and the doctrine wants no general, there is no need to measure.
        let open = is_played(ctx, id) || ctx.says_yes(Choice::Lead, id, foe);
        let comes = || with == Some(id) || ride_to(ctx, generals, side, index, id).is_some();
        (open && comes()).then(|| (((with != Some(id), ctx.view(id, Some(foe)).distance()), id), foe))
    });
    let mut fit: ArrayVec<_, UNITS_PER_SIDE_MAX> = fit.collect();
    fit.sort_unstable_by(|(one, _), (other, _)| ctx.neighbours().compare(one, other));
    fit.into_iter().find(|&((_, id), foe)| decides(ctx, Choice::Lead, id, foe)).map(|((_, id), _)| id)
}

fn join_unit(ctx: &mut Context<'_>, index: usize, unit: UnitId, ride: Ride) {
    let general = &mut ctx.battle.beside_units().generals[index];
    (general.with, general.at) = (Some(unit), Point { x: 0, y: 0 });
    let Ride { distance, facts } = ride;
    ctx.tell(|| Event::General(GeneralEvent::Joined { general: index as u8, unit, distance, facts }));
}

/// Detaches a general from his unit and puts him at its middle.
fn leave_unit(ctx: &mut Context<'_>, index: usize, unit: UnitId) {
    let at = ctx.rect(unit).centre();
    let general = &mut ctx.battle.beside_units().generals[index];
    (general.with, general.at) = (None, at);
    ctx.tell(|| Event::General(GeneralEvent::Left { general: index as u8, unit }));
}

/// Lets a general ride to his post. `out_of` is the piece of terrain filled by the unit that he has just left.
fn take_general_post(ctx: &mut Context<'_>, generals: &Generals, side: Side, (index, out_of): (usize, Option<usize>)) {
    let Some(goal) = general_post(ctx, generals, side, index) else { return };
    let from = ctx.battle.generals[index].at;
    let far = from.square_distance(goal).isqrt() as i32;
    let heading = Heading::between(from, goal);
    if far <= STEP && !is_stood_on(ctx, index, from) {
        return;
    }
    let along = |heading: Heading, wanted: i32| {
        ride_along(ctx, generals, side, &Course { from, heading, wanted, free: 0, out_of, towards: None })
    };
    let ride = along(heading, far);
    // A general may not overlap a unit or another general. If one has moved onto him, he moves to the nearest clear
    // place.
    let clear = |at: Point| !is_off_table(ctx.rules, &base(ctx.rules, at)) && !is_stood_on(ctx, index, at);
    let mut distance = ride.distance;
    while distance > 0 && !clear(from.moved(heading, distance)) {
        distance = (distance - STEP).max(0);
    }
    if distance > 0 {
        // Terrain beyond the place where he stops does not halve his move, and a road there does not lengthen it. But
        // anything that stopped the full ride still counts.
        let ridden = if distance == ride.distance { ride.facts } else { along(heading, distance).facts };
        let RideFacts { closed, enemy, short, .. } = ride.facts;
        let facts = RideFacts { closed, enemy, short, ..ridden };
        set_general(ctx, index, from.moved(heading, distance), Ride { distance, facts });
    } else if !clear(from) {
        let back = ctx.setup.home(side);
        let open = along(back, generals.reach);
        let found = (1..=open.distance / STEP).map(|step| step * STEP).find(|&far| clear(from.moved(back, far)));
        let Some(distance) = found else { return };
        let ride = along(back, distance);
        set_general(ctx, index, from.moved(back, distance), Ride { distance, ..ride });
    }
}

/// Whether a unit, or another general on his own, overlaps a general at this place (R1).
fn is_stood_on(ctx: &Position<'_>, index: usize, at: Point) -> bool {
    let place = base(ctx.rules, at);
    let stands = |id: &UnitId| !ctx.battle.unit(*id).gone();
    let mut units = (0..ctx.battle.units.len() as u8).map(UnitId).filter(stands);
    let alone = |&other: &usize| {
        let side = ctx.setup.generals[other].side;
        other != index && ctx.battle.serves(ctx.setup, side, other) && ctx.battle.generals[other].with.is_none()
    };
    let mut generals = (0..ctx.battle.generals.len()).filter(alone);
    units.any(|id| place.overlaps(&ctx.rect(id)))
        || generals.any(|other| place.overlaps(&base(ctx.rules, ctx.battle.generals[other].at)))
}

/// Removes the general of a unit that is destroyed or has left the table.
pub(crate) fn lose_general_of(ctx: &mut Context<'_>, unit: UnitId) {
    let Some(index) = ctx.battle.general_with(unit) else { return };
    lose_general(ctx, index);
    ctx.tell(|| Event::General(GeneralEvent::Gone { general: index as u8, unit }));
}

fn lose_general(ctx: &mut Position<'_>, index: usize) {
    let idle = ctx.rules.generals.as_ref().map_or(0, |generals| generals.succession.0);
    let general = &mut ctx.battle.beside_units().generals[index];
    (general.lost, general.idle, general.with, general.at) = (true, idle, None, Point { x: 0, y: 0 });
}

fn set_general(ctx: &mut Context<'_>, index: usize, at: Point, ride: Ride) {
    ctx.battle.beside_units().generals[index].at = at;
    let Ride { distance, facts } = ride;
    ctx.tell(|| Event::General(GeneralEvent::Rode { general: index as u8, distance, facts }));
}

/// The post of a general who is not with a unit. `None` if he stays in place.
fn general_post(ctx: &Position<'_>, generals: &Generals, side: Side, index: usize) -> Option<Point> {
    let post = &ctx.setup.generals[index];
    let rank = post.rank(generals);
    if rank.role != Role::Assists {
        let own = ctx.battle.side(side).filter(|&id| {
            let unit = ctx.battle.unit(id);
            unit.command == post.command && !unit.gone() && !unit.broken(ctx.rules)
        });
        let rect = ctx.rect(ctx.neighbours().first_by(own, |id| to_the_enemy(ctx, id))?);
        return Some(rect.at(0, -rect.depth - generals.post));
    }
    // He stays just near enough to help the general whose units are nearest to the enemy.
    let heads = (0..ctx.setup.generals.len()).filter(|&other| {
        let commands = ctx.setup.generals[other].rank(generals).role == Role::Commands;
        commands && ctx.battle.serves(ctx.setup, side, other)
    });
    let command = |general: usize| ctx.setup.generals[general].command;
    let head = heads.min_by(|&one, &other| nearer(ctx, command(one), command(other)))?;
    let [there, here] = [head, index].map(|general| ground_of(ctx.rules, ctx.setup, &ctx.battle, general));
    let short = here.distance(&there) - rank.within?;
    if short <= 0 {
        return None;
    }
    Some(here.centre().moved(Heading::between(here.centre(), there.centre()), short + STEP))
}

/// Rolls for the fate of the general of a unit that has fled.
pub(crate) fn decide_fate(ctx: &mut Context<'_>, unit: UnitId) {
    let Some(generals) = &ctx.rules.generals else { return };
    let (Some(index), Some((odds, site))) = (ctx.battle.general_with(unit), &generals.fate) else { return };
    let at = odds.at(&[]);
    let address = ctx.address_of(*site, ctx.battle.lane_of(unit));
    let outcome = ctx.dice.decide(address, &at);
    let lost = at.class(outcome) <= generals.lost;
    if lost {
        lose_general(ctx, index);
    }
    if ctx.witness.is_some() {
        let faces = ctx.dice.shown(address, &at, outcome);
        ctx.tell(|| Event::General(GeneralEvent::Fate { general: index as u8, unit, faces, lost }));
    }
}
