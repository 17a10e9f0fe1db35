//! What the battles of one cell come to.

use grognard_engine::{BySide, METRICS, Outcome, Side};
use grognard_exact::{Effort, Number, Solution};

use crate::tally::{ByMetric, Verdict};

/// The odds of one cell, worked out: what a tally counts, as probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct CellOdds {
    /// The probability of each verdict, by [`Verdict::index`].
    pub outcomes: [Number; 3],
    /// Game turns fought.
    pub turns: Odds,
    /// Each metric of each side.
    pub metrics: BySide<ByMetric<Odds>>,
    /// The most that the battles which were left out can add to any probability; 0 where none were.
    pub left_out: f64,
    /// The most by which rounding may have moved a probability.
    pub error: f64,
    /// How much work it was.
    pub effort: Effort,
}

/// A value that every battle has, worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// The probability of each value, in ascending order.
    pub values: Vec<(u32, Number)>,
    /// The mean.
    pub mean: Number,
}

impl Odds {
    /// The probability of the values for which `holds`, as near as floating point has it.
    #[must_use]
    pub fn chance(&self, holds: impl Fn(u32) -> bool) -> f64 {
        self.values.iter().filter(|(value, _)| holds(*value)).map(|(_, number)| number.value).sum()
    }
}

impl CellOdds {
    pub(super) fn of(solution: &Solution) -> Self {
        let of =
            |value: &dyn Fn(&Outcome) -> u32| Odds { values: solution.distribution(value), mean: solution.mean(value) };
        let outcomes = Verdict::ALL.map(|verdict| solution.chance(|outcome| Verdict::of(outcome.winner) == verdict));
        let turns = of(&|outcome| u32::from(outcome.turns));
        let metrics = BySide::from_fn(|side: Side| {
            METRICS.each_ref().map(|metric| of(&|outcome| u32::from(metric.of(&outcome.sides[side]))))
        });
        let all = solution.chance(|_| true);
        Self { outcomes, turns, metrics, left_out: solution.left_out(), error: all.error, effort: solution.effort() }
    }
}
