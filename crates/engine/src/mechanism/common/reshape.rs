//! Carrying out changes of formation, ordered or forced.

use std::cmp::Reverse;

use grognard_rules::model::{Board, Decisions, FormationId, Order, Shape, Towards};

use crate::geometry::plane::{Heading, Rect};
use crate::mechanism::common::room::overlaps_anybody;
use crate::mechanism::figures::square::leave_square;
use crate::state::{Bend, Unit, UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};
use crate::telling::narrator::words::unit_name;

/// Whether the rules let a unit take a formation by order.
pub(crate) fn may_form(ctx: &Position<'_>, id: UnitId, formation: FormationId, enemy: Option<UnitId>) -> bool {
    let rules = ctx.rules;
    let kind = &rules.kinds[ctx.battle.unit(id).kind];
    let wanted = &rules.formations[formation];
    kind.speed[formation].is_some()
        && wanted.arms & (1 << kind.arm) != 0
        && wanted.voluntary
        && wanted.shape.is_none_or(|shape| {
            let unit = ctx.battle.unit(id);
            shape == Shape::of(unit.figures, rules.footprint(unit.kind, formation, unit.figures).front)
        })
        && ctx.holds(wanted.when.as_ref(), id, enemy)
}

/// Turns a unit about its centre to a heading of its owner's choice, as part of a change of formation (8.12, 8.44).
pub(crate) fn turn_from_or_to(ctx: &mut Position<'_>, id: UnitId, enemy: UnitId, towards: Towards) {
    if !matches!(ctx.rules.board, Board::Plane { .. }) {
        return;
    }
    let rect = ctx.rect(id);
    let to_enemy = Heading::between(rect.centre(), ctx.rect(enemy).centre());
    let turned = rect.turned_about_centre(match towards {
        Towards::Enemy => to_enemy,
        Towards::Away => to_enemy.reversed(),
        Towards::Ahead => rect.heading(),
    });
    let unit = ctx.battle.unit_mut(id);
    (unit.front, unit.heading) = (turned.front, turned.heading());
}

/// Forces a unit into a formation about its centre.
pub(crate) fn take_formation(ctx: &mut Context<'_>, id: UnitId, formation: FormationId) {
    let from = ctx.battle.unit(id).formation;
    if from != formation {
        reshape(ctx, id, formation);
        ctx.tell(|| Event::Formed { unit: id, from });
        if ctx.rules.square.is_some() {
            leave_square(ctx, id, false);
        }
    }
}

/// Puts a unit into a formation about its centre if there is room. Returns whether it did.
pub(crate) fn take_formation_with_room(ctx: &mut Context<'_>, id: UnitId, formation: FormationId) -> bool {
    let before = *ctx.battle.unit(id);
    reshape(ctx, id, formation);
    let taken = overlaps_anybody(ctx, id);
    *ctx.battle.unit_mut(id) = before;
    if taken {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
    } else {
        take_formation(ctx, id, formation);
    }
    !taken
}

/// Rearranges a unit's figures into another formation about its centre. When a square opens, the battalions inside stop
/// being part of it.
pub(crate) fn reshape(ctx: &mut Position<'_>, id: UnitId, formation: FormationId) {
    let unit = *ctx.battle.unit(id);
    let rect = unit.rect(ctx.rules);
    let footprint = ctx.rules.footprint(unit.kind, formation, unit.figures);
    let changed = ctx.battle.unit_mut(id);
    (changed.formation, changed.abreast, changed.bend, changed.spacing) = (formation, 0, Bend::NONE, 0);
    if !ctx.rules.formations[formation].gathers {
        changed.guests = 0;
    }
    changed.front = rect.reshaped(footprint.width, footprint.depth).front;
}

/// The depth of a unit in column, in hundredths of an inch; `None` for others. Broken units do not count: such a unit
/// stays in column regardless of its losses, and runs on until it has room.
pub(crate) fn depth_of_column(ctx: &Position<'_>, id: UnitId) -> Option<i32> {
    let (rules, unit) = (ctx.rules, ctx.battle.unit(id));
    let deep = rules.formations[unit.formation].shape == Some(Shape::Deep);
    (deep && !unit.broken(rules)).then(|| unit.footprint(rules).depth)
}

/// Puts a column of this depth into its shallow formation if its losses would make it deeper and there is no room for
/// that: losses do not move a unit (7.41).
pub(crate) fn keep_depth(ctx: &mut Context<'_>, id: UnitId, depth: i32) {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(id);
    if unit.footprint(rules).depth <= depth || !overlaps_anybody(ctx, id) {
        return;
    }
    let shallow = rules.formation_of_shape(unit.kind, Shape::Shallow);
    let no_deeper = |&formation: &FormationId| rules.footprint(unit.kind, formation, unit.figures).depth <= depth;
    if let Some(formation) = shallow.filter(no_deeper) {
        ctx.battle.unit_mut(id).formation = formation;
        ctx.tell(|| Event::Formed { unit: id, from: unit.formation });
    }
}

/// If losses have changed the shape of a unit's ranks, puts it into the formation with its new shape (8.31, 9.11,
/// 9.12). A front that has lost all figures beyond its bend becomes straight (7.23).
pub(crate) fn keep_shape(ctx: &mut Context<'_>, id: UnitId) {
    let rules = ctx.rules;
    let bent = !ctx.battle.unit(id).bend.is_none();
    if bent && !ctx.battle.unit(id).bends(rules) {
        ctx.battle.unit_mut(id).bend = Bend::NONE;
    }
    let unit = *ctx.battle.unit(id);
    if is_broken_up(ctx, id) {
        if let Some(formation) = rules.formation_of_shape(unit.kind, Shape::of(unit.figures, unit.figures)) {
            take_formation(ctx, id, formation);
        }
        return;
    }
    let Some(shape) = rules.formations[unit.formation].shape else { return };
    let now = Shape::of(unit.figures, unit.footprint(rules).front);
    if now == shape || unit.broken(rules) {
        return;
    }
    let Some(formation) = rules.formation_of_shape(unit.kind, now) else { return };
    ctx.battle.unit_mut(id).formation = formation;
    ctx.tell(|| Event::Formed { unit: id, from: unit.formation });
}

/// The position of a unit and the enemies it touches, if units keep contact when they lose figures (`closes-up`).
pub(crate) fn held_contact(ctx: &Position<'_>, id: UnitId) -> Option<(Rect, Units)> {
    ctx.rules.movement.closes_up.as_ref()?;
    let enemies = ctx.battle.enemy_units(ctx.battle.unit(id).side);
    let touched =
        Units::first(ctx.battle.units.len()).among(enemies).those(|enemy| touches(ctx, &ctx.place(id), enemy));
    (!touched.is_empty()).then(|| (ctx.rect(id), touched))
}

/// Shifts a unit that has lost figures within its former ground, to touch as many of these enemies as possible. It
/// prefers not to move at all, then to move left or right, then back.
pub(crate) fn close_up(ctx: &mut Context<'_>, id: UnitId, (stood, enemies): (Rect, Units)) {
    let now = ctx.rect(id);
    let (aside, back) = ((stood.width - now.width) / 2, stood.depth - now.depth);
    let places = [(0, 0), (-aside, 0), (aside, 0), (0, -back), (-aside, -back), (aside, -back)];
    let places = places.map(|(x, y)| Rect::new(now.at(x, y), now.heading(), now.width, now.depth));
    let touched = |place: &Rect| enemies.those(|enemy| touches(ctx, place, enemy)).count();
    let best = places.iter().enumerate().max_by_key(|&(number, place)| (touched(place), Reverse(number)));
    let Some((1.., best)) = best else { return };
    ctx.battle.unit_mut(id).front = best.front;
    if let Some(source) = &ctx.rules.movement.closes_up {
        ctx.tell_special((id, None), source, |scene| format!("{} closes up.", unit_name(scene, id)));
    }
}

fn touches(ctx: &Position<'_>, place: &Rect, enemy: UnitId) -> bool {
    !ctx.battle.unit(enemy).gone() && place.distance(&ctx.place(enemy)) <= ctx.rules.movement.touch
}

/// Whether losses have left a unit too small for its formation (9.51). Battalions inside a square are part of it.
fn is_broken_up(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    let bars = &ctx.rules.formations[unit.formation].bars;
    unit.guests == 0 && bars.iter().any(|bar| bar.breaks && ctx.holds(Some(&bar.when), id, None))
}

/// Puts a unit that is driven back into the formation that its morale state gives for a retreat, if there is room.
pub(crate) fn take_retreat_formation(ctx: &mut Context<'_>, id: UnitId, cause: UnitId) {
    let rules = ctx.rules;
    let unit = ctx.battle.unit(id);
    let Some(retreat) = &rules.morale[unit.morale].retreat else { return };
    let open = rules.kinds[unit.kind].speed[retreat.formation].is_some();
    if open && ctx.holds(retreat.when.as_ref(), id, Some(cause)) {
        take_formation(ctx, id, retreat.formation);
    }
}

/// The bar, if any, that keeps a unit from taking a formation.
pub(crate) fn barred(ctx: &Position<'_>, id: UnitId, formation: FormationId) -> Option<u8> {
    let bars = &ctx.rules.formations[formation].bars;
    bars.iter().position(|bar| ctx.holds(Some(&bar.when), id, None)).map(|bar| bar as u8)
}

/// Gives a unit its formation's own layout if its player has set its front, and if deployed or recalled figures would
/// change its shape. The unit thus keeps its formation: a change would need an order (8.13, 9.35-N).
pub(crate) fn keep_layout(ctx: &mut Position<'_>, id: UnitId) {
    let (rules, unit) = (ctx.rules, *ctx.battle.unit(id));
    let shape = rules.formations[unit.formation].shape;
    let shape_of = |unit: &Unit| Some(Shape::of(unit.figures, unit.footprint(rules).front));
    let own = Unit { abreast: 0, ..unit };
    if unit.abreast > 0 && unit.figures > 0 && shape_of(&unit) != shape && shape_of(&own) == shape {
        ctx.battle.unit_mut(id).abreast = 0;
    }
}

/// The order, if any, with which doctrine would change a unit's formation or facing.
pub(crate) fn would_change(ctx: &Position<'_>, id: UnitId, enemy: Option<UnitId>) -> Option<Order> {
    let Decisions { rows, first, .. } = ctx.decisions(id);
    let order = rows.get(first.get(&ctx.view(id, enemy)) as usize)?.order;
    matches!(order, Order::Form(_) | Order::Face | Order::Turn(_) | Order::Bend).then_some(order)
}
