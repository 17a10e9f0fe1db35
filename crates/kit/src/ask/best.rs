//! Best play: what is a battle worth between perfect players?

use std::sync::Arc;

use grognard_engine::Side;
use grognard_exact::Limits;
use grognard_lab::questions::{BestCell, BestError, BestPlay, Provenance};
use grognard_lab::sensitivity::Quantity;

use super::Ask;
use crate::error::Error;
use crate::progress::Reporter;
use crate::study::{Ready, Study};

/// Best play: see [`Study::best`].
///
/// ```
/// use grognard_kit::{Ask, Best, Study};
///
/// let study = Study::load("square-vs-line")?.set("turns", 2)?;
/// let question: Ask<'_, Best> = study.best().cells([18]);
/// assert_eq!(question.run()?.len(), 1);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Best {
    pub(super) cells: Vec<usize>,
    metric: Option<String>,
    limits: Limits,
}

impl Study {
    /// What are the study's battles worth between perfect players, and what does each doctrine give away? Like
    /// `grognard best`. If a doctrine names another one for `best`, a perfect player chooses at the start of the battle
    /// whether to play perfectly with the orders of the other doctrine or to follow this one. If the time or memory
    /// limit is reached, values are brackets. The default limits are 8 GiB and no time limit.
    ///
    /// ```
    /// use std::time::Duration;
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("square-vs-line")?.set("turns", 2)?;
    /// let best = study.best().cells([18]).max_time(Duration::from_secs(30)).run()?;
    /// let both = best[0].values.best_best;
    /// println!("between experts the attacker scores {:.3} to {:.3}", both.low, both.high);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn best(&self) -> Ask<'_, Best> {
        let limits = Limits { states: u64::from(u32::MAX), ..Limits::default() };
        Ask::new(self, Best { cells: Vec::new(), metric: None, limits })
    }
}

impl Ask<'_, Best> {
    /// Plays for this metric: a side's score or wins, or its losses, such as `defender.losses`. The default is the
    /// first side's score.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("square-vs-line")?.set("turns", 2)?;
    /// let best = study.best().metric("defender.losses").cells([18]).run()?;
    /// assert!(best[0].values.best_best.low >= 0.0);
    /// assert!(study.best().metric("turns").run().is_err(), "neither side wants many turns");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn metric(mut self, name: impl Into<String>) -> Self {
        self.question.metric = Some(name.into());
        self
    }

    /// The memory limit, in bytes, for all cells that are solved at the same time.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let best = Study::load("square-vs-line")?.best().cells([18]).max_memory(1 << 20).run()?;
    /// assert!(best[0].values.best_best.low <= best[0].values.best_best.high);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.question.limits.bytes = bytes;
        self
    }

    /// Solves the study, until it reaches a limit or is stopped.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("square-vs-line")?;
    /// assert!(study.best().metric("scor").run().is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: the study is wrong; [`Error::Unknown`]: it has no such metric; [`Error::Unanswered`]:
    /// neither side wants the metric high or low.
    pub fn run(self) -> Result<Vec<BestCell>, Error> {
        self.answer().map(|(_, _, cells)| cells)
    }

    /// The answer as JSON: the output of `grognard best --json`, without the sentences.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("square-vs-line")?.set("turns", 2)?;
    /// assert!(study.best().cells([18]).json()?.contains(r#""method":"best""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As `run`.
    pub fn json(self) -> Result<String, Error> {
        let (ready, best, cells) = self.answer()?;
        Ok(best.json(&ready.study, &cells, None, &Provenance::default()).to_string())
    }

    fn answer(self) -> Result<(Arc<Ready>, BestPlay, Vec<BestCell>), Error> {
        let mut work = self.ready(false)?;
        work.of_two_sides("best play")?;
        work.check_cells(&work.question.cells)?;
        let quantity = match &work.question.metric {
            Some(name) => work.metric(name)?,
            None => Quantity::score(&work.ready.study, Side::First),
        };
        let (limits, time, threads) = (work.question.limits, work.max_time, work.threads);
        let reporter = Reporter::new(work.tell.take(), None, None);
        let study = &work.ready.study;
        let cells: Vec<_> = study.chosen(&work.question.cells).into_iter().map(|place| &study.cells[place]).collect();
        let best = BestPlay { quantity, limits, time, threads, precision: None, only_both: false };
        let solved = best.solve(&cells, &reporter, &work.stop).map_err(|error| match error {
            BestError::Threads(error) => Error::threads(error),
            error @ BestError::NobodysMetric(_) => Error::unanswered(error),
        })?;
        Ok((Arc::clone(&work.ready), best, solved))
    }
}
