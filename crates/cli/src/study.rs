//! From what a command line says to a study.

use grognard_lab::compare::names;
use grognard_lab::sensitivity::Quantity;
use grognard_lab::study::Study;
use grognard_source::{Diagnostics, Override, Sources};

use crate::failure::Failure;
use crate::text::listed;

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

/// The quantity that `--metric` names, which is there `purpose`; the first side's wins where it names none.
///
/// # Errors
/// The study has nothing of that name.
pub(crate) fn quantity(study: &Study, name: Option<&str>, purpose: &str) -> Result<Quantity, Failure> {
    Quantity::of(study, name).ok_or_else(|| {
        let message = format!("there is no `{}` {purpose}", name.unwrap_or_default());
        Failure::wrong(message, format!("one of {}", listed(&names(&study.sides))))
    })
}
