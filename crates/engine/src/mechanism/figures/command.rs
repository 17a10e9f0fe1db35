//! Commands on the march: rates by mode, roads, and settling into battle order (clauses 8.61 to 8.65).
//!
//! A unit moves at the rate of its command's mode. A road rate applies only to moves that are entirely on a road, by
//! units with a narrow enough front. Other units of the command, and units that leave the road, move at the rate of the
//! mode named for them. A command that has marched is unsettled until all its units have stood still for a whole move
//! phase.
//!
//! Example: the road rate is 24" and the strategic rate 16". A column with 14" of road ahead that continues across
//! country moves 16" in all.

use crate::geometry::plane::{Course, Rect};
use crate::mechanism::common::ground::{self, suffer_ground};
use crate::mechanism::common::leaving::{leave_if_off_table, up_to_edge};
use crate::mechanism::common::moving;
use crate::mechanism::figures::zone_entry::{march_outside_zones, turns_into_zone};
use crate::situation::pace::pace;
use crate::state::{Flags, Side, Unit, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// The distance that a unit may move. If that applies only on a road, also the distance off the road.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Hundredths of an inch.
    pub(crate) most: i32,
    /// Hundredths of an inch for a move off the road; `None` if it is the same.
    pub(crate) off_road: Option<i32>,
}

/// The rate of a unit. `own` is the rate of its type in its formation. For guns that have come out of a square, it is
/// only the rest of that rate, and the part used up is also deducted from the rate of a mode (9.53).
pub(crate) fn rate(ctx: &mut Context<'_>, id: UnitId, own: i32) -> Rate {
    let plain = Rate { most: own, off_road: None };
    let Some(rules) = &ctx.rules.command else { return plain };
    let Some(command) = ctx.battle.command_of(ctx.battle.unit(id)) else { return plain };
    let mode = &rules.modes[usize::from(command.mode)];
    let Some(most) = mode.rate.filter(|_| own > 0 && ctx.holds(mode.rate_when.as_ref(), id, None)) else {
        return plain;
    };
    let spent = (pace(ctx.rules, &ctx.battle, id).unwrap_or(own) - own).max(0);
    let most = most - spent;
    let Some(off) = mode.off_road else { return Rate { most, off_road: None } };
    let off = rules.modes[usize::from(off)].rate.map_or(own, |rate| rate - spent);
    if !ctx.holds(mode.narrow_when.as_ref(), id, None) {
        let on = ctx.setup.roads.carry(&ctx.rect(id));
        if on {
            let mode = command.mode;
            ctx.tell(|| Event::Refused { unit: id, why: Refusal::TooWide(mode) });
        }
        return Rate { most: off, off_road: None };
    }
    Rate { most, off_road: Some(off) }
}

/// Marches along the road under a unit, or straight ahead if there is none.
pub(crate) fn follow_road(ctx: &mut Context<'_>, id: UnitId, own: i32) {
    if moving::faces_two_ways(ctx, id) {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Ambiguous });
        return;
    }
    let kept = ctx.scratch.kept;
    let left = march_along(ctx, id, own, kept);
    ctx.scratch.left = Some(left + kept);
}

/// Marches along the road, keeping `kept` of the move in reserve. Returns the unused part of the rest.
fn march_along(ctx: &mut Context<'_>, id: UnitId, own: i32, kept: i32) -> i32 {
    let rate = rate(ctx, id, own);
    let mut left = rate.most - kept;
    ctx.scratch.by_road = rate.off_road.is_some();
    let everywhere = moving::faces_everywhere(ctx, id) && rate.off_road.is_none();
    let mut along = ctx.battle.unit(id).heading;
    // A march reaches the end of each piece of road at most once.
    for bend in 0..=ctx.setup.terrain.len() {
        let unit = *ctx.battle.unit(id);
        let rect = unit.rect(ctx.rules);
        let free = moving::turns_freely(ctx, id);
        let foremost = if everywhere { rect.centre() } else { unit.front };
        let mut entered = moving::Entered::default();
        let (course, wanted) = match ctx.setup.roads.next_leg(foremost, along) {
            // A unit with all-around facing follows the road with its middle and does not turn (7.35, 9.55).
            Some((heading, far)) if everywhere => (Course { from: rect, along: heading }, far.min(left.max(0))),
            Some((heading, far)) => {
                if bend == 0 && !ctx.setup.roads.carry(&rect) {
                    // Its rear is not on the road, so not all of the move lies on the road (8.63).
                    ctx.scratch.by_road = false;
                    left = rate.off_road.map_or(left, |off_road| off_road - kept);
                }
                // A unit that may not turn freely pays for the bend as for a wheel (7.33), and turns as far as it can
                // afford. One that is too wide for the road pays for the ground next to the road as well.
                let turn = unit.heading.turn_to(heading);
                let wide = !free && !moving::fits_road(ctx, id, &rect);
                let most = match (free, wide) {
                    (true, _) => 1800,
                    (false, true) => moving::wheel_within(ctx, id, &rect, turn, left).abs(),
                    (false, false) => rect.wheel_within(left),
                };
                let tenths = turn.clamp(-most, most);
                if wide && tenths != 0 {
                    entered = moving::entered_by_wheel(ctx, id, &rect, tenths);
                }
                left -= if free { 0 } else { rect.wheel_cost(tenths) + entered.cost };
                let from = Rect::new(unit.front, unit.heading.turned(tenths), rect.width, rect.depth);
                (Course::ahead(from), if tenths == turn { far.min(left.max(0)) } else { 0 })
            }
            None if bend == 0 => {
                // The unit is not on the road, so the other rate applies to the whole move.
                ctx.scratch.by_road = false;
                left = rate.off_road.map_or(left, |off_road| off_road - kept);
                (Course::ahead(rect), left)
            }
            None => break,
        };
        along = course.along;
        let turned = unit.heading.turn_to(course.from.heading());
        let Some(clear) = moving::clear_march(ctx, id, &course, wanted, ctx.rules.movement.gap) else {
            break;
        };
        if turned != 0 && turns_into_zone(ctx, id, &course.from) {
            ctx.tell(|| Event::Refused { unit: id, why: Refusal::FireZone });
            break;
        }
        let on_table = up_to_edge(ctx, id, &course, clear);
        let clear = march_outside_zones(ctx, id, &course, on_table);
        let passage = ground::march(ctx, id, &course, clear, left).after(&entered);
        if turned == 0 && passage.distance == 0 {
            break;
        }
        left -= passage.spent;
        moving::settle_on(ctx, id, &course.at(passage.distance));
        ctx.battle.flags_mut(id).set(Flags::MOVED);
        let wheel = unit.heading.turn_to(along);
        ctx.tell(|| Event::Marched { unit: id, wheel, distance: passage.distance });
        suffer_ground(ctx, id, &passage);
        leave_if_off_table(ctx, id);
        if passage.distance < wanted || left <= 0 || ctx.battle.unit(id).gone() {
            break;
        }
    }
    ctx.scratch.by_road = false;
    left
}

/// At the end of a side's move phase, settles commands whose units have stood still on the table (8.62).
pub(crate) fn settle_commands(ctx: &mut Context<'_>, side: Side) {
    let Some(rules) = &ctx.rules.command else { return };
    for index in 0..ctx.battle.commands.len() as u8 {
        let command = ctx.battle.commands[usize::from(index)];
        let mode = &rules.modes[usize::from(command.mode)];
        if command.side != side || !(command.unsettled || mode.settles_into.is_some()) {
            continue;
        }
        // A unit in another's square moves with it.
        let moved = |unit: &Unit| {
            let inside = unit.flags.has(Flags::INSIDE);
            unit.flags.has(Flags::MOVED) || inside && ctx.battle.unit(unit.foe).flags.has(Flags::MOVED)
        };
        // Nor does a command settle if one of its units is not yet on the table or all of them have left.
        let late = |unit: &Unit| unit.flags.has(Flags::LATE);
        let there = |unit: &Unit| !unit.gone() || unit.flags.has(Flags::INSIDE);
        let units = || ctx.battle.units.iter().filter(|unit| unit.command == index);
        if units().any(|unit| moved(unit) || late(unit)) || !units().any(there) {
            continue;
        }
        let now = &mut ctx.battle.commands[usize::from(index)];
        now.unsettled = false;
        now.mode = mode.settles_into.unwrap_or(now.mode);
        let from = command.mode;
        ctx.tell(|| Event::Settled { command: index, from });
    }
}

/// Whether a unit's command counts as shaken in tests (8.62).
pub(crate) fn unsettled(ctx: &Position<'_>, id: UnitId) -> bool {
    ctx.rules.command.is_some() && ctx.battle.command_of(ctx.battle.unit(id)).is_some_and(|own| own.unsettled)
}
