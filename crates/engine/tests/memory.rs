//! What is remembered changes no outcome.

mod common;

use common::{Game, load, unit};
use grognard_dice::SeededDice;
use grognard_engine::{Memory, Setup, Unwitnessed, fight};
use grognard_rules::model::Rules;

fn rules(pack: &str) -> &'static Rules {
    Box::leak(Box::new(load(pack)))
}

/// Every battle has the outcome it has by itself, in whatever order battles come and however little is remembered.
fn check(rules: &Rules, setup: &Setup, battles: u64) {
    let mut dice = SeededDice::new(1809);
    let mut alone = |battle: u64| {
        dice.battle(battle);
        fight(rules, setup, &mut dice, &mut Unwitnessed)
    };
    let expected: Vec<_> = (0..battles).map(&mut alone).collect();
    let mut dice = SeededDice::new(1809);
    for bytes in [0, 1, 5_000, 100_000, 1 << 24] {
        let mut memory = Memory::new(setup, bytes);
        // Backwards and then forwards: the second time nothing is new to a memory with room for it all.
        for battle in (0..battles).rev().chain(0..battles) {
            dice.battle(battle);
            let outcome = memory.fight(rules, setup, &mut dice);
            assert_eq!(outcome, expected[battle as usize], "battle {battle}, {bytes} bytes");
        }
    }
}

#[test]
fn a_duel_remembered_is_the_duel_fought() {
    let rules = rules("napoleonic-figures");
    let horse = unit("heavy-cavalry").at(0.0, -6.0);
    for formation in ["line", "square", "column"] {
        let foot = unit("line-battalion").formation(formation).at(0.0, 6.0);
        let game = Game::under(rules, ("charge-home", std::slice::from_ref(&horse)), ("stand", &[foot]));
        check(rules, &game.setup, 2_000);
    }
}

#[test]
fn a_brigade_remembered_is_the_brigade_fought() {
    let rules = rules("napoleonic-figures");
    let horse = [-10.0, 10.0].map(|east| unit("heavy-cavalry").at(east, -8.0));
    let foot = [-14.0, 0.0, 14.0].map(|east| unit("line-battalion").at(east, 8.0));
    let game = Game::under(rules, ("charge-home", &horse), ("stand-and-form", &foot));
    check(rules, &game.setup, 500);
}

#[test]
fn dice_without_a_board_are_remembered() {
    let rules = rules("risk");
    let doctrine = &rules.doctrines[0].id;
    let armies = [8, 6].map(|figures| [unit("army").figures(figures)]);
    let game = Game::under(rules, (doctrine, &armies[0]), (doctrine, &armies[1]));
    check(rules, &game.setup, 2_000);
}
