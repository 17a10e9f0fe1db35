//! A bag of orders whose chips the units of a study put in.

use grognard_expr::{Situation, Var};
use grognard_rules::model::{Chips, Kind, Next, Rules};
use grognard_rules::situation::{Fact, Field, Subject};

use super::plan::{Deployment, Misdeployment};
use crate::state::Battle;

/// Reports a bag into which no unit of the study ever puts a chip.
pub(super) fn check(rules: &Rules, plan: &Deployment, battle: &Battle, faults: &mut Vec<Misdeployment>) {
    let Some(Next::Drawn(bag)) = rules.turn_order.as_ref().map(|order| &order.next) else { return };
    let Chips::OfUnits(chips) = &bag.chips else { return };
    let puts_none_in = |kind: u8| {
        let kind = OfKind { rules, index: kind, kind: &rules.kinds[usize::from(kind)] };
        chips.told(&kind, |var| kind.reads(var).is_some()).is_some_and(|chips| chips <= 0)
    };
    if battle.units.iter().all(|unit| puts_none_in(unit.kind)) {
        faults.push(Misdeployment {
            path: format!("{}.units", plan.sides.first.name),
            message: "the bag has no chips: no unit of either side puts one in".into(),
            help: Some("add a unit of a type that does, or change `activation.bag.chips`".into()),
        });
    }
}

/// What a unit is, whatever happens to it.
struct OfKind<'a> {
    rules: &'a Rules,
    index: u8,
    kind: &'a Kind,
}

impl OfKind<'_> {
    /// The value of a name, unless it can change in a battle.
    fn reads(&self, var: Var) -> Option<i32> {
        let Field { subject: Subject::Own, fact } = self.rules.field(var) else { return None };
        match fact {
            Fact::Kind => Some(self.index.into()),
            Fact::Arm => Some(self.kind.arm.into()),
            Fact::Attribute(index) => self.kind.attributes.get(usize::from(index)).map(|&value| value.into()),
            Fact::Trait(index) => Some((self.kind.traits >> index & 1) as i32),
            _ => None,
        }
    }
}

impl Situation for OfKind<'_> {
    fn value(&self, var: Var) -> i32 {
        self.reads(var).unwrap_or(0)
    }
}
