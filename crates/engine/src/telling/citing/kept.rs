//! What the arcs keep from happening.

use grognard_expr::{Expr, Situation, Var};
use grognard_rules::model::{Contestant, Roll, Rules, Trigger};
use grognard_rules::situation::{Fact, Field, Subject};

use crate::geometry::plane::Arc;
use crate::situation::view::View;
use crate::state::UnitId;
use crate::step::reactions::fires;
use crate::step::scratch::Scratch;
use crate::telling::citing::Behind;
use crate::telling::event::{RollEvent, Scene};

/// A view in which one thing is taken to be otherwise.
struct Supposing<'a> {
    rules: &'a Rules,
    view: View<'a>,
    field: Field,
    value: i32,
}

impl Situation for Supposing<'_> {
    fn value(&self, var: Var) -> i32 {
        if self.rules.field(var) == self.field { self.value } else { self.view.value(var) }
    }
}

impl<'a> Behind<'a> {
    /// A charge was declared that its target does not fire at, because it comes from where the target's fire does not reach (7.51).
    pub(super) fn unanswered(&mut self, scene: Scene<'a>, target: UnitId, charger: UnitId) {
        let rules = scene.rules;
        let unit = scene.battle.unit(target);
        if unit.broken(rules) || unit.forming > 0 {
            return;
        }
        let scratch = Scratch::new();
        let view = View::new(rules, scene.setup, scene.battle, &scratch, target, Some(charger));
        let field = Field { subject: Subject::Own, fact: Fact::Exposed };
        let from_front = Supposing { rules, view, field, value: Arc::Front as i32 };
        let kept = rules.reactions.iter().filter(|row| row.on == Trigger::Charged && fires(rules, row)).any(|row| {
            row.when.as_ref().is_some_and(|when| when.get(&from_front.view) == 0 && when.get(&from_front) != 0)
        });
        if kept {
            self.cite_of(&rules.arc_source.fires, Some((target, Some(charger))));
        }
    }

    /// A shot at a flank has no benefit that it would have if it went along the whole of its target (7.54a).
    pub(super) fn not_raked(&mut self, scene: Scene<'a>, roll: &'a Roll, event: &RollEvent) {
        let rules = scene.rules;
        let field = Field { subject: Subject::Foe, fact: Fact::Enfiladed };
        let reads = |when: &Expr| when.vars().any(|var| rules.field(var) == field);
        let read = |row: usize| roll.modifiers[row].when.as_ref().filter(|when| reads(when));
        // Where another modifier applies in its stead, the shot loses nothing.
        if event.exposed.1 != Arc::Flank || event.modifiers.iter().any(|&(_, row)| read(row).is_some()) {
            return;
        }
        let about = Some((event.own, event.foe));
        let scratch = Scratch::new();
        let view = View::new(rules, scene.setup, scene.battle, &scratch, event.own, event.foe);
        let raked = Supposing { rules, view, field, value: 1 };
        for &row in roll.inputs.iter().filter(|input| input.by == Contestant::Own).flat_map(|input| &input.rows) {
            if read(usize::from(row)).is_some_and(|when| when.holds(&raked)) {
                self.cite_of(&roll.modifiers[usize::from(row)].source, about);
            }
        }
    }
}
