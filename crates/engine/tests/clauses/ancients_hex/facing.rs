//! Sections I.A and I.D: facing, and the direction in which units fall back.

use grognard_engine::hex::{Act, arc};
use grognard_engine::plane::Arc;

use super::{Board, From, at, from, misses, refused};
use crate::common::unit;

/// A unit points at a corner of its hex; a facing of 60 degrees would point at a side.
#[test]
fn clause_i_a_1() {
    let far = [at("heavy-infantry", (0, -4), 4)];
    let faults = refused(&[unit("medium-infantry").at(0.0, 0.0).facing(60.0)], &far);
    assert_eq!(faults[0].path, "south.0.facing");
    assert!(faults[0].message.contains("I.A-1"), "{}", faults[0].message);
    let mut board = Board::new(&[unit("medium-infantry").at(0.0, 0.0).facing(90.0)], &far);
    assert_eq!(board.facing(board.south(0)), 1);
    board.march(0, &[Act::Turn(1)]).expect("it may turn");
    board.saw("I.A-1");
}

/// The two hexes ahead are the front, the two behind are the rear, and the one on each side is a flank.
#[test]
fn clause_i_a_2() {
    let arcs: Vec<Arc> = (0..6).map(|direction| arc(direction, 1)).collect();
    assert_eq!(arcs, [Arc::Flank, Arc::Front, Arc::Front, Arc::Flank, Arc::Rear, Arc::Rear]);
    for facing in 0..6 {
        let of = |wanted: Arc| (0..6).filter(|&direction| arc(direction, facing) == wanted).count();
        assert_eq!((of(Arc::Front), of(Arc::Flank), of(Arc::Rear)), (2, 2, 2));
    }
    let mut board = Board::new(&[at("medium-infantry", (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)]);
    board.march(0, &[Act::Step(1)]).expect("a front hex");
    board.saw("I.A-2");
}

/// A unit with orders steps only into its front hexes.
#[test]
fn clause_i_a_3() {
    let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)]);
    board.forbids(0, &[Act::Step(0)], "I.A-3");
    for (direction, place) in [(1, (1, -1)), (2, (0, -1))] {
        let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)]);
        board.march(0, &[Act::Step(direction)]).expect("a front hex");
        assert_eq!(board.place(board.south(0)), place);
        board.saw("I.A-3");
    }
    // By turning, it can also reach the hexes that a turn either way puts in front.
    let board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)]);
    assert_eq!(board.destinations(0), [(-1, 0), (0, -1), (1, -1), (1, 0)]);
    // Each further step goes into a front hex of the unit's new facing.
    let mut board = Board::new(&[at("light-infantry", (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)]);
    board.forbids(0, &[Act::Step(1), Act::Step(3)], "I.A-3");
    board.march(0, &[Act::Step(1), Act::Turn(1), Act::Step(3)]).expect("a front hex after the turn");
}

/// A unit has one facing for all its blocks, however many it loses.
#[test]
fn clause_i_a_4() {
    let mut board = Board::new(&[from("heavy-infantry", From::Front)], &[at("medium-infantry", (0, 0), 1)]);
    let target = board.north(0);
    let faces = ["medium", "medium", "leader", "leader", "leader"];
    board.attack(0, target, &[&faces[..], &misses(4)].concat());
    assert_eq!((board.unit(target).figures, board.facing(target)), (2, 1));
    // The facing belongs to the unit: no block can be given a different one.
    board.march(0, &[Act::Turn(1)]).expect("it may turn");
    board.saw("I.A-4");
}

/// Retreats go through the two rear hexes, whichever side of the board they are on.
#[test]
fn clause_i_d_1() {
    for (facing, ends) in [(1, [(-1, 1), (0, 1)]), (0, [(-1, 0), (-1, 1)])] {
        let mut board = Board::new(&[at("light-infantry", (1, -1), 4)], &[at("medium-infantry", (0, 0), facing)]);
        let target = board.north(0);
        board.attack(0, target, &["flag", "leader"]);
        assert!(ends.contains(&board.place(target)), "facing {facing}: {:?}", board.place(target));
        assert_eq!(board.facing(target), u8::try_from(facing).unwrap_or(0), "it does not turn");
        board.saw("I.D-1");
        board.saw_not("I.D-2");
    }
}

/// Evasion also goes through the rear hexes: if both are closed, the unit cannot evade.
#[test]
fn clause_i_d_2() {
    let evader = [at("light-infantry", (0, 0), 1)];
    let mut board = Board::led(("still", &[from("heavy-infantry", From::Front)]), ("shun", &evader));
    let target = board.north(0);
    board.attack(0, target, &misses(5));
    assert_eq!(board.place(target).1, 2, "two hexes to the rear");
    board.saw("I.D-2");
    board.saw_not("I.D-1");

    let closed = [at("light-infantry", (0, 0), 1), at("auxilia", (-1, 1), 1), at("auxilia", (0, 1), 1)];
    let mut board = Board::led(("still", &[from("heavy-infantry", From::Front)]), ("shun", &closed));
    let target = board.north(0);
    board.attack(0, target, &misses(5 + 2));
    assert_eq!(board.place(target), (0, 0), "it stands and battles back");
}

/// A leader without a unit moves back towards his own baseline.
#[test]
fn clause_i_d_3() {
    let mut board = Board::new(&[at("heavy-infantry", (0, 1), 2)], &[at("leader", (0, 0), 1)]);
    let leader = board.north(0);
    board.attack(0, leader, &["light"; 5]);
    let (q, r) = board.place(leader);
    assert_eq!((r, q + r >= -3), (-3, true), "three hexes north, whatever his heading: {q}, {r}");
    board.saw("I.D-3");
}
