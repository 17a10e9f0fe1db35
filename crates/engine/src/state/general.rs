//! Generals: their ranks, positions and units, and the points of their commands.

use grognard_rules::model::{Generals, Grade, Rank, Rules};

use crate::geometry::plane::{Heading, Point, Rect};
use crate::state::ids::UnitId;
use crate::state::side::{BySide, Side};

/// The maximum number of generals in a battle, all sides together.
pub const GENERALS_MAX: usize = 16;

/// The fixed part of a general.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// His name.
    pub name: String,
    /// His side.
    pub side: Side,
    /// An index into [`Generals::ranks`].
    pub rank: u8,
    /// An index into the grades of his rank; `None` if he is ordinary.
    pub grade: Option<u8>,
    /// The command that he leads or belongs to: an index into [`Battle::commands`](crate::Battle::commands).
    pub command: u8,
    /// The turn in which he arrives on the table and, if he commands, his units with him; at most 1 if they start
    /// there.
    pub arrives: u8,
}

impl Post {
    /// His rank.
    #[must_use]
    pub fn rank<'r>(&self, generals: &'r Generals) -> &'r Rank {
        &generals.ranks[usize::from(self.rank)]
    }

    /// His grade; `None` if he is ordinary.
    #[must_use]
    pub fn grade<'r>(&self, generals: &'r Generals) -> Option<&'r Grade> {
        self.rank(generals).grades.get(usize::from(self.grade?))
    }
}

/// A general on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct General {
    /// The middle of his base; meaningless while he is with a unit.
    pub at: Point,
    /// The unit that he is with.
    pub with: Option<UnitId>,
    /// Whether he has been lost.
    pub lost: bool,
    /// The number of turns for which his command will still have no points after his loss.
    pub idle: u8,
}

/// A plan: the generals, as indices into [`Setup::generals`](crate::Setup::generals), in the order of their dice, best
/// first. `None` if each gets the average.
pub type Plan = Option<Vec<u8>>;

/// A side's plans in order, each with the turn in which it is announced. The first plan applies from the start.
pub type Plans = BySide<Vec<(u8, Plan)>>;

/// The base of a general at this point.
pub(crate) fn base(rules: &Rules, at: Point) -> Rect {
    let side = rules.generals.as_ref().map_or(0, |generals| generals.base);
    Rect::new(at.moved(Heading::NORTH, side / 2), Heading::NORTH, side, side)
}
