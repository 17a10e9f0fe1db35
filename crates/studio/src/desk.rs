//! The files behind a study: reading them, checking them as `grognard check` does, and saving them. The page refers to
//! them by number, so it never asks for a path.

use std::fs;
use std::path::{Path, PathBuf};

use grognard_lab::library as studies;
use grognard_lab::results::sha256;
use grognard_lab::study::{Changes, Study, study_schema};
use grognard_rules::{library as packs, part_schema};
use grognard_source::{
    Assist, Diagnostics, Document, FILE_SIZE_MAX, Node, PlainDiagnostic, Sources, assist, read_file,
};
use serde::Serialize;

use crate::ask::Fault;
use crate::written::{Keeping, overwrite};

/// Maximum length of a chain of packs that extend each other.
const CHAIN_MAX: usize = 16;

/// The files of a study and of its packs.
#[derive(Clone, Debug)]
pub struct Desk {
    files: Vec<DeskFile>,
    study: PathBuf,
    /// The folder in which variants are written: next to a study on disk, or the command's working directory.
    home: PathBuf,
    /// The folder to which the study's paths to packs are relative.
    beside: Option<PathBuf>,
    follow_links: bool,
}

#[derive(Clone, Debug)]
struct DeskFile {
    /// Its name in diagnostics.
    name: String,
    is_study: bool,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    BuiltIn(&'static str),
    Disk {
        path: PathBuf,
        /// The reason why it cannot be saved, if there is one.
        kept: Option<&'static str>,
    },
}

/// A file in the list of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its name in diagnostics.
    pub name: String,
    /// The reason why it cannot be saved; `None` if it can be.
    pub kept: Option<String>,
}

/// A file as the page edits it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opened {
    /// Its text, with plain line endings.
    pub text: String,
    /// The hash by which the page identifies the version that it edits.
    pub hash: String,
}

/// A message about a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The file's number, if it is in the list.
    pub file: Option<usize>,
    /// The file's name, if the message is about a file.
    pub name: Option<String>,
    /// Its line, counted from 1.
    pub line: Option<usize>,
    /// Its column in characters, counted from 1.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Related remarks.
    pub notes: Vec<String>,
    /// Whether it is only a warning, which does not prevent saving.
    pub warning: bool,
}

/// Reasons why a file is not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsaved {
    /// It may not or cannot be saved.
    Refused(Fault),
    /// It is no longer the version that the page edited.
    Changed(Fault),
}

impl Desk {
    /// Opens the files of the study that `study` names, which uses these packs. Links lead out of a pack's folder only
    /// with `follow_links`.
    ///
    /// # Errors
    /// A folder or a file cannot be read.
    pub fn open(study: &Path, packs: &[&str], follow_links: bool) -> Result<Self, Diagnostics> {
        let mut desk =
            Self { files: Vec::new(), study: study.to_owned(), home: PathBuf::from("."), beside: None, follow_links };
        match studies::built_in(&study.to_string_lossy()) {
            Some(built_in) => {
                let name = format!("studies/{}.toml", built_in.name);
                desk.files.push(DeskFile { name, is_study: true, place: Place::BuiltIn(built_in.text) });
            }
            None => {
                let path = if study.is_dir() { study.join("study.toml") } else { study.to_owned() };
                let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
                if !folder.as_os_str().is_empty() {
                    desk.home.clone_from(&folder);
                }
                desk.add(path, true);
                desk.beside = Some(folder);
            }
        }
        for pack in packs {
            desk.add_chain(pack)?;
        }
        Ok(desk)
    }

    /// The files of a pack, and of those that it extends.
    fn add_chain(&mut self, pack: &str) -> Result<(), Diagnostics> {
        let (mut name, mut beside) = (pack.to_owned(), self.beside.clone());
        for _ in 0..CHAIN_MAX {
            if let Some(built_in) = packs::built_in(&name) {
                for (file, text) in built_in.files {
                    let name = format!("packs/{name}/{file}");
                    if self.files.iter().all(|file| file.name != name) {
                        self.files.push(DeskFile { name, is_study: false, place: Place::BuiltIn(text) });
                    }
                }
                return Ok(());
            }
            let Some(folder) = packs::folder_of(&name, beside.as_deref()) else { return Ok(()) };
            for path in packs::files_of(&folder)? {
                self.add(path, false);
            }
            let mut sources = Sources::new();
            let main = read_file(&folder.join("pack.toml"), &mut sources)?;
            let document = Document::parse(main, &sources)?;
            let Some(base) = document.root.get("extends").and_then(Node::as_text) else { return Ok(()) };
            (name, beside) = (base.to_owned(), Some(folder));
        }
        Ok(())
    }

    fn add(&mut self, path: PathBuf, is_study: bool) {
        let name = path.display().to_string();
        if self.files.iter().any(|file| file.name == name) {
            return;
        }
        // Writing through a link would write elsewhere, and replacing it would leave its target unchanged.
        let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        let kept = is_link.then_some("This is a symbolic link and read-only: edit the file that it points to.");
        self.files.push(DeskFile { name, is_study, place: Place::Disk { path, kept } });
    }

    /// The files, in the order of their numbers.
    #[must_use]
    pub fn listed(&self) -> Vec<Listed> {
        let listed = |file: &DeskFile| {
            let kept = match &file.place {
                Place::BuiltIn(_) => Some(
                    "This file is built in and read-only. Change values in Ask and save a variant, or run `grognard new`.",
                ),
                Place::Disk { kept, .. } => *kept,
            };
            Listed { name: file.name.clone(), kept: kept.map(str::to_owned) }
        };
        self.files.iter().map(listed).collect()
    }

    /// The folder in which variants are written.
    #[must_use]
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The same folder, in words for the page.
    pub(crate) fn home_name(&self) -> String {
        if self.home == Path::new(".") { String::new() } else { self.home.display().to_string() }
    }

    /// The folder of the pack to which the study gives this name; `None` if it is built in.
    pub(crate) fn folder_of(&self, pack: &str) -> Option<PathBuf> {
        packs::folder_of(pack, self.beside.as_deref())
    }

    pub(crate) fn sources(&self) -> Sources {
        let mut sources = Sources::new();
        sources.follow_links = self.follow_links;
        sources
    }

    fn file(&self, file: usize) -> Result<&DeskFile, Fault> {
        self.files.get(file).ok_or_else(|| Fault::new(format!("there is no file {file}")))
    }

    /// The text of a file as it is now.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    pub fn text(&self, file: usize) -> Result<Opened, Fault> {
        match &self.file(file)?.place {
            Place::BuiltIn(text) => Ok(Opened { text: (*text).to_owned(), hash: sha256(text.as_bytes()) }),
            Place::Disk { kept: Some(kept), .. } if !self.follow_links => Err(Fault::new(*kept)),
            Place::Disk { path, .. } => {
                let mut sources = Sources::new();
                let id = read_file(path, &mut sources)?;
                let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
                Ok(Opened { text: sources.text(id).replace("\r\n", "\n"), hash: sha256(&bytes) })
            }
        }
    }

    /// What `grognard check` would report if the files had these texts. The pack of the last file is checked first and,
    /// if nothing is wrong with it, the study.
    ///
    /// # Errors
    /// There is no such file.
    pub fn check(&self, texts: &[(usize, String)]) -> Result<Vec<Said>, Fault> {
        let Some((file, _)) = texts.last() else { return Ok(Vec::new()) };
        let DeskFile { is_study, place, .. } = self.file(*file)?;
        let Place::Disk { path, .. } = place else { return Ok(Vec::new()) };
        let mut replaced = Vec::new();
        for (file, text) in texts {
            if let Place::Disk { path, .. } = &self.file(*file)?.place {
                replaced.push((path, text));
            }
        }
        let with_texts = || {
            let mut sources = self.sources();
            for &(path, text) in &replaced {
                sources.stand_in(path, text);
            }
            sources
        };
        let of_study = || {
            let mut sources = with_texts();
            let faults = studies::load(&self.study, &Changes::default(), &mut sources).err().unwrap_or_default();
            self.said(&faults, false, &sources)
        };
        if *is_study {
            return Ok(of_study());
        }
        let of_pack = || {
            let mut sources = with_texts();
            // Checked by path, so that a folder named like a built-in pack is not mistaken for it.
            let main = path.with_file_name("pack.toml");
            let (verdict, warnings) = packs::check(&main.to_string_lossy(), &mut sources);
            let faults = verdict.err().unwrap_or_default();
            let mut said = self.said(&faults, false, &sources);
            said.extend(self.said(&warnings, true, &sources));
            (said, faults.is_empty())
        };
        // Both checks take equally long, and the author waits for both.
        let ((mut said, is_good), of_study) = std::thread::scope(|scope| {
            let of_study = scope.spawn(of_study);
            (of_pack(), of_study.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        if is_good {
            said.extend(of_study);
        }
        Ok(said)
    }

    fn said(&self, faults: &Diagnostics, warning: bool, sources: &Sources) -> Vec<Said> {
        let number = |name: &String| self.files.iter().position(|file| file.name == *name);
        let said = |PlainDiagnostic { file: name, line, column, message, help, notes, .. }| Said {
            file: name.as_ref().and_then(number),
            name,
            line,
            column,
            message,
            help,
            notes,
            warning,
        };
        faults.to_plain(sources).into_iter().map(said).collect()
    }

    /// The words that may be written at a position in a text, and the meaning of the word there. Positions are counted
    /// in UTF-16 units, as in browsers.
    ///
    /// # Errors
    /// There is no such file.
    pub fn assist(&self, file: usize, text: &str, at: usize) -> Result<Assist, Fault> {
        let schema = if self.file(file)?.is_study { study_schema() } else { part_schema() };
        let found = assist(text, to_bytes(text, at), schema);
        Ok(Assist { start: to_units(text, found.start), end: to_units(text, found.end), ..found })
    }

    /// Saves a file, if it still has the hash that the page has. Its line endings and its byte order mark are kept.
    /// Returns the new hash.
    ///
    /// # Errors
    /// See [`Unsaved`].
    pub fn save(&self, file: usize, text: &str, hash: &str) -> Result<String, Unsaved> {
        let refused = |message: String| Unsaved::Refused(Fault::new(message));
        let file = self.file(file).map_err(Unsaved::Refused)?;
        let path = match &file.place {
            Place::BuiltIn(_) => return Err(refused(format!("{} is built in", file.name))),
            Place::Disk { kept: Some(kept), .. } => {
                return Err(refused(format!("{} was not saved. {kept}", file.name)));
            }
            Place::Disk { path, .. } => path,
        };
        if text.len() as u64 > FILE_SIZE_MAX {
            return Err(refused(format!("{} would be larger than {} KiB", file.name, FILE_SIZE_MAX / 1024)));
        }
        overwrite(path, text, hash).map_err(|error| match error {
            Keeping::Changed => {
                let message = format!("{} changed on disk after you opened it", file.name);
                Unsaved::Changed(Fault::with_help(
                    message,
                    "nothing was written: copy your text, reload the page, and apply your changes again",
                ))
            }
            Keeping::Io(error) => refused(format!("{} cannot be saved: {error}", file.name)),
        })
    }

    /// Whether the files on disk now form a study that can be opened.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let study = studies::load(&self.study, &Changes::default(), &mut self.sources());
        study.is_ok_and(|study| study.third.is_none())
    }

    /// Loads the study at a path, following links as the desk does.
    pub(crate) fn load(&self, path: &Path) -> Result<Study, Diagnostics> {
        studies::load(path, &Changes::default(), &mut self.sources())
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Fault {
    Fault::new(format!("{} cannot be read: {error}", path.display()))
}

/// The byte offset after this many UTF-16 units of a text.
fn to_bytes(text: &str, units: usize) -> usize {
    let mut passed = 0;
    for (at, letter) in text.char_indices() {
        if passed >= units {
            return at;
        }
        passed += letter.len_utf16();
    }
    text.len()
}

fn to_units(text: &str, bytes: usize) -> usize {
    text[..bytes].chars().map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_browsers_do() {
        let text = "ß = '😀' # x";
        for (units, bytes) in [(0, 0), (1, 2), (5, 6), (7, 10), (12, 15), (99, 15)] {
            assert_eq!(to_bytes(text, units), bytes, "{units}");
        }
        assert_eq!(to_units(text, 10), 7);
    }
}
