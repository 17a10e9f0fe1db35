//! Compiled casualties: which units bear the losses of a simultaneous phase.

use super::{KindId, Site, Source};
use grognard_expr::Lookup;

/// Who picks the unit that takes the next hit.
pub type PickedBy = crate::wire::PickedByName;

/// An entry of an order in which units take hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// Every unit that has more than one figure.
    Sustains,
    /// Every unit of this type, an index into [`Rules::kinds`](super::Rules::kinds).
    Kind(KindId),
}

/// The rule that decides which unit takes a hit first.
#[derive(Clone, Debug)]
pub enum HitFirst {
    /// The first entry that a unit fits; a unit that fits none takes no hits.
    Order(Vec<Bearer>),
    /// The unit with the lowest value of a formula.
    Least(Lookup),
    /// Dice pick, with this relative chance for each unit; `None` means all are equally likely.
    Chances(Option<Lookup>),
}

/// Which units bear the losses of a simultaneous phase.
#[derive(Debug)]
pub struct Casualties {
    /// Who picks.
    pub by: PickedBy,
    /// The unit that takes a hit first, by the rules or if the doctrine has no preference.
    pub first: HitFirst,
    /// 1 for a unit that can take hits; `None` means all can.
    pub when: Option<Lookup>,
    /// The site of the dice that pick. Unused if no dice do.
    pub site: Site,
    /// Its source.
    pub source: Source,
}
