//! Elephants: what they hit, and their dice in terrain (B15, B16, B33 to B38).

use grognard_engine::hex;
use grognard_engine::plane::Point;

use super::super::{Board, From, at, from, ground, misses, rules};
use super::struck;

/// Elephants, chariots and camels ignore certain swords, colours and flags.
#[test]
fn fact_b15() {
    let left = |attacker: &str, defender: &str, faces: &[&str], back: usize| {
        let board = struck(attacker, From::Front, at(defender, (0, 0), 1), faces, back);
        (board.unit(board.north(0)).figures, board.place(board.north(0)) == (0, 0))
    };
    let heavy = ["swords", "swords", "leader", "leader"];
    assert_eq!(left("heavy-cavalry", "heavy-chariot", &heavy, 3), (1, true), "one of two swords");
    // Medium infantry rolls four dice; elephants battle back with the same number.
    assert_eq!(left("medium-infantry", "elephants", &heavy, 4), (2, true), "no sword at all");
    let cavalry = ["heavy", "flag", "leader", "leader"];
    assert_eq!(left("heavy-cavalry", "elephants", &cavalry, 4), (2, true), "a red square and a flag of cavalry");
    // One of two squares and one of two flags count: the elephants lose a block, and retreat with two dice for the
    // rampage.
    let cavalry = ["heavy", "heavy", "flag", "flag"];
    assert_eq!(left("heavy-cavalry", "elephants", &cavalry, 2), (1, false));
    let camels = ["heavy", "leader", "leader"];
    assert_eq!(left("camels", "elephants", &camels, 3), (1, true), "camels are no cavalry");
    assert_eq!(left("medium-cavalry", "camels", &["medium", "medium", "leader"], 2), (2, true), "one of two triangles");
    assert_eq!(left("medium-infantry", "camels", &["medium", "medium", "leader", "leader"], 2), (1, true));
}

/// Elephants attack with the dice of their target, or with three against some types. Every sword hits and is rolled
/// again.
#[test]
fn fact_b16() {
    for (defender, dice) in [
        ("light-infantry", 2),
        ("light-bow", 2),
        ("light-cavalry", 2),
        ("auxilia", 3),
        ("medium-cavalry", 3),
        ("medium-infantry", 4),
        ("heavy-cavalry", 4),
        ("heavy-infantry", 5),
        ("elephants", 3),
        ("warriors", 3),
        ("heavy-chariot", 3),
        ("camels", 3),
    ] {
        let board = Board::new(&[from("elephants", From::Front)], &[at(defender, (0, 0), 1)]);
        assert_eq!(board.targets(0).first().map(|target| target.1), Some(dice), "elephants on {defender}");
    }
    let board = struck("elephants", From::Front, at("light-infantry", (0, 0), 1), &["swords", "leader", "light"], 2);
    assert_eq!(board.unit(board.north(0)).figures, 2, "a sword, and the circle it rolled again");
    let board = struck("elephants", From::Front, at("light-infantry", (0, 0), 1), &["light", "leader"], 2);
    assert_eq!(board.unit(board.north(0)).figures, 3, "a circle is no sword");
    // Each sword is rerolled; after the third reroll, no more are counted, as the pack says.
    let swords = ["swords", "leader", "swords", "swords", "swords"];
    let board = struck("elephants", From::Front, at("light-infantry", (0, 0), 1), &swords, 0);
    assert!(board.unit(board.north(0)).gone(), "four swords");

    // Swords that do not count are not rerolled: elephants ignore the swords of elephants (B15), and only colours hit
    // an evading unit (B22). Elephants have three dice against elephants, and two more on the flank (II.C.2.a).
    let faces = ["swords", "heavy", "leader", "swords", "leader", "leader"];
    let board = struck("elephants", From::Front, at("elephants", (0, 0), 1), &faces, 0);
    assert_eq!(board.dice(), [3, 3]);
    assert_eq!(board.unit(board.north(0)).figures, 1, "a square");
    let board = Board::new(&[from("elephants", From::Flank)], &[at("elephants", (0, 0), 1)]);
    assert_eq!(board.targets(0)[0].1, 3 + 2);
    // A flag drives back elephants, which strike all units next to them before they go (B26).
    let faces = ["swords", "flag", "leader", "light", "light"];
    let board = struck("elephants", From::Front, at("elephants", (0, 0), 1), &faces, 0);
    assert_ne!(board.place(board.north(0)), (0, 0));
    let shuns = ground(&["doctrine.turn.row.react.do=\"evade\""]);
    let own = [from("elephants", From::Front)];
    for (faces, left) in [(["swords", "light"], 3), (["swords", "flag"], 4)] {
        let mut board = Board::under(shuns, ("still", &own), ("turn", &[at("light-infantry", (0, 0), 1)]));
        let target = board.north(0);
        board.attack(0, target, &faces);
        assert_eq!(board.unit(target).figures, left, "{faces:?}");
        assert_eq!(hex::distance(board.unit(target).front, Point { x: 0, y: 0 }), 2, "two hexes and no more");
    }

    // The one sword that heavy chariots, foot in a camp or foot behind a rampart ignore is not rerolled either (B15,
    // B37, B38).
    for (terrain, defender, dice, back) in
        [("", "heavy-chariot", 3, 3), ("camp", "medium-infantry", 4, 3), ("rampart-north", "medium-infantry", 4, 4)]
    {
        let stands = format!("hex.terrain.{terrain}.at=[\"0,0\"]");
        let rules = if terrain.is_empty() { rules() } else { ground(&[&stands]) };
        let own = [from("elephants", From::Front)];
        for (swords, lost) in [(1, 0), (2, 1), (3, 2)] {
            let mut board = Board::under(rules, ("still", &own), ("still", &[at(defender, (0, 0), 1)]));
            let target = board.north(0);
            let before = board.unit(target).figures;
            // The swords beyond the first are rerolled, and none of them shows a sword again.
            let again = swords - 1;
            let answered = if lost < before { back } else { 0 };
            let faces = [vec!["swords"; swords], misses(dice - swords), misses(again), misses(answered)].concat();
            board.attack(0, target, &faces);
            assert_eq!(before - board.unit(target).figures, lost, "{swords} swords, {defender} {terrain}");
        }
    }
    // A camp does not help units that attack out of it: elephants reroll all their swords when they battle back.
    let rules = ground(&["hex.terrain.camp.at=[\"0,0\"]"]);
    let (own, north) = ([at("medium-infantry", (0, 0), 1)], [at("elephants", (0, -1), 4)]);
    let mut board = Board::under(rules, ("still", &own), ("still", &north));
    let target = board.north(0);
    board.attack(0, target, &[&misses(3)[..], &["swords"], &misses(3), &misses(1)].concat());
    assert_eq!(board.unit(board.south(0)).figures, 3);
}

/// Terrain limits the dice of elephants against heavy infantry, and those of other units against a leader.
#[test]
fn facts_b33_to_b36_and_b38_for_elephants() {
    let places = |own: bool, other: bool| match (own, other) {
        (true, false) => "\"1,-1\"",
        (false, true) => "\"0,0\"",
        _ => "\"0,0\", \"1,-1\"",
    };
    // The columns are the terrain, whether the attacker and the target are in it, and the dice: elephants against heavy
    // infantry, heavy infantry against a leader, heavy cavalry against a leader.
    for (terrain, own, other, dice) in [
        ("forest", true, false, [2, 2, 2]),
        ("forest", false, true, [2, 2, 2]),
        ("ford", true, false, [2, 2, 2]),
        ("ford", false, true, [2, 2, 2]),
        ("broken", true, false, [2, 2, 2]),
        ("broken", false, true, [2, 2, 2]),
        ("hill", true, false, [2, 3, 2]),
        ("hill", false, true, [2, 2, 2]),
        ("hill", true, true, [2, 3, 2]),
        ("camp", true, false, [5 - 1, 5 - 1, 4 - 1]),
        ("camp", false, true, [5, 5, 4]),
    ] {
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[{}]", places(own, other))]);
        let on = |attacker: &str, target: &str| {
            let own = [from(attacker, From::Front)];
            Board::under(rules, ("still", &own), ("still", &[at(target, (0, 0), 1)])).targets(0)[0].1
        };
        let found = [on("elephants", "heavy-infantry"), on("heavy-infantry", "leader"), on("heavy-cavalry", "leader")];
        assert_eq!(found, dice, "{terrain}: {own} {other}");
        // An attack on a unit from hill to hill.
        if own && other {
            assert_eq!([on("heavy-infantry", "light-infantry"), on("heavy-cavalry", "light-infantry")], [3, 2]);
        }
    }
}
