//! Objectives and points as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use grognard_source::Inches;

/// How sides hold the objectives that a study places. Who holds what is looked at as every game turn ends.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ObjectiveWire {
    /// Inches from a unit's ground to the marker, at the most, for the unit to be there; hexes on a `hex` board.
    pub within: Inches,
    /// Which units count. Reads `self`. Default: all that are not broken.
    #[serde(default)]
    pub when: Option<String>,
    /// What a unit counts: the side with more in all is there alone. Reads `self`. Default: a side is there alone if the other
    /// has nobody there.
    #[serde(default)]
    pub count: Option<String>,
    /// Turns in a row that a side must be there alone before it holds the objective. Default: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 20))]
    pub turns: u8,
    /// Whether a side holds the objective until the other does, though nobody is there. Default: false.
    #[serde(default)]
    pub keeps: bool,
    /// Clauses it carries out; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

fn one() -> u8 {
    1
}

/// What a side has points for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PointsForName {
    /// Each objective that it holds as a game turn ends, times what the objective is worth.
    Hold,
    /// Each objective that it holds when the battle ends, times what the objective is worth.
    Held,
    /// Each enemy unit that has ever broken or is destroyed.
    Break,
    /// Each enemy unit that is destroyed or off the table when the battle ends.
    Gone,
    /// Each figure that the enemy has lost.
    Figures,
    /// Each of its own units that stands on the enemy's half of the table when the battle ends (a `plane` board).
    Across,
}

/// What brings a side points.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PointsWire {
    /// Its name.
    pub id: String,
    /// What for.
    #[serde(rename = "for")]
    pub on: PointsForName,
    /// Points for each.
    #[schemars(range(min = -100, max = 100))]
    pub points: i32,
    /// Which units count, or in which turns objectives do. Reads `self`, the unit that broke, is gone or is across, and `turn`.
    /// Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses it carries out; `house` where the rulebook gives no number.
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// A last turn that dice decide.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LastTurnWire {
    /// The first turn that may be the last. The turns of the study are a limit all the same.
    #[schemars(range(min = 1, max = 200))]
    pub from: u8,
    /// The dice, thrown as that turn and every later one ends: `"d6"`.
    pub dice: String,
    /// The battle goes on if they show this or more.
    #[schemars(range(min = 1, max = 200))]
    pub need: u16,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}
