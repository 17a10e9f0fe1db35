//! How a command ends.

use std::io::ErrorKind;
use std::process::ExitCode;

use grognard_lab::compare::{CompareError, DuelError};
use grognard_lab::folder_run::FolderRunError;
use grognard_lab::results::ResultsError;
use grognard_report::ReportError;
use grognard_source::{Diagnostic, Diagnostics, Sources};

use crate::terminal;
use crate::text::tame;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The work is done.
    Done,
    /// The work could not be finished, for example because of a full disk or Ctrl-C.
    Unfinished,
    /// The input is wrong.
    Wrong,
    /// A target of the study is missed.
    Missed,
    /// A target is undecided, or the time ran out before anything was known.
    Undecided,
}

impl Status {
    /// The combined status of two tasks: the worse.
    pub(crate) fn and(self, other: Self) -> Self {
        if self == Self::Done { other } else { self }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Done => 0,
            Status::Unfinished => 1,
            Status::Wrong => 2,
            Status::Missed => 3,
            Status::Undecided => 4,
        })
    }
}

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is wrong.
    Wrong(Diagnostics),
    /// The operating system or hardware failed.
    Unfinished(Box<Diagnostic>),
    /// The command was stopped before a first result, so nothing is known.
    Stopped {
        /// The first result that was missing: `any rule was tried`.
        before: String,
        /// Whether the command's own time limit stopped it. If so, the question is undecided.
        out_of_time: bool,
    },
}

impl Failure {
    /// A failure for wrong input.
    pub(crate) fn wrong(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Wrong(Diagnostic::new(message).help(help).into())
    }

    /// A failure of the machine, with its reason.
    pub(crate) fn unfinished(message: impl Into<String>) -> Self {
        Self::Unfinished(Diagnostic::new(message).into())
    }

    /// A failure of the machine, with its reason and what might help.
    pub(crate) fn beyond(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Unfinished(Diagnostic::new(message).help(help).into())
    }

    /// The failure of a question that was stopped before its first result: `any rule was tried`.
    pub(crate) fn stopped(before: impl Into<String>) -> Self {
        Self::Stopped { before: before.into(), out_of_time: false }
    }

    /// Records whether the question's time limit caused this failure.
    pub(crate) fn timed(self, out_of_time: bool) -> Self {
        match self {
            Self::Stopped { before, .. } => Self::Stopped { before, out_of_time },
            other => other,
        }
    }

    /// The failure for a cell that does not exist in a study with this many cells.
    pub(crate) fn no_cell(message: impl Into<String>, cells: usize) -> Self {
        let help = match cells.saturating_sub(1) {
            0 => "the only cell is 0".to_owned(),
            last => format!("cells are numbered from 0 to {last}"),
        };
        Self::wrong(message, help)
    }

    /// A failure of the machine, with what might help.
    fn of_machine(message: String, kind: ErrorKind) -> Self {
        match of_kind(kind) {
            Some(help) => Self::beyond(message, help),
            None => Self::unfinished(message),
        }
    }

    /// Prints the failure on standard error.
    pub(crate) fn tell(self, sources: &Sources) -> Status {
        let (faults, status) = match self {
            Self::Wrong(faults) => (faults, Status::Wrong),
            Self::Unfinished(fault) => ((*fault).into(), Status::Unfinished),
            Self::Stopped { before, out_of_time } => {
                let (message, status) = match out_of_time {
                    true => (format!("undecided: the time ran out before {before}"), Status::Undecided),
                    false => (format!("stopped before {before}"), Status::Unfinished),
                };
                let help = "allow more with --time, or ask for less; with --out, run the same command again to resume";
                (Diagnostic::new(message).help(help).into(), status)
            }
        };
        terminal::say_raw(&faults.render(sources, terminal::colour()));
        status
    }
}

impl From<Diagnostic> for Failure {
    fn from(fault: Diagnostic) -> Self {
        Self::Wrong(fault.into())
    }
}

impl From<Diagnostics> for Failure {
    fn from(faults: Diagnostics) -> Self {
        Self::Wrong(faults)
    }
}

impl From<ResultsError> for Failure {
    fn from(error: ResultsError) -> Self {
        let message = error.to_string();
        let help = match error {
            ResultsError::Io { source, .. } => return Self::of_machine(message, source.kind()),
            ResultsError::Parquet { .. } => return Self::unfinished(message),
            ResultsError::Busy { .. } => {
                return Self::beyond(message, "wait for it, or name another folder with --out");
            }
            ResultsError::Occupied { .. } => "name another folder with --out, or replace them with --force",
            ResultsError::Twice { .. } => "name every shard of the run once",
            ResultsError::NoManifest { .. } => "name a folder that `grognard run` has written",
            ResultsError::Foreign { .. } => "name another folder with --out",
            ResultsError::OtherBattles { .. } => {
                "battles can be added only if study, pack, seed and version are the same; otherwise use another folder"
            }
            ResultsError::NoLuck { .. } => "omit --luck, or run the study in another folder",
            ResultsError::OtherShare { .. } => "use the folder's original --shard and --runs",
            ResultsError::Missing(_) => "name every shard of the run once, and only complete shards",
            ResultsError::NoBattles { .. } => "name the folders of shards that were run",
            ResultsError::NothingToMerge => "name the folders of the shards",
            ResultsError::IntoItself { .. } => "--out must name a separate folder",
            ResultsError::Json { .. } | ResultsError::Damaged { .. } => "run the study again, into another folder",
            ResultsError::Format { command, .. } => {
                let again = command.as_ref().map_or_else(String::new, |command| format!(": {}", tame(command)));
                let help = format!("read it with the version that wrote it, or recreate it in another folder{again}");
                return Self::wrong(message, help);
            }
        };
        Self::wrong(message, help)
    }
}

/// Help that might apply when the machine fails.
fn of_kind(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::NotFound => Some("the file existed when the folder was written: restore it, or run the study again"),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Some("name a folder that you may write to with --out")
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Some("make room, or name a folder on another disk with --out")
        }
        ErrorKind::FileTooLarge => {
            Some("raise the limit on the size of files (`ulimit -f`), or keep fewer battles with --keep")
        }
        _ => None,
    }
}

impl From<FolderRunError> for Failure {
    fn from(error: FolderRunError) -> Self {
        match error {
            FolderRunError::Results(error) => error.into(),
            FolderRunError::Threads(_) => Self::unfinished(error.to_string()),
        }
    }
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        let message = error.to_string();
        let help = match error {
            CompareError::Results(error) => return error.into(),
            CompareError::NoBattles(_) => "run the study first: grognard run",
            CompareError::ManySides(..) => "compare their reports instead",
            CompareError::OtherSides { .. } => "the two sides must have the same names in both",
            CompareError::NothingInCommon => "compare runs of one study, or of two that vary the same paths",
            CompareError::OneCell(_) => "name a second folder, or the cell to compare with: --baseline N",
            CompareError::NoCell { cells, .. } => {
                let last = cells.saturating_sub(1);
                return Self::wrong(message, format!("cells are numbered from 0 to {last}"));
            }
            CompareError::Texts { .. } => "run the study again",
        };
        Self::wrong(message, help)
    }
}

impl From<DuelError> for Failure {
    fn from(error: DuelError) -> Self {
        match error {
            DuelError::Compare(CompareError::NoBattles(_)) => Self::stopped("any block of battles was complete"),
            DuelError::Compare(error) => error.into(),
            DuelError::Threads(_) => Self::unfinished(error.to_string()),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Results(error) => error.into(),
            ReportError::Write { ref source, .. } if source.kind() != ErrorKind::NotFound => {
                Self::of_machine(error.to_string(), source.kind())
            }
            ReportError::Paint(_) | ReportError::Write { .. } => Self::unfinished(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// Files of a report get the same help as files of results.
    #[test]
    fn a_file_that_cannot_be_written_says_what_might_help() {
        let refused = |kind: ErrorKind| {
            let source = io::Error::from(kind);
            match Failure::from(ReportError::Write { path: "clauses.png".into(), source }) {
                Failure::Unfinished(fault) => fault.help,
                _ => panic!("another kind of failure"),
            }
        };
        assert!(refused(ErrorKind::FileTooLarge).is_some_and(|help| help.contains("ulimit -f")));
        assert_eq!(refused(ErrorKind::NotFound), None);
    }
}
