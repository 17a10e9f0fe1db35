//! What to write if an argument is a study or a pack instead of a results folder.

use std::path::Path;

use grognard_lab::library::{built_in, find};
use grognard_lab::shell::quoted;
use grognard_rules::library;
use grognard_source::{Document, FileId, Node, Sources, read_file};

use crate::failure::Failure;

/// The kind of an argument.
enum Named {
    /// A results folder, or nothing.
    Other,
    /// A study, with its pack in the form that `--pack` accepts; `None` if the parts of the study name their own packs.
    Study(Option<String>),
    Pack(String),
}

impl Named {
    fn of(argument: &Path, sources: &mut Sources) -> Self {
        let name = argument.to_string_lossy();
        if argument.join("manifest.json").is_file() {
            return Self::Other;
        }
        if built_in(&name).is_some() || argument.join("study.toml").is_file() {
            return Self::Study(pack_of(argument, sources));
        }
        if library::built_in(&name).is_some() || argument.join("pack.toml").is_file() {
            return Self::Pack(name.into_owned());
        }
        if argument.extension().is_some_and(|extension| extension == "toml") && argument.is_file() {
            return Self::Study(pack_of(argument, sources));
        }
        Self::Other
    }

    fn pack(&self) -> Option<&str> {
        match self {
            Self::Other => None,
            Self::Study(pack) => pack.as_deref(),
            Self::Pack(pack) => Some(pack),
        }
    }
}

/// Refuses a study or a pack in place of a results folder, and names the command that compares it.
///
/// # Errors
/// One of the arguments is a study or a pack.
pub(super) fn refuse(first: &Path, second: Option<&Path>, sources: &mut Sources) -> Result<(), Failure> {
    let arguments: Vec<&Path> = std::iter::once(first).chain(second).collect();
    let named: Vec<Named> = arguments.iter().map(|argument| Named::of(argument, sources)).collect();
    let Some(wrong) = named.iter().position(|named| !matches!(named, Named::Other)) else { return Ok(()) };
    let what = if matches!(named[wrong], Named::Pack(_)) { "pack" } else { "study" };
    let message = format!("{} is a {what}, not a results folder", arguments[wrong].display());
    // The later argument is the new version, the earlier one the base.
    let study = named.iter().rposition(|named| matches!(named, Named::Study(_)));
    let study = study.map_or_else(|| "STUDY".to_owned(), |place| quoted(&arguments[place].to_string_lossy()));
    let (before, after) = match &named[..] {
        [before, after] => (before.pack().map(str::to_owned), after.pack()),
        _ => (named[0].pack().and_then(|pack| base_of(pack, sources)), named[0].pack()),
    };
    let help = match (before, after) {
        (Some(before), Some(after)) if before != after => {
            let (before, after) = (quoted(&before), quoted(after));
            format!("to compare both packs, write `grognard compare {study} --pack {after} --against {before}`")
        }
        _ => format!(
            "to compare a study with a change, write `grognard compare {study} --set PATH=VALUE` or `--pack PACK`; to \
             compare two studies, run both and name their results folders"
        ),
    };
    Err(Failure::wrong(message, help))
}

/// The pack that a study names.
fn pack_of(study: &Path, sources: &mut Sources) -> Option<String> {
    let (file, beside) = find(study, sources).ok()?;
    name_in(file, "pack", beside.as_deref(), sources)
}

/// The pack that the pack in a folder extends.
fn base_of(pack: &str, sources: &mut Sources) -> Option<String> {
    let file = Path::new(pack).join("pack.toml");
    let file = read_file(&file, sources).ok()?;
    name_in(file, "extends", Some(Path::new(pack)), sources)
}

/// The pack that a file names at this key: a built-in one, or the path of its folder.
fn name_in(file: FileId, key: &str, beside: Option<&Path>, sources: &Sources) -> Option<String> {
    let document = Document::parse(file, sources).ok()?;
    let name = document.root.get(key).and_then(Node::as_text)?;
    let folder = beside.unwrap_or(Path::new("")).join(name);
    if library::built_in(name).is_some() || !folder.exists() {
        return Some(name.to_owned());
    }
    // Drop a `.` at the end of the path.
    let parts: std::path::PathBuf = folder.components().collect();
    let text = parts.to_string_lossy();
    Some(if text.is_empty() { ".".to_owned() } else { text.into_owned() })
}
