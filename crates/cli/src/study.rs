//! From what a command line says to a study.

use grognard_rules::source::{Diagnostics, Override, Sources};

pub(crate) use grognard_lab::library::{is_path, load};

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
