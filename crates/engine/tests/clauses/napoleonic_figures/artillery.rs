//! Chapter 8: artillery, trains and staffs.

use grognard_engine::plane::{Arc, Heading};
use grognard_engine::{Event, Refusal, Side};

use super::{alone, far_away, figure, marched, s6};
use crate::common::{Game, Men, drill, line_of, unit};

/// Command figures and headquarters face everywhere.
#[test]
fn clause_7_21d() {
    for kind in ["headquarters", "commander"] {
        let enemy = figure().bearing(270.0, 4.0);
        let mut game = Game::new(("fire-only", &[enemy]), ("hold", &[unit(kind).at(0.0, 0.0).facing(90.0)]));
        game.phase("fire", &[1]);
        assert_eq!(game.roll("fire").exposed.1, Arc::Front, "{kind}");
        game.saw("7.21d");
    }
}

/// A battery that limbers or unlimbers turns free.
#[test]
fn clause_7_34() {
    // The enemy stands at 75 degrees; the battery marches 4" ahead of it and unlimbers.
    let battery = unit("field-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
    let enemy = figure().bearing(75.0, 15.0);
    let mut game = Game::new(("unlimber-in-move", &[battery]), ("hold", &[enemy]));
    game.phase("move", &[]);
    assert_eq!(game.state(&game.first()).0, "unlimbered");
    let towards = Heading::between(game.ground(&game.first()).centre(), game.ground(&game.second()).centre());
    assert!(game.first().heading.turn_to(towards).abs() <= 10, "{:?} {towards:?}", game.first().heading);
    assert_eq!(
        marched(&game),
        Some(800 - 200 - game.ground(&game.setup.start.units[0]).wheel_cost(wheel_of(&game))),
        "at no cost"
    );
    game.saw("7.34");
}

/// The wheel of the last march.
fn wheel_of(game: &Game) -> i32 {
    let wheel = |event: &Event| if let Event::Marched { wheel, .. } = event { Some(*wheel) } else { None };
    game.seen.events().iter().rev().find_map(wheel).expect("somebody marched")
}

/// Every battery has one of four classes, which settles how it moves.
#[test]
fn clause_8_41() {
    let speed = |kind: &str| {
        let game = alone("march", unit(kind).formation("limbered"), "move");
        assert_eq!(drill().arms[usize::from(drill().kinds[usize::from(game.first().kind)].arm)], "artillery");
        marched(&game)
    };
    let speeds = ["field-battery", "positional-battery", "horse-battery", "siege-battery"].map(speed);
    assert_eq!(speeds, [Some(800), Some(600), Some(1200), Some(400)]);
    let game = alone("form-limbered", unit("horse-battery"), "formation");
    assert_eq!(game.state(&game.first()).0, "limbered");
    let wrong = alone("form-square", unit("horse-battery"), "formation");
    wrong.saw("8.41");
}

/// Positional artillery: heavy pieces, and whatever oxen draw.
#[test]
fn clause_8_41b() {
    for (kind, far) in [("positional-battery", 600), ("ox-battery", 500)] {
        let game = alone("march", unit(kind).formation("limbered"), "move");
        assert_eq!(marched(&game), Some(far));
        game.saw("8.41b");
    }
}

/// Siege artillery: the heaviest.
#[test]
fn clause_8_41d() {
    let game = alone("march", unit("siege-battery").formation("limbered"), "move");
    assert_eq!(marched(&game), Some(400));
    game.saw("8.41d");
}

/// Unlimbering at the end of a move costs 2" besides all else.
#[test]
fn clause_8_42() {
    let battery = |kind: &str| unit(kind).formation("limbered").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("unlimber-in-move", &[battery("field-battery")]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert_eq!((marched(&game), game.state(&game.first()).0), (Some(600), "unlimbered"), "6 and 2 of 8");
    game.saw("8.42");
    // Who marches more than that has not the move left.
    let mut late = Game::new(("unlimber-late", &[battery("field-battery")]), ("hold", &[far_away()]));
    late.phase("move", &[]);
    assert_eq!((marched(&late), late.state(&late.first()).0), (Some(800), "limbered"));
    assert!(matches!(late.seen.refusals()[..], [Refusal::NoMove(_)]));
    // Limber, move and unlimber in one turn.
    let guns = unit("horse-battery").at(0.0, 0.0).facing(0.0);
    let mut all = Game::new(("limber-move-unlimber", &[guns]), ("hold", &[far_away()]));
    all.phase("formation", &[]).phase("move", &[]);
    assert_eq!((marched(&all), all.state(&all.first()).0), (Some(1000), "unlimbered"));
    all.saw("8.42");
}

/// Positional artillery changes in the formation phase only, siege artillery over a whole stationary turn.
#[test]
fn clause_8_43() {
    let battery = |kind: &str| unit(kind).formation("limbered").at(0.0, 0.0).facing(0.0);
    let mut heavy = Game::new(("unlimber-in-move", &[battery("positional-battery")]), ("hold", &[far_away()]));
    heavy.phase("move", &[]);
    assert_eq!(heavy.state(&heavy.first()).0, "limbered");
    assert!(matches!(heavy.seen.refusals()[..], [Refusal::BarredInMove(_, 0)]));
    heavy.saw("8.43");
    let next = alone("form-unlimbered", battery("positional-battery"), "formation");
    assert_eq!(next.state(&next.first()).0, "unlimbered");

    let mut siege =
        Game::new(("limber-and-march", &[unit("siege-battery").at(0.0, 0.0).facing(0.0)]), ("hold", &[far_away()]));
    let phases: Vec<String> = drill().phases.iter().map(|phase| phase.id.clone()).collect();
    let turn = |game: &mut Game| {
        for phase in &phases {
            game.phase(phase, &[]);
        }
    };
    siege.phase("formation", &[]);
    assert_eq!(siege.state(&siege.first()).0, "unlimbered", "not at once");
    siege.saw("8.43");
    for phase in &phases[1..] {
        siege.phase(phase, &[]);
    }
    assert_eq!((siege.state(&siege.first()).0, marched(&siege)), ("limbered", None), "at the end of a stationary turn");
    turn(&mut siege);
    assert_eq!(marched(&siege), Some(400));
}

/// The crew: 1 figure for up to 9 cannon, 2 for more, one more for siege guns.
#[test]
fn clause_8_46() {
    for (kind, cannon, crew) in [
        ("field-battery", 1, 1),
        ("field-battery", 9, 1),
        ("field-battery", 10, 2),
        ("field-battery", 12, 2),
        ("siege-battery", 6, 2),
        ("siege-battery", 10, 3),
    ] {
        let game = alone("hold", unit(kind).cannon(cannon), "move");
        assert_eq!(game.first().figures, crew, "{cannon} cannon, {kind}");
    }
    // Cannon fire costs cannon and leaves the crew; musketry costs crew.
    let guns = || unit("field-battery").at(0.0, 0.0).facing(0.0);
    let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    let mut shelled = Game::new(("fire-only", &[enemy]), ("hold", &[guns()]));
    shelled.phase("fire", &[10, 10, 1, 1, 3, 3]);
    assert_eq!((shelled.second().cannon, shelled.second().figures), (6, 1));
    shelled.saw("8.46");
    let faults = Game::refused(("hold", &[guns().figures(2)]), ("hold", &[far_away()]));
    assert!(faults[0].message.contains("8.46"), "{faults:?}");
}

/// A routed crew leaves its guns, which stay where they are and can do nothing; rallied, it comes back.
#[test]
fn clause_8_47() {
    let guns = unit("field-battery").cannon(4).at(0.0, 0.0).facing(0.0);
    let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    let mut game = Game::new(("fire-only", &[enemy]), ("fire-only", &[guns]));
    let before = game.second().front;
    game.phase("fire", &[10, 10, 1, 1, 6, 6]);
    assert_eq!((game.second().figures, game.second().away), (0, 1));
    assert_ne!(game.state(&game.second()).1, "routed");
    game.saw("8.47");
    game.phase_of(Side::Second, "move", &[]).phase_of(Side::Second, "fire", &[]);
    assert_eq!(game.second().front, before, "the base stays");
    game.phase_of(Side::Second, "rally", &[3, 3]);
    assert_eq!((game.second().figures, game.second().away), (1, 0));
    assert_eq!(game.state(&game.second()).1, "disordered");
}

/// A crew disordered by a check disorders the battery, which can still do everything.
#[test]
fn clause_8_47a() {
    let guns = unit("field-battery").cannon(4).at(0.0, 0.0).facing(0.0);
    let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    let mut game = Game::new(("fire-only", &[enemy]), ("fire-only", &[guns]));
    game.phase("fire", &[10, 10, 1, 1, 5, 5]);
    assert_eq!((game.state(&game.second()).1, game.second().figures), ("disordered", 1));
    game.saw("8.47a");
    game.phase_of(Side::Second, "fire", &[1, 1]);
    assert!(game.own_modifiers("fire").is_empty(), "it fires as before");
}

/// The last of the pack's cases that disorder a battery applies to its morale.
fn disordered_by(game: &Game) -> bool {
    game.own_modifiers("morale").contains(&"already-disordered")
}

/// A battery that moves in strategic march mode is disordered.
#[test]
fn clause_8_47b() {
    for (mode, expected) in [("strategic", true), ("battle", false)] {
        let guns = unit("field-battery").cannon(4).formation("limbered").at(0.0, -20.0).facing(0.0);
        let enemy = unit("field-battery").cannon(4).at(0.0, 14.0).facing(180.0);
        let mut game = Game::commanded(&[], ("attack", mode), ("march", &[guns]), ("fire-only", &[enemy]));
        // Its own half of the turn is over when the enemy fires.
        game.phase("move", &[]).phase("rally", &[]).phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1]);
        assert_eq!(disordered_by(&game), expected, "{mode}");
        if expected {
            game.saw("8.47b");
        }
    }
}

/// A limbered battery under RESERVE is disordered.
#[test]
fn clause_8_47d() {
    for (order, formation, expected) in
        [("reserve", "limbered", true), ("reserve", "unlimbered", false), ("march", "limbered", false)]
    {
        let guns = unit("field-battery").cannon(4).formation(formation).at(0.0, 0.0).facing(0.0);
        let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
        let mut game = Game::commanded(&[], (order, "battle"), ("hold", &[guns]), ("fire-only", &[enemy]));
        game.phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1]);
        assert_eq!(disordered_by(&game), expected, "{order}, {formation}");
        if expected {
            game.saw("8.47d");
        }
    }
}

/// A battery that has crossed a wall ends that move limbered.
#[test]
fn clause_8_48() {
    let battery = || unit("horse-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
    let wall = [line_of("wall", (-5.0, 3.0), (5.0, 3.0))];
    let mut game = Game::over(drill(), &wall, ("unlimber-in-move", &[battery()]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert_eq!(game.state(&game.first()).0, "limbered");
    assert!(matches!(game.seen.refusals()[..], [Refusal::BarredInMove(_, 1)]));
    game.saw("8.48");
    let next = alone("form-unlimbered", battery(), "formation");
    assert_eq!(next.state(&next.first()).0, "unlimbered", "in the next formation phase");
}

/// Trains stay limbered.
#[test]
fn clause_8_49() {
    let game = alone("form-unlimbered", unit("pontoon-train"), "formation");
    assert_eq!(game.seen.refusals(), [Refusal::Formation]);
    game.saw("8.49");
    let march = alone("march", unit("pontoon-train"), "move");
    assert_eq!(marched(&march), Some(600));
}

/// With a crew a battery is formed for fire zones and not for movement; without one it is not formed.
#[test]
fn clause_8_73() {
    let turn_before = |guns: Men| {
        let men = unit("line-battalion").figures(6).at(0.0, 0.0).facing(45.0);
        let mut game = Game::new(("face", &[men]), ("hold", &[guns]));
        game.phase("formation", &[1, 1]);
        game
    };
    let crewed = turn_before(unit("field-battery").cannon(2).at(0.0, 3.5).facing(180.0));
    assert!(crewed.seen.events().iter().any(|event| matches!(event, Event::InZone { .. })));
    crewed.saw("8.73");
    let charge =
        Game::new(("charge", &[unit("field-battery").at(0.0, 0.0).facing(0.0)]), ("hold", &[figure().at(0.0, 3.0)]));
    let mut charge = charge;
    charge.phase("charge", &[]);
    assert_eq!(charge.seen.refusals(), [Refusal::MayNotCharge]);
}

/// A headquarters counts as artillery for formed status: it owns a fire zone, all round.
#[test]
fn clause_8_74() {
    let men = s6().facing(45.0);
    let mut game = Game::new(("face", &[men]), ("hold", &[unit("headquarters").at(0.0, 2.0).facing(0.0)]));
    game.phase("formation", &[]);
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::InZone { .. })));
    game.saw("8.74");
}
