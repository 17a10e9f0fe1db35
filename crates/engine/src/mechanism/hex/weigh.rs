//! What places are worth to a unit that may move there.
//!
//! A unit looks at every place it can reach, so this is where battles on hexes spend their time: sets of hexes are words, the six
//! hexes around a place are six bits, what enemies make of a hex is worked out once for a side ([`Foes`]), and the dice of an
//! attack once for each enemy and each arc it can show.

use std::cell::Cell;

use grognard_dice::Dice;
use grognard_rules::model::{HexRules, OFF_BOARD, Provides, Weigh};

use super::fire::NEAREST;
use super::foes::{Foe, Foes};
use super::target;
use crate::field::Field;
use crate::hex::{Motion, arc, heading, sector, sees};
use crate::plane::{Arc, Point};
use crate::state::{UNITS_PER_SIDE_MAX, UnitId};
use crate::witness::Witness;

/// A number that is worked out when it is first asked for.
struct Known(Cell<i16>);

impl Known {
    const fn not_yet() -> Self {
        Self(Cell::new(i16::MIN))
    }

    fn get(&self) -> Option<i32> {
        let known = self.0.get();
        (known != i16::MIN).then_some(known.into())
    }

    fn set(&self, value: i32) {
        self.0.set(value.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    }
}

/// What a unit sees of the board before it moves.
pub(super) struct Eyes<'e> {
    hex: &'e HexRules,
    id: UnitId,
    weigh: &'e Weigh,
    foes: &'e Foes,
    friends: u128,
    enemies: u128,
    faces: bool,
    /// Whether attacks go through front hexes only.
    ahead: bool,
    /// Whether an enemy that shows its front must be attacked first.
    duty: bool,
    /// Whether it is of use to look for somebody to fire at.
    fires: bool,
    /// Whether fire goes through the front sector only.
    fire_ahead: bool,
    /// Hexes nobody sees through, the unit's own left out.
    closed: u128,
    /// Dice of an attack on each enemy from open ground, by the arc it shows.
    dice: [[Known; 3]; UNITS_PER_SIDE_MAX],
    /// How far it could fire, away from enemies and next to one.
    ranges: [Known; 2],
}

/// What a place is worth whichever way the unit faces there, and what stands around it: six bits, one for each direction.
pub(super) struct Place {
    hex: u8,
    worth: i32,
    /// Hexes within an enemy's reach that no friend holds.
    bare: u8,
    /// Hexes that nobody holds.
    open: u8,
    /// Hexes that enemies hold.
    enemies: u8,
    /// Whether it is worth the same whichever way the unit faces.
    pub(super) even: bool,
}

/// A place and a facing.
#[derive(Clone, Copy)]
struct Stand<'p> {
    place: &'p Place,
    towards: u8,
}

impl<'e> Eyes<'e> {
    pub(super) fn new<D: Dice, W: Witness>(
        field: &Field<'_, D, W>,
        hex: &'e HexRules,
        id: UnitId,
        motion: &Motion,
        (foes, weigh): (&'e Foes, &'e Weigh),
    ) -> Self {
        let around = field.provision(hex, Provides::AttackAround, id, None).is_some();
        let friends = motion.friends | motion.leaders;
        Self {
            hex,
            id,
            weigh,
            foes,
            friends,
            enemies: motion.enemies,
            faces: motion.faces,
            ahead: motion.faces && !around && hex.any(Provides::AttackFront),
            duty: !around && hex.any(Provides::FrontFirst),
            fires: weigh.fire != 0 && hex.any(Provides::Range),
            fire_ahead: motion.faces && hex.any(Provides::FireFront),
            closed: hex.opaque | friends | motion.enemies,
            dice: [const { [const { Known::not_yet() }; 3] }; UNITS_PER_SIDE_MAX],
            ranges: [const { Known::not_yet() }; 2],
        }
    }

    /// Looks at a hex; none if it is plainly worth no more than `beat` whichever way the unit faces.
    pub(super) fn place(&self, at: u8, beat: i32) -> Option<Place> {
        let (weigh, grid, foes) = (self.weigh, &self.hex.grid, self.foes);
        let around = grid.around(at);
        let mut worth = weigh.support * ((self.friends & around).count_ones() as i32).min(2);
        let near = i32::from(foes.near[usize::from(at)]);
        if !foes.all.is_empty() {
            worth += weigh.distance * near;
        }
        let ways = grid.ways(at);
        let fires = self.fires && self.ranges[0].get().is_none_or(|range| near <= range);
        let turned = (2 * weigh.retreat).max(0) + (4 * weigh.bared).max(0) + if fires { weigh.fire.max(0) } else { 0 };
        if around & self.enemies == 0 && worth + turned <= beat {
            return None;
        }
        if around & (foes.reached | self.friends) == 0 {
            let even = ways.count_ones() == 6 && !fires;
            return Some(Place { hex: at, worth, bare: 0, open: ways, enemies: 0, even });
        }
        let threats = if self.faces { &foes.fronting } else { &foes.touching };
        worth += weigh.threat * i32::from(threats[usize::from(at)]);
        let mut place = Place { hex: at, worth, bare: 0, open: 0, enemies: 0, even: false };
        for direction in 0..6 {
            let near = grid.near(at, direction);
            if near == OFF_BOARD {
                continue;
            }
            let here = |hexes: u128| (hexes >> near & 1) as u8;
            let free = 1 - here(self.friends);
            place.bare |= (free & here(foes.reached)) << direction;
            place.open |= (free & (1 - here(self.enemies))) << direction;
            place.enemies |= here(self.enemies) << direction;
        }
        Some(place)
    }

    /// What a place is worth with a facing.
    pub(super) fn worth<D: Dice, W: Witness>(&self, field: &mut Field<'_, D, W>, place: &Place, towards: u8) -> i32 {
        let (weigh, stand) = (self.weigh, Stand { place, towards });
        let mut worth = place.worth;
        let front = arc_bits(0, towards) | arc_bits(1, towards);
        if self.faces {
            let rear = arc_bits(3, towards) | arc_bits(4, towards);
            worth += weigh.bared * (place.bare & !front).count_ones() as i32;
            worth += weigh.retreat * (place.open & rear).count_ones() as i32;
        }
        let targets = if self.ahead { place.enemies & front } else { place.enemies };
        if targets != 0 && (weigh.dice != 0 || weigh.flank != 0) {
            worth += self.strikes(field, stand, targets);
        }
        if self.fires && self.sights(field, stand) {
            worth += weigh.fire;
        }
        worth
    }

    /// The enemies among the targets of an attack from a stand, with their places among all and the arcs they show.
    fn targets<'s>(&'s self, stand: Stand<'s>, targets: u8) -> impl Iterator<Item = (usize, &'s Foe, Arc)> + 's {
        (0..6).filter(move |direction| targets >> direction & 1 == 1).filter_map(move |direction| {
            let (place, foe) = self.foes.in_hex(self.hex.grid.near(stand.place.hex, direction))?;
            Some((place, foe, if foe.faces { arc((direction + 3) % 6, foe.facing) } else { Arc::Front }))
        })
    }

    /// What the best attack from a stand is worth.
    fn strikes<D: Dice, W: Witness>(&self, field: &mut Field<'_, D, W>, stand: Stand<'_>, targets: u8) -> i32 {
        let shows_front = |&(_, foe, arc): &(usize, &Foe, Arc)| foe.counts && arc == Arc::Front;
        let fronts = self.duty && self.targets(stand, targets).any(|target| shows_front(&target));
        let ground = self.hex.ground.get(usize::from(stand.place.hex));
        let open = ground.is_none_or(|&ground| ground == 0);
        let mut best: Option<(i32, bool)> = None;
        for (place, foe, arc) in self.targets(stand, targets) {
            if fronts && foe.counts && arc != Arc::Front {
                continue;
            }
            let known = &self.dice[place][arc as usize];
            let dice = known.get().filter(|_| open).unwrap_or_else(|| {
                let dice = self.from(field, stand, |field| target::dice(field, self.hex, self.id, foe.id));
                if open {
                    known.set(dice);
                }
                dice
            });
            if dice > 0 {
                best = best.max(Some((dice, arc != Arc::Front)));
            }
        }
        best.map_or(0, |(dice, aside)| self.weigh.dice * dice + self.weigh.flank * i32::from(aside))
    }

    /// Whether the unit would have somebody to fire at.
    fn sights<D: Dice, W: Witness>(&self, field: &mut Field<'_, D, W>, stand: Stand<'_>) -> bool {
        let hex = self.hex;
        let known = &self.ranges[usize::from(stand.place.enemies != 0)];
        let range = known.get().unwrap_or_else(|| {
            let first = self.foes.all.first().map(|foe| foe.id);
            let range = self.from(field, stand, |field| {
                field.provision(hex, Provides::Range, self.id, first).map_or(0, |(_, range)| range)
            });
            known.set(range);
            range
        });
        let at = stand.place.hex;
        if range < NEAREST || range < i32::from(self.foes.near[usize::from(at)]) {
            return false;
        }
        let (q, r) = hex.grid.place(at);
        self.foes.all.iter().any(|foe| {
            let away = i32::from(hex.grid.distance(at, foe.hex));
            if away < NEAREST || away > range {
                return false;
            }
            let (foe_q, foe_r) = hex.grid.place(foe.hex);
            let ahead = !self.fire_ahead || sector(foe_q - q, foe_r - r, stand.towards) == Arc::Front;
            ahead && sees(&hex.grid, self.closed, Point { x: q, y: r }, Point { x: foe_q, y: foe_r })
        })
    }

    /// Something worked out with the unit put to a stand for a moment.
    fn from<D: Dice, W: Witness, T>(
        &self,
        field: &mut Field<'_, D, W>,
        stand: Stand<'_>,
        read: impl FnOnce(&Field<'_, D, W>) -> T,
    ) -> T {
        let unit = field.battle.unit_mut(self.id);
        let before = (unit.front, unit.heading);
        let (q, r) = self.hex.grid.place(stand.place.hex);
        (unit.front, unit.heading) = (Point { x: q, y: r }, heading(stand.towards));
        let value = read(field);
        let unit = field.battle.unit_mut(self.id);
        (unit.front, unit.heading) = before;
        value
    }
}

/// The bit of the direction that lies so many on from a facing.
fn arc_bits(on: u8, towards: u8) -> u8 {
    1 << ((towards + on) % 6)
}
