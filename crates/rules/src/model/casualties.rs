//! Compiled casualties: which units bear the losses of a simultaneous phase.

use super::{Site, Source};
use grognard_expr::Lookup;

/// Who picks the unit that takes the next hit.
pub type PickedBy = crate::wire::PickedByName;

/// An entry of an order in which units take hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// Every unit that has more than one figure.
    Sustains,
    /// Every unit of this type, an index into [`Rules::kinds`](super::Rules::kinds).
    Kind(u8),
}

/// What makes one unit take a hit before another.
#[derive(Clone, Debug)]
pub enum HitFirst {
    /// The first entry that a unit fits; a unit that fits none takes no hits.
    Order(Vec<Bearer>),
    /// The least value of a formula.
    Least(Lookup),
    /// Nothing: dice pick. How likely each unit is; `None` means all are as likely.
    Chances(Option<Lookup>),
}

/// Which units bear the losses of a simultaneous phase.
#[derive(Debug)]
pub struct Casualties {
    /// Who picks.
    pub by: PickedBy,
    /// Who takes a hit first, by the rules or where a doctrine says nothing else.
    pub first: HitFirst,
    /// 1 for a unit that can take hits; `None` means all can.
    pub when: Option<Lookup>,
    /// Where the dice lie that pick. Unused where none do.
    pub site: Site,
    /// Where it comes from.
    pub source: Source,
}
