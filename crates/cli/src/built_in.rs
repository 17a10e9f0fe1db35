//! The studies that the binary carries.

use grognard_rules::source::{Document, Node, Sources};

/// A study built into the binary.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BuiltIn {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its file's text.
    pub(crate) text: &'static str,
}

macro_rules! studies {
    ($($name:literal),* $(,)?) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../../../studies/", $name, ".toml")) }),*]
    };
}

/// Every built-in study, by name. A test holds this list against the folder `studies/`.
pub(crate) const STUDIES: &[BuiltIn] = studies![
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
pub(crate) fn study(name: &str) -> Option<&'static BuiltIn> {
    STUDIES.iter().find(|study| study.name == name)
}

impl BuiltIn {
    /// A text at the top of the study, such as its title.
    pub(crate) fn text_of(&self, key: &str, sources: &mut Sources) -> String {
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
    fn the_binary_carries_every_study_of_the_folder() {
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
