//! Battles and ends of battles, read back.

use grognard_engine::{BySide, Outcome, Side, SideOutcome};
use polars_core::prelude::{DataFrame, Float64Chunked, Int32Chunked, StringChunked};

use super::super::verdict_of;
use super::{Fault, Fields};
use crate::results::Manifest;
use crate::results::columns::{Columns, LUCK, OF_SIDE};

/// The columns of outcomes.
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
        let mut found = Vec::new();
        for &of in manifest.side_names().sides() {
            found.push(side(of)?);
        }
        let sides = BySide::of(found.len(), |of| found[of.index()]);
        Ok(Self { names: manifest.side_names(), winner: fields.texts("winner")?, turns: fields.ints("turns")?, sides })
    }

    /// An outcome; `None` if the row is invalid. Values that no metric uses are not stored.
    pub(crate) fn row(&self, row: usize) -> Option<Outcome> {
        let winner = verdict_of(self.winner.get(row)?, self.names)?.winner();
        let side = |side: Side| {
            let [losses, routed, shaken, turn] = self.sides[side].map(|column| column.get(row));
            Some(SideOutcome {
                losses: u16::try_from(losses?).ok()?,
                routed_units: u8::try_from(routed?).ok()?,
                shaken_units: u8::try_from(shaken?).ok()?,
                rout_turn: match turn {
                    None => 0,
                    Some(turn) => u8::try_from(turn).ok().filter(|&turn| turn > 0)?,
                },
                ..SideOutcome::default()
            })
        };
        let sides = BySide::try_of(self.sides.count(), side)?;
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
