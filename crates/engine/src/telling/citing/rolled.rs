//! The sources of rolls.

use grognard_expr::{Expr, Situation};
use grognard_roll::Mechanic;
use grognard_rules::model::{Contestant, Mechanism, Roll, RollId};
use grognard_rules::situation::{Fact, Field, Subject};

use crate::geometry::plane::Arc;
use crate::situation::view::View;
use crate::state::UnitId;
use crate::step::scratch::Scratch;
use crate::telling::citing::Behind;
use crate::telling::event::{Occasion, RollEvent, Scene};
use crate::telling::narrator::throws::dice_of_stages;

impl<'a> Behind<'a> {
    /// Cites the rule for units that arrive, or roll to arrive.
    pub(super) fn arrival(&mut self, scene: Scene<'a>) {
        if let Some(arrival) = &scene.rules.arrival {
            self.cite(&arrival.source);
        }
    }

    /// Cites the rules behind a roll.
    pub(super) fn rolled(&mut self, scene: Scene<'a>, event: &RollEvent) {
        let rules = scene.rules;
        let roll = &rules.rolls[event.roll];
        if let Occasion::Reaction(index) = event.occasion {
            self.cite(&rules.reactions[usize::from(index)].source);
        }
        if event.occasion == Occasion::Arrival {
            self.arrival(scene);
        }
        let test = rules.turn_order.as_ref().and_then(|order| order.test.as_ref());
        if let Some(test) = test.filter(|_| event.occasion == Occasion::Activation) {
            self.cite(&test.source);
        }
        if matches!(event.occasion, Occasion::Phase(index) if matches!(rules.phases[usize::from(index)].mechanism, Mechanism::Volley(_)))
        {
            self.cite(&scene.rules.kinds[scene.battle.unit(event.own).kind].sources.range);
        }
        self.cite(&roll.source);
        self.stages(roll, event);
        for &(input, row) in &event.modifiers {
            let modifier = &roll.modifiers[row];
            let eyes = event.eyes(roll.inputs[input].by);
            self.cite_of(&modifier.source, Some(eyes));
            if let Some(when) = &modifier.when {
                self.held(scene, when, eyes, event);
            }
        }
        // The class of a target matters whether or not the modifiers that read it apply.
        let every = roll.inputs.iter().flat_map(|input| input.rows.iter().map(move |&row| (input.by, row)));
        for (by, row) in every {
            let read = roll.modifiers[usize::from(row)].when.iter().flat_map(Expr::vars).map(|var| rules.field(var));
            for Field { subject, .. } in read.filter(|field| field.fact == Fact::Target) {
                match ((by == Contestant::Own) == (subject == Subject::Own), event.foe) {
                    (true, foe) => self.target(scene, event.own, foe),
                    (false, Some(foe)) => self.target(scene, foe, Some(event.own)),
                    (false, None) => {}
                }
            }
        }
        self.cite(&roll.results[usize::from(roll.outcomes[usize::from(event.outcome)].row)].source);
        if let Some(foe) = event.foe {
            let of = |fights: fn(&Mechanism) -> Option<RollId>| {
                rules.phases.iter().any(|phase| fights(&phase.mechanism) == Some(event.roll))
            };
            let shoots = of(|mechanism| match mechanism {
                Mechanism::Fire(roll) | Mechanism::Volley(roll) => Some(*roll),
                _ => None,
            });
            let shock = of(|mechanism| if let Mechanism::Shock(roll) = mechanism { Some(*roll) } else { None });
            if shoots {
                self.aimed(scene, event.own, foe, false);
            }
            let all_round = rules.formations[scene.battle.unit(foe).formation].all_round;
            // The direction of a shot matters only if a modifier reads it.
            if shock && (all_round || event.exposed.1 != Arc::Front) {
                self.struck(scene, foe, event.own, event.exposed.1);
            }
            self.not_raked(scene, roll, event);
            self.withheld(scene, roll, event);
        }
    }

    /// Cites the stages of a pool that had dice. Without faces, it is not known which stages had any.
    fn stages(&mut self, roll: &'a Roll, event: &RollEvent) {
        let Mechanic::Pool(pool) = &roll.mechanic else { return };
        if roll.stage_sources.is_empty() || event.faces.is_empty() {
            return;
        }
        let dice = dice_of_stages(pool, &event.inputs, &event.faces);
        roll.stage_sources.iter().filter(|(stage, _)| dice[*stage] > 0).for_each(|(_, source)| self.cite(source));
    }

    /// Cites the target class of a unit, which a roll has read.
    fn target(&mut self, scene: Scene<'a>, id: UnitId, by: Option<UnitId>) {
        let formation = &scene.rules.formations[scene.battle.unit(id).formation];
        self.cite_of(&formation.sources.target, Some((id, by)));
    }

    /// Cites the rules for the facts that a condition reads about two units, given that the condition is true from one
    /// unit's point of view.
    fn held(&mut self, scene: Scene<'a>, when: &Expr, (own, foe): (UnitId, Option<UnitId>), event: &RollEvent) {
        for var in when.vars() {
            let Field { subject, fact } = scene.rules.field(var);
            let (of, against) = match subject {
                Subject::Own => (own, foe.unwrap_or(own)),
                Subject::Foe => (foe.unwrap_or(own), own),
            };
            let shown = event.shown_by(of);
            let about = Some((of, Some(against)));
            let formation = &scene.rules.formations[scene.battle.unit(of).formation];
            match fact {
                Fact::Facing => self.cite_of(&formation.sources.facing, about),
                Fact::Formed | Fact::FormedToMove => self.cite_of(&formation.sources.formed, about),
                Fact::Shaken => {
                    if let Some(battery) = scene.rules.battery.as_ref().filter(|_| scene.battle.unit(of).cannon > 0) {
                        let (rules, setup, battle, scratch) = (scene.rules, scene.setup, scene.battle, Scratch::new());
                        let view = View::new(rules, setup, battle, &scratch, of, Some(against));
                        if let Some(case) = view.disorders(Subject::Own, battle.unit(of)) {
                            self.cite_of(&battery.disordered[case].source, about);
                        }
                    }
                }
                Fact::Exposed => self.struck(scene, of, against, shown),
                Fact::Enfiladed => {
                    let (rules, setup, battle, scratch) = (scene.rules, scene.setup, scene.battle, Scratch::new());
                    if View::new(rules, setup, battle, &scratch, own, foe).value(var) != 0 {
                        self.struck(scene, of, against, shown);
                    }
                }
                Fact::Fighting => {
                    let (rules, setup, battle, scratch) = (scene.rules, scene.setup, scene.battle, Scratch::new());
                    let unit = battle.unit(of);
                    let fight = View::new(rules, setup, battle, &scratch, own, foe).value(var);
                    if let Some(flanked) =
                        rules.flanked.as_ref().filter(|_| fight < rules.figures_seen(unit.figures + unit.guests))
                    {
                        self.cite_of(&flanked.source, about);
                    }
                }
                Fact::Backed | Fact::Supported | Fact::Stack | Fact::Follows => {
                    if let Some(support) = &scene.rules.support {
                        self.cite_of(&support.source, about);
                    }
                }
                Fact::Reach | Fact::Range => {
                    let kind = &scene.rules.kinds[scene.battle.unit(of).kind];
                    self.cite_of(&kind.sources.range, about);
                }
                _ => {}
            }
        }
    }
}
