//! Numbers for shock combat, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// The number of figures with which a unit fights when it is struck outside its front.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlankedWire {
    /// The maximum number of figures.
    #[schemars(range(min = 0, max = 200))]
    pub figures: u16,
    /// The units to which this applies. Reads `self`. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}
