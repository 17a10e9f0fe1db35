//! Skirmishers as files write them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::ground::BarWire;
use grognard_source::Inches;

/// Screens: figures that a unit puts out in open order before it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SkirmishWire {
    /// Inches that a figure may stand from its unit, or from another figure of it that does not stray.
    pub tether: Inches,
    /// What becomes of a figure that strays farther.
    #[serde(default)]
    pub stray: StrayName,
    /// Inches within which figures of a side belong to one group.
    pub link: Inches,
    /// The most figures in a group; more divide evenly.
    #[schemars(range(min = 1, max = 100))]
    pub group: u16,
    /// The attribute by which the best unit of a group is found; that one tests for all of it.
    pub rating: String,
    /// A screen of more than one figure in so many of its unit shares its fate with it.
    #[schemars(range(min = 1, max = 100))]
    pub shares: u16,
    /// Inches that a unit falls back at least whose screen has failed and shares its fate.
    pub retires: Inches,
    /// Inches before its unit at which a screen stands that is out from the start.
    pub ahead: Inches,
    /// When putting out or taking in figures is a change of formation. Reads `self` as it is afterwards. Left out: never.
    #[serde(default)]
    pub change_when: Option<String>,
    /// Which units may put out how many figures: the first row that names the unit's type.
    pub screen: Vec<ScreenWire>,
    /// Where it comes from that figures go back, by the reason.
    #[serde(default)]
    pub rejoin: BTreeMap<RejoinName, RejoinWire>,
    /// Who may not put out figures, and why.
    #[serde(default)]
    pub bar: Vec<BarWire>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// Why figures go back to their unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RejoinName {
    /// They were ordered to.
    Ordered,
    /// Their unit forms up in a formation that gathers all its figures.
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

/// Where a reason to go back comes from.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RejoinWire {
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why, where no clause says so.
    #[serde(default)]
    pub note: Option<String>,
}

/// What becomes of figures that stray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StrayName {
    /// They go back to their unit.
    #[default]
    Return,
    /// They are lost.
    Lose,
}

/// How many figures some types of unit may put out. Give one of `most`, `share` and `all`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ScreenWire {
    /// Its name.
    pub id: String,
    /// The unit types.
    pub units: Vec<String>,
    /// The formation in which the figures stand.
    pub formation: String,
    /// So many.
    #[serde(default)]
    pub most: Option<u16>,
    /// One in so many, rounded down.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub share: Option<u16>,
    /// Any number, as long as one figure stays.
    #[serde(default)]
    pub all: bool,
    /// `most` holds for units of at least so many figures; smaller ones may put out one.
    #[serde(default)]
    pub from: Option<u16>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
