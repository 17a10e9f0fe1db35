//! The field: everything one step works with, and what all mechanisms do alike - roll, apply effects, find enemies.

use grognard_dice::Dice;
use grognard_expr::{Begun, Lookup};
use grognard_rules::model::Rules;
use grognard_rules::situation::Subject;

use crate::geometry::plane::{Circle, Rect};
use crate::situation::neighbours::Vicinity;
use crate::situation::view::View;
use crate::state::battle::{Battle, Setup};
use crate::state::unit::UnitId;
use crate::state::unit_set::Units;
use crate::step::scratch::Scratch;
use crate::step::watched::Watched;
use crate::telling::event::{Event, Scene, Witness};

/// A battle in the middle of a step.
pub(crate) struct Context<'a, D, W> {
    pub(crate) rules: &'a Rules,
    pub(crate) setup: &'a Setup,
    pub(crate) battle: Watched<'a>,
    pub(crate) dice: &'a mut D,
    witness: &'a mut W,
    pub(crate) scratch: &'a mut Scratch,
}

impl<'a, D: Dice, W: Witness> Context<'a, D, W> {
    /// For any number of steps; [`play_step`](crate::step::fight::play_step) begins each.
    pub(crate) fn new(
        rules: &'a Rules,
        setup: &'a Setup,
        battle: &'a mut Battle,
        dice: &'a mut D,
        witness: &'a mut W,
        scratch: &'a mut Scratch,
    ) -> Self {
        let battle = Watched::new(battle, &scratch.stands);
        Self { rules, setup, battle, dice, witness, scratch }
    }

    /// Tells the witness, if there is one.
    #[inline]
    pub(crate) fn tell(&mut self, event: impl FnOnce() -> Event) {
        if W::WATCHES {
            let scene = Scene { rules: self.rules, setup: self.setup, battle: &self.battle };
            self.witness.see(scene, &event());
        }
    }

    /// The situation of one unit with regard to another.
    #[inline]
    pub(crate) fn view(&self, own: UnitId, foe: Option<UnitId>) -> View<'_> {
        View::new(self.rules, self.setup, &self.battle, self.scratch, own, foe)
    }

    /// Who stands about a unit.
    #[inline]
    pub(crate) fn vicinity(&self) -> Vicinity<'_> {
        Vicinity { rules: self.rules, setup: self.setup, battle: &self.battle, scratch: self.scratch }
    }

    /// The rectangle that a unit stands on.
    #[inline]
    pub(crate) fn rect(&self, id: UnitId) -> Rect {
        self.scratch.stands.rect(self.rules, id, self.battle.unit(id))
    }

    /// The ground of a unit: its own, or the piece that it fills.
    #[inline]
    pub(crate) fn place(&self, id: UnitId) -> Rect {
        self.scratch.stands.place(self.rules, &self.setup.terrain, id, self.battle.unit(id))
    }

    /// The circles of that rectangle; vague ones where the unit fills a piece of terrain.
    #[inline]
    pub(crate) fn circle(&self, id: UnitId) -> Circle {
        self.scratch.stands.circle(self.rules, &self.battle, id)
    }

    /// Whether a condition holds for a pair of units; a condition that is not there always does.
    #[inline]
    pub(crate) fn holds(&self, when: Option<&Lookup>, own: UnitId, foe: Option<UnitId>) -> bool {
        when.is_none_or(|when| when.get(&self.view(own, foe)) != 0)
    }

    /// What is noted of a unit.
    #[inline]
    pub(crate) fn note(&self, id: UnitId) -> u64 {
        self.scratch.stands.note(self.rules, &self.battle, (id, self.battle.unit(id)))
    }

    /// A lookup for a unit, as far as what is noted of the unit decides: that is the same whichever enemy is looked at.
    #[inline]
    pub(crate) fn begin<'l>(&self, lookup: &'l Lookup, own: UnitId) -> Begun<'l> {
        lookup.begin(self.note(own), Subject::Own as u8)
    }

    /// Whether a condition holds for a unit and an enemy who is looked for only if he decides anything.
    #[inline]
    pub(crate) fn holds_for(
        &self,
        when: Option<&Lookup>,
        own: UnitId,
        foe: impl FnOnce(&Self, UnitId) -> Option<UnitId>,
    ) -> bool {
        when.is_none_or(|when| {
            let begun = self.begin(when, own);
            begun.told().unwrap_or_else(|| begun.get(&self.view(own, foe(self, own)))) != 0
        })
    }

    /// The enemies of a unit that are still on the table and not broken.
    #[inline]
    pub(crate) fn enemies(&self, of: UnitId) -> Units {
        self.vicinity().enemies(of).able
    }

    /// The enemies of a unit that are still on the table, broken ones too: they can be shot at and charged (7.53, 7.63).
    #[inline]
    pub(crate) fn targets(&self, of: UnitId) -> Units {
        self.vicinity().enemies(of).here
    }
}
