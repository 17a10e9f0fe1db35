//! Volleys: units with a firing marker fire, and their targets fire back from then on.
//!
//! At the start of the phase, units of either side without a target lose their marker. Then the active side's marked
//! units fire one after another, in order of precedence. The target is the nearest enemy in range, in the front arc and
//! in sight that meets the phase's condition, unbroken ones first. The phase may allow fire over other units. A target
//! that could fire at the firer gets a marker, and the roll is taken against it.

use crate::mechanism::points::act::{self, open_fire};
use crate::situation::fire_lines::Aiming;
use crate::state::{Flags, Marks, Side, UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::Occasion;
use grognard_rules::model::RollId;

pub(crate) fn play(ctx: &mut Context<'_>, side: Side, roll: RollId) {
    let index = ctx.battle.phase;
    let idle = |id: UnitId| {
        let unit = ctx.battle.unit(id);
        unit.marks.has(Marks::FIRING) && !unit.gone() && aiming(ctx).best_target(id).is_none()
    };
    // Units without a target are found before any marker is removed, because conditions read the markers of others.
    let idle = Units::first(ctx.battle.units.len()).those(idle);
    for id in idle {
        act::cease(ctx, id);
    }
    let fires = |&id: &UnitId| ctx.battle.unit(id).marks.has(Marks::FIRING);
    for id in ctx.neighbours().in_order(ctx.battle.side(side).filter(fires)) {
        let unit = ctx.battle.unit(id);
        if !unit.marks.has(Marks::FIRING) || unit.broken(ctx.rules) {
            continue;
        }
        let Some(target) = aiming(ctx).best_target(id) else { continue };
        ctx.battle.flags_mut(id).set(Flags::FIRED);
        if !ctx.battle.unit(target).marks.has(Marks::FIRING) && aiming(ctx).can_fire_at(target, id) {
            open_fire(ctx, target);
        }
        ctx.roll(Occasion::Phase(index), roll, id, Some(target));
        ctx.answer_losses();
    }
}

fn aiming<'a>(ctx: &'a Position<'_>) -> Aiming<'a> {
    Aiming { about: ctx.neighbours(), phase: usize::from(ctx.battle.phase), plain: false }
}
