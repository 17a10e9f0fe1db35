//! Fire: a unit shoots at the nearest enemy in range, in its front arc and in sight (clauses 7.51 to 7.53).
//!
//! Range is measured between nearest edges. Sight runs from the middle of the firer's front to the middle of the target and
//! is blocked by any other unit that stands in between.

use grognard_dice::Dice;
use grognard_rules::model::{Board, Order};

use super::charge::in_front;
use crate::field::Field;
use crate::state::{Flags, UnitId};
use crate::terrain::hides;
use crate::witness::{Event, Occasion, Refusal, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, roll: u8) {
    let index = field.battle.phase;
    let rules = field.rules;
    let unit = field.battle.unit(id);
    let can = rules.kinds[usize::from(unit.kind)].range > 0 && rules.formations[usize::from(unit.formation)].fires;
    if !can || unit.forming > 0 || !field.has_orders(id) || unit.broken(rules) {
        return;
    }
    let nearest = field.nearest_target(id);
    let phase = &rules.phases[usize::from(index)];
    if nearest.is_none() || !field.holds(phase.when.as_ref(), id, nearest) {
        return;
    }
    let may = |field: &Field<'_, D, W>, enemy| may_shoot(field, id, enemy);
    let Some((_, Order::Fire, chosen)) = field.decide(id, nearest, may) else { return };
    let Some(target) = chosen.or_else(|| best_target(field, id)) else {
        field.tell(|| Event::Refused { unit: id, why: Refusal::NoTarget });
        return;
    };
    field.battle.unit_mut(id).flags.set(Flags::FIRED);
    field.roll(Occasion::Phase(index), roll, id, Some(target));
}

/// The nearest enemy that may be shot at: one that is not broken before any that is.
fn best_target<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId) -> Option<UnitId> {
    let rules = field.rules;
    field
        .targets(id)
        .filter(|&enemy| may_shoot(field, id, enemy))
        .map(|enemy| (field.battle.unit(enemy).broken(rules), field.view(id, Some(enemy)).distance(), enemy))
        .min()
        .map(|(.., enemy)| enemy)
}

/// Whether an enemy is in range, in arc and in sight.
fn may_shoot<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId, enemy: UnitId) -> bool {
    let range = field.rules.kinds[usize::from(field.battle.unit(id).kind)].range;
    field.view(id, Some(enemy)).distance() <= range && in_front(field, id, enemy) && in_sight(field, id, enemy)
}

fn in_sight<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId, target: UnitId) -> bool {
    let rules = field.rules;
    let terrain = &field.setup.terrain;
    if rules.board == Board::None || (field.battle.units.len() == 2 && terrain.is_empty()) {
        return true;
    }
    let eye = field.battle.unit(id).front;
    let goal = field.battle.unit(target).rect(rules).centre();
    !hides(rules, terrain, eye, goal)
        && !field.battle.units.iter().enumerate().any(|(index, other)| {
            index != id.index() && index != target.index() && !other.gone() && other.rect(rules).crossed_by(eye, goal)
        })
}
