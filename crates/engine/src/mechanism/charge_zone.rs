//! The charge zone: what a declared charge means to enemies who are not its target (clause 7.65).
//!
//! It lies before the charger's front, as deep as its move in the formation it is in. Every enemy in it is threatened until
//! its own next half-turn is over: it takes the pack's reaction at once, the pack's modifiers see it, and what the pack holds
//! fast does not march up.

use grognard_dice::Dice;
use grognard_rules::model::{Board, Trigger};

use crate::field::Field;
use crate::state::{Flags, UnitId};
use crate::witness::{Event, Witness};

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Marks every enemy in the zone of a unit that has just declared a charge.
    pub(crate) fn cast_charge_zone(&mut self, id: UnitId) {
        let rules = self.rules;
        let (Some(zone), Board::Plane { arc, .. }) = (&rules.charge_zone, rules.board) else { return };
        if !self.holds(zone.when.as_ref(), id, None) {
            return;
        }
        let unit = *self.battle.unit(id);
        let depth = rules.kinds[usize::from(unit.kind)].speed[usize::from(unit.formation)].unwrap_or(0);
        let ground = self.rect(id);
        for enemy in self.battle.side(unit.side.other()) {
            if self.battle.unit(enemy).gone() || self.view(id, Some(enemy)).distance() > depth {
                continue;
            }
            if ground.zone_holds(&self.rect(enemy), depth, arc) {
                self.battle.flags_mut(enemy).set(Flags::THREATENED);
                self.tell(|| Event::Threatened { unit: enemy, charger: id });
            }
        }
    }

    /// Lets those in the zone who are not charged themselves react to it.
    pub(crate) fn answer_charge_zone(&mut self, id: UnitId) {
        if self.rules.charge_zone.is_none() || self.battle.units.len() == 2 {
            return;
        }
        let (side, target) = (self.battle.unit(id).side.other(), self.battle.unit(id).foe);
        for enemy in self.battle.side(side) {
            if enemy != target
                && self.battle.unit(enemy).flags.has(Flags::THREATENED)
                && self.battle.unit(id).flags.has(Flags::CHARGING)
            {
                self.react(Trigger::Threatened, enemy, id);
            }
        }
    }

    /// Whether a unit is held fast by the charge zone it was in.
    pub(crate) fn is_held(&self, id: UnitId) -> bool {
        let Some(holds) = self.rules.charge_zone.as_ref().and_then(|zone| zone.holds.as_ref()) else { return false };
        self.battle.unit(id).flags.has(Flags::THREATENED) && self.holds(Some(holds), id, None)
    }
}
