//! Combinations of inputs that have the same odds, so that they are computed once.
//!
//! Example: if results read nothing but the margin, +3 against +1 is the same as +2 against 0.

use super::late::Plan;
use super::odds_table::Inputs;
use super::weights::Budget;
use super::{Mechanic, RollError, Totals};

/// Which combinations have the same odds as an earlier one.
pub(super) enum Alike<'p> {
    /// None, as far as is known.
    None,
    /// Those with the same difference of these two inputs and the same other inputs.
    Difference([usize; 2]),
    /// Those that a pool's plan puts at the same place.
    Planned(&'p Plan),
}

impl<'p> Alike<'p> {
    /// The combinations that are alike if only these totals are read: bit `k` stands for total `k`.
    pub(super) fn of(mechanic: &Mechanic, plan: Option<&'p Plan>, reads: u8) -> Self {
        if let Some(plan) = plan {
            return Self::Planned(plan);
        }
        let amounts = mechanic.procedure().amounts();
        let occurs_once = |input: usize| amounts.iter().filter(|amount| amount.input == Some(input)).count() == 1;
        match mechanic.procedure().compared(reads).map(|compared| compared.map(|amount| amount.input)) {
            Some([Some(one), Some(other)]) if occurs_once(one) && occurs_once(other) => Self::Difference([one, other]),
            _ => Self::None,
        }
    }

    /// The first combination that has the same odds as this one.
    pub(super) fn first(&self, combination: usize, inputs: &Inputs) -> usize {
        match self {
            Self::None => combination,
            Self::Difference(pair) => inputs.lowered(combination, *pair),
            Self::Planned(plan) => plan.example(combination),
        }
    }

    /// The weights of all totals in a combination with these inputs.
    pub(super) fn work_out(
        &self,
        mechanic: &Mechanic,
        combination: (usize, &[i32]),
        budget: &mut Budget,
    ) -> Result<Vec<(Totals, u128)>, RollError> {
        match self {
            Self::Planned(plan) => plan.work_out(mechanic, combination, budget),
            Self::None | Self::Difference(_) => mechanic.work_out(combination.1, budget),
        }
    }
}
