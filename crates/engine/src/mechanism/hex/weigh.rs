//! What places are worth to a unit that may move there.

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::{HexRules, OFF_BOARD, Provides, Weigh};

use super::{fire, target};
use crate::field::Field;
use crate::hex::{Motion, arc, attached, facing, heading, hex_of};
use crate::plane::{Arc, Point};
use crate::state::{UNITS_MAX, UnitId};
use crate::witness::Witness;

/// What a unit sees of the board before it moves.
pub(super) struct Eyes {
    /// Enemies: hex, facing.
    enemies: ArrayVec<(u8, u8), UNITS_MAX>,
    enemy_bits: u128,
    friend_bits: u128,
    /// Hexes that enemies stand in or next to.
    reached: u128,
    faces: bool,
}

impl Eyes {
    pub(super) fn new<D: Dice, W: Witness>(
        field: &Field<'_, D, W>,
        hex: &HexRules,
        id: UnitId,
        motion: &Motion,
    ) -> Self {
        let side = field.battle.unit(id).side;
        let mut enemies = ArrayVec::new();
        let mut reached = 0;
        for enemy in field.battle.side(side.other()) {
            let unit = field.battle.unit(enemy);
            if unit.gone() || attached(unit) {
                continue;
            }
            let at = hex_of(&hex.grid, unit);
            enemies.push((at, facing(unit.heading)));
            reached |= hex.grid.around(at) | 1 << at;
        }
        let friend_bits = motion.friends | motion.leaders;
        Self { enemies, enemy_bits: motion.enemies, friend_bits, reached, faces: motion.faces }
    }

    /// What a hex is worth with a facing.
    pub(super) fn worth<D: Dice, W: Witness>(
        &self,
        field: &mut Field<'_, D, W>,
        hex: &HexRules,
        id: UnitId,
        at: u8,
        towards: u8,
        weigh: &Weigh,
    ) -> i32 {
        let around = hex.grid.around(at);
        let mut worth = weigh.support * ((self.friend_bits & around).count_ones() as i32).min(2);
        if weigh.distance != 0 {
            let near = self.enemies.iter().map(|enemy| i32::from(hex.grid.distance(at, enemy.0))).min();
            worth += weigh.distance * near.unwrap_or(0);
        }
        if self.faces && (weigh.bared != 0 || weigh.retreat != 0) {
            for direction in 0..6 {
                let near = hex.grid.near(at, direction);
                let arc = arc(direction, towards);
                if near == OFF_BOARD || arc == Arc::Front {
                    continue;
                }
                let free = self.friend_bits >> near & 1 == 0;
                worth += weigh.bared * i32::from(free && self.reached >> near & 1 == 1);
                if arc == Arc::Rear {
                    worth += weigh.retreat * i32::from(free && self.enemy_bits >> near & 1 == 0);
                }
            }
        }
        let touches = self.enemy_bits & around != 0;
        if weigh.threat != 0 && touches {
            let (q, r) = hex.grid.place(at);
            for &(enemy, facing) in &self.enemies {
                if hex.grid.distance(at, enemy) == 1 {
                    let (eq, er) = hex.grid.place(enemy);
                    let direction = crate::hex::direction(Point { x: eq, y: er }, Point { x: q, y: r });
                    let front = direction.is_some_and(|direction| arc(direction, facing) == Arc::Front);
                    worth += weigh.threat * i32::from(front || !self.faces);
                }
            }
        }
        let strikes = (weigh.dice != 0 || weigh.flank != 0) && touches;
        if strikes || weigh.fire != 0 {
            worth += self.opens(field, hex, id, (at, towards), strikes, weigh);
        }
        worth
    }

    /// What the unit could do from a place, found by putting it there for a moment.
    fn opens<D: Dice, W: Witness>(
        &self,
        field: &mut Field<'_, D, W>,
        hex: &HexRules,
        id: UnitId,
        (at, towards): (u8, u8),
        strikes: bool,
        weigh: &Weigh,
    ) -> i32 {
        let before = *field.battle.unit(id);
        let (q, r) = hex.grid.place(at);
        let unit = field.battle.unit_mut(id);
        unit.front = Point { x: q, y: r };
        unit.heading = heading(towards);
        let mut worth = 0;
        if strikes && let Some(best) = target::best_by_dice(field, hex, id) {
            worth += weigh.dice * best.dice + weigh.flank * i32::from(best.arc != Arc::Front);
        }
        if weigh.fire != 0 && hex.any(Provides::Range) && fire::has_target(field, hex, id) {
            worth += weigh.fire;
        }
        *field.battle.unit_mut(id) = before;
        worth
    }
}
