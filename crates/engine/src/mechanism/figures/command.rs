//! Commands on the march: rates by mode, roads, and settling into battle order (clauses 8.61 to 8.65).
//!
//! A unit moves at the rate of its command's mode. A road rate holds only for a move that lies wholly on a road, made on a
//! front narrow enough for it; any other unit of the command, or one that leaves the road, moves at the rate of the mode
//! named for that. A command that has marched is unsettled until all its units have stood still for a whole move phase.
//!
//! Example: road 24", strategic 16". A column with 14" of road before it that goes on over the fields comes 16" in all.

use grognard_dice::Dice;

use crate::geometry::plane::{Heading, Point, Rect};
use crate::mechanism::common::ground::on_road;
use crate::mechanism::figures::movement;
use crate::state::battle::{Flags, Unit, UnitId};
use crate::state::side::Side;
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, Witness};

/// Hundredths of an inch that rounding may leave between pieces of road of which one begins where the other ends.
const JOINT: i64 = 5;
/// Hundredths of an inch between the places at which a march is looked at for the road under it.
const APART: usize = 25;

/// How far a unit may move, and if that is on a road only, how far elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Hundredths of an inch.
    pub(crate) most: i32,
    /// Hundredths of an inch for a move that does not lie on a road; none: the same.
    pub(crate) off_road: Option<i32>,
}

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// The rate of a unit whose type moves so far in its formation.
    pub(crate) fn rate(&mut self, id: UnitId, own: i32) -> Rate {
        let plain = Rate { most: own, off_road: None };
        let Some(rules) = &self.rules.command else { return plain };
        let Some(command) = self.battle.command_of(self.battle.unit(id)) else { return plain };
        let mode = &rules.modes[usize::from(command.mode)];
        let Some(most) = mode.rate.filter(|_| own > 0 && self.holds(mode.rate_when.as_ref(), id, None)) else {
            return plain;
        };
        let Some(off) = mode.off_road else { return Rate { most, off_road: None } };
        let off = rules.modes[usize::from(off)].rate.unwrap_or(own);
        if !self.holds(mode.narrow_when.as_ref(), id, None) {
            let on = on_road(self.rules, &self.setup.terrain, &self.rect(id));
            if on {
                let mode = command.mode;
                self.tell(|| Event::Refused { unit: id, why: Refusal::TooWide(mode) });
            }
            return Rate { most: off, off_road: None };
        }
        Rate { most, off_road: Some(off) }
    }

    /// Whether a march from one place to another, straight ahead, lies on a road.
    pub(crate) fn stays_on_road(&self, from: &Rect, distance: i32) -> bool {
        let on = |rect: &Rect| on_road(self.rules, &self.setup.terrain, rect);
        (0..=distance).step_by(APART).chain([distance]).all(|at| on(&from.marched(at)))
    }

    /// Hundredths of an inch of road that a unit takes up beyond its own length.
    pub(crate) fn trail(&self, unit: &Unit, id: UnitId) -> i32 {
        let Some(rules) = &self.rules.command else { return 0 };
        let Some(command) = self.battle.command_of(unit) else { return 0 };
        let Some(trails) = &rules.modes[usize::from(command.mode)].trails_when else { return 0 };
        let lengths = i32::from(rules.modes[usize::from(command.mode)].trail_lengths);
        if self.holds(Some(trails), id, None) { unit.footprint(self.rules).depth * (lengths - 1) } else { 0 }
    }

    /// The next leg of a road from a point, or from within so little of it: its heading, and how far it goes on. The longest
    /// way onward is taken.
    fn leg(&self, front: Point, heading: Heading, near: i64) -> Option<(Heading, i32)> {
        let mut best: Option<(Heading, i32)> = None;
        for piece in &self.setup.terrain {
            let ground = piece.ground(self.rules);
            let (aside, ahead) = piece.rect.local(front);
            let beside = 2 * (aside.abs() - near) > i64::from(piece.rect.width);
            if !ground.road || beside || ahead > near || ahead < -i64::from(piece.rect.depth) - near {
                continue;
            }
            let (rect, centre) = (&piece.rect, piece.rect.centre());
            let (along, half) = if rect.width >= rect.depth {
                (rect.heading().turned(900), rect.width / 2)
            } else {
                (rect.heading(), rect.depth / 2)
            };
            for way in [along, along.reversed()] {
                let end = centre.moved(way, half);
                let left = front.square_distance(end).isqrt() as i32;
                let turn = heading.turn_to(way).abs();
                if turn <= ground.bend && left > best.map_or(rect.width.min(rect.depth), |(_, most)| most) {
                    best = Some((Heading::between(front, end), left));
                }
            }
        }
        best
    }

    /// Marches along the road under a unit, or straight ahead where there is none.
    pub(crate) fn follow_road(&mut self, id: UnitId, own: i32) {
        let kept = self.scratch.kept;
        let left = self.march_along(id, own, kept);
        self.scratch.left = Some(left + kept);
    }

    /// Marches so, keeping back so much of the move; what is left of the rest of it.
    fn march_along(&mut self, id: UnitId, own: i32, kept: i32) -> i32 {
        let rate = self.rate(id, own);
        let mut left = rate.most - kept;
        // A march comes to the end of each piece of road once at most.
        for leg in 0..=self.setup.terrain.len() {
            let unit = *self.battle.unit(id);
            let rect = unit.rect(self.rules);
            let free = movement::turns_freely(self, id);
            let (from, wanted) = match self.leg(unit.front, unit.heading, if leg == 0 { 0 } else { JOINT }) {
                Some((heading, far)) => {
                    // A team that may not turn freely pays for the bend as for a wheel (7.33).
                    left -= if free { 0 } else { rect.wheel_cost(unit.heading.turn_to(heading)) };
                    (Rect::new(unit.front, heading, rect.width, rect.depth), far.min(left.max(0)))
                }
                None if leg == 0 => {
                    // Off the road the other rate holds for the whole move.
                    left = rate.off_road.map_or(left, |off_road| off_road - kept);
                    (rect, left)
                }
                None => break,
            };
            let turned = unit.heading.turn_to(from.heading());
            let Some(clear) = movement::clear_march(self, id, &from, wanted, self.rules.movement.gap) else {
                break;
            };
            let clear = self.march_outside_zones(id, &from, movement::within_table(self.rules, &from, clear));
            let passage = self.pass(id, &from, clear, left);
            if turned == 0 && passage.distance == 0 {
                break;
            }
            left -= passage.spent;
            movement::settle_on(self, id, &from.marched(passage.distance));
            self.battle.flags_mut(id).set(Flags::MOVED);
            self.tell(|| Event::Marched { unit: id, wheel: turned, distance: passage.distance });
            self.suffer_ground(id, &passage);
            if passage.distance < wanted || left <= 0 || self.battle.unit(id).gone() {
                break;
            }
        }
        left
    }

    /// At the end of a side's move phase: commands none of whose units has moved settle (8.62).
    pub(crate) fn settle_commands(&mut self, side: Side) {
        let Some(rules) = &self.rules.command else { return };
        for index in 0..self.battle.commands.len() as u8 {
            let command = self.battle.commands[usize::from(index)];
            let mode = &rules.modes[usize::from(command.mode)];
            if command.side != side || !(command.unsettled || mode.settles_into.is_some()) {
                continue;
            }
            let moved = self.battle.units.iter().any(|unit| unit.command == index && unit.flags.has(Flags::MOVED));
            if moved {
                continue;
            }
            let now = &mut self.battle.commands[usize::from(index)];
            now.unsettled = false;
            now.mode = mode.settles_into.unwrap_or(now.mode);
            let from = command.mode;
            self.tell(|| Event::Settled { command: index, from });
        }
    }

    /// Whether a unit's command counts as shaken in tests (8.62).
    pub(crate) fn unsettled(&self, id: UnitId) -> bool {
        self.rules.command.is_some() && self.battle.command_of(self.battle.unit(id)).is_some_and(|own| own.unsettled)
    }
}
