//! Wall time, for checkpoints and for reporting how long a run took; no result depends on it.

use std::time::Duration;
#[allow(clippy::disallowed_types, reason = "when to save and how long it took are the clock's only uses here")]
use std::time::Instant;

/// A stopwatch.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::disallowed_types, reason = "see the module")]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a stopwatch.
    #[allow(clippy::disallowed_types, reason = "see the module")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
