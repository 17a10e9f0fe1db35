//! Possible fire in a volley phase: range, arc, line of sight and clear lines.

use arrayvec::ArrayVec;
use grognard_expr::Lookup;
use grognard_rules::model::{Board, Mechanism};

use crate::geometry::plane::{Point, Rect, overlap_max};
use crate::situation::neighbours::Neighbours;
use crate::situation::positions::sees;
use crate::situation::view::View;
use crate::state::terrain::hides;
use crate::state::{UNITS_MAX, Unit, UnitId};

/// Whether a unit could fire at any enemy in the pack's volley phase from its position. The phase's condition is read
/// without neighbours, because they may depend on this fact.
pub(crate) fn bears(about: Neighbours<'_>, id: UnitId) -> bool {
    plainly(about).is_some_and(|aiming| aiming.enemies(id).any(|enemy| aiming.can_fire_at(id, enemy)))
}

/// Whether a unit could fire at this enemy in the pack's volley phase. The phase's condition is read without
/// neighbours.
pub(crate) fn bears_on(about: Neighbours<'_>, id: UnitId, enemy: UnitId) -> bool {
    plainly(about).is_some_and(|aiming| aiming.can_fire_at(id, enemy))
}

/// The possible fire in the pack's first volley phase. The phase's condition is read without neighbours.
fn plainly(about: Neighbours<'_>) -> Option<Aiming<'_>> {
    let phase = about.rules.phases.iter().position(|phase| matches!(phase.mechanism, Mechanism::Volley(_)))?;
    Some(Aiming { about, phase, plain: true })
}

/// The possible fire in a volley phase.
#[derive(Clone, Copy)]
pub(crate) struct Aiming<'a> {
    pub(crate) about: Neighbours<'a>,
    pub(crate) phase: usize,
    pub(crate) plain: bool,
}

impl<'a> Aiming<'a> {
    fn view(self, own: UnitId, foe: UnitId) -> View<'a> {
        let Neighbours { rules, setup, battle, scratch } = self.about;
        if self.plain {
            View::plain(self.about, own, Some(foe))
        } else {
            View::new(rules, setup, battle, scratch, own, Some(foe))
        }
    }

    fn unit(self, id: UnitId) -> &'a Unit {
        self.about.battle.unit(id)
    }

    fn place(self, id: UnitId) -> Rect {
        self.about.place(id)
    }

    fn enemies(self, id: UnitId) -> impl Iterator<Item = UnitId> {
        self.about.battle.enemies(self.unit(id).side)
    }

    /// The target that doctrine takes: the nearest enemy, unbroken ones first.
    pub(crate) fn best_target(self, id: UnitId) -> Option<UnitId> {
        self.about.first_keyed(self.targets(id)).map(|(_, target)| target)
    }

    /// All valid targets, in doctrine's order of preference.
    pub(crate) fn ranked_targets(self, id: UnitId) -> Vec<((bool, i32), UnitId)> {
        let mut targets: Vec<_> = self.targets(id).collect();
        targets.sort_unstable_by(|one, other| self.about.compare(one, other));
        targets
    }

    fn targets(self, id: UnitId) -> impl Iterator<Item = ((bool, i32), UnitId)> {
        let there = self.enemies(id).filter(move |&enemy| self.can_fire_at(id, enemy));
        there.map(move |enemy| ((self.unit(enemy).broken(self.about.rules), self.view(id, enemy).distance()), enemy))
    }

    /// Whether a unit could fire at another: it must be armed and unbroken, the other must be in range, in arc and in
    /// sight, and the pack must not forbid it. Terrain does not hide a unit that the firer touches.
    pub(crate) fn can_fire_at(self, id: UnitId, target: UnitId) -> bool {
        let Neighbours { rules, setup, scratch, .. } = self.about;
        let (unit, enemy) = (self.unit(id), self.unit(target));
        let range = rules.kinds[unit.kind].range;
        let may = |when: &Lookup| when.get(&self.view(id, target)) != 0;
        range > 0
            && rules.formations[unit.formation].fires
            && !unit.broken(rules)
            && !enemy.gone()
            && self.view(id, target).distance() <= range
            && sees(rules, &setup.terrain, &scratch.positions, (id, unit), (target, enemy))
            && rules.phases[self.phase].when.as_ref().is_none_or(may)
            && (self.over_anybody(id, target)
                || self.lines_clear(id, target)
                    && (self.view(id, target).distance() <= rules.movement.touch
                        || !hides(rules, &setup.terrain, unit.front, self.about.rect(target).centre())))
    }

    /// Whether a unit may fire at another over terrain and units in between.
    fn over_anybody(self, id: UnitId, target: UnitId) -> bool {
        let over = self.about.rules.phases[self.phase].over.as_ref();
        over.and_then(|over| over.anybody.as_ref()).is_some_and(|when| when.get(&self.view(id, target)) != 0)
    }

    /// Whether clear lines run from the firer's two front corners to two of the target's corners, or to the middle of
    /// the target's front edge. A line is clear if it meets no other unit.
    fn lines_clear(self, id: UnitId, target: UnitId) -> bool {
        let Neighbours { rules, battle, .. } = self.about;
        if rules.board == Board::None || battle.units.len() == 2 {
            return true;
        }
        let own = self.about.rect(id);
        let there = self.place(target);
        // The base of a unit that fills a small piece of ground may extend beyond it.
        let corner = |corner: Point| if self.unit(id).fills == 0 { corner } else { self.place(id).nearest_to(corner) };
        let [left, right] = [own.corners()[0], own.corners()[1]].map(corner);
        let may = |when: &Option<Lookup>| when.as_ref().is_some_and(|when| when.get(&self.view(id, target)) != 0);
        let over = rules.phases[self.phase].over.as_ref().filter(|over| may(&over.friends));
        let side = self.unit(id).side;
        let passed_over = |other: UnitId| {
            over.is_some_and(|over| self.unit(other).side == side && self.place(other).distance(&there) >= over.clear)
        };
        let others = battle.units.iter().enumerate().filter_map(|(index, other)| {
            let between = index != id.index() && index != target.index() && !other.gone();
            let other = UnitId(index as u8);
            // A neighbour may extend slightly past the corner from which a line is drawn.
            (between && !passed_over(other)).then(|| self.place(other).inset(overlap_max(rules.movement.touch)))
        });
        let others: ArrayVec<Rect, UNITS_MAX> = others.collect();
        let clear = |from: Point, to: Point| !others.iter().any(|other| other.crossed_by(from, to));
        let seen = |from: Point| there.corners().map(|corner| clear(from, corner));
        let (by_left, by_right) = (seen(left), seen(right));
        let meets = |front: Point| clear(left, front) && clear(right, front);
        let enemy = self.unit(target);
        let middle = if enemy.fills == 0 {
            meets(there.front)
        } else {
            // The front edge of a unit that fills a piece of ground is the side of the piece that it faces, or both
            // sides if it faces halfway between them.
            let turn = there.heading().turn_to(enemy.heading);
            let sides = [450, 449].map(|half| ((turn + half).rem_euclid(3600) / 900) as u8);
            sides.into_iter().any(|side| meets(there.middle_of_side(side)))
        };
        // There must be one line from each corner, to two different corners of the target.
        let two = (0..4).any(|a| by_left[a] && (0..4).any(|b| b != a && by_right[b]));
        middle || two
    }
}
