//! Those who can fight the battles of cells.

use std::ops::Range;

use grognard_dice::Luck;
use grognard_engine::{BySide, Outcome};

use crate::tally::Counted;

/// Somebody who can fight any battle of any cell, at any time and on any thread, always with the same outcome.
///
/// The runner knows cells and battles by number alone; what is behind the numbers is the fighter's affair.
pub trait Fighter: Sync {
    /// The outcomes of the battles of `cell` with these indices, in their order.
    fn fight(&self, cell: u32, battles: Range<u64>) -> Vec<Outcome>;

    /// The same battles with what else is asked of them. A fighter who can tell no more tells how they ended.
    fn fight_noting(&self, cell: u32, battles: Range<u64>, _noting: Noting) -> Fought {
        Fought { outcomes: self.fight(cell, battles), ..Fought::default() }
    }
}

/// What is asked of battles besides how they end. What the pack counts is told whenever the study asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noting {
    /// The luck of each side's dice.
    pub luck: bool,
}

/// Battles that were fought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fought {
    /// How each ended.
    pub outcomes: Vec<Outcome>,
    /// What the pack counted along each; empty where the study asks for none of it.
    pub counted: Counted,
    /// How lucky each side's dice were in each; empty where nobody asked.
    pub luck: Vec<BySide<Luck>>,
}

impl Fought {
    /// The first so many of them, as they are kept: without what was counted, which is in the tallies.
    #[must_use]
    pub fn first(&self, count: usize) -> Self {
        Self {
            outcomes: self.outcomes.iter().take(count).copied().collect(),
            counted: Counted::new(),
            luck: self.luck.iter().take(count).copied().collect(),
        }
    }
}
