//! Files that are written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use super::ResultsError;

/// How the names of files begin that are not yet whole.
pub(super) const TEMPORARY: &str = ".grognard-";

/// Writes `bytes` to `path`: whoever looks, or pulls the plug, finds the old file or the new one.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), ResultsError> {
    try_write(path, bytes).map_err(ResultsError::io("write", path))
}

fn try_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let temporary = folder.join(format!("{TEMPORARY}{}", name.to_string_lossy()));
    let mut file = File::create(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    if let Err(error) = written.and_then(|()| fs::rename(&temporary, path)) {
        // The first error is the one to report; a temporary file left behind harms nobody.
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    sync_folder(folder)
}

/// Makes a rename in `folder` last. Only Unix lets a folder be synced.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
