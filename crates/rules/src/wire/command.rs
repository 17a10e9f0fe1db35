//! Commands as files write them: the orders they may have and the modes in which they move.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{CiteWire, ModeCitesWire};
use grognard_source::Inches;

/// Groups of units with an order and a mode of movement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandWire {
    /// The orders that a command may have; conditions read them as `self.order`. The first is the one it has unless a study
    /// says otherwise.
    #[schemars(length(min = 1, max = 32))]
    pub orders: Vec<String>,
    /// The modes in which it may move; conditions read them as `self.mode`. The first is the one it is in unless a study says
    /// otherwise.
    #[schemars(length(min = 1, max = 32))]
    pub mode: Vec<ModeWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// A mode of movement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModeWire {
    /// Its name.
    pub id: String,
    /// What narration calls it.
    pub title: String,
    /// Inches that a unit moves in a turn, whatever its type. Left out: what its type moves.
    #[serde(default)]
    pub rate: Option<Inches>,
    /// Which units move at that rate; the others move as far as their type does. Reads `self`. Left out: all.
    #[serde(default)]
    pub rate_when: Option<String>,
    /// The mode at whose rate a unit moves unless its whole move lies on a road. Left out: the rate holds anywhere.
    #[serde(default)]
    pub off_road: Option<String>,
    /// Which units have a front narrow enough for the road; the others move at the rate of `off-road`. Reads `self`.
    #[serde(default)]
    pub narrow_when: Option<String>,
    /// Which units take up more road than they are long. Reads `self`. Left out: none.
    #[serde(default)]
    pub trails_when: Option<String>,
    /// How many times their own length these take up. Default: 2.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 20))]
    pub trail_lengths: u8,
    /// Whether a command in it counts as shaken in tests, until all its units have stood still for a whole move phase.
    #[serde(default)]
    pub unsettles: bool,
    /// The mode into which a command goes over that has stood still for a whole move phase. Left out: it stays.
    #[serde(default)]
    pub settles_into: Option<String>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: ModeCitesWire,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

fn two() -> u8 {
    2
}
