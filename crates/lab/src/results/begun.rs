//! Checks before starting or resuming a results folder: its contents, and what would be lost.

use std::fs;
use std::path::Path;

use super::cut::{BATTLES, SIDES};
use super::read::{MANIFEST, read_manifest};
use super::{Differences, Manifest, Method, ResultsError, disk};

/// Folder of all tables. Each file in it, and each folder in it, is one table.
pub(super) const DATA: &str = "data";

/// Refuses a folder that exists, is not empty and is not a results folder; returns the manifest of one that can be
/// read.
pub(super) fn refuse_foreign(folder: &Path) -> Result<Option<Manifest>, ResultsError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(ResultsError::Foreign { folder: folder.to_owned() });
        }
        Err(error) => return Err(ResultsError::io("read", folder)(error)),
    };
    // A folder that was created and then abandoned before its first manifest contains only these.
    let ours = |name: &str| name.starts_with(disk::TEMPORARY) || (name == DATA && is_bare(&folder.join(DATA)));
    if entries.flatten().all(|entry| ours(&entry.file_name().to_string_lossy())) {
        return Ok(None);
    }
    match read_manifest(folder) {
        Ok(manifest) => Ok(Some(manifest)),
        // A folder that contradicts itself is still ours, and is created again.
        Err(ResultsError::Damaged { .. }) => Ok(None),
        Err(ResultsError::Json { .. }) if !is_ours(folder) => Err(ResultsError::Foreign { folder: folder.to_owned() }),
        Err(ResultsError::NoManifest { .. }) => Err(ResultsError::Foreign { folder: folder.to_owned() }),
        Err(error) => Err(error),
    }
}

/// Whether a folder of tables contains no tables yet.
fn is_bare(data: &Path) -> bool {
    let tables: Vec<_> = fs::read_dir(data).into_iter().flatten().flatten().collect();
    tables.iter().all(|entry| {
        let of_battles =
            [BATTLES, SIDES].iter().any(|known| data.parent().is_some_and(|up| up.join(known) == entry.path()));
        of_battles && fs::read_dir(entry.path()).is_ok_and(|mut below| below.next().is_none())
    })
}

/// Whether a manifest that cannot be read was written by Grognard: other programs have manifests too.
fn is_ours(folder: &Path) -> bool {
    let json = fs::read(folder.join(MANIFEST)).ok();
    let json = json.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    json.is_some_and(|json| ["format", "study", "pack"].iter().all(|key| json.get(key).is_some()))
}

/// The manifest of a folder that a run can resume.
pub(super) fn resumable(folder: &Path, manifest: &Manifest) -> Result<Manifest, ResultsError> {
    let old = read_manifest(folder)?;
    let folder = folder.to_owned();
    if let Some(differences) = Differences::between(&old, manifest) {
        return Err(ResultsError::OtherBattles { folder, differences: differences.into() });
    }
    if manifest.luck && !old.luck && old.progress.battles > 0 {
        return Err(ResultsError::NoLuck { folder });
    }
    if old.progress.first != manifest.progress.first {
        let (found, wanted) = (old.progress.first, manifest.progress.first);
        return Err(ResultsError::OtherShare { folder, found, wanted });
    }
    Ok(old)
}

/// Refuses to replace results of another study, or of other battles of the same one.
pub(super) fn keep_other(folder: &Path, there: &Manifest, manifest: &Manifest) -> Result<(), ResultsError> {
    let packs = |manifest: &Manifest| manifest.packs().map(|pack| pack.name.clone()).collect::<Vec<_>>();
    let other = there.study.name != manifest.study.name || packs(there) != packs(manifest);
    let many = there.progress.battles;
    let empty = there.method == Method::Sampled && many == 0;
    if !other && (empty || there.identity == manifest.identity) {
        return Ok(());
    }
    let what = match there.method {
        Method::Exact => "exact odds".to_owned(),
        Method::Sampled => format!("{many} {} of each cell", if many == 1 { "battle" } else { "battles" }),
    };
    let with = if other {
        format!("({})", there.pack_line())
    } else {
        let asked = Manifest { method: there.method, ..manifest.clone() };
        let differences = Differences::between(there, &asked).map(|differences| differences.to_string());
        format!("under other rules or with another seed ({})", differences.unwrap_or_default())
    };
    let what = format!("{what} of the study {} {with}", there.study.name);
    Err(ResultsError::Occupied { folder: folder.to_owned(), what })
}
