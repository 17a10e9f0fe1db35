//! Shots that hit several units, on a plane or on hexes: how they drift, which units they may hit, and what is reported of them.

use grognard_rules::model::{Scatter, Template};

use crate::geometry::plane::FULL_TURN;
use crate::state::{UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::Scene;
use crate::telling::narrator::words::{degrees, unit_name};

/// Rolls how far a shot drifts and which way: inches or hexes, and tenths of a degree to the right of the line of fire. `length`
/// says how far in words.
pub(crate) fn drift(
    ctx: &mut Context<'_>,
    scatter: &Scatter,
    (id, target): (UnitId, UnitId),
    length: impl Fn(i32) -> String,
) -> (i32, i32) {
    let lane = ctx.battle.unit(id).lane();
    let [points, direction] = [&scatter.distance, &scatter.direction].map(|odds| {
        let at = odds.at(&[]);
        let address = ctx.address_of(scatter.site, lane);
        i32::from(at.class(ctx.dice.decide(address, &at)))
    });
    let distance = points * scatter.each;
    let turn = (direction - 1) * i32::from(FULL_TURN) / i32::from(scatter.directions);
    ctx.tell_special((id, Some(target)), &scatter.source, |scene: Scene<'_>| {
        let name = unit_name(scene, id);
        let way = if turn == 0 { "straight on".to_owned() } else { degrees(turn) };
        if distance == 0 {
            format!("The shot of {name} does not drift.")
        } else {
            format!("The shot of {name} drifts {}, {way}.", length(distance))
        }
    });
    (distance, turn)
}

/// Whether a shot may hit a unit in its way: enemies, and `friends` where the pack says so, but never the unit that fires.
pub(crate) fn may_hit(ctx: &Position<'_>, friends: bool, id: UnitId, unit: UnitId) -> bool {
    unit != id && (friends || ctx.battle.unit(unit).side != ctx.battle.unit(id).side)
}

/// Reports which units a template covers.
pub(crate) fn tell_covered(ctx: &mut Context<'_>, template: &Template, (id, target): (UnitId, UnitId), hit: Units) {
    ctx.tell_special((id, Some(target)), &template.source, |scene| {
        let names: Vec<String> = hit.map(|unit| unit_name(scene, unit)).collect();
        let names = if names.is_empty() { "nobody".to_owned() } else { names.join(" and ") };
        format!("The shot of {} at {} covers {names}.", unit_name(scene, id), unit_name(scene, target))
    });
}

/// The unit that causes what a shot does to another: the one that fires, or the other itself if it is a friend.
pub(crate) fn cause(ctx: &Position<'_>, id: UnitId, unit: UnitId) -> UnitId {
    if ctx.battle.unit(unit).side == ctx.battle.unit(id).side { unit } else { id }
}
