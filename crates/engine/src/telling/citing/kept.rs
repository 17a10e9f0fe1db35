//! Citations for effects that arcs prevent.

use grognard_expr::{Expr, Situation, Var};
use grognard_rules::model::{Board, Contestant, Roll, Rules, Trigger};
use grognard_rules::situation::{Fact, Field, Subject};

use crate::geometry::plane::Arc;
use crate::situation::neighbours::Neighbours;
use crate::situation::sight::figures_arc;
use crate::situation::view::View;
use crate::state::UnitId;
use crate::step::reactions::fires;
use crate::step::scratch::Scratch;
use crate::telling::citing::Behind;
use crate::telling::event::{RollEvent, Scene};

/// A view with one fact changed.
struct Supposing<'v, 'a> {
    rules: &'a Rules,
    view: &'v View<'a>,
    field: Field,
    value: i32,
}

impl Situation for Supposing<'_, '_> {
    fn value(&self, var: Var) -> i32 {
        if self.rules.field(var) == self.field { self.value } else { self.view.value(var) }
    }
}

impl<'a> Behind<'a> {
    /// Cites the arc if a target does not fire at a charge because the charge comes from outside the target's field of
    /// fire (7.51).
    pub(super) fn unanswered(&mut self, scene: Scene<'a>, target: UnitId, charger: UnitId) {
        let rules = scene.rules;
        let unit = scene.battle.unit(target);
        if unit.broken(rules) || unit.forming.is_some() {
            return;
        }
        let scratch = Scratch::new();
        let view = View::new(rules, scene.setup, scene.battle, &scratch, target, Some(charger));
        let field = Field { subject: Subject::Own, fact: Fact::Exposed };
        let from_front = Supposing { rules, view: &view, field, value: Arc::Front as i32 };
        let kept = rules
            .reactions
            .iter()
            .filter(|row| row.on == Trigger::Charged && fires(rules, row))
            .any(|row| row.when.as_ref().is_some_and(|when| when.get(&view) == 0 && when.get(&from_front) != 0));
        if kept {
            self.cite_of(&rules.arc_source.fires, Some((target, Some(charger))));
        }
    }

    /// Cites the rule for a shot at a flank that does not get the benefit of a shot along the whole length of its
    /// target (7.54a).
    pub(super) fn not_raked(&mut self, scene: Scene<'a>, roll: &'a Roll, event: &RollEvent) {
        let rules = scene.rules;
        let field = Field { subject: Subject::Foe, fact: Fact::Enfiladed };
        let reads = |when: &Expr| when.vars().any(|var| rules.field(var) == field);
        let read = |row: usize| roll.modifiers[row].when.as_ref().filter(|when| reads(when));
        // If another modifier applies instead, the shot loses nothing.
        if event.exposed.1 != Arc::Flank || event.modifiers.iter().any(|&(_, row)| read(row).is_some()) {
            return;
        }
        let about = Some((event.own, event.foe));
        let scratch = Scratch::new();
        let view = View::new(rules, scene.setup, scene.battle, &scratch, event.own, event.foe);
        let raked = Supposing { rules, view: &view, field, value: 1 };
        for &row in roll.inputs.iter().filter(|input| input.by == Contestant::Own).flat_map(|input| &input.rows) {
            if read(usize::from(row)).is_some_and(|when| when.holds(&raked)) {
                self.cite_of(&roll.modifiers[usize::from(row)].source, about);
            }
        }
    }

    /// Cites the rules for modifiers that do not apply because of the direction of attack. They would apply to an
    /// attack from the front or, for a unit with all-around facing, if the unit faced only one way (7.22).
    pub(super) fn withheld(&mut self, scene: Scene<'a>, roll: &Roll, event: &RollEvent) {
        let rules = scene.rules;
        if !matches!(rules.board, Board::Plane { .. }) {
            return;
        }
        let scratch = Scratch::new();
        for (index, input) in roll.inputs.iter().enumerate() {
            let (own, Some(foe)) = event.eyes(input.by) else { continue };
            let view = View::new(rules, scene.setup, scene.battle, &scratch, own, Some(foe));
            let idle = input.rows.iter().filter(|&&row| !event.modifiers.contains(&(index, usize::from(row))));
            for when in idle.filter_map(|&row| roll.modifiers[usize::from(row)].when.as_ref()) {
                for field in when.vars().map(|var| rules.field(var)) {
                    let (of, against) = if field.subject == Subject::Own { (own, foe) } else { (foe, own) };
                    let shown = event.shown_by(of);
                    let Some(value) = otherwise(scene, field.fact, (of, shown), against) else { continue };
                    if when.holds(&Supposing { rules, view: &view, field, value }) {
                        self.struck(scene, of, against, shown);
                    }
                }
            }
        }
    }
}

/// The value that a fact about arcs would have if a unit were attacked from its front or, for a unit with all-around
/// facing, if it faced only one way. `None` if that would not change it.
fn otherwise(scene: Scene<'_>, fact: Fact, (of, shown): (UnitId, Arc), against: UnitId) -> Option<i32> {
    let (rules, setup, battle) = (scene.rules, scene.setup, scene.battle);
    let (unit, by) = (battle.unit(of), battle.unit(against));
    if !rules.formations[unit.formation].all_round {
        return (fact == Fact::Exposed && shown != Arc::Front).then_some(Arc::Front as i32);
    }
    let arc = figures_arc(rules, &unit.rect(rules), (by, &by.rect(rules)));
    if arc == Arc::Front {
        return None;
    }
    let scratch = Scratch::new();
    let about = Neighbours { rules, setup, battle, scratch: &scratch };
    match fact {
        Fact::Exposed => Some(arc as i32),
        Fact::Enfiladed => about.rakes(against, of).then_some(1),
        _ => None,
    }
}
