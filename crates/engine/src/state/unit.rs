//! A unit: its type, its position and its record in the battle.

use std::hash::{Hash, Hasher};

use grognard_rules::model::{ByteId, Counters, DoctrineId, Footprint, FormationId, KindId, MoraleId, Rules};

use crate::geometry::plane::{Arc, Heading, Point, Rect};
use crate::state::bend::Bend;
use crate::state::hex::{HexFlags, HexState};
use crate::state::ids::{Maybe, UnitId};
use crate::state::marks::Marks;
use crate::state::side::{SIDES_MAX, Side};

/// The maximum number of units on a side. One pair of dice lanes is reserved for the sides themselves.
pub const UNITS_PER_SIDE_MAX: usize = grognard_dice::LANES as usize / 2 - 1;

/// The maximum number of units on a side in battles of more than two sides. Its enemies together then have no more
/// units than one side of a two-sided battle.
pub const UNITS_OF_MANY_MAX: usize = UNITS_PER_SIDE_MAX / (SIDES_MAX - 1);

/// The maximum number of units in a battle: those of the sides, and the crews of their batteries, which share the
/// batteries' lanes.
pub const UNITS_MAX: usize = 4 * UNITS_PER_SIDE_MAX;

/// The empty list of other enemies struck in the flank or rear. A front edge has room for at most three of them.
pub(crate) const NOBODY_BESIDE: [(UnitId, Arc); 3] = [(UnitId(0), Arc::Front); 3];

/// Flags for the things that a unit has done or suffered. Most flags last until the end of the half-turn.
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
    /// It is off the table, or has lost its last figure. Permanent.
    pub const GONE: Self = Self(32);
    /// Its charge has reached its target.
    pub const CONTACT: Self = Self(64);
    /// It is in a charge zone, or was in one in the enemy's last half-turn. Lasts until the end of its own half-turn.
    pub const THREATENED: Self = Self(0x200);
    /// It is the screen of another unit, or the crew of a battery apart from its guns. Permanent.
    pub const SCREEN: Self = Self(0x1000);
    /// It is a screen whose figures are all with their unit, or a crew at its guns.
    pub const ABSENT: Self = Self(0x2000);
    /// It is inside the square of [`Unit::foe`], and off the table while it is there.
    pub const INSIDE: Self = Self(0x400);
    /// It has not arrived on the table yet.
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

    /// The union of two sets of flags.
    pub(crate) const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The flags as bits.
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    pub(crate) fn set(&mut self, flags: Self) {
        self.0 |= flags.0;
    }

    pub(crate) fn clear(&mut self, flags: Self) {
        self.0 &= !flags.0;
    }

    /// Sets the arc in which a charge strikes its target.
    pub(crate) fn strike(&mut self, arc: Arc) {
        self.clear(Self(Self::ON_FLANK.0 | Self::ON_REAR.0));
        match arc {
            Arc::Front => {}
            Arc::Flank => self.set(Self::ON_FLANK),
            Arc::Rear => self.set(Self::ON_REAR),
        }
    }

    /// Clears the flags that last only for a half-turn. `own` tells whether it was the half-turn of the unit's own
    /// side.
    pub(crate) fn end_half_turn(&mut self, own: bool) {
        let lasting = Self::GONE.0 | Self::INSIDE.0 | Self::SCREEN.0 | Self::ABSENT.0 | Self::LATE.0;
        self.0 &= if own { lasting } else { lasting | Self::THREATENED.0 };
    }
}

/// A unit on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// Its type: an index into [`Rules::kinds`].
    pub kind: KindId,
    /// Its side.
    pub side: Side,
    /// Its number among its side's units.
    pub number: u8,
    /// Its command: an index into [`Battle::commands`](crate::Battle::commands), meaningless if there are no commands.
    pub command: u8,
    /// Its side's doctrine: an index into [`Rules::doctrines`].
    pub doctrine: DoctrineId,
    /// Its formation: an index into [`Rules::formations`].
    pub formation: FormationId,
    /// Its morale state: an index into [`Rules::morale`].
    pub morale: MoraleId,
    /// The number of its cannon; 0 unless it is a battery or a train.
    pub cannon: u16,
    /// The number of figures of other units inside its square.
    pub guests: u16,
    /// The number of crew figures that have run away from the guns and may still rally, if the pack has no type for
    /// separate crews.
    pub away: u16,
    /// The formation that it is changing to in a slow change, if any.
    pub forming: Maybe<FormationId>,
    /// The number of figures in its front rank as set by its player; 0 for its formation's own layout.
    pub abreast: u8,
    /// Its flags.
    pub flags: Flags,
    /// The markers next to it.
    pub marks: Marks,
    /// The piece of terrain that it fills, counted from 1; 0 if it takes up only its own ground.
    pub fills: u8,
    /// The arc in which it moved into contact with [`Unit::foe`], in rules whose orders move units.
    pub met: Arc,
    /// The other enemies that it has struck in the flank or rear, each with the arc struck. Unused entries have the
    /// front arc.
    pub beside: [(UnitId, Arc); 3],
    /// The target of its charge, the enemy that it has met, or the host of its square; itself if there has been none of
    /// these.
    pub foe: UnitId,
    /// The unit whose screen or crew it is, or its own screen or crew; itself if neither exists.
    pub kin: UnitId,
    /// The number of figures with which it started.
    pub start: u16,
    /// The number of figures that it has now.
    pub figures: u16,
    /// The number of figures lost in this phase to which it has not reacted yet.
    pub hits: u16,
    /// The turn in which it first broke or was destroyed; 0 if it has not.
    pub broke: u8,
    /// The middle of its front edge; on hexes, the axial coordinates of its hex.
    pub front: Point,
    /// Its facing; nominal in a formation with all-around facing.
    pub heading: Heading,
    /// The distance between the centres of adjacent figures, in hundredths of an inch. In a loose row, 0 stands for the
    /// formation's own value. In a square of several units, this is the mean width of their bases, and 0 stands for the
    /// width of its own.
    pub spacing: u16,
    /// The bend of its front along linear terrain. Usually there is none.
    pub bend: Bend,
    /// Its counters, in the order of [`Rules::counters`].
    pub counters: Counters,
    /// The part of its state that is specific to hexes.
    pub hex: HexState,
}

impl Hash for Unit {
    /// A few words distinguish nearly all units of a battle, and are faster to hash than all fields. Units that differ
    /// only in other fields collide, which costs a comparison.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let halves =
            |[a, b, c, d]: [u16; 4]| u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48;
        let place = u64::from(self.front.x.cast_unsigned()) | u64::from(self.front.y.cast_unsigned()) << 32;
        state.write_u64(place);
        state.write_u64(halves([self.figures, self.hits, self.heading.tenths(), self.flags.bits()]));
        let Self { number, formation, morale, broke, forming, ref hex, .. } = *self;
        state.write_u64(u64::from_le_bytes([
            number,
            formation.byte(),
            morale.byte(),
            broke,
            forming.byte(),
            self.foe.0,
            hex.steps,
            hex.mate.byte(),
        ]));
        state.write_u64(halves([self.cannon, self.guests, self.away, self.spacing]));
        (self.marks, hex.flags).hash(state);
        self.counters.hash(state);
    }
}

impl Unit {
    /// Its ground and the layout of its figures.
    #[inline]
    #[must_use]
    pub fn footprint(&self, rules: &Rules) -> Footprint {
        if self.guests > 0 {
            return rules.footprint_block(self.kind, self.figures + self.guests, self.spacing);
        }
        if self.abreast > 0 {
            return rules.footprint_abreast(self.kind, u16::from(self.abreast), self.figures);
        }
        // Guns stay in place after their crew has left them.
        let figures = if self.cannon > 0 { self.figures.max(1) } else { self.figures };
        let footprint = rules.footprint(self.kind, self.formation, figures);
        if self.spacing == 0 { footprint } else { self.spaced(rules, footprint) }
    }

    #[inline(never)]
    fn spaced(&self, rules: &Rules, footprint: Footprint) -> Footprint {
        if rules.formations[self.formation].spacing.is_none() || self.figures == 0 {
            return footprint;
        }
        let base = rules.footprint(self.kind, self.formation, 1).width;
        Footprint { width: i32::from(self.figures - 1) * i32::from(self.spacing) + base, ..footprint }
    }

    /// The number of its figures, including those just lost.
    #[must_use]
    pub(crate) fn with_hits(&self) -> u16 {
        self.figures + self.hits
    }

    /// The rectangle that it occupies.
    #[inline]
    #[must_use]
    pub fn rect(&self, rules: &Rules) -> Rect {
        let footprint = self.footprint(rules);
        Rect::new(self.front, self.heading, footprint.width, footprint.depth)
    }

    /// The arc in which its charge strikes a unit. It is fixed when the charge is declared, and again if the target
    /// breaks. `None` if the unit is not charging that one.
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

    /// The arc in which it has moved into contact with an enemy.
    #[must_use]
    pub(crate) fn has_met(&self, enemy: UnitId) -> Arc {
        if enemy == self.foe {
            return self.met;
        }
        let beside = self.beside.iter().find(|struck| struck.0 == enemy);
        beside.map_or(Arc::Front, |struck| struck.1)
    }

    /// Makes an enemy its foe. If it struck the previous foe in the flank or rear, it still remembers that.
    pub(crate) fn turn_on(&mut self, enemy: UnitId) {
        let (before, here, there) = (self.foe, self.met, self.has_met(enemy));
        if before == enemy {
            return;
        }
        let others = self.beside.into_iter().filter(|struck| struck.0 != enemy);
        self.remember_beside([(before, here)].into_iter().chain(others));
        (self.foe, self.met) = (enemy, there);
    }

    /// Replaces the list of other enemies that it has struck.
    pub(crate) fn remember_beside(&mut self, struck: impl Iterator<Item = (UnitId, Arc)>) {
        let mut beside = NOBODY_BESIDE;
        for (place, enemy) in beside.iter_mut().zip(struck.filter(|struck| struck.1 != Arc::Front)) {
            *place = enemy;
        }
        // The list is sorted, so that states without a relevant difference are equal.
        beside.sort_unstable_by_key(|&(enemy, arc)| (arc == Arc::Front, enemy));
        self.beside = beside;
    }

    /// Forgets how it has moved into contact with an enemy.
    pub(crate) fn forget_meeting(&mut self, enemy: UnitId) {
        if enemy == self.foe {
            self.met = Arc::Front;
        }
        if self.beside.iter().any(|struck| struck.0 == enemy && struck.1 != Arc::Front) {
            self.remember_beside(self.beside.into_iter().filter(|struck| struck.0 != enemy));
        }
    }

    /// Whether it takes up the same ground as in another state.
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

    /// Whether it is only a reserved entry for a part of another unit. Any losses recorded in it are those of a unit
    /// that has joined another one.
    #[inline]
    #[must_use]
    pub fn is_place(&self) -> bool {
        self.flags.has(Flags::LATE) && self.figures == 0 && self.cannon == 0
    }

    /// Whether it is a unit that has yet to arrive.
    #[inline]
    pub(crate) fn is_to_come(&self) -> bool {
        self.flags.has(Flags::LATE) && !self.is_place()
    }

    /// Whether it is gone and counts as lost. Units that were abandoned or have yet to arrive do not.
    #[inline]
    #[must_use]
    pub fn gone_for_enemy(&self) -> bool {
        self.gone() && !self.flags.has(Flags::LATE) && !self.hex.flags.has(HexFlags::ABANDONED)
    }

    /// Whether it has cannon but no crew.
    #[inline]
    #[must_use]
    pub fn is_crewless(&self) -> bool {
        self.cannon > 0 && self.figures == 0
    }

    /// Whether it is gone or has no figures left, or its morale state counts as broken.
    #[inline]
    #[must_use]
    pub fn broken(&self, rules: &Rules) -> bool {
        self.flags.has(Flags(Flags::GONE.0 | Flags::ABSENT.0)) || self.figures == 0 || rules.morale[self.morale].broken
    }
}
