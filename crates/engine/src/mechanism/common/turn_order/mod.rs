//! Turn order: which side goes first in a turn, and which unit is next if units go one at a time.
//!
//! The sides may roll for the initiative ([`initiative`]). If units go one at a time, each activated unit plays all
//! phases before the next is activated. Chips drawn from a bag ([`bag`]), alternation, or a value of the units decide
//! which is next. Alternatively, each side has a half-turn, in which it activates its units one after another until all
//! have acted or too many have failed the pack's test.
//!
//! Dice draw the chips and roll for the initiative. Each side chooses which unit to activate ([`activate`]).

mod activate;
mod bag;
mod initiative;

use grognard_dice::LANES;
use grognard_rules::model::{ACTIVATIONS_MAX, Moment, Next, Priority, PriorityTies, TurnOrder};

use crate::mechanism::common::arrival::bring_on;
use crate::mechanism::common::counters;
use crate::state::{Acting, Battle, Side, UnitId, Units};
use crate::step::Context;
use crate::step::activation::count_orders;
use crate::step::at_random::AnyOf;
use crate::step::context::{tell_turn, tells_turns};
use crate::step::nearest::nearest_enemy;
use crate::telling::event::{Event, Scene};
use crate::telling::narrator::words::unit_name;

use activate::{acting, begin_activation, can_act, choose, must_roll, test, waiting};

pub(crate) use activate::{Course, count_as_activated, end_activation};

/// Begins a turn, unless it has already begun.
pub(crate) fn begin(ctx: &mut Context<'_>, order: &TurnOrder) {
    if acting(ctx).begun {
        return;
    }
    acting(ctx).begun = true;
    if order.goes_by_unit() {
        tell_both(ctx, &Event::HalfTurn);
    }
    ctx.tell(|| Event::Activated { unit: None });
    if let Some(initiative) = &order.initiative {
        initiative::roll(ctx, initiative);
    }
    ctx.battle.beside_units().active = ctx.battle.leads();
    if !order.goes_by_unit() {
        return;
    }
    bring_on(ctx);
    count_orders(ctx);
    if !ctx.rules.counters.is_empty() {
        counters::turn(ctx, Moment::TurnBegins);
    }
    if let Next::Drawn(bag) = &order.next {
        bag::fill(ctx, order, bag);
    }
}

/// Decides which unit is next, if units go one at a time.
pub(crate) fn next(ctx: &mut Context<'_>, order: &TurnOrder) -> Course {
    // Deployment refuses armies that could need more activations, so no unit is left out.
    if acting(ctx).count == ACTIVATIONS_MAX {
        return Course::Ends;
    }
    match &order.next {
        Next::Drawn(bag) => bag::draw(ctx, order, bag),
        Next::Alternate { units, .. } => alternate(ctx, order, *units),
        Next::Priority(priority) => highest(ctx, order, priority),
        Next::Halves | Next::HalvesOfUnits => in_half(ctx, order),
    }
}

/// Ends a turn, remembering which side went first.
pub(crate) fn end_turn(battle: &mut Battle) {
    battle.idle = battle.out;
    if let Some(acting) = &mut battle.acting {
        **acting = Acting { leads: acting.leads, ..Acting::default() };
    }
}

/// Reports for every side that a turn begins or ends.
pub(crate) fn tell_both(ctx: &mut Context<'_>, event: &Event) {
    if !tells_turns(ctx) {
        return;
    }
    let active = ctx.battle.active;
    for &side in ctx.battle.sides() {
        ctx.battle.beside_units().active = side;
        tell_turn(ctx, || event.clone());
    }
    ctx.battle.beside_units().active = active;
}

/// Activates a unit. After the given number of units, the next side with units left takes over.
fn alternate(ctx: &mut Context<'_>, order: &TurnOrder, units: u8) -> Course {
    let active = ctx.battle.active;
    let goes_on = acting(ctx).count == 0 || acting(ctx).row < units;
    let sides = ctx.battle.sides_from(active);
    for &side in sides.iter().cycle().skip(usize::from(!goes_on)).take(sides.len()) {
        let waiting = waiting(ctx, order, side);
        if let Some(id) = choose(ctx, side, waiting) {
            let acting = acting(ctx);
            acting.row = if side == active { acting.row + 1 } else { 1 };
            begin_activation(ctx, id, true);
            return test(ctx, order, id);
        }
    }
    Course::Ends
}

/// Activates the unit with the highest value.
fn highest(ctx: &mut Context<'_>, order: &TurnOrder, priority: &Priority) -> Course {
    let all = Units::first(ctx.battle.units.len()).but(acting(ctx).done).those(|id| can_act(ctx, order, id));
    let value = |ctx: &Context<'_>, id: UnitId| priority.value.get(&ctx.view(id, nearest_enemy(ctx, id)));
    let Some(greatest) = all.map(|id| value(ctx, id)).max() else { return Course::Ends };
    let best = all.those(|id| value(ctx, id) == greatest);
    let of = |side: Side| best.among(ctx.battle.units_of(side));
    let sides: Vec<Side> = ctx.battle.sides().iter().copied().filter(|&side| !of(side).is_empty()).collect();
    let side = if let &[only] = sides.as_slice() { only } else { tied(ctx, priority, &sides) };
    let best = best.among(ctx.battle.units_of(side));
    let Some(id) = choose(ctx, side, best) else { return Course::Ends };
    begin_activation(ctx, id, true);
    ctx.tell_special((id, None), &priority.source, |scene: Scene<'_>| {
        format!("{} has the highest value, {greatest}.", unit_name(scene, id))
    });
    test(ctx, order, id)
}

/// The side among these that goes first if their units tie for the highest value.
fn tied(ctx: &mut Context<'_>, priority: &Priority, sides: &[Side]) -> Side {
    let leads = ctx.battle.leads();
    let next = |side: &Side| ctx.battle.sides_from(leads).iter().position(|other| other == side);
    let of_order = match priority.ties {
        PriorityTies::First => sides.first(),
        PriorityTies::Second => sides.last(),
        PriorityTies::Initiative => sides.iter().min_by_key(|side| next(side)),
        PriorityTies::Random => {
            // The dice belong to no side: their lane comes after those of the units.
            let address = ctx.address_of(priority.site, LANES - 2);
            sides.get(ctx.dice.decide(address, &AnyOf::new(sides.len())))
        }
    };
    of_order.copied().unwrap_or(leads)
}

/// Activates a unit of the active side, until none is left or too many have failed.
fn in_half(ctx: &mut Context<'_>, order: &TurnOrder) -> Course {
    let (most, again) = order.test.as_ref().map_or((None, 0), |test| (test.failures, test.again));
    let side = ctx.battle.active;
    let over = most.is_some_and(|most| acting(ctx).failures >= most);
    let mut units = if over { Units::default() } else { waiting(ctx, order, side) };
    let last = acting(ctx).last.filter(|_| !over);
    let goes_on =
        |id: UnitId| can_act(ctx, order, id) && order.test.as_ref().is_some_and(|test| must_roll(ctx, test, id));
    if let Some(last) = last.filter(|&last| goes_on(last)) {
        units = units.plus(Units::one(last));
    }
    let Some(id) = choose(ctx, side, units) else {
        let Some(next) = ctx.battle.follows(side) else { return Course::Ends };
        ctx.battle.beside_units().active = next;
        let acting = acting(ctx);
        (acting.failures, acting.last, acting.row) = (0, None, 0);
        return in_half(ctx, order);
    };
    let acting = acting(ctx);
    acting.row = if last == Some(id) { acting.row + 1 } else { 0 };
    acting.last = (acting.row < again).then_some(id);
    begin_activation(ctx, id, true);
    test(ctx, order, id)
}
