//! Units that split and merge as ordered by their doctrine (`split` and `merge` in a `regroup` phase).
//!
//! A unit splits if the study reserves an entry for another of its type (`arrives = "split"`) and there is room next to
//! it. The part is placed on its right, or else on its left, or else behind it; on hexes, in a free hex next to it.
//! From then on the part is a separate unit. The pack determines its figures. In everything else it is like the unit
//! that it has split from: formation, facing, morale, command, and what it has done in this half of the turn. Losses
//! stay with the unit that suffered them. Counters that are `shared` are divided in proportion to the figures, rounded
//! down for the part; for all others, each part keeps the full value.
//!
//! A unit merges with the nearest friend of its type that is near enough. Together, the two may have no more figures
//! than their type, and there must be room for all of them where the friend is. The unit joins the friend, and its
//! entry becomes free for another part. The merged unit has the worse morale of the two. Shared counters are added, up
//! to the maximum; for all others, the higher value counts. Precedence decides between friends at the same distance,
//! not their order in the list.
//!
//! Units also go in order of precedence, and each splits or merges at most once in a phase. Broken units do neither,
//! nor do batteries, leaders, units in a charge, squares with others inside, and units that may deploy skirmishers. A
//! unit with a leader or a general does not join another unit; others join it.
//!
//! Example: a squad of 8 splits off half, and both squads have 4. If one of them loses 2 and they merge, the squad has
//! 6.

use grognard_rules::model::{Board, Counters, Merge, Order, Regroup, Source, Split};

use crate::geometry::hex;
use crate::geometry::plane::Arc;
use crate::mechanism::common::arrival::stand_beside;
use crate::mechanism::common::moving::is_off_table;
use crate::mechanism::common::reshape::keep_shape;
use crate::mechanism::common::room::overlaps_anybody;
use crate::mechanism::common::turn_order::count_as_activated;
use crate::state::{Bend, Flags, HexFlags, HexState, Maybe, NOBODY_BESIDE, Side, Unit, UnitId, Units};
use crate::step::asking::decide;
use crate::step::nearest::nearest_enemy;
use crate::step::{Context, Position, phase_of};
use crate::telling::event::Scene;
use crate::telling::narrator::words::{counted, unit_name};

/// The new states of two units: the one that splits or joins, and its part or its friend.
struct Change {
    unit: Unit,
    other: (UnitId, Unit),
}

/// Lets the units of a side split and merge, each at most once.
pub(crate) fn play(ctx: &mut Context<'_>, side: Side) {
    let units = ctx.neighbours().in_order(ctx.battle.side(side).filter(|&id| ctx.battle.takes_part(id)));
    let mut changed = Units::default();
    for id in units {
        if !changed.has(id) {
            changed = play_one(ctx, id, changed);
        }
    }
}

/// Lets a unit split or merge. Returns all units that have done so, including earlier ones.
fn play_one(ctx: &mut Context<'_>, id: UnitId, changed: Units) -> Units {
    let phase = phase_of(ctx);
    let Some(Regroup { split, merge }) = phase.regroup.as_deref() else { return changed };
    if !ctx.has_orders(id) || !may_regroup(ctx, id) || !ctx.holds_for(phase.when.as_ref(), id, nearest_enemy) {
        return changed;
    }
    let parted = split.as_ref().and_then(|split| parted(ctx, split, id));
    let merged = merge.as_ref().and_then(|merge| merged(ctx, merge, id, changed));
    let allows = |order: Order| match order {
        Order::Split => parted.is_some(),
        Order::Merge => merged.is_some(),
        _ => false,
    };
    let other = match decide(ctx, id, |ctx| nearest_enemy(ctx, id), |_, _| true, |_, row, _| allows(row.order)) {
        Some((_, Order::Split, _)) => {
            let source = split.as_ref().map(|split| &split.source);
            carry_out(ctx, id, source, parted.as_ref(), |unit, part, figures| match part {
                Some(part) => format!("{unit} splits: {figures} go to {part}."),
                None => format!("{unit} cannot split."),
            })
        }
        Some((_, Order::Merge, _)) => {
            let source = merge.as_ref().map(|merge| &merge.source);
            carry_out(ctx, id, source, merged.as_ref(), |unit, friend, figures| match friend {
                Some(friend) => format!("{unit} joins {friend}, which has {figures} now."),
                None => format!("{unit} finds no friend to join."),
            })
        }
        _ => None,
    };
    other.map_or(changed, |other| changed.plus(Units::one(id)).plus(Units::one(other)))
}

/// Whether a unit may split, join others or be joined.
fn may_regroup(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    let charges = Flags::CHARGING.with(Flags::CHARGED).with(Flags::CONTACT);
    !unit.gone()
        && !unit.broken(ctx.rules)
        && unit.kin == id
        && (unit.cannon, unit.guests) == (0, 0)
        && unit.forming.is_none()
        && !unit.flags.has(charges)
        && !unit.hex.flags.has(HexFlags::LEADER)
}

/// The new states of a unit and its part if it splits; `None` if it cannot.
fn parted(ctx: &mut Position<'_>, split: &Split, id: UnitId) -> Option<Change> {
    let (whole, nearest) = (*ctx.battle.unit(id), nearest_enemy(ctx, id));
    if !ctx.holds(split.when.as_ref(), id, nearest) {
        return None;
    }
    let figures = u16::try_from(split.figures.get(&ctx.view(id, nearest))).ok()?;
    if figures == 0 || figures >= whole.figures {
        return None;
    }
    let is_place = |&place: &UnitId| {
        let place = ctx.battle.unit(place);
        place.is_place() && place.kind == whole.kind
    };
    // Free entries differ only in the losses recorded for them.
    let place =
        ctx.battle.side(whole.side).filter(is_place).min_by_key(|&place| (ctx.battle.unit(place).start, place))?;
    let empty = *ctx.battle.unit(place);
    let full = ctx.rules.kinds[whole.kind].figures;
    // No unit begins with more figures than its type has.
    let over = (empty.start + figures).saturating_sub(full);
    let counters = divided(ctx, whole.counters, figures.into(), whole.figures.into());
    let rest =
        Unit { figures: whole.figures - figures, start: whole.start - figures + over, counters: counters.0, ..whole };
    let part = Unit {
        number: empty.number,
        figures,
        start: empty.start + figures - over,
        counters: counters.1,
        flags: whole.flags.with(Flags::LATE),
        foe: place,
        kin: place,
        met: Arc::Front,
        beside: NOBODY_BESIDE,
        bend: Bend::NONE,
        fills: 0,
        hex: HexState { mate: Maybe::NONE, ..whole.hex },
        ..whole
    };
    *ctx.battle.unit_mut(id) = rest;
    *ctx.battle.unit_mut(place) = part;
    let placed = stand_beside(ctx, place, id);
    ctx.battle.unit_mut(place).flags.clear(Flags::LATE);
    let change = Change { unit: rest, other: (place, *ctx.battle.unit(place)) };
    *ctx.battle.unit_mut(id) = whole;
    *ctx.battle.unit_mut(place) = empty;
    placed.then_some(change)
}

/// The counters of the rest of a unit that splits, and those of its part. The part gets `figures` of the whole unit's
/// figures, which are `of`.
fn divided(ctx: &Position<'_>, counters: Counters, figures: i32, of: i32) -> (Counters, Counters) {
    let (mut rest, mut part) = (counters, counters);
    for (index, counter) in (0..).zip(ctx.rules.counters.iter()).filter(|(_, counter)| counter.shared) {
        let value = counters.get(index);
        let share = (value * figures / of).clamp(counter.min, counter.max);
        part.set(index, share);
        rest.set(index, (value - share).clamp(counter.min, counter.max));
    }
    (rest, part)
}

/// The new states of a unit and the friend that it joins; `None` if there is no such friend.
fn merged(ctx: &mut Position<'_>, merge: &Merge, id: UnitId, changed: Units) -> Option<Change> {
    let unit = *ctx.battle.unit(id);
    if unit.hex.mate.is_some() || ctx.battle.general_with(id).is_some() {
        return None;
    }
    let full = ctx.rules.kinds[unit.kind].figures;
    let fits = |&friend: &UnitId| {
        let there = ctx.battle.unit(friend);
        friend != id
            && !changed.has(friend)
            && there.kind == unit.kind
            && there.figures + unit.figures <= full
            && may_regroup(ctx, friend)
            && away(ctx, id, friend) <= reach(ctx, merge)
            && ctx.holds(merge.when.as_ref(), id, Some(friend))
    };
    let friends = ctx.battle.side(unit.side).filter(fits).map(|friend| (away(ctx, id, friend), friend));
    let mut friends: Vec<(i32, UnitId)> = friends.collect();
    friends.sort_unstable_by(|one, other| ctx.neighbours().compare(one, other));
    let left = Unit { flags: Flags::LATE, broke: 0, ..*ctx.setup.start.unit(id) };
    friends.into_iter().find_map(|(_, friend)| {
        let before = *ctx.battle.unit(friend);
        let begun = before.start + unit.start;
        let joined = Unit {
            figures: before.figures + unit.figures,
            start: begun.min(full),
            morale: before.morale.max(unit.morale),
            counters: added(ctx, before.counters, unit.counters),
            flags: before.flags.with(unit.flags),
            hex: HexState { flags: before.hex.flags.with(unit.hex.flags), ..before.hex },
            broke: [before.broke, unit.broke].into_iter().filter(|&turn| turn > 0).min().unwrap_or(0),
            ..before
        };
        let left = Unit { figures: 0, start: begun - joined.start, ..left };
        *ctx.battle.unit_mut(id) = left;
        *ctx.battle.unit_mut(friend) = joined;
        let room = !overlaps_anybody(ctx, friend) && !is_off_table(ctx.rules, &ctx.rect(friend));
        *ctx.battle.unit_mut(id) = unit;
        *ctx.battle.unit_mut(friend) = before;
        room.then_some(Change { unit: left, other: (friend, joined) })
    })
}

/// The distance to a friend: hundredths of an inch, or hexes.
fn away(ctx: &Position<'_>, id: UnitId, friend: UnitId) -> i32 {
    match ctx.rules.board {
        Board::None => 0,
        Board::Hex => hex::distance(ctx.battle.unit(id).front, ctx.battle.unit(friend).front),
        Board::Plane { .. } => ctx.rect(id).distance(&ctx.rect(friend)),
    }
}

/// The maximum distance to a friend that a unit joins.
fn reach(ctx: &Position<'_>, merge: &Merge) -> i32 {
    if matches!(ctx.rules.board, Board::Hex) { 1 } else { merge.within }
}

/// The counters of two units that have become one.
fn added(ctx: &Position<'_>, one: Counters, other: Counters) -> Counters {
    let mut sum = one;
    for (index, counter) in (0..).zip(ctx.rules.counters.iter()) {
        let (first, second) = (one.get(index), other.get(index));
        let value = if counter.shared { first + second } else { first.max(second) };
        sum.set(index, value.clamp(counter.min, counter.max));
    }
    sum
}

/// Carries out an order and reports it. Returns the part or the friend, if there is one. `tell` receives the names of
/// the two units and the second's current figures.
fn carry_out(
    ctx: &mut Context<'_>,
    id: UnitId,
    source: Option<&Source>,
    change: Option<&Change>,
    tell: impl FnOnce(String, Option<String>, String) -> String,
) -> Option<UnitId> {
    let other = change.map(|change| change.other.0);
    if let Some(&Change { unit, other: (other, there) }) = change {
        *ctx.battle.unit_mut(id) = unit;
        *ctx.battle.unit_mut(other) = there;
        if unit.is_place() {
            for enemy in ctx.battle.enemies(unit.side) {
                ctx.battle.unit_mut(enemy).forget_meeting(id);
            }
        } else {
            keep_shape(ctx, id);
        }
        keep_shape(ctx, other);
        count_as_activated(ctx, other);
    }
    ctx.tell_special((id, other), source?, |scene: Scene<'_>| {
        let figures = other.map_or(0, |other| scene.battle.unit(other).figures);
        let other = other.map(|other| unit_name(scene, other));
        tell(unit_name(scene, id), other, counted(figures.into(), "figure"))
    });
    other
}
