//! Who bears the losses of a simultaneous phase, as files write it.

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
    /// The side that has hit.
    Shooter,
    /// Dice.
    Random,
}

/// Which units bear the losses that a side suffers in a simultaneous phase. Hits fall one by one, each on a unit that still has figures.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct CasualtiesWire {
    /// Who picks the unit that takes the next hit.
    pub by: PickedByName,
    /// Unit types in the order in which they take hits. `"sustain"` stands for every unit that has more than one figure, and so is not
    /// lost by the hit. Types that are not named take no hits.
    pub order: Option<Vec<String>>,
    /// In the place of `order`: the unit for which this formula is least takes the hit. Reads `self`.
    pub least: Option<String>,
    /// How likely each unit is to be hit, compared with the others, where dice pick: a formula of at most 100. Reads `self`. Left out: all are
    /// as likely.
    pub chances: Option<String>,
    /// Which units can take hits. Reads `self`. Left out: all.
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    pub note: Option<String>,
}
