//! Rides: the distance that a general can ride in a straight line.
//!
//! A general rides through friends, but not through enemies. Nor does he ride into terrain that is closed to him,
//! unless he is on a road through it; but he may leave a piece that his unit fills, or that he is already in off the
//! road. Some terrain halves his move if he is off the road or if the terrain is linear. If the whole ride is on a
//! road, he gets the road bonus of units. He stops where he can go no farther. Example: a hedge 6" ahead would halve
//! his move of 9", so he stops short of it; a hedge 3" ahead he crosses, and moves 4.5".

use arrayvec::ArrayVec;
use grognard_rules::model::{Generals, RideRow};

use crate::geometry::plane::{Heading, Point, Rect};
use crate::state::general::base;
use crate::state::terrain::{bridged, touches_road};
use crate::state::{Piece, Side, UNITS_PER_SIDE_MAX};
use crate::step::Position;
use crate::telling::event::RideFacts;

/// The distance, in hundredths of an inch, between the points that are checked.
const APART: usize = 5;

/// A straight ride of a general.
#[derive(Clone, Copy)]
pub(crate) struct Course {
    /// The middle of his base at the start.
    pub(crate) from: Point,
    /// The direction of the ride.
    pub(crate) heading: Heading,
    /// The distance that he wants to ride, in hundredths of an inch.
    pub(crate) wanted: i32,
    /// The part of the ride that costs nothing, because it is within the ground of the unit that he is with.
    pub(crate) free: i32,
    /// The piece of terrain that his own unit fills. He may leave it off the road.
    pub(crate) out_of: Option<usize>,
    /// The piece of terrain filled by the unit that he rides to. He meets the unit at the edge of the piece.
    pub(crate) towards: Option<usize>,
}

/// The result of a ride: its distance, and the effects of terrain and enemies on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ride {
    /// The distance ridden, in hundredths of an inch.
    pub(crate) distance: i32,
    /// The terrain and enemies that affected it.
    pub(crate) facts: RideFacts,
}

/// The road bonus of a general's move.
pub(crate) fn road_bonus(ctx: &Position<'_>, generals: &Generals) -> i32 {
    ctx.rules.movement.road.as_ref().filter(|_| generals.road.is_some()).map_or(0, |(inches, _)| *inches)
}

/// The ride of a general on a course.
pub(crate) fn ride_along(ctx: &Position<'_>, generals: &Generals, side: Side, course: &Course) -> Ride {
    let Course { from, heading, wanted, free, out_of, towards } = *course;
    let rules = ctx.rules;
    let touch = rules.movement.touch;
    let road = road_bonus(ctx, generals);
    let most = wanted.min(generals.reach + road + free);
    // Everything that he might meet is in a strip that is wide enough for his base turned in any direction.
    let strip =
        Rect::new(from.moved(heading, most + generals.base), heading, 2 * generals.base, most + 2 * generals.base);
    let near = |(index, piece): &(usize, &Piece)| Some(*index) != towards && piece.rect.overlaps(&strip);
    let pieces: Vec<&Piece> = ctx.setup.terrain.iter().enumerate().filter(near).map(|(_, piece)| piece).collect();
    let start = base(rules, from);
    let there = ctx.battle.enemies(side).filter(|&enemy| !ctx.battle.unit(enemy).gone());
    // An enemy that has moved onto him does not stop him.
    let bars = |place: &Rect| generals.enemies.is_some() && place.overlaps(&strip) && !place.overlaps(&start);
    let there = there.map(|enemy| ctx.place(enemy)).filter(bars);
    let enemies: ArrayVec<Rect, UNITS_PER_SIDE_MAX> = there.collect();
    if pieces.is_empty() && enemies.is_empty() {
        return Ride { distance: most.min(generals.reach + free), ..Ride::default() };
    }
    let filled = out_of.and_then(|piece| ctx.setup.terrain.get(piece));
    let fills = |piece: &Piece| filled.is_some_and(|filled| std::ptr::eq(filled, piece));
    let through = |place: &Rect, piece: &Piece| bridged(rules, pieces.iter().copied(), place, piece);
    let stands_in = |piece: &Piece| fills(piece) || piece.rect.overlaps(&start) && !through(&start, piece);
    let mut ride = Ride::default();
    let (mut always, mut halved, mut areas) = (true, 0, false);
    // The distance that he may ride. `always` tells whether all of the ride is on a road; `halved` gives the rows whose
    // terrain it crosses.
    let limit = |always: bool, halved: u64| {
        free + if halved == 0 { generals.reach } else { generals.reach / 2 } + if always { road } else { 0 }
    };
    for far in (0..=most as usize).step_by(APART).chain([most as usize]) {
        let far = far as i32;
        let place = base(rules, from.moved(heading, far)).inset(touch);
        always &= touches_road(rules, pieces.iter().copied(), &place);
        if far > limit(always, halved) {
            break;
        }
        let on_road = |piece: &Piece| !piece.ground(rules).linear && through(&place, piece);
        let (mut closes, mut halves) = (0, 0);
        for piece in pieces.iter().filter(|piece| piece.rect.overlaps(&place)) {
            if on_road(piece) {
                areas |= piece.ground(rules).area;
                continue;
            }
            halves |= rows_of(&generals.halved, piece);
            if !stands_in(piece) {
                closes |= rows_of(&generals.closed, piece);
            }
        }
        let enemy = enemies.iter().any(|enemy| enemy.overlaps(&place));
        if enemy || closes != 0 {
            (ride.facts.closed, ride.facts.enemy) = (closes, enemy);
            break;
        }
        if far > limit(always, halved | halves) {
            ride.facts.short = halves;
            break;
        }
        halved |= halves;
        let rides_on = far > limit(false, halved);
        ride.distance = far;
        ride.facts = RideFacts { halved, road: rides_on, areas: areas && rides_on, ..ride.facts };
    }
    ride
}

/// The rows that list a piece's kind of terrain, one bit for each row.
fn rows_of(rows: &[RideRow], piece: &Piece) -> u64 {
    let listed = rows.iter().enumerate().filter(|(_, row)| row.terrain.contains(&piece.ground));
    listed.fold(0, |listed, (index, _)| listed | 1 << index)
}
