//! Progress reports.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
#[allow(clippy::disallowed_types, reason = "it only decides when to report progress")]
use std::time::Instant;

use grognard_exact::Progress as Walk;
use grognard_lab::exact::Watcher;
use grognard_lab::print::counted;
use grognard_lab::progress::Progress as Told;
use grognard_lab::record::{Ledger, Record};

/// Time between two reports.
const PAUSE: Duration = Duration::from_millis(100);

/// The progress of a task. Its `Display` is a line such as `120,000 of 360,000 battles`.
///
/// Reports come at most ten times a second while the work advances. Unless the task is exact odds, the last one comes
/// at the end.
///
/// ```
/// use grognard_kit::{Progress, Study};
///
/// let mut last = None;
/// let study = Study::load("risk-roll")?;
/// study.fight().runs(500).progress(|progress| last = Some(progress.clone())).run()?;
/// let Some(Progress::Battles { fought, of, .. }) = last else { panic!("no progress was reported") };
/// assert_eq!(Some(fought), of);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Progress {
    /// Battles are fought.
    #[non_exhaustive]
    Battles {
        /// The number fought, in all cells together.
        fought: u64,
        /// The maximum number of battles; `None` if that depends on the results.
        of: Option<u64>,
    },
    /// Odds are being computed.
    #[non_exhaustive]
    States {
        /// The cell.
        cell: u32,
        /// The game turn being solved, from 1.
        turn: u8,
        /// The last turn.
        turns: u8,
        /// The number of different states after this step.
        states: u64,
        /// The share of all battles that are over.
        over: f64,
    },
}

impl fmt::Display for Progress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Battles { fought, of: None } => write!(out, "{} battles", counted(*fought)),
            Self::Battles { fought, of: Some(of) } => write!(out, "{} of {} battles", counted(*fought), counted(*of)),
            Self::States { cell, turn, turns, states, over } => {
                let (states, over) = (counted(*states), 100.0 * over);
                write!(out, "cell {cell}: turn {turn} of {turns}, {states} states, {over:.0} % of battles over")
            }
        }
    }
}

/// The function that receives reports.
pub(crate) type Tell<'a> = Box<dyn FnMut(&Progress) + Send + 'a>;

/// Reports progress from time to time. Workers never wait for the function that receives it.
pub(crate) struct Reporter<'a> {
    tell: Option<Mutex<Telling<'a>>>,
    fought: AtomicU64,
    of: Option<u64>,
    ledger: Option<&'a Ledger>,
}

struct Telling<'a> {
    tell: Tell<'a>,
    #[allow(clippy::disallowed_types, reason = "see the import")]
    last: Option<Instant>,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(tell: Option<Tell<'a>>, of: Option<u64>, ledger: Option<&'a Ledger>) -> Self {
        let tell = tell.map(|tell| Mutex::new(Telling { tell, last: None }));
        Self { tell, fought: AtomicU64::new(0), of, ledger }
    }

    fn report(&self, progress: impl FnOnce() -> Progress) {
        let Some(Ok(mut telling)) = self.tell.as_ref().map(Mutex::try_lock) else { return };
        if telling.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            (telling.tell)(&progress());
            #[allow(clippy::disallowed_types, reason = "see the import")]
            let now = Instant::now();
            telling.last = Some(now);
        }
    }

    /// Reports the final number of battles.
    pub(crate) fn end(self) {
        let (fought, of) = (self.fought.into_inner(), self.of);
        if let Some(Ok(mut telling)) = self.tell.map(Mutex::into_inner) {
            (telling.tell)(&Progress::Battles { fought, of });
        }
    }
}

impl Told for Reporter<'_> {
    fn advance(&self, battles: u64) {
        let fought = self.fought.fetch_add(battles, Ordering::Relaxed) + battles;
        self.report(|| Progress::Battles { fought, of: self.of });
    }

    fn solving(&self) -> &dyn Watcher {
        self
    }

    fn record(&self) -> Option<&dyn Record> {
        self.ledger.map(|ledger| ledger as &dyn Record)
    }
}

impl Watcher for Reporter<'_> {
    fn walking(&self, cell: u32, walk: &Walk) {
        let Walk { turn, turns, found: states, over, .. } = *walk;
        self.report(|| Progress::States { cell, turn, turns, states, over });
    }

    fn solved(&self, _cell: u32) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_reads_as_a_line() {
        assert_eq!(Progress::Battles { fought: 1_234_567, of: None }.to_string(), "1,234,567 battles");
        assert_eq!(Progress::Battles { fought: 100, of: Some(2_000) }.to_string(), "100 of 2,000 battles");
        let states = Progress::States { cell: 3, turn: 2, turns: 8, states: 1_000, over: 0.5 };
        assert_eq!(states.to_string(), "cell 3: turn 2 of 8, 1,000 states, 50 % of battles over");
    }
}
