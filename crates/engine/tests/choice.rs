//! Targets that a doctrine picks over the nearest one.

mod common;

use common::{Game, unit};
use grognard_engine::{Event, Side};

/// Cavalry with a square straight ahead, and a line behind it and aside.
fn before_a_square(doctrine: &str) -> Game {
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
    let square = unit("line-battalion").figures(8).formation("square").at(-3.2, 8.0).facing(180.0);
    let line = unit("line-battalion").figures(4).at(1.8, 9.0).facing(180.0);
    Game::new((doctrine, &[horse]), ("hold", &[square, line]))
}

fn charged(game: &Game) -> Option<usize> {
    game.seen.events().iter().find_map(|event| match event {
        Event::Declared { target, .. } => Some(target.index()),
        _ => None,
    })
}

#[test]
fn cavalry_looks_for_a_unit_out_of_square() {
    let mut blind = before_a_square("charge");
    blind.phase("charge", &[1, 3, 3]);
    assert_eq!(charged(&blind), Some(1), "the nearest");
    let mut choosing = before_a_square("look-for-openings");
    choosing.phase("charge", &[1, 1, 3, 3]);
    assert_eq!(charged(&choosing), Some(2), "the line");
}

#[test]
fn guns_fire_at_the_deepest_target() {
    let guns = unit("field-battery").at(0.0, 0.0).facing(0.0);
    let line = unit("line-battalion").at(-4.0, 10.0).facing(180.0);
    let column = unit("line-battalion").formation("column").at(4.0, 14.0).facing(180.0);
    let mut game = Game::new(("look-for-openings", &[guns]), ("hold", &[line, column]));
    game.phase_of(Side::First, "fire", &[1; 8]);
    let target = game.roll("fire").foe.map(grognard_engine::UnitId::index);
    assert_eq!(target, Some(2), "not the line, which is nearer");
}
