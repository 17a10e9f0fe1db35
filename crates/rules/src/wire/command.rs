//! Commands, as written in files: their orders and modes of movement.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{CiteWire, ModeCitesWire};
use grognard_source::Inches;

/// Groups of units with an order and a mode of movement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandWire {
    /// The orders that a command may have. Conditions read them as `self.order`. A command has the first one unless the
    /// study gives another.
    #[schemars(length(min = 1, max = 32))]
    pub orders: Vec<String>,
    /// The modes in which it may move. Conditions read them as `self.mode`. A command is in the first one unless the
    /// study gives another.
    #[schemars(length(min = 1, max = 32))]
    pub mode: Vec<ModeWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A mode of movement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModeWire {
    /// Its name.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// Inches that a unit moves in a turn, regardless of its type. Default: the speed of its type.
    #[serde(default)]
    pub rate: Option<Inches>,
    /// The units that move at that rate; others move at the speed of their type. Reads `self`. Default: all.
    #[serde(default)]
    pub rate_when: Option<String>,
    /// The mode whose rate applies to a unit unless its whole move is on a road. Default: `rate` applies everywhere.
    #[serde(default)]
    pub off_road: Option<String>,
    /// The units whose front is narrow enough for the road; others move at the rate of `off-road`. Reads `self`.
    #[serde(default)]
    pub narrow_when: Option<String>,
    /// The units that take up more road than their own length. Reads `self`. Default: none.
    #[serde(default)]
    pub trails_when: Option<String>,
    /// The length of road that these units take up, as a multiple of their own length. Default: 2.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 20))]
    pub trail_lengths: u8,
    /// Whether a command in this mode counts as shaken in tests until all its units have stood still for a whole
    /// move phase.
    #[serde(default)]
    pub unsettles: bool,
    /// The mode to which a command changes after standing still for a whole move phase. Default: it does not
    /// change.
    #[serde(default)]
    pub settles_into: Option<String>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: ModeCitesWire,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

fn two() -> u8 {
    2
}
