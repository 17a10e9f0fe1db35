//! Arrivals: units that are not on the table as the battle begins, such as reserves and flank marches.
//!
//! The study says from which turn on a unit may arrive. It arrives as its side's half of that turn begins, or rolls for it, if the
//! pack says so, in that turn and in every later one until it succeeds. It arrives at its own place, or at the edge of the table that the
//! roll gives, as near to that place as there is room. If there is no room it waits for the next turn, with another roll. Where units go
//! one at a time, or nothing is played in the second half of a turn, the units of both sides arrive as the turn begins.
//!
//! Example: a patrol in reserve from turn 2 on, which arrives on a four or more. It is there in turn 2 with a chance of 1/2, and in
//! turn 3 with one of 3/4.

use grognard_rules::model::{ArrivalRoll, Board, Edge};

use crate::geometry::hex;
use crate::geometry::plane::{Point, Rect};
use crate::mechanism::common::moving::is_off_table;
use crate::mechanism::common::room::stands_on_anybody;
use crate::mechanism::common::units::home;
use crate::mechanism::points::passage::crowded_there;
use crate::state::{Bend, Flags, Side, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Occasion};

/// The step in hundredths of an inch by which a unit is shifted along an edge to find room.
const STEP: i32 = 50;

/// Brings on the units that arrive now: those of the side whose half of the turn begins, or those of both.
pub(crate) fn bring_on(ctx: &mut Context<'_>) {
    if ctx.setup.arrivals.is_empty() {
        return;
    }
    let active = ctx.battle.active;
    if !ctx.rules.goes_by_unit() && ctx.rules.plays_both_halves() {
        bring_on_side(ctx, active);
    } else if active == ctx.battle.leads() {
        bring_on_side(ctx, active);
        bring_on_side(ctx, active.other());
    }
    ctx.answer_losses();
}

fn bring_on_side(ctx: &mut Context<'_>, side: Side) {
    let mut due: Vec<UnitId> = ctx.battle.side(side).filter(|&id| is_due(ctx, id)).collect();
    // Where several want one place, what they are decides, and not their order in the list.
    due.sort_unstable_by_key(|&id| {
        let unit = ctx.battle.unit(id);
        (unit.kind, unit.morale, unit.figures, unit.counters, unit.number)
    });
    for id in due {
        bring_on_one(ctx, id);
    }
}

/// Whether a unit arrives now, or rolls for it.
fn is_due(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    // A leader on hexes comes with his unit.
    ctx.setup.arrivals[id.index()] <= ctx.battle.turn && unit.flags.has(Flags::LATE) && !hex::attached(unit)
}

fn bring_on_one(ctx: &mut Context<'_>, id: UnitId) {
    let rules = ctx.rules;
    let Some(roll) = rules.arrival.as_ref().and_then(|arrival| arrival.roll.as_ref()) else {
        let placed = is_free(ctx, id, &ctx.place(id), &ctx.rect(id));
        put_on(ctx, id, placed);
        return;
    };
    let outcome = ctx.cast(Occasion::Arrival, roll.roll, id, None);
    let Some(edge) = edge_of(roll, outcome.row) else { return };
    let placed = match edge {
        None => is_free(ctx, id, &ctx.place(id), &ctx.rect(id)),
        Some(edge) => stand_at(ctx, id, edge),
    };
    put_on(ctx, id, placed);
    ctx.apply(&outcome.own, id, id);
}

/// The edge at which a result brings a unit on, if it does; none: its own place.
fn edge_of(roll: &ArrivalRoll, row: u16) -> Option<Option<Edge>> {
    roll.comes.iter().find(|(known, _)| *known == row).map(|&(_, edge)| edge)
}

/// Reports whether a unit has found room, and if so brings it on.
fn put_on(ctx: &mut Context<'_>, id: UnitId, placed: bool) {
    if placed {
        let mate = ctx.battle.unit(id).hex.mate;
        ctx.battle.unit_mut(id).flags.clear(Flags::LATE);
        if usize::from(mate) < ctx.battle.units.len() {
            ctx.battle.unit_mut(UnitId(mate)).flags.clear(Flags::LATE);
        }
    }
    ctx.tell(|| Event::Arrived { unit: id, placed });
}

/// Whether a unit may arrive where it would stand on this rectangle, and take up this ground.
fn is_free(ctx: &Position<'_>, id: UnitId, ground: &Rect, rect: &Rect) -> bool {
    match ctx.rules.board {
        Board::None => true,
        Board::Hex => hex::occupant(&ctx.battle, ctx.battle.unit(id).front).is_none(),
        // Who comes on in a wood or a village that it fills needs all of it.
        Board::Plane { .. } => !stands_on_anybody(ctx, id, ground) && crowded_there(ctx, id, rect).is_none(),
    }
}

/// Puts a unit at an edge, with its back to it, as near to its own place as there is room. Returns whether there is any.
fn stand_at(ctx: &mut Position<'_>, id: UnitId, edge: Edge) -> bool {
    let Board::Plane { table, .. } = ctx.rules.board else { return false };
    let unit = *ctx.battle.unit(id);
    let inward = match edge {
        Edge::Own => home(ctx, unit.side).reversed(),
        Edge::Enemy => home(ctx, unit.side),
        Edge::Left => home(ctx, unit.side).turned(-900),
        Edge::Right => home(ctx, unit.side).turned(900),
    };
    let rect = ctx.rect(id);
    // All four headings are along an axis.
    let (east, north) = inward.forward();
    let (half, other) =
        if east == 0 { (table.half_depth, table.half_width) } else { (table.half_width, table.half_depth) };
    let ahead = rect.depth - half;
    let at = |aside: i32| {
        let front = if east == 0 {
            Point { x: unit.front.x, y: ahead * north.signum() as i32 }
        } else {
            Point { x: ahead * east.signum() as i32, y: unit.front.y }
        };
        Rect::new(front.moved(inward.turned(900), aside), inward, rect.width, rect.depth)
    };
    let steps = 2 * other / STEP;
    let asides = std::iter::once(0).chain((1..=steps).flat_map(|step| [step * STEP, -step * STEP]));
    let free = |place: &Rect| !is_off_table(ctx.rules, place) && is_free(ctx, id, place, place);
    let Some(place) = asides.map(at).find(free) else { return false };
    let unit = ctx.battle.unit_mut(id);
    (unit.front, unit.heading, unit.bend, unit.fills) = (place.front, place.heading(), Bend::NONE, 0);
    true
}
