//! From what a command line says to a study.

use std::path::Path;

use grognard_lab::study::{Changes, Study};
use grognard_rules::source::{Diagnostic, Diagnostics, Override, Sources};

use crate::built_in::{self, STUDIES};

/// The study that `name` names: a built-in one, or a file, or the folder of a `study.toml`.
///
/// # Errors
/// There is none; or everything that is wrong with it.
pub(crate) fn load(name: &Path, changes: &Changes, sources: &mut Sources) -> Result<Study, Diagnostics> {
    let word = name.to_string_lossy();
    if let Some(study) = built_in::study(&word) {
        let file = sources.add(format!("studies/{}.toml", study.name), study.text);
        return Study::read(file, None, changes, sources);
    }
    if is_path(name) {
        return Study::load(name, changes, sources);
    }
    Err(unknown(&word).into())
}

/// Whether an argument means a file or a folder, and not something built in.
pub(crate) fn is_path(name: &Path) -> bool {
    name.exists() || name.components().count() != 1 || name.extension().is_some_and(|extension| extension == "toml")
}

fn unknown(name: &str) -> Diagnostic {
    let fault = Diagnostic::unknown("study", name, STUDIES.iter().map(|study| study.name));
    fault.note("a study is a TOML file, or one of those that `grognard studies` lists", None)
}

/// What `--set` says.
///
/// # Errors
/// Everything that is no `PATH=VALUE`.
pub(crate) fn overrides(texts: &[String], sources: &mut Sources) -> Result<Vec<Override>, Diagnostics> {
    let mut faults = Diagnostics::new();
    let mut overrides = Vec::new();
    for text in texts {
        let file = sources.add("--set", text.as_str());
        match Override::parse(file, sources) {
            Ok(change) => overrides.push(change),
            Err(more) => faults.append(more),
        }
    }
    faults.into_result(overrides)
}
