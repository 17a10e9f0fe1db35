//! The page's tasks on files: every task is one request with one answer.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::ask::Fault;
use crate::desk::{Desk, Unsaved};
use crate::{Ask, Studio};

/// A task.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Task {
    /// List the files.
    List {},
    /// Read a file.
    Open { file: usize },
    /// Report the faults that files with these texts would have; the last one is the open file.
    Check { texts: Vec<(usize, String)> },
    /// List the words that may be written at a position in a text.
    Assist { file: usize, text: String, at: usize },
    /// Save a file, if it is still the one that was opened.
    Save { file: usize, text: String, hash: String },
    /// Save the changes as a folder.
    Variant { ask: Ask, name: String },
    /// Report whether the files on disk can be opened again.
    Reopen {},
}

impl Task {
    /// Carries out the task.
    pub(crate) fn carry_out(self, studio: &Studio<'_>, desk: &Desk) -> Result<Json, Unsaved> {
        let refused = Unsaved::Refused;
        match self {
            Self::List {} => Ok(json!({ "files": desk.listed(), "home": desk.home_name() })),
            Self::Open { file } => desk.text(file).map(|opened| json!(opened)).map_err(refused),
            Self::Check { texts } => desk.check(&texts).map(|said| json!({ "said": said })).map_err(refused),
            Self::Assist { file, text, at } => {
                let found = desk.assist(file, &text, at).map_err(refused)?;
                let offers: Vec<Json> = found
                    .offers
                    .iter()
                    .map(|offer| json!({ "word": offer.word, "kind": offer.kind, "about": offer.about }))
                    .collect();
                let (path, about) = (&found.path, &found.about);
                Ok(json!({ "path": path, "about": about, "start": found.start, "end": found.end, "offers": offers }))
            }
            Self::Save { file, text, hash } => desk.save(file, &text, &hash).map(|hash| json!({ "hash": hash })),
            Self::Variant { ask, name } => {
                studio.save_variant(desk, &ask, &name).map(|saved| json!(saved)).map_err(refused)
            }
            Self::Reopen {} if desk.is_sound() => Ok(json!({})),
            Self::Reopen {} => {
                let help = "fix them in Write; `grognard check` lists them too";
                Err(refused(Fault::with_help("the files on disk have errors", help)))
            }
        }
    }
}
