//! Units that leave the table.

use grognard_rules::model::PointsRow;

use crate::geometry::plane::{Course, Rect};
use crate::mechanism::common::moving::{is_off_table, within_table};
use crate::mechanism::common::units::square_of;
use crate::situation::objectives::{exits_at, left_at};
use crate::state::UnitId;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Scene};
use crate::telling::narrator::words::unit_name;

/// Removes a unit whose centre has moved beyond the table's edge.
pub(crate) fn leave_if_off_table(ctx: &mut Context<'_>, id: UnitId) {
    if is_off_table(ctx.rules, &ctx.rect(id)) {
        for member in square_of(ctx, id) {
            leave(ctx, member);
        }
        leave(ctx, id);
    }
}

/// Whether a unit that leaves the table here scores points.
fn may_exit(ctx: &Position<'_>, id: UnitId, there: &Rect) -> bool {
    exits_at(ctx.rules, &ctx.view(id, None), there.centre()).next().is_some()
}

/// Whether an order that ends on this ground would lose the unit: it would be off the table, where leaving scores no
/// points.
pub(crate) fn is_lost_at(ctx: &Position<'_>, id: UnitId, there: &Rect) -> bool {
    is_off_table(ctx.rules, there) && !may_exit(ctx, id, there)
}

/// The part of a march that keeps a unit's centre on the table, or all of it if it ends where leaving scores points.
pub(crate) fn up_to_edge(ctx: &Position<'_>, id: UnitId, course: &Course, wanted: i32) -> i32 {
    if may_exit(ctx, id, &course.at(wanted)) { wanted } else { within_table(ctx.rules, course, wanted) }
}

/// Removes a unit that leaves the table. If the edge scores points, the unit does not count as broken.
fn leave(ctx: &mut Context<'_>, id: UnitId) {
    let (rules, broke) = (ctx.rules, ctx.battle.unit(id).broke);
    ctx.remove(id, Event::LeftTable);
    let view = ctx.view(id, None);
    let exits: Vec<&PointsRow> = left_at(&view, id).into_iter().flat_map(|at| exits_at(rules, &view, at)).collect();
    if exits.is_empty() {
        return;
    }
    ctx.battle.unit_mut(id).broke = broke;
    let side = ctx.battle.unit(id).side;
    for row in exits {
        let (more, point) = (row.points, if row.points == 1 { "point" } else { "points" });
        ctx.tell_special((id, None), &row.source, |scene: Scene<'_>| {
            format!("{} scores {more} {point} for {}.", scene.setup.names[side], unit_name(scene, id))
        });
    }
}
