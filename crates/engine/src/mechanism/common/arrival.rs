//! Arrivals: units that are not on the table when the battle begins, such as reserves and flank marches.
//!
//! The study gives the first turn in which a unit may arrive. It arrives at the start of its side's half of that turn
//! or, if the pack says so, rolls in that turn and in every later one until it succeeds. It arrives at its own
//! position, or at the edge of the table given by the roll, as near to that position as space allows. If there is no
//! room, it waits for the next turn, with another roll. If units go one at a time, or the second half of a turn has no
//! phases, the units of both sides arrive at the start of the turn.
//!
//! A unit with `arrives = "called"` arrives when the result of a roll calls for a unit of its type: a spell, or a
//! request for reinforcements. At the end of the phase, the first waiting unit comes on at the place that the pack
//! names: next to the calling unit, at its own position or at an edge. If several units call, or several wait,
//! precedence decides which is first. If there is no room, or the calling unit has been lost, the waiting unit waits
//! for another call. If both sides call in one step and two units would overlap, neither comes on.
//!
//! Example: a patrol in reserve from turn 2 on arrives on a four or more. The chance that it is there in turn 2 is 1/2;
//! in turn 3, it is 3/4.

use grognard_rules::model::{ArrivalRoll, Board, Called, Edge, KindId, OFF_BOARD, Source};

use crate::geometry::hex;
use crate::geometry::plane::{Point, Rect};
use crate::mechanism::common::moving::is_off_table;
use crate::mechanism::common::room::stands_on_anybody;
use crate::mechanism::figures::zone_entry::would_stand_in_zone;
use crate::mechanism::points::passage::crowded_there;
use crate::situation::hex::motion;
use crate::state::{Arrives, Bend, Flags, Side, Unit, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Occasion, Scene};
use crate::telling::narrator::words::unit_name;

/// The step, in hundredths of an inch, by which a unit is shifted along an edge to find room.
const STEP: i32 = 50;

/// Brings on the units that arrive now: those of the side whose half of the turn begins, or those of all sides.
pub(crate) fn bring_on(ctx: &mut Context<'_>) {
    if ctx.setup.arrivals.is_empty() {
        return;
    }
    let active = ctx.battle.active;
    if !ctx.rules.goes_by_unit() && ctx.rules.plays_both_halves() {
        bring_on_side(ctx, active);
    } else if active == ctx.battle.leads() {
        for &side in ctx.battle.sides_from(active) {
            bring_on_side(ctx, side);
        }
    }
    ctx.answer_losses();
}

fn bring_on_side(ctx: &mut Context<'_>, side: Side) {
    // If several units want the same place, precedence decides, not their order in the list.
    for id in ctx.neighbours().in_order(ctx.battle.side(side).filter(|&id| is_due(ctx, id))) {
        bring_on_one(ctx, id);
    }
}

/// Whether a unit is still off the table and waits for a result to call it.
pub(crate) fn waits_for_call(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    let called = ctx.setup.arrivals.get(id.index()) == Some(&Some(Arrives::Called));
    called && unit.is_to_come()
}

/// The result of a call.
struct Answer {
    caller: UnitId,
    kind: KindId,
    /// The called unit, and its state before; `None` if no unit is left to come.
    called: Option<(UnitId, Unit)>,
    end: CallEnd,
}

/// Whether a called unit comes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CallEnd {
    Comes,
    NoRoom,
    /// An enemy unit called in the same step would overlap it.
    Contested,
}

/// Brings on the units that have been called in this step.
pub(crate) fn answer_calls(ctx: &mut Context<'_>) {
    if ctx.scratch.calls.is_empty() {
        return;
    }
    let mut calls = std::mem::take(&mut ctx.scratch.calls);
    if let Some((arrival, place)) = ctx.rules.arrival.as_ref().and_then(|arrival| Some((arrival, arrival.called?))) {
        calls.sort_by(|&(one, _), &(other, _)| ctx.neighbours().precedence(one, other));
        for answer in answers(ctx, &calls, place) {
            tell_answer(ctx, &arrival.source, &answer);
        }
    }
    // Keeps the list's capacity for the next step.
    calls.clear();
    ctx.scratch.calls = calls;
}

/// Finds where called units come on. Neither side has priority: each side's units look for room as if the other's were
/// not there. If two would overlap, neither comes on.
fn answers(ctx: &mut Position<'_>, calls: &[(UnitId, KindId)], place: Called) -> Vec<Answer> {
    let mut answers = Vec::new();
    let active = ctx.battle.active;
    for &side in ctx.battle.sides_from(active) {
        let of_side = answers.len();
        for &(caller, kind) in calls {
            let unit = ctx.battle.unit(caller);
            if unit.side == side && !unit.gone() {
                answers.push(answer(ctx, caller, kind, place));
            }
        }
        for id in answers.iter().skip(of_side).filter_map(came) {
            set_late(ctx, id, true);
        }
    }
    for id in answers.iter().filter_map(came) {
        set_late(ctx, id, false);
    }
    let contested: Vec<bool> =
        answers.iter().map(|answer| came(answer).is_some_and(|id| meets_enemy(ctx, id))).collect();
    for (answer, _) in answers.iter_mut().zip(contested).filter(|&(_, contested)| contested) {
        answer.end = CallEnd::Contested;
        if let Some((id, before)) = answer.called {
            set_late(ctx, id, true);
            *ctx.battle.unit_mut(id) = before;
            place_mate(ctx, id);
        }
    }
    answers
}

/// The unit that a call has brought on.
fn came(answer: &Answer) -> Option<UnitId> {
    answer.called.filter(|_| answer.end == CallEnd::Comes).map(|(id, _)| id)
}

fn answer(ctx: &mut Position<'_>, caller: UnitId, kind: KindId, place: Called) -> Answer {
    let waits = |&id: &UnitId| {
        let unit = ctx.battle.unit(id);
        unit.kind == kind && waits_for_call(ctx, id) && !hex::attached(unit)
    };
    let waiting = ctx.battle.side(ctx.battle.unit(caller).side).filter(waits);
    let Some(id) = ctx.neighbours().first_by(waiting, |_| ()) else {
        return Answer { caller, kind, called: None, end: CallEnd::NoRoom };
    };
    let before = *ctx.battle.unit(id);
    let placed = match place {
        Called::Place => is_free(ctx, id, &ctx.place(id), &ctx.rect(id)),
        Called::Beside => stand_beside(ctx, id, caller),
        Called::Own => stand_at(ctx, id, Edge::Own),
        Called::Enemy => stand_at(ctx, id, Edge::Enemy),
        Called::Left => stand_at(ctx, id, Edge::Left),
        Called::Right => stand_at(ctx, id, Edge::Right),
    };
    if placed {
        set_late(ctx, id, false);
    }
    Answer { caller, kind, called: Some((id, before)), end: if placed { CallEnd::Comes } else { CallEnd::NoRoom } }
}

/// Whether a called unit overlaps one of the enemy's. It had room before the other called units came on.
fn meets_enemy(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    match ctx.rules.board {
        Board::None => false,
        Board::Hex => ctx.battle.enemies(unit.side).any(|foe| {
            let foe = ctx.battle.unit(foe);
            foe.front == unit.front && !foe.gone()
        }),
        Board::Plane { .. } => !is_free(ctx, id, &ctx.place(id), &ctx.rect(id)),
    }
}

fn tell_answer(ctx: &mut Context<'_>, source: &Source, answer: &Answer) {
    let &Answer { caller, kind, called, end } = answer;
    let called = called.map(|(id, _)| id);
    ctx.tell_special((caller, called), source, |scene: Scene<'_>| {
        let caller = unit_name(scene, caller);
        let Some(called) = called else {
            let kind = &scene.rules.kinds[kind].title;
            return format!("{caller} calls, but no {kind} is left to come.");
        };
        let called = unit_name(scene, called);
        match end {
            CallEnd::Comes => format!("{caller} calls, and {called} comes onto the table."),
            CallEnd::NoRoom => format!("{caller} calls, but there is no room for {called}."),
            CallEnd::Contested => {
                format!("{caller} calls, but {called} and an enemy unit need the same ground, so neither comes.")
            }
        }
    });
}

/// Puts a unit next to the one that called it, or from which it has split off. Returns false if there is no room.
pub(crate) fn stand_beside(ctx: &mut Position<'_>, id: UnitId, caller: UnitId) -> bool {
    match ctx.rules.board {
        Board::None => true,
        Board::Hex => stand_in_hex_beside(ctx, id, caller),
        Board::Plane { .. } => {
            let (host, rect) = (ctx.rect(caller), ctx.rect(id));
            let heading = host.heading();
            let aside = (host.width + rect.width + 1) / 2;
            let places =
                [(heading.turned(900), aside), (heading.turned(-900), aside), (heading.reversed(), host.depth)];
            let at = |(way, by)| Rect::new(host.front.moved(way, by), heading, rect.width, rect.depth);
            let free = |place: &Rect| !is_off_table(ctx.rules, place) && is_free(ctx, id, place, place);
            let Some(place) = places.into_iter().map(at).find(free) else { return false };
            stand_on(ctx, id, &place);
            true
        }
    }
}

fn stand_in_hex_beside(ctx: &mut Position<'_>, id: UnitId, caller: UnitId) -> bool {
    let Some(board) = ctx.rules.hex.as_deref() else { return false };
    let host = ctx.battle.unit(caller);
    let around = board.grid.neighbours(hex::hex_of(&board.grid, host));
    let closed = motion::barred(board, &ctx.view(id, None));
    let at = |way: u8| around[usize::from(way)];
    let place = |hex: u8| {
        let (x, y) = board.grid.place(hex);
        Point { x, y }
    };
    let free =
        |&to: &u8| to != OFF_BOARD && closed & motion::bit(to) == 0 && hex::occupant(&ctx.battle, place(to)).is_none();
    let Some(to) = hex::ways_of(host.side).into_iter().map(at).find(free) else { return false };
    ctx.battle.unit_mut(id).front = place(to);
    place_mate(ctx, id);
    true
}

fn stand_on(ctx: &mut Position<'_>, id: UnitId, place: &Rect) {
    let unit = ctx.battle.unit_mut(id);
    (unit.front, unit.heading, unit.bend, unit.fills) = (place.front, place.heading(), Bend::NONE, 0);
}

/// Whether a unit arrives now, or rolls for it.
fn is_due(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    // A leader on hexes comes with his unit.
    let now = matches!(ctx.setup.arrivals[id.index()], Some(Arrives::From(turn)) if turn <= ctx.battle.turn);
    now && unit.is_to_come() && !hex::attached(unit)
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

/// The edge at which a result brings a unit on; `None` for its own position.
fn edge_of(roll: &ArrivalRoll, row: u16) -> Option<Option<Edge>> {
    roll.comes.iter().find(|(known, _)| *known == row).map(|&(_, edge)| edge)
}

/// Brings a unit on if it has been placed, and reports whether there was room.
fn put_on(ctx: &mut Context<'_>, id: UnitId, placed: bool) {
    if placed {
        set_late(ctx, id, false);
    }
    ctx.tell(|| Event::Arrived { unit: id, placed });
}

/// Sets whether a unit, and the leader with it, is still to come.
fn set_late(ctx: &mut Position<'_>, id: UnitId, late: bool) {
    for id in std::iter::once(id).chain(ctx.battle.unit(id).hex.mate.get()) {
        let flags = &mut ctx.battle.unit_mut(id).flags;
        if late { flags.set(Flags::LATE) } else { flags.clear(Flags::LATE) }
    }
}

/// Puts the leader with a unit where the unit is.
fn place_mate(ctx: &mut Position<'_>, id: UnitId) {
    let front = ctx.battle.unit(id).front;
    if let Some(mate) = ctx.battle.unit(id).hex.mate.get() {
        ctx.battle.unit_mut(mate).front = front;
    }
}

/// Whether a unit may arrive on this rectangle and take up this ground.
fn is_free(ctx: &Position<'_>, id: UnitId, ground: &Rect, rect: &Rect) -> bool {
    match ctx.rules.board {
        Board::None => true,
        Board::Hex => hex::occupant(&ctx.battle, ctx.battle.unit(id).front).is_none(),
        // A unit that arrives in a wood or a village that it fills needs all of it. Skirmishers do not arrive in an
        // enemy's fire zone (9.43).
        Board::Plane { .. } => {
            !stands_on_anybody(ctx, id, ground)
                && crowded_there(ctx, id, rect).is_none()
                && !would_stand_in_zone(ctx, id, rect)
        }
    }
}

/// Puts a unit at an edge, with its back to the edge, as near to its own position as space allows. Returns false if
/// there is no room.
fn stand_at(ctx: &mut Position<'_>, id: UnitId, edge: Edge) -> bool {
    let Board::Plane { table, .. } = ctx.rules.board else { return false };
    let unit = *ctx.battle.unit(id);
    let inward = ctx.setup.towards(unit.side, edge).reversed();
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
    stand_on(ctx, id, &place);
    true
}
