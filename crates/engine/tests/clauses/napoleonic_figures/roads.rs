//! Roads with bends, and disorder on the march.

use grognard_engine::plane::Point;
use grognard_engine::{Event, Side, TerrainPlan};

use super::figure;
use crate::common::{Game, block_of, deployment, drill, line_of, unit};

/// A battery also takes up twice its length of road round a bend.
#[test]
fn clause_8_61() {
    // Guns that face east are past the corner, with their rear this far from it, or are astride it. A column comes up
    // from the south.
    let comes_up = |guns: (f64, f64), road: &[TerrainPlan]| {
        let guns = unit("field-battery").formation("limbered").at(guns.0, guns.1).facing(90.0);
        let column = unit("line-battalion").figures(6).formation("road-column").at(0.0, -10.0).facing(0.0);
        let mut plan = deployment(("road", &[column, guns]), ("hold", &[figure().at(30.0, 20.0).facing(180.0)]));
        plan.terrain = road.to_vec();
        (plan.sides.first.command.order, plan.sides.first.command.mode) = (Some("march".into()), Some("road".into()));
        let mut game = Game::planned(drill(), &plan);
        game.battle.units[1].doctrine = drill().doctrine("hold").expect("a doctrine");
        game.phase("move", &[]);
        game.first().front
    };
    let comes = |past: f64, joint: f64| {
        let road = [line_of("road", (0.0, -20.0), (0.0, joint)), line_of("road", (-joint, 0.0), (30.0, 0.0))];
        comes_up((4.0 + past, 0.0), &road)
    };
    // The length that they take up is measured along the road from the front of the guns, wherever their rear is.
    for (past, joint, south) in [
        (0.6, 0.0, 340),
        (0.6, 0.5, 340),
        (0.4, 0.0, 360),
        (2.0, 0.0, 200),
        (-0.5, 0.0, 450),
        (-2.0, 0.0, 600),
        (-4.0, 0.0, 800),
    ] {
        let front = comes(past, joint);
        assert!(front.x == 0 && (front.y + south).abs() <= 3, "{past}, {joint}: {front:?}");
    }
    let front = comes(5.0, 0.0);
    assert!(front.y.abs() <= 50 && front.x.abs() <= 150, "all that they take up lies past the corner: {front:?}");
    let front = comes_up((0.0, 4.0), &[line_of("road", (0.0, -20.0), (0.0, 20.0))]);
    assert!(front.y > 0, "guns that come onto the road from beside it take up none behind them: {front:?}");
}

/// Guns at the end of a slanted road take up both lengths, even if rounding puts their front just past the end.
#[test]
fn guns_at_the_end_of_a_slanted_road_take_up_both_lengths() {
    let guns = unit("field-battery").formation("limbered").at(-6.5, 3.61).facing(71.6);
    let column = unit("line-battalion").figures(6).formation("road-column").at(-21.01, -1.22).facing(71.6);
    let mut plan = deployment(("road", &[column, guns]), ("hold", &[figure().at(30.0, 20.0).facing(180.0)]));
    plan.terrain = vec![line_of("road", (-30.0, -4.2), (-6.5, 3.6))];
    (plan.sides.first.command.order, plan.sides.first.command.mode) = (Some("march".into()), Some("road".into()));
    let mut game = Game::planned(drill(), &plan);
    game.battle.units[1].doctrine = drill().doctrine("hold").expect("a doctrine");
    game.phase("move", &[]);
    let apart = game.first().front.square_distance(game.battle.units[1].front).isqrt();
    assert!((798..=805).contains(&apart), "{apart}");
}

/// A unit that begins its move at a bend, or less than an inch before it, follows the road round the bend.
#[test]
fn clause_8_63() {
    for (x, end) in [(0.0, (14.0, 7.0)), (0.0, (10.0, -17.0)), (-0.8, (0.0, 20.0)), (-0.4, (-7.0, 14.0))] {
        let column = unit("line-battalion").figures(6).formation("road-column").at(x, 0.0).facing(90.0);
        let guns = unit("field-battery").formation("limbered").at(x, 0.0).facing(90.0);
        for first in [column, guns] {
            let road = [line_of("road", (-34.0, 0.0), (0.0, 0.0)), line_of("road", (0.0, 0.0), end)];
            let enemy = figure().at(30.0, 20.0).facing(180.0);
            let mut game = Game::commanded(&road, ("march", "road"), ("road", &[first]), ("hold", &[enemy]));
            game.phase("move", &[]);
            let (front, end) = (game.first().front, Point { x: (end.0 * 100.0) as i32, y: (end.1 * 100.0) as i32 });
            assert!(front.square_distance(end).isqrt() <= 5, "{x}, {end:?}: {front:?}");
        }
    }
}

/// At a T, a march follows the longer arm, even if rounding makes it lead back by a tenth of a degree.
#[test]
fn a_march_follows_the_longer_arm_of_a_junction() {
    let column = unit("line-battalion").figures(6).formation("road-column").at(-5.0, 0.0).facing(90.0);
    let arm = |end: (f64, f64)| line_of("road", (0.0, 0.0), end);
    let road = [line_of("road", (-30.0, 0.0), (0.0, 0.0)), arm((-0.04, 20.0)), arm((0.0, -6.0))];
    let enemy = figure().at(30.0, 22.0).facing(180.0);
    let mut game = Game::commanded(&road, ("march", "road"), ("road", &[column]), ("hold", &[enemy]));
    game.phase("move", &[]);
    assert!(game.first().front.y > 600, "{:?}", game.first().front);
}

/// A column that has just turned at a bend also keeps clear of the second length of road behind guns past the next
/// bend.
#[test]
fn what_guns_take_up_counts_for_a_column_whose_rear_is_beside_the_road() {
    let guns = unit("field-battery").formation("limbered").at(10.0, 4.8).facing(0.0);
    let column = unit("line-battalion").figures(6).formation("road-column").at(0.0, 0.0).facing(90.0);
    let mut plan = deployment(("road", &[column, guns]), ("hold", &[figure().at(-30.0, 20.0).facing(180.0)]));
    plan.terrain = vec![
        line_of("road", (0.0, -20.0), (0.0, 0.0)),
        line_of("road", (0.0, 0.0), (10.0, 0.0)),
        line_of("road", (10.0, 0.0), (10.0, 20.0)),
    ];
    (plan.sides.first.command.order, plan.sides.first.command.mode) = (Some("march".into()), Some("road".into()));
    let mut game = Game::planned(drill(), &plan);
    game.battle.units[1].doctrine = drill().doctrine("hold").expect("a doctrine");
    game.phase("move", &[]);
    let front = game.first().front;
    assert!(front.y == 0 && (front.x - 680).abs() <= 3, "8 inches of road from the front of the guns: {front:?}");
}

/// Guns that have not finished a wheel at a bend go on round it, even if the leg behind them is the longer one.
#[test]
fn a_wheel_at_a_bend_is_finished() {
    let guns = unit("field-battery").formation("limbered").at(0.0, 4.0).facing(310.0);
    let road = [line_of("road", (0.0, -24.0), (0.0, 4.0)), line_of("road", (0.0, 4.0), (-16.0, 4.0))];
    let mut game = Game::commanded(
        &road,
        ("attack", "road"),
        ("road", &[guns]),
        ("hold", &[figure().at(30.0, 20.0).facing(180.0)]),
    );
    game.phase("move", &[]);
    assert!(game.first().front.x < -600, "{:?}", game.first().front);
}

/// A unit too wide for a road pays at a bend for the wheel and for the terrain beside the road.
#[test]
fn clause_7_33() {
    let marches = |wooded: bool| {
        let column = unit("line-battalion").formation("column").at(0.0, 0.0).facing(0.0);
        let enemy = figure().at(30.0, 23.0).facing(180.0);
        let road = [line_of("road", (0.0, -10.0), (0.0, 0.3)), line_of("road", (-0.87, -0.5), (8.66, 5.0))];
        let woods = block_of("woods", (0.0, 0.0), (30.0, 30.0));
        let terrain = if wooded { [&road[..], &[woods]].concat() } else { road.to_vec() };
        let mut game = Game::over(drill(), &terrain, ("road", &[column]), ("hold", &[enemy]));
        game.phase("move", &[]);
        let marched = |event: &Event| match event {
            Event::Marched { wheel, distance, .. } => Some((*wheel, *distance)),
            _ => None,
        };
        game.seen.events().iter().filter_map(marched).collect::<Vec<_>>()
    };
    let near = |found: i32, expected: i32| (found - expected).abs() <= 2;
    let [(wheel, distance)] = marches(false)[..] else { panic!("one march: {:?}", marches(false)) };
    assert!(near(wheel, 600) && near(distance, 1000 - 209), "{wheel}, {distance}");
    // Among trees the speed is halved, so the wheel costs double: 2 x 2.09" of 10".
    let [(wheel, distance)] = marches(true)[..] else { panic!("one march: {:?}", marches(true)) };
    assert!(near(wheel, 600) && near(distance, (1000 - 419) / 2), "{wheel}, {distance}");
}

/// Disorder on the march turns a narrow defeat in shock into a rout: the clause names `possible rout` together with
/// morale checks.
#[test]
fn clause_8_62() {
    let defeated = |mode: &str| {
        let men = unit("line-battalion").figures(8).at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").at(0.0, 2.0).facing(180.0);
        let mut game = Game::commanded(&[], ("attack", mode), ("hold-fire", &[men]), ("charge", &[enemy]));
        game.phase_of(Side::Second, "charge", &[1; 6]);
        // The check before the charge also cites the clause.
        game.seen = Default::default();
        game.phase_of(Side::Second, "shock", &[3, 3, 3, 3]);
        assert!(!game.foe_modifiers("shock").contains(&"disordered"), "it fights as well as in good order");
        (game.state(&game.first()).1.to_owned(), game.seen.cited().contains("8.62"))
    };
    assert_eq!(defeated("road"), ("routed".to_owned(), true));
    assert_eq!(defeated("battle"), ("disordered".to_owned(), false));
}
