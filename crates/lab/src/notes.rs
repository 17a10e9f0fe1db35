//! A record of the battles that a question has fought, in a file: if the question is asked again, it resumes where it
//! stopped.
//!
//! Battles are the same every time, so recorded ones need not be fought again. A resumed question gives the same
//! answer, bit for bit, as an uninterrupted one.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;

use crate::record::{Record, head};
use crate::results::{Lock, ResultsError};
use crate::study::Study;

/// The file with the notes, in the folder of the answer.
pub const NOTES: &str = "fought.jsonl";

/// The notes of one question.
#[derive(Debug)]
pub struct Notes {
    path: PathBuf,
    known: BTreeMap<String, Json>,
    /// `None` once writing has failed: the question is then answered without notes.
    file: Mutex<Option<File>>,
    _lock: Lock,
}

impl Notes {
    /// Opens the notes of a question in a folder, which must exist. `command` is the question without settings that
    /// affect only speed, such as the number of threads. The notes of any other question are discarded, and so is an
    /// incomplete line.
    ///
    /// # Errors
    /// Another process is writing to the folder, or the file cannot be read or written.
    pub fn open(folder: &Path, study: &Study, command: &str) -> Result<Self, ResultsError> {
        let lock = Lock::take(folder)?;
        let path = folder.join(NOTES);
        let head = head(study, command);
        let opened = Self::read(&path, &head).map_err(|source| ResultsError::Io {
            action: "note battles in",
            path: path.clone(),
            source,
        })?;
        let (known, file) = opened;
        Ok(Self { path, known, file: Mutex::new(Some(file)), _lock: lock })
    }

    fn read(path: &Path, head: &str) -> io::Result<(BTreeMap<String, Json>, File)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut known = BTreeMap::new();
        let mut good = 0;
        let mut lines = text.split_inclusive('\n');
        if lines.next() == Some(head) {
            good = head.len();
            for line in lines {
                let Some(note) = line.strip_suffix('\n') else { break };
                let Ok((what, value)) = serde_json::from_str::<(String, Json)>(note) else {
                    break;
                };
                known.insert(what, value);
                good += line.len();
            }
        }
        file.set_len(good as u64)?;
        file.seek(SeekFrom::End(0))?;
        if good == 0 {
            file.write_all(head.as_bytes())?;
        }
        Ok((known, file))
    }

    /// Whether there are no notes of earlier battles.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.known.is_empty()
    }

    /// Removes the notes, because the question is answered.
    pub fn remove(self) {
        // If the file remains, it is read and found complete when the same question is asked again.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Record for Notes {
    fn known(&self, what: &str) -> Option<&Json> {
        self.known.get(what)
    }

    fn note(&self, what: &str, fought: Json) {
        if let Ok(mut line) = serde_json::to_string(&(what, fought)) {
            line.push('\n');
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            // A full disk costs the notes, not the answer.
            if file.as_mut().is_some_and(|file| file.write_all(line.as_bytes()).is_err()) {
                *file = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use grognard_source::Sources;

    use super::*;
    use crate::progress::Progress;
    use crate::record::kept;
    use crate::study::Changes;

    impl Progress for Notes {
        fn advance(&self, _battles: u64) {}

        fn record(&self) -> Option<&dyn Record> {
            Some(self)
        }
    }

    fn keep<T: serde::Serialize + serde::de::DeserializeOwned>(
        notes: &Notes,
        what: &str,
        fight: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        kept(notes, || what.to_owned(), fight)
    }

    fn study(seed: u64) -> Study {
        let mut sources = Sources::new();
        let text = "study = 'duel'\npack = 'refduel'\n[side.a]\nunits = [{ type = 'plain' }]\n[side.b]\nunits = [{ type = 'plain' }]\n";
        let file = sources.add("study.toml", text);
        Study::read(file, None, &Changes { seed: Some(seed), ..Changes::default() }, &mut sources)
            .expect("a good study")
    }

    #[test]
    fn what_was_fought_is_not_fought_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |seed: u64, command: &str| Notes::open(folder.path(), &study(seed), command).expect("notes");
        let counts = BTreeMap::from([(-3, 5_u64), (7, 1)]);
        let notes = open(1, "find");
        assert!(notes.is_new());
        assert_eq!(keep(&notes, "a", || Some(counts.clone())), Some(counts.clone()));
        assert_eq!(keep::<u64>(&notes, "b", || None), None);
        drop(notes);
        let notes = open(1, "find");
        assert!(!notes.is_new());
        assert_eq!(keep(&notes, "a", || panic!("fought again")), Some(counts));
        assert_eq!(keep(&notes, "b", || Some(4)), Some(4));
        drop(notes);
        // A question that is different, or has different dice, finds no notes.
        assert!(open(1, "judge").is_new());
        assert!(open(2, "judge").is_new());
        open(2, "judge").remove();
        assert!(!folder.path().join(NOTES).exists());
    }

    #[test]
    fn a_line_that_was_cut_off_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Notes::open(folder.path(), &study(1), "find").expect("notes");
        let notes = open();
        for (what, value) in [("a", 12), ("b", 345)] {
            keep(&notes, what, || Some(value));
        }
        drop(notes);
        let path = folder.path().join(NOTES);
        let whole = std::fs::read(&path).expect("a file");
        std::fs::write(&path, &whole[..whole.len() - 3]).expect("a file");
        let notes = open();
        assert_eq!(keep(&notes, "a", || Some(0)), Some(12));
        assert_eq!(keep(&notes, "b", || Some(345)), Some(345));
        drop(notes);
        assert_eq!(std::fs::read(&path).expect("a file"), whole);
    }

    #[test]
    fn two_do_not_write_to_one_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let _notes = Notes::open(folder.path(), &study(1), "find").expect("notes");
        assert!(Notes::open(folder.path(), &study(1), "find").is_err());
    }
}
