//! How players of this pack decide when the rules leave a choice: rows of `doctrine.toml`.

use grognard_dice::{NoDice, ScriptedDice};
use grognard_engine::hex;
use grognard_engine::{Event, HexEvent};

use super::{Board, From, at, from, misses};

/// The board after the southern side has moved as its doctrine says.
fn moved(own: &[super::Men], enemies: &[super::Men]) -> Board {
    let mut board = Board::led(("line", own), ("still", enemies));
    board.battle.phase = board.rules.phases.iter().position(|phase| phase.id == "move").expect("a phase") as u8;
    grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut NoDice, &mut board.seen);
    board
}

/// The distance between the first units of the two sides.
fn apart(board: &Board) -> i32 {
    hex::distance(board.unit(board.south(0)).front, board.unit(board.north(0)).front)
}

/// A unit with one block left keeps away from the enemy: it neither closes in nor stays in front of an enemy.
#[test]
fn last_blocks_keep_away() {
    for kind in ["medium-infantry", "heavy-infantry", "warriors", "medium-cavalry", "heavy-cavalry"] {
        for (far, blocks, closes) in [(2, 2, true), (2, 1, false), (1, 1, false)] {
            let own = [at(kind, (0, 1), 1).figures(blocks)];
            let board = moved(&own, &[at("light-infantry", (0, 1 - far), 4)]);
            let after = apart(&board);
            assert_eq!(after < far, closes, "{kind} with {blocks} blocks goes from {far} to {after}");
            assert!(blocks > 1 || after > 1, "{kind} stays in contact");
        }
    }
}

/// Auxilia close in with the line; other light foot with missiles keeps its distance.
#[test]
fn auxilia_move_as_line_foot() {
    for (kind, after) in [("auxilia", 1), ("medium-infantry", 1), ("light-infantry", 2), ("light-bow", 2)] {
        let board = moved(&[at(kind, (0, 0), 1)], &[at("medium-infantry", (0, -2), 4)]);
        assert_eq!(apart(&board), after, "{kind}");
    }
}

/// A war machine with a unit in range stays in place, because it could not fire after a move. It turns if it must.
#[test]
fn war_machines_stay_to_fire() {
    for place in [(0, -2), (-3, -1), (5, 0)] {
        let mut board = moved(&[at("war-machine", (0, 2), 1)], &[at("medium-infantry", place, 4)]);
        assert_eq!(board.place(board.south(0)), (0, 2), "{place:?}");
        let target = board.north(0);
        board.shoot(0, target, &misses(2));
    }
}

/// Regular foot gives ground if a hex behind it is free, however many blocks it has left. Otherwise it stands and takes
/// the hit.
#[test]
fn regular_foot_gives_ground() {
    for kind in ["medium-infantry", "heavy-infantry"] {
        let class = if kind == "medium-infantry" { "medium" } else { "heavy" };
        for blocks in [4, 2] {
            let line = [at(kind, (0, 0), 1).figures(blocks), at("auxilia", (-1, 1), 1), at("auxilia", (0, 1), 1)];
            for (friends, gives) in [(0, true), (1, true), (2, false)] {
                let attacker = [from("light-infantry", From::Front)];
                let mut board = Board::led(("still", &attacker), ("line", &line[..=friends]));
                let target = board.north(0);
                let dice = if kind == "medium-infantry" { 4 } else { 5 };
                let back = misses(if gives { 0 } else { dice });
                board.attack(0, target, &[&[class, "leader"][..], &back].concat());
                let unit = board.unit(target);
                assert_eq!((unit.figures, unit.front.y > 0), (blocks - u16::from(!gives), gives), "{kind}: {friends}");
            }
        }
    }
}

/// A unit that holds its ground and turns towards attacks also gives ground rather than lose a block.
#[test]
fn those_who_turn_give_ground() {
    for doctrine in ["yield", "turn-and-yield"] {
        let own = [from("light-infantry", From::Front)];
        let mut board = Board::led(("still", &own), (doctrine, &[at("medium-infantry", (0, 0), 1)]));
        let target = board.north(0);
        board.attack(0, target, &["medium", "leader"]);
        let unit = board.unit(target);
        assert_eq!((unit.figures, unit.front.y > 0), (4, true), "{doctrine}");
    }
    let own = [from("medium-infantry", From::Flank)];
    let mut board = Board::led(("still", &own), ("turn-and-yield", &[at("light-cavalry", (0, 0), 1)]));
    let target = board.north(0);
    board.attack(0, target, &misses(4 + 2));
    assert_ne!(board.facing(target), 1);
}

/// Foot under fire retreats a hex rather than pay a block to stand.
#[test]
fn foot_under_fire_does_not_pay_to_stand() {
    let line = [at("heavy-infantry", (1, 0), 4), at("auxilia", (2, 0), 4)];
    let mut board = Board::led(("still", &[at("light-bow", (0, 2), 1)]), ("line", &line));
    let target = board.north(0);
    board.shoot(0, target, &["flag", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target).1), (4, -1));
}

/// A unit that holds its ground attacks the enemy in front of it, and prefers to attack a flank.
#[test]
fn those_who_stand_attack_flanks_too() {
    for facing in [4, 1] {
        let own = [at("medium-infantry", (0, 0), 1)];
        let mut board = Board::led(("stand", &own), ("still", &[at("medium-infantry", (0, -1), facing)]));
        board.phase("close-combat", &mut grognard_dice::SeededDice::new(1815));
        let declared = |event: &Event| matches!(event, Event::Hex(HexEvent::Declared { .. }));
        assert!(board.seen.events().iter().any(declared), "an enemy facing {facing}");
    }
}

/// Beginners neither send a lone leader ahead nor move a war machine that has a target.
#[test]
fn beginners_keep_leaders_and_engines_back() {
    for kind in ["leader", "war-machine"] {
        let own = [at(kind, (0, 2), 1)];
        let mut board = Board::led(("first-game", &own), ("still", &[at("medium-infantry", (0, -2), 4)]));
        board.phase("move", &mut NoDice);
        assert_eq!(board.place(board.south(0)), (0, 2), "{kind}");
    }
}

/// With `repertoire = "declared"`, players choose how a unit moves, and each way has its own weights. A die decides for
/// a player who chooses at random.
#[test]
fn players_choose_how_a_unit_moves() {
    let wide = super::ground(&["repertoire=\"declared\""]);
    let distances = [1, 2, 3, 4, 5, 6].map(|face| {
        let enemies = [at("medium-infantry", (0, -3), 4)];
        let mut board = Board::under(wide, ("still", &[at("light-bow", (0, 0), 1)]), ("still", &enemies));
        board.setup.random.first = true;
        board.phase("move", &mut ScriptedDice::new([face]));
        apart(&board)
    });
    // The ways are to hold, move away, close up, flank, shoot and strike.
    assert!(distances[0] == 3 && distances[1] > 3 && distances[5] == 1, "{distances:?}");
    assert!([2, 3].contains(&distances[4]), "in range, and not in contact: {distances:?}");
}
