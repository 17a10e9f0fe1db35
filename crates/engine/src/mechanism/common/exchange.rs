//! Exchange: units in contact roll against each other.
//!
//! Every unit that meets the phase's condition takes the phase's roll against the enemy with the nearest edge. On the
//! board `none`, that is the first enemy still in the battle. If the pack distributes losses over a side, the roll is
//! against the enemy's side as a whole. If there are several enemy sides on the board `none`, the side chooses which to
//! attack ([`attacked`]). Example: `risk`, where the attacker's dice meet the defender's.

use arrayvec::ArrayVec;
use grognard_rules::model::{Board, RollId};

use crate::mechanism::common::simultaneous::shoot;
use crate::state::{SIDES_MAX, Side, UnitId};
use crate::step::asking::{any_of, ask, is_played};
use crate::step::nearest::{closest_enemy, nearest_edge};
use crate::step::player::Offer;
use crate::step::{Context, Position, phase_of};
use crate::telling::event::{Occasion, Scene};
use crate::telling::narrator::words::unit_name;

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId, roll: RollId) {
    let index = ctx.battle.phase;
    let rules = ctx.rules;
    let phase = &rules.phases[usize::from(index)];
    if ctx.battle.unit(id).broken(rules) {
        return;
    }
    if phase.casualties.is_some() {
        shoot(ctx, id, roll);
        return;
    }
    let Some(foe) = foe_of(ctx, id) else { return };
    if ctx.holds(phase.when.as_ref(), id, Some(foe)) {
        ctx.roll(Occasion::Phase(index), roll, id, Some(foe));
    }
}

/// The enemy that a unit attacks.
fn foe_of(ctx: &mut Context<'_>, id: UnitId) -> Option<UnitId> {
    if ctx.rules.board != Board::None || ctx.battle.sides().len() == 2 {
        return closest_enemy(ctx, id);
    }
    let side = attacked(ctx, id)?;
    let able = ctx.enemies(id).among(ctx.battle.units_of(side));
    nearest_edge(ctx, id, able)
}

/// The side that a unit attacks, chosen by its doctrine's formula or by its player. Dice break ties in the doctrine's
/// formula.
pub(super) fn attacked(ctx: &mut Context<'_>, id: UnitId) -> Option<Side> {
    let own = ctx.battle.unit(id).side;
    let there = ctx.enemies(id);
    let sides =
        ctx.battle.rivals(own).iter().copied().filter(|&side| !there.among(ctx.battle.units_of(side)).is_empty());
    let sides: ArrayVec<Side, SIDES_MAX> = sides.collect();
    if let &[] | &[_] = sides.as_slice() {
        return sides.first().copied();
    }
    let values: ArrayVec<i32, SIDES_MAX> = sides.iter().map(|&side| value_of(ctx, id, side)).collect();
    let greatest = values.iter().copied().max()?;
    let best: ArrayVec<Side, SIDES_MAX> =
        sides.iter().zip(&values).filter(|&(_, value)| *value == greatest).map(|(&side, _)| side).collect();
    let doctrine = best[any_of(ctx, ctx.battle.lane_of(id), best.len())];
    let chosen = if is_played(ctx, id) {
        let offers: ArrayVec<Offer, SIDES_MAX> = sides.iter().copied().map(Offer::Attack).collect();
        let place = sides.iter().position(|&side| side == doctrine)?;
        let Offer::Attack(side) = ask(ctx, id, &offers, place, None) else { return None };
        side
    } else {
        doctrine
    };
    ctx.tell_special((id, None), &phase_of(ctx).source, |scene: Scene<'_>| {
        format!("{} attacks {}.", unit_name(scene, id), scene.setup.names[chosen])
    });
    Some(chosen)
}

/// The value of an enemy side as a target, by a unit's doctrine.
fn value_of(ctx: &mut Position<'_>, id: UnitId, side: Side) -> i32 {
    let Some(attacks) = &ctx.rules.doctrines[ctx.battle.unit(id).doctrine].attacks else { return 0 };
    ctx.scratch.about = Some(side);
    let value = attacks.get(&ctx.view(id, None));
    ctx.scratch.about = None;
    value
}
