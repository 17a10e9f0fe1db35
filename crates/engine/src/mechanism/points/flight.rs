//! Flight: a unit that runs, as far as the pack's flight table says, and again in each flight phase until it rallies.
//!
//! It turns about its centre to the direction of flight before the distance is measured: straight away from the enemy, bent
//! towards its own table edge where that lies behind the enemy, but never past the line of the enemy's front edge. That line is
//! nothing to a unit that is behind it already, which runs from the enemy however that looks. Where the table says so, the unit first
//! looks for a free wood or village that is near enough. It runs through friends; a flight that would end on one, or in an area in
//! which it may not stand because of others, goes on until it is clear. If it leads over closed ground or an enemy, it is bent as far
//! as the pack allows. If that is not enough, or if the flight leaves the table, the unit is destroyed. Enemies that lie under the
//! unit as soon as it has turned are in its way only if it would run on towards the middle of their ground.

use arrayvec::ArrayVec;
use grognard_rules::model::Board;

use crate::geometry::plane::{Arc, Heading, Rect, Way};
use crate::mechanism::common::leaving::leave_if_off_table;
use crate::mechanism::common::moving::{is_off_table, settle_on};
use crate::mechanism::common::units::{self, home};
use crate::mechanism::points::contact;
use crate::mechanism::points::general::decide_fate;
use crate::mechanism::points::occupation::{self, fill_ground, may_fill};
use crate::mechanism::points::passage::{self, tell_passing};
use crate::situation::occupied::is_taken;
use crate::state::{Flags, Marks, UNITS_PER_SIDE_MAX, UnitId};
use crate::step::scratch::Fled;
use crate::step::{Context, Position};
use crate::telling::event::Event;

/// Hundredths of an inch by which a flight is lengthened at a time.
const STEP: i32 = 25;

/// Half hundredths of an inch by which what lies abeam may seem to lie ahead.
const ROUNDED: i64 = 4;

/// Plays one unit in the flight phase.
pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId) {
    let rules = ctx.rules;
    if !ctx.battle.unit(id).broken(rules) {
        return;
    }
    let foe = units::opponent(ctx, id);
    let when = rules.phases[usize::from(ctx.battle.phase)].when.as_ref();
    if let Some(foe) = foe.filter(|_| ctx.holds(when, id, foe)) {
        flee(ctx, id, foe);
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
        let address = ctx.address_of(*site, ctx.battle.unit(id).lane());
        let index = ctx.dice.decide(address, &at);
        distance += i32::from(at.class(index)) * 100;
    }
    if ctx.battle.unit(id).flags.has(Flags::CHARGING) {
        contact::call_off(ctx, id);
    }
    let unit = ctx.battle.unit_mut(id);
    unit.marks.clear(Marks::FIRING);
    (unit.foe, unit.met) = (cause, Arc::Front);
    unit.fills = 0;
    let rect = ctx.rect(id);
    let attacker = ctx.rect(cause);
    if found.refuge && run_to_refuge(ctx, id, row, cause) {
        contact::part(ctx);
        return;
    }
    let heading = flight_heading(ctx, id, &rect, &attacker);
    let start = rect.turned_about_centre(heading);
    let Some((start, distance)) = clear_flight(ctx, id, &start, &attacker, distance) else {
        settle_on(ctx, id, &start);
        ctx.scratch.fled = Some(Fled { unit: id, heading: start.heading(), distance: 0 });
        ctx.tell(|| Event::RanAway { unit: id, row, distance: 0 });
        decide_fate(ctx, id);
        ctx.destroy(id);
        contact::part(ctx);
        return;
    };
    let end = start.marched(distance);
    settle_on(ctx, id, &end);
    ctx.scratch.fled = Some(Fled { unit: id, heading: start.heading(), distance });
    ctx.tell(|| Event::RanAway { unit: id, row, distance });
    tell_passing(ctx, id, &straight(&start, distance));
    decide_fate(ctx, id);
    leave_if_off_table(ctx, id);
    fill_ground(ctx, id);
    contact::part(ctx);
}

/// Lets a unit run to the nearest piece of ground that it would fill. The piece must be free, within reach and away from all who
/// attack it, with no enemy in between. Returns whether there was one.
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
        let open = may_fill(ctx, id, index) && !piece.rect.holds(rect.centre());
        let far = rect.distance(&piece.rect);
        if !open || far > most || is_taken(rules, ctx.setup, &ctx.battle.units, index, id) {
            return None;
        }
        let goal = piece.rect.centre();
        let start = rect.turned_about_centre(Heading::between(rect.centre(), goal));
        let behind = |line: Heading| line.turn_to(start.heading()).abs() > 900;
        let run = rect.centre().square_distance(goal).isqrt() as i32;
        let closed = lines.iter().any(|&line| behind(line))
            || runs_into_enemy(ctx, id, &start, run)
            || passage::closed(ctx, id, &straight(&start, run));
        (!closed).then_some((far, index, start, run))
    });
    let Some((_, piece, start, run)) = found.min_by_key(|&(far, index, ..)| (far, index)) else { return false };
    settle_on(ctx, id, &start.marched(run));
    ctx.scratch.fled = Some(Fled { unit: id, heading: start.heading(), distance: run });
    ctx.tell(|| Event::RanAway { unit: id, row, distance: run });
    occupation::fill(ctx, id, piece);
    decide_fate(ctx, id);
    true
}

/// The heading of a flight, as described at the top of this file.
fn flight_heading(ctx: &Position<'_>, id: UnitId, rect: &Rect, attacker: &Rect) -> Heading {
    let home = home(ctx, ctx.battle.unit(id).side);
    let away = Heading::between(attacker.centre(), rect.centre());
    if away.turn_to(home).abs() <= 900 {
        return away;
    }
    // Home lies behind the enemy: as far towards it as the line of the enemy's front edge allows.
    let forward = forward(rect, attacker);
    let limits = [forward.turned(900), forward.turned(-900)];
    let least = |heading: &Heading| {
        let start = rect.turned_about_centre(*heading);
        let over = start.overlaps(attacker) && leads_towards(&start, attacker);
        (over, heading.turn_to(home).abs(), heading.turn_to(away).abs())
    };
    limits.into_iter().min_by_key(least).unwrap_or(away)
}

/// The heading from which a flight turns aside by a right angle at the most: that of the attacker, whose front edge it may not pass.
/// A unit that is behind that line already just keeps from turning back to the attacker.
fn forward(rect: &Rect, attacker: &Rect) -> Heading {
    let before = attacker.local(rect.centre()).1 >= 0;
    if before { attacker.heading() } else { Heading::between(attacker.centre(), rect.centre()) }
}

/// The start and length of a flight that ends clear of all units, in no area that others close to it, and crosses no enemy and no
/// closed ground. None if there is no such flight.
fn clear_flight(ctx: &Position<'_>, id: UnitId, start: &Rect, attacker: &Rect, distance: i32) -> Option<(Rect, i32)> {
    let ahead = forward(start, attacker);
    let (step, most) = ctx
        .rules
        .flight
        .as_ref()
        .and_then(|flight| flight.bend.as_ref())
        .map_or((1, 0), |bend| (bend.step.max(1), bend.most));
    let bends = (0..=most / step).flat_map(|times| [times * step, -times * step]);
    for bend in bends.skip(1) {
        let start = start.turned_about_centre(start.heading().turned(bend));
        if bend != 0 && ahead.turn_to(start.heading()).abs() > 900 {
            continue;
        }
        let taken = |end: &Rect| stands_on_friend(ctx, id, end) || passage::crowded_there(ctx, id, end).is_some();
        let mut far = distance;
        while taken(&start.marched(far)) && !is_off_table(ctx.rules, &start.marched(far)) {
            far += STEP;
        }
        if !runs_into_enemy(ctx, id, &start, far) && !passage::closed(ctx, id, &straight(&start, far)) {
            return Some((start, far));
        }
    }
    None
}

fn stands_on_friend(ctx: &Position<'_>, id: UnitId, place: &Rect) -> bool {
    let side = ctx.battle.unit(id).side;
    ctx.battle.side(side).any(|friend| {
        let other = ctx.battle.unit(friend);
        friend != id && !other.gone() && place.overlaps(&ctx.place(friend))
    })
}

fn runs_into_enemy(ctx: &Position<'_>, id: UnitId, start: &Rect, distance: i32) -> bool {
    let way = straight(start, distance);
    let touch = ctx.rules.movement.touch;
    let side = ctx.battle.unit(id).side.other();
    ctx.battle.side(side).any(|enemy| {
        let there = ctx.place(enemy);
        // Turning on the spot may brush against those from whom it then runs away.
        let over = if start.overlaps(&there) {
            leads_towards(start, &there) || way.end().inset(touch).overlaps(&there)
        } else {
            way.passes_over(&there, touch)
        };
        !ctx.battle.unit(enemy).gone() && over
    })
}

/// Whether the way straight ahead brings the middle of a rectangle nearer to the middle of another one, beyond what rounding does.
fn leads_towards(start: &Rect, there: &Rect) -> bool {
    2 * start.local(there.centre()).1 + i64::from(start.depth) > ROUNDED
}

/// The way straight ahead from here.
pub(crate) fn straight(start: &Rect, distance: i32) -> Way {
    Way { start: *start, wheel: 0, bearing: 0, distance, length: distance }
}
