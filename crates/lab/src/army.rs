//! A study's cells as a fighter.

use std::ops::Range;

use grognard_dice::SeededDice;
use grognard_engine::{Outcome, Unwitnessed, fight};

use crate::runner::Fighter;
use crate::study::Study;

/// The cells of a study, fought with seeded dice.
///
/// Battle `i` meets the same dice in every cell.
impl Fighter for Study {
    fn fight(&self, cell: u32, battles: Range<u64>) -> Vec<Outcome> {
        let cell = &self.cells[cell as usize];
        let mut dice = SeededDice::new(self.seed);
        battles
            .map(|battle| {
                dice.battle(battle);
                fight(&cell.rules, &cell.setup, &mut dice, &mut Unwitnessed)
            })
            .collect()
    }
}
