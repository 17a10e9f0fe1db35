//! Simultaneous close combat: all dice are rolled before any unit is lost or driven back.
//!
//! In such a phase (`simultaneous = true`) units choose their targets from the positions at its start. Then each of
//! these steps is completed for all combats before the next one begins: the attacked units turn; the dice of all
//! attacks are rolled, and those of all units that stand and battle back; losses and retreats are carried out in the
//! order of the rolls; the units that evade leave; and the attackers enter the hexes that are now empty. An attacked
//! unit answers each attack separately. Bonus combats come last, one after another.
//!
//! Example: two units of one block face each other, and each would remove the other. Both attack, and both are lost. In
//! a phase that is not simultaneous, the first to strike loses nothing.

use grognard_rules::model::{HexRules, Provides};

use crate::geometry::hex::hex_leader_alone;
use crate::geometry::plane::Point;
use crate::mechanism::hex::melee::{ATTACK, BATTLE_BACK, EVADED, declare, evades, opponent, react, set_role};
use crate::mechanism::hex::provisions::{provided, provision};
use crate::mechanism::hex::strike::strike;
use crate::mechanism::hex::{advance, retreat};
use crate::state::UnitId;
use crate::step::banners::banners_decide;
use crate::step::scratch::Waiting;
use crate::step::{Context, Position};
use crate::telling::event::{Event, HexEvent};

/// Declares a unit's attack.
pub(crate) fn play(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId) {
    let Some(target) = opponent(ctx, hex, id) else { return };
    declare(ctx, hex, id, target, ATTACK);
    let combat = ctx.scratch.combat.take();
    ctx.scratch.waiting.push(Waiting { unit: id, target, combat, evades: None, alone: false });
}

/// Rolls the dice of all attacks, and of all units that battle back. The results are held back.
pub(crate) fn strike_all(ctx: &mut Context<'_>, hex: &HexRules) {
    let mut combats = std::mem::take(&mut ctx.scratch.waiting);
    if let Some(&Waiting { unit, target, .. }) = combats.first() {
        let rules = ctx.rules;
        let source = &rules.phases[usize::from(ctx.battle.phase)].source;
        let line = "All roll their dice before any unit is lost or driven back.";
        ctx.tell_special((unit, Some(target)), source, |_| line.to_owned());
    }
    for Waiting { unit, target, combat, .. } in &mut combats {
        ctx.scratch.combat = *combat;
        react(ctx, hex, *unit, *target);
        ctx.tell(|| Event::Hex(HexEvent::Answered { unit: *unit, target: *target }));
        *combat = ctx.scratch.combat;
    }
    for fight in &mut combats {
        let (id, target) = (fight.unit, fight.target);
        ctx.scratch.combat = fight.combat;
        fight.alone = hex_leader_alone(ctx.battle.unit(target));
        fight.evades = if fight.alone { None } else { evades(ctx, hex, id, target) };
        if fight.evades.is_some() {
            set_role(ctx, EVADED);
        }
        fight.combat = ctx.scratch.combat;
        strike(ctx, hex, id, target);
        if !fight.alone
            && fight.evades.is_none()
            && let Some((row, _)) = provision(ctx, hex, Provides::BattleBack, target, Some(id))
        {
            provided(ctx, row, target);
            set_role(ctx, BATTLE_BACK);
            strike(ctx, hex, target, id);
        }
    }
    ctx.scratch.combat = None;
    ctx.scratch.waiting = combats;
}

/// Ends all combats, once losses and retreats have been carried out. `stood` lists the hex in which each unit stood
/// before them.
pub(crate) fn conclude(ctx: &mut Context<'_>, hex: &HexRules, stood: &[Point]) {
    let mut combats = std::mem::take(&mut ctx.scratch.waiting);
    for &Waiting { unit, target, combat, evades, .. } in &combats {
        if let Some((row, hexes)) = evades
            && stands(ctx, target, stood)
            && !banners_decide(ctx)
        {
            ctx.scratch.combat = combat;
            provided(ctx, row, target);
            retreat::evade(ctx, hex, target, unit, hexes);
        }
    }
    ctx.scratch.combat = None;
    for &Waiting { unit, target, .. } in combats.iter().rev() {
        ctx.tell(|| Event::Hex(HexEvent::Fought { unit, target }));
    }
    for Waiting { unit, target, combat, evades, alone } in combats.drain(..) {
        let held = alone || evades.is_some() || stands(ctx, target, stood);
        if !held && stands(ctx, unit, stood) && !banners_decide(ctx) {
            ctx.scratch.combat = combat;
            advance::advance(ctx, hex, unit, target, stood[target.index()]);
        }
    }
    ctx.scratch.combat = None;
    ctx.scratch.waiting = combats;
}

/// Whether a unit is still in the hex where it stood.
fn stands(ctx: &Position<'_>, id: UnitId, stood: &[Point]) -> bool {
    let unit = ctx.battle.unit(id);
    !unit.gone() && unit.front == stood[id.index()]
}
