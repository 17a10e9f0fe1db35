//! Targets of close combat: the enemies that may be attacked, and the number of dice (clauses II.A-1, II.G).

use arrayvec::ArrayVec;
use grognard_rules::model::{HexRules, Provides};

use crate::geometry::hex::{self, shown};
use crate::geometry::plane::Arc;
use crate::mechanism::hex::provisions::{provision, whole};
use crate::state::{HexFlags, Unit, UnitId};
use crate::step::Position;

/// An enemy that may be attacked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) id: UnitId,
    /// The number of dice of the attack.
    pub(crate) dice: i32,
}

pub(crate) type Targets = ArrayVec<Target, 6>;

/// All enemies that a unit may attack from its hex, in its side's order.
pub(crate) fn targets(ctx: &Position<'_>, hex: &HexRules, id: UnitId) -> Targets {
    let mut targets = without_duty(ctx, hex, id);
    if targets.len() > 1
        && let Some(duty) = duty_of(ctx, hex, id).filter(|duty| duty.lapsed.is_none())
    {
        targets.retain(|target| target.id == duty.front);
    }
    targets.retain(|target| target.dice > 0);
    targets
}

/// The provision of the duty that forbids every attack of a unit, because it has no dice against the enemy that shows
/// its front (A8).
pub(crate) fn forbidden(ctx: &Position<'_>, hex: &HexRules, id: UnitId) -> Option<u8> {
    let duty = duty_of(ctx, hex, id).filter(|duty| duty.lapsed.is_none())?;
    without_duty(ctx, hex, id).iter().any(|target| target.dice > 0).then_some(duty.row)
}

/// All enemies that a unit might attack from its hex if it had no duty, with or without dice, in its side's order.
fn without_duty(ctx: &Position<'_>, hex: &HexRules, id: UnitId) -> Targets {
    let unit = ctx.battle.unit(id);
    let near = hex::enemies_beside(&ctx.battle, unit.side, unit.front);
    let mut targets = Targets::new();
    if near.iter().all(Option::is_none) {
        return targets;
    }
    let around = provision(ctx, hex, Provides::AttackAround, id, None).is_some();
    for enemy in hex::ways_of(unit.side).into_iter().filter_map(|way| near[usize::from(way)]) {
        let foe = ctx.battle.unit(enemy);
        let ahead = shown(hex, unit, foe.front) == Arc::Front;
        if !ahead && !around && provision(ctx, hex, Provides::AttackFront, id, Some(enemy)).is_some() {
            continue;
        }
        targets.push(Target { id: enemy, dice: dice(ctx, hex, id, enemy) });
    }
    targets
}

/// The duty to attack the enemy that shows its front, if two enemies are in a unit's front hexes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Duty {
    /// The enemy that shows its front.
    pub(crate) front: UnitId,
    /// The provision that imposes the duty.
    pub(crate) row: u8,
    /// The provision that lifts the duty, if another unit has already attacked that enemy.
    pub(crate) lapsed: Option<u8>,
}

/// The duty of a unit in its hex. Enemies that are not in its front hexes do not count, nor do lone leaders.
pub(crate) fn duty_of(ctx: &Position<'_>, hex: &HexRules, id: UnitId) -> Option<Duty> {
    let unit = ctx.battle.unit(id);
    let near = hex::enemies_beside(&ctx.battle, unit.side, unit.front);
    let counts = |&enemy: &UnitId| {
        let foe = ctx.battle.unit(enemy);
        !hex::hex_leader_alone(foe) && shown(hex, unit, foe.front) == Arc::Front
    };
    let shows_front = |&enemy: &UnitId| shown(hex, ctx.battle.unit(enemy), unit.front) == Arc::Front;
    let (fronts, others): (ArrayVec<UnitId, 6>, ArrayVec<UnitId, 6>) =
        near.into_iter().flatten().filter(counts).partition(shows_front);
    let front = *fronts.first().filter(|_| !others.is_empty())?;
    let (row, _) = provision(ctx, hex, Provides::FrontFirst, id, Some(front))?;
    let lapsed = provision(ctx, hex, Provides::SecondAssailant, id, Some(front));
    let lapsed = lapsed.filter(|_| beset(ctx.battle.unit(front), id)).map(|(row, _)| row);
    Some(Duty { front, row, lapsed })
}

/// Whether another unit has already attacked an enemy.
fn beset(foe: &Unit, id: UnitId) -> bool {
    foe.hex.flags.has(HexFlags::BESET) || foe.hex.assailant.get().is_some_and(|first| first != id)
}

/// The number of dice of an attack or a strike in the current position.
pub(crate) fn dice(ctx: &Position<'_>, hex: &HexRules, id: UnitId, foe: UnitId) -> i32 {
    let (unit, enemy) = (ctx.battle.unit(id), ctx.battle.unit(foe));
    if ctx.scratch.combat.is_none() {
        let arc = shown(hex, enemy, unit.front);
        if let Some(dice) = hex.dice_by_type(unit.kind, enemy.kind, arc as u8, whole(ctx, id)) {
            debug_assert_eq!(dice, read_dice(ctx, hex, id, foe));
            return dice;
        }
    }
    read_dice(ctx, hex, id, foe)
}

/// The number of dice of an attack or a strike, read from the rows of the pack.
fn read_dice(ctx: &Position<'_>, hex: &HexRules, id: UnitId, foe: UnitId) -> i32 {
    let own = ctx.view(id, Some(foe));
    let Some((row, _)) = provision(ctx, hex, Provides::Strike, id, Some(foe)) else { return 0 };
    ctx.rules.taken(hex.provisions[usize::from(row)].roll, &own).dice(&own, &own.turned())
}

/// The minimum range of fire: attacking a neighbour is close combat.
pub(crate) const NEAREST: i32 = 2;
