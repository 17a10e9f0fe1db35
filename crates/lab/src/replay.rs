//! A battle of a study told blow by blow.

use grognard_dice::SeededDice;
use grognard_engine::{Narrator, fight};

use crate::study::{Cell, Study};

/// Fights a battle of a cell once more and says what happens in it, line by line.
#[must_use]
pub fn narrate(study: &Study, cell: &Cell, battle: u64) -> Vec<String> {
    let (mut dice, mut narrator) = (SeededDice::new(study.seed), Narrator::new());
    let bout = cell.bout(battle);
    dice.battle(bout.dice);
    fight(&cell.rules, bout.setup, &mut dice, &mut narrator);
    narrator.lines().to_vec()
}
