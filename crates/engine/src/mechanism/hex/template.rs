//! Templates on hexes: one shot hits every unit in a hex and in those around it.
//!
//! A unit aims at the hex of its target. With `scatter`, dice give the number of hexes, and a six-sided die the
//! direction: 1 is the direction nearest to the line of fire, and the others follow clockwise. Every enemy within the
//! radius is hit. Friends are hit too if the pack says so, but never the unit that fires. A leader with a unit is at
//! risk only with the unit. The roll of the phase is made against each unit that is hit, before any result is applied.
//! The results are then applied one at a time, until a banner decides the battle: to enemies first, then to friends,
//! and within each group to those farthest from the firer first. Units that fall back therefore do not block each
//! other. At equal distance, the firing side's order of hexes decides. A friend's result has no causing unit.
//!
//! Example: two enemies are side by side, and a shot with a radius of 1 is aimed at the western one. It hits both if it
//! scatters one hex to the east, and only the eastern one if it scatters two.

use std::cmp::Reverse;

use grognard_rules::model::{DIRECTIONS, HexRules, RollId, Scatter, Template};

use crate::geometry::hex::{attached, distance, hex_of, place_seen_by, towards};
use crate::geometry::plane::Point;
use crate::mechanism::common::shot::{cast_at, drift, may_hit, tell_covered};
use crate::mechanism::hex::shot::bear;
use crate::state::{UnitId, Units};
use crate::step::{Context, Position};

/// Resolves a unit's shot at its target.
pub(super) fn drop_on(
    ctx: &mut Context<'_>,
    hex: &HexRules,
    template: &Template,
    id: UnitId,
    target: UnitId,
    roll: RollId,
) {
    let aim = ctx.battle.unit(target).front;
    let at = template.scatter.as_ref().map_or(aim, |scatter| stray(ctx, scatter, id, target, aim));
    let hit = beneath(ctx, template, id, at);
    tell_covered(ctx, template, (id, target), hit);
    let mut outcomes = cast_at(ctx, id, hit.map(|unit| (unit, roll)));
    outcomes.sort_unstable_by_key(|&(unit, _)| place_among_hit(ctx, hex, id, unit));
    bear(ctx, hex, id, outcomes);
}

/// The key that decides the order in which results are applied. The lowest comes first.
fn place_among_hit(ctx: &Position<'_>, hex: &HexRules, id: UnitId, unit: UnitId) -> (bool, Reverse<i32>, u8) {
    let (firer, unit) = (ctx.battle.unit(id), ctx.battle.unit(unit));
    let seen = place_seen_by(firer.side, hex_of(&hex.grid, unit));
    (unit.side == firer.side, Reverse(distance(firer.front, unit.front)), seen)
}

/// The hex where a shot lands after scattering from the hex aimed at, possibly beyond the edge of the board.
fn stray(ctx: &mut Context<'_>, scatter: &Scatter, id: UnitId, target: UnitId, aim: Point) -> Point {
    let from = ctx.battle.unit(id).front;
    let words = |hexes: i32| if hexes == 1 { "1 hex".to_owned() } else { format!("{hexes} hexes") };
    let (hexes, turn) = drift(ctx, scatter, (id, target), words);
    // Directions are numbered counter-clockwise, sixty degrees each.
    let way = (i32::from(towards(from, aim)) - turn / 600).rem_euclid(6);
    let (q, r) = DIRECTIONS[way as usize];
    Point { x: aim.x + hexes * i32::from(q), y: aim.y + hexes * i32::from(r) }
}

/// The units that a template centred on `at` covers and may hit.
fn beneath(ctx: &Position<'_>, template: &Template, id: UnitId, at: Point) -> Units {
    let here = |unit: UnitId| {
        let unit = ctx.battle.unit(unit);
        !unit.gone() && !attached(unit) && distance(unit.front, at) <= template.radius
    };
    Units::first(ctx.battle.units.len()).those(|unit| may_hit(ctx, template.friends, id, unit) && here(unit))
}
