//! The neighbours of a unit: friends close behind it, and enemies whose fire zones it is in (`figures.md` 4.3, 4.6 and
//! 4.7).
//!
//! The conditions of fire zones and stacks are read with a plain view, without neighbours, because they must not depend
//! on their own result.

use arrayvec::ArrayVec;
use grognard_rules::model::{Board, Rules, Shape};

use crate::geometry::plane::{Arc, Heading, Point, Rect};
use crate::situation::view::View;
use crate::state::terrain::hides;
use crate::state::{Battle, Flags, Roster, Setup, UNITS_PER_SIDE_MAX, Unit, UnitId, Units};
use crate::step::scratch::Scratch;

/// Units directly behind one another, the foremost first.
pub(crate) type Stack = ArrayVec<UnitId, UNITS_PER_SIDE_MAX>;

/// Finds the units near a unit.
#[derive(Clone, Copy)]
pub(crate) struct Neighbours<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) setup: &'a Setup,
    pub(crate) battle: &'a Battle,
    pub(crate) scratch: &'a Scratch,
}

impl<'a> Neighbours<'a> {
    /// The roster of the units on the table, limited to these units.
    #[inline]
    pub(crate) fn roster(self, of: Units) -> Roster {
        self.scratch.positions.roster(self.rules, self.battle, of)
    }

    /// The enemies of a unit that are on the table.
    #[inline]
    pub(crate) fn enemies(self, of: UnitId) -> Roster {
        self.roster(self.battle.enemy_units(self.battle.unit(of).side))
    }

    /// All other units on the table.
    #[inline]
    pub(crate) fn others(self, of: UnitId) -> Units {
        self.roster(Units::ALL.but(Units::one(of))).here
    }

    /// The friends of a unit that are on the table.
    fn friends(self, of: UnitId) -> impl Iterator<Item = (UnitId, &'a Unit)> {
        let others = self.battle.units_of(self.battle.unit(of).side).but(Units::one(of));
        self.roster(others).here.map(move |id| (id, self.battle.unit(id)))
    }

    /// The rectangle that a unit occupies.
    pub(crate) fn rect(self, id: UnitId) -> Rect {
        self.scratch.positions.rect(self.rules, id, self.battle.unit(id))
    }

    /// The rectangle that a unit occupies, or the piece of terrain that it fills.
    pub(crate) fn place(self, id: UnitId) -> Rect {
        self.scratch.positions.place(self.rules, &self.setup.terrain, id, self.battle.unit(id))
    }

    /// Whether two units are within a distance of each other, in hundredths of an inch.
    #[inline]
    pub(crate) fn near(self, a: UnitId, b: UnitId, reach: i32) -> bool {
        if let Board::Plane { .. } = self.rules.board {
            let [here, there] = [a, b].map(|id| self.scratch.positions.circle(self.rules, self.battle, id));
            if here.beyond(&there, reach) {
                return false;
            }
            if here.near(&there, reach) {
                return true;
            }
        }
        self.measured_near(a, b, reach)
    }

    #[inline(never)]
    fn measured_near(self, a: UnitId, b: UnitId, reach: i32) -> bool {
        let [own, other] = [a, b].map(|id| (id, self.battle.unit(id)));
        self.scratch.distance(self.rules, &self.setup.terrain, own, other) <= reach
    }

    /// The point from which a unit sees and shoots at another one: the middle of its front, or of the face that has the
    /// other unit in front.
    pub(crate) fn eye(self, id: UnitId, target: UnitId) -> Point {
        let unit = self.battle.unit(id);
        if !self.rules.formations[unit.formation].faces {
            return unit.front;
        }
        let rect = self.rect(id);
        rect.middle_of_side(rect.side_towards(self.rect(target).centre()))
    }

    /// Whether nothing hides a target from a unit.
    pub(crate) fn sees_past_others(self, id: UnitId, target: UnitId) -> bool {
        self.in_sight(self.eye(id, target), &[id], target)
    }

    /// Whether nothing hides a target from a point, neither terrain nor a unit other than `own`. The target's screen
    /// hides it only if the two are apart.
    pub(crate) fn in_sight(self, eye: Point, own: &[UnitId], target: UnitId) -> bool {
        let (rules, terrain) = (self.rules, &self.setup.terrain);
        let plane = matches!(rules.board, Board::Plane { .. });
        if !plane || (self.battle.units.len() == 2 && terrain.is_empty()) {
            return true;
        }
        let circle = |id: UnitId| self.scratch.positions.circle(rules, self.battle, id);
        let goal = circle(target).centre;
        let kin = self.battle.unit(target).kin;
        let on_it = |other: UnitId| other == kin && self.rect(other).overlaps(&self.rect(target));
        !hides(rules, terrain, eye, goal)
            && !self.others(target).any(|other| {
                !own.contains(&other)
                    && !circle(other).missed_by(eye, goal)
                    && self.rect(other).crossed_by(eye, goal)
                    && !on_it(other)
            })
    }

    /// Whether a friend is so close behind a unit's rear edge that the two make one deep target. Its own screen, or a
    /// crew apart from it, does not count.
    pub(crate) fn backed(self, id: UnitId) -> bool {
        let Some(support) = &self.rules.support else { return false };
        if self.rules.board == Board::None {
            return false;
        }
        let unit = self.battle.unit(id);
        // The rear of a bent unit is the rear of either part (7.23).
        let behind = |other: UnitId| {
            if unit.bend.is_none() {
                return self.near(id, other, support.gap) && self.rect(id).has_behind(&self.rect(other), support.gap);
            }
            unit.stretches(self.rules).iter().any(|stretch| stretch.has_behind(&self.rect(other), support.gap))
        };
        self.friends(id).any(|(other, _)| other != unit.kin && behind(other))
    }

    /// The nearest friend directly behind a unit that satisfies `fits`.
    fn straight_behind(self, id: UnitId, fits: impl Fn(UnitId) -> bool) -> Option<UnitId> {
        let support = self.rules.support.as_ref()?;
        let Board::Plane { arc, .. } = self.rules.board else { return None };
        let gaps = self.friends(id).filter_map(|(other, friend)| {
            if !self.near(id, other, support.gap) || friend.broken(self.rules) {
                return None;
            }
            let gap = self.rect(id).gap_straight_behind(&self.rect(other), arc)?;
            (gap <= support.gap && fits(other)).then_some((gap, other))
        });
        gaps.min().map(|(_, other)| other)
    }

    /// Whether a friend directly behind a unit supports it.
    pub(crate) fn supported(self, id: UnitId) -> bool {
        let supports = self.rules.support.as_ref().and_then(|support| support.supports.as_ref());
        let plain = |behind: UnitId| View::plain(self, id, Some(behind));
        self.straight_behind(id, |behind| supports.is_none_or(|when| when.get(&plain(behind)) != 0)).is_some()
    }

    /// The friend that a unit follows: the nearest one ahead of it that may lead it by the pack's rules and has it
    /// behind. A screen does not lead units.
    pub(crate) fn leader(self, id: UnitId) -> Option<UnitId> {
        let leads = self.rules.support.as_ref()?.leads.as_ref()?;
        let Board::Plane { arc, .. } = self.rules.board else { return None };
        let unit = self.battle.unit(id);
        let rect = self.rect(id);
        let ahead = self.friends(id).filter(|&(other, friend)| {
            let there = self.rect(other);
            !friend.flags.has(Flags::SCREEN)
                && rect.arc_of(there.centre(), arc) == Arc::Front
                && there.arc_of(rect.centre(), arc) != Arc::Front
                && leads.get(&View::plain(self, id, Some(other))) != 0
        });
        let distance = |other: UnitId| {
            let friend = (other, self.battle.unit(other));
            self.scratch.distance(self.rules, &self.setup.terrain, (id, unit), friend)
        };
        self.first_by(ahead.map(|(other, _)| other), distance)
    }

    /// The units stacked directly behind one another, from this one to the rear. They are deep formations, and lines
    /// with a line directly in front of or behind them (a column of lines, 9.13), which together make a pre-formed
    /// column (9.15).
    pub(crate) fn stack(self, id: UnitId) -> Stack {
        let mut stack = Stack::new();
        stack.push(id);
        let shape_of = |id: UnitId| self.rules.formations[self.battle.unit(id).formation].shape;
        let Some(support) = self.rules.support.as_ref().filter(|_| shape_of(id).is_some()) else { return stack };
        let is_line = |id: UnitId| shape_of(id) == Some(Shape::Line);
        let stacks = |ahead: UnitId, behind: UnitId| {
            let view = View::plain(self, ahead, Some(behind));
            shape_of(behind).is_some() && support.stacks.as_ref().is_none_or(|when| when.get(&view) != 0)
        };
        let line_behind =
            |ahead: UnitId| self.straight_behind(ahead, |behind| is_line(behind) && stacks(ahead, behind));
        let steady = |unit: &Unit| unit.morale < self.rules.first_shaken();
        let follows_a_line = || {
            let mut friends = self.friends(id);
            friends.any(|(ahead, friend)| is_line(ahead) && steady(friend) && line_behind(ahead) == Some(id))
        };
        let mut at = id;
        // Whether the last unit is a line directly behind another line.
        let mut of_lines = false;
        while !stack.is_full() {
            let fits = |behind: UnitId| {
                stacks(at, behind)
                    && match (is_line(at), is_line(behind)) {
                        (true, false) => of_lines || (at == id && follows_a_line()),
                        (false, true) => line_behind(behind).is_some(),
                        _ => true,
                    }
            };
            let Some(next) = self.straight_behind(at, fits) else { break };
            of_lines = is_line(at) && is_line(next);
            stack.push(next);
            at = next;
        }
        stack
    }

    /// Whether a unit has a fire zone that may contain this enemy.
    pub(crate) fn owns_zone(self, owner: UnitId, enemy: UnitId) -> bool {
        let Some(zone) = &self.rules.fire_zone else { return false };
        let unit = self.battle.unit(owner);
        self.rules.kinds[unit.kind].zone > 0
            && !unit.broken(self.rules)
            && zone.when.as_ref().is_none_or(|when| when.get(&View::plain(self, owner, Some(enemy))) != 0)
    }

    /// Whether any part of an enemy is in a unit's fire zone: in front, or all around a unit with all-around facing.
    pub(crate) fn in_zone(self, owner: UnitId, enemy: UnitId) -> bool {
        let Board::Plane { arc, .. } = self.rules.board else { return false };
        if self.rules.fire_zone.is_none() {
            return false;
        }
        let a = self.battle.unit(owner);
        let depth = self.rules.kinds[a.kind].zone;
        depth > 0
            && self.near(owner, enemy, depth)
            && self.owns_zone(owner, enemy)
            && (self.rules.formations[a.formation].all_round || self.zone_holds(owner, &self.rect(enemy), depth, arc))
    }

    /// Whether any part of this ground is in the zone in front of a unit, or of either part of a bent unit (7.23).
    pub(crate) fn zone_holds(self, owner: UnitId, there: &Rect, depth: i32, arc: u16) -> bool {
        let unit = self.battle.unit(owner);
        if unit.bend.is_none() {
            return self.rect(owner).zone_holds(there, depth, arc);
        }
        unit.stretches(self.rules).iter().any(|stretch| stretch.zone_holds(there, depth, arc))
    }

    /// Whether a unit is in any enemy's fire zone.
    pub(crate) fn pinned(self, id: UnitId) -> bool {
        self.rules.fire_zone.is_some() && self.enemies(id).here.any(|enemy| self.in_zone(enemy, id))
    }

    /// Whether a firer rakes a unit from flank to flank and the unit cannot reply (7.54): it does not face all around,
    /// and no figure of the firer is in its front arc.
    pub(crate) fn enfiladed(self, target: UnitId, firer: UnitId) -> bool {
        let (a, b) = (self.battle.unit(target), self.battle.unit(firer));
        self.scratch.exposed(self.rules, (target, a), (firer, b)) != Arc::Front && self.rakes(firer, target)
    }

    /// Whether a firer's shots cross a unit from flank to flank, whichever way the unit faces (7.54a).
    pub(crate) fn rakes(self, firer: UnitId, target: UnitId) -> bool {
        let Board::Plane { arc, .. } = self.rules.board else { return false };
        let b = self.battle.unit(firer);
        let any_way = self.rules.formations[b.formation].all_round;
        let range = self.rules.kinds[b.kind].range;
        let (stands, there) = (self.rect(firer), self.rect(target));
        // For a unit that shoots in any direction, only the point that it shoots from counts.
        let eye = self.eye(firer, target);
        let rakes = |heading: Heading| {
            there.raked_by(&Rect::new(eye, heading, stands.width, stands.depth), any_way, arc, range)
        };
        // A bent unit shoots along the heading of either part (7.23).
        let bent = || b.stretches(self.rules).iter().any(|stretch| rakes(stretch.heading()));
        range > 0 && if b.bend.is_none() { rakes(stands.heading()) } else { bent() }
    }
}
