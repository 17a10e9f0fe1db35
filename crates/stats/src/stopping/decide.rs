//! Deciding which of two is better, from pairs of battles, as soon as it is clear.

use std::ops::RangeInclusive;

use super::betting::{Evidence, evidence};
use super::watched::mean_watched;
use crate::{Estimate, Level};

/// The evidence from pairs of battles on which of two is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// The mean difference, with an interval that is valid at every look.
    pub difference: Estimate,
    /// The evidence against there being no difference.
    pub evidence: Evidence,
    /// Whether the evidence is enough: the interval does not contain 0.
    pub decided: bool,
}

/// The evidence from paired differences, all within `range`, on whether their mean is above or below 0.
///
/// `counts` are the differences (the first's score minus the second's) with their counts. It may be called after every
/// pair: if there is no difference, the chance of ever reporting one is at most 1 − `level`; if there is one, the
/// chance of ever reporting the wrong one is at most half of that. `range` must contain 0.
#[must_use]
pub fn decide<C>(counts: C, range: &RangeInclusive<i32>, level: Level) -> Decision
where
    C: IntoIterator<Item = (i32, u64)> + Clone,
{
    let evidence = evidence(counts.clone(), range, 0.0);
    Decision { difference: mean_watched(counts, range, level), evidence, decided: evidence.is_enough(level) }
}
