//! Posts: the positions of screens in front of their units, and their moves when their units march over them (clauses
//! 9.34, 9.43).
//!
//! A unit marches through its own screen, and turns and forms over it; the screen then takes its post with its own
//! move. A screen may march through its unit. After its whole side has moved, the screen may still overlap its unit, or
//! another one that marched onto it. It is then placed close in front of its unit or behind it; if there is no room, it
//! rejoins its unit.
//!
//! Example: a column marches its 10". Its screen, now 6" behind the column's front, goes 10" to its post 4" ahead.

use crate::geometry::plane::{Course, Heading, Rect};
use crate::mechanism::common::ground::{self, Passage, suffer_ground};
use crate::mechanism::common::moving::{allowance, clear_march_among, entered_by_turn, is_off_table};
use crate::mechanism::common::room::overlaps_anybody;
use crate::mechanism::figures::screen::rejoin;
use crate::mechanism::figures::skirmishers::kin;
use crate::mechanism::figures::zone_entry::{intrudes, zones_within};
use crate::state::{Flags, Side, Unit, UnitId};
use crate::step::nearest::others;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal, Why};

/// The step, in hundredths of an inch, at which a screen's way to its post is checked.
const POST_STEP: i32 = 50;

/// Moves a screen to this distance in front of its unit, over open ground and out of fire zones (9.34, 9.43).
pub(crate) fn take_post(ctx: &mut Context<'_>, screen: UnitId, ahead: i32, left: i32) {
    if let Some(home) = home_of(ctx, screen).filter(|_| ctx.battle.is_part(screen)) {
        let goal = post(ctx, screen, home, ahead);
        if go_to(ctx, screen, &goal, left) {
            ctx.tell(|| Event::Refused { unit: screen, why: Refusal::FireZone });
        }
    }
}

/// The unit in front of which a screen is deployed: its own, or the host of the square that its unit is in. `None` if
/// that unit is gone.
fn home_of(ctx: &Position<'_>, screen: UnitId) -> Option<UnitId> {
    kin(ctx, screen).map(|parent| ctx.battle.host_of(parent)).filter(|&home| !ctx.battle.unit(home).gone())
}

/// Moves the screens that their side has marched over clear of all units. If `moved`, at the end of a move phase, this
/// includes screens that their unit has turned or formed over, or overlaps for any other reason. Until then such
/// screens have their own move.
pub(crate) fn clear_screens(ctx: &mut Context<'_>, side: Side, moved: bool) {
    for screen in ctx.battle.side(side) {
        let unit = ctx.battle.unit(screen);
        if unit.gone() || !ctx.battle.is_screen(ctx.rules, unit) {
            continue;
        }
        let Some(home) = home_of(ctx, screen) else { continue };
        let behind = -(ctx.rect(home).depth + ctx.rect(screen).depth);
        for ahead in [0, behind] {
            if is_marched_over(ctx, screen, moved) {
                let (goal, left) = (post(ctx, screen, home, ahead), allowance(ctx, screen));
                go_to(ctx, screen, &goal, left);
            }
        }
        if is_marched_over(ctx, screen, moved) {
            let figures = ctx.battle.unit(screen).figures;
            rejoin(ctx, screen, figures, Why::Ordered);
        }
    }
}

/// Whether a screen is overlapped by a friend in close order that has moved or whose square has taken in others. If
/// `in_any_case`, the screen's own unit counts even if it has not moved.
fn is_marched_over(ctx: &Position<'_>, screen: UnitId, in_any_case: bool) -> bool {
    let unit = ctx.battle.unit(screen);
    let row = ctx.rect(screen);
    let friends = others(ctx, screen).among(ctx.battle.units_of(unit.side));
    let mut marched = friends.those(|id| {
        let friend = ctx.battle.unit(id);
        let moved = friend.flags.has(Flags::MOVED) || friend.guests > 0 || (in_any_case && id == unit.kin);
        moved && !friend.flags.has(Flags::SCREEN)
    });
    !unit.gone() && marched.any(|friend| row.overlaps(&ctx.rect(friend)))
}

/// The ground of a screen at this distance in front of its unit.
fn post(ctx: &Position<'_>, screen: UnitId, home: UnitId, ahead: i32) -> Rect {
    let (row, there) = (ctx.rect(screen), ctx.rect(home));
    Rect::new(there.at(0, ahead + row.depth), there.heading(), row.width, row.depth)
}

/// Moves a screen straight to `goal`, or as near to it as space allows. It moves only over ground that is open to it,
/// outside fire zones and not through enemies. Returns whether a fire zone has stopped it.
fn go_to(ctx: &mut Context<'_>, screen: UnitId, goal: &Rect, left: i32) -> bool {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(screen);
    let row = unit.rect(rules);
    let (from, to) = (row.centre(), goal.centre());
    let way = from.square_distance(to).isqrt() as i32;
    let step = Rect::new(from, Heading::between(from, to), 1, 1);
    let along = step.heading();
    let row_at = |heading: Heading, at: i32| {
        let front = step.marched(at).front.moved(heading, row.depth / 2);
        Rect::new(front, heading, row.width, row.depth)
    };
    // The course of the row with this heading, and the rest of its move. Turning may bring it onto different ground.
    let turned = |heading: Heading| {
        let turned = if heading == row.heading() { row } else { row_at(heading, 0) };
        (Course { from: turned, along }, left - entered_by_turn(ctx, screen, &row, &turned).cost)
    };
    // On the way, a row turns only as far as the moves of the figures at its ends allow (7.43).
    let turn = row.heading().turn_to(goal.heading());
    let half = (row.width - rules.footprint(unit.kind, unit.formation, 1).width) / 2;
    let most = |passage: &Passage, left: i32| left - (passage.spent - passage.distance);
    let reaches =
        |heading: Heading, at: i32, most: i32| turn == 0 || way_of_ends(&row, &row_at(heading, at), half) <= most;
    let mut ways = (0..=4).rev().map(|quarters| {
        let heading = row.heading().turned(turn * quarters / 4);
        let (course, left) = turned(heading);
        let passage = ground::pass(ctx, screen, &course, way, left);
        (heading, course, passage, left)
    });
    let found = ways.find(|(heading, _, passage, left)| {
        ends_within(passage.distance).any(|at| reaches(*heading, at, most(passage, *left)))
    });
    let Some((heading, course, passage, left)) = found else { return false };
    let most = most(&passage, left);
    // Like all figures in loose order, the screen passes through friends but not through enemies.
    let enemies = others(ctx, screen).but(ctx.battle.units_of(unit.side));
    let open = clear_march_among(ctx, screen, enemies, &course, passage.distance, rules.movement.gap).unwrap_or(0);
    let place = |at: i32| Unit { front: row_at(heading, at).front, heading, ..unit };
    // Checks the path half an inch at a time, so that the screen stops short of a zone.
    let (mut far, mut stopped) = (open.max(0), false);
    if zones_within(ctx, screen, far) {
        let mut at = 0;
        while at < open && !stopped {
            at = (at + POST_STEP).min(open);
            *ctx.battle.unit_mut(screen) = place(at);
            stopped = intrudes(ctx, screen, &unit);
        }
        far = if stopped { at - 1 } else { at };
    }
    // Finds the farthest free place on the table, up to that distance.
    let (mut gone, mut best) = (0, unit);
    for at in ends_within(open).rev().filter(|&at| at <= far && reaches(heading, at, most)) {
        *ctx.battle.unit_mut(screen) = place(at);
        let ground = ctx.rect(screen);
        if !overlaps_anybody(ctx, screen) && !is_off_table(rules, &ground) {
            (gone, best) = (at, place(at));
            break;
        }
    }
    *ctx.battle.unit_mut(screen) = best;
    if gone > 0 {
        ctx.battle.flags_mut(screen).set(Flags::MOVED);
        ctx.tell(|| Event::Marched { unit: screen, wheel: 0, distance: gone });
        // Ground beyond the place where the screen has stopped does not count.
        let passage = if gone < passage.distance { ground::pass(ctx, screen, &course, gone, left) } else { passage };
        suffer_ground(ctx, screen, &passage);
    }
    stopped
}

/// The distances at which a screen may stop on a path of this length. The last step may be shorter.
fn ends_within(distance: i32) -> impl DoubleEndedIterator<Item = i32> {
    let steps = (distance.max(0) + POST_STEP - 1) / POST_STEP;
    (1..=steps).map(move |step| (step * POST_STEP).min(distance))
}

/// The distance that the end figures of a row must move to their places in a row `here`: the longer of the two. `half`
/// is the distance from the middle of the row to the middle of an end figure. All figures are alike, so a row that
/// turns about is the same row.
fn way_of_ends(row: &Rect, here: &Rect, half: i32) -> i32 {
    let across = if row.heading().turn_to(here.heading()).abs() > 900 { -1 } else { 1 };
    let end = |row: &Rect, aside: i32| row.at(aside, -row.depth / 2);
    let way = |side: i32| end(row, side * half).square_distance(end(here, side * across * half));
    way(-1).max(way(1)).isqrt() as i32
}
