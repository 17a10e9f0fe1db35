//! Writing a results folder so that a kill at any moment leaves it whole.
//!
//! The manifest names every file that counts, with its SHA-256. Files are written first, under names that the manifest on
//! disk does not use, and the manifest is replaced last: at any moment it describes a state of the run that is all there.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grognard_stats::Intervals;
use polars::prelude::{DataFrame, ParquetWriter, PolarsResult};

use super::frames::{summary_to_frame, tallies_to_frames};
use super::lock::{self, Lock};
use super::odds::{ends_to_frame, odds_to_frame};
use super::parts::{PART_ROWS, Rows};
use super::read::{MANIFEST, checked_bytes, is_inside, read_manifest, read_tallies};
use super::summary::summarise;
use super::{Differences, Ending, FileEntry, Files, Made, Manifest, Method, Results, ResultsError, disk, sha256};
use crate::clock::Stopwatch;
use crate::runner::{Fought, Sink, Tallied};
use crate::watched::Watched;

const TALLIES: &str = "tallies.parquet";
const SUMMARY: &str = "summary.parquet";
const WATCHED: &str = "watched.json";
const ODDS: &str = "odds.parquet";
const ENDS: &str = "ends.parquet";
/// Tallies of a run that has not ended: written in turn, so that one is always whole.
const CHECKPOINTS: [&str; 2] = ["checkpoint-0.parquet", "checkpoint-1.parquet"];
/// Folder of the parts.
const PARTS: &str = "runs";
/// How much work a kill may cost.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// A results folder that is being written.
#[derive(Debug)]
pub struct ResultsWriter {
    folder: PathBuf,
    _lock: Lock,
    manifest: Manifest,
    /// Kept battles that are in no file yet; those before `marked` belong to finished blocks.
    rows: Rows,
    marked: usize,
    /// Parts whose last block is not done.
    loose: Vec<FileEntry>,
    /// Why parts of the folder that is resumed no longer belong to it.
    lost: Vec<ResultsError>,
    started: Stopwatch,
    elapsed_before: f64,
    checkpoint: Stopwatch,
    watched: Option<Watched>,
    checkpoint_every: Duration,
}

impl ResultsWriter {
    /// Begins a results folder, or begins it anew if it is one of ours. Nobody else can write to it as long as the writer lives.
    ///
    /// `manifest` describes the run; its `files` and `progress` are filled in here, apart from `files.keep`,
    /// `progress.first` and `progress.block`. Where odds are worked out what is in the folder stays until they are there.
    ///
    /// # Errors
    /// The folder holds something else, is written to by another, or cannot be written. Then nothing of it was changed.
    pub fn create(folder: impl Into<PathBuf>, manifest: Manifest) -> Result<Self, ResultsError> {
        let folder = folder.into();
        refuse_foreign(&folder)?;
        disk::create_folder(&folder.join(PARTS))?;
        let lock = Lock::take(&folder)?;
        let mut writer = Self::of(folder, lock, manifest);
        writer.manifest.files = Files { keep: writer.manifest.files.keep, ..Files::default() };
        writer.manifest.progress.battles = 0;
        writer.manifest.progress.ending = Ending::Unfinished;
        if writer.manifest.method == Method::Sampled {
            writer.write_manifest()?;
            writer.remove_leftovers();
        }
        Ok(writer)
    }

    /// Whether a folder may be begun, or begun anew, for so many battles of each cell: it is one of ours, and nothing is lost
    /// that is not to be lost. Nothing is written.
    ///
    /// The same study may be fought anew. Unless `force`, results stay that are those of another study or pack, or of a series
    /// of other battles of which there are more.
    ///
    /// # Errors
    /// The folder holds something else, or results that should stay.
    pub fn check_create(folder: &Path, manifest: &Manifest, battles: u64, force: bool) -> Result<(), ResultsError> {
        match refuse_foreign(folder)? {
            Some(there) if !force => keep_other(folder, &there, manifest, battles),
            _ => Ok(()),
        }
    }

    /// Whether a run can go on in a folder. Nothing is written.
    ///
    /// # Errors
    /// There is none, it is damaged, or its battles are of another series or share than those of `manifest`.
    pub fn check_resume(folder: &Path, manifest: &Manifest) -> Result<(), ResultsError> {
        resumable(folder, manifest).map(|_| ())
    }

    /// Takes up the results folder at `folder` where it was left, and says what is counted already.
    ///
    /// # Errors
    /// There is none, it is damaged, or its battles are of another series than those of `manifest`.
    pub fn resume(folder: impl Into<PathBuf>, manifest: Manifest) -> Result<(Self, Tallied), ResultsError> {
        let folder = folder.into();
        Self::check_resume(&folder, &manifest)?;
        let lock = Lock::take(&folder)?;
        // Read again: whoever had the folder before may have gone on.
        let old = resumable(&folder, &manifest)?;
        let mut tallied = Tallied::new(old.progress.first, &manifest.baselines());
        if let Some(entry) = &old.files.tallies {
            tallied.cells = read_tallies(&folder, entry, &old)?;
            tallied.battles = old.progress.battles;
            tallied.digest = old.progress.digest.parse().map_err(|_| {
                ResultsError::damaged(&folder.join(MANIFEST), "its digest is not a hexadecimal number of 64 bits")
            })?;
        }
        disk::create_folder(&folder.join(PARTS))?;
        let mut writer = Self::of(folder, lock, manifest);
        writer.elapsed_before = old.made.elapsed_s;
        writer.manifest.files = old.files;
        writer.manifest.luck = old.luck;
        writer.manifest.progress = old.progress;
        writer.remove_leftovers();
        writer.drop_lost_parts()?;
        Ok((writer, tallied))
    }

    fn of(folder: PathBuf, lock: Lock, manifest: Manifest) -> Self {
        let now = Stopwatch::start();
        Self {
            folder,
            _lock: lock,
            manifest,
            rows: Rows::default(),
            marked: 0,
            loose: Vec::new(),
            lost: Vec::new(),
            started: now,
            elapsed_before: 0.0,
            checkpoint: now,
            watched: None,
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    /// The intervals of what is found.
    #[must_use]
    pub fn intervals(&self) -> Intervals {
        self.manifest.intervals()
    }

    /// Which battles of each cell are kept: the first so many, or all. A resumed folder goes on as it began.
    #[must_use]
    pub fn keep(&self) -> Option<u64> {
        self.manifest.files.keep
    }

    /// Parts of the resumed folder that were damaged or gone. Their battles stay counted, and are no longer kept one by one.
    #[must_use]
    pub fn lost(&self) -> &[ResultsError] {
        &self.lost
    }

    /// Leaves out the parts that are not as they were written; a damaged one is set aside under another name.
    fn drop_lost_parts(&mut self) -> Result<(), ResultsError> {
        for part in std::mem::take(&mut self.manifest.files.parts) {
            let path = self.folder.join(&part.path);
            match checked_bytes(&self.folder, &part) {
                Ok(_) => self.manifest.files.parts.push(part),
                Err(error) if error.is_loss() => {
                    if is_inside(&part.path) {
                        disk::set_aside(&path, &path.with_extension("parquet.damaged"));
                    }
                    self.lost.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether the luck of dice is counted. A resumed folder goes on as it began.
    #[must_use]
    pub fn counts_luck(&self) -> bool {
        self.manifest.luck
    }

    /// Writes what is counted and kept so far, so that a run could be resumed from here.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn checkpoint(&mut self, tallied: &Tallied) -> Result<(), ResultsError> {
        self.flush_marked()?;
        let current = self.manifest.files.tallies.as_ref().map(|entry| entry.path.as_str());
        let gauges = self.manifest.gauge_keys();
        let name = if current == Some(CHECKPOINTS[0]) { CHECKPOINTS[1] } else { CHECKPOINTS[0] };
        self.manifest.files.tallies = Some(self.write_frames(name, tallies_to_frames(&tallied.cells, &gauges))?);
        self.manifest.files.summary = None;
        self.manifest.files.watched = None;
        self.note(tallied, Ending::Unfinished);
        self.write_manifest()?;
        self.checkpoint = Stopwatch::start();
        Ok(())
    }

    /// What the first battles looked like, to be written when the run ends.
    pub fn watched(&mut self, watched: Option<Watched>) {
        self.watched = watched;
    }

    /// Ends the run: writes tallies, summary and manifest, and removes what no longer counts.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn finish(mut self, tallied: &Tallied, ending: Ending) -> Result<Results, ResultsError> {
        if self.manifest.files.tallies.as_ref().is_some_and(|entry| entry.path == TALLIES) {
            // The manifest on disk still stands on the file that is replaced below.
            self.checkpoint(tallied)?;
        }
        self.rows.truncate(self.marked);
        self.flush_marked()?;
        let summary = summarise(&self.manifest, &tallied.cells, self.manifest.intervals());
        let gauges = self.manifest.gauge_keys();
        self.manifest.files.tallies = Some(self.write_frames(TALLIES, tallies_to_frames(&tallied.cells, &gauges))?);
        self.manifest.files.summary = Some(self.write_frames(SUMMARY, [summary_to_frame(&summary, &self.manifest)])?);
        self.manifest.files.watched = match &self.watched {
            Some(watched) => {
                let json = serde_json::to_vec(watched);
                let json = json.map_err(|source| ResultsError::Json { path: self.folder.join(WATCHED), source })?;
                Some(self.write_file(WATCHED, &json, watched.cells.len() as u64)?)
            }
            None => None,
        };
        self.note(tallied, ending);
        self.write_manifest()?;
        self.remove_leftovers();
        Ok(Results {
            folder: self.folder,
            manifest: self.manifest,
            tallies: tallied.cells.clone(),
            odds: Vec::new(),
            summary,
            watched: self.watched,
        })
    }

    /// Writes odds that were worked out, all at once, in the place of whatever the folder held.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn finish_odds(mut self, worked_out: Results) -> Result<Results, ResultsError> {
        let Results { manifest, odds, summary, .. } = worked_out;
        self.manifest = Manifest { files: std::mem::take(&mut self.manifest.files), ..manifest };
        // From here on the folder is neither what it was nor done, and says so.
        self.write_manifest()?;
        self.manifest.files.odds = Some(self.write_frames(ODDS, [odds_to_frame(&odds)])?);
        self.manifest.files.ends = Some(self.write_frames(ENDS, [ends_to_frame(&odds, &self.manifest)])?);
        self.manifest.files.summary = Some(self.write_frames(SUMMARY, [summary_to_frame(&summary, &self.manifest)])?);
        self.manifest.progress.ending = Ending::AllRuns;
        self.manifest.made.elapsed_s = Made::seconds(self.manifest.made.elapsed_s);
        self.write_manifest()?;
        self.remove_leftovers();
        disk::remove_empty(&self.folder.join(PARTS));
        let Self { folder, manifest, .. } = self;
        Ok(Results { folder, manifest, tallies: Vec::new(), odds, summary, watched: None })
    }

    /// Gives the folder up again, in which nothing was written: what is left of it, if it was made for this, is removed.
    pub fn abandon(self) {
        let folder = self.folder.clone();
        disk::remove_empty(&folder.join(PARTS));
        drop(self);
        disk::remove_empty(&folder);
    }

    /// Checkpoints after every block, however little time it took.
    #[cfg(test)]
    pub(super) fn never_waiting(self) -> Self {
        Self { checkpoint_every: Duration::ZERO, ..self }
    }

    fn note(&mut self, tallied: &Tallied, ending: Ending) {
        self.manifest.progress.battles = tallied.battles;
        self.manifest.progress.ending = ending;
        self.manifest.progress.digest = tallied.digest.to_string();
        let elapsed = self.elapsed_before + self.started.elapsed().as_secs_f64();
        self.manifest.made.elapsed_s = Made::seconds(elapsed);
    }

    fn write_manifest(&self) -> Result<(), ResultsError> {
        let path = self.folder.join(MANIFEST);
        let mut bytes = serde_json::to_vec_pretty(&self.manifest)
            .map_err(|source| ResultsError::Json { path: path.clone(), source })?;
        bytes.push(b'\n');
        disk::write(&path, &bytes)
    }

    /// Takes over a part of another folder of the same series.
    pub(super) fn adopt_part(&mut self, bytes: &[u8], rows: u64) -> Result<(), ResultsError> {
        let part = self.write_file(&self.next_part(), bytes, rows)?;
        self.manifest.files.parts.push(part);
        Ok(())
    }

    /// Counts seconds that others spent fighting.
    pub(super) fn count_as_elapsed(&mut self, seconds: f64) {
        self.elapsed_before += seconds;
    }

    fn write_file(&self, name: &str, bytes: &[u8], rows: u64) -> Result<FileEntry, ResultsError> {
        disk::write(&self.folder.join(name), bytes)?;
        Ok(FileEntry { path: name.to_owned(), rows, sha256: sha256(bytes) })
    }

    /// Writes frames of the same columns, each as a group of rows.
    fn write_frames(
        &self,
        name: &str,
        frames: impl IntoIterator<Item = PolarsResult<DataFrame>>,
    ) -> Result<FileEntry, ResultsError> {
        let (bytes, rows) = encode(frames).map_err(ResultsError::parquet("write", &self.folder.join(name)))?;
        self.write_file(name, &bytes, rows)
    }

    /// The name of the next part.
    fn next_part(&self) -> String {
        // As many as there are, unless parts were lost from among them.
        let taken = || self.manifest.files.parts.iter().chain(&self.loose);
        let mut names = (taken().count()..).map(|number| format!("{PARTS}/part-{number:05}.parquet"));
        names.find(|name| taken().all(|part| part.path != *name)).unwrap_or_default()
    }

    /// Writes `count` rows as a part.
    fn write_part(&mut self, count: usize) -> Result<FileEntry, ResultsError> {
        let rows = self.rows.take(count);
        self.write_frames(&self.next_part(), [rows.into_frame(self.manifest.side_names())])
    }

    /// Writes the rows of finished blocks as a part that counts.
    fn flush_marked(&mut self) -> Result<(), ResultsError> {
        if self.marked > 0 {
            let part = self.write_part(self.marked)?;
            self.manifest.files.parts.push(part);
            self.marked = 0;
        }
        Ok(())
    }

    /// Removes files of ours that the manifest does not name. Those that cannot be removed do no harm.
    fn remove_leftovers(&self) {
        let files = &self.manifest.files;
        let named: Vec<&str> = [&files.tallies, &files.summary, &files.watched, &files.odds, &files.ends]
            .into_iter()
            .flatten()
            .chain(&files.parts)
            .map(|entry| entry.path.as_str())
            .collect();
        for (folder, prefix) in [(self.folder.clone(), ""), (self.folder.join(PARTS), "runs/")] {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = format!("{prefix}{name}");
                let ours = (name.starts_with(disk::TEMPORARY) && name != lock::LOCK)
                    || [TALLIES, SUMMARY, WATCHED, ODDS, ENDS].contains(&path.as_str())
                    || CHECKPOINTS.contains(&path.as_str())
                    || (path.starts_with("runs/part-") && path.ends_with(".parquet"));
                if ours && !named.contains(&path.as_str()) {
                    disk::remove(&entry.path());
                }
            }
        }
    }
}

impl Sink for ResultsWriter {
    type Error = ResultsError;

    fn rows(&mut self, cell: u32, first: u64, fought: &Fought) -> Result<(), ResultsError> {
        if self.rows.len() >= PART_ROWS {
            if self.marked > 0 {
                self.flush_marked()?;
            } else {
                let part = self.write_part(self.rows.len())?;
                self.loose.push(part);
            }
        }
        self.rows.push(cell, first, fought);
        Ok(())
    }

    fn block_done(&mut self, tallied: &Tallied) -> Result<(), ResultsError> {
        self.manifest.files.parts.append(&mut self.loose);
        self.marked = self.rows.len();
        if self.checkpoint.elapsed() >= self.checkpoint_every { self.checkpoint(tallied) } else { Ok(()) }
    }
}

/// Frames of the same columns as a Parquet file, and the number of rows.
pub(super) fn encode(frames: impl IntoIterator<Item = PolarsResult<DataFrame>>) -> PolarsResult<(Vec<u8>, u64)> {
    let mut bytes = Vec::new();
    let mut frames = frames.into_iter();
    let first = frames.next().unwrap_or_else(|| Ok(DataFrame::empty()))?;
    let mut rows = first.height() as u64;
    let mut writer = ParquetWriter::new(&mut bytes).batched(first.schema())?;
    writer.write_batch(&first)?;
    for frame in frames {
        let frame = frame?;
        rows += frame.height() as u64;
        writer.write_batch(&frame)?;
    }
    writer.finish()?;
    Ok((bytes, rows))
}

/// Refuses a folder that exists, is not empty and is not ours; gives the manifest of one that is and can be read.
fn refuse_foreign(folder: &Path) -> Result<Option<Manifest>, ResultsError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(ResultsError::Foreign { folder: folder.to_owned() });
        }
        Err(error) => return Err(ResultsError::io("read", folder)(error)),
    };
    // A folder that was created and left before its first manifest holds no more than these.
    let ours = |name: &str| name == PARTS || name.starts_with(disk::TEMPORARY);
    if entries.flatten().all(|entry| ours(&entry.file_name().to_string_lossy())) {
        return Ok(None);
    }
    match read_manifest(folder) {
        Ok(manifest) => Ok(Some(manifest)),
        // One that contradicts itself is still ours, and made anew all the same.
        Err(ResultsError::Damaged { .. }) => Ok(None),
        Err(ResultsError::Json { .. }) if !is_ours(folder) => Err(ResultsError::Foreign { folder: folder.to_owned() }),
        Err(ResultsError::NoManifest { .. }) => Err(ResultsError::Foreign { folder: folder.to_owned() }),
        Err(error) => Err(error),
    }
}

/// Whether a manifest that cannot be read was one of ours: other programs have manifests, too.
fn is_ours(folder: &Path) -> bool {
    let json = fs::read(folder.join(MANIFEST)).ok();
    let json = json.and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    json.is_some_and(|json| ["format", "study", "pack"].iter().all(|key| json.get(key).is_some()))
}

/// The manifest of a folder in which a run can go on.
fn resumable(folder: &Path, manifest: &Manifest) -> Result<Manifest, ResultsError> {
    let old = read_manifest(folder)?;
    let folder = folder.to_owned();
    if let Some(differences) = Differences::between(&old, manifest) {
        return Err(ResultsError::OtherBattles { folder, differences: differences.into() });
    }
    if old.progress.first != manifest.progress.first {
        let (found, wanted) = (old.progress.first, manifest.progress.first);
        return Err(ResultsError::OtherShare { folder, found, wanted });
    }
    Ok(old)
}

/// Refuses to replace results of another study, or more battles of another series.
fn keep_other(folder: &Path, there: &Manifest, manifest: &Manifest, battles: u64) -> Result<(), ResultsError> {
    let packs = |manifest: &Manifest| manifest.packs().map(|pack| pack.name.clone()).collect::<Vec<_>>();
    let other = there.study.name != manifest.study.name || packs(there) != packs(manifest);
    let longer = there.identity != manifest.identity && there.progress.battles > battles;
    if !other && !longer {
        return Ok(());
    }
    let many = there.progress.battles;
    let what = match there.method {
        Method::Exact => "exact odds".to_owned(),
        Method::Sampled => format!("{many} {} of each cell", if many == 1 { "battle" } else { "battles" }),
    };
    let with =
        if other { format!(" ({})", there.pack_line()) } else { " by other rules, or with another seed".to_owned() };
    let what = format!("{what} of the study {}{with}", there.study.name);
    Err(ResultsError::Occupied { folder: folder.to_owned(), what })
}
