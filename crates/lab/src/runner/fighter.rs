//! Fighters of the battles of cells.

use std::ops::Range;

use grognard_engine::{Fallen, Outcome, Outcomes};

use crate::tally::Counted;

/// Fights any battle of any cell, at any time and on any thread, always with the same outcome.
///
/// The runner knows cells and battles only by number; their meaning is up to the fighter.
pub trait Fighter: Sync {
    /// The outcomes of the battles of `cell` with these indices, in order.
    fn fight(&self, cell: u32, battles: Range<u64>) -> Vec<Outcome>;

    /// The same battles with additional data. By default, there are only outcomes.
    fn fight_noting(&self, cell: u32, battles: Range<u64>, _noting: Noting) -> Fought {
        Fought { outcomes: self.fight(cell, battles).into_iter().collect(), ..Fought::default() }
    }
}

/// The additional data requested. The pack's own counts are included whenever the study requests them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noting {
    /// The luck of each side's dice.
    pub luck: bool,
}

/// Battles that were fought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fought {
    /// The outcome of each battle.
    pub outcomes: Outcomes,
    /// The pack's counts during each battle; empty if the study does not request any.
    pub counted: Counted,
    /// The luck of each side's dice in each battle, and its worth; empty if it was not requested.
    pub fallen: Vec<Fallen>,
}

impl Fought {
    /// The first N battles, in the form in which they are kept: without the counts, which are in the tallies.
    #[must_use]
    pub fn first(&self, count: usize) -> Self {
        Self {
            outcomes: self.outcomes.first(count),
            counted: Counted::new(),
            fallen: self.fallen.iter().take(count).copied().collect(),
        }
    }
}
