//! What can go wrong.

use std::fmt;

use grognard_lab::exact::ExactError;
use grognard_source::{Diagnostics, Sources};

/// Why a question has no answer.
///
/// `Debug` says the same as `Display`: that is what a notebook and a `main` that returns it print.
#[derive(thiserror::Error)]
pub enum Error {
    /// The study, its pack or a value that was set is wrong: all that is wrong, each with its place, as the command prints it.
    #[error("{0}")]
    Wrong(String),
    /// The odds could not be worked out.
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// There is no answer, for this reason.
    #[error("{0}")]
    Asked(String),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A cell that the study does not have.
    #[error("there is no cell {cell}: the study has {cells}, and they count from 0")]
    NoCell {
        /// The number that was asked for.
        cell: u32,
        /// How many there are.
        cells: usize,
    },
    /// A number that cells do not have.
    #[error("{what}; {help}")]
    NoNumber {
        /// What was asked for.
        what: String,
        /// The nearest name, or those that there are.
        help: String,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error {
    /// Faults of files and values.
    pub(crate) fn wrong(faults: &Diagnostics, sources: &Sources) -> Self {
        Self::Wrong(faults.render(sources, false).trim_end().to_owned())
    }
}
