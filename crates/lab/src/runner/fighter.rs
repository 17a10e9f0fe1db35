//! Those who can fight the battles of cells.

use std::ops::Range;

use grognard_engine::Outcome;

use crate::tally::Counted;

/// Somebody who can fight any battle of any cell, at any time and on any thread, always with the same outcome.
///
/// The runner knows cells and battles by number alone; what is behind the numbers is the fighter's affair.
pub trait Fighter: Sync {
    /// The outcomes of the battles of `cell` with these indices, in their order.
    fn fight(&self, cell: u32, battles: Range<u64>) -> Vec<Outcome>;

    /// The same, with what the pack counts along each battle. Nothing unless the study asks for it.
    fn fight_counted(&self, cell: u32, battles: Range<u64>) -> (Vec<Outcome>, Counted) {
        (self.fight(cell, battles), Counted::new())
    }
}
