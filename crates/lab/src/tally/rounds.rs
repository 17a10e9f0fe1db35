//! Battles fought both ways: two battles with the same dice, the second with the roles of the sides exchanged.
//!
//! The two are one observation, so their sum is counted. The interval of a mean is therefore correct: narrower than
//! that of as many independent battles if luck that favours a role cancels out.

use grognard_engine::{BySide, METRICS, Outcome, Outcomes, Side};
use serde::{Deserialize, Serialize};

use super::{ByMetric, Histogram, Verdict, merge_metrics};

/// Counts of the joint result of the two battles of a round; or of its difference from the baseline's round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundTally {
    /// How many of the two battles had each verdict, by [`Verdict::index`].
    pub verdicts: [Histogram; 3],
    /// The first side's wins minus the second's.
    pub margin: Histogram,
    /// Game turns of both battles.
    pub turns: Histogram,
    /// Each metric of each side, summed over both battles.
    pub metrics: BySide<ByMetric<Histogram>>,
}

impl RoundTally {
    /// Counts rounds: battles 0 and 1 of `outcomes`, 2 and 3, and so on.
    pub fn count(&mut self, outcomes: &Outcomes) {
        self.enter(outcomes.len() / 2, |round, value| value(&outcomes[2 * round]) + value(&outcomes[2 * round + 1]));
    }

    /// Counts rounds minus those of the baseline with the same dice.
    pub fn count_differences(&mut self, outcomes: &Outcomes, baseline: &Outcomes) {
        let sum = |of: &Outcomes, round: usize, value: &dyn Fn(&Outcome) -> i32| {
            value(&of[2 * round]) + value(&of[2 * round + 1])
        };
        self.enter(outcomes.len().min(baseline.len()) / 2, |round, value| {
            sum(outcomes, round, value) - sum(baseline, round, value)
        });
    }

    /// Adds the rounds of another tally.
    pub fn merge(&mut self, other: &Self) {
        for (histogram, more) in self.verdicts.iter_mut().zip(&other.verdicts) {
            histogram.merge(more);
        }
        self.margin.merge(&other.margin);
        self.turns.merge(&other.turns);
        merge_metrics(&mut self.metrics, &other.metrics);
    }

    /// Every histogram, one after another.
    pub fn histograms(&self) -> impl Iterator<Item = &Histogram> {
        let metrics = Side::BOTH.into_iter().flat_map(|side| &self.metrics[side]);
        self.verdicts.iter().chain([&self.margin, &self.turns]).chain(metrics)
    }

    /// Enters the results of `of` for each value in each round.
    fn enter(&mut self, rounds: usize, of: impl Fn(usize, &dyn Fn(&Outcome) -> i32) -> i32) {
        let all = |value: &dyn Fn(&Outcome) -> i32| (0..rounds).map(|round| of(round, value)).collect::<Vec<i32>>();
        for (verdict, histogram) in Verdict::ALL.into_iter().zip(&mut self.verdicts) {
            histogram.add_all(all(&|outcome| i32::from(Verdict::of(outcome.winner) == verdict)).into_iter());
        }
        let margin = |outcome: &Outcome| match outcome.winner {
            Some(Side::First) => 1,
            Some(Side::Second) => -1,
            _ => 0,
        };
        self.margin.add_all(all(&margin).into_iter());
        self.turns.add_all(all(&|outcome| i32::from(outcome.turns)).into_iter());
        for side in Side::BOTH {
            for (metric, histogram) in METRICS.iter().zip(&mut self.metrics[side]) {
                histogram.add_all(all(&|outcome| i32::from(metric.of(&outcome.sides[side]))).into_iter());
            }
        }
    }
}
