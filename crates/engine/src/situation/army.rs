//! Facts about a whole side: the value of its units, and its losses.

use grognard_rules::model::Army;
use grognard_rules::situation::ArmyFact;

use crate::situation::view::View;
use crate::state::{Side, UnitId, Units};

/// The current value of a fact about a side.
pub(crate) fn army_fact(view: &View<'_>, side: Side, enemy: bool, fact: ArmyFact) -> i32 {
    let Some(army) = view.rules.army.as_deref() else { return 0 };
    let all = Units::first(view.battle.units.len());
    let units = match (enemy, view.scratch.about) {
        (false, _) => view.battle.units_of(side),
        (true, None) => all.among(view.battle.enemy_units(side)),
        (true, Some(enemy)) => view.battle.units_of(enemy),
    };
    let units = units.filter(|&id| !view.battle.is_part(id) && !view.battle.unit(id).is_place());
    let about = |id: UnitId| View::new(view.rules, view.setup, view.battle, view.scratch, id, None);
    let count = |id: UnitId| army.count.as_ref().map_or(1, |count| count.get(&about(id)));
    let sum = |counts: &dyn Fn(UnitId) -> bool| units.clone().filter(|&id| counts(id)).map(count).sum();
    match fact {
        ArmyFact::Start => sum(&|_| true),
        ArmyFact::Lost => sum(&|id| is_lost(view, army, id)),
        ArmyFact::Broken => sum(&|id| {
            let unit = view.battle.unit(id);
            !unit.gone() && unit.broken(view.rules)
        }),
        ArmyFact::Best => {
            let able = units.filter(|&id| !view.battle.unit(id).broken(view.rules));
            army.best.as_ref().and_then(|best| able.map(|id| best.get(&about(id))).max()).unwrap_or(0)
        }
    }
}

/// Whether a unit counts as lost.
fn is_lost(view: &View<'_>, army: &Army, id: UnitId) -> bool {
    let unit = view.battle.unit(id);
    match &army.lost {
        _ if unit.gone() => unit.gone_for_enemy(),
        Some(lost) => lost.get(&View::new(view.rules, view.setup, view.battle, view.scratch, id, None)) != 0,
        None => unit.broken(view.rules),
    }
}
