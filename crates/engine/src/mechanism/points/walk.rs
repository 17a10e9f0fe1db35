//! Moving along a planned path: its cost, the friends that the unit passes and the contacts that it leaves.

use grognard_rules::model::Deed;
use grognard_rules::situation::WayFact;

use crate::geometry::plane::Way;
use crate::mechanism::common::leaving::{is_lost_at, leave_if_off_table};
use crate::mechanism::points::contact::{self, tell_leaving};
use crate::mechanism::points::occupation::{fill_ground, tell_way_out};
use crate::mechanism::points::passage::tell_passing;
use crate::mechanism::points::payment::{self, permit_way};
use crate::mechanism::points::route::{allowance_for, facts_of};
use crate::situation::ways::WayFacts;
use crate::state::{Flags, UnitId};
use crate::step::Context;
use crate::telling::event::{Event, Refusal, Scene};
use crate::telling::narrator::words::unit_name;

/// The reason why an order is not carried out; `None` if there is nothing to do.
pub(crate) type Unable = Option<Refusal>;

/// Runs `tell`, which reports or pays for a path, while conditions of clauses can read the facts about that path.
pub(crate) fn tell_of_way(ctx: &mut Context<'_>, facts: WayFacts, tell: impl FnOnce(&mut Context<'_>)) {
    ctx.scratch.way.set(facts);
    tell(ctx);
    ctx.scratch.way.set(WayFacts::default());
}

/// Moves a unit along a path, if the path is short enough and no bar forbids it.
pub(crate) fn walk(ctx: &mut Context<'_>, act: u8, id: UnitId, foe: UnitId, way: &Way) -> Result<(), Unable> {
    let target = (ctx.rules.acts[usize::from(act)].deed == Deed::Contact).then_some(foe);
    let facts = facts_of(ctx, id, way, target);
    let (allowance, halved) = allowance_for(ctx, id, facts);
    let too_far = way.length > allowance;
    if !too_far {
        permit_way(ctx, act, id, foe, facts)?;
    }
    // The rate has no effect if a bar keeps the unit in place.
    if let Some(rate) = halved {
        tell_of_way(ctx, facts, |ctx| ctx.tell(|| Event::Halved { unit: id, rate }));
    }
    if too_far {
        return Err(Some(Refusal::OutOfReach));
    }
    if is_lost_at(ctx, id, &way.end()) {
        return Err(Some(Refusal::NoRoom));
    }
    payment::pay(ctx, act, id, foe);
    if let Some((_, source)) = ctx.rules.movement.road.as_ref().filter(|_| facts.has(WayFact::Bonus)) {
        let line = |scene: Scene<'_>| format!("{} stays on the road and gets the road bonus.", unit_name(scene, id));
        tell_of_way(ctx, facts, |ctx| ctx.tell_special((id, None), source, line));
    }
    tell_way_out(ctx, id, way);
    let (begun, end) = (ctx.place(id), way.end());
    contact::take_place(ctx, id, &end);
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    let (wheel, distance, bearing) = (way.wheel, way.distance, way.bearing.rem_euclid(3600));
    if bearing == 0 {
        ctx.tell(|| Event::Marched { unit: id, wheel, distance });
    } else {
        ctx.tell(|| Event::Shifted { unit: id, bearing, distance });
    }
    tell_passing(ctx, id, way);
    if facts.has(WayFact::Parts) {
        tell_leaving(ctx, id, facts);
    }
    leave_if_off_table(ctx, id);
    fill_ground(ctx, id);
    contact::part(ctx);
    let there = target.is_none() && facts.has(WayFact::Touches) && !ctx.battle.unit(id).gone();
    if there && let Some((target, arc)) = contact::remember(ctx, id, (&begun, &end), None) {
        ctx.tell(|| Event::Met { unit: id, target, arc });
    }
    Ok(())
}
