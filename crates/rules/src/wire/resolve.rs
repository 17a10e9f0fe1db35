//! What decides a combat, as files write it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::IntOrExpr;

/// Whose units a bonus is counted over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CountedName {
    /// The side's own units in the combat.
    #[default]
    Own,
    /// The enemy's units in it: what these have suffered.
    Foe,
}

/// How the units of a side bring a bonus together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TogetherName {
    /// Their numbers are added up.
    #[default]
    Sum,
    /// The greatest of them counts.
    Most,
}

/// Something that counts for a side when a combat is resolved.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BonusWire {
    /// Its name.
    pub id: String,
    /// The word for it in the narration. Default: its name.
    #[serde(default)]
    pub title: Option<String>,
    /// The units that bring it. Reads `self`, and `foe`, the nearest enemy in the combat. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// What it counts: a number or a formula.
    pub add: IntOrExpr,
    /// Whose units bring it: `"foe"` for what the enemy has suffered. `self` is then the enemy's unit.
    #[serde(default)]
    pub of: CountedName,
    /// Whether the numbers of several units are added up, or the greatest counts.
    #[serde(default)]
    pub take: TogetherName,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}
