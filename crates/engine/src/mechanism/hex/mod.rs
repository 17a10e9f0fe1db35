//! Battles on hexes, played phase by phase according to the pack's provisions.
//!
//! The mechanisms here implement the structure of the rules. A march consists of steps and turns; a close combat of
//! declaration, reaction, evasion, strike, retreat, and advance or battle back. The provisions of a pack define which
//! of these parts apply, to which units and by how much.

pub(crate) mod advance;
pub(crate) mod at_once;
pub(crate) mod command;
pub(crate) mod deck;
pub(crate) mod fire;
pub(crate) mod foes;
pub(crate) mod leader;
pub(crate) mod melee;
pub(crate) mod movement;
pub(crate) mod placing;
pub(crate) mod player;
pub(crate) mod provisions;
pub(crate) mod retreat;
pub(crate) mod search;
pub(crate) mod shot;
pub(crate) mod strike;
pub(crate) mod target;
pub(crate) mod template;
pub(crate) mod through;
pub(crate) mod weigh;

use grognard_rules::model::{HexRules, Mechanism};

use crate::geometry::hex::attached;
use crate::mechanism::common::test;
use crate::mechanism::hex::provisions::takes_part;
use crate::state::{HexFlags, UnitId};
use crate::step::{Context, Position, phase_of};

/// Whether no unit can do anything in this phase.
pub(crate) fn rests(ctx: &Position<'_>, mechanism: Mechanism) -> bool {
    let when = phase_of(ctx).when.as_ref();
    !matches!(mechanism, Mechanism::Test(_)) && when.is_some_and(|when| when.range() == (0, 0))
}

/// Plays a unit's part in a phase.
pub(crate) fn play(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, mechanism: Mechanism) {
    if let Mechanism::Test(roll) = mechanism {
        test::play(ctx, id, roll);
        return;
    }
    // A unit that must fight does so even without an order in its doctrine.
    let bound = ctx.battle.unit(id).hex.flags.has(HexFlags::BOUND);
    let asked = ctx.has_orders(id) || bound;
    if attached(ctx.battle.unit(id)) || !asked || !takes_part(ctx, id) {
        return;
    }
    match mechanism {
        Mechanism::Move => movement::play(ctx, hex, id),
        Mechanism::Fire(roll) => fire::play(ctx, hex, id, roll),
        Mechanism::CloseCombat if phase_of(ctx).simultaneous => at_once::play(ctx, hex, id),
        Mechanism::CloseCombat => melee::play(ctx, hex, id),
        _ => {}
    }
}
