//! KE1 and HD7: flight, pursuit and rally.

use super::*;
use grognard_rules::model::Rules;

use crate::common::{block_of, load_with};

fn charge(doctrine: &str, attacker: Men, target: Men, faces: &[i32]) -> Game {
    let mut game = game((doctrine, &[attacker]), ("hold", &[target]));
    game.points(2).phase("pip", &[]).phase("charge", faces);
    game
}

/// A defender that faces south, with its own table edge behind it.
fn at_home() -> Men {
    infantry(0.0, 0.0, 180.0)
}

/// Cavalry that comes from the south.
fn horse() -> Men {
    cavalry(0.0, -5.0, 0.0)
}

/// How far each unit flees, and what it loses by fleeing.
#[test]
fn clause_ke1() {
    // Artillery is never routed.
    let faults = refused(unit("foot-artillery").at(0.0, 0.0).facing(0.0).morale("routed"));
    assert!(faults.contains("cannot be routed") && faults.contains("KE1"), "{faults}");
    for kind in ["infantry", "cavalry"] {
        game(("hold", &[unit(kind).at(0.0, 0.0).facing(0.0).morale("routed")]), ("hold", &[far_away()]));
    }
    let foot = charge("charge", horse(), at_home(), &[6, 1, 6]);
    assert_eq!(ran(&foot), Some(700));
    assert_eq!((foot.second().heading.tenths(), centre(&foot, &foot.second()).y), (0, 700), "turned, then 7 inches");
    foot.saw("KE1");
    // Cavalry flees from cavalry: 11 inches and two dice.
    let from_horse = charge("charge", horse(), cavalry(0.0, 0.0, 180.0), &[6, 1, 3, 4, 6]);
    assert_eq!(ran(&from_horse), Some(1800));
    let from_foot = charge("charge", infantry(0.0, -3.0, 0.0), cavalry(0.0, 0.0, 180.0), &[6, 1]);
    assert_eq!(ran(&from_foot), Some(1100));
    // The unit leaves square and loses its firing marker.
    let square = by_centre("infantry", 0.0, 0.0, 180.0, 1.5).formation("square");
    let mut broken = game(("charge", &[horse()]), ("hold", &[square]));
    broken.unit_mut(Side::Second, 0).marks = grognard_engine::Marks::FIRING;
    broken.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
    assert_eq!(broken.state(&broken.second()), ("line", "routed"));
    assert!(!broken.second().marks.has(grognard_engine::Marks::FIRING));
    // A unit that is struck on a side of its square flees no farther.
    let square = by_centre("infantry", 0.0, 0.0, 180.0, 1.5).formation("square");
    let aside = charge("charge", cavalry(6.0, 0.0, 270.0), square, &[6, 1, 6]);
    assert_eq!((ran(&aside), centre(&aside, &aside.second())), (Some(700), Point { x: -700, y: 0 }));
    // Artillery never flees.
    let guns = charge("charge", horse(), by_centre("foot-artillery", 0.0, 0.0, 180.0, 1.0), &[6, 1]);
    assert_eq!((ran(&guns), morale(&guns, Side::Second)), (None, "silenced".into()));
    // A routed unit flees again each turn, unless it rallies.
    let mut routed = foot;
    routed.phase_of(Side::Second, "flee", &[]);
    assert_eq!(centre(&routed, &routed.second()).y, 1400);
    for (points, state) in [(1, "routed"), (2, "shaken")] {
        let game = pip("rally", infantry(0.0, 0.0, 0.0).morale("routed"), far_away(), points);
        assert_eq!((morale(&game, Side::First), game.left()), (state.into(), points % 2));
        game.saw("KE1");
    }
    // A unit that has rallied does nothing else in that turn, however many points are left.
    let rallied = pip("rally-and-move", infantry(0.0, 0.0, 0.0).morale("routed"), far_away(), 4);
    assert_eq!((rallied.paid(), rallied.left()), (vec!["rally"], 2));
}

/// The direction of flight, the table edge, controlled and uncontrolled pursuit, and enemies that the pursuer meets.
#[test]
fn clause_hd7() {
    // The unit flees directly away from an attacker in the east.
    let west = charge("charge", cavalry(6.0, 0.0, 270.0), defender(), &[6, 1, 6]);
    assert_eq!(west.second().heading.tenths(), 2700);
    // The attacker is between the unit and its own edge, so the unit runs along the line of the attacker's front.
    let cut_off = charge("charge", cavalry(0.0, -5.0, 0.0), defender(), &[6, 1, 6]);
    assert!(matches!(cut_off.second().heading.tenths(), 900 | 2700), "{:?}", cut_off.second().heading);
    cut_off.saw("HD7");

    // A unit that leaves the table is destroyed.
    let gone = charge("charge", cavalry(0.0, 15.0, 0.0), infantry(0.0, 20.0, 180.0), &[6, 1, 6]);
    assert!(gone.second().gone());

    // A winner under control acts as its doctrine says: it stays, pursues or takes the position.
    let stays = charge("charge", horse(), at_home(), &[6, 1, 4]);
    assert_eq!(centre(&stays, &stays.first()), Point { x: 0, y: -100 });
    let takes = charge("charge-occupy", horse(), at_home(), &[6, 1, 4]);
    assert_eq!(centre(&takes, &takes.first()), Point { x: 0, y: 0 });
    let pursues = charge("charge-pursue", horse(), at_home(), &[6, 1, 4]);
    assert_eq!(pursued(&pursues), Some(600));
    // A winner out of control must pursue.
    let must = charge("charge", horse(), at_home(), &[6, 1, 3]);
    assert_eq!(pursued(&must), Some(600));
    let after_horse = charge("charge", horse(), cavalry(0.0, 0.0, 180.0), &[6, 1, 3, 4, 3]);
    assert_eq!(pursued(&after_horse), Some(1700), "an inch less than the 18 inches it fled");
    // Cavalry that has nowhere to flee is pursued as far as it would have fled, here up to the river behind it.
    let river = [crate::common::line_of("river", (-36.0, 5.0), (36.0, 5.0))];
    let mut stopped = Game::over(pips(), &river, ("charge", &[horse()]), ("hold", &[cavalry(0.0, 0.0, 180.0)]));
    stopped.points(2).phase("pip", &[]).phase("charge", &[6, 1, 3, 4, 3]);
    assert!(stopped.second().gone());
    assert!(pursued(&stopped).is_some_and(|inches| inches > 0), "{:?}", pursued(&stopped));

    // Another enemy in the way is charged at once, with no further pursuit.
    let mut second = game(("charge", &[horse()]), ("hold", &[at_home(), infantry(1.5, 4.0, 180.0)]));
    second.points(2).phase("pip", &[]).phase("charge", &[6, 1, 3, 6, 1]);
    assert_eq!(second.seen.rolls().count(), 5);
    assert_eq!(second.state(&second.unit(Side::Second, 1)).1, "routed");
    second.saw("HD7");

    // A flight that would end on top of a friend goes on until it is clear.
    let mut friends = game(("charge", &[horse()]), ("hold", &[at_home(), infantry(0.0, 7.5, 180.0)]));
    friends.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
    assert!(ran(&friends) > Some(700), "{:?}", ran(&friends));
    let (fled, friend) = (friends.unit(Side::Second, 0), friends.unit(Side::Second, 1));
    assert!(!friends.ground(&fled).overlaps(&friends.ground(&friend)));

    // Infantry makes for an empty wood within 7 inches, away from the enemy, and stays there.
    let wood = |north: f64| vec![block_of("woods", (2.0, north), (4.0, 4.0))];
    let runs = |terrain: &[grognard_engine::TerrainPlan], others: &[Men]| {
        let men: Vec<Men> = std::iter::once(at_home()).chain(others.iter().cloned()).collect();
        let mut game = Game::over(pips(), terrain, ("charge", &[horse()]), ("hold", &men));
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
        centre(&game, &game.unit(Side::Second, 0))
    };
    assert_eq!(runs(&wood(9.0), &[]), Point { x: 200, y: 900 }, "its edge is 6.5 inches away");
    assert_eq!(runs(&wood(10.0), &[]), Point { x: 0, y: 700 }, "7.5 are too far");
    assert_eq!(runs(&wood(9.0), &[infantry(2.0, 9.0, 180.0)]), Point { x: 0, y: 1148 }, "it is taken: past it");
    let mut stays =
        Game::over(pips(), &wood(9.0), ("hold", &[horse()]), ("hold", &[infantry(2.0, 9.0, 0.0).morale("routed")]));
    stays.phase_of(Side::Second, "flee", &[]);
    assert_eq!(ran(&stays), None);

    // A winner under control may also charge another enemy within its move, with no further pursuit.
    let mut on = game(("charge-on", &[horse()]), ("hold", &[at_home(), infantry(4.0, 5.0, 180.0)]));
    on.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6, 4, 1]);
    assert_eq!(on.state(&on.unit(Side::Second, 1)).1, "routed");
    assert_eq!(pursued(&on), None);
    let mut far = game(("charge-on", &[horse()]), ("hold", &[at_home(), infantry(4.0, 12.0, 180.0)]));
    far.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
    assert_eq!(far.state(&far.unit(Side::Second, 1)).1, "eager", "eleven inches are beyond its move");

    // Terrain that is closed to a unit is also closed to it in flight. Cavalry does not swim a river or ride through a
    // wood, except by road.
    let river = || crate::common::line_of("river", (-36.0, 5.0), (36.0, 5.0));
    let forest = || block_of("woods", (0.0, 5.0), (36.0, 4.0));
    let road = || crate::common::line_of("road", (0.0, -20.0), (0.0, 20.0));
    for (ground, lost) in
        [(vec![river()], true), (vec![river(), road()], false), (vec![forest()], true), (vec![forest(), road()], false)]
    {
        let men = [cavalry(0.0, 0.0, 180.0)];
        let mut game = Game::over(pips(), &ground, ("charge", &[infantry(0.0, -3.0, 0.0)]), ("hold", &men));
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1]);
        assert_eq!(game.second().gone(), lost);
        game.saw("HD7");
    }
    // A pursuit destroys a unit that it catches: here, infantry that has run into a village two inches away. Cavalry
    // does not pursue into a wood.
    for (refuge, caught, stops) in [("built-up", true, 150), ("woods", false, 140)] {
        let ground = [block_of(refuge, (0.0, 3.5), (4.0, 4.0))];
        let mut game = Game::over(pips(), &ground, ("charge", &[horse()]), ("hold", &[at_home()]));
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1, 3]);
        assert_eq!((game.second().gone(), game.first().front.y), (caught, stops), "{refuge}");
    }

    // With enemies all around, the unit has nowhere to flee.
    let side = [infantry(-3.4, 2.6, 180.0), infantry(3.4, 2.6, 180.0)];
    let ring = [horse(), infantry(0.0, 4.0, 180.0), side[0].clone(), side[1].clone()];
    let mut trapped = game(("charge", &ring), ("hold", &[at_home()]));
    for number in 1..4 {
        trapped.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
    }
    trapped.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
    assert!(trapped.second().gone());
}

/// A flight that would end beside infantry in the same area passes through the area, as it passes through friends. No
/// unit takes a position in such an area.
#[test]
fn clause_r2() {
    // A friend has two tenths of an inch of its base in a wood from 6" to 10" north. D would end 7" north of its
    // position. One of D's corners is then in that wood if the wood begins at x = 0.5, but not if it begins at x = 1.5.
    // In the first case, D runs until its rear is clear of the wood, which takes its middle 10.5", less the hundredths
    // by which units may overlap.
    for (west, far) in [(0.5, 1047), (1.5, 700)] {
        let wood = [block_of("woods", (west + 3.0, 8.0), (6.0, 4.0))];
        let men = [at_home(), infantry(5.5, 5.7, 180.0)];
        let mut game = Game::over(pips(), &wood, ("charge", &[horse()]), ("hold", &men));
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
        assert_eq!(ran(&game), Some(far), "a wood from {west} on");
    }
    // Cavalry has left a position that is partly in a wood, where it could not have begun. Infantry takes that position
    // unless other infantry has part of its base in the wood.
    let takes = |friends: &[Men]| {
        let wood = [block_of("woods", (-2.2, -1.35), (4.0, 3.3))];
        let men: Vec<Men> = std::iter::once(infantry(0.0, 3.0, 180.0)).chain(friends.iter().cloned()).collect();
        let mut game = Game::over(pips(), &wood, ("charge-occupy", &men), ("hold", &[cavalry(0.0, -8.0, 0.0)]));
        game.unit_mut(Side::Second, 0).front = Point { x: 0, y: 50 };
        for number in 1..men.len() {
            game.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
        }
        game.points(2).phase("pip", &[]).phase("charge", &[4, 3]);
        (centre(&game, &game.first()).y, game)
    };
    let (stays, game) = takes(&[infantry(-4.6, -1.0, 90.0)]);
    assert_eq!(stays, 100);
    game.saw("R2");
    assert_eq!(takes(&[]).0, 0);
}

/// A flight that ends in a small wood ends clear of a friend that touches the edge of the wood. It does not matter how
/// far the base extends (HD7, KT3).
#[test]
fn a_flight_into_a_small_wood_is_clear_of_who_stands_beside_it() {
    // Seven inches to the south, D enters the north end of a wood two inches wide. An enemy at its south end blocks the
    // way to its middle, which would be a refuge. A friend touches the north end from the west, or extends 0.1" into
    // the wood. Bases that overlap by two hundredths of an inch count as clear.
    for (east, far) in [(-165, 700), (-155, 798)] {
        let wood = [crate::common::block_of("woods", (0.1, -9.5), (2.0, 6.0))];
        let men = [defender().morale("routed"), cavalry(-15.0, -7.0, 0.0)];
        let enemies = [infantry(0.0, 3.0, 180.0), cavalry(1.85, -9.5, 0.0)];
        let mut game = Game::over(pips(), &wood, ("hold", &men), ("hold", &enemies));
        game.unit_mut(Side::First, 1).front = Point { x: east, y: -650 };
        game.phase("flee", &[]);
        assert_eq!(ran(&game), Some(far), "{east}");
    }
}

/// The line of the attacker's front restricts only units in front of it, and a refuge has to be away from all chargers.
#[test]
fn flight_leads_away_from_whoever_is_there() {
    // The enemy is half an inch east and 5" south, between D and its own edge, and faces east, so D is beside it.
    // Directly away from the enemy is 6 degrees west of north. The direction at right angles to that, nearer to the
    // edge, is 264 degrees.
    let flees = |ground: &[grognard_engine::TerrainPlan], enemy: Men| {
        let men = [defender().morale("routed")];
        let mut game = Game::over(pips(), ground, ("hold", &men), ("hold", &[enemy]));
        game.phase("flee", &[]);
        game
    };
    let beside = flees(&[], infantry(0.5, -5.0, 90.0));
    assert!((2630..=2650).contains(&beside.first().heading.tenths()), "{:?}", beside.first().heading);
    // That line does not keep D from a wood when the enemy's back is turned to D.
    let wood = [block_of("woods", (0.0, 6.0), (4.0, 4.0))];
    let backs = flees(&wood, cavalry(0.0, -4.0, 180.0));
    assert_eq!(centre(&backs, &backs.first()), Point { x: 0, y: 600 });

    // One enemy charges from the right, and in the second case another charges the left corner of D. The wood is on a
    // bearing of 330 degrees from D. That is 15 degrees off the direction straight away from the first, and 93 degrees
    // off the direction straight away from the other (63 degrees).
    for (chargers, reached) in [(1, true), (2, false)] {
        let men = [cavalry(1.0, -5.0, 0.0), cavalry(-1.97, -5.0, 0.0)];
        let wood = [block_of("woods", (-3.5, 6.06), (4.0, 4.0))];
        let mut game = Game::over(pips(), &wood, ("charge", &men[..chargers]), ("hold", &[at_home()]));
        game.points(4).phase("pip", &[]).phase("charge", &[6, 1, 6]);
        // Directly away from the first enemy, D runs north-west and also reaches the wood.
        let heading = game.second().heading.tenths();
        assert_eq!((3290..=3310).contains(&heading), reached, "{chargers}: {heading}");
    }
}

/// A unit that flees off the table is gone; a pursuer stops at the edge, 24" from the middle.
#[test]
fn pursuit_stays_on_the_table() {
    let game = charge("charge", cavalry(0.0, 15.0, 0.0), cavalry(0.0, 20.0, 180.0), &[6, 1, 3, 4, 3]);
    assert!(game.second().gone());
    assert_eq!((pursued(&game), centre(&game, &game.first())), (Some(500), Point { x: 0, y: 2400 }));
}

/// Cavalry that rallies does not turn into a wood (R5).
#[test]
fn horse_does_not_rally_into_a_wood() {
    // Turned to the east, the cavalry is 1.5" wide and would extend to y = 0.75.
    for (wood, heading) in [(0.6, 0), (0.8, 900)] {
        let ground = [block_of("woods", (0.0, wood + 2.0), (6.0, 4.0))];
        let men = [cavalry(0.0, 0.0, 0.0).morale("routed")];
        let mut game = Game::over(pips(), &ground, ("rally", &men), ("hold", &[infantry(20.0, 0.0, 270.0)]));
        game.points(2).phase("pip", &[]);
        assert_eq!((morale(&game, Side::First).as_str(), game.first().heading.tenths()), ("shaken", heading));
    }
}

/// Cavalry that turns to flee stays where it is. A wood right behind it stops it just as one farther off does (R5).
#[test]
fn horse_does_not_flee_through_a_wood_beside_it() {
    for gap in [0.05, 0.5] {
        let ground = [block_of("woods", (0.0, 0.5 + gap + 2.0), (36.0, 4.0))];
        let men = [cavalry(0.0, 0.0, 180.0)];
        let mut game = Game::over(pips(), &ground, ("charge", &[infantry(0.6, -3.0, 0.0)]), ("hold", &men));
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1]);
        assert!(game.second().gone(), "{gap}: {:?}", game.seen.events());
    }
}

/// A pursuer whose turned base overlaps another enemy meets that enemy, and does not ride through it (I2, HD7).
#[test]
fn pursuers_meet_whoever_lies_under_them() {
    let rules =
        load_with("pips-drill", &["roll.charge.own.need=1", "roll.stand.own.need=9", "roll.control.own.need=9"]);
    let rules: &'static Rules = Box::leak(Box::new(rules));
    let men = [infantry(0.0, 0.0, 180.0), infantry(2.51, 0.0, 180.0)];
    let mut game = Game::over(rules, &[], ("charge", &[cavalry(1.8, -1.0, 0.0)]), ("hold", &men));
    game.points(2).phase("pip", &[]);
    game.play_anyhow(Side::First, "charge");
    // The pursuit covers no distance and ends in a charge.
    let met =
        game.seen.events().iter().any(|event| matches!(event, Event::Declared { target, .. } if target.index() == 2));
    assert_eq!((pursued(&game), met), (Some(0), true), "{:?}", game.seen.events());
}

/// A unit that rallies in contact faces the enemy edge to edge, wherever the enemy is, and no longer counts as struck
/// in the rear or flank (HD7, A6, F1, F4).
#[test]
fn who_rallies_in_contact_faces_the_enemy() {
    // The first two charge from behind, one with an offset of 0.5": two inches of the front edge are enough for a rear
    // contact (F6). The third charges from the right and strikes the flank.
    for (charger, arc, heading) in [
        (infantry(0.0, -4.0, 0.0), Arc::Rear, 1800),
        (infantry(0.5, -4.0, 0.0), Arc::Rear, 1800),
        (cavalry(6.0, 0.0, 270.0), Arc::Flank, 900),
    ] {
        let men = [defender().morale("routed")];
        let mut game = game(("charge", &[charger]), ("rally", &men));
        // The charge on a routed unit, from the flank or rear, needs a 2.
        game.points(2).phase("pip", &[]).phase("charge", &[1]);
        assert_eq!((game.first().met, morale(&game, Side::First).as_str()), (arc, "shaken"));
        game.points(2).phase_of(Side::Second, "pip", &[]);
        assert_eq!((morale(&game, Side::Second).as_str(), game.second().heading.tenths()), ("shaken", heading));
        assert_eq!(game.first().met, Arc::Front);
        let (own, enemy) = (game.ground(&game.second()), game.ground(&game.first()));
        assert!(own.distance(&enemy) <= 1 && !own.inset(1).overlaps(&enemy), "edge to edge");
    }
}

/// A routed unit flees from its nearest enemy over this terrain, while its friends hold.
fn runs_on(ground: &[grognard_engine::TerrainPlan], men: &[Men], enemies: &[Men]) -> Game {
    let mut game = Game::over(pips(), ground, ("hold", men), ("hold", enemies));
    game.phase("flee", &[]);
    game
}

/// A flight turns aside no farther than the direction of the unit's own edge. From there, it turns back until a path is
/// open (U4, HD7, KE1).
#[test]
fn a_flight_takes_any_way_that_is_open() {
    let heading = |ground: &[grognard_engine::TerrainPlan], enemy: Men| {
        let game = runs_on(ground, &[defender().morale("routed")], &[enemy]);
        (game.first().gone(), game.first().heading.tenths())
    };
    let river = |from: (f64, f64), to: (f64, f64)| crate::common::line_of("river", from, to);
    // The middle of the enemy, which faces 100 degrees, is 5.49" west and 1.91" south. Directly away from it is 71
    // degrees, which is 109 degrees from the edge in the south. The enemy's front edge allows 10 to 190 degrees, which
    // includes the direct way south.
    let aside = || unit("cavalry").at(-5.0, -2.0).facing(100.0);
    assert_eq!(heading(&[], aside()), (false, 1800));
    // A river from 2.2" to 3.2" south ends 2.5" to the east. A base 2.5" wide moving at 120 degrees has its right edge
    // 0.6" west and 1.1" south of its middle. By the time that edge is 2.5" east, it is 2.9" south; at 105 degrees, it
    // is only 2.0" south there.
    assert_eq!(heading(&[river((-3.0, -2.7), (2.5, -2.7))], aside()), (false, 1050));
    // An enemy from the south faces north. Rivers close the directions from east to north, and the north-west as far as
    // their end 1.5" to the west and 2.5" north. At 300 degrees, the right edge is 0.6" east and 1.1" north of the
    // middle, and passes that end 2.3" north; at 315 degrees, 3.3" north.
    let corner = [river((2.5, -3.0), (2.5, 4.0)), river((-1.5, 3.0), (3.0, 3.0))];
    assert_eq!(heading(&corner, cavalry(0.0, -5.0, 0.0)), (false, 3000));
    // With the other side closed as well, no path is left.
    let ring = [&corner[..], &[river((-2.5, -3.0), (-2.5, 4.0)), river((-3.0, 3.0), (0.0, 3.0))][..]].concat();
    assert!(heading(&ring, cavalry(0.0, -5.0, 0.0)).0);
}

/// If the attacker is in the way, a flight home bends round him. It does not go round the other end of his front if
/// that leads farther from home than directly away from him (HD7, KE1).
#[test]
fn a_flight_home_past_the_attacker_bends_round_him() {
    // The two units face each other, and the routed one is a tenth of an inch farther south. Its edge is in the north,
    // behind its friends.
    let routed = unit("infantry").at(0.5, -0.1).facing(270.0).morale("routed");
    let friend = |east: f64| infantry(east, 15.0, 180.0);
    let men = [routed, friend(16.0), friend(20.0), friend(24.0)];
    let game = runs_on(&[], &men, &[unit("infantry").at(0.5, 0.0).facing(90.0)]);
    assert_eq!((game.first().gone(), game.first().heading.tenths()), (false, 150));
}

/// The foremost unit flees first, whatever the order in the study, and does not block the other.
#[test]
fn routed_units_run_on_in_the_same_order_whatever_their_order_in_the_study() {
    let ran = |men: &[Men]| {
        let game = runs_on(&[], men, &[cavalry(0.0, 5.0, 180.0)]);
        let places = [0, 1].map(|number| centre(&game, &game.unit(Side::First, number)).y);
        (places.into_iter().min(), places.into_iter().max())
    };
    // The second is at the point where the first, which is foremost, would end. So the first goes on until it is clear.
    let men = || [0.0, -7.0].map(|north| infantry(0.0, north, 0.0).morale("routed"));
    let [front, rear] = men();
    assert_eq!(ran(&men()), ran(&[rear, front]));
    assert_eq!(ran(&men()), (Some(-1400), Some(-798)));
}

/// A side's own table edge may be any of the four: the one behind the army as deployed, or else the one on its side of
/// the enemy (U4, HD7).
#[test]
fn the_own_edge_may_be_any() {
    // An enemy 4" west and 4" south faces north. Directly away from it is north-east, and its front edge allows any
    // direction from west to east.
    let enemy = || infantry(-4.0, -4.0, 0.0);
    for (facing, heading) in [(90.0, 2700), (270.0, 450), (180.0, 450), (0.0, 900)] {
        let game = runs_on(&[], &[infantry(0.0, 0.0, facing).morale("routed")], &[enemy()]);
        assert_eq!(game.first().heading.tenths(), heading, "facing {facing}");
    }
    // Two units are back to back. In the first case, their side is farther west of the enemies than it is north of
    // them; in the second case, it is the other way round.
    for (east, heading) in [(20.0, 2700), (0.0, 450)] {
        let men = [infantry(0.0, 0.0, 0.0).morale("routed"), infantry(0.0, 9.0, 180.0)];
        let game = runs_on(&[], &men, &[enemy(), infantry(east, 20.0, 180.0), infantry(east, -20.0, 0.0)]);
        assert_eq!(game.first().heading.tenths(), heading, "enemies {east} east");
    }
}

/// The distance to a refuge is measured once the unit has turned to it, and from the edge of a wood that it fills (HD7,
/// KE1, KT3).
#[test]
fn a_refuge_is_measured_after_the_turn() {
    // The enemy is in the west. Before the turn, D's flank is 1.25" east of its middle. After the turn, its front is
    // 0.5" east of its middle, which is 6.9" or 7.25" from the wood.
    for (edge, stands) in [(7.4, 940), (7.75, 700)] {
        let wood = [block_of("woods", (edge + 2.0, 0.0), (4.0, 4.0))];
        let game = runs_on(&wood, &[defender().morale("routed")], &[cavalry(-5.0, 0.0, 90.0)]);
        assert_eq!(centre(&game, &game.first()), Point { x: stands, y: 0 }, "{edge}");
    }
    // D is in the middle of a wood 6" deep, and another wood begins 6.9" or 7.1" farther north. It reaches the middle
    // of the other wood, or runs until its front is 7" from the edge of its own.
    for (off, stands) in [(6.9, 300 + 690 + 200), (7.1, 300 + 700 - 50)] {
        let woods = [block_of("woods", (0.0, 0.0), (6.0, 6.0)), block_of("woods", (0.0, 3.0 + off + 2.0), (4.0, 4.0))];
        let men = [infantry(0.0, -5.0, 0.0)];
        let mut game = Game::over(pips(), &woods, ("charge", &men), ("hold", &[at_home()]));
        game.points(2).phase("pip", &[]).phase("charge", &[4, 3]);
        assert_eq!(centre(&game, &game.second()), Point { x: 0, y: stands }, "{off}");
        game.saw("KT3");
    }
}

/// A unit that would be on a road in the middle of a village does not fill the village, and so has no refuge there
/// (HD7, KT3).
#[test]
fn a_village_on_the_road_is_no_refuge() {
    let village = block_of("built-up", (8.0, 0.0), (4.0, 4.0));
    let road = block_of("road", (0.0, 0.0), (40.0, 0.5));
    for (ground, stands, fills) in [(vec![village.clone()], 800, 1), (vec![village, road], 700, 0)] {
        let game = runs_on(&ground, &[defender().morale("routed")], &[cavalry(-5.0, 0.0, 90.0)]);
        let own = game.first();
        assert_eq!((centre(&game, &own), own.fills), (Point { x: stands, y: 0 }, fills));
    }
}

/// A pursuit out of a village that the cavalry fills is measured from the edge, too, and cavalry that gets no farther
/// than the edge still fills the village (KT3, HD7).
#[test]
fn pursuits_begin_at_the_edge() {
    // The village extends from 5" south to 1" north, with cavalry in the middle that has taken it and faces north: its
    // front is 1.5" south. In a built-up area it stays under control on a 3 (KM3).
    let horse_in = |enemies: &[Men], faces: &[i32]| {
        let village = [block_of("built-up", (0.0, -2.0), (6.0, 6.0))];
        let men = [unit("cavalry").at(0.0, -6.0).facing(0.0)];
        let mut game = Game::over(pips(), &village, ("charge", &men), ("hold", enemies));
        let horse = game.unit_mut(Side::First, 0);
        (horse.front, horse.fills) = (Point { x: 0, y: -150 }, 1);
        game.points(1).phase("pip", &[]).phase("charge", faces);
        game
    };
    let out = horse_in(&[infantry(0.0, 1.5, 180.0)], &[6, 1, 2]);
    assert_eq!((pursued(&out), out.first().front, out.first().fills), (Some(850), Point { x: 0, y: 700 }, 0));
    out.saw("KT3");
    // Cavalry at the edge, half a base to the east, flees 12 degrees east of north. On that heading, the pursuer's left
    // corner reaches the edge 0.1" west of its middle, where infantry is. It charges the infantry, and stays in the
    // village.
    let enemies = [cavalry(0.76, 1.5, 180.0), infantry(-1.25, 1.5, 180.0)];
    let met = horse_in(&enemies, &[6, 1, 3, 4, 2, 6, 6]);
    assert_eq!(
        (met.first().fills, centre(&met, &met.first())),
        (1, Point { x: 0, y: -200 }),
        "{:?}",
        met.seen.events()
    );
}

/// Infantry that rallies between enemies does not turn away from any of them (D1, HD7): it faces another, or stays as
/// it is.
#[test]
fn who_rallies_leaves_no_enemy() {
    let rallies = |facing: f64, friends: &[Men], enemies: &[Men]| {
        let men = [&[infantry(0.0, 0.0, facing).morale("routed")], friends].concat();
        let mut game = game(("rally", &men), ("hold", enemies));
        game.points(2).phase("pip", &[]);
        let own = game.ground(&game.first());
        let touch = |number| own.distance(&game.ground(&game.unit(Side::Second, number))) <= 1;
        ((morale(&game, Side::First), game.first().heading.tenths()), (0..enemies.len()).all(touch))
    };
    let east = || infantry(1.75, 0.0, 270.0);
    // There is one enemy on each flank, 2.5" apart. The unit is an inch deep and would not extend from one to the
    // other.
    assert_eq!(rallies(0.0, &[], &[infantry(-1.75, 0.0, 90.0), east()]), (("shaken".into(), 0), true));
    // One enemy is on the flank and one in the rear. The unit faces the first, and then touches the other with its
    // flank. If a friend is in the way, it turns to the one in the rear.
    for (friends, heading) in [(&[][..], 900), (&[infantry(0.0, -1.2, 0.0)], 0)] {
        let enemies = [east(), infantry(0.0, 1.0, 180.0)];
        assert_eq!(rallies(180.0, friends, &enemies), (("shaken".into(), heading), true));
    }
    // Friends keep it from facing the one on its flank. It does not turn about to an enemy that it does not touch.
    let friends = [-1.2, 1.2].map(|north| infantry(0.0, north, 0.0));
    assert_eq!(rallies(0.0, &friends, &[east(), infantry(0.0, -10.0, 0.0)]).0, ("shaken".into(), 0));
}

/// Only broken units run on, whatever other conditions the phase has (KE1).
#[test]
fn only_broken_units_run_on() {
    let rules = crate::common::load_once("pips-drill", &["phase.flee.when=\"self.arm == 'infantry'\""]);
    let men = [infantry(0.0, 0.0, 180.0), infantry(5.0, 0.0, 180.0).morale("routed"), infantry(-5.0, 0.0, 180.0)];
    let mut game = Game::under(rules, ("hold", &men), ("hold", &[cavalry(0.0, -5.0, 0.0)]));
    game.unit_mut(Side::First, 2).flags = grognard_engine::Flags::GONE;
    game.phase("flee", &[]);
    let runs = |event: &&Event| matches!(event, Event::RanAway { .. });
    assert_eq!(game.seen.events().iter().filter(runs).count(), 1);
    assert_eq!(centre(&game, &game.first()), Point { x: 0, y: 0 });
}

/// A unit does not run to a wood behind an enemy or behind ground that is closed to it. Nor does it run farther than
/// its flight, seven inches to the edge (HD7, KE1).
#[test]
fn no_refuge_lies_behind_an_enemy_or_a_river_or_too_far_away() {
    let runs = |ground: &[grognard_engine::TerrainPlan], others: &[Men]| {
        let men = [&[horse()], others].concat();
        let mut game = Game::over(pips(), ground, ("charge", &men), ("hold", &[at_home()]));
        for number in 1..men.len() {
            game.unit_mut(Side::First, number).doctrine = pips().doctrine("hold").expect("a drill");
        }
        game.points(2).phase("pip", &[]).phase("charge", &[6, 1, 6]);
        centre(&game, &game.second())
    };
    let wood = |east: f64, north: f64| block_of("woods", (east, north), (4.0, 4.0));
    let straight = Point { x: 0, y: 700 };
    assert_eq!(runs(&[wood(5.0, 5.0)], &[]), Point { x: 500, y: 500 });
    assert_eq!(runs(&[wood(5.0, 5.0), block_of("river", (2.4, 2.0), (0.6, 0.6))], &[]), straight);
    assert_eq!(runs(&[wood(5.0, 5.0)], &[cavalry(2.6, 2.4, 0.0)]), straight);
    assert_eq!(runs(&[wood(0.0, 9.5)], &[]), Point { x: 0, y: 950 });
    assert_eq!(runs(&[wood(0.0, 9.51)], &[]), straight);
}
