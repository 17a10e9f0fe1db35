//! Crews apart from their guns (clauses 7.21e, 8.47, 8.73).
//!
//! Where the pack says what crews are apart from their base, a crew that breaks stands behind it as figures of that type,
//! routed, and flees like any other unit. It takes no orders. Once it has rallied it goes back, as far in each of its move
//! phases as its type moves; when it reaches the base it is a battery again, in the crew's morale. Where the pack does not say,
//! the crew is taken off and is back when it rallies.
//!
//! Example: the crew of a field battery routs and runs 12"; it rallies disordered, and two moves later the guns can fire.

use grognard_dice::Dice;
use grognard_rules::model::{Board, Mechanism};

use crate::geometry::plane::{Heading, Rect};
use crate::mechanism::common::test;
use crate::mechanism::figures::movement;
use crate::mechanism::figures::movement::{clear_march, settle_on};
use crate::state::battle::{Flags, Unit, UnitId};
use crate::step::context::Field;
use crate::telling::event::{Event, Witness};

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// The crew of a battery breaks: it leaves the guns, whose state is never that of a rout.
    pub(crate) fn crew_leaves(&mut self, id: UnitId, morale: u8) {
        let figures = self.battle.unit(id).figures;
        let crew = self.kin(id).filter(|_| figures > 0 && matches!(self.rules.board, Board::Plane { .. }));
        let unit = self.battle.unit_mut(id);
        unit.figures = 0;
        if crew.is_some() {
            unit.start -= figures;
        } else {
            unit.away += figures;
        }
        if let Some(crew) = crew {
            self.stand_apart(id, crew, figures, morale);
        }
        self.tell(|| Event::CrewLeft { unit: id });
        if let Some(crew) = crew {
            movement::leave_if_off_table(self, crew);
        }
        self.note_crew_gone(id);
    }

    /// Puts crew figures behind their base, and on until they have room.
    fn stand_apart(&mut self, id: UnitId, crew: UnitId, figures: u16, morale: u8) {
        let base = self.base_of(id);
        let apart = self.battle.unit_mut(crew);
        apart.flags.clear(Flags::ABSENT);
        *apart = Unit { figures, start: figures, morale, heading: base.heading(), hits: 0, ..*apart };
        apart.front = base.at(0, -base.depth);
        self.face_away(crew);
        let along = base.heading().reversed();
        self.run(crew, along, 0);
    }

    /// The ground of a battery's base; of one in a square, that of the square.
    fn base_of(&self, id: UnitId) -> Rect {
        let unit = self.battle.unit(id);
        let stands = if unit.flags.has(Flags::INSIDE) { self.battle.unit(unit.foe) } else { unit };
        stands.rect(self.rules)
    }

    /// A crew apart from its guns: it flees, tests, and goes back.
    pub(crate) fn play_crew(&mut self, crew: UnitId, mechanism: Mechanism) {
        match mechanism {
            Mechanism::Test(roll) => test::play(self, crew, roll),
            Mechanism::Move if self.battle.unit(crew).broken(self.rules) => movement::play(self, crew),
            Mechanism::Move => self.crew_goes_back(crew),
            _ => {}
        }
    }

    fn crew_goes_back(&mut self, crew: UnitId) {
        let rules = self.rules;
        let unit = *self.battle.unit(crew);
        let guns = *self.battle.unit(unit.kin);
        if guns.flags.has(Flags::GONE) {
            return;
        }
        let base = self.base_of(unit.kin);
        let most = rules.kinds[usize::from(unit.kind)].speed[usize::from(unit.formation)].unwrap_or(0);
        let rect = unit.rect(rules);
        let distance = rect.distance(&base);
        if distance > most {
            let from = rect.turned_about_centre(Heading::between(rect.centre(), base.centre()));
            let Some(clear) = clear_march(self, crew, &from, most, rules.movement.gap) else { return };
            let passage = self.pass(crew, &from, clear, most);
            settle_on(self, crew, &from.marched(passage.distance));
            self.battle.flags_mut(crew).set(Flags::MOVED);
            let wheel = unit.heading.turn_to(from.heading());
            self.tell(|| Event::Marched { unit: crew, wheel, distance: passage.distance });
            return;
        }
        let apart = self.battle.unit_mut(crew);
        (apart.figures, apart.start) = (0, 0);
        apart.flags.set(Flags::ABSENT);
        let battery = self.battle.unit_mut(unit.kin);
        battery.figures += unit.figures;
        battery.start += unit.start;
        battery.morale = battery.morale.max(unit.morale);
        self.tell(|| Event::CrewBack { unit: unit.kin });
    }

    /// A crew that was taken off has rallied and is back at its guns.
    pub(crate) fn crew_returns(&mut self, id: UnitId, morale: u8) {
        let unit = self.battle.unit_mut(id);
        unit.figures += unit.away;
        unit.away = 0;
        unit.morale = unit.morale.max(morale);
        self.tell(|| Event::CrewBack { unit: id });
    }
}
