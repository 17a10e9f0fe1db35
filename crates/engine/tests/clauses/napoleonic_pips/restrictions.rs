//! R: restrictions on movement; artillery and its pivots.

use super::*;

/// Two units never end a move in the same place; edges that touch do not overlap.
#[test]
fn clause_r1() {
    for (by, goes) in [(1.2, false), (1.0, true)] {
        // The friend's rear edge is 1" ahead, within every unit's allowance.
        let friend = cavalry(0.0, 2.0, 0.0);
        let rules =
            Box::leak(Box::new(crate::common::load_with("pips-drill", &[&format!("doctrine.shift.row.go.by={by}")])));
        let mut game = Game::under(rules, ("shift", &[infantry(0.0, 0.0, 0.0), friend]), ("hold", &[far_away()]));
        game.unit_mut(Side::First, 1).doctrine = rules.doctrine("hold").expect("a drill");
        game.points(1).phase("pip", &[]);
        assert_eq!(game.paid() == ["move"], goes, "{by}");
        if !goes {
            assert_eq!(game.barred(), [("move", "same-ground")]);
            game.saw("R1");
        }
    }
}

/// Artillery moves only when limbered.
#[test]
fn clause_r8() {
    let (moved, game) = shifts(unit("foot-artillery").at(0.0, 0.0).facing(0.0), far_away(), 0, 0.5);
    assert!(!moved);
    assert_eq!(game.barred(), [("move", "unlimbered")]);
    game.saw("R8");
}

/// Guns that fire south while an enemy is to the east.
fn battery(firing: bool, doctrine: &str, points: u16, enemy: Men) -> Game {
    let guns = by_centre("foot-artillery", 0.0, 0.0, 180.0, 1.0);
    let mut game = game((doctrine, &[guns]), ("hold", &[enemy]));
    if firing {
        let mut drill = Game::under(pips(), ("fire", &[unit("foot-artillery")]), ("hold", &[far_away()]));
        drill.points(1).phase("pip", &[]);
        game.unit_mut(Side::First, 0).marks = drill.first().marks;
    }
    game.points(points).phase("pip", &[]);
    game
}

fn to_the_east() -> Men {
    infantry(8.0, 0.0, 270.0)
}

/// Unlimbered guns pivot for a point and stay unlimbered.
#[test]
fn clause_r9() {
    let game = battery(false, "face", 1, to_the_east());
    assert_eq!((game.first().heading.tenths(), game.left()), (900, 0));
    assert_eq!(game.state(&game.first()).0, "unlimbered");
    game.saw("R9");
    assert!(!game.seen.cited().contains("R8"), "it moves nowhere");
}

/// Firing guns do not pivot until they have stopped.
#[test]
fn clause_r10() {
    let game = battery(true, "face", 3, to_the_east());
    assert_eq!((game.first().heading.tenths(), game.left()), (1800, 3));
    assert_eq!(game.barred(), [("pivot", "firing")]);
    game.saw("R10");
    let stopped = battery(true, "fire-elsewhere", 3, to_the_east());
    assert_eq!(stopped.paid(), ["stop-firing", "pivot", "start-firing"]);
    stopped.saw("R10");
    // A unit that only starts to fire, or only stops, has nothing to wait for.
    let begins = pip("fire", unit("foot-artillery").at(0.0, 0.0).facing(0.0), infantry(0.0, 6.0, 180.0), 1);
    assert_eq!(begins.paid(), ["start-firing"]);
    assert!(!begins.seen.cited().contains("R10"));
}

/// Firing in another direction costs three points.
#[test]
fn clause_r11() {
    for (points, left, fires) in [(2, 0, false), (3, 0, true)] {
        let game = battery(true, "fire-elsewhere", points, to_the_east());
        assert_eq!(game.left(), left);
        let firing = game.first().marks.has(grognard_engine::Marks::FIRING);
        assert_eq!((game.first().heading.tenths() == 900) && firing, fires, "with {points} points");
        game.saw("R11");
    }
    // A pivot alone does not redirect any fire.
    let turned = battery(false, "face", 1, to_the_east());
    assert_eq!(turned.paid(), ["pivot"]);
    assert!(!turned.seen.cited().contains("R11"));
    // Nor does firing cost three points for guns that did not fire before.
    let first = battery(false, "fire-elsewhere", 3, to_the_east());
    assert_eq!((first.paid(), first.left()), (vec!["pivot", "start-firing"], 1));
    assert!(["R10", "R11"].iter().all(|clause| !first.seen.cited().contains(*clause)));
}

/// Guns do not pivot into contact with an enemy that was not touching them.
#[test]
fn clause_r12() {
    // Horse artillery is deeper than it is wide: turned sideways, it extends a quarter of an inch farther.
    let guns = || by_centre("horse-artillery", 0.0, 0.0, 0.0, 1.5);
    let near = |gap: f64| cavalry(0.5 + gap + 0.5, 0.0, 270.0);
    let mut far = game(("face", &[guns()]), ("hold", &[near(0.25)]));
    far.points(1).phase("pip", &[]);
    assert_eq!(far.barred(), [("pivot", "meets")]);
    far.saw("R12");
    // Nor do they turn into contact when they unlimber or limber, for which they need not turn.
    for (act, formation) in [("unlimber", "limbered"), ("limber", "unlimbered")] {
        for (gap, heading) in [(0.25, 0), (0.35, 900)] {
            let free = pip(act, guns().formation(formation), near(gap), 1);
            assert_eq!((free.paid(), free.first().heading.tenths()), (vec![act], heading), "{gap}");
        }
    }
    let mut touched = game(("face", &[guns()]), ("hold", &[cavalry(1.0, 0.9, 270.0)]));
    touched.points(1).phase("pip", &[]);
    assert_eq!(touched.paid(), ["pivot"], "it touched before");
    assert_eq!(touched.ground(&touched.first()).distance(&touched.ground(&touched.second())), 0);
}
