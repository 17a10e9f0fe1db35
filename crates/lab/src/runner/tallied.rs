//! The counts of a run so far.

use std::ops::Range;

use super::group::CellBlock;
use crate::digest::Digest;
use crate::tally::CellTally;

/// The counts of all battles so far: everything needed to resume a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tallied {
    /// Index of the first battle of each cell.
    pub first: u64,
    /// Battles fought in each cell, with successive indices from `first` on.
    pub battles: u64,
    /// One tally per cell.
    pub cells: Vec<CellTally>,
    /// The digest of all battles of all cells.
    pub digest: Digest,
}

impl Tallied {
    /// Empty counts for a run whose first battle is `first`.
    #[must_use]
    pub fn new(first: u64, baselines: &[Option<u32>]) -> Self {
        let paired = |(cell, baseline): (u32, &Option<u32>)| baseline.is_some_and(|baseline| baseline != cell);
        let cells = (0..).zip(baselines).map(|cell| CellTally::new(paired(cell))).collect();
        Self { first, battles: 0, cells, digest: Digest::default() }
    }

    /// Index of the next battle to fight.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.first + self.battles
    }

    /// Adds a block in which every cell has fought.
    pub(super) fn merge(&mut self, block: Range<u64>, cells: &[CellBlock]) {
        debug_assert_eq!(block.start, self.next());
        debug_assert_eq!(cells.len(), self.cells.len());
        for cell in cells {
            self.cells[cell.cell as usize].merge(&cell.tally);
            self.digest.merge(cell.digest);
        }
        self.battles += block.end - block.start;
    }
}
