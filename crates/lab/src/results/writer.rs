//! Writing a results folder so that a kill at any time leaves it complete.
//!
//! The manifest names every file that counts, with its SHA-256. Files are written first, under names that the manifest
//! on disk does not use, and the manifest is replaced last: at any time it describes a complete state of the run. A
//! report belongs to the manifest next to it, so it is removed before another manifest is written.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grognard_stats::Intervals;
use serde::Serialize;

use super::begun::{DATA, keep_other, refuse_foreign, resumable};
use super::cut::{BATTLES, ByPart, Cut, PART_ROWS, SIDES, name_of, name_of_sides, number_of, open_names_of};
use super::lock::{self, Lock};
use super::parts::{Rows, check_digest, read_part};
use super::read::{MANIFEST, checked_bytes, is_inside, read_players, read_tallies, read_watched, sealed};
use super::report::remove_report;
use super::summary::summarise;
use super::tables::{
    BattleRow, PackKeys, Table, battle_sides_table, battles_table, cells_table, encode, ends_table, means_table,
    metadata, odds_table, summary_table, tallies_tables, work_table,
};
use super::{Ending, FileEntry, Files, Manifest, Method, Results, ResultsError, disk, sha256};
use crate::clock::Stopwatch;
use crate::for_report::ForReport;
use crate::runner::{Fought, Sink, Tallied};

const TALLIES: &str = "data/tallies.parquet";
const CELLS: &str = "data/cells.parquet";
const SUMMARY: &str = "data/summary.parquet";
const WATCHED: &str = "watched.json";
const PLAYERS: &str = "players.json";
const ODDS: &str = "data/odds.parquet";
const MEANS: &str = "data/means.parquet";
const WORK: &str = "data/work.parquet";
const ENDS: &str = "data/ends.parquet";
/// Tallies of a run that has not ended: written alternately, so that one is always complete.
const CHECKPOINTS: [&str; 2] = ["checkpoint-0.parquet", "checkpoint-1.parquet"];
/// The time after which a checkpoint is due, which limits the work that a kill may cost.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(2);

/// A results folder that is being written.
#[derive(Debug)]
pub struct ResultsWriter {
    folder: PathBuf,
    _lock: Lock,
    manifest: Manifest,
    /// The manifest on disk; `None` if it is not known.
    on_disk: Option<Manifest>,
    cut: Cut,
    /// Kept battles of finished blocks that are not in any file yet.
    open: ByPart<Rows>,
    /// Kept battles of the block that is being fought.
    current: ByPart<Rows>,
    /// The parts that the manifest will name.
    parts: ByPart<FileEntry>,
    /// Parts with battles of the block that is being fought, and all rows of the parts that they will replace.
    loose: ByPart<FileEntry>,
    /// Battles by side that are already written, each with the part from which they were made.
    sides: ByPart<(FileEntry, FileEntry)>,
    /// Why parts of the resumed folder no longer belong to it.
    lost: Vec<ResultsError>,
    /// The start of the fighting; `None` once the last battle has been fought.
    started: Option<Stopwatch>,
    elapsed_before: f64,
    checkpoint: Stopwatch,
    for_report: ForReport,
    checkpoint_every: Duration,
}

impl ResultsWriter {
    /// Starts a results folder, or restarts an existing one. No other process can write to it while the writer exists.
    ///
    /// `manifest` describes the run; its `files` and `progress` are filled in here, apart from `files.keep`,
    /// `progress.first` and `progress.block`. For exact odds, the contents of the folder stay until the odds are
    /// written.
    ///
    /// # Errors
    /// The folder contains something else, is being written by another process, or cannot be written. Nothing in it is
    /// changed in these cases.
    pub fn create(folder: impl Into<PathBuf>, manifest: Manifest) -> Result<Self, ResultsError> {
        let folder = folder.into();
        refuse_foreign(&folder)?;
        create_folders(&folder)?;
        let lock = Lock::take(&folder)?;
        let mut writer = Self::of(folder, lock, manifest);
        writer.manifest.files = Files { keep: writer.manifest.files.keep, ..Files::default() };
        writer.cut = Cut::of(&writer.manifest);
        writer.manifest.progress.battles = 0;
        writer.manifest.progress.ending = Ending::Unfinished;
        if writer.manifest.method == Method::Sampled {
            writer.write_manifest()?;
            writer.remove_leftovers();
        }
        Ok(writer)
    }

    /// Checks that a run may be started or started over in a folder: it is a results folder, and no results that should
    /// be kept would be lost. Nothing is written.
    ///
    /// The same battles may be fought again. Results of another study, pack or seed, or under other rules, stay
    /// unless `force`.
    ///
    /// # Errors
    /// The folder contains something else, or results that should be kept.
    pub fn check_create(folder: &Path, manifest: &Manifest, force: bool) -> Result<(), ResultsError> {
        match refuse_foreign(folder)? {
            Some(there) if !force => keep_other(folder, &there, manifest),
            _ => Ok(()),
        }
    }

    /// Checks that a run can be resumed in a folder. Nothing is written.
    ///
    /// # Errors
    /// There is no run, it is damaged, or its battles are of another series or share than those of `manifest`; or
    /// `manifest` requests luck, which has not been counted so far.
    pub fn check_resume(folder: &Path, manifest: &Manifest) -> Result<(), ResultsError> {
        resumable(folder, manifest).map(|_| ())
    }

    /// Resumes the results folder at `folder`, and returns what has been counted.
    ///
    /// # Errors
    /// As [`ResultsWriter::check_resume`]; or the kept battles are not those that were counted.
    pub fn resume(folder: impl Into<PathBuf>, manifest: Manifest) -> Result<(Self, Tallied), ResultsError> {
        let folder = folder.into();
        Self::check_resume(&folder, &manifest)?;
        let lock = Lock::take(&folder)?;
        // The manifest is read again, because the previous owner of the lock may have continued the run.
        let old = resumable(&folder, &manifest)?;
        let mut tallied = Tallied::new(old.progress.first, &manifest.baselines());
        if let Some(entry) = &old.files.tallies {
            tallied.cells = read_tallies(&folder, entry, &old)?;
            tallied.battles = old.progress.battles;
            tallied.digest = old.progress.digest.parse().map_err(|_| {
                ResultsError::damaged(&folder.join(MANIFEST), "its digest is not a hexadecimal number of 64 bits")
            })?;
        }
        check_digest(&folder, &old)?;
        let watched = old.files.watched.as_ref().map(|entry| read_watched(&folder, entry, &old)).transpose()?;
        let players = old.files.players.as_ref().map(|entry| read_players(&folder, entry, &old)).transpose()?;
        create_folders(&folder)?;
        let mut writer = Self::of(folder, lock, manifest);
        writer.on_disk = Some(old.clone());
        writer.for_report = ForReport { watched, players }.still_asked(&writer.manifest);
        writer.manifest.made.before = old.progress.battles;
        // A run continues with the settings with which it began. A run without any battles has not begun.
        let keep = if old.progress.battles > 0 { old.files.keep } else { writer.manifest.files.keep };
        writer.manifest.luck = if old.progress.battles > 0 { old.luck } else { writer.manifest.luck };
        let of_part = |sides: &FileEntry| {
            let number = number_of(&sides.path)?;
            let part = old.files.parts.iter().find(|part| number_of(&part.path) == Some(number))?;
            Some((number, (part.clone(), sides.clone())))
        };
        writer.sides = old.files.sides.iter().filter_map(of_part).collect();
        writer.manifest.files = Files { keep, ..old.files };
        writer.manifest.progress = old.progress;
        writer.cut = Cut::of(&writer.manifest);
        writer.remove_leftovers();
        writer.drop_lost_parts()?;
        Ok((writer, tallied))
    }

    fn of(folder: PathBuf, lock: Lock, manifest: Manifest) -> Self {
        let now = Stopwatch::start();
        Self {
            folder,
            _lock: lock,
            cut: Cut::of(&manifest),
            manifest,
            on_disk: None,
            open: ByPart::new(),
            current: ByPart::new(),
            parts: ByPart::new(),
            loose: ByPart::new(),
            sides: ByPart::new(),
            lost: Vec::new(),
            started: Some(now),
            elapsed_before: 0.0,
            checkpoint: now,
            for_report: ForReport::default(),
            checkpoint_every: CHECKPOINT_EVERY,
        }
    }

    /// The metadata of the files, as far as known.
    pub(super) fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The intervals of estimates.
    #[must_use]
    pub fn intervals(&self) -> Intervals {
        self.manifest.intervals()
    }

    /// Which battles of each cell are kept: the first N, or all. A resumed folder cannot change this.
    #[must_use]
    pub fn keep(&self) -> Option<u64> {
        self.manifest.files.keep
    }

    /// Parts of the resumed folder that were damaged or missing. Their battles are still counted, but no longer
    /// kept individually.
    #[must_use]
    pub fn lost(&self) -> &[ResultsError] {
        &self.lost
    }

    /// Leaves out missing or changed parts; a damaged one is set aside under another name.
    fn drop_lost_parts(&mut self) -> Result<(), ResultsError> {
        for part in std::mem::take(&mut self.manifest.files.parts) {
            let path = self.folder.join(&part.path);
            let sound = checked_bytes(&self.folder, &part).and_then(|_| match number_of(&part.path) {
                Some(number) if !self.parts.contains_key(&number) => Ok(number),
                _ => Err(ResultsError::damaged(&path, "no part of this folder has that name")),
            });
            match sound {
                Ok(number) => drop(self.parts.insert(number, part)),
                Err(error) if error.is_loss() => {
                    // The file is moved out of the folder of tables, where it would be mistaken for a part.
                    if let Some(name) = path.file_name().filter(|_| is_inside(&part.path)) {
                        let name = format!("{}.damaged", name.to_string_lossy());
                        disk::set_aside(&path, &self.folder.join(name));
                    }
                    self.lost.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whether the luck of dice is counted. A resumed folder cannot change this.
    #[must_use]
    pub fn counts_luck(&self) -> bool {
        self.manifest.luck
    }

    /// Writes everything counted and kept so far, so that a run can be resumed from here.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn checkpoint(&mut self, tallied: &Tallied) -> Result<(), ResultsError> {
        self.flush()?;
        let current = self.manifest.files.tallies.as_ref().map(|entry| entry.path.as_str());
        let name = if current == Some(CHECKPOINTS[0]) { CHECKPOINTS[1] } else { CHECKPOINTS[0] };
        let keys = PackKeys::of(&self.manifest);
        let tallies = self.write_tables(name, tallies_tables(&tallied.cells, &self.manifest, &keys))?;
        self.manifest.files.tallies = Some(tallies);
        self.manifest.files.cells = None;
        self.manifest.files.summary = None;
        self.manifest.files.sides = Vec::new();
        (self.manifest.files.watched, self.manifest.files.players) = (None, None);
        self.manifest.files.parts = self.parts.values().cloned().collect();
        self.note(tallied, Ending::Unfinished);
        self.write_manifest()?;
        self.checkpoint = Stopwatch::start();
        Ok(())
    }

    /// Sets the report's data other than the counts, to be written when the run ends. A resumed folder keeps its own
    /// unless battles are added.
    pub fn for_report(&mut self, made: ForReport) {
        self.for_report = made;
    }

    /// Ends the run: writes tallies, summary and manifest, and removes files that are no longer needed.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn finish(mut self, tallied: &Tallied, ending: Ending) -> Result<Results, ResultsError> {
        self.current.clear();
        self.loose.clear();
        self.flush_as(true)?;
        let summary = summarise(&self.manifest, &tallied.cells, self.manifest.intervals());
        let keys = PackKeys::of(&self.manifest);
        let tallies = self.encoded(TALLIES, tallies_tables(&tallied.cells, &self.manifest, &keys))?;
        let cells = self.encoded(CELLS, [cells_table(&self.manifest)])?;
        let summary_file = self.encoded(SUMMARY, [summary_table(&summary, &self.manifest)])?;
        let ForReport { watched, players } = &self.for_report;
        let watched = watched.as_ref().map(|watched| self.json(WATCHED, watched, watched.cells.len())).transpose()?;
        let players = players.as_ref().map(|players| self.json(PLAYERS, players, players.players.len())).transpose()?;
        let files = [
            (TALLIES, Some(&tallies)),
            (CELLS, Some(&cells)),
            (SUMMARY, Some(&summary_file)),
            (WATCHED, watched.as_ref()),
            (PLAYERS, players.as_ref()),
        ];
        let open = self.parts.iter().any(|(&number, part)| part.path != name_of(number));
        if open
            || self.has_stale_sides()
            || files.iter().any(|(name, file)| self.is_in_the_way(name, file.map(|file| file.0.as_slice())))
        {
            // The manifest on disk still needs files that are replaced below.
            self.checkpoint(tallied)?;
        }
        self.close_parts()?;
        self.write_sides()?;
        self.manifest.files.tallies = Some(self.write_file(TALLIES, &tallies.0, tallies.1)?);
        self.manifest.files.cells = Some(self.write_file(CELLS, &cells.0, cells.1)?);
        self.manifest.files.summary = Some(self.write_file(SUMMARY, &summary_file.0, summary_file.1)?);
        let watched = watched.map(|(json, cells)| self.write_file(WATCHED, &json, cells));
        self.manifest.files.watched = watched.transpose()?;
        let players = players.map(|(json, players)| self.write_file(PLAYERS, &json, players));
        self.manifest.files.players = players.transpose()?;
        self.note(tallied, ending);
        self.write_manifest()?;
        self.remove_leftovers();
        self.remove_empty_folders();
        Ok(Results {
            folder: self.folder,
            manifest: self.manifest,
            tallies: tallied.cells.clone(),
            odds: Vec::new(),
            summary: summary.into(),
            watched: self.for_report.watched,
            players: self.for_report.players,
        })
    }

    /// Writes computed odds, all at once, replacing the contents of the folder.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn finish_odds(mut self, worked_out: Results) -> Result<Results, ResultsError> {
        let summary = worked_out.summary().to_vec();
        let Results { manifest, odds, .. } = worked_out;
        self.manifest = Manifest { files: std::mem::take(&mut self.manifest.files), ..manifest };
        // From here on, the folder is neither in its old state nor complete, and its manifest says so.
        self.write_manifest()?;
        let table = |name: &str, table| self.write_tables(name, [table]).map(Some);
        let manifest = &self.manifest;
        let files = Files {
            odds: table(ODDS, odds_table(&odds, manifest))?,
            means: table(MEANS, means_table(&odds, manifest))?,
            work: table(WORK, work_table(&odds, manifest))?,
            ends: table(ENDS, ends_table(&odds, manifest))?,
            cells: table(CELLS, cells_table(manifest))?,
            summary: table(SUMMARY, summary_table(&summary, manifest))?,
            ..manifest.files.clone()
        };
        self.manifest.files = files;
        self.manifest.progress.ending = Ending::AllRuns;
        self.write_manifest()?;
        self.remove_leftovers();
        self.remove_empty_folders();
        let Self { folder, manifest, .. } = self;
        Ok(Results {
            folder,
            manifest,
            tallies: Vec::new(),
            odds,
            summary: summary.into(),
            watched: None,
            players: None,
        })
    }

    /// Releases the folder without writing anything. If it was created for this writer, it is removed.
    pub fn abandon(self) {
        let folder = self.folder.clone();
        self.remove_empty_folders();
        disk::remove_empty(&folder.join(DATA));
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
        self.manifest.made.elapsed_s = self.fighting_time();
    }

    /// Replaces the manifest. A report on other numbers is removed first.
    fn write_manifest(&mut self) -> Result<(), ResultsError> {
        let path = self.folder.join(MANIFEST);
        let text = sealed(&mut self.manifest).map_err(|source| ResultsError::Json { path: path.clone(), source })?;
        let alike = |old: &Manifest| Manifest { made: self.manifest.made.clone(), ..old.clone() } == self.manifest;
        if !self.on_disk.as_ref().is_some_and(alike) {
            remove_report(&self.folder)?;
        }
        disk::write(&path, text.as_bytes())?;
        self.on_disk = Some(self.manifest.clone());
        Ok(())
    }

    /// Takes over a battle that another folder of the same series has kept.
    pub(super) fn adopt(&mut self, row: BattleRow) -> Result<(), ResultsError> {
        let Some(part) = self.cut.part(row.cell, row.battle).filter(|_| self.cut.keeps(row.battle)) else {
            return Ok(());
        };
        if !self.open.contains_key(&part) && self.open.values().map(Rows::len).sum::<usize>() >= PART_ROWS {
            self.flush()?;
        }
        self.open.entry(part).or_default().add(if self.manifest.luck { row } else { row.without_luck() });
        Ok(())
    }

    /// Stops counting time as spent fighting. The time that follows is spent on the report.
    pub(crate) fn end_of_battles(&mut self) {
        self.elapsed_before = self.fighting_time();
        self.started = None;
    }

    /// Seconds spent fighting so far.
    fn fighting_time(&self) -> f64 {
        self.elapsed_before + self.started.map_or(0.0, |started| started.elapsed().as_secs_f64())
    }

    fn write_file(&self, name: &str, bytes: &[u8], rows: u64) -> Result<FileEntry, ResultsError> {
        disk::write(&self.folder.join(name), bytes)?;
        Ok(FileEntry { path: name.to_owned(), rows, sha256: sha256(bytes) })
    }

    /// Writes tables with the same columns, each as a row group.
    fn write_tables<'a>(
        &self,
        name: &str,
        tables: impl IntoIterator<Item = Table<'a>>,
    ) -> Result<FileEntry, ResultsError> {
        let (bytes, rows) = self.encoded(name, tables)?;
        self.write_file(name, &bytes, rows)
    }

    /// The bytes of a file of tables with the same columns, and the number of rows.
    fn encoded<'a>(
        &self,
        name: &str,
        tables: impl IntoIterator<Item = Table<'a>>,
    ) -> Result<(Vec<u8>, u64), ResultsError> {
        encode(tables, &metadata(&self.manifest)).map_err(ResultsError::parquet("write", &self.folder.join(name)))
    }

    /// The JSON of a file, with the number of its rows.
    fn json(&self, name: &str, what: &impl Serialize, rows: usize) -> Result<(Vec<u8>, u64), ResultsError> {
        let json = serde_json::to_vec(what);
        let json = json.map_err(|source| ResultsError::Json { path: self.folder.join(name), source })?;
        Ok((json, rows as u64))
    }

    /// Whether the manifest on disk names this file with different bytes.
    fn is_in_the_way(&self, name: &str, bytes: Option<&[u8]>) -> bool {
        let files = self.on_disk.as_ref().map(|manifest| &manifest.files);
        let all = |files: &'_ Files| {
            let single = [&files.tallies, &files.cells, &files.summary, &files.watched, &files.players];
            single.into_iter().flatten().cloned().collect()
        };
        let named: Vec<FileEntry> = files.map(all).unwrap_or_default();
        let mut named = named.iter().filter(|entry| entry.path == name);
        named.any(|entry| bytes.is_none_or(|bytes| sha256(bytes) != entry.sha256))
    }

    /// Writes the battles of finished blocks, which then belong to the folder.
    fn flush(&mut self) -> Result<(), ResultsError> {
        self.flush_as(false)
    }

    /// Like [`Self::flush`]. `last` says whether the run ends here, which makes all parts complete.
    fn flush_as(&mut self, last: bool) -> Result<(), ResultsError> {
        while let Some((number, rows)) = self.open.pop_first() {
            let part = self.write_part(number, rows, self.parts.get(&number), last)?;
            self.parts.insert(number, part);
        }
        Ok(())
    }

    /// Writes the battles of the block that is being fought. They do not belong to the folder yet.
    fn spill(&mut self) -> Result<(), ResultsError> {
        self.flush()?;
        while let Some((number, rows)) = self.current.pop_first() {
            let before = self.loose.get(&number).or_else(|| self.parts.get(&number));
            let part = self.write_part(number, rows, before, false)?;
            self.loose.insert(number, part);
        }
        Ok(())
    }

    /// Writes a part: the rows that it already has, in `before`, and these new ones.
    fn write_part(
        &self,
        number: u64,
        rows: Rows,
        before: Option<&FileEntry>,
        last: bool,
    ) -> Result<FileEntry, ResultsError> {
        let mut all = Rows::default();
        if let Some(part) = before {
            read_part(&self.folder, part, &self.manifest, |row| {
                all.add(row);
                Ok(())
            })?;
        }
        all.append(rows);
        all.sort(&self.cut);
        let name = self.name_of_part(number, last || all.is_whole(&self.cut));
        self.write_tables(&name, [battles_table(all.as_slice(), &self.manifest)])
    }

    /// Whether the manifest on disk names battles by side that differ from those of the parts.
    fn has_stale_sides(&self) -> bool {
        let on_disk = self.on_disk.iter().flat_map(|manifest| &manifest.files.sides);
        let is_known = |sides: &FileEntry| {
            let number = number_of(&sides.path);
            number.is_some_and(|number| self.known_sides(number).is_some_and(|known| known == sides))
        };
        on_disk.into_iter().any(|sides| !is_known(sides))
    }

    /// The battles of a part by side, if they are already written.
    fn known_sides(&self, number: u64) -> Option<&FileEntry> {
        let (part, sides) = self.sides.get(&number)?;
        self.parts.get(&number).filter(|now| now.sha256 == part.sha256).map(|_| sides)
    }

    /// Writes the battles of every part once more, with a row for each side. Only other programs read them, so damaged
    /// ones are written again.
    fn write_sides(&mut self) -> Result<(), ResultsError> {
        let mut files = Vec::with_capacity(self.parts.len());
        for (&number, part) in &self.parts {
            let known = self.known_sides(number).filter(|sides| checked_bytes(&self.folder, sides).is_ok());
            if let Some(known) = known {
                files.push(known.clone());
                continue;
            }
            let mut rows = Rows::default();
            read_part(&self.folder, part, &self.manifest, |row| {
                rows.add(row);
                Ok(())
            })?;
            let table = battle_sides_table(rows.as_slice(), &self.manifest);
            files.push(self.write_tables(&name_of_sides(number), [table])?);
        }
        self.manifest.files.sides = files;
        Ok(())
    }

    /// The name under which a part is written: its final name if it is complete, and never a name in use.
    fn name_of_part(&self, number: u64, whole: bool) -> String {
        let on_disk = self.on_disk.iter().flat_map(|manifest| &manifest.files.parts);
        let in_use: BTreeSet<&str> = on_disk
            .chain(self.parts.get(&number))
            .chain(self.loose.get(&number))
            .map(|part| part.path.as_str())
            .collect();
        let own = whole.then(|| name_of(number)).into_iter();
        own.chain(open_names_of(number)).find(|name| !in_use.contains(name.as_str())).unwrap_or_default()
    }

    /// Gives every part its final name. The manifest on disk must not use that name for another file.
    fn close_parts(&mut self) -> Result<(), ResultsError> {
        for (number, part) in std::mem::take(&mut self.parts) {
            let name = name_of(number);
            let part = if part.path == name {
                part
            } else {
                self.write_file(&name, &checked_bytes(&self.folder, &part)?, part.rows)?
            };
            self.parts.insert(number, part);
        }
        self.manifest.files.parts = self.parts.values().cloned().collect();
        Ok(())
    }

    /// Removes files of ours that the manifest does not name. Those that cannot be removed do no harm.
    fn remove_leftovers(&self) {
        let files = &self.manifest.files;
        let single = [
            &files.tallies,
            &files.cells,
            &files.summary,
            &files.watched,
            &files.players,
            &files.odds,
            &files.means,
            &files.work,
            &files.ends,
        ];
        let named: Vec<&str> = single
            .into_iter()
            .flatten()
            .chain(&files.parts)
            .chain(&files.sides)
            .map(|entry| entry.path.as_str())
            .collect();
        for below in ["", DATA, BATTLES, SIDES] {
            for entry in fs::read_dir(self.folder.join(below)).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
                let ours = (name.starts_with(disk::TEMPORARY) && name != lock::LOCK)
                    || [TALLIES, CELLS, SUMMARY, WATCHED, PLAYERS, ODDS, MEANS, WORK, ENDS].contains(&path.as_str())
                    || CHECKPOINTS.contains(&path.as_str())
                    || number_of(&path).is_some();
                if ours && !named.contains(&path.as_str()) {
                    disk::remove(&entry.path());
                }
            }
        }
    }

    /// Removes the folders of battles if they are empty.
    fn remove_empty_folders(&self) {
        for below in [BATTLES, SIDES] {
            disk::remove_empty(&self.folder.join(below));
        }
    }
}

/// Creates the subfolders of a results folder.
fn create_folders(folder: &Path) -> Result<(), ResultsError> {
    [BATTLES, SIDES].into_iter().try_for_each(|below| disk::create_folder(&folder.join(below)))
}

impl Sink for ResultsWriter {
    type Error = ResultsError;

    fn rows(&mut self, cell: u32, first: u64, fought: &Fought) -> Result<(), ResultsError> {
        let Some(part) = self.cut.part(cell, first).filter(|_| !fought.outcomes.is_empty()) else { return Ok(()) };
        if !self.current.contains_key(&part) && self.current.values().map(Rows::len).sum::<usize>() >= PART_ROWS {
            self.spill()?;
        }
        self.current.entry(part).or_default().push(cell, first, fought);
        Ok(())
    }

    fn block_done(&mut self, tallied: &Tallied) -> Result<(), ResultsError> {
        self.for_report = ForReport::default();
        let whole = self.current.values().any(|rows| rows.is_whole(&self.cut));
        self.parts.append(&mut self.loose);
        for (number, rows) in std::mem::take(&mut self.current) {
            self.open.entry(number).or_default().append(rows);
        }
        if whole || self.open.values().map(Rows::len).sum::<usize>() >= PART_ROWS {
            self.flush()?;
        }
        if self.checkpoint.elapsed() >= self.checkpoint_every { self.checkpoint(tallied) } else { Ok(()) }
    }
}
