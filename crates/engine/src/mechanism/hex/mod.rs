//! Battles on hexes: what the phases do, by the provisions of the pack.
//!
//! The mechanisms here know the shapes of the rules (a march of steps and turns, a close combat of declaration, reaction,
//! evasion, strike, retreat, advance or striking back); which of them a pack has, for whom and how much, its provisions say.

pub(crate) mod advance;
pub(crate) mod command;
pub(crate) mod deck;
pub(crate) mod fire;
pub(crate) mod foes;
pub(crate) mod leader;
pub(crate) mod melee;
pub(crate) mod movement;
pub(crate) mod player;
pub(crate) mod retreat;
pub(crate) mod search;
pub(crate) mod strike;
pub(crate) mod target;
pub(crate) mod weigh;

use grognard_dice::Dice;
use grognard_rules::model::{HexRules, Mechanism, Order, Provides};

use crate::geometry::hex::attached;
use crate::mechanism::common::test;
use crate::state::battle::UnitId;
use crate::state::hex::HexFlags;
use crate::step::context::Context;
use crate::telling::event::{Event, HexEvent, Witness};

/// Whether nobody can do anything in this phase.
pub(crate) fn rests<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, mechanism: Mechanism) -> bool {
    let when = ctx.rules.phases[usize::from(ctx.battle.phase)].when.as_ref();
    !matches!(mechanism, Mechanism::Test(_)) && when.is_some_and(|when| when.range() == (0, 0))
}

/// Plays a unit's part in a phase.
pub(crate) fn play<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, hex: &HexRules, id: UnitId, mechanism: Mechanism) {
    if let Mechanism::Test(roll) = mechanism {
        test::play(ctx, id, roll);
        return;
    }
    let when = ctx.rules.phases[usize::from(ctx.battle.phase)].when.as_ref();
    // Who must fight does so though its doctrine says nothing of it.
    let bound = ctx.battle.unit(id).hex.flags.has(HexFlags::BOUND);
    let asked = ctx.has_orders(id) || bound;
    if attached(ctx.battle.unit(id)) || !asked || !ctx.holds(when, id, None) {
        return;
    }
    match mechanism {
        Mechanism::Move => movement::play(ctx, hex, id),
        Mechanism::Fire(roll) => fire::play(ctx, hex, id, roll),
        Mechanism::CloseCombat => melee::play(ctx, hex, id),
        _ => {}
    }
}

/// The first provision for something that applies to a unit: which, and how much it provides.
#[inline]
pub(crate) fn provision<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    hex: &HexRules,
    deed: Provides,
    own: UnitId,
    foe: Option<UnitId>,
) -> Option<(u8, i32)> {
    hex.first(deed, ctx.battle.unit(own).kind, || ctx.view(own, foe))
}

/// Whether a unit has all its figures.
#[inline]
pub(crate) fn whole<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    unit.figures == ctx.rules.kinds[usize::from(unit.kind)].figures
}

/// Tells that a provision decided something.
#[inline]
pub(crate) fn provided<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, row: u8, unit: UnitId) {
    ctx.tell(|| Event::Hex(HexEvent::Provided { unit, row }));
}

/// Tells of every row for something that applies.
pub(crate) fn all_provided<D: Dice, W: Witness>(
    ctx: &mut Context<'_, D, W>,
    hex: &HexRules,
    deed: Provides,
    own: UnitId,
    foe: Option<UnitId>,
) {
    if W::WATCHES {
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

/// The place of the first doctrine row of this phase that applies to a unit and an enemy, for whom nobody looks if the
/// unit's type decides it; the number of rows if none does.
pub(crate) fn place_of_row<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
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

/// The first doctrine row of this phase that applies to a unit and an enemy: its place and its order.
pub(crate) fn row<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    hex: &HexRules,
    own: UnitId,
    foe: Option<UnitId>,
) -> Option<(usize, Order)> {
    let row = place_of_row(ctx, hex, own, || foe);
    ctx.decisions(own).rows.get(row).map(|found| (row, found.order))
}
