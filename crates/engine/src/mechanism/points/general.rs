//! Generals on the table: where they ride, whom they are with, and what becomes of them.
//!
//! At the beginning of an orders phase, after the points are shared out, each general rides, for no points. If doctrine
//! wants him with a unit of his command that nobody else is with, he goes to the one nearest to the enemy that he can reach,
//! and is part of it from then on; the unit that he is with comes first. Otherwise he goes to his post, behind the foremost
//! unit of his command. Those who stand over others keep within their reach of the general whose units are nearest to the
//! enemy. Nobody leaves a broken unit. When a unit flees, dice tell whether its general is lost.

use grognard_dice::Dice;
use grognard_rules::model::{Choice, Generals, Role};

use crate::geometry::plane::{Heading, Point};
use crate::mechanism::figures::movement::is_off_table;
use crate::situation::facts::FAR;
use crate::state::battle::{Flags, UnitId};
use crate::state::general::{Post, base};
use crate::state::side::Side;
use crate::step::context::Field;
use crate::telling::event::{Event, GeneralEvent, Witness};

/// Hundredths of an inch by which a general stops short at a time to find clear ground.
const STEP: i32 = 25;

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Lets the generals of a side ride.
    pub(crate) fn ride(&mut self, side: Side) {
        let Some(generals) = &self.rules.generals else { return };
        for index in 0..self.setup.generals.len() {
            if self.battle.serves(self.setup, side, index) {
                self.ride_one(generals, side, index);
            }
        }
    }

    fn ride_one(&mut self, generals: &Generals, side: Side, index: usize) {
        let with = self.battle.generals[index].with;
        let stays =
            with.is_some_and(|unit| !self.battle.unit(unit).gone() && self.battle.unit(unit).broken(self.rules));
        if stays {
            return;
        }
        let wanted = self.wanted(generals, side, index);
        if wanted.is_some() && wanted == with {
            return;
        }
        if let Some(unit) = with {
            self.leave_unit(index, unit);
        }
        match wanted {
            Some(unit) => self.join_unit(index, unit),
            None => self.take_general_post(generals, side, index),
        }
    }

    /// The unit that a general is to be with.
    fn wanted(&self, generals: &Generals, side: Side, index: usize) -> Option<UnitId> {
        let leads = |command: u8| self.battle.in_command(generals, self.setup, command) == Some(index);
        let post = &self.setup.generals[index];
        let staff = post.rank(generals).role == Role::Leads;
        let from = self.battle.ground_of(self.rules, index);
        let with = self.battle.generals[index].with;
        let fit = self.battle.side(side).filter(|&id| {
            let unit = self.battle.unit(id);
            let his = if staff { unit.command == post.command } else { leads(unit.command) };
            let free = self.battle.general_with(id).is_none_or(|other| other == index);
            let near = with == Some(id) || from.distance(&unit.rect(self.rules)) <= generals.reach;
            his && free && !unit.gone() && near && self.is_to_be_led(id)
        });
        fit.min_by_key(|&id| {
            (with != Some(id), self.opponent(id).map_or(FAR, |foe| self.view(id, Some(foe)).distance()))
        })
    }

    /// Whether doctrine wants a general with a unit.
    fn is_to_be_led(&self, id: UnitId) -> bool {
        self.opponent(id).is_some_and(|foe| self.decides(Choice::Lead, id, foe))
    }

    fn join_unit(&mut self, index: usize, unit: UnitId) {
        let distance = self.battle.ground_of(self.rules, index).distance(&self.rect(unit));
        let general = &mut self.battle.beside_units().generals[index];
        (general.with, general.at) = (Some(unit), Point { x: 0, y: 0 });
        self.tell(|| Event::General(GeneralEvent::Joined { general: index as u8, unit, distance }));
    }

    /// A general stands for himself again, where his unit's middle is.
    fn leave_unit(&mut self, index: usize, unit: UnitId) {
        let at = self.rect(unit).centre();
        let general = &mut self.battle.beside_units().generals[index];
        (general.with, general.at) = (None, at);
        self.tell(|| Event::General(GeneralEvent::Left { general: index as u8, unit }));
    }

    fn take_general_post(&mut self, generals: &Generals, side: Side, index: usize) {
        let Some(goal) = self.general_post(generals, side, index) else { return };
        let from = self.battle.generals[index].at;
        let far = from.square_distance(goal).isqrt() as i32;
        let heading = Heading::between(from, goal);
        if far <= STEP && !self.is_stood_on(from) {
            return;
        }
        let mut distance = far.min(generals.reach);
        // Nobody shares ground with a unit; one on whose ground a unit has come to stand makes way to wherever is clear.
        let clear = |at: Point| !is_off_table(self.rules, &base(self.rules, at)) && !self.is_stood_on(at);
        while distance > 0 && !clear(from.moved(heading, distance)) {
            distance = (distance - STEP).max(0);
        }
        if distance == 0 && !clear(from) {
            let back = self.home(side);
            let most = generals.reach / STEP;
            let found = (1..=most).map(|step| step * STEP).find(|&distance| clear(from.moved(back, distance)));
            let Some(found) = found else { return };
            self.set_general(index, from.moved(back, found), found);
        } else if distance > 0 {
            self.set_general(index, from.moved(heading, distance), distance);
        }
    }

    /// Whether a unit stands on the ground that a general takes up here.
    fn is_stood_on(&self, at: Point) -> bool {
        let place = base(self.rules, at);
        let stands = |id: &UnitId| !self.battle.unit(*id).gone();
        let mut units = Side::BOTH.into_iter().flat_map(|side| self.battle.side(side)).filter(stands);
        units.any(|id| place.overlaps(&self.rect(id)))
    }

    /// A unit has left the table, and its general with it.
    pub(crate) fn lose_general_of(&mut self, unit: UnitId) {
        let Some(index) = self.battle.general_with(unit) else { return };
        self.lose_general(index);
        self.tell(|| Event::General(GeneralEvent::Gone { general: index as u8, unit }));
    }

    fn lose_general(&mut self, index: usize) {
        let idle = self.rules.generals.as_ref().map_or(0, |generals| generals.succession.0);
        let general = &mut self.battle.beside_units().generals[index];
        (general.lost, general.idle, general.with, general.at) = (true, idle, None, Point { x: 0, y: 0 });
    }

    fn set_general(&mut self, index: usize, at: Point, distance: i32) {
        self.battle.beside_units().generals[index].at = at;
        self.tell(|| Event::General(GeneralEvent::Rode { general: index as u8, distance }));
    }

    /// Where a general stands who is with no unit; none: where he is.
    fn general_post(&self, generals: &Generals, side: Side, index: usize) -> Option<Point> {
        let post = &self.setup.generals[index];
        let rank = post.rank(generals);
        if rank.role != Role::Assists {
            let own = self.battle.side(side).filter(|&id| {
                let unit = self.battle.unit(id);
                unit.command == post.command && !unit.gone() && !unit.broken(self.rules)
            });
            let foremost =
                own.min_by_key(|&id| self.opponent(id).map_or(FAR, |foe| self.view(id, Some(foe)).distance()))?;
            let rect = self.rect(foremost);
            return Some(rect.at(0, -rect.depth - generals.post));
        }
        // Near enough to help whoever is nearest to the enemy, and no nearer.
        let heads = (0..self.setup.generals.len()).filter(|&other| {
            let commands = self.setup.generals[other].rank(generals).role == Role::Commands;
            commands && self.battle.serves(self.setup, side, other)
        });
        let head = heads.min_by_key(|&other| self.nearness(self.setup.generals[other].command))?;
        let (there, here) = (self.battle.ground_of(self.rules, head), self.battle.ground_of(self.rules, index));
        let short = here.distance(&there) - rank.within?;
        if short <= 0 {
            return None;
        }
        Some(here.centre().moved(Heading::between(here.centre(), there.centre()), short + STEP))
    }

    /// What becomes of the general of a unit that has fled.
    pub(crate) fn decide_fate(&mut self, unit: UnitId) {
        let Some(generals) = &self.rules.generals else { return };
        let (Some(index), Some((odds, site))) = (self.battle.general_with(unit), &generals.fate) else { return };
        let at = odds.at(&[]);
        let address = self.address_of(*site, self.battle.unit(unit).lane());
        let outcome = self.dice.decide(address, &at);
        let lost = at.class(outcome) <= generals.lost;
        if lost {
            self.lose_general(index);
        }
        if W::WATCHES {
            let faces = self.dice.shown(address, &at, outcome);
            self.tell(|| Event::General(GeneralEvent::Fate { general: index as u8, unit, faces, lost }));
        }
    }

    /// Units whose general has arrived come on the table, if there is room for them.
    pub(crate) fn bring_on(&mut self) {
        if self.setup.generals.is_empty() {
            return;
        }
        let Some(generals) = &self.rules.generals else { return };
        for id in self.battle.side(self.battle.active) {
            let unit = *self.battle.unit(id);
            let there = |post: &Post| {
                let commands = post.rank(generals).role == Role::Commands && post.command == unit.command;
                commands && post.arrives <= self.battle.turn
            };
            if !unit.flags.has(Flags::LATE) || !self.setup.generals.iter().any(there) {
                continue;
            }
            let placed = !self.stands_on_anybody(id, &unit.rect(self.rules));
            if placed {
                self.battle.flags_mut(id).clear(Flags::LATE);
            }
            self.tell(|| Event::General(GeneralEvent::Arrived { unit: id, placed }));
        }
    }
}
