//! Adding shards.

use std::fs;
use std::path::Path;

use super::parts::{check_digest, read_part};
use super::{Differences, Ending, Method, Results, ResultsError, ResultsWriter};
use crate::digest::Digest;
use crate::progress::{Progress, Stop};
use crate::runner::Tallied;
use crate::watched::watch_again;

/// Adds results folders whose battles follow upon each other into a new one at `folder`.
///
/// What comes out is, to the byte, what one run of all the battles would have left; with `watch`, the battles that a report shows
/// included. A part of a shard that is gone or damaged is left out, and `progress` is informed: its battles are counted all the
/// same.
///
/// # Errors
/// There is nothing to add; `folder` is one of the shards; a folder has exact odds; the folders hold battles of different series,
/// or battles are missing between them or in two of them; a folder cannot be read or written.
pub fn merge(
    shards: &[Results],
    folder: &Path,
    command: &str,
    watch: bool,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Results, ResultsError> {
    if is_one_of(folder, shards) {
        return Err(ResultsError::IntoItself { folder: folder.to_owned() });
    }
    if let Some(worked_out) = shards.iter().find(|shard| shard.manifest.method == Method::Exact) {
        return Err(ResultsError::NoBattles { folder: worked_out.folder.clone() });
    }
    let mut shards: Vec<&Results> = shards.iter().collect();
    shards.sort_by_key(|shard| (shard.manifest.progress.first, shard.manifest.progress.battles));
    let Some(first) = shards.first() else { return Err(ResultsError::NothingToMerge) };
    let tallied = added(&shards, first)?;
    let mut manifest = first.manifest.clone();
    manifest.runs = shards.iter().map(|shard| shard.manifest.runs).max().unwrap_or(manifest.runs);
    manifest.files.keep = kept(&shards);
    // The luck of some battles is not that of all.
    manifest.luck = shards.iter().all(|shard| shard.manifest.luck);
    manifest.made.command = command.to_owned();
    let whole = tallied.first == 0 && tallied.battles >= manifest.runs;
    let mut ending = if whole { Ending::AllRuns } else { Ending::Stopped };
    let mut writer = ResultsWriter::create(folder, manifest)?;
    for shard in &shards {
        for part in &shard.manifest.files.parts {
            match read_part(&shard.folder, part, &shard.manifest, |row| writer.adopt(row)) {
                Err(error) if error.is_loss() => progress.lost(&error),
                read => read?,
            }
        }
    }
    writer.count_as_elapsed(shards.iter().map(|shard| shard.manifest.made.elapsed_s).sum());
    if watch {
        match watch_again(writer.manifest(), &tallied, stop) {
            Ok(watched) => {
                if watched.is_none() && stop.is_raised() {
                    ending = Ending::Stopped;
                }
                writer.watched(watched);
            }
            Err(why) => progress.unwatched(&why),
        }
    }
    writer.finish(&tallied, ending)
}

/// The counts of all shards, which must follow upon each other.
fn added(shards: &[&Results], first: &Results) -> Result<Tallied, ResultsError> {
    let mut tallied = Tallied::new(first.manifest.progress.first, &first.manifest.baselines());
    for shard in shards {
        let progress = &shard.manifest.progress;
        if let Some(differences) = Differences::between(&shard.manifest, &first.manifest) {
            return Err(ResultsError::OtherBattles { folder: shard.folder.clone(), differences: differences.into() });
        }
        if progress.first < tallied.next() && progress.battles > 0 {
            let last = progress.first + progress.battles - 1;
            return Err(ResultsError::Twice { folder: shard.folder.clone(), first: progress.first, last });
        }
        if progress.first != tallied.next() {
            return Err(ResultsError::Gap {
                folder: shard.folder.clone(),
                first: progress.first,
                expected: tallied.next(),
            });
        }
        for (tally, more) in tallied.cells.iter_mut().zip(&shard.tallies) {
            tally.merge(more);
        }
        tallied.battles += progress.battles;
        let digest: Digest = progress
            .digest
            .parse()
            .map_err(|_| ResultsError::damaged(&shard.folder, "its digest is not a hexadecimal number of 64 bits"))?;
        tallied.digest.merge(digest);
        check_digest(&shard.folder, &shard.manifest)?;
    }
    if shards.iter().any(|shard| !shard.manifest.luck) {
        tallied.cells.iter_mut().for_each(|tally| tally.luck = None);
    }
    Ok(tallied)
}

/// How many battles of each cell the sum keeps one by one; none if all. One run would keep as many as the shard that keeps most,
/// and the sum has them as far as no shard leaves a gap.
fn kept(shards: &[&Results]) -> Option<u64> {
    let mut most = Some(0);
    for shard in shards {
        most = most.zip(shard.manifest.files.keep).map(|(most, keep): (u64, u64)| most.max(keep));
    }
    let mut before = 0;
    for shard in shards {
        let fought = shard.manifest.progress.battles;
        if let Some(keep) = shard.manifest.files.keep.filter(|&keep| keep < fought) {
            return Some(most.map_or(before + keep, |most| most.min(before + keep)));
        }
        before += fought;
    }
    most
}

/// Whether `folder` is one of the shards, which merging must not overwrite.
fn is_one_of(folder: &Path, shards: &[Results]) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(folder).is_some_and(|folder| shards.iter().any(|shard| real(&shard.folder).as_ref() == Some(&folder)))
}
