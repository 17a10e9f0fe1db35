//! Events about generals.

use grognard_dice::Shown;

use crate::state::UnitId;

/// The sources of a command's points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its general: an index into [`crate::state::battle::Setup::generals`].
    pub general: u8,
    /// The command: an index into [`crate::state::battle::Battle::commands`].
    pub command: u8,
    /// The general's allotment: a die given by the plan, or the average.
    pub allotted: u16,
    /// The superior who reduces the allotment to nothing.
    pub spoiled: Option<u8>,
    /// The generals who add to the allotment.
    pub aided: Vec<u8>,
    /// The final points of the command.
    pub points: u16,
}

/// The effects of terrain and enemies on a general's ride.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RideFacts {
    /// The rows of `general.halved` that halved his move, one bit each.
    pub halved: u64,
    /// The rows of `general.halved`, one bit each, for terrain that stopped him because he would need more than half
    /// his move to enter it.
    pub short: u64,
    /// The rows of `general.closed` that stopped him, one bit each.
    pub closed: u64,
    /// Whether an enemy stopped him.
    pub enemy: bool,
    /// Whether he rode farther than he could have off the road.
    pub road: bool,
    /// Whether the road led him through area terrain.
    pub areas: bool,
}

impl RideFacts {
    /// Whether terrain or an enemy in front of him stopped him.
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.enemy || self.short | self.closed != 0
    }
}

/// Something that happened to a general.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GeneralEvent {
    /// A side has rolled for all its commanding generals.
    Threw {
        /// The faces, die by die.
        faces: Vec<Vec<Shown>>,
        /// Whether the dice are allotted by a plan.
        planned: bool,
    },
    /// A side changes its plan and has no points.
    Replans,
    /// A command has received its points.
    Shared(Share),
    /// A command has no points because its general is lost.
    Vacant {
        /// The lost general.
        general: u8,
    },
    /// A general stands in for one who is lost.
    StandsIn {
        /// The general who stands in.
        general: u8,
        /// The general who is lost.
        lost: u8,
    },
    /// A general rode this many hundredths of an inch.
    Rode {
        /// The general.
        general: u8,
        /// The distance, in hundredths of an inch.
        distance: i32,
        /// The effects of terrain and enemies on his ride.
        facts: RideFacts,
    },
    /// A general is with a unit from now on.
    Joined {
        /// The general.
        general: u8,
        /// The unit.
        unit: UnitId,
        /// The distance that he rode, in hundredths of an inch.
        distance: i32,
        /// The effects of terrain and enemies on his ride.
        facts: RideFacts,
    },
    /// A general has left the unit that he was with.
    Left {
        /// The general.
        general: u8,
        /// The unit.
        unit: UnitId,
    },
    /// The roll for a general whose unit has fled.
    Fate {
        /// The general.
        general: u8,
        /// The unit.
        unit: UnitId,
        /// The faces.
        faces: Vec<Shown>,
        /// Whether he is lost.
        lost: bool,
    },
    /// A general has left the table with his unit and is lost.
    Gone {
        /// The general.
        general: u8,
        /// The unit.
        unit: UnitId,
    },
}
