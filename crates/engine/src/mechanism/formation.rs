//! Formation: voluntary changes of formation and facing (clauses 7.31, 8.11 to 8.14).
//!
//! Neither costs movement. A broken unit may do neither; a shaken one may do both unless the formation's own condition
//! forbids it (a square wants good order, 9.52). The unit stays about its centre (7.31). Leaving a formation that faces
//! everywhere, it takes the heading its owner likes as part of the change (8.12): towards the nearest enemy.

use grognard_dice::Dice;
use grognard_rules::model::{Board, Order};

use crate::field::Field;
use crate::plane::Heading;
use crate::state::{Flags, UnitId};
use crate::witness::{Event, Refusal, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId) {
    if !field.has_orders(id) || field.battle.unit(id).broken(field.rules) {
        return;
    }
    let enemy = field.nearest_enemy(id);
    match field.order(id, enemy) {
        Some(Order::Form(formation)) => form(field, id, formation, enemy),
        Some(Order::Face) => {
            if let Some(enemy) = enemy {
                face(field, id, enemy);
            }
        }
        _ => {}
    }
}

fn form<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, formation: u8, enemy: Option<UnitId>) {
    let unit = *field.battle.unit(id);
    if unit.formation == formation {
        return;
    }
    if !may_form(field, id, formation, enemy) {
        field.tell(|| Event::Refused { unit: id, why: Refusal::Formation });
        return;
    }
    let before = unit;
    field.take_formation(id, formation);
    let rules = field.rules;
    if rules.formations[usize::from(before.formation)].all_round
        && let (Some(enemy), Board::Plane { .. }) = (enemy, rules.board)
    {
        let rect = field.battle.unit(id).rect(rules);
        let towards = Heading::between(rect.centre(), field.battle.unit(enemy).rect(rules).centre());
        let turned = rect.turned_about_centre(towards);
        let unit = field.battle.unit_mut(id);
        (unit.front, unit.heading) = (turned.front, turned.heading());
    }
    if field.overlaps_anybody(id) {
        *field.battle.unit_mut(id) = before;
        field.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
        return;
    }
    field.battle.unit_mut(id).flags.set(Flags::CHANGED);
}

/// Whether the rules let a unit adopt a formation by order.
fn may_form<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId, formation: u8, enemy: Option<UnitId>) -> bool {
    let rules = field.rules;
    let kind = &rules.kinds[usize::from(field.battle.unit(id).kind)];
    let wanted = &rules.formations[usize::from(formation)];
    kind.speed[usize::from(formation)].is_some()
        && wanted.arms & (1 << kind.arm) != 0
        && wanted.voluntary
        && field.holds(wanted.when.as_ref(), id, enemy)
}

fn face<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, enemy: UnitId) {
    let rules = field.rules;
    if rules.board == Board::None || rules.formations[usize::from(field.battle.unit(id).formation)].all_round {
        return;
    }
    let before = *field.battle.unit(id);
    let rect = before.rect(rules);
    let towards = Heading::between(rect.centre(), field.battle.unit(enemy).rect(rules).centre());
    let tenths = rect.heading().turn_to(towards);
    if tenths == 0 {
        return;
    }
    let turned = rect.turned_about_centre(towards);
    let unit = field.battle.unit_mut(id);
    (unit.front, unit.heading) = (turned.front, turned.heading());
    if field.overlaps_anybody(id) {
        *field.battle.unit_mut(id) = before;
        field.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
    } else {
        field.tell(|| Event::Turned { unit: id, tenths });
    }
}

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Puts a unit into a formation about its centre, whether or not it likes it.
    pub(crate) fn take_formation(&mut self, id: UnitId, formation: u8) {
        let unit = *self.battle.unit(id);
        if unit.formation == formation {
            return;
        }
        let rect = unit.rect(self.rules);
        let footprint = self.rules.footprint(unit.kind, formation, unit.figures);
        let changed = self.battle.unit_mut(id);
        changed.formation = formation;
        changed.front = rect.reshaped(footprint.width, footprint.depth).front;
        self.tell(|| Event::Formed { unit: id, from: unit.formation });
    }

    /// Puts a unit that is made to fall back into the formation its morale state has for that, if it can stand in it.
    pub(crate) fn take_retreat_formation(&mut self, id: UnitId, cause: UnitId) {
        let rules = self.rules;
        let unit = self.battle.unit(id);
        let Some(retreat) = &rules.morale[usize::from(unit.morale)].retreat else { return };
        let open = rules.kinds[usize::from(unit.kind)].speed[usize::from(retreat.formation)].is_some();
        if open && self.holds(retreat.when.as_ref(), id, Some(cause)) {
            self.take_formation(id, retreat.formation);
        }
    }

    /// Whether a unit shares ground with another one.
    pub(crate) fn overlaps_anybody(&self, id: UnitId) -> bool {
        if self.rules.board == Board::None {
            return false;
        }
        let rect = self.battle.unit(id).rect(self.rules);
        self.battle
            .units
            .iter()
            .enumerate()
            .any(|(index, other)| index != id.index() && !other.gone() && rect.overlaps(&other.rect(self.rules)))
    }
}
