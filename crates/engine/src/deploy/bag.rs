//! Bags to which the units of a study contribute chips.

use grognard_rules::model::{Chips, KindId, Next, Rules};

use super::of_kind::OfKind;
use super::plan::{Deployment, Misdeployment};
use crate::state::Battle;

/// Reports a bag if no unit of the study ever contributes a chip to it.
pub(super) fn check(rules: &Rules, plan: &Deployment, battle: &Battle, faults: &mut Vec<Misdeployment>) {
    let Some(Next::Drawn(bag)) = rules.turn_order.as_ref().map(|order| &order.next) else { return };
    let Chips::OfUnits(chips) = &bag.chips else { return };
    let puts_none_in = |kind: KindId| {
        let kind = OfKind::new(rules, kind);
        chips.decided(&kind, |var| kind.reads(var).is_some()).is_some_and(|chips| chips <= 0)
    };
    if battle.units.iter().all(|unit| puts_none_in(unit.kind)) {
        faults.push(Misdeployment {
            path: format!("{}.units", plan.sides.first.name),
            message: "the bag has no chips: no unit of either side puts one in".into(),
            help: Some("add a unit of a type that does, or change `activation.bag.chips`".into()),
        });
    }
}
