//! Activations: which units can be activated, which one a side activates, and whether it passes its test.
//!
//! The side chooses which unit to activate. Its doctrine takes the unit nearest to the enemy, or the one for which the
//! doctrine's formula gives the highest value. If the pack has a test, the unit rolls first; if it fails, it does not
//! act.

use std::cmp::Reverse;

use grognard_rules::model::{ActivationTest, TurnOrder};

use crate::geometry::hex::attached;
use crate::mechanism::common::units::next_of;
use crate::situation::sight::FAR;
use crate::state::{Acting, Side, UnitId, Units};
use crate::step::asking::is_played;
use crate::step::nearest::{closest_enemy, nearest_enemy};
use crate::step::player::Offer;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Occasion};
use crate::telling::narrator::words::unit_name;

/// The next event in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// A phase is played.
    Plays,
    /// No unit acts in this step.
    Passes,
    /// The turn is over.
    Ends,
}

/// The state of the turn.
pub(super) fn acting<'c>(ctx: &'c mut Context<'_>) -> &'c mut Acting {
    ctx.battle.beside_units().acting.get_or_insert_default()
}

/// Whether the rules let a unit be activated at all. Parts of units, and leaders with a unit, act together with the
/// unit.
pub(super) fn can_act(ctx: &Position<'_>, order: &TurnOrder, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    !unit.gone() && !ctx.battle.is_part(id) && !attached(unit) && ctx.holds_for(order.when.as_ref(), id, nearest_enemy)
}

/// The units of a side that may still be activated in this turn.
pub(super) fn waiting(ctx: &mut Context<'_>, order: &TurnOrder, side: Side) -> Units {
    let left = ctx.battle.units_of(side).among(Units::first(ctx.battle.units.len())).but(acting(ctx).done);
    left.those(|id| can_act(ctx, order, id))
}

/// Activates a unit. If `done`, this is its last activation in this turn.
pub(super) fn begin_activation(ctx: &mut Context<'_>, id: UnitId, done: bool) {
    ctx.battle.beside_units().active = ctx.battle.unit(id).side;
    let acting = acting(ctx);
    acting.unit = Some(id);
    if done {
        acting.done = acting.done.plus(Units::one(id));
    }
    ctx.tell(|| Event::Activated { unit: Some(id) });
}

/// Marks a unit as activated for this turn, if units go one at a time.
pub(crate) fn count_as_activated(ctx: &mut Context<'_>, id: UnitId) {
    if ctx.rules.goes_by_unit() {
        let acting = acting(ctx);
        acting.done = acting.done.plus(Units::one(id));
    }
}

/// Ends an activation.
pub(crate) fn end_activation(ctx: &mut Context<'_>) {
    ctx.battle.end_half_turn();
    let acting = acting(ctx);
    acting.unit = None;
    acting.count += 1;
}

/// Whether a unit must pass a test to act.
pub(super) fn must_roll(ctx: &Position<'_>, test: &ActivationTest, id: UnitId) -> bool {
    ctx.holds_for(test.when.as_ref(), id, closest_enemy)
}

/// Whether an activated unit acts: it passes its test, or need not take one.
pub(super) fn test(ctx: &mut Context<'_>, order: &TurnOrder, id: UnitId) -> Course {
    let Some(test) = &order.test else { return Course::Plays };
    if !must_roll(ctx, test, id) {
        // The unit does not roll again.
        acting(ctx).last = None;
        return Course::Plays;
    }
    let foe = closest_enemy(ctx, id);
    let outcome = ctx.cast(Occasion::Activation, test.roll, id, foe);
    if let Some(foe) = foe {
        ctx.apply(&outcome.foe, foe, id);
    }
    ctx.apply(&outcome.own, id, foe.unwrap_or(id));
    ctx.answer_losses();
    let fails = test.fails.contains(&outcome.row);
    if !fails && !ctx.battle.unit(id).gone() {
        return Course::Plays;
    }
    if fails {
        ctx.tell_special((id, None), &test.source, |scene| format!("{} does not act.", unit_name(scene, id)));
    }
    let acting = acting(ctx);
    acting.failures += u8::from(fails);
    acting.last = None;
    end_activation(ctx);
    Course::Passes
}

/// The unit among these that a side activates: the first by its doctrine, or the one that its player chooses.
pub(super) fn choose(ctx: &mut Context<'_>, side: Side, units: Units) -> Option<UnitId> {
    let mut left = units;
    let any = left.next()?;
    if left.next().is_none() {
        return Some(any);
    }
    if !is_played(ctx, any) {
        return ctx.neighbours().first_by(units, |id| key(ctx, id));
    }
    let mut keyed: Vec<(Key, UnitId)> = units.map(|id| (key(ctx, id), id)).collect();
    keyed.sort_unstable_by(|one, other| ctx.neighbours().compare(one, other));
    ctx.battle.beside_units().active = side;
    let next = next_of(ctx, &keyed, Offer::Activate);
    Some(keyed[next].1)
}

/// The key that decides between units: the unit with the smallest key goes first. Precedence breaks ties.
type Key = (Reverse<i32>, i32);

fn key(ctx: &Position<'_>, id: UnitId) -> Key {
    let unit = ctx.battle.unit(id);
    let enemy = nearest_enemy(ctx, id);
    let view = ctx.view(id, enemy);
    let activates = &ctx.rules.doctrines[unit.doctrine].activates;
    let wish = activates.as_ref().map_or(0, |activates| activates.get(&view));
    let distance = enemy.map_or(FAR, |_| view.distance());
    (Reverse(wish), distance)
}
