//! The command as a user runs it: the real binary in a separate folder.

mod ablate;
mod best;
mod broken;
mod built_in;
mod compare;
mod coverage;
mod durable;
mod exact;
mod find;
mod formats;
mod going_on;
mod inputs;
#[cfg(unix)]
mod interrupt;
mod judge;
mod kit;
mod matchups;
mod new;
mod notebook;
mod plan;
mod points;
mod questions;
#[cfg(unix)]
mod recipes;
mod replay;
mod results;
mod roll;
mod run;
mod safe;
mod sensitivity;
mod several;
mod sides;
mod stopping;
#[cfg(unix)]
mod studio;
mod tables;
mod train;
mod tune;
#[cfg(unix)]
mod watch;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// An empty folder to run the command in.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A folder that contains [`DUEL`] as `duel.toml`.
    fn with_duel() -> Self {
        let place = Self::new();
        place.write("duel.toml", DUEL);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names in a folder, sorted.
    fn list(&self, name: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs `grognard` with the words of a line.
    fn grognard(&self, line: &str) -> Ran {
        grognard(self.0.path(), line)
    }

    /// Runs `grognard` with words that may contain spaces.
    fn words(&self, words: &[&str]) -> Ran {
        let output = command_of(self.0.path(), words).output().expect("the command runs");
        Ran::of(&words.join(" "), &output)
    }
}

/// All files of a results folder by path; the manifest without the record of how it was made.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(tree(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            files.insert(name, std::fs::read(&path).expect("a file can be read"));
        }
    }
    if let Some(manifest) = files.get_mut("manifest.json") {
        let mut json: serde_json::Value = serde_json::from_slice(manifest).expect("JSON");
        json.as_object_mut().expect("an object").remove("made");
        *manifest = json.to_string().into_bytes();
    }
    files
}

/// Fails unless two results folders contain the same bytes. Reports print their command line, so it must be the same.
#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (tree(one), tree(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, bytes) in &one {
        assert!(*bytes == other[path], "{path}");
    }
}

/// Runs `grognard` in a folder.
fn grognard(folder: &Path, line: &str) -> Ran {
    let output = command(folder, line).output().expect("the command runs");
    Ran::of(line, &output)
}

fn command(folder: &Path, line: &str) -> Command {
    command_of(folder, &line.split_whitespace().collect::<Vec<_>>())
}

fn command_of(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grognard"));
    command.args(words).current_dir(folder).stdin(Stdio::null());
    command
}

/// The output of a command, and how it ended.
struct Ran {
    line: String,
    status: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    fn of(line: &str, output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
        Self {
            line: line.to_owned(),
            status: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    /// Fails unless the command ended with this status; a panic would be 101.
    #[track_caller]
    fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{self:?}");
        self
    }

    /// Fails unless standard error contains these words.
    #[track_caller]
    fn says(self, words: &str) -> Self {
        assert!(self.err.contains(words), "{words:?} not in {self:?}");
        self
    }

    /// Fails unless the command refused its input with one diagnostic that contains these words.
    #[track_caller]
    fn refused(self, words: &str) -> Self {
        let ran = self.ends(2).says(words);
        assert_eq!(ran.out, "", "{ran:?}");
        assert_eq!(ran.err.matches("error: ").count(), 1, "{ran:?}");
        ran
    }

    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Debug for Ran {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "grognard {} -> {:?}\n{}\n--- stderr\n{}", self.line, self.status, self.out, self.err)
    }
}

/// Three cells of the dice battle of Risk, compared with the first.
const DUEL: &str = r#"
study = "duel"
title = "How many defenders?"
pack = "risk"
runs = 5_000
turns = 60

[side.attacker]
units = [{ type = "army", figures = 5 }]

[side.defender]
units = [{ type = "army", figures = 5 }]

[vary]
"defender.0.figures" = [3, 5, 7]
"#;
