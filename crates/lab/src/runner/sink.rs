//! Sinks: receivers of a run's results.

use std::convert::Infallible;
use std::ops::Range;

use super::{Fought, Tallied};

/// Which battles are kept individually in addition to being counted.
///
/// ```
/// use grognard_lab::runner::Keep;
///
/// assert_eq!(Keep::default(), Keep::First(10_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// Every battle.
    All,
    /// No battle.
    None,
    /// The first N battles of each cell.
    First(u64),
}

impl Default for Keep {
    fn default() -> Self {
        Self::First(10_000)
    }
}

impl Keep {
    /// The maximum number of battles kept in each cell; `None` for all.
    ///
    /// ```
    /// use grognard_lab::runner::Keep;
    ///
    /// assert_eq!([Keep::All, Keep::None, Keep::First(9)].map(Keep::limit), [None, Some(0), Some(9)]);
    /// ```
    #[must_use]
    pub fn limit(self) -> Option<u64> {
        match self {
            Self::All => None,
            Self::None => Some(0),
            Self::First(count) => Some(count),
        }
    }

    /// The number of a block's battles that are kept, in a run whose first battle is `first`.
    pub(super) fn of_block(self, first: u64, block: &Range<u64>) -> usize {
        let end = self.limit().map_or(u64::MAX, |limit| first.saturating_add(limit));
        (end.min(block.end).saturating_sub(block.start)) as usize
    }
}

/// Receives the runner's results, in an order that depends only on the task.
pub trait Sink {
    /// Why the sink failed.
    type Error;

    /// Receives battles of `cell` to keep, with successive indices from `first` on. There may be none.
    ///
    /// They do not count until their block is done.
    ///
    /// # Errors
    /// The sink's own errors.
    fn rows(&mut self, cell: u32, first: u64, fought: &Fought) -> Result<(), Self::Error>;

    /// Every cell has fought another block, which is included in `tallied`.
    ///
    /// # Errors
    /// The sink's own errors.
    fn block_done(&mut self, tallied: &Tallied) -> Result<(), Self::Error>;
}

/// A sink for runs that only need tallies.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Sink for Discard {
    type Error = Infallible;

    fn rows(&mut self, _cell: u32, _first: u64, _fought: &Fought) -> Result<(), Infallible> {
        Ok(())
    }

    fn block_done(&mut self, _tallied: &Tallied) -> Result<(), Infallible> {
        Ok(())
    }
}
