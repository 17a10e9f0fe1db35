//! Fire on hexes: at an enemy in range, in the front sector and in sight (A4, B17, B18 of the ancients game).

use grognard_expr::Lookup;
use grognard_rules::model::{HexRules, Mechanism, Order, Provides, RollId};

use crate::geometry::hex::{self, attached, distance, hex_of, sees, shown};
use crate::geometry::plane::Arc;
use crate::mechanism::hex::provisions::{provided, provision, row, takes_part};
use crate::mechanism::hex::shot::{hit, range};
use crate::mechanism::hex::target::NEAREST;
use crate::mechanism::hex::{template, through};
use crate::state::{Battle, Flags, HexFlags, Side, UnitId};
use crate::step::asking::{ask_for_enemy, is_played};
use crate::step::choices::Chosen;
use crate::step::scratch::Combat;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent, Occasion};

/// The index of fire among the kinds of combat.
const FIRE: u8 = 7;

pub(crate) fn play(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, roll: RollId) {
    if !may_fire(ctx, id) {
        return;
    }
    // If the range does not depend on the enemy, it is computed once.
    let range_alone = hex.alone(Provides::Range).then(|| range(ctx, hex, id, None));
    if range_alone.is_some_and(|range| range < NEAREST) {
        return;
    }
    // The target is chosen by the doctrine's earliest row, then by flanks and rears, then by weakness, and then by
    // precedence.
    let (mut best, mut holds) = (None, None);
    let closed = closed(&ctx.battle, hex);
    for enemy in ctx.battle.enemies(ctx.battle.unit(id).side) {
        if !reaches(ctx, hex, closed, (id, enemy), roll, range_alone) {
            continue;
        }
        let Some((row, order)) = row(ctx, hex, id, Some(enemy)) else { continue };
        if order != Order::Fire {
            holds = holds.or(Some(row));
            continue;
        }
        let foe = ctx.battle.unit(enemy);
        let arc = shown(hex, foe, ctx.battle.unit(id).front);
        let rank = ((row, arc == Arc::Front, foe.figures), enemy);
        if best.is_none_or(|best| ctx.neighbours().compare(&rank, &best).is_lt()) {
            best = Some(rank);
        }
    }
    let mut chosen = best.map(|((row, ..), enemy)| Chosen { row, enemy: Some(enemy) });
    if is_played(ctx, id) {
        let others = ctx.battle.enemies(ctx.battle.unit(id).side);
        let targets: Vec<UnitId> =
            others.filter(|&enemy| reaches(ctx, hex, closed, (id, enemy), roll, range_alone)).collect();
        let doctrine = chosen.or(holds.map(|row| Chosen { row, enemy: None }));
        chosen = ask_for_enemy(ctx, id, Order::Fire, targets, doctrine, None);
    }
    if let Some(Chosen { row, enemy: Some(enemy) }) = chosen {
        ctx.tell(|| Event::Ordered { unit: id, row, order: Order::Fire });
        shoot(ctx, hex, id, enemy, roll);
    }
}

/// Whether a unit has orders and is not tired. Shooting counts as fighting.
fn may_fire(ctx: &Position<'_>, id: UnitId) -> bool {
    let flags = ctx.battle.unit(id).hex.flags;
    flags.has(HexFlags::ORDERED) && !flags.has(HexFlags::TIRED)
}

/// Records which units of a side have a target, among those that move again afterwards. This is done before any unit
/// fires, so that no unit's shot can remove another's target or give it one. It is skipped in a second round of fire
/// that no card grants.
pub(crate) fn look(ctx: &mut Position<'_>, hex: &HexRules, side: Side, roll: RollId) {
    if !hex.any(Provides::MoveAgain) {
        return;
    }
    let closed = closed(&ctx.battle, hex);
    for id in ctx.battle.side(side) {
        let unit = ctx.battle.unit(id);
        if unit.gone() || attached(unit) || !may_fire(ctx, id) || !takes_part(ctx, id) || !moves_again(ctx, id) {
            continue;
        }
        if ctx.battle.enemies(side).any(|enemy| reaches(ctx, hex, closed, (id, enemy), roll, None)) {
            ctx.battle.unit_mut(id).hex.flags.set(HexFlags::SIGHTED);
        }
    }
}

/// Whether a unit moves again after this phase.
pub(super) fn moves_again(ctx: &Position<'_>, id: UnitId) -> bool {
    let later = ctx.rules.phases.iter().skip(usize::from(ctx.battle.phase) + 1);
    let mut moves = later.filter(|phase| phase.mechanism == Mechanism::Move);
    moves.any(|phase| ctx.holds(phase.when.as_ref(), id, None))
}

/// Fires at an enemy.
pub(crate) fn shoot(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, enemy: UnitId, roll: RollId) {
    let phase = ctx.battle.phase;
    ctx.battle.unit_mut(id).flags.set(Flags::FIRED);
    ctx.scratch.combat = Some(combat(ctx, FIRE, enemy));
    if ctx.witness.is_some() {
        let arc = shown(hex, ctx.battle.unit(enemy), ctx.battle.unit(id).front);
        ctx.tell(|| Event::Hex(HexEvent::Declared { unit: id, target: enemy, role: FIRE, arc }));
        for deed in [Provides::Range, Provides::FireFront] {
            if let Some((row, _)) = provision(ctx, hex, deed, id, Some(enemy)) {
                provided(ctx, row, id);
            }
        }
    }
    let rules = &ctx.rules.phases[usize::from(phase)];
    let holds = |when: &Option<Lookup>| ctx.holds(when.as_ref(), id, Some(enemy));
    if let Some(template) = rules.template.as_deref().filter(|template| holds(&template.when)) {
        template::drop_on(ctx, hex, template, id, enemy, roll);
    } else if let Some(through) = rules.through.as_deref().filter(|through| holds(&through.when)) {
        through::fire_at(ctx, hex, through, id, enemy, roll);
    } else {
        let outcome = ctx.cast(Occasion::Phase(phase), roll, id, Some(enemy));
        hit(ctx, hex, id, enemy, &outcome.foe);
        ctx.apply(&outcome.own, id, enemy);
    }
    ctx.scratch.combat = None;
}

/// The record of a combat that is about to begin.
pub(super) fn combat(ctx: &Position<'_>, role: u8, target: UnitId) -> Combat {
    let mut fresh = 0;
    for (index, unit) in ctx.battle.units.iter().enumerate() {
        let full = unit.figures == ctx.rules.kinds[unit.kind].figures;
        fresh |= u64::from(full) << (index & 63);
    }
    Combat { role, fresh, facing: hex::facing(ctx.battle.unit(target).heading), turned: false, checked: 0 }
}

/// Whether a unit may fire at an enemy.
pub(crate) fn may_hit(ctx: &Position<'_>, hex: &HexRules, id: UnitId, enemy: UnitId, roll: RollId) -> bool {
    may_fire(ctx, id) && reaches(ctx, hex, closed(&ctx.battle, hex), (id, enemy), roll, None)
}

/// The hexes that block sight.
fn closed(battle: &Battle, hex: &HexRules) -> u128 {
    let there = battle.units.iter().filter(|unit| !unit.gone());
    there.fold(hex.opaque, |closed, unit| closed | 1_u128.checked_shl(u32::from(hex_of(&hex.grid, unit))).unwrap_or(0))
}

/// Whether an enemy is in range and in sight, and the unit has dice to roll against it.
fn reaches(
    ctx: &Position<'_>,
    hex: &HexRules,
    closed: u128,
    (id, enemy): (UnitId, UnitId),
    roll: RollId,
    range_alone: Option<i32>,
) -> bool {
    let (unit, foe) = (ctx.battle.unit(id), ctx.battle.unit(enemy));
    if foe.gone() || attached(foe) {
        return false;
    }
    let away = distance(unit.front, foe.front);
    if away < NEAREST || range_alone.unwrap_or_else(|| range(ctx, hex, id, Some(enemy))) < away {
        return false;
    }
    let ahead = shown(hex, unit, foe.front) == Arc::Front;
    if !ahead && provision(ctx, hex, Provides::FireFront, id, Some(enemy)).is_some() {
        return false;
    }
    sees(&hex.grid, closed, unit.front, foe.front) && {
        let view = ctx.view(id, Some(enemy));
        ctx.rules.taken(roll, &view).dice(&view, &view.turned()) > 0
    }
}
