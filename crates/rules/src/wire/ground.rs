//! Ground and bars, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{CiteWire, DressingCitesWire};
use super::unit::yes;
use grognard_source::Inches;

/// A bar: while its condition is true, the formation or terrain to which it belongs is closed to the unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BarWire {
    /// Its name.
    pub id: String,
    /// When it applies. Reads `self`.
    pub when: String,
    /// Whether it also applies to a study's deployment.
    #[serde(default = "yes")]
    pub deploy: bool,
    /// In a formation's bar: whether losses that make it apply to a unit break up the formation. The figures then take
    /// the formation that matches their shape.
    #[serde(default)]
    pub breaks: bool,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A kind of terrain. Studies place pieces of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GroundWire {
    /// Its name in the narration.
    pub title: String,
    /// The cost of each inch of march over it, in inches of movement. Default: 1.
    #[serde(default)]
    pub pace: Option<Inches>,
    /// The cost of entering it, in inches of movement, regardless of its depth.
    #[serde(default)]
    pub crossing: Option<Inches>,
    /// The depth, in inches, of a piece placed as a line. Default: it can be placed only as a block.
    #[serde(default)]
    pub thickness: Option<Inches>,
    /// Whether it is linear: troops may line it, and a unit that crosses it is marked for the phase.
    #[serde(default)]
    pub linear: bool,
    /// Whether it covers units behind it or in it.
    #[serde(default)]
    pub cover: bool,
    /// Whether it blocks sight through it. Units in it can see and be seen.
    #[serde(default)]
    pub blocks_sight: bool,
    /// Whether it is higher than the ground around it, such as a hill. Conditions can read which units are on it
    /// (`high`, `upslope`), regardless of other terrain there.
    #[serde(default)]
    pub high: bool,
    /// Whether it is an area with edges, such as a wood or a village. Conditions can read which units are in it
    /// (`enclosed`) and which moves touch it (`move.area`).
    #[serde(default)]
    pub area: bool,
    /// The rule that a unit in a piece fills the whole piece. Default: it takes up only its own ground.
    #[serde(default)]
    pub fills: Option<FillsWire>,
    /// Whether it is a road. A unit on it pays for no other terrain.
    #[serde(default)]
    pub road: bool,
    /// The maximum angle, in degrees, by which a unit that marches along such roads (`do = "march"`) may turn onto a
    /// road or from one to the next. Default: any angle, except straight back. Only with `road`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 179))]
    pub bend: Option<u16>,
    /// The morale state into which units fall when they move over it or end a move on it.
    #[serde(default)]
    pub disorders: Option<String>,
    /// The units to which this applies. Reads `self`. Default: all.
    #[serde(default)]
    pub disorders_when: Option<String>,
    /// The units that may not cross it.
    #[serde(default)]
    pub bar: Vec<BarWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// The rule for pieces of terrain that a unit fills: its area is the whole piece, and its position is the middle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FillsWire {
    /// The maximum width and depth of a piece, in inches. A larger piece is divided into equal parts.
    pub most: Inches,
    /// The units that a study may place in a piece off the road. Reads `self`. Default: all.
    #[serde(default)]
    pub begins: Option<String>,
    /// Clauses that it implements.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a unit's figures are aligned: all face the same way, except troops that line linear terrain.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DressingWire {
    /// The distance, in inches, within which a figure counts as touching a piece of terrain.
    pub touch: Inches,
    /// The units that may bend along linear terrain that all their figures touch. Reads `self`.
    #[serde(default)]
    pub bends_when: Option<String>,
    /// How far, in inches, the middle of a unit's front may shift when the unit bends along linear terrain by order (`do =
    /// "bend"`). Default: no order bends it.
    #[serde(default)]
    pub bends_within: Option<Inches>,
    /// What happens to units in the open whose figures face in two directions.
    #[serde(default)]
    pub ambiguous: Option<AmbiguousWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: DressingCitesWire,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// The rule for a unit with an ambiguous facing at the end of a phase.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AmbiguousWire {
    /// Whether the rule is in force. If not, moves that would lead to such a facing are refused.
    pub on: bool,
    /// The morale state into which it falls.
    pub state: String,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The spacing of sides with a named `deployment`. Required for named deployments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArrayWire {
    /// The distance between the flanks of adjacent units, in inches.
    pub interval: Inches,
    /// The distance between two lines, in inches.
    pub lines: Inches,
    /// The distance between the foremost lines of the two sides, in inches.
    pub apart: Inches,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
