//! A study in the form that an exported page contains.

use grognard_lab::results::{Manifest, Method};
use grognard_lab::study::Study;
use grognard_source::Sources;
use grognard_stats::Level;
use serde::{Deserialize, Serialize};

use crate::ask::Fault;
use crate::{Ask, OpenError, Studio};

/// A study with its packs and settings, and the first line of its answer without changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    manifest: Manifest,
    words: String,
    level: f64,
    battles: u64,
    /// The expected first line of the module's answer.
    first: String,
}

impl Package {
    /// Packs an open study.
    ///
    /// # Errors
    /// The study cannot be put on a page.
    pub fn of(studio: &Studio<'_>, study: &Study, words: &str) -> Result<Self, Fault> {
        Ok(Self {
            manifest: study.manifest(Method::Sampled),
            words: words.to_owned(),
            level: studio.level.get(),
            battles: studio.battles,
            first: studio.first_line()?,
        })
    }

    /// Reads a package.
    ///
    /// # Errors
    /// The text is not a package of this version.
    pub fn read(json: &[u8]) -> Result<Self, Fault> {
        serde_json::from_slice(json)
            .map_err(|error| Fault::new(format!("this is not the study of an exported page: {error}")))
    }

    /// The package as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        // Numbers and texts can always be serialised.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Opens the study and fights its first battles, which must end as they did for the command that wrote the page.
    ///
    /// # Errors
    /// The study cannot be opened, or its battles end differently.
    pub fn open(self, sources: &mut Sources) -> Result<Studio<'_>, Fault> {
        let mut study = Study::of_manifest(&self.manifest, sources)?;
        // The question is a comment in the study's file, which its saved text lacks.
        study.report.question.clone_from(&self.manifest.report.question);
        let level =
            Level::new(self.level).ok_or_else(|| Fault::new(format!("{} is not a confidence level", self.level)))?;
        let studio =
            Studio::open(&study, sources, 0, level, self.battles, &self.words).map_err(|error| match error {
                OpenError::Unprepared(faults) => Fault::from(faults),
                other => Fault::new(other.to_string()),
            })?;
        if odds(&studio.first_line()?) != odds(&self.first) {
            let message = "the engine in this page does not reproduce the battles of the command that wrote it";
            return Err(Fault::with_help(
                message,
                "build the module from the same version as the command, and export the page again",
            ));
        }
        Ok(studio)
    }
}

/// The odds in a line of an answer, without their intervals. WebAssembly's logarithms may differ from the system's in
/// the last digit, and so may the limits of intervals.
fn odds(line: &str) -> Option<Vec<[f64; 4]>> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    let of_cell = |cell: &serde_json::Value| {
        let point = |name: &str| cell[name][0].as_f64();
        Some([cell["cell"].as_f64()?, point("was")?, point("now")?, point("change")?])
    };
    line["cells"].as_array()?.iter().map(of_cell).collect()
}

impl Studio<'_> {
    /// The first line of the answer without changes.
    fn first_line(&self) -> Result<String, Fault> {
        let mut answering = self.begin(&Ask::default())?;
        Ok(self.next(&mut answering, &|| true).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_compared_by_their_odds() {
        let line = |point: f64, end: f64| {
            format!(
                r#"{{ "battles": 64, "cells": [{{ "cell": 3, "was": [0.5, 0.25, 0.75], "now": [{point}, 0.25, {end}], "change": [0, 0, 0] }}] }}"#
            )
        };
        assert_eq!(odds(&line(0.5, 0.75)), Some(vec![[3.0, 0.5, 0.5, 0.0]]));
        assert_eq!(odds(&line(0.5, 0.75)), odds(&line(0.5, 0.750_000_000_000_000_1)));
        assert_ne!(odds(&line(0.5, 0.75)), odds(&line(0.500_000_000_000_000_1, 0.75)));
        assert_eq!(odds("no line"), None);
    }
}
