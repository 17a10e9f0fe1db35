//! The properties of formations: targets, fronts, formed status, and which units may take them.

use grognard_engine::plane::{Arc, Point};
use grognard_engine::{Flags, Refusal, Side, TerrainPlan};
use grognard_rules::model::{ByteId, MoraleId, Rules};

use super::{alone, far_away, figure, marched};
use crate::common::{Game, Men, block_of, deployment, drill, line_of, load_with, unit};

/// The drill rules with some values changed.
fn rules_with(changes: &[&str]) -> &'static Rules {
    Box::leak(Box::new(load_with("figures-drill", changes)))
}

/// Skirmishers of each density.
fn loose() -> [Men; 3] {
    let lights = |formation: &str| unit("light-battalion").figures(4).formation(formation);
    [lights("skirmish"), lights("full-skirmish"), unit("rifle-battalion").figures(4).formation("extreme-skirmish")]
}

/// Skirmishers of every density have all-around facing, and are an open target from every side.
#[test]
fn clause_7_21a() {
    for men in loose() {
        for bearing in [0.0, 90.0, 180.0, 270.0] {
            let shooter = unit("line-battalion").figures(2).bearing(bearing, 5.0).facing(bearing + 180.0);
            let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[men.clone().at(0.0, 0.0).facing(0.0)]));
            game.play_fire();
            assert_eq!(game.roll("fire").exposed.1, Arc::Front, "{bearing} degrees");
            assert!(game.own_modifiers("fire").contains(&"open-target"), "{bearing} degrees");
        }
        let charger = unit("line-battalion").figures(2).bearing(180.0, 5.0).facing(0.0);
        let mut charged = Game::new(("charge", &[charger]), ("hold", &[men.at(0.0, 0.0).facing(0.0)]));
        charged.play_anyhow(Side::First, "charge");
        charged.saw("7.21a");
    }
}

/// No unit takes all-around order by choice: it is what remains of a square (8.53).
#[test]
fn clause_7_21c() {
    let rules = rules_with(&["doctrine.form-square.row.square.formation=all-around"]);
    let men = unit("line-battalion").at(0.0, 0.0).facing(0.0);
    let mut game = Game::under(rules, ("form-square", &[men]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.seen.refusals()), ("line", vec![Refusal::Formation]));
    let around = unit("line-battalion").formation("all-around").at(0.0, 0.0).facing(0.0);
    let mut shot = Game::new(("fire-only", &[figure().at(0.0, -5.0).facing(0.0)]), ("hold", &[around]));
    shot.play_fire();
    shot.saw("7.21c");
}

/// A crew apart from its base is in one rank, and is an open target.
#[test]
fn clause_7_21e() {
    let guns = unit("siege-battery").cannon(10).at(10.0, 10.0).facing(0.0);
    let shooter = unit("line-battalion").figures(6).at(0.0, -5.0).facing(0.0);
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[guns]));
    game.unit_mut(Side::Second, 0).figures = 0;
    let crew = game.unit_mut(Side::Second, 1);
    (crew.figures, crew.start, crew.morale, crew.flags) = (3, 3, MoraleId::FIRST, Flags::SCREEN);
    crew.front = Point { x: 0, y: 0 };
    let footprint = game.unit(Side::Second, 1).footprint(drill());
    assert_eq!((footprint.ranks, footprint.front, footprint.width), (1, 3, 150));
    game.play_fire();
    assert_eq!(game.own_modifiers("fire"), ["open-target"]);
    game.unit_mut(Side::First, 0).doctrine = drill().doctrine("charge").expect("a doctrine");
    game.play_anyhow(Side::First, "charge");
    game.saw("7.21e");
}

/// Skirmishers of any density are not formed, and do not charge.
#[test]
fn clause_8_71() {
    for men in loose() {
        let men = men.at(0.0, 0.0).facing(0.0);
        let mut game =
            Game::new(("charge", std::slice::from_ref(&men)), ("hold", &[figure().at(0.0, 3.0).facing(180.0)]));
        game.phase("charge", &[]);
        assert_eq!(game.seen.refusals(), [Refusal::MayNotCharge]);
        game.saw("8.71");
        // They do not count as formed for any other rule either.
        let rules = rules_with(&["movement.charge=\"foe.formed\""]);
        let charger = unit("line-battalion").figures(4).at(0.0, -6.0).facing(0.0);
        let mut game = Game::under(rules, ("charge", &[charger]), ("hold", &[men]));
        game.phase("charge", &[]);
        assert_eq!(game.seen.refusals(), [Refusal::MayNotCharge]);
    }
}

/// Horse in massed order is two ranks deep by default.
#[test]
fn clause_8_33() {
    let massed = alone("form-massed", unit("heavy-cavalry"), "formation");
    assert_eq!(massed.state(&massed.first()).0, "massed");
    let footprint = massed.first().footprint(drill());
    assert_eq!((footprint.front, footprint.ranks, footprint.width), (4, 2, 400), "four before four");
    massed.saw("8.33");
}

/// A unit that routs falls into column, whatever its formation.
#[test]
fn clause_8_52() {
    for (kind, formation) in [
        ("line-battalion", "line"),
        ("line-battalion", "pseudo-column"),
        ("light-cavalry", "massed"),
        ("line-battalion", "square"),
        ("line-battalion", "all-around"),
        ("light-battalion", "skirmish"),
        ("light-battalion", "full-skirmish"),
        ("line-battalion", "road-column"),
        ("light-cavalry", "road-file"),
        ("rifle-battalion", "extreme-skirmish"),
    ] {
        // One of six figures is hit. The rating is 8, and a 12 fails by four. Rifles and a road column have a rating of
        // 9, with a penalty of two for disorder.
        let men = unit(kind).figures(6).formation(formation).at(0.0, 0.0).facing(0.0);
        let shooter = unit("line-battalion").figures(2).at(0.0, 5.0).facing(180.0);
        let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[men]));
        if kind == "rifle-battalion" || formation == "road-column" {
            game.unit_mut(Side::Second, 0).morale = MoraleId::from_byte(1);
        }
        game.phase("fire", &[10, 6, 6]);
        assert_eq!(game.state(&game.second()), ("column", "routed"), "{kind} in {formation}");
        game.saw("8.52");
    }
}

/// A staff, like artillery, is not formed for movement: woods do not disorder it.
#[test]
fn clause_8_74() {
    let woods = [block_of("woods", (0.0, 4.0), (10.0, 6.0))];
    // A staff moves an inch in the open, and half of the rest of its move among the trees.
    for (kind, way) in [("headquarters", 100 + 700 / 2), ("commander", 100 + 1100 / 2)] {
        let staff = unit(kind).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(drill(), &woods, ("march", &[staff]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(marched(&game), Some(way), "{kind}");
        assert_eq!(game.state(&game.first()), ("post", "good"), "{kind}");
    }
    let turner = unit("line-battalion").figures(6).at(0.0, 0.0).facing(45.0);
    let mut game = Game::new(("face", &[turner]), ("hold", &[unit("headquarters").at(0.0, 2.0).facing(0.0)]));
    game.phase("formation", &[]);
    game.saw("8.74");
}

/// A figure in extreme order may be at most six inches from the next, if the tether of 9.42 does not keep it closer.
#[test]
fn clause_9_32_extreme() {
    let rules = rules_with(&["skirmish.tether=9"]);
    for (inches, may) in [(12.0, true), (12.1, false)] {
        let men = unit("rifle-battalion").figures(2).formation("extreme-skirmish").frontage(inches);
        let plan = deployment(("hold", &[men.at(0.0, 0.0).facing(0.0)]), ("hold", &[far_away()]));
        let deployed = grognard_engine::deploy(rules, &plan).map(|_| ()).map_err(|faults| faults[0].message.clone());
        assert_eq!(deployed.is_ok(), may, "{inches} inches");
        assert!(may || deployed.is_err_and(|why| why.contains("9.32-extreme")));
    }
    alone("form-extreme", unit("rifle-battalion"), "formation").saw("9.32-extreme");
}

/// Squares do not march over terrain that would disorder them (9.59), but they may start on it.
#[test]
fn clause_9_59() {
    let square = || unit("line-battalion").formation("square").at(0.0, 0.0).facing(0.0);
    let on = |ground: TerrainPlan| {
        let game = Game::over(drill(), &[ground], ("hold", &[square()]), ("hold", &[far_away()]));
        assert_eq!(game.state(&game.first()), ("square", "good"));
    };
    for ground in ["woods", "built-up"] {
        on(block_of(ground, (0.0, 0.0), (10.0, 10.0)));
    }
    for ground in ["wall", "stream"] {
        on(line_of(ground, (-5.0, -0.5), (5.0, -0.5)));
    }
    let woods = [block_of("woods", (0.0, 6.0), (10.0, 8.0))];
    let mut game = Game::over(drill(), &woods, ("march", &[square()]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert!(game.first().front.y <= 200, "{:?}", game.first().front);
    game.saw("9.59");
}

/// A square is formed by a whole unit: deployed skirmishers return (9.57).
#[test]
fn clause_9_51() {
    let men = unit("light-battalion").screen(3).at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("form-square", &[men]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.first().figures), ("square", 8));
    assert!(game.nth(1).gone());
    game.saw("9.51");
}

/// Each mode has its own rate. A command that stands still for a move is in battle mode again.
#[test]
fn clause_8_63() {
    let comes = |mode: &str, men: Men, still_first: bool| {
        let men = men.at(0.0, -20.0).facing(0.0);
        let mut game = Game::commanded(&[], ("attack", mode), ("hold", &[men]), ("hold", &[far_away()]));
        if still_first {
            game.phase("move", &[]);
        }
        game.unit_mut(Side::First, 0).doctrine = drill().doctrine("march").expect("a doctrine");
        game.phase("move", &[]);
        marched(&game)
    };
    let line = || unit("line-battalion");
    // Off the road, the strategic rate also applies in road mode.
    for (mode, rate) in [("battle", 800), ("strategic", 1600), ("road", 1600)] {
        assert_eq!(comes(mode, line(), false), Some(rate), "{mode}");
        assert_eq!(comes(mode, line(), true), Some(800), "{mode}, after a halt");
        // A unit with all-around facing keeps its own rate.
        let skirmishers = unit("light-battalion").formation("skirmish");
        assert_eq!(comes(mode, skirmishers, false), Some(1000), "{mode}");
        assert_eq!(comes(mode, line().formation("square"), false), Some(400), "{mode}");
    }
    let men = line().at(0.0, -20.0).facing(0.0);
    let mut game = Game::commanded(&[], ("attack", "strategic"), ("march", &[men]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    game.saw("8.63");
}

/// A battle that lasts to the turn limit is a draw, whatever the losses.
#[test]
fn the_turn_limit_is_a_draw() {
    let routed = unit("line-battalion").morale("routed").at(10.0, 20.0).facing(0.0);
    let men = |north: f64| unit("line-battalion").at(0.0, north).facing(0.0);
    let mut game = Game::new(("hold", &[men(-10.0)]), ("hold", &[men(10.0), routed]));
    game.battle.turn = game.setup.turns;
    game.phase_of(Side::Second, "rally", &[6, 6]);
    assert_eq!(game.outcome.map(|outcome| outcome.winner), Some(None));
}
