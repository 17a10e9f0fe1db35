//! Generals: who they are, where they stand, with whom, and what points their commands have.

use grognard_rules::model::{Generals, Grade, Rank, Role, Rules};

use crate::geometry::plane::{Heading, Point, Rect};
use crate::state::battle::{Battle, Setup, UnitId};
use crate::state::side::{BySide, Side};

/// The most generals in a battle, both sides together.
pub const GENERALS_MAX: usize = 16;

/// What does not change of a general.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// His name.
    pub name: String,
    /// Whose he is.
    pub side: Side,
    /// An index into [`Generals::ranks`].
    pub rank: u8,
    /// An index into the grades of his rank; none: ordinary.
    pub grade: Option<u8>,
    /// The command he has, or belongs to: an index into [`Battle::commands`].
    pub command: u8,
    /// The turn in which he and, if he commands, his units come on the table; 1 or less: they begin on it.
    pub arrives: u8,
}

impl Post {
    /// His rank.
    #[must_use]
    pub fn rank<'r>(&self, generals: &'r Generals) -> &'r Rank {
        &generals.ranks[usize::from(self.rank)]
    }

    /// How good he is; none: ordinary.
    #[must_use]
    pub fn grade<'r>(&self, generals: &'r Generals) -> Option<&'r Grade> {
        self.rank(generals).grades.get(usize::from(self.grade?))
    }
}

/// A general on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct General {
    /// The middle of his base; of no meaning while he is with a unit.
    pub at: Point,
    /// The unit that he is with.
    pub with: Option<UnitId>,
    /// Whether he has been lost.
    pub lost: bool,
    /// Turns for which his command is still to go without points, once he is lost.
    pub idle: u8,
}

/// A plan: who is allotted the highest die, who the next, as places in [`Setup::generals`]. None: everybody has the average.
pub type Plan = Option<Vec<u8>>;

/// A side's plans in their order, each with the turn in which it is announced; the first holds from the beginning.
pub type Plans = BySide<Vec<(u8, Plan)>>;

impl Battle {
    /// The general who is with a unit.
    #[inline]
    #[must_use]
    pub fn general_with(&self, unit: UnitId) -> Option<usize> {
        self.generals.iter().position(|general| general.with == Some(unit) && !general.lost)
    }

    /// Whether a general is on the table and a side's own.
    pub(crate) fn serves(&self, setup: &Setup, side: Side, index: usize) -> bool {
        let post = &setup.generals[index];
        post.side == side && !self.generals[index].lost && post.arrives <= self.turn
    }

    /// Who commands a command: its first general who is there to do so, or else the first of those over him. None: nobody.
    pub(crate) fn in_command(&self, rules: &Generals, setup: &Setup, command: u8) -> Option<usize> {
        let side = self.commands[usize::from(command)].side;
        let there = |index: &usize| self.serves(setup, side, *index);
        let own = (0..setup.generals.len()).filter(there).find(|&index| {
            let post = &setup.generals[index];
            post.command == command && post.rank(rules).role == Role::Commands
        });
        own.or_else(|| {
            (0..setup.generals.len())
                .filter(there)
                .find(|&index| setup.generals[index].rank(rules).role == Role::Assists)
        })
    }

    /// The ground of a general: his base, or that of the unit that he is with.
    pub(crate) fn ground_of(&self, rules: &Rules, index: usize) -> Rect {
        let general = &self.generals[index];
        match general.with {
            Some(unit) => self.unit(unit).rect(rules),
            None => base(rules, general.at),
        }
    }
}

/// The base of a general who stands here.
pub(crate) fn base(rules: &Rules, at: Point) -> Rect {
    let side = rules.generals.as_ref().map_or(0, |generals| generals.base);
    Rect::new(at.moved(Heading::NORTH, side / 2), Heading::NORTH, side, side)
}
