//! Which clauses rows carry out, as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

/// A clause that a row carries out; `house` where the rulebook is silent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CiteWire {
    /// Its number. The row carries it out whenever it decides something.
    Always(String),
    /// The row carries it out under a condition only.
    When(CiteWhenWire),
}

/// A clause that a row carries out under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CiteWhenWire {
    /// Its number.
    pub clause: String,
    /// When the row carries it out. Reads `self`, the unit that the row is applied to, and `foe`.
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

/// The clauses behind single keys of a formation. A key that is left out has the formation's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FormationCitesWire {
    /// Cited when a unit takes the formation by order, and when it is closed to a unit that wants it.
    #[serde(default)]
    pub arms: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation, and when a study's figures do not stand as it asks.
    #[serde(default)]
    pub layout: Option<Vec<CiteWire>>,
    /// Cited when only facing everywhere puts an enemy in front of a unit, or keeps an attack from being on its flank.
    #[serde(default)]
    pub facing: Option<Vec<CiteWire>>,
    /// Cited when a roll asks for the class of target.
    #[serde(default)]
    pub target: Option<Vec<CiteWire>>,
    /// Cited when it matters whether a unit is close order.
    #[serde(default)]
    pub formed: Option<Vec<CiteWire>>,
    /// Cited when a unit that does not move in the formation pivots where it stands.
    #[serde(default)]
    pub moves: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation by order and turns free.
    #[serde(default)]
    pub turns: Option<Vec<CiteWire>>,
    /// Cited when the formation's condition refuses it to a unit.
    #[serde(default)]
    pub when: Option<Vec<CiteWire>>,
    /// Cited when a unit leaves the formation by order. Left out: nothing is.
    #[serde(default)]
    pub leaves: Vec<CiteWire>,
}

/// The clauses behind single keys of a morale state. A key that is left out has the state's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MoraleCitesWire {
    /// Cited when a unit in the state turns by order, or may not.
    #[serde(default)]
    pub turns: Option<Vec<CiteWire>>,
    /// Cited when a unit in the state changes formation by order, or may not.
    #[serde(default)]
    pub forms: Option<Vec<CiteWire>>,
    /// Cited when the state undoes a unit's formation.
    #[serde(default)]
    pub undoes: Option<Vec<CiteWire>>,
    /// Cited when a unit falls into the formation in which it falls back.
    #[serde(default)]
    pub retreat: Option<Vec<CiteWire>>,
    /// Cited when a unit flees.
    #[serde(default)]
    pub flight: Option<Vec<CiteWire>>,
}

/// The clauses behind single uses of the arcs. A key that is left out has the arc's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArcCitesWire {
    /// Cited when a unit is attacked in front.
    #[serde(default)]
    pub front: Option<Vec<CiteWire>>,
    /// Cited when a unit is attacked on the flank.
    #[serde(default)]
    pub flank: Option<Vec<CiteWire>>,
    /// Cited when a unit is attacked in the rear.
    #[serde(default)]
    pub rear: Option<Vec<CiteWire>>,
    /// Cited when a unit fires to its front, or may fire nowhere else.
    #[serde(default)]
    pub fires: Option<Vec<CiteWire>>,
    /// Cited when a unit charges to its front, or may charge nowhere else.
    #[serde(default)]
    pub charges: Option<Vec<CiteWire>>,
}

/// What facing everywhere brings, whatever the formation: the clauses behind each use of it. Left out: none.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AllRoundWire {
    /// Cited when a unit is attacked from where others have a flank or a rear.
    #[serde(default)]
    pub struck: Vec<CiteWire>,
    /// Cited when a unit fires where others have no front.
    #[serde(default)]
    pub fires: Vec<CiteWire>,
    /// Cited when a unit charges where others have no front.
    #[serde(default)]
    pub charges: Vec<CiteWire>,
    /// Cited when a unit marches another way than straight ahead without a wheel.
    #[serde(default)]
    pub marches: Vec<CiteWire>,
}

/// The clauses behind single keys of a unit type. A key that is left out has the type's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UnitCitesWire {
    /// Cited when a formation is closed to the unit because it has no speed in it.
    #[serde(default)]
    pub speed: Option<Vec<CiteWire>>,
    /// Cited when the unit dismounts, or cannot.
    #[serde(default)]
    pub on_foot: Option<Vec<CiteWire>>,
    /// Cited when the unit fires as far as it may.
    #[serde(default)]
    pub range: Option<Vec<CiteWire>>,
}

/// The clauses behind single keys of a mode of movement. A key that is left out has the mode's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModeCitesWire {
    /// Cited when a unit's front is too wide for the road.
    #[serde(default)]
    pub narrow_when: Option<Vec<CiteWire>>,
    /// Cited when a unit moves at the rate of `off-road`; `foe` is a unit of its command that is on a road, if there is one.
    #[serde(default)]
    pub off_road: Option<Vec<CiteWire>>,
    /// Cited when a command that has stood still goes over to another mode.
    #[serde(default)]
    pub settles_into: Option<Vec<CiteWire>>,
}

/// The clauses behind single keys of the batteries. A key that is left out has their `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BatteryCitesWire {
    /// Cited when a battle with batteries begins, and when a study's crew is too large.
    #[serde(default)]
    pub crew: Option<Vec<CiteWire>>,
    /// Cited when a battery loses cannon.
    #[serde(default)]
    pub cannon_lost: Option<Vec<CiteWire>>,
}

/// The clauses behind single keys of the dressing. A key that is left out has its `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DressingCitesWire {
    /// Cited when the arc of a unit that bends along linear ground decides.
    #[serde(default)]
    pub bends_when: Option<Vec<CiteWire>>,
}

/// The clauses behind single keys of the squares. A key that is left out has their `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SquareCitesWire {
    /// Cited when a unit may not join a square.
    #[serde(default)]
    pub when: Option<Vec<CiteWire>>,
}

/// The clauses behind single keys of the fire zones. A key that is left out has their `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FireZoneCitesWire {
    /// Cited when a unit changes in the zone of another, `self`.
    #[serde(default)]
    pub when: Option<Vec<CiteWire>>,
}

/// The clauses behind single acts of a `formation` phase. A key that is left out has the phase's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PhaseCitesWire {
    /// Cited when a unit changes formation.
    #[serde(default)]
    pub forms: Option<Vec<CiteWire>>,
    /// Cited when a change of formation begins or ends facing everywhere.
    #[serde(default)]
    pub alters: Option<Vec<CiteWire>>,
    /// Cited when a unit turns.
    #[serde(default)]
    pub turns: Option<Vec<CiteWire>>,
    /// Cited when a unit has changed or turned already.
    #[serde(default)]
    pub spent: Option<Vec<CiteWire>>,
}
