//! Compiled batteries and trains.

use super::{Bar, KindId, Source};
use grognard_expr::Lookup;

/// Crews and cannon.
#[derive(Clone, Debug)]
pub struct Battery {
    /// Crew figures at the start.
    pub crew: Option<Lookup>,
    /// 1 if losses fall on cannon; `None` means always.
    pub cannon_lost: Option<Lookup>,
    /// The number of hits from one roll that it takes to remove a crew figure.
    pub crew_hits: u16,
    /// The unit type of a crew that is away from its guns; `None` means it is off the table.
    pub apart: Option<KindId>,
    /// The conditions that disorder a battery while they are true.
    pub disordered: Vec<Bar>,
    /// Its source.
    pub source: Source,
    /// The source of the rule on how many crew figures there are.
    pub crew_source: Source,
    /// The source of the rule that losses fall on cannon.
    pub cannon_source: Source,
    /// The source of the rule that guns without a crew do nothing.
    pub crewless_source: Source,
}

/// Permission to take a formation at the end of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InMove {
    /// The movement that it costs, in hundredths of an inch.
    pub cost: i32,
    /// What forbids it.
    pub bars: Vec<Bar>,
    /// Its source.
    pub source: Source,
}

/// A change that takes a whole turn in which the unit stands still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slow {
    /// 1 if the change takes a whole turn.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}
