//! Rates of movement, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use grognard_source::Inches;

/// How far a unit may move in a formation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SpeedWire {
    /// A number of inches.
    Plain(Inches),
    /// A number of inches, with its source.
    Cited(CitedSpeedWire),
}

/// A number of inches, with the clauses that give it or open the formation to the unit.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CitedSpeedWire {
    /// The number of inches.
    pub inches: Inches,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

impl SpeedWire {
    /// Inches it may move.
    #[must_use]
    pub fn inches(&self) -> Inches {
        match self {
            Self::Plain(inches) | Self::Cited(CitedSpeedWire { inches, .. }) => *inches,
        }
    }
}
