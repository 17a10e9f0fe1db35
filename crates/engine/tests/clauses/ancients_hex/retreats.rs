//! Section II.F and II.H: passing the enemy in the rear, giving ground and standing fast.

use grognard_rules::model::Rules;

use super::{Board, From, at, from, ground, misses};

/// The game with a doctrine that converts: `give-ground`, or `stand-fast`.
fn converting(choice: &str) -> &'static Rules {
    let always = |row: &str| format!("doctrine.line.row.{row}.when=\"self.figures >= 1\"");
    let rows = [always(choice), always(&format!("{choice}-fire"))];
    ground(&[rows[0].as_str(), rows[1].as_str()])
}

/// Driven past an enemy in the rear: one block.
#[test]
fn clause_ii_f() {
    let mut board = Board::new(&[from("light-infantry", From::Rear)], &[at("medium-infantry", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target)), (3, (-1, 1)));
    board.saw("II.F");
    // From the front nothing of the kind happens.
    let mut board = Board::new(&[from("light-infantry", From::Front)], &[at("medium-infantry", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader"]);
    assert_eq!(board.unit(target).figures, 4);
    board.saw_not("II.F");
    // Elephants do not pass a foe that their own rampage has removed.
    let mut board = Board::new(&[from("light-infantry", From::Rear).figures(1)], &[at("elephants", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader", "leader", "light", "leader"]);
    assert!(board.unit(board.south(0)).gone());
    assert_eq!(board.unit(target).figures, 2);
    board.saw_not("II.F");
}

/// II.F: one block for a retreat that is made, and nothing for an evasion or for who is struck in answer.
#[test]
fn a_retreat_past_an_enemy_costs_one_block_once() {
    // Two flags are one retreat.
    let rear = [from("light-infantry", From::Rear)];
    let mut board = Board::new(&rear, &[at("medium-infantry", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &["flag", "flag", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target).1), (3, 2));
    // No hex of it can be made: the block for that hex (B24) is all that is lost. Half its dice answer.
    let mut board = Board::new(&rear, &[at("medium-infantry", (0, 0), 1), at("auxilia", (-1, 1), 1)]);
    board.attack(0, target, &[&["flag", "leader", "leader"][..], &misses(2)].concat());
    assert_eq!((board.unit(target).figures, board.place(target)), (3, (0, 0)));
    board.saw_not("II.F");
    // Evading past the enemy costs nothing.
    let rules = ground(&["doctrine.turn.row.react.do=\"evade\""]);
    let attacker = [from("medium-infantry", From::Rear)];
    let mut board = Board::under(rules, ("still", &attacker), ("turn", &[at("light-infantry", (0, 0), 1)]));
    board.attack(0, target, &misses(4 + 2));
    assert_eq!((board.unit(target).figures, board.place(target).1), (4, 2));
    board.saw_not("II.F");
    // Clash of Shields: the attacker strikes through its rear hex and is driven back past its target by the answer.
    let foe = [at("medium-infantry", (0, 1), 1)];
    let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &foe).card("clash-of-shields");
    board.attack(0, target, &[&misses(5 + 2)[..], &["flag"], &misses(4 - 1)].concat());
    let own = board.south(0);
    assert_eq!((board.unit(own).figures, board.place(own)), (4, (-1, 1)));
    board.saw_not("II.F");
}

/// Heavy and medium infantry struck on the front, in close combat or by fire; nobody else.
#[test]
fn clause_ii_h_0() {
    let rules = converting("stand-fast");
    let shot = |kind: &str, facing: i32| {
        let archers = [at("light-bow", (0, 2), 1)];
        let mut board = Board::under(rules, ("still", &archers), ("line", &[at(kind, (1, 0), facing)]));
        let target = board.north(0);
        board.shoot(0, target, &["flag", "leader"]);
        board
    };
    let board = shot("medium-infantry", 4);
    board.saw("II.H-0");
    for (kind, facing) in [("auxilia", 4), ("medium-infantry", 1)] {
        shot(kind, facing).saw_not("II.H-0");
    }
    // Warriors are medium, and are left out by name. They have lost a block, so that they ignore no flag.
    let warriors = |facing: i32| [at("warriors", (0, 0), facing).figures(3)];
    for (choice, face) in [("stand-fast", "flag"), ("give-ground", "medium")] {
        let rules = converting(choice);
        let archers = [at("light-bow", (-1, 2), 1)];
        let mut board = Board::under(rules, ("still", &archers), ("line", &warriors(4)));
        let target = board.north(0);
        board.shoot(0, target, &[face, "leader"]);
        assert_eq!(board.unit(target).figures, if face == "flag" { 3 } else { 2 });
        assert_eq!(board.place(target) == (0, 0), face == "medium");
        board.saw_not("II.H-0");
        let attacker = [from("heavy-infantry", From::Front)];
        let mut board = Board::under(rules, ("still", &attacker), ("line", &warriors(1)));
        // Who has not been driven back answers with three dice.
        let answer = misses(if face == "flag" { 0 } else { 3 });
        board.attack(0, target, &[&[face][..], &misses(4), &answer].concat());
        assert_eq!(board.unit(target).figures, if face == "flag" { 3 } else { 2 });
        assert_eq!(board.place(target) == (0, 0), face == "medium");
        board.saw_not("II.H-0");
    }
    // An attacker that is struck in answer converts nothing.
    for (choice, face) in [("stand-fast", "flag"), ("give-ground", "heavy")] {
        let attacker = [from("heavy-infantry", From::Front)];
        let own = [at("medium-infantry", (0, 0), 1)];
        let mut board = Board::under(converting(choice), ("line", &attacker), ("still", &own));
        let target = board.north(0);
        board.attack(0, target, &[&misses(5)[..], &[face], &misses(3)].concat());
        let attacker = board.unit(board.south(0));
        assert_eq!(attacker.figures, if face == "flag" { 4 } else { 3 });
        assert_eq!(board.place(board.south(0)) == (1, -1), face == "heavy");
        board.saw_not("II.H-0");
    }
}

/// A colour hit becomes a flag that cannot be ignored.
#[test]
fn clause_ii_h_1() {
    let rules = converting("give-ground");
    let supports = [at("medium-infantry", (0, 0), 1), at("auxilia", (-1, 0), 1), at("auxilia", (1, 0), 1)];
    let attacker = [from("heavy-infantry", From::Front)];
    let mut board = Board::under(rules, ("still", &attacker), ("line", &supports));
    let target = board.north(0);
    board.attack(0, target, &["medium", "medium", "swords", "flag", "leader"]);
    assert_eq!(board.unit(target).figures, 2, "one triangle and the sword");
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "one hex for the forced flag; the rolled one is ignored");
    board.saw("II.H.1");
    // With the forced flag alone it goes all the same: its supports do not let it ignore that one.
    let mut board = Board::under(rules, ("still", &attacker), ("line", &supports));
    board.attack(0, target, &["medium", "medium", "swords", "leader", "leader"]);
    assert_eq!(board.unit(target).figures, 2);
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "{:?}", board.place(target));
    // Without supports the rolled flag drives it a second hex.
    let mut board = Board::under(rules, ("still", &attacker), ("line", &supports[..1]));
    board.attack(0, target, &["medium", "flag", "leader", "leader", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target).1), (4, 2));
    // A unit that the other hits remove saves nothing by giving ground.
    for (blocks, converts) in [(1, false), (2, true)] {
        let last = [at("medium-infantry", (0, 0), 1).figures(blocks)];
        let mut board = Board::under(rules, ("still", &attacker), ("line", &last));
        board.attack(0, target, &["medium", "swords", "leader", "leader", "leader"]);
        assert_eq!(board.unit(target).gone(), !converts);
        if converts { board.saw("II.H.1") } else { board.saw_not("II.H.1") }
    }
}

/// Not before elephants.
#[test]
fn clause_ii_h_1_x() {
    let rules = converting("give-ground");
    let mut board =
        Board::under(rules, ("still", &[from("elephants", From::Front)]), ("line", &[at("heavy-infantry", (0, 0), 1)]));
    let target = board.north(0);
    // Five dice, as heavy infantry would roll; what is left of it battles back against elephants with five.
    board.attack(0, target, &[&["heavy", "heavy", "leader", "leader", "leader"][..], &misses(5)].concat());
    assert_eq!((board.unit(target).figures, board.place(target)), (2, (0, 0)));
    board.saw("II.H.1-x");
}

/// A flag becomes a hit, and the unit holds its ground.
#[test]
fn clause_ii_h_2() {
    let rules = converting("stand-fast");
    // The unit needs a friend next to it, by the doctrine; one alone lets it ignore nothing.
    let line = [at("heavy-infantry", (1, 0), 4), at("auxilia", (2, 0), 4)];
    let mut board = Board::under(rules, ("still", &[at("light-bow", (0, 2), 1)]), ("line", &line));
    let target = board.north(0);
    board.shoot(0, target, &["flag", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target)), (3, (1, 0)));
    board.saw("II.H.2");
    // Friends beside it, flags, blocks left, hexes it goes: flags that it may ignore are set aside, and a block is paid only if
    // the unit then stands.
    for (friends, flags, blocks, gone) in [(0, 1, 3, 0), (0, 2, 4, 2), (2, 1, 4, 0), (2, 2, 3, 0)] {
        let line = [at("heavy-infantry", (1, 0), 4), at("auxilia", (2, 0), 4), at("auxilia", (0, 0), 4)];
        let mut board = Board::under(rules, ("still", &[at("light-bow", (0, 2), 1)]), ("line", &line[..=friends]));
        board.shoot(0, target, &[&["flag", "flag"][..flags], &misses(2 - flags)].concat());
        assert_eq!((board.unit(target).figures, -board.place(target).1), (blocks, gone), "{friends} and {flags}");
        if blocks == 3 { board.saw("II.H.2") } else { board.saw_not("II.H.2") }
    }
}

/// Not before elephants either.
#[test]
fn clause_ii_h_2_x() {
    let rules = converting("stand-fast");
    let line = [at("medium-infantry", (0, 0), 1), at("auxilia", (1, 0), 1)];
    let mut board = Board::under(rules, ("still", &[from("elephants", From::Front)]), ("line", &line));
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader", "leader", "leader"]);
    assert_eq!(board.unit(target).figures, 4);
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "{:?}", board.place(target));
    board.saw("II.H.2-x");
}
