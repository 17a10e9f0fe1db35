//! The state of a battle: small, plain and comparable.

use std::cmp::Ordering;
use std::ops::Range;

use grognard_dice::LANES;
use grognard_rules::model::{Edge, Generals, Role, Rules};

use crate::geometry::plane::{Heading, Point};
use crate::state::acting::{Acting, Standing};
use crate::state::allowance::Allowance;
use crate::state::general::{General, Plans, Post};
use crate::state::hex::Cards;
use crate::state::ids::UnitId;
use crate::state::roads::Roads;
use crate::state::side::{BySide, SIDES_MAX, Side};
use crate::state::terrain::Piece;
use crate::state::unit::{Flags, Unit};
use crate::state::unit_set::Units;

/// The maximum number of commands in a battle, all sides together.
pub const COMMANDS_MAX: usize = 16;

/// A group of units with one order and one mode of movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Command {
    /// Its side.
    pub side: Side,
    /// Its order: an index into the pack's orders.
    pub order: u8,
    /// Its mode of movement: an index into the pack's modes.
    pub mode: u8,
    /// Whether it counts as shaken in tests because of its mode.
    pub unsettled: bool,
    /// The points that it has left, if generals provide points.
    pub points: u16,
    /// The unit that its general was with when the points were allotted. Orders to other units cost more.
    pub busy: Option<UnitId>,
}

/// The side at an objective, and the side that holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hold {
    /// The side that was there alone when the last game turn ended.
    pub there: Option<Side>,
    /// The number of consecutive turns for which it has been there, up to the pack's requirement.
    pub turns: u8,
    /// The side that holds it.
    pub owner: Option<Side>,
}

/// The holders of the objectives, and the points for holding them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Holdings {
    /// The points of each side for objectives held at the ends of game turns.
    pub scores: [i16; SIDES_MAX],
    /// The objectives, in the order of [`Setup::objectives`].
    pub held: Vec<Hold>,
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

/// An objective: a marker on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectivePost {
    /// Its name.
    pub name: String,
    /// Its position; on hexes, axial coordinates.
    pub at: Point,
    /// The factor by which points for it are multiplied.
    pub worth: u8,
}

/// The index ranges of each side's units in the list of a battle's units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Places {
    /// The index at which the units of each side begin, followed by the index at which the last side's units end.
    bounds: [u8; SIDES_MAX + 1],
    sides: u8,
}

impl Places {
    /// The index ranges of sides with these numbers of units.
    #[must_use]
    pub fn new(counts: &BySide<u8>) -> Self {
        let mut bounds = [0; SIDES_MAX + 1];
        let mut counted = counts.iter();
        for side in 0..SIDES_MAX {
            bounds[side + 1] = bounds[side] + counted.next().copied().unwrap_or(0);
        }
        Self { bounds, sides: counts.count() as u8 }
    }

    /// The number of sides.
    #[inline]
    #[must_use]
    pub const fn sides(&self) -> usize {
        self.sides as usize
    }

    /// The indices of a side's units.
    #[inline]
    #[must_use]
    pub const fn of(&self, side: Side) -> Range<u8> {
        self.bounds[side.index()]..self.bounds[side.index() + 1]
    }

    /// A side's units as a set.
    #[inline]
    fn set(&self, side: Side) -> Units {
        let Range { start, end } = self.of(side);
        Units::first(usize::from(end)).but(Units::first(usize::from(start)))
    }

    /// The number of lanes of dice from one of a side's lanes to its next: two for two sides, four for more.
    #[inline]
    const fn lanes(&self) -> u8 {
        if self.sides > 2 { SIDES_MAX as u8 } else { 2 }
    }
}

/// A battle between two steps. Two battles that are equal here have the same future.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    /// The game turn, from 1.
    pub turn: u8,
    /// The side whose half-turn it is.
    pub active: Side,
    /// The phase that is played next: an index into [`Rules::phases`].
    pub phase: u8,
    /// The orders that the active side may still give.
    pub orders: Allowance,
    /// The index ranges of each side's units in the list.
    pub places: Places,
    /// The sides that are out, as bits: they were beaten while others fought on.
    pub out: u8,
    /// The sides that were already out when the turn began, as bits; they do nothing in it.
    pub idle: u8,
    /// The commands; empty for packs without commands.
    pub commands: Vec<Command>,
    /// The generals; empty if the study places none.
    pub generals: Vec<General>,
    /// The cards, if there are any.
    pub cards: Cards,
    /// The holders of objectives, and the points for holding them.
    pub points: Holdings,
    /// The progress of the turn, if the pack decides its order; otherwise `None`.
    pub acting: Option<Box<Acting>>,
    /// The units: the first side's, then the second's, and so on.
    pub units: Vec<Unit>,
}

impl Battle {
    /// Copies another battle into this one, whose lists keep their memory. A clone would allocate new ones.
    pub fn copy_from(&mut self, other: &Self) {
        // Destructured by name, so that a new field of the state cannot be forgotten here.
        let &Self {
            turn,
            active,
            phase,
            orders,
            places,
            out,
            idle,
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
        (self.places, self.out, self.idle, self.cards) = (places, out, idle, cards);
        self.commands.clone_from(commands);
        self.units.clone_from(units);
        self.generals.clone_from(generals);
    }

    /// The side that goes first in this turn.
    #[inline]
    #[must_use]
    pub fn leads(&self) -> Side {
        let first = self.begins();
        if self.idle == 0 {
            first
        } else {
            self.sides_from(first).iter().copied().find(|&side| !self.idles(side)).unwrap_or(first)
        }
    }

    /// The side whose half of the turn comes first, even if it does nothing in it.
    #[inline]
    pub(crate) fn begins(&self) -> Side {
        self.acting.as_deref().map_or(Side::First, |acting| acting.leads)
    }

    /// Whether a side does nothing in this turn, because it was already out when the turn began.
    #[inline]
    pub(crate) fn idles(&self, side: Side) -> bool {
        self.idle >> side.index() & 1 == 1
    }

    /// The number of completed activations in this turn, including those without effect.
    pub(crate) fn activations(&self) -> u8 {
        self.acting.as_deref().map_or(0, |acting| acting.count)
    }

    /// Whether a unit can no longer be activated in this turn.
    pub(crate) fn has_acted(&self, id: UnitId) -> bool {
        self.acting.as_deref().is_some_and(|acting| acting.done.has(id))
    }

    /// The state of a unit in this turn.
    pub(crate) fn standing(&self, id: UnitId) -> Standing {
        self.acting.as_deref().map(|acting| acting.standing(id)).unwrap_or_default()
    }

    /// Whether a unit takes part in its side's current actions. If units go one at a time, only the activated unit of
    /// the active side does, with its parts.
    #[inline]
    pub(crate) fn takes_part(&self, id: UnitId) -> bool {
        let Some(activated) = self.acting.as_deref().and_then(|acting| acting.unit) else { return true };
        let unit = self.unit(id);
        unit.side != self.active || id == activated || unit.kin == activated || unit.hex.mate.is(activated)
    }

    /// The sides, in the order in which they move.
    #[inline]
    #[must_use]
    pub fn sides(&self) -> &'static [Side] {
        Side::first(self.places.sides())
    }

    /// The sides, in the order in which they move, beginning with this one.
    #[inline]
    pub(crate) fn sides_from(&self, side: Side) -> &'static [Side] {
        side.onwards(self.places.sides())
    }

    /// The enemies of a side, in the order in which they move after it.
    #[inline]
    pub(crate) fn rivals(&self, side: Side) -> &'static [Side] {
        &self.sides_from(side)[1..]
    }

    /// The side that has the next half of the turn, even if it does nothing in it; `None` after the last one.
    #[inline]
    pub(crate) fn follows(&self, side: Side) -> Option<Side> {
        let next = side.index() + 1;
        let next = Side::ALL[if next == self.places.sides() { 0 } else { next }];
        (next != self.begins()).then_some(next)
    }

    /// Whether no side does anything in this turn after this side's half.
    #[inline]
    pub(crate) fn is_last(&self, side: Side) -> bool {
        let mut after = self.follows(side);
        while let Some(next) = after.filter(|&next| self.idles(next)) {
            after = self.follows(next);
        }
        after.is_none()
    }

    /// Whether a side is out.
    #[inline]
    #[must_use]
    pub fn is_out(&self, side: Side) -> bool {
        self.out >> side.index() & 1 == 1
    }

    /// Whether the state records the turn in which a unit broke.
    #[inline]
    #[must_use]
    pub fn anybody_broke(&self) -> bool {
        self.units.iter().any(|unit| unit.broke > 0)
    }

    /// A value for each side.
    #[inline]
    pub fn by_side<T>(&self, make: impl FnMut(Side) -> T) -> BySide<T> {
        BySide::of(self.places.sides(), make)
    }

    /// The indices of one side's units.
    #[inline]
    pub fn side(&self, side: Side) -> impl Iterator<Item = UnitId> + Clone + use<> {
        self.places.of(side).map(UnitId)
    }

    /// The units of a side.
    #[inline]
    pub(crate) fn of_side(&self, side: Side) -> &[Unit] {
        let Range { start, end } = self.places.of(side);
        &self.units[usize::from(start)..usize::from(end)]
    }

    /// The indices of the units of all other sides.
    #[inline]
    pub fn enemies(&self, side: Side) -> impl Iterator<Item = UnitId> + Clone + use<> {
        let Range { start, end } = self.places.of(side);
        let own = end - start;
        // This is a single range, like that of a side's own units. Iterating over two ranges in a row is slower.
        (0..self.units.len() as u8 - own).map(move |place| UnitId(if place < start { place } else { place + own }))
    }

    /// The units of a side as a set.
    #[inline]
    pub(crate) fn units_of(&self, side: Side) -> Units {
        self.places.set(side)
    }

    /// The units of all other sides as a set.
    #[inline]
    pub(crate) fn enemy_units(&self, side: Side) -> Units {
        Units::ALL.but(self.places.set(side))
    }

    /// The lane of a unit's dice. The sides' lanes alternate, in the order of the units' numbers.
    #[inline]
    #[must_use]
    pub fn lane_of(&self, id: UnitId) -> u8 {
        let unit = self.unit(id);
        unit.number * self.places.lanes() + unit.side.index() as u8
    }

    /// One of a side's lanes. Successive numbers cycle through the lanes.
    pub(crate) fn cycled_lane(&self, side: Side, number: u16) -> u8 {
        let lanes = self.places.lanes();
        (number % u16::from(LANES / lanes)) as u8 * lanes + side.index() as u8
    }

    /// The lane of the dice that a side rolls for itself. It comes after the units' lanes.
    pub(crate) fn lane_of_side(&self, side: Side) -> u8 {
        LANES - self.places.lanes() + side.index() as u8
    }

    /// Whether a unit is a part of another one: its screen, or the crew of its guns.
    pub(crate) fn is_part(&self, id: UnitId) -> bool {
        self.unit(id).flags.has(Flags::SCREEN)
    }

    /// The unit whose square a unit is inside, or the unit itself if it is not in another unit's square.
    #[must_use]
    pub(crate) fn host_of(&self, id: UnitId) -> UnitId {
        let unit = self.unit(id);
        if unit.flags.has(Flags::INSIDE) { unit.foe } else { id }
    }

    /// Whether a unit is the crew of a battery or a train, apart from its base.
    #[must_use]
    pub fn is_crew(&self, rules: &Rules, unit: &Unit) -> bool {
        unit.flags.has(Flags::SCREEN) && rules.kinds[self.unit(unit.kin).kind].cannon > 0
    }

    /// Whether a unit is the screen of another one, and not a crew.
    #[inline]
    #[must_use]
    pub(crate) fn is_screen(&self, rules: &Rules, unit: &Unit) -> bool {
        unit.flags.has(Flags::SCREEN) && !self.is_crew(rules, unit)
    }

    /// The command that a unit belongs to, if there are commands.
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

/// The arrival of a unit that does not start on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arrives {
    /// In this turn, or in a later one if its roll fails or there is no room.
    From(u8),
    /// When the result of a roll calls for it.
    Called,
    /// When another unit of its type splits. Until then, this is a reserved entry for the part.
    Split,
}

/// A battle that is ready to start. It has been checked, so `fight` cannot fail.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The state at the start of every battle.
    pub start: Battle,
    /// The last game turn.
    pub turns: u8,
    /// Whether any unit may have a screen.
    pub screens: bool,
    /// When each unit arrives; `None` if it starts on the table. The list is empty if all units do.
    pub arrivals: Vec<Option<Arrives>>,
    /// The pieces of terrain; where they overlap, the last is on top.
    pub terrain: Vec<Piece>,
    /// The roads among them.
    pub roads: Roads,
    /// The fixed part of [`Battle::generals`].
    pub generals: Vec<Post>,
    /// The plans by which dice are allotted to the generals.
    pub plans: Plans,
    /// The objectives.
    pub objectives: Vec<ObjectivePost>,
    /// The sides' names.
    pub names: BySide<String>,
    /// Whether each side chooses at random, with all offers equally likely.
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

    /// The first of these generals to arrive; if several arrive together, the first in the study.
    fn senior(&self, generals: impl Iterator<Item = usize>) -> Option<usize> {
        generals.min_by_key(|&index| (self.generals[index].arrives.max(1), index))
    }

    /// The heading towards an edge of the table, from a side's point of view.
    pub(crate) fn towards(&self, side: Side, edge: Edge) -> Heading {
        let home = self.home(side);
        match edge {
            Edge::Own => home,
            Edge::Enemy => home.reversed(),
            Edge::Left => home.turned(900),
            Edge::Right => home.turned(-900),
        }
    }

    /// The heading towards a side's own table edge. This is the edge behind its units as deployed, by the sum of their
    /// headings. If the headings cancel out, it is the edge on the side's own side of the enemy, along the axis on
    /// which the two sides are farther apart.
    pub(crate) fn home(&self, side: Side) -> Heading {
        let of = |side: Side| self.start.side(side).map(|id| self.start.unit(id));
        let add = |(x, y): (i64, i64), (east, north): (i64, i64)| (x + east, y + north);
        let forward = of(side).map(|unit| unit.heading.forward()).fold((0, 0), add);
        let enemies = || self.start.enemies(side).map(|id| self.start.unit(id));
        let sum = |units: &mut dyn Iterator<Item = &Unit>| {
            units.map(|unit| (unit.front.x.into(), unit.front.y.into())).fold((0, 0), add)
        };
        let count = |units: usize| units.max(1) as i64;
        let (own, other) = (sum(&mut of(side)), sum(&mut enemies()));
        let (of_own, of_others) = (count(of(side).count()), count(enemies().count()));
        let beyond = |own: i64, other: i64| own * of_others - other * of_own;
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

    /// Whether a general is on the table and belongs to a side.
    pub(crate) fn serves(&self, setup: &Setup, side: Side, index: usize) -> bool {
        let post = &setup.generals[index];
        post.side == side && !self.generals[index].lost && post.arrives <= self.turn
    }

    /// The general of a command: the first to arrive among its generals who are present, or else the first who may
    /// replace him. `None` if there is no such general.
    pub(crate) fn in_command(&self, rules: &Generals, setup: &Setup, command: u8) -> Option<usize> {
        let side = self.commands[usize::from(command)].side;
        let there = |index: &usize| self.serves(setup, side, *index);
        let own = setup.senior(setup.commanders(rules, command).filter(there));
        own.or_else(|| {
            (0..setup.generals.len()).filter(there).find(|&index| setup.generals[index].rank(rules).succeeds)
        })
    }
}
