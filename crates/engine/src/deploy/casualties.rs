//! Casualty orders that name no unit of a battle.

use grognard_rules::model::{Bearer, HitFirst, Phase, Rules};

use crate::deploy::plan::{Deployment, Misdeployment, cited};
use crate::situation::view::View;
use crate::state::{Setup, Side, UnitId};
use crate::step::scratch::Scratch;

/// Reports casualty orders that name no unit of the battle, so that all hits would be lost. It checks the phases in
/// which units take part when the battle begins. If no order at all names a unit, it always reports the first. It is
/// not an error if only one side has no unit that takes hits: its enemies may not fire, for example.
pub(crate) fn check(rules: &Rules, plan: &Deployment, setup: &Setup, faults: &mut Vec<Misdeployment>) {
    let units = &setup.start.units;
    let names_one = |first: &HitFirst| match first {
        HitFirst::Order(order) => units.iter().any(|unit| order.contains(&Bearer::Kind(unit.kind))),
        HitFirst::Least(_) | HitFirst::Chances(_) => true,
    };
    let all = rules.phases.iter().filter_map(|phase| Some((phase, phase.casualties.as_deref()?)));
    let (named, lost): (Vec<_>, Vec<_>) = all.partition(|(_, casualties)| names_one(&casualties.first));
    let Some(unit) = units.first() else { return };
    let kind = &rules.kinds[unit.kind].id;
    for (number, (phase, casualties)) in lost.into_iter().enumerate() {
        let alone = named.is_empty() && number == 0;
        if !alone && !fires(rules, setup, phase) {
            continue;
        }
        faults.push(Misdeployment {
            path: format!("{}.units", plan.sides[Side::First].name),
            message: format!(
                "the casualty order of `{}` names no unit in this battle{}",
                phase.id,
                cited(&casualties.source)
            ),
            help: Some(format!(
                "name `{kind}` in `phase.{}.casualties.order`, or deploy a type that it names",
                phase.id
            )),
        });
    }
}

/// Whether a unit takes part in a phase when the battle begins.
fn fires(rules: &Rules, setup: &Setup, phase: &Phase) -> bool {
    let Some(when) = &phase.when else { return true };
    let (start, scratch) = (&setup.start, Scratch::new());
    let ids = || (0..start.units.len()).map(|index| UnitId(index as u8));
    let holds = |own, foe| when.get(&View::new(rules, setup, start, &scratch, own, Some(foe))) != 0;
    ids().any(|own| start.enemies(start.unit(own).side).any(|foe| holds(own, foe)))
}
