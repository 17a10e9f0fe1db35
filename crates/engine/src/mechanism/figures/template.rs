//! Template: one shot hits every unit on the ground that it covers.
//!
//! A unit aims at the middle of its target. Where the pack has the shot stray (`scatter`), dice say how far from there it lands
//! and which way, counted clockwise from the line of fire. Every enemy on the table whose ground the round template touches is
//! hit, and where the pack says so every friend too, but never the unit that fires. The roll of the phase is taken against
//! each unit that is hit. All rolls are taken before any result is carried out, so that none depends on another. A friend bears
//! its result as one of its own making: nobody caused it, and it does not fall back from anybody.

use arrayvec::ArrayVec;
use grognard_rules::model::{Scatter, Template};

use crate::geometry::plane::{FULL_TURN, Heading, Point};
use crate::state::{UNITS_MAX, UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::{Occasion, Scene};
use crate::telling::narrator::words::{degrees, inches, unit_name};

/// Lets the shot of a unit at its target fall.
pub(crate) fn drop_on(ctx: &mut Context<'_>, template: &Template, id: UnitId, target: UnitId, roll: u8) {
    let aim = ctx.place(target).centre();
    let at = template.scatter.as_ref().map_or(aim, |scatter| stray(ctx, scatter, id, target, aim));
    let hit = beneath(ctx, template, id, at);
    ctx.tell_special((id, Some(target)), &template.source, |scene| {
        let names: Vec<String> = hit.map(|unit| unit_name(scene, unit)).collect();
        let names = if names.is_empty() { "nobody".to_owned() } else { names.join(" and ") };
        format!("The shot of {} at {} covers {names}.", unit_name(scene, id), unit_name(scene, target))
    });
    let occasion = Occasion::Phase(ctx.battle.phase);
    let outcomes: ArrayVec<_, UNITS_MAX> = hit.map(|unit| (unit, ctx.cast(occasion, roll, id, Some(unit)))).collect();
    let side = ctx.battle.unit(id).side;
    for (unit, outcome) in outcomes {
        let cause = if ctx.battle.unit(unit).side == side { unit } else { id };
        ctx.apply(&outcome.foe, unit, cause);
        ctx.apply(&outcome.own, id, unit);
    }
}

/// Where a shot lands that strays from the point aimed at.
fn stray(ctx: &mut Context<'_>, scatter: &Scatter, id: UnitId, target: UnitId, aim: Point) -> Point {
    let lane = ctx.battle.unit(id).lane();
    let [points, direction] = [&scatter.distance, &scatter.direction].map(|odds| {
        let at = odds.at(&[]);
        let address = ctx.address_of(scatter.site, lane);
        i32::from(at.class(ctx.dice.decide(address, &at)))
    });
    let distance = points * scatter.inches;
    let turn = (direction - 1) * i32::from(FULL_TURN) / i32::from(scatter.directions);
    ctx.tell_special((id, Some(target)), &scatter.source, |scene: Scene<'_>| {
        let way = if turn == 0 { "straight on".to_owned() } else { degrees(turn) };
        format!("The shot of {} drifts {}, {way}.", unit_name(scene, id), inches(distance))
    });
    aim.moved(Heading::between(ctx.battle.unit(id).front, aim).turned(turn), distance)
}

/// The units that a template with its middle here touches, and that it may hit.
fn beneath(ctx: &Position<'_>, template: &Template, id: UnitId, at: Point) -> Units {
    let side = ctx.battle.unit(id).side;
    let there = ctx.neighbours().others(id);
    let here = |unit: UnitId| ctx.place(unit).distance_from(at) <= template.radius;
    there.those(|unit| (template.friends || ctx.battle.unit(unit).side != side) && here(unit))
}
