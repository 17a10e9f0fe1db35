//! Formation: voluntary changes of formation and facing (clauses 7.31, 8.11 to 8.14).
//!
//! Neither costs movement. A broken unit may do neither; a shaken one may do both unless the formation's own condition
//! forbids it (a square wants good order, 9.52). The unit stays about its centre (7.31). Leaving a formation that faces
//! everywhere, it takes the heading its owner likes as part of the change (8.12), as guns do that limber or unlimber (8.44).

use grognard_dice::Dice;
use grognard_rules::model::{Board, Decisions, Order, Shape, Towards, Trigger};

use crate::geometry::plane::Heading;
use crate::state::battle::{Flags, UnitId};
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, Why, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId) {
    if !field.has_orders(id) {
        return;
    }
    if field.battle.unit(id).broken(field.rules) {
        if W::WATCHES && field.would_change(id, field.nearest_enemy(id)) {
            field.tell(|| Event::Refused { unit: id, why: Refusal::Broken });
        }
        return;
    }
    let Some((mut row, order, chosen)) = field.decide(id, |field| field.nearest_enemy(id), |_, _| true) else {
        return;
    };
    let enemy = chosen.or_else(|| field.nearest_enemy(id));
    let rows = &field.decisions(id).rows;
    carry_out(field, id, order, enemy, rows[row].towards);
    // What is ordered in addition to the row that applied.
    while let Some((also, order)) = rows.get(row + 1).and_then(|next| Some((next.also.as_ref()?, next.order))) {
        row += 1;
        if field.holds(Some(also), id, enemy) {
            field.tell(|| Event::Ordered { unit: id, row, order });
            carry_out(field, id, order, enemy, rows[row].towards);
        }
    }
}

fn carry_out<D: Dice, W: Witness>(
    field: &mut Field<'_, D, W>,
    id: UnitId,
    order: Order,
    enemy: Option<UnitId>,
    towards: Towards,
) {
    match order {
        Order::Form(formation) => form(field, id, formation, enemy, towards),
        Order::Face => {
            if let Some(enemy) = enemy {
                let there = field.rect(enemy).centre();
                let here = field.rect(id).centre();
                face(field, id, Heading::between(here, there));
            }
        }
        Order::Detach(figures) => field.detach(id, figures),
        Order::Recall => field.recall(id),
        Order::Dismount => dismount(field, id),
        Order::Turn(tenths) => {
            let towards = field.battle.unit(id).heading.turned(i32::from(tenths));
            face(field, id, towards);
        }
        _ => {}
    }
}

fn form<D: Dice, W: Witness>(
    field: &mut Field<'_, D, W>,
    id: UnitId,
    formation: u8,
    enemy: Option<UnitId>,
    towards: Towards,
) {
    let unit = *field.battle.unit(id);
    if unit.formation == formation {
        return;
    }
    let refusal = if unit.flags.has(Flags::SCREEN) {
        // Figures that are out re-form with their unit only (9.35).
        Some(Refusal::Formation)
    } else if unit.flags.has(Flags::CHANGED) {
        Some(Refusal::Spent)
    } else if [unit.formation, formation].iter().all(|&one| field.rules.formations[usize::from(one)].spacing.is_some())
    {
        // How dense a unit's skirmishers stand is in its rating, not at its choice (9.31).
        Some(Refusal::Formation)
    } else if let Some(bar) = field.barred(id, formation) {
        Some(Refusal::Barred(formation, bar))
    } else {
        (!may_form(field, id, formation, enemy)).then_some(Refusal::Formation)
    };
    if let Some(why) = refusal {
        field.tell(|| Event::Refused { unit: id, why });
        return;
    }
    if !field.announce_change(id, Trigger::FormsInZone) {
        return;
    }
    if !may_form(field, id, formation, enemy) {
        field.tell(|| Event::Refused { unit: id, why: Refusal::Formation });
        return;
    }
    if field.begins_slowly(id, formation) {
        return;
    }
    let before = *field.battle.unit(id);
    field.reshape(id, formation);
    let rules = field.rules;
    if (rules.formations[usize::from(before.formation)].all_round || rules.formations[usize::from(formation)].turns)
        && let Some(enemy) = enemy
    {
        field.turn_from_or_to(id, enemy, towards);
    }
    if rules.formations[usize::from(before.formation)].spacing.is_some()
        && rules.formations[usize::from(formation)].spacing.is_none()
    {
        // Skirmishers re-form on the middle of their forward row (9.35).
        field.battle.unit_mut(id).front = before.rect(rules).centre();
    }
    if field.overlaps_anybody(id) {
        *field.battle.unit_mut(id) = before;
        field.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
        return;
    }
    field.battle.flags_mut(id).set(Flags::CHANGED);
    field.tell(|| Event::Formed { unit: id, from: before.formation });
    if !field.setup.terrain.is_empty() {
        field.disorder_where_it_stands(id);
    }
    if rules.formations[usize::from(formation)].gathers
        && let Some(screen) = field.screen_out(id)
    {
        let figures = field.battle.unit(screen).figures;
        field.rejoin(screen, figures, Why::Gathered);
    }
    if rules.square.is_some() {
        field.leave_square(id);
    }
}

/// All figures of a mounted unit fight on foot from now on (8.35).
fn dismount<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId) {
    let rules = field.rules;
    let before = *field.battle.unit(id);
    let Some(on_foot) = rules.kinds[usize::from(before.kind)].on_foot else {
        field.tell(|| Event::Refused { unit: id, why: Refusal::CannotDismount });
        return;
    };
    if before.flags.has(Flags::CHANGED) || before.flags.has(Flags::SCREEN) || field.screen_out(id).is_some() {
        field.tell(|| Event::Refused { unit: id, why: Refusal::Spent });
        return;
    }
    if !field.announce_change(id, Trigger::FormsInZone) {
        return;
    }
    let before = *field.battle.unit(id);
    let rect = before.rect(rules);
    let kind = &rules.kinds[usize::from(on_foot)];
    // What is noted of its kin may depend on its type.
    field.battle.units[id.index()].kind = on_foot;
    let formation = if kind.speed[usize::from(before.formation)].is_some() {
        Some(before.formation)
    } else {
        // Its own first, then columns, then whatever is open to it (9.25, 9.38, 9.45).
        let deep = rules.formation_of_shape(on_foot, Shape::Deep);
        let others = 0..rules.formations.len() as u8;
        let mut wanted = std::iter::once(kind.formation).chain(deep).chain(others);
        wanted.find(|&one| may_form(field, id, one, None) && field.barred(id, one).is_none())
    };
    let Some(formation) = formation else {
        field.battle.units[id.index()] = before;
        field.tell(|| Event::Refused { unit: id, why: Refusal::CannotDismount });
        return;
    };
    let unit = field.battle.unit_mut(id);
    unit.formation = formation;
    unit.abreast = 0;
    unit.flags.set(Flags::CHANGED);
    let footprint = unit.footprint(rules);
    unit.front = rect.reshaped(footprint.width, footprint.depth).front;
    if field.overlaps_anybody(id) {
        field.battle.units[id.index()] = before;
        field.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
        return;
    }
    field.tell(|| Event::Dismounted { unit: id, from: before.kind });
}

/// Whether the rules let a unit adopt a formation by order.
pub(crate) fn may_form<D: Dice, W: Witness>(
    field: &Field<'_, D, W>,
    id: UnitId,
    formation: u8,
    enemy: Option<UnitId>,
) -> bool {
    let rules = field.rules;
    let kind = &rules.kinds[usize::from(field.battle.unit(id).kind)];
    let wanted = &rules.formations[usize::from(formation)];
    kind.speed[usize::from(formation)].is_some()
        && wanted.arms & (1 << kind.arm) != 0
        && wanted.voluntary
        && wanted.shape.is_none_or(|shape| {
            let unit = field.battle.unit(id);
            shape == Shape::of(unit.figures, rules.footprint(unit.kind, formation, unit.figures).front)
        })
        && field.holds(wanted.when.as_ref(), id, enemy)
}

fn face<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, towards: Heading) {
    let rules = field.rules;
    if rules.board == Board::None || rules.formations[usize::from(field.battle.unit(id).formation)].all_round {
        return;
    }
    let before = *field.battle.unit(id);
    let tenths = before.heading.turn_to(towards);
    if tenths == 0 && before.bend == 0 {
        return;
    }
    if before.forming > 0 {
        // It stands still until it has its new formation (8.43).
        let why = Refusal::Forming(before.forming - 1);
        field.tell(|| Event::Refused { unit: id, why });
        return;
    }
    if before.flags.has(Flags::TURNED) {
        field.tell(|| Event::Refused { unit: id, why: Refusal::Spent });
        return;
    }
    if !field.announce_change(id, field.kind_of_turn(id)) {
        return;
    }
    let before = *field.battle.unit(id);
    let rect = before.rect(rules);
    let turned = rect.turned_about_centre(towards);
    let unit = field.battle.unit_mut(id);
    (unit.front, unit.heading, unit.bend) = (turned.front, turned.heading(), 0);
    unit.flags.set(Flags::TURNED);
    if field.overlaps_anybody(id) {
        *field.battle.unit_mut(id) = before;
        field.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
    } else {
        field.tell(|| Event::Turned { unit: id, tenths });
    }
}

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Changes a unit's formation by order, if the rules allow it.
    pub(crate) fn form(&mut self, id: UnitId, formation: u8, towards: Towards) {
        let enemy = self.nearest_enemy(id);
        form(self, id, formation, enemy, towards);
    }

    /// Turns a unit about its centre, as part of a change of formation, the way its owner chooses (8.12, 8.44).
    pub(crate) fn turn_from_or_to(&mut self, id: UnitId, enemy: UnitId, towards: Towards) {
        if !matches!(self.rules.board, Board::Plane { .. }) {
            return;
        }
        let rect = self.rect(id);
        let to_enemy = Heading::between(rect.centre(), self.rect(enemy).centre());
        let turned = rect.turned_about_centre(match towards {
            Towards::Enemy => to_enemy,
            Towards::Away => to_enemy.reversed(),
            Towards::Ahead => rect.heading(),
        });
        let unit = self.battle.unit_mut(id);
        (unit.front, unit.heading) = (turned.front, turned.heading());
    }

    /// Puts a unit into a formation about its centre, whether or not it likes it.
    pub(crate) fn take_formation(&mut self, id: UnitId, formation: u8) {
        let from = self.battle.unit(id).formation;
        if from != formation {
            self.reshape(id, formation);
            self.tell(|| Event::Formed { unit: id, from });
            if self.rules.square.is_some() {
                self.leave_square(id);
            }
        }
    }

    /// Puts a unit into a formation about its centre, unless somebody stands there; whether it did.
    pub(crate) fn take_formation_with_room(&mut self, id: UnitId, formation: u8) -> bool {
        let before = *self.battle.unit(id);
        self.reshape(id, formation);
        let taken = self.overlaps_anybody(id);
        *self.battle.unit_mut(id) = before;
        if taken {
            self.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
        } else {
            self.take_formation(id, formation);
        }
        !taken
    }

    /// Sets a unit's figures out in another formation about its centre.
    fn reshape(&mut self, id: UnitId, formation: u8) {
        let unit = *self.battle.unit(id);
        let rect = unit.rect(self.rules);
        let footprint = self.rules.footprint(unit.kind, formation, unit.figures);
        let changed = self.battle.unit_mut(id);
        (changed.formation, changed.abreast, changed.bend, changed.spacing) = (formation, 0, 0, 0);
        changed.front = rect.reshaped(footprint.width, footprint.depth).front;
    }

    /// Puts a unit whose losses have left its ranks in another shape into the formation of that shape (8.31, 9.11, 9.12).
    pub(crate) fn keep_shape(&mut self, id: UnitId) {
        let rules = self.rules;
        let unit = *self.battle.unit(id);
        let Some(shape) = rules.formations[usize::from(unit.formation)].shape else { return };
        let now = Shape::of(unit.figures, unit.footprint(rules).front);
        if now == shape || unit.broken(rules) {
            return;
        }
        let Some(formation) = rules.formation_of_shape(unit.kind, now) else { return };
        self.battle.unit_mut(id).formation = formation;
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

    /// The bar that closes a formation to a unit, if one does.
    pub(crate) fn barred(&self, id: UnitId, formation: u8) -> Option<u8> {
        let bars = &self.rules.formations[usize::from(formation)].bars;
        bars.iter().position(|bar| self.holds(Some(&bar.when), id, None)).map(|bar| bar as u8)
    }

    /// Whether doctrine would have a unit change its formation or its facing.
    fn would_change(&self, id: UnitId, enemy: Option<UnitId>) -> bool {
        let Decisions { rows, first, .. } = self.decisions(id);
        let row = rows.get(first.get(&self.view(id, enemy)) as usize);
        row.is_some_and(|row| matches!(row.order, Order::Form(_) | Order::Face | Order::Turn(_)))
    }

    /// Whether a unit shares ground with another one.
    pub(crate) fn overlaps_anybody(&self, id: UnitId) -> bool {
        if !matches!(self.rules.board, Board::Plane { .. }) {
            return false;
        }
        let (rect, circle) = (self.rect(id), self.circle(id));
        self.others(id).any(|other| !circle.beyond(&self.circle(other), 0) && rect.overlaps(&self.rect(other)))
    }
}
