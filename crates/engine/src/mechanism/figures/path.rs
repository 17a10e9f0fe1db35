//! Paths: marches and wheels in any order within one move (clauses 7.33, 7.41 to 7.43). A path is taken completely or
//! not at all.
//!
//! A wheel costs the length of the outer corner's arc, and a march its own length; the ground may add to both. Narrow
//! units take a new heading at any point of their path and pay only for its length and for terrain that they enter by
//! turning. Units with all-around facing move in any direction without turning. A screen may pass through its unit, but
//! not end on it.
//!
//! The road rate applies to a path that is on a road from end to end (8.63).
//!
//! Example: S6 with a move of 8" marches 2" and wheels 30 degrees for 1.57"; 4.43" are left.

use arrayvec::ArrayVec;
use grognard_rules::model::{LEGS_MAX, Leg};

use crate::geometry::plane::{Course, Rect};
use crate::mechanism::common::ground::{self, Passage, disorder_where_it_stands, suffer_ground};
use crate::mechanism::common::leaving::leave_if_off_table;
use crate::mechanism::common::moving::{
    allowance, clear_march, entered_by_turn, entered_by_wheel, faces_everywhere, faces_two_ways, is_off_table,
    settle_on, stands_on_its_unit, stays_on_table, turns_freely, wheel_clear,
};
use crate::mechanism::common::units::own_of;
use crate::mechanism::figures::command;
use crate::mechanism::figures::zone_entry::{free_of_zones, turns_into_zone};
use crate::state::{Flags, UnitId};
use crate::step::nearest::others;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// A valid leg: its end, the event to report, and the ground that it passes over.
struct Step {
    end: Rect,
    wheel: i32,
    distance: i32,
    passage: Passage,
}

pub(crate) fn follow(ctx: &mut Context<'_>, id: UnitId, legs: &[Leg]) {
    let steps = match plan(ctx, id, legs) {
        Ok(steps) => steps,
        Err(why) => {
            ctx.tell(|| Event::Refused { unit: id, why });
            return;
        }
    };
    for Step { end, wheel, distance, passage } in steps {
        if ctx.battle.unit(id).gone() {
            return;
        }
        let turns = ctx.battle.unit(id).heading != end.heading();
        settle_on(ctx, id, &end);
        ctx.battle.flags_mut(id).set(Flags::MOVED);
        ctx.tell(|| Event::Marched { unit: id, wheel, distance });
        suffer_ground(ctx, id, &passage);
        if turns {
            disorder_where_it_stands(ctx, id);
        }
        leave_if_off_table(ctx, id);
    }
}

/// The legs of a path, or the reason why the path is forbidden.
fn plan(ctx: &mut Context<'_>, id: UnitId, legs: &[Leg]) -> Result<ArrayVec<Step, LEGS_MAX>, Refusal> {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(id);
    if faces_two_ways(ctx, id) {
        return Err(Refusal::Ambiguous);
    }
    let own = allowance(ctx, id);
    let rate = command::rate(ctx, id, own);
    let mut left = rate.most - ctx.scratch.kept;
    let (freely, everywhere) = (turns_freely(ctx, id), faces_everywhere(ctx, id) && rate.off_road.is_none());
    let mut course = Course::ahead(unit.rect(rules));
    // The amount by which the move is reduced if any of it is off the road (8.63).
    let mut at_stake = rate.off_road.map_or(0, |off_road| rate.most - off_road);
    left -= lost_beside_road(ctx, &mut at_stake, &course.from, 0);
    let mut steps = ArrayVec::new();
    for &leg in legs.iter().take(LEGS_MAX) {
        let ground = course.from;
        let step = match leg {
            Leg::March(0) | Leg::Wheel(0) => continue,
            Leg::Wheel(tenths) if everywhere => {
                course.along = course.along.turned(tenths);
                Step { end: ground, wheel: tenths, distance: 0, passage: Passage::default() }
            }
            Leg::Wheel(tenths) if freely => {
                let end = ground.turned_about_centre(ground.heading().turned(tenths));
                let before = *ctx.battle.unit(id);
                settle_on(ctx, id, &ground);
                let enters = turns_into_zone(ctx, id, &end);
                *ctx.battle.unit_mut(id) = before;
                if enters {
                    return Err(Refusal::FireZone);
                }
                let entered = entered_by_turn(ctx, id, &ground, &end);
                left -= entered.cost + lost_beside_road(ctx, &mut at_stake, &end, 0);
                Step { end, wheel: tenths, distance: 0, passage: Passage::default().after(&entered) }
            }
            Leg::Wheel(tenths) => {
                if wheel_clear(ctx, others(ctx, id).but(own_of(ctx, id)), &ground, tenths) != tenths {
                    return Err(Refusal::NoRoom);
                }
                let end = ground.wheeled(tenths);
                let entered = entered_by_wheel(ctx, id, &ground, tenths);
                left -= ground.wheel_cost(tenths) + entered.cost + lost_beside_road(ctx, &mut at_stake, &end, 0);
                Step { end, wheel: tenths, distance: 0, passage: Passage::default().after(&entered) }
            }
            Leg::March(distance) => {
                if clear_march(ctx, id, &course, distance, rules.movement.gap) != Some(distance) {
                    return Err(Refusal::NoRoom);
                }
                if free_of_zones(ctx, id, &course, distance) < distance {
                    return Err(Refusal::FireZone);
                }
                left -= lost_beside_road(ctx, &mut at_stake, &ground, distance);
                let passage = ground::pass(ctx, id, &course, distance, left);
                if let Some((ground, bar)) = passage.barred {
                    return Err(Refusal::Ground(ground, bar));
                }
                if passage.distance < distance {
                    return Err(Refusal::TooFar);
                }
                left -= passage.spent;
                Step { end: course.at(distance), wheel: 0, distance, passage }
            }
        };
        if left < 0 {
            return Err(Refusal::TooFar);
        }
        if stays_on_table(ctx, id) && is_off_table(rules, &step.end) {
            return Err(Refusal::NoRoom);
        }
        course = Course { from: step.end, along: if everywhere { course.along } else { step.end.heading() } };
        if clear_march(ctx, id, &course, 0, 0).is_none() {
            return Err(Refusal::NoRoom);
        }
        let _ = steps.try_push(step);
    }
    if stands_on_its_unit(ctx, id, &course.from).is_some() {
        return Err(Refusal::NoRoom);
    }
    ctx.scratch.left = Some(left + ctx.scratch.kept);
    Ok(steps)
}

/// The part of the move lost when this leg leaves the road: all of the reduction that still applies.
fn lost_beside_road(ctx: &Position<'_>, at_stake: &mut i32, from: &Rect, distance: i32) -> i32 {
    if ctx.setup.roads.carry_march(from, distance) { 0 } else { std::mem::take(at_stake) }
}
