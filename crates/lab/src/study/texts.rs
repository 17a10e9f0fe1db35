//! Studies from their stored texts.

use grognard_source::{Diagnostic, Diagnostics, Document, Path, Sources};

use super::wire::StudyWire;
use super::{Changes, part, written};
use crate::results::Varied;

/// A study and its packs, as stored when they were read.
pub(super) struct Written {
    pub(super) document: Document,
    pub(super) wire: StudyWire,
    pub(super) parts: Vec<part::Written>,
    pub(super) packs: Vec<Document>,
}

/// A study and its packs from the texts that a manifest or a [`Study`] stores.
pub(super) fn of_texts(study: &str, packs: &[&str], sources: &mut Sources) -> Result<Written, Diagnostics> {
    let file = sources.add("the study in manifest.json", study);
    let (document, wire) = written(file, &Changes::default(), sources)?;
    let parts = part::written(&document)?;
    let mut read = Vec::new();
    for pack in packs {
        let file = sources.add("the pack in manifest.json", *pack);
        read.push(Document::parse(file, sources)?);
    }
    if read.len() != parts.len() {
        let message = format!("manifest.json has {} packs for {} parts of the study", read.len(), parts.len());
        return Err(Diagnostic::new(message).into());
    }
    Ok(Written { document, wire, parts, packs: read })
}

/// The paths that a study varies, as paths.
pub(super) fn varied_paths(vary: &[Varied]) -> Vec<Path> {
    vary.iter().filter_map(|varied| Path::parse(&varied.path).ok()).collect()
}
