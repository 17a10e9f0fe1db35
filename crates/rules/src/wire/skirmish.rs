//! Skirmishers, as written in files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{CiteWire, ScreenCitesWire};
use super::ground::BarWire;
use grognard_source::Inches;

/// Screens: figures that a unit deploys in open order in front of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SkirmishWire {
    /// The maximum distance, in inches, of a figure from its unit, or from another of the unit's figures that has not
    /// strayed.
    pub tether: Inches,
    /// What happens to a figure that strays farther.
    #[serde(default)]
    pub stray: StrayName,
    /// The distance, in inches, within which figures of a side belong to one group.
    pub link: Inches,
    /// The maximum number of figures in a group. Larger groups are divided evenly.
    #[schemars(range(min = 1, max = 100))]
    pub group: u16,
    /// The attribute that identifies the best unit of a group. That unit tests for the whole group.
    pub rating: String,
    /// A screen of more than 1/N of its unit's figures shares the unit's fate; this is N.
    #[schemars(range(min = 1, max = 100))]
    pub shares: u16,
    /// The minimum distance, in inches, that a unit falls back if its screen has failed and shares its fate.
    pub retires: Inches,
    /// The distance, in inches, between a unit and a screen that is deployed from the start.
    pub ahead: Inches,
    /// When deploying or recalling figures counts as a change of formation. Reads `self` as it is afterwards. Default:
    /// never.
    #[serde(default)]
    pub change_when: Option<String>,
    /// How many figures units may deploy: the first row that lists the unit's type.
    pub screen: Vec<ScreenWire>,
    /// The sources of the rules by which figures rejoin their unit, by reason.
    #[serde(default)]
    pub rejoin: BTreeMap<RejoinName, RejoinWire>,
    /// The units that may not deploy figures, and why.
    #[serde(default)]
    pub bar: Vec<BarWire>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// Why figures rejoin their unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RejoinName {
    /// They were ordered to.
    Ordered,
    /// Their unit takes a formation that gathers all its figures.
    Gathered,
    /// Their group has failed a check.
    GroupFailed,
    /// They have failed a check, and their unit shares their fate.
    SharedFate,
    /// Their unit has broken.
    SweptAlong,
    /// They have strayed.
    Strayed,
}

/// The source of a reason to rejoin.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RejoinWire {
    /// Clauses that it implements.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    pub note: Option<String>,
}

/// What happens to figures that stray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrayName {
    /// They rejoin their unit.
    #[default]
    Return,
    /// They are lost.
    Lose,
}

/// How many figures some unit types may deploy. Give one of `most`, `share` and `all`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ScreenWire {
    /// Its name.
    pub id: String,
    /// The unit types.
    pub units: Vec<String>,
    /// The formation in which the figures stand.
    pub formation: String,
    /// The maximum number.
    #[serde(default)]
    pub most: Option<u16>,
    /// The share of figures, as 1/N, rounded down; this is N.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub share: Option<u16>,
    /// Any number, as long as one figure stays behind.
    #[serde(default)]
    pub all: bool,
    /// The minimum size of a unit that may deploy `most` figures; smaller units may deploy one.
    #[serde(default)]
    pub from: Option<u16>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: ScreenCitesWire,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
