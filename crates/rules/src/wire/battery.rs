//! Batteries and trains: crew apart from cannon, changes that take time, as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{BatteryCitesWire, CiteWire};
use super::ground::BarWire;
use grognard_source::Inches;

/// Crews and cannon. Unit types with `cannon` are batteries or trains: their figures are their crew.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BatteryWire {
    /// Crew figures at the start. Reads `self`.
    pub crew: String,
    /// When losses fall on cannon and not on the crew. Reads `self` (the battery) and `foe` (whoever causes them). Left out:
    /// always.
    #[serde(default)]
    pub cannon_lost: Option<String>,
    /// Hits at one blow that cost a crew figure.
    #[schemars(range(min = 1, max = 20))]
    pub crew_hits: u16,
    /// The unit type that a crew is apart from its base. Left out: a crew that runs is taken off the table until it rallies.
    #[serde(default)]
    pub apart: Option<String>,
    /// What disorders a battery as long as it holds, whatever the state of its crew.
    #[serde(default)]
    pub disordered: Vec<BarWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: BatteryCitesWire,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// Taking a formation at the end of a move.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InMoveWire {
    /// Inches of move that it costs, besides all else.
    pub cost: Inches,
    /// Who may not, though in a formation phase they may.
    #[serde(default)]
    pub bar: Vec<BarWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// A change that takes a whole turn in which the unit stands still; it has its new formation at the end of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SlowWire {
    /// Whose. Reads `self`.
    pub when: String,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why, where no clause says so.
    #[serde(default)]
    pub note: Option<String>,
}
