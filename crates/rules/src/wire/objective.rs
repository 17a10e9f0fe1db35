//! Objectives and points, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::arrival::EdgeName;
use super::cite::CiteWire;
use grognard_source::Inches;

/// How sides hold the objectives that a study places. Checked at the end of every game turn.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ObjectiveWire {
    /// The maximum distance between a unit and the marker for the unit to count as there: in inches, or in hexes on a
    /// `hex` board.
    pub within: Inches,
    /// Which units count. Reads `self`. Default: all that are not broken.
    #[serde(default)]
    pub when: Option<String>,
    /// The value of each unit: the side with the higher sum counts as being alone there. Reads `self`. Default: a side
    /// is alone there if the other has no unit there.
    #[serde(default)]
    pub count: Option<String>,
    /// The number of consecutive turns that a side must be alone there before it holds the objective. Default: 1.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 20))]
    pub turns: u8,
    /// Whether a side holds the objective until the other does, even with no unit there. Default: false.
    #[serde(default)]
    pub keeps: bool,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

fn one() -> u8 {
    1
}

/// What scores points for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PointsForName {
    /// Each objective that it holds at the end of a game turn, times the objective's `worth`.
    Hold,
    /// Each objective that it holds when the battle ends, times the objective's `worth`.
    Held,
    /// Each enemy unit that has broken at any time or is destroyed.
    Break,
    /// Each enemy unit that is destroyed or off the table when the battle ends.
    Gone,
    /// Each figure that the enemy has lost.
    Figures,
    /// Each of its own units in the enemy's half of the table when the battle ends (a `plane` board).
    Across,
    /// Each of its own units that has left the table, unbroken, by `edge` (a `plane` board). It does not count as lost.
    Exit,
}

/// What scores points for a side.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PointsWire {
    /// Its name.
    pub id: String,
    /// What scores the points.
    #[serde(rename = "for")]
    pub on: PointsForName,
    /// The number of points for each.
    #[schemars(range(min = -100, max = 100))]
    pub points: i32,
    /// The edge where units leave, for `exit`, from the point of view of their side.
    #[serde(default)]
    pub edge: Option<EdgeName>,
    /// Which units count, or in which turns objectives count. Reads `self` (the unit that points are scored for) and
    /// `turn`. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook gives no number.
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// A last turn decided by dice.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LastTurnWire {
    /// The earliest possible last turn. The study's turn limit still applies.
    #[schemars(range(min = 1, max = 200))]
    pub from: u8,
    /// The dice, rolled at the end of that turn and of every later one: `"d6"`.
    pub dice: String,
    /// The battle continues if they total this or more.
    #[schemars(range(min = 1, max = 200))]
    pub need: u16,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
