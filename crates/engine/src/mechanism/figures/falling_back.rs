//! Involuntary moves: falling back, and running until there is room.

use grognard_rules::model::Board;

use crate::geometry::plane::away::away_from_nearest;
use crate::geometry::plane::{Course, Heading};
use crate::mechanism::common::ground::disorder_on_the_way;
use crate::mechanism::common::leaving::leave_if_off_table;
use crate::mechanism::common::moving::{is_off_table, settle_on};
use crate::mechanism::common::room::overlaps_anybody;
use crate::mechanism::common::units::is_abandoned;
use crate::mechanism::figures::charge::{lose_contact, strike_anew};
use crate::state::ids::Maybe;
use crate::state::{Bend, Unit, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::Event;

/// Turns a unit about its centre so that it faces away from the nearest enemy (7.44).
pub(crate) fn face_away(ctx: &mut Position<'_>, id: UnitId) {
    if !matches!(ctx.rules.board, Board::Plane { .. }) {
        return;
    }
    // Broken enemies count, too.
    let enemies = ctx.targets(id).map(|enemy| ctx.circle(enemy).centre);
    if let Some(away) = away_from_nearest(ctx.circle(id).centre, enemies) {
        let turned = ctx.rect(id).turned_about_centre(away);
        settle_on(ctx, id, &turned);
    }
    if !ctx.battle.unit(id).bend.is_none() {
        ctx.battle.unit_mut(id).bend = Bend::NONE;
    }
}

/// The maximum number of times that a unit looks for the nearest enemy while it runs on to find room to turn.
const LOOKS: usize = 4;

/// Turns a broken unit away from the enemy that is nearest at the end of its run (7.44). If the unit has no room to
/// turn, it runs on and looks again. Returns the distance run.
pub(crate) fn turn_away_again(ctx: &mut Position<'_>, id: UnitId) -> i32 {
    let unit = ctx.battle.unit(id);
    let (before, state) = (unit.heading, &ctx.rules.morale[unit.morale]);
    if !state.broken || state.flight == 0 {
        return 0;
    }
    let (mut heading, mut distance) = (before, 0);
    for _ in 0..LOOKS {
        face_away(ctx, id);
        let now = ctx.battle.unit(id).heading;
        if now == heading {
            break;
        }
        heading = now;
        let further = run(ctx, id, now, 0);
        distance += further;
        if further == 0 {
            break;
        }
    }
    if heading != before || distance > 0 {
        strike_anew(ctx, id);
    }
    distance
}

/// If a forced change left a unit without room, moves it away from `cause` until it has room.
pub(crate) fn find_room(ctx: &mut Context<'_>, id: UnitId, before: &Unit, cause: UnitId) {
    let unit = ctx.battle.unit(id);
    if !unit.gone() && !unit.stands_like(before) && overlaps_anybody(ctx, id) {
        fall_back(ctx, id, 0, cause);
        if ctx.battle.unit(id).broken(ctx.rules) {
            // While the unit overlapped its chargers, the arc in which they struck was undefined (7.44, 8.53).
            strike_anew(ctx, id);
        }
    }
}

/// Moves a unit straight away from another one. Only a broken unit turns, at the end.
pub(crate) fn fall_back(ctx: &mut Context<'_>, id: UnitId, distance: i32, from: UnitId) {
    let formation = ctx.battle.unit(id).formation;
    let stays = !ctx.rules.formations[formation].moves || is_abandoned(ctx, id);
    if !matches!(ctx.rules.board, Board::Plane { .. }) || stays {
        return;
    }
    let rect = ctx.rect(id);
    let away =
        if id == from { rect.heading().reversed() } else { Heading::between(ctx.rect(from).centre(), rect.centre()) };
    let straight = run(ctx, id, away, distance);
    let distance = straight + turn_away_again(ctx, id);
    if distance > 0 && ctx.battle.unit(id).forming.is_some() {
        // The unit has not stood still, so it gives up its change of formation (8.43).
        ctx.battle.unit_mut(id).forming = Maybe::NONE;
    }
    ctx.tell(|| Event::Retreated { unit: id, distance });
    lose_contact(ctx, id);
    disorder_on_the_way(ctx, id, &Course { from: rect, along: away }, straight);
    leave_if_off_table(ctx, id);
}

/// Moves a unit that nothing can stop. If it would overlap another unit, it continues inch by inch until it has room or
/// is off the table. Returns the distance that it has moved.
pub(crate) fn run(ctx: &mut Position<'_>, id: UnitId, along: Heading, distance: i32) -> i32 {
    let (mut gone, mut step) = (0, distance);
    loop {
        let unit = ctx.battle.unit_mut(id);
        unit.front = unit.front.moved(along, step);
        unit.bend = Bend::NONE;
        (gone, step) = (gone + step, 100);
        let ground = ctx.rect(id);
        if !overlaps_anybody(ctx, id) || is_off_table(ctx.rules, &ground) {
            return gone;
        }
    }
}
