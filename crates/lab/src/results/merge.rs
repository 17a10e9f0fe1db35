//! Adding shards.

use std::fs;
use std::path::Path;

use super::read::checked_bytes;
use super::{Differences, Ending, Method, Results, ResultsError, ResultsWriter};
use crate::digest::Digest;
use crate::progress::Progress;
use crate::runner::Tallied;

/// Adds results folders whose battles follow upon each other into a new one at `folder`.
///
/// What comes out has the tallies and the summary, to the byte, of one run of all the battles. A part of a shard that is gone or
/// damaged is left out, and `progress` told so: its battles are counted all the same. Battles that were kept one by one are taken
/// over as far as they follow upon each other: a folder keeps the first so many.
///
/// # Errors
/// There is nothing to add; `folder` is one of the shards; a folder's odds were worked out; the folders hold battles of different series, or battles are missing between them or in two of them; a
/// folder cannot be read or written.
pub fn merge(
    shards: &[Results],
    folder: &Path,
    command: &str,
    progress: &dyn Progress,
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
    let mut tallied = Tallied::new(first.manifest.progress.first, &first.manifest.baselines());
    for shard in &shards {
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
    }

    let mut manifest = first.manifest.clone();
    manifest.runs = shards.iter().map(|shard| shard.manifest.runs).max().unwrap_or(manifest.runs);
    let (keeping, keep) = kept(&shards);
    manifest.files.keep = keep;
    // The luck of some battles is not that of all.
    manifest.luck = shards.iter().all(|shard| shard.manifest.luck);
    if !manifest.luck {
        tallied.cells.iter_mut().for_each(|tally| tally.luck = None);
    }
    manifest.made.command = command.to_owned();
    let elapsed = shards.iter().map(|shard| shard.manifest.made.elapsed_s).sum();
    let whole = tallied.first == 0 && tallied.battles >= manifest.runs;
    let mut writer = ResultsWriter::create(folder, manifest)?;
    for shard in &shards[..keeping] {
        for part in &shard.manifest.files.parts {
            match checked_bytes(&shard.folder, part) {
                Ok(bytes) => writer.adopt_part(&bytes, part.rows)?,
                Err(error) if error.is_loss() => progress.lost(&error),
                Err(error) => return Err(error),
            }
        }
    }
    writer.count_as_elapsed(elapsed);
    writer.watched(first.watched.clone());
    writer.finish(&tallied, if whole { Ending::AllRuns } else { Ending::Stopped })
}

/// How many of the shards have battles, kept one by one, that follow upon those kept of the ones before; and how many of each
/// cell that makes, none if all of them: a folder keeps the first so many, and none beyond a gap.
fn kept(shards: &[&Results]) -> (usize, Option<u64>) {
    let (mut battles, mut most) = (0, Some(0));
    for (place, shard) in shards.iter().enumerate() {
        let fought = shard.manifest.progress.battles;
        match shard.manifest.files.keep {
            Some(keep) if keep < fought => return (place + 1, Some(battles + keep)),
            keep => most = most.zip(keep).map(|(most, keep)| most.max(keep)),
        }
        battles += fought;
    }
    (shards.len(), most.map(|most: u64| most.max(battles)))
}

/// Whether `folder` is one of the shards, which merging must not overwrite.
fn is_one_of(folder: &Path, shards: &[Results]) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(folder).is_some_and(|folder| shards.iter().any(|shard| real(&shard.folder).as_ref() == Some(&folder)))
}
