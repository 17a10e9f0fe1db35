//! Citations, as written in files: the clauses that rows implement.

use schemars::JsonSchema;
use serde::Deserialize;

/// A clause that a row implements; `house` where the rulebook is silent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum CiteWire {
    /// Its number. The row implements it whenever the row decides something.
    Always(String),
    /// The row implements it only under a condition.
    When(CiteWhenWire),
}

/// A clause that a row implements under a condition.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CiteWhenWire {
    /// Its number.
    pub clause: String,
    /// When the row implements it. Reads `self`, the unit to which the row applies, and `foe`.
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

/// Clauses for individual keys of a formation. The formation's `cite` applies to all other keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FormationCitesWire {
    /// Cited when a unit takes the formation by order, and when a unit that is ordered to take it may not do so.
    pub arms: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation, and when the figures of a study do not fit it.
    pub layout: Option<Vec<CiteWire>>,
    /// Cited when an enemy is in front of a unit, or an attack is not on its flank, only because it faces in all
    /// directions.
    pub facing: Option<Vec<CiteWire>>,
    /// Cited when a roll reads the target class.
    pub target: Option<Vec<CiteWire>>,
    /// Cited when it matters whether a unit is in close order.
    pub formed: Option<Vec<CiteWire>>,
    /// Cited when a unit that cannot move in the formation pivots on the spot.
    pub moves: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation by order and turns for free.
    pub turns: Option<Vec<CiteWire>>,
    /// Cited when the formation's condition excludes a unit.
    pub when: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the formation by order, but not when it is not allowed to. Default: nothing is cited.
    pub takes: Vec<CiteWire>,
    /// Cited when a unit leaves the formation by order. Default: nothing is cited.
    pub leaves: Vec<CiteWire>,
}

/// Clauses for individual keys of a morale state. The state's `cite` applies to all other keys.
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

/// Clauses for individual uses of the arcs. The arc's `cite` applies to all others.
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
    /// Cited when a unit is attacked from a direction that would be the flank or rear of other units.
    pub struck: Vec<CiteWire>,
    /// Cited when a unit fires in a direction outside the front of other units.
    pub fires: Vec<CiteWire>,
    /// Cited when a unit charges in a direction outside the front of other units.
    pub charges: Vec<CiteWire>,
    /// Cited when a unit marches in a direction other than straight ahead, without a wheel.
    pub marches: Vec<CiteWire>,
}

/// Clauses for individual keys of a unit type. The type's `cite` applies to all other keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct UnitCitesWire {
    /// Cited when the unit may not take a formation because it has no speed in it.
    pub speed: Option<Vec<CiteWire>>,
    /// Cited when the unit dismounts, or is not allowed to.
    pub on_foot: Option<Vec<CiteWire>>,
    /// Cited when the unit fires at its maximum range.
    pub range: Option<Vec<CiteWire>>,
}

/// Clauses for individual keys of a screen. The screen's `cite` applies to all other keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ScreenCitesWire {
    /// Cited when a unit may not deploy as many figures as ordered, and when it has deployed its maximum.
    pub most: Option<Vec<CiteWire>>,
}

/// Clauses for individual keys of a mode of movement. The mode's `cite` applies to all other keys.
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

/// Clauses for individual keys of `battery`. The table's `cite` applies to all other keys.
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

/// Clauses for individual keys of `dressing`. The table's `cite` applies to all other keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DressingCitesWire {
    /// Cited when the arc of a unit that bends along linear terrain decides something.
    #[serde(default)]
    pub bends_when: Option<Vec<CiteWire>>,
}

/// Clauses for individual keys of a bag. The bag's `cite` applies to all other keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BagCitesWire {
    /// Cited when chips are removed.
    #[serde(default)]
    pub fallen: Option<Vec<CiteWire>>,
}

/// Clauses for individual keys of `square`. The table's `cite` applies to all other keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SquareCitesWire {
    /// Cited when a unit is not allowed to join a square.
    #[serde(default)]
    pub when: Option<Vec<CiteWire>>,
}

/// Clauses for individual keys of `fire-zone`. The table's `cite` applies to all other keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FireZoneCitesWire {
    /// Cited when a unit turns or changes formation in the zone of another, `self`.
    #[serde(default)]
    pub when: Option<Vec<CiteWire>>,
}

/// Clauses for special cases of the generals' road bonus, in addition to the rule's `cite`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RideRoadCitesWire {
    /// Also cited when the road leads through area terrain. Default: nothing is cited.
    pub areas: Vec<CiteWire>,
}

/// Clauses for individual acts in a `formation` or an `onset` phase. The phase's `cite` applies to all others.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PhaseCitesWire {
    /// Cited when a unit changes formation.
    pub forms: Option<Vec<CiteWire>>,
    /// Cited when a unit changes into or out of a formation with all-round facing.
    pub alters: Option<Vec<CiteWire>>,
    /// Cited when a unit turns.
    pub turns: Option<Vec<CiteWire>>,
    /// Cited when a unit has already changed or turned.
    pub spent: Option<Vec<CiteWire>>,
    /// Cited when a unit takes the position of an enemy that has fled (`onset`).
    pub takes: Option<Vec<CiteWire>>,
}
