//! The state of a battle: small, plain, comparable.

use arrayvec::ArrayVec;
use grognard_rules::model::{Footprint, Rules};

use crate::geometry::plane::{Arc, Heading, Point, Rect};
use crate::state::general::{GENERALS_MAX, General, Plans, Post};
use crate::state::hex::{Cards, HexFlags, HexState};
use crate::state::marks::Marks;
use crate::state::side::{BySide, Side};
use crate::state::terrain::Piece;
use crate::state::unit_set::Units;

/// The most units a side may have. One pair of dice lanes is left for the sides themselves.
pub const UNITS_PER_SIDE_MAX: usize = grognard_dice::LANES as usize / 2 - 1;

/// The most units a battle may have: beside those of the sides, the crews of their batteries, which share their lanes.
pub const UNITS_MAX: usize = 4 * UNITS_PER_SIDE_MAX;

/// A unit's place in [`Battle::units`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitId(pub(crate) u8);

impl UnitId {
    /// As an index into [`Battle::units`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a unit has done or suffered; most flags last until the end of the half-turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flags(u16);

impl Flags {
    /// It is charging [`Unit::foe`].
    pub const CHARGING: Self = Self(1);
    /// A charge has been declared on it.
    pub const CHARGED: Self = Self(2);
    /// It has changed formation.
    pub const CHANGED: Self = Self(4);
    /// It has moved.
    pub const MOVED: Self = Self(8);
    /// It has fired.
    pub const FIRED: Self = Self(16);
    /// Its charge strikes its target's flank.
    pub const ON_FLANK: Self = Self(128);
    /// Its charge strikes its target's rear.
    pub const ON_REAR: Self = Self(256);
    /// It is off the table, or has lost its last figure. For good.
    pub const GONE: Self = Self(32);
    /// Its charge has reached its target.
    pub const CONTACT: Self = Self(64);
    /// It is in a charge zone, or was in the enemy's last half-turn: lasts until the end of its own.
    pub const THREATENED: Self = Self(0x200);
    /// It is the screen of another unit, or the crew of a battery apart from its guns. For good.
    pub const SCREEN: Self = Self(0x1000);
    /// It is a screen whose figures are all with their unit, or a crew that is at its guns.
    pub const ABSENT: Self = Self(0x2000);
    /// It stands inside the square of [`Unit::foe`], off the table. For as long as that lasts.
    pub const INSIDE: Self = Self(0x400);
    /// It has not come on the table yet.
    pub const LATE: Self = Self(0x800);
    /// It has crossed linear ground.
    pub const CROSSED: Self = Self(0x4000);
    /// It has changed its facing by order.
    pub const TURNED: Self = Self(0x8000);

    /// Whether any of these flags is set.
    #[inline]
    #[must_use]
    pub const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 != 0
    }

    /// As bits.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    pub(crate) fn set(&mut self, flags: Self) {
        self.0 |= flags.0;
    }

    pub(crate) fn clear(&mut self, flags: Self) {
        self.0 &= !flags.0;
    }

    /// Settles the arc in which a charge strikes its target.
    pub(crate) fn strike(&mut self, arc: Arc) {
        self.clear(Self(Self::ON_FLANK.0 | Self::ON_REAR.0));
        match arc {
            Arc::Front => {}
            Arc::Flank => self.set(Self::ON_FLANK),
            Arc::Rear => self.set(Self::ON_REAR),
        }
    }

    /// Forgets what lasts for a half-turn only.
    /// `own` says whether it was the half of the unit's own side.
    pub(crate) fn end_half_turn(&mut self, own: bool) {
        let lasting = Self::GONE.0 | Self::INSIDE.0 | Self::SCREEN.0 | Self::ABSENT.0 | Self::LATE.0;
        self.0 &= if own { lasting } else { lasting | Self::THREATENED.0 };
    }
}

/// A unit on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Unit {
    /// Its type, an index into [`Rules::kinds`].
    pub kind: u8,
    /// Whose it is.
    pub side: Side,
    /// Its place among its side's units.
    pub number: u8,
    /// Its command, an index into [`Battle::commands`]; of no meaning where there are none.
    pub command: u8,
    /// Its side's doctrine, an index into [`Rules::doctrines`].
    pub doctrine: u8,
    /// Its formation, an index into [`Rules::formations`].
    pub formation: u8,
    /// Its morale state, an index into [`Rules::morale`].
    pub morale: u8,
    /// Cannon it has; 0 for what is neither a battery nor a train.
    pub cannon: u16,
    /// Figures of other units that stand inside its square.
    pub guests: u16,
    /// Crew figures that have run from the guns and may still rally, where the pack does not let them stand apart.
    pub away: u16,
    /// The formation it takes at the end of this half-turn, counted from 1; 0: none.
    pub forming: u8,
    /// Figures in its front rank as its player set them; 0: as its formation is laid out.
    pub abreast: u8,
    /// What it has done and suffered.
    pub flags: Flags,
    /// The markers beside it.
    pub marks: Marks,
    /// The piece of terrain that it fills, counted from 1; 0: none, it takes up its own ground only.
    pub fills: u8,
    /// How it moved into contact with [`Unit::foe`], where orders move units.
    pub met: Arc,
    /// The target of its charge, the enemy it has met, or the host of the square it stands in; itself before there was any.
    pub foe: UnitId,
    /// The unit whose screen or crew it is, or its own screen or crew; itself if it has neither.
    pub kin: UnitId,
    /// Figures it began with.
    pub start: u16,
    /// Figures it has.
    pub figures: u16,
    /// Figures it has lost in this phase and not yet answered for.
    pub hits: u16,
    /// The turn in which it first broke or was destroyed; 0: it has not.
    pub broke: u8,
    /// The middle of its front edge; on hexes the axial coordinates of its hex.
    pub front: Point,
    /// The way it faces; nominal where its formation faces everywhere.
    pub heading: Heading,
    /// Hundredths of an inch between the centres of neighbours in a loose row; 0: the formation's own.
    pub spacing: u16,
    /// Tenths of a degree, clockwise, by which the right half of its front is bent back along linear ground; mostly 0.
    pub bend: i16,
    /// What only hexes know of it.
    pub hex: HexState,
}

impl Unit {
    /// The ground it takes up and how its figures stand.
    #[inline]
    #[must_use]
    pub fn footprint(&self, rules: &Rules) -> Footprint {
        if self.guests > 0 {
            return rules.footprint_block(self.kind, self.figures + self.guests);
        }
        if self.abreast > 0 {
            return rules.footprint_abreast(self.kind, u16::from(self.abreast), self.figures);
        }
        // Guns stay where they are when their crew has left them.
        let figures = if self.cannon > 0 { self.figures.max(1) } else { self.figures };
        let footprint = rules.footprint(self.kind, self.formation, figures);
        if self.spacing == 0 { footprint } else { self.spaced(rules, footprint) }
    }

    #[inline(never)]
    fn spaced(&self, rules: &Rules, footprint: Footprint) -> Footprint {
        if rules.formations[usize::from(self.formation)].spacing.is_none() || self.figures == 0 {
            return footprint;
        }
        let base = rules.footprint(self.kind, self.formation, 1).width;
        Footprint { width: i32::from(self.figures - 1) * i32::from(self.spacing) + base, ..footprint }
    }

    /// The rectangle it stands on.
    #[inline]
    #[must_use]
    pub fn rect(&self, rules: &Rules) -> Rect {
        let footprint = self.footprint(rules);
        Rect::new(self.front, self.heading, footprint.width, footprint.depth)
    }

    /// Its left and right halves, each with the heading of its figures; they differ only in a unit that is bent (7.23).
    #[must_use]
    pub fn stretches(&self, rules: &Rules) -> [Rect; 2] {
        let footprint = self.footprint(rules);
        let (half, quarter) = (footprint.width / 2, footprint.width / 4);
        let bent = self.heading.turned(i32::from(self.bend));
        [(self.heading, -quarter), (bent, quarter)].map(|(heading, aside)| {
            let at = Rect::new(self.front, heading, 0, 0).at(aside, 0);
            Rect::new(at, heading, half, footprint.depth)
        })
    }

    /// The arc in which its charge strikes a unit, which is fixed when the charge is declared and again if the target breaks;
    /// none while it does not charge that unit.
    #[inline]
    #[must_use]
    pub fn strikes(&self, target: UnitId) -> Option<Arc> {
        (self.flags.has(Flags::CHARGING) && self.foe == target).then(|| {
            if self.flags.has(Flags::ON_FLANK) {
                Arc::Flank
            } else if self.flags.has(Flags::ON_REAR) {
                Arc::Rear
            } else {
                Arc::Front
            }
        })
    }

    /// Whether it takes up the same ground as another state of it.
    #[must_use]
    pub(crate) fn stands_like(&self, other: &Self) -> bool {
        (self.front, self.heading, self.bend, self.formation, self.abreast, self.figures + self.guests)
            == (other.front, other.heading, other.bend, other.formation, other.abreast, other.figures + other.guests)
            && self.gone() == other.gone()
    }

    /// Whether it is off the table or destroyed.
    #[inline]
    #[must_use]
    pub fn gone(&self) -> bool {
        self.flags.has(Flags(Flags::GONE.0 | Flags::ABSENT.0 | Flags::INSIDE.0 | Flags::LATE.0))
    }

    /// Whether it is gone and counts as lost: not if it was given up or is still to come.
    #[inline]
    #[must_use]
    pub fn gone_for_enemy(&self) -> bool {
        self.gone() && !self.flags.has(Flags::LATE) && !self.hex.flags.has(HexFlags::ABANDONED)
    }

    /// Whether it is gone or its morale state is a broken one.
    #[inline]
    #[must_use]
    pub fn broken(&self, rules: &Rules) -> bool {
        self.flags.has(Flags(Flags::GONE.0 | Flags::ABSENT.0))
            || self.figures == 0
            || rules.morale[usize::from(self.morale)].broken
    }

    /// The lane of its dice: by role, first or second mover, then by its number.
    #[inline]
    #[must_use]
    pub fn lane(&self) -> u8 {
        self.number * 2 + self.side.index() as u8
    }
}

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
    /// Points that it still has, where generals bring them.
    pub points: u16,
    /// The unit that its general was with when the points were shared out: they cost the others more.
    pub busy: Option<UnitId>,
}

/// A battle between two steps. Two battles that are equal here have the same future.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    /// Game turn, from 1.
    pub turn: u8,
    /// Whose half of the turn it is.
    pub active: Side,
    /// The phase to be played next, an index into [`Rules::phases`].
    pub phase: u8,
    /// Orders the active side may still give in this half of the turn; [`u16::MAX`] where there is no limit.
    pub orders: u16,
    /// How many units the first side has.
    pub first_units: u8,
    /// The commands; none under packs that have none.
    pub commands: ArrayVec<Command, COMMANDS_MAX>,
    /// The generals; none where a study places none.
    pub generals: ArrayVec<General, GENERALS_MAX>,
    /// The cards, where there are any.
    pub cards: Cards,
    /// The units: the first side's, then the second's.
    pub units: ArrayVec<Unit, UNITS_MAX>,
}

impl Battle {
    /// Makes this battle equal to another in its place: it has room for far more units than it has, which a clone would move
    /// about.
    pub fn copy_from(&mut self, other: &Self) {
        // Taken apart by name, so that a field added to the state is not forgotten here.
        let &Self { turn, active, phase, orders, first_units, ref commands, cards, ref units, ref generals } = other;
        (self.turn, self.active, self.phase, self.orders) = (turn, active, phase, orders);
        (self.first_units, self.cards) = (first_units, cards);
        self.commands.clone_from(commands);
        self.units.clone_from(units);
        self.generals.clone_from(generals);
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

    /// The command a unit belongs to, where there are commands.
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

/// A battle about to begin, and what it is fought for: checked, so that `fight` has nothing to refuse.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The state in which every battle begins.
    pub start: Battle,
    /// The last game turn.
    pub turns: u8,
    /// Whether any unit may have a screen.
    pub screens: bool,
    /// The pieces of terrain; of those that overlap the last lies on top.
    pub terrain: Vec<Piece>,
    /// What does not change of [`Battle::generals`].
    pub generals: Vec<Post>,
    /// By what plans dice are allotted to them.
    pub plans: Plans,
    /// The sides' names.
    pub names: BySide<String>,
}
