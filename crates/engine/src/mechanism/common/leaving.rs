//! Units that leave the table.

use crate::mechanism::common::moving::is_off_table;
use crate::mechanism::common::units::square_of;
use crate::mechanism::figures::tether::check_tether;
use crate::state::{Flags, UnitId};
use crate::step::Context;
use crate::telling::event::Event;

/// A unit that moves its centre beyond the table's edge is gone. Skirmishers who have strayed from their unit by that go back to it
/// instead (9.42).
pub(crate) fn leave_if_off_table(ctx: &mut Context<'_>, id: UnitId) {
    if is_off_table(ctx.rules, &ctx.rect(id)) {
        if ctx.battle.unit(id).flags.has(Flags::SCREEN) {
            check_tether(ctx, id);
            if ctx.battle.unit(id).gone() {
                return;
            }
        }
        for member in square_of(ctx, id) {
            ctx.remove(member, Event::LeftTable);
        }
        ctx.remove(id, Event::LeftTable);
    }
}
