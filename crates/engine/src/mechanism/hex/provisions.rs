//! Provisions: which one applies to a unit, and its amount.

use grognard_rules::model::{HexRules, Order, Provides};

use crate::geometry::hex::{facing, homeward};
use crate::state::{HexFlags, UnitId};
use crate::step::{Context, Position, phase_of};
use crate::telling::event::{Event, HexEvent};

/// The first provision of a kind that applies to a unit, and its amount.
#[inline]
pub(crate) fn provision(
    ctx: &Position<'_>,
    hex: &HexRules,
    deed: Provides,
    own: UnitId,
    foe: Option<UnitId>,
) -> Option<(u8, i32)> {
    hex.first(deed, ctx.battle.unit(own).kind, || ctx.view(own, foe))
}

/// The directions in which a unit falls back, and the provision that gives them.
pub(crate) fn exits(ctx: &Position<'_>, hex: &HexRules, id: UnitId) -> (Option<u8>, [u8; 2]) {
    let unit = ctx.battle.unit(id);
    match provision(ctx, hex, Provides::Exit, id, None) {
        Some((row, 1)) => {
            let before =
                turned_in_combat(ctx, id).filter(|_| provision(ctx, hex, Provides::KeepRear, id, None).is_some());
            let towards = before.unwrap_or(facing(unit.heading));
            (Some(row), [(towards + 3) % 6, (towards + 4) % 6])
        }
        row => (row.map(|(row, _)| row), homeward(unit.side)),
    }
}

/// The facing that a unit had before it turned towards the attack of this combat.
pub(crate) fn turned_in_combat(ctx: &Position<'_>, id: UnitId) -> Option<u8> {
    let combat = ctx.scratch.combat.filter(|combat| combat.turned);
    combat.filter(|_| ctx.battle.unit(id).hex.flags.has(HexFlags::REACTED)).map(|combat| combat.facing)
}

/// Whether a unit has all its figures.
#[inline]
pub(crate) fn whole(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    unit.figures == ctx.rules.kinds[unit.kind].figures
}

/// Reports that a provision decided something.
#[inline]
pub(crate) fn provided(ctx: &mut Context<'_>, row: u8, unit: UnitId) {
    ctx.tell(|| Event::Hex(HexEvent::Provided { unit, row }));
}

/// Reports every provision of a kind that applies.
pub(crate) fn all_provided(ctx: &mut Context<'_>, hex: &HexRules, deed: Provides, own: UnitId, foe: Option<UnitId>) {
    if ctx.witness.is_some() {
        let view = ctx.view(own, foe);
        let applies = |row: &&(u8, &grognard_rules::model::Provision)| {
            row.1.when.as_ref().is_none_or(|when| when.get(&view) != 0)
        };
        let rows: Vec<u8> = hex.all(deed).filter(|row| applies(&row)).map(|(row, _)| row).collect();
        for row in rows {
            provided(ctx, row, own);
        }
    }
}

/// The index of the first doctrine row of this phase that applies to a unit and an enemy, or the number of rows if none
/// does. The enemy is not computed if the unit's type alone decides.
pub(crate) fn place_of_row(
    ctx: &Position<'_>,
    hex: &HexRules,
    own: UnitId,
    foe: impl FnOnce() -> Option<UnitId>,
) -> usize {
    let unit = ctx.battle.unit(own);
    let read = || ctx.decisions(own).first.get(&ctx.view(own, foe())) as usize;
    match hex.row_by_type(unit.doctrine, ctx.battle.phase, unit.kind) {
        Some(row) => row,
        None => read(),
    }
}

/// The first doctrine row of this phase that applies to a unit and an enemy: its index and its order.
pub(crate) fn row(ctx: &Position<'_>, hex: &HexRules, own: UnitId, foe: Option<UnitId>) -> Option<(usize, Order)> {
    let row = place_of_row(ctx, hex, own, || foe);
    ctx.decisions(own).rows.get(row).map(|found| (row, found.order))
}

/// Whether a unit meets the condition of this phase.
pub(crate) fn takes_part(ctx: &Position<'_>, id: UnitId) -> bool {
    ctx.holds(phase_of(ctx).when.as_ref(), id, None)
}
