//! Squares of several units (clauses 8.54, 9.52 to 9.56): units that touch stand as one.
//!
//! Squares merge as a move phase begins, before anybody moves; guns are taken in as it ends. A unit that joins stands inside the square of another, the host: it is off the table, its figures are part of the square,
//! and what the square suffers it shares. Hits fall on the members by their strength in turn; the morale of all falls with
//! that of the host; the square moves as far as its slowest member. When the host is no longer all round, whoever is inside
//! stands behind it again.
//!
//! Example: battalions of 8 and 6 make one square of 14 figures, with room for 7 cannon.

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::Order;

use crate::geometry::plane::{Heading, Point};
use crate::mechanism::figures::movement;
use crate::state::battle::{Flags, UNITS_MAX, UNITS_PER_SIDE_MAX, UnitId};
use crate::state::side::Side;
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, Witness};

/// How far apart units may be that touch, in hundredths of an inch: rounding leaves that much between them.
const TOUCH: i32 = 2;

/// The most pairs of units that touch: each unit has room for a few others about it.
const TOUCHING_MAX: usize = 4 * UNITS_PER_SIDE_MAX;

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Whether any unit's doctrine lets it join or leave squares.
    pub(crate) fn anybody_joins(&self) -> bool {
        self.battle.units.iter().any(|unit| self.rules.doctrines[usize::from(unit.doctrine)].joins)
    }

    /// Lets units of a side join and leave squares as their doctrine orders: others than guns join as a move phase begins
    /// (9.52), guns as it ends; guns leave as it begins (9.53).
    pub(crate) fn join_squares(&mut self, side: Side, begins: bool) {
        let touching = self.touching_squares(side);
        for id in self.battle.side(side) {
            let unit = self.battle.unit(id);
            if begins && unit.flags.has(Flags::INSIDE) && self.has_cannon(id) && !unit.broken(self.rules) {
                if self.foresee(id) == Some(Order::Leave) {
                    self.guns_leave(id);
                }
                continue;
            }
            let asks = self.rules.doctrines[usize::from(unit.doctrine)].joins
                && !unit.gone()
                && !unit.broken(self.rules)
                && !unit.flags.has(Flags::CHARGING)
                && self.has_cannon(id) != begins;
            if asks && self.foresee(id) == Some(Order::Join) {
                self.join_square(id, &touching);
            }
        }
    }

    /// Who touches which square that it may join, before anybody joins: (the unit, the square) by their numbers.
    fn touching_squares(&self, side: Side) -> ArrayVec<(UnitId, UnitId), TOUCHING_MAX> {
        let mut touching = ArrayVec::new();
        let Some(square) = &self.rules.square else { return touching };
        let here = |id: &UnitId| !self.battle.unit(*id).gone();
        for id in self.battle.side(side).filter(here) {
            if !self.rules.doctrines[usize::from(self.battle.unit(id).doctrine)].joins {
                continue;
            }
            for host in self.battle.side(side).filter(here) {
                let close = host != id
                    && self.view(id, Some(host)).distance() <= TOUCH
                    && self.holds(square.when.as_ref(), id, Some(host));
                if close {
                    let _ = touching.try_push((id, host));
                }
            }
        }
        touching
    }

    /// Lets a unit join the first friendly square that it touches and may join, or the one that has joined already.
    fn join_square(&mut self, id: UnitId, touching: &[(UnitId, UnitId)]) {
        let unit = *self.battle.unit(id);
        let now_in = |host: UnitId| {
            let host_unit = self.battle.unit(host);
            if host_unit.flags.has(Flags::INSIDE) { host_unit.foe } else { host }
        };
        let hosts = touching.iter().filter(|&&(own, _)| own == id).map(|&(_, host)| now_in(host));
        let free = |&host: &UnitId| host != id && unit.guests == 0 && self.room_for(host, unit.cannon);
        let Some(host) = hosts.into_iter().find(free) else {
            self.tell(|| Event::Refused { unit: id, why: Refusal::NoSquare });
            return;
        };
        let centre = self.rect(host).centre();
        let inside = self.battle.unit_mut(id);
        inside.flags.set(Flags::INSIDE);
        inside.flags.set(Flags::MOVED);
        inside.foe = host;
        self.count_guests(host);
        self.centre_on(host, centre);
        self.tell(|| Event::Joined { unit: id, host });
    }

    /// Limbers guns and takes them out of their square, away from the enemy: their move is measured from its centre (9.53).
    fn guns_leave(&mut self, id: UnitId) {
        let rules = self.rules;
        let before = *self.battle.unit(id);
        let kind = &rules.kinds[usize::from(before.kind)];
        let rate = |formation: usize| kind.speed[formation].filter(|_| rules.formations[formation].moves).unwrap_or(0);
        let Some(limbered) = (0..rules.formations.len()).find(|&formation| rate(formation) > 0) else { return };
        let slow = rules.formations[limbered].slow.as_ref();
        if slow.is_some_and(|slow| self.holds(slow.when.as_ref(), id, None)) {
            let why = Refusal::Forming(limbered as u8);
            self.tell(|| Event::Refused { unit: id, why });
            return;
        }
        let host = before.foe;
        let centre = self.rect(host).centre();
        let enemy = self.nearest_enemy(host).map(|enemy| self.rect(enemy).centre());
        let away = enemy.map_or(self.battle.unit(host).heading.reversed(), |enemy| Heading::between(enemy, centre));
        let guns = self.battle.unit_mut(id);
        guns.flags.clear(Flags::INSIDE);
        (guns.foe, guns.formation, guns.heading) = (id, limbered as u8, away);
        let half = guns.footprint(rules).depth / 2;
        // A quarter of an inch at a time, until the base stands clear of the square and of everybody else.
        for way in (0..=rate(limbered)).step_by(25) {
            self.battle.unit_mut(id).front = centre.moved(away, way + half);
            if !self.overlaps_anybody(id) {
                let guns = self.battle.unit_mut(id);
                guns.flags.set(Flags::MOVED);
                guns.flags.set(Flags::CHANGED);
                self.tell(|| Event::LeftSquare { unit: id, host });
                self.tell(|| Event::Formed { unit: id, from: before.formation });
                movement::leave_if_off_table(self, id);
                return;
            }
        }
        *self.battle.unit_mut(id) = before;
        self.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
    }

    /// Whether a square has room for so many cannon more: one for each of the pack's figures, or part of them.
    fn room_for(&self, host: UnitId, cannon: u16) -> bool {
        let Some(square) = &self.rules.square else { return false };
        let unit = self.battle.unit(host);
        let held: u16 = self.members(host).map(|id| self.battle.unit(id).cannon).sum();
        held + cannon <= (unit.figures + unit.guests).div_ceil(square.figures_per_cannon) || cannon == 0
    }

    /// Who stands inside a unit's square.
    pub(crate) fn members(&self, host: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        let inside =
            move |&id: &UnitId| self.battle.unit(id).flags.has(Flags::INSIDE) && self.battle.unit(id).foe == host;
        self.battle.side(self.battle.unit(host).side).filter(inside)
    }

    /// The same as a list, for whoever changes them.
    pub(crate) fn square_of(&self, host: UnitId) -> ArrayVec<UnitId, { UNITS_PER_SIDE_MAX }> {
        if self.rules.square.is_none() { ArrayVec::new() } else { self.members(host).collect() }
    }

    /// Counts the figures inside a square anew; cannon crews do not widen it.
    fn count_guests(&mut self, host: UnitId) {
        let figures = |id: UnitId| if self.has_cannon(id) { 0 } else { self.battle.unit(id).figures };
        let guests = self.members(host).map(figures).sum();
        self.battle.unit_mut(host).guests = guests;
    }

    /// Puts a square back about the centre it had.
    fn centre_on(&mut self, host: UnitId, centre: Point) {
        let unit = *self.battle.unit(host);
        let depth = unit.footprint(self.rules).depth;
        self.battle.unit_mut(host).front = centre.moved(unit.heading, depth / 2);
    }

    /// Who of a square takes the next hit: the member with most figures, or cannon, for those it has lost already.
    pub(crate) fn next_to_lose(&self, host: UnitId) -> UnitId {
        let weight = |id: UnitId| {
            let unit = self.battle.unit(id);
            let left = if self.has_cannon(id) { unit.cannon } else { unit.figures };
            (u32::from(left) * 64 / (u32::from(unit.hits) + 1), std::cmp::Reverse(id))
        };
        std::iter::once(host).chain(self.members(host)).max_by_key(|&id| weight(id)).unwrap_or(host)
    }

    /// Hits on a square with several units in it, one by one.
    pub(crate) fn lose_of_square(&mut self, host: UnitId, figures: u16) {
        let centre = self.rect(host).centre();
        let mut each = [0_u16; UNITS_MAX];
        for _ in 0..figures {
            let next = self.next_to_lose(host);
            each[next.index()] += 1;
            // Counted ahead, so that the next hit falls on somebody else in turn.
            self.battle.unit_mut(next).hits += 1;
        }
        for (index, hits) in each.into_iter().enumerate().filter(|&(_, hits)| hits > 0) {
            let id = UnitId(index as u8);
            self.battle.unit_mut(id).hits -= hits;
            if id == host {
                continue;
            }
            if self.has_cannon(id) {
                self.lose_of_battery(id, hits, self.scratch.hit_by[host.index()]);
            } else {
                self.take_figures(id, hits);
                if self.battle.unit(id).figures == 0 {
                    self.remove(id, Event::Destroyed);
                }
            }
        }
        let own = each[host.index()].min(self.battle.unit(host).figures.saturating_sub(1));
        if own > 0 {
            self.take_figures(host, own);
        }
        self.count_guests(host);
        self.centre_on(host, centre);
    }

    /// What a square's host suffers in morale its members share (8.54).
    pub(crate) fn share_morale(&mut self, host: UnitId) {
        let morale = self.battle.unit(host).morale;
        for id in self.square_of(host) {
            if self.battle.unit(id).morale < morale {
                self.tell(|| Event::Shared { unit: id, host });
                self.enter(id, morale);
            }
        }
    }

    /// Lets everybody out of a square that is one no longer: each stands beyond the host from the nearest enemy, as near as there
    /// is room.
    /// While the host still faces everywhere, guns stay with it (8.47c); battalions have to merge anew (9.52).
    pub(crate) fn leave_square(&mut self, host: UnitId) {
        let formation = &self.rules.formations[usize::from(self.battle.unit(host).formation)];
        if formation.gathers {
            return;
        }
        let leaves = |&id: &UnitId| !(formation.all_round && self.has_cannon(id));
        let members: ArrayVec<UnitId, { UNITS_PER_SIDE_MAX }> = self.members(host).filter(leaves).collect();
        if members.is_empty() {
            return;
        }
        let centre = self.rect(host).centre();
        let heading: Heading = self.battle.unit(host).heading;
        let enemy = self.nearest_enemy(host).map(|enemy| self.rect(enemy).centre());
        let away = enemy.map_or(heading.reversed(), |enemy| Heading::between(enemy, centre));
        self.battle.unit_mut(host).guests = 0;
        self.centre_on(host, centre);
        for id in members {
            let unit = self.battle.unit_mut(id);
            unit.flags.clear(Flags::INSIDE);
            // What it has lost in the square the host has answered for (8.54).
            (unit.foe, unit.hits) = (id, 0);
            (unit.front, unit.heading) = (centre, heading);
            for _ in 0..100 {
                if !self.overlaps_anybody(id) {
                    break;
                }
                let unit = self.battle.unit_mut(id);
                unit.front = unit.front.moved(away, 50);
            }
            self.tell(|| Event::LeftSquare { unit: id, host });
        }
    }
}
