//! The doctrines use the rules as a player would.

use super::*;
use crate::common::line_of;

/// Plays the first side's PIP phase with this many points.
fn plays(doctrine: &str, men: &[Men], enemies: &[Men], points: u16) -> Game {
    let mut game = game((doctrine, men), ("hold", enemies));
    game.points(points).phase("pip", &[]);
    game
}

/// An enemy on the right is within the infantry's rate, but the wheel puts it out of reach. The infantry moves nearer.
#[test]
fn who_is_near_but_must_wheel_comes_up() {
    let beside = plays("attack", &[infantry(0.0, 0.0, 0.0)], &[infantry(4.1, 0.0, 270.0)], 6);
    assert_eq!(beside.paid(), ["move"]);
    assert_ne!(beside.first().heading.tenths(), 0);
}

/// Cavalry that a hedge slows to half rate moves up to it, and charges over it in a later turn.
#[test]
fn horse_comes_up_to_a_hedge() {
    let hedge = [line_of("hedge", (-10.0, 2.0), (10.0, 2.0))];
    let mut game =
        Game::over(pips(), &hedge, ("attack", &[cavalry(0.0, 0.0, 0.0)]), ("hold", &[infantry(0.0, 7.0, 180.0)]));
    game.points(6).phase("pip", &[]).phase("charge", &[]).phase_of(Side::Second, "charge", &[]);
    assert_eq!(game.paid(), ["move"]);
    game.points(6).phase("pip", &[]);
    assert_eq!(game.paid(), ["move", "contact", "charge"]);
}

/// Shaken infantry does not start firing, and stops if it is already firing.
#[test]
fn shaken_infantry_does_not_fire() {
    let men = || [infantry(0.0, 1.0, 180.0).morale("shaken")];
    assert!(plays("stand", &men(), &[defender()], 3).paid().is_empty());
    let mut firing = game(("stand", &men()), ("hold", &[defender()]));
    firing.unit_mut(Side::First, 0).marks = grognard_engine::Marks::FIRING;
    firing.points(3).phase("pip", &[]);
    assert_eq!(firing.paid(), ["stop-firing"]);
}

/// Squares are formed against cavalry within reach, which need not be the nearest enemy.
#[test]
fn squares_look_at_any_cavalry() {
    let enemies = [infantry(0.0, 3.0, 180.0), cavalry(5.0, 6.0, 180.0)];
    let mut game = plays("stand-and-form", &[infantry(0.0, 0.0, 0.0)], &enemies, 3);
    assert_eq!(game.paid(), ["form-square"]);
    game.phase("charge", &[]).phase_of(Side::Second, "charge", &[]).points(3).phase("pip", &[]);
    assert_eq!(game.paid(), ["form-square"], "and keeps to it");
    game.unit_mut(Side::Second, 1).front.y = 2000;
    game.phase("charge", &[]).phase_of(Side::Second, "charge", &[]).points(3).phase("pip", &[]);
    assert_eq!(game.paid(), ["form-square", "leave-square"], "until it is out of reach");
}

/// Cavalry that does not charge squares looks for another unit. It does not charge a raw square, either.
#[test]
fn horse_looks_past_a_square() {
    let square = |kind: &str| by_centre(kind, 0.0, 4.0, 180.0, 1.5).formation("square");
    let alone = plays("attack", &[cavalry(0.0, 0.0, 0.0)], &[square("raw-infantry")], 4);
    assert!(alone.paid().is_empty(), "{:?}", alone.paid());
    let line = infantry(3.5, 5.5, 180.0);
    let beside = plays("attack", &[cavalry(0.0, 0.0, 0.0)], &[square("infantry"), line], 4);
    assert_eq!(beside.paid(), ["contact", "charge"]);
    assert!(beside.unit(Side::Second, 1).flags.has(grognard_engine::Flags::CHARGED));
}

/// Guns that hold their position turn to any enemy that approaches, and fire only at enemies that still fight.
#[test]
fn standing_guns_turn_and_pick_the_living() {
    let guns = |facing: f64| by_centre("foot-artillery", 0.0, 0.0, facing, 1.0);
    assert_eq!(plays("stand", &[guns(180.0)], &[infantry(6.0, 0.0, 270.0)], 3).paid(), ["pivot", "start-firing"]);
    let silent = by_centre("foot-artillery", -2.0, 6.5, 180.0, 1.0).morale("silenced");
    let mut fires = plays("stand", &[guns(0.0)], &[silent, infantry(2.0, 7.5, 180.0)], 3);
    fires.phase("fire", &[6, 1]);
    assert_eq!(fires.state(&fires.unit(Side::Second, 1)).1, "shaken");
    // Against infantry in a wood, they spend nothing on impossible fire.
    let wood = [crate::common::block_of("woods", (0.0, 6.0), (4.0, 4.0))];
    let men = infantry(0.0, 6.0, 180.0);
    let mut hidden = Game::over(pips(), &wood, ("stand", &[guns(0.0)]), ("hold", &[men]));
    hidden.points(3).phase("pip", &[]);
    assert!(hidden.paid().is_empty());
}

/// Infantry closes with its last point: the enemy that it touches may not fire any sooner than the infantry itself.
#[test]
fn foot_closes_with_a_single_point() {
    for doctrine in ["attack", "charge-home"] {
        let closes = plays(doctrine, &[infantry(0.0, 0.0, 0.0)], &[infantry(0.0, 2.0, 180.0)], 1);
        assert_eq!(closes.paid(), ["contact"], "{doctrine}");
        // If the wheel takes too much of its move, it only moves nearer.
        let nearer = plays(doctrine, &[infantry(0.0, 0.0, 0.0)], &[infantry(3.5, -1.0, 270.0)], 1);
        assert_eq!(nearer.paid(), ["move"], "{doctrine}");
    }
}

/// No square is formed, or kept, against cavalry that has fled.
#[test]
fn squares_are_not_for_horse_that_has_fled() {
    let fled = || [cavalry(0.0, 5.0, 0.0).morale("routed")];
    assert!(plays("stand-and-form", &[infantry(0.0, 0.0, 0.0)], &fled(), 3).paid().is_empty());
    let square = by_centre("infantry", 0.0, 0.0, 0.0, 1.5).formation("square");
    assert_eq!(plays("stand-and-form", &[square], &fled(), 3).paid(), ["leave-square"]);
    let shaken = [cavalry(0.0, 5.0, 180.0).morale("shaken")];
    let formed = plays("stand-and-form", &[infantry(0.0, 0.0, 0.0)], &shaken, 3);
    assert_eq!(formed.paid(), ["form-square"], "it may recover and charge in one turn");
}

/// A unit that falls back at the edge of the table stops there.
#[test]
fn nobody_falls_back_off_the_table() {
    let horse = cavalry(0.0, -22.5, 0.0).morale("shaken");
    let game = plays("attack", &[horse], &[infantry(0.0, -21.5, 180.0)], 3);
    assert_eq!(game.paid(), ["move"]);
    assert!(!game.first().flags.has(grognard_engine::Flags::GONE), "{:?}", game.first());
    assert!(game.first().front.y < -2200, "it has gone back");
}

/// A unit ordered to stop an inch short does so after the wheel, in a duel as in a battle.
#[test]
fn who_wheels_stops_short_of_the_enemy() {
    // The units are 3.06" apart. After a wheel of 32 degrees, the enemy's corner is 2.7" ahead, and the infantry
    // marches 1.7".
    for others in [&[][..], &[infantry(-20.0, 20.0, 180.0)]] {
        let enemies: Vec<Men> = [cavalry(2.2, 4.05, 180.0)].into_iter().chain(others.iter().cloned()).collect();
        let game = plays("attack", &[infantry(0.0, 0.0, 0.0)], &enemies, 1);
        assert_eq!(game.paid(), ["move"]);
        let apart = game.ground(&game.first()).distance(&game.ground(&game.second()));
        assert!((98..=102).contains(&apart), "{apart}");
    }
}

/// Infantry that may not pass through a friend moves up to it.
#[test]
fn infantry_comes_up_to_a_friend_in_its_way() {
    // The friend's rear is at y = 1.1, six tenths of an inch ahead. A move of three inches would go through it and
    // beyond.
    let men = [infantry(0.0, 0.0, 0.0), infantry(0.0, 1.6, 0.0)];
    let mut game = game(("attack", &men), ("hold", &[far_away()]));
    game.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
    game.points(1).phase("pip", &[]);
    assert_eq!((game.paid(), game.first().front.y), (vec!["move"], 110));
    // Once it is close up behind the friend, it spends nothing.
    game.phase("charge", &[]).phase_of(Side::Second, "charge", &[]).points(1).phase("pip", &[]);
    assert_eq!(game.paid(), ["move"]);
}

/// Cavalry that cannot charge the nearest enemy, which is in a wood, charges the next.
#[test]
fn horse_charges_whom_it_can() {
    let wood = [crate::common::block_of("woods", (0.0, 6.0), (4.0, 4.0))];
    let enemies = [infantry(0.0, 6.0, 180.0), infantry(6.0, 6.0, 180.0)];
    let mut game = Game::over(pips(), &wood, ("attack", &[cavalry(0.0, 0.0, 0.0)]), ("hold", &enemies));
    game.points(2).phase("pip", &[]);
    assert_eq!(game.paid(), ["contact", "charge"]);
    assert!(game.unit(Side::Second, 1).flags.has(grognard_engine::Flags::CHARGED));
}

/// Guns under an attack order that are out of range limber and move up.
#[test]
fn guns_out_of_range_come_up() {
    for doctrine in ["attack", "charge-home", "attack-the-weak"] {
        let guns = || by_centre("foot-artillery", 0.0, 0.0, 180.0, 1.0);
        assert_eq!(plays(doctrine, &[guns()], &[far_away()], 2).paid(), ["limber", "move"], "{doctrine}");
        let near = plays(doctrine, &[guns()], &[infantry(0.0, 12.5, 180.0)], 2);
        assert_eq!(near.paid(), ["pivot", "start-firing"], "{doctrine}: 11.5 inches");
    }
}

/// Guns turn to an enemy that they could fire at, but not to one that has fled or to infantry in a wood.
#[test]
fn guns_turn_to_those_they_can_fire_at() {
    let guns = || by_centre("foot-artillery", 0.0, 0.0, 180.0, 1.0);
    let enemies = [infantry(6.0, 0.0, 270.0).morale("routed"), infantry(0.0, 9.0, 180.0)];
    let game = plays("stand", &[guns()], &enemies, 3);
    assert_eq!((game.paid(), game.first().heading.tenths()), (vec!["pivot", "start-firing"], 0));
    let wood = [crate::common::block_of("woods", (0.0, 6.0), (4.0, 4.0))];
    let mut hidden = Game::over(pips(), &wood, ("stand", &[guns()]), ("hold", &[infantry(0.0, 6.0, 180.0)]));
    hidden.points(3).phase("pip", &[]);
    assert!(hidden.paid().is_empty());
}

/// Cavalry that a square has thrown back does not charge squares again. It charges lines as before.
#[test]
fn a_square_is_charged_once() {
    let foot = |formation: &str| {
        let depth = if formation == "square" { 1.5 } else { 1.0 };
        by_centre("infantry", 0.0, 4.0, 180.0, depth).formation(formation)
    };
    // The cavalry needs 4 against a line and 6 against a square, and fails by one each time.
    for (formation, die, repulsed) in [("square", 5, 1), ("line", 3, 0)] {
        let mut beaten = plays("charge-home", &[cavalry(0.0, 0.0, 0.0)], &[foot(formation)], 2);
        assert_eq!(beaten.phase("charge", &[die]).paid(), ["contact", "charge"], "{formation}");
        assert_eq!(beaten.state(&beaten.first()).1, "shaken", "{formation}");
        assert_eq!(beaten.first().counters.get(0), repulsed, "{formation}");
    }
    // A square that moves up to cavalry that was shaken by fire has not repulsed it.
    let mut shot = game(
        ("hold", &[cavalry(0.0, 0.0, 0.0).morale("shaken")]),
        ("hold", &[by_centre("infantry", 0.0, 1.25, 180.0, 1.5).formation("square")]),
    );
    shot.phase("charge", &[]);
    assert_eq!(shot.first().counters.get(0), 0);
    let again = |foot: Men| {
        let mut game = game(("charge-home", &[cavalry(0.0, 0.0, 0.0)]), ("hold", &[foot]));
        game.unit_mut(Side::First, 0).counters.set(0, 1);
        game.points(4).phase("pip", &[]);
        game.paid().join(" ")
    };
    assert_eq!(again(foot("square")), "");
    assert_eq!(again(foot("line")), "contact charge");
    let touched = by_centre("infantry", 0.0, 1.25, 180.0, 1.5).formation("square");
    assert_eq!(again(touched), "move", "it falls back from one that it touches");
}

/// If two enemies are equally near, or both are touched, an order refers to the same one regardless of their order in
/// the study. The same is true of a flight (C1, C4, F1, KE1).
#[test]
fn an_order_refers_to_the_same_of_equal_enemies() {
    let kind = |game: &Game, id: grognard_engine::UnitId| game.battle.units[id.index()].kind;
    let aimed = |enemies: &[Men]| {
        let mut game = super::game(("charge", &[unit("cuirassiers").at(0.0, 0.0).facing(0.0)]), ("hold", enemies));
        game.points(6).phase("pip", &[]);
        let aim = |event: &Event| match *event {
            Event::Declared { target, .. } => Some(kind(&game, target)),
            _ => None,
        };
        game.seen.events().iter().find_map(aim).expect("a charge")
    };
    let fled = |enemies: &[Men]| {
        let routed = unit("raw-infantry").at(0.0, 0.0).facing(0.0).morale("routed");
        let mut game = super::game(("hold", &[routed]), ("hold", enemies));
        game.play_anyhow(Side::First, "flee");
        game.first().front
    };
    let foot = |kind: &str, x: f64, y: f64, facing: f64| unit(kind).at(x, y).facing(facing);
    for (west, y) in [(-3.0, 4.0), (-1.25, 0.0)] {
        let [one, other] = [foot("infantry", west, y, 180.0), foot("veteran-infantry", -west, y, 180.0)];
        assert_eq!(aimed(&[one.clone(), other.clone()]), aimed(&[other, one]), "{west}");
    }
    let [one, other] = [foot("infantry", -6.0, -1.0, 0.0), foot("veteran-infantry", 6.0, -1.0, 0.0)];
    let ran = fled(&[one.clone(), other.clone()]);
    assert_ne!((ran.x, ran.y), (0, 0));
    assert_eq!(ran, fled(&[other, one]));
}
