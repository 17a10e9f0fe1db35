//! Units that leave the table.

use grognard_rules::model::PointsFor;

use crate::geometry::plane::Rect;
use crate::mechanism::common::moving::is_off_table;
use crate::mechanism::common::units::square_of;
use crate::situation::objectives::{has_exited, is_beyond};
use crate::state::UnitId;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Scene};
use crate::telling::narrator::words::unit_name;

/// A unit that moves its centre beyond the table's edge is gone.
pub(crate) fn leave_if_off_table(ctx: &mut Context<'_>, id: UnitId) {
    if is_off_table(ctx.rules, &ctx.rect(id)) {
        for member in square_of(ctx, id) {
            leave(ctx, member);
        }
        leave(ctx, id);
    }
}

/// Whether a unit that leaves the table here scores points.
pub(crate) fn may_exit(ctx: &Position<'_>, id: UnitId, there: &Rect) -> bool {
    let Some(points) = ctx.rules.victory.points.as_ref().filter(|points| points.exits) else { return false };
    let (side, view) = (ctx.battle.unit(id).side, ctx.view(id, None));
    let mut exits = points.rows.iter().filter(|row| row.on == PointsFor::Exit);
    exits.any(|row| is_beyond(&view, side, row, there.centre()) && ctx.holds(row.when.as_ref(), id, None))
}

/// A unit that leaves by an edge that scores points has not broken.
fn leave(ctx: &mut Context<'_>, id: UnitId) {
    let broke = ctx.battle.unit(id).broke;
    ctx.remove(id, Event::LeftTable);
    if !has_exited(&ctx.view(id, None), id) {
        return;
    }
    ctx.battle.unit_mut(id).broke = broke;
    let there = ctx.battle.unit(id).rect(ctx.rules).centre();
    let rules = ctx.rules;
    for row in rules.victory.points.iter().flat_map(|points| &points.rows) {
        let side = ctx.battle.unit(id).side;
        let by = row.on == PointsFor::Exit && is_beyond(&ctx.view(id, None), side, row, there);
        if by && ctx.holds(row.when.as_ref(), id, None) {
            let (more, point) = (row.points, if row.points == 1 { "point" } else { "points" });
            ctx.tell_special((id, None), &row.source, |scene: Scene<'_>| {
                format!("{} has {more} {point} for {}.", scene.setup.names[side], unit_name(scene, id))
            });
        }
    }
}
