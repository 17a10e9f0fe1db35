//! KQ1, HD1 to HD3, and HD10: the turn, points, what they buy, and the winner.

use super::*;
use crate::common::Picks;

/// A side's turn: de-shaking, PIP phase, firing, charges.
#[test]
fn clause_kq1() {
    let titles: Vec<&str> = pips().phases.iter().map(|phase| phase.id.as_str()).collect();
    assert_eq!(titles, ["deshake", "pip", "flee", "fire", "charge"]);
    let game = pip("contact", infantry(0.0, 3.0, 180.0), defender(), 1);
    game.saw("KQ1");
}

/// Each general rolls one die in the PIP phase; unspent points are lost.
#[test]
fn clause_hd1() {
    let mut game = game(("contact", &[infantry(0.0, 3.0, 180.0)]), ("hold", &[defender()]));
    let idle = game.battle.orders;
    game.phase("deshake", &[]);
    assert_eq!(game.battle.orders, idle, "nothing is thrown while units de-shake");
    game.phase("pip", &[4]);
    assert_eq!((thrown(&game), game.left()), (vec![4], 3));
    assert_eq!(game.battle.orders, idle, "three points that nobody used are lost");
    game.saw("HD1");
    // The other side's turn has its own die.
    game.phase_of(Side::Second, "pip", &[2]);
    assert_eq!(thrown(&game), [4, 2]);
}

fn thrown(game: &Game) -> Vec<u16> {
    let points = |event: &Event| match event {
        Event::Orders { orders, .. } => Some(*orders),
        _ => None,
    };
    game.seen.events().iter().filter_map(points).collect()
}

/// The orders that points can buy.
#[test]
fn clause_hd2() {
    let costs: Vec<(&str, u8)> = pips().acts.iter().map(|act| (act.id.as_str(), act.cost)).collect();
    for (act, cost) in costs {
        assert_eq!(cost, if matches!(act, "rally" | "spike") { 2 } else { 1 }, "{act}");
    }
    pip("contact", infantry(0.0, 3.0, 180.0), defender(), 1).saw("HD2");
}

/// A unit moves once a turn, and pivots once.
#[test]
fn clause_hd3() {
    let game = pip("move-twice", infantry(0.0, 0.0, 0.0), far_away(), 3);
    assert_eq!((game.paid(), game.barred()), (vec!["move"], vec![("move", "moved")]));
    game.saw("HD3");
    let game = pip("face-twice", defender(), infantry(2.5, 0.0, 0.0), 3);
    assert_eq!((game.paid(), game.barred()), (vec!["pivot"], vec![("pivot", "pivoted")]));
    game.saw("HD3");
}

/// A side breaks at the end of a turn if a third of its units are destroyed or silenced; artillery counts half.
#[test]
fn clause_hd10() {
    let foot = |east: f64| infantry(east, 10.0, 180.0);
    let guns = |east: f64| by_centre("foot-artillery", east, 10.0, 180.0, 1.0).morale("silenced");
    let ends = |second: &[Men]| {
        let mut game = game(("hold", &[infantry(0.0, -10.0, 0.0)]), ("hold", second));
        game.phase("charge", &[]);
        (game.outcome.map(|outcome| outcome.winner), game)
    };
    // Half a unit is a fifth of two and a half, a quarter of two, and a third of one and a half.
    assert_eq!(ends(&[foot(0.0), foot(4.0), guns(8.0)]).0, None);
    let (over, game) = ends(&[foot(0.0), guns(8.0)]);
    assert_eq!(over, Some(Some(Side::First)));
    game.saw("HD10");
    // If both are broken, the side with the smaller share wins: a third against all.
    let broken = [infantry(0.0, -10.0, 0.0), by_centre("foot-artillery", 6.0, -10.0, 0.0, 1.0).morale("silenced")];
    let mut both = super::game(("hold", &broken), ("hold", &[guns(0.0)]));
    both.phase("charge", &[]);
    assert_eq!(both.outcome.map(|outcome| outcome.winner), Some(Some(Side::First)));
    // At the turn limit, the shares are compared: nothing against a fifth.
    let mut last = super::game(("hold", &[infantry(0.0, -10.0, 0.0)]), ("hold", &[foot(0.0), foot(4.0), guns(8.0)]));
    last.battle.turn = last.setup.turns;
    last.phase_of(Side::Second, "charge", &[]);
    assert_eq!(last.outcome.map(|outcome| outcome.winner), Some(Some(Side::First)));
    // Routed units still count as present.
    assert_eq!(ends(&[foot(0.0).morale("routed")]).0, None);
}

/// Dice that could give negative points are refused, and the message cites the clause.
#[test]
fn negative_points_are_refused() {
    use grognard_source::{Absent, Override, Sources};
    let mut sources = Sources::new();
    let mut pack = grognard_rules::library::load("napoleonic-pips", None, &mut sources).expect("a built-in pack");
    for change in ["die.point.faces.0=-1", "activation.dice=\"3point\""] {
        let file = sources.add("--set", change);
        let change = Override::parse(file, &sources).expect("a path and a value");
        pack.document.set(&change, Absent::Refuse).expect("a value of the pack");
    }
    let faults = pack.compile(&sources).expect_err("negative points").render(&sources, false);
    assert!(faults.contains("can be negative") && faults.contains("HD1"), "{faults}");
}

/// A side chooses which unit gets the next order (HD2).
#[test]
fn a_player_chooses_whom_to_order() {
    let contacts = |points: u16, places: &[usize]| {
        let near = [infantry(0.0, 3.0, 180.0), infantry(4.0, 4.0, 180.0), infantry(8.0, 20.0, 180.0)];
        let second = unit("infantry").at(4.0, 0.5).facing(0.0);
        let mut game = game(("contact", &near), ("hold", &[defender(), second]));
        let mut player = Picks::new(places.iter().copied());
        game.points(points).phase_as("pip", &[], &mut player);
        let touching = (0..3).filter(|&number| game.nth(number).front.y < 100).collect::<Vec<_>>();
        (player.offered, touching)
    };
    // The nearest unit is offered first, as the doctrine would choose it.
    assert_eq!(contacts(1, &[0]), (vec![vec![0, 1, 2]], vec![0]));
    assert_eq!(contacts(1, &[1]), (vec![vec![0, 1, 2]], vec![1]));
    assert_eq!(contacts(2, &[1]), (vec![vec![0, 1, 2], vec![0, 2]], vec![0, 1]));
    // Without points there is nothing to choose.
    assert_eq!(contacts(0, &[]), (vec![], vec![]));
}
