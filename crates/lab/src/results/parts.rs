//! Battles that are kept one by one, and the Parquet files they are kept in.

use std::io::Cursor;
use std::path::Path;

use grognard_engine::{BySide, Outcome, Side, SideOutcome};
use polars_core::prelude::{Column, DataFrame, PolarsResult, StringChunked, UInt32Chunked};
use polars_io::prelude::{ParquetReader, SerReader};

use super::cut::Cut;
use super::frames::column;
use super::read::{ROWS_PER_FRAME, checked_bytes, read_parquet};
use super::writer::encode;
use super::{CellHeader, DRAW, FileEntry, Manifest, ResultsError};
use crate::digest::Digest;
use crate::runner::Fought;

/// Kept battles of a part.
#[derive(Debug, Default)]
pub(super) struct Rows(Vec<Row>);

/// A kept battle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) cell: u32,
    pub(super) battle: u64,
    pub(super) outcome: Outcome,
    /// The luck of each side in rolls, where luck is counted.
    luck: Option<BySide<f64>>,
}

impl Row {
    /// The battle without the luck of its dice.
    pub(super) fn without_luck(self) -> Self {
        Self { luck: None, ..self }
    }
}

impl Rows {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds battles of `cell` with successive indices from `first` on.
    pub(super) fn push(&mut self, cell: u32, first: u64, fought: &Fought) {
        let luck = |at: usize| fought.luck.get(at).map(|luck| BySide::from_fn(|side| luck[side].rolls()));
        let outcomes = (first..).zip(fought.outcomes.iter().enumerate());
        self.0.extend(outcomes.map(|(battle, (at, &outcome))| Row { cell, battle, outcome, luck: luck(at) }));
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: Row) {
        self.0.push(row);
    }

    /// Adds the rows of others.
    pub(super) fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// Puts the rows into the order in which a part holds them.
    pub(super) fn sort(&mut self, cut: &Cut) {
        self.0.sort_by_key(|row| cut.key(row.cell, row.battle));
    }

    /// Whether no more rows can come to the part with these.
    pub(super) fn is_whole(&self, cut: &Cut) -> bool {
        self.0.iter().map(|row| row.battle).max().is_some_and(|last| cut.ends_with(last))
    }

    /// The rows as a frame: `cell, battle`, the columns of their outcomes, and where luck is counted each side's in rolls.
    pub(super) fn into_frame(self, names: BySide<&str>) -> PolarsResult<DataFrame> {
        let height = self.len();
        let mut columns = vec![
            column("cell", self.0.iter().map(|row| row.cell).collect::<Vec<_>>()),
            column("battle", self.0.iter().map(|row| row.battle).collect::<Vec<_>>()),
        ];
        let outcomes: Vec<Outcome> = self.0.iter().map(|row| row.outcome).collect();
        columns.extend(outcome_columns(&outcomes, names));
        let luck: Vec<BySide<f64>> = self.0.iter().filter_map(|row| row.luck).collect();
        if luck.len() == height {
            for side in Side::BOTH {
                let rolls: Vec<f64> = luck.iter().map(|luck| luck[side]).collect();
                columns.push(column(&format!("{}.luck", names[side]), rolls));
            }
        }
        DataFrame::new(height, columns)
    }
}

/// Reads the battles of a part, in their order.
///
/// # Errors
/// The part is gone or damaged, or cannot be read; or `each` fails.
pub(super) fn read_part(
    folder: &Path,
    part: &FileEntry,
    manifest: &Manifest,
    mut each: impl FnMut(Row) -> Result<(), ResultsError>,
) -> Result<(), ResultsError> {
    let path = folder.join(&part.path);
    let bytes = checked_bytes(folder, part)?;
    let rows = read_parquet(&path, || ParquetReader::new(Cursor::new(&bytes)).num_rows())?;
    for first in (0..rows).step_by(ROWS_PER_FRAME) {
        let slice = Some((first, ROWS_PER_FRAME));
        let frame = read_parquet(&path, || ParquetReader::new(Cursor::new(&bytes)).with_slice(slice).finish())?;
        for row in rows_of(&frame, manifest).map_err(|fault| ResultsError::damaged(&path, fault))? {
            each(row)?;
        }
    }
    Ok(())
}

/// The rows of a frame.
fn rows_of(frame: &DataFrame, manifest: &Manifest) -> Result<Vec<Row>, String> {
    let read = || -> PolarsResult<Vec<Option<Row>>> {
        let names = manifest.side_names();
        let (cells, battles) = (frame.column("cell")?.u32()?, frame.column("battle")?.u64()?);
        let outcomes = OutcomeColumns::of(frame, names)?;
        let luck = |side: Side| frame.column(&format!("{}.luck", names[side]))?.f64();
        let luck = if manifest.luck { Some([luck(Side::First)?, luck(Side::Second)?]) } else { None };
        let row = |at: usize| {
            let luck = match luck {
                Some([first, second]) => Some(BySide::new(first.get(at)?, second.get(at)?)),
                None => None,
            };
            let cell = cells.get(at)?;
            let outcome = with_start(outcomes.row(at)?, manifest.cells.get(cell as usize)?)?;
            Some(Row { cell, battle: battles.get(at)?, outcome, luck })
        };
        Ok((0..frame.height()).map(row).collect())
    };
    let rows = read().map_err(|error| error.to_string())?;
    let rows = rows.into_iter().enumerate();
    rows.map(|(at, row)| row.ok_or_else(|| format!("row {at} means nothing"))).collect()
}

/// An outcome with what its sides began with, which rows do not hold: every battle of a cell begins alike.
fn with_start(outcome: Outcome, cell: &CellHeader) -> Option<Outcome> {
    let side = |side: Side| {
        let (start, units) = (cell.figures[side.index()], cell.units[side.index()]);
        Some(SideOutcome { start: u16::try_from(start).ok()?, units: u8::try_from(units).ok()?, ..outcome.sides[side] })
    };
    Some(Outcome { sides: BySide::new(side(Side::First)?, side(Side::Second)?), ..outcome })
}

/// Holds the manifest's digest against the battles themselves, where all of them are kept and none of their parts was lost.
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
            digest.count(row.cell, row.battle, &[row.outcome]);
            Ok(())
        });
        match read {
            // Whoever needs the part names its loss.
            Err(error) if error.is_loss() => return Ok(()),
            read => read?,
        }
    }
    if digest.to_string() == manifest.progress.digest {
        return Ok(());
    }
    let said = &manifest.progress.digest;
    let what = format!("it gives the digest {said}, and the battles in runs/ have the digest {digest}");
    Err(ResultsError::damaged(&folder.join(super::read::MANIFEST), what))
}

/// Bytes of a part that holds these battles, by cell.
pub(crate) fn bytes_of_rows(outcomes: &[Vec<Outcome>], names: BySide<&str>) -> PolarsResult<u64> {
    let mut rows = Rows::default();
    for (cell, outcomes) in (0..).zip(outcomes) {
        rows.push(cell, 0, &Fought { outcomes: outcomes.clone(), ..Fought::default() });
    }
    Ok(encode([rows.into_frame(names)])?.0.len() as u64)
}

/// Outcomes as columns: `winner, turns` and, for each side, losses, broken and shaken units and the turn of the first rout (0:
/// none).
pub(super) fn outcome_columns(outcomes: &[Outcome], names: BySide<&str>) -> Vec<Column> {
    let winner = |outcome: &Outcome| outcome.winner.map_or(DRAW, |side| names[side]);
    let mut columns = vec![
        column("winner", outcomes.iter().map(winner).collect::<Vec<_>>()),
        column("turns", outcomes.iter().map(|outcome| u32::from(outcome.turns)).collect::<Vec<_>>()),
    ];
    for side in Side::BOTH {
        let sides = || outcomes.iter().map(|outcome| &outcome.sides[side]);
        let name = |what: &str| format!("{}.{what}", names[side]);
        columns.push(column(&name("losses"), sides().map(|side| u32::from(side.losses)).collect::<Vec<_>>()));
        columns.push(column(&name("broken"), sides().map(|side| u32::from(side.broken)).collect::<Vec<_>>()));
        columns.push(column(&name("shaken"), sides().map(|side| u32::from(side.shaken)).collect::<Vec<_>>()));
        columns.push(column(&name("rout-turn"), sides().map(|side| u32::from(side.first_break)).collect::<Vec<_>>()));
    }
    columns
}

/// The columns that [`outcome_columns`] makes, read back.
pub(crate) struct OutcomeColumns<'f> {
    names: BySide<&'f str>,
    winner: &'f StringChunked,
    turns: &'f UInt32Chunked,
    sides: BySide<[&'f UInt32Chunked; 4]>,
}

impl<'f> OutcomeColumns<'f> {
    /// The columns of a frame of battles between sides of these names.
    pub(crate) fn of(frame: &'f DataFrame, names: BySide<&'f str>) -> PolarsResult<Self> {
        let number = |name: &str| frame.column(name)?.u32();
        let side = |side: Side| -> PolarsResult<_> {
            let number = |what: &str| number(&format!("{}.{what}", names[side]));
            Ok([number("losses")?, number("broken")?, number("shaken")?, number("rout-turn")?])
        };
        Ok(Self {
            names,
            winner: frame.column("winner")?.str()?,
            turns: number("turns")?,
            sides: BySide::new(side(Side::First)?, side(Side::Second)?),
        })
    }

    /// An outcome; none if the row means nothing. What no metric reads is not kept.
    pub(crate) fn row(&self, row: usize) -> Option<Outcome> {
        let winner = match self.winner.get(row)? {
            DRAW => None,
            name => Some(Side::BOTH.into_iter().find(|&side| self.names[side] == name)?),
        };
        let side = |side: Side| {
            let [losses, broken, shaken, first_break] = self.sides[side].map(|column| column.get(row));
            Some(SideOutcome {
                losses: u16::try_from(losses?).ok()?,
                broken: u8::try_from(broken?).ok()?,
                shaken: u8::try_from(shaken?).ok()?,
                first_break: u8::try_from(first_break?).ok()?,
                ..SideOutcome::default()
            })
        };
        let sides = BySide::new(side(Side::First)?, side(Side::Second)?);
        let turns = u8::try_from(self.turns.get(row)?).ok()?;
        Some(Outcome { winner, turns, sides })
    }
}
