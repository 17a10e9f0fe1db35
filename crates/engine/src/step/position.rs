//! The position in the middle of a step: the rules, the battle, and common queries of all mechanisms.

use grognard_expr::{Begun, Lookup};
use grognard_rules::model::{Phase, Rules};
use grognard_rules::situation::Subject;

use crate::geometry::plane::{Circle, Rect};
use crate::situation::neighbours::Neighbours;
use crate::situation::view::View;
use crate::state::{Setup, UnitId, Units};
use crate::step::scratch::Scratch;
use crate::step::tracked_battle::TrackedBattle;

/// The part of a step's context without the dice and the witness. Functions that take it do not depend on the types of
/// dice and witness, and are compiled only once.
pub(crate) struct Position<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) setup: &'a Setup,
    pub(crate) battle: TrackedBattle<'a>,
    pub(crate) scratch: &'a mut Scratch,
}

impl<'a> Position<'a> {
    /// The situation of one unit in relation to another.
    #[inline]
    pub(crate) fn view(&self, own: UnitId, foe: Option<UnitId>) -> View<'_> {
        View::new(self.rules, self.setup, &self.battle, self.scratch, own, foe)
    }

    /// Finds the units near a unit.
    #[inline]
    pub(crate) fn neighbours(&self) -> Neighbours<'_> {
        Neighbours { rules: self.rules, setup: self.setup, battle: &self.battle, scratch: self.scratch }
    }

    /// The rectangle that a unit occupies.
    #[inline]
    pub(crate) fn rect(&self, id: UnitId) -> Rect {
        self.scratch.positions.rect(self.rules, id, self.battle.unit(id))
    }

    /// The ground of a unit: its own, or the piece that it fills.
    #[inline]
    pub(crate) fn place(&self, id: UnitId) -> Rect {
        self.scratch.positions.place(self.rules, &self.setup.terrain, id, self.battle.unit(id))
    }

    /// The circles in and around the rectangle that a unit occupies. They are vague if the unit fills a piece of
    /// terrain.
    #[inline]
    pub(crate) fn circle(&self, id: UnitId) -> Circle {
        self.scratch.positions.circle(self.rules, &self.battle, id)
    }

    /// Whether a condition is true for a pair of units. A missing condition is always true.
    #[inline]
    pub(crate) fn holds(&self, when: Option<&Lookup>, own: UnitId, foe: Option<UnitId>) -> bool {
        when.is_none_or(|when| when.get(&self.view(own, foe)) != 0)
    }

    /// The status word of a unit.
    #[inline]
    pub(crate) fn status(&self, id: UnitId) -> u64 {
        self.scratch.positions.status(self.rules, &self.battle, (id, self.battle.unit(id)))
    }

    /// Evaluates a lookup as far as the unit's own status word decides it, for any enemy.
    #[inline]
    pub(crate) fn begin<'l>(&self, lookup: &'l Lookup, own: UnitId) -> Begun<'l> {
        lookup.begin(self.status(own), Subject::Own as u8)
    }

    /// Whether a condition is true for a unit and an enemy. The enemy is searched for only if the condition depends on
    /// it.
    #[inline]
    pub(crate) fn holds_for(
        &self,
        when: Option<&Lookup>,
        own: UnitId,
        foe: impl FnOnce(&Self, UnitId) -> Option<UnitId>,
    ) -> bool {
        when.is_none_or(|when| {
            let begun = self.begin(when, own);
            begun.decided().unwrap_or_else(|| begun.get(&self.view(own, foe(self, own)))) != 0
        })
    }

    /// The enemies of a unit that are still on the table and not broken.
    #[inline]
    pub(crate) fn enemies(&self, of: UnitId) -> Units {
        self.neighbours().enemies(of).able
    }

    /// The enemies of a unit that are still on the table. Broken ones are included: they can be shot at and charged
    /// (7.53, 7.63).
    #[inline]
    pub(crate) fn targets(&self, of: UnitId) -> Units {
        self.neighbours().enemies(of).here
    }
}

/// The current phase.
#[inline]
pub(crate) fn phase_of<'a>(ctx: &Position<'a>) -> &'a Phase {
    &ctx.rules.phases[usize::from(ctx.battle.phase)]
}
