//! The resolution of combats, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::IntOrExpr;

/// Which side's units count for a bonus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CountedName {
    /// The side's own units in the combat.
    #[default]
    Own,
    /// The enemy's units in the combat, for the damage they have taken.
    Foe,
}

/// How the bonuses of several units of a side are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TogetherName {
    /// They are added up.
    #[default]
    Sum,
    /// Only the highest counts.
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
    /// The units that provide it. Reads `self` and `foe`, the nearest enemy in the combat. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Its value: a number or a formula.
    pub add: IntOrExpr,
    /// Which side's units provide it: `"foe"` for damage that the enemy has taken. `self` is then the enemy's unit.
    #[serde(default)]
    pub of: CountedName,
    /// Whether the values of several units are added up, or only the highest counts.
    #[serde(default)]
    pub take: TogetherName,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}
