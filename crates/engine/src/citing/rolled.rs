//! What was behind a roll.

use grognard_rules::expr::Expr;
use grognard_rules::model::{Contestant, Mechanism};
use grognard_rules::situation::{Fact, Field, Subject};

use super::Behind;
use crate::scratch::Scratch;
use crate::state::UnitId;
use crate::view::View;
use crate::witness::{Occasion, RollEvent, Scene};

impl<'a> Behind<'a> {
    /// A roll was taken.
    pub(super) fn rolled(&mut self, scene: Scene<'a>, event: &RollEvent) {
        let rules = scene.rules;
        let roll = &rules.rolls[usize::from(event.roll)];
        if let Occasion::Reaction(index) = event.occasion {
            self.cite(&rules.reactions[usize::from(index)].source);
        }
        if matches!(event.occasion, Occasion::Phase(index) if matches!(rules.phases[usize::from(index)].mechanism, Mechanism::Volley(_)))
        {
            // How far its kind may fire.
            self.kind(scene, event.own);
        }
        self.cite(&roll.source);
        for &(input, row) in &event.modifiers {
            let modifier = &roll.modifiers[row];
            self.cite(&modifier.source);
            if let Some(when) = &modifier.when {
                match (roll.inputs[input].by, event.foe) {
                    (Contestant::Foe, Some(foe)) => self.held(scene, when, foe, Some(event.own)),
                    (_, foe) => self.held(scene, when, event.own, foe),
                }
            }
        }
        // The class of a target decides whichever way the modifiers that look at it turn out.
        let every = roll.inputs.iter().flat_map(|input| input.rows.iter().map(move |&row| (input.by, row)));
        for (by, row) in every {
            let read = roll.modifiers[usize::from(row)].when.iter().flat_map(Expr::vars).map(|var| rules.field(var));
            for Field { subject, .. } in read.filter(|field| field.fact == Fact::Target) {
                match ((by == Contestant::Own) == (subject == Subject::Own), event.foe) {
                    (true, _) => self.formation(scene, event.own),
                    (false, Some(foe)) => self.formation(scene, foe),
                    (false, None) => {}
                }
            }
        }
        self.cite(&roll.results[usize::from(roll.outcomes[usize::from(event.outcome)].row)].source);
        if let Some(foe) = event.foe {
            self.aimed(scene, event.own, foe);
            self.struck(scene, foe, event.own);
        }
        for id in std::iter::once(event.own).chain(event.foe) {
            if scene.battle.unit(id).bend != 0 {
                self.cite(&rules.dressing.source);
            }
        }
    }

    /// A condition held, read with the eyes of one unit: what it reads of the two decided.
    fn held(&mut self, scene: Scene<'a>, when: &Expr, own: UnitId, foe: Option<UnitId>) {
        for var in when.vars() {
            let Field { subject, fact } = scene.rules.field(var);
            let (of, against) = match subject {
                Subject::Own => (own, foe.unwrap_or(own)),
                Subject::Foe => (foe.unwrap_or(own), own),
            };
            match fact {
                Fact::Formation
                | Fact::Loose
                | Fact::Facing
                | Fact::Target
                | Fact::Formed
                | Fact::FormedToMove
                | Fact::Front
                | Fact::Ranks
                | Fact::Behind => {
                    self.formation(scene, of);
                }
                Fact::Morale | Fact::Shaken | Fact::Broken => {
                    self.morale(scene, of);
                    if let Some(battery) = scene.rules.battery.as_ref().filter(|_| scene.battle.unit(of).cannon > 0) {
                        self.cite(&battery.source);
                        let (rules, setup, battle, scratch) = (scene.rules, scene.setup, scene.battle, Scratch::new());
                        let view = View::new(rules, setup, battle, &scratch, of, Some(against));
                        if let Some(case) = view.disorders(Subject::Own, battle.unit(of)) {
                            self.cite(&battery.disordered[case].source);
                        }
                    }
                }
                Fact::Exposed => self.struck(scene, of, against),
                Fact::Fighting => {
                    if let Some(flanked) = &scene.rules.flanked {
                        self.cite(&flanked.source);
                    }
                }
                Fact::Backed | Fact::Supported | Fact::Stack | Fact::Follows => {
                    if let Some(support) = &scene.rules.support {
                        self.cite(&support.source);
                    }
                }
                Fact::Reach | Fact::Range => self.kind(scene, of),
                _ => {}
            }
        }
    }
}
