//! Crews that flee from their guns, and come back (7.44, 8.47, 8.62).

use grognard_engine::plane::{Heading, Point};
use grognard_engine::{Event, Flags, Side};
use grognard_rules::model::{ByteId, MoraleId};

use super::far_away;
use crate::common::{Game, drill, unit};

/// A fleeing crew is placed on the far side of its guns from the enemy. It therefore neither runs through units that
/// charge the guns from the rear nor stops them.
#[test]
fn clause_7_44() {
    // The crew breaks during the charge or in the shock.
    for (test, shock) in [([6, 6], &[][..]), ([1, 1], &[6, 6, 1, 1][..])] {
        let horse = unit("heavy-cavalry").at(0.0, -10.0).facing(0.0);
        let guns = unit("field-battery").cannon(12).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[guns]));
        game.phase("charge", &test);
        assert!(
            game.seen.events().iter().any(|event| matches!(event, Event::Contact { .. })),
            "{:?}",
            game.seen.events()
        );
        game.phase("shock", shock);
        let crew = game.unit(Side::Second, 1);
        assert_eq!(game.state(&crew).1, "routed");
        assert_eq!(game.ground(&crew).distance(&game.ground(&game.second())), 0, "it stands at the base it has left");
        assert!(game.ground(&crew).centre().y > 0, "{:?}", crew.front);
        game.phase_of(Side::Second, "move", &[]);
        assert!(game.unit(Side::Second, 1).front.y > 1200, "{:?}", game.unit(Side::Second, 1).front);
    }
}

/// When a square breaks, the guns in it stay where the square was; their crew flees away from the enemy, like the
/// square.
#[test]
fn clause_8_47() {
    // The guns' base is as deep as a square of eight figures, which the enemy touches. If the square has only four, the
    // base has to move back half an inch, and the crew has to run farther.
    for (figures, wide, back) in [(8, 1.5, 0), (4, 1.0, 50)] {
        let square = unit("line-battalion").figures(figures).formation("square").at(0.0, 0.0).facing(0.0);
        let guns = unit("field-battery").cannon(2).formation("unlimbered").at(wide / 2.0 + 1.5, 0.0).facing(0.0);
        let column = unit("line-battalion").formation("column").at(0.0, 5.0).facing(180.0);
        let mut game = Game::new(("charge", &[column]), ("join", &[square, guns]));
        game.phase_of(Side::Second, "move", &[]);
        let mut stood = game.ground(&game.second()).centre();
        game.dice("charge", &[1; 20]);
        game.dice("shock", &[6, 6, 1, 1, 1, 1, 1, 1]);
        assert_eq!(game.state(&game.second()), ("column", "routed"), "{:?}", game.seen.events());
        let (guns, crew) = (game.unit(Side::Second, 1), game.unit(Side::Second, 2));
        stood.y -= back;
        assert_eq!((guns.figures, game.ground(&guns).centre(), guns.heading), (0, stood, Heading::NORTH));
        assert!(game.ground(&crew).centre().y < stood.y, "{:?}", crew.front);
        for (one, other) in [(&guns, &crew), (&guns, &game.second()), (&crew, &game.second())] {
            assert!(!game.ground(one).overlaps(&game.ground(other)), "{figures}: {one:?} {other:?}");
        }
        game.phase_of(Side::Second, "move", &[]);
        assert!(game.unit(Side::Second, 2).front.y < -1200, "{:?}", game.unit(Side::Second, 2).front);
    }
}

/// When a square is driven back in disorder, its guns stay where the square was, unlimbered (8.45, 8.47).
#[test]
fn the_guns_of_a_square_that_is_driven_back_stay() {
    let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let guns = unit("field-battery").cannon(2).formation("unlimbered").at(0.75 + 1.5, 0.0).facing(0.0);
    let column = unit("line-battalion").formation("column").at(0.0, 5.0).facing(180.0);
    let mut driven = 0;
    for battle in 0..300 {
        let mut game = Game::new(("charge", std::slice::from_ref(&column)), ("join", &[square.clone(), guns.clone()]));
        game.phase_of(Side::Second, "move", &[]);
        let stood = game.ground(&game.second()).centre();
        let mut dice = grognard_dice::SeededDice::new(1815);
        dice.battle(battle);
        game.play(Side::First, "charge", &mut dice);
        game.play(Side::First, "shock", &mut dice);
        let battery = game.unit(Side::Second, 1);
        if game.state(&game.second()) == ("column", "disordered") && !battery.gone() {
            driven += 1;
            assert_eq!((game.ground(&battery).centre(), game.state(&battery).0), (stood, "unlimbered"), "{battle}");
        }
    }
    assert!(driven > 0, "no square was driven back");
    // If a disordered square forms column by order, its guns make way for it (9.53).
    let mut game = Game::new(("join", &[square, guns]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    let host = game.unit_mut(Side::First, 0);
    (host.morale, host.doctrine) = (MoraleId::from_byte(1), drill().doctrine("form-column").expect("a doctrine"));
    game.phase("formation", &[]);
    assert_eq!(game.state(&game.first()), ("column", "disordered"), "{:?}", game.seen.refusals());
    assert!(!game.ground(&game.first()).overlaps(&game.ground(&game.nth(1))));
}

/// A crew that walks the last part of the way to its guns has moved, so its command does not settle in that phase.
#[test]
fn clause_8_62() {
    let guns = unit("field-battery").at(0.0, 0.0).facing(0.0);
    let mut game = Game::commanded(&[], ("attack", "road"), ("hold", &[guns]), ("hold", &[far_away()]));
    game.unit_mut(Side::First, 0).figures = 0;
    let crew = game.unit_mut(Side::First, 1);
    (crew.figures, crew.start, crew.morale) = (1, 1, MoraleId::FIRST);
    (crew.front, crew.flags) = (Point { x: 0, y: -350 }, Flags::SCREEN);
    let settles = |game: &Game| game.seen.events().iter().any(|event| matches!(event, Event::Settled { .. }));
    game.phase("move", &[]);
    assert_eq!((game.first().figures, settles(&game)), (1, false));
    game.phase("rally", &[]).phase("move", &[]);
    assert!(settles(&game));
    game.saw("8.62");
}
