//! Volleys: units with a firing marker fire, and their targets fire back from then on.
//!
//! At the start of the phase, units of either side without a target lose their marker. Then the active side's marked
//! units fire one after another, in order of precedence. The target is the nearest enemy in range, in the front arc and
//! in sight that meets the phase's condition, unbroken ones first. A player chooses which unit fires next, and at which
//! of these enemies. The phase may allow fire over other units. A target that could fire at the firer gets a marker,
//! and then the roll is made against the target. Example: guns that have a square and a line in front of them may fire
//! at the square, even if it is farther away.

use crate::mechanism::common::units::{one_of, take_next};
use crate::mechanism::points::act::{self, open_fire};
use crate::situation::fire_lines::Aiming;
use crate::state::{Flags, Marks, Side, UnitId, Units};
use crate::step::asking::is_played;
use crate::step::player::Offer;
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
    let mut firing = ctx.neighbours().in_order(ctx.battle.side(side).filter(fires));
    // No roll takes a marker from a friend of the firer, and a broken unit has no target.
    let can_fire = |ctx: &Position<'_>, id: UnitId| aiming(ctx).best_target(id).is_some();
    while let Some(id) = take_next(ctx, side, &mut firing, can_fire, Offer::Activate) {
        let Some(target) = target_of(ctx, id) else { continue };
        ctx.battle.flags_mut(id).set(Flags::FIRED);
        if !ctx.battle.unit(target).marks.has(Marks::FIRING) && aiming(ctx).can_fire_at(target, id) {
            open_fire(ctx, target);
        }
        ctx.roll(Occasion::Phase(index), roll, id, Some(target));
        ctx.answer_losses();
    }
}

/// The target of a unit: the best one, or the valid one that its player chooses.
fn target_of(ctx: &mut Context<'_>, id: UnitId) -> Option<UnitId> {
    if !is_played(ctx, id) {
        return aiming(ctx).best_target(id);
    }
    let targets = aiming(ctx).ranked_targets(id);
    let place = one_of(ctx, id, targets.iter().map(|&(_, enemy)| enemy), Offer::Target);
    targets.get(place).map(|&(_, target)| target)
}

fn aiming<'a>(ctx: &'a Position<'_>) -> Aiming<'a> {
    Aiming { about: ctx.neighbours(), phase: usize::from(ctx.battle.phase), plain: false }
}
