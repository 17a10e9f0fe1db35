//! The clauses of `bluecher-shock`.

use std::sync::OnceLock;

use grognard_engine::Side;
use grognard_rules::model::Rules;

use crate::common::{Game, load, unit};

/// Cavalry with this many dice against infantry in this formation.
fn game(attackers: u16, defenders: u16, formation: &str) -> Game {
    static RULES: OnceLock<Rules> = OnceLock::new();
    let rules = RULES.get_or_init(|| load("bluecher-shock"));
    let infantry = unit("infantry").figures(defenders).formation(formation);
    Game::under(rules, ("none", &[unit("cavalry").figures(attackers)]), ("none", &[infantry]))
}

/// The winner with these dice. Asserts that the clause was seen.
#[track_caller]
fn wins((attackers, defenders): (u16, u16), formation: &str, faces: &[i32], clause: &str) -> Option<Side> {
    let mut game = game(attackers, defenders, formation);
    game.phase(formation, faces);
    game.saw(clause);
    game.outcome.expect("one throw ends it").winner
}

/// A die of 4 or more hits; more hits win.
#[test]
fn clause_hits() {
    assert_eq!(wins((2, 2), "plain", &[4, 3, 1, 3], "hits"), Some(Side::First));
    assert_eq!(wins((3, 2), "plain", &[4, 5, 6, 6, 6], "hits"), Some(Side::First));
    assert_eq!(wins((3, 2), "plain", &[3, 3, 4, 6, 6], "hits"), Some(Side::Second));
    // The defender's 4 also hits: one hit each, and the defender wins ties.
    assert_eq!(wins((1, 1), "plain", &[4, 4], "hits"), Some(Side::Second));
    assert_eq!(wins((1, 1), "square", &[4, 4, 4], "hits"), Some(Side::Second));
    assert_eq!(wins((1, 1), "unprepared", &[4, 4, 4], "hits"), Some(Side::Second));
    // The attacker's single hit wins in all three cases, and destroys the defender.
    assert_eq!(wins((1, 1), "square", &[4, 4, 3], "hits"), Some(Side::First));
    assert_eq!(wins((1, 1), "unprepared", &[4, 4, 3], "hits"), Some(Side::First));
    for formation in ["plain", "square", "unprepared"] {
        assert_eq!(game(2, 1, formation).dice(formation, &[1; 3]), [6; 3], "{formation}");
    }
    // A charge on infantry that is not in square does nothing in the other two phases.
    let mut quiet = game(2, 2, "plain");
    quiet.phase("square", &[]).phase("unprepared", &[]);
    assert_eq!(quiet.seen.rolls().count(), 0);
}

/// Equal hits on both sides: the defender wins.
#[test]
fn clause_ties() {
    assert_eq!(wins((2, 2), "plain", &[4, 1, 5, 1], "ties"), Some(Side::Second));
    assert_eq!(wins((2, 3), "plain", &[1, 1, 1, 2, 3], "ties"), Some(Side::Second));
    assert_eq!(wins((1, 1), "square", &[4, 4, 4], "ties"), Some(Side::Second));
    assert_eq!(wins((1, 1), "unprepared", &[4, 4, 4], "ties"), Some(Side::Second));
}

/// Against a square, the attacker's hits are rerolled, but not the defender's.
#[test]
fn clause_prepared() {
    assert_eq!(wins((2, 2), "square", &[5, 1, 2, 1, 1], "prepared"), Some(Side::Second));
    assert_eq!(wins((2, 2), "square", &[5, 1, 6, 1, 1], "prepared"), Some(Side::First));
    assert_eq!(wins((2, 2), "square", &[5, 4, 6, 6, 6, 1], "prepared"), Some(Side::First));
}

/// Unprepared infantry rerolls its own hits; the attacker does not.
#[test]
fn clause_unprepared() {
    assert_eq!(wins((2, 2), "unprepared", &[4, 1, 5, 6, 1, 2], "unprepared"), Some(Side::First));
    assert_eq!(wins((2, 2), "unprepared", &[4, 1, 5, 6, 1, 4], "unprepared"), Some(Side::Second));
}
