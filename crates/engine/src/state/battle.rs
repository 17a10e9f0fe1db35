//! The state of a battle: small, plain, comparable.

use std::cmp::Ordering;

use arrayvec::ArrayVec;
use grognard_rules::model::{Generals, OBJECTIVES_MAX, Role, Rules};

use crate::geometry::plane::{Heading, Point};
use crate::state::acting::{Acting, Standing};
use crate::state::general::{GENERALS_MAX, General, Plans, Post};
use crate::state::hex::Cards;
use crate::state::side::{BySide, Side};
use crate::state::terrain::Piece;
use crate::state::unit::{Flags, UNITS_MAX, Unit, UnitId};
use crate::state::unit_set::Units;

/// The most commands in a battle, both sides together.
pub const COMMANDS_MAX: usize = 16;

/// A group of units with one order and one mode of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Command {
    /// Whose it is.
    pub side: Side,
    /// Its order, an index into the pack's orders.
    pub order: u8,
    /// Its mode of movement, an index into the pack's modes.
    pub mode: u8,
    /// Whether it counts as shaken in tests because of its mode.
    pub unsettled: bool,
    /// Points that it has left, where generals bring them.
    pub points: u16,
    /// The unit that its general was with when the points were shared out: orders to other units cost more.
    pub busy: Option<UnitId>,
}

/// Which side is at an objective, and which holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hold {
    /// The side that was there alone when the last game turn ended.
    pub there: Option<Side>,
    /// The number of consecutive turns, as far as the pack counts them.
    pub turns: u8,
    /// The side that holds it.
    pub owner: Option<Side>,
}

/// The holders of the objectives, and the points for holding them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Holdings {
    /// Points for ground held at the ends of game turns.
    pub scores: BySide<i16>,
    /// The objectives, in the order of [`Setup::objectives`].
    pub held: ArrayVec<Hold, OBJECTIVES_MAX>,
}

impl Holdings {
    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.scores = other.scores;
        if !self.held.is_empty() || !other.held.is_empty() {
            self.held.clone_from(&other.held);
        }
    }
}

/// An objective: a marker on the ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectivePost {
    /// Its name.
    pub name: String,
    /// Where it is; on hexes axial coordinates.
    pub at: Point,
    /// The factor by which points for it are multiplied.
    pub worth: u8,
}

/// A battle between two steps. Two battles that are equal here have the same future.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    /// Game turn, from 1.
    pub turn: u8,
    /// The side whose half-turn it is.
    pub active: Side,
    /// The phase to be played next, an index into [`Rules::phases`].
    pub phase: u8,
    /// Orders the active side may still give in this half of the turn; [`u16::MAX`] where there is no limit.
    pub orders: u16,
    /// The number of units of the first side.
    pub first_units: u8,
    /// The commands; empty for packs without commands.
    pub commands: ArrayVec<Command, COMMANDS_MAX>,
    /// The generals; empty if the study places none.
    pub generals: ArrayVec<General, GENERALS_MAX>,
    /// The cards, if there are any.
    pub cards: Cards,
    /// The holders of objectives, and the points for holding them.
    pub points: Holdings,
    /// The progress of the turn, if the pack decides its order; otherwise `None`.
    pub acting: Option<Box<Acting>>,
    /// The units: the first side's, then the second's.
    pub units: ArrayVec<Unit, UNITS_MAX>,
}

impl Battle {
    /// Copies another battle into this one. The unit list has far more capacity than units, and a clone would copy all
    /// of it.
    pub fn copy_from(&mut self, other: &Self) {
        // Taken apart by name, so that a field added to the state is not forgotten here.
        let &Self {
            turn,
            active,
            phase,
            orders,
            first_units,
            ref commands,
            cards,
            ref points,
            ref acting,
            ref units,
            ref generals,
        } = other;
        self.points.copy_from(points);
        self.acting.clone_from(acting);
        (self.turn, self.active, self.phase, self.orders) = (turn, active, phase, orders);
        (self.first_units, self.cards) = (first_units, cards);
        self.commands.clone_from(commands);
        self.units.clone_from(units);
        self.generals.clone_from(generals);
    }

    /// The side that goes first in this turn.
    #[inline]
    #[must_use]
    pub fn leads(&self) -> Side {
        self.acting.as_deref().map_or(Side::First, |acting| acting.leads)
    }

    /// Whether a unit can no longer be activated in this turn.
    pub(crate) fn has_acted(&self, id: UnitId) -> bool {
        self.acting.as_deref().is_some_and(|acting| acting.done.has(id))
    }

    /// How a unit stands in this turn.
    pub(crate) fn standing(&self, id: UnitId) -> Standing {
        self.acting.as_deref().map(|acting| acting.standing(id)).unwrap_or_default()
    }

    /// Whether a unit takes part in what its side does now. Where units go one at a time, only the activated unit of the active side does,
    /// with its parts.
    #[inline]
    pub(crate) fn takes_part(&self, id: UnitId) -> bool {
        let Some(activated) = self.acting.as_deref().and_then(|acting| acting.unit) else { return true };
        let unit = self.unit(id);
        unit.side != self.active || id == activated || unit.kin == activated || unit.hex.mate == activated.0
    }

    /// The places of one side's units.
    pub fn side(&self, side: Side) -> impl Iterator<Item = UnitId> + Clone + use<> {
        let range = match side {
            Side::First => 0..self.first_units,
            Side::Second => self.first_units..self.units.len() as u8,
        };
        range.map(UnitId)
    }

    /// The same as a set.
    #[inline]
    pub(crate) fn units_of(&self, side: Side) -> Units {
        let first = Units::first(usize::from(self.first_units));
        match side {
            Side::First => first,
            Side::Second => Units::ALL.but(first),
        }
    }

    /// Whether a unit is a part of another one: its screen, or the crew of its guns.
    pub(crate) fn is_part(&self, id: UnitId) -> bool {
        self.unit(id).flags.has(Flags::SCREEN)
    }

    /// Whether a unit is the crew of a battery or a train apart from its base.
    #[must_use]
    pub fn is_crew(&self, rules: &Rules, unit: &Unit) -> bool {
        unit.flags.has(Flags::SCREEN) && rules.kinds[usize::from(self.unit(unit.kin).kind)].cannon > 0
    }

    /// Whether a unit is the screen of another one: not a crew.
    #[inline]
    #[must_use]
    pub(crate) fn is_screen(&self, rules: &Rules, unit: &Unit) -> bool {
        unit.flags.has(Flags::SCREEN) && !self.is_crew(rules, unit)
    }

    /// The command a unit belongs to, if there are commands.
    #[inline]
    #[must_use]
    pub fn command_of(&self, unit: &Unit) -> Option<Command> {
        self.commands.get(usize::from(unit.command)).copied()
    }

    /// A unit.
    #[inline]
    #[must_use]
    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.index()]
    }

    #[inline]
    pub(crate) fn unit_mut(&mut self, id: UnitId) -> &mut Unit {
        &mut self.units[id.index()]
    }
}

/// When a unit arrives that does not start on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrives {
    /// In this turn, or from this turn.
    From(u8),
    /// When the result of a roll calls it.
    Called,
    /// When another unit of its type splits: until then it is a place for the part.
    Split,
}

/// A battle ready to start, checked so that `fight` need not refuse it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The state in which every battle begins.
    pub start: Battle,
    /// The last game turn.
    pub turns: u8,
    /// Whether any unit may have a screen.
    pub screens: bool,
    /// When each unit arrives; `None` if it starts on the table. Empty if all do.
    pub arrivals: Vec<Option<Arrives>>,
    /// The pieces of terrain; where they overlap, the last is on top.
    pub terrain: Vec<Piece>,
    /// The fixed part of [`Battle::generals`].
    pub generals: Vec<Post>,
    /// The plans by which dice are allotted to them.
    pub plans: Plans,
    /// The objectives.
    pub objectives: Vec<ObjectivePost>,
    /// The sides' names.
    pub names: BySide<String>,
    /// Sides that choose at random: all offers are equally likely.
    pub random: BySide<bool>,
}

impl Setup {
    /// The generals of a command: the first one and his replacements.
    pub(crate) fn commanders(&self, rules: &Generals, command: u8) -> impl Iterator<Item = usize> {
        let commands = move |post: &Post| post.command == command && post.rank(rules).role == Role::Commands;
        self.generals.iter().enumerate().filter(move |(_, post)| commands(post)).map(|(index, _)| index)
    }

    /// The first general of a command, whose name plans use.
    pub(crate) fn first_commander(&self, rules: &Generals, command: u8) -> Option<usize> {
        self.senior(self.commanders(rules, command))
    }

    /// The first of these generals to arrive; of several that arrive together, the first in the study.
    fn senior(&self, generals: impl Iterator<Item = usize>) -> Option<usize> {
        generals.min_by_key(|&index| (self.generals[index].arrives.max(1), index))
    }

    /// The heading towards a side's own table edge: the one behind its units as deployed, by the sum of their headings. If that decides
    /// nothing, it is the edge on their side of the enemy, along the axis on which the two sides are farther apart.
    pub(crate) fn home(&self, side: Side) -> Heading {
        let of = |side: Side| self.start.side(side).map(|id| self.start.unit(id));
        let add = |(x, y): (i64, i64), (east, north): (i64, i64)| (x + east, y + north);
        let forward = of(side).map(|unit| unit.heading.forward()).fold((0, 0), add);
        let sum = |side: Side| of(side).map(|unit| (unit.front.x.into(), unit.front.y.into())).fold((0, 0), add);
        let count = |side: Side| of(side).count().max(1) as i64;
        let (own, other) = (sum(side), sum(side.other()));
        let beyond = |own: i64, other: i64| own * count(side.other()) - other * count(side);
        let apart = (beyond(own.0, other.0), beyond(own.1, other.1));
        let across = match forward.0.abs().cmp(&forward.1.abs()) {
            Ordering::Equal => apart.0.abs() > apart.1.abs(),
            facing => facing.is_gt(),
        };
        let (forward, apart, edge) = if across {
            (forward.0, apart.0, Heading::NORTH.turned(900))
        } else {
            (forward.1, apart.1, Heading::NORTH)
        };
        if forward < 0 || (forward == 0 && apart > 0) { edge } else { edge.reversed() }
    }
}

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

    /// The general of a command: the first to arrive of its generals who are present, or else the first who may replace
    /// him. `None` if there is none.
    pub(crate) fn in_command(&self, rules: &Generals, setup: &Setup, command: u8) -> Option<usize> {
        let side = self.commands[usize::from(command)].side;
        let there = |index: &usize| self.serves(setup, side, *index);
        let own = setup.senior(setup.commanders(rules, command).filter(there));
        own.or_else(|| {
            (0..setup.generals.len()).filter(there).find(|&index| setup.generals[index].rank(rules).succeeds)
        })
    }
}
