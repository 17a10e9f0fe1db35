//! The situation of one unit in relation to another.

use grognard_rules::model::{Formation, Rules};
use grognard_rules::situation::Subject;

use crate::geometry::plane::{Arc, Rect};
use crate::situation::neighbours::Neighbours;
use crate::situation::sight::FAR;
use crate::state::{Battle, Flags, Setup, Unit, UnitId, terrain};
use crate::step::scratch::Scratch;

/// The situation of one unit in relation to another. Distances and arcs are computed on first use.
pub(crate) struct View<'a> {
    pub(super) rules: &'a Rules,
    pub(super) setup: &'a Setup,
    pub(super) battle: &'a Battle,
    pub(super) scratch: &'a Scratch,
    pub(super) own: (UnitId, &'a Unit),
    pub(super) foe: Option<(UnitId, &'a Unit)>,
    /// Whether neighbours are ignored. Conditions that decide which units are neighbours use such a view.
    pub(super) plain: bool,
}

impl<'a> View<'a> {
    pub(crate) fn new(
        rules: &'a Rules,
        setup: &'a Setup,
        battle: &'a Battle,
        scratch: &'a Scratch,
        own: UnitId,
        foe: Option<UnitId>,
    ) -> Self {
        let foe = foe.filter(|&foe| foe != own).map(|foe| (foe, battle.unit(foe)));
        Self { rules, setup, battle, scratch, own: (own, battle.unit(own)), foe, plain: false }
    }

    /// The view of another unit, without an enemy.
    pub(crate) fn of(&self, id: UnitId) -> Self {
        Self::new(self.rules, self.setup, self.battle, self.scratch, id, None)
    }

    /// A view without neighbours, for conditions that decide which units are neighbours.
    pub(crate) fn plain(about: Neighbours<'a>, own: UnitId, foe: Option<UnitId>) -> Self {
        Self { plain: true, ..Self::new(about.rules, about.setup, about.battle, about.scratch, own, foe) }
    }

    /// The rectangle that a unit occupies.
    pub(super) fn rect(&self, id: UnitId, unit: &Unit) -> Rect {
        self.scratch.positions.rect(self.rules, id, unit)
    }

    /// The neighbours, unless the view is plain.
    pub(super) fn neighbours(&self) -> Option<Neighbours<'a>> {
        (!self.plain).then(|| self.among_all())
    }

    fn among_all(&self) -> Neighbours<'a> {
        Neighbours { rules: self.rules, setup: self.setup, battle: self.battle, scratch: self.scratch }
    }

    /// The number of figures that fight: all of them, or the pack's number if the unit is struck outside its front
    /// (7.64).
    pub(super) fn fighting(&self, subject: Subject, unit: &'a Unit) -> i32 {
        let all = self.rules.figures_seen(unit.figures + unit.guests);
        let Some(flanked) = self.rules.flanked.as_ref().filter(|_| !self.plain) else { return all };
        if self.exposed(subject) == Arc::Front {
            return all;
        }
        let (id, other) = self.sides_of(subject);
        let view = Self { own: (id, unit), foe: other, plain: true, ..*self };
        if flanked.when.as_ref().is_none_or(|when| when.get(&view) != 0) {
            all.min(i32::from(flanked.figures))
        } else {
            all
        }
    }

    /// The condition that disorders a battery regardless of the state of its crew, as an index into the pack's list
    /// (8.47).
    pub(crate) fn disorders(&self, subject: Subject, unit: &'a Unit) -> Option<usize> {
        let battery = self.rules.battery.as_ref().filter(|_| unit.cannon > 0 && !self.plain)?;
        let (id, other) = self.sides_of(subject);
        let view = Self { own: (id, unit), foe: other, plain: true, ..*self };
        battery.disordered.iter().position(|case| case.when.get(&view) != 0)
    }

    /// The unit that the subject denotes, and the other one.
    pub(super) fn sides_of(&self, subject: Subject) -> (UnitId, Option<(UnitId, &'a Unit)>) {
        match (subject, self.foe) {
            (Subject::Own, foe) => (self.own.0, foe),
            (Subject::Foe, Some((foe, _))) => (foe, Some(self.own)),
            (Subject::Foe, None) => (self.own.0, None),
        }
    }

    /// Asks the neighbours about the unit that the subject denotes. False in a plain view.
    pub(super) fn about(&self, subject: Subject, says: impl FnOnce(Neighbours<'a>, UnitId) -> bool) -> bool {
        let (id, _) = self.sides_of(subject);
        self.neighbours().is_some_and(|neighbours| says(neighbours, id))
    }

    /// The view with the two units exchanged, or the same view if there is no other unit.
    pub(crate) fn turned(&self) -> Self {
        Self { own: self.foe.unwrap_or(self.own), foe: self.foe.map(|_| self.own), ..*self }
    }

    pub(crate) fn distance(&self) -> i32 {
        self.foe.map_or(FAR, |foe| self.scratch.distance(self.rules, &self.setup.terrain, self.own, foe))
    }

    /// The arc that the subject shows to the other unit.
    pub(crate) fn exposed(&self, subject: Subject) -> Arc {
        match (subject, self.foe) {
            (_, None) => Arc::Front,
            (Subject::Own, Some(foe)) => self.scratch.exposed(self.rules, self.own, foe),
            (Subject::Foe, Some(foe)) => self.scratch.exposed(self.rules, foe, self.own),
        }
    }

    /// A unit's screen, if it is deployed and has figures left.
    pub(super) fn screen_of(&self, unit: &Unit) -> Option<&'a Unit> {
        let kin = self.battle.unit(unit.kin);
        let screens = self.battle.is_screen(self.rules, kin) && !unit.flags.has(Flags::SCREEN);
        (screens && !kin.gone() && kin.figures > 0).then_some(kin)
    }

    pub(super) fn covered(&self, subject: Subject) -> bool {
        let Some(foe) = self.foe else { return false };
        let ((id, unit), from) = match subject {
            Subject::Own => (self.own, foe),
            Subject::Foe => (foe, self.own),
        };
        let terrain = &self.setup.terrain;
        !terrain.is_empty() && {
            let eye = self.among_all().eye(from.0, id);
            terrain::covered_from_fire(self.rules, terrain, &self.rect(id, unit), &self.rect(from.0, from.1), eye)
        }
    }

    /// The distance from a unit, or from the edge of the ground that it fills, to linear ground in front that covers it
    /// from the other one.
    pub(super) fn shelter(&self, subject: Subject) -> i32 {
        let (own, foe) = (self.sides_of(subject).0, self.sides_of(subject).1);
        let (Some((id, foe)), terrain) = (foe, &self.setup.terrain) else { return FAR };
        let own = self.scratch.positions.place(self.rules, terrain, own, self.battle.unit(own));
        terrain::shelter(self.rules, terrain, &own, self.rect(id, foe).centre()).unwrap_or(FAR).min(FAR)
    }

    #[inline]
    pub(super) fn formation(&self, unit: &Unit) -> &'a Formation {
        &self.rules.formations[unit.formation]
    }
}
