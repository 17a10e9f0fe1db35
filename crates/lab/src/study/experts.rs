//! Perfect players who choose from the orders of a doctrine other than their side's.

use std::sync::Arc;

use grognard_engine::{BySide, Deployment, Misdeployment, Setup, Side, SidePlan, deploy};
use grognard_rules::model::Rules;

/// The initial positions of a cell for perfect players, if a side's doctrine names another one from which they choose
/// orders.
#[derive(Clone, Debug)]
pub struct Experts {
    /// The other doctrines, by side; `None` if a perfect player has the orders of the side's own.
    doctrines: [Option<String>; 2],
    /// The initial position if the first, the second or both sides have the orders of the other doctrine; `None` if
    /// that makes no difference.
    begins: [Option<Begins>; 3],
}

/// The initial position of a cell.
#[derive(Clone, Debug)]
struct Begins {
    setup: Setup,
    swapped: Option<Setup>,
}

impl Experts {
    /// The experts of a deployment of two sides; `None` if all perfect players have the orders of their sides' own
    /// doctrines.
    ///
    /// # Errors
    /// The other doctrines need something that the rules do not allow in this deployment.
    pub(super) fn of(
        rules: &Rules,
        deployment: &Deployment,
        both_ways: bool,
    ) -> Result<Option<Arc<Self>>, Vec<Misdeployment>> {
        if deployment.sides.count() != 2 {
            return Ok(None);
        }
        let others: [Option<SidePlan>; 2] = Side::BOTH.map(|side| deployment.sides[side].at_best(rules));
        if others.iter().all(Option::is_none) {
            return Ok(None);
        }
        let begin = |play_best: [bool; 2]| -> Result<Option<Begins>, Vec<Misdeployment>> {
            let has_others = |side: Side| others[side.index()].as_ref().filter(|_| play_best[side.index()]);
            if Side::BOTH.iter().all(|&side| has_others(side).is_none()) {
                return Ok(None);
            }
            let side = |side: Side| has_others(side).unwrap_or(&deployment.sides[side]).clone();
            let deployment = Deployment { sides: BySide::from_fn(side), ..deployment.clone() };
            let swapped = both_ways.then(|| deploy(rules, &deployment.swapped())).transpose()?;
            Ok(Some(Begins { setup: deploy(rules, &deployment)?, swapped }))
        };
        let begins = [begin([true, false])?, begin([false, true])?, begin([true, true])?];
        let doctrines = others.map(|other| other.and_then(|side| side.doctrine));
        Ok(Some(Arc::new(Self { doctrines, begins })))
    }

    /// The doctrine whose orders the perfect player of a side chooses from; `None` if it is the side's own.
    #[must_use]
    pub fn doctrine(&self, side: Side) -> Option<&str> {
        self.doctrines[side.index()].as_deref()
    }

    /// The initial position if these sides play perfectly, also with the roles of the sides exchanged; `None` if it is
    /// the same as with the doctrines.
    pub(super) fn begins(&self, play_best: [bool; 2]) -> Option<(&Setup, Option<&Setup>)> {
        let place = match play_best {
            [false, false] => return None,
            [true, false] => 0,
            [false, true] => 1,
            [true, true] => 2,
        };
        self.begins[place].as_ref().map(|begins| (&begins.setup, begins.swapped.as_ref()))
    }
}
