//! Paths of several legs as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

use grognard_source::Inches;

/// One leg of a path. Give one key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LegWire {
    /// Inches to march straight ahead.
    #[serde(default)]
    pub march: Option<Inches>,
    /// Degrees to wheel; clockwise is positive.
    #[serde(default)]
    #[schemars(range(min = -180, max = 180))]
    pub wheel: Option<i16>,
}
