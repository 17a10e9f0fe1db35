//! What places are worth to a unit that may move there.
//!
//! A unit looks at every place it can reach, so this is where battles on hexes spend their time: sets of hexes are words, the six
//! hexes around a place are six bits, and the dice of an attack are worked out once for each enemy and each arc it can show.

use std::cell::Cell;

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::{HexRules, OFF_BOARD, Provides, Weigh};

use super::target;
use crate::field::Field;
use crate::hex::{Motion, arc, attached, facing, heading, hex_leader_alone, hex_of, sector, sees};
use crate::plane::{Arc, Point};
use crate::state::{UNITS_PER_SIDE_MAX, UnitId};
use crate::witness::Witness;

/// An enemy as a moving unit sees it.
struct Enemy {
    id: UnitId,
    hex: u8,
    facing: u8,
    faces: bool,
    /// Whether it counts for the duty to attack fronts first.
    counts: bool,
    /// Dice of an attack on it from open ground, by the arc it shows; unknown until they are asked for.
    dice: [Cell<Option<i32>>; 3],
}

/// What a unit sees of the board before it moves.
pub(super) struct Eyes<'w> {
    weigh: &'w Weigh,
    enemies: ArrayVec<Enemy, UNITS_PER_SIDE_MAX>,
    enemy_bits: u128,
    friend_bits: u128,
    /// Hexes that enemies stand in or next to.
    reached: u128,
    faces: bool,
    /// Whether attacks go through front hexes only.
    ahead: bool,
    /// Whether an enemy that shows its front must be attacked first.
    duty: bool,
    /// Whether fire goes through the front sector only.
    fire_ahead: bool,
    /// Hexes nobody sees through, the unit's own left out.
    closed: u128,
    /// How far it could fire, away from enemies and next to one; unknown until it is asked for.
    ranges: [Cell<Option<i32>>; 2],
}

/// What a place is worth whichever way the unit faces there, and what stands around it: six bits, one for each direction.
pub(super) struct Place {
    hex: u8,
    worth: i32,
    /// Hexes that no friend holds.
    free: u8,
    /// Those of them in an enemy's reach.
    bare: u8,
    /// Those of them that no enemy holds.
    open: u8,
    /// Hexes that enemies hold.
    enemies: u8,
}

impl<'w> Eyes<'w> {
    pub(super) fn new<D: Dice, W: Witness>(
        field: &Field<'_, D, W>,
        hex: &HexRules,
        id: UnitId,
        motion: &Motion,
        weigh: &'w Weigh,
    ) -> Self {
        let side = field.battle.unit(id).side;
        let mut enemies = ArrayVec::new();
        let mut reached = 0;
        let knows_facing = hex.any(Provides::Facing);
        for enemy in field.battle.side(side.other()) {
            let unit = field.battle.unit(enemy);
            if unit.gone() || attached(unit) {
                continue;
            }
            let (at, alone) = (hex_of(&hex.grid, unit), hex_leader_alone(unit));
            reached |= hex.grid.around(at) | 1_u128.checked_shl(u32::from(at)).unwrap_or(0);
            enemies.push(Enemy {
                id: enemy,
                hex: at,
                facing: facing(unit.heading),
                faces: knows_facing && !alone,
                counts: !alone,
                dice: [const { Cell::new(None) }; 3],
            });
        }
        let around = field.provision(hex, Provides::AttackAround, id, None).is_some();
        let friend_bits = motion.friends | motion.leaders;
        Self {
            weigh,
            enemies,
            enemy_bits: motion.enemies,
            friend_bits,
            reached,
            faces: motion.faces,
            ahead: motion.faces && !around && hex.any(Provides::AttackFront),
            duty: !around && hex.any(Provides::FrontFirst),
            fire_ahead: motion.faces && hex.any(Provides::FireFront),
            closed: hex.opaque | friend_bits | motion.enemies,
            ranges: [const { Cell::new(None) }; 2],
        }
    }

    /// Looks at a hex.
    pub(super) fn place(&self, hex: &HexRules, at: u8) -> Place {
        let weigh = self.weigh;
        let around = hex.grid.around(at);
        let mut worth = weigh.support * ((self.friend_bits & around).count_ones() as i32).min(2);
        if weigh.distance != 0 {
            let near = self.enemies.iter().map(|enemy| i32::from(hex.grid.distance(at, enemy.hex))).min();
            worth += weigh.distance * near.unwrap_or(0);
        }
        let mut place = Place { hex: at, worth: 0, free: 0, bare: 0, open: 0, enemies: 0 };
        for direction in 0..6 {
            let near = hex.grid.near(at, direction);
            if near == OFF_BOARD {
                continue;
            }
            let here = |hexes: u128| (hexes >> near & 1) as u8;
            let free = 1 - here(self.friend_bits);
            place.free |= free << direction;
            place.bare |= (free & here(self.reached)) << direction;
            place.open |= (free & (1 - here(self.enemy_bits))) << direction;
            place.enemies |= here(self.enemy_bits) << direction;
        }
        if weigh.threat != 0 && place.enemies != 0 {
            let threats = self
                .next_to(hex, &place)
                .filter(|&(enemy, direction)| !self.faces || arc((direction + 3) % 6, enemy.facing) == Arc::Front);
            worth += weigh.threat * threats.count() as i32;
        }
        place.worth = worth;
        place
    }

    /// The enemies next to a place, and in which directions.
    fn next_to<'s>(&'s self, hex: &'s HexRules, place: &'s Place) -> impl Iterator<Item = (&'s Enemy, u8)> + 's {
        (0..6).filter(|direction| place.enemies >> direction & 1 == 1).filter_map(|direction| {
            let near = hex.grid.near(place.hex, direction);
            Some((self.enemies.iter().find(|enemy| enemy.hex == near)?, direction))
        })
    }

    /// What a place is worth with a facing.
    pub(super) fn worth<D: Dice, W: Witness>(
        &self,
        field: &mut Field<'_, D, W>,
        hex: &HexRules,
        id: UnitId,
        place: &Place,
        towards: u8,
    ) -> i32 {
        let weigh = self.weigh;
        let mut worth = place.worth;
        let front = arc_bits(0, towards) | arc_bits(1, towards);
        if self.faces && (weigh.bared != 0 || weigh.retreat != 0) {
            let rear = arc_bits(3, towards) | arc_bits(4, towards);
            worth += weigh.bared * (place.bare & !front).count_ones() as i32;
            worth += weigh.retreat * (place.open & rear).count_ones() as i32;
        }
        let targets = if self.ahead { place.enemies & front } else { place.enemies };
        if targets != 0 && (weigh.dice != 0 || weigh.flank != 0) {
            worth += self.strikes(field, hex, id, place, towards, targets);
        }
        if weigh.fire != 0 && hex.any(Provides::Range) && self.fires(field, hex, id, place, towards) {
            worth += weigh.fire;
        }
        worth
    }

    /// What the best attack from a place is worth.
    fn strikes<D: Dice, W: Witness>(
        &self,
        field: &mut Field<'_, D, W>,
        hex: &HexRules,
        id: UnitId,
        place: &Place,
        towards: u8,
        targets: u8,
    ) -> i32 {
        let shown = |enemy: &Enemy, direction: u8| {
            if enemy.faces { arc((direction + 3) % 6, enemy.facing) } else { Arc::Front }
        };
        let near = || self.next_to(hex, place).filter(|(_, direction)| targets >> direction & 1 == 1);
        let fronts =
            self.duty && near().any(|(enemy, direction)| enemy.counts && shown(enemy, direction) == Arc::Front);
        let mut best: Option<(i32, bool)> = None;
        for (enemy, direction) in near() {
            let arc = shown(enemy, direction);
            if fronts && enemy.counts && arc != Arc::Front {
                continue;
            }
            let known = &enemy.dice[arc as usize];
            let plain = hex.ground.get(usize::from(place.hex)).is_none_or(|&ground| ground == 0);
            let dice = match known.get().filter(|_| plain) {
                Some(dice) => dice,
                None => {
                    let dice =
                        self.from(field, hex, id, place, towards, |field| target::dice(field, hex, id, enemy.id));
                    if plain {
                        known.set(Some(dice));
                    }
                    dice
                }
            };
            if dice > 0 {
                best = best.max(Some((dice, arc != Arc::Front)));
            }
        }
        best.map_or(0, |(dice, aside)| self.weigh.dice * dice + self.weigh.flank * i32::from(aside))
    }

    /// Whether the unit would have somebody to fire at from a place.
    fn fires<D: Dice, W: Witness>(
        &self,
        field: &mut Field<'_, D, W>,
        hex: &HexRules,
        id: UnitId,
        place: &Place,
        towards: u8,
    ) -> bool {
        let known = &self.ranges[usize::from(place.enemies != 0)];
        let range = known.get().unwrap_or_else(|| {
            let first = self.enemies.first().map(|enemy| enemy.id);
            let range = self.from(field, hex, id, place, towards, |field| {
                field.provision(hex, Provides::Range, id, first).map_or(0, |(_, range)| range)
            });
            known.set(Some(range));
            range
        });
        let (q, r) = hex.grid.place(place.hex);
        range >= 2
            && self.enemies.iter().any(|enemy| {
                let away = i32::from(hex.grid.distance(place.hex, enemy.hex));
                if away < 2 || away > range {
                    return false;
                }
                let (foe_q, foe_r) = hex.grid.place(enemy.hex);
                let ahead = !self.fire_ahead || sector(foe_q - q, foe_r - r, towards) == Arc::Front;
                ahead && sees(&hex.grid, self.closed, Point { x: q, y: r }, Point { x: foe_q, y: foe_r })
            })
    }

    /// Something worked out with the unit put to a place for a moment.
    fn from<D: Dice, W: Witness, T>(
        &self,
        field: &mut Field<'_, D, W>,
        hex: &HexRules,
        id: UnitId,
        place: &Place,
        towards: u8,
        read: impl FnOnce(&Field<'_, D, W>) -> T,
    ) -> T {
        let before = *field.battle.unit(id);
        let (q, r) = hex.grid.place(place.hex);
        let unit = field.battle.unit_mut(id);
        unit.front = Point { x: q, y: r };
        unit.heading = heading(towards);
        let value = read(field);
        *field.battle.unit_mut(id) = before;
        value
    }
}

/// The bit of the direction that lies so many on from a facing.
fn arc_bits(on: u8, towards: u8) -> u8 {
    1 << ((towards + on) % 6)
}
