//! Chapters 7, 8 and 9 of the figures system.
//!
//! S6, the line of the examples, is a line of six figures half an inch wide and deep: 3.0" by 0.5", front at the
//! origin, facing north.

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

/// This many skirmishers of a light battalion.
fn skirmishers(figures: u16) -> Men {
    unit("light-battalion").figures(figures).formation("skirmish").facing(0.0)
}

/// An enemy too far away to matter.
fn far_away() -> Men {
    figure().at(0.0, 22.0).facing(180.0)
}

/// The arc in which a single figure at this place, facing this way, shoots at S6.
fn arc_of_shot(east: f64, north: f64, facing: f64) -> Arc {
    // Places are those of the figure's base centre, as in the clause; the front of its base is a quarter of an inch
    // ahead.
    let (sine, cosine) = f64::to_radians(facing).sin_cos();
    let shooter = figure().at(east + 0.25 * sine, north + 0.25 * cosine).facing(facing);
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[s6()]));
    game.phase("fire", &[1]);
    game.roll("fire").exposed.1
}

/// A line of four charges S6 from its rear.
fn charged_in_the_rear() -> Game {
    let behind = unit("line-battalion").figures(4).at(0.0, -2.0).facing(0.0);
    let mut game = Game::new(("charge", &[behind]), ("hold", &[s6()]));
    game.phase("charge", &[1, 1]);
    assert!(matches!(game.seen.events().last(), Some(Event::Contact { arc: Arc::Rear, .. })));
    game
}

/// The game of a unit with this doctrine, after one phase without dice, against an enemy far away.
fn alone(doctrine: &str, men: Men, phase: &str) -> Game {
    let mut game = Game::new((doctrine, &[men.at(0.0, 0.0).facing(0.0)]), ("hold", &[far_away()]));
    game.phase(phase, &[]);
    game
}

/// The game of a unit ordered to march, wheel and march again: inches, degrees, inches.
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

/// A light battalion after opportunity fire, before it carries out an order: seven skirmishers are left, after the one
/// man who was not deployed has fallen.
fn last_man_shot(rules: &'static Rules, order: &str) -> Game {
    let lights = unit("light-battalion").screen(7).at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").figures(6).at(0.0, -1.5).facing(0.0);
    let mut game = Game::under(rules, (order, &[lights]), ("hold", &[enemy]));
    game.phase("formation", &[10, 1, 1]);
    assert_eq!(game.first().figures, 7);
    game
}

/// The distance that the first unit that marched has moved.
fn marched(game: &Game) -> Option<i32> {
    game.seen.events().iter().find_map(|event| match event {
        Event::Marched { distance, .. } => Some(*distance),
        _ => None,
    })
}
