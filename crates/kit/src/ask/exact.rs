//! Exact odds, computed instead of sampled.

use grognard_exact::Limits;
use grognard_lab::exact::{ExactError, SolveOptions};

use super::Ask;
use crate::answer::Answer;
use crate::error::Error;
use crate::progress::Reporter;
use crate::study::Study;

/// Exact odds of a study: see [`Study::exact`].
///
/// ```
/// use grognard_kit::{Ask, Exact, Study};
///
/// let study = Study::load("risk-roll")?;
/// let question: Ask<'_, Exact> = study.exact().max_states(1_000_000);
/// assert_eq!(question.run()?.battles(), 0, "none is fought");
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Exact {
    pub(super) cells: Vec<usize>,
    limits: Limits,
}

impl Study {
    /// Computes the study's exact odds instead of sampling: the numbers of `grognard exact`, for studies that are
    /// small enough. The default limits are 20 million states, 8 GiB and no time limit.
    ///
    /// ```
    /// use std::time::Duration;
    /// use grognard_kit::{Side, Study};
    ///
    /// let odds = Study::load("risk-roll")?.exact().max_time(Duration::from_secs(60)).max_memory(1 << 30).run()?;
    /// let wins = odds.cell(0)?.share(Side::First);
    /// assert!(wins.is_computed());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn exact(&self) -> Ask<'_, Exact> {
        Ask::new(self, Exact { cells: Vec::new(), limits: Limits::default() })
    }
}

impl Ask<'_, Exact> {
    /// The memory limit for states, in bytes, for all cells that are solved at the same time.
    ///
    /// ```
    /// use grognard_kit::{Error, Study};
    ///
    /// let refused = Study::load("square-vs-line")?.exact().max_memory(1_000).run();
    /// assert!(matches!(refused, Err(Error::Exact(_))));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.question.limits.bytes = bytes;
        self
    }

    /// Limits the number of different states after one step of a cell.
    ///
    /// ```
    /// # use grognard_kit::{Error, Study};
    /// assert!(Study::load("square-vs-line")?.exact().max_states(3).run().is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn max_states(mut self, states: u64) -> Self {
        self.question.limits.states = states;
        self
    }

    /// Leaves out the least likely battles, up to this total probability. Numbers then have intervals that are valid
    /// regardless of the results of those battles.
    ///
    /// ```
    /// use grognard_kit::{Side, Study};
    ///
    /// let odds = Study::load("square-vs-line")?.exact().cells([18]).prune(1e-6).run()?;
    /// let wins = odds.cells().next().expect("one cell").share(Side::Second);
    /// assert!(wins.high - wins.low <= 1e-6);
    /// assert!(Study::load("square-vs-line")?.exact().prune(1.0).run().is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn prune(mut self, share: f64) -> Self {
        self.question.limits.prune = share;
        self
    }

    /// Computes the odds.
    ///
    /// ```
    /// println!("{}", grognard_kit::Study::load("risk-roll")?.exact().run()?);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: everything that is wrong with the study and its pack. [`Error::Exact`]: a limit was reached,
    /// or the work was stopped; the error says how far the work got, and [`Error::solved`] has the cells that were
    /// solved. [`Error::NoCell`]. [`Error::Setting`].
    pub fn run(self) -> Result<Answer, Error> {
        let prune = self.question.limits.prune;
        if !(0.0..1.0).contains(&prune) {
            let message = format!("a share of {prune} cannot be pruned");
            return Err(Error::setting(message, "prune a share from 0 up to, but not including, 1"));
        }
        let mut work = self.ready(true)?;
        work.check_cells(&work.question.cells)?;
        let options = SolveOptions {
            limits: work.question.limits,
            cells: work.question.cells.iter().map(|&cell| cell as u32).collect(),
            time: work.max_time,
            threads: work.threads,
            command: String::new(),
        };
        let reporter = Reporter::new(work.tell.take(), None, None);
        let solved = options.solve(&work.ready.study, &reporter, &work.stop);
        let results = solved.map_err(|error| match error {
            ExactError::Threads(error) => Error::threads(error),
            error => Error::Exact(error),
        })?;
        Ok(Answer::of_odds(results))
    }
}
