//! Shots that pass through on hexes: a shot strikes its target and continues into the units behind it.
//!
//! With `through`, a shot hits its target and every enemy behind it that is in range and no more than `beyond` hexes
//! farther away than the target. The line from the firer's hex to that enemy's hex must run through the target's hex. A
//! line along a side of that hex does not run through it. Terrain that blocks sight stops the shot. The nearest are hit
//! first, up to the pack's maximum. Friends are hit too if the pack says so. At equal distance, the unit nearest to the
//! line of fire is hit first; the firing side's order of hexes breaks ties. All rolls are made before any result is
//! applied; the results are then applied one at a time.

use arrayvec::ArrayVec;
use grognard_rules::model::{HexRules, RollId, Through};

use crate::geometry::hex::{attached, distance, hex_of, place_seen_by, sees};
use crate::mechanism::common::shot::{cast_at, may_hit, tell_passed};
use crate::mechanism::hex::shot::{bear, range};
use crate::situation::hex::motion;
use crate::state::{UNITS_MAX, UnitId};
use crate::step::{Context, Position};

/// Fires at a target, and at the units behind it.
pub(super) fn fire_at(
    ctx: &mut Context<'_>,
    hex: &HexRules,
    through: &Through,
    id: UnitId,
    target: UnitId,
    roll: RollId,
) {
    let behind = behind(ctx, hex, through, id, target);
    tell_passed(ctx, through, (id, target), &behind);
    let others = behind.into_iter().map(|unit| (unit, through.roll.unwrap_or(roll)));
    let outcomes = cast_at(ctx, id, std::iter::once((target, roll)).chain(others));
    bear(ctx, hex, id, outcomes);
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
    let side = ctx.battle.unit(id).side;
    let aim = (first.front.x - from.x, first.front.y - from.y);
    hit.sort_unstable_by_key(|&unit| {
        let unit = ctx.battle.unit(unit);
        let (q, r) = (unit.front.x - from.x, unit.front.y - from.y);
        let aside = (aim.0 * r - aim.1 * q).abs();
        (distance(from, unit.front), aside, place_seen_by(side, hex_of(&hex.grid, unit)))
    });
    hit.truncate(usize::from(through.most));
    hit
}
