//! Casualties of batteries and squares: which member loses a figure or a gun.

use std::cmp::Reverse;

use crate::geometry::plane::Rect;
use crate::mechanism::common::ground::disorder_on_new_ground;
use crate::mechanism::common::reshape::keep_shape;
use crate::mechanism::common::units::{has_cannon, members, square_of};
use crate::mechanism::figures::screen::fall;
use crate::mechanism::figures::square::{centre_on, count_guests, let_out};
use crate::state::{UNITS_MAX, UnitId};
use crate::step::losses::take_figures;
use crate::step::{Context, Position};
use crate::telling::event::Event;

/// Applies hits to a battery: removes cannon or crew figures.
pub(crate) fn lose_of_battery(ctx: &mut Context<'_>, id: UnitId, hits: u16, cause: UnitId) {
    let Some(battery) = &ctx.rules.battery else { return };
    let on_cannon = ctx.holds(battery.cannon_lost.as_ref(), id, Some(cause));
    let unit = ctx.battle.unit_mut(id);
    unit.hits += hits;
    if on_cannon {
        let lost = hits.min(unit.cannon);
        unit.cannon -= lost;
        let left = unit.cannon;
        ctx.tell(|| Event::CannonLost { unit: id, cannon: lost });
        if left == 0 {
            ctx.destroy(id);
        }
        return;
    }
    let lost = (hits / battery.crew_hits.max(1)).min(unit.figures);
    if lost == 0 {
        return;
    }
    unit.figures -= lost;
    ctx.tell(|| Event::Lost { unit: id, figures: lost });
    note_crew_gone(ctx, id);
}

pub(crate) fn note_crew_gone(ctx: &mut Position<'_>, id: UnitId) {
    let turn = ctx.battle.turn;
    let unit = ctx.battle.unit_mut(id);
    if unit.figures == 0 {
        if unit.broke == 0 {
            unit.broke = turn;
        }
        ctx.scratch.broken = true;
    }
}

/// The member of a square that takes the next hit: the one with the most figures or cannon per loss so far.
pub(crate) fn next_to_lose(ctx: &Position<'_>, host: UnitId) -> UnitId {
    let weight = |id: UnitId| {
        let unit = ctx.battle.unit(id);
        let left = if has_cannon(ctx, id) { unit.cannon } else { unit.figures };
        Reverse(u32::from(left) * 64 / (u32::from(unit.hits) + 1))
    };
    ctx.neighbours().first_by(std::iter::once(host).chain(members(ctx, host)), weight).unwrap_or(host)
}

/// Distributes an enemy's hits over the units of a square, one by one.
pub(crate) fn lose_of_square(ctx: &mut Context<'_>, host: UnitId, figures: u16, cause: UnitId) {
    let stood = ctx.rect(host);
    let centre = stood.centre();
    let mut each = [0_u16; UNITS_MAX];
    for _ in 0..figures {
        let next = next_to_lose(ctx, host);
        each[next.index()] += 1;
        // Each hit is counted immediately, so that the next one goes to another unit.
        ctx.battle.unit_mut(next).hits += 1;
    }
    for (index, hits) in each.into_iter().enumerate().filter(|&(_, hits)| hits > 0) {
        let id = UnitId(index as u8);
        ctx.battle.unit_mut(id).hits -= hits;
        ctx.scratch.hit_by[index] = Some(cause);
        if id == host {
            continue;
        }
        if has_cannon(ctx, id) {
            lose_of_battery(ctx, id, hits, cause);
        } else {
            take_figures(ctx, id, hits);
            if ctx.battle.unit(id).figures == 0 {
                fall(ctx, id);
            }
        }
    }
    let own = each[host.index()];
    if own > 0 {
        take_figures(ctx, host, own);
    }
    if ctx.battle.unit(host).figures == 0 {
        host_falls(ctx, host, &stood);
        return;
    }
    count_guests(ctx, host);
    centre_on(ctx, host, centre);
    keep_shape(ctx, host);
}

/// Handles the loss of a square's host. Each remaining unit is on its own again.
pub(crate) fn host_falls(ctx: &mut Context<'_>, host: UnitId, stood: &Rect) {
    let members = square_of(ctx, host);
    ctx.battle.unit_mut(host).guests = 0;
    fall(ctx, host);
    let_out(ctx, (host, true), stood.centre(), &members);
    for id in members {
        disorder_on_new_ground(ctx, id, stood);
    }
}
