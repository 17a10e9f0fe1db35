//! Reading a results folder back.

use std::fs;
use std::path::Path;

use grognard_engine::{METRICS, Side};
use grognard_stats::Level;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::frames::Frames;
use super::parts::check_digest;
use super::sha256::sha256;
use super::tables::{Exact, adds_up, enter_tallies, odds_from_frames, summary_from_frame};
use super::{CellHeader, FORMAT, FileEntry, Files, Manifest, Method, Results, ResultsError};
use crate::RUNS_MAX;
use crate::players::Players;
use crate::tally::CellTally;
use crate::watched::Watched;

/// The name of the manifest in its folder.
pub(super) const MANIFEST: &str = "manifest.json";

impl Results {
    /// Reads the results folder at `folder`, and checks that its parts agree. Battles that are kept individually
    /// are not read.
    ///
    /// # Errors
    /// The folder has no manifest, was written in another format, is damaged, or cannot be read.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, ResultsError> {
        let folder = folder.as_ref();
        let manifest = read_manifest(folder)?;
        let tallies = match &manifest.files.tallies {
            Some(entry) => read_tallies(folder, entry, &manifest)?,
            None => Vec::new(),
        };
        let summary = match &manifest.files.summary {
            Some(entry) => summary_from_frame(&Frames::open(folder, entry)?.whole()?, &manifest)
                .map_err(|fault| ResultsError::damaged(&folder.join(&entry.path), fault))?,
            None => Vec::new(),
        };
        let odds = match &manifest.files {
            Files { odds: Some(odds), means: Some(means), work: Some(work), ends: Some(ends), .. } => {
                let read = |entry| Frames::open(folder, entry)?.whole();
                let frames = Exact { odds: read(odds)?, means: read(means)?, work: read(work)?, ends: read(ends)? };
                odds_from_frames(&frames, &manifest)
                    .map_err(|fault| ResultsError::damaged(&folder.join(&odds.path), fault))?
            }
            _ => Vec::new(),
        };
        let watched = match &manifest.files.watched {
            Some(entry) => Some(read_watched(folder, entry, &manifest)?),
            None => None,
        };
        let players = match &manifest.files.players {
            Some(entry) => Some(read_players(folder, entry, &manifest)?),
            None => None,
        };
        Ok(Self { folder: folder.to_owned(), manifest, tallies, odds, summary: summary.into(), watched, players })
    }

    /// Recomputes the digest from the kept battles, if all are kept, and compares it with the manifest's.
    ///
    /// # Errors
    /// They differ, or a file cannot be read.
    pub fn check_digest(&self) -> Result<(), ResultsError> {
        check_digest(&self.folder, &self.manifest)
    }
}

impl Manifest {
    /// Reads the manifest of the results folder at `folder` and checks it, without reading the files it lists.
    ///
    /// # Errors
    /// As [`Results::open`].
    pub fn read(folder: impl AsRef<Path>) -> Result<Self, ResultsError> {
        read_manifest(folder.as_ref())
    }

    /// Like [`Manifest::read`]; `None` if the folder has no manifest or does not exist.
    ///
    /// # Errors
    /// The manifest is damaged, of another format, or cannot be read.
    pub fn begun(folder: impl AsRef<Path>) -> Result<Option<Self>, ResultsError> {
        match read_manifest(folder.as_ref()) {
            Ok(manifest) => Ok(Some(manifest)),
            Err(ResultsError::NoManifest { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Reads and checks only the manifest.
pub(super) fn read_manifest(folder: &Path) -> Result<Manifest, ResultsError> {
    /// The part of a manifest that identifies its format.
    #[derive(Deserialize)]
    struct Format {
        format: u64,
        #[serde(default)]
        made: serde_json::Value,
    }

    let path = folder.join(MANIFEST);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Err(ResultsError::NoManifest { folder: folder.to_owned() });
        }
        Err(error) => return Err(ResultsError::io("read", &path)(error)),
    };
    let damaged = |source| ResultsError::Json { path: path.clone(), source };
    let Format { format, made } = serde_json::from_slice(&bytes).map_err(damaged)?;
    if format != u64::from(FORMAT) {
        return Err(ResultsError::Format { path, found: format, command: made["command"].as_str().map(str::to_owned) });
    }
    let manifest: Manifest = serde_json::from_slice(&bytes).map_err(damaged)?;
    check(&manifest).map_err(|fault| ResultsError::damaged(&path, fault))?;
    if !is_sealed(&bytes, &manifest) {
        return Err(ResultsError::damaged(&path, "its text was changed: it does not match the seal (`made.seal`)"));
    }
    Ok(manifest)
}

/// The text before the seal in a manifest. Within a value, the quotation marks would be escaped.
const SEAL: &str = "\"seal\": \"";

/// The sealed text of a manifest. Also writes the seal into the manifest.
pub(super) fn sealed(manifest: &mut Manifest) -> serde_json::Result<String> {
    manifest.made.seal = String::new();
    let mut text = serde_json::to_string_pretty(manifest)?;
    text.push('\n');
    manifest.made.seal = sha256(text.as_bytes());
    if let Some(at) = text.find(SEAL) {
        text.insert_str(at + SEAL.len(), &manifest.made.seal);
    }
    Ok(text)
}

/// Whether the text of a manifest is the one that was sealed.
fn is_sealed(bytes: &[u8], manifest: &Manifest) -> bool {
    let seal = &manifest.made.seal;
    let written = format!("{SEAL}{seal}\"");
    let text = String::from_utf8_lossy(bytes);
    sha256(text.replacen(&written, &format!("{SEAL}\""), 1).as_bytes()) == *seal
}

/// Checks that the manifest is consistent.
fn check(manifest: &Manifest) -> Result<(), String> {
    let sides = manifest.sides.len();
    if !(2..=Side::ALL.len()).contains(&sides) {
        return Err(format!("`sides` has a length of {sides}, but a battle has 2 to {} sides", Side::ALL.len()));
    }
    if let Some(cell) = manifest.cells.iter().find(|cell| cell.figures.len() != sides || cell.units.len() != sides) {
        return Err(format!("cell {} does not have the figures and units of {sides} sides", cell.cell));
    }
    for (index, cell) in manifest.cells.iter().enumerate() {
        let number = cell.cell;
        if number as usize != index && manifest.method == Method::Sampled {
            return Err(format!("cell {number} is in the position of cell {index}"));
        }
        if index > 0 && manifest.cells[index - 1].cell >= number {
            return Err(format!("cell {number} comes after cell {}", manifest.cells[index - 1].cell));
        }
    }
    if let Some(cell) =
        manifest.cells.iter().find(|cell| cell.baseline.is_some_and(|cell| manifest.cell(cell).is_none()))
    {
        return Err(format!("the baseline of cell {} does not exist", cell.cell));
    }
    if manifest.progress.battles > RUNS_MAX || manifest.runs > RUNS_MAX {
        return Err(format!("it claims more than {RUNS_MAX} battles in a cell"));
    }
    if manifest.progress.first.checked_add(manifest.progress.battles).is_none_or(|end| end > RUNS_MAX) {
        return Err(format!(
            "its battles begin with {}, beyond the limit of {RUNS_MAX} in a cell",
            manifest.progress.first
        ));
    }
    if Level::new(manifest.level).is_none() && (manifest.method == Method::Sampled || manifest.level != 1.0) {
        return Err(format!("{} is not a confidence level", manifest.level));
    }
    let files = &manifest.files;
    let whole = match manifest.method {
        Method::Sampled => [&files.odds, &files.means, &files.work, &files.ends].iter().all(|file| file.is_none()),
        Method::Exact => files.tallies.is_none() && files.parts.is_empty() && manifest.progress.battles == 0,
    };
    if !whole {
        return Err("its files do not match its method".to_owned());
    }
    match manifest.method {
        Method::Sampled if manifest.progress.battles > 0 && files.tallies.is_none() => {
            return Err(format!("it claims {} battles but lists no counts of them", manifest.progress.battles));
        }
        // The first manifest does not name any files yet.
        Method::Exact if [&files.odds, &files.means, &files.work, &files.ends].iter().any(|file| file.is_none()) => {
            return Err("its odds were not written completely: compute them again".to_owned());
        }
        _ => {}
    }
    let metrics = manifest.metrics.iter().map(|metric| metric.key.as_str());
    let own = manifest.metrics.iter().skip(METRICS.len());
    let metrics = metrics.take(METRICS.len());
    if !metrics.eq(METRICS.iter().map(|metric| metric.key)) || own.into_iter().any(|metric| metric.ratio.is_none()) {
        return Err("its metrics differ from this version's".to_owned());
    }
    let packs = manifest.packs().map(|pack| (&pack.text, &pack.sha256));
    for (text, hash) in packs.chain([(&manifest.study.text, &manifest.study.sha256)]) {
        if sha256(text.as_bytes()) != *hash {
            return Err("the text of the study or of the pack does not match its SHA-256".to_owned());
        }
    }
    Ok(())
}

/// The data on watched battles, from the file that `entry` names.
pub(super) fn read_watched(folder: &Path, entry: &FileEntry, manifest: &Manifest) -> Result<Watched, ResultsError> {
    read_json(folder, entry, |watched: &Watched| watched.check(manifest))
}

/// The results under other players, from the file that `entry` names.
pub(super) fn read_players(folder: &Path, entry: &FileEntry, manifest: &Manifest) -> Result<Players, ResultsError> {
    read_json(folder, entry, |players: &Players| players.check(manifest))
}

/// Reads and checks the value in the JSON file that `entry` names.
fn read_json<T: DeserializeOwned>(
    folder: &Path,
    entry: &FileEntry,
    check: impl FnOnce(&T) -> Result<(), String>,
) -> Result<T, ResultsError> {
    let (bytes, path) = (checked_bytes(folder, entry)?, folder.join(&entry.path));
    let value = serde_json::from_slice(&bytes).map_err(|source| ResultsError::Json { path: path.clone(), source })?;
    check(&value).map_err(|fault| ResultsError::damaged(&path, fault))?;
    Ok(value)
}

/// The tallies that `entry` names.
pub(super) fn read_tallies(
    folder: &Path,
    entry: &FileEntry,
    manifest: &Manifest,
) -> Result<Vec<CellTally>, ResultsError> {
    let paired = |cell: &CellHeader| cell.baseline.is_some_and(|baseline| baseline != cell.cell);
    let mut tallies: Vec<_> = manifest.cells.iter().map(|cell| CellTally::new(paired(cell))).collect();
    let file = Frames::open(folder, entry)?;
    let damaged = |fault| ResultsError::damaged(file.path(), fault);
    for frame in file.each() {
        enter_tallies(&frame?, &mut tallies, manifest).map_err(damaged)?;
    }
    let (battles, counted) = (manifest.progress.battles, manifest.counted_keys().len());
    match tallies.iter().position(|tally| !adds_up(tally, battles, counted)) {
        Some(cell) if manifest.method == Method::Sampled => {
            Err(damaged(format!("the counts of cell {cell} do not add up to {battles} battles")))
        }
        _ => Ok(tallies),
    }
}

/// Whether the path of a [`FileEntry`] stays inside its folder.
pub(super) fn is_inside(path: &str) -> bool {
    !path.split('/').any(|name| name.is_empty() || name == ".." || name.contains('\\'))
}

/// The bytes of a file of the folder, if they are those that were written.
pub(super) fn checked_bytes(folder: &Path, entry: &FileEntry) -> Result<Vec<u8>, ResultsError> {
    let path = folder.join(&entry.path);
    if !is_inside(&entry.path) {
        return Err(ResultsError::damaged(&folder.join(MANIFEST), format!("`{}` is not one of its files", entry.path)));
    }
    let bytes = fs::read(&path).map_err(ResultsError::io("read", &path))?;
    if sha256(&bytes) != entry.sha256 {
        return Err(ResultsError::damaged(&path, "its contents have changed since it was written"));
    }
    Ok(bytes)
}
