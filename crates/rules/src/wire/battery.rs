//! Batteries and trains, as written in files: separate crew and cannon, and changes that take time.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{BatteryCitesWire, CiteWire};
use super::ground::BarWire;
use grognard_source::Inches;

/// Crews and cannon. Unit types with `cannon` are batteries or trains: their figures are their crew.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BatteryWire {
    /// The number of crew figures at the start. Reads `self`.
    pub crew: String,
    /// When losses fall on cannon instead of crew. Reads `self` (the battery) and `foe` (the unit that causes
    /// them). Default: always.
    #[serde(default)]
    pub cannon_lost: Option<String>,
    /// The number of hits from one roll that it takes to remove a crew figure.
    #[schemars(range(min = 1, max = 20))]
    pub crew_hits: u16,
    /// The unit type of a crew that is away from its guns. Default: a crew that runs away leaves the table until it
    /// rallies.
    #[serde(default)]
    pub apart: Option<String>,
    /// When a battery is disordered, regardless of the state of its crew.
    #[serde(default)]
    pub disordered: Vec<BarWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: BatteryCitesWire,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// Permission to take a formation at the end of a move.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InMoveWire {
    /// Its cost in inches of movement, on top of all other costs.
    pub cost: Inches,
    /// The units that may not take it in a move, although they may in a formation phase.
    #[serde(default)]
    pub bar: Vec<BarWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// A change that takes a whole turn, in which the unit stands still. The unit has its new formation at the end.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SlowWire {
    /// The units to which it applies. Reads `self`.
    pub when: String,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
