//! The side that goes first in a turn, and the unit that is activated if units go one at a time.

use crate::state::ids::UnitId;
use crate::state::side::{SIDES_MAX, Side};
use crate::state::unit_set::Units;

/// The state of a unit in a turn: whether it has acted, is activated now, and may be activated again.
pub(crate) type Standing = (bool, bool, bool);

/// The progress of a turn whose order the pack decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Acting {
    /// The side that goes first in this turn.
    pub leads: Side,
    /// Whether the turn has begun.
    pub begun: bool,
    /// The activated unit; `None` between two activations.
    pub unit: Option<UnitId>,
    /// The number of completed activations in this turn, including those without effect.
    pub count: u8,
    /// The number of each side's chips in the bag.
    pub chips: [u16; SIDES_MAX],
    /// The number of chips drawn so far that end the turn.
    pub ends: u8,
    /// The number of consecutive activations so far, of the side or of the unit that may continue.
    pub row: u8,
    /// The unit that may be activated again.
    pub last: Option<UnitId>,
    /// The number of failed activations in this half of the turn.
    pub failures: u8,
    /// The units that may not be activated again in this turn.
    pub(crate) done: Units,
}

impl Acting {
    /// The state of a unit in this turn.
    pub(crate) fn standing(&self, id: UnitId) -> Standing {
        (self.done.has(id), self.unit == Some(id), self.last == Some(id))
    }

    /// The stage of the turn for the address of dice, different for each activation.
    #[inline]
    pub(crate) fn stage(&self, moment: u8, again: bool, phases: usize) -> u16 {
        let moments = phases as u16 + 1;
        (u16::from(self.count) * moments + u16::from(moment)) * 2 + u16::from(again)
    }
}
