//! The connection between a run and its watcher.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::clock::Stopwatch;
use crate::exact::{Unwatched, Watcher};
use crate::record::Record;
#[cfg(feature = "folders")]
use crate::results::ResultsError;
use crate::runner::Tallied;

/// Receives the progress of a run. Called from the worker threads.
pub trait Progress: Sync {
    /// This many more battles have been fought.
    fn advance(&self, battles: u64);

    /// Every cell has fought another block, which is included in `tallied`.
    fn counted(&self, _tallied: &Tallied) {}

    /// A file of kept battles is missing or damaged and is ignored; the counts remain valid.
    #[cfg(feature = "folders")]
    fn lost(&self, _error: &ResultsError) {}

    /// All battles of a run have been fought; the data for its report comes next.
    #[cfg(feature = "folders")]
    fn reporting(&self) {}

    /// Battles could not be watched for the report, for this reason; it will lack their data.
    #[cfg(feature = "folders")]
    fn unwatched(&self, _why: &str) {}

    /// The watcher of cells that are computed instead of fought. Default: none.
    fn solving(&self) -> &dyn Watcher {
        &Unwatched
    }

    /// The record in which a question looks up and stores results of battles. The default is no record.
    fn record(&self) -> Option<&dyn Record> {
        None
    }
}

/// A function that returns true until this much time has passed since the call.
pub fn within(time: Duration) -> impl Fn() -> bool {
    let begun = Stopwatch::start();
    move || begun.elapsed() < time
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _battles: u64) {}
}

/// A flag that asks work to stop: a run stops at the next block, a question at its next interim look, exact odds within
/// a moment.
///
/// Clones share the flag: keep one, and raise it from another thread.
///
/// ```
/// use grognard_lab::progress::Stop;
///
/// let stop = Stop::new();
/// let for_ctrl_c = stop.clone();
/// std::thread::spawn(move || for_ctrl_c.raise()).join().expect("a thread");
/// assert!(stop.is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop {
    raised: Arc<AtomicBool>,
    /// The start of the time limit and its length, if there is a limit.
    limit: Option<(Stopwatch, Duration)>,
}

impl Stop {
    /// A flag that is not raised.
    ///
    /// ```
    /// assert!(!grognard_lab::progress::Stop::new().is_raised());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same flag, which also counts as raised once this time is over. The time starts now. A limit that was set
    /// before still holds if it ends earlier.
    ///
    /// ```
    /// use std::time::Duration;
    /// use grognard_lab::progress::Stop;
    ///
    /// let over = Stop::new().within(Duration::ZERO);
    /// assert!(over.is_raised() && over.within(Duration::MAX).is_raised());
    /// ```
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        let earlier = self.limit.filter(|(started, limit)| limit.saturating_sub(started.elapsed()) <= time);
        let limit = earlier.unwrap_or_else(|| (Stopwatch::start(), time));
        Self { raised: Arc::clone(&self.raised), limit: Some(limit) }
    }

    /// Asks the work to stop. Completed work is kept.
    ///
    /// ```
    /// let stop = grognard_lab::progress::Stop::new();
    /// stop.raise();
    /// assert!(stop.is_raised());
    /// ```
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Whether the work was asked to stop, or its time is up.
    ///
    /// ```
    /// let stop = grognard_lab::progress::Stop::new();
    /// while !stop.is_raised() {
    ///     // Some work.
    ///     stop.raise();
    /// }
    /// ```
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.limit.is_some_and(|(started, time)| started.elapsed() >= time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_flag_and_a_limit_is_one_more_reason() {
        let stop = Stop::new();
        let (clone, over) = (stop.clone(), stop.within(Duration::ZERO));
        assert!(over.is_raised() && !stop.is_raised() && !clone.is_raised());
        let later = stop.within(Duration::from_secs(1_000_000));
        assert!(!later.is_raised());
        clone.raise();
        assert!(stop.is_raised() && later.is_raised());
    }

    #[test]
    fn of_two_limits_the_earlier_one_holds() {
        let (now, later) = (Duration::ZERO, Duration::from_secs(1_000_000));
        assert!(Stop::new().within(now).within(later).is_raised());
        assert!(Stop::new().within(later).within(now).is_raised());
        assert!(!Stop::new().within(later).within(later).is_raised());
    }
}
