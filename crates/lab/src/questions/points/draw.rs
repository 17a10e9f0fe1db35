//! Armies drawn at random from those of a study.

use grognard_engine::{Deployment, SidePlan, UnitPlan};

use crate::questions::chances::Chances;

/// Another army for each side: some of its units, each of any of the types. Units of types that are kept stay.
///
/// The two armies have as many other units, or one more or less: battles whose winner is certain say nothing.
pub(super) fn armies(plan: &Deployment, types: &[String], kept: &[String], chances: &mut Chances) -> Deployment {
    let mut drawn = plan.clone();
    let slots = |side: &SidePlan| -> Vec<usize> {
        (0..side.units.len()).filter(|&at| !kept.contains(&side.units[at].kind)).collect()
    };
    let (first, second) = (slots(&plan.sides.first), slots(&plan.sides.second));
    let own = 1 + chances.below(first.len().max(1));
    let most = (own + 1).min(second.len());
    let least = (own - 1).max(1).min(most);
    let other = least + chances.below(most - least + 1);
    for (side, slots, count) in [(&mut drawn.sides.first, first, own), (&mut drawn.sides.second, second, other)] {
        redraw(side, slots, count, types, chances);
    }
    drawn
}

/// Leaves so many of the units at `slots`, each with a type of its own.
fn redraw(side: &mut SidePlan, mut slots: Vec<usize>, count: usize, types: &[String], chances: &mut Chances) {
    let mut gone = Vec::new();
    while slots.len() > count {
        gone.push(slots.remove(chances.below(slots.len())));
    }
    for slot in slots {
        let kind = &types[chances.below(types.len())];
        let unit = &mut side.units[slot];
        if unit.kind != *kind {
            // What the study says of the old type's figures means nothing for the new one.
            *unit = UnitPlan {
                kind: kind.clone(),
                figures: None,
                cannon: None,
                abreast: None,
                screen: None,
                ..unit.clone()
            };
        }
    }
    let stays = |at: usize| !gone.contains(&at);
    for general in &mut side.generals {
        general.with = general
            .with
            .filter(|&with| stays(usize::from(with)))
            .map(|with| (0..usize::from(with)).filter(|&at| stays(at)).count() as u16);
    }
    let mut at = 0..;
    side.units.retain(|_| at.next().is_some_and(stays));
}

/// The same, with every unit that is not kept in the formation that its type begins in.
pub(super) fn in_usual_formations(plan: &Deployment, kept: &[String]) -> Deployment {
    let mut plan = plan.clone();
    for side in [&mut plan.sides.first, &mut plan.sides.second] {
        for unit in side.units.iter_mut().filter(|unit| !kept.contains(&unit.kind)) {
            (unit.formation, unit.frontage) = (None, None);
        }
    }
    plan
}

/// Units of each type that the first side has more than the second.
pub(super) fn more(plan: &Deployment, types: &[String]) -> Vec<i32> {
    let count = |side: &SidePlan, kind: &str| side.units.iter().filter(|unit| unit.kind == kind).count() as i32;
    types.iter().map(|kind| count(&plan.sides.first, kind) - count(&plan.sides.second, kind)).collect()
}

#[cfg(test)]
mod tests {
    use grognard_engine::{BySide, GeneralPlan};

    use super::*;

    #[test]
    fn armies_are_near_in_size_and_generals_stay_with_their_units() {
        let unit = |kind: &str| UnitPlan { kind: kind.to_owned(), figures: Some(7), ..UnitPlan::default() };
        let general = GeneralPlan { name: "g".to_owned(), with: Some(3), ..GeneralPlan::default() };
        let side = |units: &[&str]| SidePlan {
            units: units.iter().map(|kind| unit(kind)).collect(),
            generals: vec![general.clone()],
            ..SidePlan::default()
        };
        let sides = BySide::new(side(&["a", "b", "leader", "guard"]), side(&["b", "b", "leader", "guard", "a", "a"]));
        let plan = Deployment { sides, ..Deployment::default() };
        let types = ["a", "b", "c"].map(str::to_owned);
        let kept = ["leader", "guard"].map(str::to_owned);
        let mut chances = Chances(5);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..400 {
            let drawn = armies(&plan, &types, &kept, &mut chances);
            let priced = |side: &SidePlan| side.units.iter().filter(|unit| types.contains(&unit.kind)).count();
            assert_eq!(priced(&drawn.sides.first) + 2, drawn.sides.first.units.len());
            let (own, other) = (priced(&drawn.sides.first), priced(&drawn.sides.second));
            assert!((1..=2).contains(&own) && (1..=4).contains(&other) && own.abs_diff(other) <= 1, "{drawn:?}");
            for side in [&drawn.sides.first, &drawn.sides.second] {
                // The fourth unit, with whom the general is, is never drawn anew.
                let with = side.generals[0].with.expect("his unit");
                assert_eq!(side.units[usize::from(with)], unit("guard"));
                assert!(side.units.contains(&unit("leader")));
            }
            seen.insert((own, other, more(&drawn, &types)));
        }
        assert!(seen.len() > 20, "{seen:?}");
    }
}
