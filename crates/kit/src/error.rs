//! Errors, with their locations.

use std::fmt;

use grognard_lab::exact::ExactError;
use grognard_lab::in_memory::BadBytes;
use grognard_lab::record::LedgerError;
use grognard_lab::results::{Results, Unaddable};
use grognard_source::{Diagnostics, PlainDiagnostic, Sources, unknown_name};

use crate::answer::Answer;

/// The reason why something failed.
///
/// Its `Display` says what is wrong, where, and what to write instead, as the command does.
///
/// ```
/// use grognard_kit::{Error, Study};
///
/// let error = Study::load("square-vs-line")?.set("trns", 6).expect_err("a slip");
/// let Error::Faults(faults) = &error else { panic!("{error}") };
/// let fault = faults.iter().next().expect("one fault");
/// assert_eq!(fault.message, "there is no path `trns`");
/// assert_eq!((fault.file.as_deref(), fault.line, fault.column), (Some("set"), Some(1), Some(1)));
/// assert_eq!(fault.help.as_deref(), Some("did you mean `turns`?"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The study, its pack or a value that was set is wrong. All faults are listed, each with its location.
    #[error("{0}")]
    Faults(Faults),
    /// A setting is invalid, such as a negative precision.
    #[error("{message}; {help}")]
    #[non_exhaustive]
    Setting {
        /// What is wrong.
        message: String,
        /// What to write instead.
        help: String,
    },
    /// An unknown name: of a number of a cell, a varied path, one of its values, a side or a metric.
    #[error("{message}{}", help.as_ref().map_or_else(String::new, |help| format!("; {help}")))]
    #[non_exhaustive]
    Unknown {
        /// The unknown name.
        message: String,
        /// The nearest valid name, or a list of valid names.
        help: Option<String>,
    },
    /// A cell that the study does not have.
    #[error("there is no cell {cell}: the study has {cells}, numbered from 0")]
    #[non_exhaustive]
    NoCell {
        /// The number requested.
        cell: usize,
        /// The number of cells.
        cells: usize,
    },
    /// Individual battles are needed and were not kept.
    #[error("no battles of this cell were kept; fight with `.keep(Keep::All)`")]
    NotKept,
    /// The odds could not be computed within the limits, or the work was stopped.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// The question has no answer, for this reason.
    #[error("{0}")]
    Unanswered(String),
    /// The dice supplied do not fit the battle.
    #[error("the dice: {0}")]
    Dice(String),
    /// The player of a battle chose something that was not offered.
    #[error("the player: {0}")]
    Player(String),
    /// Answers cannot be added.
    #[error(transparent)]
    Merge(#[from] Unaddable),
    /// The bytes are not an answer.
    #[error(transparent)]
    Bytes(#[from] BadBytes),
    /// Battles that the question needs are left to other processes: see [`Ask::ledger`](crate::Ask::ledger).
    #[error("battles were left to other processes; add their news to the ledger, and ask again")]
    Left,
    /// The ledger belongs to another question, or the news added to it is damaged.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(String),
}

impl Error {
    /// The cells whose exact odds were computed before a limit was reached or the work was stopped; `None` if there are
    /// none. If the limit was on states or memory, these are the cells before the one named in the error.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("risk-dice")?;
    /// let error = study.exact().max_states(5).run().expect_err("too many states");
    /// let solved = error.solved().expect("the cells before");
    /// assert_eq!(solved.cells().count(), 28);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn solved(&self) -> Option<Answer> {
        let Self::Exact(ExactError::TooLarge { solved: Some(results), .. }) = self else { return None };
        Some(Answer::of_odds(Results::clone(results)))
    }
}

/// Everything that is wrong with a text; at least one fault. Its `Display` shows each in its context.
///
/// ```
/// use grognard_kit::{Error, Study};
///
/// let error = Study::from_text("study = 'duel'\nturns = 'six'\nseed = -1\n").expect_err("two slips");
/// let Error::Faults(faults) = &error else { panic!("{error}") };
/// assert!(faults.to_string().contains("--> study.toml:2:9"));
/// assert_eq!(faults.iter().filter_map(|fault| fault.line).collect::<Vec<_>>(), [2, 3]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    all: Vec<Fault>,
    text: String,
}

/// One fault: what is wrong, where, and what to write instead. Its `Display` is a line: `file:line:column: message;
/// help`.
///
/// ```
/// use grognard_kit::{Error, Study};
///
/// let Err(Error::Faults(faults)) = Study::load("square-vs-line")?.set("distence", 8) else { panic!("a slip") };
/// let fault = faults.iter().next().expect("one fault");
/// assert_eq!(fault.to_string(), "set:1:1: there is no path `distence`; did you mean `distance`?");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The file or other source of the text; `set` for values that were set.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column in characters, from 1.
    pub column: Option<usize>,
    /// The path of the value in its document.
    pub path: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
}

impl Faults {
    /// The faults by file and location; those without a location first.
    ///
    /// ```
    /// # use grognard_kit::{Error, Study};
    /// if let Err(Error::Faults(faults)) = Study::load("no-such-study") {
    ///     for fault in faults.iter() {
    ///         println!("{fault}");
    ///     }
    /// }
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Fault> {
        self.all.iter()
    }

    fn new(faults: &Diagnostics, sources: &Sources) -> Self {
        let fault = |fault: PlainDiagnostic| {
            let PlainDiagnostic { file, line, column, path, message, help, notes } = fault;
            Fault { file, line, column, path, message, help, notes }
        };
        let all = faults.to_plain(sources).into_iter().map(fault).collect();
        Self { all, text: faults.render(sources, false).trim_end().to_owned() }
    }
}

impl<'a> IntoIterator for &'a Faults {
    type Item = &'a Fault;
    type IntoIter = std::slice::Iter<'a, Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(file), Some(line), Some(column)) = (&self.file, self.line, self.column) {
            write!(out, "{file}:{line}:{column}: ")?;
        }
        out.write_str(&self.message)?;
        self.help.as_ref().map_or(Ok(()), |help| write!(out, "; {help}"))
    }
}

impl Error {
    /// Faults of texts and values.
    pub(crate) fn faults(faults: &Diagnostics, sources: &Sources) -> Self {
        Self::Faults(Faults::new(faults, sources))
    }

    /// An unknown name, with the nearest valid one.
    pub(crate) fn unknown<'a, I>(what: &str, name: &str, known: I) -> Self
    where
        I: IntoIterator<Item = &'a str>,
        I::IntoIter: Clone,
    {
        let (message, help) = unknown_name(what, name, known);
        Self::Unknown { message, help }
    }

    pub(crate) fn setting(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Setting { message: message.into(), help: help.into() }
    }

    #[allow(clippy::needless_pass_by_value, reason = "errors are passed on as `map_err` gives them")]
    pub(crate) fn unanswered(why: impl ToString) -> Self {
        Self::Unanswered(why.to_string())
    }

    #[allow(clippy::needless_pass_by_value, reason = "errors are passed on as `map_err` gives them")]
    pub(crate) fn threads(why: impl ToString) -> Self {
        Self::Threads(why.to_string())
    }
}
