//! Produces the data for a report that is requested only after the run.

use std::path::Path;

use grognard_source::Sources;

use super::ForReport;
use crate::progress::{Progress, Stop};
use crate::results::{Ending, Manifest, Method, Results, ResultsError, ResultsWriter};
use crate::runner::Tallied;
use crate::study::Study;

/// Produces the data from nothing but the manifest of a run and its counts; `None` as for [`ForReport::of`].
///
/// # Errors
/// Why this version cannot fight the same battles.
pub(crate) fn again(
    manifest: &Manifest,
    tallied: &Tallied,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Option<ForReport>, String> {
    if tallied.first > 0 {
        return Ok(Some(ForReport::default()));
    }
    let study = Study::of_manifest(manifest, &mut Sources::new());
    let study = study.ok().filter(|study| study.identity == manifest.identity);
    let study = study.ok_or_else(|| {
        let (theirs, own) = (&manifest.tool, env!("CARGO_PKG_VERSION"));
        format!("it was fought by version {theirs}, but this is version {own}, whose battles may differ")
    })?;
    // As in a run, no number of battles was requested if the run ended because it was precise.
    let asked = if manifest.precision.is_some() { tallied.battles } else { manifest.runs };
    Ok(ForReport::of(&study, tallied, asked, progress, stop))
}

/// Writes `watched.json` and `players.json` into a results folder whose run did not prepare a report, so that the
/// report is complete. A folder that already has them, does not need them or is unfinished is not changed. Missing or
/// damaged parts of the folder are reported to `progress`.
///
/// # Errors
/// The folder cannot be read or written. A `stop`, and battles that cannot be fought again, are not errors: the folder
/// is then not changed, and `progress` receives the reason.
pub fn complete(folder: &Path, progress: &dyn Progress, stop: &Stop) -> Result<(), ResultsError> {
    let Results { manifest, tallies, .. } = Results::open(folder)?;
    let ended = manifest.progress.ending != Ending::Unfinished && manifest.progress.battles > 0;
    let asks = manifest.report.players.is_some();
    let whole = manifest.files.watched.is_some() && (manifest.files.players.is_some() || !asks);
    if manifest.method == Method::Exact || whole || !ended {
        return Ok(());
    }
    let counted = Tallied {
        first: manifest.progress.first,
        battles: manifest.progress.battles,
        cells: tallies,
        digest: Default::default(),
    };
    match again(&manifest, &counted, progress, stop) {
        Ok(Some(made)) if made != ForReport::default() => {
            let ending = manifest.progress.ending;
            let (mut writer, tallied) = ResultsWriter::resume(folder, manifest)?;
            for error in writer.lost() {
                progress.lost(error);
            }
            if tallied.battles == counted.battles {
                writer.for_report(made);
                writer.finish(&tallied, ending)?;
            }
            Ok(())
        }
        Ok(_) => Ok(()),
        Err(why) => {
            progress.unwatched(&why);
            Ok(())
        }
    }
}
