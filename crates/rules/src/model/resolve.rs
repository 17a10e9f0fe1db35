//! What decides a combat.

use super::Source;
use grognard_expr::Lookup;

/// Something that counts for a side when a combat is resolved.
#[derive(Debug)]
pub struct Bonus {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// 1 for a unit that provides it; `None` means all do.
    pub when: Option<Lookup>,
    /// The value for a unit.
    pub add: Lookup,
    /// Whether the enemy's units provide it.
    pub of_foes: bool,
    /// Whether only the highest value counts.
    pub most: bool,
    /// Its source.
    pub source: Source,
}

/// How a phase resolves combats.
#[derive(Debug)]
pub struct Resolution {
    /// The counter that is set to the lead of a unit's side, an index into [`Rules::counters`](super::Rules::counters).
    pub into: u8,
    /// The bonuses that count.
    pub bonuses: Vec<Bonus>,
}
