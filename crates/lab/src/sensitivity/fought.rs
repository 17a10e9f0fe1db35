//! Battles with changed numbers beside the same battles with the numbers as they are.

use std::ops::Range;

use grognard_engine::Outcome;
use grognard_stats::{Estimate, Level, Pairs, Sums, mean, share_difference_exact};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::{LOOK, Quantity};
use crate::army::Army;
use crate::progress::{Progress, Stop};
use crate::runner::Fighter;
use crate::study::{Change, Study, written_as};

/// The battles with the numbers as they are.
pub(crate) struct Base {
    /// By cell and battle.
    outcomes: Vec<Vec<Outcome>>,
    /// Battles that are one observation: both of a round where battles are fought both ways.
    round: usize,
}

/// The values of battles with a change, minus those without it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Apart {
    /// Battles of each cell.
    pub(crate) battles: u64,
    /// Battles that went otherwise in any way.
    pub(crate) otherwise: u64,
    /// Observations of all cells together.
    pub(crate) together: Sums,
    /// Of each cell: observations, and in how many the quantity was more and less.
    pub(crate) cells: Vec<(Sums, u64, u64)>,
}

impl Apart {
    /// Adds other battles.
    fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        self.otherwise += other.otherwise;
        self.together = sum(self.together, other.together);
        self.cells.resize(other.cells.len(), Default::default());
        for (own, more) in self.cells.iter_mut().zip(&other.cells) {
            *own = (sum(own.0, more.0), own.1 + more.1, own.2 + more.2);
        }
    }
}

/// Sums as they are noted: numbers that JSON has no room for are texts.
pub(crate) type NotedSums = (u64, String, String);

pub(crate) fn noted(sums: Sums) -> NotedSums {
    (sums.runs, sums.sum.to_string(), sums.squares.to_string())
}

pub(crate) fn of_noted((runs, sum, squares): NotedSums) -> Sums {
    Sums { runs, sum: sum.parse().unwrap_or_default(), squares: squares.parse().unwrap_or_default() }
}

/// An [`Apart`] as it is noted.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct NotedApart {
    battles: u64,
    otherwise: u64,
    together: NotedSums,
    cells: Vec<(NotedSums, u64, u64)>,
}

impl Apart {
    pub(crate) fn noted(self) -> NotedApart {
        let cells = self.cells.into_iter().map(|(sums, more, less)| (noted(sums), more, less));
        let (battles, otherwise, together) = (self.battles, self.otherwise, noted(self.together));
        NotedApart { battles, otherwise, together, cells: cells.collect() }
    }

    pub(crate) fn of_noted(kept: NotedApart) -> Self {
        let NotedApart { battles, otherwise, together, cells } = kept;
        let cells = cells.into_iter().map(|(sums, more, less)| (of_noted(sums), more, less)).collect();
        Self { battles, otherwise, together: of_noted(together), cells }
    }
}

pub(crate) fn sum(one: Sums, other: Sums) -> Sums {
    Sums { runs: one.runs + other.runs, sum: one.sum + other.sum, squares: one.squares + other.squares }
}

/// Changes by name, for the record of their battles.
pub(crate) fn named(changes: &[Change<'_>]) -> String {
    let name = |change: &Change<'_>| {
        let pack = change.number.pack.as_deref().unwrap_or_default();
        format!("{pack} {} = {}", change.number.place(), written_as(change.value))
    };
    changes.iter().map(name).collect::<Vec<_>>().join(", ")
}

impl Base {
    /// Fights battles 0 to `battles` - 1 of every cell; none if it was stopped.
    pub(crate) fn fight(study: &Study, battles: u64, progress: &dyn Progress, stop: &Stop) -> Option<Self> {
        Some(Self { outcomes: fight_all(study, &(0..battles), progress, stop)?, round: study.round() })
    }

    /// How observations of all cells together become a mean of one battle.
    pub(crate) fn scale(&self, quantity: &Quantity) -> Scale {
        Scale { battles: self.outcomes.len() * self.round, most: quantity.most, per: quantity.per }
    }

    /// The mean quantity of a battle.
    pub(crate) fn mean(&self, quantity: &Quantity, level: Level) -> Estimate {
        let totals = totals(&self.outcomes, self.round, quantity);
        self.scale(quantity).mean(Sums::of(totals.into_iter().map(|total| (total, 1))), level)
    }

    /// The effect of a change in each cell: the mean of a battle.
    pub(crate) fn changes(&self, apart: &Apart, quantity: &Quantity, level: Level) -> Vec<Estimate> {
        let scale = Scale { battles: self.round, ..self.scale(quantity) };
        let is_share = quantity.is_share_of_one() && self.round == 1;
        let change = |&(sums, more, less): &(Sums, u64, u64)| {
            if !is_share {
                return scale.change(sums, level);
            }
            let pairs = Pairs { both: 0, cell_only: more, baseline_only: less, neither: sums.runs - more - less };
            share_difference_exact(pairs, level)
        };
        apart.cells.iter().map(change).collect()
    }

    /// Fights the same battles with other cells, the first [`LOOK`] of them alone if none of these goes otherwise; none if it was
    /// stopped.
    pub(crate) fn follow(
        &self,
        changed: &Study,
        quantity: &Quantity,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Option<Apart> {
        let army = Army::new(changed);
        let battles = self.outcomes.first().map_or(0, Vec::len) as u64;
        let looked = LOOK.min(battles);
        let mut apart = self.apart(&army, &(0..looked), quantity, progress, stop)?;
        if apart.otherwise > 0 && battles > looked {
            apart.merge(&self.apart(&army, &(looked..battles), quantity, progress, stop)?);
        } else {
            progress.advance((battles - looked) * self.outcomes.len() as u64);
        }
        Some(apart)
    }

    /// Fights the same battles with other cells, and lays them beside these; none if it was stopped.
    fn apart(
        &self,
        army: &Army<'_>,
        battles: &Range<u64>,
        quantity: &Quantity,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Option<Apart> {
        let range = battles.start as usize..battles.end as usize;
        let mut together = vec![0; range.len() / self.round];
        let mut apart = Apart { battles: battles.end - battles.start, ..Apart::default() };
        for (cell, outcomes) in (0..).zip(&self.outcomes) {
            if stop.is_raised() {
                return None;
            }
            let fought = army.fight(cell, battles.clone());
            progress.advance(apart.battles);
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

/// Fights these battles of every cell; none if it was stopped.
pub(crate) fn fight_all(
    study: &Study,
    battles: &Range<u64>,
    progress: &dyn Progress,
    stop: &Stop,
) -> Option<Vec<Vec<Outcome>>> {
    let army = Army::new(study);
    let fight = |cell: u32| {
        let fought = (!stop.is_raised()).then(|| army.fight(cell, battles.clone()));
        progress.advance(battles.end - battles.start);
        fought
    };
    (0..study.cells.len() as u32).into_par_iter().map(fight).collect()
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

/// The conversion of observations of this many battles to a mean of one battle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    /// Battles in an observation.
    pub(crate) battles: usize,
    /// The quantity's greatest value in one.
    pub(crate) most: i64,
    /// The divisor of the metric: see [`Quantity::per`].
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

    /// The weight of 1 in the sums, as a part of a battle's mean.
    pub(crate) fn unit(self) -> f64 {
        1.0 / (self.battles as f64 * f64::from(self.per))
    }
}

/// An estimate in another unit.
pub(crate) fn scaled(estimate: Estimate, by: f64) -> Estimate {
    Estimate { point: by * estimate.point, low: by * estimate.low, high: by * estimate.high, ..estimate }
}
