//! The tables of a results folder: as plain data, as Parquet files, and read back.

mod battles;
mod cells;
mod metadata;
mod odds;
#[cfg(feature = "folders")]
mod parquet;
#[cfg(feature = "folders")]
mod read;
mod summary;
mod table;
#[cfg(feature = "folders")]
mod tallies;

use grognard_engine::BySide;
#[cfg(feature = "folders")]
use grognard_engine::Side;

use super::DRAW;
use crate::tally::Verdict;

pub use battles::{BattleRow, battle_sides_table, battles_table};
pub use cells::cells_table;
pub use metadata::metadata;
pub use odds::{ends_table, means_table, odds_table, work_table};
#[cfg(feature = "folders")]
pub(super) use parquet::encode;
#[cfg(feature = "folders")]
pub(super) use read::{Exact, luck_of_rows, odds_from_frames, summary_from_frame};
#[cfg(feature = "folders")]
pub(crate) use read::{Fields, OutcomeColumns};
pub use summary::summary_table;
pub use table::{Column, Table, Values};
#[cfg(feature = "folders")]
pub(super) use tallies::{PackKeys, adds_up, enter_tallies, tallies_tables};

/// The winner's name: a side or `draw`.
fn winner_name(verdict: Verdict, names: BySide<&str>) -> &str {
    verdict.winner().map_or(DRAW, |side| names[side])
}

/// The verdict for a winner with this name.
#[cfg(feature = "folders")]
fn verdict_of(name: &str, names: BySide<&str>) -> Option<Verdict> {
    Verdict::among(names.count()).iter().copied().find(|&verdict| winner_name(verdict, names) == name)
}

/// The side of this name.
#[cfg(feature = "folders")]
fn side_of(name: &str, names: BySide<&str>) -> Option<Side> {
    names.sides().iter().copied().find(|&side| names[side] == name)
}
