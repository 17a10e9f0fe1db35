//! Skirmishers stay out of fire zones unless they have cover all the way (clauses 7.62, 9.43).
//!
//! Example: an enemy line with a zone of 2". Skirmishers that march up to it stop 2" away; under cover of a hedge, they
//! continue.

use arrayvec::ArrayVec;
use grognard_rules::model::Board;

use crate::geometry::plane::{Circle, Course, Rect};
use crate::mechanism::common::moving;
use crate::mechanism::points::occupation;
use crate::situation::open_order::bases;
use crate::state::terrain::has_cover_between;
use crate::state::{UNITS_PER_SIDE_MAX, Unit, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// The step, in hundredths of an inch, at which a path is checked. A skirmisher stops within one step of a zone.
const STEP: i32 = 10;

/// The enemies in whose zones a figure is uncovered.
pub(crate) type Zones = ArrayVec<UnitId, UNITS_PER_SIDE_MAX>;

/// Whether a figure of a unit in open order has entered a zone, or gone deeper into one, since the unit was in the
/// position `before` (9.43).
pub(crate) fn intrudes(ctx: &Position<'_>, id: UnitId, before: &Unit) -> bool {
    let unit = ctx.battle.unit(id);
    // A row that has turned about is the same row from its other end.
    let about = before.heading.turn_to(unit.heading).abs() > 900;
    let stood = |figure: usize| {
        let last = usize::from(before.figures.max(1)) - 1;
        bases(ctx.rules, before).nth(if about { last - figure.min(last) } else { figure })
    };
    let ground = before.rect(ctx.rules);
    owners_about(ctx, id).any(|owner| {
        // If a row stopped at the edge of the zone, its figures count as outside, even if rounding puts a figure's own
        // base inside.
        let was_in = reach_of_zone(ctx, owner, &ground).is_some();
        bases(ctx.rules, unit).enumerate().any(|(number, figure)| {
            let distance_of = |figure: &Rect| within_zone(ctx, owner, figure);
            let then = || stood(number).filter(|_| was_in).and_then(|figure| distance_of(&figure));
            // Positions are rounded to hundredths of an inch, so a figure must be nearer by more than one hundredth.
            distance_of(&figure).is_some_and(|now| then().is_none_or(|then| now + 1 < then))
        })
    })
}

/// Whether a figure is now in a zone that no figure was in before.
pub(crate) fn reaches_new_zone(now: &Zones, before: &Zones) -> bool {
    now.iter().any(|owner| !before.contains(owner))
}

/// The zones in which any figure of a unit in open order is uncovered (9.43).
pub(crate) fn zones_about(ctx: &Position<'_>, id: UnitId) -> Zones {
    let unit = ctx.battle.unit(id);
    let holds = |&owner: &UnitId| bases(ctx.rules, unit).any(|figure| within_zone(ctx, owner, &figure).is_some());
    owners_about(ctx, id).filter(holds).collect()
}

/// Whether a unit in open order would have an uncovered figure in a zone on this ground (9.43).
pub(crate) fn would_stand_in_zone(ctx: &Position<'_>, id: UnitId, ground: &Rect) -> bool {
    let unit = Unit { front: ground.front, heading: ground.heading(), ..*ctx.battle.unit(id) };
    let loose = ctx.rules.formations[unit.formation].spacing.is_some();
    let in_zone = |figure: Rect| ctx.targets(id).any(|owner| within_zone(ctx, owner, &figure).is_some());
    loose && ctx.rules.fire_zone.is_some() && bases(ctx.rules, &unit).any(in_zone)
}

/// The enemies whose zones cover some part of a unit's ground.
fn owners_about(ctx: &Position<'_>, id: UnitId) -> impl Iterator<Item = UnitId> {
    ctx.targets(id).filter(move |&owner| ctx.neighbours().in_zone(owner, id))
}

/// The distance of an uncovered figure in a zone from the zone's owner, in hundredths of an inch.
fn within_zone(ctx: &Position<'_>, owner: UnitId, figure: &Rect) -> Option<i32> {
    let nearest = || ctx.rect(owner).nearest(figure.centre());
    let uncovered = |_: &i32| !has_cover_between(ctx.rules, &ctx.setup.terrain, figure, nearest());
    reach_of_zone(ctx, owner, figure).filter(uncovered)
}

/// The distance, in hundredths of an inch, of some ground from the owner of a zone, if any part of the ground is in the
/// zone.
fn reach_of_zone(ctx: &Position<'_>, owner: UnitId, ground: &Rect) -> Option<i32> {
    let rules = ctx.rules;
    let Board::Plane { arc, .. } = rules.board else { return None };
    let enemy = ctx.battle.unit(owner);
    let (depth, distance) = (rules.kinds[enemy.kind].zone, ground.distance(&ctx.rect(owner)));
    let holds =
        || rules.formations[enemy.formation].all_round || ctx.neighbours().zone_holds(owner, ground, depth, arc);
    (distance <= depth && holds()).then_some(distance)
}

/// Whether a unit might enter any fire zone within a distance, in hundredths of an inch.
pub(crate) fn zones_within(ctx: &Position<'_>, id: UnitId, distance: i32) -> bool {
    let here = Circle::of(&ctx.place(id));
    let within = |owner: UnitId| {
        let depth = ctx.rules.kinds[ctx.battle.unit(owner).kind].zone;
        depth > 0 && !here.beyond(&Circle::of(&ctx.place(owner)), depth + distance)
    };
    // A unit that fills a piece of ground is not measured from its own rectangle.
    occupation::fills(ctx, id) || ctx.targets(id).any(within)
}

/// The distance that a unit in open order may march before it would enter a fire zone, or go deeper into one.
pub(crate) fn free_of_zones(ctx: &mut Position<'_>, id: UnitId, course: &Course, distance: i32) -> i32 {
    let unit = *ctx.battle.unit(id);
    let loose = ctx.rules.formations[unit.formation].spacing.is_some();
    if !loose || ctx.rules.fire_zone.is_none() || distance <= 0 {
        return distance;
    }
    // The march may begin where an earlier leg of the path ends.
    moving::settle_on(ctx, id, &course.from);
    let start = *ctx.battle.unit(id);
    let (mut free, mut at) = (0, 0);
    while at < distance {
        at = (at + STEP).min(distance);
        moving::settle_on(ctx, id, &course.at(at));
        if intrudes(ctx, id, &start) {
            break;
        }
        free = at;
    }
    *ctx.battle.unit_mut(id) = unit;
    free
}

/// Whether a unit in open order that turns onto this ground would enter a fire zone, or go deeper into one.
pub(crate) fn turns_into_zone(ctx: &mut Position<'_>, id: UnitId, ground: &Rect) -> bool {
    let unit = *ctx.battle.unit(id);
    let loose = ctx.rules.formations[unit.formation].spacing.is_some();
    if !loose || ctx.rules.fire_zone.is_none() {
        return false;
    }
    moving::settle_on(ctx, id, ground);
    let intrudes = intrudes(ctx, id, &unit);
    *ctx.battle.unit_mut(id) = unit;
    intrudes
}

/// Like [`free_of_zones`], but also reports if the march is cut short.
pub(crate) fn march_outside_zones(ctx: &mut Context<'_>, id: UnitId, course: &Course, distance: i32) -> i32 {
    let free = free_of_zones(ctx, id, course, distance);
    if free < distance {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::FireZone });
    }
    free
}
