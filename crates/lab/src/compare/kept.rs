//! The battles that a results folder keeps individually.

use std::path::Path;

use grognard_engine::Outcome;
use polars_core::prelude::{DataFrame, Int32Chunked, Int64Chunked};

use crate::results::{Fields, FileEntry, Frames, Manifest, OutcomeColumns, Results, ResultsError};

/// The maximum number of battles read, over all cells. It limits memory.
const BATTLES_MAX: usize = 8_000_000;

/// The first battles of each cell, if they were kept.
pub(super) struct Kept {
    cells: Vec<Vec<Outcome>>,
    /// Why parts were left out.
    pub(super) lost: Vec<String>,
}

impl Kept {
    /// Reads the parts of a folder. A part that is missing or damaged is left out, and so are later battles of its
    /// cells.
    ///
    /// # Errors
    /// A part cannot be read.
    pub(super) fn read(results: &Results) -> Result<Self, ResultsError> {
        let manifest = &results.manifest;
        let mut cells = vec![Vec::new(); manifest.cells.len()];
        let mut lost = Vec::new();
        let most = BATTLES_MAX / cells.len().max(1);
        for part in &manifest.files.parts {
            if cells.iter().all(|battles| battles.len() >= most) {
                break;
            }
            match enter(results, part, most, &mut cells) {
                Ok(()) => {}
                Err(error) if error.is_loss() => lost.push(error.to_string()),
                Err(error) => return Err(error),
            }
        }
        Ok(Self { cells, lost })
    }

    /// The battles of a cell with successive numbers, beginning with the folder's first one.
    pub(super) fn of(&self, cell: usize) -> &[Outcome] {
        self.cells.get(cell).map_or(&[], Vec::as_slice)
    }
}

/// Adds the battles of a part. Parts and their rows are in the order of blocks, and within a block in the order of
/// battles, so the battles of a cell arrive in order.
fn enter(results: &Results, part: &FileEntry, most: usize, cells: &mut [Vec<Outcome>]) -> Result<(), ResultsError> {
    let file = Frames::open(&results.folder, part)?;
    for frame in file.each() {
        enter_rows(results, file.path(), &frame?, most, cells)?;
    }
    Ok(())
}

fn enter_rows(
    results: &Results,
    path: &Path,
    frame: &DataFrame,
    most: usize,
    cells: &mut [Vec<Outcome>],
) -> Result<(), ResultsError> {
    let damaged = |what: String| ResultsError::damaged(path, what);
    let columns = Columns::of(frame, &results.manifest).map_err(damaged)?;
    for row in 0..frame.height() {
        let (cell, battle, outcome) = columns.row(row).ok_or_else(|| damaged(format!("row {row} is invalid")))?;
        let battles = cells
            .get_mut(cell as usize)
            .ok_or_else(|| damaged(format!("row {row} belongs to cell {cell}, which does not exist")))?;
        let next = results.manifest.progress.first + battles.len() as u64;
        if battle < next && battles.len() < most {
            return Err(damaged(format!("row {row} repeats a battle of cell {cell}")));
        }
        // Battles after a lost part are not successive, so they are skipped.
        if battle == next && battles.len() < most {
            battles.push(outcome);
        }
    }
    Ok(())
}

/// The columns of a part.
struct Columns<'f> {
    cell: &'f Int32Chunked,
    battle: &'f Int64Chunked,
    outcomes: OutcomeColumns<'f>,
}

impl<'f> Columns<'f> {
    fn of(frame: &'f DataFrame, manifest: &'f Manifest) -> Result<Self, String> {
        let fields = Fields(frame);
        let (cell, battle) = (fields.ints("cell")?, fields.longs("battle")?);
        Ok(Self { cell, battle, outcomes: OutcomeColumns::of(frame, manifest)? })
    }

    /// A battle with its cell and number.
    fn row(&self, row: usize) -> Option<(u32, u64, Outcome)> {
        let (cell, battle) = (self.cell.get(row)?.try_into().ok()?, self.battle.get(row)?.try_into().ok()?);
        Some((cell, battle, self.outcomes.row(row)?))
    }
}
