//! A shot that passes through on hexes: it strikes its target and goes on into the units behind it.
//!
//! If the pack has such shots (`through`), a shot hits its target and every enemy behind it: one in range and at most
//! `beyond` hexes farther away than the target, if the line from the firer's hex to its own passes through the target's
//! hex. A line along a side of that hex does not pass through it. Ground that blocks sight stops the shot. The nearest
//! are hit first, at most as many as the pack allows, and friends as well if the pack says so. All rolls are made
//! before any result is carried out; then the results are carried out unit by unit.

use arrayvec::ArrayVec;
use grognard_rules::model::{HexRules, Through};

use crate::geometry::hex::{attached, distance, hex_of, sees};
use crate::mechanism::common::shot::{may_hit, tell_passed};
use crate::mechanism::hex::shot::{range, strike};
use crate::situation::hex::motion;
use crate::state::{UNITS_MAX, UnitId};
use crate::step::{Context, Position};

/// Fires at a target, and at the units behind it.
pub(super) fn fire_at(ctx: &mut Context<'_>, hex: &HexRules, through: &Through, id: UnitId, target: UnitId, roll: u8) {
    let behind = behind(ctx, hex, through, id, target);
    tell_passed(ctx, through, (id, target), &behind);
    let others = behind.into_iter().map(|unit| (unit, through.roll.unwrap_or(roll)));
    strike(ctx, hex, id, std::iter::once((target, roll)).chain(others));
}

/// The units behind a target that a shot at it hits, nearest first.
fn behind(
    ctx: &Position<'_>,
    hex: &HexRules,
    through: &Through,
    id: UnitId,
    target: UnitId,
) -> ArrayVec<UnitId, UNITS_MAX> {
    let (from, first) = (ctx.battle.unit(id).front, ctx.battle.unit(target));
    let near = distance(from, first.front);
    let its_hex = motion::bit(hex_of(&hex.grid, first));
    let hit = |&other: &UnitId| {
        let unit = ctx.battle.unit(other);
        let away = distance(from, unit.front);
        !unit.gone()
            && !attached(unit)
            && may_hit(ctx, through.friends, id, other)
            && away > near
            && through.beyond.is_none_or(|beyond| away - near <= beyond)
            && away <= range(ctx, hex, id, Some(other))
            && !sees(&hex.grid, its_hex, from, unit.front)
            && sees(&hex.grid, hex.opaque, from, unit.front)
    };
    let all = (0..ctx.battle.units.len()).map(|index| UnitId(index as u8));
    let mut hit: ArrayVec<UnitId, UNITS_MAX> = all.filter(hit).collect();
    hit.sort_unstable_by_key(|&unit| (distance(from, ctx.battle.unit(unit).front), unit));
    hit.truncate(usize::from(through.most));
    hit
}
