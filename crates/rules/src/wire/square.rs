//! Squares of several units, as files write them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::CitedWire;
use super::cite::{CiteWire, SquareCitesWire};

/// Who may join a square that it touches, at the start of a move or at its end.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SquareWire {
    /// Who joins whom. Reads `self` and `foe` (the unit in whose square it would stand).
    pub when: String,
    /// Figures of the square that make room for one cannon, or part of so many.
    #[schemars(range(min = 1, max = 20))]
    pub figures_per_cannon: u16,
    /// Where it comes from that those inside share the morale of the unit in whose square they stand.
    #[serde(default)]
    pub shares: CitedWire,
    /// Where it comes from how far a square of several units moves.
    #[serde(default)]
    pub pace: CitedWire,
    /// Clauses that say so.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Clauses behind single keys, where these have clauses of their own.
    #[serde(default)]
    pub cites: SquareCitesWire,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
