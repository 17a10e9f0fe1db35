//! The tables of a results folder as data frames, both ways.

mod battles;
mod cells;
mod odds;
mod parquet;
mod summary;
mod tallies;

use grognard_engine::{BySide, Side};

use super::DRAW;
use crate::tally::Verdict;

pub(crate) use battles::OutcomeColumns;
pub(super) use battles::{battles_to_frame, luck_of_rows, sides_to_frame};
pub(super) use cells::cells_to_frame;
pub(super) use odds::{Exact, ends_to_frame, means_to_frame, odds_from_frames, odds_to_frame, work_to_frame};
pub(crate) use parquet::Fields;
pub(super) use parquet::{encode, metadata};
pub(super) use summary::{summary_from_frame, summary_to_frame};
pub(super) use tallies::{adds_up, enter_tallies, tallies_to_frames};

/// Who won, by name: a side or `draw`.
fn winner_name(verdict: Verdict, names: BySide<&str>) -> &str {
    verdict.winner().map_or(DRAW, |side| names[side])
}

/// The verdict in which this one won.
fn verdict_of(name: &str, names: BySide<&str>) -> Option<Verdict> {
    Verdict::ALL.into_iter().find(|&verdict| winner_name(verdict, names) == name)
}

/// The side of this name.
fn side_of(name: &str, names: BySide<&str>) -> Option<Side> {
    Side::BOTH.into_iter().find(|&side| names[side] == name)
}
