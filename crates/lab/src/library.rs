//! Where studies come from: the ones built in, and files on disk.

use std::path::Path;

use grognard_rules::source::{Diagnostic, Diagnostics, Document, Node, Sources};

use crate::study::{Changes, Study};

/// A study that is built in.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name.
    pub name: &'static str,
    /// Its file's text.
    pub text: &'static str,
}

macro_rules! studies {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../../../studies/", $name, ".toml")) }),*]
    };
}

/// Every built-in study, by name. A test holds this list against the folder `studies/`.
pub const STUDIES: &[BuiltIn] = studies![
    "bluecher-shock",
    "charge-distance",
    "charge-shares",
    "column-vs-line",
    "combined-square",
    "command-roll",
    "figures-everything",
    "fire-at-formations",
    "forming-square-late",
    "hex-dice",
    "hex-everything",
    "hex-flank",
    "hex-line",
    "hex-reaction",
    "hex-variant",
    "pip-flank",
    "pip-square",
    "pip-square-price",
    "pips-everything",
    "refduel",
    "risk-dice",
    "risk-roll",
    "skirmish-density",
    "square-trap",
    "square-vs-line",
    "symbol-die",
    "three-rulebooks",
];

/// The built-in study of that name.
#[must_use]
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    STUDIES.iter().find(|study| study.name == name)
}

/// The study that `name` names: a built-in one, or a file, or the folder of a `study.toml`.
///
/// # Errors
/// There is none; or everything that is wrong with it.
pub fn load(name: &Path, changes: &Changes, sources: &mut Sources) -> Result<Study, Diagnostics> {
    let word = name.to_string_lossy();
    if let Some(study) = built_in(&word) {
        let file = sources.add(format!("studies/{}.toml", study.name), study.text);
        return Study::read(file, None, changes, sources);
    }
    if name.join("manifest.json").is_file() && !name.join("study.toml").is_file() {
        let fault = Diagnostic::new(format!("{} is a results folder, and no study", name.display()));
        return Err(fault.help("name the study that it was fought from").into());
    }
    if is_path(name) {
        return Study::load(name, changes, sources);
    }
    let fault = Diagnostic::unknown("study", &word, STUDIES.iter().map(|study| study.name));
    Err(fault.note("a study is a TOML file, or one of those that `grognard studies` lists", None).into())
}

/// Whether a name means a file or a folder, and not something built in.
#[must_use]
pub fn is_path(name: &Path) -> bool {
    name.exists() || name.components().count() != 1 || name.extension().is_some_and(|extension| extension == "toml")
}

impl BuiltIn {
    /// A text at the top of the study, such as its title; empty if it has none.
    #[must_use]
    pub fn text_of(&self, key: &str, sources: &mut Sources) -> String {
        let file = sources.add(format!("studies/{}.toml", self.name), self.text);
        let document = Document::parse(file, sources).ok();
        let text = document.as_ref().and_then(|document| document.root.get(key)).and_then(Node::as_text);
        text.unwrap_or_default().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_of_the_folder_is_built_in() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
        let files = std::fs::read_dir(folder).expect("the folder of studies").map(|entry| entry.expect("an entry"));
        let mut names: Vec<String> =
            files.map(|entry| entry.path().file_stem().expect("a name").to_string_lossy().into_owned()).collect();
        names.sort();
        assert_eq!(names, STUDIES.iter().map(|study| study.name).collect::<Vec<_>>());
    }

    #[test]
    fn studies_are_called_what_their_files_are() {
        for study in STUDIES {
            assert_eq!(study.text_of("study", &mut Sources::new()), study.name);
            assert_ne!(study.text_of("title", &mut Sources::new()), "", "{}", study.name);
        }
    }
}
