//! The charge zone: what a declared charge means to enemies who are not its target (clause 7.65).
//!
//! It lies before the charger's front, as deep as its move in the formation it is in. Every enemy in it is threatened until
//! its own next half-turn is over: it takes the pack's reaction at once, the pack's modifiers see it, and what the pack holds
//! fast does not march up.

use grognard_dice::Dice;
use grognard_rules::model::{Board, Trigger};

use crate::state::battle::{Flags, UnitId};
use crate::step::context::Field;
use crate::telling::event::{Event, Witness};

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Marks every enemy in the zone of a unit that has just declared a charge.
    pub(crate) fn cast_charge_zone(&mut self, id: UnitId) {
        for enemy in self.battle.side(self.battle.unit(id).side.other()) {
            if self.in_charge_zone(id, enemy) {
                self.threaten(enemy, id);
            }
        }
    }

    /// Lets those react who stand in the zone now and were not charged themselves. The target's answer may have moved others
    /// out of the zone, or into it. `square`: who stood in the target's square when it was charged.
    pub(crate) fn answer_charge_zone(&mut self, id: UnitId, square: &[UnitId]) {
        if self.rules.charge_zone.is_none() || self.battle.units.len() == 2 {
            return;
        }
        let (side, target) = (self.battle.unit(id).side.other(), self.battle.unit(id).foe);
        for enemy in self.battle.side(side) {
            if enemy != target && !square.contains(&enemy) && self.in_charge_zone(id, enemy) {
                if !self.battle.unit(enemy).flags.has(Flags::THREATENED) {
                    self.threaten(enemy, id);
                }
                self.react(Trigger::Threatened, enemy, id);
            }
        }
    }

    /// Marks a unit as one in the charge zone, and those who stand in its square with it.
    fn threaten(&mut self, enemy: UnitId, charger: UnitId) {
        self.battle.flags_mut(enemy).set(Flags::THREATENED);
        for member in self.square_of(enemy) {
            self.battle.flags_mut(member).set(Flags::THREATENED);
        }
        self.tell(|| Event::Threatened { unit: enemy, charger });
    }

    /// Whether an enemy stands in a unit's charge zone as things are now.
    fn in_charge_zone(&self, id: UnitId, enemy: UnitId) -> bool {
        let rules = self.rules;
        let (Some(zone), Board::Plane { arc, .. }) = (&rules.charge_zone, rules.board) else { return false };
        let unit = self.battle.unit(id);
        if !unit.flags.has(Flags::CHARGING) || self.battle.unit(enemy).gone() {
            return false;
        }
        let depth = rules.kinds[usize::from(unit.kind)].speed[usize::from(unit.formation)].unwrap_or(0);
        self.view(id, Some(enemy)).distance() <= depth
            && self.holds(zone.when.as_ref(), id, None)
            && self.rect(id).zone_holds(&self.rect(enemy), depth, arc)
    }

    /// Whether a unit is held fast by the charge zone it was in.
    pub(crate) fn is_held(&self, id: UnitId) -> bool {
        let Some(holds) = self.rules.charge_zone.as_ref().and_then(|zone| zone.holds.as_ref()) else { return false };
        self.battle.unit(id).flags.has(Flags::THREATENED) && self.holds(Some(holds), id, None)
    }
}
