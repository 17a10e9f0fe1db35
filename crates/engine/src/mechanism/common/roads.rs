//! Roads: where they lead from a point, and how much of them a unit takes up (clause 8.61).

use arrayvec::ArrayVec;

use crate::geometry::plane::{Heading, Point, Rect};
use crate::situation::occupied::on_road;
use crate::state::{Piece, UnitId};
use crate::step::Position;

/// The largest gap in hundredths of an inch, from rounding, between two connected pieces of road.
pub(crate) const JOINT: i64 = 5;

/// The largest turn, in tenths of a degree, at which a road still counts as straight ahead.
const STRAIGHT: i32 = 50;

/// A right angle, in tenths of a degree: what lies beyond leads back.
const SQUARE: i32 = 900;

/// The maximum number of bends in a road around which the length of one unit is followed.
const BENDS_MAX: usize = 4;

/// The next leg of a road from a point, or from within `near` of it: its heading and length. If there are several, the one straight
/// ahead; otherwise the longest, but one that leads on before one that leads back. At a bend, the leg that a unit comes from is a
/// hairpin no more once the unit has turned.
pub(crate) fn next_leg(ctx: &Position<'_>, front: Point, heading: Heading, near: i64) -> Option<(Heading, i32)> {
    let legs = ways(ctx, front, near).filter_map(|(piece, way, end)| {
        let (rect, bend) = (&piece.rect, piece.ground(ctx.rules).bend);
        let left = front.square_distance(end).isqrt() as i32;
        let turn = heading.turn_to(way).abs();
        let is_leg = turn <= bend && left > rect.width.min(rect.depth);
        is_leg.then(|| ((turn <= STRAIGHT, turn <= SQUARE, left), Heading::between(front, end)))
    });
    // The first of several equally long ones.
    let best = legs.reduce(|best, leg| if leg.0 > best.0 { leg } else { best });
    best.map(|((.., left), way)| (way, left))
}

/// The distance for which the road under a point continues straight ahead.
fn road_ahead(ctx: &Position<'_>, front: Point, heading: Heading) -> i32 {
    let ends = straight_on(ctx, front, heading);
    ends.map(|end| front.square_distance(end).isqrt() as i32).max().unwrap_or(0)
}

/// Whether the middle of a unit's front is on a road that goes its way: it may have its rear beside the road, after a bend.
pub(crate) fn is_along(ctx: &Position<'_>, ground: &Rect) -> bool {
    straight_on(ctx, ground.front, ground.heading()).next().is_some()
}

/// The ends of the pieces of road under a point that continue straight ahead.
fn straight_on(ctx: &Position<'_>, front: Point, heading: Heading) -> impl Iterator<Item = Point> {
    let is_ahead = move |way: Heading| heading.turn_to(way).abs() <= STRAIGHT;
    ways(ctx, front, JOINT).filter(move |&(_, way, _)| is_ahead(way)).map(|(_, _, end)| end)
}

/// The pieces of road at a point or within `near` of it, each with both of its directions and the end that lies in that direction.
fn ways<'c>(ctx: &Position<'c>, front: Point, near: i64) -> impl Iterator<Item = (&'c Piece, Heading, Point)> {
    let rules = ctx.rules;
    let here = move |piece: &&Piece| {
        let (aside, ahead) = piece.rect.local(front);
        let beside = 2 * (aside.abs() - near) > i64::from(piece.rect.width);
        piece.ground(rules).road && !beside && ahead <= near && ahead >= -i64::from(piece.rect.depth) - near
    };
    ctx.setup.terrain.iter().filter(here).flat_map(|piece| {
        let (rect, centre) = (&piece.rect, piece.rect.centre());
        let (along, half) = if rect.width >= rect.depth {
            (rect.heading().turned(900), rect.width / 2)
        } else {
            (rect.heading(), rect.depth / 2)
        };
        [along, along.reversed()].map(|way| (piece, way, centre.moved(way, half)))
    })
}

/// The length of road that a unit takes up behind its base, in hundredths of an inch; 0 off the road and astride a bend.
pub(crate) fn trail(ctx: &Position<'_>, id: UnitId, ground: &Rect) -> i32 {
    let trail = second_length(ctx, id, ground);
    if trail > 0 && on_road(ctx.rules, &ctx.setup.terrain, ground) { trail } else { 0 }
}

/// The length of road that a unit on this ground takes up in addition to that of its base (8.61), in hundredths of an inch.
fn second_length(ctx: &Position<'_>, id: UnitId, ground: &Rect) -> i32 {
    let Some(rules) = &ctx.rules.command else { return 0 };
    let Some(command) = ctx.battle.command_of(ctx.battle.unit(id)) else { return 0 };
    let mode = &rules.modes[usize::from(command.mode)];
    let Some(trails) = &mode.trails_when else { return 0 };
    if ctx.holds(Some(trails), id, None) { ground.depth * (i32::from(mode.trail_lengths) - 1) } else { 0 }
}

/// The road that a unit takes up beyond the first bend behind it, or behind its front if it stands astride a bend (8.61).
pub(crate) fn trail_round_bends(ctx: &Position<'_>, id: UnitId, ground: &Rect) -> ArrayVec<Rect, BENDS_MAX> {
    let mut parts = ArrayVec::new();
    let mut left = second_length(ctx, id, ground);
    if left == 0 {
        return parts;
    }
    let mut back = ground.heading().reversed();
    let mut at = ground.at(0, -ground.depth);
    if !on_road(ctx.rules, &ctx.setup.terrain, ground) {
        // One that comes onto the road from beside it has none behind it.
        if !is_along(ctx, ground) {
            return parts;
        }
        (at, left) = (ground.front, left + ground.depth);
    }
    let straight = road_ahead(ctx, at, back).min(left);
    (at, left) = (at.moved(back, straight), left - straight);
    while left > 0 && !parts.is_full() {
        let Some((way, far)) = next_leg(ctx, at, back, JOINT) else { break };
        let part = far.min(left);
        parts.push(Rect::new(at, way.reversed(), ground.width, part));
        (at, back, left) = (at.moved(way, part), way, left - part);
    }
    parts
}
