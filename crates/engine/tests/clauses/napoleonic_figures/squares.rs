//! Squares of several units, and guns in them.

use grognard_engine::{Event, Refusal, Side};

use super::far_away;
use crate::common::{Game, Men, drill, unit};

/// A square of this many figures at this place.
fn square(figures: u16, east: f64) -> Men {
    unit("line-battalion").figures(figures).formation("square").at(east, 0.0).facing(0.0)
}

/// The first unit, 1.5" square, and others that touch it, against this enemy; they have joined it.
fn joined(others: &[Men], enemy: Men) -> Game {
    let mut men = vec![square(8, 0.0)];
    men.extend(others.iter().cloned());
    let mut game = Game::new(("join", &men), ("fire-only", &[enemy]));
    game.phase("move", &[]);
    game
}

fn joins(game: &Game) -> usize {
    game.seen.events().iter().filter(|event| matches!(event, Event::Joined { .. })).count()
}

/// Guns that touch the right of the square, 3" wide when unlimbered.
fn guns(cannon: u16, formation: &str) -> Men {
    unit("field-battery").cannon(cannon).formation(formation).at(0.75 + 1.5, 0.0).facing(0.0)
}

/// A battery inside a square that is disordered is disordered.
#[test]
fn clause_8_47c() {
    let enemy = unit("line-battalion").at(0.0, 4.0).facing(180.0);
    let mut game = joined(&[square(6, 1.25), guns(2, "unlimbered").at(-0.75 - 1.5, 0.0)], enemy);
    assert_eq!(joins(&game), 2);
    game.phase_of(Side::Second, "fire", &[10, 10, 10, 10, 1, 1, 5, 5]);
    assert!(game.battle.units[..3].iter().all(|unit| game.state(unit).1 == "disordered"));
    game.saw("8.47c");
}

/// The whole square takes the morale of the unit that tests for it and fails.
#[test]
fn clause_8_54() {
    let shot = |test: i32| {
        let enemy = unit("line-battalion").at(0.0, 4.0).facing(180.0);
        let mut game = joined(&[square(6, 1.25), square(4, -1.25)], enemy);
        assert_eq!(joins(&game), 2, "8, 6 and 4");
        game.phase_of(Side::Second, "fire", &[10, 10, 10, 10, 1, 1, test, test]);
        game
    };
    let failed = shot(5);
    assert!(failed.battle.units[..3].iter().all(|unit| failed.state(unit).1 == "disordered"));
    failed.saw("8.54");
    let passed = shot(2);
    assert!(passed.battle.units[..3].iter().all(|unit| passed.state(unit).1 == "good"));
}

/// Squares that touch merge into one of all their figures, if all are in good order.
#[test]
fn clause_9_52() {
    let merged = joined(&[square(6, 1.25)], far_away());
    let host = merged.first();
    assert_eq!(host.figures + host.guests, 14, "one square of 14");
    let ground = merged.ground(&host);
    assert_eq!((ground.width, ground.depth), (200, 200), "four ranks of four");
    merged.saw("9.52");
    assert_eq!(joins(&joined(&[square(6, 1.45)], far_away())), 0, "0.2 inches apart");
    let disordered = joined(
        &[unit("line-battalion").figures(6).formation("all-around").morale("disordered").at(1.25, 0.0)],
        far_away(),
    );
    assert_eq!(joins(&disordered), 0);
    assert!(disordered.seen.refusals().contains(&Refusal::NoSquare));
    // A disordered unit forms none either.
    let line = unit("line-battalion").morale("disordered").at(0.0, 0.0).facing(0.0);
    let mut alone = Game::new(("form-square", &[line]), ("hold", &[far_away()]));
    alone.phase("formation", &[]);
    assert_eq!(alone.seen.refusals(), [Refusal::Formation]);
    alone.saw("9.52");
}

/// One cannon for two figures, or part of two.
#[test]
fn clause_9_53() {
    for (cannon, room) in [(4, true), (5, false)] {
        let game = joined(&[guns(cannon, "unlimbered")], far_away());
        assert_eq!(joins(&game) == 1, room, "{cannon} cannon among 8 figures");
        game.saw("9.53");
    }
    // Fourteen figures hold seven.
    let game = joined(&[square(6, 1.25), guns(7, "unlimbered").at(-0.75 - 1.5, 0.0)], far_away());
    assert_eq!(joins(&game), 2);
    // Artillery fire costs them cannon, musketry crew.
    let shelled = |enemy: Men, faces: &[i32]| {
        let mut game = joined(&[guns(4, "unlimbered")], enemy);
        game.phase_of(Side::Second, "fire", faces);
        let battery = game.battle.units[1];
        (battery.cannon, battery.figures)
    };
    let cannon = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    assert_eq!(shelled(cannon, &[10, 10, 10, 10, 2, 2]), (3, 1));
    let muskets = unit("line-battalion").at(0.0, 4.0).facing(180.0);
    assert_eq!(shelled(muskets, &[10, 10, 10, 10, 10, 10, 2, 2]).0, 4);
}

/// Limbered guns, trains and horse cannot be in a square.
#[test]
fn clause_9_54() {
    let limbered = unit("field-battery").cannon(2).formation("limbered").at(0.75 + 0.75, 0.0).facing(0.0);
    let train = unit("pontoon-train").cannon(2).at(0.75 + 0.75, 0.0).facing(0.0);
    let horse = unit("light-cavalry").figures(2).at(0.75 + 1.0, 0.0).facing(0.0);
    for men in [limbered, train, horse] {
        let game = joined(&[men], far_away());
        assert_eq!(joins(&game), 0);
        assert!(game.seen.refusals().contains(&Refusal::NoSquare));
        game.saw("9.54");
    }
    assert_eq!(drill().square.as_ref().map(|square| square.figures_per_cannon), Some(2));
}
