//! Skirmishers keep out of fire zones unless something covers them all the way (clauses 7.62, 9.43).
//!
//! Example: an enemy line with a zone of 2". Skirmishers that march up to it stop 2" before it; behind a hedge they go on.

use grognard_dice::Dice;

use crate::field::Field;
use crate::plane::Rect;
use crate::state::UnitId;
use crate::terrain::covered;
use crate::witness::{Event, Refusal, Witness};

/// How finely a way is looked at, in hundredths of an inch: a skirmisher stops at most so far before a zone.
const STEP: i32 = 10;

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// The enemies in whose zones a unit stands uncovered, a bit for each.
    pub(crate) fn zones_about(&self, id: UnitId) -> u128 {
        let side = self.battle.unit(id).side.other();
        let ground = self.battle.unit(id).rect(self.rules);
        let mut zones = 0;
        for owner in self.battle.side(side) {
            let enemy = self.battle.unit(owner);
            if !enemy.gone()
                && self.vicinity().in_zone(owner, id)
                && !covered(self.rules, &self.setup.terrain, &ground, enemy.front)
            {
                zones |= 1_u128 << owner.index();
            }
        }
        zones
    }

    /// How far of a march a unit in open order may go before it would enter a fire zone.
    pub(crate) fn march_outside_zones(&mut self, id: UnitId, from: &Rect, distance: i32) -> i32 {
        let unit = *self.battle.unit(id);
        let loose = self.rules.formations[usize::from(unit.formation)].spacing.is_some();
        if !loose || self.rules.fire_zone.is_none() || distance <= 0 {
            return distance;
        }
        let known = self.zones_about(id);
        let (mut free, mut at) = (0, 0);
        while at < distance {
            at = (at + STEP).min(distance);
            super::movement::settle_on(self, id, &from.marched(at));
            if self.zones_about(id) & !known != 0 {
                break;
            }
            free = at;
        }
        *self.battle.unit_mut(id) = unit;
        if free < distance {
            self.tell(|| Event::Refused { unit: id, why: Refusal::FireZone });
        }
        free
    }
}
