//! Clauses that interact: units in loose order that form, march and dismount, bent lines, and screens of units inside
//! squares.

use grognard_engine::plane::Point;
use grognard_engine::{Bend, CommandPlan, Event, Flags, Refusal, Side, TerrainPlan, Unit, Why};
use grognard_rules::model::DoctrineId;

use super::{far_away, figure};
use crate::common::{Game, Men, deployment, drill, line_of, load_once, unit};

/// Eight light infantry in line, two of them deployed.
fn lights() -> Men {
    unit("light-battalion").screen(2).at(0.0, 0.0).facing(0.0)
}

/// The screen of the first unit.
fn screen(game: &Game) -> Unit {
    game.battle.units[game.first().kin.index()]
}

/// Whether any two units on the table overlap.
fn anybody_overlaps(game: &Game) -> bool {
    let here: Vec<_> = game.battle.units.iter().filter(|unit| !unit.gone()).map(|unit| game.ground(unit)).collect();
    (0..here.len()).any(|one| (0..one).any(|other| here[one].overlaps(&here[other])))
}

fn doctrine(name: &str) -> DoctrineId {
    drill().doctrine(name).expect("a doctrine")
}

/// If the rest of a unit goes into skirmish order, the deployed figures become part of its row, and all of them make
/// one test.
#[test]
fn clause_9_48() {
    let enemy = unit("line-battalion").at(0.0, 5.7).facing(180.0);
    let mut game = Game::new(("form-full", &[lights()]), ("fire-only", &[enemy]));
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.first().figures, screen(&game).gone()), ("full-skirmish", 8, true));
    game.phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1, 5, 5]);
    assert_eq!((game.state(&game.first()), game.first().figures), (("column", "disordered"), 6));
    assert!(game.first().front.y <= -500, "all of them retire: {:?}", game.first().front);
    game.saw("9.48");
}

/// All figures of a unit in skirmish order form up again together: none of them is deployed as a screen.
#[test]
fn clause_9_35() {
    let mut game = Game::new(("form-full", &[lights()]), ("hold", &[far_away()]));
    game.phase("formation", &[]).phase("rally", &[]);
    game.unit_mut(Side::First, 0).doctrine = doctrine("form-line");
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.first().figures), ("line", 8));
    game.saw("9.35");
    let faults = Game::refused(("hold", &[lights().formation("full-skirmish")]), ("hold", &[far_away()]));
    assert!(faults[0].path.ends_with("screen") && faults[0].message.contains("9.35"), "{faults:?}");
    // So do the last figures of a line battalion, which are then the whole unit (9.42). They form line, but not square
    // (9.57).
    for (order, formation) in [("form-square", "skirmish"), ("form-line", "line")] {
        let men = unit("third-rank-battalion").figures(6).screen(2).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new((order, &[men]), ("fire-only", &[figure().at(0.0, -5.0).facing(0.0)]));
        game.unit_mut(Side::First, 0).figures = 1;
        game.phase_of(Side::Second, "fire", &[10, 1, 1]);
        assert_eq!((game.state(&game.first()).0, game.first().figures), ("skirmish", 2));
        game.phase("formation", &[]);
        assert_eq!(game.state(&game.first()).0, formation);
        assert_eq!(game.seen.refusals().len(), usize::from(order == "form-square"), "{:?}", game.seen.refusals());
        game.saw("9.35");
    }
}

/// A square that follows a road does not turn, and its middle stays on the road round a bend.
#[test]
fn clause_9_55() {
    let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.75).facing(0.0);
    let far = |men: Men, road: &[TerrainPlan]| {
        let mut game = Game::over(drill(), road, ("road", &[men]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        game.saw("9.55");
        (game.first().front, game.first().heading.tenths())
    };
    let east = line_of("road", (-2.0, 0.0), (20.0, 0.0));
    assert_eq!(far(square.clone(), &[east]), (Point { x: 400, y: 75 }, 0));
    let bends = [line_of("road", (-1.0, 0.0), (2.0, 0.0)), line_of("road", (2.0, 0.5), (2.0, -20.0))];
    assert_eq!(far(square, &bends), (Point { x: 200, y: 75 - 200 }, 0));
}

/// Each skirmisher moves ten inches along a road.
#[test]
fn clause_7_43() {
    let road = [line_of("road", (-2.0, 0.0), (20.0, 0.0))];
    let men = unit("light-battalion").figures(4).formation("full-skirmish").at(0.0, 0.25).facing(0.0);
    let mut game = Game::over(drill(), &road, ("road", &[men]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert_eq!((game.first().front, game.first().heading.tenths()), (Point { x: 1000, y: 25 }, 0));
    game.saw("7.43");
    game.saw("7.35");
    // A row of eight is 14.5" wide, and its unit has turned to the east. To reach its post, its ends would have to move
    // more than 11".
    let men = unit("large-light-battalion").screen(8).at(0.0, 0.0).facing(0.0);
    let mut post = Game::new(("screened-march", &[men]), ("hold", &[far_away()]));
    let unit = post.unit_mut(Side::First, 0);
    (unit.heading, unit.front) = (unit.heading.turned(900), Point { x: 25, y: -25 });
    unit.doctrine = doctrine("hold");
    let before = post.ground(&screen(&post));
    post.phase("move", &[]);
    let after = post.ground(&screen(&post));
    assert_ne!(before.centre(), after.centre());
    for end in [-700, 700] {
        let way = f64::from(before.at(end, -25).square_distance(after.at(end, -25)) as i32).sqrt();
        assert!(way <= 1002.0, "{way}");
    }
    assert_eq!((after.heading().tenths(), screen(&post).figures), (900, 8));
}

/// No unit spreads into a zone as it dismounts.
#[test]
fn clause_9_43() {
    // Eight figures four abreast are 4" wide, and 14.5" in full skirmish order. The zone of the line on the right is 2"
    // deep.
    for (east, on_foot) in [(6.0, false), (14.0, true)] {
        let horse = unit("irregular-cavalry").formation("massed").at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").figures(6).at(east, 1.0).facing(180.0);
        let mut game = Game::new(("dismount", &[horse]), ("hold", &[enemy]));
        game.phase("formation", &[]);
        assert_eq!(game.state(&game.first()).0 == "full-skirmish", on_foot, "{east}");
        assert_eq!(game.seen.refusals().contains(&Refusal::FireZone), !on_foot);
        if !on_foot {
            game.saw("9.43");
        }
    }
}

/// A hedge that bends by 20 degrees and extends 1.3" to each side.
fn short_hedge() -> [TerrainPlan; 2] {
    [line_of("hedge", (-1.3, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (1.27, -0.305))]
}

/// Dragoons who dismount have smaller bases around the same middle, off the hedge that they lined, so they face one
/// way.
#[test]
fn clause_8_35() {
    let hedge = [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (2.87, -0.885))];
    let horse = unit("dragoons").figures(4).at(0.0, 0.0).bent(0, 20);
    let mut game = Game::over(drill(), &hedge, ("dismount", &[horse]), ("hold", &[far_away()]));
    assert!(!game.first().bend.is_none());
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.first().bend), ("line", Bend::NONE));
    game.saw("8.35");
}

/// Figures do not rejoin a line that would then extend beyond the terrain that it lines, unless they must.
#[test]
fn clause_7_0_p1() {
    let bent = || lights().bent(0, 20);
    let mut game = Game::over(drill(), &short_hedge(), ("recall", &[bent()]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    assert_eq!((game.first().figures, screen(&game).figures), (6, 2));
    assert!(game.seen.refusals().iter().all(|&why| why == Refusal::Ambiguous), "{:?}", game.seen.refusals());
    game.saw("7.0-P1");
    let mut strays = Game::over(drill(), &short_hedge(), ("hold", &[bent()]), ("hold", &[far_away()]));
    let row = strays.first().kin.index();
    strays.battle.units[row].front.y = -2000;
    strays.phase("move", &[]);
    assert_eq!((strays.first().figures, strays.first().bend, strays.state(&strays.first()).1), (8, Bend::NONE, "good"));
    // Six figures on a hedge long enough for eight take in the other two.
    let long = [line_of("hedge", (-3.0, 0.15), (0.0, 0.15)), line_of("hedge", (0.05, 0.14), (2.87, -0.885))];
    let mut game = Game::over(drill(), &long, ("recall", &[bent()]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    assert_eq!((game.first().figures, game.first().bend.is_none()), (8, false), "{:?}", game.seen.refusals());
}

/// Under the rule that disorders units whose facing is ambiguous, figures do rejoin such a line.
#[test]
fn clause_7_37() {
    let rules = load_once("figures-drill", &["dressing.ambiguous.on=true"]);
    let mut game = Game::over(rules, &short_hedge(), ("recall", &[lights().bent(0, 20)]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    assert_eq!((game.first().figures, game.state(&game.first()).1), (8, "disordered"));
    game.saw("7.37");
}

/// A square of eight and a square of six, which has one more figure deployed, after the move in which they merge.
fn merged(enemy: Men) -> Game {
    let host = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let guest = unit("line-battalion").figures(7).formation("square").screen(1).at(1.25, 0.0).facing(0.0);
    let mut game = Game::new(("join", &[host, guest]), ("hold-fire", &[enemy]));
    game.phase("move", &[]).phase("rally", &[]);
    assert!(game.nth(1).flags.has(Flags::INSIDE));
    game
}

/// When figures rejoin a unit inside another's square, the change is announced for that square.
#[test]
fn clause_8_17() {
    // The merged square of 14 extends an inch west of the middle; the square that joined the other was on its right.
    for (west, announced) in [(2.5, true), (3.5, false)] {
        let mut game = merged(unit("line-battalion").figures(6).at(-west, -0.75).facing(90.0));
        game.unit_mut(Side::First, 2).doctrine = doctrine("recall");
        game.phase("formation", &[]);
        let told = game.seen.events().iter().find_map(|event| match event {
            Event::InZone { unit, .. } => Some(unit.index()),
            _ => None,
        });
        assert_eq!((told, game.nth(1).figures, game.first().guests), (announced.then_some(0), 7, 7), "{west}");
        if announced {
            game.saw("8.17");
        }
    }
}

/// The screen of a unit inside another's square makes way for that square, and takes its post in front of it (9.34).
#[test]
fn a_screen_goes_with_the_square_that_its_unit_stands_in() {
    let host = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let guest = unit("light-battalion").formation("square").screen(2).at(1.25, 0.0).facing(0.0);
    let mut game = Game::new(("join", &[host, guest]), ("hold", &[far_away()]));
    // The screen is close in front of the first square. The merged square of fourteen extends a quarter of an inch
    // farther.
    let row = game.nth(1).kin.index();
    game.battle.units[row].front = Point { x: 0, y: 60 };
    game.battle.units[row].doctrine = doctrine("hold");
    game.phase("move", &[]).phase("rally", &[]);
    assert!(game.nth(1).flags.has(Flags::INSIDE) && !anybody_overlaps(&game));
    assert_eq!(game.battle.units[row].figures, 2);
    game.battle.units[row].doctrine = doctrine("screened-march");
    game.unit_mut(Side::First, 0).doctrine = doctrine("hold");
    game.phase("move", &[]);
    let (at, square) = (game.ground(&game.battle.units[row]), game.ground(&game.first()));
    assert_eq!(at.distance(&square), 300);
    // The screen does not block the square, which has its four inches (9.55), nor does the square block the screen.
    game.battle.units[row].doctrine = doctrine("hold");
    game.unit_mut(Side::First, 0).doctrine = doctrine("march");
    game.phase("rally", &[]).phase("move", &[]);
    assert_eq!(game.ground(&game.first()).centre().y - square.centre().y, 400);
    assert!(!anybody_overlaps(&game) && game.battle.units[row].figures == 2);
}

/// A command has not stood still if one of its units marches in another command's square (8.62).
#[test]
fn a_command_moves_with_the_square_that_its_unit_stands_in() {
    for (host, unsettled) in [("join-and-march", true), ("hold", false)] {
        let square = |figures: u16, east: f64| {
            unit("line-battalion").figures(figures).formation("square").at(east, 0.0).facing(0.0)
        };
        let men = [square(8, 0.0), square(6, 1.25)];
        let mut plan = deployment(("join-and-march", &men), ("hold", &[far_away()]));
        let mode = Some("road".to_owned());
        plan.sides.first.commands = vec![CommandPlan { name: "other".into(), order: None, mode }];
        plan.sides.first.units[1].command = Some("other".into());
        let mut game = Game::planned(drill(), &plan);
        game.unit_mut(Side::First, 0).doctrine = doctrine("hold");
        game.phase("move", &[]).phase("rally", &[]);
        assert!(game.nth(1).flags.has(Flags::INSIDE) && game.battle.commands[1].unsettled);
        game.unit_mut(Side::First, 0).doctrine = doctrine(host);
        game.phase("move", &[]);
        assert_eq!(game.battle.commands[1].unsettled, unsettled, "{host}");
    }
}

/// A limbered battery pays for the bend of a road as for a wheel, and turns no further than it can pay for (8.65).
#[test]
fn clause_7_33() {
    // The bend is five inches away and the move is six. One inch is left of the 2.36" that a front of 1.5" sweeps in a
    // right angle.
    let road = [line_of("road", (0.0, -8.0), (0.0, 5.0)), line_of("road", (-0.5, 5.0), (12.0, 5.0))];
    let guns = unit("siege-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
    let mut game = Game::over(drill(), &road, ("road", &[guns]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    let turned = i32::from(game.first().heading.tenths());
    assert_eq!(game.first().front, Point { x: 0, y: 500 });
    assert!((300..=382).contains(&turned), "{turned}: an inch is 38.2 degrees");
    game.saw("7.33");
    game.phase("rally", &[]).phase("move", &[]);
    assert_eq!(game.first().heading.tenths(), 900);
}

/// Only a screen takes a post in front of its unit: no other unit moves sideways under that order (7.41).
#[test]
fn a_unit_takes_no_post_before_its_screen() {
    let rules = load_once("figures-drill", &["doctrine.screened-march.row.ahead.when=turn >= 1"]);
    let mut game = Game::under(rules, ("screened-march", &[lights()]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert_eq!(game.first().front, Point { x: 0, y: 0 });
}

/// A battery's base never routs, so no study may start one in rout.
#[test]
fn no_battery_begins_in_rout() {
    for kind in ["field-battery", "pontoon-train"] {
        let faults = Game::refused(("hold", &[unit(kind).morale("routed").at(0.0, 0.0)]), ("hold", &[far_away()]));
        assert!(faults[0].path.ends_with("morale") && faults[0].message.contains("8.47"), "{faults:?}");
    }
}

/// Cavalry deploys figures on foot as it does mounted.
#[test]
fn clause_9_36() {
    for (kind, order, out) in
        [("dismounted-light-cavalry", "detach-three", 3), ("dismounted-irregulars", "detach-three", 3)]
    {
        let mut game = Game::new((order, &[unit(kind).formation("line").at(0.0, 0.0)]), ("hold", &[far_away()]));
        game.phase("formation", &[]);
        let row = screen(&game);
        assert_eq!(if row.gone() { 0 } else { row.figures }, out, "{kind}: {:?}", game.seen.refusals());
        if out == 3 {
            assert_eq!(game.state(&row).0, "full-skirmish");
            game.saw("9.36");
        }
    }
}

/// Dragoons deploy one figure, mounted and on foot.
#[test]
fn clause_9_33() {
    for kind in ["dragoons", "dismounted-dragoons"] {
        for (order, out) in [("detach", 1), ("detach-three", 0)] {
            let men = unit(kind).formation("line").at(0.0, 0.0);
            let mut game = Game::new((order, &[men]), ("hold", &[far_away()]));
            game.phase("formation", &[]);
            let row = screen(&game);
            assert_eq!(if row.gone() { 0 } else { row.figures }, out, "{kind}: {:?}", game.seen.refusals());
            if out > 0 {
                game.saw("9.33");
            }
        }
    }
}

/// When figures deploy and rejoin in a phase, only the net change counts, whatever happens in between.
#[test]
fn clause_9_35_n() {
    // One of eight is deployed, two more deploy, and all three rejoin: seven of eight are as they were.
    let men = unit("large-light-battalion").figures(8);
    let beside = unit("light-battalion").at(12.0, 0.0).facing(0.0);
    let men = [men.screen(1).at(0.0, 0.0).facing(0.0), beside];
    let mut game = Game::new(("detach-three", &men), ("hold", &[far_away()]));
    let row = game.first().kin.index();
    game.battle.units[row].doctrine = doctrine("recall");
    game.phase("formation", &[]);
    assert_eq!((game.first().figures, game.first().flags.has(Flags::CHANGED)), (8, false));
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::Rejoined { why: Why::Ordered, .. })));
    game.saw("9.35-N");
}

/// A screen that overlaps its unit does not hide it.
#[test]
fn a_screen_on_its_unit_does_not_hide_it() {
    for (front, fires) in [(20, true), (60, false)] {
        let enemy = unit("line-battalion").figures(6).at(0.0, 1.7).facing(180.0);
        let mut game = Game::new(("form-column", &[lights()]), ("hold", &[enemy]));
        let row = game.first().kin.index();
        game.battle.units[row].front.y = front;
        game.play_anyhow(Side::First, "formation");
        assert_eq!(game.seen.rolls().count() > 0, fires, "{front}");
    }
}

/// Guns that have made way for a square and then cannot join it do not stay under it.
#[test]
fn guns_that_made_way_in_vain_stand_clear() {
    let square =
        |figures: u16, east: f64| unit("line-battalion").figures(figures).formation("square").at(east, 0.0).facing(0.0);
    let guns = unit("field-battery").cannon(4).formation("limbered").at(0.0, -1.5).facing(0.0);
    let enemy = unit("line-battalion").figures(6).at(2.3, -3.5).facing(270.0);
    let mut game = Game::new(("join", &[square(8, 0.0), square(6, 1.25), guns]), ("hold", &[enemy]));
    // They unlimber in the enemy's zone, and the enemy shoots their crew.
    game.phase("move", &[10, 10, 10]);
    assert_eq!((game.first().guests, game.nth(2).figures, game.nth(2).gone()), (6, 0, false));
    assert!(!anybody_overlaps(&game));
}
