//! Units that leave the table.

use crate::mechanism::common::moving::is_off_table;
use crate::mechanism::common::units::square_of;
use crate::state::UnitId;
use crate::step::Context;
use crate::telling::event::Event;

/// A unit that moves its centre beyond the table's edge is gone.
pub(crate) fn leave_if_off_table(ctx: &mut Context<'_>, id: UnitId) {
    if is_off_table(ctx.rules, &ctx.rect(id)) {
        for member in square_of(ctx, id) {
            ctx.remove(member, Event::LeftTable);
        }
        ctx.remove(id, Event::LeftTable);
    }
}
