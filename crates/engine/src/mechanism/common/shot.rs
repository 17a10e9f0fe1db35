//! Shots that hit several units, on a plane or on hexes: their scatter, the units that they may hit, and their reports.

use arrayvec::ArrayVec;
use grognard_rules::model::{RollId, RollOutcome, Scatter, Template, Through};

use crate::geometry::plane::FULL_TURN;
use crate::state::{UNITS_MAX, UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::{Occasion, Scene};
use crate::telling::narrator::words::{degrees, unit_name};

/// Rolls the distance and direction of a shot's scatter: inches or hexes, and tenths of a degree to the right of the
/// line of fire. `length` puts the distance in words.
pub(crate) fn drift(
    ctx: &mut Context<'_>,
    scatter: &Scatter,
    (id, target): (UnitId, UnitId),
    length: impl Fn(i32) -> String,
) -> (i32, i32) {
    let lane = ctx.battle.lane_of(id);
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

/// Whether a shot may hit a unit in its way. It may hit enemies, and `friends` if the pack says so, but never the
/// firer.
pub(crate) fn may_hit(ctx: &Position<'_>, friends: bool, id: UnitId, unit: UnitId) -> bool {
    unit != id && (friends || ctx.battle.unit(unit).side != ctx.battle.unit(id).side)
}

/// Reports which units a template covers.
pub(crate) fn tell_covered(ctx: &mut Context<'_>, template: &Template, (id, target): (UnitId, UnitId), hit: Units) {
    ctx.tell_special((id, Some(target)), &template.source, |scene| {
        let names = if hit.is_empty() { "no unit".to_owned() } else { names(scene, hit) };
        format!("The shot of {} at {} covers {names}.", unit_name(scene, id), unit_name(scene, target))
    });
}

/// Reports which units behind its target a shot hits, if any.
pub(crate) fn tell_passed(ctx: &mut Context<'_>, through: &Through, (id, target): (UnitId, UnitId), behind: &[UnitId]) {
    if behind.is_empty() {
        return;
    }
    ctx.tell_special((id, Some(target)), &through.source, |scene| {
        let names = names(scene, behind.iter().copied());
        format!("The shot of {} goes through {} into {names}.", unit_name(scene, id), unit_name(scene, target))
    });
}

fn names(scene: Scene<'_>, units: impl Iterator<Item = UnitId>) -> String {
    units.map(|unit| unit_name(scene, unit)).collect::<Vec<String>>().join(" and ")
}

/// The result of a shot for each unit that it hits, not yet applied.
pub(crate) type Outcomes = ArrayVec<(UnitId, RollOutcome), UNITS_MAX>;

/// Rolls against each of these units, with a separate roll for each.
pub(crate) fn cast_at(ctx: &mut Context<'_>, id: UnitId, hit: impl Iterator<Item = (UnitId, RollId)>) -> Outcomes {
    let occasion = Occasion::Phase(ctx.battle.phase);
    hit.map(|(unit, roll)| (unit, ctx.cast(occasion, roll, id, Some(unit)))).collect()
}

/// Applies the results of a shot, one unit at a time. On hexes, use `hex::shot::bear` instead.
pub(crate) fn bear(ctx: &mut Context<'_>, id: UnitId, outcomes: &Outcomes) {
    for &(unit, ref outcome) in outcomes {
        ctx.apply(&outcome.foe, unit, cause(ctx, id, unit));
        ctx.apply(&outcome.own, id, unit);
    }
}

/// The unit that counts as the cause of a shot's effect on another: the firer, or the other itself if it is a friend.
pub(crate) fn cause(ctx: &Position<'_>, id: UnitId, unit: UnitId) -> UnitId {
    if ctx.battle.unit(unit).side == ctx.battle.unit(id).side { unit } else { id }
}
