//! Files and folders, written atomically.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use grognard_lab::results::sha256;

/// Reasons why a file is left unchanged.
#[derive(Debug)]
pub(crate) enum Keeping {
    /// It is no longer the version to be changed.
    Changed,
    /// The operating system refuses.
    Io(io::Error),
}

impl From<io::Error> for Keeping {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// If a file's bytes have this hash, replaces its contents with a text, keeping its line endings and byte order mark.
/// Returns the new hash.
///
/// # Errors
/// See [`Keeping`]; nothing is changed in that case.
pub(crate) fn overwrite(path: &Path, text: &str, hash: &str) -> Result<String, Keeping> {
    let is_plain = |path: &Path| fs::symlink_metadata(path).map(|metadata| metadata.is_file());
    let expected = |path: &Path| match is_plain(path) {
        Ok(true) => fs::read(path).map(|bytes| (sha256(&bytes) == hash).then_some(bytes)),
        Ok(false) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    let old = expected(path)?.ok_or(Keeping::Changed)?;
    let new = like(&old, text);
    let temporary = Temporary(beside(path));
    let mut file = File::create_new(&temporary.0)?;
    file.write_all(&new)?;
    file.set_permissions(fs::metadata(path)?.permissions())?;
    file.sync_all()?;
    // It may have been changed in the meantime.
    expected(path)?.ok_or(Keeping::Changed)?;
    fs::rename(&temporary.0, path)?;
    Ok(sha256(&new))
}

/// Writes files into a new folder; `sound` checks them before the folder gets its name.
///
/// # Errors
/// The folder already exists, something cannot be written, or `sound` fails.
pub(crate) fn new_folder<E: From<io::Error>>(
    folder: &Path,
    files: &[(String, String)],
    sound: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    let taken = || io::Error::new(io::ErrorKind::AlreadyExists, format!("{} already exists", folder.display()));
    if fs::symlink_metadata(folder).is_ok() {
        return Err(taken().into());
    }
    let temporary = Temporary(beside(folder));
    fs::create_dir(&temporary.0)?;
    for (name, text) in files {
        let path = temporary.0.join(name);
        if let Some(within) = path.parent() {
            fs::create_dir_all(within)?;
        }
        let mut file = File::create_new(&path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
    }
    sound(&temporary.0)?;
    if fs::symlink_metadata(folder).is_ok() {
        return Err(taken().into());
    }
    fs::rename(&temporary.0, folder)?;
    Ok(())
}

/// A name in the same folder that no other process uses.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.grognard-{}", std::process::id()))
}

/// A file or folder that is removed when dropped, unless it was renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // Anything that cannot be removed is left in place: only the failure that led here is reported.
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A text with the byte order mark and the line endings of the previous text. Existing lines keep theirs, and new lines
/// get that of the first line.
fn like(old: &[u8], text: &str) -> Vec<u8> {
    const MARK: &str = "\u{feff}";
    let old = String::from_utf8_lossy(old);
    let (mark, old) = match old.strip_prefix(MARK) {
        Some(rest) => (MARK, rest),
        None => ("", &*old),
    };
    let text = text.strip_prefix(MARK).unwrap_or(text).replace("\r\n", "\n");
    let old: Vec<(&str, bool)> =
        old.split('\n').map(|line| line.strip_suffix('\r').map_or((line, false), |line| (line, true))).collect();
    let new: Vec<&str> = text.split('\n').collect();
    // The last line has no line ending, so an old last line has none to pass on.
    let first = old.len() > 1 && old[0].1;
    let same = |(one, other): &(&&str, &(&str, bool))| **one == other.0;
    let before = new.iter().zip(&old).take_while(same).count();
    let most = new.len().min(old.len()) - before;
    let after = new.iter().rev().zip(old.iter().rev()).take(most).take_while(same).count();
    let ends_with_return = |line: usize| {
        let from_end = new.len() - line;
        let known = if line < before {
            Some(line)
        } else if from_end <= after {
            Some(old.len() - from_end)
        } else {
            None
        };
        known.filter(|&known| known + 1 < old.len()).map_or(first, |known| old[known].1)
    };
    let mut written = mark.to_owned();
    for (number, line) in new.iter().enumerate() {
        written.push_str(line);
        if number + 1 < new.len() {
            written.push_str(if ends_with_return(number) { "\r\n" } else { "\n" });
        }
    }
    written.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn line_ends_and_the_byte_order_mark_stay_as_they_are() {
        let like = |old: &str, text: &str| String::from_utf8(like(old.as_bytes(), text)).expect("text");
        assert_eq!(like("a\r\nb\r\n", "a\nx\nb\n"), "a\r\nx\r\nb\r\n");
        assert_eq!(like("a\nb\n", "a\nb\nc\n"), "a\nb\nc\n");
        assert_eq!(like("\u{feff}a\n", "b\n"), "\u{feff}b\n");
        assert_eq!(like("a\r\nb\nc\r\nd\n", "a\nb\nX\nc\nd\n"), "a\r\nb\nX\r\nc\r\nd\n", "mixed ends stay mixed");
        assert_eq!(like("", "a\nb"), "a\nb");
        assert_eq!(like("a", ""), "");
        assert_eq!(like("a\r\na\r\n", "a\n"), "a\r\n");
        for same in ["a\r\nb\nc", "\u{feff}\r\n\n", "x"] {
            assert_eq!(like(same, &same.trim_start_matches('\u{feff}').replace("\r\n", "\n")), same);
        }
    }

    #[test]
    fn a_file_that_changed_underneath_is_never_written_over() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let path = place.path().join("pack.toml");
        fs::write(&path, "a = 1\n").expect("written");
        let hash = sha256(b"a = 1\n");
        let next = overwrite(&path, "a = 2\n", &hash).expect("it is the same");
        assert_eq!((next, fs::read_to_string(&path).expect("text")), (sha256(b"a = 2\n"), "a = 2\n".to_owned()));
        assert!(matches!(overwrite(&path, "a = 3\n", &hash), Err(Keeping::Changed)));
        assert_eq!(fs::read_to_string(&path).expect("text"), "a = 2\n");
        fs::remove_file(&path).expect("removed");
        assert!(
            matches!(overwrite(&path, "a = 3\n", &sha256(b"a = 2\n")), Err(Keeping::Changed)),
            "one that is gone stays gone"
        );
        assert_eq!(names(place.path()), Vec::<String>::new(), "nothing is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let place = tempfile::tempdir().expect("a temporary folder");
        let (file, link) = (place.path().join("a.toml"), place.path().join("b.toml"));
        fs::write(&file, "a = 1\n").expect("written");
        symlink(&file, &link).expect("a link");
        assert!(matches!(overwrite(&link, "a = 2\n", &sha256(b"a = 1\n")), Err(Keeping::Changed)));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("permissions");
        overwrite(&file, "a = 2\n", &sha256(b"a = 1\n")).expect("it is the same");
        assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_folder_is_new_and_whole_or_is_not_there() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let folder = place.path().join("mine");
        let files = [("study.toml".to_owned(), "a".to_owned()), ("rules-1/pack.toml".to_owned(), "b".to_owned())];
        let refused = new_folder(&folder, &files, |at| {
            assert!(at.join("rules-1/pack.toml").is_file());
            Err(io::Error::other("no"))
        });
        assert!(refused.is_err() && names(place.path()).is_empty(), "nothing is left behind");
        new_folder(&folder, &files, |_| Ok::<(), io::Error>(())).expect("it is new");
        assert_eq!(names(place.path()), ["mine"]);
        let again = new_folder(&folder, &files, |_| Ok::<(), io::Error>(()));
        assert!(again.is_err_and(|error| error.to_string().contains("already exists")));
    }
}
