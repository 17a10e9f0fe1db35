//! Squares of several units, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::CitedWire;
use super::cite::{CiteWire, SquareCitesWire};

/// Which units may join a square that they touch, at the start or at the end of a move.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SquareWire {
    /// Which units may join which squares. Reads `self` and `foe` (the unit whose square it would join).
    pub when: String,
    /// The number of figures of the square that make room for one cannon; a remainder counts as a full group.
    #[schemars(range(min = 1, max = 20))]
    pub figures_per_cannon: u16,
    /// The source of the rule that units inside share the morale of the unit that forms the square.
    #[serde(default)]
    pub shares: CitedWire,
    /// The source of the rule on how far a square of several units moves.
    #[serde(default)]
    pub pace: CitedWire,
    /// The source of the rule on the losses of guns inside.
    #[serde(default)]
    pub guns: CitedWire,
    /// Clauses that it implements.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: SquareCitesWire,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
