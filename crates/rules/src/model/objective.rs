//! Compiled objectives and points.

use super::{Edge, Site, Source};
use grognard_expr::Lookup;
use grognard_roll::RollTable;

pub use crate::wire::PointsForName as PointsFor;

/// The maximum number of objectives in a battle.
pub const OBJECTIVES_MAX: usize = 8;

/// The maximum of a side's points, above or below 0, that conditions and metrics can read. A study in which a side
/// could exceed it is not deployed. Leads are at most twice that, so a table has room for all their values.
pub const SCORE_MAX: i32 = 4_000;

/// How sides hold objectives.
#[derive(Clone, Debug)]
pub struct Objective {
    /// The greatest distance from a unit's ground to the marker, in hundredths of an inch or of a hex.
    pub within: i32,
    /// 1 for a unit that counts; `None` means all that are not broken.
    pub when: Option<Lookup>,
    /// The value of each unit; `None` means a side is there alone if the other has no unit there.
    pub count: Option<Lookup>,
    /// Turns in a row that a side must be there alone.
    pub turns: u8,
    /// Whether a side keeps it until the other side takes it.
    pub keeps: bool,
    /// Its source.
    pub source: Source,
}

/// What scores points for a side.
#[derive(Clone, Debug)]
pub struct PointsRow {
    /// Its name in the pack.
    pub id: String,
    /// The reason for the points.
    pub on: PointsFor,
    /// The edge where units leave; only for [`PointsFor::Exit`].
    pub edge: Option<Edge>,
    /// Points for each.
    pub points: i32,
    /// 1 for a unit, or in a turn, that counts; `None` means always.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// A last turn decided by dice.
#[derive(Debug)]
pub struct LastTurn {
    /// The first turn that may be the last.
    pub from: u8,
    /// The dice; a class of the table is what they show.
    pub odds: RollTable,
    /// The battle continues if they show this or more.
    pub need: u16,
    /// The site of its dice.
    pub site: Site,
    /// Its source.
    pub source: Source,
}

/// What scores points for sides, and how points decide.
#[derive(Debug)]
pub struct Points {
    /// How objectives are held; `None` means there are none.
    pub objective: Option<Objective>,
    /// The rows that score points.
    pub rows: Vec<PointsRow>,
    /// Whether units score points by leaving the table.
    pub exits: bool,
    /// Points by which a side must lead to win at the end.
    pub margin: i32,
    /// The number of points with which a side wins at the end of a turn; `None` means no limit.
    pub reach: Option<i32>,
}
