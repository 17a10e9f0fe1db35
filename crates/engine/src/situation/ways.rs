//! Facts about a planned path, for conditions.

use grognard_rules::situation::WayFact;

/// The facts about a path that conditions can read, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WayFacts(u32);

impl WayFacts {
    pub(crate) fn has(self, fact: WayFact) -> bool {
        self.0 & (1 << fact as u32) != 0
    }

    pub(crate) fn note(&mut self, fact: WayFact, holds: bool) {
        self.0 |= u32::from(holds) << fact as u32;
    }
}
