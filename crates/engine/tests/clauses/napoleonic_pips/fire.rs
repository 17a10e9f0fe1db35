//! KF: firing, and HD5.

use grognard_engine::{Marks, UnitId};

use super::*;
use crate::common::Picks;

/// Infantry in contact starts to fire, and fires. The dice are its own, then the target's.
fn volley(own: Men, target: Men, faces: &[i32]) -> Game {
    let mut game = game(("fire", &[own]), ("hold", &[target]));
    game.points(1).phase("pip", &[]).phase("fire", faces);
    game
}

fn firer() -> Men {
    infantry(0.0, 1.0, 180.0)
}

/// Infantry fires at what it touches, artillery at a distance.
#[test]
fn clause_kf1() {
    let touching = volley(firer(), defender(), &[5, 2]);
    assert_eq!(morale(&touching, Side::Second), "shaken");
    touching.saw("KF1");
    let apart = pip("fire", infantry(0.0, 1.5, 180.0), defender(), 1);
    assert_eq!(apart.barred(), [("start-firing", "no-contact")]);
    let guns = by_centre("foot-artillery", 0.0, 6.0, 180.0, 1.0);
    assert_eq!(morale(&volley(guns, defender(), &[5, 2]), Side::Second), "shaken");
}

/// Terrain beside an enemy does not hide it from a unit that it touches, which can fire at it and answer its fire
/// (KF3).
#[test]
fn ground_hides_no_unit_in_contact() {
    let village = [crate::common::block_of("built-up", (-0.15, 1.55), (1.7, 2.0))];
    // Their fronts touch along half an inch.
    let men = [infantry(0.0, 0.0, 0.0), infantry(2.0, 1.0, 180.0)];
    let (one, other) = men.split_at(1);
    let mut begins = Game::over(pips(), &village, ("fire", one), ("hold", other));
    begins.points(1).phase("pip", &[]).phase("fire", &[5, 2]);
    assert_eq!(morale(&begins, Side::Second), "shaken");
    let mut answers = Game::over(pips(), &village, ("fire", other), ("hold", one));
    answers.points(1).phase("pip", &[]).phase("fire", &[3, 3]);
    assert!(answers.second().marks.has(Marks::FIRING));
    answers.saw("KF3");
}

/// Only units with a range fire, and only in a formation that fires, even if no bar forbids it (KF1, KA1).
#[test]
fn units_without_a_range_do_not_fire() {
    let bars = ["horse", "limbered"].map(|bar| format!("act.start-firing.bar.{bar}.when=\"false\""));
    let rules = Box::leak(Box::new(crate::common::load_with("pips-drill", &bars.each_ref().map(String::as_str))));
    for (own, fires) in [
        (cavalry(0.0, 1.0, 180.0), false),
        (by_centre("foot-artillery", 0.0, 6.0, 180.0, 1.0).formation("limbered"), false),
        (by_centre("foot-artillery", 0.0, 6.0, 180.0, 1.0), true),
    ] {
        let mut game = Game::under(rules, ("fire", &[own]), ("hold", &[defender()]));
        game.points(1).phase("pip", &[]);
        assert_eq!((game.first().marks.has(Marks::FIRING), game.left()), (fires, u16::from(!fires)));
    }
}

/// When beaten, eager units become shaken, shaken cavalry flees, and shaken infantry flees if it fails a check.
#[test]
fn clause_kf2() {
    let eager = volley(firer(), defender(), &[4, 3]);
    assert_eq!(morale(&eager, Side::Second), "shaken");
    let horse = volley(firer(), cavalry(0.0, 0.0, 0.0).morale("shaken"), &[4, 3]);
    assert_eq!(morale(&horse, Side::Second), "routed");
    // The shaken target's own die has -1: 3 beats 3 - 1.
    for (check, state) in [(5, "shaken"), (4, "routed")] {
        let foot = volley(firer(), defender().morale("shaken"), &[3, 3, check]);
        assert_eq!(morale(&foot, Side::Second), state, "needs 5: shaken makes it harder");
        foot.saw("KF2");
    }
}

/// A unit that is fired at fires back from then on, if it can.
#[test]
fn clause_kf3() {
    let faced = volley(firer(), defender(), &[3, 3]);
    assert!(faced.second().marks.has(Marks::FIRING));
    faced.saw("KF3");
    let behind = volley(infantry(0.0, -1.0, 0.0), defender(), &[3, 3]);
    assert!(!behind.second().marks.has(Marks::FIRING), "it looks the other way");
    assert!(behind.own_modifiers("fire").is_empty());
}

/// A target is within 45 degrees of the front corners.
#[test]
fn clause_kf4() {
    let guns = || by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
    for (east, north, hit) in [(0.0, 6.0, true), (6.0, 6.0, true), (9.0, 2.0, false), (0.0, -6.0, false)] {
        let mut game = game(("fire", &[guns()]), ("hold", &[infantry(east, north, 180.0)]));
        game.points(1).phase("pip", &[]);
        let faces: &[i32] = if hit { &[3, 3] } else { &[] };
        game.phase("fire", faces);
        assert_eq!(game.first().marks.has(Marks::FIRING), hit, "{east}, {north}");
        if hit {
            game.saw("KF4");
        }
    }
    // A square needs clear lines from its corners, too.
    let square = volley(firer().formation("square"), defender(), &[3, 3]);
    square.saw("KF4");
    // Another unit in between blocks both corners.
    let mut blocked = game(("fire", &[guns(), infantry(0.0, 3.0, 0.0)]), ("hold", &[cavalry(0.0, 6.0, 180.0)]));
    blocked.points(1).phase("pip", &[]).phase("fire", &[]);
    assert!(!blocked.first().marks.has(Marks::FIRING));
    // In the first case, a friend hides the middle of the target's front edge but not two of its corners. In the second
    // case, two friends hide all its corners but not that middle. In the third, a friend close in front of a corner of
    // the guns blocks every line from that corner.
    for (friends, hit) in [(&[(0.0, 4.0)][..], true), (&[(-1.1, 4.0), (1.1, 4.0)], true), (&[(0.6, 2.0)], false)] {
        let mut own = vec![guns()];
        own.extend(friends.iter().map(|&(east, north)| cavalry(east, north, 0.0)));
        let mut game = game(("fire", &own), ("hold", &[infantry(0.0, 6.0, 180.0)]));
        game.points(1).phase("pip", &[]);
        let faces: &[i32] = if hit { &[3, 3] } else { &[] };
        game.phase("fire", faces);
        assert_eq!(game.first().marks.has(Marks::FIRING), hit, "past {friends:?}");
    }
    // Neighbours base to base hide nothing, although their corners are rounded: at 18 degrees, the bases overlap by
    // 0.004 inches.
    let base = |kind: &str, east: f64, north: f64| unit(kind).at(east, north).facing(18.0);
    let battery = [base("foot-artillery", -0.93, -2.85), base("infantry", -2.59, -2.31), base("infantry", 0.74, -3.39)];
    let blue = [unit("infantry").at(-0.98, 3.47).facing(198.0)];
    let mut beside = game(("fire", &battery), ("hold", &blue));
    beside.points(1).phase("pip", &[]).phase("fire", &[3, 3]);
    assert!(beside.first().marks.has(Marks::FIRING));
    // Nor does a friend that overlaps by 0.03 inches, as may happen after a turn beside it.
    let men = [infantry(0.0, 0.0, 0.0), infantry(2.5, 0.3, 0.0)];
    let mut overlapped = game(("fire", &men), ("hold", &[infantry(0.0, 1.0, 180.0)]));
    overlapped.unit_mut(Side::First, 1).front.x = 247;
    overlapped.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
    overlapped.points(1).phase("pip", &[]).phase("fire", &[3, 3]);
    assert!(overlapped.first().marks.has(Marks::FIRING));
}

/// The lines of a unit that fills a wood narrower than its base begin in the wood, so a friend at the side of the wood
/// does not block them (KT3).
#[test]
fn lines_begin_in_the_ground_that_a_unit_fills() {
    let wood = [crate::common::block_of("woods", (0.0, 0.0), (2.0, 2.0))];
    for beside in [100, 1200] {
        let men = [infantry(0.0, 0.0, 0.0), infantry(12.0, 0.0, 270.0)];
        let mut fires = Game::over(pips(), &wood, ("fire", &men), ("hold", &[infantry(-0.5, 1.5, 180.0)]));
        fires.unit_mut(Side::First, 1).front.x = beside;
        fires.points(1).phase("pip", &[]).phase("fire", &[3, 3]);
        assert!(fires.first().marks.has(Marks::FIRING), "{beside}");
    }
}

/// A marker is removed for free when there is no target, and costs a point otherwise.
#[test]
fn clause_kf5() {
    let mut game = game(("cease", &[firer()]), ("hold", &[defender()]));
    let marks = volley(firer(), defender(), &[3, 3]).first().marks;
    game.unit_mut(Side::First, 0).marks = marks;
    game.points(1).phase("pip", &[]);
    assert_eq!((game.paid(), game.left()), (vec!["stop-firing"], 0));
    game.saw("KF5");

    // It also costs a point if the target fled in the enemy's preceding turn.
    let mut fled = super::game(("cease", &[firer()]), ("hold", &[far_away()]));
    fled.unit_mut(Side::First, 0).marks = marks;
    fled.points(1).phase("pip", &[]);
    assert_eq!((fled.paid(), fled.left()), (vec!["stop-firing"], 0));

    let mut alone = super::game(("hold", &[firer()]), ("hold", &[far_away()]));
    alone.unit_mut(Side::First, 0).marks = marks;
    alone.phase_of(Side::Second, "fire", &[]);
    assert!(!alone.first().marks.has(Marks::FIRING), "in the enemy's firing phase, and free");
    alone.saw("KF5");
}

/// A unit chooses its target when it fires.
#[test]
fn clause_kf6() {
    let guns = by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
    let enemies = [infantry(0.0, 8.0, 180.0), infantry(3.0, 5.0, 180.0)];
    let mut game = game(("fire", &[guns]), ("hold", &enemies));
    game.points(1).phase("pip", &[]);
    // The nearer enemy has moved away in the meantime.
    let far = game.setup.start.units[0].front;
    game.unit_mut(Side::Second, 1).front = Point { x: far.x + 2000, y: -2000 };
    game.phase("fire", &[5, 1]);
    assert_eq!(game.state(&game.unit(Side::Second, 0)).1, "shaken");
    game.saw("KF6");
}

/// Artillery: long range, enfilade, no fire at units that friends charge, free pivots, and fire at point-blank range.
#[test]
fn clause_ka1() {
    let guns = |north: f64, facing: f64| by_centre("foot-artillery", 0.0, north, facing, 1.0);
    let modifiers = |north: f64, facing: f64| {
        let mut game = game(("fire", &[guns(north, facing)]), ("hold", &[defender()]));
        game.points(1).phase("pip", &[]).phase("fire", &[3, 3]);
        game.saw("KA1");
        game.own_modifiers("fire").into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(modifiers(7.0, 180.0).is_empty(), "6\" away");
    assert_eq!(modifiers(9.0, 180.0), ["long-range"]);
    assert_eq!(modifiers(-6.0, 0.0), ["enfilade"], "both rear corners are in sight");
    assert_eq!(modifiers(-9.0, 0.0), ["long-range", "enfilade"]);
    let mut out = game(("fire", &[guns(14.0, 180.0)]), ("hold", &[defender()]));
    out.points(1).phase("pip", &[]).phase("fire", &[]);

    // Guns do not fire at a target that friends charge.
    let rules = pips();
    let mut charged = game(("fire", &[guns(6.0, 180.0), cavalry(1.75, 0.0, 270.0)]), ("hold", &[defender()]));
    charged.unit_mut(Side::First, 1).doctrine = rules.doctrine("charge").expect("a drill");
    charged.points(2).phase("pip", &[]);
    assert_eq!(charged.paid(), ["charge", "start-firing"]);
    charged.phase("fire", &[]);

    // Guns fire over friends 2 inches from the target only from a hill. They fire over any unit at a target on a hill.
    let over = |hill: Option<f64>, friend: f64| {
        let hill = hill.map(|north| crate::common::block_of("hill", (0.0, north), (6.0, 2.0)));
        let men = [guns(6.0, 180.0), infantry(0.0, friend, 180.0)];
        let terrain: Vec<_> = hill.into_iter().collect();
        let mut game = Game::over(rules, &terrain, ("fire", &men), ("hold", &[defender()]));
        game.unit_mut(Side::First, 1).doctrine = rules.doctrine("hold").expect("a drill");
        game.points(1).phase("pip", &[]);
        game.play_fire()
    };
    assert!(!over(None, 3.0), "a friend stands in between");
    assert!(over(Some(6.0), 3.0), "from a hill, two inches from the target");
    assert!(!over(Some(6.0), 2.9), "and no nearer");
    assert!(over(Some(0.0), 1.5), "at a target on a hill");
    // A target on a hill can always be fired at, even over a wood. The wood hides a target in the open.
    for (hill, fires) in [(true, true), (false, false)] {
        let mut ground = vec![crate::common::block_of("woods", (0.0, 3.0), (4.0, 1.0))];
        ground.extend(hill.then(|| crate::common::block_of("hill", (0.0, 0.0), (6.0, 2.0))));
        let mut game = Game::over(rules, &ground, ("fire", &[guns(6.0, 180.0)]), ("hold", &[defender()]));
        game.points(1).phase("pip", &[]);
        assert_eq!(game.play_fire(), fires);
    }
    // Guns never fire into woods.
    let wood = crate::common::block_of("woods", (0.0, 0.0), (4.0, 3.0));
    let road = crate::common::line_of("road", (-10.0, 0.0), (10.0, 0.0));
    for ground in [&[wood.clone()][..], &[wood, road]] {
        let mut woods = Game::over(rules, ground, ("fire", &[guns(6.0, 180.0)]), ("hold", &[defender()]));
        woods.points(1).phase("pip", &[]);
        assert!(!woods.play_fire());
    }

    // Unlimbering turns the guns around at no extra cost, and so does limbering.
    let turned = pip("unlimber", guns(0.0, 180.0).formation("limbered"), infantry(0.0, 8.0, 180.0), 1);
    assert_eq!((turned.first().heading.tenths(), turned.left()), (0, 0));
    let turned = pip("limber", guns(0.0, 180.0), infantry(0.0, 8.0, 180.0), 1);
    assert_eq!((turned.paid(), turned.first().heading.tenths(), turned.left()), (vec!["limber"], 0, 0));

    // A unit that is beaten by guns that it touches flees at once.
    let mut close = game(("fire", &[guns(1.0, 180.0)]), ("hold", &[defender()]));
    close.points(1).phase("pip", &[]).phase("fire", &[4, 3]);
    assert_eq!((morale(&close, Side::Second), ran(&close)), ("routed".into(), Some(700)));
    close.saw("KA1");
    // So does a unit that has already fled.
    let mut again = game(("fire", &[guns(1.0, 180.0)]), ("hold", &[defender().morale("routed")]));
    again.points(1).phase("pip", &[]).phase("fire", &[4, 3]);
    assert_eq!(ran(&again), Some(700));
}

/// The table of results for eager targets, shaken targets and artillery, and the attacker's own risk.
#[test]
fn clause_hd5() {
    // The example: shaken infantry fires at eager infantry, 3 - 1 against 5. It is beaten and needs 5 to stay.
    for (check, state) in [(5, "shaken"), (4, "routed")] {
        let game = volley(firer().morale("shaken"), defender(), &[3, 5, check]);
        assert_eq!(morale(&game, Side::First), state);
        game.saw("HD5");
    }
    let eager = volley(firer(), defender(), &[1, 6]);
    assert_eq!((morale(&eager, Side::First), morale(&eager, Side::Second)), ("eager".into(), "eager".into()));
    let equal = volley(firer(), defender(), &[4, 4]);
    assert_eq!(morale(&equal, Side::Second), "eager");
    // Shaken infantry whose fire equals the target's is not beaten: 4 - 1 against 3, and no check.
    let even = volley(firer().morale("shaken"), defender(), &[4, 3]);
    assert_eq!((morale(&even, Side::First), morale(&even, Side::Second)), ("shaken".into(), "eager".into()));
    // Shaken guns are silenced by guns, but not by other units.
    let shaken_guns = || by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0).morale("shaken");
    let guns = by_centre("foot-artillery", 0.0, 6.0, 180.0, 1.0);
    let by_guns = volley(guns, shaken_guns(), &[6, 1]);
    assert_eq!(morale(&by_guns, Side::Second), "silenced");
    let by_foot = volley(firer(), shaken_guns(), &[6, 1]);
    assert_eq!(morale(&by_foot, Side::Second), "shaken");
    // Guns have +1 against a square. A square has -1 only when it fires.
    let square = by_centre("infantry", 0.0, 0.0, 0.0, 1.5).formation("square");
    let at_square = volley(by_centre("foot-artillery", 0.0, 6.0, 180.0, 1.0), square, &[3, 3]);
    assert_eq!(at_square.own_modifiers("fire"), ["guns-against-square"]);
    assert_eq!(morale(&at_square, Side::Second), "shaken");
    // Shaken guns that fire at a unit could not fire back at guns to the north. Those are 11.9" from the near corner of
    // their base, which is turned by 45 degrees, but 12.2" from the middle of their front. A roll of 4 - 1 at long
    // range against 3, with no further -1, has no effect.
    let shaken = unit("foot-artillery").at(0.35, 0.35).facing(45.0).morale("shaken");
    let men = [by_centre("foot-artillery", 0.0, 13.1, 180.0, 1.0), infantry(5.0, 5.0, 180.0)];
    let mut far = game(("fire", &men), ("hold", &[shaken]));
    far.unit_mut(Side::First, 1).doctrine = pips().doctrine("hold").expect("a drill");
    far.unit_mut(Side::Second, 0).marks = Marks::FIRING;
    far.points(1).phase("pip", &[]).phase("fire", &[4, 3]);
    assert!(far.second().marks.has(Marks::FIRING), "at the infantry");
    assert_eq!((far.foe_modifiers("fire"), morale(&far, Side::Second)), (vec![], "shaken".into()));
    // The number of results out of 36 that win, for each difference between the modifiers.
    let wins = |difference: i32| (1..=6).flat_map(|a| (1..=6).map(move |d| (a + difference > d) as u32)).sum::<u32>();
    assert_eq!([2, 1, 0, -1, -2].map(wins), [26, 21, 15, 10, 6]);
}

/// The front edge of a unit that fills a village is the side of the village that it faces, whichever side that is (KF4,
/// KT3, U10).
#[test]
fn who_fills_a_village_shows_the_side_to_which_it_faces() {
    let village = [crate::common::block_of("built-up", (0.0, 0.0), (4.0, 4.0))];
    // Two friends hide the corners of the village, but not the middle of the side that it shows to the guns.
    let from_the_east = || {
        let horse = |north: f64| cavalry(4.5, north, 270.0);
        [by_centre("foot-artillery", 8.0, 0.0, 270.0, 1.0), horse(1.1), horse(-1.1)]
    };
    let from_the_north = || {
        let horse = |east: f64| cavalry(east, 4.5, 180.0);
        [by_centre("foot-artillery", 0.0, 8.0, 180.0, 1.0), horse(1.1), horse(-1.1)]
    };
    for (men, facing, hit) in [
        (from_the_east(), 90.0, true),
        (from_the_north(), 0.0, true),
        (from_the_east(), 0.0, false),
        (from_the_north(), 90.0, false),
        // Halfway between two sides, it faces both. A degree off that, it faces only the nearer one.
        (from_the_east(), 45.0, true),
        (from_the_north(), 45.0, true),
        (from_the_east(), 44.0, false),
        (from_the_north(), 46.0, false),
    ] {
        let mut game = Game::over(pips(), &village, ("fire", &men), ("hold", &[infantry(0.0, 0.0, facing)]));
        game.points(1).phase("pip", &[]);
        assert_eq!((game.play_fire(), game.first().marks.has(Marks::FIRING)), (hit, hit), "{facing}");
    }
}

/// The targets of the rolls to fire, in order.
fn targets(game: &Game) -> Vec<usize> {
    game.seen.rolls().filter_map(|roll| roll.foe).map(UnitId::index).collect()
}

/// Guns that fire at a nearer and a farther enemy; the nearer one has this morale.
fn guns_before_two(nearer: &str) -> Game {
    let guns = by_centre("foot-artillery", 0.0, 0.0, 0.0, 1.0);
    let enemies = [infantry(-2.0, 5.0, 180.0).morale(nearer), infantry(2.0, 6.5, 180.0)];
    let mut game = game(("fire", &[guns]), ("hold", &enemies));
    game.points(1).phase("pip", &[]);
    game
}

/// A unit fires at any one of its valid targets, including a routed one (HD5).
#[test]
fn a_player_chooses_the_target_of_a_volley() {
    for (nearer, ranked) in [("eager", [1, 2]), ("routed", [2, 1])] {
        for (place, target) in ranked.into_iter().enumerate() {
            let mut game = guns_before_two(nearer);
            let mut player = Picks::new([place]);
            game.phase_as("fire", &[3, 3], &mut player);
            assert_eq!((player.offered, targets(&game)), (vec![ranked.to_vec()], vec![target]), "{nearer}");
            // A die decides for a player who chooses at random.
            let mut random = guns_before_two(nearer);
            random.setup.random.first = true;
            random.phase("fire", &[place as i32 + 1, 3, 3]);
            assert_eq!(targets(&random), [target], "{nearer}, at random");
        }
        assert_eq!(targets(guns_before_two(nearer).phase("fire", &[3, 3])), ranked[..1], "{nearer}, by doctrine");
    }
}

/// Units fire one after the other, in the order that their side chooses (HD5). Those without a target are not offered.
#[test]
fn a_player_chooses_which_unit_fires_next() {
    let begun = || {
        let guns = [-12.0, 0.0, 12.0].map(|east| by_centre("foot-artillery", east, 0.0, 0.0, 1.0));
        let enemies = [infantry(-12.0, 5.0, 180.0), infantry(0.0, 5.0, 180.0), infantry(12.0, 5.0, 180.0)];
        let mut game = game(("fire", &guns), ("hold", &enemies));
        game.points(3).phase("pip", &[]);
        game
    };
    let fired = |game: &Game| game.seen.rolls().map(|roll| roll.own.index()).collect::<Vec<_>>();
    let mut doctrine = begun();
    let by_doctrine = fired(doctrine.phase("fire", &[3; 6]));
    let mut game = begun();
    let mut player = Picks::new([2, 1]);
    game.phase_as("fire", &[3; 6], &mut player);
    let chosen = [2, 1, 0].map(|place| by_doctrine[place]);
    assert_eq!(fired(&game), chosen);
    assert_eq!(player.offered, [by_doctrine.clone(), by_doctrine[..2].to_vec()]);
    let mut random = begun();
    random.setup.random.first = true;
    assert_eq!(fired(random.phase("fire", &[3, 3, 3, 2, 3, 3, 3, 3])), chosen);
}
