//! Tethers: figures in open order that stray from their unit (clauses 9.42, 9.49).

use crate::mechanism::figures::{screen, skirmishers};
use crate::state::Units;
use crate::step::Context;
use crate::telling::event::{Event, Why};

/// Brings back or removes figures that have strayed from their unit (9.42).
pub(crate) fn check_tethers(ctx: &mut Context<'_>) {
    let rules = ctx.rules;
    let Some(skirmish) = &rules.skirmish else { return };
    for screen in ctx.neighbours().roster(Units::ALL).screens {
        let unit = ctx.battle.unit(screen);
        if unit.gone() {
            // The screen was already removed while others were brought back.
            continue;
        }
        let Some(home) = skirmishers::kin(ctx, screen).map(|parent| ctx.battle.host_of(parent)) else { continue };
        if ctx.battle.unit(home).gone() {
            continue;
        }
        let tied = ctx.scratch.positions.tied(rules, (screen, unit), (home, ctx.battle.unit(home)), skirmish.tether);
        let strayed = unit.figures - tied;
        if strayed == 0 {
            continue;
        }
        if skirmish.strays_are_lost {
            ctx.tell(|| Event::Strayed { unit: screen, figures: strayed });
            ctx.lose(screen, strayed, screen);
        } else {
            screen::rejoin(ctx, screen, strayed, Why::Strayed);
        }
    }
}
