//! Fire zones, charge zones and support, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{CiteWire, FireZoneCitesWire};
use grognard_source::Inches;

/// Which units have a fire zone in front of them. The `zone` of a unit type gives its depth.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FireZoneWire {
    /// The units that have one. Reads `self`, and the enemy in the zone as `foe`. Default: all that are not broken.
    pub when: Option<String>,
    /// Clauses that it implements.
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    pub cites: FireZoneCitesWire,
    /// The reason for this value, if no clause gives it.
    pub note: Option<String>,
}

/// The zone in front of a unit that has declared a charge, as deep as its move.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChargeZoneWire {
    /// The chargers that have one. Reads `self`, and the enemy in the zone as `foe`. Default: all.
    pub when: Option<String>,
    /// The units in it that may not march in their own next half-turn. Reads `self`. Default: none.
    pub holds: Option<String>,
    /// Clauses that it implements.
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    pub note: Option<String>,
}

/// How near a friend behind a unit must be to count.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SupportWire {
    /// The distance from the rear edge, in inches.
    pub gap: Inches,
    /// Which units stack, one behind another. Reads `self` (the one in front) and `foe` (the one behind it). Default:
    /// all in formations that have a `shape`.
    #[serde(default)]
    pub stacks: Option<String>,
    /// Which units directly behind another support it, as in `self.supported`. Reads `self` (the one in front) and
    /// `foe` (the one behind it). Default: all.
    #[serde(default)]
    pub supports: Option<String>,
    /// Which units directly behind another go with it when it charges or marches straight ahead. Reads `self` and `foe`
    /// (the one in front). Default: none.
    #[serde(default)]
    pub follows: Option<String>,
    /// Which friends ahead of it a unit may follow. Reads `self` (the one behind) and `foe` (the friend). Default:
    /// none.
    #[serde(default)]
    pub leads: Option<String>,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// How the figures behind the front rank are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeName {
    /// No figures behind the front rank.
    Line,
    /// Some figures behind the front rank, but no more than in it.
    Shallow,
    /// More figures behind the front rank than in it.
    Deep,
}
