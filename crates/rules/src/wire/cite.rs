//! Which clauses rows carry out, as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

/// A clause that a row implements; `house` where the rulebook is silent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CiteWire {
    /// Its number. The row carries it out whenever it decides something.
    Always(String),
    /// The row carries it out only under a condition.
    When(CiteWhenWire),
}

/// A clause that a row implements under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CiteWhenWire {
    /// Its number.
    pub clause: String,
    /// When the row carries it out. Reads `self`, the unit to which the row applies, and `foe`.
    pub when: String,
}

impl CiteWire {
    /// The clause's number.
    #[must_use]
    pub fn clause(&self) -> &str {
        match self {
            Self::Always(clause) | Self::When(CiteWhenWire { clause, .. }) => clause,
        }
    }
}

/// Clauses of single keys of a formation. A key that is not listed has the formation's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FormationCitesWire {
    /// Cited when a unit takes the formation by order, and when a unit that wants it may not take it.
    pub arms: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation, and when the figures of a study do not fit it.
    pub layout: Option<Vec<CiteWire>>,
    /// Cited when an enemy is in front of a unit, or an attack is not on its flank, only because it faces in all
    /// directions.
    pub facing: Option<Vec<CiteWire>>,
    /// Cited when a roll reads the target class.
    pub target: Option<Vec<CiteWire>>,
    /// Cited when it matters whether a unit is close order.
    pub formed: Option<Vec<CiteWire>>,
    /// Cited when a unit that does not move in the formation pivots where it stands.
    pub moves: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation by order and turns for free.
    pub turns: Option<Vec<CiteWire>>,
    /// Cited when the formation's condition excludes a unit.
    pub when: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation by order, and not when it may not. Default: nothing is cited.
    pub takes: Vec<CiteWire>,
    /// Cited when a unit leaves the formation by order. Default: nothing is cited.
    pub leaves: Vec<CiteWire>,
}

/// Clauses of single keys of a morale state. A key that is not listed has the state's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MoraleCitesWire {
    /// Cited when a unit in the state turns by order, or is not allowed to.
    pub turns: Option<Vec<CiteWire>>,
    /// Cited when a unit in the state changes formation by order, or is not allowed to.
    pub forms: Option<Vec<CiteWire>>,
    /// Cited when the state breaks up a unit's formation.
    pub undoes: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation in which it falls back.
    pub retreat: Option<Vec<CiteWire>>,
    /// Cited when a unit flees.
    pub flight: Option<Vec<CiteWire>>,
}

/// Clauses of single uses of the arcs. A key that is not listed has the arc's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArcCitesWire {
    /// Cited when a unit is attacked in front.
    pub front: Option<Vec<CiteWire>>,
    /// Cited when it matters that a unit is attacked on the flank.
    pub flank: Option<Vec<CiteWire>>,
    /// Cited when it matters that a unit is attacked in the rear.
    pub rear: Option<Vec<CiteWire>>,
    /// Cited when a unit fires to its front, or may not fire elsewhere.
    pub fires: Option<Vec<CiteWire>>,
    /// Cited when a unit charges to its front, or may not charge elsewhere.
    pub charges: Option<Vec<CiteWire>>,
}

/// Clauses for each effect of facing in all directions, in any formation. Default: none.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct AllRoundWire {
    /// Cited when a unit is attacked from a direction in which others have a flank or a rear.
    pub struck: Vec<CiteWire>,
    /// Cited when a unit fires in a direction in which others have no front.
    pub fires: Vec<CiteWire>,
    /// Cited when a unit charges in a direction in which others have no front.
    pub charges: Vec<CiteWire>,
    /// Cited when a unit marches in another direction than straight ahead, without a wheel.
    pub marches: Vec<CiteWire>,
}

/// Clauses of single keys of a unit type. A key that is not listed has the type's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct UnitCitesWire {
    /// Cited when a formation is closed to the unit because it has no speed in it.
    pub speed: Option<Vec<CiteWire>>,
    /// Cited when the unit dismounts, or is not allowed to.
    pub on_foot: Option<Vec<CiteWire>>,
    /// Cited when the unit fires as far as it may.
    pub range: Option<Vec<CiteWire>>,
}

/// Clauses of single keys of a screen. A key that is not listed has the screen's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ScreenCitesWire {
    /// Cited when a unit may not deploy as many figures as it is to, and when it has deployed all that it may.
    pub most: Option<Vec<CiteWire>>,
}

/// Clauses of single keys of a mode of movement. A key that is not listed has the mode's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModeCitesWire {
    /// Cited when a unit's front is too wide for the road.
    pub narrow_when: Option<Vec<CiteWire>>,
    /// Cited when a unit moves at the rate of `off-road`; `foe` is a unit of its command that is on a road, if there is one.
    pub off_road: Option<Vec<CiteWire>>,
    /// Cited when a command that has stood still changes to another mode.
    pub settles_into: Option<Vec<CiteWire>>,
}

/// Clauses of single keys of the batteries. A key that is not listed has their `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct BatteryCitesWire {
    /// Cited when a battle with batteries begins, and when a study's crew is too large.
    pub crew: Option<Vec<CiteWire>>,
    /// Cited when a battery loses cannon.
    pub cannon_lost: Option<Vec<CiteWire>>,
    /// Cited when guns without a crew do not turn or change formation.
    pub crewless: Option<Vec<CiteWire>>,
}

/// Clauses of single keys of the dressing. A key that is not listed has its `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DressingCitesWire {
    /// Cited when the arc of a unit that bends along linear terrain decides something.
    #[serde(default)]
    pub bends_when: Option<Vec<CiteWire>>,
}

/// Clauses of single keys of a bag. A key that is not listed has the bag's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BagCitesWire {
    /// Cited when chips are taken out.
    #[serde(default)]
    pub fallen: Option<Vec<CiteWire>>,
}

/// Clauses of single keys of the squares. A key that is not listed has their `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SquareCitesWire {
    /// Cited when a unit is not allowed to join a square.
    #[serde(default)]
    pub when: Option<Vec<CiteWire>>,
}

/// Clauses of single keys of the fire zones. A key that is not listed has their `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FireZoneCitesWire {
    /// Cited when a unit makes a change in the zone of another, `self`.
    #[serde(default)]
    pub when: Option<Vec<CiteWire>>,
}

/// Clauses of single cases of the road bonus of generals, besides the `cite` of the rule.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RideRoadCitesWire {
    /// Cited as well when the road leads through area terrain. Default: nothing is cited.
    pub areas: Vec<CiteWire>,
}

/// Clauses of single acts of a `formation` or an `onset` phase. A key that is not listed has the phase's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PhaseCitesWire {
    /// Cited when a unit changes formation.
    pub forms: Option<Vec<CiteWire>>,
    /// Cited when a change of formation begins or ends facing everywhere.
    pub alters: Option<Vec<CiteWire>>,
    /// Cited when a unit turns.
    pub turns: Option<Vec<CiteWire>>,
    /// Cited when a unit has already changed or turned.
    pub spent: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the position of an enemy that has fled (`onset`).
    pub takes: Option<Vec<CiteWire>>,
}
