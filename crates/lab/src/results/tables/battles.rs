//! Battles and ends of battles as frames: a row a battle, both ways, and a row a side of each battle.

use grognard_engine::{BySide, Outcome, Side, SideOutcome};
use polars_core::prelude::{Column, DataFrame, Float64Chunked, Int32Chunked, PolarsResult, StringChunked};

use super::parquet::{Fault, Fields, column};
use super::{verdict_of, winner_name};
use crate::results::Manifest;
use crate::results::columns::{Columns, LUCK, OF_SIDE};
use crate::results::parts::Row;
use crate::tally::Verdict;

/// Battles as a frame: `cell, battle`, the columns of their outcomes, and where luck is counted each side's in rolls.
pub(in crate::results) fn battles_to_frame(rows: &[Row], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let names = manifest.columns();
    let mut columns = vec![
        column("cell", rows.iter().map(|row| row.cell as i32).collect::<Vec<_>>()),
        column("battle", rows.iter().map(|row| row.battle as i64).collect::<Vec<_>>()),
    ];
    let outcomes: Vec<Outcome> = rows.iter().map(|row| row.outcome).collect();
    columns.extend(outcome_columns(&outcomes, manifest.side_names(), &names));
    if let Some(luck) = all_luck(rows) {
        for side in Side::BOTH {
            columns.push(column(&names.of_side(side, LUCK), luck.iter().map(|luck| luck[side]).collect::<Vec<_>>()));
        }
    }
    DataFrame::new(rows.len(), columns)
}

/// The same with a row for each side: `cell, battle, side, won, losses, routed_units, shaken_units, rout_turn`, and where it is counted
/// the luck in rolls.
pub(in crate::results) fn sides_to_frame(rows: &[Row], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let names = manifest.side_names();
    let both = || rows.iter().flat_map(|row| Side::BOTH.map(|side| (row, side)));
    let [losses, routed, shaken, turn] = OF_SIDE;
    let number = |name: &str, of: fn(&SideOutcome) -> i32| {
        column(name, both().map(|(row, side)| of(&row.outcome.sides[side])).collect::<Vec<_>>())
    };
    let mut columns = vec![
        column("cell", both().map(|(row, _)| row.cell as i32).collect::<Vec<_>>()),
        column("battle", both().map(|(row, _)| row.battle as i64).collect::<Vec<_>>()),
        column("side", both().map(|(_, side)| names[side]).collect::<Vec<_>>()),
        column("won", both().map(|(row, side)| row.outcome.winner == Some(side)).collect::<Vec<_>>()),
        number(losses, |side| side.losses.into()),
        number(routed, |side| side.broken.into()),
        number(shaken, |side| side.shaken.into()),
        column(turn, both().map(|(row, side)| rout_turn(&row.outcome.sides[side])).collect::<Vec<_>>()),
    ];
    if all_luck(rows).is_some() {
        let luck = both().map(|(row, side)| row.luck.map(|luck| luck[side]));
        columns.push(column(LUCK, luck.collect::<Vec<_>>()));
    }
    DataFrame::new(2 * rows.len(), columns)
}

/// The luck of all of these battles, if it was counted in all.
fn all_luck(rows: &[Row]) -> Option<Vec<BySide<f64>>> {
    rows.iter().map(|row| row.luck).collect()
}

/// The turn of a side's first rout, if it had one.
fn rout_turn(side: &SideOutcome) -> Option<i32> {
    (side.first_break > 0).then_some(side.first_break.into())
}

/// Outcomes as columns: `winner, turns` and, for each side, losses, routed and shaken units and the turn of the first rout.
pub(super) fn outcome_columns(outcomes: &[Outcome], names: BySide<&str>, columns: &Columns) -> Vec<Column> {
    let winner = |outcome: &Outcome| winner_name(Verdict::of(outcome.winner), names);
    let mut found = vec![
        column("winner", outcomes.iter().map(winner).collect::<Vec<_>>()),
        column("turns", outcomes.iter().map(|outcome| i32::from(outcome.turns)).collect::<Vec<_>>()),
    ];
    let [losses, routed, shaken, turn] = OF_SIDE;
    for side in Side::BOTH {
        let sides = || outcomes.iter().map(|outcome| &outcome.sides[side]);
        let name = |what: &str| columns.of_side(side, what);
        found.push(column(&name(losses), sides().map(|side| i32::from(side.losses)).collect::<Vec<_>>()));
        found.push(column(&name(routed), sides().map(|side| i32::from(side.broken)).collect::<Vec<_>>()));
        found.push(column(&name(shaken), sides().map(|side| i32::from(side.shaken)).collect::<Vec<_>>()));
        found.push(column(&name(turn), sides().map(rout_turn).collect::<Vec<_>>()));
    }
    found
}

/// The columns that [`outcome_columns`] makes, read back.
pub(crate) struct OutcomeColumns<'f> {
    names: BySide<&'f str>,
    winner: &'f StringChunked,
    turns: &'f Int32Chunked,
    sides: BySide<[&'f Int32Chunked; 4]>,
}

impl<'f> OutcomeColumns<'f> {
    /// The columns of a frame of battles of this run.
    pub(crate) fn of(frame: &'f DataFrame, manifest: &'f Manifest) -> Result<Self, Fault> {
        let (fields, columns) = (Fields(frame), manifest.columns());
        let side = |side: Side| -> Result<_, Fault> {
            let [losses, routed, shaken, turn] = OF_SIDE.map(|what| fields.ints(&columns.of_side(side, what)));
            Ok([losses?, routed?, shaken?, turn?])
        };
        Ok(Self {
            names: manifest.side_names(),
            winner: fields.texts("winner")?,
            turns: fields.ints("turns")?,
            sides: BySide::new(side(Side::First)?, side(Side::Second)?),
        })
    }

    /// An outcome; none if the row is invalid. Values that no metric reads are not kept.
    pub(crate) fn row(&self, row: usize) -> Option<Outcome> {
        let winner = verdict_of(self.winner.get(row)?, self.names)?.winner();
        let side = |side: Side| {
            let [losses, broken, shaken, turn] = self.sides[side].map(|column| column.get(row));
            Some(SideOutcome {
                losses: u16::try_from(losses?).ok()?,
                broken: u8::try_from(broken?).ok()?,
                shaken: u8::try_from(shaken?).ok()?,
                first_break: match turn {
                    None => 0,
                    Some(turn) => u8::try_from(turn).ok().filter(|&turn| turn > 0)?,
                },
                ..SideOutcome::default()
            })
        };
        let sides = BySide::new(side(Side::First)?, side(Side::Second)?);
        let turns = u8::try_from(self.turns.get(row)?).ok()?;
        Some(Outcome { winner, turns, sides })
    }
}

/// The columns with each side's luck.
pub(in crate::results) fn luck_of_rows<'f>(
    frame: &'f DataFrame,
    columns: &Columns,
) -> Result<BySide<&'f Float64Chunked>, Fault> {
    let luck = |side: Side| Fields(frame).floats(&columns.of_side(side, LUCK));
    Ok(BySide::new(luck(Side::First)?, luck(Side::Second)?))
}
