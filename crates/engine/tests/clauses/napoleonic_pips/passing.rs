//! I: which units may pass through which.

use grognard_engine::Flags;

use super::*;

/// Two units of the first side; the second of them holds.
fn past(mover: Men, friend: Men, enemy: Men, by: f64) -> Game {
    let rules =
        Box::leak(Box::new(crate::common::load_with("pips-drill", &[&format!("doctrine.shift.row.go.by={by}")])));
    let mut game = Game::under(rules, ("shift", &[mover, friend]), ("hold", &[enemy]));
    game.unit_mut(Side::First, 1).doctrine = rules.doctrine("hold").expect("a drill");
    game.points(1).phase("pip", &[]);
    game
}

/// A move does not end on top of another unit.
#[test]
fn clause_i1() {
    let game = past(cavalry(0.0, 0.0, 0.0), infantry(0.0, 3.0, 0.0), far_away(), 3.3);
    assert_eq!(game.barred(), [("move", "same-ground")]);
    game.saw("I1");
    // A move into contact does not end on a friend that is already there, either.
    let men = [infantry(0.0, -0.5, 0.0), cavalry(1.5, 2.0, 0.0)];
    let beside = comes_up(&[], &men, &[infantry(0.0, 3.0, 180.0)]);
    assert_eq!((beside.paid().len(), beside.barred()), (0, vec![("contact", "same-ground")]));
}

/// A move does not pass through an enemy.
#[test]
fn clause_i2() {
    let (moved, game) = shifts(cavalry(0.0, -4.0, 0.0), defender(), 0, 8.0);
    assert!(!moved);
    assert_eq!(game.barred(), [("move", "through-enemy")]);
    game.saw("I2");
    // It does not do so even to reach another enemy behind it.
    let behind = comes_up(&[], &[cavalry(0.0, -4.5, 0.0)], &[cavalry(0.0, -2.5, 0.0), defender()]);
    assert_eq!((behind.paid().len(), behind.barred()), (0, vec![("contact", "through-enemy")]));
}

/// Infantry does not pass through infantry in the PIP phase, but it does in flight.
#[test]
fn clause_i3() {
    // The square extends from 0.5" to 2.0" north of the line's middle: after 2.6" of its three inches the line would be
    // clear beyond it.
    let rules = Box::leak(Box::new(crate::common::load_with(
        "pips-drill",
        &["doctrine.shift.row.go.by=2.6", "doctrine.shift.row.go.bearing=0"],
    )));
    let square = unit("infantry").formation("square").at(0.0, 2.0).facing(0.0);
    let slow = infantry(0.0, 0.0, 0.0);
    let mut game = Game::under(rules, ("shift", &[slow, square]), ("hold", &[far_away()]));
    game.unit_mut(Side::First, 1).doctrine = rules.doctrine("hold").expect("a drill");
    game.unit_mut(Side::First, 0).formation = rules.formation("line").expect("a formation");
    game.points(1).phase("pip", &[]);
    assert_eq!((game.paid().len(), game.barred()), (0, vec![("move", "through-foot")]));
    let passing = pips_fast(3.6);
    assert_eq!(passing.barred(), [("move", "through-foot")]);
    passing.saw("I3");
    // Nor does it move through a friend an inch deep to reach an enemy 2.2" away.
    let men = [infantry(0.0, 0.0, 0.0), infantry(0.0, 1.1, 0.0)];
    let through = comes_up(&[], &men, &[infantry(0.0, 3.2, 180.0)]);
    assert_eq!((through.paid().len(), through.barred()), (0, vec![("contact", "through-foot")]));

    // The same crossing in flight is allowed.
    let mut flight = super::game(
        ("hold", &[infantry(0.0, 0.0, 0.0).morale("routed"), infantry(0.0, -3.0, 0.0)]),
        ("hold", &[infantry(0.0, 8.0, 180.0)]),
    );
    flight.phase("flee", &[]);
    assert_eq!(ran(&flight), Some(700));
}

/// Infantry that is fast enough to pass through infantry and end clear of it.
fn pips_fast(by: f64) -> Game {
    let rules = Box::leak(Box::new(crate::common::load_with(
        "pips-drill",
        &[&format!("doctrine.shift.row.go.by={by}"), "unit.infantry.speed.line.inches=6"],
    )));
    let mut game =
        Game::under(rules, ("shift", &[infantry(0.0, 0.0, 0.0), infantry(0.0, 1.8, 0.0)]), ("hold", &[far_away()]));
    game.unit_mut(Side::First, 1).doctrine = rules.doctrine("hold").expect("a drill");
    game.points(1).phase("pip", &[]);
    game
}

/// Every other crossing is allowed, such as cavalry through friendly infantry.
#[test]
fn clause_i4() {
    let game = past(cavalry(0.0, 0.0, 0.0), infantry(0.0, 3.0, 0.0), far_away(), 6.0);
    assert_eq!(game.paid(), ["move"]);
    game.saw("I4");
    // Cavalry that moves up to an enemy passes through cavalry, too, and does not stop behind it.
    let men = [cavalry(0.0, 0.0, 0.0), cavalry(0.0, 3.0, 0.0)];
    let mut up = super::game(("march", &men), ("hold", &[far_away()]));
    up.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
    up.points(1).phase("pip", &[]);
    assert!(centre(&up, &up.first()).y > 400, "{:?}", centre(&up, &up.first()));
}

/// Crossing has no effect on either unit.
#[test]
fn clause_hd8() {
    let game = past(cavalry(0.0, 0.0, 0.0), infantry(0.0, 3.0, 0.0), far_away(), 6.0);
    assert_eq!(game.paid(), ["move"]);
    assert_eq!((game.state(&game.first()).1, game.state(&game.unit(Side::First, 1)).1), ("eager", "eager"));
    let friend = game.setup.start.units[1];
    assert_eq!(game.unit(Side::First, 1).front, friend.front);
    // A flight runs through friends as well.
    let men = [infantry(0.0, 0.0, 0.0).morale("routed"), infantry(0.0, -3.0, 0.0)];
    let mut flight = super::game(("hold", &men), ("hold", &[infantry(0.0, 8.0, 180.0)]));
    flight.phase("flee", &[]);
    assert_eq!(flight.state(&flight.unit(Side::First, 1)).1, "eager");
    flight.saw("HD8");
    // A flight that meets no friend does not involve these clauses.
    let mut alone = super::game(("hold", &men[..1]), ("hold", &[infantry(0.0, 8.0, 180.0)]));
    alone.phase("flee", &[]);
    assert!(alone.seen.cited().contains("HD7"));
    assert!(!alone.seen.cited().contains("HD8") && !alone.seen.cited().contains("I4"));
}

/// Infantry in a wood narrower than its base may leave the wood past a friend that touches the edge, under a corner of
/// that base. It may not pass through the friend (I3, KT3).
#[test]
fn infantry_leaves_a_narrow_wood() {
    // The wood is two inches wide, and the base extends 0.25" beyond it. The edge is half an inch in front of the unit,
    // so half of its move beyond the edge takes it forward by 2.0".
    let wood = [crate::common::block_of("woods", (0.0, 0.0), (2.0, 2.0))];
    for (north, moves) in [(50, true), (100, false)] {
        let rules = Box::leak(Box::new(crate::common::load_with("pips-drill", &["doctrine.shift.row.go.by=2.0"])));
        let men = [infantry(0.0, 0.0, 0.0), infantry(5.0, 0.0, 0.0)];
        let mut game = Game::over(rules, &wood, ("shift", &men), ("hold", &[far_away()]));
        // The friend has since moved up to the wood. Its middle is level with the middle of the wood, or half an inch
        // farther north.
        let friend = game.unit_mut(Side::First, 1);
        (friend.front, friend.doctrine) = (Point { x: 225, y: north }, rules.doctrine("hold").expect("a drill"));
        game.points(1).phase("pip", &[]);
        assert_eq!((game.paid() == ["move"], game.barred().is_empty()), (moves, moves), "{:?}", game.barred());
    }
}

/// A destroyed unit does not block a friend or an enemy that marches, forms square, flees or takes refuge (I1, I2, R1,
/// HD7).
#[test]
fn the_destroyed_are_in_nobodys_way() {
    // The second unit of each side is destroyed.
    let after = |ground: &[TerrainPlan], (doctrine, phase): (&str, &str), men: [Men; 2], enemies: [Men; 2]| {
        let mut game = Game::over(pips(), ground, (doctrine, &men), ("hold", &enemies));
        for side in [Side::First, Side::Second] {
            game.unit_mut(side, 1).flags = Flags::GONE;
        }
        game.points(2).phase(phase, &[]);
        game
    };
    let enemies = |north: f64| [far_away(), infantry(0.0, north, 180.0)];
    let men = |north: f64| [infantry(0.0, 0.0, 0.0), infantry(0.0, north, 0.0)];
    for doctrine in ["shift", "march"] {
        let game = after(&[], (doctrine, "pip"), men(3.0), enemies(1.5));
        assert_eq!(centre(&game, &game.first()), Point { x: 0, y: 300 }, "{doctrine}");
    }
    assert_eq!(after(&[], ("square", "pip"), men(-1.0), enemies(1.0)).paid(), ["form-square"]);
    let routed = || infantry(0.0, 0.0, 180.0).morale("routed");
    let chaser = || cavalry(0.0, -5.0, 0.0);
    let flees = [routed(), infantry(0.0, 7.0, 180.0)];
    assert_eq!(ran(&after(&[], ("hold", "flee"), flees, [chaser(), infantry(0.0, 3.5, 180.0)])), Some(700));
    let wood = [crate::common::block_of("woods", (2.0, 9.0), (4.0, 4.0))];
    let flees = [routed(), infantry(2.0, 9.0, 180.0)];
    let hides = after(&wood, ("hold", "flee"), flees, [chaser(), infantry(1.0, 4.0, 180.0)]);
    assert_eq!(centre(&hides, &hides.first()), Point { x: 200, y: 900 });
}
