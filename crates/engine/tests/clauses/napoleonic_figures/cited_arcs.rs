//! The direction of an attack is cited only if it makes a difference.

use grognard_engine::plane::Arc;
use grognard_engine::{Event, Refusal};

use super::{charged_in_the_rear, s6, skirmishers};
use crate::common::{Game, Men, Recorder, load_with, unit};

/// Horse 6.5" away on this bearing charges a unit that faces north. The game ends after the reactions to the charge.
fn rushed(target: &Men, bearing: f64, faces: &[i32]) -> Game {
    let horse = unit("heavy-cavalry").figures(3).bearing(bearing, 6.5).facing(bearing + 180.0);
    // With a second unit, the battle continues when the first one breaks.
    let other = unit("line-battalion").at(30.0, 20.0).facing(0.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[target.clone().at(0.0, 0.0).facing(0.0), other]));
    game.phase("charge", faces);
    game
}

/// The same game after the shock.
fn fought(mut game: Game) -> Game {
    game.seen = Recorder::default();
    game.phase("shock", &[3, 3, 3, 3]);
    game
}

/// Two guns on this bearing, 7.5" from the middle of the unit, shoot down one figure, and the unit tests.
fn shelled(target: &Men, bearing: f64) -> Game {
    let guns = unit("field-battery").cannon(2).bearing(bearing, 7.5);
    let target = target.clone().at(0.0, 0.25).facing(0.0);
    let mut game = Game::new(("fire-only", &[guns]), ("hold", &[target]));
    game.phase("fire", &[10, 1, 3, 3]);
    assert!(game.roll("morale").foe.is_some());
    game
}

/// Which of these clauses the last roll cites.
fn last<'c>(game: &Game, clauses: &[&'c str]) -> Vec<&'c str> {
    let cited = game.seen.cited_by_last_roll();
    clauses.iter().copied().filter(|&clause| cited.contains(clause)).collect()
}

const ALL_ROUND: [&str; 5] = ["7.21", "7.21a", "7.21b", "7.21c", "7.22"];

/// Skirmishers who break before horse in their rear would be caught in the rear if they faced one way.
#[test]
fn clause_7_21a() {
    for (bearing, cited) in [(0.0, false), (90.0, true), (180.0, true)] {
        let game = rushed(&skirmishers(4), bearing, &[6, 6]);
        assert_eq!(game.state(&game.second()).1, "routed");
        assert_eq!(
            last(&game, &ALL_ROUND),
            if cited { &["7.21", "7.21a", "7.22"][..] } else { &[] },
            "{bearing} degrees"
        );
        assert_eq!(game.seen.cited().contains("7.21a"), cited, "{bearing} degrees");
    }
}

/// A square charged by horse from the side does not test as a unit caught in the flank.
#[test]
fn clause_7_22() {
    let square = unit("line-battalion").figures(8).formation("square");
    for (bearing, cited) in [(0.0, &[][..]), (90.0, &["7.21", "7.21b", "7.22"])] {
        assert_eq!(last(&rushed(&square, bearing, &[1, 3, 3]), &ALL_ROUND), cited, "{bearing} degrees");
    }
    // Artillery fire is not a charge.
    assert_eq!(last(&shelled(&square.figures(6), 90.0), &ALL_ROUND), [""; 0]);
}

/// A square is massed from every side. Fire from its side finds no flank to rake, but that would matter only if the
/// square were linear.
#[test]
fn clause_7_21b() {
    let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let linear = || Box::leak(Box::new(load_with("figures-drill", &["formation.square.target=\"linear\""])));
    for (at, facing, raked) in [((-7.5, -0.75), 90.0, true), ((0.0, -9.0), 0.0, false)] {
        let guns = unit("field-battery").cannon(2).at(at.0, at.1).facing(facing);
        let (guns, square) = ([guns], std::slice::from_ref(&square));
        let mut massed = Game::new(("fire-only", &guns), ("hold", square));
        massed.phase("fire", &[1, 1]);
        assert_eq!(last(&massed, &ALL_ROUND), [""; 0], "{at:?}");
        let mut line = Game::under(linear(), ("fire-only", &guns), ("hold", square));
        line.phase("fire", &[1, 1]);
        assert_eq!(last(&line, &ALL_ROUND), if raked { &["7.21", "7.21b", "7.22"][..] } else { &[] }, "{at:?}");
    }
    rushed(&square, 180.0, &[1, 3, 3]).saw("7.21b");
}

/// All-around order lacks a square's morale bonus and its defence, but this matters only against cavalry.
#[test]
fn clause_7_21c() {
    let around = |figures: u16| unit("line-battalion").figures(figures).formation("all-around");
    for (figures, cited) in [(8, &["7.21c"][..]), (1, &[])] {
        let stands = rushed(&around(figures), 0.0, &[1, 1, 1]);
        assert_eq!(last(&stands, &ALL_ROUND), cited, "{figures} figures");
        assert_eq!(last(&fought(stands), &ALL_ROUND), cited, "{figures} figures");
    }
    let foot = unit("line-battalion").figures(4).at(0.0, 4.0).facing(180.0);
    let mut game = Game::new(("charge", &[foot]), ("hold", &[around(8).at(0.0, 0.0).facing(0.0)]));
    game.phase("charge", &[1, 1, 1]);
    fought(game).saw_no("7.21c");
}

/// Depth gives no morale bonus to a column that is hit in the flank.
#[test]
fn clause_7_13() {
    let arcs = ["7.11", "7.13", "7.14"];
    let column = s6().formation("column");
    assert_eq!(last(&shelled(&column, 0.0), &arcs), ["7.11"]);
    assert_eq!(last(&shelled(&column, 90.0), &arcs), ["7.11", "7.13"]);
    assert_eq!(last(&shelled(&column, 180.0), &arcs), ["7.11", "7.14"]);
    // Neither a line nor a disordered column has a bonus to lose.
    assert_eq!(last(&shelled(&s6(), 90.0), &arcs), [""; 0]);
    assert_eq!(last(&shelled(&column.morale("disordered"), 90.0), &arcs), [""; 0]);
}

/// Units that break before a frontal charge turn their rear to it, which makes no difference unless they are caught.
#[test]
fn clause_7_14() {
    let broken = rushed(&skirmishers(8), 0.0, &[6, 6]);
    assert!(broken.seen.events().iter().any(|event| matches!(event, Event::Contact { .. })));
    broken.saw_no("7.14");
    broken.saw_no("7.11");
    let caught = fought(broken);
    assert_eq!(caught.roll("shock").exposed.1, Arc::Rear);
    caught.saw("7.14");
    caught.saw("7.11");
    // Units that hold their ground are struck in the arc that they show.
    charged_in_the_rear().saw("7.14");
}

/// A disordered column tests without the bonus that its depth gives it in front.
#[test]
fn clause_8_53() {
    let column = s6().formation("column").morale("disordered");
    assert_eq!(last(&shelled(&column, 0.0), &["8.53"]), ["8.53"]);
    assert_eq!(last(&shelled(&column, 90.0), &["8.53"]), [""; 0]);
    assert_eq!(last(&shelled(&s6().morale("disordered"), 0.0), &["8.53"]), [""; 0]);
    assert_eq!(last(&shelled(&s6().formation("column"), 0.0), &["8.53"]), [""; 0]);
}

/// The direction of an attack is judged when the charge is declared. A unit that turns to run is not attacked again.
#[test]
fn clause_7_63() {
    charged_in_the_rear().saw("7.63");
    rushed(&s6(), 90.0, &[1, 1]).saw("7.63");
    let broken = rushed(&skirmishers(8), 0.0, &[6, 6]);
    broken.saw_no("7.63");
    fought(broken).saw_no("7.63");
    fought(charged_in_the_rear()).saw_no("7.63");
    // Units that may not charge do not attack from any direction.
    let mut refused = Game::new(("charge", &[skirmishers(4).at(0.0, -3.0)]), ("hold", &[s6()]));
    refused.phase("charge", &[]);
    assert_eq!(refused.seen.refusals(), [Refusal::MayNotCharge]);
    refused.saw_no("7.63");
}

/// A charger that comes in at an angle counts all its figures. A target that outnumbers all of them does not need the
/// clause.
#[test]
fn clause_7_64() {
    let charged = |charger: Men, target: Men, faces: &[i32]| {
        let mut game = Game::new(("charge", &[charger]), ("hold", &[target]));
        game.phase("charge", faces);
        fought(game)
    };
    let line = |figures: u16| unit("line-battalion").figures(figures);
    // The nearest base centre of the eight is at 1.15", beyond the limit of 1.101".
    let slant = charged(line(4).at(0.0, 0.0).facing(0.0), line(8).at(2.9, 4.0).facing(180.0), &[1, 1, 1, 1, 3, 3]);
    assert_eq!(slant.roll("shock").exposed, (Arc::Flank, Arc::Front));
    assert_eq!(slant.foe_modifiers("shock"), ["outnumbers"]);
    assert_eq!(last(&slant, &["7.64"]), [""; 0]);
    // Four figures in S6's flank outnumber it only because just two of its six figures count.
    let struck = charged(line(4).at(6.0, -0.25).facing(270.0), s6(), &[1, 1]);
    assert_eq!(struck.own_modifiers("shock"), ["impetus", "outnumbers"]);
    struck.saw("7.64");
}

/// A loser with no figures left makes no forced move.
#[test]
fn clause_8_16() {
    let shock = |charger: u16, target: u16, faces: &[i32]| {
        let horse = unit("heavy-cavalry").figures(charger).at(0.0, 4.0).facing(180.0);
        let men = unit("line-battalion").figures(target).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("charge", &[horse]), ("hold", &[men]));
        // The closing fire misses, and the test is passed.
        game.phase("charge", &vec![1; usize::from(target).div_ceil(2) + 2]);
        game.seen = Recorder::default();
        game.phase("shock", faces);
        let left = [game.first(), game.second()].map(|unit| unit.figures);
        (game.seen.cited_by_first_roll().contains("8.16"), left)
    };
    // First the charger is thrown back and loses 1 figure: 2 and 3 against 8 plus the bonus for numbers. Then it is
    // shattered and loses 2: 5 against 12.
    assert_eq!(shock(1, 6, &[1, 1, 4, 4]), (false, [0, 6]));
    assert_eq!(shock(2, 6, &[1, 1, 4, 4]), (true, [1, 6]));
    assert_eq!(shock(2, 6, &[1, 1, 6, 6]), (false, [0, 6]));
    assert_eq!(shock(3, 6, &[1, 1, 6, 6]), (true, [1, 6]));
    // First the target is pushed back and loses 1 figure: 3 + 3 + 1 against 5, then 3 + 3 against 5. Then it is ridden
    // down and loses 2: at least 12 against 2.
    assert_eq!(shock(2, 1, &[1, 2, 2, 3]), (false, [2, 0]));
    assert_eq!(shock(2, 2, &[1, 2, 2, 3]), (true, [2, 1]));
    assert_eq!(shock(2, 2, &[6, 6, 1, 1]), (false, [2, 0]));
    assert_eq!(shock(2, 3, &[6, 6, 1, 1]), (true, [2, 1]));
    // Units that are already fleeing cannot be routed.
    let routed = fought(rushed(&unit("line-battalion").figures(12).morale("routed"), 180.0, &[]));
    assert!(!routed.seen.cited_by_first_roll().contains("8.16"));
}
