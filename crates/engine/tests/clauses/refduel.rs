//! The clauses of `refduel`. A unit's number of figures is its strength plus 8.

use std::sync::OnceLock;

use grognard_engine::Side;
use grognard_rules::model::Rules;

use crate::common::{Game, load, unit};

/// The difference between a unit's figures and its strength.
const MORE: u16 = 8;

fn game(first: (&str, u16), second: (&str, u16)) -> Game {
    static RULES: OnceLock<Rules> = OnceLock::new();
    let rules = RULES.get_or_init(|| load("refduel"));
    let men = |(kind, strength): (&str, u16)| unit(kind).figures(strength + MORE);
    Game::under(rules, ("none", &[men(first)]), ("none", &[men(second)]))
}

fn strengths(game: &Game) -> (i32, i32) {
    let strength = |figures: u16| i32::from(figures) - i32::from(MORE);
    (strength(game.first().figures), strength(game.second().figures))
}

/// Both have a strength of twelve, and one has a modifier.
#[test]
fn clause_strength() {
    for (kind, edge) in [("plain", 0), ("one-up", 1), ("two-up", 2), ("three-up", 3)] {
        let mut game = game((kind, 12), ("plain", 12));
        let (first, second) = (&game.setup.start.units[0], &game.setup.start.units[1]);
        assert_eq!((first.figures, second.figures), (12 + MORE, 12 + MORE));
        game.phase("blow", &[1, 1 + edge]);
        assert_eq!(strengths(&game), (11, 11), "{kind}: 1 + {edge} is equal to {}", 1 + edge);
        game.saw("strength");
        // This is also a unit's default strength.
        let whole = Game::under(game.rules, ("none", &[unit(kind)]), ("none", &[unit(kind)]));
        assert_eq!(whole.first().figures, 12 + MORE, "{kind}");
    }
}

/// The lower total loses the difference.
#[test]
fn clause_blow() {
    for (faces, left) in [([6, 2], (12, 8)), ([2, 5], (9, 12)), ([6, 1], (12, 7))] {
        let mut game = game(("plain", 12), ("plain", 12));
        game.phase("blow", &faces);
        assert_eq!(strengths(&game), left);
        game.saw("blow");
    }
    let mut game = game(("three-up", 12), ("plain", 12));
    game.phase("blow", &[6, 1]);
    assert_eq!(strengths(&game), (12, 4));
    assert_eq!(self::game(("plain", 12), ("plain", 12)).dice("blow", &[1, 1]), [6, 6]);
}

/// Equal totals cost each unit 1.
#[test]
fn clause_tie() {
    let mut game = game(("plain", 12), ("plain", 7));
    game.phase("blow", &[3, 3]);
    assert_eq!(strengths(&game), (11, 6));
    game.saw("tie");
}

/// A unit at strength 0 or less is destroyed, however good the dice of the test are.
#[test]
fn clause_destroyed() {
    for strength in [4, 5] {
        let mut game = game(("plain", strength), ("plain", 12));
        game.phase("blow", &[1, 6]).phase("nerve", &[1, 1]);
        assert_eq!(game.outcome.map(|outcome| outcome.winner), Some(Some(Side::Second)));
        game.saw("destroyed");
    }
}

/// Below a strength of 6, a unit tests with two dice, and passes on 8 or less.
#[test]
fn clause_nerve() {
    let mut steady = game(("plain", 5), ("plain", 6));
    steady.phase("nerve", &[4, 4]);
    assert_eq!(steady.outcome, None);
    steady.saw("nerve");
    let mut shy = game(("plain", 5), ("plain", 6));
    shy.phase("nerve", &[4, 5]);
    assert_eq!(shy.outcome.map(|outcome| outcome.winner), Some(Some(Side::Second)));
    let mut whole = game(("plain", 6), ("plain", 6));
    whole.phase("nerve", &[]);
    assert_eq!(whole.outcome, None);
}

/// If both are broken, the battle is a draw; so is one that reaches the end of the last turn.
#[test]
fn clause_end() {
    let mut game = game(("plain", 5), ("plain", 5));
    game.phase("nerve", &[6, 6, 6, 6]);
    assert_eq!(game.outcome.map(|outcome| outcome.winner), Some(None));
    game.saw("end");

    let mut long = self::game(("plain", 12), ("plain", 12));
    long.battle.turn = long.setup.turns;
    assert_eq!(long.setup.turns, 12);
    long.phase_of(Side::Second, "nerve", &[]);
    assert_eq!(long.outcome.map(|outcome| outcome.winner), Some(None));
}
