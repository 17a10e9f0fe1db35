//! Opportunity fire: whoever turns, pivots or changes formation in an enemy's fire zone may be shot at (clauses 7.55, 8.17,
//! 8.44).
//!
//! The change is announced to every enemy whose zone holds any part of the unit; each takes the pack's reaction, once,
//! before the change takes effect, unless its doctrine would rather hold its fire. A unit that breaks under the fire, or loses the right to its new formation, does not
//! carry the change out. Example: a line 1.5" before an enemy with a zone of 2" turns: one announcement.

use grognard_dice::Dice;
use grognard_rules::model::{Choice, Trigger};

use crate::state::battle::{Flags, UnitId};
use crate::step::context::Field;
use crate::telling::event::{Event, Witness};

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Announces a change to the enemies in whose fire zones a unit stands, and lets them fire; false if the unit breaks.
    pub(crate) fn announce_change(&mut self, id: UnitId, trigger: Trigger) -> bool {
        if self.rules.fire_zone.is_none() {
            return true;
        }
        let side = self.battle.unit(id).side.other();
        for owner in self.battle.side(side) {
            if self.battle.unit(owner).gone() || !self.vicinity().in_zone(owner, id) {
                continue;
            }
            self.tell(|| Event::InZone { unit: id, owner, trigger });
            if self.decides(Choice::HoldFire, owner, id) {
                self.tell(|| Event::HeldFire { unit: owner });
            } else if self.react(trigger, owner, id) {
                self.battle.flags_mut(owner).set(Flags::FIRED);
            }
        }
        self.answer_losses();
        !self.battle.unit(id).broken(self.rules)
    }

    /// What a turn of this unit is to its enemies: a pivot for one that does not move in its formation.
    pub(crate) fn kind_of_turn(&self, id: UnitId) -> Trigger {
        let formation = &self.rules.formations[usize::from(self.battle.unit(id).formation)];
        if formation.moves { Trigger::TurnsInZone } else { Trigger::PivotsInZone }
    }
}
