//! Interactions of clauses: the all-around facing of squares, wheels onto other terrain, checks of units on the march,
//! and guns without a crew.

use grognard_engine::plane::{Heading, Point};
use grognard_engine::{CommandPlan, Deployment, Flags, Misdeployment, Refusal, Side, deploy};
use grognard_rules::model::DoctrineId;

use super::{far_away, figure, marched, s6};
use crate::common::{Game, Men, deployment, drill, line_of, load_once, unit};

/// Nine figures in square, 1.5" by 1.5", centred on this point, with this nominal facing.
fn square((east, north): (f64, f64), facing: f64) -> Men {
    let (sine, cosine) = facing.to_radians().sin_cos();
    let men = unit("line-battalion").figures(9).formation("square");
    men.at(east + 0.75 * sine, north + 0.75 * cosine).facing(facing)
}

fn doctrine(name: &str) -> DoctrineId {
    drill().doctrine(name).expect("a doctrine")
}

/// A square shoots from each of its faces past friends in front of another face, whatever its nominal facing.
#[test]
fn clause_7_52() {
    // The line of sight to the enemy is clear from the right face; from the front face, it crosses a friendly line.
    let friend = || unit("line-battalion").figures(6).at(0.0, 1.35).facing(0.0);
    let enemy = || figure().at(5.0, 2.5).facing(243.0);
    for facing in [0.0, 90.0, 180.0, 270.0] {
        let mut game = Game::new(("fire-only", &[square((0.0, 0.0), facing), friend()]), ("hold", &[enemy()]));
        game.phase("fire", &[1, 1]);
        assert_eq!(game.roll("fire").own.index(), 0, "{facing}");
        if facing == 180.0 {
            game.saw("7.52");
        }
    }
    // Nor does it see through a friend in front of the face that would fire.
    for facing in [0.0, 180.0] {
        let beside = unit("line-battalion").figures(6).at(1.3, 0.0).facing(90.0);
        let men = [square((0.0, 0.0), facing), beside];
        let mut game = Game::new(("fire-only", &men), ("hold", &[enemy()]));
        game.battle.units[1].doctrine = doctrine("hold");
        assert!(!game.play_fire(), "{facing}");
    }
}

/// Whether a square rakes its target does not depend on its nominal facing (7.54).
#[test]
fn a_square_rakes_however_it_is_pointed() {
    for facing in [0.0, 90.0, 180.0, 270.0] {
        // From the middle of its right face, 2.75" from the flank, a ray along the line reaches the far side after
        // 5.75".
        let mut game = Game::new(("fire-only", &[square((-5.0, 0.0), facing)]), ("hold", &[s6()]));
        game.phase("fire", &[1, 1]);
        assert!(game.own_modifiers("fire").contains(&"enfilade"), "{facing}");
        game.saw("7.54b");
    }
}

/// When a command on the march takes a check, its units lack the formation benefits that disorder removes (8.53).
#[test]
fn clause_8_62() {
    let tested = |mode: &str, men: Men, charger: Men| {
        let side: (&str, &[Men]) = ("hold", &[men.at(0.0, 0.0).facing(0.0)]);
        let mut game = Game::commanded(&[], ("attack", mode), side, ("charge", &[charger.facing(180.0)]));
        game.phase_of(Side::Second, "charge", &[1, 3, 3]);
        game.own_modifiers("morale").iter().map(|&id| id.to_owned()).collect::<Vec<_>>()
    };
    let six = |formation: &str| unit("line-battalion").figures(6).formation(formation);
    let foot = || unit("line-battalion").figures(4).at(0.0, 4.0);
    let horse = || unit("heavy-cavalry").figures(4).at(0.0, 6.0);
    assert_eq!(tested("battle", six("column"), foot()), ["column-steady"]);
    assert_eq!(tested("road", six("column"), foot()), ["on-the-march"]);
    assert_eq!(tested("battle", six("square"), horse()), ["square-steady"]);
    assert_eq!(tested("road", six("square"), horse()), ["on-the-march"]);
}

/// Infantry under RESERVE or MARCH may start only in column, so it may not start in all-around order or in a disordered
/// square.
#[test]
fn nobody_begins_in_all_around_order_under_reserve_or_march() {
    for order in ["reserve", "march"] {
        for (formation, morale) in [("square", "disordered"), ("all-around", "good")] {
            let men = unit("line-battalion").formation(formation).morale(morale).at(0.0, 0.0);
            let mut plan: Deployment = deployment(("hold", &[men]), ("hold", &[far_away()]));
            plan.sides.first.command = CommandPlan { name: String::new(), order: Some(order.into()), mode: None };
            let faults: Vec<Misdeployment> = deploy(drill(), &plan).expect_err("only in column");
            assert!(faults[0].path.ends_with("formation") && faults[0].message.contains("9.58"), "{faults:?}");
        }
    }
}

/// No unit starts in rout with figures deployed.
#[test]
fn nobody_begins_in_rout_with_figures_out() {
    let men = unit("light-battalion").morale("routed").screen(2).at(0.0, 0.0);
    let faults = Game::refused(("hold", &[men]), ("hold", &[far_away()]));
    assert!(faults[0].path.ends_with("screen") && faults[0].message.contains("9.39"), "{faults:?}");
}

/// A wheel onto a hedge costs both the arc and the crossing.
#[test]
fn clause_7_33() {
    // A march of two inches, a wheel of 1.57" and two inches for the hedge leave 2.43" of eight.
    let leg = "doctrine.path.row.path.legs.2.march";
    let hedge = [line_of("hedge", (-5.0, 2.4), (5.0, 2.4))];
    for (inches, crosses) in [("2.43", true), ("2.44", false)] {
        let rules = load_once("figures-drill", &[&format!("{leg}={inches}")]);
        let mut game = Game::over(rules, &hedge, ("path", &[s6()]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(game.seen.refusals().is_empty(), crosses, "{inches}");
        game.saw("7.33");
    }
    // A line that marches towards an enemy wheels no farther than it can pay for. With two inches, it cannot wheel onto
    // a hedge half an inch ahead, which it would reach at about 9.6 degrees.
    let enemy = || figure().bearing(30.0, 20.0).facing(210.0);
    let rules = load_once("figures-drill", &["unit.line-battalion.speed.line.inches=2"]);
    for (north, turned) in [(0.6, 94..=101), (10.0, 295..=305)] {
        let hedge = [line_of("hedge", (-5.0, north), (5.0, north))];
        let mut game = Game::over(rules, &hedge, ("march", &[s6()]), ("hold", &[enemy()]));
        game.phase("move", &[]);
        assert!(turned.contains(&game.first().heading.tenths()), "{:?}", game.first().heading);
        assert_eq!(marched(&game) == Some(0), north < 1.0);
    }
}

/// Guns that wheel onto a wall do not unlimber on it in that move.
#[test]
fn clause_8_48() {
    let changes = ["ground.wall.crossing=0", "unit.field-battery.speed.limbered.inches=3.2"];
    let rules = load_once("figures-drill", &changes);
    for (north, formation) in [(0.6, "limbered"), (5.0, "unlimbered")] {
        let guns = unit("field-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
        let enemy = figure().bearing(45.0, 20.0);
        let wall = [line_of("wall", (-5.0, north), (5.0, north))];
        let mut game = Game::over(rules, &wall, ("unlimber-in-move", &[guns]), ("hold", &[enemy]));
        game.phase("move", &[]);
        assert_eq!(game.state(&game.first()).0, formation, "{:?}", game.seen.refusals());
        if north < 1.0 {
            assert!(matches!(game.seen.refusals()[..], [Refusal::BarredInMove(_, 1)]));
            game.saw("8.48");
        }
    }
}

/// Guns without a crew do not move with their square.
#[test]
fn guns_without_a_crew_do_not_go_with_their_square() {
    for (crew, goes) in [(1, true), (0, false)] {
        let battalion = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
        let guns = unit("field-battery").cannon(2).formation("unlimbered").at(0.75 + 1.5, 0.0).facing(0.0);
        let mut game = Game::new(("join", &[battalion, guns]), ("hold", &[far_away()]));
        game.phase("move", &[]).phase("rally", &[]);
        assert!(game.nth(1).flags.has(Flags::INSIDE));
        let stood = game.ground(&game.first()).centre();
        game.unit_mut(Side::First, 1).figures = crew;
        game.unit_mut(Side::First, 0).doctrine = doctrine("march");
        game.phase("move", &[]);
        assert_eq!(game.ground(&game.first()).centre(), Point { y: stood.y + 400, ..stood });
        assert_eq!((game.nth(1).gone(), game.nth(1).cannon), (goes, 2));
        if !goes {
            assert_eq!(game.nth(1).front, stood);
        }
    }
}

/// Guns that limber and unlimber in one phase pivot only once (8.42).
#[test]
fn clause_8_44() {
    for kind in ["horse-battery", "positional-battery"] {
        let guns = unit(kind).at(0.0, 0.0).facing(0.0);
        let enemy = figure().at(12.0, 0.0).facing(270.0);
        let mut game = Game::new(("limber-and-back", &[guns]), ("hold", &[enemy]));
        game.phase("formation", &[]);
        assert_eq!(game.state(&game.first()).0, "unlimbered", "{kind}");
        let towards = Heading::between(game.ground(&game.first()).centre(), game.ground(&game.second()).centre());
        assert!(game.first().heading.turn_to(towards).abs() <= 10, "{:?} {towards:?}", game.first().heading);
        assert_eq!(game.seen.refusals(), [Refusal::Spent]);
        game.saw("8.44");
    }
}

/// A unit that touches an enemy with a corner stays clear of it when figures return to the unit.
#[test]
fn clause_9_42() {
    // The enemy's front runs from the upper left to the lower right: six figures touch it with their right corner, 1.5"
    // from the middle. Eight are half an inch wider on each side.
    let lights = unit("light-battalion").screen(2).at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").at(2.0, 4.5).facing(210.0);
    let mut game = Game::new(("charge", &[lights]), ("hold", &[enemy]));
    game.phase("charge", &[1, 1, 1, 1, 1, 1, 3, 3]);
    assert!(game.first().flags.has(Flags::CONTACT), "{:?}", game.seen.events());
    let (met, row) = (game.first().front, game.first().kin.index());
    game.battle.units[row].front.y = -2000;
    game.phase("move", &[]);
    assert_eq!((game.first().figures, game.first().front), (8, Point { x: met.x - 50, ..met }));
    assert!(!game.ground(&game.first()).overlaps(&game.ground(&game.second())));
    assert!(game.first().flags.has(Flags::CONTACT));
}
