//! The pack's doctrines act as a player would: there is one test for each row that once did not.

use grognard_engine::{Event, Refusal, Side, TerrainPlan};

use crate::common::{Game, Men, block_of, drill, line_of, unit};

fn line(north: f64) -> Men {
    unit("line-battalion").at(0.0, north).facing(180.0)
}

/// The formation phase of one unit at the origin against these enemies.
fn formation(doctrine: &str, terrain: &[TerrainPlan], men: Men, enemies: &[Men]) -> Game {
    let men = men.at(0.0, 0.0).facing(0.0);
    let mut game = Game::over(drill(), terrain, (doctrine, &[men]), ("hold", enemies));
    game.phase("formation", &[]);
    game
}

/// A disordered unit that is falling back does not turn about every turn.
#[test]
fn the_disordered_do_not_spin() {
    let behind = || unit("line-battalion").at(0.0, -8.0).facing(0.0);
    for doctrine in ["attack-in-depth", "press-the-attack", "defend-in-depth", "charge-home", "drill"] {
        let turned = |morale: &str| {
            let game = formation(doctrine, &[], unit("line-battalion").morale(morale), &[behind()]);
            game.seen.events().iter().any(|event| matches!(event, Event::Turned { .. }))
        };
        assert_eq!((turned("good"), turned("disordered")), (doctrine != "drill", false), "{doctrine}");
    }
}

/// A unit that holds its ground does better to face the enemy, even in disorder. It turns to face the enemy once, not
/// every turn.
#[test]
fn the_disordered_who_stand_face_the_enemy_once() {
    let behind = unit("line-battalion").at(0.0, -8.0).facing(0.0);
    for doctrine in ["stand", "stand-and-form", "stand-together", "look-for-openings"] {
        let men = unit("line-battalion").morale("disordered");
        let mut game = formation(doctrine, &[], men, std::slice::from_ref(&behind));
        game.battle.units[0].flags = game.setup.start.units[0].flags;
        game.phase("formation", &[]);
        let turns = game.seen.events().iter().filter(|event| matches!(event, Event::Turned { .. })).count();
        assert_eq!(turns, 1, "{doctrine}");
    }
}

/// A disordered unit with the enemy close in front turns about and leaves, instead of wheeling in place: a line of
/// twelve would pay 6" x pi for that (7.33).
#[test]
fn the_disordered_turn_about_and_go() {
    for doctrine in ["attack-in-depth", "defend-in-depth"] {
        let men = unit("line-battalion").morale("disordered").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new((doctrine, &[men]), ("hold", &[line(6.0)]));
        game.phase("formation", &[]).phase("move", &[]);
        assert_eq!(game.first().heading.tenths(), 1800, "{doctrine}");
        // It has turned about its centre, so its rear is where its front was.
        assert_eq!(game.ground(&game.first()).distance(&game.ground(&game.second())), 600 + 800, "{doctrine}");
        // In an enemy's fire zone it stays put, because turning there would draw fire (7.55).
        let men = unit("line-battalion").morale("disordered").at(0.0, 0.0).facing(0.0);
        let mut near = Game::new((doctrine, &[men]), ("hold", &[line(1.5)]));
        near.phase("formation", &[]).phase("move", &[]);
        assert_eq!(near.first().front, near.setup.start.units[0].front, "{doctrine}");
    }
}

/// When no horse is near, a unit leaves all-around order, in which it moves only two inches.
#[test]
fn all_around_order_is_left() {
    for (doctrine, formation) in [("attack-in-depth", "column"), ("defend-in-depth", "line")] {
        for morale in ["good", "disordered"] {
            let men = unit("line-battalion").formation("all-around").morale(morale);
            let game = self::formation(doctrine, &[], men.clone(), &[line(20.0)]);
            assert_eq!(game.state(&game.first()).0, formation, "{doctrine}");
            // With horse in front, units in good order form square again, and disordered units stay in all-around
            // order.
            let horse = unit("heavy-cavalry").at(0.0, 12.0).facing(180.0);
            let game = self::formation(doctrine, &[], men, &[horse]);
            assert_eq!(
                game.state(&game.first()).0,
                if morale == "good" { "square" } else { "all-around" },
                "{doctrine}"
            );
        }
    }
}

/// No unit forms square on ground that would disorder it at once.
#[test]
fn no_square_is_formed_on_a_wall() {
    let horse = || unit("heavy-cavalry").at(0.0, 12.0).facing(180.0);
    let wall = [line_of("wall", (-6.0, 0.15), (6.0, 0.15))];
    for doctrine in ["stand-and-form", "look-for-openings", "attack-in-depth", "defend-in-depth"] {
        let formed = |terrain: &[TerrainPlan]| {
            let game = formation(doctrine, terrain, unit("line-battalion"), &[horse()]);
            let (formation, morale) = game.state(&game.first());
            (formation.to_owned(), morale.to_owned())
        };
        assert_eq!(formed(&[]), ("square".into(), "good".into()), "{doctrine}");
        assert_eq!(formed(&wall), ("line".into(), "good".into()), "{doctrine}");
    }
}

/// No unit forms square against horse that is disordered and so may not charge.
#[test]
fn no_square_is_formed_against_horse_that_may_not_charge() {
    for doctrine in ["stand-and-form", "look-for-openings", "attack-in-depth", "defend-in-depth"] {
        for (morale, formed) in [("good", "square"), ("disordered", "line")] {
            let horse = unit("heavy-cavalry").morale(morale).at(0.0, 12.0).facing(180.0);
            let game = formation(doctrine, &[], unit("line-battalion"), &[horse]);
            assert_eq!(game.state(&game.first()).0, formed, "{doctrine}");
        }
    }
}

/// A march stops at the edge of the table.
#[test]
fn a_march_does_not_leave_the_table() {
    let column = unit("line-battalion").formation("column").at(0.0, 20.0).facing(0.0);
    let enemy = unit("line-battalion").at(30.0, 0.0).facing(180.0);
    let mut game = Game::commanded(&[], ("march", "battle"), ("attack-in-depth", &[column]), ("hold", &[enemy]));
    for _ in 0..2 {
        game.phase("move", &[]);
        game.battle.units[0].flags = game.setup.start.units[0].flags;
    }
    let centre = game.ground(&game.first()).centre();
    assert!(!game.first().gone());
    assert_eq!(centre.y, 2400, "as far as its centre stays on it");
}

/// No unit falls back off the table. A disordered unit stops at the edge, or stays where it is if its wheel alone would
/// take it off the table.
#[test]
fn nobody_falls_back_off_the_table() {
    let falls_back = |south: i32, facing: f64| {
        let horse = unit("heavy-cavalry").morale("disordered").at(0.0, -12.0).facing(facing);
        let enemy = unit("line-battalion").at(0.0, -8.0).facing(180.0);
        let mut game = Game::new(("charge-the-open", &[horse]), ("hold", &[enemy]));
        for unit in &mut game.battle.units {
            unit.front.y -= south - 1200;
        }
        game.phase("move", &[]);
        assert!(!game.first().gone(), "{south} {facing}");
        game
    };
    // It faces south, and its move is longer than the distance to the edge.
    let stopped = falls_back(2200, 180.0);
    assert_eq!(stopped.ground(&stopped.first()).centre().y, -2400, "as far as its centre stays on it");
    let turning = falls_back(2380, 90.0);
    assert_eq!(turning.first().front.y, -2380);
    assert_eq!(turning.seen.refusals(), [Refusal::NoRoom]);
}

/// Infantry in disorder stays in place and recovers; only cavalry falls back.
#[test]
fn disordered_infantry_does_not_fall_back_before_it_recovers() {
    for (kind, moves) in [("heavy-cavalry", true), ("line-battalion", false)] {
        let men = unit(kind).morale("disordered").at(0.0, 0.0).facing(180.0);
        let mut game = Game::new(("charge-the-open", &[men]), ("hold", &[line(5.0)]));
        game.phase("move", &[]);
        assert_eq!(game.first().front != game.setup.start.units[0].front, moves, "{kind}");
    }
}

/// Guns unlimber where they see an enemy, and turn to face it.
#[test]
fn guns_unlimber_where_they_see_a_target() {
    let battery = || unit("field-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
    for doctrine in ["charge-home", "attack-in-depth", "defend-in-depth"] {
        let unlimbers = |others: &[Men], enemies: &[Men]| {
            let men = [&[battery()], others].concat();
            let mut game = Game::new((doctrine, &men), ("hold", enemies));
            game.phase("formation", &[]);
            let battery = game.first();
            (game.state(&battery).0 == "unlimbered").then(|| battery.heading.tenths())
        };
        let friend = unit("line-battalion").at(0.0, 4.0).facing(0.0);
        assert_eq!(unlimbers(&[], &[line(16.0)]), Some(0), "{doctrine}");
        assert_eq!(
            unlimbers(std::slice::from_ref(&friend), &[line(16.0)]),
            None,
            "{doctrine}: its own line is in the way"
        );
        let aside = unit("line-battalion").at(18.0, -2.0).facing(270.0);
        let to_the_right = unlimbers(&[friend], &[line(16.0), aside]);
        assert!(to_the_right.is_some_and(|heading| heading.abs_diff(900) <= 5), "{doctrine}: {to_the_right:?}");
    }
}

/// Light infantry deploys a few figures, and none while horse is near.
#[test]
fn lights_keep_together_before_horse() {
    let lights = || unit("large-light-battalion").at(0.0, 0.0).facing(0.0);
    let out = |enemies: &[Men]| {
        let game = formation("look-for-openings", &[], lights(), enemies);
        if game.nth(1).gone() { 0 } else { game.nth(1).figures }
    };
    assert_eq!(out(&[line(12.0)]), 2);
    let horse = unit("heavy-cavalry").at(10.0, 18.0).facing(180.0);
    assert_eq!(out(&[line(12.0), horse]), 0);
}

/// Light battalions that hold their ground in front of infantry go entirely into skirmish order. Line battalions do
/// not, nor do light battalions near horse.
#[test]
fn lights_skirmish_before_infantry() {
    let ordered = |kind: &str, enemy: Men| {
        let game = formation("defend-in-depth", &[], unit(kind), &[enemy]);
        game.state(&game.first()).0.to_owned()
    };
    assert_eq!(ordered("light-battalion", line(12.0)), "full-skirmish");
    assert_eq!(ordered("light-battalion", line(9.0)), "line", "too near to change");
    assert_eq!(ordered("line-battalion", line(12.0)), "line");
    let horse = unit("heavy-cavalry").at(0.0, 20.0).facing(180.0);
    assert_ne!(ordered("light-battalion", horse), "full-skirmish");
}

/// Columns halt outside musket range and charge from there.
#[test]
fn columns_charge_from_beyond_musket_range() {
    let column = unit("line-battalion").formation("column").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("attack-in-depth", &[column]), ("stand", &[line(15.0)]));
    game.phase("move", &[]);
    let ahead = |game: &Game| game.ground(&game.first()).distance(&game.ground(&game.second()));
    assert_eq!(ahead(&game), 700);
    game.phase_of(Side::Second, "fire", &[]);
    assert_eq!(game.seen.refusals(), [Refusal::NoTarget], "a musket carries six inches");
    game.battle.units[0].flags = game.setup.start.units[0].flags;
    game.play_anyhow(Side::First, "charge");
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::Declared { .. })));
    // A line has no column bonus, so it closes in to fire.
    let two = unit("line-battalion").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("attack-in-depth", &[two]), ("stand", &[line(9.0)]));
    game.phase("move", &[]);
    assert_eq!(ahead(&game), 200);
}

/// Advancing infantry halts outside musket range of a line and charges from there. Against a deep target, it fires a
/// volley first.
#[test]
fn infantry_charges_lines_from_beyond_musket_range() {
    for (formation, ahead) in [("line", 700), ("column", 200)] {
        let men = unit("line-battalion").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("charge-home", &[men]), ("stand", &[line(9.0).formation(formation)]));
        game.phase("move", &[]);
        assert_eq!(game.ground(&game.first()).distance(&game.ground(&game.second())), ahead, "{formation}");
        game.battle.units[0].flags = game.setup.start.units[0].flags;
        game.play_anyhow(Side::First, "charge");
        assert!(game.seen.events().iter().any(|event| matches!(event, Event::Declared { .. })), "{formation}");
    }
}

/// A unit does not fire at a target that no face of the die can hit: it prefers a farther target that it can hit.
#[test]
fn nobody_fires_without_a_chance_to_hit() {
    // A ten hits loose order in the open, but nothing hits it among trees. Dense skirmishers can still be hit there,
    // because they get no benefit from trees (9.32-semi).
    let woods = [block_of("woods", (0.0, 7.0), (12.0, 4.0))];
    let skirmishers =
        |formation: &str| unit("light-battalion").figures(3).formation(formation).at(0.0, 5.5).facing(180.0);
    let fires = |targets: &[Men]| {
        let men = unit("line-battalion").figures(6).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(drill(), &woods, ("fire-only", &[men]), ("hold", targets));
        game.play_fire().then(|| game.roll("fire").foe.map(grognard_engine::UnitId::index))
    };
    assert_eq!(fires(&[skirmishers("skirmish")]), Some(Some(1)));
    assert_eq!(fires(&[skirmishers("full-skirmish")]), None);
    let farther = unit("two-rank-battalion").figures(1).at(2.7, 5.75).facing(180.0);
    assert_eq!(fires(&[skirmishers("full-skirmish"), farther]), Some(Some(2)));
}

/// Horse that a square has thrown back does not charge it again.
#[test]
fn a_square_is_charged_once() {
    let charges = |figures: u16, formation: &str| {
        let horse = unit("heavy-cavalry").at(0.0, 8.0).facing(180.0);
        let foot = unit("line-battalion").formation(formation).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("charge-home", &[horse]), ("hold", &[foot]));
        game.unit_mut(Side::First, 0).figures = figures;
        game.play_anyhow(Side::First, "charge");
        game.seen.events().iter().any(|event| matches!(event, Event::Declared { .. }))
    };
    assert!(charges(8, "square"));
    assert!(!charges(7, "square"));
    assert!(charges(7, "line"));
}

/// A unit that limbers chooses its facing, to advance or to leave.
#[test]
fn clause_8_44() {
    for (doctrine, heading) in [("form-limbered", 600), ("limber-to-leave", 2400), ("limber-ahead", 0)] {
        let battery = unit("field-battery").at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").figures(1).at(12.77, 6.63).facing(240.0);
        let mut game = Game::new((doctrine, &[battery]), ("hold", &[enemy]));
        game.phase("formation", &[]);
        assert_eq!(game.state(&game.first()).0, "limbered");
        assert!(game.first().heading.tenths().abs_diff(heading) <= 15, "{doctrine}: {:?}", game.first().heading);
    }
    // So does any unit that leaves a formation with all-around facing (8.12).
    let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(90.0);
    let mut game = Game::new(("line-ahead", &[square]), ("hold", &[line(20.0)]));
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.first().heading.tenths()), ("line", 900));
}
