//! Volley: units that have a firing marker fire, and whoever is fired at fires back from now on.
//!
//! At the start of the phase every marker goes away, of either side, whose unit has nobody to fire at. Then the active side's
//! marked units fire one after the other at the nearest enemy in range, in the front arc and in sight for which the phase's
//! condition holds, over others where the phase says so; the target is given a marker if it could fire at that unit, and the roll is taken against it.

use grognard_dice::Dice;
use grognard_rules::expr::Lookup;
use grognard_rules::model::Board;

use super::charge::in_front;
use crate::Side;
use crate::field::Field;
use crate::marks::Marks;
use crate::occupy::place;
use crate::state::{Flags, Unit, UnitId};
use crate::terrain::hides;
use crate::witness::{Occasion, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, side: Side, roll: u8) {
    let index = field.battle.phase;
    for place in 0..field.battle.units.len() as u8 {
        let id = UnitId(place);
        let unit = field.battle.unit(id);
        if unit.marks.has(Marks::FIRING) && !unit.gone() && best_target(field, id).is_none() {
            field.cease(id);
        }
    }
    for id in field.battle.side(side) {
        let unit = field.battle.unit(id);
        if !unit.marks.has(Marks::FIRING) || unit.broken(field.rules) {
            continue;
        }
        let Some(target) = best_target(field, id) else { continue };
        field.battle.unit_mut(id).flags.set(Flags::FIRED);
        if !field.battle.unit(target).marks.has(Marks::FIRING) && can_fire_at(field, target, id) {
            field.open_fire(target);
        }
        field.roll(Occasion::Phase(index), roll, id, Some(target));
        field.answer_losses();
    }
}

fn best_target<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId) -> Option<UnitId> {
    let side = field.battle.unit(id).side.other();
    let there = field.battle.side(side).filter(|&enemy| can_fire_at(field, id, enemy));
    there.min_by_key(|&enemy| field.view(id, Some(enemy)).distance())
}

/// Whether a unit could fire at another: armed, in order, in range, in arc, in sight and not forbidden.
fn can_fire_at<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId, target: UnitId) -> bool {
    let rules = field.rules;
    let unit = field.battle.unit(id);
    let range = rules.kinds[usize::from(unit.kind)].range;
    let when = rules.phases[usize::from(field.battle.phase)].when.as_ref();
    range > 0
        && rules.formations[usize::from(unit.formation)].fires
        && !unit.broken(rules)
        && !field.battle.unit(target).gone()
        && field.view(id, Some(target)).distance() <= range
        && in_front(field, id, target)
        && field.holds(when, id, Some(target))
        && lines_clear(field, id, target)
        && !hides(rules, &field.setup.terrain, unit.front, field.battle.unit(target).rect(rules).centre())
}

/// Whether lines run from both front corners to two of the target's corners, or to the middle of its front edge, without
/// meeting another unit.
fn lines_clear<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId, target: UnitId) -> bool {
    let rules = field.rules;
    if rules.board == Board::None || field.battle.units.len() == 2 {
        return true;
    }
    let own = field.battle.unit(id).rect(rules);
    let there = field.place(target);
    let [left, right, ..] = own.corners();
    let over = rules.phases[usize::from(field.battle.phase)].over.as_ref();
    let may = |when: &Option<Lookup>| when.as_ref().is_some_and(|when| when.get(&field.view(id, Some(target))) != 0);
    if over.is_some_and(|over| may(&over.anybody)) {
        return true;
    }
    let over = over.filter(|over| may(&over.friends));
    let passed_over = |other: &Unit| {
        let side = field.battle.unit(id).side;
        over.is_some_and(|over| {
            other.side == side && place(rules, &field.setup.terrain, other).distance(&there) >= over.clear
        })
    };
    let clear = |from, to| {
        let mut others = field.battle.units.iter().enumerate();
        !others.any(|(index, other)| {
            let between = index != id.index() && index != target.index() && !other.gone();
            between && !passed_over(other) && place(rules, &field.setup.terrain, other).crossed_by(from, to)
        })
    };
    let seen = |from| there.corners().map(|corner| clear(from, corner));
    let (by_left, by_right) = (seen(left), seen(right));
    let middle = clear(left, there.front) && clear(right, there.front);
    // One line from either corner, to two different corners of the target.
    let two = (0..4).any(|a| by_left[a] && (0..4).any(|b| b != a && by_right[b]));
    middle || two
}
