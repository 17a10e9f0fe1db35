//! How the losses of a simultaneous phase are divided among units, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// Who picks the unit that takes the next hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PickedByName {
    /// The rules: by `order` or `least`.
    #[default]
    Rules,
    /// The side that is hit.
    Owner,
    /// The side that scored the hit.
    Shooter,
    /// Dice.
    Random,
}

/// Which units take the losses that a side suffers in a simultaneous phase. Hits are allotted one by one, each to a
/// unit that still has figures.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CasualtiesWire {
    /// Who picks the unit that takes the next hit.
    pub by: PickedByName,
    /// Unit types in the order in which they take hits. `"sustain"` stands for every unit that has more than one figure
    /// and therefore survives the hit. Types that are not named take no hits.
    pub order: Option<Vec<String>>,
    /// Instead of `order`: the unit with the lowest value of this formula takes the hit. Reads `self`.
    pub least: Option<String>,
    /// The relative chance that each unit is hit, if dice pick: a formula, at most 100. Reads `self`. Default: all are
    /// equally likely.
    pub chances: Option<String>,
    /// Which units can take hits. Reads `self`. Default: all.
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    pub note: Option<String>,
}
