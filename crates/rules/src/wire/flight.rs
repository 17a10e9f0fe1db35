//! Flight and pursuit as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use grognard_source::Inches;

/// How far a unit flees: the first row that applies.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlightRowWire {
    /// Its name.
    pub id: String,
    /// Who flees so far. Reads `self` (the fleeing unit), `foe` (whom it flees from) and the situation. Left out: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Inches.
    pub distance: Inches,
    /// Whether they make for the nearest piece of ground within that distance that they would fill and nobody does.
    #[serde(default)]
    pub refuge: bool,
    /// Dice whose sum in inches is added: `"2d6"`.
    #[serde(default)]
    pub dice: Option<String>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How far a unit pursues: the first row that applies. Who fits no row does not pursue.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PursuitRowWire {
    /// Its name.
    pub id: String,
    /// Who pursues so far. Reads `self` (the pursuer), `foe` (the fleeing unit) and the situation. Left out: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Inches. Give this or `short-by`.
    #[serde(default)]
    pub distance: Option<Inches>,
    /// As far as the enemy fled, less so many inches.
    #[serde(default)]
    pub short_by: Option<Inches>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a flight is bent whose straight way is closed or leads onto enemies.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BendWire {
    /// Degrees from one way that is tried to the next, to either side.
    #[schemars(range(min = 1, max = 90))]
    pub step: u16,
    /// Degrees that it is bent at the most.
    #[schemars(range(min = 1, max = 90))]
    pub most: u16,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How units flee and are pursued.
///
/// A unit that flees turns about its centre to the direction of flight: straight away from whom it flees from, bent towards
/// its own table edge as far as it must, but never past the line on which that enemy's front edge lies. A flight that would
/// end on a friend goes on until it is clear; one that leaves the table, leads over ground that is closed to it (`movement.bar`) or
/// cannot end clear of enemies, however it is bent, destroys the unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlightWire {
    /// Distances of flight.
    #[schemars(length(min = 1, max = 64))]
    pub row: Vec<FlightRowWire>,
    /// Distances of pursuit.
    #[serde(default)]
    pub pursuit: Vec<PursuitRowWire>,
    /// How a flight is bent that cannot go straight on. Left out: not at all.
    #[serde(default)]
    pub bend: Option<BendWire>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}
