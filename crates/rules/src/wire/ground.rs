//! Ground and bars as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{CiteWire, DressingCitesWire};
use super::unit::yes;
use grognard_source::Inches;

/// Something that forbids: while its condition holds, what it stands under is closed to the unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BarWire {
    /// Its name.
    pub id: String,
    /// When it forbids. Reads `self`.
    pub when: String,
    /// Whether a study's deployment is held to it as well.
    #[serde(default = "yes")]
    pub deploy: bool,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why, where no clause says so.
    #[serde(default)]
    pub note: Option<String>,
}

/// A kind of ground, of which studies place pieces.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GroundWire {
    /// What narration calls it.
    pub title: String,
    /// Inches of move that an inch of march over it costs. Left out: one.
    #[serde(default)]
    pub pace: Option<Inches>,
    /// Inches of move that entering it costs, whatever its depth.
    #[serde(default)]
    pub crossing: Option<Inches>,
    /// Depth of a piece that is placed as a line, in inches. Left out: it is placed as a block only.
    #[serde(default)]
    pub thickness: Option<Inches>,
    /// Whether it is linear: troops may line it, and whoever crosses it is marked for the phase.
    #[serde(default)]
    pub linear: bool,
    /// Whether it covers those behind it or in it.
    #[serde(default)]
    pub cover: bool,
    /// Whether nobody sees through it. Who stands in it is seen and sees.
    #[serde(default)]
    pub blocks_sight: bool,
    /// Whether it is an area with edges, such as a wood or a village: conditions know who stands in it (`enclosed`) and
    /// which moves touch it (`move.area`).
    #[serde(default)]
    pub area: bool,
    /// That a unit which stands in a piece fills all of it. Left out: it takes up no more than its own ground.
    #[serde(default)]
    pub fills: Option<FillsWire>,
    /// Whether it is a road: whoever is on it pays for no other ground.
    #[serde(default)]
    pub road: bool,
    /// Degrees by which the way may turn at most for whoever marches along such roads (`do = "march"`), on to one and from one
    /// to the next. Left out: whichever way, but not straight back. Only beside `road`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 179))]
    pub bend: Option<u16>,
    /// The morale state into which it puts units that move over it or stand on it at the end of a move.
    #[serde(default)]
    pub disorders: Option<String>,
    /// Which units it does that to. Reads `self`. Left out: all.
    #[serde(default)]
    pub disorders_when: Option<String>,
    /// Who may not cross it.
    #[serde(default)]
    pub bar: Vec<BarWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// Pieces of ground that whoever stands in them fills: his place is the whole piece, and he stands in its middle.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FillsWire {
    /// Inches from side to side, and from front to rear, that a piece has at most; a larger one is divided into equal parts.
    pub most: Inches,
    /// Which units a study may begin with in a piece, where there is no road under them. Reads `self`. Left out: all.
    #[serde(default)]
    pub begins: Option<String>,
    /// Clauses that say so.
    pub cite: Vec<CiteWire>,
    /// Why, where no clause says so.
    #[serde(default)]
    pub note: Option<String>,
}

/// How a unit's figures stand together: all one way, but for troops that line linear ground.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DressingWire {
    /// Inches within which a figure touches a piece of ground.
    pub touch: Inches,
    /// Which units may bend along linear ground that all their figures touch. Reads `self`.
    #[serde(default)]
    pub bends_when: Option<String>,
    /// What becomes of units whose figures stand two ways in the open.
    #[serde(default)]
    pub ambiguous: Option<AmbiguousWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: DressingCitesWire,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A unit found with an ambiguous facing at the end of a phase.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AmbiguousWire {
    /// Whether the rule is in force. If not, what would lead to it is refused instead.
    pub on: bool,
    /// The morale state it falls into.
    pub state: String,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why, where no clause says so.
    #[serde(default)]
    pub note: Option<String>,
}

/// Where sides stand that a study draws up by name. Needed for named deployments.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArrayWire {
    /// Inches between the flanks of neighbours.
    pub interval: Inches,
    /// Inches between two lines.
    pub lines: Inches,
    /// Inches between the foremost lines of the two sides.
    pub apart: Inches,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
