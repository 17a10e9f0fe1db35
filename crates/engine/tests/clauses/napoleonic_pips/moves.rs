//! M: how far units move, and what halves their moves.

use super::*;

/// Infantry in line and limbered foot artillery move 3".
#[test]
fn clause_m1() {
    for (men, by, goes) in [
        (infantry(0.0, 0.0, 0.0), 3.0, true),
        (infantry(0.0, 0.0, 0.0), 3.1, false),
        (unit("foot-artillery").formation("limbered").at(0.0, 0.0).facing(0.0), 3.0, true),
        (unit("foot-artillery").formation("limbered").at(0.0, 0.0).facing(0.0), 3.1, false),
    ] {
        let (moved, game) = shifts(men, far_away(), 0, by);
        assert_eq!(moved, goes, "{by}");
        game.saw("M1");
    }
}

/// Infantry in square moves 1.5".
#[test]
fn clause_m2() {
    for (by, goes) in [(1.5, true), (1.6, false)] {
        let (moved, game) = shifts(unit("infantry").formation("square").at(0.0, 0.0).facing(0.0), far_away(), 0, by);
        assert_eq!(moved, goes, "{by}");
        game.saw("M2");
    }
}

/// Cavalry, limbered horse artillery and generals move 9"; unlimbered guns do not move.
#[test]
fn clause_m3() {
    let guns = || unit("horse-artillery").at(0.0, 0.0).facing(0.0);
    for (men, by, goes) in [
        (cavalry(0.0, 0.0, 0.0), 9.0, true),
        (cavalry(0.0, 0.0, 0.0), 9.1, false),
        (guns().formation("limbered"), 9.0, true),
        (guns().formation("unlimbered"), 0.1, false),
    ] {
        let (moved, game) = shifts(men, far_away(), 0, by);
        assert_eq!(moved, goes, "{by}");
        if goes {
            game.saw("M3");
        }
    }
    // A general who has farther to go rides 9" of the way.
    let mut plan = crate::common::deployment(("hold", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[far_away()]));
    let ney = grognard_engine::GeneralPlan { name: "ney".into(), at: Some((0, -1500)), ..Default::default() };
    plan.sides.first.generals = vec![ney];
    let mut game = Game::planned(pips(), &plan);
    game.points(0).phase("pip", &[]);
    assert_eq!(game.battle.generals[0].at, Point { x: 0, y: -600 });
    game.saw("M3");
}

/// Cuirassiers move 6".
#[test]
fn clause_m4() {
    for (by, goes) in [(6.0, true), (6.5, false)] {
        let (moved, game) = shifts(unit("cuirassiers").at(0.0, 0.0).facing(0.0), far_away(), 0, by);
        assert_eq!(moved, goes, "{by}");
        game.saw("M4");
    }
}

/// Shaken units move at half rate.
#[test]
fn clause_m7() {
    for (men, by, goes) in [
        (infantry(0.0, 0.0, 0.0), 1.5, true),
        (infantry(0.0, 0.0, 0.0), 1.6, false),
        (cavalry(0.0, 0.0, 0.0), 4.5, true),
        (cavalry(0.0, 0.0, 0.0), 4.6, false),
    ] {
        let (moved, game) = shifts(men.morale("shaken"), far_away(), 0, by);
        assert_eq!(moved, goes, "{by}");
        game.saw("M7");
    }
}

/// A unit that moves more than 45 degrees off straight ahead also moves at half rate. A move 2" forward and 2" to the
/// side is within that angle; 1.9" forward and 2.1" to the side is not.
#[test]
fn clause_m8() {
    let (moved, _) = shifts(infantry(0.0, 0.0, 0.0), far_away(), 45, 2.83);
    assert!(moved, "45 degrees are within the arc");
    for (bearing, by, goes) in
        [(48, 2.83, false), (48, 1.5, true), (180, 1.5, true), (180, 1.6, false), (312, 1.6, false)]
    {
        let (moved, game) = shifts(infantry(0.0, 0.0, 0.0), far_away(), bearing, by);
        assert_eq!(moved, goes, "{by} at {bearing} degrees");
        game.saw("M8");
    }
}

/// A shift that would leave the table is not carried out and costs nothing.
#[test]
fn a_shift_does_not_lead_off_the_table() {
    for (by, goes) in [(1.0, true), (1.25, false)] {
        let (moved, game) = shifts(infantry(0.0, -23.0, 0.0), far_away(), 180, by);
        assert_eq!(moved, goes, "its middle is an inch from the edge: {by}");
        assert!(!game.first().gone());
    }
}

/// A move is halved only once, even if there are several reasons.
#[test]
fn clause_m9() {
    for (by, goes) in [(1.5, true), (1.6, false)] {
        let (moved, game) = shifts(infantry(0.0, 0.0, 0.0).morale("shaken"), far_away(), 180, by);
        assert_eq!(moved, goes, "shaken and backwards: 1.5, not 0.75");
        game.saw("M9");
    }
    // With a single reason there is nothing to halve twice.
    for (state, bearing) in [("shaken", 0), ("eager", 180)] {
        let (moved, game) = shifts(infantry(0.0, 0.0, 0.0).morale(state), far_away(), bearing, 1.5);
        assert!(moved && !game.seen.cited().contains("M9"), "{state}");
    }
}

/// A shaken square moves 0.75": half its own rate, once.
#[test]
fn a_shaken_square_moves_three_quarters_of_an_inch() {
    for (by, goes) in [(0.75, true), (0.76, false)] {
        let square = unit("infantry").formation("square").morale("shaken").at(0.0, 0.0).facing(0.0);
        assert_eq!(shifts(square, far_away(), 0, by).0, goes);
    }
}

/// A wheel is around a front corner and costs half the width times the angle: 90 degrees cost infantry 1.96".
#[test]
fn clause_hd11() {
    let mut game = game(("march", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[infantry(20.0, -0.75, 270.0)]));
    game.points(1).phase("pip", &[]);
    let Some(Event::Marched { wheel, distance, .. }) =
        game.seen.events().iter().find(|event| matches!(event, Event::Marched { .. }))
    else {
        panic!("it marches")
    };
    assert!((900..=950).contains(wheel), "{wheel}");
    // 2.5 x pi / 4 = 1.963 for a right angle; the rest of 3" is marched.
    let cost = f64::from(*wheel) / 10.0 * std::f64::consts::PI / 180.0 * 2.5 / 2.0;
    assert!((f64::from(*distance) / 100.0 + cost - 3.0).abs() < 0.02, "{distance} after {cost}");
    game.saw("HD11");
}

/// Infantry can wheel 90 degrees within its move. Cavalry moves three times as far, and cuirassiers twice as far.
#[test]
fn clause_kb1() {
    let rules = pips();
    let speed = |id: &str| {
        let kind = &rules.kinds[rules.kind(id).expect("a type of the pack")];
        kind.speed[kind.formation].expect("it moves")
    };
    assert_eq!((speed("cavalry"), speed("cuirassiers")), (3 * speed("infantry"), 2 * speed("infantry")));
    let quarter = 2.5 * std::f64::consts::PI / 4.0;
    assert!(quarter * 100.0 <= f64::from(speed("infantry")), "a quarter wheel costs {quarter}");
    let (_, game) = shifts(infantry(0.0, 0.0, 0.0), far_away(), 0, 1.0);
    game.saw("KB1");
}
