//! Tethers: figures in open order that stray from their unit (clauses 9.42, 9.49).

use crate::mechanism::common::units::host_of;
use crate::mechanism::figures::{screen, skirmishers};
use crate::state::{UnitId, Units};
use crate::step::Context;
use crate::telling::event::{Event, Why};

/// Brings back or removes figures that have strayed from their unit (9.42).
pub(crate) fn check_tethers(ctx: &mut Context<'_>) {
    if ctx.rules.skirmish.is_some() {
        for screen in ctx.neighbours().roster(Units::ALL).screens {
            check_tether(ctx, screen);
        }
    }
}

/// The same of one screen. It may have been removed while others were brought back.
pub(crate) fn check_tether(ctx: &mut Context<'_>, screen: UnitId) {
    let rules = ctx.rules;
    let Some(skirmish) = &rules.skirmish else { return };
    let unit = ctx.battle.unit(screen);
    let home = skirmishers::kin(ctx, screen).map(|parent| host_of(ctx, parent));
    let Some(home) = home.filter(|&home| !unit.gone() && !ctx.battle.unit(home).gone()) else { return };
    let tied = ctx.scratch.positions.tied(rules, (screen, unit), (home, ctx.battle.unit(home)), skirmish.tether);
    let strayed = unit.figures - tied;
    if strayed == 0 {
        return;
    }
    if skirmish.strays_are_lost {
        ctx.tell(|| Event::Strayed { unit: screen, figures: strayed });
        ctx.lose(screen, strayed, screen);
    } else {
        screen::rejoin(ctx, screen, strayed, Why::Strayed);
    }
}
