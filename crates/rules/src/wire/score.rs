//! Symbols that count only in some situations, and hits and flags that are not yet losses.

use schemars::JsonSchema;
use serde::Deserialize;

use super::roll::{FaceWire, IntOrExpr};

/// Faces of a `symbols` roll that count towards a total only in some situations.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TallyWire {
    /// The total towards which they count. Several rows may share one.
    pub total: String,
    /// The faces.
    pub faces: Vec<FaceWire>,
    /// When they count: a condition that reads the situation. Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// The index, from 0, of the face that counts: a formula over the situation. Default: all of them.
    #[serde(default)]
    pub pick: Option<String>,
}

/// Hits and flags that the struck unit may still ignore or change, as formulas over the roll's totals.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ScoreWire {
    /// Hits by the unit's own symbol.
    pub colours: Option<IntOrExpr>,
    /// Hits by swords.
    pub swords: Option<IntOrExpr>,
    /// Flags: each drives the unit back.
    pub flags: Option<IntOrExpr>,
}
