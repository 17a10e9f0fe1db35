//! Chapter 8: artillery, trains and staffs.

use grognard_engine::plane::{Arc, Heading, Point};
use grognard_engine::{Event, Flags, Refusal, Side, TerrainPlan, UnitId};
use grognard_rules::model::{MoraleId, Rules};

use super::{alone, far_away, figure, marched, s6};
use crate::common::{Game, Men, block_of, deployment, drill, line_of, load_with, unit};

/// Command figures and headquarters have all-around facing.
#[test]
fn clause_7_21d() {
    for kind in ["headquarters", "commander"] {
        let enemy = figure().bearing(270.0, 4.0);
        let mut game = Game::new(("fire-only", &[enemy]), ("hold", &[unit(kind).at(0.0, 0.0).facing(90.0)]));
        game.phase("fire", &[1]);
        assert_eq!(game.roll("fire").exposed.1, Arc::Front, "{kind}");
        let charger = figure().bearing(270.0, 4.0);
        let mut charged = Game::new(("charge", &[charger]), ("hold", &[unit(kind).at(0.0, 0.0).facing(90.0)]));
        charged.play_anyhow(Side::First, "charge");
        charged.saw("7.21d");
    }
}

/// Crew figures have all-around facing when they are away from their base, but not on it.
#[test]
fn clause_7_21e() {
    // The guns are shelled from the front. Their crew breaks and is placed behind its base, away from the nearest
    // enemies, which are two staffs. A few enemy infantry are farther to its rear.
    let guns = || unit("field-battery").cannon(4).at(0.0, 0.0).facing(0.0);
    let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    let men = || unit("line-battalion").figures(2).at(0.0, -6.0).facing(0.0);
    let staff = |east: f64| unit("headquarters").at(east, 3.0).facing(180.0);
    let mut game = Game::new(("fire-only", &[enemy, men(), staff(-3.0), staff(3.0)]), ("hold", &[guns()]));
    game.phase("fire", &[10, 10, 1, 1, 1, 6, 6]);
    assert_eq!(game.roll("fire").exposed.1, Arc::Rear, "on its base it is the battery, which has a rear");
    let crew = game.unit(Side::Second, 1);
    assert_eq!((crew.figures, game.state(&crew).0), (1, "detached"));
    assert_eq!(game.ground(&crew).distance(&game.ground(&game.second())), 0, "it stands at the base it has left");
    assert_eq!((game.ground(&crew).width, game.ground(&crew).depth), (50, 50), "one figure");
    for heading in [0, 1370, 2700] {
        let turned = game.ground(&crew).turned_about_centre(Heading::from_tenths(heading));
        let pointed = game.unit_mut(Side::Second, 1);
        (pointed.front, pointed.heading) = (turned.front, turned.heading());
        game.phase("fire", &[1, 1, 1, 1, 1]);
        let shot = game.roll("fire");
        assert_eq!((shot.own.index(), shot.foe.map(UnitId::index), shot.exposed.1), (1, Some(6), Arc::Front));
    }
    // The crew faces away from the men who now charge it.
    let turned = game.ground(&crew).turned_about_centre(Heading::from_tenths(0));
    let pointed = game.unit_mut(Side::Second, 1);
    (pointed.front, pointed.heading) = (turned.front, turned.heading());
    game.unit_mut(Side::First, 1).doctrine = drill().doctrine("charge").expect("a doctrine");
    game.play_anyhow(Side::First, "charge");
    game.play_anyhow(Side::First, "shock");
    game.saw("7.21e");
}

/// A battery that limbers or unlimbers turns for free.
#[test]
fn clause_7_34() {
    // The enemy is at 75 degrees; the battery marches 4" straight ahead and unlimbers.
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

/// The angle of the wheel in the last march.
fn wheel_of(game: &Game) -> i32 {
    let wheel = |event: &Event| if let Event::Marched { wheel, .. } = event { Some(*wheel) } else { None };
    game.seen.events().iter().rev().find_map(wheel).expect("somebody marched")
}

/// Unlimbering at the end of a move costs 2" on top of the move itself.
#[test]
fn clause_8_42() {
    let battery = |kind: &str| unit(kind).formation("limbered").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("unlimber-in-move", &[battery("field-battery")]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert_eq!((marched(&game), game.state(&game.first()).0), (Some(600), "unlimbered"), "6 and 2 of 8");
    game.saw("8.42");
    // A battery that marches farther has too little of its move left to unlimber.
    let mut late = Game::new(("unlimber-late", &[battery("field-battery")]), ("hold", &[far_away()]));
    late.phase("move", &[]);
    assert_eq!((marched(&late), late.state(&late.first()).0), (Some(800), "limbered"));
    assert!(matches!(late.seen.refusals()[..], [Refusal::NoMove(_)]));
    // A horse battery can limber, move and unlimber in one turn.
    let guns = unit("horse-battery").at(0.0, 0.0).facing(0.0);
    let mut all = Game::new(("limber-move-unlimber", &[guns]), ("hold", &[far_away()]));
    all.phase("formation", &[]).phase("move", &[]);
    assert_eq!((marched(&all), all.state(&all.first()).0), (Some(1000), "unlimbered"));
    all.saw("8.42");
}

/// Positional artillery limbers and unlimbers only in the formation phase; siege artillery needs a whole stationary
/// turn.
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
    assert_eq!(siege.state(&siege.first()).0, "unlimbered", "the turn is not over while the enemy plays");
    for phase in &phases {
        siege.phase_of(Side::Second, phase, &[]);
    }
    assert_eq!((siege.state(&siege.first()).0, marched(&siege)), ("limbered", None), "at the end of a stationary turn");
    turn(&mut siege);
    assert_eq!(marched(&siege), Some(600));

    // Unlimbering also takes a turn, during which siege artillery does not fire. Afterwards it faces the enemy (8.44)
    // and fires.
    let guns = battery("siege-battery").cannon(2).facing(90.0);
    let mut siege = Game::new(("unlimber-and-fire", &[guns]), ("hold", &[figure().at(0.0, 12.0).facing(180.0)]));
    for side in Side::BOTH {
        for phase in &phases {
            siege.phase_of(side, phase, &[]);
        }
    }
    assert_eq!((siege.state(&siege.first()).0, siege.seen.rolls().count()), ("unlimbered", 0));
    // It spends its whole turn on unlimbering, and it turns for free (8.44).
    for clause in ["8.40-G", "8.43", "8.44"] {
        siege.saw(clause);
    }
    assert_eq!(siege.aspect(&siege.first(), &siege.second()), grognard_engine::plane::Arc::Front, "it faces the enemy");
    siege.phase("fire", &[1, 1]);
    assert_eq!(siege.seen.rolls().count(), 1);

    // With three sides, the turn ends only when the third side has played its part as well.
    let guns = battery("siege-battery").cannon(2);
    let mut plan = deployment(("unlimber-and-fire", &[guns]), ("hold", &[far_away()]));
    let mut third =
        deployment(("hold", &[unit("line-battalion").at(20.0, 20.0).facing(180.0)]), ("hold", &[far_away()]));
    third.sides.first.name = "third".to_owned();
    plan.sides.third = Some(third.sides.first);
    let mut siege = Game::planned(drill(), &plan);
    for (side, formation) in [(Side::First, "limbered"), (Side::Second, "limbered"), (Side::Third, "unlimbered")] {
        for phase in &phases {
            siege.phase_of(side, phase, &[]);
        }
        assert_eq!(siege.state(&siege.first()).0, formation, "{side:?}");
    }
}

/// The crew is 1 figure for up to 9 cannon and 2 for more, plus one for siege guns.
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
        let game = alone("hold", unit(kind).cannon(cannon), "formation");
        assert_eq!(game.first().figures, crew, "{cannon} cannon, {kind}");
        game.saw("8.46");
    }
    // Cannon fire costs cannon and leaves the crew; musketry costs crew.
    let guns = || unit("field-battery").at(0.0, 0.0).facing(0.0);
    let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    let mut shelled = Game::new(("fire-only", &[enemy]), ("hold", &[guns()]));
    shelled.phase("fire", &[10, 10, 1, 1, 3, 3]);
    assert_eq!((shelled.second().cannon, shelled.second().figures), (6, 1));
    let faults = Game::refused(("hold", &[guns().figures(2)]), ("hold", &[far_away()]));
    assert!(faults[0].message.contains("8.46"), "{faults:?}");
}

/// A routed crew leaves its guns, which stay in place and can do nothing. Once it has rallied, the crew returns.
#[test]
fn clause_8_47() {
    let guns = unit("field-battery").cannon(4).at(0.0, 0.0).facing(0.0);
    let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    let mut game = Game::new(("fire-only", &[enemy]), ("fire-only", &[guns]));
    let before = game.second().front;
    game.phase("fire", &[10, 10, 1, 1, 6, 6]);
    let crew = game.unit(Side::Second, 1);
    assert_eq!((game.second().figures, crew.figures, game.state(&crew)), (0, 1, ("detached", "routed")));
    assert_ne!(game.state(&game.second()).1, "routed");
    game.saw("8.47");
    game.phase_of(Side::Second, "move", &[]).phase_of(Side::Second, "fire", &[]);
    assert_eq!(game.second().front, before, "the base stays");
    game.phase_of(Side::Second, "rally", &[3, 3]);
    assert_eq!(game.state(&game.unit(Side::Second, 1)).1, "disordered");
    // The crew is twelve inches away, so it reaches its guns in its second move.
    game.phase_of(Side::Second, "move", &[]);
    assert_eq!(game.second().figures, 0);
    game.phase_of(Side::Second, "move", &[]);
    assert_eq!((game.second().figures, game.second().start), (1, 1));
    assert_eq!(game.state(&game.second()).1, "disordered");
    game.phase_of(Side::Second, "fire", &[1, 1]);
    // Limbered guns and trains also stay in place when their crew flees, and cannot move without it (8.45, 8.49).
    for kind in ["field-battery", "pontoon-train"] {
        let guns = unit(kind).cannon(4).formation("limbered").at(0.0, 0.0).facing(0.0);
        let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
        let mut game = Game::new(("fire-only", &[enemy]), ("march", &[guns]));
        let before = game.second().front;
        game.phase("fire", &[10, 10, 1, 1, 6, 6]);
        assert_eq!((game.second().figures, game.second().front), (0, before), "{kind}");
        game.phase_of(Side::Second, "move", &[]);
        assert_eq!(game.second().front, before, "{kind} without a crew");
    }
}

/// A crew flees only once from guns that are charged. It is gone when the charge arrives, and takes no test in the
/// charge zone.
#[test]
fn a_crew_runs_once() {
    let guns = |east: f64| unit("field-battery").cannon(4).at(east, 0.0).facing(0.0);
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[guns(0.0), guns(4.0)]));
    let ran = |game: &Game| game.seen.events().iter().filter(|event| matches!(event, Event::CrewLeft { .. })).count();
    for index in [0, 1] {
        game.unit_mut(Side::Second, index).figures = 0;
    }
    game.dice("charge", &[6; 20]);
    assert_eq!((game.seen.rolls().count(), ran(&game)), (0, 0), "{:?}", game.seen.events());
    game.dice("shock", &[6; 20]);
    assert_eq!(ran(&game), 0, "{:?}", game.seen.events());
}

/// A returning crew is unformed for movement (8.73): it walks around friends, but not through enemies, and pays for
/// terrain.
#[test]
fn a_crew_walks_back_to_its_guns() {
    let line = |north: f64| unit("line-battalion").at(0.0, north).facing(0.0);
    // Where the crew ends its move if it starts this far behind the base, whose rear edge is at y = -1.5.
    let comes = |terrain: &[TerrainPlan], friend: Option<f64>, enemy: Men, south: i32| {
        let guns = unit("field-battery").at(0.0, 0.0).facing(0.0);
        let friend = friend.map(line);
        let men: Vec<Men> = std::iter::once(guns).chain(friend).collect();
        let mut game = Game::over(drill(), terrain, ("hold", &men), ("hold", &[enemy]));
        game.unit_mut(Side::First, 0).figures = 0;
        let number = men.len();
        let crew = game.unit_mut(Side::First, number);
        (crew.figures, crew.start, crew.morale) = (1, 1, MoraleId::FIRST);
        (crew.front, crew.flags) = (Point { x: 0, y: -150 - south }, Flags::SCREEN);
        game.phase("move", &[]);
        let (guns, crew) = (game.first(), game.nth(number));
        assert_eq!(guns.figures == 1, crew.gone());
        (!crew.gone()).then_some(crew.front.y)
    };
    // Enemies are in its way: it stops an inch in front of them.
    assert_eq!(comes(&[], None, line(-5.0), 900), Some(-650));
    // From ten inches away, the crew reaches its guns, past a battalion that is behind the guns or right in front of
    // the crew.
    for friend in [None, Some(-4.0), Some(-10.9)] {
        assert_eq!(comes(&[], friend, far_away(), 1000), None, "{friend:?}");
    }
    // From farther away, it ends its move clear of friends.
    for (friend, ends) in [(None, -450), (Some(-8.0), -450), (Some(-4.3), -500)] {
        assert_eq!(comes(&[], friend, far_away(), 1300), Some(ends), "{friend:?}");
    }
    // Five inches of wood use up all of its move.
    let wood = [block_of("woods", (0.0, -6.0), (12.0, 5.0))];
    assert!(comes(&wood, None, far_away(), 900).is_some_and(|north| north < -300));
    assert_eq!(comes(&wood, None, far_away(), 350), None);
}

/// Guns defend with the figures that they have left: if the crew has fled or is dead, nobody is there to lose the
/// shock.
#[test]
fn clause_7_64() {
    // Four figures charge a battery's flank and roll low in the shock. The crew flees from the charge, is dead or stays
    // with its guns.
    for (test, killed, fought) in [([6, 6], false, false), ([1, 1], true, false), ([1, 1], false, true)] {
        let men = unit("grenadier-battalion").figures(4).at(7.0, -0.75).facing(270.0);
        let guns = unit("field-battery").cannon(4).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("charge", &[men]), ("hold", &[guns]));
        game.phase("charge", &test);
        assert!(game.first().flags.has(Flags::CONTACT));
        if killed {
            game.unit_mut(Side::Second, 0).figures = 0;
        }
        assert_eq!(game.second().figures, u16::from(fought));
        game.phase("shock", if fought { &[1, 1, 6, 6] } else { &[] });
        let left = (game.state(&game.first()).1, game.first().figures);
        assert_eq!(left, if fought { ("disordered", 3) } else { ("good", 4) }, "{:?}", game.seen.events());
        assert_eq!(game.seen.cited().contains("7.64"), fought);
    }
}

/// If a check disorders a crew, its battery is disordered too, but can still do everything.
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
    // A crew that returns in good order restores its battery to good order.
    let guns = unit("field-battery").cannon(4).at(0.0, 0.0).facing(0.0);
    let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
    for (faces, state) in [([3, 3], "good"), ([6, 6], "disordered")] {
        let mut back = Game::new(("fire-only", std::slice::from_ref(&enemy)), ("hold", std::slice::from_ref(&guns)));
        back.phase("fire", &[10, 10, 1, 1, 6, 6]).phase_of(Side::Second, "move", &[]);
        back.phase_of(Side::Second, "rally", &[3, 3]).phase_of(Side::Second, "recover", &faces);
        back.phase_of(Side::Second, "move", &[]).phase_of(Side::Second, "move", &[]);
        assert_eq!((back.second().figures, back.state(&back.second()).1), (1, state));
    }
}

/// One blow costs a battery or train a sixth of its strength if it destroys a sixth of the cannon it had before the
/// blow.
#[test]
fn batteries_test_when_a_sixth_of_their_cannon_is_lost() {
    for (kind, cannon, tests) in [
        ("field-battery", 6, true),
        ("field-battery", 7, false),
        ("pontoon-train", 6, true),
        ("pontoon-train", 7, false),
    ] {
        let guns = unit(kind).cannon(cannon).at(0.0, 0.0).facing(0.0);
        let enemy = unit("field-battery").cannon(4).at(0.0, 20.0).facing(180.0);
        let mut game = Game::new(("fire-only", &[enemy]), ("hold", &[guns]));
        game.phase("fire", if tests { &[10, 1, 1, 1, 1, 1] } else { &[10, 1, 1, 1] });
        assert_eq!(game.second().cannon, cannon - 1, "{kind}");
    }
}

/// Whether the battery counts as already disordered in its morale test.
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
        // The battery's own half of the turn is over when the enemy fires.
        game.phase("move", &[]).phase("rally", &[]).phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1]);
        assert_eq!(disordered_by(&game), expected, "{mode}");
        if expected {
            game.saw("8.47b");
        }
    }
    // In road mode, a battery counts as being on a strategic march only when it is off the road (8.64).
    for (east, expected) in [(0.0, false), (10.0, true)] {
        let road = [line_of("road", (0.0, -24.0), (0.0, 24.0))];
        let guns = unit("field-battery").cannon(4).formation("limbered").at(east, -20.0).facing(0.0);
        let enemy = unit("field-battery").cannon(4).at(east, 20.0).facing(180.0);
        let mut game = Game::commanded(&road, ("attack", "road"), ("road", &[guns]), ("fire-only", &[enemy]));
        game.phase("move", &[]).phase("rally", &[]);
        game.play_anyhow(Side::Second, "fire");
        assert!(game.first().front.y > -2000);
        assert_eq!(game.seen.cited().contains("8.47b"), expected, "{:?}", game.seen.events());
        assert_eq!(disordered_by(&game), expected, "{east}");
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

/// A battery that has crossed a wall stays limbered until the end of that move, even if it has movement left. It may
/// unlimber in its next turn.
#[test]
fn clause_8_48() {
    // The battery marches four of its eight inches, over a wall that costs no movement. It stops an inch short of an
    // enemy that faces away.
    let rules: &'static Rules = Box::leak(Box::new(load_with("figures-drill", &["ground.wall.crossing=0"])));
    let wall = [line_of("wall", (-5.0, 3.0), (5.0, 3.0))];
    let go = |terrain: &[TerrainPlan]| {
        let guns = unit("field-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
        let enemy = figure().at(0.0, 5.5).facing(0.0);
        let mut game = Game::over(rules, terrain, ("unlimber-in-move", &[guns]), ("hold", &[enemy]));
        game.phase("move", &[]);
        assert_eq!(marched(&game), Some(400));
        game
    };
    let open = go(&[]);
    assert_eq!(open.state(&open.first()).0, "unlimbered", "two inches of four, with no wall");
    let mut game = go(&wall);
    assert_eq!(game.state(&game.first()).0, "limbered");
    assert!(matches!(game.seen.refusals()[..], [Refusal::BarredInMove(_, 1)]));
    game.saw("8.48");
    game.unit_mut(Side::First, 0).doctrine = rules.doctrine("form-unlimbered").expect("a doctrine");
    for phase in ["fire", "shock", "recover", "rally", "formation"] {
        game.phase(phase, &[]);
    }
    assert_eq!(game.state(&game.first()).0, "unlimbered", "in the next formation phase, where it has come to stand");
    // A road across its path does not count as a wall.
    let road = go(&[block_of("road", (0.0, 3.0), (10.0, 1.0))]);
    assert_eq!(road.state(&road.first()).0, "unlimbered");
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

/// With a crew, batteries and trains are formed for morale and fire zones, but not for movement. Without a crew, they
/// are not formed at all, and neither is a crew that is away from its base.
#[test]
fn clause_8_73() {
    // Each case has a unit of the second side that faces south, a change to that unit, and whether the unit includes a
    // crew.
    let battery = unit("field-battery").cannon(2).at(0.0, 3.5).facing(180.0);
    let train = unit("pontoon-train").cannon(2).at(0.0, 1.5).facing(180.0);
    let abandoned = |game: &mut Game| game.unit_mut(Side::Second, 0).figures = 0;
    // The crew has rallied, is in good order again and is in the battery's place; the battery is far away.
    let apart = |game: &mut Game| {
        let base = *game.unit_mut(Side::Second, 0);
        let guns = game.unit_mut(Side::Second, 0);
        (guns.figures, guns.front) = (0, Point { x: 2500, y: 2000 });
        let crew = game.unit_mut(Side::Second, 1);
        (crew.figures, crew.start, crew.morale, crew.front, crew.heading) =
            (3, 3, MoraleId::FIRST, base.front, base.heading);
        crew.flags = Flags::SCREEN;
    };
    let as_deployed = |_: &mut Game| {};
    type Change<'a> = &'a dyn Fn(&mut Game);
    let cases: [(&str, &Men, Change<'_>, bool); 5] = [
        ("a battery with its crew", &battery, &as_deployed, true),
        ("a train with its crew", &train, &as_deployed, true),
        ("a battery without a crew", &battery, &abandoned, false),
        ("a train without a crew", &train, &abandoned, false),
        ("a crew apart from its guns", &battery, &apart, false),
    ];
    // Two variant rules: only formed units can be charged, or only units that are formed for movement.
    let formed = load_with("figures-drill", &["movement.charge=\"foe.formed\""]);
    let formed_to_move = load_with("figures-drill", &["movement.charge=\"foe.formed_to_move\""]);
    let [formed, formed_to_move] =
        [formed, formed_to_move].map(|rules| -> &'static Rules { Box::leak(Box::new(rules)) });
    let charged = |rules: &'static Rules, men: &Men, change: Change<'_>| {
        let charger = unit("line-battalion").figures(4).at(0.0, 0.0).facing(0.0);
        let mut game = Game::under(rules, ("charge", &[charger]), ("hold", std::slice::from_ref(men)));
        change(&mut game);
        game.play_anyhow(Side::First, "charge");
        let declared = game.seen.events().iter().any(|event| matches!(event, Event::Declared { .. }));
        assert_eq!(declared, !game.seen.refusals().contains(&Refusal::MayNotCharge));
        declared
    };
    for (what, men, change, crewed) in cases {
        assert_eq!(charged(formed, men, change), crewed, "{what} is formed for morale");
        assert!(!charged(formed_to_move, men, change), "{what} is formed for movement");
        // A unit with a fire zone is reported when an enemy turns in front of it.
        let turner = unit("line-battalion").figures(6).at(0.0, 0.0).facing(45.0);
        let mut game = Game::new(("face", &[turner]), ("hold", std::slice::from_ref(men)));
        change(&mut game);
        game.play_anyhow(Side::First, "formation");
        let zone = game.seen.events().iter().any(|event| matches!(event, Event::InZone { .. }));
        assert_eq!(zone, crewed, "{what} has a fire zone");
        if crewed {
            game.saw("8.73");
        }
    }
    // Movement: terrain that disorders formed troops does not disorder guns, wagons or returning crews.
    let woods = [block_of("woods", (0.0, 4.0), (10.0, 6.0))];
    let enters = |men: Men| {
        let mut game = Game::over(drill(), &woods, ("march", &[men.at(0.0, 0.0).facing(0.0)]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        (marched(&game), game.state(&game.first()).1.to_owned())
    };
    assert_eq!(enters(unit("field-battery").formation("limbered")), (Some(450), "good".into()));
    assert_eq!(enters(unit("pontoon-train")), (Some(350), "good".into()));
    assert_eq!(enters(unit("line-battalion")), (Some(450), "disordered".into()));
    let guns = unit("field-battery").at(0.0, 14.0).facing(0.0);
    let mut back = Game::over(drill(), &woods, ("hold", &[guns]), ("hold", &[far_away()]));
    back.unit_mut(Side::First, 0).figures = 0;
    let crew = back.unit_mut(Side::First, 1);
    (crew.figures, crew.start, crew.morale, crew.front) = (1, 1, MoraleId::FIRST, Point { x: 0, y: -200 });
    crew.flags = Flags::SCREEN;
    back.phase("move", &[]);
    assert!(marched(&back).is_some_and(|way| way > 300), "it has come among the trees");
    assert_eq!(back.state(&back.nth(1)), ("detached", "good"));
    // Morale: horse rides down skirmishers, and gunners away from their guns, but not gunners at their guns.
    let tested = |target: Men, change: Change<'_>| {
        let horse = unit("heavy-cavalry").figures(2).at(0.0, -4.0).facing(0.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[target]));
        change(&mut game);
        game.phase("charge", &[1, 1]);
        game.own_modifiers("morale").contains(&"skirmishers-ridden-down")
    };
    assert!(!tested(battery.clone().formation("limbered"), &as_deployed));
    assert!(tested(unit("light-battalion").formation("skirmish").at(0.0, 3.5).facing(180.0), &as_deployed));
    assert!(tested(battery.clone(), &apart));
    // Guns do not charge, formed or not (section 2.2).
    let charger = unit("field-battery").at(0.0, 0.0).facing(0.0);
    let mut charge = Game::new(("charge", &[charger]), ("hold", &[figure().at(0.0, 3.0)]));
    charge.phase("charge", &[]);
    assert_eq!(charge.seen.refusals(), [Refusal::MayNotCharge]);
}

/// A headquarters counts as artillery for formed status: it has an all-around fire zone.
#[test]
fn clause_8_74() {
    let men = s6().facing(45.0);
    let mut game = Game::new(("face", &[men]), ("hold", &[unit("headquarters").at(0.0, 2.0).facing(0.0)]));
    game.phase("formation", &[]);
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::InZone { .. })));
    game.saw("8.74");
}

/// Guns astride a wall count as having crossed it once a wheel has taken them off it (8.48).
#[test]
fn guns_that_wheel_off_a_wall_have_crossed_it() {
    let wheels = |terrain: &[TerrainPlan]| {
        let guns = unit("horse-battery").formation("limbered").at(0.0, 2.0).facing(0.0);
        let enemy = unit("line-battalion").at(20.0, 2.8).facing(270.0);
        let mut game = Game::over(drill(), terrain, ("unlimber-in-move", &[guns]), ("hold", &[enemy]));
        game.phase("move", &[]);
        (game.state(&game.first()).0.to_owned(), game.seen.refusals().len())
    };
    assert_eq!(wheels(&[]), ("unlimbered".into(), 0));
    assert_eq!(wheels(&[line_of("wall", (-4.0, -0.5), (4.0, -0.5))]), ("limbered".into(), 1));
}
