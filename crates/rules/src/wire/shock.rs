//! What shock counts, as files write it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// With how many figures a unit fights that is struck where it shows no front.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlankedWire {
    /// At most so many figures.
    #[schemars(range(min = 0, max = 200))]
    pub figures: u16,
    /// Which units. Reads `self`. Left out: all of them.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}
