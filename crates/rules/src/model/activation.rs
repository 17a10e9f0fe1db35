//! Compiled turn order: who has the initiative and, if units go one at a time, which unit goes next.

use super::{RollId, Site, Source};
use grognard_expr::Lookup;
use grognard_roll::RollTable;

pub use crate::wire::InitiativeTiesName as InitiativeTies;
pub use crate::wire::PriorityTiesName as PriorityTies;

/// The maximum number of activations in a turn. Each has its own dice.
pub const ACTIVATIONS_MAX: u8 = 128;

/// Who goes next. A unit that is activated plays all phases before the next one is.
#[derive(Debug)]
pub struct TurnOrder {
    /// What decides who goes next.
    pub next: Next,
    /// Who has the initiative; `None` means the side that comes first in the study.
    pub initiative: Option<Initiative>,
    /// The roll that a unit must pass to act; `None` means it acts.
    pub test: Option<ActivationTest>,
    /// 1 for a unit that can be activated; `None` means all can.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

impl TurnOrder {
    /// Whether units go one at a time.
    #[inline]
    #[must_use]
    pub fn goes_by_unit(&self) -> bool {
        !matches!(self.next, Next::Halves)
    }

    /// The maximum number of activations in a turn with this many sides and units; chips without effect count as well.
    #[must_use]
    pub fn activations(&self, sides: u32, units: u32) -> u32 {
        match &self.next {
            Next::Drawn(bag) => bag.draws(sides, units),
            Next::HalvesOfUnits => units * (1 + self.test.as_ref().map_or(0, |test| u32::from(test.again))),
            Next::Halves | Next::Alternate { .. } | Next::Priority(_) => units,
        }
    }
}

/// What decides who goes next.
#[derive(Debug)]
pub enum Next {
    /// Each side has its own half of the turn, in which all its units play each phase together.
    Halves,
    /// Each side has its own half of the turn, in which its units go one at a time.
    HalvesOfUnits,
    /// Chips drawn from a bag.
    Drawn(Bag),
    /// The sides take turns.
    Alternate {
        /// The number of units that a side activates before the other side goes.
        units: u8,
        /// The source of this rule.
        source: Source,
    },
    /// The unit with the highest value.
    Priority(Priority),
}

/// Units that go in the order of a value.
#[derive(Debug)]
pub struct Priority {
    /// The unit for which this is greatest goes next.
    pub value: Lookup,
    /// Which side goes first if units of both sides tie for the highest value.
    pub ties: PriorityTies,
    /// The site of the dice that break such ties.
    pub site: Site,
    /// Its source.
    pub source: Source,
}

/// A roll by both sides at the start of a turn.
#[derive(Debug)]
pub struct Initiative {
    /// The dice of each side; a class of the table is their result.
    pub odds: RollTable,
    /// The number that a side adds: the greatest among its units; `None` means nothing.
    pub add: Option<Lookup>,
    /// Who has it if both sides roll the same.
    pub ties: InitiativeTies,
    /// The site of the dice.
    pub site: Site,
    /// Its source.
    pub source: Source,
}

/// A roll that a unit takes when it is activated.
#[derive(Debug)]
pub struct ActivationTest {
    /// The roll.
    pub roll: RollId,
    /// Indices into [`Roll::results`](super::Roll::results) of the results with which it fails.
    pub fails: Vec<u16>,
    /// The number of failures that ends a half of the turn; `None` means no number does.
    pub failures: Option<u8>,
    /// How many more times a unit that has acted may be activated again immediately.
    pub again: u8,
    /// 1 for a unit that must roll; `None` means all must.
    pub when: Option<Lookup>,
    /// The site of its dice.
    pub site: Site,
    /// Its source.
    pub source: Source,
}

/// A bag of chips, filled at the start of a turn.
#[derive(Debug)]
pub struct Bag {
    /// The chips in it.
    pub chips: Chips,
    /// Whether a unit can be activated more than once in a turn.
    pub again: bool,
    /// The number of end-of-turn chips.
    pub ends: u8,
    /// How many of these must be drawn to end the turn.
    pub after: u8,
    /// Whether the chips of units that fall before they have acted stay in the bag.
    pub stays: bool,
    /// The site of its dice.
    pub site: Site,
    /// Its source.
    pub source: Source,
    /// The source of the rule that chips are taken out.
    pub fallen_source: Source,
}

impl Bag {
    /// The maximum number of chips drawn in a turn with this many sides and units.
    #[must_use]
    pub fn draws(&self, sides: u32, units: u32) -> u32 {
        let chips = match &self.chips {
            Chips::OfSide(chips) => sides * u32::from(*chips),
            Chips::OfUnits(chips) => units * chips.range().1.max(0) as u32,
            Chips::Named => units,
        };
        // The last chip that is drawn is one of these, or the one that ends the turn.
        chips + if self.ends > 0 { u32::from(self.after) - 1 } else { 0 }
    }
}

/// The chips of a bag.
#[derive(Debug)]
pub enum Chips {
    /// Each side has this number.
    OfSide(u8),
    /// Each unit puts in this many for its side.
    OfUnits(Lookup),
    /// Each unit has one of its own.
    Named,
}
