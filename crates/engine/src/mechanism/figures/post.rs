//! Posts: where screens stand before their units, and where they go when these march over them (clauses 9.34, 9.43).
//!
//! A unit marches through its own screen, turns and forms over it, which then takes its post by its own move; a screen marches through
//! its unit. If it is left under the unit, or under one that came along, when all of its side have moved, it stands close before the
//! unit, or behind it, or goes in where there is room in neither place.
//!
//! Example: a column marches its 10" and its screen, left 6" behind its front, goes 10" to the post 4" ahead.

use crate::geometry::plane::{Course, Heading, Rect};
use crate::mechanism::common::ground::{self, suffer_ground};
use crate::mechanism::common::moving::{allowance, is_off_table};
use crate::mechanism::common::room::overlaps_anybody;
use crate::mechanism::figures::screen::rejoin;
use crate::mechanism::figures::skirmishers::kin;
use crate::mechanism::figures::zone_entry::{intrudes, zones_about, zones_within};
use crate::state::{Flags, Side, Unit, UnitId};
use crate::step::nearest::others;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal, Why};

/// The step in hundredths of an inch at which a screen's way to its post is checked.
const POST_STEP: i32 = 50;

/// Moves a screen so far before its unit, over open ground and out of fire zones (9.34, 9.43).
pub(crate) fn take_post(ctx: &mut Context<'_>, screen: UnitId, ahead: i32, left: i32) {
    if let Some(parent) = kin(ctx, screen).filter(|&parent| !ctx.battle.unit(parent).gone()) {
        let goal = post(ctx, screen, parent, ahead);
        if go_to(ctx, screen, &goal, left) {
            ctx.tell(|| Event::Refused { unit: screen, why: Refusal::FireZone });
        }
    }
}

/// Lets the screens that their side has marched over stand clear of everybody. `moved`: as a move phase ends, so do those over which
/// their unit has turned or formed, or on which it stands for any other reason; until then they have a move of their own.
pub(crate) fn clear_screens(ctx: &mut Context<'_>, side: Side, moved: bool) {
    for screen in ctx.battle.side(side) {
        let unit = ctx.battle.unit(screen);
        let parent = unit.kin;
        if unit.gone() || !ctx.battle.is_screen(ctx.rules, unit) || ctx.battle.unit(parent).gone() {
            continue;
        }
        let behind = -(ctx.rect(parent).depth + ctx.rect(screen).depth);
        for ahead in [0, behind] {
            if is_marched_over(ctx, screen, moved) {
                let (goal, left) = (post(ctx, screen, parent, ahead), allowance(ctx, screen));
                go_to(ctx, screen, &goal, left);
            }
        }
        if is_marched_over(ctx, screen, moved) {
            let figures = ctx.battle.unit(screen).figures;
            rejoin(ctx, screen, figures, Why::Ordered);
        }
    }
}

/// Whether a friend in close order who has moved, or whose square has taken others in, stands on a screen; its own unit `in_any_case`.
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

/// The ground of a screen so far before its unit's front.
fn post(ctx: &Position<'_>, screen: UnitId, parent: UnitId, ahead: i32) -> Rect {
    let (row, there) = (ctx.rect(screen), ctx.rect(parent));
    Rect::new(there.at(0, ahead + row.depth), there.heading(), row.width, row.depth)
}

/// Moves a screen straight to some ground, or as near to it as there is room, over open ground and out of fire zones. Returns whether
/// a fire zone has stopped it.
fn go_to(ctx: &mut Context<'_>, screen: UnitId, goal: &Rect, left: i32) -> bool {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(screen);
    let row = unit.rect(rules);
    let (from, to) = (row.centre(), goal.centre());
    let way = from.square_distance(to).isqrt() as i32;
    let step = Rect::new(from, Heading::between(from, to), 1, 1);
    let passage = ground::pass(ctx, screen, &Course::ahead(step), way, left);
    let place = |at: i32| {
        let front = step.marched(at).front.moved(goal.heading(), row.depth / 2);
        Unit { front, heading: goal.heading(), ..unit }
    };
    // Half an inch at a time, so that the screen stops before a zone.
    let (mut far, mut stopped) = (passage.distance.max(0), false);
    if zones_within(ctx, screen, far) {
        let known = zones_about(ctx, screen);
        let mut at = 0;
        while at < passage.distance && !stopped {
            at = (at + POST_STEP).min(passage.distance);
            *ctx.battle.unit_mut(screen) = place(at);
            stopped = intrudes(&zones_about(ctx, screen), &known);
        }
        far = if stopped { at - 1 } else { at };
    }
    // The farthest free place on the table up to there. The last step may be shorter.
    let steps = (far + POST_STEP - 1) / POST_STEP;
    let ends = (1..=steps).rev().map(|step| (step * POST_STEP).min(passage.distance)).filter(|&at| at <= far);
    let (mut gone, mut best) = (0, unit);
    for at in ends {
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
        suffer_ground(ctx, screen, &passage);
    }
    stopped
}
