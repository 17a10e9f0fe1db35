//! One writer for each folder: two would remove each other's files.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::{ResultsError, disk};

/// The lock file, removed with the lock. A file left over from a kill does no harm.
pub(super) const LOCK: &str = ".grognard-lock";

/// How often to retry a lock if its previous owner removed the file in the meantime.
const TRIES: usize = 100;

/// A folder to which no other process is writing.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    /// The file, locked while it is open.
    _file: File,
}

impl Lock {
    /// Locks the folder, which must exist.
    ///
    /// If the file system has no locks, the folder is used without one.
    ///
    /// # Errors
    /// Another process, or another writer of this one, has locked it; or no file can be created in it.
    pub(crate) fn take(folder: &Path) -> Result<Self, ResultsError> {
        let path = folder.join(LOCK);
        for _ in 0..TRIES {
            let file = disk::open(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => break,
                // This file system has no locks.
                Err(TryLockError::Error(_)) => return Ok(Self { path, _file: file }),
                Ok(()) if is_at(&file, &path) => return Ok(Self { path, _file: file }),
                Ok(()) => {}
            }
        }
        Err(ResultsError::Busy { folder: folder.to_owned() })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The file is removed while it is still locked, so a process waiting for the lock finds that the file is no
        // longer there.
        disk::remove(&self.path);
    }
}

/// Whether the file at a path is still the one that was opened there.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |data: std::fs::Metadata| (data.dev(), data.ino());
    let there = std::fs::metadata(path).map(place);
    file.metadata().map(place).ok().zip(there.ok()).is_some_and(|(one, other)| one == other)
}

#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
