//! Fire zones, charge zones and what stands close behind, as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{CiteWire, FireZoneCitesWire};
use grognard_source::Inches;

/// Which units own a fire zone before their front. How deep it is each unit type says with `zone`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FireZoneWire {
    /// Which units own one. Reads `self`, and the enemy in it as `foe`. Left out: all that are not broken.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: FireZoneCitesWire,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// The zone before the front of a unit that has declared a charge, as deep as its move.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChargeZoneWire {
    /// Which chargers cast one. Reads `self`, and the enemy in it as `foe`. Left out: all of them.
    #[serde(default)]
    pub when: Option<String>,
    /// Which units that were in it do not march up in their own next half-turn. Reads `self`. Left out: none.
    #[serde(default)]
    pub holds: Option<String>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// How near a friend must stand behind a unit to count.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SupportWire {
    /// Inches from the rear edge.
    pub gap: Inches,
    /// Which units stack one behind the other. Reads `self` (the one in front) and `foe` (the one behind it). Left out:
    /// all in formations that have a `shape`.
    #[serde(default)]
    pub stacks: Option<String>,
    /// Which units straight behind another one support it, as `self.supported` says. Reads `self` (the one in front) and `foe`
    /// (the one behind it). Left out: all.
    #[serde(default)]
    pub supports: Option<String>,
    /// Which units come up with one that they stand straight behind when it charges or marches straight ahead. Reads `self`
    /// and `foe` (the one in front). Left out: none.
    #[serde(default)]
    pub follows: Option<String>,
    /// Which friends ahead of a unit it may follow. Reads `self` (the one behind) and `foe` (the friend). Left out: none.
    #[serde(default)]
    pub leads: Option<String>,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// How the figures behind the front rank must stand to those in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ShapeName {
    /// None is behind.
    Line,
    /// Some are behind, but no more than in front.
    Shallow,
    /// More are behind than in front.
    Deep,
}
