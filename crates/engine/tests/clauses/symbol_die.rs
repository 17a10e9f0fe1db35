//! The clauses of `symbol-die`. Faces by number: 1 light, 2 medium, 3 heavy, 4 swords, 5 leader, 6 flag.

use std::sync::OnceLock;

use grognard_rules::model::Rules;

use crate::common::{Game, load, unit};

/// The losses of the thrower and of the target when these faces are thrown.
#[track_caller]
fn losses((kind, figures): (&str, u16), phase: &str, faces: &[i32], clause: &str) -> (u16, u16) {
    static RULES: OnceLock<Rules> = OnceLock::new();
    let rules = RULES.get_or_init(|| load("symbol-die"));
    let mut game = Game::under(rules, ("none", &[unit(kind).figures(figures)]), ("none", &[unit("archers")]));
    game.phase(phase, faces);
    game.saw(clause);
    (figures - game.first().figures, 20 - game.second().figures)
}

/// The die has six faces. There is one die per figure, five at most.
#[test]
fn clause_die() {
    assert_eq!(losses(("archers", 3), "ranged", &[1, 2, 3], "die"), (0, 1));
    assert_eq!(losses(("archers", 20), "ranged", &[1, 2, 3, 4, 5], "die"), (0, 1));
    assert_eq!(losses(("swordsmen", 20), "close", &[1, 2, 3, 5, 5], "die"), (0, 1));
}

/// Only the target's colour hits.
#[test]
fn clause_ranged() {
    assert_eq!(losses(("archers", 4), "ranged", &[1, 1, 4, 4], "ranged"), (0, 2));
}

/// Swords hit as well.
#[test]
fn clause_close() {
    assert_eq!(losses(("swordsmen", 4), "close", &[1, 2, 4, 4], "close"), (0, 3));
}

/// Flags are counted in addition to hits.
#[test]
fn clause_flags() {
    assert_eq!(losses(("archers", 3), "ranged", &[6, 1, 6], "flags"), (2, 1));
    assert_eq!(losses(("swordsmen", 2), "close", &[6, 4], "flags"), (1, 1));
}

/// A sword hits and is rerolled.
#[test]
fn clause_elephants() {
    assert_eq!(losses(("elephants", 1), "elephants", &[4, 4, 1], "elephants"), (0, 2));
    assert_eq!(losses(("elephants", 1), "elephants", &[6], "elephants"), (0, 0));
    assert_eq!(losses(("trampling", 1), "trampling", &[4, 4, 1], "elephants"), (0, 3));
    // A die is rerolled at most ten times: eleven swords are eleven hits, and there is no twelfth throw.
    for phase in ["elephants", "trampling"] {
        assert_eq!(losses((phase, 1), phase, &[4; 11], "elephants"), (0, 11));
    }
}
