//! Momentum: an attacker enters the hex that it has cleared, moves on, and may fight again (B27, B28; clause I.E.4-2).

use grognard_rules::model::{Choice, HexRules, Provides, Weigh};

use crate::geometry::hex::{arc, direction, facing, heading, hex_of, shown};
use crate::geometry::plane::{Arc, Point};
use crate::mechanism::hex::fire;
use crate::mechanism::hex::foes::Foes;
use crate::mechanism::hex::melee::{ATTACK, BONUS, attack, chosen};
use crate::mechanism::hex::placing::{enter, settle};
use crate::mechanism::hex::provisions::{provided, provision};
use crate::mechanism::hex::search::best_march;
use crate::mechanism::hex::target::{Targets, targets};
use crate::situation::hex::march::{Begun, March};
use crate::situation::hex::motion;
use crate::state::{HexFlags, UnitId};
use crate::step::Context;
use crate::step::asking::decides;
use crate::telling::event::{Event, HexEvent};

/// Lets an attacker that has removed its target, or driven it out of `place`, advance.
pub(super) fn advance(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId, place: Point) {
    let Some((row, _)) = provision(ctx, hex, Provides::Advance, id, Some(target)) else { return };
    if !motion::free(&ctx.battle, place) || !decides(ctx, Choice::FollowUp, id, target) {
        return;
    }
    let role = ctx.scratch.combat.map_or(ATTACK, |combat| combat.role);
    provided(ctx, row, id);
    let before = *ctx.battle.unit(id);
    turn_to(ctx, hex, id, place);
    enter(ctx, hex, id, hex.grid.at(place.x, place.y));
    ctx.tell(|| Event::Hex(HexEvent::Moved { unit: id, from: before.front, facing: facing(before.heading) }));
    ctx.scratch.combat = None;
    if role == ATTACK {
        again(ctx, hex, id, target);
    }
}

/// Turns an attacker towards the hex that it enters, by the smallest turn that puts the hex in front.
fn turn_to(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, place: Point) {
    let unit = ctx.battle.unit(id);
    if shown(hex, unit, place) == Arc::Front {
        return;
    }
    let Some(towards) = direction(unit.front, place) else { return };
    let old = facing(unit.heading);
    let Some((row, _)) = provision(ctx, hex, Provides::AdvanceTurn, id, None) else { return };
    let turns = (0..=3_i32).flat_map(|by| [by, -by]).map(|by| (i32::from(old) + by).rem_euclid(6) as u8);
    if let Some(new) = turns.into_iter().find(|&new| arc(towards, new) == Arc::Front) {
        ctx.battle.unit_mut(id).heading = heading(new);
        provided(ctx, row, id);
    }
}

/// Moves a unit on and lets it fight again, if the provisions and the terrain that it has entered allow it.
fn again(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId) {
    let fights = provision(ctx, hex, Provides::Again, id, Some(target)).filter(|&(_, times)| times > 0);
    let Some((fight, _)) = fights.filter(|_| !ctx.battle.unit(id).hex.flags.has(HexFlags::TIRED)) else { return };
    // From here on, and even when it chooses a target, the doctrine reads the dice of the second combat.
    ctx.scratch.combat = Some(fire::combat(ctx, BONUS, id));
    let open = targets(ctx, hex, id);
    let mut next = chosen(ctx, hex, id, &open, BONUS);
    if next.is_none() && rides_on(ctx, hex, id, target, &open) {
        let open = targets(ctx, hex, id);
        next = chosen(ctx, hex, id, &open, BONUS);
    }
    ctx.scratch.combat = None;
    if let Some(next) = next {
        provided(ctx, fight, id);
        attack(ctx, hex, id, next, BONUS);
    }
}

/// Moves a unit on to a hex from which it may fight an enemy, if the provisions and the terrain that it has entered
/// allow it. `refused` lists the enemies that it could attack from its current hex, but does not.
fn rides_on(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, target: UnitId, refused: &Targets) -> bool {
    let halted = motion::halting(hex, &ctx.view(id, None)) & motion::bit(hex_of(&hex.grid, ctx.battle.unit(id))) != 0;
    let more = provision(ctx, hex, Provides::AdvanceMore, id, Some(target)).filter(|_| !halted);
    let Some((row, hexes)) = more else { return false };
    let mut motion = motion::motion(ctx.rules, ctx.setup, hex, &ctx.battle, ctx.scratch, id);
    motion.barred |= motion::tiring(hex, &ctx.view(id, None));
    motion.allowance = hexes as u8;
    motion.charge = 0;
    (motion.pivot, motion.standing) = (0, 0);
    // The turn that goes with this hex is not bound by the pattern of the unit's move (A15).
    motion.begun = Begun::default();
    // Normal movement goes into front hexes only (A15), whatever the card allowed for the move.
    motion.aside = false;
    let unit = ctx.battle.unit(id);
    let start = March::new(hex_of(&hex.grid, unit), facing(unit.heading));
    let weigh = Weigh { dice: 1, ..Weigh::default() };
    let mut foes = Foes::of(&ctx.battle, hex, unit.side);
    foes.spare(|foe| refused.iter().any(|target| target.id == foe));
    let best = best_march(ctx, hex, id, &motion, start, (&foes, &weigh));
    // The unit may move on, but need not (B27).
    if best == start || !decides(ctx, Choice::FollowUp, id, target) {
        return false;
    }
    provided(ctx, row, id);
    settle(ctx, hex, id, &motion, &best);
    true
}
