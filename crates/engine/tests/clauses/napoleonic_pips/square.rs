//! S: squares.

use grognard_engine::Refusal;
use grognard_engine::plane::Rect;

use super::*;

fn square(east: f64, north: f64) -> Men {
    by_centre("infantry", east, north, 0.0, 1.5).formation("square")
}

/// Cavalry charges a unit. The dice are for both checks, and for the cavalry's last check if it wins.
fn stands(men: Men, faces: &[i32]) -> Game {
    let mut game = game(("charge", &[cavalry(0.0, 5.0, 180.0)]), ("hold", &[men]));
    game.points(2).phase("pip", &[]).phase("charge", faces);
    game
}

/// A square passes a check on 3 or more.
#[test]
fn clause_s1() {
    for (faces, state) in [(&[6, 3][..], "eager"), (&[6, 2, 6][..], "routed")] {
        let game = stands(square(0.0, 0.0), faces);
        assert_eq!(morale(&game, Side::Second), state, "on {faces:?}");
        assert_eq!(game.own_modifiers("stand"), ["square"]);
        game.saw("S1");
    }
}

/// A square fires at -1.
#[test]
fn clause_s2() {
    let mut game = game(("fire", &[square(0.0, 0.0)]), ("hold", &[infantry(0.0, 1.25, 180.0)]));
    game.points(1).phase("pip", &[]).phase("fire", &[4, 3]);
    assert_eq!(game.own_modifiers("fire"), ["square"]);
    assert_eq!(morale(&game, Side::Second), "eager", "4 - 1 is no more than 3");
    game.saw("S2");
}

/// Cavalry needs a 6 to charge a square.
#[test]
fn clause_s3() {
    for (face, passes) in [(6, true), (5, false)] {
        let mut game = game(("charge", &[cavalry(0.0, 5.0, 180.0)]), ("hold", &[square(0.0, 0.0)]));
        let faces: &[i32] = if passes { &[face, 6] } else { &[face] };
        game.points(2).phase("pip", &[]).phase("charge", faces);
        assert_eq!(game.own_modifiers("charge"), ["horse-against-square"]);
        assert_eq!(morale(&game, Side::First), "shaken");
        game.saw("S3");
    }
}

/// Forming square costs a point.
#[test]
fn clause_s4() {
    for (points, formation) in [(0, "line"), (1, "square")] {
        let game = pip("square", infantry(0.0, 0.0, 0.0), far_away(), points);
        assert_eq!((game.state(&game.first()).0, game.left()), (formation, 0));
        game.saw("S4");
    }
}

/// Leaving square costs a point.
#[test]
fn clause_s5() {
    for (points, formation) in [(0, "square"), (1, "line")] {
        let game = pip("line", square(0.0, 0.0), far_away(), points);
        assert_eq!((game.state(&game.first()).0, game.left()), (formation, 0));
        game.saw("S5");
    }
}

/// A unit does not form square and leave it in one turn.
#[test]
fn clause_s6() {
    let mut game = game(("square-and-line", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[far_away()]));
    game.points(3).phase("pip", &[]);
    assert_eq!((game.paid(), game.barred()), (vec!["form-square"], vec![("leave-square", "changed")]));
    game.saw("S6");
    // It may do so in its next turn.
    game.points(3).phase("charge", &[]).phase_of(Side::Second, "charge", &[]);
    game.points(3).phase("pip", &[]);
    assert_eq!(game.state(&game.first()).0, "line");
}

/// A firing unit neither forms square nor leaves it.
#[test]
fn clause_s7() {
    for (men, doctrine, act) in
        [(infantry(0.0, 0.0, 0.0), "square", "form-square"), (square(0.0, 0.0), "line", "leave-square")]
    {
        let mut game = firing(men, doctrine);
        game.points(2).phase("pip", &[]);
        assert_eq!(game.barred(), [(act, "firing")]);
        game.saw("S7");
    }
}

/// A firing unit does not move.
#[test]
fn clause_s8() {
    let mut game = firing(infantry(0.0, 0.0, 0.0), "march");
    game.points(2).phase("pip", &[]);
    assert_eq!(game.barred(), [("move", "firing")]);
    game.saw("S8");
}

/// A unit with a firing marker.
fn firing(men: Men, doctrine: &str) -> Game {
    let mut drill = game(("fire", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[infantry(0.0, 1.0, 180.0)]));
    drill.points(1).phase("pip", &[]);
    let mut game = game((doctrine, &[men]), ("hold", &[far_away()]));
    game.unit_mut(Side::First, 0).marks = drill.first().marks;
    game
}

/// A unit does not move and then form square.
#[test]
fn clause_s9() {
    let game = pip("move-and-square", infantry(0.0, 0.0, 0.0), far_away(), 3);
    assert_eq!((game.paid(), game.barred()[0]), (vec!["move"], ("form-square", "moved")));
    game.saw("S9");
}

/// A unit may form square and then move 1.5".
#[test]
fn clause_s10() {
    let game = pip("square-and-move", infantry(0.0, 0.0, 0.0), far_away(), 2);
    assert_eq!((game.paid(), game.left()), (vec!["form-square", "move"], 0));
    assert_eq!(centre(&game, &game.first()), Point { x: 0, y: 150 });
    game.saw("S10");
}

/// A unit that leaves square may take any facing around its centre.
#[test]
fn clause_s11() {
    let enemy = unit("infantry").bearing(137.0, 15.0).facing(0.0);
    let game = pip("line", square(0.0, 0.0), enemy, 1);
    let line = game.ground(&game.first());
    assert_eq!((line.width, line.depth), (250, 100));
    let middle = line.centre();
    assert!(middle.x.abs() <= 1 && middle.y.abs() <= 1, "{middle:?}");
    assert!((1350..=1400).contains(&line.heading().tenths()), "{:?}", line.heading());
    assert_eq!(game.left(), 0, "the facing is free");
    game.saw("S11");
    // It turns edge to edge with an enemy that touches it off-centre, and the enemy is shifted no farther than
    // necessary.
    let touched = pip("line", square(0.0, 0.0), cavalry(0.8, 1.25, 180.0), 1);
    assert_eq!((touched.paid(), touched.first().heading.tenths()), (vec!["leave-square"], 0));
    assert_eq!(centre(&touched, &touched.second()), Point { x: 80, y: 100 });
}

/// A square is a separate base, or a marker on the ordinary one.
#[test]
fn clause_s12() {
    let game = pip("square", infantry(0.0, 0.0, 0.0), far_away(), 1);
    let ground = game.ground(&game.first());
    assert_eq!((ground.width, ground.depth), (150, 150));
    game.saw("S12");
    let marker = crate::common::load_with(
        "pips-drill",
        &["formation.square.layout.width=2.5", "formation.square.layout.depth=1"],
    );
    let rules = Box::leak(Box::new(marker));
    let mut marked = Game::under(rules, ("square", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[far_away()]));
    marked.points(1).phase("pip", &[]);
    let ground = marked.ground(&marked.first());
    assert_eq!((ground.width, ground.depth), (250, 100));
}

/// Enemies that touched the unit still touch it afterwards.
#[test]
fn clause_s13() {
    let beside = pip("square", defender(), cavalry(1.75, 0.0, 270.0), 1);
    assert_eq!(centre(&beside, &beside.second()), Point { x: 125, y: 0 }, "half an inch to the west");
    beside.saw("S13");
    let ahead = pip("square", defender(), infantry(0.0, 1.0, 180.0), 1);
    assert_eq!(centre(&ahead, &ahead.second()), Point { x: 0, y: 125 }, "a quarter of an inch back");
    for game in [beside, ahead] {
        let (square, enemy) = (game.ground(&game.first()), game.ground(&game.second()));
        assert!(square.distance(&enemy) <= 1 && !square.overlaps(&enemy));
    }
    // A shift is refused if it is farther than the rules allow: half an inch is needed, and four tenths are allowed.
    let narrow = Box::leak(Box::new(crate::common::load_with("pips-drill", &["movement.nudge.inches=0.4"])));
    let mut far = Game::under(narrow, ("square", &[defender()]), ("hold", &[cavalry(1.75, 0.0, 270.0)]));
    far.points(1).phase("pip", &[]);
    assert_eq!((far.paid().len(), far.seen.refusals()), (0, vec![Refusal::NoShift]));
    far.saw("S13");
    assert!(!far.seen.cited().contains("HD11"));
    // A gap of a hundredth of an inch between units in contact does not count towards that half inch.
    let apart = pip("square", defender(), cavalry(1.76, 0.0, 270.0), 1);
    assert_eq!((apart.paid(), centre(&apart, &apart.second())), (vec!["form-square"], Point { x: 125, y: 0 }));
    // No unit is moved onto units behind it, nor is cavalry moved into a wood.
    let supported = [infantry(0.0, 1.0, 180.0), infantry(0.0, 2.0, 180.0)];
    let mut crowded = game(("square", &[defender()]), ("hold", &supported));
    crowded.points(1).phase("pip", &[]);
    assert_eq!((crowded.paid().len(), crowded.seen.refusals()), (0, vec![Refusal::NoShift]));
    let copse = crate::common::block_of("woods", (1.0, 0.65), (0.3, 0.14));
    let mut edge = Game::over(pips(), &[copse], ("square", &[defender()]), ("hold", &[cavalry(1.75, 0.0, 270.0)]));
    edge.points(1).phase("pip", &[]);
    assert_eq!((edge.paid().len(), edge.seen.refusals()), (0, vec![Refusal::NoShift]));
    // Nor is any unit moved so that its middle is beyond the table edge, 24" north.
    for (north, paid) in [(2280, 0), (2270, 1)] {
        let mut edge = game(("square", &[defender()]), ("hold", &[infantry(0.0, 1.0, 180.0)]));
        for side in [Side::First, Side::Second] {
            edge.unit_mut(side, 0).front.y += north;
        }
        edge.points(1).phase("pip", &[]);
        assert_eq!(edge.paid().len(), paid, "{north}: {:?}", edge.seen.refusals());
    }
}

/// A friend, or an enemy that does not touch the unit, may leave it no room to form square. R1 applies then, not the
/// rule for shifts (S13).
#[test]
fn clause_r1() {
    let near = |friends: &[Men], enemy: Men| {
        let men = [&[infantry(0.0, 0.0, 0.0)], friends].concat();
        let mut game = game(("square", &men), ("hold", &[enemy]));
        for number in 1..men.len() {
            game.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
        }
        game.points(1).phase("pip", &[]);
        game
    };
    // The square, 1.5" deep, extends a quarter of an inch farther than the line.
    for (game, room) in [
        (near(&[infantry(0.0, -1.2, 0.0)], far_away()), false),
        (near(&[infantry(0.0, -1.25, 0.0)], far_away()), true),
        (near(&[], infantry(0.0, 1.1, 180.0)), false),
        (near(&[], infantry(0.0, 1.25, 180.0)), true),
    ] {
        assert_eq!(game.paid().len() == 1, room, "{:?}", game.seen.refusals());
        if !room {
            assert!(matches!(game.seen.refusals()[..], [Refusal::Closed(_)]));
            game.saw("R1");
            assert!(!game.seen.cited().contains("S13"));
        }
    }
}

/// Enemies at an angle are shifted, too, so that they still touch, whichever part of the base they touched (S13).
#[test]
fn enemies_at_an_angle_still_touch_after_a_change_of_formation() {
    let formed = |facing: f64, toward: f64| {
        let away = game(("square", &[defender()]), ("hold", &[unit("infantry").at(20.0, 20.0).facing(facing)]));
        let (own, other) = (away.ground(&away.first()), away.ground(&away.second()));
        let (sine, cosine) = toward.to_radians().sin_cos();
        let at = |distance: i32| {
            let [x, y] = [sine, cosine].map(|part| (f64::from(distance) * part).round() as i32);
            Rect::new(Point { x, y }, other.heading(), other.width, other.depth)
        };
        // The nearest position at which the enemy touches D.
        let distance = (0..600).find(|&distance| !at(distance).overlaps(&own) && at(distance).distance(&own) <= 1)?;
        let front = at(distance).front;
        let enemy = unit("infantry").at(f64::from(front.x) / 100.0, f64::from(front.y) / 100.0).facing(facing);
        let game = pip("square", defender(), enemy, 1);
        (game.paid().len() == 1).then(|| (game.ground(&game.first()), game.ground(&game.second())))
    };
    let mut checked = 0;
    for facing in (20..360).step_by(40) {
        for toward in (10..360).step_by(50) {
            let Some((square, enemy)) = formed(f64::from(facing), f64::from(toward)) else { continue };
            let contact = square.distance(&enemy) <= 2 && !square.inset(2).overlaps(&enemy);
            assert!(contact, "facing {facing} toward {toward}: {} apart", square.distance(&enemy));
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked}");
}

/// An enemy that has no room for the smallest shift makes another shift, of half an inch or less (S13, A7).
#[test]
fn who_has_no_room_for_the_smallest_shift_makes_another() {
    // The second enemy would overlap the square by 0.1" at the side and 0.25" at the front. The third is right beside
    // the second, or not.
    for (third, at) in [(4.4, (190, 125)), (5.0, (200, 100))] {
        let enemies = [-0.6, 1.9, third].map(|east| infantry(east, 1.0, 180.0));
        let mut game = game(("square", &[defender()]), ("hold", &enemies));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.paid(), ["form-square"], "{third}: {:?}", game.seen.refusals());
        let [first, second, third] = [0, 1, 2].map(|number| centre(&game, &game.unit(Side::Second, number)));
        assert_eq!((first, second), (Point { x: -60, y: 125 }, Point { x: at.0, y: at.1 }));
        assert_eq!(third.y, 100);
        game.saw("S13");
    }
    // It makes no shift if the rules allow less than the quarter of an inch needed.
    let narrow = crate::common::load_once("pips-drill", &["movement.nudge.inches=0.2"]);
    let enemies = [1.9, 4.4].map(|east| infantry(east, 1.0, 180.0));
    let mut game = Game::under(narrow, ("square", &[defender()]), ("hold", &enemies));
    game.points(1).phase("pip", &[]);
    assert_eq!((game.paid().len(), game.seen.refusals()), (0, vec![Refusal::NoShift]));
}

/// A unit may turn to face and then form square, and leave square and then move: only forming square after a move is
/// barred (S9, A11).
#[test]
fn reading_a11() {
    let turned = pip("face-and-square", defender(), infantry(0.0, -1.0, 0.0), 2);
    assert_eq!((turned.paid(), turned.state(&turned.first()).0), (vec!["pivot", "form-square"], "square"));
    let left = pip("line-and-move", square(0.0, 0.0), far_away(), 2);
    assert_eq!((left.paid(), centre(&left, &left.first())), (vec!["leave-square", "move"], Point { x: 0, y: 100 }));
}

/// No unit is shifted into a wood beside other infantry (R2).
#[test]
fn nobody_is_shifted_to_infantry_in_a_wood() {
    // The enemy, whose rear is at y = 1.5, would move to 1.75; the wood begins at 1.6. Another enemy unit has a tenth
    // of an inch of its base in it.
    let formed = |enemies: &[Men]| {
        let wood = [crate::common::block_of("woods", (2.5, 3.1), (6.0, 3.0))];
        let mut game = Game::over(pips(), &wood, ("square", &[defender()]), ("hold", enemies));
        game.points(1).phase("pip", &[]);
        (game.paid().len(), game.seen.refusals())
    };
    let enemy = || infantry(0.0, 1.0, 180.0);
    assert_eq!(formed(&[enemy(), infantry(4.0, 5.0, 180.0)]), (0, vec![Refusal::NoShift]));
    assert_eq!(formed(&[enemy()]), (1, vec![]));
}

/// Guns are not shifted into a wood off the road (R3).
#[test]
fn no_guns_are_shifted_into_a_wood() {
    for (begins, made) in [(1.6, false), (1.8, true)] {
        let wood = [crate::common::block_of("woods", (0.0, begins + 1.5), (6.0, 3.0))];
        let guns = by_centre("foot-artillery", 0.0, 1.0, 180.0, 1.0);
        let mut game = Game::over(pips(), &wood, ("square", &[defender()]), ("hold", &[guns]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.paid() == ["form-square"], made, "a wood from {begins} on");
    }
}

/// If a square fills a wood, a unit that touches the edge of the wood still touches it when the square changes to line
/// there (KT3, S5, D2).
#[test]
fn a_square_that_fills_a_wood_leaves_square_in_contact() {
    let wood = [crate::common::block_of("woods", (0.0, 0.0), (4.0, 4.0))];
    let enemy = infantry(0.0, 2.5, 180.0);
    let mut game = Game::over(pips(), &wood, ("line", &[infantry(0.0, 0.0, 0.0)]), ("hold", &[enemy]));
    // The unit moved in as a square, because it cannot form square there (R7).
    let square = pips().formation("square").expect("squares");
    let unit = game.unit_mut(Side::First, 0);
    (unit.formation, unit.front) = (square, Point { x: 0, y: 75 });
    game.points(1).phase("pip", &[]);
    assert_eq!((game.paid(), game.state(&game.first()).0), (vec!["leave-square"], "line"));
    assert_eq!(centre(&game, &game.first()), Point { x: 0, y: 0 });
    assert_eq!(centre(&game, &game.second()), Point { x: 0, y: 250 }, "nobody is shifted");
    game.saw("D2");
}

/// A unit that leaves square, and guns that unlimber, may take any facing and need not turn. Without room to turn to
/// the enemy, they keep their facing (S11, KA1).
#[test]
fn who_has_no_room_to_turn_keeps_its_facing() {
    let mut squares = game(("line", &[square(0.0, 0.0), square(2.5, 0.0)]), ("hold", &[infantry(6.0, 10.0, 180.0)]));
    squares.points(2).phase("pip", &[]);
    assert_eq!(squares.paid(), ["leave-square", "leave-square"]);
    squares.saw("S11");
    // The guns are hub to hub, with the enemy ahead and to the right.
    let guns = |east: f64| by_centre("foot-artillery", east, 0.0, 0.0, 1.0).formation("limbered");
    let mut battery = game(("unlimber", &[guns(0.0), guns(1.0), guns(2.0)]), ("hold", &[infantry(4.0, 6.5, 180.0)]));
    battery.points(3).phase("pip", &[]);
    assert_eq!(battery.paid(), ["unlimber"; 3]);
    for number in 0..3 {
        let gun = battery.nth(number);
        assert_eq!((battery.state(&gun).0, gun.heading.tenths()), ("unlimbered", 0), "{number}");
    }
    battery.saw("KA1");
    // Guns may also unlimber or limber if only the turn would bring them into contact with an enemy (R12).
    let close = pip("unlimber", guns(0.0), infantry(1.1, 1.1, 90.0), 1);
    assert_eq!((close.paid(), close.first().heading.tenths()), (vec!["unlimber"], 0));
    let limbers = by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
    assert_eq!(pip("limber", limbers, infantry(1.1, 1.1, 90.0), 1).paid(), ["limber"]);
}
