//! Charge: declared, answered, moved to contact (clauses 7.61, 7.62, 7.65).
//!
//! A formed unit that the pack allows to charge declares it on the nearest enemy in its front arc, if it can reach it by one
//! wheel and a march straight ahead, with nobody in the way. The arc in which the charge strikes is settled then, by where
//! the charger's figures stand (7.13). The target reacts at once (a test of nerve, closing fire), and a charger that still
//! wants to then moves until it touches. A target that breaks turns its back, and is struck where it then shows itself. One whose target has given way out of its reach comes as far as it can, and fights
//! nobody. Shock is fought in a later phase.

use grognard_dice::Dice;
use grognard_rules::model::{Board, Order, Trigger};
use grognard_rules::situation::Subject;

use crate::geometry::plane::{Arc, Circle, Heading, Rect};
use crate::mechanism::figures::movement::{clear_march, is_off_table, settle_on, turns_freely};
use crate::situation::facts::{exposure, reach, sees};
use crate::situation::neighbours::Stack;
use crate::state::battle::{Flags, Unit, UnitId};
use crate::state::unit_set::Units;
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, Witness};

/// Hundredths of an inch that units may seem apart that touch: their places are rounded.
const ROUNDING: i32 = 4;

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId) {
    if !field.has_orders(id) || field.battle.unit(id).broken(field.rules) {
        return;
    }
    if field.targets(id).is_empty() {
        return;
    }
    let nearest = |field: &Field<'_, D, W>| nearest_in_front(field, id);
    let may = |field: &Field<'_, D, W>, enemy| in_front(field, id, enemy) && way_to(field, id, enemy).is_some();
    let Some((_, Order::Charge, chosen)) = field.decide(id, nearest, may) else { return };
    let Some(target) = chosen.or_else(|| nearest(field)) else { return };
    let way = match declare(field, id, target) {
        Ok(way) => way,
        Err(why) => {
            field.tell(|| Event::Refused { unit: id, why });
            return;
        }
    };
    field.cast_charge_zone(id);
    let before = (*field.battle.unit(id), *field.battle.unit(target));
    let square = field.square_of(target);
    field.react(Trigger::Charged, target, id);
    field.answer_charge_zone(id, &square);
    let unit = field.battle.unit(id);
    if unit.flags.has(Flags::CHARGING) && !unit.broken(field.rules) {
        // The way is still good if neither of the two stands otherwise than at the declaration.
        let unmoved = unit.stands_like(&before.0) && field.battle.unit(target).stands_like(&before.1);
        close(field, id, target, &way, unmoved);
    }
}

/// Declares a charge: the ground it will end on if nothing changes.
fn declare<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, target: UnitId) -> Result<Way, Refusal> {
    let rules = field.rules;
    let unit = field.battle.unit(id);
    if !rules.formations[usize::from(unit.formation)].formed
        || !field.holds(rules.movement.charge.as_ref(), id, Some(target))
    {
        return Err(Refusal::MayNotCharge);
    }
    if !in_front(field, id, target) {
        return Err(Refusal::NotInFront);
    }
    let way = way_to(field, id, target).ok_or(Refusal::OutOfReach)?;
    let view = field.view(id, Some(target));
    let arc = view.exposed(Subject::Foe);
    let distance = if W::WATCHES { view.distance() } else { 0 };
    let charger = field.battle.unit_mut(id);
    charger.flags.set(Flags::CHARGING);
    charger.flags.strike(arc);
    charger.foe = target;
    field.battle.flags_mut(target).set(Flags::CHARGED);
    field.tell(|| Event::Declared { unit: id, target, distance });
    Ok(way)
}

/// Whether any part of the target lies in the unit's front arc; a unit that faces everywhere has everybody in front.
pub(crate) fn in_front<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId, target: UnitId) -> bool {
    let units = [id, target].map(|id| (id, field.battle.unit(id)));
    sees(field.rules, &field.setup.terrain, &field.scratch.stands, units[0], units[1])
}

/// The nearest enemy in a unit's front arc, one that is not broken before any that is; if none is there, the nearest of all.
fn nearest_in_front<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId) -> Option<UnitId> {
    let nearest = field.nearest_target(id)?;
    let ready = !field.battle.unit(nearest).broken(field.rules) && in_front(field, id, nearest);
    if field.battle.units.len() == 2 || ready {
        return Some(nearest);
    }
    let ahead = field.targets(id).filter(|&enemy| in_front(field, id, enemy));
    let broken = |enemy: UnitId| field.battle.unit(enemy).broken(field.rules);
    let first = ahead.min_by_key(|&enemy| (broken(enemy), field.view(id, Some(enemy)).distance(), enemy));
    Some(first.unwrap_or(nearest))
}

/// The way of a charge: where it stands after its wheel, and how far it marches from there.
#[derive(Clone, Copy)]
struct Way {
    from: Rect,
    distance: i32,
}

/// The way of a charge that reaches its target; none if it is too far or somebody is in the way.
fn way_to<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId, target: UnitId) -> Option<Way> {
    let rules = field.rules;
    if rules.board == Board::None {
        return Some(Way { from: field.rect(id), distance: 0 });
    }
    let unit = field.battle.unit(id);
    let reach = reach(rules, &field.battle, unit);
    if field.circle(id).beyond(&field.circle(target), reach) {
        return None;
    }
    let (rect, there) = (field.rect(id), field.rect(target));
    let (start, spent) = if rect.march_to_contact(&there).is_some() {
        (rect, 0)
    } else {
        let tenths = rect.heading().turn_to(Heading::between(rect.front, there.centre()));
        if turns_freely(field, id) {
            (rect.turned_about_centre(rect.heading().turned(tenths)), 0)
        } else {
            (rect.wheeled(tenths), rect.wheel_cost(tenths))
        }
    };
    let distance = start.march_to_contact(&there)?;
    if spent + distance > reach || field.pass(id, &start, distance, reach - spent).distance < distance {
        return None;
    }
    let (ground, circle) = (start.marched(distance), Circle::of(&start));
    if is_off_table(rules, &ground) {
        return None;
    }
    let others = field.others(id).but(Units::one(target));
    // Whoever is farther away than its march is long is not in the way.
    let blocked = others.filter(|&other| !circle.beyond(&field.circle(other), distance)).any(|other| {
        let there = field.rect(other);
        start.march_to_contact(&there).is_some_and(|nearer| nearer < distance) || ground.overlaps(&there)
    });
    (!blocked).then_some(Way { from: start, distance })
}

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Settles anew in which arc charges strike a unit that has just broken: it has turned its back and fallen into column
    /// (7.44, 8.53).
    pub(crate) fn strike_anew(&mut self, target: UnitId) {
        let broken = *self.battle.unit(target);
        for id in self.battle.side(broken.side.other()) {
            let charger = *self.battle.unit(id);
            if charger.gone() || charger.strikes(target).is_none() {
                continue;
            }
            let arc = exposure(self.rules, (&broken, &self.rect(target)), (&charger, &self.rect(id)));
            self.battle.flags_mut(id).strike(arc);
        }
    }

    /// Charges that had reached a unit which has since been driven back have nobody to fight any more.
    pub(crate) fn lose_contact(&mut self, target: UnitId) {
        let rules = self.rules;
        for id in self.battle.side(self.battle.unit(target).side.other()) {
            let charger = self.battle.unit(id);
            let reached = charger.flags.has(Flags::CONTACT) && charger.foe == target;
            if reached && self.view(id, Some(target)).distance() > rules.movement.touch + ROUNDING {
                self.battle.flags_mut(id).clear(Flags::CONTACT);
            }
        }
    }

    /// Whether any enemy's charge on a unit is still under way.
    pub(crate) fn is_charged(&self, id: UnitId) -> bool {
        let charges = |enemy: UnitId| self.battle.unit(enemy).strikes(id).is_some();
        self.battle.side(self.battle.unit(id).side.other()).any(charges)
    }
}

/// Brings up the units that stand straight behind one that has charged or marched straight ahead: each comes as far.
pub(crate) fn follow_up<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, stack: &Stack, before: &Unit) {
    let rules = field.rules;
    let Some(follows) = rules.support.as_ref().and_then(|support| support.follows.as_ref()) else { return };
    let Some((&leader, followers)) = stack.split_first() else { return };
    let now = *field.battle.unit(leader);
    if now.heading != before.heading {
        return;
    }
    let distance = before.front.square_distance(now.front).isqrt() as i32;
    for &id in followers {
        let unit = *field.battle.unit(id);
        let speed = rules.kinds[usize::from(unit.kind)].speed[usize::from(unit.formation)].unwrap_or(0);
        let able = !unit.flags.has(Flags::MOVED) && !unit.broken(rules) && speed >= distance && !field.is_held(id);
        if !able || !field.holds(Some(follows), id, Some(leader)) {
            return;
        }
        let from = unit.rect(rules);
        let passage = field.pass(id, &from, distance, speed);
        let ground = from.marched(passage.distance);
        let follower = field.battle.unit_mut(id);
        (follower.front, follower.heading, follower.bend) = (ground.front, ground.heading(), 0);
        if field.overlaps_anybody(id) {
            *field.battle.unit_mut(id) = unit;
            return;
        }
        field.battle.flags_mut(id).set(Flags::MOVED);
        field.tell(|| Event::Marched { unit: id, wheel: 0, distance: passage.distance });
        field.suffer_ground(id, &passage);
        if passage.distance < distance {
            return;
        }
    }
}

/// Moves a charger to contact, or as far as it can if its target has given way.
///
/// `unmoved`: whether both stand as they did when the way was declared.
fn close<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, target: UnitId, declared: &Way, unmoved: bool) {
    let rules = field.rules;
    if field.battle.unit(target).gone() {
        fall_short(field, id, declared);
        return;
    }
    if rules.board == Board::None {
        field.battle.flags_mut(id).set(Flags::CONTACT);
        return;
    }
    let way = if unmoved { Some(*declared) } else { way_to(field, id, target) };
    let arc = if W::WATCHES { field.view(id, Some(target)).exposed(Subject::Foe) } else { Arc::Front };
    let charger = field.battle.unit_mut(id);
    charger.flags.set(Flags::MOVED);
    if let Some(Way { from, distance }) = way {
        let before = *charger;
        let stack = if rules.support.is_some() { field.vicinity().stack(id) } else { Stack::new() };
        let ground = from.marched(distance);
        let charger = field.battle.unit_mut(id);
        (charger.front, charger.heading, charger.bend) = (ground.front, ground.heading(), 0);
        charger.flags.set(Flags::CONTACT);
        field.tell(|| Event::Contact { unit: id, target, arc });
        follow_up(field, &stack, &before);
        if !field.setup.terrain.is_empty() {
            let passage = field.pass(id, &from, distance, i32::MAX);
            field.suffer_ground(id, &passage);
        }
    } else {
        fall_short(field, id, declared);
    }
}

/// A charge that reaches nobody goes on along the way it was declared on, as far as its reach and whoever is in the way allow.
fn fall_short<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, declared: &Way) {
    let rules = field.rules;
    field.battle.flags_mut(id).clear(Flags::CHARGING);
    field.tell(|| Event::FellShort { unit: id });
    if rules.board == Board::None {
        return;
    }
    // Closing fire may have left it narrower than it was when it declared.
    let unit = *field.battle.unit(id);
    let rect = unit.rect(rules);
    let wheel = unit.heading.turn_to(declared.from.heading());
    let (from, spent) = if wheel == 0 {
        (rect, 0)
    } else if turns_freely(field, id) {
        (rect.turned_about_centre(declared.from.heading()), 0)
    } else {
        (rect.wheeled(wheel), rect.wheel_cost(wheel))
    };
    let most = (reach(rules, &field.battle, &unit) - spent).max(0);
    let Some(clear) = clear_march(field, id, &from, most, rules.movement.gap) else { return };
    let passage = field.pass(id, &from, clear, most);
    let ground = from.marched(passage.distance);
    if passage.distance == 0 || is_off_table(rules, &ground) {
        return;
    }
    settle_on(field, id, &ground);
    let charger = field.battle.unit_mut(id);
    charger.bend = 0;
    charger.flags.set(Flags::MOVED);
    field.tell(|| Event::Marched { unit: id, wheel, distance: passage.distance });
    field.suffer_ground(id, &passage);
}
