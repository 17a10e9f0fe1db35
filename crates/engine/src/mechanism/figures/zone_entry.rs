//! Skirmishers keep out of fire zones unless something covers them all the way (clauses 7.62, 9.43).
//!
//! Example: an enemy line with a zone of 2". Skirmishers that march up to it stop 2" before it; behind a hedge they go on.

use arrayvec::ArrayVec;
use grognard_rules::model::Board;

use crate::geometry::plane::{Circle, Course, Rect};
use crate::mechanism::common::moving;
use crate::mechanism::points::occupation;
use crate::situation::open_order::bases;
use crate::state::terrain::covered;
use crate::state::{UNITS_PER_SIDE_MAX, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// The step in hundredths of an inch at which a way is checked. A skirmisher stops within one step of a zone.
const STEP: i32 = 10;

/// Enemies in whose zones a figure stands uncovered, with the distance to each in hundredths of an inch.
pub(crate) type Zones = ArrayVec<(UnitId, i32), UNITS_PER_SIDE_MAX>;

/// Whether a figure has entered a zone, or gone deeper into one.
pub(crate) fn intrudes(now: &Zones, before: &Zones) -> bool {
    let known = |owner: UnitId| before.iter().find(|zone| zone.0 == owner);
    // Positions are rounded to hundredths, so a difference of one is no step nearer.
    now.iter().any(|&(owner, distance)| known(owner).is_none_or(|&(_, then)| distance + 1 < then))
}

/// Whether a figure stands in a zone in which none did.
pub(crate) fn reaches_new_zone(now: &Zones, before: &Zones) -> bool {
    now.iter().any(|zone| before.iter().all(|known| known.0 != zone.0))
}

/// The zones in which any figure of a unit in open order stands uncovered (9.43).
pub(crate) fn zones_about(ctx: &Position<'_>, id: UnitId) -> Zones {
    let (rules, terrain) = (ctx.rules, &ctx.setup.terrain);
    let unit = ctx.battle.unit(id);
    let mut zones = Zones::new();
    let Board::Plane { arc, .. } = rules.board else { return zones };
    for owner in ctx.targets(id) {
        let enemy = ctx.battle.unit(owner);
        if !ctx.neighbours().in_zone(owner, id) {
            continue;
        }
        let there = ctx.rect(owner);
        let depth = rules.kinds[usize::from(enemy.kind)].zone;
        let everywhere = rules.formations[usize::from(enemy.formation)].all_round;
        let exposed = |figure: &Rect| {
            figure.distance(&there) <= depth
                && (everywhere || ctx.neighbours().zone_holds(owner, figure, depth, arc))
                && !covered(rules, terrain, figure, &there)
        };
        let nearest = bases(rules, unit).filter(exposed).map(|figure| figure.distance(&there)).min();
        if let Some(distance) = nearest {
            zones.push((owner, distance));
        }
    }
    zones
}

/// Whether a unit might enter any fire zone within a distance in hundredths of an inch.
pub(crate) fn zones_within(ctx: &Position<'_>, id: UnitId, distance: i32) -> bool {
    let here = Circle::of(&ctx.place(id));
    let within = |owner: UnitId| {
        let depth = ctx.rules.kinds[usize::from(ctx.battle.unit(owner).kind)].zone;
        depth > 0 && !here.beyond(&Circle::of(&ctx.place(owner)), depth + distance)
    };
    // A unit that fills a piece of ground is not measured from its own rectangle.
    occupation::fills(ctx, id) || ctx.targets(id).any(within)
}

/// How far of a march a unit in open order may go before it would enter a fire zone, or go deeper into one.
pub(crate) fn free_of_zones(ctx: &mut Position<'_>, id: UnitId, course: &Course, distance: i32) -> i32 {
    let unit = *ctx.battle.unit(id);
    let loose = ctx.rules.formations[usize::from(unit.formation)].spacing.is_some();
    if !loose || ctx.rules.fire_zone.is_none() || distance <= 0 {
        return distance;
    }
    let known = zones_about(ctx, id);
    let (mut free, mut at) = (0, 0);
    while at < distance {
        at = (at + STEP).min(distance);
        moving::settle_on(ctx, id, &course.at(at));
        if intrudes(&zones_about(ctx, id), &known) {
            break;
        }
        free = at;
    }
    *ctx.battle.unit_mut(id) = unit;
    free
}

/// Whether a unit in open order that turns on to this ground would enter a fire zone, or go deeper into one.
pub(crate) fn turns_into_zone(ctx: &mut Position<'_>, id: UnitId, ground: &Rect) -> bool {
    let unit = *ctx.battle.unit(id);
    let loose = ctx.rules.formations[usize::from(unit.formation)].spacing.is_some();
    if !loose || ctx.rules.fire_zone.is_none() {
        return false;
    }
    let known = zones_about(ctx, id);
    moving::settle_on(ctx, id, ground);
    let intrudes = intrudes(&zones_about(ctx, id), &known);
    *ctx.battle.unit_mut(id) = unit;
    intrudes
}

/// The same as [`free_of_zones`]. Reports to the witness if the march is cut short.
pub(crate) fn march_outside_zones(ctx: &mut Context<'_>, id: UnitId, course: &Course, distance: i32) -> i32 {
    let free = free_of_zones(ctx, id, course, distance);
    if free < distance {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::FireZone });
    }
    free
}
