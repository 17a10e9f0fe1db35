//! Counters: numbers that a unit has besides figures and morale, such as ammunition, fatigue or suppression.
//!
//! Results of rolls and reactions add to them or set them. So do rows of the counter itself: at the start or end of the
//! half-turn of the unit's side, or after a phase. A counter stays within its range. If it would leave the range, the
//! pack says whether it stops there or what else happens to the unit. Each time a counter changes, its effects whose
//! conditions are true are applied in order. Their changes to the same counter trigger no further effects, so counters
//! cannot trigger each other endlessly.
//!
//! Example: three points of stress wreck a walker. `[counter.stress]` goes from 0 to 3, a hit adds 1, and the effect
//! `self.stress == 3` destroys the unit.

use grognard_rules::model::{Beyond, COUNTERS_MAX, Counter, Counts, Moment, NewCount, Source, Whose};

use crate::state::{Side, UnitId};
use crate::step::Context;
use crate::step::effects::apply_to_one;
use crate::step::nearest::nearest_enemy;
use crate::telling::narrator::words::unit_name;

/// Applies an effect to a unit's counters. `cause` is the unit that causes it, which may be the unit itself.
pub(crate) fn count(ctx: &mut Context<'_>, counts: &Counts, id: UnitId, cause: UnitId) {
    for index in (0..COUNTERS_MAX as u8).filter(|index| counts.changed >> index & 1 == 1) {
        let by = i32::from(counts.by[usize::from(index)]);
        let now = ctx.battle.unit(id).counters.get(index);
        let to = if counts.set >> index & 1 == 1 { by } else { now + by };
        let source = &ctx.rules.counters[usize::from(index)].source;
        put(ctx, index, to, (id, cause), source);
    }
}

/// Changes the active side's counters at the start or end of a half-turn. If units go one at a time, changes the
/// counters of all sides at the start or end of a turn.
pub(crate) fn turn(ctx: &mut Context<'_>, moment: Moment) {
    let active = ctx.battle.active;
    change(ctx, |at| at == moment, active);
    if ctx.rules.goes_by_unit() {
        for &side in ctx.battle.rivals(active) {
            change(ctx, |at| at == moment, side);
        }
    }
    ctx.answer_losses();
}

/// Changes counters after a phase.
pub(crate) fn after_phase(ctx: &mut Context<'_>) {
    let (phase, active) = (ctx.battle.phase, ctx.battle.active);
    for &side in ctx.battle.sides_from(active) {
        let takes_part = |whose| match whose {
            Whose::Active => side == active,
            Whose::Passive => side != active,
            Whose::Both => true,
        };
        change(ctx, |at| matches!(at, Moment::Phase(of, whose) if of == phase && takes_part(whose)), side);
    }
}

/// Sets a counter of a unit to a value.
pub(crate) fn put_into(ctx: &mut Context<'_>, index: u8, to: i32, id: UnitId) {
    let source = &ctx.rules.counters[usize::from(index)].source;
    put(ctx, index, to, (id, id), source);
}

/// Applies the rows for this point in the turn to the units of a side.
fn change(ctx: &mut Context<'_>, is_now: impl Fn(Moment) -> bool, side: Side) {
    let rules = ctx.rules;
    for (index, counter) in (0..).zip(rules.counters.iter()) {
        for row in counter.changes.iter().filter(|row| is_now(row.at)) {
            for id in ctx.battle.side(side) {
                if ctx.battle.unit(id).gone()
                    || !ctx.battle.takes_part(id)
                    || !ctx.holds_for(row.when.as_ref(), id, nearest_enemy)
                {
                    continue;
                }
                let now = ctx.battle.unit(id).counters.get(index);
                let to = match &row.to {
                    NewCount::Set(to) => *to,
                    NewCount::Add(by) => now.saturating_add(by.get(&ctx.view(id, nearest_enemy(ctx, id)))),
                };
                put(ctx, index, to, (id, id), &row.source);
            }
        }
    }
}

/// Sets a counter of a unit to a value, within its range, and applies the effects.
fn put(ctx: &mut Context<'_>, index: u8, wanted: i32, (id, cause): (UnitId, UnitId), source: &Source) {
    let rules = ctx.rules;
    let counter = &rules.counters[usize::from(index)];
    let foe = Some(cause).filter(|&cause| cause != id);
    if ctx.battle.unit(id).gone() || !ctx.holds(counter.when.as_ref(), id, foe) {
        return;
    }
    let from = ctx.battle.unit(id).counters.get(index);
    let to = wanted.clamp(counter.min, counter.max);
    if to != from {
        ctx.battle.counters_mut(id).set(index, to);
        // A unit's counters may decide whether it counts as lost.
        ctx.scratch.broken |= rules.victory.lost.is_some();
    }
    if to != from || wanted != to {
        ctx.tell_special((id, foe), source, |scene| account(counter, &unit_name(scene, id), from, to, wanted));
    }
    let bit = 1 << index;
    if ctx.scratch.counting & bit != 0 {
        return;
    }
    ctx.scratch.counting |= bit;
    let end = if wanted < to { &counter.below } else { &counter.above };
    if wanted != to
        && let Some(Beyond { effect: Some(effect) }) = end
    {
        apply_to_one(ctx, effect, id, cause);
    }
    if to != from {
        for row in &counter.effects {
            if !ctx.battle.unit(id).gone() && ctx.holds(row.when.as_ref(), id, foe) {
                ctx.tell_special((id, foe), &row.source, |scene| format!("{} {}.", unit_name(scene, id), row.title));
                apply_to_one(ctx, &row.effect, id, cause);
            }
        }
    }
    ctx.scratch.counting &= !bit;
}

/// The sentence about a change.
fn account(counter: &Counter, unit: &str, from: i32, to: i32, wanted: i32) -> String {
    let title = &counter.title;
    let end = match wanted.cmp(&to) {
        std::cmp::Ordering::Less => ", its minimum",
        std::cmp::Ordering::Equal => "",
        std::cmp::Ordering::Greater => ", its maximum",
    };
    match to.cmp(&from) {
        std::cmp::Ordering::Less => format!("{unit}: {title} falls from {from} to {to}{end}."),
        std::cmp::Ordering::Equal => format!("{unit}: {title} stays at {to}{end}."),
        std::cmp::Ordering::Greater => format!("{unit}: {title} rises from {from} to {to}{end}."),
    }
}
