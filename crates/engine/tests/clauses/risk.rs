//! The clauses of `risk`.

use std::sync::OnceLock;

use grognard_engine::{Event, Side};
use grognard_rules::model::Rules;

use crate::common::{Game, load, unit};

fn game(attackers: u16, defenders: u16) -> Game {
    static RULES: OnceLock<Rules> = OnceLock::new();
    let rules = RULES.get_or_init(|| load("risk"));
    Game::under(rules, ("none", &[unit("army").figures(attackers)]), ("none", &[unit("army").figures(defenders)]))
}

/// The attacker continues while it has armies; the defender is beaten when it has none.
#[test]
fn clause_attack() {
    let mut game = game(2, 1);
    game.phase("assault", &[1, 1, 6]);
    assert_eq!(game.outcome, None, "one army is left to attack with");
    game.phase("assault", &[6, 1]);
    let outcome = game.outcome.expect("the defender has none left");
    assert_eq!((outcome.winner, outcome.sides.first.losses), (Some(Side::First), 1));
    game.saw("attack");

    // In the other half of the turn, no unit rolls.
    let mut quiet = self::game(5, 5);
    quiet.phase_of(Side::Second, "assault", &[]);
    assert_eq!(quiet.seen.rolls().count(), 0);
}

/// At most three dice against two, and never more dice than armies.
#[test]
fn clause_dice() {
    for (attackers, defenders, dice) in [(5, 5, 5), (3, 2, 5), (2, 2, 4), (1, 9, 3), (9, 1, 4), (1, 1, 2)] {
        let mut game = game(attackers, defenders);
        game.phase("assault", &vec![1; dice]);
        assert_eq!(game.roll("assault").faces.len(), dice, "{attackers} against {defenders}");
        game.saw("dice");
    }
    assert_eq!(game(3, 2).dice("assault", &[1; 5]), [6; 5]);
    // The defender wins ties, whatever the dice show.
    let mut even = game(1, 1);
    even.phase("assault", &[4, 4]);
    assert_eq!((even.first().figures, even.second().figures), (0, 1));
}

/// The highest dice are compared, and then the next highest; ties cost the attacker.
#[test]
fn clause_losses() {
    for (faces, attacker, defender) in [
        ([6, 5, 1, 5, 4], 0, 2),
        ([6, 2, 1, 5, 4], 1, 1),
        ([1, 6, 2, 4, 5], 1, 1),
        ([5, 4, 6, 6, 5], 2, 0),
        ([3, 3, 3, 2, 2], 0, 2),
    ] {
        let mut game = game(5, 5);
        game.phase("assault", &faces);
        assert_eq!((5 - game.first().figures, 5 - game.second().figures), (attacker, defender), "{faces:?}");
        let lost = |event: &Event| if let Event::Lost { figures, .. } = event { *figures } else { 0 };
        assert_eq!(game.seen.events().iter().map(lost).sum::<u16>(), 2, "two pairs, two armies");
        game.saw("losses");
    }
}
