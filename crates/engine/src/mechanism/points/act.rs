//! Acts: what a unit does with an order that costs points - a move, a contact, a marker, a pivot, a change of formation.
//!
//! Each looks first whether it can be done, then pays, then does it, so that a refused order costs nothing.

use grognard_dice::Dice;
use grognard_rules::model::{Deed, Order};
use grognard_rules::situation::WayFact;

use crate::geometry::plane::{Heading, Point, Rect, Way};
use crate::mechanism::figures::formation::may_form;
use crate::mechanism::figures::movement::{leave_if_off_table, settle_on};
use crate::mechanism::points::contact::unit_length;
use crate::state::battle::{Flags, UnitId};
use crate::state::marks::Marks;
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, Witness};

/// Why an order is not carried out; none: there is nothing to do.
pub(crate) type Unable = Option<Refusal>;

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Carries an order out and pays for it, or says why not.
    pub(crate) fn carry_out(&mut self, id: UnitId, foe: UnitId, act: u8, order: Order) -> Result<(), Unable> {
        self.permit(act, id, foe)?;
        match self.rules.acts[usize::from(act)].deed {
            Deed::Move => {
                let way = match order {
                    Order::Advance(stop) => self.advance_way(id, foe, stop).ok_or(None)?,
                    Order::Withdraw => self.way_back(id, foe).ok_or(None)?,
                    Order::Shift { bearing, by } => self.way_aside(id, bearing, by),
                    _ => return Err(None),
                };
                self.walk(act, id, foe, &way)
            }
            Deed::Contact => self.meet(act, id, foe),
            Deed::Charge => self.mark_charge(act, id, foe),
            Deed::Fire => {
                self.mark_firing(act, id)?;
                Ok(())
            }
            Deed::Cease => {
                if !self.battle.unit(id).marks.has(Marks::FIRING) {
                    return Err(None);
                }
                self.pay(act, id);
                self.cease(id);
                Ok(())
            }
            Deed::Face => self.pivot(act, id, foe),
            Deed::Form(formation) => self.reform(act, id, foe, formation),
            Deed::Rally(morale) => self.steady(act, id, foe, morale),
            Deed::Spike => {
                if !self.touching(id, foe) {
                    return Err(Some(Refusal::OutOfReach));
                }
                self.pay(act, id);
                self.destroy(foe);
                Ok(())
            }
        }
    }

    /// The way towards an enemy; where the ground halves the move or a road adds to it, as far as that allows.
    fn advance_way(&self, id: UnitId, foe: UnitId, stop: i32) -> Option<Way> {
        if self.setup.terrain.is_empty() {
            return self.way_towards(id, foe, stop, None);
        }
        self.longest(id, |most| self.way_towards(id, foe, stop, Some(most)))
    }

    /// Goes a way, if it is short enough and nothing on it forbids it.
    pub(crate) fn walk(&mut self, act: u8, id: UnitId, foe: UnitId, way: &Way) -> Result<(), Unable> {
        let target = (self.rules.acts[usize::from(act)].deed == Deed::Contact).then_some(foe);
        let facts = self.facts_of(id, way, target);
        let (allowance, halved) = self.allowance_for(id, facts);
        if let Some(rate) = halved {
            self.tell(|| Event::Halved { unit: id, rate });
        }
        if way.length > allowance {
            return Err(Some(Refusal::OutOfReach));
        }
        self.permit_way(act, id, foe, facts)?;
        self.pay(act, id);
        if facts.has(WayFact::Bonus) {
            self.tell(|| Event::OnRoad { unit: id });
        }
        let end = way.end();
        settle_on(self, id, &end);
        self.battle.flags_mut(id).set(Flags::MOVED);
        let (wheel, distance, bearing) = (way.wheel, way.distance, way.bearing.rem_euclid(3600));
        if bearing == 0 {
            self.tell(|| Event::Marched { unit: id, wheel, distance });
        } else {
            self.tell(|| Event::Shifted { unit: id, bearing, distance });
        }
        self.tell_passing(id, way);
        if facts.has(WayFact::Parts) {
            self.tell_leaving(id, facts);
        }
        leave_if_off_table(self, id);
        self.fill_ground(id, &way.start);
        self.part();
        Ok(())
    }

    fn mark_firing(&mut self, act: u8, id: UnitId) -> Result<(), Unable> {
        let rules = self.rules;
        let unit = self.battle.unit(id);
        if unit.marks.has(Marks::FIRING) {
            return Err(None);
        }
        let armed = rules.kinds[usize::from(unit.kind)].range > 0;
        if !armed || !rules.formations[usize::from(unit.formation)].fires {
            return Err(Some(Refusal::NoTarget));
        }
        self.pay(act, id);
        self.open_fire(id);
        Ok(())
    }

    /// Lays a firing marker beside a unit.
    pub(crate) fn open_fire(&mut self, id: UnitId) {
        self.battle.unit_mut(id).marks.set(Marks::FIRING);
        self.tell(|| Event::Firing { unit: id, on: true });
    }

    /// Takes a unit's firing marker away.
    pub(crate) fn cease(&mut self, id: UnitId) {
        self.battle.unit_mut(id).marks.clear(Marks::FIRING);
        self.tell(|| Event::Firing { unit: id, on: false });
    }

    /// Turns to face an enemy: one that it touches edge to edge, any other where it stands.
    fn pivot(&mut self, act: u8, id: UnitId, foe: UnitId) -> Result<(), Unable> {
        let rules = self.rules;
        let before = *self.battle.unit(id);
        let (rect, there) = (before.rect(rules), self.place(foe));
        let towards = Heading::between(rect.centre(), there.centre());
        // Who fills a piece of ground turns in the middle of it.
        let touching = !self.fills(id) && self.touching(id, foe);
        let place = if touching { facing_edge(&rect, &there, towards) } else { rect.turned_about_centre(towards) };
        let tenths = rect.heading().turn_to(place.heading());
        if tenths == 0 {
            return Err(None);
        }
        let facts = self.facts_of_turn(id, &place);
        self.permit_way(act, id, foe, facts)?;
        if self.stands_on_anybody(id, &place) {
            return Err(Some(Refusal::NoRoom));
        }
        self.pay(act, id);
        settle_on(self, id, &place);
        self.battle.unit_mut(id).marks.set(Marks::PIVOTED);
        self.tell(|| Event::Turned { unit: id, tenths });
        self.face_strikers(id);
        Ok(())
    }

    /// Changes formation, and lets the enemies that touched the unit touch it again.
    fn reform(&mut self, act: u8, id: UnitId, foe: UnitId, formation: u8) -> Result<(), Unable> {
        let rules = self.rules;
        let unit = *self.battle.unit(id);
        if unit.formation == formation {
            return Err(None);
        }
        if !may_form(self, id, formation, Some(foe)) {
            return Err(Some(Refusal::Formation));
        }
        let footprint = rules.footprint(unit.kind, formation, unit.figures);
        let mut place = unit.rect(rules).reshaped(footprint.width, footprint.depth);
        if rules.acts[usize::from(act)].turns {
            let there = self.rect(foe);
            place = place.turned_about_centre(Heading::between(place.centre(), there.centre()));
            let facts = self.facts_of_turn(id, &place);
            self.permit_way(act, id, foe, facts)?;
        }
        if let Some(bar) = self.barred_there(id, formation, &place) {
            return Err(Some(Refusal::Barred(formation, bar)));
        }
        let nudges = self.nudges(id, &place).ok_or(Some(Refusal::NoRoom))?;
        self.pay(act, id);
        self.take_formation(id, formation);
        settle_on(self, id, &place);
        for (enemy, (x, y)) in nudges {
            let unit = self.battle.unit_mut(enemy);
            unit.front = Point { x: unit.front.x + x, y: unit.front.y + y };
            self.tell(|| Event::Nudged { unit: enemy, by: unit_length(x, y) });
        }
        self.battle.flags_mut(id).set(Flags::CHANGED);
        self.face_strikers(id);
        self.part();
        Ok(())
    }

    /// The bar that closes a formation to a unit as it would stand in it, if one does.
    fn barred_there(&mut self, id: UnitId, formation: u8, place: &Rect) -> Option<u8> {
        let before = *self.battle.unit(id);
        self.battle.unit_mut(id).formation = formation;
        settle_on(self, id, place);
        let bar = self.barred(id, formation);
        *self.battle.unit_mut(id) = before;
        bar
    }

    /// A broken unit recovers and faces the enemy.
    fn steady(&mut self, act: u8, id: UnitId, foe: UnitId, morale: u8) -> Result<(), Unable> {
        let rules = self.rules;
        if !self.battle.unit(id).broken(rules) {
            return Err(None);
        }
        self.pay(act, id);
        self.fall_into(id, morale);
        let rect = self.rect(id);
        let towards = Heading::between(rect.centre(), self.rect(foe).centre());
        let place = rect.turned_about_centre(towards);
        if !self.stands_on_anybody(id, &place) {
            settle_on(self, id, &place);
        }
        self.part();
        Ok(())
    }
}

/// A rectangle turned about its centre so that its front looks at one of another's sides, and moved until it touches it.
fn facing_edge(rect: &Rect, there: &Rect, towards: Heading) -> Rect {
    let square_to = |quarter: i32| there.heading().turned(quarter * 900);
    let off = |heading: &Heading| heading.turn_to(towards).abs();
    let heading = (0..4).map(square_to).min_by_key(off).unwrap_or(towards);
    let turned = rect.turned_about_centre(heading);
    // From far enough back it comes to touch the side it faces.
    let back = rect.width + rect.depth;
    let run = turned.marched(-back);
    run.march_to_contact(there).map_or(turned, |distance| run.marched(distance))
}
