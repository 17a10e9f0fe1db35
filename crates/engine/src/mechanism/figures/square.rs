//! Squares of several units (clauses 8.54, 9.52 to 9.56): units in contact form one square.
//!
//! Squares merge at the start of a move phase, before any unit moves, with everything inside them. The merged square is
//! centred where the square that takes in the other was, or only as far towards the other as it needs to have room.
//! Guns go in at the end of the phase. Guns that arrive limbered unlimber inside, if they can do so at the end of their
//! move (8.42). Their base leaves the table and needs no room there.
//!
//! A unit that joins is inside the square of another unit, the host: it is off the table, its figures are part of the
//! square, and it shares the square's fate. The members take hits one after another, by strength. Their morale drops
//! with that of the host, and the square moves only as far as its slowest member can. When the host loses its
//! all-around facing, or is gone, the units inside are placed behind it again.
//!
//! Example: battalions of 8 and 6 make one square of 14 figures, with room for 7 cannon.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use grognard_rules::model::{ByteId, FormationId, MoraleId, Order, Trigger};

use crate::geometry::plane::{Course, Heading, Point, Rect};
use crate::mechanism::common::ground::{self, disorder_on_new_ground, disorder_where_it_stands};
use crate::mechanism::common::leaving::leave_if_off_table;
use crate::mechanism::common::moving::{ROOM, allowance, cost_in_move, entered_by_turn, is_off_table};
use crate::mechanism::common::reshape::keep_shape;
use crate::mechanism::common::room::{overlaps_anybody, overlaps_anybody_but};
use crate::mechanism::common::units::{has_cannon, is_abandoned, members, screens_of, square_of};
use crate::mechanism::figures::falling_back::{run, turn_away_again};
use crate::mechanism::figures::opportunity::announce_change;
use crate::mechanism::figures::skirmishers::kin;
use crate::state::{Flags, Marks, Side, UNITS_PER_SIDE_MAX, Unit, UnitId, Units};
use crate::step::asking::wants;
use crate::step::nearest::{nearest_edge, nearest_enemy, others};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

/// The largest gap from rounding between units that touch, in hundredths of an inch.
const TOUCH: i32 = 2;

/// The maximum number of pairs of touching units: only a few units have room around each one.
const TOUCHING_MAX: usize = 4 * UNITS_PER_SIDE_MAX;

/// Whether any unit's doctrine lets it join or leave squares.
pub(crate) fn anybody_joins(ctx: &Position<'_>) -> bool {
    ctx.battle.units.iter().any(|unit| ctx.rules.doctrines[unit.doctrine].joins)
}

/// Lets units of a side join and leave squares as their doctrine orders. Guns join at the end of a move phase, other
/// units at its start (9.52); guns leave at its start (9.53).
pub(crate) fn join_squares(ctx: &mut Context<'_>, side: Side, begins: bool) {
    let touching = touching_squares(ctx, side);
    // Guns that their square already overlaps come first.
    let first = ctx.scratch.going_in;
    let units = ctx.battle.side(side);
    for id in units.clone().filter(|&id| first.has(id)).chain(units.filter(|&id| !first.has(id))) {
        let unit = ctx.battle.unit(id);
        if begins && unit.flags.has(Flags::INSIDE) && has_cannon(ctx, id) && !unit.broken(ctx.rules) {
            if wants(ctx, id, Order::Leave) {
                guns_leave(ctx, id);
            }
            continue;
        }
        let asks = ctx.rules.doctrines[unit.doctrine].joins
            && !unit.gone()
            && !unit.broken(ctx.rules)
            && !unit.flags.has(Flags::CHARGING)
            && has_cannon(ctx, id) != begins
            && !is_one_with(ctx, id, &touching);
        if asks && (first.has(id) || wants(ctx, id, Order::Join)) {
            join_square(ctx, id, &touching);
        }
    }
    if !begins {
        // Moves guns that made way but then could not go in.
        for id in first {
            if !ctx.battle.unit(id).gone() {
                let away = away_from_enemy(ctx, id, ctx.rect(id).centre());
                step_clear(ctx, id, away, Units::default());
                leave_if_off_table(ctx, id);
            }
        }
    }
}

/// Whether a square has already merged with all the squares that it touched.
fn is_one_with(ctx: &Position<'_>, id: UnitId, touching: &[(UnitId, UnitId)]) -> bool {
    let mut touched = touching.iter().filter(|&&(own, _)| own == id).peekable();
    touched.peek().is_some() && touched.all(|&(_, square)| ctx.battle.host_of(square) == id)
}

/// Pairs of a unit and a square that it touches and may join, before any unit joins. A charging square does not merge
/// (9.52): it has moved, and its charge was judged by the position of its own figures (7.13). Guns that have begun to
/// limber or unlimber stand still until they have finished (8.43).
fn touching_squares(ctx: &mut Position<'_>, side: Side) -> ArrayVec<(UnitId, UnitId), TOUCHING_MAX> {
    let mut touching = ArrayVec::new();
    let Some(square) = &ctx.rules.square else { return touching };
    for id in ctx.battle.side(side) {
        let before = *ctx.battle.unit(id);
        if before.gone() || before.forming.is_some() || !ctx.rules.doctrines[before.doctrine].joins {
            continue;
        }
        // A unit that marches up to a square leaves the same gap as in front of any friend.
        let reach = ROOM + TOUCH;
        let close = others(ctx, id).among(ctx.battle.units_of(side));
        let close = close.those(|host| ctx.view(id, Some(host)).distance() <= reach);
        let guns = has_cannon(ctx, id);
        let close = close.those(|host| guns || !ctx.battle.unit(host).flags.has(Flags::CHARGING));
        if let Some(formation) = unlimbers_inside(ctx, id) {
            ctx.battle.unit_mut(id).formation = formation;
        }
        for host in close {
            if ctx.holds(square.when.as_ref(), id, Some(host)) {
                let _ = touching.try_push((id, host));
            }
        }
        *ctx.battle.unit_mut(id) = before;
    }
    touching
}

/// The formation that limbered guns take at the end of a move that brings them into a square, and its cost in move.
/// `None` for guns that may not do this, and for all other units (8.42, 8.43, 8.48).
pub(crate) fn way_in(ctx: &Position<'_>, id: UnitId) -> Option<(FormationId, i32)> {
    let (rules, unit) = (ctx.rules, ctx.battle.unit(id));
    let formations = &rules.formations;
    if rules.square.is_none() || !has_cannon(ctx, id) || unit.forming.is_some() || !formations[unit.formation].moves {
        return None;
    }
    let open = |&formation: &FormationId| {
        formations[formation].in_move.is_some() && rules.kinds[unit.kind].speed[formation].is_some()
    };
    let formation = formations.ids().filter(|&formation| formation != unit.formation).find(open)?;
    cost_in_move(ctx, id, formation).ok().map(|cost| (formation, cost))
}

/// The formation that guns take when they join a square, if they can afford it with the rest of their move.
fn unlimbers_inside(ctx: &Position<'_>, id: UnitId) -> Option<FormationId> {
    let (formation, cost) = way_in(ctx, id)?;
    (cost <= allowance(ctx, id)).then_some(formation)
}

/// The nearest square of their side that guns may come up to.
pub(crate) fn nearest_square(ctx: &Position<'_>, id: UnitId) -> Option<UnitId> {
    let friends = others(ctx, id).among(ctx.battle.units_of(ctx.battle.unit(id).side));
    let squares = friends.those(|host| {
        let unit = ctx.battle.unit(host);
        ctx.rules.formations[unit.formation].gathers && !unit.broken(ctx.rules)
    });
    nearest_edge(ctx, id, squares)
}

/// Lets a unit join the first friendly square that it touches and may join, or the square that has taken that one in.
fn join_square(ctx: &mut Context<'_>, id: UnitId, touching: &[(UnitId, UnitId)]) {
    let unit = *ctx.battle.unit(id);
    let hosts = touching.iter().filter(|&&(own, _)| own == id).map(|&(_, host)| ctx.battle.host_of(host));
    let mut hosts = hosts.filter(|&host| host != id).peekable();
    let touches = hosts.peek().is_some();
    let Some(host) = hosts.find(|&host| room_for(ctx, host, id, 0)) else {
        let why = if touches { Refusal::NoRoomForCannon } else { Refusal::NoSquare };
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    };
    if let Some(formation) = unlimbers_inside(ctx, id) {
        // This is a change of formation like any other, except that it needs no room (8.17).
        if !announce_change(ctx, id, Trigger::FormsInZone) {
            return;
        }
        let guns = ctx.battle.unit_mut(id);
        guns.formation = formation;
        guns.flags.set(Flags::CHANGED);
        ctx.tell(|| Event::Formed { unit: id, from: unit.formation });
    }
    // A square of several units takes in a single battalion, whichever of the two joins.
    let takes_in = unit.guests > 0 && ctx.battle.unit(host).guests == 0;
    let (id, host) = if takes_in { (host, id) } else { (id, host) };
    let stood = [host, id].map(|unit| ctx.rect(unit));
    if merge(ctx, id, host, touching) {
        ctx.tell(|| Event::Joined { unit: id, host });
        if !has_cannon(ctx, id) {
            // Ground is new to the merged square if it was new to either of the two.
            for before in stood {
                disorder_on_new_ground(ctx, host, &before);
            }
        }
    } else {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
    }
}

/// Moves a unit, and all units inside its square, into another square. Returns false if the larger square has no room.
fn merge(ctx: &mut Context<'_>, id: UnitId, host: UnitId, touching: &[(UnitId, UnitId)]) -> bool {
    let [centre, towards] = [host, id].map(|unit| ctx.rect(unit).centre());
    let (before, joiner) = (*ctx.battle.unit(host), *ctx.battle.unit(id));
    let mut joining = square_of(ctx, id);
    joining.push(id);
    let stood: ArrayVec<Unit, { UNITS_PER_SIDE_MAX }> = joining.iter().map(|&one| *ctx.battle.unit(one)).collect();
    for &one in &joining {
        let inside = ctx.battle.unit_mut(one);
        inside.flags.set(Flags::INSIDE);
        inside.flags.set(Flags::MOVED);
        (inside.foe, inside.guests, inside.spacing) = (host, 0, 0);
    }
    count_guests(ctx, host);
    if joiner.flags.has(Flags::MOVED) && !has_cannon(ctx, id) {
        // Figures that have moved, as in a charge that fell short, do not move again with the square (9.55).
        ctx.battle.flags_mut(host).set(Flags::MOVED);
    }
    // The guns' base needs no room, and their crew does not widen the square.
    if has_cannon(ctx, id) {
        return true;
    }
    let guns = going_in(ctx, host, touching);
    if stands_about(ctx, host, centre, towards, guns) {
        ctx.scratch.going_in = ctx.scratch.going_in.plus(guns);
        return true;
    }
    *ctx.battle.unit_mut(host) = before;
    for (&one, unit) in joining.iter().zip(stood) {
        *ctx.battle.unit_mut(one) = unit;
    }
    false
}

/// Guns that touch a square, or touched a unit now inside it, and that will go in at the end of the move: there is room
/// for all of them, and they have orders to join (9.53). Until then they do not block the square.
fn going_in(ctx: &mut Context<'_>, host: UnitId, touching: &[(UnitId, UnitId)]) -> Units {
    let (mut guns, mut cannon) = (Units::default(), 0);
    for &(id, square) in touching {
        let unit = *ctx.battle.unit(id);
        let open = has_cannon(ctx, id) && !unit.gone() && !unit.broken(ctx.rules) && !guns.has(id);
        if open
            && ctx.battle.host_of(square) == host
            && room_for(ctx, host, id, cannon)
            && (ctx.scratch.going_in.has(id) || wants(ctx, id, Order::Join))
        {
            guns = guns.plus(Units::one(id));
            cannon += unit.cannon;
        }
    }
    guns
}

/// Centres a square on a point, or only as far from there towards another point as it needs to have room. The screens
/// of its units make way, and so do units that are `going_in`. Returns false if there is no room.
fn stands_about(ctx: &mut Position<'_>, host: UnitId, centre: Point, towards: Point, going_in: Units) -> bool {
    let mut units = square_of(ctx, host);
    units.push(host);
    let make_way = screens_of(ctx, &units).plus(going_in);
    let (along, most) = (Heading::between(centre, towards), centre.square_distance(towards).isqrt() as i32);
    for way in (0..=most).step_by(25) {
        centre_on(ctx, host, centre.moved(along, way));
        if !overlaps_anybody_but(ctx, host, make_way) {
            return true;
        }
    }
    false
}

/// Limbers guns and takes them out of their square, away from the enemy. Their move is measured from the square's
/// centre (9.53). They use the rest of it under the orders that then apply to them.
fn guns_leave(ctx: &mut Context<'_>, id: UnitId) {
    let rules = ctx.rules;
    let before = *ctx.battle.unit(id);
    let kind = &rules.kinds[before.kind];
    let rate =
        |formation: FormationId| kind.speed[formation].filter(|_| rules.formations[formation].moves).unwrap_or(0);
    let Some(limbered) = rules.formations.ids().find(|&formation| rate(formation) > 0) else { return };
    let slow = rules.formations[limbered].slow.as_ref();
    if slow.is_some_and(|slow| ctx.holds(slow.when.as_ref(), id, None)) {
        let why = Refusal::Forming(limbered);
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    // Guns that may not unlimber during a move may not limber during one either (8.43).
    let in_move = rules.formations[before.formation].in_move.as_ref();
    let bar = in_move.and_then(|way| way.bars.iter().position(|bar| ctx.holds(Some(&bar.when), id, None)));
    if let Some(bar) = bar {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::BarredInMove(before.formation, bar as u8) });
        return;
    }
    let host = before.foe;
    // Limbering is a change of formation, announced from the position of the square (8.17).
    let stays = announce_change(ctx, host, Trigger::FormsInZone);
    let before = *ctx.battle.unit(id);
    if !stays || is_abandoned(ctx, id) || !before.flags.has(Flags::INSIDE) {
        return;
    }
    let centre = ctx.rect(host).centre();
    let away = away_from_enemy(ctx, host, centre);
    let guns = ctx.battle.unit_mut(id);
    guns.flags.clear(Flags::INSIDE);
    (guns.foe, guns.formation, guns.heading) = (id, limbered, away);
    let footprint = guns.footprint(rules);
    let half = footprint.depth / 2;
    // The front half of the base, starting at the middle of the square. Terrain under it outside the square counts as
    // crossed, too.
    let front = Rect::new(centre.moved(away, half), away, footprint.width, half);
    let entered = entered_by_turn(ctx, id, &ctx.rect(host), &front);
    // Moves the base a quarter of an inch at a time, until it is clear of the square and of all other units.
    for way in (0..=rate(limbered)).step_by(25) {
        ctx.battle.unit_mut(id).front = centre.moved(away, way + half);
        if !overlaps_anybody(ctx, id) {
            let passage =
                ground::pass(ctx, id, &Course::ahead(front), way, rate(limbered) - entered.cost).after(&entered);
            if passage.distance < way {
                break;
            }
            let guns = ctx.battle.unit_mut(id);
            guns.flags.set(Flags::MOVED);
            guns.flags.set(Flags::CHANGED);
            let left = rate(limbered) - entered.cost - passage.spent;
            let _ = ctx.scratch.left_by_guns.try_push((id, left));
            ctx.tell(|| Event::LeftSquare { unit: id, host });
            ctx.tell(|| Event::Formed { unit: id, from: before.formation });
            ground::suffer_ground(ctx, id, &passage);
            end_shared_disorder(ctx, id, host);
            leave_if_off_table(ctx, id);
            return;
        }
    }
    *ctx.battle.unit_mut(id) = before;
    ctx.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
}

/// Whether a square has room for the cannon that a unit brings, its own or those inside it. The combined square has
/// room for one cannon for each set of figures, or part of a set, of the size that the pack requires. `coming` is the
/// number of cannon that other units will bring.
fn room_for(ctx: &Position<'_>, host: UnitId, id: UnitId, coming: u16) -> bool {
    let Some(square) = &ctx.rules.square else { return false };
    let cannon = |of: UnitId| -> u16 {
        std::iter::once(of).chain(members(ctx, of)).map(|one| ctx.battle.unit(one).cannon).sum()
    };
    let figures = |of: UnitId| {
        let unit = ctx.battle.unit(of);
        if has_cannon(ctx, of) { 0 } else { unit.figures + unit.guests }
    };
    let brought = cannon(id);
    brought == 0 || cannon(host) + coming + brought <= (figures(host) + figures(id)).div_ceil(square.figures_per_cannon)
}

/// Recounts the figures inside a square, and spaces them by the mean width of all bases in it, so that there is room
/// for all of them whichever unit is the host (9.51). Cannon crews do not widen it.
pub(crate) fn count_guests(ctx: &mut Position<'_>, host: UnitId) {
    let own = *ctx.battle.unit(host);
    let width = |unit: &Unit| ctx.rules.kinds[unit.kind].base.0;
    let (mut guests, mut sum) = (0, i32::from(own.figures) * width(&own));
    for unit in members(ctx, host).filter(|&id| !has_cannon(ctx, id)).map(|id| ctx.battle.unit(id)) {
        guests += unit.figures;
        sum += i32::from(unit.figures) * width(unit);
    }
    let all = i32::from(own.figures + guests).max(1);
    let mean = (sum + all - 1) / all;
    let square = ctx.battle.unit_mut(host);
    square.guests = guests;
    square.spacing = if guests == 0 || mean == width(&own) { 0 } else { mean as u16 };
}

/// Centres a square on its previous centre, or guns on the centre of their square.
pub(crate) fn centre_on(ctx: &mut Position<'_>, host: UnitId, centre: Point) {
    let unit = *ctx.battle.unit(host);
    let depth = unit.footprint(ctx.rules).depth;
    ctx.battle.unit_mut(host).front = centre.moved(unit.heading, depth / 2);
}

/// Applies a drop in the host's morale to the members of its square (8.54).
pub(crate) fn share_morale(ctx: &mut Context<'_>, host: UnitId) {
    let morale = ctx.battle.unit(host).morale;
    let shaken = &ctx.rules.morale[morale];
    let shaken = shaken.shaken && !shaken.broken;
    for id in square_of(ctx, host) {
        if ctx.battle.unit(id).morale < morale {
            ctx.tell(|| Event::Shared { unit: id, host });
            if shaken && ctx.battle.unit(id).morale < ctx.rules.first_shaken() && has_cannon(ctx, id) {
                ctx.battle.unit_mut(id).marks.set(Marks::SHARES);
            }
            ctx.enter(id, morale);
        }
    }
}

/// Ends the disorder of the guns in a square that is in good order again; the disorder of their crews remains (8.47).
pub(crate) fn share_recovery(ctx: &mut Context<'_>, host: UnitId) {
    if ctx.battle.unit(host).morale < ctx.rules.first_shaken() {
        for id in square_of(ctx, host) {
            end_shared_disorder(ctx, id, host);
        }
    }
}

/// Ends the disorder that a battery has from its square.
fn end_shared_disorder(ctx: &mut Context<'_>, id: UnitId, host: UnitId) {
    if !ctx.battle.unit(id).marks.has(Marks::SHARES) {
        return;
    }
    ctx.battle.unit_mut(id).marks.clear(Marks::SHARES);
    let good = MoraleId::from_byte(ctx.rules.first_shaken().byte().saturating_sub(1));
    if ctx.battle.unit(id).morale > good {
        ctx.tell(|| Event::Shared { unit: id, host });
        ctx.enter(id, good);
    }
}

/// Lets all units out of a former square. Each is placed on the side of the host that is away from the nearest enemy,
/// as near to the host as space allows. While the host still has all-around facing, guns stay with it (8.47c);
/// battalions have to merge again (9.52). If `stays`, the host has changed formation on the spot, by order; otherwise
/// it is driven back.
pub(crate) fn leave_square(ctx: &mut Context<'_>, host: UnitId, stays: bool) {
    let formation = &ctx.rules.formations[ctx.battle.unit(host).formation];
    if formation.gathers {
        return;
    }
    // For guns, a formation with all-around facing still counts as the square that it was formed from (8.47c).
    // Skirmishers also face all around, but are not a square.
    let stands = formation.all_round && formation.spacing.is_none();
    let leaves = |&id: &UnitId| !(stands && has_cannon(ctx, id));
    let members: ArrayVec<UnitId, { UNITS_PER_SIDE_MAX }> = members(ctx, host).filter(leaves).collect();
    if members.is_empty() {
        return;
    }
    let centre = ctx.rect(host).centre();
    for &id in &members {
        // The host has already reacted to its losses in the square (8.54).
        *ctx.battle.hits_mut(id) = 0;
    }
    let_out(ctx, (host, stays), centre, &members);
    for &id in &members {
        if !has_cannon(ctx, id) {
            disorder_where_it_stands(ctx, id);
        }
    }
}

/// Lets out the guns for which a newly formed square has no room: they stayed with it when its battalions left (8.47c,
/// 9.53). Larger batteries take precedence.
pub(crate) fn let_out_guns(ctx: &mut Context<'_>, host: UnitId) {
    let Some(square) = &ctx.rules.square else { return };
    let mut guns: ArrayVec<UnitId, { UNITS_PER_SIDE_MAX }> =
        members(ctx, host).filter(|&id| has_cannon(ctx, id)).collect();
    if guns.is_empty() {
        return;
    }
    guns.sort_by_key(|&id| Reverse(ctx.battle.unit(id).cannon));
    let unit = ctx.battle.unit(host);
    let mut room = (unit.figures + unit.guests).div_ceil(square.figures_per_cannon);
    guns.retain(|id| {
        let cannon = ctx.battle.unit(*id).cannon;
        let stays = cannon <= room;
        room -= if stays { cannon } else { 0 };
        !stays
    });
    let centre = ctx.rect(host).centre();
    let_out(ctx, (host, true), centre, &guns);
}

/// If a square has moved, leaves guns without a crew behind where the square was before (8.45, 8.47).
pub(crate) fn leave_abandoned(ctx: &mut Context<'_>, host: UnitId, stood: Point) {
    if ctx.battle.unit(host).gone() || ctx.circle(host).centre == stood {
        return;
    }
    let guns: ArrayVec<UnitId, { UNITS_PER_SIDE_MAX }> =
        members(ctx, host).filter(|&id| is_abandoned(ctx, id)).collect();
    if !guns.is_empty() {
        let_out(ctx, (host, true), stood, &guns);
    }
}

/// Puts the units of a square back on the table, around its previous middle. If the square breaks or is driven back in
/// disorder, its guns stay where it was (8.45, 8.47); the square and the guns' crew then move on until they have room.
/// If `stays`, the square is not driven back.
pub(crate) fn let_out(ctx: &mut Context<'_>, (host, stays): (UnitId, bool), centre: Point, members: &[UnitId]) {
    let (heading, away) = (ctx.battle.unit(host).heading, away_from_enemy(ctx, host, centre));
    let unit = ctx.battle.unit(host);
    let driven = unit.broken(ctx.rules) || (!stays && unit.morale >= ctx.rules.first_shaken());
    for &id in members {
        let unit = ctx.battle.unit_mut(id);
        unit.flags.clear(Flags::INSIDE);
        unit.foe = id;
        if unit.gone() {
            continue;
        }
        if driven && has_cannon(ctx, id) {
            stay_behind(ctx, id, host, centre, away);
        } else {
            let unit = ctx.battle.unit_mut(id);
            (unit.front, unit.heading) = (centre, heading);
            step_clear(ctx, id, away, Units::default());
        }
        ctx.tell(|| Event::LeftSquare { unit: id, host });
        leave_if_off_table(ctx, id);
        if ctx.battle.unit(id).gone() {
            continue;
        }
        end_shared_disorder(ctx, id, host);
        keep_shape(ctx, id);
    }
}

/// Leaves guns where a square was, facing the enemy.
fn stay_behind(ctx: &mut Position<'_>, id: UnitId, host: UnitId, centre: Point, away: Heading) {
    ctx.battle.unit_mut(id).heading = away.reversed();
    centre_on(ctx, id, centre);
    let crew = kin(ctx, id).filter(|&crew| !ctx.battle.unit(crew).gone());
    let runs = crew.map(Units::one).unwrap_or_default();
    step_clear(ctx, id, away, runs.plus(Units::one(host)));
    if let Some(crew) = crew {
        run(ctx, crew, away, 0);
        turn_away_again(ctx, crew);
    }
}

/// The direction from a unit's nearest enemy to this point; without an enemy, the direction to its rear.
fn away_from_enemy(ctx: &Position<'_>, id: UnitId, from: Point) -> Heading {
    let enemy = nearest_enemy(ctx, id).map(|enemy| ctx.rect(enemy).centre());
    enemy.map_or(ctx.battle.unit(id).heading.reversed(), |enemy| Heading::between(enemy, from))
}

/// Moves a unit half an inch at a time until it overlaps no unit other than these: away from the enemy, or to one side
/// if that would take it off the table. If there is no room on the table, it leaves the table, away from the enemy.
fn step_clear(ctx: &mut Position<'_>, id: UnitId, away: Heading, but: Units) {
    let from = ctx.battle.unit(id).front;
    for along in [away, away.turned(900), away.turned(2700), away] {
        ctx.battle.unit_mut(id).front = from;
        step_along(ctx, id, along, but);
        if !is_off_table(ctx.rules, &ctx.rect(id)) {
            return;
        }
    }
}

fn step_along(ctx: &mut Position<'_>, id: UnitId, along: Heading, but: Units) {
    for _ in 0..100 {
        if !overlaps_anybody_but(ctx, id, but) {
            break;
        }
        let unit = ctx.battle.unit_mut(id);
        unit.front = unit.front.moved(along, 50);
    }
}
