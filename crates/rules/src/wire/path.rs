//! Paths of several legs, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use grognard_source::Inches;

/// One leg of a path. Give exactly one key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LegWire {
    /// Inches to march straight ahead.
    pub march: Option<Inches>,
    /// Degrees to wheel; clockwise is positive.
    #[schemars(range(min = -180, max = 180))]
    pub wheel: Option<i16>,
}
