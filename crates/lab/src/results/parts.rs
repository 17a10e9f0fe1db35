//! Battles that are kept one by one, and the Parquet files they are kept in.

use grognard_dice::Luck;
use grognard_engine::{BySide, Outcome, Side, SideOutcome};
use polars::prelude::{Column, DataFrame, PolarsResult, StringChunked, UInt32Chunked};

use super::DRAW;
use super::frames::column;
use super::writer::encode;
use crate::runner::Fought;

/// Rows of a part, about: bounds the memory that a part takes while it is made.
pub(super) const PART_ROWS: usize = 1 << 18;

/// Kept battles that are not yet in a file.
#[derive(Debug, Default)]
pub(super) struct Rows {
    cell: Vec<u32>,
    battle: Vec<u64>,
    outcome: Vec<Outcome>,
    /// As many, or none.
    luck: Vec<BySide<Luck>>,
}

impl Rows {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.cell.len()
    }

    /// Adds battles of `cell` with successive indices from `first` on.
    pub(super) fn push(&mut self, cell: u32, first: u64, fought: &Fought) {
        let outcomes = &fought.outcomes;
        self.cell.extend(std::iter::repeat_n(cell, outcomes.len()));
        self.battle.extend((first..).take(outcomes.len()));
        self.outcome.extend_from_slice(outcomes);
        self.luck.extend_from_slice(&fought.luck);
    }

    /// Takes out the first `count` rows.
    pub(super) fn take(&mut self, count: usize) -> Self {
        Self {
            cell: self.cell.drain(..count).collect(),
            battle: self.battle.drain(..count).collect(),
            outcome: self.outcome.drain(..count).collect(),
            luck: self.luck.drain(..count.min(self.luck.len())).collect(),
        }
    }

    /// Forgets all but the first `count` rows.
    pub(super) fn truncate(&mut self, count: usize) {
        self.cell.truncate(count);
        self.battle.truncate(count);
        self.outcome.truncate(count);
        self.luck.truncate(count);
    }

    /// The rows as a frame: `cell, battle`, the columns of their outcomes, and where luck is counted each side's in rolls.
    pub(super) fn into_frame(self, names: BySide<&str>) -> PolarsResult<DataFrame> {
        let height = self.len();
        let mut columns = vec![column("cell", self.cell), column("battle", self.battle)];
        columns.extend(outcome_columns(&self.outcome, names));
        if self.luck.len() == height {
            for side in Side::BOTH {
                let rolls: Vec<f64> = self.luck.iter().map(|luck| luck[side].rolls()).collect();
                columns.push(column(&format!("{}.luck", names[side]), rolls));
            }
        }
        DataFrame::new(height, columns)
    }
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
