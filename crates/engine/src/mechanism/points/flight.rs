//! Flight: a unit runs the distance in the pack's flight table, and again in each flight phase until it rallies.
//!
//! The unit turns about its centre to the direction of flight before the distance is measured. The direction is
//! straight away from the enemy. If the unit's own table edge is behind the enemy, the flight is bent towards that
//! edge, but never past the line of the enemy's front edge. The line does not apply to a unit already behind it, which
//! runs away from the enemy in any direction. If the table says so, the unit first looks for a nearby wood or village
//! that is free. It runs through friends; a flight that would end on a friend, or in an area closed to it by other
//! units, continues until it is clear. If the flight leads over closed terrain or an enemy, it is bent as far as the
//! pack allows. A flight that was bent towards the edge is then bent back, step by step, as far as the enemy's front
//! edge allows. If that is not enough, or if the flight leaves the table, the unit is destroyed. Enemies under the unit
//! after its turn block it only if it would run on towards the middle of their ground. The distance of a flight out of
//! terrain that the unit fills is measured from the edge of the terrain.
//!
//! Example: an enemy that came from the south faces north, and is between a unit and its own edge. The unit runs east.
//! If a river closes all ways between east and north-east, it tries the ways further north, then those west of north,
//! and west last.

use arrayvec::ArrayVec;
use grognard_rules::model::Board;

use crate::geometry::plane::{Arc, Heading, Rect, Way};
use crate::mechanism::common::leaving::leave_if_off_table;
use crate::mechanism::common::moving::{is_off_table, settle_on};
use crate::mechanism::common::units;
use crate::mechanism::points::contact;
use crate::mechanism::points::general::decide_fate;
use crate::mechanism::points::occupation::{self, fill_ground, fills, may_fill, piece_for, tell_way_out, way_inside};
use crate::mechanism::points::passage::{self, tell_passing};
use crate::situation::occupied::{is_taken, middled};
use crate::situation::precedence::seen_from;
use crate::state::{Flags, Marks, Side, UNITS_PER_SIDE_MAX, UnitId};
use crate::step::scratch::Fled;
use crate::step::{Context, Position, phase_of};
use crate::telling::event::Event;

/// Plays the flight phase of a side. Precedence decides which unit runs first.
pub(crate) fn play(ctx: &mut Context<'_>, side: Side) {
    let runs = |&id: &UnitId| {
        let unit = ctx.battle.unit(id);
        !unit.gone() && unit.broken(ctx.rules) && ctx.battle.takes_part(id) && !ctx.battle.is_crew(ctx.rules, unit)
    };
    let running = ctx.neighbours().in_order(ctx.battle.side(side).filter(runs));
    let when = phase_of(ctx).when.as_ref();
    for id in running {
        let foe = units::opponent(ctx, id).filter(|_| !ctx.battle.unit(id).gone());
        if let Some(foe) = foe.filter(|_| ctx.holds(when, id, foe)) {
            flee(ctx, id, foe);
        }
    }
}

/// Lets a unit flee from another.
pub(crate) fn flee(ctx: &mut Context<'_>, id: UnitId, cause: UnitId) {
    let rules = ctx.rules;
    let (Some(flight), Board::Plane { .. }) = (&rules.flight, rules.board) else { return };
    let row = flight.first.get(&ctx.view(id, Some(cause))) as usize;
    let Some(found) = flight.rows.get(row) else { return };
    let mut distance = found.distance;
    if let Some((odds, site)) = &found.dice {
        let at = odds.at(&[]);
        let address = ctx.address_of(*site, ctx.battle.lane_of(id));
        let index = ctx.dice.decide(address, &at);
        distance += i32::from(at.class(index)) * 100;
    }
    if ctx.battle.unit(id).flags.has(Flags::CHARGING) {
        contact::call_off(ctx, id);
    }
    let unit = ctx.battle.unit_mut(id);
    unit.marks.clear(Marks::FIRING);
    (unit.foe, unit.met) = (cause, Arc::Front);
    unit.remember_beside(std::iter::empty());
    let rect = ctx.rect(id);
    let attacker = ctx.rect(cause);
    if found.refuge && run_to_refuge(ctx, id, row, cause) {
        contact::part(ctx);
        return;
    }
    let away = Heading::between(attacker.centre(), rect.centre());
    let start = rect.turned_about_centre(flight_heading(ctx, id, &attacker, away));
    let Some(way) = clear_flight(ctx, id, &start, &attacker, away, distance) else {
        ctx.battle.unit_mut(id).fills = 0;
        settle_on(ctx, id, &start);
        ctx.scratch.fled = Some(Fled { unit: id, heading: start.heading(), distance });
        ctx.tell(|| Event::RanAway { unit: id, row, distance: 0 });
        decide_fate(ctx, id);
        ctx.destroy(id);
        contact::part(ctx);
        return;
    };
    depart(ctx, id, row, &way);
    tell_passing(ctx, id, &way);
    decide_fate(ctx, id);
    leave_if_off_table(ctx, id);
    fill_ground(ctx, id);
    contact::part(ctx);
}

/// Moves a unit along the path of its flight, out of the terrain that it fills.
fn depart(ctx: &mut Context<'_>, id: UnitId, row: usize, way: &Way) {
    tell_way_out(ctx, id, way);
    ctx.battle.unit_mut(id).fills = 0;
    settle_on(ctx, id, &way.end());
    ctx.scratch.fled = Some(Fled { unit: id, heading: way.start.heading(), distance: way.length });
    let distance = way.distance;
    ctx.tell(|| Event::RanAway { unit: id, row, distance });
}

/// Lets a unit run to the nearest piece of terrain that it would fill. The piece must be free, in reach and away from
/// all attackers, with no enemy in between. Returns whether there was such a piece.
fn run_to_refuge(ctx: &mut Context<'_>, id: UnitId, row: usize, cause: UnitId) -> bool {
    let rules = ctx.rules;
    let most = rules.flight.as_ref().map_or(0, |flight| flight.rows[row].distance);
    let rect = ctx.rect(id);
    let ahead = forward(&rect, &ctx.rect(cause));
    let together = ctx.scratch.joint.iter().copied().filter(|&other| other != cause);
    let away = |enemy: UnitId| Heading::between(ctx.rect(enemy).centre(), rect.centre());
    let lines: ArrayVec<Heading, { UNITS_PER_SIDE_MAX + 2 }> =
        together.chain([cause]).map(away).chain([ahead]).collect();
    let pieces = ctx.setup.terrain.iter().enumerate();
    let found = pieces.filter_map(|(index, piece)| {
        let goal = piece.rect.centre();
        let start = rect.turned_about_centre(Heading::between(rect.centre(), goal));
        // A unit on a road through the middle of a piece does not fill it.
        let open = may_fill(ctx, id, index)
            && !piece.rect.holds(rect.centre())
            && !ctx.setup.roads.carry(&middled(&start, piece));
        let from = if fills(ctx, id) { ctx.place(id) } else { start };
        let far = from.distance(&piece.rect);
        if !open || far > most || is_taken(rules, ctx.setup, &ctx.battle.units, index, id) {
            return None;
        }
        let behind = |line: Heading| line.turn_to(start.heading()).abs() > 900;
        let run = rect.centre().square_distance(goal).isqrt() as i32;
        let closed = lines.iter().any(|&line| behind(line))
            || runs_into_enemy(ctx, id, &start, run)
            || passage::closed(ctx, id, &straight(&start, run));
        (!closed).then_some((far, index, start, run))
    });
    // Among equally near pieces, position decides, not the order in which the study lists them.
    let home = ctx.setup.home(ctx.battle.unit(id).side);
    let order = |&(far, index, ..): &(i32, usize, Rect, i32)| {
        (far, seen_from(home, ctx.setup.terrain[index].rect.centre()), index)
    };
    let Some((_, piece, start, run)) = found.min_by_key(order) else { return false };
    depart(ctx, id, row, &straight(&start, run));
    occupation::fill(ctx, id, piece);
    decide_fate(ctx, id);
    true
}

/// The heading of a flight, as described at the top of this file. `away` is the heading straight away from the
/// attacker.
fn flight_heading(ctx: &Position<'_>, id: UnitId, attacker: &Rect, away: Heading) -> Heading {
    let home = ctx.setup.home(ctx.battle.unit(id).side);
    if away.turn_to(home).abs() <= 900 {
        return away;
    }
    // The unit's own edge is behind the enemy. The flight is bent towards it as far as the line of the enemy's front
    // edge allows, even all the way.
    let rect = ctx.rect(id);
    let forward = forward(&rect, attacker);
    // A limit whose heading is farther from that of the edge than a flight directly away from the attacker does not
    // lead home.
    let nearer = |heading: &Heading| heading.turn_to(home).abs() < away.turn_to(home).abs();
    let limits = [forward.turned(900), forward.turned(-900)].into_iter().filter(nearer);
    let least = |heading: &Heading| {
        let start = rect.turned_about_centre(*heading);
        let over = start.overlaps(attacker) && straight(&start, 0).leads_towards(attacker);
        (over, heading.turn_to(home).abs(), heading.turn_to(away).abs())
    };
    let straight_home = (forward.turn_to(home).abs() <= 900).then_some(home);
    straight_home.into_iter().chain(limits).min_by_key(least).unwrap_or(away)
}

/// The heading from which a flight may turn aside by at most a right angle. It is the attacker's heading, so that the
/// flight does not pass the line of its front edge. A unit that is already behind that line is only kept from turning
/// back towards the attacker.
fn forward(rect: &Rect, attacker: &Rect) -> Heading {
    let before = attacker.local(rect.centre()).1 >= 0;
    if before { attacker.heading() } else { Heading::between(attacker.centre(), rect.centre()) }
}

/// The path of a flight that ends clear of friends and of areas closed by other units, and that does not cross an enemy
/// or closed terrain. Its length is measured from the edge of the terrain that the unit fills. `None` if there is no
/// such flight.
///
/// `start` is the unit's position after it has turned to its direction of flight. `away` is the heading straight away
/// from the attacker.
fn clear_flight(
    ctx: &Position<'_>,
    id: UnitId,
    start: &Rect,
    attacker: &Rect,
    away: Heading,
    distance: i32,
) -> Option<Way> {
    let ahead = forward(start, attacker);
    let within = |&heading: &Heading| heading == start.heading() || ahead.turn_to(heading).abs() <= 900;
    directions(ctx, start.heading(), away).filter(within).find_map(|heading| {
        let start = start.turned_about_centre(heading);
        let taken = |end: &Rect| {
            // A unit that fills a piece is alone in it.
            let on_friend = piece_for(ctx, id, end, false).is_none() && stands_on_friend(ctx, id, end);
            on_friend || passage::crowded_there(ctx, id, end).is_some()
        };
        let inside = way_inside(ctx, id, &start, heading);
        let mut far = inside + distance;
        while taken(&start.marched(far)) && !is_off_table(ctx.rules, &start.marched(far)) {
            far += 1;
        }
        let clear = !runs_into_enemy(ctx, id, &start, far) && !passage::closed(ctx, id, &straight(&start, far));
        clear.then_some(Way { length: far - inside, ..straight(&start, far) })
    })
}

/// The headings that a flight tries, in order: its own, then bends to either side as far as the pack allows. If its own
/// heading is bent towards the edge, it is then bent back to straight away from the attacker, and beyond.
fn directions(ctx: &Position<'_>, own: Heading, away: Heading) -> impl Iterator<Item = Heading> {
    let bend = ctx.rules.flight.as_ref().and_then(|flight| flight.bend.as_ref());
    let (step, most) = bend.map_or((1, 0), |bend| (bend.step.max(1), bend.most));
    let bends = (0..=most / step).flat_map(move |times| [times * step, -times * step]).skip(1);
    let back = if bend.is_some() { own.turn_to(away) } else { 0 };
    let step_back = step * back.signum();
    let returns = (most / step + 1..=back.abs() / step).map(move |times| times * step_back);
    let beyond = (0..=if back == 0 { -1 } else { 1800 / step }).map(move |times| back + times * step_back);
    bends.chain(returns).chain(beyond).map(move |turn| own.turned(turn))
}

fn stands_on_friend(ctx: &Position<'_>, id: UnitId, place: &Rect) -> bool {
    let side = ctx.battle.unit(id).side;
    ctx.battle.side(side).any(|friend| {
        let other = ctx.battle.unit(friend);
        friend != id && !other.gone() && place.overlaps(&ctx.place(friend))
    })
}

/// Whether a flight would cross an enemy. Turning on the spot may brush against enemies from which it then runs away.
fn runs_into_enemy(ctx: &Position<'_>, id: UnitId, start: &Rect, distance: i32) -> bool {
    let way = straight(start, distance);
    let mut there = ctx.battle.enemies(ctx.battle.unit(id).side).filter(|&enemy| !ctx.battle.unit(enemy).gone());
    there.any(|enemy| way.runs_over(&ctx.place(enemy), ctx.rules.movement.touch))
}

/// The path straight ahead from this position.
pub(crate) fn straight(start: &Rect, distance: i32) -> Way {
    Way { start: *start, wheel: 0, bearing: 0, distance, length: distance }
}
