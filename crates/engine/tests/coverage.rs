//! Counts of clause uses: the battles with at least one use, and the total number of uses.

use crate::common::{Game, load, unit};
use grognard_dice::SeededDice;
use grognard_engine::{Coverage, fight};
use grognard_rules::model::Rules;

fn covered(rules: &'static Rules, game: &Game, battles: std::ops::Range<u64>) -> Coverage<'static> {
    let mut coverage = Coverage::new(rules, &game.setup, &[]);
    let mut dice = SeededDice::new(1815);
    for battle in battles {
        dice.battle(battle);
        coverage.begin();
        fight(rules, &game.setup, &mut dice, &mut coverage);
    }
    coverage
}

fn charge(rules: &'static Rules, formation: &str) -> Game {
    let horse = unit("heavy-cavalry").at(0.0, -6.0);
    let foot = unit("line-battalion").formation(formation).at(0.0, 6.0);
    Game::under(rules, ("charge-home", &[horse]), ("stand", &[foot]))
}

#[test]
fn clauses_and_rows_are_counted_where_they_decide() {
    let rules: &'static Rules = Box::leak(Box::new(load("napoleonic-figures")));
    let game = charge(rules, "square");
    let square = covered(rules, &game, 0..200);
    assert_eq!(square.battles(), 200);
    let clause = |id: &str| square.clauses()[id];
    // A unit charges in every battle. No unit has guns to limber.
    assert_eq!(clause("7.61").battles, 200);
    assert!(clause("7.61").times > 200);
    assert_eq!(clause("8.42").times, 0);
    assert!(!square.clauses().contains_key("house"));
    let row = |path: &str| square.rows()[path];
    assert_eq!(row("doctrine.charge-home.row.charge").battles, 200);
    assert!(row("roll.shock.modifier.square-against-cavalry").battles > 100);
    let line = covered(rules, &charge(rules, "line"), 0..200);
    assert_eq!(line.rows()["roll.shock.modifier.square-against-cavalry"].times, 0);
    for count in square.clauses().values().chain(square.rows().values()) {
        assert!(count.battles <= 200 && count.battles <= count.times && (count.times > 0) == (count.battles > 0));
    }
}

#[test]
fn counts_of_parts_add_up() {
    let rules: &'static Rules = Box::leak(Box::new(load("napoleonic-figures")));
    let game = charge(rules, "line");
    let whole = covered(rules, &game, 0..60);
    let mut parts = covered(rules, &game, 0..25);
    parts.merge(&covered(rules, &game, 25..60));
    assert_eq!(parts.battles(), whole.battles());
    assert_eq!(parts.clauses(), whole.clauses());
    assert_eq!(parts.rows(), whole.rows());
}
