//! Events about generals.

use grognard_dice::Shown;

use crate::state::UnitId;

/// Where a command's points come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Its general, an index into [`crate::state::battle::Setup::generals`].
    pub general: u8,
    /// The command, an index into [`crate::state::battle::Battle::commands`].
    pub command: u8,
    /// His allotment: a die by the plan, or the average.
    pub allotted: u16,
    /// The superior who reduces it to nothing.
    pub spoiled: Option<u8>,
    /// The generals who add to it.
    pub aided: Vec<u8>,
    /// The final points of the command.
    pub points: u16,
}

/// How terrain and enemies changed the ride of a general.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RideFacts {
    /// The rows of `general.halved` that halved his move, one bit each.
    pub halved: u64,
    /// The rows of `general.halved` in front of whose terrain he stopped because half his move would not take him that
    /// far, one bit each.
    pub short: u64,
    /// The rows of `general.closed` that stopped him, one bit each.
    pub closed: u64,
    /// Whether an enemy stopped him.
    pub enemy: bool,
    /// Whether he has gone farther than he could off the road.
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
    /// A command has its points.
    Shared(Share),
    /// The general of a command is lost, and it has no points.
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
        /// How far.
        distance: i32,
        /// How terrain and enemies changed his ride.
        facts: RideFacts,
    },
    /// A general is with a unit from now on.
    Joined {
        /// The general.
        general: u8,
        /// The unit.
        unit: UnitId,
        /// How far he rode to it.
        distance: i32,
        /// How terrain and enemies changed his ride.
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
