//! The movement chapter of the command point system, and as much of its other chapters as is known.
//!
//! D, the defender of the examples, is infantry in line, 2.5" by 1", with its middle at the origin and facing north.
//! Its front edge is half an inch north of the origin, and its rear corners are at (1.25,-0.5) and (-1.25,-0.5).

mod bars;
mod charge;
mod contact;
mod doctrine;
mod fire;
mod flight;
mod generals;
mod interplay;
mod moves;
mod passing;
mod points;
mod positions;
mod pursuit;
mod refuges;
mod restrictions;
mod square;
mod stands;
mod tables;
mod terrain;
mod ways;

use grognard_engine::plane::{Arc, Point};
use grognard_engine::{Event, Side, TerrainPlan, Unit};

use crate::common::{Game, Men, pips, unit};

/// The defender D of the examples.
fn defender() -> Men {
    unit("infantry").at(0.0, 0.5).facing(0.0)
}

/// A unit of infantry, 2.5" by 1", placed by its centre and facing this way (0, 90, 180 or 270 degrees).
fn infantry(east: f64, north: f64, facing: f64) -> Men {
    by_centre("infantry", east, north, facing, 1.0)
}

/// A unit of cavalry, 1.5" by 1", placed by its centre.
fn cavalry(east: f64, north: f64, facing: f64) -> Men {
    by_centre("cavalry", east, north, facing, 1.0)
}

/// A unit of this type and depth, placed by its centre.
fn by_centre(kind: &str, east: f64, north: f64, facing: f64, depth: f64) -> Men {
    let (x, y) = match facing as i32 {
        0 => (0.0, 1.0),
        90 => (1.0, 0.0),
        180 => (0.0, -1.0),
        _ => (-1.0, 0.0),
    };
    unit(kind).at(east + x * depth / 2.0, north + y * depth / 2.0).facing(facing)
}

/// An enemy that is too far away to matter.
fn far_away() -> Men {
    unit("infantry").at(0.0, 20.0).facing(180.0)
}

/// The first message about a unit that may not be deployed like this.
fn refused(men: Men) -> String {
    let faults = Game::refused_over(pips(), &[], ("hold", &[men]), ("hold", &[far_away()]));
    faults.first().map_or_else(String::new, |fault| fault.message.clone())
}

fn game(first: (&str, &[Men]), second: (&str, &[Men])) -> Game {
    Game::under(pips(), first, second)
}

/// Plays the PIP phase of one unit with a doctrine and this many points, against an enemy that holds.
fn pip(doctrine: &str, men: Men, enemy: Men, points: u16) -> Game {
    let mut game = game((doctrine, &[men]), ("hold", &[enemy]));
    game.points(points).phase("pip", &[]);
    game
}

/// Shifts the first unit straight ahead, or on a bearing, and returns whether the shift was made.
fn shifts(men: Men, enemy: Men, bearing: u16, by: f64) -> (bool, Game) {
    let rules = Box::leak(Box::new(crate::common::load_with(
        "pips-drill",
        &[&format!("doctrine.shift.row.go.bearing={bearing}"), &format!("doctrine.shift.row.go.by={by}")],
    )));
    let mut game = Game::under(rules, ("shift", &[men]), ("hold", &[enemy]));
    game.points(3).phase("pip", &[]);
    let moved = game.paid() == ["move"];
    (moved, game)
}

/// The first unit moves up to the nearest infantry that it does not touch, if it may. It moves over this terrain, for
/// two points at most; its friends hold.
fn comes_up(ground: &[TerrainPlan], men: &[Men], enemies: &[Men]) -> Game {
    let mut game = Game::over(pips(), ground, ("reach", men), ("hold", enemies));
    for number in 1..men.len() {
        game.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
    }
    game.points(2).phase("pip", &[]);
    game
}

/// How a unit came into contact, as reported.
fn met(game: &Game) -> Option<Arc> {
    game.seen.events().iter().find_map(|event| match event {
        Event::Met { arc, .. } => Some(*arc),
        _ => None,
    })
}

/// How far the last flight went.
fn ran(game: &Game) -> Option<i32> {
    game.seen.events().iter().rev().find_map(|event| match event {
        Event::RanAway { distance, .. } => Some(*distance),
        _ => None,
    })
}

/// How far the pursuit went.
fn pursued(game: &Game) -> Option<i32> {
    game.seen.events().iter().find_map(|event| match event {
        Event::Pursued { distance, .. } => Some(*distance),
        _ => None,
    })
}

/// The middle of a unit, in hundredths of an inch.
fn centre(game: &Game, unit: &Unit) -> Point {
    game.ground(unit).centre()
}

fn morale(game: &Game, side: Side) -> String {
    let unit = if side == Side::First { game.first() } else { game.second() };
    game.state(&unit).1.to_owned()
}
