//! What the battles of one cell come to.

use std::collections::BTreeMap;

use grognard_engine::{BySide, METRICS, Outcome, Side, SideOutcome};
use grognard_exact::{Effort, Number, Solution};
use serde::{Deserialize, Serialize};

use crate::tally::{ByMetric, Verdict};

/// The odds of one cell, worked out: what a tally counts, as probabilities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellOdds {
    /// The probability of each verdict, by [`Verdict::index`].
    pub outcomes: [Number; 3],
    /// Game turns fought.
    pub turns: Odds,
    /// Each metric of each side.
    pub metrics: BySide<ByMetric<Odds>>,
    /// Every way in which a battle can end, as the rules can reach it, with its probability; in order of winner, turns and what
    /// became of the sides.
    pub ends: Vec<End>,
    /// The most that the battles which were left out can add to any probability; 0 where none were.
    #[serde(with = "grognard_exact::bits")]
    pub left_out: f64,
    /// The most by which rounding may have moved a probability.
    #[serde(with = "grognard_exact::bits")]
    pub error: f64,
    /// How much work it was.
    pub effort: Effort,
}

/// A way in which battles can end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// What it came to: what is kept of a battle that was fought.
    pub outcome: Outcome,
    /// How likely it is.
    pub chance: Number,
}

/// A value that every battle has, worked out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Odds {
    /// The probability of each value, in ascending order.
    pub values: Vec<(u32, Number)>,
    /// The mean; of what not every battle has, over the battles that have it, and 0 if none can.
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
    /// How likely it is that so many units of a side are broken at the end, and so many of the others shaken.
    #[must_use]
    pub fn final_states(&self, side: Side) -> Vec<([u8; 2], f64)> {
        let mut states: BTreeMap<[u8; 2], f64> = BTreeMap::new();
        for End { outcome, chance } in &self.ends {
            let side = &outcome.sides[side];
            *states.entry([side.broken, side.shaken]).or_default() += chance.value;
        }
        states.into_iter().collect()
    }

    pub(super) fn of(solution: &Solution) -> Self {
        let of =
            |value: &dyn Fn(&Outcome) -> u32| Odds { values: solution.distribution(value), mean: solution.mean(value) };
        let outcomes = Verdict::ALL.map(|verdict| solution.chance(|outcome| Verdict::of(outcome.winner) == verdict));
        let turns = of(&|outcome| u32::from(outcome.turns));
        let metrics = BySide::from_fn(|side: Side| {
            METRICS.each_ref().map(|metric| {
                let value = |outcome: &Outcome| u32::from(metric.of(&outcome.sides[side]));
                let all = of(&value);
                if !metric.partial {
                    return all;
                }
                let some = solution.chance(|outcome| value(outcome) > 0);
                Odds { mean: all.mean.over(&some).unwrap_or_default(), ..all }
            })
        });
        let all = solution.chance(|_| true);
        let mut ends: Vec<End> =
            solution.outcomes().map(|(outcome, chance)| End { outcome: kept(*outcome), chance }).collect();
        ends.sort_by_key(|end| key(&end.outcome));
        Self {
            ends,
            outcomes,
            turns,
            metrics,
            left_out: solution.left_out(),
            error: all.error,
            effort: solution.effort(),
        }
    }
}

/// What is kept of an outcome: what the sides began with is the same for all battles of a cell.
fn kept(outcome: Outcome) -> Outcome {
    Outcome { sides: outcome.sides.map(|side| SideOutcome { start: 0, units: 0, ..side }), ..outcome }
}

/// What sets the ends of a cell's battles apart, in the order in which they are listed.
fn key(outcome: &Outcome) -> [u16; 10] {
    let [first, second] = [Side::First, Side::Second].map(|side| {
        let side = &outcome.sides[side];
        [side.losses, u16::from(side.broken), u16::from(side.shaken), u16::from(side.first_break)]
    });
    let mut key = [0; 10];
    key[0] = Verdict::of(outcome.winner).index() as u16;
    key[1] = u16::from(outcome.turns);
    key[2..6].copy_from_slice(&first);
    key[6..].copy_from_slice(&second);
    key
}
