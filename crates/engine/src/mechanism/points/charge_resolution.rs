//! Onset: charges that stand marked are resolved, target by target.
//!
//! Everybody who charges one target charges it together. The principal charger - the first of those who struck it in the rear,
//! or else in the flank, or else the first - takes the phase's roll, and what the roll does to it, it does to all of them. What
//! the target does is a reaction that the roll's results set off. If the target has fled, the principal may pursue it, take its
//! place or charge another enemy at once, as its reactions on `won` and its doctrine say. Example: two regiments charge one
//! battalion; the principal's check fails, and both are shaken.

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::{Deed, Order, Reach, Trigger};
use grognard_rules::situation::WayFact;

use crate::geometry::plane::{Arc, Rect, Way};
use crate::mechanism::figures::movement::{leave_if_off_table, settle_on};
use crate::mechanism::points::flight::straight;
use crate::state::battle::{Flags, UNITS_PER_SIDE_MAX, UnitId};
use crate::state::side::Side;
use crate::step::context::Field;
use crate::step::scratch::Fled;
use crate::telling::event::{Event, Occasion, Refusal, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, side: Side, roll: u8) {
    for target in field.battle.side(side.other()) {
        let chargers = chargers_of(field, side, target);
        if !chargers.is_empty() && !field.battle.unit(target).gone() {
            resolve(field, &chargers, target, roll, true);
        }
    }
}

fn chargers_of<D: Dice, W: Witness>(
    field: &Field<'_, D, W>,
    side: Side,
    target: UnitId,
) -> ArrayVec<UnitId, UNITS_PER_SIDE_MAX> {
    let charges = |&id: &UnitId| {
        let unit = field.battle.unit(id);
        unit.flags.has(Flags::CHARGING) && unit.foe == target && !unit.broken(field.rules)
    };
    field.battle.side(side).filter(charges).collect()
}

/// Resolves the charges on one target. `follows`: whether the principal may go after it.
fn resolve<D: Dice, W: Witness>(
    field: &mut Field<'_, D, W>,
    chargers: &[UnitId],
    target: UnitId,
    roll: u8,
    follows: bool,
) {
    let worst = |&&id: &&UnitId| std::cmp::Reverse(field.battle.unit(id).met);
    let Some(&principal) = chargers.iter().min_by_key(worst) else { return };
    field.scratch.joint = chargers.iter().copied().collect();
    (field.scratch.fled, field.scratch.pursue) = (None, false);
    let before = *field.battle.unit(target);
    let occasion = Occasion::Phase(field.battle.phase);
    field.roll(occasion, roll, principal, Some(target));
    field.scratch.joint.clear();
    for &id in chargers {
        field.battle.flags_mut(id).clear(Flags::CHARGING);
    }
    field.part();
    let fled = field.scratch.fled.filter(|fled| fled.unit == target);
    let Some(fled) = fled else { return };
    if field.battle.unit(principal).broken(field.rules) {
        return;
    }
    if follows {
        field.react(Trigger::Won, principal, target);
        follow(field, principal, &fled, before.rect(field.rules), roll);
    }
}

/// What the principal charger does about an enemy that has fled.
fn follow<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, principal: UnitId, fled: &Fled, left: Rect, roll: u8) {
    let order = if field.scratch.pursue { Some(Order::Pursue) } else { field.choice(principal, fled.unit) };
    match order {
        Some(Order::Pursue) => pursue(field, principal, fled, roll),
        Some(Order::Occupy) => occupy(field, principal, &left),
        Some(Order::Charge) => charge_on(field, principal, fled, roll),
        _ => {}
    }
}

/// Goes after a fleeing enemy, along its way and as far as the ground is open to it: it is destroyed if it is caught; another
/// enemy that is met is charged. Before one that it may not charge it stops.
fn pursue<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, fled: &Fled, roll: u8) {
    let rules = field.rules;
    let Some(flight) = &rules.flight else { return };
    let row = flight.pursuit.get(&field.view(id, Some(fled.unit))) as usize;
    let Some(row_found) = flight.pursuits.get(row) else { return };
    let reach = match row_found.reach {
        Reach::Fixed(distance) => distance,
        Reach::ShortBy(short) => (fled.distance - short).max(0),
    };
    if reach == 0 {
        return;
    }
    let start = field.rect(id).turned_about_centre(fled.heading);
    let reach = open_stretch(field, id, &start, reach);
    let mut met: Option<(i32, UnitId)> = None;
    for enemy in field.battle.side(field.battle.unit(id).side.other()) {
        if field.battle.unit(enemy).gone() {
            continue;
        }
        let contact = start.march_to_contact(&field.place(enemy));
        if let Some(contact) = contact.filter(|&contact| contact <= reach)
            && met.is_none_or(|(nearest, _)| contact < nearest)
        {
            met = Some((contact, enemy));
        }
    }
    let mut distance = met.map_or(reach, |(contact, _)| contact);
    if let Some((contact, _)) = met.filter(|&(_, enemy)| !field.may_charge(id, enemy)) {
        (met, distance) = (None, (contact - rules.movement.gap).max(0));
    }
    while met.is_none() && distance > 0 && field.stands_on_anybody(id, &start.marched(distance)) {
        distance = (distance - 25).max(0);
    }
    settle_on(field, id, &start.marched(distance));
    field.battle.unit_mut(id).fills = 0;
    field.battle.flags_mut(id).set(Flags::MOVED);
    field.tell(|| Event::Pursued { unit: id, row, distance });
    leave_if_off_table(field, id);
    field.part();
    let Some((_, enemy)) = met.filter(|_| !field.battle.unit(id).gone()) else { return };
    if enemy == fled.unit {
        field.destroy(enemy);
        return;
    }
    let arc = arc_of(field, enemy, &start, &start.marched(distance));
    strike(field, id, enemy, arc, roll);
}

/// How far of a stretch straight ahead is open to a unit; what is closed from somewhere on stays closed.
fn open_stretch<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId, start: &Rect, reach: i32) -> i32 {
    let closed = |far: i32| field.closed(id, &straight(start, far));
    if !closed(reach) {
        return reach;
    }
    let (mut open, mut shut) = (0, reach);
    while shut - open > 1 {
        let middle = i32::midpoint(open, shut);
        if closed(middle) { shut = middle } else { open = middle }
    }
    open
}

/// Takes the place that a fleeing enemy has left: its centre and its heading.
fn occupy<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, left: &Rect) {
    let rect = field.rect(id);
    let place = left.reshaped(rect.width, rect.depth);
    if field.stands_on_anybody(id, &place) {
        field.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
        return;
    }
    settle_on(field, id, &place);
    field.battle.flags_mut(id).set(Flags::MOVED);
    field.tell(|| Event::Occupied { unit: id });
    field.fill_taken_ground(id, &rect);
    field.part();
}

/// Charges the nearest other enemy that it may charge and that its move brings it to, at once.
fn charge_on<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, fled: &Fled, roll: u8) {
    let mut found: Option<(i32, UnitId, Way)> = None;
    // What forbids the way into a contact forbids it here as well.
    let contact = field.rules.acts.iter().position(|act| act.deed == Deed::Contact);
    for enemy in field.battle.side(field.battle.unit(id).side.other()) {
        if enemy == fled.unit || field.battle.unit(enemy).gone() || !field.may_charge(id, enemy) {
            continue;
        }
        let Some(way) = field.way_to_contact(id, enemy) else { continue };
        let facts = field.facts_of(id, &way, Some(enemy));
        let (allowance, _) = field.allowance_for(id, facts);
        let barred = contact.is_some_and(|act| field.permit_way(act as u8, id, enemy, facts).is_err());
        let free =
            way.length <= allowance && !barred && !facts.has(WayFact::Overlaps) && !facts.has(WayFact::ThroughEnemy);
        if free && found.is_none_or(|(nearest, ..)| way.length < nearest) {
            found = Some((way.length, enemy, way));
        }
    }
    let Some((_, enemy, way)) = found else { return };
    let end = way.end();
    let arc = arc_of(field, enemy, &way.start, &end);
    settle_on(field, id, &end);
    field.battle.flags_mut(id).set(Flags::MOVED);
    let (wheel, distance) = (way.wheel, way.distance);
    field.tell(|| Event::Marched { unit: id, wheel, distance });
    field.fill_ground(id, &way.start);
    field.part();
    strike(field, id, enemy, arc, roll);
}

/// Where a unit that has come from here to there strikes an enemy.
pub(crate) fn arc_of<D: Dice, W: Witness>(field: &Field<'_, D, W>, enemy: UnitId, start: &Rect, end: &Rect) -> Arc {
    let defender = field.battle.unit(enemy);
    let place = defender.rect(field.rules);
    if field.rules.formations[usize::from(defender.formation)].all_round || field.encloses(&place) {
        return Arc::Front;
    }
    end.strikes(start, &place, field.rules.movement.touch)
}

/// A charge on another enemy, which is resolved at once and leads to no other.
fn strike<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, enemy: UnitId, arc: Arc, roll: u8) {
    let unit = field.battle.unit_mut(id);
    (unit.foe, unit.met) = (enemy, arc);
    unit.flags.set(Flags::CHARGING);
    field.battle.flags_mut(enemy).set(Flags::CHARGED);
    field.tell(|| Event::Declared { unit: id, target: enemy, distance: 0 });
    resolve(field, &[id], enemy, roll, false);
}
