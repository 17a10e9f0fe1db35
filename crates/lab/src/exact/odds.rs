//! The results of all battles of one cell.

use std::collections::BTreeMap;

use grognard_engine::{BySide, METRICS, Outcome, SIDES_MAX, Side, SideOutcome};
use grognard_exact::{Effort, Number, Solution};
use serde::{Deserialize, Serialize};

use crate::tally::{ByMetric, VERDICTS, Verdict};

/// The odds of one cell: the numbers of a tally, as probabilities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellOdds {
    /// The probability of each verdict, by [`Verdict::index`].
    pub outcomes: [Number; VERDICTS],
    /// Game turns fought.
    pub turns: Odds,
    /// Each metric of each side.
    pub metrics: BySide<ByMetric<Odds>>,
    /// The metrics of the pack that the study requests and that depend only on the ends of battles, by side, in the
    /// order of the manifest.
    #[serde(default)]
    pub counted: BySide<Vec<Counted>>,
    /// Every possible end of a battle under the rules, with its probability; in order of winner, turns and the sides'
    /// outcomes.
    pub ends: Vec<End>,
    /// The maximum that battles left out can add to any probability; 0 if none were left out.
    #[serde(with = "grognard_exact::bits")]
    pub left_out: f64,
    /// The maximum rounding error of a probability.
    #[serde(with = "grognard_exact::bits")]
    pub error: f64,
    /// The amount of work.
    pub effort: Effort,
}

/// A way in which battles can end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The outcome, in the same form as that of a fought battle.
    pub outcome: Outcome,
    /// The metrics of the pack, in the order of [`CellOdds::counted`]: those of the first side, followed by those of
    /// the other sides.
    #[serde(default)]
    pub counted: Vec<i32>,
    /// Its probability.
    pub chance: Number,
}

/// A metric of the pack, which may be below zero.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// The probability of each value, in ascending order.
    pub values: Vec<(i32, Number)>,
    /// The mean.
    pub mean: Number,
}

/// A value of each battle, with its probabilities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Odds {
    /// The probability of each value, in ascending order.
    pub values: Vec<(u32, Number)>,
    /// The mean. For a value that not every battle has, it is the mean over the battles that have it, and 0 if none
    /// can.
    pub mean: Number,
}

impl Odds {
    /// The probability of the values that satisfy `holds`, in floating point.
    #[must_use]
    pub fn chance(&self, holds: impl Fn(u32) -> bool) -> f64 {
        self.values.iter().filter(|(value, _)| holds(*value)).map(|(_, number)| number.value).sum()
    }
}

impl CellOdds {
    /// The probability of each pair of numbers at the end: the routed units of a side, and those of its other units
    /// that are shaken.
    #[must_use]
    pub fn final_states(&self, side: Side) -> Vec<([u8; 2], f64)> {
        let mut states: BTreeMap<[u8; 2], f64> = BTreeMap::new();
        for End { outcome, chance, .. } in &self.ends {
            let side = &outcome.sides[side];
            *states.entry([side.routed_units, side.shaken_units]).or_default() += chance.value;
        }
        states.into_iter().collect()
    }

    /// The probability of each combination of the sides' losses, in ascending order.
    #[must_use]
    pub fn losses_together(&self) -> Vec<(Vec<u16>, f64)> {
        let mut together: BTreeMap<Vec<u16>, f64> = BTreeMap::new();
        for End { outcome, chance, .. } in &self.ends {
            let losses = outcome.sides.iter().map(|side| side.losses).collect();
            *together.entry(losses).or_default() += chance.value;
        }
        together.into_iter().collect()
    }

    /// The odds of a cell. `requested` is the number of the pack's metrics that each side has in the solution.
    pub(super) fn of(solution: &Solution, requested: usize) -> Self {
        let of =
            |value: &dyn Fn(&Outcome) -> u32| Odds { values: solution.distribution(value), mean: solution.mean(value) };
        let turns = of(&|outcome| u32::from(outcome.turns));
        let sides = solution.outcomes().next().map_or(2, |(outcome, _)| outcome.sides.count());
        let mut outcomes: [Number; VERDICTS] = Default::default();
        for &verdict in Verdict::among(sides) {
            outcomes[verdict.index()] = solution.chance(|outcome| Verdict::of(outcome.winner) == verdict);
        }
        let metrics = BySide::of(sides, |side: Side| {
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
        let end = |(outcome, counted, chance): (&Outcome, &[i32], Number)| End {
            outcome: kept(*outcome),
            counted: counted.to_vec(),
            chance,
        };
        let mut ends: Vec<End> = solution.ends().map(end).collect();
        ends.sort_by_cached_key(|end| (key(&end.outcome), end.counted.clone()));
        let counted = |side: Side| {
            let of = |place: usize| {
                let (values, mean) = solution.counted(side.index() * requested + place);
                Counted { values, mean }
            };
            (0..requested).map(of).collect()
        };
        Self {
            ends,
            counted: BySide::of(sides, counted),
            outcomes,
            turns,
            metrics,
            left_out: solution.left_out(),
            error: all.error,
            effort: solution.effort(),
        }
    }
}

/// The parts of an outcome that are kept; starting strengths are dropped, because they are the same in all battles of a
/// cell.
fn kept(outcome: Outcome) -> Outcome {
    Outcome { sides: outcome.sides.map(|side| SideOutcome { start: 0, units: 0, ..side }), ..outcome }
}

/// The key that orders the ends of a cell's battles.
fn key(outcome: &Outcome) -> [u16; 2 + 4 * SIDES_MAX] {
    let mut key = [0; 2 + 4 * SIDES_MAX];
    key[0] = Verdict::of(outcome.winner).index() as u16;
    key[1] = u16::from(outcome.turns);
    for (part, side) in key[2..].chunks_exact_mut(4).zip(outcome.sides.iter()) {
        let [routed, shaken, turn] = [side.routed_units, side.shaken_units, side.rout_turn].map(u16::from);
        part.copy_from_slice(&[side.losses, routed, shaken, turn]);
    }
    key
}
