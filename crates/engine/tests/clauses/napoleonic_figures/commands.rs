//! Commands: what RESERVE and MARCH forbid, and marches on roads.

use grognard_engine::{Event, Refusal, ScreenRefusal, Side, TerrainPlan, deploy};

use grognard_rules::model::Rules;

use super::{far_away, figure};
use crate::common::{Game, Men, deployment, drill, line_of, load_with, unit};

/// The game after a formation phase, for a unit whose command has this order and whose doctrine tries to change its
/// formation.
fn ordered(order: &str, doctrine: &str, men: Men) -> Game {
    let men = men.at(0.0, 0.0).facing(0.0);
    let mut game = Game::commanded(&[], (order, "battle"), (doctrine, &[men]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    game
}

/// Asserts that a unit under RESERVE or MARCH may neither change from column to this formation nor be deployed in it.
/// Under other orders, it may change.
fn column_only(doctrine: &str, formation: &str, men: &Men, clause: &str) {
    let column = men.clone().formation("column");
    for order in ["reserve", "march"] {
        let game = ordered(order, doctrine, column.clone());
        assert!(matches!(game.seen.refusals()[..], [Refusal::Barred(..)]), "{order}");
        assert_eq!(game.state(&game.first()).0, "column");
        game.saw(clause);
        let mut plan = deployment(("hold", &[men.clone().formation(formation)]), ("hold", &[far_away()]));
        plan.sides.first.command.order = Some(order.into());
        let faults = deploy(drill(), &plan).expect_err("it cannot be deployed");
        assert!(faults[0].path == "first.0.formation" && faults[0].message.contains(clause), "{faults:?}");
    }
    let game = ordered("attack", doctrine, column);
    assert_eq!(game.state(&game.first()).0, formation);
}

/// Asserts that a unit under RESERVE or MARCH deploys no figures, although it is in column and in good order. Under
/// other orders, it does.
fn together_only(men: &Men, clause: &str) {
    for (order, out) in [("reserve", false), ("march", false), ("attack", true), ("defend", true)] {
        let game = ordered(order, "detach-one", men.clone().formation("column"));
        assert_eq!(!game.nth(1).gone(), out, "{order}");
        let refused = matches!(game.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::Bar(_))]);
        assert_eq!(refused, !out, "{order}");
        if !out {
            game.saw(clause);
        }
    }
}

/// Cavalry under RESERVE or MARCH can only be in column.
#[test]
fn clause_8_37() {
    column_only("form-line", "line", &unit("heavy-cavalry"), "8.37");
    column_only("form-massed", "massed", &unit("heavy-cavalry"), "8.37");
    column_only("form-full", "full-skirmish", &unit("light-cavalry"), "8.37");
    column_only("form-skirmish", "skirmish", &unit("semi-dragoons"), "8.37");
    together_only(&unit("light-cavalry"), "8.37");
    together_only(&unit("dragoons"), "8.37");
}

/// Infantry under RESERVE or MARCH cannot form line.
#[test]
fn clause_9_25() {
    column_only("form-line", "line", &unit("line-battalion"), "9.25");
    column_only("form-pseudo-column", "pseudo-column", &unit("line-battalion"), "9.25");
}

/// Infantry under RESERVE or MARCH cannot deploy skirmishers.
#[test]
fn clause_9_45() {
    column_only("form-skirmish", "skirmish", &unit("semi-lights"), "9.45");
    column_only("form-full", "full-skirmish", &unit("light-battalion"), "9.45");
    column_only("form-extreme", "extreme-skirmish", &unit("rifle-battalion"), "9.45");
    together_only(&unit("light-battalion"), "9.45");
    together_only(&unit("line-battalion"), "9.45");
}

/// Infantry under RESERVE or MARCH cannot form square.
#[test]
fn clause_9_58() {
    column_only("form-square", "square", &unit("line-battalion"), "9.58");
    for (order, may) in [("reserve", false), ("march", false), ("attack", true)] {
        let men = unit("line-battalion").formation("all-around");
        let mut plan = deployment(("hold", &[men]), ("hold", &[far_away()]));
        plan.sides.first.command.order = Some(order.into());
        assert_eq!(deploy(drill(), &plan).is_ok(), may, "all round in {order}");
    }
}

/// A road from the south to this far north, along x = 0.
fn road(north: f64) -> [TerrainPlan; 1] {
    [line_of("road", (0.0, -24.0), (0.0, north))]
}

/// The move of these units, which are under MARCH in road mode.
fn marching(terrain: &[TerrainPlan], men: &[Men]) -> Game {
    let enemy = figure().at(30.0, 23.0).facing(180.0);
    let mut game = Game::commanded(terrain, ("march", "road"), ("road", men), ("hold", &[enemy]));
    game.phase("move", &[]);
    game
}

fn battalion() -> Men {
    unit("line-battalion").figures(8).formation("road-column").facing(0.0)
}

/// The distance that the unit with this number has moved, in hundredths of an inch.
fn came(game: &Game, number: usize) -> i32 {
    let start = game.setup.start.units[number].front;
    start.square_distance(game.nth(number).front).isqrt() as i32
}

/// Road mode requires a front of at most two infantry figures or one cavalry figure; batteries take up twice their
/// length of road.
#[test]
fn clause_8_61() {
    let narrow = marching(&road(24.0), &[battalion().at(0.0, -12.0)]);
    assert_eq!(came(&narrow, 0), 2400, "eight figures as 2 x 4");
    narrow.saw("8.61");
    // In column, they are three abreast. This is too wide for the road, so the strategic rate applies.
    let wide = unit("line-battalion").figures(8).formation("column").facing(0.0).at(0.0, -12.0);
    let wide = marching(&road(24.0), &[wide]);
    assert!(matches!(wide.seen.refusals()[..], [Refusal::TooWide(_)]));
    assert_eq!(came(&wide, 0), 1600);
    wide.saw("8.61");
    let horse = |formation: &str| {
        let men = unit("heavy-cavalry").figures(8).formation(formation).facing(0.0).at(0.0, -12.0);
        came(&marching(&road(24.0), &[men]), 0)
    };
    assert_eq!((horse("road-file"), horse("column")), (2400, 1600), "one abreast; two abreast");
    // A limbered battery is 4" long and takes up 8" of road: a unit that comes up behind it stays 4" behind its rear.
    let guns = unit("field-battery").formation("limbered").facing(0.0).at(0.0, 10.0);
    let jam = marching(&road(12.0), &[guns, battalion().at(0.0, -12.0)]);
    let (guns, infantry) = (jam.nth(0), jam.nth(1));
    assert_eq!(guns.front.y, 1200, "it marches to the end of the road");
    assert_eq!(infantry.front.y, 1200 - 2 * 400);
    // A column marches towards stationary guns six inches ahead of it: from behind them on the road, from behind them
    // off the road, and from in front of them.
    let comes_behind = |ahead: Men, column: Men| {
        let mut plan = deployment(("road", &[column, ahead]), ("hold", &[figure().at(30.0, 23.0).facing(180.0)]));
        plan.terrain = road(24.0).to_vec();
        (plan.sides.first.command.order, plan.sides.first.command.mode) = (Some("march".into()), Some("road".into()));
        let mut game = Game::planned(drill(), &plan);
        game.battle.units[1].doctrine = drill().doctrine("hold").expect("a doctrine");
        game.phase("move", &[]);
        came(&game, 0)
    };
    let team = |east: f64| unit("field-battery").formation("limbered").facing(0.0).at(east, 0.0);
    let comes = |guns: f64, column: Men| comes_behind(team(guns), column);
    assert_eq!(comes(0.0, battalion().at(0.0, -10.0)), 200, "four inches of road behind them are theirs");
    assert_eq!(comes(6.0, battalion().at(6.0, -10.0)), 595, "they take up no road");
    assert_eq!(comes(0.0, battalion().at(0.0, 6.0).facing(180.0)), 595, "none of it ahead of them");
    // A headquarters and a commander's base are both an inch long, but the commander takes up only that inch of road.
    for (kind, inches) in [("headquarters", 800), ("commander", 895)] {
        let ahead = unit(kind).at(0.0, 0.0).facing(0.0);
        assert_eq!(comes_behind(ahead, battalion().at(0.0, -10.0)), inches, "{kind}");
    }
}

/// Figures in one rank are a line, even on the road: they move at the linear rate and are a linear target.
#[test]
fn clause_9_22() {
    let column =
        |figures: u16| unit("line-battalion").figures(figures).formation("road-column").at(0.0, 0.0).facing(0.0);
    let faults = Game::refused(("hold", &[column(2)]), ("hold", &[far_away()]));
    assert_eq!(faults[0].path, "first.0.formation");
    assert_eq!(faults[0].help.as_deref(), Some("they are in line"), "{faults:?}");
    // Five figures lose three and pass their test, which leaves two abreast.
    let shooter = unit("line-battalion").figures(6).at(0.0, 6.0).facing(180.0);
    let mut game = Game::new(("march", &[column(5)]), ("fire-only", &[shooter]));
    game.phase_of(Side::Second, "fire", &[10, 10, 10, 1, 1]);
    assert_eq!(game.state(&game.first()), ("line", "good"));
    game.saw("9.21");
    game.battle.units[1].front.y = 2300;
    game.phase("move", &[]);
    assert_eq!(came(&game, 0), 800);
    // So is a single figure that recovers after being driven back in column (9.0-G).
    let few = unit("line-battalion").figures(3).formation("column").morale("disordered").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("hold", &[few]), ("hold", &[far_away()]));
    game.battle.units[0].figures = 1;
    game.phase("recover", &[1, 1]);
    assert_eq!(game.state(&game.first()), ("line", "good"));
}

/// A command on the road counts as disordered in morale checks until it has stood still for a whole movement phase.
#[test]
fn clause_8_62() {
    let shot = |still: bool| {
        let men = [battalion().at(0.0, 0.0)];
        let shooter = unit("line-battalion").at(0.0, 5.0).facing(180.0);
        let mode = if still { "hold" } else { "road" };
        let mut game = Game::commanded(&road(3.0), ("march", "road"), (mode, &men), ("fire-only", &[shooter]));
        game.phase("move", &[]);
        game.phase_of(Side::Second, "fire", &[9, 9, 1, 1, 1, 1, 3, 4]);
        game
    };
    // Two of eight figures are lost, so the test is against 8, and a 7 passes. On the march it is against 6: the test
    // fails by one, and the unit routs as if it had been disordered before.
    let marching = shot(false);
    assert!(marching.own_modifiers("morale").contains(&"on-the-march"));
    assert_eq!(marching.state(&marching.first()).1, "routed");
    marching.saw("8.62");
    let still = shot(true);
    assert!(!still.own_modifiers("morale").contains(&"on-the-march"));
    assert_eq!(still.state(&still.first()).1, "good");
    assert!(still.seen.events().iter().any(|event| matches!(event, Event::Settled { .. })));
    still.saw("8.62");
    // The command marches on the road in the third turn. In the fourth, either no unit moves or one battalion moves an
    // inch.
    let path = "doctrine.path-ahead.row.path.legs.0.march=1";
    let an_inch: &'static Rules = Box::leak(Box::new(load_with("figures-drill", &[path])));
    let fourth = |second_does: &str| {
        let men = [battalion().at(0.0, 0.0), battalion().at(10.0, 0.0)];
        let shooter = unit("line-battalion").at(0.0, 7.0).facing(180.0);
        let mut plan = deployment(("road", &men), ("hold", &[shooter]));
        plan.terrain = road(3.0).to_vec();
        (plan.sides.first.command.order, plan.sides.first.command.mode) = (Some("march".into()), Some("road".into()));
        let mut game = Game::planned(an_inch, &plan);
        game.battle.turn = 3;
        let told = |game: &mut Game, number: usize, doctrine: &str| {
            game.battle.units[number].doctrine = an_inch.doctrine(doctrine).expect("a doctrine");
        };
        told(&mut game, 1, "hold");
        let phases: Vec<String> = drill().phases.iter().map(|phase| phase.id.clone()).collect();
        for side in Side::BOTH {
            for phase in &phases {
                game.phase_of(side, phase, &[]);
            }
        }
        assert_eq!((game.battle.turn, came(&game, 0)), (4, 300), "it has marched to the end of the road");
        assert!(game.battle.commands[0].unsettled, "one of them has marched, so all of them have");
        told(&mut game, 0, "hold");
        told(&mut game, 1, second_does);
        told(&mut game, 2, "fire-only");
        for phase in &phases {
            game.phase(phase, &[]);
        }
        assert_eq!(came(&game, 1), if second_does == "hold" { 0 } else { 100 });
        game.phase_of(Side::Second, "fire", &[9, 9, 1, 1, 1, 1, 3, 4]);
        assert_eq!(game.roll("morale").own.index(), 0, "the one that stood still is shot at");
        game
    };
    let halted = fourth("hold");
    assert!(!halted.battle.commands[0].unsettled);
    assert!(!halted.own_modifiers("morale").contains(&"on-the-march"));
    assert_eq!(halted.state(&halted.first()).1, "good");
    let marching = fourth("path-ahead");
    assert!(marching.battle.commands[0].unsettled);
    assert!(marching.own_modifiers("morale").contains(&"on-the-march"));
    assert_eq!(marching.state(&marching.first()).1, "routed");
}

/// The road rate requires the whole move to be on the road; otherwise the strategic rate applies to all of it.
#[test]
fn clause_8_63() {
    let on = marching(&road(24.0), &[battalion().at(0.0, -12.0)]);
    assert_eq!(came(&on, 0), 2400);
    on.saw("8.63");
    // An advance on an enemy straight ahead leaves the road if the road ends after 13".
    let advance = |north: f64| {
        let enemy = figure().at(0.0, 23.0).facing(180.0);
        let men = [battalion().at(0.0, -13.0)];
        let mut game = Game::commanded(&road(north), ("march", "road"), ("march", &men), ("hold", &[enemy]));
        game.phase("move", &[]);
        game.saw("8.63");
        came(&game, 0)
    };
    assert_eq!(advance(0.0), 1600, "13 inches on the road and three beside it");
    assert_eq!(advance(24.0), 2400);
    // So does a path with two legs, on a road that runs to the north edge or ends at y = 0.
    let path = |north: f64, (first, second): (i32, i32)| {
        let legs = [format!("0.march={first}"), "1.wheel=0".to_owned(), format!("2.march={second}")];
        let legs = legs.map(|leg| format!("doctrine.path.row.path.legs.{leg}"));
        let rules: &'static Rules =
            Box::leak(Box::new(load_with("figures-drill", &legs.each_ref().map(String::as_str))));
        let enemy = figure().at(30.0, 23.0).facing(180.0);
        let mut plan = deployment(("path", &[battalion().at(0.0, -13.0)]), ("hold", &[enemy]));
        plan.terrain = road(north).to_vec();
        (plan.sides.first.command.order, plan.sides.first.command.mode) = (Some("march".into()), Some("road".into()));
        let mut game = Game::planned(rules, &plan);
        game.phase("move", &[]);
        (came(&game, 0), game.seen.refusals())
    };
    assert_eq!(path(24.0, (14, 10)), (2400, vec![]));
    assert_eq!(path(24.0, (14, 11)), (0, vec![Refusal::TooFar]));
    assert_eq!(path(0.0, (12, 4)), (1600, vec![]));
    assert_eq!(path(0.0, (12, 5)), (0, vec![Refusal::TooFar]));
}

/// A column follows its road around bends that are no sharper than the pack allows.
#[test]
fn roads_are_followed_round_bends() {
    // The road runs ten inches north from the column, then ten more on this bearing.
    let come = |rules: &'static Rules, bearing: f64| {
        let (sine, cosine) = bearing.to_radians().sin_cos();
        let bent =
            [line_of("road", (0.0, -24.0), (0.0, 0.0)), line_of("road", (0.0, 0.0), (10.0 * sine, 10.0 * cosine))];
        let mut plan = deployment(("road", &[battalion().at(0.0, -10.0)]), ("hold", &[figure().at(30.0, 23.0)]));
        plan.terrain = bent.to_vec();
        plan.sides.first.command.order = Some("march".into());
        plan.sides.first.command.mode = Some("road".into());
        let mut game = Game::planned(rules, &plan);
        game.phase("move", &[]);
        let marched = |event: &Event| if let Event::Marched { distance, .. } = event { Some(*distance) } else { None };
        game.seen.events().iter().filter_map(marched).sum::<i32>()
    };
    let near = |found: i32, expected: i32| (found - expected).abs() <= 2;
    for bearing in [30.0, 90.0, 134.0] {
        assert!(near(come(drill(), bearing), 2000), "{bearing}: {}", come(drill(), bearing));
    }
    for bearing in [135.5, 150.0] {
        assert!(near(come(drill(), bearing), 1000), "{bearing}, a hairpin: {}", come(drill(), bearing));
    }
    let wider: &'static Rules = Box::leak(Box::new(load_with("figures-drill", &["ground.road.bend=160"])));
    assert!(near(come(wider, 150.0), 2000), "{}", come(wider, 150.0));
}

/// A command may split: three units are on the road and one is beside it.
#[test]
fn clause_8_64() {
    let on = [battalion().at(0.0, 0.0), battalion().at(0.0, -4.0), battalion().at(0.0, -8.0)];
    let beside = battalion().at(6.0, 0.0);
    let game = marching(&road(24.0), &[on.as_slice(), &[beside]].concat());
    // The first unit stops at the end of the road, and two others close up behind it. The fourth moves its full sixteen
    // inches.
    assert_eq!((came(&game, 0), came(&game, 3)), (2400, 1600));
    assert!(came(&game, 1) > 1600 && came(&game, 2) > 1600);
    game.saw("8.64");
}

/// The leading units may leave the road while the rear moves on at the road rate, closing up the command.
#[test]
fn clause_8_65() {
    let men = [battalion().at(3.0, 6.0), battalion().at(0.0, 0.0), battalion().at(0.0, -4.0)];
    let game = marching(&road(24.0), &men);
    assert_eq!(came(&game, 0), 1600, "the leader marches beside the road");
    assert_eq!((came(&game, 1), came(&game, 2)), (2400, 2400));
    assert!(game.battle.commands[0].unsettled, "battle mode wants a halt first (8.62)");
    game.saw("8.65");
}

/// A staff marches on the road like guns (8.63, 8.74), so it does not hold up the unit behind it.
#[test]
fn staff_has_the_road_rate() {
    let staff = unit("headquarters").at(0.0, -12.0).facing(0.0);
    let game = marching(&road(24.0), &[staff, battalion().at(0.0, -18.0)]);
    assert_eq!(came(&game, 0), 2400);
    assert!(came(&game, 1) > 1800, "{}", came(&game, 1));
    game.saw("8.63");
}
