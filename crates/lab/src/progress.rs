//! What a run tells those who wait for it, and what they may tell the run.

use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(feature = "folders")]
use crate::notes::Notes;
#[cfg(feature = "folders")]
use crate::results::ResultsError;
use crate::runner::Tallied;

/// Somebody who is told how a run comes along. Called from the worker threads.
pub trait Progress: Sync {
    /// So many more battles have been fought.
    fn advance(&self, battles: u64);

    /// Every cell has fought another block, and `tallied` holds it.
    fn counted(&self, _tallied: &Tallied) {}

    /// A file of kept battles is gone or damaged, and is done without: what was counted stays.
    #[cfg(feature = "folders")]
    fn lost(&self, _error: &ResultsError) {}

    /// Battles could not be watched for the report, for this reason: it will lack what they show.
    #[cfg(feature = "folders")]
    fn unwatched(&self, _why: &str) {}

    /// Where a question notes what it has fought, to go on from there another time; nowhere by default.
    #[cfg(feature = "folders")]
    fn notes(&self) -> Option<&Notes> {
        None
    }
}

/// What battles came to, from the notes if there are any or by fighting them; none if they were not fought to the end. `what` names
/// them in the notes.
#[cfg_attr(not(feature = "folders"), allow(unused_variables, reason = "there are no notes"))]
pub(crate) fn kept<T: serde::Serialize + serde::de::DeserializeOwned>(
    progress: &dyn Progress,
    what: impl FnOnce() -> String,
    fight: impl FnOnce() -> Option<T>,
) -> Option<T> {
    #[cfg(feature = "folders")]
    if let Some(notes) = progress.notes() {
        return notes.keep(&what(), fight);
    }
    fight()
}

/// Nobody is waiting.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _battles: u64) {}
}

/// A flag that asks a run to stop at the next block.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// A flag that is not raised.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks the run to stop. What is fought by then is kept.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
