//! Copies of built-in files.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::failure::Failure;

/// Writes a file that does not exist yet, with its folder.
///
/// # Errors
/// It exists, or cannot be written.
pub(super) fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::unfinished(format!("cannot create {}: {error}", folder.display())))?;
    }
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::wrong(
            format!("{} exists already", path.display()),
            "nothing was written over it: name another folder",
        ),
        _ => Failure::unfinished(format!("cannot write {}: {error}", path.display())),
    })
}

/// Refuses a folder in which there is something.
///
/// # Errors
/// There is, or it is no folder.
pub(super) fn expect_empty(folder: &Path) -> Result<(), Failure> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(false) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Ok(true) => Err(Failure::wrong(
            format!("the folder {} is not empty", folder.display()),
            "a pack is a folder of its own: name a new one",
        )),
        Err(error) => Err(Failure::unfinished(format!("cannot read the folder {}: {error}", folder.display()))),
    }
}
