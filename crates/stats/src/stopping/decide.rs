//! Which of two, from pairs of battles, as soon as it is clear.

use std::ops::RangeInclusive;

use super::betting::{Evidence, evidence};
use super::watched::mean_watched;
use crate::{Estimate, Level};

/// What pairs of battles say about which of two is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The mean difference, with an interval that holds at every look.
    pub difference: Estimate,
    /// The evidence against there being none.
    pub evidence: Evidence,
    /// Whether it is enough: the interval does not hold 0.
    pub decided: bool,
}

/// What paired differences, all within `range`, say of their mean: whether it is more or less than nothing.
///
/// `counts` are the differences (the first's score less the second's) with how often each occurred. It may be asked after
/// every pair: if there is no difference, the chance of ever being told of one is at most 1 − `level`; if there is one, the
/// chance of ever being told the wrong one is at most half of that. `range` must hold 0.
#[must_use]
pub fn decide<C>(counts: C, range: &RangeInclusive<i32>, level: Level) -> Decision
where
    C: IntoIterator<Item = (i32, u64)> + Clone,
{
    let evidence = evidence(counts.clone(), range, 0.0);
    Decision { difference: mean_watched(counts, range, level), evidence, decided: evidence.is_enough(level) }
}
