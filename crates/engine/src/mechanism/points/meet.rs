//! Moving into contact, and marking charges.

use std::cmp::Reverse;

use crate::geometry::plane::{Arc, Rect};
use crate::mechanism::points::contact::{arc_of, remember, touching};
use crate::mechanism::points::payment::{self, charge_act, may_charge};
use crate::mechanism::points::route::way_to_contact;
use crate::mechanism::points::walk::{self, Unable};
use crate::state::{Flags, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// Moves into contact with an enemy, and marks the charge if the act says so.
pub(crate) fn meet(ctx: &mut Context<'_>, act: u8, id: UnitId, foe: UnitId) -> Result<(), Unable> {
    let rules = ctx.rules;
    if touching(ctx, id, foe) {
        return Err(None);
    }
    let row = &rules.acts[usize::from(act)];
    let charges = row.charges.as_ref().is_some_and(|charges| charges.get(&ctx.view(id, Some(foe))) != 0);
    let charge = charge_act(ctx).filter(|_| charges);
    if let Some(charge) = charge {
        payment::permit(ctx, charge, id, foe)?;
        let purse = payment::purse_of(ctx, id);
        let cost = u16::from(row.cost) + u16::from(rules.acts[usize::from(charge)].cost);
        if purse.points.is_some_and(|points| points < cost * purse.times) {
            return Err(Some(Refusal::NoPoints { act: charge }));
        }
    }
    let way = way_to_contact(ctx, id, foe).ok_or(Some(Refusal::OutOfReach))?;
    let begun = ctx.place(id);
    walk::walk(ctx, act, id, foe, &way)?;
    if ctx.battle.unit(id).gone() {
        return Ok(());
    }
    let course = (&begun, &way.end());
    let (target, arc) = best_met(ctx, id, foe, course, |enemy| charge.is_none() || may_charge(ctx, id, enemy));
    remember(ctx, id, course, Some(target));
    ctx.tell(|| Event::Met { unit: id, target, arc });
    charge.map_or(Ok(()), |charge| mark_charge(ctx, charge, id, target))
}

/// The enemy that a unit strikes after a move from one place to another, and the arc. The candidates are `foe` and all
/// others that the unit now touches, did not touch before and `may` strike. It strikes the one that it meets in the
/// most vulnerable arc. `foe` wins ties; among the others, precedence decides.
pub(crate) fn best_met(
    ctx: &Position<'_>,
    id: UnitId,
    foe: UnitId,
    (start, end): (&Rect, &Rect),
    may: impl Fn(UnitId) -> bool,
) -> (UnitId, Arc) {
    let others = newly_touched(ctx, id, start).filter(|&enemy| enemy != foe && may(enemy));
    let struck = std::iter::once(foe).chain(others).map(|enemy| {
        let arc = arc_of(ctx, enemy, start, end);
        ((Reverse(arc), enemy != foe), enemy)
    });
    ctx.neighbours().first_keyed(struck).map_or((foe, Arc::Front), |((Reverse(arc), _), enemy)| (enemy, arc))
}

/// The enemies that a unit touches now but did not touch where its move began.
pub(crate) fn newly_touched(ctx: &Position<'_>, id: UnitId, start: &Rect) -> impl Iterator<Item = UnitId> {
    let meets = move |enemy: &UnitId| {
        touching(ctx, id, *enemy) && start.distance(&ctx.place(*enemy)) > ctx.rules.movement.touch
    };
    ctx.targets(id).filter(meets)
}

/// Marks a charge on an enemy that the unit touches.
pub(crate) fn mark_charge(ctx: &mut Context<'_>, act: u8, id: UnitId, foe: UnitId) -> Result<(), Unable> {
    if !touching(ctx, id, foe) {
        return Err(Some(Refusal::NoContact { act }));
    }
    if ctx.battle.unit(id).flags.has(Flags::CHARGING) {
        return Err(None);
    }
    payment::pay(ctx, act, id, foe);
    let unit = ctx.battle.unit_mut(id);
    unit.turn_on(foe);
    unit.flags.set(Flags::CHARGING);
    ctx.battle.flags_mut(foe).set(Flags::CHARGED);
    ctx.tell(|| Event::Declared { unit: id, target: foe, distance: 0 });
    Ok(())
}
