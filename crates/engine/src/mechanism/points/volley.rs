//! Volley: units that have a firing marker fire, and whoever is fired at fires back from now on.
//!
//! At the start of the phase every marker goes away, of either side, whose unit has nobody to fire at. Then the active side's
//! marked units fire one after the other at the nearest enemy in range, in the front arc and in sight for which the phase's
//! condition holds, one that is not broken before any that is, over others where the phase says so; the target is given a marker
//! if it could fire at that unit, and the roll is taken against it.

use grognard_dice::Dice;
use grognard_expr::Lookup;
use grognard_rules::model::{Board, Mechanism};

use crate::geometry::plane::{Point, Rect};
use crate::mechanism::points::act;
use crate::mechanism::points::act::open_fire;
use crate::situation::facts::{View, sees};
use crate::situation::neighbours::Vicinity;
use crate::state::battle::{Flags, Unit, UnitId};
use crate::state::marks::Marks;
use crate::state::side::Side;
use crate::state::terrain::hides;
use crate::state::unit_set::Units;
use crate::step::context::Context;
use crate::telling::event::{Occasion, Witness};

pub(crate) fn play<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, side: Side, roll: u8) {
    let index = ctx.battle.phase;
    let idle = |id: UnitId| {
        let unit = ctx.battle.unit(id);
        unit.marks.has(Marks::FIRING) && !unit.gone() && aiming(ctx).best_target(id).is_none()
    };
    // Who has nobody to fire at is settled before any marker goes: conditions read the markers of others.
    let idle = Units::first(ctx.battle.units.len()).those(idle);
    for id in idle {
        act::cease(ctx, id);
    }
    for id in ctx.battle.side(side) {
        let unit = ctx.battle.unit(id);
        if !unit.marks.has(Marks::FIRING) || unit.broken(ctx.rules) {
            continue;
        }
        let Some(target) = aiming(ctx).best_target(id) else { continue };
        ctx.battle.flags_mut(id).set(Flags::FIRED);
        if !ctx.battle.unit(target).marks.has(Marks::FIRING) && aiming(ctx).can_fire_at(target, id) {
            open_fire(ctx, target);
        }
        ctx.roll(Occasion::Phase(index), roll, id, Some(target));
        ctx.answer_losses();
    }
}

/// Whether a unit could fire at an enemy in the pack's volley phase, as things stand. The phase's condition is read as if
/// nobody stood near, for it may not ask this again.
pub(crate) fn bears(about: Vicinity<'_>, id: UnitId) -> bool {
    let volley = about.rules.phases.iter().position(|phase| matches!(phase.mechanism, Mechanism::Volley(_)));
    volley.is_some_and(|phase| {
        let aiming = Aiming { about, phase, plain: true };
        aiming.enemies(id).any(|enemy| aiming.can_fire_at(id, enemy))
    })
}

fn aiming<'a, D: Dice, W: Witness>(ctx: &'a Context<'_, D, W>) -> Aiming<'a> {
    Aiming { about: ctx.vicinity(), phase: usize::from(ctx.battle.phase), plain: false }
}

/// Who may fire at whom in a volley phase.
#[derive(Clone, Copy)]
struct Aiming<'a> {
    about: Vicinity<'a>,
    phase: usize,
    plain: bool,
}

impl<'a> Aiming<'a> {
    fn view(self, own: UnitId, foe: UnitId) -> View<'a> {
        let Vicinity { rules, setup, battle, scratch } = self.about;
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
        self.about.battle.side(self.unit(id).side.other())
    }

    fn best_target(self, id: UnitId) -> Option<UnitId> {
        let there = self.enemies(id).filter(|&enemy| self.can_fire_at(id, enemy));
        there.min_by_key(|&enemy| (self.unit(enemy).broken(self.about.rules), self.view(id, enemy).distance()))
    }

    /// Whether a unit could fire at another: armed, in order, in range, in arc, in sight and not forbidden.
    fn can_fire_at(self, id: UnitId, target: UnitId) -> bool {
        let Vicinity { rules, setup, scratch, .. } = self.about;
        let (unit, enemy) = (self.unit(id), self.unit(target));
        let range = rules.kinds[usize::from(unit.kind)].range;
        let may = |when: &Lookup| when.get(&self.view(id, target)) != 0;
        range > 0
            && rules.formations[usize::from(unit.formation)].fires
            && !unit.broken(rules)
            && !enemy.gone()
            && self.view(id, target).distance() <= range
            && sees(rules, &setup.terrain, &scratch.stands, (id, unit), (target, enemy))
            && rules.phases[self.phase].when.as_ref().is_none_or(may)
            && self.lines_clear(id, target)
            && !hides(rules, &setup.terrain, unit.front, self.about.rect(target).centre())
    }

    /// Whether lines run from both front corners to two of the target's corners, or to the middle of its front edge, without
    /// meeting another unit.
    fn lines_clear(self, id: UnitId, target: UnitId) -> bool {
        let Vicinity { rules, battle, .. } = self.about;
        if rules.board == Board::None || battle.units.len() == 2 {
            return true;
        }
        let own = self.about.rect(id);
        let there = self.place(target);
        let [left, right, ..] = own.corners();
        let over = rules.phases[self.phase].over.as_ref();
        let may = |when: &Option<Lookup>| when.as_ref().is_some_and(|when| when.get(&self.view(id, target)) != 0);
        if over.is_some_and(|over| may(&over.anybody)) {
            return true;
        }
        let over = over.filter(|over| may(&over.friends));
        let side = self.unit(id).side;
        let passed_over = |other: UnitId| {
            over.is_some_and(|over| self.unit(other).side == side && self.place(other).distance(&there) >= over.clear)
        };
        let clear = |from: Point, to: Point| {
            let mut others = battle.units.iter().enumerate();
            !others.any(|(index, other)| {
                let between = index != id.index() && index != target.index() && !other.gone();
                let other = UnitId(index as u8);
                between && !passed_over(other) && self.place(other).crossed_by(from, to)
            })
        };
        let seen = |from: Point| there.corners().map(|corner| clear(from, corner));
        let (by_left, by_right) = (seen(left), seen(right));
        let middle = clear(left, there.front) && clear(right, there.front);
        // One line from either corner, to two different corners of the target.
        let two = (0..4).any(|a| by_left[a] && (0..4).any(|b| b != a && by_right[b]));
        middle || two
    }
}
