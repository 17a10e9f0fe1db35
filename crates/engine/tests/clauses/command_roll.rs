//! The clauses of `command-roll`. Each move costs a brigade one of its ten figures, so the losses count the moves.

use std::sync::OnceLock;

use grognard_rules::model::Rules;

use crate::common::{Game, load, unit};

/// The number of moves that a brigade with this command value makes if two dice show these faces.
#[track_caller]
fn moves(command: &str, faces: [i32; 2], clause: &str) -> u16 {
    static RULES: OnceLock<Rules> = OnceLock::new();
    let rules = RULES.get_or_init(|| load("command-roll"));
    let mut game = Game::under(rules, ("none", &[unit(command)]), ("none", &[unit(command)]));
    game.phase("command", &faces);
    game.saw(clause);
    10 - game.first().figures
}

/// Two dice are rolled against the command value, for every value.
#[test]
fn clause_value() {
    for (command, at, over) in
        [("command-7", [3, 4], [4, 4]), ("command-8", [4, 4], [4, 5]), ("command-9", [5, 4], [5, 5])]
    {
        assert_eq!([moves(command, at, "value"), moves(command, over, "value")], [1, 0], "{command}");
    }
    let rules = load("command-roll");
    let mut game =
        Game::under(Box::leak(Box::new(rules)), ("none", &[unit("command-8")]), ("none", &[unit("command-8")]));
    assert_eq!(game.dice("command", &[4, 4]), [6, 6]);
}

/// Three or more below the command value: three moves.
#[test]
fn clause_three() {
    assert_eq!([moves("command-8", [1, 4], "three"), moves("command-8", [1, 1], "three")], [3, 3]);
    assert_eq!(moves("command-9", [3, 3], "three"), 3);
}

/// Two below the command value: two moves.
#[test]
fn clause_two() {
    assert_eq!([moves("command-8", [2, 4], "two"), moves("command-7", [1, 4], "two")], [2, 2]);
}

/// Equal to the command value, or one below it: one move.
#[test]
fn clause_one() {
    assert_eq!([moves("command-8", [4, 4], "one"), moves("command-8", [3, 4], "one")], [1, 1]);
}

/// Above the command value: no move.
#[test]
fn clause_none() {
    assert_eq!([moves("command-8", [4, 5], "none"), moves("command-7", [6, 6], "none")], [0, 0]);
}
