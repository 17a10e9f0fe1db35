//! Orders of casualties that name no unit of a battle.

use grognard_rules::model::{Bearer, HitFirst, Rules};

use crate::deploy::plan::{Deployment, Misdeployment, cited};
use crate::state::{Battle, Side};

/// Reports a battle in which no order of casualties names any unit: all hits would be lost. One side alone may have no unit that
/// takes hits, for example if its enemies do not fire.
pub(crate) fn check(rules: &Rules, plan: &Deployment, battle: &Battle, faults: &mut Vec<Misdeployment>) {
    let all = || rules.phases.iter().filter_map(|phase| Some((phase, phase.casualties.as_deref()?)));
    let Some((phase, casualties)) = all().next() else { return };
    let names_one = |first: &HitFirst| match first {
        HitFirst::Order(order) => battle.units.iter().any(|unit| order.contains(&Bearer::Kind(unit.kind))),
        HitFirst::Least(_) | HitFirst::Chances(_) => true,
    };
    let Some(unit) = battle.units.first().filter(|_| !all().any(|(_, casualties)| names_one(&casualties.first))) else {
        return;
    };
    let kind = &rules.kinds[unit.kind].id;
    let clauses = cited(&casualties.source);
    faults.push(Misdeployment {
        path: format!("{}.units", plan.sides[Side::First].name),
        message: format!("the order of casualties of `{}` names no unit of this battle{clauses}", phase.id),
        help: Some(format!("name `{kind}` in `phase.{}.casualties.order`, or deploy a type that it names", phase.id)),
    });
}
