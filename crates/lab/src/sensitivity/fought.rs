//! Compares battles with changed numbers to the same battles with unchanged numbers.

use std::ops::Range;

use grognard_engine::Outcome;
use grognard_stats::{Estimate, Level, mean_exact, mean_p_value};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::{LOOK, Quantity};
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::runner::Fighter;
use crate::study::{Change, Study, written_as};
use crate::tally::Histogram;

/// The battles with unchanged numbers.
pub(crate) struct Base {
    /// The outcomes, by cell and battle.
    outcomes: Vec<Vec<Outcome>>,
    /// Battles in one observation: both battles of a round if battles are fought both ways.
    round: usize,
}

/// The values of battles with a change, minus those without it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Apart {
    /// Battles in each cell.
    pub(crate) battles: u64,
    /// The number of battles that differed in any way.
    pub(crate) otherwise: u64,
    /// Observations of all cells together.
    pub(crate) together: Histogram,
    /// Observations of each cell.
    pub(crate) cells: Vec<Histogram>,
}

impl Apart {
    /// Adds other battles.
    fn merge(&mut self, other: &Self) {
        self.battles += other.battles;
        self.otherwise += other.otherwise;
        self.together.merge(&other.together);
        self.cells.resize(other.cells.len(), Default::default());
        for (own, more) in self.cells.iter_mut().zip(&other.cells) {
            own.merge(more);
        }
    }
}

/// The names of changes, for the record of their battles.
pub(crate) fn named(changes: &[Change<'_>]) -> String {
    let name = |change: &Change<'_>| {
        let pack = change.number.pack.as_deref().unwrap_or_default();
        format!("{pack} {} = {}", change.number.place(), written_as(change.value))
    };
    changes.iter().map(name).collect::<Vec<_>>().join(", ")
}

impl Base {
    /// Fights battles 0 to `battles` - 1 of every cell; `None` if it was stopped.
    pub(crate) fn fight(study: &Study, battles: u64, progress: &dyn Progress, stop: &Stop) -> Option<Self> {
        Some(Self { outcomes: fight_all(study, &(0..battles), progress, stop)?, round: study.round() })
    }

    /// The conversion from observations of all cells together to the mean of one battle.
    pub(crate) fn scale(&self, quantity: &Quantity) -> Scale {
        Scale { battles: self.outcomes.len() * self.round, most: quantity.most, per: quantity.per }
    }

    /// The mean of the quantity per battle.
    pub(crate) fn mean(&self, quantity: &Quantity, level: Level) -> Estimate {
        let totals = totals(&self.outcomes, self.round, quantity);
        self.scale(quantity).mean(&totals.into_iter().map(|total| (total, 1)).collect(), level)
    }

    /// The effect of a change in each cell: the mean of a battle.
    pub(crate) fn changes(&self, apart: &Apart, quantity: &Quantity, level: Level) -> Vec<Estimate> {
        let scale = Scale { battles: self.round, ..self.scale(quantity) };
        apart.cells.iter().map(|changes| scale.change(changes, level)).collect()
    }

    /// Fights the same battles with other cells, only the first [`LOOK`] of them if none of these differs; `None` if it
    /// was stopped.
    pub(crate) fn follow(
        &self,
        changed: &Study,
        quantity: &Quantity,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Option<Apart> {
        let fighter = MemoisedCells::new(changed);
        let battles = self.outcomes.first().map_or(0, Vec::len) as u64;
        let looked = LOOK.min(battles);
        let mut apart = self.apart(&fighter, &(0..looked), quantity, progress, stop)?;
        if apart.otherwise > 0 && battles > looked {
            apart.merge(&self.apart(&fighter, &(looked..battles), quantity, progress, stop)?);
        } else {
            progress.advance((battles - looked) * self.outcomes.len() as u64);
        }
        Some(apart)
    }

    /// Fights the same battles with other cells, and compares them with these; `None` if it was stopped.
    fn apart(
        &self,
        fighter: &MemoisedCells<'_>,
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
            let fought = fighter.fight(cell, battles.clone());
            progress.advance(apart.battles);
            let was = &outcomes[range.clone()];
            apart.otherwise += fought.iter().zip(was).filter(|(own, was)| own != was).count() as u64;
            let change = |(own, was): (&Outcome, &Outcome)| quantity.in_battle(own) - quantity.in_battle(was);
            let rounds = || fought.chunks(self.round).zip(was.chunks(self.round));
            let changes: Vec<i32> = rounds().map(|(own, was)| own.iter().zip(was).map(change).sum()).collect();
            together.iter_mut().zip(&changes).for_each(|(sum, change)| *sum += change);
            apart.cells.push(changes.into_iter().map(|change| (change, 1)).collect());
        }
        apart.together = together.into_iter().map(|change| (change, 1)).collect();
        Some(apart)
    }
}

/// Fights these battles of every cell; `None` if it was stopped.
pub(crate) fn fight_all(
    study: &Study,
    battles: &Range<u64>,
    progress: &dyn Progress,
    stop: &Stop,
) -> Option<Vec<Vec<Outcome>>> {
    let fighter = MemoisedCells::new(study);
    let fight = |cell: u32| {
        let fought = (!stop.is_raised()).then(|| fighter.fight(cell, battles.clone()));
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
    /// The quantity's maximum in one battle.
    pub(crate) most: i64,
    /// The divisor of the metric: see [`Quantity::per`].
    pub(crate) per: i32,
}

impl Scale {
    /// The mean of the quantity per battle.
    pub(crate) fn mean(self, totals: &Histogram, level: Level) -> Estimate {
        scaled(mean_exact(totals.iter(), &(0..=self.bound()), level), self.unit())
    }

    /// The mean change of a battle.
    pub(crate) fn change(self, changes: &Histogram, level: Level) -> Estimate {
        scaled(mean_exact(changes.iter(), &(-self.bound()..=self.bound()), level), self.unit())
    }

    /// The p-value of "no change".
    pub(crate) fn p_value(self, changes: &Histogram) -> f64 {
        mean_p_value(changes.iter(), &(-self.bound()..=self.bound()), 0.0)
    }

    /// The maximum of an observation.
    fn bound(self) -> i32 {
        i32::try_from(self.most.saturating_mul(self.battles as i64)).unwrap_or(i32::MAX)
    }

    /// The amount of a battle's mean that 1 in the sums represents.
    pub(crate) fn unit(self) -> f64 {
        1.0 / (self.battles as f64 * f64::from(self.per))
    }
}

/// An estimate in another unit.
pub(crate) fn scaled(estimate: Estimate, by: f64) -> Estimate {
    Estimate { point: by * estimate.point, low: by * estimate.low, high: by * estimate.high, ..estimate }
}

#[cfg(test)]
mod tests {
    use grognard_stats::bonferroni;

    use super::*;

    /// If eight battles in a thousand lose twelve figures more, one run in seventy sees at most two of them. That is
    /// far too often to fall outside one of a hundred simultaneous intervals. Three of them do not prove a change
    /// either.
    #[test]
    fn rare_changes_are_within_intervals_that_hold_together() {
        let scale = Scale { battles: 1, most: 12, per: 1 };
        let seen = |times: u64| -> Histogram { [(0, 1_000 - times), (12, times)].into_iter().collect() };
        let together = scale.change(&seen(2), bonferroni(Level::P95, 100));
        assert!(together.holds(0.008 * 12.0), "{together:?}");
        let p = scale.p_value(&seen(3));
        assert!((p - 0.25).abs() < 0.01, "{p}");
    }
}
