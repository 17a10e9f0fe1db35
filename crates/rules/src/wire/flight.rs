//! Flight and pursuit, as written in files.

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
    /// The units that flee this far. Reads `self` (the fleeing unit), `foe` (the unit it flees from) and the
    /// situation. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// The distance, in inches.
    pub distance: Inches,
    /// Whether they make for the nearest empty piece of terrain, within that distance, that they would fill.
    #[serde(default)]
    pub refuge: bool,
    /// Dice whose total is added, in inches: `"2d6"`.
    #[serde(default)]
    pub dice: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// How far a unit pursues: the first row that applies. A unit for which no row applies does not pursue.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PursuitRowWire {
    /// Its name.
    pub id: String,
    /// The units that pursue this far. Reads `self` (the pursuer), `foe` (the fleeing unit) and the situation.
    /// Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// The distance, in inches. Give this or `short-by`.
    #[serde(default)]
    pub distance: Option<Inches>,
    /// As far as the enemy fled, minus this many inches.
    #[serde(default)]
    pub short_by: Option<Inches>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a flight bends if the way straight ahead is barred or would run into enemies.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BendWire {
    /// Degrees between the directions tried on either side.
    #[schemars(range(min = 1, max = 90))]
    pub step: u16,
    /// The maximum bend, in degrees.
    #[schemars(range(min = 1, max = 90))]
    pub most: u16,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// How units flee and are pursued.
///
/// A unit that flees turns about its centre to the direction of flight: directly away from the enemy, bent towards its
/// own table edge as far as necessary, but never past the line of that enemy's front edge if the unit is in front of
/// that line. Its own edge is the one behind its side as deployed or, if its headings cancel out, the one on its side
/// of the enemy. A flight that would end on a friend, or in an area closed to it by other units (`movement.bar`),
/// continues until it is clear. The unit is destroyed if its flight leaves the table, leads over terrain that is barred
/// to it (`movement.bar`), or cannot pass clear of enemies however it bends. A pursuer that has no room to turn to the
/// direction of flight does not pursue.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlightWire {
    /// Distances of flight.
    #[schemars(length(min = 1, max = 64))]
    pub row: Vec<FlightRowWire>,
    /// Distances of pursuit.
    #[serde(default)]
    pub pursuit: Vec<PursuitRowWire>,
    /// How a blocked flight turns. A flight that was bent towards the table edge is also bent back, to the direction
    /// directly away from the enemy and beyond. Default: it does not turn.
    #[serde(default)]
    pub bend: Option<BendWire>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
