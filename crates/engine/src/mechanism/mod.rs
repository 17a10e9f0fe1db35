//! What phases do. Each mechanism plays one unit's part in a phase; doctrine says what the player would do, the rules say
//! whether it may, and chance is asked through the field alone.

pub(crate) mod common;
pub(crate) mod figures;
pub(crate) mod hex;
pub(crate) mod points;

use grognard_dice::Dice;
use grognard_rules::model::{Decisions, Order};

use crate::state::battle::UnitId;
use crate::step::context::Context;
use crate::telling::event::{Event, Witness};

impl<'a, D: Dice, W: Witness> Context<'a, D, W> {
    /// What a unit's doctrine says in this phase.
    #[inline]
    pub(crate) fn decisions(&self, id: UnitId) -> &'a Decisions {
        let doctrine = &self.rules.doctrines[usize::from(self.battle.unit(id).doctrine)];
        &doctrine.phases[usize::from(self.battle.phase)]
    }

    /// Whether a unit's doctrine has anything to say in this phase.
    pub(crate) fn has_orders(&self, id: UnitId) -> bool {
        !self.decisions(id).rows.is_empty()
    }
}

/// Has a unit do what this row of its doctrine orders: the row and its order; none if there is no such row.
#[inline]
pub(crate) fn order_row<D: Dice, W: Witness>(
    ctx: &mut Context<'_, D, W>,
    id: UnitId,
    row: usize,
) -> Option<(usize, Order)> {
    let order = ctx.decisions(id).rows.get(row)?.order;
    if order != Order::Hold && ctx.battle.orders != u16::MAX {
        ctx.battle.beside_units().orders -= 1;
    }
    ctx.tell(|| Event::Ordered { unit: id, row, order });
    Some((row, order))
}
