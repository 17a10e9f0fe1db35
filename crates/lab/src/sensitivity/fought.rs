//! Battles with changed numbers beside the same battles with the numbers as they are.

use std::ops::Range;

use grognard_engine::Outcome;
use grognard_stats::{Estimate, Level, Pairs, Sums, mean, share_difference_exact};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use super::Quantity;
use crate::army::Army;
use crate::progress::{Progress, Stop};
use crate::runner::Fighter;
use crate::study::Study;

/// The battles with the numbers as they are.
pub(crate) struct Base {
    /// By cell and battle.
    pub(crate) outcomes: Vec<Vec<Outcome>>,
    /// Battles that are one observation: both of a round where battles are fought both ways.
    pub(crate) round: usize,
}

/// What battles with a change are, less those without it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Apart {
    /// Battles that went otherwise in any way.
    pub(crate) otherwise: u64,
    /// Observations of all cells together.
    pub(crate) together: Sums,
    /// Of each cell: observations, and in how many the quantity was more and less.
    pub(crate) cells: Vec<(Sums, u64, u64)>,
}

impl Apart {
    /// Adds other battles.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.otherwise += other.otherwise;
        self.together = sum(self.together, other.together);
        self.cells.resize(other.cells.len(), Default::default());
        for (own, more) in self.cells.iter_mut().zip(&other.cells) {
            *own = (sum(own.0, more.0), own.1 + more.1, own.2 + more.2);
        }
    }
}

fn sum(one: Sums, other: Sums) -> Sums {
    Sums { runs: one.runs + other.runs, sum: one.sum + other.sum, squares: one.squares + other.squares }
}

impl Base {
    /// Fights battles 0 to `battles` - 1 of every cell; none if it was stopped.
    pub(crate) fn fight(study: &Study, battles: u64, progress: &dyn Progress, stop: &Stop) -> Option<Self> {
        let army = Army::new(study);
        let fight = |cell: u32| {
            let fought = (!stop.is_raised()).then(|| army.fight(cell, 0..battles));
            progress.advance(battles);
            fought
        };
        let outcomes: Option<Vec<_>> = (0..study.cells.len() as u32).into_par_iter().map(fight).collect();
        Some(Self { outcomes: outcomes?, round: study.round() })
    }

    /// The quantity of every observation, all cells together.
    pub(crate) fn totals(&self, quantity: &Quantity) -> Vec<i32> {
        totals(&self.outcomes, self.round, quantity)
    }

    /// Fights the same battles with other cells, and lays them beside these; none if it was stopped.
    pub(crate) fn apart(
        &self,
        army: &Army<'_>,
        battles: &Range<u64>,
        quantity: &Quantity,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Option<Apart> {
        let range = battles.start as usize..battles.end as usize;
        let mut together = vec![0; range.len() / self.round];
        let mut apart = Apart::default();
        for (cell, outcomes) in (0..).zip(&self.outcomes) {
            if stop.is_raised() {
                return None;
            }
            let fought = army.fight(cell, battles.clone());
            progress.advance(battles.end - battles.start);
            let was = &outcomes[range.clone()];
            apart.otherwise += fought.iter().zip(was).filter(|(own, was)| own != was).count() as u64;
            let change = |(own, was): (&Outcome, &Outcome)| quantity.in_battle(own) - quantity.in_battle(was);
            let rounds = || fought.chunks(self.round).zip(was.chunks(self.round));
            let changes: Vec<i32> = rounds().map(|(own, was)| own.iter().zip(was).map(change).sum()).collect();
            together.iter_mut().zip(&changes).for_each(|(sum, change)| *sum += change);
            let count = |sign: i32| changes.iter().filter(|change| change.signum() == sign).count() as u64;
            apart.cells.push((Sums::of(changes.iter().map(|&change| (change, 1))), count(1), count(-1)));
        }
        apart.together = Sums::of(together.into_iter().map(|change| (change, 1)));
        Some(apart)
    }
}

/// The quantity of every observation, all cells together.
pub(crate) fn totals(outcomes: &[Vec<Outcome>], round: usize, quantity: &Quantity) -> Vec<i32> {
    let mut totals = vec![0; outcomes.first().map_or(0, Vec::len) / round];
    for outcomes in outcomes {
        for (total, round) in totals.iter_mut().zip(outcomes.chunks(round)) {
            *total += round.iter().map(|outcome| quantity.in_battle(outcome)).sum::<i32>();
        }
    }
    totals
}

/// How observations of so many battles become a mean of one battle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Battles in an observation.
    pub(crate) battles: usize,
    /// The quantity's greatest value in one.
    pub(crate) most: i64,
    /// What the quantity is divided by: see [`Quantity::per`].
    pub(crate) per: i32,
}

impl Scale {
    /// The mean quantity of a battle.
    pub(crate) fn mean(self, sums: Sums, level: Level) -> Estimate {
        scaled(mean(sums, 0..=self.most * self.battles as i64, level), self.unit())
    }

    /// The mean change of a battle.
    pub(crate) fn change(self, sums: Sums, level: Level) -> Estimate {
        let most = self.most * self.battles as i64;
        scaled(mean(sums, -most..=most, level), self.unit())
    }

    /// What one in the sums is of a battle's mean.
    pub(crate) fn unit(self) -> f64 {
        1.0 / (self.battles as f64 * f64::from(self.per))
    }
}

/// The change of a share in one cell whose battles are observations by themselves.
pub(crate) fn share_change((sums, more, less): (Sums, u64, u64), level: Level) -> Estimate {
    let pairs = Pairs { both: 0, cell_only: more, baseline_only: less, neither: sums.runs - more - less };
    share_difference_exact(pairs, level)
}

/// An estimate in another unit.
pub(crate) fn scaled(estimate: Estimate, by: f64) -> Estimate {
    Estimate { point: by * estimate.point, low: by * estimate.low, high: by * estimate.high, ..estimate }
}
