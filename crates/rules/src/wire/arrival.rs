//! Arrivals, as written in files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// An edge of the table, from the point of view of the arriving unit's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EdgeName {
    /// The edge behind its side.
    Own,
    /// The edge behind the enemy.
    Enemy,
    /// The edge on its left.
    Left,
    /// The edge on its right.
    Right,
}

/// Where a unit called on by a result enters the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CalledName {
    /// At the position given in the study.
    Place,
    /// Next to the unit that calls it: on its right, or else on its left, or else behind it. On hexes: in a free hex
    /// next to it.
    Beside,
    /// At the edge behind its side.
    Own,
    /// At the edge behind the enemy.
    Enemy,
    /// At the edge on its left.
    Left,
    /// At the edge on its right.
    Right,
}

/// How units that begin off the table (`arrives` in the study) come onto it. Without this table, they arrive in the
/// given turn, at their own positions.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArrivalWire {
    /// The roll, by name, that each such unit takes in every turn, starting with the turn given in the study. It has no
    /// `foe`. Default: no roll.
    #[serde(default)]
    pub roll: Option<String>,
    /// The ids of the results that bring the unit on.
    #[serde(default)]
    pub comes: Vec<String>,
    /// The edge of the table at which a unit arrives, by the id of its result (a `plane` board). Default: the position
    /// given in the study.
    #[serde(default)]
    pub edge: BTreeMap<String, EdgeName>,
    /// Where units called on by a result (`calls`) enter the table. Required if any result has `calls`.
    #[serde(default)]
    pub called: Option<CalledName>,
    /// Whether units that have yet to arrive count among the units of their side when defeat is checked. Default: true.
    #[serde(default = "yes")]
    pub counts: bool,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

fn yes() -> bool {
    true
}
