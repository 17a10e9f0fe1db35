//! Compiled arrivals.

use super::{KindId, RollId, Site, Source};

pub use crate::wire::{CalledName as Called, EdgeName as Edge};

/// Arrivals of units that start off the table.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The roll that decides whether a unit arrives; `None` means the turn alone decides.
    pub roll: Option<ArrivalRoll>,
    /// Where units that a result calls come on; `None` means no result calls any.
    pub called: Option<Called>,
    /// The types that results call.
    pub calls: Vec<KindId>,
    /// Whether units that have yet to arrive count as units of their side.
    pub counts: bool,
    /// Its source.
    pub source: Source,
}

/// A roll that decides whether a unit arrives.
#[derive(Clone, Debug)]
pub struct ArrivalRoll {
    /// The roll.
    pub roll: RollId,
    /// Indices into [`Roll::results`](super::Roll::results) of the results with which the unit arrives, each with the
    /// edge of the table; `None` means at its own position.
    pub comes: Vec<(u16, Option<Edge>)>,
    /// The site of its dice.
    pub site: Site,
}
