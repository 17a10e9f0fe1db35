//! What phases do. Each mechanism plays one unit's part in a phase; doctrine says what the player would do, the rules say
//! whether it may, and chance is asked through the field alone.

mod act;
pub(crate) mod battery;
pub(crate) mod charge;
pub(crate) mod charge_zone;
pub(crate) mod choice;
pub(crate) mod command;
mod contact;
mod crew;
pub(crate) mod exchange;
pub(crate) mod fire;
pub(crate) mod flight;
pub(crate) mod formation;
pub(crate) mod general;
pub(crate) mod ground;
pub(crate) mod hex;
pub(crate) mod movement;
pub(crate) mod onset;
pub(crate) mod opportunity;
pub(crate) mod orders;
mod passage;
pub(crate) mod path;
pub(crate) mod purse;
pub(crate) mod route;
pub(crate) mod screen;
pub(crate) mod shock;
pub(crate) mod square;
pub(crate) mod test;
pub(crate) mod tether;
pub(crate) mod volley;
pub(crate) mod zone_entry;

use grognard_dice::Dice;
use grognard_rules::model::Order;

use crate::field::Field;
use crate::state::UnitId;
use crate::witness::{Event, Witness};

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Whether a unit's doctrine has anything to say in this phase.
    pub(crate) fn has_orders(&self, id: UnitId) -> bool {
        let doctrine = &self.rules.doctrines[usize::from(self.battle.unit(id).doctrine)];
        !doctrine.phases[usize::from(self.battle.phase)].0.is_empty()
    }

    /// What doctrine orders a unit to do in this phase with regard to the nearest enemy, and the row's place among those of
    /// the phase; none: nothing at all.
    pub(crate) fn order_row(&mut self, id: UnitId, enemy: Option<UnitId>) -> Option<(usize, Order)> {
        let rules = self.rules;
        let doctrine = &rules.doctrines[usize::from(self.battle.unit(id).doctrine)];
        let (rows, first) = &doctrine.phases[usize::from(self.battle.phase)];
        if self.battle.orders == 0 {
            return None;
        }
        let row = first.get(&self.view(id, enemy)) as usize;
        let order = rows.get(row)?.order;
        if order != Order::Hold && self.battle.orders != u16::MAX {
            self.battle.orders -= 1;
        }
        self.tell(|| Event::Ordered { unit: id, row, order });
        Some((row, order))
    }
}
