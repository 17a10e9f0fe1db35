//! Choice: enemies that a player would look at before the nearest one.
//!
//! A doctrine row of any enemy applies if there is an enemy, of those that can be had, for which it holds; of several the
//! nearest is taken. Such a row is weighed against the others by its place: the first that applies counts.
//!
//! Examples: cavalry before a square, with a line's flank within reach beside it: the row that looks for a flank stands first.
//! A battalion with enemy foot before it and horse farther off within reach: the row that forms square looks at the horse.

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::{Choice, Order};

use crate::field::Field;
use crate::state::{UNITS_MAX, UnitId};
use crate::witness::{Event, Witness};

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// What doctrine decides in the middle of a combat.
    pub(crate) fn decides(&self, choice: Choice, own: UnitId, foe: UnitId) -> bool {
        let doctrine = &self.rules.doctrines[usize::from(self.battle.unit(own).doctrine)];
        let when = &doctrine.choices[usize::from(self.battle.phase)][choice as usize];
        when.as_ref().is_some_and(|when| when.get(&self.view(own, Some(foe))) != 0)
    }

    /// What doctrine orders a unit to do in this phase: the row's place among those of the phase, the order, and the enemy of
    /// its choice if the row looks at any of those that it may be done to. None: nothing at all.
    pub(crate) fn decide(
        &mut self,
        id: UnitId,
        nearest: Option<UnitId>,
        may: impl Fn(&Self, UnitId) -> bool,
    ) -> Option<(usize, Order, Option<UnitId>)> {
        let Some((row, order, enemy)) = self.choose(id, nearest, may) else {
            return self.order_row(id, nearest).map(|(row, order)| (row, order, None));
        };
        if order != Order::Hold && self.battle.orders != u16::MAX {
            self.battle.orders -= 1;
        }
        self.tell(|| Event::Ordered { unit: id, row, order });
        Some((row, order, Some(enemy)))
    }

    /// The order that doctrine would give now, without giving it.
    pub(crate) fn foresee(&self, id: UnitId) -> Option<Order> {
        let rules = self.rules;
        let nearest = self.nearest_enemy(id);
        if let Some((_, order, _)) = self.choose(id, nearest, |_, _| true) {
            return Some(order);
        }
        let doctrine = &rules.doctrines[usize::from(self.battle.unit(id).doctrine)];
        let (rows, first) = &doctrine.phases[usize::from(self.battle.phase)];
        rows.get(first.get(&self.view(id, nearest)) as usize).map(|row| row.order)
    }

    /// The order of the first row of any enemy that applies; none if no such row comes before the one that applies to the
    /// nearest enemy.
    fn choose(
        &self,
        id: UnitId,
        nearest: Option<UnitId>,
        may: impl Fn(&Self, UnitId) -> bool,
    ) -> Option<(usize, Order, UnitId)> {
        let rules = self.rules;
        let doctrine = &rules.doctrines[usize::from(self.battle.unit(id).doctrine)];
        if !doctrine.chooses || self.battle.orders == 0 {
            return None;
        }
        let (rows, first) = &doctrine.phases[usize::from(self.battle.phase)];
        let plain = first.get(&self.view(id, nearest)) as usize;
        if !rows.iter().take(plain).any(|row| row.any.is_some()) {
            return None;
        }
        // Conditions are quickly read; whether it may be done, and how far away they are, is looked at only of those that fit.
        let mut enemies: ArrayVec<(UnitId, Option<bool>), UNITS_MAX> = self.enemies(id).map(|id| (id, None)).collect();
        for (row, ordered) in rows.iter().enumerate().take(plain) {
            let Some(when) = &ordered.any else { continue };
            let mut fitting = ArrayVec::<UnitId, UNITS_MAX>::new();
            for (enemy, allowed) in &mut enemies {
                let fits = when.get(&self.view(id, Some(*enemy))) != 0;
                if fits && *allowed.get_or_insert_with(|| may(self, *enemy)) {
                    fitting.push(*enemy);
                }
            }
            let distance = |enemy: UnitId| self.view(id, Some(enemy)).distance();
            let nearest = match *fitting {
                [] => continue,
                [only] => only,
                [first, ..] => fitting.iter().copied().min_by_key(|&enemy| (distance(enemy), enemy)).unwrap_or(first),
            };
            return Some((row, ordered.order, nearest));
        }
        None
    }
}
