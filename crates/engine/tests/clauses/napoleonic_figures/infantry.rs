//! Chapter 9: infantry formations.

use grognard_engine::plane::Point;
use grognard_engine::{Event, Flags, Refusal, Side};

use super::{alone, far_away, figure, marched, s6, skirmishers};
use crate::common::{Game, Men, drill, load_with, unit};

/// A volley of six figures at a unit 4" away.
fn volley(target: Men) -> Game {
    let shooter = unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[target.at(0.0, 0.0).facing(0.0)]));
    game.phase("fire", &[1, 1, 1]);
    game
}

/// Units that rout, and disordered units forced to retreat, fall into column.
#[test]
fn clause_9_0_g() {
    let pushed = |faces: [i32; 4]| {
        let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[s6()]));
        game.phase("charge", &[1, 1, 1, 3, 3]).phase("shock", &faces);
        game.saw("9.0-G");
        let (formation, morale) = game.state(&game.second());
        (formation.to_owned(), morale.to_owned())
    };
    // Charging heavy horse has +3, so its 5 beats 7 by one, and the infantry is pushed back in disorder.
    assert_eq!(pushed([1, 4, 3, 4]), ("column".into(), "disordered".into()));
    assert_eq!(pushed([6, 4, 3, 4]), ("column".into(), "routed".into()));

    // Disorder alone, without a retreat, leaves the line as it is.
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
    let mut shaken = Game::new(("charge", &[horse]), ("hold", &[s6()]));
    shaken.phase("charge", &[1, 1, 1, 4, 5]);
    assert_eq!(shaken.state(&shaken.second()), ("line", "disordered"));

    // Infantry changes formation in the formation phase, and only infantry has all four formations.
    alone("form-column", s6(), "formation").saw("9.0-G");
    let horse = alone("form-column", unit("heavy-cavalry").figures(8), "formation");
    assert_eq!(horse.state(&horse.first()).0, "column");
    horse.saw_no("9.0-G");
}

/// Infantry is in column when it has more figures behind its front rank than in it; it may then use the column rate.
#[test]
fn clause_9_11() {
    for figures in 3..=12 {
        let game = alone("form-column", unit("line-battalion").figures(figures), "formation");
        let front = game.first().footprint(drill()).front;
        assert!(figures - front > front, "{figures} figures stand {front} abreast");
    }
    let game = alone("march", s6().formation("column"), "move");
    assert_eq!(marched(&game), Some(1000));
    game.saw("9.11");
    // 2 + 4 and 1 + 5 are columns, but 3 + 3 is not.
    for front in [1, 2] {
        let game = alone("march", s6().formation("column").abreast(front), "move");
        assert_eq!((game.first().footprint(drill()).front, marched(&game)), (front, Some(1000)));
    }
    let faults = Game::refused(("hold", &[s6().formation("column").abreast(3)]), ("hold", &[super::far_away()]));
    assert!(faults[0].message.contains("9.11"), "{faults:?}");
}

/// Infantry in column is a massed target and attacks as a column.
#[test]
fn clause_9_12() {
    for (formation, front) in [("column", 2), ("pseudo-column", 3), ("pseudo-column", 4)] {
        let men = || s6().formation(formation).abreast(front);
        let shot = volley(men());
        assert_eq!(shot.own_modifiers("fire"), ["massed-target"]);
        shot.saw("9.12");
        let mut game = Game::new(("charge", &[men()]), ("hold", &[figure().at(0.0, 4.0).facing(180.0)]));
        game.phase("charge", &[1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
        assert!(game.own_modifiers("shock").contains(&"infantry-column"));
        game.saw("9.12");
    }
    let march = alone("march", s6().formation("pseudo-column"), "move");
    assert_eq!(marched(&march), Some(800), "at the linear rate");
    let forming = alone("form-pseudo-column", s6(), "formation");
    assert_eq!(forming.first().footprint(drill()).front, 3, "3 + 3");
    forming.saw("9.12");
    // Deployed figures are in no rank. The five left of eight, with three in front, are not a column.
    let out =
        |formation: &str| unit("light-battalion").formation(formation).abreast(3).screen(3).at(0.0, 0.0).facing(0.0);
    let faults = Game::refused(("hold", &[out("column")]), ("hold", &[far_away()]));
    assert!(faults[0].help.as_ref().is_some_and(|help| help.contains("pseudo column")), "{faults:?}");
    Game::new(("hold", &[out("pseudo-column")]), ("hold", &[far_away()]));
}

/// Infantry with all figures in one rank is in line.
#[test]
fn clause_9_21() {
    for figures in 2..=12 {
        let deep = if figures == 2 { "pseudo-column" } else { "column" };
        let game = alone("form-line", unit("line-battalion").figures(figures).formation(deep), "formation");
        let footprint = game.first().footprint(drill());
        assert_eq!((footprint.ranks, footprint.front, footprint.width), (1, figures, i32::from(figures) * 50));
        game.saw("9.21");
    }
}

/// Infantry in line moves at the linear rate.
#[test]
fn clause_9_22() {
    let game = alone("march", s6(), "move");
    assert_eq!(marched(&game), Some(800), "not the 10\" of a column");
    game.saw("9.22");
}

/// A line is a linear target.
#[test]
fn clause_9_24() {
    let game = volley(s6());
    assert!(game.own_modifiers("fire").is_empty());
    game.saw("9.24");
    // A friend within an inch behind makes it massed.
    for (gap, modifiers) in [(0.9, vec!["friend-behind"]), (1.0, vec!["friend-behind"]), (1.1, vec![])] {
        let shooter = unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
        let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[s6(), s6().at(0.0, -0.5 - gap)]));
        game.phase("fire", &[1, 1, 1]);
        assert_eq!(game.own_modifiers("fire"), modifiers, "{gap} inches");
    }
    // Enfilade also makes it massed.
    let guns = unit("field-battery").cannon(1).at(-9.0, -0.25).facing(90.0);
    let mut game = Game::new(("fire-only", &[guns]), ("hold", &[s6()]));
    game.phase("fire", &[1]);
    assert!(game.own_modifiers("fire").contains(&"enfilade"));
    game.saw("9.24");
}

/// Light infantry may deploy all its figures.
#[test]
fn clause_9_36() {
    let game = alone("form-full", unit("light-battalion"), "formation");
    assert_eq!(game.state(&game.first()).0, "full-skirmish");
    assert_eq!(game.first().footprint(drill()).front, 8, "all of them");
    game.saw("9.36");
    // Line battalions may not, and they may not start in skirmish order.
    let line = unit("line-battalion").formation("skirmish");
    let faults = Game::refused(("hold", &[line]), ("hold", &[super::far_away()]));
    assert!(faults[0].message.contains("9.30-G2"), "{faults:?}");
}

/// A disordered unit may not go into skirmish order.
#[test]
fn clause_9_38() {
    let game = alone("form-full", unit("light-battalion").morale("disordered"), "formation");
    assert_eq!(game.state(&game.first()), ("line", "disordered"));
    assert_eq!(game.seen.refusals(), [Refusal::Formation]);
    game.saw("9.38");
}

/// Skirmishers never start a shock action.
#[test]
fn clause_9_44() {
    let mut game =
        Game::new(("charge", &[skirmishers(4).at(0.0, 0.0)]), ("hold", &[figure().at(0.0, 0.5).facing(0.0)]));
    game.phase("charge", &[]);
    assert_eq!(game.seen.refusals(), [Refusal::MayNotCharge]);
    game.saw("9.44");
    // They do not start one against a routed unit either.
    let routed = figure().morale("routed").at(0.0, 0.5).facing(0.0);
    let mut game = Game::new(("charge", &[skirmishers(4).at(0.0, 0.0)]), ("hold", &[routed]));
    game.phase("charge", &[]);
    assert_eq!(game.seen.refusals(), [Refusal::MayNotCharge]);
    game.saw("9.44");
}

/// A square is formed against cavalry: it helps morale, keeps horse off and is a massed target.
#[test]
fn clause_9_50_g() {
    let square = || unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let against = |charger: Men| {
        let mut game = Game::new(("charge", &[charger.at(0.0, 4.0).facing(180.0)]), ("hold", &[square()]));
        game.phase("charge", &[1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
        if game.rules.kinds[game.first().kind].id == "heavy-cavalry" {
            game.saw("9.50-G");
        }
        let steady = game.own_modifiers("morale").contains(&"square-steady");
        (steady, game.foe_modifiers("shock").contains(&"square-against-cavalry"))
    };
    assert_eq!(against(unit("heavy-cavalry").figures(4)), (true, true));
    assert_eq!(against(unit("line-battalion").figures(4)), (false, false));
    let shot = volley(square());
    assert_eq!(shot.own_modifiers("fire"), ["massed-target"]);
    let depth = shot.second().footprint(drill());
    assert_eq!(depth.width, depth.depth, "a near-square block");

    // The doctrine forms square when cavalry can reach the unit.
    let horse = |north: f64| unit("heavy-cavalry").figures(4).at(0.0, north).facing(180.0);
    for (north, formation) in [(10.0, "square"), (22.0, "square"), (30.0, "line")] {
        let foot = unit("line-battalion").figures(8).at(0.0, -7.0).facing(0.0);
        let mut game = Game::new(("stand-and-form", &[foot]), ("hold", &[horse(north - 7.0)]));
        game.phase("formation", &[]);
        assert_eq!(game.state(&game.first()).0, formation, "cavalry {north}\" away");
    }
}

/// A square is formed in the formation phase, by at least two figures.
#[test]
fn clause_9_51() {
    let two = alone("form-square", figure().figures(2), "formation");
    assert_eq!(two.state(&two.first()).0, "square");
    two.saw("9.51");
    let one = alone("form-square", figure(), "formation");
    assert_eq!(one.state(&one.first()).0, "line");
    assert!(matches!(one.seen.refusals()[..], [Refusal::Barred(..)]));
    one.saw("9.51");
    let faults = Game::refused(("hold", &[figure().formation("square")]), ("hold", &[super::far_away()]));
    assert!(faults[0].message.contains("9.51"), "{faults:?}");
    // A deployed figure counts: one in the line and one in front of it are two.
    let apart = alone("form-square", figure().figures(2).screen(1), "formation");
    assert_eq!(apart.state(&apart.first()).0, "square", "{:?}", apart.seen.refusals());
    // A square shot down to a single figure has no more protection than a single figure.
    for (figures, protected) in [(1, false), (2, true)] {
        let square = figure().figures(2).formation("square").at(0.0, 0.0).facing(0.0);
        let horse = unit("heavy-cavalry").figures(1).at(0.0, 4.0).facing(180.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[square]));
        game.unit_mut(Side::Second, 0).figures = figures;
        game.phase("charge", &[1, 1, 1]).phase("shock", &[3, 3, 3, 3]);
        assert_eq!(game.foe_modifiers("shock").contains(&"square-against-cavalry"), protected);
    }
    let moving = alone("form-square", figure().figures(2), "move");
    assert_eq!(moving.state(&moving.first()).0, "line", "not in the move phase");
}

/// A square moves in any direction, at its own slow rate.
#[test]
fn clause_9_55() {
    for bearing in [0.0, 45.0, 137.0, 260.0] {
        let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("march", &[square]), ("hold", &[figure().bearing(bearing, 20.0).facing(0.0)]));
        let before = game.first().front;
        game.phase("move", &[]);
        assert_eq!(marched(&game), Some(400), "{bearing} degrees, no wheel paid");
        assert!(before.square_distance(game.first().front) > 0);
        game.saw("9.55");
    }
    // A square of several units moves at the rate of the slowest. The rates are 6" and 4".
    let rules = Box::leak(Box::new(load_with("figures-drill", &["unit.light-battalion.speed.square.inches=6"])));
    let marches = |kinds: [&str; 2]| {
        let square = |kind: &str, figures: u16, east: f64| {
            unit(kind).figures(figures).formation("square").at(east, 0.0).facing(0.0)
        };
        let men = [square(kinds[0], 8, 0.0), square(kinds[1], 6, 1.25)];
        let enemy = figure().bearing(120.0, 20.0).facing(0.0);
        let mut game = Game::under(rules, ("join-and-march", &men), ("hold", &[enemy]));
        game.phase("move", &[]);
        game.saw("9.55");
        (game.first().guests, marched(&game))
    };
    assert_eq!(marches(["light-battalion", "line-battalion"]), (6, Some(400)));
    assert_eq!(marches(["line-battalion", "light-battalion"]), (6, Some(400)));
    assert_eq!(marches(["light-battalion", "light-battalion"]), (6, Some(600)));
    // A merged square also charges no farther than this: five inches are too far for a rate of four.
    let charges = |kinds: [&str; 2]| {
        let square = |kind: &str, figures: u16, east: f64| {
            unit(kind).figures(figures).formation("square").at(east, 0.0).facing(0.0)
        };
        let men = [square(kinds[0], 8, 0.0), square(kinds[1], 6, 1.25)];
        let enemy = unit("field-battery").cannon(1).formation("limbered").at(0.0, 5.0).facing(0.0);
        let mut game = Game::under(rules, ("join-and-march", &men), ("hold", &[enemy]));
        game.phase("move", &[]);
        // Where the move has taken it does not matter: the enemy is placed five inches ahead of the square again.
        let ahead = game.ground(&game.first()).at(0, 500);
        game.unit_mut(Side::Second, 0).front = Point { y: ahead.y + 400, ..ahead };
        game.battle.units[0].flags = Flags::default();
        game.battle.units[0].doctrine = rules.doctrine("charge").expect("a doctrine");
        game.play_anyhow(Side::First, "charge");
        game.seen.events().iter().any(|event| matches!(event, Event::Declared { .. }))
    };
    assert!(charges(["light-battalion", "light-battalion"]));
    assert!(!charges(["light-battalion", "line-battalion"]));
}
