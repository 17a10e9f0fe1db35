//! Copies of built-in files.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes files to a new or empty folder. If one of them fails, removes the others as far as the system allows.
///
/// # Errors
///
/// The folder is not empty, or a file cannot be written.
pub(super) fn write_folder<'f>(
    folder: &Path,
    files: impl IntoIterator<Item = (&'f str, &'f str)>,
) -> Result<(), Failure> {
    expect_empty(folder)?;
    let mut written = Written { files: Vec::new(), folders: missing(folder), done: false };
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(below) = path.parent().filter(|below| *below != folder && !below.exists()) {
            written.folders.push(below.to_owned());
        }
        written.files.push(path.clone());
        write_new(&path, text)?;
    }
    written.done = true;
    Ok(())
}

/// The folders, outermost first, that must be created for this one.
fn missing(folder: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = folder
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    missing
}

/// The files and folders that were created, to be removed unless the export completes.
struct Written {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    done: bool,
}

impl Drop for Written {
    fn drop(&mut self) {
        if !self.done {
            // Anything that cannot be removed is left: only the failure that led here is reported.
            for file in &self.files {
                let _ = fs::remove_file(file);
            }
            for folder in self.folders.iter().rev() {
                let _ = fs::remove_dir(folder);
            }
        }
    }
}

/// Checks that a folder can be written, before any long work. Leaves nothing behind except the folder.
///
/// # Errors
///
/// It cannot be written.
pub(super) fn expect_writable(folder: &Path) -> Result<(), Failure> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let probe = folder.join(format!(".grognard-probe-{}", std::process::id()));
    let tried =
        fs::create_dir_all(folder).and_then(|()| File::create_new(&probe)).and_then(|_| fs::remove_file(&probe));
    let help = "no battle has been fought; name another folder with --out";
    tried.map_err(|error| Failure::beyond(format!("cannot write to {}: {error}", folder.display()), help))
}

/// Writes a file that does not exist yet, and its folder.
///
/// # Errors
///
/// It exists, or cannot be written.
pub(super) fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::unfinished(format!("cannot create {}: {error}", folder.display())))?;
    }
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::wrong(format!("{} already exists", path.display()), "it was not overwritten; name another folder")
        }
        _ => Failure::unfinished(format!("cannot write {}: {error}", path.display())),
    })
}

/// Refuses a folder that is not empty.
///
/// # Errors
///
/// It is not empty, or it is not a folder.
fn expect_empty(folder: &Path) -> Result<(), Failure> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(false) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Ok(true) => Err(Failure::wrong(
            format!("the folder {} is not empty", folder.display()),
            "a pack needs a folder of its own; name a new one",
        )),
        Err(error) => Err(Failure::unfinished(format!("cannot read the folder {}: {error}", folder.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_written_whole_or_not_at_all() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let folder = place.path().join("deep/rules");
        // A file cannot be inside another file.
        let files = [("pack.toml", "a"), ("schema/a.json", "b"), ("pack.toml/below", "c")];
        assert!(write_folder(&folder, files).is_err());
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 0, "nothing is left behind");
        assert!(write_folder(&folder, files[..2].iter().copied()).is_ok());
        assert!(write_folder(&folder, files[..2].iter().copied()).is_err(), "it is not empty any more");
        assert_eq!(fs::read_to_string(folder.join("schema/a.json")).expect("it is there"), "b");
    }
}
