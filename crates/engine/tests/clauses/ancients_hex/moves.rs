//! Section I.B: free and paid turns.

use std::collections::BTreeSet;

use grognard_dice::{NoDice, SeededDice};
use grognard_engine::Flags;
use grognard_engine::hex::Act::{Pivot, Step, Turn};
use grognard_engine::hex::{self, Act, HexFlags};

use super::{Board, at, ground};

/// A unit of this type in the middle of the board, far from all units.
fn alone(kind: &str) -> Board {
    Board::new(&[at(kind, (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)])
}

/// Only units with orders turn, either while they move or by a pivot.
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
    // A step ahead is not a turn. Turns that cancel out still count as turns.
    let mut straight = alone("light-infantry");
    straight.march(0, &[Step(1)]).expect("a front hex");
    straight.saw_not("I.B-0");
    let mut weaves = alone("light-infantry");
    weaves.march(0, &[Turn(1), Step(3), Turn(-1), Step(2)]).expect("two hexes and two turns");
    assert_eq!(weaves.facing(weaves.south(0)), 1);
    weaves.saw("I.B-0");
}

/// A turn of 60 degrees without a move is free, even next to enemies.
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

/// A unit that only turns has neither moved nor entered the terrain that it is in (B33).
#[test]
fn a_turn_in_place_is_no_move() {
    let rules = ground(&["hex.terrain.forest.at=[\"0,0\", \"0,1\", \"-1,1\"]"]);
    let foe = [at("medium-infantry", (0, -4), 4)];
    for (act, moves) in [(Turn(1), false), (Step(4), true)] {
        let own = [at("heavy-infantry", (0, 0), if moves { 4 } else { 1 })];
        let mut board = Board::under(rules, ("still", &own), ("still", &foe));
        board.march(0, &[act]).expect("a turn or a hex");
        let unit = board.unit(board.south(0));
        assert_eq!((unit.flags.has(Flags::MOVED), unit.hex.flags.has(HexFlags::TIRED)), (moves, moves), "{act:?}");
    }
}

/// A unit has a free turn with each hex that it moves.
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

/// Free turns that cancel out still count as free turns, and follow a pattern: they let a unit keep its facing and
/// still leave its two front directions.
#[test]
fn turns_that_cancel_out_are_cited() {
    let bowmen = || Board::new(&[at("light-bow", (1, 1), 1)], &[at("heavy-infantry", (0, -4), 4)]);
    let mut board = bowmen();
    board.march(0, &[Step(1), Turn(-1), Step(0), Turn(1)]).expect("two hexes, two turns");
    assert_eq!((board.place(board.south(0)), board.facing(board.south(0))), ((3, 0), 1));
    for clause in ["I.B.1.b", "I.B.2-1", "I.B.2-2"] {
        board.saw(clause);
    }
    let mut board = bowmen();
    board.march(0, &[Step(1), Step(2)]).expect("two hexes ahead");
    for clause in ["I.B.1.b", "I.B.2-1", "I.B.2-2"] {
        board.saw_not(clause);
    }
    // A paid turn is not part of a pattern (A9).
    let mut board = bowmen();
    board.march(0, &[Step(1), Pivot(4)]).expect("a hex and a turn");
    board.saw("I.B.3");
    board.saw_not("I.B.2-2");
}

/// Free turns are cited in addition to a paid turn if the march needs them, but not instead of it (I.B.1.b, I.B.3).
#[test]
fn a_free_turn_is_cited_beside_a_paid_one() {
    let cavalry = |acts: &[Act]| {
        let mut board = alone("medium-cavalry");
        board.march(0, acts).expect("it has three hexes");
        board
    };
    for acts in [&[Pivot(4), Step(4), Turn(1)][..], &[Turn(-1), Step(0), Pivot(4)]] {
        let board = cavalry(acts);
        for clause in ["I.B.3", "I.B.1.b", "I.B.2-2"] {
            board.saw(clause);
        }
    }
    let board = cavalry(&[Pivot(4), Step(4), Step(5)]);
    board.saw("I.B.3");
    board.saw_not("I.B.1.b");
}

/// Of two routes to places of equal value, a unit takes the step aside that costs one hex, rather than a turn and a
/// step that cost two.
#[test]
fn a_step_aside_comes_before_a_costlier_turn() {
    // Only the distance counts. The farthest hexes are the two behind the unit, at the edge of the board. A river on
    // each side keeps it from moving around to them.
    let rules = ground(&[
        "hex.terrain.river.at=[\"0,3\", \"-2,3\"]",
        "doctrine.line.row.harass.weigh.distance=3",
        "doctrine.line.row.harass.weigh.dice=0",
        "doctrine.line.row.harass.weigh.flank=0",
        "doctrine.line.row.harass.weigh.fire=0",
        "doctrine.line.row.harass.weigh.bared=0",
        "doctrine.line.row.harass.weigh.threat=0",
        "doctrine.line.row.harass.weigh.retreat=0",
    ]);
    let own = [at("light-infantry", (-1, 3), 1)];
    let mut board =
        Board::under(rules, ("line", &own), ("still", &[at("heavy-infantry", (2, -4), 4)])).card("move-fire-move");
    board.phase("move", &mut NoDice);
    let unit = board.unit(board.south(0));
    assert_eq!((unit.front.y, board.facing(board.south(0)), unit.hex.steps), (4, 1, 1), "{:#?}", board.seen);
    board.saw("I.E.1-1");
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

/// Once a unit has begun a pattern, it keeps to that pattern.
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
    // Both moves of Move-Fire-Move form one sequence.
    let after = |first: &[Act]| {
        let mut board = alone("light-cavalry").card("move-fire-move");
        board.march(0, first).expect("a first move");
        board
    };
    after(&[Step(2), Turn(1)]).forbids(0, &[Turn(1), Step(2)], "I.B.2-2");
    after(&[Turn(1), Step(2)]).forbids(0, &[Step(2), Turn(1)], "I.B.2-2");
    after(&[Turn(1), Step(2)]).forbids(0, &[Turn(1)], "I.B.2-2");
    after(&[Turn(1)]).forbids(0, &[Step(2), Turn(1)], "I.B.2-2");
    // A unit that has turned in place does not turn there again, except by paying a hex of its move.
    for again in [&[Turn(1)][..], &[Turn(-1)], &[Turn(1), Step(2)]] {
        after(&[Turn(1)]).forbids(0, again, "I.B.1.a");
    }
    after(&[Turn(1)]).march(0, &[Pivot(4)]).expect("a turn that is paid for");
    for (first, second) in [
        (&[Step(2)][..], &[Turn(1), Step(2), Turn(1)][..]),
        (&[Step(2)], &[Turn(1)]),
        (&[Step(2), Turn(1)], &[Step(2), Turn(1)]),
        (&[Turn(1), Step(2)], &[Turn(1), Step(2)]),
        (&[Turn(1)], &[Step(2), Turn(1), Step(2)]),
    ] {
        after(first).march(0, second).unwrap_or_else(|breach| panic!("{first:?} and {second:?}: {breach:?}"));
    }
    // In its next turn, it may choose the other pattern.
    let mut board = after(&[Step(2), Turn(1)]);
    board.phase("close-combat", &mut SeededDice::new(1815));
    let unit = board.south(0);
    grognard_engine::hex::order(&mut board.battle, unit);
    board.march(0, &[Turn(-1), Step(1)]).expect("another turn");
}

/// Whatever part of the pattern a first move has used, the places that a second one can reach are those found by trying
/// marches act by act.
#[test]
fn second_moves_reach_what_single_marches_reach() {
    for (pivot, first) in [
        (0, &[][..]),
        (0, &[Turn(1)]),
        (0, &[Step(2)]),
        (0, &[Step(2), Turn(1)]),
        (0, &[Turn(1), Step(2)]),
        (3, &[Turn(1)]),
    ] {
        let rules = ground(&[&format!("provision.pivot.amount={pivot}")]);
        let own = [at("light-infantry", (0, 0), 1)];
        let far = [at("heavy-infantry", (0, -4), 4)];
        let mut board = Board::under(rules, ("still", &own), ("still", &far)).card("move-fire-move");
        board.march(0, first).expect("a first move");
        let id = board.south(0);
        let whole = hex::reach(board.rules, &board.setup, &board.battle, id);
        let singly = hex::reach_by_marches(board.rules, &board.setup, &board.battle, id);
        assert_eq!(whole, singly, "after {first:?}");
    }
}

/// The part of the pattern used by a unit that moves by doctrine is the part used by some march to the same place.
#[test]
fn doctrine_keeps_the_pattern_of_its_march() {
    let rules = ground(&["provision.pivot.amount=0"]);
    let turns = [None, Some(Turn(1)), Some(Turn(-1))];
    let steps = || std::iter::once(None).chain((0..6).map(|way| Some(Step(way))));
    let mut marches: Vec<Vec<Act>> = vec![vec![]];
    for slot in 0..5 {
        let next: Vec<Option<Act>> = if slot % 2 == 0 { turns.to_vec() } else { steps().collect() };
        marches = marches
            .iter()
            .flat_map(|march| next.iter().map(move |&act| march.iter().copied().chain(act).collect()))
            .collect();
    }
    let state = |board: &Board| {
        let id = board.south(0);
        let flags = board.unit(id).hex.flags;
        let pattern = [HexFlags::STEPPED, HexFlags::TURNED, HexFlags::TURNED_FIRST].map(|flag| flags.has(flag));
        ((board.place(id), board.facing(id), board.unit(id).hex.steps), pattern)
    };
    let ends = |march: &[Act]| {
        let ways = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)];
        march.iter().fold((0, 0), |(q, r), act| match act {
            Step(way) => (q + ways[usize::from(*way)].0, r + ways[usize::from(*way)].1),
            _ => (q, r),
        })
    };
    let mut seen = BTreeSet::new();
    for place in [(0, -4), (-1, -3), (3, -3), (-3, 1), (3, 0), (0, 3)] {
        let own = [at("light-infantry", (0, 0), 1)];
        let foe = [at("heavy-infantry", place, 4)];
        let mut board = Board::under(rules, ("line", &own), ("still", &foe)).card("move-fire-move");
        let start = board.battle.clone();
        board.phase("move", &mut NoDice);
        let (there, pattern) = state(&board);
        let mut patterns = BTreeSet::new();
        for march in marches.iter().filter(|march| ends(march) == there.0) {
            board.battle = start.clone();
            if board.march(0, march).is_ok() && state(&board).0 == there {
                patterns.insert(state(&board).1);
            }
        }
        assert!(patterns.contains(&pattern), "towards {place:?}: {there:?} with {pattern:?}, and not {patterns:?}");
        seen.insert(pattern);
    }
    assert!(seen.len() > 1, "all alike: {seen:?}");
}

/// A hex of the move pays for a turn of up to 180 degrees.
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
