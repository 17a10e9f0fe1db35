//! Merges shards.

use std::fs;
use std::path::Path;

use super::parts::{check_digest, read_part};
use super::sum::{Missing, Sum, Unaddable, sum};
use super::{Ending, Results, ResultsError, ResultsWriter};
use crate::for_report::again;
use crate::progress::{Progress, Stop};

/// Merges results folders whose battles are consecutive into a new one at `folder`.
///
/// The result is identical, byte for byte, to that of a single run of all the battles, except for the record of how it
/// was made ([`Made`](super::Made)). With `watch`, it includes the battles that a report shows. A missing or damaged
/// part of a shard is left out and reported to `progress`; its battles are still counted.
///
/// # Errors
/// There is nothing to merge; `folder` is one of the shards; a folder has exact odds; the folders hold battles of
/// different series; battles are missing between them, or are in two of them; a folder cannot be read or written.
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
    let Sum { order, mut manifest, tallied } =
        sum(&shards.iter().collect::<Vec<_>>()).map_err(|why| of_folders(why, shards))?;
    let shards: Vec<&Results> = order.into_iter().map(|place| &shards[place]).collect();
    for shard in &shards {
        check_digest(&shard.folder, &shard.manifest)?;
    }
    manifest.made.command = command.to_owned();
    let mut ending = Missing::ending(&shards);
    let mut writer = ResultsWriter::create(folder, manifest)?;
    for shard in &shards {
        for part in &shard.manifest.files.parts {
            match read_part(&shard.folder, part, &shard.manifest, |row| writer.adopt(row)) {
                Err(error) if error.is_loss() => progress.lost(&error),
                read => read?,
            }
        }
    }
    if watch {
        match again(writer.manifest(), &tallied, progress, stop) {
            Ok(Some(made)) => writer.for_report(made),
            Ok(None) => ending = Ending::Stopped,
            Err(why) => progress.unwatched(&why),
        }
    }
    writer.finish(&tallied, ending)
}

/// Why these folders cannot be merged.
fn of_folders(why: Unaddable, shards: &[Results]) -> ResultsError {
    let folder = |place: usize| shards[place].folder.clone();
    match why {
        Unaddable::Nothing => ResultsError::NothingToMerge,
        Unaddable::NoBattles(shard) => ResultsError::NoBattles { folder: folder(shard) },
        Unaddable::OtherBattles { shard, differences } => {
            ResultsError::OtherBattles { folder: folder(shard), differences }
        }
        Unaddable::Twice { shard, first, last } => ResultsError::Twice { folder: folder(shard), first, last },
        Unaddable::Missing(missing) => ResultsError::Missing(missing),
        Unaddable::Digest(shard) => {
            ResultsError::damaged(&folder(shard), "its digest is not a hexadecimal number of 64 bits")
        }
    }
}

/// Whether `folder` is one of the shards, which merging must not overwrite.
fn is_one_of(folder: &Path, shards: &[Results]) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(folder).is_some_and(|folder| shards.iter().any(|shard| real(&shard.folder).as_ref() == Some(&folder)))
}
