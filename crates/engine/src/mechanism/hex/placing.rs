//! Putting a unit on its hex at the end of a march.

use grognard_rules::model::{HexRules, OFF_BOARD, Provides};

use crate::geometry::hex::{self, facing, heading, hex_of};
use crate::geometry::plane::Point;
use crate::mechanism::hex::provisions::{provided, provision};
use crate::situation::hex::march::{March, Motion};
use crate::situation::hex::{motion, reach};
use crate::state::{Flags, HexFlags, UnitId};
use crate::step::asking::ask;
use crate::step::player::Offer;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent};

/// Puts a unit at the end of its march, with all consequences.
pub(crate) fn settle(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, motion: &Motion, march: &March) {
    let from = *ctx.battle.unit(id);
    let old = facing(from.heading);
    if ctx.witness.is_some() {
        tell_provisions(ctx, hex, id, motion, march, old);
    }
    // A second move continues the pattern of the first.
    let again = motion.pattern && hex.any(Provides::MoveAgain);
    let unit = ctx.battle.unit_mut(id);
    unit.heading = heading(march.facing);
    unit.hex.steps = unit.hex.steps.saturating_add(march.spent);
    if march.spent > 0 {
        unit.flags.set(Flags::MOVED);
    }
    if march.aside {
        unit.hex.flags.set(HexFlags::ASIDE);
    }
    if march.spent > motion.allowance {
        unit.hex.flags.set(HexFlags::BOUND);
    }
    if again {
        unit.hex.flags.put(HexFlags::STEPPED, march.stepped || march.steps > 0);
        unit.hex.flags.put(HexFlags::TURNED, march.turned > 0);
        unit.hex.flags.put(HexFlags::TURNED_FIRST, march.turned_first);
    }
    if march.steps > 0 {
        enter(ctx, hex, id, march.hex);
    } else {
        put(ctx, hex, id, march.hex);
    }
    ctx.tell(|| Event::Hex(HexEvent::Moved { unit: id, from: from.front, facing: old }));
}

/// The distance of a unit from a hex.
pub(super) fn away(ctx: &Position<'_>, hex: &HexRules, id: UnitId, from: u8) -> u8 {
    let (x, y) = hex.grid.place(from);
    hex::distance(ctx.battle.unit(id).front, Point { x, y }) as u8
}

/// The hex in which a unit's player chooses to end, out of several that include the doctrine's choice.
pub(super) fn end_chosen(ctx: &mut Context<'_>, id: UnitId, ends: impl IntoIterator<Item = u8>, doctrine: u8) -> u8 {
    let offers: Vec<Offer> = ends.into_iter().map(Offer::Place).collect();
    let place = offers.iter().position(|offer| *offer == Offer::Place(doctrine)).unwrap_or(0);
    match ask(ctx, id, &offers, place, None) {
        Offer::Place(end) => end,
        _ => doctrine,
    }
}

/// Puts a unit into a hex that it enters voluntarily. In some terrain it may then not fight this turn.
pub(super) fn enter(ctx: &mut Position<'_>, hex: &HexRules, id: UnitId, to: u8) {
    if motion::tiring(hex, &ctx.view(id, None)) & motion::bit(to) != 0 {
        ctx.battle.unit_mut(id).hex.flags.set(HexFlags::TIRED);
    }
    put(ctx, hex, id, to);
}

/// Puts a unit into a hex, together with its leader. A lone leader there joins the unit; if the unit is itself a
/// leader, he joins the unit there.
pub(crate) fn put(ctx: &mut Position<'_>, hex: &HexRules, id: UnitId, to: u8) {
    if to == OFF_BOARD {
        return;
    }
    let (q, r) = hex.grid.place(to);
    let at = Point { x: q, y: r };
    let there = hex::occupant(&ctx.battle, at).filter(|&other| other != id);
    let unit = ctx.battle.unit_mut(id);
    unit.front = at;
    if let Some(mate) = unit.hex.mate.get() {
        ctx.battle.unit_mut(mate).front = at;
    } else if let Some(other) = there
        && ctx.battle.unit(other).side == ctx.battle.unit(id).side
        && ctx.battle.unit(other).hex.mate.is_none()
    {
        let leads = |id: UnitId| ctx.battle.unit(id).hex.flags.has(HexFlags::LEADER);
        debug_assert_ne!(leads(id), leads(other), "a leader joins a unit");
        ctx.battle.unit_mut(id).hex.mate = other.into();
        ctx.battle.unit_mut(other).hex.mate = id.into();
    }
}

/// Reports the provisions that a march used.
pub(crate) fn tell_provisions(
    ctx: &mut Context<'_>,
    hex: &HexRules,
    id: UnitId,
    motion: &Motion,
    march: &March,
    old: u8,
) {
    let moves = march.steps > 0;
    let paid = march.spent > march.steps;
    let free = needs_free_turn(ctx, hex, id, motion, march, old);
    // A second move may still use the turns that the hexes of the first one allow.
    let marches = moves || march.stepped;
    // Turns that cancel out count, too, if the unit could not have got there without them.
    let turned = motion.faces && (march.facing != old || free || paid);
    let used = [
        (Provides::Ordered, turned),
        (Provides::Facing, motion.faces),
        (Provides::Move, moves),
        (Provides::Step, moves && motion.faces && !march.aside),
        (Provides::SideStep, march.aside),
        (Provides::KeepFacing, march.aside),
        (Provides::TurnStanding, free && !marches),
        (Provides::TurnMoving, free && marches),
        (Provides::Pattern, free && marches),
        (Provides::Pivot, paid),
        (Provides::Charge, march.spent > motion.allowance),
        (Provides::MoveAgain, moves || paid),
        (Provides::Zone, moves && is_stopped(hex, motion, march)),
    ];
    for (deed, was_used) in used {
        if was_used && let Some((row, _)) = provision(ctx, hex, deed, id, None) {
            provided(ctx, row, id);
        }
    }
}

/// Whether a march ends next to an enemy, with movement points left.
fn is_stopped(hex: &HexRules, motion: &Motion, march: &March) -> bool {
    let near = hex.grid.neighbours(march.hex);
    march.spent < motion.allowance && near.into_iter().any(|at| motion::bit(at) & motion.enemies != 0)
}

/// Whether a march needed free turns to reach its end at this cost. Free turns that cancel out leave no other trace.
fn needs_free_turn(ctx: &Position<'_>, hex: &HexRules, id: UnitId, motion: &Motion, march: &March, old: u8) -> bool {
    let pivot = if march.spent > march.steps { motion.pivot } else { 0 };
    let motion = Motion { standing: 0, turns: 0, pivot, aside: march.aside, ..*motion };
    let from = hex_of(&hex.grid, ctx.battle.unit(id));
    let mut found = false;
    reach::walk(hex, &motion, [(from, 1 << old)], |end| {
        found |= end.hex == march.hex && end.facings >> march.facing & 1 == 1 && end.spent <= march.spent;
    });
    !found
}
