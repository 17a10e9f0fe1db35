//! Chapters 7, 8 and 9 of the figures system.
//!
//! S6, the line in the clauses' examples, is six figures in one rank, each half an inch wide and deep. It is 3.0" by
//! 0.5", has its front at the origin and faces north.

mod artillery;
mod batteries;
mod charges;
mod cited;
mod cited_arcs;
mod commands;
mod cover;
mod crews;
mod doctrine;
mod driven_back;
mod facing;
mod formation;
mod ground;
mod grown;
mod infantry;
mod layouts;
mod meetings;
mod merged;
mod narrated;
mod numbers;
mod positions;
mod posts;
mod roads;
mod screens;
mod settling;
mod skirmish;
mod squares;
mod stacks;
mod together;
mod types;
mod wheels;
mod zones;

use grognard_engine::Event;
use grognard_engine::plane::Arc;
use grognard_rules::model::Rules;

use crate::common::{Game, Men, load_with, unit};

fn s6() -> Men {
    unit("line-battalion").figures(6).at(0.0, 0.0).facing(0.0)
}

/// One figure of infantry, half an inch square.
fn figure() -> Men {
    unit("line-battalion").figures(1)
}

/// A group of this many skirmishers from a light battalion.
fn skirmishers(figures: u16) -> Men {
    unit("light-battalion").figures(figures).formation("skirmish").facing(0.0)
}

/// An enemy too far away to matter.
fn far_away() -> Men {
    figure().at(0.0, 22.0).facing(180.0)
}

/// The arc of S6 that is exposed to a shot from a single figure with this position and facing.
fn arc_of_shot(east: f64, north: f64, facing: f64) -> Arc {
    // As in the clause, the position is the centre of the figure's base; the front of its base is a quarter of an inch
    // ahead.
    let (sine, cosine) = f64::to_radians(facing).sin_cos();
    let shooter = figure().at(east + 0.25 * sine, north + 0.25 * cosine).facing(facing);
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[s6()]));
    game.phase("fire", &[1]);
    game.roll("fire").exposed.1
}

/// A line of four figures charges S6 from the rear.
fn charged_in_the_rear() -> Game {
    let behind = unit("line-battalion").figures(4).at(0.0, -2.0).facing(0.0);
    let mut game = Game::new(("charge", &[behind]), ("hold", &[s6()]));
    game.phase("charge", &[1, 1]);
    assert!(matches!(game.seen.events().last(), Some(Event::Contact { arc: Arc::Rear, .. })));
    game
}

/// The game after one phase without dice: one unit with this doctrine against an enemy far away.
fn alone(doctrine: &str, men: Men, phase: &str) -> Game {
    let mut game = Game::new((doctrine, &[men.at(0.0, 0.0).facing(0.0)]), ("hold", &[far_away()]));
    game.phase(phase, &[]);
    game
}

/// The game after a unit has been ordered to march, wheel and march again: inches, degrees, inches.
fn path(men: Men, (first, turn, second): (f64, i32, f64)) -> Game {
    let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
    let rules = load_with(
        "figures-drill",
        &[&leg(0, &format!("march={first}")), &leg(1, &format!("wheel={turn}")), &leg(2, &format!("march={second}"))],
    );
    let mut game = Game::under(Box::leak(Box::new(rules)), ("path", &[men]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    game
}

/// A light battalion that has been hit by opportunity fire before it carries out an order. Its one undeployed man has
/// fallen, and seven skirmishers are left.
fn last_man_shot(rules: &'static Rules, order: &str) -> Game {
    let lights = unit("light-battalion").screen(7).at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").figures(6).at(0.0, -1.5).facing(0.0);
    let mut game = Game::under(rules, (order, &[lights]), ("hold", &[enemy]));
    game.phase("formation", &[10, 1, 1]);
    assert_eq!(game.first().figures, 7);
    game
}

/// The distance of the first march.
fn marched(game: &Game) -> Option<i32> {
    game.seen.events().iter().find_map(|event| match event {
        Event::Marched { distance, .. } => Some(*distance),
        _ => None,
    })
}
