//! Features that battles of three and four sides cannot have.

use grognard_rules::model::Rules;

use crate::deploy::plan::{Approach, Deployment, Misdeployment};

/// Reports settings that are only for two sides.
pub(super) fn check(rules: &Rules, plan: &Deployment, faults: &mut Vec<Misdeployment>) {
    if plan.sides.count() == 2 {
        return;
    }
    let mut refuse = |path: String, what: &str, help: &str| {
        let message = format!("{what}, but this battle has {} sides", plan.sides.count());
        faults.push(Misdeployment { path, message, help: Some(help.into()) });
    };
    if plan.distance.is_some() {
        refuse("distance".into(), "a distance is measured between two sides", "give the units places with `at`");
    }
    if plan.approach != Approach::Front {
        refuse("approach".into(), "an approach needs two sides", "give the units places with `at`");
    }
    let array = plan.sides.iter().find(|side| side.array.is_some());
    if let Some(side) = array {
        let path = format!("{}.deployment", side.name);
        refuse(path, "a named deployment draws up two sides against each other", "give the units places with `at`");
    }
    if rules.hex.as_ref().is_some_and(|hex| hex.deck.is_some()) {
        let side = &plan.sides.first;
        refuse(
            format!("{}.units", side.name),
            "the pack has cards for two players",
            "use two sides, or a pack without cards",
        );
    }
}
