//! Section I.B: turns, free and paid for.

use grognard_engine::hex::Act::{Pivot, Step, Turn};

use super::{Board, at};

/// A unit of this type in the middle of the board, far from everybody.
fn alone(kind: &str) -> Board {
    Board::new(&[at(kind, (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)])
}

/// Only units with orders turn, while they move or by a pivot.
#[test]
fn clause_i_b_0() {
    let mut board = Board::new(&[at("medium-infantry", (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)]);
    board.battle.units[0].hex.flags = Default::default();
    board.forbids(0, &[Turn(-1)], "I.B-0");
    let unit = board.south(0);
    grognard_engine::hex::order(&mut board.battle, unit);
    board.march(0, &[Turn(-1)]).expect("it has orders");
    assert_eq!(board.facing(board.south(0)), 0);
    board.saw("I.B-0");
}

/// Standing still, 60 degrees are free, next to enemies too.
#[test]
fn clause_i_b_1_a() {
    for (spines, facing) in [(1, 2), (-1, 0)] {
        let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &[at("medium-infantry", (0, -1), 4)]);
        let march = board.march(0, &[Turn(spines)]).expect("a free turn");
        assert_eq!((march.spent, board.facing(board.south(0))), (0, facing));
        board.saw("I.B.1.a");
    }
    let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &[at("medium-infantry", (0, -1), 4)]);
    board.forbids(0, &[Turn(2)], "I.B.1.a");
    board.forbids(0, &[Turn(1), Turn(1)], "I.B.1.a");
    board.march(0, &[Turn(1)]).expect("a free turn");
    assert_eq!(board.targets(0).len(), 1, "it may still attack");
}

/// A free turn with each hex moved.
#[test]
fn clause_i_b_1_b() {
    let mut board = alone("medium-cavalry");
    board.march(0, &[Step(1), Turn(1), Step(2), Turn(1), Step(3), Turn(1)]).expect("three hexes, three turns");
    assert_eq!(board.facing(board.south(0)), 4);
    board.saw("I.B.1.b");
    let mut board = alone("medium-cavalry");
    board.forbids(0, &[Step(1), Turn(3)], "I.B.1.b");
    let fourth = [Step(1), Turn(1), Step(2), Turn(1), Step(3), Turn(1), Turn(1)];
    assert!(alone("medium-cavalry").march(0, &fourth).is_err(), "a fourth turn is refused");
    let mut board = alone("heavy-infantry");
    board.march(0, &[Step(1), Turn(-1)]).expect("one hex, one turn");
    assert_eq!(board.facing(board.south(0)), 0);
}

/// A unit either moves and then turns, or turns and then moves.
#[test]
fn clause_i_b_2_1() {
    let mut board = alone("light-cavalry");
    let march = board.march(0, &[Step(1), Turn(1), Step(2), Turn(1)]).expect("move, turn, move, turn");
    assert!(!march.turned_first);
    board.saw("I.B.2-1");
    let mut board = alone("medium-infantry");
    let march = board.march(0, &[Turn(1), Step(2)]).expect("turn, move");
    assert!(march.turned_first);
    board.saw("I.B.2-1");
}

/// Once begun it keeps to the pattern.
#[test]
fn clause_i_b_2_2() {
    for acts in [&[Step(1), Turn(1), Turn(1), Step(3)][..], &[Turn(1), Step(2), Step(2), Turn(1)]] {
        alone("heavy-cavalry").forbids(0, acts, "I.B.2-2");
    }
    for acts in [&[Turn(1), Step(2), Turn(1), Step(3)][..], &[Step(1), Turn(1), Step(2)]] {
        let mut board = alone("heavy-cavalry");
        board.march(0, acts).expect("it fits a pattern");
        board.saw("I.B.2-2");
    }
}

/// A hex of the move buys a turn of up to 180 degrees.
#[test]
fn clause_i_b_3() {
    let mut board = alone("heavy-cavalry");
    board.march(0, &[Pivot(4), Step(5)]).expect("a pivot and a hex");
    assert_eq!((board.place(board.south(0)), board.facing(board.south(0))), ((0, 1), 4));
    board.saw("I.B.3");
    let mut board = alone("heavy-infantry");
    assert!(board.march(0, &[Pivot(4), Step(5)]).is_err(), "nothing is left to move with");
    board.march(0, &[Pivot(4)]).expect("a pivot alone");
    assert_eq!(board.facing(board.south(0)), 4);
    assert_eq!(board.unit(board.south(0)).hex.steps, 1, "it counts as a hex moved");
}
