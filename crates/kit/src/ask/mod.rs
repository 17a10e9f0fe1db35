//! Long tasks: their limits, their progress, and how to stop them.

mod best;
mod exact;
mod fight;
mod rules;
mod search;
mod sides;
mod train;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use grognard_lab::progress::{Progress as Told, Stop};
use grognard_lab::record::{Ledger, Record};
use grognard_lab::sensitivity::Quantity;
use grognard_lab::study::{Study as Checked, Variants, metrics_of};
use grognard_source::{Diagnostic, Diagnostics};
use grognard_stats::Level;

use crate::error::Error;
use crate::progress::{Progress, Reporter, Tell};
use crate::study::{Numbers, Ready, Study};

pub use best::Best;
pub use exact::Exact;
pub use fight::Fight;
pub use rules::{Ablate, Tune, TuneResult};
pub use search::{Find, Judge};
pub use sides::{MatchupTable, Matchups, Points};
pub use train::Train;

/// A long-running task on a study: battles to fight ([`Study::fight`]), odds to compute ([`Study::exact`]), or a
/// question such as [`Study::find`]. `Q` is the kind of task. Set it up first, then call `run`.
///
/// All tasks can be limited, watched and stopped:
///
/// ```
/// use std::time::Duration;
/// use grognard_kit::{Stop, Study};
///
/// let stop = Stop::new();
/// let ctrl_c = stop.clone(); // can be raised by any thread
/// let study = Study::load("square-vs-line")?;
/// let answer = study
///     .fight()
///     .runs(5_000)
///     .seed(1815)
///     .threads(2)
///     .max_time(Duration::from_secs(600))
///     .progress(|progress| eprintln!("{progress}"))
///     .stop(&stop)
///     .run()?;
/// assert_eq!(answer.battles(), 5_000);
///
/// ctrl_c.raise();
/// let answer = study.fight().stop(&stop).run()?;
/// assert!(answer.is_stopped() && answer.battles() == 0);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[must_use = "nothing is done before `run`"]
pub struct Ask<'a, Q> {
    study: &'a Study,
    question: Q,
    numbers: Numbers,
    precision: Option<f64>,
    level: Level,
    threads: usize,
    max_time: Option<Duration>,
    tell: Option<Tell<'a>>,
    stop: Stop,
    ledger: Option<&'a Ledger>,
}

/// A task that fights battles: it has a number of battles, a seed and a confidence level.
///
/// ```
/// use grognard_kit::{Ask, Fights, Study};
///
/// /// The same dice for every question.
/// fn usual<Q: Fights>(ask: Ask<'_, Q>) -> Ask<'_, Q> {
///     ask.runs(500).seed(1815)
/// }
///
/// let study = Study::load("refduel")?;
/// assert_eq!(usual(study.fight()).run()?.battles(), 500);
/// assert!(!usual(study.ablate("a score")).run()?.rules.is_empty());
/// # Ok::<(), grognard_kit::Error>(())
/// ```
pub trait Fights: sealed::Fights {}

/// A task that ends when its results are precise enough.
///
/// ```
/// use grognard_kit::{Ask, Precise, Study};
///
/// fn roughly<Q: Precise>(ask: Ask<'_, Q>) -> Ask<'_, Q> {
///     ask.precision(0.05)
/// }
///
/// assert!(roughly(Study::load("risk-roll")?.fight()).run()?.battles() < 10_000);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
pub trait Precise: sealed::Precise {}

/// A task that can be restricted to some cells.
///
/// ```
/// use grognard_kit::{Ask, OfCells, Study};
///
/// fn of_the_square<Q: OfCells>(ask: Ask<'_, Q>) -> Ask<'_, Q> {
///     ask.cells([18])
/// }
///
/// assert_eq!(of_the_square(Study::load("square-vs-line")?.exact()).run()?.cells().len(), 1);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
pub trait OfCells: sealed::OfCells {}

/// A question that several processes can answer together: see [`Ask::ledger`].
///
/// ```
/// use grognard_kit::{Ask, Ledger, Shared, Study};
///
/// fn noting<'a, Q: Shared>(ask: Ask<'a, Q>, ledger: &'a Ledger) -> Ask<'a, Q> {
///     ask.ledger(ledger)
/// }
///
/// let (study, ledger) = (Study::load("refduel")?, Ledger::new());
/// noting(study.ablate("a score").runs(500), &ledger).run()?;
/// assert!(ledger.news().contains("without"));
/// # Ok::<(), grognard_kit::Error>(())
/// ```
pub trait Shared: sealed::Shared {}

mod sealed {
    pub trait Fights {}
    pub trait Precise {}
    pub trait Shared {}
    pub trait OfCells {
        fn cells(&mut self) -> &mut Vec<usize>;
    }
}

macro_rules! is {
    ($($question:ty: $($trait:ident)+;)+) => {
        $($(impl sealed::$trait for $question {} impl $trait for $question {})+)+
    };
}

is! {
    Fight: Fights Precise;
    Find: Fights Precise;
    Judge: Fights;
    Tune: Fights Shared;
    Ablate: Fights Shared;
    Matchups: Fights Precise;
    Points: Fights;
    Train: Fights Shared;
}

macro_rules! of_cells {
    ($($question:ty),+) => {
        $(impl sealed::OfCells for $question {
            fn cells(&mut self) -> &mut Vec<usize> {
                &mut self.cells
            }
        }
        impl OfCells for $question {})+
    };
}

of_cells!(Exact, Find, Ablate, Matchups, Points, Train, Best);

impl<'a, Q> Ask<'a, Q> {
    pub(crate) fn new(study: &'a Study, question: Q) -> Self {
        Self {
            study,
            question,
            numbers: Numbers::default(),
            precision: None,
            level: Level::default(),
            threads: 0,
            max_time: None,
            tell: None,
            stop: Stop::new(),
            ledger: None,
        }
    }

    /// Sets the number of worker threads. The default, 0, uses one for each core. Results do not depend on it.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("risk-roll")?;
    /// let digest = |threads| study.fight().runs(1_000).threads(threads).run().map(|answer| answer.digest().to_owned());
    /// assert_eq!(digest(1)?, digest(3)?);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Stops after this time. The answer contains everything known by then, except for exact odds, which are all or
    /// nothing.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let study = grognard_kit::Study::load("square-vs-line")?;
    /// let answer = study.fight().max_time(Duration::ZERO).run()?;
    /// assert!(answer.is_stopped());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn max_time(self, time: Duration) -> Self {
        Self { max_time: Some(time), ..self }
    }

    /// Calls this function with the progress, at most ten times a second, from any thread.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("risk-roll")?;
    /// study.fight().runs(1_000).progress(|progress| eprintln!("{progress}")).run()?;
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn progress(self, tell: impl FnMut(&Progress) + Send + 'a) -> Self {
        Self { tell: Some(Box::new(tell)), ..self }
    }

    /// A flag that stops the work when it is raised.
    ///
    /// ```
    /// use grognard_kit::{Stop, Study};
    ///
    /// let stop = Stop::new();
    /// let study = Study::load("square-vs-line")?;
    /// let answer = std::thread::scope(|scope| {
    ///     scope.spawn(|| stop.raise());
    ///     study.fight().runs(1_000_000_000).stop(&stop).run()
    /// })?;
    /// assert!(answer.is_stopped());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn stop(self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), ..self }
    }
}

impl<Q: Fights> Ask<'_, Q> {
    /// Sets the number of battles: for a run, in each cell; for a question, the maximum in a cell at one value, for one
    /// candidate or for one pairing.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("risk-roll")?;
    /// assert_eq!(study.fight().runs(1_000).run()?.battles(), 1_000);
    /// assert!(study.fight().runs(0).run().is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn runs(self, runs: u64) -> Self {
        let numbers = Numbers { runs: Some(runs), ..self.numbers };
        Self { numbers, ..self }
    }

    /// Uses this seed instead of the study's.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("risk-dice")?;
    /// let digest = |seed| study.fight().runs(100).seed(seed).run().map(|answer| answer.digest().to_owned());
    /// assert!(digest(1)? == digest(1)? && digest(1)? != digest(2)?);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn seed(self, seed: u64) -> Self {
        let numbers = Numbers { seed: Some(seed), ..self.numbers };
        Self { numbers, ..self }
    }

    /// Sets the confidence level of all intervals. The default is 95 %.
    ///
    /// ```
    /// use grognard_kit::{Level, Side, Study};
    ///
    /// let study = Study::load("risk-roll")?;
    /// let sure = Level::new(0.99).expect("a level is between 0 and 1");
    /// let width = |level| study.fight().runs(1_000).level(level).run().map(|answer| {
    ///     answer.cells().next().map(|cell| cell.share(Side::First).half_width())
    /// });
    /// assert!(width(sure)? > width(Level::default())?);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn level(self, level: Level) -> Self {
        Self { level, ..self }
    }
}

impl<Q: Precise> Ask<'_, Q> {
    /// Ends when everything is known to plus or minus this: the share of every outcome in every cell, or the metric in
    /// question. For a metric that is not a share, this is a fraction of its maximum.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("risk-roll")?;
    /// let answer = study.fight().runs(1_000_000).precision(0.02).run()?;
    /// assert!(answer.battles() < 20_000);
    /// assert!(study.fight().precision(-1.0).run().is_err() && study.fight().precision(f64::NAN).run().is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn precision(self, half_width: f64) -> Self {
        Self { precision: Some(half_width), ..self }
    }
}

impl<'a, Q: Shared> Ask<'a, Q> {
    /// Looks up results of battles in this ledger before fighting them, and records new results there.
    ///
    /// With a [part](Ledger::part) of a ledger, battles outside the part are left to other processes, and there is no
    /// answer until everything is known. The answer is then identical to that of a single process, bit for bit.
    ///
    /// ```
    /// use grognard_kit::{Error, Ledger, Study};
    ///
    /// let study = Study::load("refduel")?;
    /// let ask = || study.ablate("a score").alone().runs(500);
    /// let mut ledger = Ledger::new();
    /// let together = loop {
    ///     let nobody = ledger.part([]);
    ///     match ask().ledger(&nobody).json() {
    ///         Err(Error::Left) => {}
    ///         answer => break answer?,
    ///     }
    ///     // Two processes would do this, each with one half.
    ///     let wanted = nobody.wanted();
    ///     for half in wanted.chunks(wanted.len().div_ceil(2)) {
    ///         let part = ledger.part(half.to_vec());
    ///         let left = ask().ledger(&part).run();
    ///         assert!(left.is_ok() || matches!(left, Err(Error::Left)));
    ///         ledger.add(&part.news())?;
    ///     }
    /// };
    /// assert_eq!(together, ask().json()?);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn ledger(self, ledger: &'a Ledger) -> Self {
        Self { ledger: Some(ledger), ..self }
    }
}

impl<Q: OfCells> Ask<'_, Q> {
    /// Uses only these cells, by number.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("square-vs-line")?;
    /// assert_eq!(study.exact().cells([18, 20]).run()?.cells().len(), 2);
    /// assert!(study.exact().cells([36]).run().is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn cells(mut self, cells: impl IntoIterator<Item = usize>) -> Self {
        *self.question.cells() = cells.into_iter().collect();
        self
    }
}

impl<Q> fmt::Debug for Ask<'_, Q> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { study, numbers, precision, level, threads, max_time, .. } = self;
        let mut out = out.debug_struct("Ask");
        out.field("study", &study.name()).field("runs", &numbers.runs).field("seed", &numbers.seed);
        out.field("precision", precision).field("level", level).field("threads", threads).field("max_time", max_time);
        out.finish_non_exhaustive()
    }
}

/// A question with its study, ready to run.
struct Work<'a, Q> {
    ready: Arc<Ready>,
    question: Q,
    runs: Option<u64>,
    precision: Option<f64>,
    level: Level,
    threads: usize,
    max_time: Option<Duration>,
    tell: Option<Tell<'a>>,
    stop: Stop,
    ledger: Option<&'a Ledger>,
}

impl<'a, Q> Ask<'a, Q> {
    /// Checks the settings, and checks and compiles the study. For a question, `runs` does not set the study's
    /// number of battles.
    fn ready(self, runs_are_the_studys: bool) -> Result<Work<'a, Q>, Error> {
        if self.precision.is_some_and(|half_width| !(half_width > 0.0 && half_width < 1.0)) {
            let half_width = self.precision.unwrap_or_default();
            let message = format!("{half_width} is not a valid precision");
            return Err(Error::setting(message, "give half the width of an interval, between 0 and 1, such as 0.01"));
        }
        let Numbers { runs, seed } = self.numbers;
        if runs.is_some_and(|runs| runs == 0 || runs > grognard_lab::RUNS_MAX) {
            let message = format!("{} battles cannot be fought", runs.unwrap_or_default());
            return Err(Error::setting(message, format!("ask for 1 to {}", grognard_lab::RUNS_MAX)));
        }
        if seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
            let message = format!("{} is too large for a seed", seed.unwrap_or_default());
            return Err(Error::setting(message, format!("{} is the largest", i64::MAX)));
        }
        if self.threads > 1_024 {
            return Err(Error::setting(format!("{} threads are too many", self.threads), "1,024 is the limit"));
        }
        let ready = self.study.ready(Numbers { runs: runs.filter(|_| runs_are_the_studys), seed })?;
        let Self { question, precision, level, threads, max_time, tell, stop, ledger, .. } = self;
        Ok(Work { ready, question, runs, precision, level, threads, max_time, tell, stop, ledger })
    }
}

impl<'a, Q> Work<'a, Q> {
    /// The flag that stops the task, raised by the caller or by the time limit.
    fn stop(&self) -> Stop {
        self.max_time.map_or_else(|| self.stop.clone(), |time| self.stop.within(time))
    }

    /// The number of battles of a question: the number requested or this default, rounded to whole rounds.
    fn battles(&self, usual: u64) -> u64 {
        self.ready.study.whole_rounds(self.runs.unwrap_or(usual))
    }

    /// Refuses a study of more than two sides.
    fn of_two_sides(&self, what: &str) -> Result<(), Error> {
        let Ready { study, sources, .. } = &*self.ready;
        study.of_two_sides(what).map_err(|faults| Error::faults(&faults, sources))
    }

    /// Checks that the cells with these numbers exist.
    fn check_cells(&self, cells: &[usize]) -> Result<(), Error> {
        let known = self.ready.study.cells.len();
        let missing = cells.iter().copied().find(|&cell| cell >= known);
        missing.map_or(Ok(()), |cell| Err(Error::NoCell { cell, cells: known }))
    }

    /// Runs a question on the study, whose rules may be varied. `of` is the maximum number of battles that it can
    /// fight, if known.
    fn ask<T>(
        mut self,
        of: Option<u64>,
        ask: impl FnOnce(&Self, &Checked, &Variants<'_>, &dyn Told, &Stop) -> Result<T, Unanswered>,
    ) -> Result<T, Error>
    where
        Q: fmt::Debug,
    {
        let (reporter, stop) = (Reporter::new(self.tell.take(), of, self.ledger), self.stop());
        if let Some(ledger) = self.ledger {
            // The ledger is bound to all settings except the number of threads and the time.
            let Self { question, runs, precision, level, .. } = &self;
            ledger.bind(&self.ready.study, &format!("{question:?} {runs:?} {precision:?} {level:?}"))?;
        }
        let mut sources = self.ready.sources.clone();
        let variants = Variants::of(&self.ready.study, &mut sources).map_err(Unanswered::Wrong);
        let asked = variants.and_then(|variants| ask(&self, &self.ready.study, &variants, &reporter, &stop));
        reporter.end();
        if self.ledger.is_some_and(Ledger::is_open) {
            // Battles are missing, so any result is unreliable.
            return Err(Error::Left);
        }
        asked.map_err(|error| match error {
            Unanswered::Wrong(faults) => Error::faults(&faults, &sources),
            Unanswered::Other(why) => Error::Unanswered(why),
        })
    }

    /// The metric with this name.
    fn metric(&self, name: &str) -> Result<Quantity, Error> {
        let study = &self.ready.study;
        grognard_lab::questions::metric(study, name).ok_or_else(|| {
            let known = metrics_of(&study.sides);
            Error::unknown("metric", name, known.iter().map(String::as_str))
        })
    }
}

/// Why a question has no answer, before errors are located in texts.
enum Unanswered {
    Wrong(Diagnostics),
    Other(String),
}

impl Unanswered {
    #[allow(clippy::needless_pass_by_value, reason = "errors are passed on as `map_err` gives them")]
    fn other(why: impl ToString) -> Self {
        Self::Other(why.to_string())
    }
}

impl From<Diagnostics> for Unanswered {
    fn from(faults: Diagnostics) -> Self {
        Self::Wrong(faults)
    }
}

impl From<Diagnostic> for Unanswered {
    fn from(fault: Diagnostic) -> Self {
        Self::Wrong(fault.into())
    }
}
