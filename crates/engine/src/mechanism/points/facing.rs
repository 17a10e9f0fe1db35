//! Facing: the position of a unit after it has turned towards an enemy.
//!
//! A unit that touches the enemy turns until the two are edge to edge, with the smallest shift or, if others are in the
//! way, the smallest one that has room (A6). A unit that does not touch the enemy turns on the spot, and so do guns
//! that have no room at the enemy's edge, or would touch another enemy there. If there is no room for that turn, or if
//! it would bring the unit into contact and the act bars this, the unit makes quarter turns while they bring it closer
//! to facing the enemy (R9, R12). A unit that fills a piece of terrain turns about its own middle, even if units touch
//! the edge.
//!
//! Example: infantry faces north, cavalry touches its right side, and a friend is 0.7" behind it. If it turned to the
//! east, its base, 2.5" wide, would reach 0.05" into the friend: it moves north along the cavalry until it is clear.

use crate::geometry::plane::{Heading, Rect, Way};
use crate::mechanism::common::moving::is_off_table;
use crate::mechanism::common::room::stands_on_anybody;
use crate::mechanism::points::payment::permit_way;
use crate::mechanism::points::route::contacts_of_turn;
use crate::mechanism::points::{contact, occupation};
use crate::state::UnitId;
use crate::step::Position;
use crate::step::nearest::others;

/// The minimum length of an edge-to-edge contact, in hundredths of an inch: more than rounding can remove.
const EDGE: i32 = 5;

/// The position of a unit after it has turned to face an enemy. If no position has room, the first one tried.
pub(crate) fn place_facing(ctx: &Position<'_>, id: UnitId, foe: UnitId) -> Rect {
    match edge_to_edge(ctx, id, foe) {
        Some(Ok(place) | Err(place)) => place,
        None => on_the_spot(ctx, id, foe, |_| true).unwrap_or_else(|place| place),
    }
}

/// Like [`place_facing`], for a unit that pivots by an act. The act may bar the contact that a turn would make.
pub(crate) fn place_of_pivot(ctx: &Position<'_>, act: u8, id: UnitId, foe: UnitId) -> Rect {
    let open = |place: &Rect| permit_way(ctx, act, id, foe, contacts_of_turn(ctx, id, place)).is_ok();
    let edge = edge_to_edge(ctx, id, foe);
    if let Some(Ok(place) | Err(place)) = edge {
        let may = ctx.rules.acts[usize::from(act)].on_the_spot.as_ref();
        let may = may.is_some_and(|may| may.get(&ctx.view(id, Some(foe))) != 0);
        if !may || edge.is_some_and(|place| place.is_ok_and(|place| open(&place))) {
            return place;
        }
    }
    on_the_spot(ctx, id, foe, open).unwrap_or_else(|first| edge.map_or(first, |(Ok(place) | Err(place))| place))
}

/// The position edge to edge with an enemy that the unit touches, or `Err` with the first such position if none has
/// room. `None` if the unit does not touch the enemy, or stays in the middle of the terrain that it fills.
fn edge_to_edge(ctx: &Position<'_>, id: UnitId, foe: UnitId) -> Option<Result<Rect, Rect>> {
    let (rect, there) = (ctx.rect(id), ctx.place(foe));
    let towards = Heading::between(rect.centre(), there.centre());
    let may = |start: &Rect, place: &Rect| has_room(ctx, id, place) && passes_nobody(ctx, id, start, place);
    let touching = !occupation::fills(ctx, id) && contact::touching(ctx, id, foe);
    touching.then(|| facing_edge(&rect, &there, towards, may))
}

/// The position of a unit after it has turned about its middle: to the enemy's middle or, if there is no room for that,
/// by quarter turns. If no position with room is `open`, `Err` with the first that has room, or else with the position
/// after the turn to the enemy's middle.
fn on_the_spot(ctx: &Position<'_>, id: UnitId, foe: UnitId, open: impl Fn(&Rect) -> bool) -> Result<Rect, Rect> {
    let (rect, there) = (ctx.rect(id), ctx.place(foe));
    let towards = Heading::between(rect.centre(), there.centre());
    let turned = rect.turned_about_centre(towards);
    if occupation::fills(ctx, id) {
        return Ok(turned);
    }
    let nearer = sides_towards(&rect, towards).into_iter().take_while(|&heading| heading != rect.heading());
    let quarters = nearer.map(|heading| rect.turned_about_centre(heading));
    let places = || std::iter::once(turned).chain(quarters.clone()).filter(|place| has_room(ctx, id, place));
    places().find(open).ok_or_else(|| places().next().unwrap_or(turned))
}

/// Whether a position is on the table and free of units.
fn has_room(ctx: &Position<'_>, id: UnitId, place: &Rect) -> bool {
    !stands_on_anybody(ctx, id, place) && !is_off_table(ctx.rules, place)
}

/// Whether the straight line from one position to another does not pass over a unit (I2, I3). Units that overlap the
/// first position do not count.
fn passes_nobody(ctx: &Position<'_>, id: UnitId, start: &Rect, place: &Rect) -> bool {
    let touch = ctx.rules.movement.touch;
    let (from, to) = (start.centre(), place.centre());
    let distance = from.square_distance(to).isqrt() as i32;
    let bearing = start.heading().turn_to(Heading::between(from, to)).rem_euclid(3600);
    let way = Way { start: *start, wheel: 0, bearing, distance, length: distance };
    let passes = |there: &Rect| !start.inset(touch).overlaps(there) && way.passes_over(there, touch);
    distance == 0 || !others(ctx, id).any(|other| passes(&ctx.place(other)))
}

/// Turns a rectangle about its centre so that its front edge points at another one, and moves it until it touches one
/// of the other's sides. Of the two sides nearest to straight ahead, it takes the one that its front reaches with the
/// smaller shift (A6). Beyond a corner it may meet neither; then it also moves aside, just far enough to bring the
/// corner in front of it. If it may not be in that position, it also moves along a side. `may` decides whether it may
/// be in the second position and get there from the first. `Err` with the first position tried if it may be in none of
/// them.
fn facing_edge(rect: &Rect, there: &Rect, towards: Heading, may: impl Fn(&Rect, &Rect) -> bool) -> Result<Rect, Rect> {
    // The rectangle starts from far enough back to touch the side that it faces.
    let back = rect.width + rect.depth;
    let meets = |place: Rect| {
        let run = place.marched(-back);
        run.march_to_contact(there).map(|distance| ((distance - back).abs(), run.marched(distance)))
    };
    let sides = sides_towards(there, towards);
    let [nearest, next, ..] = sides.map(|heading| rect.turned_about_centre(heading));
    let aside = || {
        let (corner, _) = nearest.local(there.nearest(nearest.centre()));
        let reach = corner.signum() as i32 * (nearest.width / 2 - EDGE);
        Rect::new(nearest.at(corner as i32 - reach, 0), nearest.heading(), nearest.width, nearest.depth)
    };
    let met = [nearest, next].into_iter().filter_map(meets).min_by_key(|&(shift, _)| shift);
    let first = met.or_else(|| meets(aside())).map_or(nearest, |(_, place)| place);
    if may(&first, &first) {
        return Ok(first);
    }
    let ahead = sides.into_iter().filter(|heading| heading.turn_to(towards).abs() < 900);
    let along = ahead.flat_map(|heading| {
        let start = rect.turned_about_centre(heading);
        places_along(start, there).map(move |place| (start, place))
    });
    // Among shifts of equal length, the one nearer to the enemy's middle comes first.
    let shift = |place: &Rect| [rect, there].map(|other| place.centre().square_distance(other.centre()));
    let reached = along.filter(|(start, place)| may(start, place)).map(|(_, place)| place);
    reached.min_by_key(shift).ok_or(first)
}

/// All positions in which a rectangle has its front edge on the side of another one that it faces.
fn places_along(turned: Rect, there: &Rect) -> impl Iterator<Item = Rect> {
    let corners = there.corners().map(|corner| turned.local(corner));
    let least = |of: fn((i64, i64)) -> i64| corners.map(of).into_iter().min().unwrap_or(0) as i32;
    let (left, right, ahead) = (least(|(x, _)| x), -least(|(x, _)| -x), least(|(_, y)| y));
    let reach = turned.width / 2 - EDGE;
    (left - reach..=right + reach)
        .map(move |x| Rect::new(turned.at(x, ahead), turned.heading(), turned.width, turned.depth))
}

/// The heading square to a side of a rectangle that is nearest to another heading.
pub(crate) fn square_to(there: &Rect, towards: Heading) -> Heading {
    sides_towards(there, towards)[0]
}

/// The headings square to the four sides of a rectangle, those nearest to another heading first.
fn sides_towards(there: &Rect, towards: Heading) -> [Heading; 4] {
    let mut sides = [0, 1, 2, 3].map(|quarter| there.heading().turned(quarter * 900));
    sides.sort_by_key(|heading| heading.turn_to(towards).abs());
    sides
}
