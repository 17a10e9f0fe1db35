//! Resolve: compares the sides of every combat. Each unit stores the margin by which its side leads or trails the best
//! of the other sides.
//!
//! An unbroken unit that touches an enemy is in the same combat as that enemy and all units that touch either of them.
//! On the board `none`, all units are in one combat; on hexes, adjacent units are. Each row of `bonus` gives a side a
//! value of its units, or the losses of the enemy's units, as a sum or a maximum. The difference goes into a counter of
//! every unit in the combat; for units that are not in a combat, it is 0. Later phases read it, so that a side that
//! trails can use it as a modifier in a test. After a draw, neither side trails.
//!
//! Example: red has caused two wounds and has one rank more; blue has caused one wound and has a standard. Red leads by
//! 3 to 2, so its units' counters are 1 and blue's are -1.

use grognard_rules::model::{Board, Bonus, Resolution};

use crate::geometry::hex;
use crate::mechanism::common::counters;
use crate::state::{BySide, Flags, Side, UnitId, Units};
use crate::step::nearest::{closest_enemy, nearest_edge};
use crate::step::{Context, Position, phase_of};
use crate::telling::event::Scene;
use crate::telling::narrator::words::unit_name;

/// A bonus that counted for a side: the row, the units that contributed, and the amount.
type Counted = (usize, Vec<UnitId>, i32);

pub(crate) fn play(ctx: &mut Context<'_>) {
    let phase = phase_of(ctx);
    let Some(resolution) = phase.resolution.as_deref() else { return };
    let mut leads = vec![0; ctx.battle.units.len()];
    for combat in combats(ctx) {
        let counted = ctx.battle.by_side(|side| count(ctx, resolution, combat, side));
        let sums = ctx.battle.by_side(|side| counted[side].iter().map(|(_, _, value)| *value).sum::<i32>());
        for id in combat {
            let side = ctx.battle.unit(id).side;
            leads[id.index()] = sums[side] - best_of_others(ctx, combat, &sums, side);
        }
        tell(ctx, resolution, combat, &counted, &sums);
    }
    for (index, lead) in leads.into_iter().enumerate() {
        counters::put_into(ctx, resolution.into, lead, UnitId(index as u8));
    }
}

/// The combats that are resolved, each with units of several sides.
fn combats(ctx: &Position<'_>) -> Vec<Units> {
    let phase = phase_of(ctx);
    let fights = |id: UnitId| {
        let unit = ctx.battle.unit(id);
        let whole = !ctx.battle.is_part(id) && !unit.flags.has(Flags::INSIDE) && !hex::attached(unit);
        whole && !unit.broken(ctx.rules) && ctx.holds_for(phase.when.as_ref(), id, closest_enemy)
    };
    let mut left = Units::first(ctx.battle.units.len()).those(fights);
    let mut found = Vec::new();
    while let Some(first) = left.next() {
        let mut combat = Units::one(first);
        let mut open = combat;
        while let Some(id) = open.next() {
            let met = left.those(|other| meets(ctx, id, other));
            (left, combat, open) = (left.but(met), combat.plus(met), open.plus(met));
        }
        // If units are activated one at a time, only the combat of the activated unit is resolved.
        let active = |id: UnitId| ctx.battle.unit(id).side == ctx.battle.active && ctx.battle.takes_part(id);
        if sides_in(ctx, combat).nth(1).is_some() && !combat.those(active).is_empty() {
            found.push(combat);
        }
    }
    found
}

/// The sides with units in a combat.
fn sides_in(ctx: &Position<'_>, combat: Units) -> impl Iterator<Item = Side> {
    let battle = &ctx.battle;
    battle.sides().iter().copied().filter(move |&side| !combat.among(battle.units_of(side)).is_empty())
}

/// The greatest sum of the other sides in a combat.
fn best_of_others(ctx: &Position<'_>, combat: Units, sums: &BySide<i32>, side: Side) -> i32 {
    sides_in(ctx, combat).filter(|&other| other != side).map(|other| sums[other]).max().unwrap_or(0)
}

/// Whether two units fight each other.
fn meets(ctx: &Position<'_>, one: UnitId, other: UnitId) -> bool {
    let (a, b) = (ctx.battle.unit(one), ctx.battle.unit(other));
    a.side != b.side
        && match ctx.rules.board {
            Board::None => true,
            Board::Hex => hex::distance(a.front, b.front) == 1,
            Board::Plane { .. } => ctx.view(one, Some(other)).distance() <= ctx.rules.movement.touch,
        }
}

/// The bonuses of a side in a combat.
fn count(ctx: &Position<'_>, resolution: &Resolution, combat: Units, side: Side) -> Vec<Counted> {
    let count = |(row, bonus): (usize, &Bonus)| {
        let of = if bonus.of_foes { ctx.battle.enemy_units(side) } else { ctx.battle.units_of(side) };
        let brought = combat.among(of).filter_map(|id| {
            let foe = nearest_in(ctx, combat, id);
            let value = if ctx.holds(bonus.when.as_ref(), id, foe) { bonus.add.get(&ctx.view(id, foe)) } else { 0 };
            (value != 0).then_some((id, value))
        });
        let brought: Vec<(UnitId, i32)> = brought.collect();
        let most = brought.iter().map(|(_, value)| *value).max().filter(|_| bonus.most);
        let brought: Vec<(UnitId, i32)> = match most.and_then(|most| brought.iter().find(|(_, value)| *value == most)) {
            Some(&first) => vec![first],
            None => brought,
        };
        let value = brought.iter().map(|(_, value)| *value).sum();
        (row, brought.into_iter().map(|(id, _)| id).collect(), value)
    };
    resolution.bonuses.iter().enumerate().map(count).filter(|(_, _, value)| *value != 0).collect()
}

/// The enemy in a combat that is nearest to a unit.
fn nearest_in(ctx: &Position<'_>, combat: Units, id: UnitId) -> Option<UnitId> {
    let enemies = combat.among(ctx.battle.enemy_units(ctx.battle.unit(id).side));
    nearest_edge(ctx, id, enemies)
}

/// Reports the bonuses, row by row, and the outcome of the combat.
fn tell(
    ctx: &mut Context<'_>,
    resolution: &Resolution,
    combat: Units,
    counted: &BySide<Vec<Counted>>,
    sums: &BySide<i32>,
) {
    if ctx.witness.is_none() {
        return;
    }
    let units = ctx.battle.by_side(|side| combat.among(ctx.battle.units_of(side)));
    let names = |scene: Scene<'_>, units: Units| units.map(|id| unit_name(scene, id)).collect::<Vec<_>>().join(" and ");
    for &side in ctx.battle.sides() {
        for (row, brought, value) in &counted[side] {
            let bonus = &resolution.bonuses[*row];
            let Some(&first) = brought.first() else { continue };
            let foe = nearest_in(ctx, combat, first);
            ctx.tell_special((first, foe), &bonus.source, |scene| {
                let counts = if units[side].only().is_some() { "counts" } else { "count" };
                format!("{} {counts} {value} for {}.", names(scene, units[side]), bonus.title)
            });
        }
    }
    let (Some(first), source) = ({ combat }.next(), &phase_of(ctx).source) else {
        return;
    };
    let foe = nearest_in(ctx, combat, first);
    ctx.tell_special((first, foe), source, |scene: Scene<'_>| {
        let sides: Vec<Side> = scene.battle.sides().iter().copied().filter(|&side| !units[side].is_empty()).collect();
        let most = sides.iter().map(|&side| sums[side]).max().unwrap_or(0);
        let beaten = sides.iter().filter(|&&side| sums[side] < most);
        let lost: Vec<String> =
            beaten.map(|&side| format!("{} loses by {}", scene.setup.names[side], most - sums[side])).collect();
        let none = if sides.len() > 2 { "no side loses" } else { "neither side loses" };
        let ends = if lost.is_empty() { none.to_owned() } else { lost.join(", ") };
        let of: Vec<String> =
            sides.iter().map(|&side| format!("{} {}", names(scene, units[side]), sums[side])).collect();
        format!("{}: {ends}.", of.join(" against "))
    });
}
