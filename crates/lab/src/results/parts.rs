//! Battles that are kept individually, and their Parquet files.

use std::path::Path;

use grognard_engine::{BySide, Outcome, Side, SideOutcome};
use polars_core::prelude::{DataFrame, PolarsResult};

use super::cut::Cut;
use super::frames::Frames;
use super::tables::{
    BattleRow, Fields, OutcomeColumns, battle_sides_table, battles_table, encode, luck_of_rows, metadata,
};
use super::{CellHeader, FileEntry, Manifest, ResultsError};
use crate::digest::Digest;
use crate::runner::Fought;

/// Kept battles of a part.
#[derive(Debug, Default)]
pub(super) struct Rows(Vec<BattleRow>);

impl BattleRow {
    /// The battle without the luck of its dice.
    pub(super) fn without_luck(self) -> Self {
        Self { luck: None, ..self }
    }
}

impl Rows {
    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds battles of `cell` with successive indices from `first` on.
    pub(super) fn push(&mut self, cell: u32, first: u64, fought: &Fought) {
        let luck = |at: usize| fought.fallen.get(at).map(|fallen| BySide::from_fn(|side| fallen.luck[side].rolls()));
        let outcomes = (first..).zip(fought.outcomes.iter().enumerate());
        self.0.extend(outcomes.map(|(battle, (at, &outcome))| BattleRow { cell, battle, outcome, luck: luck(at) }));
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: BattleRow) {
        self.0.push(row);
    }

    /// Adds the rows of another set.
    pub(super) fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// Sorts the rows into the order of a part.
    pub(super) fn sort(&mut self, cut: &Cut) {
        self.0.sort_by_key(|row| cut.key(row.cell, row.battle));
    }

    /// Whether the part with these rows is complete.
    pub(super) fn is_whole(&self, cut: &Cut) -> bool {
        self.0.iter().map(|row| row.battle).max().is_some_and(|last| cut.ends_with(last))
    }

    /// The rows.
    pub(super) fn as_slice(&self) -> &[BattleRow] {
        &self.0
    }
}

/// Reads the battles of a part, in their order.
///
/// # Errors
/// The part is missing or damaged, or cannot be read; or `each` fails.
pub(super) fn read_part(
    folder: &Path,
    part: &FileEntry,
    manifest: &Manifest,
    mut each: impl FnMut(BattleRow) -> Result<(), ResultsError>,
) -> Result<(), ResultsError> {
    let file = Frames::open(folder, part)?;
    for frame in file.each() {
        for row in rows_of(&frame?, manifest).map_err(|fault| ResultsError::damaged(file.path(), fault))? {
            each(row)?;
        }
    }
    Ok(())
}

/// The rows of a frame.
fn rows_of(frame: &DataFrame, manifest: &Manifest) -> Result<Vec<BattleRow>, String> {
    let fields = Fields(frame);
    let (cells, battles) = (fields.ints("cell")?, fields.longs("battle")?);
    let outcomes = OutcomeColumns::of(frame, manifest)?;
    let luck = if manifest.luck { Some(luck_of_rows(frame, &manifest.columns())?) } else { None };
    let row = |at: usize| {
        let luck = match &luck {
            Some(luck) => Some(BySide::new(luck.first.get(at)?, luck.second.get(at)?)),
            None => None,
        };
        let cell = u32::try_from(cells.get(at)?).ok()?;
        let outcome = with_start(outcomes.row(at)?, manifest.cell(cell)?)?;
        Some(BattleRow { cell, battle: u64::try_from(battles.get(at)?).ok()?, outcome, luck })
    };
    (0..frame.height()).map(|at| row(at).ok_or_else(|| format!("row {at} is invalid"))).collect()
}

/// An outcome with the starting strengths, which rows do not store: they are the same for every battle of a cell.
fn with_start(outcome: Outcome, cell: &CellHeader) -> Option<Outcome> {
    let side = |side: Side| {
        let (start, units) = (*cell.figures.get(side.index())?, *cell.units.get(side.index())?);
        Some(SideOutcome { start: u16::try_from(start).ok()?, units: u8::try_from(units).ok()?, ..outcome.sides[side] })
    };
    Some(Outcome { sides: BySide::try_of(outcome.sides.count(), side)?, ..outcome })
}

/// Checks the manifest's digest against the battles themselves, if all of them are kept and none of their parts was
/// lost.
///
/// # Errors
/// The digest is that of other battles; a part cannot be read.
pub(super) fn check_digest(folder: &Path, manifest: &Manifest) -> Result<(), ResultsError> {
    let battles = manifest.progress.battles;
    let rows: u64 = manifest.files.parts.iter().map(|part| part.rows).sum();
    let all = battles.checked_mul(manifest.cells.len() as u64);
    if manifest.files.keep.is_some_and(|keep| keep < battles) || all != Some(rows) {
        return Ok(());
    }
    let mut digest = Digest::default();
    for part in &manifest.files.parts {
        let read = read_part(folder, part, manifest, |row| {
            digest.add(row.cell, row.battle, &row.outcome);
            Ok(())
        });
        match read {
            // The loss is reported when the part itself is read.
            Err(error) if error.is_loss() => return Ok(()),
            read => read?,
        }
    }
    if digest.to_string() == manifest.progress.digest {
        return Ok(());
    }
    let said = &manifest.progress.digest;
    let what = format!("it gives the digest {said}, but the battles in data/battles have the digest {digest}");
    Err(ResultsError::damaged(&folder.join(super::read::MANIFEST), what))
}

/// The bytes that these battles take, given by cell: a row for each battle, and a row for each side.
pub(crate) fn bytes_of_rows(outcomes: &[&[Outcome]], manifest: &Manifest) -> PolarsResult<u64> {
    let mut rows = Rows::default();
    for (cell, outcomes) in (0..).zip(outcomes) {
        rows.push(cell, 0, &Fought { outcomes: outcomes.iter().copied().collect(), ..Fought::default() });
    }
    let tables = [battles_table(rows.as_slice(), manifest), battle_sides_table(rows.as_slice(), manifest)];
    let metadata = metadata(manifest);
    let sizes = tables.map(|table| encode([table], &metadata).map(|(bytes, _)| bytes.len() as u64));
    sizes.into_iter().sum()
}
