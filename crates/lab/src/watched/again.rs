//! Watches the first battles of a results folder when a report is requested after the run.

use std::path::Path;

use grognard_source::Sources;

use super::{Watched, watch};
use crate::progress::{Progress, Stop};
use crate::results::{Ending, Manifest, Method, Results, ResultsError, ResultsWriter};
use crate::runner::Tallied;
use crate::study::Study;

/// Watches the first battles of a run from its manifest and its counts alone; none as for [`watch`].
///
/// # Errors
/// Why this version cannot fight the same battles.
pub(crate) fn watch_again(manifest: &Manifest, tallied: &Tallied, stop: &Stop) -> Result<Option<Watched>, String> {
    if tallied.first > 0 {
        return Ok(None);
    }
    let study = Study::of_manifest(manifest, &mut Sources::new());
    let study = study.ok().filter(|study| study.identity == manifest.identity);
    let study = study.ok_or_else(|| {
        let (theirs, own) = (&manifest.tool, env!("CARGO_PKG_VERSION"));
        format!("it was fought by version {theirs}, and this is {own}, whose battles may differ")
    })?;
    // As in a run: one that ended when it was precise asked for no number of battles.
    let asked = if manifest.precision.is_some() { tallied.battles } else { manifest.runs };
    Ok(watch(&study, tallied, asked, stop))
}

/// Makes `watched.json` of a results folder whose run did not watch battles, so that a report lacks nothing. A folder that has one,
/// needs none or was left unfinished stays as it is.
///
/// # Errors
/// The folder cannot be read or written. A `stop`, and battles that cannot be fought again, are no errors: then the folder stays
/// as it is, and `progress` hears why.
pub fn complete(folder: &Path, progress: &dyn Progress, stop: &Stop) -> Result<(), ResultsError> {
    let Results { manifest, tallies, .. } = Results::open(folder)?;
    let ended = manifest.progress.ending != Ending::Unfinished && manifest.progress.battles > 0;
    if manifest.method == Method::Exact || manifest.files.watched.is_some() || !ended {
        return Ok(());
    }
    let counted = Tallied {
        first: manifest.progress.first,
        battles: manifest.progress.battles,
        cells: tallies,
        digest: Default::default(),
    };
    match watch_again(&manifest, &counted, stop) {
        Ok(None) => Ok(()),
        Ok(Some(watched)) => {
            let ending = manifest.progress.ending;
            let (mut writer, tallied) = ResultsWriter::resume(folder, manifest)?;
            if tallied.battles == counted.battles {
                writer.watched(Some(watched));
                writer.finish(&tallied, ending)?;
            }
            Ok(())
        }
        Err(why) => {
            progress.unwatched(&why);
            Ok(())
        }
    }
}
