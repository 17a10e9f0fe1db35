//! Screens: figures put out in open order, and taken in again (clauses 9.30-G1 to 9.39, 9.41, 9.57).
//!
//! A unit puts figures out in the formation phase; they stand touching it, as a row, and are moved like a unit of their own
//! from then on. They belong to it for good: whoever goes back goes back to it. When it breaks they are swept along.
//!
//! Example: a light battalion of 9 puts 3 out. Six of nine keep their formation, so that this is no change of it (9.35-N).

use grognard_dice::Dice;
use grognard_rules::model::{Effect, Screen, Trigger};

use crate::geometry::plane::{Heading, Rect};
use crate::mechanism::figures::movement::is_off_table;
use crate::mechanism::figures::zone_entry::intrudes;
use crate::state::battle::{Flags, Unit, UnitId};
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, ScreenRefusal, Why, Witness};

/// How finely a screen's way to its post is looked at, in hundredths of an inch.
const POST_STEP: i32 = 50;

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// The unit that a screen belongs to, or the screen of a unit; none if the unit has no such kin.
    pub(crate) fn kin(&self, id: UnitId) -> Option<UnitId> {
        let kin = self.battle.unit(id).kin;
        (kin != id).then_some(kin)
    }

    /// A unit's screen, if it has figures out.
    pub(crate) fn screen_out(&self, id: UnitId) -> Option<UnitId> {
        let unit = self.battle.unit(id);
        let screen = self.kin(id).filter(|_| !unit.flags.has(Flags::SCREEN))?;
        (!self.battle.unit(screen).gone()).then_some(screen)
    }

    fn refuse_screen(&mut self, id: UnitId, why: ScreenRefusal) {
        self.tell(|| Event::Refused { unit: id, why: Refusal::Screen(why) });
    }

    /// Puts out so many figures in all, 0 for as many as the rules let out (9.30-G2).
    pub(crate) fn detach(&mut self, id: UnitId, wanted: u16) {
        let rules = self.rules;
        let unit = *self.battle.unit(id);
        let Some(skirmish) = &rules.skirmish else { return };
        let row = skirmish.screen_of[usize::from(unit.kind)];
        let Some((row, screen)) = row.zip(self.kin(id)).filter(|_| !unit.flags.has(Flags::SCREEN)) else {
            self.refuse_screen(id, ScreenRefusal::NoSkirmishers);
            return;
        };
        if let Some(bar) = skirmish.bars.iter().position(|bar| self.holds(Some(&bar.when), id, None)) {
            self.refuse_screen(id, ScreenRefusal::Bar(bar as u8));
            return;
        }
        let before = *self.battle.unit(screen);
        let out = if before.gone() { 0 } else { before.figures };
        let most = skirmish.screens[usize::from(row)].most.of(unit.figures + out);
        let wanted = if wanted == 0 { most } else { wanted };
        if wanted > most {
            self.refuse_screen(id, ScreenRefusal::TooMany(row));
            return;
        }
        if wanted <= out {
            return;
        }
        let more = wanted - out;
        let known = self.zones_about(id);
        self.split(id, screen, &skirmish.screens[usize::from(row)], more);
        let changes = self.counts_as_change(id, more);
        if changes && !unit.flags.has(Flags::CHANGED) {
            // A change of formation is announced before it takes effect (8.17).
            *self.battle.unit_mut(id) = unit;
            *self.battle.unit_mut(screen) = before;
            if !self.announce_change(id, Trigger::FormsInZone) || self.battle.unit(id).figures <= more {
                return;
            }
            self.split(id, screen, &skirmish.screens[usize::from(row)], more);
        }
        let refusal = if changes && unit.flags.has(Flags::CHANGED) {
            Some(Refusal::Spent)
        } else {
            // The unit itself may stand deeper with fewer figures.
            let no_room = self.overlaps_anybody(screen) || self.overlaps_anybody(id);
            // Nobody is put out into a zone in which his unit does not stand (9.43).
            let is_known = |owner: UnitId| known.iter().any(|zone| zone.0 == owner);
            let in_zone = self.zones_about(screen).iter().any(|zone| !is_known(zone.0));
            if no_room { Some(Refusal::NoRoom) } else { in_zone.then_some(Refusal::FireZone) }
        };
        if let Some(why) = refusal {
            self.unsplit(id, screen, more, &before);
            self.tell(|| Event::Refused { unit: id, why });
            return;
        }
        if changes {
            self.battle.flags_mut(id).set(Flags::CHANGED);
        }
        self.tell(|| Event::Detached { unit: id, screen, figures: more, row });
        self.keep_shape(id);
    }

    /// Whether so many figures that go out or come in are a change of their unit's formation (9.35-N).
    fn counts_as_change(&mut self, id: UnitId, sent: u16) -> bool {
        let Some(skirmish) = &self.rules.skirmish else { return false };
        self.scratch.sent = sent;
        let changes = skirmish.change_when.as_ref().is_some_and(|when| self.holds(Some(when), id, None));
        self.scratch.sent = 0;
        changes
    }

    /// Takes figures off a unit and puts them before it, or into the row that is out already.
    fn split(&mut self, id: UnitId, screen: UnitId, row: &Screen, more: u16) {
        let unit = self.battle.unit_mut(id);
        unit.figures -= more;
        unit.start -= more;
        let unit = *unit;
        let absent = self.battle.unit(screen).gone();
        let out = self.battle.unit_mut(screen);
        out.figures += more;
        out.start += more;
        if absent {
            let flags = {
                out.flags.clear(Flags::ABSENT);
                out.flags
            };
            *out = Unit { flags, formation: row.formation, kind: unit.kind, morale: 0, heading: unit.heading, ..*out };
            let depth = out.footprint(self.rules).depth;
            let front = unit.rect(self.rules).at(0, depth);
            self.battle.unit_mut(screen).front = front;
        }
    }

    /// Takes a split back.
    fn unsplit(&mut self, id: UnitId, screen: UnitId, more: u16, before: &Unit) {
        let unit = self.battle.unit_mut(id);
        unit.figures += more;
        unit.start += more;
        *self.battle.unit_mut(screen) = *before;
    }

    /// An order to take the screen in: given to the unit, or to the screen itself.
    pub(crate) fn recall(&mut self, id: UnitId) {
        let screen = if self.battle.unit(id).flags.has(Flags::SCREEN) { Some(id) } else { self.screen_out(id) };
        let Some(screen) = screen else { return };
        let Some(parent) = self.kin(screen) else { return };
        if self.battle.unit(parent).broken(self.rules) {
            self.refuse_screen(id, ScreenRefusal::NobodyThere);
            return;
        }
        if self.counts_as_change(parent, self.battle.unit(screen).figures) {
            if self.battle.unit(parent).flags.has(Flags::CHANGED) {
                self.tell(|| Event::Refused { unit: parent, why: Refusal::Spent });
                return;
            }
            // A change of formation is announced before it takes effect (8.17).
            if !self.announce_change(parent, Trigger::FormsInZone) || self.battle.unit(screen).gone() {
                return;
            }
            self.battle.flags_mut(parent).set(Flags::CHANGED);
        }
        let figures = self.battle.unit(screen).figures;
        self.rejoin(screen, figures, Why::Ordered);
    }

    /// Brings figures of a screen back to their unit, which must be on the table.
    pub(crate) fn rejoin(&mut self, screen: UnitId, figures: u16, why: Why) {
        let Some(parent) = self.kin(screen).filter(|&parent| !self.battle.unit(parent).gone()) else { return };
        let out = self.battle.unit_mut(screen);
        let back = figures.min(out.figures);
        out.figures -= back;
        // What was lost out there is counted where the others are.
        let start = if out.figures == 0 { out.start } else { back };
        out.start -= start;
        if out.figures == 0 {
            out.flags.set(Flags::ABSENT);
            (out.hits, out.spacing) = (0, 0);
            out.flags.clear(Flags::CHARGED);
        }
        let unit = self.battle.unit_mut(parent);
        unit.figures += back;
        unit.start += start;
        if back > 0 {
            self.tell(|| Event::Rejoined { unit: parent, figures: back, why });
            self.keep_shape(parent);
        }
        self.make_room(parent);
    }

    /// A unit that has grown onto somebody's ground steps back until it is clear.
    fn make_room(&mut self, id: UnitId) {
        let depth = self.battle.unit(id).footprint(self.rules).depth;
        let mut steps = depth / 25 + 8;
        while steps > 0 && self.overlaps_anybody(id) {
            let unit = self.battle.unit_mut(id);
            unit.front = unit.front.moved(unit.heading.reversed(), 25);
            steps -= 1;
        }
    }

    /// The screen is destroyed to the last figure: its losses are its unit's.
    pub(crate) fn screen_destroyed(&mut self, screen: UnitId) {
        let out = self.battle.unit_mut(screen);
        let start = std::mem::take(&mut out.start);
        (out.figures, out.hits, out.spacing) = (0, 0, 0);
        out.flags.set(Flags::ABSENT);
        let Some(parent) = self.kin(screen) else { return };
        self.battle.unit_mut(parent).start += start;
    }

    /// A screen has failed a check, or was beaten: the whole unit shares its fate if it is large (9.37), otherwise the
    /// figures of its group go back (9.36, 9.49).
    pub(crate) fn screen_fails(&mut self, screen: UnitId, effect: &Effect, cause: UnitId) {
        let Some((skirmish, parent)) = self.rules.skirmish.as_ref().zip(self.kin(screen)) else { return };
        let out = self.battle.unit(screen).figures;
        if self.stands_for_unit(screen, skirmish.shares) {
            self.rejoin(screen, out, Why::SharedFate);
            let retreat = effect.retreat.max(skirmish.retires);
            // A screen that is disordered disorders its unit, whatever state that is in; one that routs routs it.
            let morale = effect.morale.or((effect.worsen > 0).then_some(self.rules.first_shaken()));
            let shared = Effect { lose: 0, destroy: false, worsen: 0, worsen_shaken: 0, morale, retreat, ..*effect };
            self.apply(&shared, parent, cause);
            return;
        }
        for (member, figures) in self.cluster(screen) {
            self.rejoin(member, figures, Why::GroupFailed);
        }
    }

    /// Whether so much of a unit is out that it shares the fate of its screen; whoever has just been hit out there counts.
    pub(crate) fn stands_for_unit(&self, screen: UnitId, shares: u16) -> bool {
        let unit = self.battle.unit(screen);
        let out = unit.figures + unit.hits;
        out * shares > out + self.battle.unit(unit.kin).figures
    }

    /// Before a unit breaks its figures come back to break with it (9.39).
    pub(crate) fn sweep_along(&mut self, id: UnitId) {
        if let Some(screen) = self.screen_out(id) {
            let figures = self.battle.unit(screen).figures;
            self.rejoin(screen, figures, Why::SweptAlong);
        }
    }

    /// Moves a screen so far before its unit, over open ground and out of fire zones (9.34, 9.43).
    pub(crate) fn take_post(&mut self, screen: UnitId, ahead: i32, left: i32) {
        let Some(parent) = self.kin(screen).filter(|&parent| !self.battle.unit(parent).gone()) else { return };
        let rules = self.rules;
        let unit = *self.battle.unit(screen);
        let there = self.rect(parent);
        let row = unit.rect(rules);
        let goal = Rect::new(there.at(0, ahead + row.depth), there.heading(), row.width, row.depth);
        let (from, to) = (row.centre(), goal.centre());
        let way = from.square_distance(to).isqrt() as i32;
        let step = Rect::new(from, Heading::between(from, to), 1, 1);
        let passage = self.pass(screen, &step, way, left);
        let place = |at: i32| {
            let front = step.marched(at).front.moved(goal.heading(), row.depth / 2);
            Unit { front, heading: goal.heading(), ..unit }
        };
        // Half an inch at a time: whoever comes into a zone stops before it.
        let (mut far, mut stopped) = (passage.distance.max(0), false);
        if self.zones_within(screen, far) {
            let known = self.zones_about(screen);
            let mut at = 0;
            while at < passage.distance && !stopped {
                at = (at + POST_STEP).min(passage.distance);
                *self.battle.unit_mut(screen) = place(at);
                stopped = intrudes(&self.zones_about(screen), &known);
            }
            far = if stopped { at - 1 } else { at };
        }
        // The farthest place up to there where nobody stands and that is on the table; the last step may be a short one.
        let steps = (far + POST_STEP - 1) / POST_STEP;
        let ends = (1..=steps).rev().map(|step| (step * POST_STEP).min(passage.distance)).filter(|&at| at <= far);
        let (mut gone, mut best) = (0, unit);
        for at in ends {
            *self.battle.unit_mut(screen) = place(at);
            let ground = self.rect(screen);
            if !self.overlaps_anybody(screen) && !is_off_table(rules, &ground) {
                (gone, best) = (at, place(at));
                break;
            }
        }
        *self.battle.unit_mut(screen) = best;
        if gone > 0 {
            self.battle.flags_mut(screen).set(Flags::MOVED);
            self.tell(|| Event::Marched { unit: screen, wheel: 0, distance: gone });
            self.suffer_ground(screen, &passage);
        }
        if stopped {
            self.tell(|| Event::Refused { unit: screen, why: Refusal::FireZone });
        }
    }
}
