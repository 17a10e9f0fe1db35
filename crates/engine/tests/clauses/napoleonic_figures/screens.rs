//! Screens: how they deploy, stay tied to their units, test in groups and are recalled.

use std::sync::OnceLock;

use grognard_engine::plane::Point;
use grognard_engine::{Event, Flags, Refusal, ScreenRefusal, Side, Unit, Why};
use grognard_rules::model::{ByteId, Rules};

use super::{far_away, figure, marched};
use crate::common::{Game, Men, deployment, load_once, load_with, unit};

fn lights(figures: u16, out: u16) -> Men {
    unit("light-battalion").figures(figures).screen(out).at(0.0, 0.0).facing(0.0)
}

/// A unit and its screen, against an enemy that does not matter.
fn game(doctrine: &str, men: Men) -> Game {
    Game::new((doctrine, &[men]), ("hold", &[far_away()]))
}

/// The reasons why figures rejoined their units, in order.
fn returns(game: &Game) -> Vec<Why> {
    let why = |event: &Event| if let Event::Rejoined { why, .. } = event { Some(*why) } else { None };
    game.seen.events().iter().filter_map(why).collect()
}

/// Figures deploy and return at their unit, in the formation phase. Then they move up to ten inches, on a tether of
/// five.
#[test]
fn clause_9_34() {
    let men = unit("light-battalion").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("detach", &[men]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    let (parent, screen) = (game.first(), game.nth(1));
    assert_eq!(game.ground(&parent).distance(&game.ground(&screen)), 0, "it touches its parent");
    game.saw("9.34");
    // Ordered twelve inches ahead, the screen moves its ten. The tether is checked at the end of the phase.
    game.phase("move", &[]);
    let moved = game.seen.events().iter().find_map(|event| match event {
        Event::Marched { distance, .. } => Some(*distance),
        _ => None,
    });
    assert_eq!(moved, Some(1000));
    assert_eq!(returns(&game), [Why::Strayed]);
    // Three figures are deployed three inches ahead, and a fourth is added. All four then touch their unit.
    let men = unit("large-light-battalion").figures(9).screen(3).at(0.0, 0.0).facing(0.0);
    let mut more = Game::new(("detach-four", &[men]), ("hold", &[far_away()]));
    assert_eq!(more.ground(&more.first()).distance(&more.ground(&more.nth(1))), 300);
    more.phase("formation", &[]);
    assert_eq!(more.nth(1).figures, 4);
    assert_eq!(more.ground(&more.first()).distance(&more.ground(&more.nth(1))), 0);
}

/// Deploying or recalling figures is not a change of formation while two thirds of the unit keep theirs.
#[test]
fn clause_9_35_n() {
    // A unit of nine deploys three figures in an enemy's zone. Six of nine keep their formation, and no unit fires.
    let enemy = || unit("line-battalion").figures(6).at(0.0, 1.9).facing(180.0);
    let under_fire = |doctrine: &str, men: Men| {
        let men = men.at(0.0, 0.0).facing(0.0);
        let mut game = Game::new((doctrine, &[men]), ("hold", &[enemy()]));
        game.phase("formation", &[1; 12][..if doctrine.contains("four") { 3 } else { 0 }]);
        game
    };
    let announced = |game: &Game| game.seen.events().iter().any(|event| matches!(event, Event::InZone { .. }));
    let nine = |formation: &str| unit("large-light-battalion").figures(9).formation(formation);
    let three = under_fire("detach-three", nine("line"));
    assert!(!announced(&three) && !three.first().flags.has(Flags::CHANGED));
    three.saw("9.35-N");
    let four = under_fire("detach-four", nine("line"));
    assert!(announced(&four), "four of nine are more than a third: 8.17 applies");
    // Only the figures deployed now count, not those already deployed: three are out, and one more deploys.
    let one_more = game("detach-four-then-line", nine("column").screen(3).at(0.0, 0.0).facing(0.0));
    let mut one_more = one_more;
    one_more.phase("formation", &[]);
    assert!(!one_more.first().flags.has(Flags::CHANGED));
    // But if the rest also changes its formation, no figure keeps its old one (7.32).
    assert_eq!((one_more.state(&one_more.first()).0, one_more.seen.refusals()), ("column", vec![Refusal::Spent]));
    let mut fewer = game("detach-four-then-line", nine("column").at(0.0, 0.0).facing(0.0));
    fewer.phase("formation", &[]);
    assert_eq!(fewer.seen.refusals(), [Refusal::Spent]);
    assert!(fewer.first().flags.has(Flags::CHANGED));
    // Two orders count together: two and two of nine are more than a third, but two and one are not. If three are
    // recalled and four deploy, the net change is one figure.
    let changes = |doctrine: &str, out: u16| {
        let mut game =
            game(doctrine, if out > 0 { nine("line").screen(out) } else { nine("line") }.at(0.0, 0.0).facing(0.0));
        game.phase("formation", &[]);
        let screen = game.battle.units.iter().find(|unit| unit.flags.has(Flags::SCREEN)).expect("a screen");
        (screen.figures, game.first().flags.has(Flags::CHANGED))
    };
    assert_eq!(changes("detach-two-then-three", 0), (3, false));
    assert_eq!(changes("detach-two-then-four", 0), (4, true));
    assert_eq!(changes("recall-then-detach-four", 3), (4, false));
    // After a change, no figure has the formation that it had before the phase, so deploying some would be a second
    // change (7.32).
    for (men, cited, other) in
        [(nine("column"), "9.35-N", "7.32"), (unit("line-battalion").formation("column"), "7.32", "9.35-N")]
    {
        let mut changed = game("line-then-detach", men.at(0.0, 0.0).facing(0.0));
        changed.phase("formation", &[]);
        assert_eq!(changed.state(&changed.first()).0, "line");
        assert!(matches!(changed.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::Bar(_))]));
        changed.saw(cited);
        assert!(!changed.seen.cited().contains(other), "{other}");
    }
    // Figures that fire drives back do not move by order. Five of twelve are deployed and five more are ordered out,
    // but the fire that this draws drives all of them back. They are then in disorder and in column, and may form line.
    let rules = load_once("figures-drill", &["doctrine.detach-four-then-line.row.detach.figures=10"]);
    let men = unit("large-light-battalion").screen(5).at(0.0, 0.0).facing(0.0);
    let behind = unit("line-battalion").figures(6).at(0.0, -2.4).facing(0.0);
    let mut shot = Game::under(rules, ("detach-four-then-line", &[men]), ("hold", &[behind]));
    shot.phase("formation", &[10, 10, 1, 5, 5]);
    assert_eq!((shot.first().figures, shot.nth(1).gone()), (10, true), "{:?}", shot.seen.events());
    assert_eq!(shot.state(&shot.first()), ("line", "disordered"));
    assert!(
        matches!(shot.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::Bar(_))]),
        "nobody goes out any more (9.38)"
    );
    // Cavalry that has recalled figures does not dismount.
    let horse = unit("light-cavalry").figures(6).screen(2).at(0.0, 0.0).facing(0.0);
    let mut mounted = game("recall-then-dismount", horse);
    mounted.phase("formation", &[]);
    assert_eq!((mounted.first().figures, mounted.seen.refusals()), (6, vec![Refusal::Spent]));
    // In any other unit, deploying or recalling even one figure is a change. So is recalling more than a third of any
    // unit.
    for (doctrine, men) in [
        ("detach-one", unit("dragoons").at(0.0, 0.0).facing(0.0)),
        ("recall", unit("line-battalion").screen(1).at(0.0, 0.0).facing(0.0)),
        ("recall", nine("line").screen(4).at(0.0, 0.0).facing(0.0)),
    ] {
        let mut changed = game(doctrine, men);
        changed.phase("formation", &[]);
        assert!(changed.first().flags.has(Flags::CHANGED), "{doctrine}");
    }
}

/// The game after an enemy has fired at these units and their screens.
fn shot(men: &[Men], faces: &[i32]) -> Game {
    let mut game = Game::new(("hold", men), ("fire-only", &[unit("line-battalion").at(0.0, 8.0).facing(180.0)]));
    game.phase_of(Side::Second, "fire", faces);
    game
}

/// A unit with up to a third deployed is still in close order. Its skirmishers return to it if they fail a check.
#[test]
fn clause_9_36() {
    // Two of eight are three inches ahead. One of the two is hit, and the other fails the check.
    let game = shot(&[lights(8, 2)], &[10, 1, 1, 1, 1, 1, 6, 5]);
    assert_eq!(returns(&game), [Why::GroupFailed]);
    let parent = game.first();
    assert_eq!((game.state(&parent).1, parent.figures), ("good", 7));
    assert_eq!(parent.start - parent.figures, 1, "the one who fell out there counts as the unit's");
    game.saw("9.36");
    // Three of nine is still a third; three of eight is more (9.37).
    let nine = unit("large-light-battalion").figures(9).screen(3).at(0.0, 0.0).facing(0.0);
    assert_eq!(returns(&shot(&[nine], &[10, 1, 1, 1, 1, 1, 6, 5])), [Why::GroupFailed]);
}

/// A unit with more than a third deployed shares the fate of its screen.
#[test]
fn clause_9_37() {
    let disordered = shot(&[lights(8, 3)], &[10, 10, 1, 1, 1, 1, 5, 5]);
    assert_eq!(returns(&disordered), [Why::SharedFate]);
    assert_eq!((disordered.state(&disordered.first()).1, disordered.first().figures), ("disordered", 6));
    assert!(disordered.first().front.y < 0, "it has retired");
    disordered.saw("9.37");
    let routed = shot(&[lights(8, 3)], &[10, 10, 1, 1, 1, 1, 6, 6]);
    assert_eq!(routed.state(&routed.first()).1, "routed");
    // A unit that is already disordered is not routed by a screen that is only disordered.
    let already = shot(&[lights(8, 3).morale("disordered")], &[10, 10, 1, 1, 1, 1, 5, 5]);
    assert_eq!(already.state(&already.first()).1, "disordered");
    // Three of nine are a third, and do not count as more when two of the other six fall at the same time. The group
    // goes back (9.49).
    let men = unit("large-light-battalion").figures(9).screen(3).at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").at(0.0, 8.0).facing(180.0);
    let mut third = Game::new(("hold", &[men]), ("fire-only", &[enemy]));
    let parent = third.unit_mut(Side::First, 0);
    (parent.figures, parent.hits) = (4, 2);
    third.phase_of(Side::Second, "fire", &[10, 1, 1, 1, 1, 1, 2, 2, 6, 5]);
    assert_eq!((returns(&third), third.state(&third.first()).1), (vec![Why::GroupFailed], "good"));
    third.saw("9.49");
    assert!(!third.seen.cited().contains("9.48"));
}

/// If more than a third of a unit is deployed, its skirmishers and the rest make one check, and go back together if
/// they fail.
#[test]
fn clause_9_48() {
    // Four of eight are deployed. One of them falls, and so do two of the others at the same time.
    let hit = |faces: &[i32]| {
        let enemy = unit("line-battalion").at(0.0, 8.0).facing(180.0);
        let mut game = Game::new(("hold", &[lights(8, 4)]), ("fire-only", &[enemy]));
        let parent = game.unit_mut(Side::First, 0);
        (parent.figures, parent.hits) = (2, 2);
        game.phase_of(Side::Second, "fire", &[&[10, 1, 1, 1, 1, 1], faces].concat());
        game.saw("9.48");
        game
    };
    let stands = hit(&[2, 2]);
    assert_eq!((returns(&stands), stands.first().figures), (vec![], 2));
    let fails = hit(&[5, 5]);
    assert_eq!(
        (returns(&fails), fails.state(&fails.first()).1, fails.first().figures),
        (vec![Why::SharedFate], "disordered", 5)
    );
    // The same happens if only the rest is hit.
    let behind = unit("line-battalion").at(0.0, -5.7).facing(0.0);
    let mut rest = Game::new(("hold", &[lights(8, 4)]), ("fire-only", &[behind]));
    rest.phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1, 5, 5]);
    assert_eq!(
        (returns(&rest), rest.state(&rest.first()).1, rest.first().figures),
        (vec![Why::SharedFate], "disordered", 6)
    );
    assert!(rest.first().front.y >= 500, "all of them retire: {:?}", rest.first().front);
    rest.saw("9.48");
    // Three of nine are a third, and do not count as more when two of the others fall (9.36), so the clause is not
    // cited.
    let men = unit("large-light-battalion").figures(9).screen(3).at(0.0, 0.0).facing(0.0);
    let behind = unit("line-battalion").at(0.0, -5.7).facing(0.0);
    let mut third = Game::new(("hold", &[men]), ("fire-only", &[behind]));
    third.phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1, 5, 5]);
    assert_eq!((returns(&third), third.state(&third.first()).1), (vec![], "disordered"));
    third.saw_no("9.48");
    // The same happens if they charge and fail the check under closing fire, which cancels the charge.
    let charges = |battle: u64| {
        let horse = unit("light-cavalry").figures(8).screen(4).at(0.0, -8.0).facing(0.0);
        let foot = unit("large-line-battalion").figures(16).at(0.0, 2.0).facing(180.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[foot]));
        let mut dice = grognard_dice::SeededDice::new(1815);
        dice.battle(battle);
        game.play(Side::First, "charge", &mut dice);
        (game, dice)
    };
    let mut called_off = 0;
    for battle in 0..300 {
        let (game, _) = charges(battle);
        if game.state(&game.first()) == ("line", "disordered") {
            called_off += 1;
            assert_eq!(returns(&game), [Why::SharedFate], "{battle}");
            assert!(game.first().front.y < -800, "{battle}: {:?}", game.first().front);
        }
    }
    assert!(called_off > 0, "no check failed");
    // The same happens if the rest of a unit is charged: the three in column take in the five that are deployed, and
    // all of them go back.
    let men = unit("large-light-battalion").figures(8).formation("column").screen(5).at(0.0, 0.0).facing(0.0);
    let from_behind = unit("heavy-cavalry").at(0.0, -8.0).facing(0.0);
    let mut charged = Game::new(("charge", &[from_behind]), ("hold", &[men]));
    charged.phase("charge", &[3, 3]);
    let foot = charged.second();
    assert_eq!((returns(&charged), charged.state(&foot).1, foot.figures), (vec![Why::SharedFate], "disordered", 8));
    assert!(charged.ground(&foot).centre().y > 500, "{:?}", foot.front);
    charged.saw("9.48");
    // A repulsed charge is not a check: the skirmishers stay out (9.38).
    let mut repulsed = 0;
    for battle in 0..100 {
        let (mut game, mut dice) = charges(battle);
        if game.first().flags.has(Flags::CONTACT) && game.state(&game.first()) == ("line", "good") {
            game.play(Side::First, "shock", &mut dice);
            if game.state(&game.first()).1 == "disordered" {
                repulsed += 1;
                assert_eq!(returns(&game), [], "{battle}");
            }
        }
    }
    assert!(repulsed > 0, "no charge was repulsed");
    // If a unit has left the table, its screen has nowhere to return to.
    let mut alone =
        Game::new(("hold", &[lights(8, 4)]), ("fire-only", &[unit("line-battalion").at(0.0, 8.0).facing(180.0)]));
    alone.unit_mut(Side::First, 0).flags = Flags::GONE;
    alone.phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1, 5, 5]);
    assert_eq!((returns(&alone), alone.first().figures), (vec![], 4));
    // There is also one check before a charge, whether horse charges the deployed figures or other units beside them.
    let row = |out: u16| unit("large-light-battalion").formation("column").screen(out).at(0.0, 15.0).facing(180.0);
    let horse = || unit("light-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
    let beside = unit("line-battalion").figures(6).at(0.0, 6.0).facing(180.0);
    assert_eq!([5, 4].map(|out| checks_before(horse(), &[row(out)])), [1, 2]);
    assert_eq!([5, 4].map(|out| checks_before(horse(), &[row(out), beside.clone()])), [2, 3]);
}

/// If more than a third of a unit is deployed, the strength and losses of the whole unit count (9.48).
#[test]
fn losses_of_screen_and_rest_count_together() {
    let enemy = || unit("line-battalion").at(0.0, 8.0).facing(180.0);
    let hit = |fallen: u16, faces: &[i32]| {
        let men = unit("large-light-battalion").screen(5).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("hold", &[men]), ("fire-only", &[enemy()]));
        let parent = game.unit_mut(Side::First, 0);
        (parent.figures, parent.hits) = (parent.figures - fallen, fallen);
        game.phase_of(Side::Second, "fire", faces);
        game
    };
    // The loss of one of the five is less than a sixth of the twelve. With one of the others, it is a sixth.
    assert_eq!(returns(&hit(0, &[10, 1, 1, 1, 1, 1])), []);
    assert_eq!(returns(&hit(1, &[10, 1, 1, 1, 1, 1, 5, 5])), [Why::SharedFate]);
    // The loss of two of the five is less than a third of the twelve, which would be a penalty of 1.
    assert_eq!(returns(&hit(0, &[10, 10, 1, 1, 1, 1, 4, 4])), []);
    // If all five fall, the rest of the unit tests, and it has lost more than a third.
    for (faces, morale) in [([4, 3], "good"), ([4, 4], "disordered")] {
        let game = hit(0, &[&[10, 10, 10, 10, 10, 1][..], &faces].concat());
        assert_eq!((game.state(&game.first()).1, game.first().figures, game.first().start), (morale, 7, 12));
    }
}

/// A unit inside another's square that shares the fate of its screen takes the square with it (8.54).
#[test]
fn clause_8_54() {
    let host = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let guest = unit("light-battalion").formation("square").screen(3).at(1.25, 0.0).facing(0.0);
    let enemy = unit("line-battalion").at(1.25, 8.0).facing(180.0);
    let mut game = Game::new(("join", &[host, guest]), ("fire-only", &[enemy]));
    game.phase("move", &[]);
    assert!(game.nth(1).flags.has(Flags::INSIDE));
    game.phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1, 5, 5]);
    assert_eq!(returns(&game), [Why::SharedFate]);
    assert_eq!([0, 1].map(|number| game.state(&game.nth(number)).1.to_owned()), ["disordered"; 2]);
    game.saw("9.37");
    game.saw("8.54");
}

/// When a unit routs, its skirmishers rejoin it and rout with it.
#[test]
fn clause_9_39() {
    let horse = unit("heavy-cavalry").at(10.0, -0.25).facing(270.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[lights(8, 2)]));
    game.phase("charge", &[6, 6]);
    let parent = game.second();
    assert_eq!((game.state(&parent), parent.figures), (("column", "routed"), 8));
    assert_eq!(returns(&game), [Why::SweptAlong]);
    game.saw("9.39");
}

/// Figures rejoin only their own unit.
#[test]
fn clause_9_41() {
    // A's two figures are close in front of B and four inches from A.
    let a = unit("light-battalion").screen(2).at(0.0, 0.0).facing(0.0);
    let b = unit("light-battalion").at(0.0, 4.5).facing(0.0);
    let mut game = Game::new(("recall", &[a, b]), ("hold", &[far_away()]));
    game.phase("formation", &[]);
    assert_eq!((game.nth(0).figures, game.nth(1).figures), (8, 8));
    assert_eq!(returns(&game), [Why::Ordered]);
    game.saw("9.41");
}

/// Rules under which stray figures are removed as casualties.
fn strict() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load_with("figures-drill", &["skirmish.stray=lose"]))
}

/// Figures stay within five inches of their unit and of each other. A figure that strays goes back, or is lost.
#[test]
fn clause_9_42() {
    // The screen is 1.5" behind the rear of its unit, which marches away from it.
    let march = |inches: f64, rules: &'static Rules| {
        let enemy = figure().at(0.0, inches + 1.0).facing(180.0);
        let plan = deployment(("parent-marches", &[lights(8, 2)]), ("hold", &[enemy]));
        let mut game = Game::planned(rules, &plan);
        game.battle.units[1].front = Point { x: 0, y: -200 };
        game.phase("move", &[]);
        game
    };
    let near = march(3.5, crate::common::drill());
    assert!(returns(&near).is_empty(), "{:?}", near.seen.events());
    let far = march(3.6, crate::common::drill());
    assert_eq!(returns(&far), [Why::Strayed]);
    assert_eq!(far.first().figures, 8);
    far.saw("9.42");
    // A screen whose unit is in another's square is tied to that square.
    let tied = |away: i32| {
        let square = |kind: &str, east: f64| unit(kind).formation("square").at(east, 0.0).facing(0.0);
        let men = [square("line-battalion", 0.0).figures(8), square("light-battalion", 1.25).figures(8).screen(2)];
        let mut game = Game::new(("join", &men), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!((game.nth(1).gone(), game.first().guests), (true, 6));
        let ground = game.ground(&game.first());
        let top = ground.corners().iter().map(|corner| corner.y).max().expect("four corners");
        let screen = game.battle.units.iter().position(|unit| unit.figures == 2).expect("a screen of two");
        let row = game.ground(&game.battle.units[screen]);
        game.battle.units[screen].front = Point { x: ground.centre().x, y: top + away + row.depth };
        assert_eq!(game.ground(&game.battle.units[screen]).distance(&ground), away);
        game.phase("move", &[]);
        game
    };
    assert!(returns(&tied(500)).is_empty());
    let strayed = tied(501);
    assert_eq!(returns(&strayed), [Why::Strayed]);
    assert_eq!((strayed.nth(1).figures, strayed.first().guests), (8, 8));
    strayed.saw("9.42");
    let lost = march(3.6, strict());
    assert!(lost.seen.events().iter().any(|event| matches!(event, Event::Strayed { figures: 2, .. })));
    assert_eq!((lost.first().figures, lost.first().start), (6, 8));
}

/// A screen cannot leave the table to get farther from its unit than the tether allows. It stops at the edge, and
/// figures that have strayed by then go back to their unit or are lost (9.42).
#[test]
fn a_screen_does_not_stray_over_the_edge() {
    // The rear of the unit is 7" or 4.5" from the edge, which is 24" south of the middle. The row is behind the unit.
    let goes = |north: f64, rules: &'static Rules| {
        let men = unit("light-battalion").screen(2).at(0.0, north).facing(0.0);
        let mut game = Game::under(rules, ("withdraw", &[men]), ("hold", &[far_away()]));
        let row = game.first().kin.index();
        game.battle.units[0].doctrine = rules.doctrine("hold").expect("a doctrine");
        game.battle.units[row].front.y = game.battle.units[0].front.y - 200;
        let ends = {
            game.phase("move", &[]);
            game.battle.units[row]
        };
        assert!(!game.seen.events().iter().any(|event| matches!(event, Event::LeftTable(_))));
        (game, ends)
    };
    // Figures are not deployed beyond the edge either: a tenth of an inch from it, there is no room for them.
    for (south, out) in [(23.9, 0), (22.0, 3)] {
        let men = unit("large-light-battalion").figures(9).at(0.0, -south).facing(180.0);
        let mut game = Game::new(("detach-three", &[men]), ("hold", &[far_away()]));
        game.phase("formation", &[]);
        assert_eq!(9 - game.first().figures, out, "{south}");
        assert_eq!(game.seen.refusals().is_empty(), out > 0);
    }
    let (strayed, _) = goes(-16.5, crate::common::drill());
    // The row marches from 18.5" south until its middle is at the edge.
    assert_eq!(marched(&strayed), Some(2400 - 1850 - 25));
    assert_eq!((returns(&strayed), strayed.first().figures), (vec![Why::Strayed], 8));
    strayed.saw("9.42");
    let (near, row) = goes(-19.0, crate::common::drill());
    assert_eq!((returns(&near), near.first().figures, row.figures), (vec![], 6, 2));
    assert_eq!(near.ground(&row).centre().y, -2400);
    let (lost, _) = goes(-16.5, strict());
    assert!(lost.seen.events().iter().any(|event| matches!(event, Event::Strayed { figures: 2, .. })));
    // A path does not take them over the edge either.
    let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
    let path = |inches: f64| {
        let legs = [leg(0, "march=0.5"), leg(1, "wheel=180"), leg(2, &format!("march={inches}"))];
        let rules = load_once("figures-drill", &legs.each_ref().map(String::as_str));
        let men = unit("light-battalion").screen(2).at(0.0, -19.0).facing(0.0);
        let mut game = Game::under(rules, ("path", &[men]), ("hold", &[far_away()]));
        let row = game.first().kin.index();
        game.battle.units[0].doctrine = rules.doctrine("hold").expect("a doctrine");
        game.battle.units[row].front.y = -2100;
        game.phase("move", &[]);
        game.seen.refusals()
    };
    assert_eq!(path(3.25), []);
    assert_eq!(path(3.26), [Refusal::NoRoom]);
}

/// No skirmisher enters the frontal zone of a formed unit, except behind cover or from the unit's rear.
#[test]
fn clause_9_43() {
    let up_to = |terrain: &[grognard_engine::TerrainPlan], facing: f64| {
        let men = unit("light-battalion").figures(3).formation("full-skirmish").at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").figures(6).at(0.0, if facing == 0.0 { 6.5 } else { 6.0 }).facing(facing);
        let mut game = Game::over(crate::common::drill(), terrain, ("march", &[men]), ("hold", &[enemy]));
        game.phase("move", &[]);
        game
    };
    let distance = |game: &Game| game.ground(&game.first()).distance(&game.ground(&game.second()));
    let open = up_to(&[], 180.0);
    assert!((200..=210).contains(&distance(&open)), "{}", distance(&open));
    assert!(matches!(open.seen.refusals()[..], [Refusal::FireZone]));
    open.saw("9.43");
    let hedge = [crate::common::line_of("hedge", (-6.0, 5.5), (6.0, 5.5))];
    assert_eq!(distance(&up_to(&hedge, 180.0)), 100, "the hedge stays between them all the way");
    assert_eq!(distance(&up_to(&[], 0.0)), 100, "from its rear");
    // A hedge in front of the middle of the row covers only the middle.
    let short = [crate::common::line_of("hedge", (-0.2, 5.5), (0.2, 5.5))];
    assert!(distance(&up_to(&short, 180.0)) >= 190, "{}", distance(&up_to(&short, 180.0)));
    // If both are in the same wood, there is nothing between them; if one is in a wood and the other in the open, there
    // is.
    let wood = |north: f64| [crate::common::block_of("woods", (0.0, north), (20.0, 20.0))];
    let both = distance(&up_to(&wood(0.0), 180.0));
    assert!((200..=210).contains(&both), "{both}");
    assert_eq!(distance(&up_to(&wood(-5.2), 180.0)), 100);
    // A figure is seen by the nearest part of the enemy. A hedge that slants out from under the enemy's middle is
    // between the enemy's right and a figure that approaches it.
    let slanting = [crate::common::line_of("hedge", (-0.28, -0.35), (4.65, 1.44))];
    for (terrain, reached) in [(&slanting[..], 100), (&[], 200)] {
        let men = unit("light-battalion").figures(1).formation("full-skirmish").at(3.0, 3.5).facing(180.0);
        let enemy = unit("line-battalion").figures(12).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(crate::common::drill(), terrain, ("march", &[men]), ("hold", &[enemy]));
        game.phase("move", &[]);
        assert!(distance(&game).abs_diff(reached) <= 10, "{}", distance(&game));
    }
    // No path may lead into a zone, or deeper into a zone that the unit is already in.
    let path = |north: f64| {
        let men = unit("light-battalion").figures(3).formation("full-skirmish").at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").figures(6).at(0.0, north).facing(180.0);
        let mut game = Game::new(("path-ahead", &[men]), ("hold", &[enemy]));
        game.phase("move", &[]);
        game.seen.refusals()
    };
    assert_eq!(path(4.1), []);
    assert_eq!(path(3.9), [Refusal::FireZone], "1.9 inches");
    assert_eq!(path(3.5), [Refusal::FireZone]);
    let mut inside = up_to(&[], 180.0);
    inside.battle.units[0].front = Point { x: 0, y: 460 };
    inside.phase("move", &[]);
    assert!(inside.first().front.y <= 461, "{:?}", inside.first().front);
}

/// A unit does not spread into a zone when it takes skirmish order.
#[test]
fn nobody_spreads_into_a_zone() {
    // Eight figures are 1.5" wide in column, and 14.5" in skirmish order. There is a zone ahead of them on the right.
    let forms = |east: f64| {
        let men = unit("light-battalion").formation("column").at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").figures(6).at(east, 1.2).facing(180.0);
        let mut game = Game::new(("form-full", &[men]), ("hold", &[enemy]));
        game.phase("formation", &[]);
        (game.state(&game.first()).0.to_owned(), game.seen.refusals())
    };
    assert_eq!(forms(4.0), ("column".into(), vec![Refusal::FireZone]));
    assert_eq!(forms(11.0), ("full-skirmish".into(), vec![]));
}

/// Linked screens of several units make one check on the best rating, and all of them go back if it fails.
#[test]
fn clause_9_49() {
    let men = |kind: &str, x: f64, out: u16| unit(kind).screen(out).at(x, 0.0).facing(0.0);
    // Two figures of a light battalion, 2.5" from end to end, and one grenadier beside them.
    let together = [men("light-battalion", 0.0, 2), men("grenadier-battalion", 4.4, 1)];
    let game = shot(&together, &[10, 1, 1, 1, 1, 1, 6, 4]);
    assert_eq!(game.roll("morale").bases, [9], "the rating of the grenadiers, not the 8 of the lights who were hit");
    assert_eq!(returns(&game), [Why::GroupFailed, Why::GroupFailed]);
    assert_eq!((game.nth(0).figures, game.nth(1).figures), (7, 12));
    game.saw("9.49");
    // If the lights have left the table, their two figures are all that is left of them (9.42): they test on their own
    // rating, and go back alone.
    let mut alone = Game::new(("hold", &together), ("fire-only", &[unit("line-battalion").at(0.0, 8.0).facing(180.0)]));
    alone.unit_mut(Side::First, 0).flags = Flags::GONE;
    alone.phase_of(Side::Second, "fire", &[10, 1, 1, 1, 1, 1, 6, 4]);
    assert_eq!((alone.roll("morale").bases.as_slice(), returns(&alone)), (&[8][..], vec![]));
    assert_eq!([2, 3].map(|row| alone.state(&alone.nth(row)).1.to_owned()), ["disordered", "good"]);
    // A gap of four inches between base edges does not separate them, but a hundredth more does. The survivor of the
    // two is where the middle of their row was.
    for (x, groups) in [(4.5, 2), (4.51, 1)] {
        let men = [men("light-battalion", 0.0, 2), men("grenadier-battalion", x, 1)];
        let game = shot(&men, &[10, 1, 1, 1, 1, 1, 6, 4]);
        assert_eq!(returns(&game).len(), groups, "the grenadier at {x}");
    }
    // With a gap of 4.5" there are two groups, and the grenadier stays out.
    let apart = [men("light-battalion", 0.0, 2), men("grenadier-battalion", 6.0, 1)];
    let game = shot(&apart, &[10, 1, 1, 1, 1, 1, 6, 4]);
    assert_eq!(returns(&game), [Why::GroupFailed]);
    assert_eq!((game.nth(0).figures, game.nth(1).figures), (7, 11));
    // Fourteen linked figures divide into seven and seven, and one group of seven goes back.
    let many: Vec<Men> = (0..7).map(|place| men("light-battalion", f64::from(place) * 5.0 - 15.0, 2)).collect();
    let game = shot(&many, &[10, 1, 1, 1, 1, 1, 6, 6]);
    let back: u16 = game
        .seen
        .events()
        .iter()
        .filter_map(|event| if let Event::Rejoined { figures, .. } = event { Some(*figures) } else { None })
        .sum();
    assert!((6..=7).contains(&back), "{back}: one of the seven has fallen");
    // More than a third of the rifles are deployed, so they test only for their own unit (9.48). They take no part in
    // the check of the screen beside them, although their rating is better.
    let nine = unit("third-rank-battalion").figures(9).screen(3).at(0.0, 0.0).facing(0.0);
    let rifles = unit("rifle-battalion").figures(8).screen(4).at(9.0, 0.0).facing(0.0);
    let game = shot(&[nine, rifles], &[10, 1, 1, 1, 1, 1, 6, 5]);
    assert_eq!(game.battle.unit(game.roll("morale").own).kin.index(), 0, "the third rank tests");
    assert_eq!((returns(&game), game.state(&game.nth(1)).1), (vec![Why::GroupFailed], "good"));
}

/// A group tests on its best rating, with the modifiers of the screen that is charged: horse rides it down (8.55).
#[test]
fn clause_8_55() {
    for (other, rating) in [("light-battalion", 8), ("grenadier-battalion", 9)] {
        let men = |kind: &str, x: f64, out: u16| unit(kind).screen(out).at(x, 0.0).facing(0.0);
        let out = if rating == 9 { 1 } else { 2 };
        let horse = unit("heavy-cavalry").figures(2).at(4.6, 10.0).facing(180.0);
        let together = [men(other, 0.0, out), men("light-battalion", 4.6, 2)];
        let mut game = Game::new(("charge", &[horse]), ("hold", &together));
        // The group tests against 8 or 9, minus 5. It fails with a 5, and all its figures go back.
        game.phase("charge", &[2, 3]);
        let (check, modifiers) = (game.roll("morale"), game.own_modifiers("morale"));
        assert_eq!((check.bases.as_slice(), modifiers.as_slice()), (&[rating][..], &["skirmishers-ridden-down"][..]));
        assert_eq!(returns(&game), [Why::GroupFailed; 2], "{other}");
        game.saw("8.55");
    }
}

/// A disordered unit deploys no figures, but those already deployed stay.
#[test]
fn clause_9_38() {
    for (morale, goes) in [("good", true), ("disordered", false)] {
        let men = unit("light-battalion").morale(morale).at(0.0, 0.0).facing(0.0);
        let mut game = game("detach-one", men);
        game.phase("formation", &[]);
        let barred = matches!(game.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::Bar(_))]);
        assert_eq!((!game.nth(1).gone(), barred), (goes, !goes), "{morale}");
        if !goes {
            game.saw("9.38");
        }
    }
    let mut out = self::game("hold", lights(8, 1).morale("disordered"));
    out.phase("move", &[]);
    assert_eq!(out.nth(1).figures, 1);
}

/// No figures deploy from a square or from all-around order.
#[test]
fn the_square_is_left_before_anybody_goes_out() {
    for formation in ["square", "all-around"] {
        let mut game = game("detach-one", unit("light-battalion").formation(formation).at(0.0, 0.0).facing(0.0));
        game.phase("formation", &[]);
        assert!(matches!(game.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::Bar(_))]), "{formation}");
    }
}

/// After a change of formation, no figure keeps its old one, so recalling skirmishers would be another change (9.35-N).
#[test]
fn skirmishers_are_not_taken_in_after_a_change() {
    for changed in [false, true] {
        let mut game = game(if changed { "form-column" } else { "hold" }, lights(8, 2));
        game.phase("formation", &[]);
        assert_eq!(game.first().flags.has(Flags::CHANGED), changed);
        for number in [0, 1] {
            game.unit_mut(Side::First, number).doctrine =
                crate::common::drill().doctrine("recall").expect("a doctrine");
        }
        game.phase("formation", &[]);
        assert_eq!((game.nth(1).gone(), game.seen.refusals().contains(&Refusal::Spent)), (!changed, changed));
    }
}

/// A unit deploys no figures if the fire that its announcement draws disorders it (8.17, 9.38).
#[test]
fn fire_may_forbid_what_was_announced() {
    let enemy = unit("line-battalion").figures(6).at(0.0, 1.9).facing(180.0);
    let men = unit("large-light-battalion").figures(9).at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("detach-four", &[men]), ("hold", &[enemy]));
    game.phase("formation", &[10, 10, 1, 5, 5]);
    assert_eq!((game.state(&game.first()).1, game.first().figures), ("disordered", 7));
    assert!(game.nth(1).gone());
    assert!(matches!(game.seen.refusals()[..], [Refusal::Screen(ScreenRefusal::Bar(_))]), "{:?}", game.seen.refusals());
}

/// A screen whose command is on the march already counts as disordered, so its failure routs the unit that shares its
/// fate (8.62, 9.37).
#[test]
fn clause_8_62() {
    let fails = |unsettled: bool, faces: [i32; 2]| {
        let shooter = unit("line-battalion").at(0.0, 8.0).facing(180.0);
        let mut game = Game::commanded(&[], ("attack", "road"), ("hold", &[lights(8, 3)]), ("fire-only", &[shooter]));
        game.battle.commands[0].unsettled = unsettled;
        game.phase_of(Side::Second, "fire", &[&[10, 10, 1, 1, 1, 1][..], &faces].concat());
        assert_eq!(returns(&game), [Why::SharedFate]);
        game.state(&game.first()).1.to_owned()
    };
    // On the march it has a penalty of 2, so it fails by as much with a roll that is 2 lower.
    assert_eq!(fails(false, [5, 5]), "disordered");
    assert_eq!(fails(true, [4, 4]), "routed");
}

/// A screen goes back to a unit inside another's square as it would to any other unit (9.36).
#[test]
fn screens_go_back_into_squares() {
    let host = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let guest = unit("large-light-battalion").figures(9).formation("square").screen(3).at(1.25, 0.0).facing(0.0);
    let enemy = unit("line-battalion").at(1.25, 8.0).facing(180.0);
    let mut game = Game::new(("join", &[host, guest]), ("fire-only", &[enemy]));
    game.phase("move", &[]);
    game.phase_of(Side::Second, "fire", &[10, 1, 1, 1, 1, 1, 6, 5]);
    assert_eq!(returns(&game), [Why::GroupFailed]);
    assert!(game.nth(2).gone());
}

/// The number of checks when horse charges near these units, whose command is on the march (8.62).
fn checks_before(horse: Men, units: &[Men]) -> usize {
    checks_of(crate::common::drill(), horse, units, |_| true)
}

/// The number of checks by skirmishers when horse charges near two screens of one group, whose commands are on the
/// march (8.62).
fn screens_checks_before(rules: &'static Rules, horse: Men, units: &[Men]) -> usize {
    checks_of(rules, horse, units, |unit| unit.flags.has(Flags::SCREEN))
}

/// The number of checks by some of these units when horse charges near them and their commands are on the march.
fn checks_of(rules: &'static Rules, horse: Men, units: &[Men], of: impl Fn(&Unit) -> bool) -> usize {
    let mut plan = deployment(("charge", &[horse]), ("hold", units));
    plan.sides.second.command.mode = Some("road".into());
    let mut game = Game::planned(rules, &plan);
    for command in &mut game.battle.commands {
        command.unsettled = true;
    }
    game.dice("charge", &[1; 30]);
    assert!(game.seen.cited().contains("7.65"), "{:?}", game.seen.events());
    let morale = game.rules.rolls.iter().position(|roll| roll.id == "morale").expect("a roll of the pack");
    let counts = |roll: &&grognard_engine::RollEvent| roll.roll.index() == morale && of(game.battle.unit(roll.own));
    game.seen.rolls().filter(counts).count()
}

/// A group makes one check for one charge, whether two of its screens are in the charge zone (7.65) or one is charged
/// and the other is in the zone.
#[test]
fn a_group_tests_once_for_a_charge() {
    let column = |kind: &str, east: f64, north: f64| {
        unit(kind).formation("column").figures(9).screen(1).at(east, north).facing(180.0)
    };
    let horse = |east: f64| unit("light-cavalry").figures(4).at(east, 0.0).facing(0.0);
    let target = unit("line-battalion").figures(6).at(0.0, 6.0).facing(180.0);
    let in_zone = |other: f64| {
        let screens = [column("line-battalion", -2.0, 17.0), column("line-battalion", other, 17.0)];
        screens_checks_before(crate::common::drill(), horse(0.0), &[&[target.clone()][..], &screens].concat())
    };
    assert_eq!((in_zone(1.5), in_zone(3.0)), (1, 2), "3 inches are a group, 4.5 are two");
    let charged = [column("grenadier-battalion", 0.0, 13.0), column("grenadier-battalion", 3.0, 13.0)];
    assert_eq!(screens_checks_before(crate::common::drill(), horse(0.0), &charged), 1);
}

/// If a row consists of several groups, the group that the charge comes up to makes its own check, even if a neighbour
/// has tested with another group (9.49).
#[test]
fn each_group_of_a_row_tests_for_a_charge() {
    // Three rifles are five inches apart, and the easternmost forms a group with the lights beyond it.
    let checks = |east: f64| {
        let lights =
            unit("large-light-battalion").figures(12).screen(3).formation("column").at(7.0, 15.0).facing(180.0);
        let rifles = unit("rifle-battalion").figures(9).screen(3).frontage(16.5).at(0.0, 17.0).facing(180.0);
        let target = unit("line-battalion").figures(6).at(east, 6.0).facing(180.0);
        let horse = unit("light-cavalry").figures(4).at(east, 0.0).facing(0.0);
        let nine = load_once("figures-drill", &["unit.rifle-battalion.figures=9"]);
        screens_checks_before(nine, horse, &[target, lights, rifles])
    };
    assert_eq!((checks(0.0), checks(5.0)), (2, 1), "before the middle of the rifles, before the one beside the lights");
}

/// If a row consists of two groups, each makes its own check. The group that was hit still tests, although a neighbour
/// has tested with the other group (9.49).
#[test]
fn each_group_of_a_row_tests() {
    // Three rifles are five inches apart; after one has fallen, the other two are 2.5" from the middle. Lights are an
    // inch and a half to two inches beyond the rifle on the right. Both rows lose a figure; the rifles lose theirs to
    // men in front of their left or their right.
    let checks = |east: f64| {
        let lights = unit("large-light-battalion").figures(12).screen(3).formation("column").at(7.0, 2.0).facing(0.0);
        let rifles = unit("rifle-battalion").figures(9).screen(3).frontage(16.5).at(0.0, 0.0).facing(0.0);
        let shooter = |east: f64, north: f64| unit("line-battalion").figures(2).at(east, north).facing(180.0);
        let enemies = [shooter(8.0, 6.0), shooter(east, 4.0)];
        let nine = load_once("figures-drill", &["unit.rifle-battalion.figures=9"]);
        let mut game = Game::under(nine, ("hold", &[lights, rifles]), ("fire-only", &enemies));
        game.dice_of(Side::Second, "fire", &[10, 10, 1, 1, 6, 6]);
        let tests = game.seen.rolls().filter(|roll| game.rules.rolls[roll.roll].id == "morale");
        (tests.count(), returns(&game).len(), [2, 3].map(|row| game.nth(row).figures))
    };
    assert_eq!(checks(-5.5), (2, 1, [2, 1]));
    assert_eq!(checks(5.0), (1, 0, [2, 2]));
}

/// If a row consists of two groups, the one with the figure nearest to the charge tests (9.49).
#[test]
fn the_group_that_is_charged_tests() {
    // Two rifles are five inches apart; a grenadier is three inches beyond the one on the right.
    let charged = |east: f64| {
        let horse = unit("heavy-cavalry").figures(1).at(east, 12.0).facing(180.0);
        let rifles = unit("rifle-battalion").figures(8).screen(2).frontage(11.0).at(0.0, 0.0).facing(0.0);
        let grenadiers = unit("grenadier-battalion").formation("column").screen(1).at(6.25, 0.0).facing(0.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[rifles, grenadiers]));
        // The test is against 9, minus 5 for horse (8.55).
        game.phase("charge", &[2, 3]);
        returns(&game)
    };
    assert_eq!(charged(2.75), [Why::GroupFailed; 2]);
    assert_eq!(charged(-2.75), [Why::GroupFailed]);
}

/// Figures that deploy or return do not change the formation without an order, however wide a front the player has set
/// (8.13, 9.35-N).
#[test]
fn figures_that_come_and_go_change_no_formation() {
    let men = |formation: &str| unit("large-light-battalion").formation(formation).abreast(3).at(0.0, 0.0).facing(0.0);
    let after = |doctrine: &str, men: Men| {
        let mut game = game(doctrine, men);
        game.phase("formation", &[]);
        let formed = game.seen.events().iter().filter(|event| matches!(event, Event::Formed { .. })).count();
        (game.state(&game.first()).0.to_owned(), game.first().figures, formed)
    };
    // Three figures in line take in five, which makes a line of eight. The six left of nine in column are two abreast,
    // no longer three.
    assert_eq!(after("recall", men("line").figures(8).screen(5)), ("line".into(), 8, 0));
    assert_eq!(after("detach-three", men("column").figures(9)), ("column".into(), 6, 0));
    // If they may not deploy because of an enemy's zone, the column is still three abreast (9.43).
    let enemy = unit("line-battalion").figures(6).at(0.0, 2.3).facing(180.0);
    let mut stays = Game::new(("detach-four", &[men("column").figures(10)]), ("hold", &[enemy]));
    stays.phase("formation", &[]);
    assert_eq!((stays.seen.refusals(), stays.ground(&stays.first()).width), (vec![Refusal::FireZone], 150));
}
