//! Matchups: who beats whom, and what are the best choices of both sides?

mod bounds;
mod game;
mod grid;

use std::collections::BTreeMap;

use grognard_engine::Side;
use grognard_exact::Limits;
use grognard_stats::{Estimate, Level, bonferroni, mean_watched};
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use super::lane::FIRST_LOOK;
use super::solved::{CellTooLarge, all_or_first_error, mean, solve};
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::record::kept;
use crate::runner::Fighter;
use crate::sensitivity::Quantity;
use crate::study::Study;

use bounds::{Merged, cyclic_ends};
pub use bounds::{Spread, Use};
pub use game::{Equilibrium, cyclic_share, equilibrium};
use grid::Pairing;
pub use grid::{Grid, GridError};

/// The number of battles in a cell between two checks for a stop.
const BATCH: u64 = 64;

/// A table of choices against choices.
#[derive(Clone, Debug)]
pub struct Matchups {
    /// The choices, and the cells of each pairing.
    pub grid: Grid,
    /// The maximum number of battles in each cell.
    pub battles: u64,
    /// The precision required of every pairing, plus or minus.
    pub precision: f64,
    /// Simultaneous confidence level of all pairings.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
    /// Limits for computing the odds instead of fighting; `None` to fight.
    pub exact: Option<Limits>,
}

/// The result of fighting all pairings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Matched {
    /// The score of the first side, row by row: battles won, with draws counting half. The intervals of all pairings
    /// are simultaneous.
    pub scores: Vec<Vec<Estimate>>,
    /// The equilibrium for these scores.
    pub best: Equilibrium,
    /// The value of the game to the first side: its interval lies between the values for the lower and for the upper
    /// limits of all scores.
    pub value: Estimate,
    /// The maximum that the row side and the column side give away with these weights.
    pub exploitability: [f64; 2],
    /// Dominated choices: another choice is certainly better, whatever the other side chooses.
    pub dominated: Vec<Dominated>,
    /// The share of the table that is cyclic: see [`cyclic_share`].
    pub cyclic: Option<f64>,
    /// Bounds on the weights and the cyclic share, from the intervals of all scores.
    pub spread: Spread,
    /// Battles in each cell.
    pub battles: u64,
    /// Battles fought.
    pub fought: u64,
    /// The number of simultaneous intervals.
    pub intervals: usize,
    /// Whether it was stopped.
    pub stopped: bool,
}

/// A choice that another one of the same side certainly beats, whatever the other side chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dominated {
    /// The side whose choice it is.
    pub side: Side,
    /// The choice, by index.
    pub choice: usize,
    /// The choice that beats it.
    pub by: usize,
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum MatchupsError {
    /// A cell is too large to compute.
    #[error(transparent)]
    TooLarge(#[from] CellTooLarge),
    /// It was stopped before every pairing had a battle.
    #[error("stopped before every pairing had been fought")]
    Stopped,
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The battles of one pairing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Tally {
    /// The counts of each sum of half points in an observation: one battle, or one round, of each of the cells.
    counts: BTreeMap<i32, u64>,
}

impl Matchups {
    /// The maximum number of battles; 0 if the odds are computed.
    #[must_use]
    pub fn battles_at_most(&self) -> u64 {
        if self.exact.is_some() { 0 } else { self.battles * self.grid.cells() as u64 }
    }

    /// Fights all pairings until each is known well enough.
    ///
    /// If it is stopped, its results are still valid, and [`Matched::stopped`] is set.
    ///
    /// # Errors
    /// See [`MatchupsError`].
    pub fn run(&self, study: &Study, progress: &dyn Progress, stop: &Stop) -> Result<Matched, MatchupsError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        pool.install(|| match &self.exact {
            Some(limits) => self.solved(study, limits, progress, stop),
            None => self.fought(study, progress, stop),
        })
    }

    fn solved(
        &self,
        study: &Study,
        limits: &Limits,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Matched, MatchupsError> {
        let quantity = Quantity::score(study, Side::First);
        let solved = |pairing: &Pairing| -> Result<Estimate, MatchupsError> {
            let (mut point, mut low, mut high) = (0.0, 0.0, 0.0);
            for &(cell, turned) in &pairing.cells {
                let solution = solve(&study.cells[cell], limits, progress, stop)?.ok_or(MatchupsError::Stopped)?;
                let own = mean(&quantity, &solution);
                let own = if turned { own.complement() } else { own };
                (point, low, high) = (point + own.point, low + own.low, high + own.high);
            }
            let count = pairing.cells.len() as f64;
            Ok(Estimate::bounded(point / count, low / count, high / count))
        };
        let known = all_or_first_error(&self.grid.pairings, solved)?;
        Ok(self.found(&known, 0, stop))
    }

    fn fought(&self, study: &Study, progress: &dyn Progress, stop: &Stop) -> Result<Matched, MatchupsError> {
        let fighter = MemoisedCells::new(study);
        let bout = Bout {
            fighter: &fighter,
            quantity: Quantity::score(study, Side::First),
            round: study.round(),
            progress,
            stop,
        };
        let mut tallies = vec![Tally::default(); self.grid.pairings.len()];
        let mut battles = 0;
        let mut scores: Vec<Estimate> = Vec::new();
        while battles < self.battles && !stop.is_raised() {
            let next = (2 * battles).max(FIRST_LOOK).min(self.battles);
            let fight = |(nth, pairing): (usize, &Pairing)| {
                let what = || format!("pairing {nth} {:?}", battles..next);
                kept(progress, what, || bout.fight(pairing, battles, next))
            };
            let more: Option<Vec<Tally>> = self.grid.pairings.par_iter().enumerate().map(fight).collect();
            // Battles that were not fought for all pairings do not count for any.
            let Some(more) = more else { break };
            tallies.iter_mut().zip(more).for_each(|(tally, more)| tally.add(more));
            battles = next;
            scores = bout.scores(&self.grid.pairings, &tallies, self.level);
            if scores.iter().all(|score| score.half_width() <= self.precision) {
                break;
            }
        }
        if battles == 0 {
            return Err(MatchupsError::Stopped);
        }
        let found = self.found(&scores, battles, stop);
        Ok(Matched { stopped: found.stopped && battles < self.battles, ..found })
    }

    /// The results that follow from the scores of all pairings.
    fn found(&self, known: &[Estimate], battles: u64, stop: &Stop) -> Matched {
        Matched {
            fought: battles * self.grid.cells() as u64,
            intervals: self.grid.pairings.len(),
            stopped: stop.is_raised(),
            battles,
            ..Matched::of(self.grid.table(known), self.grid.symmetric)
        }
    }
}

impl Matched {
    /// The results that follow from the scores of the first side, row by row, whose intervals are simultaneous. In a
    /// `symmetric` table, both sides have the same choices and are even. No battles are counted.
    #[must_use]
    pub fn of(scores: Vec<Vec<Estimate>>, symmetric: bool) -> Self {
        let ends = |end: fn(&Estimate) -> f64| -> Vec<Vec<f64>> {
            scores.iter().map(|row| row.iter().map(end).collect()).collect()
        };
        let (point, low, high) = (ends(|score| score.point), ends(|score| score.low), ends(|score| score.high));
        let merged = Merged::of(&scores);
        let best = merged.best();
        let (least, most) = merged.value();
        let first = scores[0][0];
        let value = if symmetric {
            // Two sides with the same choices are even.
            Estimate { point: 0.5, low: 0.5, high: 0.5, ..first }
        } else {
            Estimate { point: best.value, low: least.min(best.value), high: most.max(best.value), ..first }
        };
        let spread = Spread { cyclic: cyclic_ends(&scores), ..merged.bounds((value.low, value.high)) };
        let kept = |column: usize| low.iter().zip(&best.rows).map(|(row, weight)| row[column] * weight).sum::<f64>();
        let given = |row: &Vec<f64>| row.iter().zip(&best.columns).map(|(score, weight)| score * weight).sum::<f64>();
        let worst = (0..best.columns.len()).map(kept).fold(f64::INFINITY, f64::min);
        let dearest = high.iter().map(given).fold(0.0, f64::max);
        Self {
            exploitability: [(value.high - worst).max(0.0), (dearest - value.low).max(0.0)],
            dominated: dominated(&scores),
            cyclic: cyclic_share(&point),
            fought: 0,
            intervals: scores.iter().map(Vec::len).sum(),
            stopped: false,
            scores,
            best,
            value,
            spread,
            battles: 0,
        }
    }
}

/// The scores of pairings, each from the counts of the half points in its observations and the maximum of these: all
/// intervals are simultaneous, and valid at every look.
#[must_use]
pub fn watched_scores(pairings: &[(&BTreeMap<i32, u64>, i32)], level: Level) -> Vec<Estimate> {
    let each = bonferroni(level, pairings.len());
    let score = |&(counts, most): &(&BTreeMap<i32, u64>, i32)| {
        let counts = counts.iter().map(|(&value, &count)| (value, count));
        let Estimate { point, low, high, level, runs } = mean_watched(counts, &(0..=most), each);
        let by = 1.0 / f64::from(most);
        Estimate { point: by * point, low: by * low, high: by * high, level, runs }
    };
    pairings.par_iter().map(score).collect()
}

/// Choices that another one certainly beats, whatever the other side chooses, each with the one that does so by the
/// largest margin.
fn dominated(scores: &[Vec<Estimate>]) -> Vec<Dominated> {
    let columns = scores.first().map_or(0, Vec::len);
    let turned: Vec<Vec<Estimate>> =
        (0..columns).map(|column| scores.iter().map(|row| row[column].complement()).collect()).collect();
    let mut dominated = Vec::new();
    for (side, own) in [(Side::First, scores), (Side::Second, &turned)] {
        for (choice, row) in own.iter().enumerate() {
            let room =
                |by: usize| row.iter().zip(&own[by]).map(|(own, other)| other.low - own.high).fold(f64::MAX, f64::min);
            let by = (0..own.len()).filter(|&by| by != choice && room(by) > 0.0);
            if let Some(by) = by.max_by(|&one, &other| room(one).total_cmp(&room(other)).then(other.cmp(&one))) {
                dominated.push(Dominated { side, choice, by });
            }
        }
    }
    dominated
}

/// The setting in which pairings are fought.
struct Bout<'a> {
    fighter: &'a MemoisedCells<'a>,
    quantity: Quantity,
    round: usize,
    progress: &'a dyn Progress,
    stop: &'a Stop,
}

impl Bout<'_> {
    /// Fights battles `from` to `to` - 1 of a pairing's cells; `None` if it was stopped.
    fn fight(&self, pairing: &Pairing, from: u64, to: u64) -> Option<Tally> {
        let most = self.most();
        let mut tally = Tally::default();
        let mut start = from;
        while start < to {
            if self.stop.is_raised() {
                return None;
            }
            let end = (start + BATCH).min(to);
            let mut sums = vec![0; (end - start) as usize / self.round];
            for &(cell, turned) in &pairing.cells {
                let fought = self.fighter.fight(cell as u32, start..end);
                self.progress.advance(end - start);
                for (sum, round) in sums.iter_mut().zip(fought.chunks(self.round)) {
                    let own: i32 = round.iter().map(|outcome| self.quantity.in_battle(outcome)).sum();
                    *sum += if turned { most - own } else { own };
                }
            }
            for sum in sums {
                *tally.counts.entry(sum).or_default() += 1;
            }
            start = end;
        }
        Some(tally)
    }

    /// The maximum number of half points in one observation of a cell.
    fn most(&self) -> i32 {
        2 * self.round as i32
    }

    /// The scores of all pairings: see [`watched_scores`].
    fn scores(&self, pairings: &[Pairing], tallies: &[Tally], level: Level) -> Vec<Estimate> {
        let most = |pairing: &Pairing| self.most() * pairing.cells.len() as i32;
        let known: Vec<(&BTreeMap<i32, u64>, i32)> =
            pairings.iter().zip(tallies).map(|(pairing, tally)| (&tally.counts, most(pairing))).collect();
        let scores = watched_scores(&known, level).into_iter();
        scores.map(|score| Estimate { runs: score.runs * self.round as u64, ..score }).collect()
    }
}

impl Tally {
    fn add(&mut self, more: Self) {
        for (sum, count) in more.counts {
            *self.counts.entry(sum).or_default() += count;
        }
    }
}
