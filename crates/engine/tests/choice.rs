//! Doctrines that choose something other than the nearest enemy: another enemy, or a friend to support.

use crate::common::{Game, unit};
use grognard_engine::{Event, Side};

/// Cavalry with a square straight ahead of it, and a line behind the square and to one side.
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
    assert_eq!(target, Some(3), "not the line, which is nearer");
}

/// Foot 6" ahead, and horse farther off to the right.
fn horse_at(east: f64, doctrine: &str, formation: &str) -> Game {
    let battalion = unit("line-battalion").formation(formation).at(0.0, 0.0).facing(0.0);
    let foot = unit("line-battalion").at(0.0, 6.0).facing(180.0);
    let horse = unit("heavy-cavalry").formation("column").at(east, 0.0).facing(270.0);
    let mut game = Game::new((doctrine, &[battalion]), ("hold", &[foot, horse]));
    game.phase("formation", &[]);
    game
}

#[test]
fn a_square_is_formed_against_horse_that_is_not_the_nearest() {
    for doctrine in ["attack-in-depth", "defend-in-depth", "look-for-openings"] {
        let near = horse_at(12.0, doctrine, "line");
        assert_eq!(near.state(&near.first()).0, "square", "{doctrine}: it can charge 14 inches");
        let far = horse_at(24.0, doctrine, "line");
        assert_eq!(far.state(&far.first()).0, "line", "{doctrine}");
    }
    let kept = horse_at(12.0, "attack-in-depth", "square");
    assert_eq!(kept.state(&kept.first()).0, "square", "it is not opened before it either");
    let opened = horse_at(24.0, "attack-in-depth", "square");
    assert_eq!(opened.state(&opened.first()).0, "column");
}

/// Two lines, `behind` inches apart. The first has this `morale`, and an enemy is 20" ahead.
fn two_lines(behind: f64, morale: &str) -> Game {
    let ahead = unit("line-battalion").morale(morale).at(0.0, 0.0).facing(0.0);
    let support = unit("line-battalion").at(0.0, -0.5 - behind).facing(0.0);
    let enemy = unit("line-battalion").at(0.0, 20.0).facing(180.0);
    let mut game = Game::new(("follow", &[ahead, support]), ("hold", &[enemy]));
    game.phase("move", &[]);
    game
}

#[test]
fn supports_keep_their_distance_and_step_up_for_whoever_is_spent() {
    // The first line marches its 8"; the second stays six inches behind it.
    let game = two_lines(6.0, "good");
    assert_eq!((game.nth(0).front.y, game.nth(1).front.y), (800, 150));
    let near = two_lines(3.0, "good");
    assert_eq!(near.nth(1).front.y, 150, "it waits until there are six inches between them");
    // The second line advances on its own behind a disordered or routed line, as far as space allows.
    let spent = two_lines(2.0, "disordered");
    assert_eq!((spent.nth(0).front.y, spent.nth(1).front.y), (800, 550));
}

#[test]
fn who_stands_straight_behind_marches_as_one_group() {
    let game = two_lines(0.5, "good");
    assert_eq!((game.nth(0).front.y, game.nth(1).front.y), (800, 700));
}
