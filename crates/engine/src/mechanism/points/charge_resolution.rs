//! Charge resolution: resolves marked charges target by target.
//!
//! All units that charge one target charge it together. The principal charger (one that struck the target in the rear,
//! or else in the flank, or else in front) takes the phase's roll, and the result applies to all of them. Precedence
//! decides between several possible principals, and which target comes first. A player chooses which target comes next,
//! and any of its chargers as the principal. Results of the roll trigger the target's reaction. If the target has fled,
//! the principal may pursue it, take its position or charge another enemy at once, according to its reactions to `won`
//! and its doctrine. It charges the nearest enemy, or the one that its player chooses. Example: two regiments charge
//! one battalion; the principal's check fails, and both are shaken.

use std::cmp::Reverse;

use arrayvec::ArrayVec;
use grognard_rules::model::{Deed, Order, Reach, RollId, Trigger};
use grognard_rules::situation::WayFact;

use crate::geometry::plane::{Course, Rect, Way};
use crate::mechanism::common::moving::{furthest, within_table};
use crate::mechanism::common::room::stands_on_anybody;
use crate::mechanism::common::units::{one_of, take_next};
use crate::mechanism::points::contact;
use crate::mechanism::points::flight::straight;
use crate::mechanism::points::meet::{best_met, newly_touched};
use crate::mechanism::points::occupation::{
    fill_ground, fill_taken_ground, fills, ground_after, piece_for, tell_way_out, way_inside,
};
use crate::mechanism::points::orders::Targets;
use crate::mechanism::points::payment::{may_charge, permit_way};
use crate::mechanism::points::route::{allowance_for, facts_of, way_to_contact};
use crate::mechanism::points::{orders, passage};
use crate::situation::ways::WayFacts;
use crate::state::terrain::area_under;
use crate::state::{Flags, Marks, Side, UNITS_MAX, UNITS_PER_SIDE_MAX, Unit, UnitId};
use crate::step::nearest::others;
use crate::step::player::Offer;
use crate::step::scratch::Fled;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Occasion, Refusal};

pub(crate) fn play(ctx: &mut Context<'_>, side: Side, roll: RollId) {
    let charged = |&target: &UnitId| ctx.battle.side(side).any(|id| charges(ctx, id, target));
    let mut targets = ctx.neighbours().in_order(ctx.battle.enemies(side).filter(charged));
    let is_charged = |ctx: &Position<'_>, target: UnitId| {
        !ctx.battle.unit(target).gone() && ctx.battle.side(side).any(|id| charges(ctx, id, target))
    };
    while let Some(target) = take_next(ctx, side, &mut targets, is_charged, Offer::Resolve) {
        if is_charged(ctx, target) {
            let chargers = chargers_of(ctx, side, target);
            resolve(ctx, &chargers, target, roll, None);
        }
    }
}

fn charges(ctx: &Position<'_>, id: UnitId, target: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    unit.flags.has(Flags::CHARGING) && unit.foe == target && !unit.broken(ctx.rules)
}

/// The units that charge a target together; the first is the principal by doctrine.
fn chargers_of(ctx: &Position<'_>, side: Side, target: UnitId) -> ArrayVec<UnitId, UNITS_PER_SIDE_MAX> {
    let there = ctx.battle.side(side).filter(|&id| charges(ctx, id, target));
    let keyed = there.map(|id| (Reverse(ctx.battle.unit(id).met), id));
    let mut chargers: ArrayVec<_, UNITS_PER_SIDE_MAX> = keyed.collect();
    chargers.sort_unstable_by(|one, other| ctx.neighbours().compare(one, other));
    chargers.into_iter().map(|(_, id)| id).collect()
}

/// Resolves the charges on one target. `pursuer` is the charger, if any, that struck it in a pursuit and does not also
/// pursue it.
fn resolve(ctx: &mut Context<'_>, chargers: &[UnitId], target: UnitId, roll: RollId, pursuer: Option<UnitId>) {
    let Some(&first) = chargers.first() else { return };
    let principal = chargers[one_of(ctx, first, chargers.iter().copied(), Offer::Principal)];
    ctx.scratch.joint = chargers.iter().copied().collect();
    (ctx.scratch.fled, ctx.scratch.pursue) = (None, false);
    let before = *ctx.battle.unit(target);
    let occasion = Occasion::Phase(ctx.battle.phase);
    ctx.roll(occasion, roll, principal, Some(target));
    ctx.scratch.joint.clear();
    for &id in chargers {
        ctx.battle.flags_mut(id).clear(Flags::CHARGING);
        ctx.battle.unit_mut(id).marks.set(Marks::CHARGED);
        ctx.scratch.charged.push((id, target));
    }
    contact::part(ctx);
    let fled = ctx.scratch.fled.filter(|fled| fled.unit == target);
    let Some(fled) = fled else { return };
    if ctx.battle.unit(principal).broken(ctx.rules) {
        return;
    }
    // A charger pursues, or charges on, only once; but it may also take the position of a second enemy (HD6, HD7).
    if pursuer == Some(principal) {
        let occupies = |order: Order| order == Order::Occupy;
        if orders::choice(ctx, principal, fled.unit, occupies, |_| Targets::new()).is_some() {
            occupy(ctx, principal, fled.unit, &before);
        }
    } else {
        ctx.react(Trigger::Won, principal, target);
        follow(ctx, principal, &fled, &before, roll);
    }
}

/// Lets the principal charger react to the flight of its target. `before` is the target before its flight.
fn follow(ctx: &mut Context<'_>, principal: UnitId, fled: &Fled, before: &Unit, roll: RollId) {
    let must = ctx.scratch.pursue;
    let follows = |order: Order| matches!(order, Order::Pursue | Order::Occupy | Order::Charge);
    let onward = |ctx: &Position<'_>| onward(ctx, principal, fled.unit);
    let chosen =
        if must { Some((Order::Pursue, None)) } else { orders::choice(ctx, principal, fled.unit, follows, onward) };
    match chosen {
        Some((Order::Pursue, _)) => pursue(ctx, principal, fled, roll, must),
        Some((Order::Occupy, _)) => occupy(ctx, principal, fled.unit, before),
        Some((Order::Charge, Some(enemy))) => charge_on(ctx, principal, enemy, fled, roll),
        _ => {}
    }
}

/// The row of the pack that lets a unit pursue an enemy. A unit without one does not charge another enemy either.
fn pursuit_row(ctx: &Position<'_>, id: UnitId, fled: UnitId) -> Option<(usize, Reach)> {
    let flight = ctx.rules.flight.as_ref()?;
    let row = flight.pursuit.get(&ctx.view(id, Some(fled))) as usize;
    flight.pursuits.get(row).map(|found| (row, found.reach))
}

/// Pursues a fleeing enemy along its way, as far as the ground is open and the table extends. If the unit then touches
/// the fleeing enemy, that enemy is destroyed. If the unit meets another enemy, it charges it; if it meets several, it
/// charges the one that it strikes on its most vulnerable side (U12). If the unit may not charge an enemy, or not over
/// that ground (KC3), the pursuit stops short of it. A unit without room to turn to the direction of flight stays in
/// place, or goes next to the enemy that it would overlap. A unit that `must` pursue leaves any enemy to do so; one
/// that chooses to pursue does not leave enemies that it may not leave (D3). A pursuit out of a piece of terrain that
/// the unit fills is measured from the edge of the piece (KT3).
fn pursue(ctx: &mut Context<'_>, id: UnitId, fled: &Fled, roll: RollId, must: bool) {
    let rules = ctx.rules;
    let Some((row, reach)) = pursuit_row(ctx, id, fled.unit) else { return };
    let reach = match reach {
        Reach::Fixed(distance) => distance,
        Reach::ShortBy(short) => (fled.distance - short).max(0),
    };
    if reach == 0 {
        return;
    }
    let (here, filled) = (ctx.rect(id), fills(ctx, id).then(|| ctx.place(id)));
    let start = here.turned_about_centre(fled.heading);
    let reach = reach + way_inside(ctx, id, &start, fled.heading);
    let open = open_stretch(ctx, id, &start, within_table(rules, &Course::ahead(start), reach));
    let reach = open.unwrap_or(0);
    let closed = |&(contact, enemy): &(i32, UnitId)| {
        !may_charge(ctx, id, enemy) || enemy != fled.unit && closes_charge(ctx, id, enemy, &straight(&start, contact))
    };
    let mut met = open.and_then(|reach| first_met(ctx, id, &start, reach, closed));
    let mut distance = met.map_or(reach, |(contact, _)| contact.min(reach));
    if let Some((contact, _)) = met.filter(closed) {
        (met, distance) = (None, (contact - rules.movement.gap).max(0));
    }
    // An enemy that is caught is destroyed and takes up no room.
    let catches = met.is_some_and(|(_, enemy)| enemy == fled.unit);
    let taken = |place: &Rect| {
        let inner = place.inset(rules.movement.touch);
        others(ctx, id).any(|other| !(catches && other == fled.unit) && inner.overlaps(&ctx.place(other)))
    };
    // If the unit is at an angle to the ground that an enemy fills, it touches the edge of that ground before its march
    // meets the enemy.
    let meets_closed = |place: &Rect| {
        let meets =
            |there: &Rect| place.distance(there) <= rules.movement.touch && here.distance(there) > rules.movement.touch;
        ctx.targets(id).any(|enemy| meets(&ctx.place(enemy)) && closed(&(reach, enemy)))
    };
    while met.is_none() && distance > 0 && meets_closed(&start.marched(distance)) {
        distance = (distance - rules.movement.gap).max(0);
    }
    while distance > 0 && taken(&start.marched(distance)) {
        distance = (distance - 25).max(0);
    }
    let free = |place: &Rect| !taken(place) && passage::closed_there(ctx, id, place, None).is_none();
    let beside = || {
        let there = ctx.place(met?.1);
        let lies_under = start.inset(rules.movement.touch).overlaps(&there);
        lies_under.then(|| start.shifted(start.shift_to_touch(&there)))
    };
    let end = open.map(|_| start.marched(distance));
    let end = end.filter(free).or_else(|| beside().filter(free));
    let held = end.filter(|_| !must).and_then(|end| passage::held_from(ctx, id, &ground_after(ctx, id, &end)));
    if let Some(bar) = held {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Closed(bar) });
        return;
    }
    if let Some(end) = end {
        tell_way_out(ctx, id, &straight(&start, distance));
        contact::take_place(ctx, id, &end);
    }
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    ctx.tell(|| Event::Pursued { unit: id, row, distance });
    if end.is_some() {
        fill_ground(ctx, id);
    }
    contact::part(ctx);
    // The unit may have stopped short of the enemy that it would have caught, or have met another one next to it.
    let (begun, end) = (filled.unwrap_or(here), end.unwrap_or(here));
    catch(ctx, id, fled.unit);
    let way = straight(&start, distance);
    let strikes =
        |enemy: &UnitId| *enemy != fled.unit && may_charge(ctx, id, *enemy) && !closes_charge(ctx, id, *enemy, &way);
    let met = met.map(|(_, enemy)| enemy).filter(|&enemy| contact::touching(ctx, id, enemy)).filter(strikes);
    let touched = || newly_touched(ctx, id, &begun).filter(strikes);
    let first = met.or_else(|| ctx.neighbours().first_by(touched(), |_| ()));
    let struck = first.map(|first| best_met(ctx, id, first, (&begun, &end), |enemy| strikes(&enemy)).0);
    if end != here || struck.is_some() {
        contact::remember(ctx, id, (&begun, &end), struck);
    }
    if let Some(enemy) = struck {
        strike(ctx, id, enemy, roll);
    }
}

/// Destroys a fleeing unit that another one touches after its move (HD7).
fn catch(ctx: &mut Context<'_>, id: UnitId, fugitive: UnitId) {
    let flees = !ctx.battle.unit(fugitive).gone() && may_charge(ctx, id, fugitive);
    if flees && contact::touching(ctx, id, fugitive) {
        ctx.destroy(fugitive);
    }
}

/// The act of moving into contact.
fn contact_act(ctx: &Position<'_>) -> Option<u8> {
    ctx.rules.acts.iter().position(|act| act.deed == Deed::Contact).map(|act| act as u8)
}

/// Whether the terrain under a path forbids a charge along it (KC3).
fn closes_charge(ctx: &Position<'_>, id: UnitId, enemy: UnitId, way: &Way) -> bool {
    let mut facts = WayFacts::default();
    passage::note_ground(ctx, id, way, Some(enemy), &mut facts);
    contact_act(ctx).is_some_and(|act| permit_way(ctx, act, id, enemy, facts).is_err())
}

/// The enemy that a unit meets first on a march straight ahead, and the distance to it. An enemy under the starting
/// place is met at once, and one that the unit would touch at the end is met there (C5). If the unit meets several at
/// the same time, one that is not `closed` to it comes first.
fn first_met(
    ctx: &Position<'_>,
    id: UnitId,
    start: &Rect,
    reach: i32,
    closed: impl Fn(&(i32, UnitId)) -> bool,
) -> Option<(i32, UnitId)> {
    let touch = ctx.rules.movement.touch;
    let inner = start.inset(touch);
    let met: ArrayVec<(i32, UnitId), UNITS_MAX> = ctx
        .targets(id)
        .filter_map(|enemy| {
            let place = ctx.place(enemy);
            let contact = if inner.overlaps(&place) { Some(0) } else { start.march_to_contact(&place) };
            Some((contact.filter(|&contact| contact <= reach + touch)?, enemy))
        })
        .collect();
    let least = met.iter().map(|&(contact, _)| contact).min()?;
    let at_once = met.into_iter().filter(|&(contact, _)| contact <= least + touch);
    let keyed = at_once.map(|(contact, enemy)| ((closed(&(contact, enemy)), contact), enemy));
    ctx.neighbours().first_keyed(keyed).map(|((_, contact), enemy)| (contact, enemy))
}

/// The length of the stretch straight ahead that is open to a unit, up to the first closed point. `None` if it is
/// closed at its start.
fn open_stretch(ctx: &Position<'_>, id: UnitId, start: &Rect, reach: i32) -> Option<i32> {
    let closed = |far: i32| passage::closed(ctx, id, &straight(start, far));
    (!closed(0)).then(|| furthest(reach, |far| !closed(far)))
}

/// Takes the position that a fleeing enemy has left, with its centre and heading.
fn occupy(ctx: &mut Context<'_>, id: UnitId, target: UnitId, before: &Unit) {
    let (rect, begun) = (ctx.rect(id), ctx.place(id));
    let place = before.rect(ctx.rules).reshaped(rect.width, rect.depth);
    let area = area_taken(ctx, id, target, before);
    let filled = piece_for(ctx, id, &place, area.is_some());
    let after = filled.map_or(place, |piece| ctx.setup.terrain[piece].rect);
    // A unit that fills a piece of ground has room in it, however far its base extends. Otherwise no part of the place
    // may be on other closed ground or on a unit. The unit does not leave an enemy that it may not leave (D1, D3), nor
    // come into contact with one that it does not charge (C2).
    let ground = || {
        let closed = passage::closed_there(ctx, id, &place, area).or_else(|| passage::crowded_there(ctx, id, &place));
        closed.or_else(|| passage::taken_there(ctx, id, &place))
    };
    let closed = if filled.is_some() { None } else { ground() };
    let closed = closed.or_else(|| passage::held_from(ctx, id, &after));
    if let Some(bar) = closed.or_else(|| passage::meets_there(ctx, id, &after)) {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Closed(bar) });
        return;
    }
    // The pack may have no bar against this.
    if filled.is_none() && stands_on_anybody(ctx, id, &place) {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
        return;
    }
    contact::take_place(ctx, id, &place);
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    ctx.tell(|| Event::Occupied { unit: id });
    if area.is_some() {
        fill_taken_ground(ctx, id);
    } else {
        fill_ground(ctx, id);
    }
    contact::part(ctx);
    contact::remember(ctx, id, (&begun, &place), None);
}

/// The area in which an enemy had its middle, if the unit might have charged it there off the road. The unit may then
/// take that place (R6).
fn area_taken(ctx: &mut Position<'_>, id: UnitId, target: UnitId, before: &Unit) -> Option<usize> {
    let area = area_under(ctx.rules, &ctx.setup.terrain, before.rect(ctx.rules).centre())?;
    let mut facts = WayFacts::default();
    facts.note(WayFact::Area, true);
    let now = std::mem::replace(ctx.battle.unit_mut(target), *before);
    let open = contact_act(ctx).is_none_or(|act| permit_way(ctx, act, id, target, facts).is_ok());
    *ctx.battle.unit_mut(target) = now;
    open.then_some(area)
}

/// The enemies that a unit may charge and can reach once its target has fled, nearest first. Among those in contact,
/// the one struck on its most vulnerable side comes first.
fn onward(ctx: &Position<'_>, id: UnitId, fled: UnitId) -> Targets {
    if pursuit_row(ctx, id, fled).is_none() {
        return Targets::new();
    }
    let enemies = ctx.battle.enemies(ctx.battle.unit(id).side).filter(|&enemy| enemy != fled);
    let keyed = enemies.filter_map(|enemy| {
        let way = open_way_to(ctx, id, enemy)?;
        Some(((way.length, Reverse(ctx.battle.unit(id).has_met(enemy))), enemy))
    });
    let mut keyed: ArrayVec<_, UNITS_MAX> = keyed.collect();
    keyed.sort_unstable_by(|one, other| ctx.neighbours().compare(one, other));
    keyed.into_iter().map(|(_, enemy)| enemy).collect()
}

/// Immediately charges another enemy. If the unit then meets several, it strikes the one that it meets on its most
/// vulnerable side (U12).
fn charge_on(ctx: &mut Context<'_>, id: UnitId, enemy: UnitId, fled: &Fled, roll: RollId) {
    let Some(way) = open_way_to(ctx, id, enemy) else { return };
    if contact::touching(ctx, id, enemy) {
        ctx.battle.unit_mut(id).turn_on(enemy);
        strike(ctx, id, enemy, roll);
        return;
    }
    let (begun, end) = (ctx.place(id), way.end());
    contact::take_place(ctx, id, &end);
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    let (wheel, distance) = (way.wheel, way.distance);
    ctx.tell(|| Event::Marched { unit: id, wheel, distance });
    fill_ground(ctx, id);
    contact::part(ctx);
    catch(ctx, id, fled.unit);
    let strikes = |enemy: UnitId| enemy != fled.unit && may_charge(ctx, id, enemy);
    let (enemy, _) = best_met(ctx, id, enemy, (&begun, &end), strikes);
    contact::remember(ctx, id, (&begun, &end), Some(enemy));
    strike(ctx, id, enemy, roll);
}

/// The path that brings a unit into contact with an enemy that it may charge. If the unit already touches that enemy,
/// it stays in place (C3). The bars on moving into contact apply to the path as well.
fn open_way_to(ctx: &Position<'_>, id: UnitId, enemy: UnitId) -> Option<Way> {
    if ctx.battle.unit(enemy).gone() || !may_charge(ctx, id, enemy) {
        return None;
    }
    let stays = contact::touching(ctx, id, enemy);
    let way = if stays { straight(&ctx.rect(id), 0) } else { way_to_contact(ctx, id, enemy)? };
    let facts = facts_of(ctx, id, &way, Some(enemy));
    let (allowance, _) = allowance_for(ctx, id, facts);
    let barred = contact_act(ctx).is_some_and(|act| permit_way(ctx, act, id, enemy, facts).is_err());
    let free = way.length <= allowance && !barred && !facts.has(WayFact::Overlaps) && !facts.has(WayFact::ThroughEnemy);
    free.then_some(way)
}

/// Resolves a charge on another enemy at once, together with any marked charges of friends on it (KC2). The unit does
/// not charge again afterwards.
fn strike(ctx: &mut Context<'_>, id: UnitId, enemy: UnitId, roll: RollId) {
    ctx.battle.flags_mut(id).set(Flags::CHARGING);
    ctx.battle.flags_mut(enemy).set(Flags::CHARGED);
    ctx.tell(|| Event::Declared { unit: id, target: enemy, distance: 0 });
    let chargers = chargers_of(ctx, ctx.battle.unit(id).side, enemy);
    resolve(ctx, &chargers, enemy, roll, Some(id));
}
