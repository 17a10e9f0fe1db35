//! Batteries: cannon and crew apart, and changes of formation that take time (clauses 8.42 to 8.49, 9.56).
//!
//! A battery's figures are its crew. Losses fall on cannon or on the crew, as the pack says. A crew that breaks leaves its
//! guns, which stay where they are and can do nothing; if it rallies, it comes back to them: see `crew`. Without cannon left the battery
//! is gone.
//!
//! Example: a field battery with 8" of move marches 6" and unlimbers for 2" more; after 6.5" it cannot.

use grognard_dice::Dice;
use grognard_rules::model::Towards;

use crate::state::battle::{Flags, UnitId};
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, Witness};

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Whether a unit is a battery or a train.
    #[inline]
    pub(crate) fn has_cannon(&self, id: UnitId) -> bool {
        self.rules.kinds[usize::from(self.battle.unit(id).kind)].cannon > 0
    }

    /// Takes hits off a battery: cannon, or crew figures.
    pub(crate) fn lose_of_battery(&mut self, id: UnitId, hits: u16, cause: UnitId) {
        let Some(battery) = &self.rules.battery else { return };
        let on_cannon = self.holds(battery.cannon_lost.as_ref(), id, Some(cause));
        let unit = self.battle.unit_mut(id);
        unit.hits += hits;
        if on_cannon {
            let lost = hits.min(unit.cannon);
            unit.cannon -= lost;
            let left = unit.cannon;
            self.tell(|| Event::CannonLost { unit: id, cannon: lost });
            if left == 0 {
                self.destroy(id);
            }
            return;
        }
        let lost = (hits / battery.crew_hits.max(1)).min(unit.figures);
        if lost == 0 {
            return;
        }
        unit.figures -= lost;
        self.tell(|| Event::Lost { unit: id, figures: lost });
        self.note_crew_gone(id);
    }

    pub(crate) fn note_crew_gone(&mut self, id: UnitId) {
        let turn = self.battle.turn;
        let unit = self.battle.unit_mut(id);
        if unit.figures == 0 {
            if unit.broke == 0 {
                unit.broke = turn;
            }
            self.scratch.broken = true;
        }
    }

    /// Hundredths of an inch that a unit keeps back to take this formation at the end of its move, or why it may not.
    pub(crate) fn cost_in_move(&self, id: UnitId, formation: u8) -> Result<i32, Refusal> {
        let in_move = self.rules.formations[usize::from(formation)].in_move.as_ref();
        let in_move = in_move.ok_or(Refusal::NotInMove(formation))?;
        let bar = in_move.bars.iter().position(|bar| self.holds(Some(&bar.when), id, None));
        bar.map_or(Ok(in_move.cost), |bar| Err(Refusal::BarredInMove(formation, bar as u8)))
    }

    /// Lets a unit take a formation at the end of its move, if it has the move left for it. It needs no formation phase, and
    /// may have changed in that already.
    pub(crate) fn form_in_move(&mut self, id: UnitId, formation: u8, towards: Towards, left: i32) {
        let unit = self.battle.unit(id);
        if unit.formation == formation || unit.gone() || unit.broken(self.rules) {
            return;
        }
        let why = match self.cost_in_move(id, formation) {
            Err(why) => Some(why),
            Ok(cost) if cost > left => Some(Refusal::NoMove(formation)),
            Ok(_) => None,
        };
        if let Some(why) = why {
            self.tell(|| Event::Refused { unit: id, why });
            return;
        }
        self.battle.flags_mut(id).clear(Flags::CHANGED);
        self.form(id, formation, towards);
    }

    /// Sets out on a change that takes the whole turn; false if this one does not.
    pub(crate) fn begins_slowly(&mut self, id: UnitId, formation: u8) -> bool {
        let Some(slow) = &self.rules.formations[usize::from(formation)].slow else { return false };
        if !self.holds(slow.when.as_ref(), id, None) {
            return false;
        }
        let unit = self.battle.unit_mut(id);
        unit.forming = formation + 1;
        unit.flags.set(Flags::CHANGED);
        self.tell(|| Event::Forming { unit: id, formation });
        true
    }

    /// At the end of a side's half-turn: who has not stood still gives its change up (8.43).
    pub(crate) fn give_up_slow_changes(&mut self) {
        if self.rules.battery.is_none() {
            return;
        }
        for id in self.battle.side(self.battle.active) {
            let unit = self.battle.unit(id);
            if unit.forming > 0 && unit.flags.has(Flags::MOVED) {
                self.battle.unit_mut(id).forming = 0;
            }
        }
    }

    /// When the enemy's half-turn is over as well: who has stood still has its new formation, and the facing its owner likes
    /// with it (8.43, 8.44).
    pub(crate) fn finish_slow_changes(&mut self) {
        if self.rules.battery.is_none() {
            return;
        }
        for id in self.battle.side(self.battle.active.other()) {
            let unit = *self.battle.unit(id);
            if unit.forming == 0 {
                continue;
            }
            let formation = unit.forming - 1;
            self.battle.unit_mut(id).forming = 0;
            if unit.gone() || unit.broken(self.rules) || !self.take_formation_with_room(id, formation) {
                continue;
            }
            let enemy = self.nearest_enemy(id).filter(|_| self.rules.formations[usize::from(formation)].turns);
            if let Some(enemy) = enemy {
                let before = *self.battle.unit(id);
                self.turn_from_or_to(id, enemy, Towards::Enemy);
                if self.overlaps_anybody(id) {
                    *self.battle.unit_mut(id) = before;
                }
            }
        }
    }
}
