//! Errors of results folders.

use std::path::{Path, PathBuf};

use super::{Differences, Missing};

/// Why a results folder could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The folder, or `manifest.json` in it, does not exist.
    #[error("{} is not a results folder: it has no manifest.json", folder.display())]
    NoManifest {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder exists, is not empty and was not written by Grognard.
    #[error("{} exists and is not a results folder of Grognard: nothing was written", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process is writing to the folder.
    #[error("{} is being written to by another run: nothing was written", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has results that would be lost.
    #[error("{} holds {what}: nothing was written", folder.display())]
    Occupied {
        /// The folder.
        folder: PathBuf,
        /// The study in the folder, and how much of it.
        what: String,
    },
    /// Its battles cannot be combined with the requested ones: they have a different seed, pack, deployment or version.
    #[error("{} holds battles of another series: {differences}", folder.display())]
    OtherBattles {
        /// The folder.
        folder: PathBuf,
        /// The differences.
        differences: Box<Differences>,
    },
    /// A run cannot be resumed in this folder: it has a different share of the battles.
    #[error("{} begins with battle {found}, but the share requested begins with battle {wanted}", folder.display())]
    OtherShare {
        /// The folder.
        folder: PathBuf,
        /// Index of its first battle.
        found: u64,
        /// Index of the first battle requested.
        wanted: u64,
    },
    /// A run cannot be resumed in this folder: luck was requested, but was not counted for its battles.
    #[error("{} holds battles whose luck was not counted, so it cannot be resumed with --luck", folder.display())]
    NoLuck {
        /// The folder.
        folder: PathBuf,
    },
    /// Two shards contain the same battles, or one is named twice.
    #[error("battles {first} to {last} of {} occur twice: the folder was named twice, or it overlaps another folder", folder.display())]
    Twice {
        /// The folder.
        folder: PathBuf,
        /// Its first battle.
        first: u64,
        /// Its last battle.
        last: u64,
    },
    /// Battles are missing between shards.
    #[error("{0}")]
    Missing(Missing),
    /// The folder contains exact odds, not battles.
    #[error("{} holds exact odds: it has no battles to add", folder.display())]
    NoBattles {
        /// The folder.
        folder: PathBuf,
    },
    /// No folders were named.
    #[error("there are no results to merge")]
    NothingToMerge,
    /// The folder to write is one of those to be read.
    #[error("{} is one of the folders to merge: name another folder for the sum", folder.display())]
    IntoItself {
        /// The folder.
        folder: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The operation attempted: `write`, `read` …
        action: &'static str,
        /// The path that it was attempted on.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// `manifest.json` is not the JSON of a manifest.
    #[error("{} is damaged: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The error, with its location.
        source: serde_json::Error,
    },
    /// The folder was written by a version with another format.
    #[error("{} has format {found}, but this version reads format {}", path.display(), super::FORMAT)]
    Format {
        /// The manifest.
        path: PathBuf,
        /// The format it names.
        found: u64,
        /// The command line that made the folder, if the manifest says so.
        command: Option<String>,
    },
    /// A Parquet file could not be written or read.
    #[error("cannot {action} {}: {source}", path.display())]
    Parquet {
        /// The operation attempted: `write` or `read`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The Parquet library's error.
        source: polars_core::error::PolarsError,
    },
    /// The files of the folder contradict each other or themselves.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The contradiction.
        what: String,
    },
}

impl ResultsError {
    /// Turns an I/O error into one that names the action and the file.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }

    /// Turns a Parquet error into one that names the action and the file.
    pub(crate) fn parquet(action: &'static str, path: &Path) -> impl FnOnce(polars_core::error::PolarsError) -> Self {
        move |source| Self::Parquet { action, path: path.to_owned(), source }
    }

    /// Whether a file of the folder is missing or changed, as opposed to a failure of the machine.
    pub(crate) fn is_loss(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Io { source, .. } => source.kind() == std::io::ErrorKind::NotFound,
            _ => false,
        }
    }

    /// A file that contradicts itself or the manifest.
    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }
}
