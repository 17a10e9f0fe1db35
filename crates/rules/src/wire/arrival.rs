//! Arrivals as files write them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// An edge of the table, as the side sees it whose unit arrives.
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

/// Where a unit that a result calls comes onto the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CalledName {
    /// At the place that the study gives it.
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

/// How units arrive that a study keeps off the table at first (`arrives`). Without this table they arrive in that turn,
/// at their own place.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArrivalWire {
    /// The roll of each such unit, by name, from the turn on that the study gives. It has no `foe`. Default: no roll.
    #[serde(default)]
    pub roll: Option<String>,
    /// The results of the roll with which the unit arrives, by their ids.
    #[serde(default)]
    pub comes: Vec<String>,
    /// The edge of the table at which a unit arrives with a result, by the result's id (a `plane` board). Default: the
    /// place that the study gives it.
    #[serde(default)]
    pub edge: BTreeMap<String, EdgeName>,
    /// Where units that a result calls (`calls`) come on the table. Required if a result calls any.
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
