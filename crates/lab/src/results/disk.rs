//! All disk operations, so that files are either complete or absent.
//!
//! Every operation goes through [`act`], where tests can simulate failures.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::ResultsError;

/// The prefix of files that are not yet complete.
pub(super) const TEMPORARY: &str = ".grognard-";

/// Writes `bytes` to `path` atomically: even after a crash, the path holds either the old file or the new one.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), ResultsError> {
    try_write(path, bytes).map_err(ResultsError::io("write", path))
}

/// Opens a file to be locked, and creates it if it does not exist.
pub(super) fn open(path: &Path) -> Result<File, ResultsError> {
    let open = || File::options().create(true).truncate(false).write(true).open(path);
    act(Act::Write, open).map_err(ResultsError::io("write", path))
}

/// Creates a folder and those above it.
pub(super) fn create_folder(folder: &Path) -> Result<(), ResultsError> {
    act(Act::Write, || fs::create_dir_all(folder)).map_err(ResultsError::io("create", folder))
}

/// Removes a file that must be gone before other files change.
pub(super) fn remove_first(path: &Path) -> Result<(), ResultsError> {
    let gone = |error: &io::Error| matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    match act(Act::Remove, || fs::remove_file(path)) {
        Err(error) if !gone(&error) => Err(ResultsError::io("remove", path)(error)),
        _ => Ok(()),
    }
}

/// Removes a file that no longer counts. A file that cannot be removed does no harm.
pub(super) fn remove(path: &Path) {
    let _ = act(Act::Remove, || fs::remove_file(path));
}

/// Removes an empty folder.
pub(super) fn remove_empty(folder: &Path) {
    let _ = act(Act::Remove, || fs::remove_dir(folder));
}

/// Renames a file, if that is possible.
pub(super) fn set_aside(path: &Path, name: &Path) {
    let _ = act(Act::Remove, || fs::rename(path, name));
}

fn try_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let temporary = folder.join(format!("{TEMPORARY}{}", name.to_string_lossy()));
    let mut file = act(Act::Write, || File::create(&temporary))?;
    // In two pieces, so that a test can interrupt a file half-way.
    let (head, tail) = bytes.split_at(bytes.len() / 2);
    let written = act(Act::Write, || file.write_all(head))
        .and_then(|()| act(Act::Write, || file.write_all(tail)))
        .and_then(|()| act(Act::Write, || file.sync_all()));
    drop(file);
    if let Err(error) = written.and_then(|()| act(Act::Write, || fs::rename(&temporary, path))) {
        // The first error is the one to report; a temporary file left behind is harmless.
        remove(&temporary);
        return Err(error);
    }
    act(Act::Write, || sync_folder(folder))
}

/// Makes a rename in `folder` permanent. Only Unix allows syncing a folder.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// A disk operation, and whether it needs space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Write,
    Remove,
}

/// Performs one disk operation.
#[cfg(not(test))]
fn act<T>(_act: Act, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    work()
}

#[cfg(test)]
fn act<T>(act: Act, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    trouble::strike(act)?;
    work()
}

/// Disks that fail at a given point, on the thread of one test.
#[cfg(test)]
pub(super) mod trouble {
    use std::cell::Cell;
    use std::io;

    use super::Act;

    /// How the disk fails.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(in super::super) enum Trouble {
        /// No further operation happens, as after a kill.
        Kill,
        /// Nothing more can be written; files can still be removed.
        Full,
    }

    thread_local! {
        static PENDING: Cell<Option<(Trouble, u32)>> = const { Cell::new(None) };
    }

    /// Runs work on a disk that fails after this many operations. Returns whether it failed.
    pub(in super::super) fn after<T>(trouble: Trouble, acts: u32, work: impl FnOnce() -> T) -> (T, bool) {
        PENDING.set(Some((trouble, acts)));
        let done = work();
        let struck = PENDING.replace(None).is_some_and(|(_, left)| left == 0);
        (done, struck)
    }

    pub(super) fn strike(act: Act) -> io::Result<()> {
        match PENDING.get() {
            Some((Trouble::Kill, 0)) => Err(io::Error::other("killed")),
            Some((Trouble::Full, 0)) if act == Act::Write => Err(io::ErrorKind::StorageFull.into()),
            Some((trouble, left)) => {
                PENDING.set(Some((trouble, left.saturating_sub(1))));
                Ok(())
            }
            None => Ok(()),
        }
    }
}
