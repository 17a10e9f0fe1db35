//! Computes the exact odds of every cell of a study instead of fighting battles.
//!
//! Cells are solved in parallel, independently of each other; if there are fewer cells than threads, the threads share
//! the states of a cell. Neither the number of threads nor the order in which they finish affects the numbers.

mod judged;
pub(crate) mod named;
mod narrated;
mod odds;
mod rows;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
#[cfg(feature = "folders")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use grognard_exact::{Budget, Limits, Progress, Solution, TooLarge, solve_with};
use rayon::{BroadcastContext, ThreadPool};

use crate::clock::Stopwatch;
use crate::progress::Stop;
use crate::results::{CellHeader, Ending, Made, Manifest, Method, Results, Summary};
#[cfg(feature = "folders")]
use crate::results::{ResultsError, ResultsWriter};
use crate::study::{Cell, Study};

pub use grognard_exact::Number;
pub use judged::{Assumed, JudgedDecision, Judgement, Luck, TooMuch, judge, judge_by_fighting};
pub use narrated::narrate_with_odds;
pub use odds::{CellOdds, Counted, End, Odds};
#[cfg(feature = "folders")]
pub(crate) use rows::estimate;
pub(crate) use rows::summarise as summarise_odds;

/// Settings for computing a study.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// The limits; the memory is for all cells that are solved at the same time.
    pub limits: Limits,
    /// The cells to solve, by number; all if empty.
    pub cells: Vec<u32>,
    /// The time limit for all cells together; `None` for no limit.
    pub time: Option<Duration>,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
    /// The command line that reproduces it.
    pub command: String,
}

/// Receives progress. Called from the worker threads.
pub trait Watcher: Sync {
    /// Reports the progress of a cell.
    fn walking(&self, cell: u32, progress: &Progress);
    /// A cell is solved.
    fn solved(&self, cell: u32);
}

/// Ignores progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn walking(&self, _cell: u32, _progress: &Progress) {}

    fn solved(&self, _cell: u32) {}
}

/// Why a study could not be computed.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    /// A requested cell does not exist.
    #[error("there is no cell {cell}")]
    NoCell {
        /// The number requested.
        cell: u32,
        /// The number available.
        cells: usize,
    },
    /// A cell has more states than the limits allow.
    #[error("cell {cell} ({label}): {error}")]
    TooLarge {
        /// The cell.
        cell: u32,
        /// Its name.
        label: String,
        /// The limit exceeded, and how far the work got.
        error: TooLarge,
        /// Results of the cells that were solved: of those before this one or, if the work was stopped or ran out of
        /// time, of all. `None` if there are none.
        solved: Option<Box<Results>>,
    },
    /// The results folder cannot be used.
    #[cfg(feature = "folders")]
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl SolveOptions {
    /// Computes the cells of `study`: results like those of a run, but with odds instead of tallies and without a
    /// folder.
    ///
    /// # Errors
    /// A cell does not exist, has too many states, or `stop` was raised.
    pub fn solve(&self, study: &Study, watcher: &dyn Watcher, stop: &Stop) -> Result<Results, ExactError> {
        let started = Stopwatch::start();
        let cells = self.chosen(study)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let at_a_time = pool.current_num_threads().min(cells.len()).max(1) as u64;
        let limits = Limits { bytes: self.limits.bytes / at_a_time, shared: true, ..self.limits };
        let crew = Crew {
            limits,
            started,
            time: self.time,
            watcher,
            stop,
            failed: AtomicU32::new(u32::MAX),
            told: study.told_by_ends(),
        };
        let solved = crew.solve_all(&pool, &cells);
        let (mut known, mut odds, mut failed) = (Vec::new(), Vec::new(), None);
        for (cell, outcome) in cells.into_iter().zip(solved) {
            match (outcome, &failed) {
                (Ok(found), None | Some((_, TooLarge { budget: Budget::Stopped | Budget::Time(_), .. }))) => {
                    known.push(cell);
                    odds.push(found);
                }
                (Err(error), None) => failed = Some((cell, error)),
                // Skipped: which cells were solved after one that is too large depends on the number of threads.
                (_, Some(_)) => {}
            }
        }
        let mut manifest = self.manifest(study, &known);
        manifest.made.elapsed_s = started.elapsed().as_secs_f64();
        let summary = Summary::default();
        let results = Results {
            folder: PathBuf::new(),
            manifest,
            tallies: Vec::new(),
            odds,
            summary,
            watched: None,
            players: None,
        };
        let Some((cell, error)) = failed else { return Ok(results) };
        let CellHeader { cell, label, .. } = cell.header.clone();
        Err(ExactError::TooLarge { cell, label, error, solved: (!known.is_empty()).then(|| Box::new(results)) })
    }

    /// Solves the study into a results folder, which is checked and locked first, and written at the end.
    ///
    /// # Errors
    /// As for [`SolveOptions::solve`]; or only some cells are requested; or the folder belongs to another process or
    /// cannot be written.
    #[cfg(feature = "folders")]
    pub fn solve_into(
        &self,
        folder: &Path,
        study: &Study,
        watcher: &dyn Watcher,
        stop: &Stop,
    ) -> Result<Results, ExactError> {
        let cells = self.chosen(study)?;
        // The folder is locked before the work. If locking failed only afterwards, the work would be wasted.
        let writer = ResultsWriter::create(folder, self.manifest(study, &cells))?;
        match self.solve(study, watcher, stop) {
            Ok(worked_out) => Ok(writer.finish_odds(worked_out)?),
            Err(error) => {
                writer.abandon();
                Err(error)
            }
        }
    }

    fn chosen<'s>(&self, study: &'s Study) -> Result<Vec<&'s Cell>, ExactError> {
        if self.cells.is_empty() {
            return Ok(study.cells.iter().collect());
        }
        let mut numbers = self.cells.clone();
        numbers.sort_unstable();
        numbers.dedup();
        let cells = study.cells.len();
        let find = |cell: u32| study.cells.get(cell as usize).ok_or(ExactError::NoCell { cell, cells });
        numbers.into_iter().map(find).collect()
    }

    /// The manifest of these cells. Cells whose baseline is not among them are not compared.
    fn manifest(&self, study: &Study, cells: &[&Cell]) -> Manifest {
        let mut manifest = study.manifest(Method::Exact);
        if cells.len() < study.cells.len() {
            let is_there = |number: &u32| cells.iter().any(|cell| cell.header.cell == *number);
            let header =
                |cell: &&Cell| CellHeader { baseline: cell.header.baseline.filter(is_there), ..cell.header.clone() };
            manifest.cells = cells.iter().map(header).collect();
            manifest.report.expect.retain(|expected| manifest.cells.iter().any(|cell| cell.cell == expected.cell));
        }
        manifest.level = 1.0;
        manifest.progress.ending = Ending::AllRuns;
        manifest.made = Made { command: self.command.clone(), threads: self.threads as u32, ..Made::default() };
        manifest
    }
}

/// Computes the results of all battles of a cell; if it is fought both ways, with the roles of its sides exchanged
/// in every other one.
///
/// # Errors
/// As for [`grognard_exact::solve`]; `limits` apply to each role separately.
pub fn solve_cell(
    cell: &Cell,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Solution, TooLarge> {
    solve_with_metrics(cell, &[], limits, watch)
}

/// Like [`solve_cell`], with these metrics of the pack, which depend only on the ends of battles.
fn solve_with_metrics(
    cell: &Cell,
    gauges: &[u8],
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Solution, TooLarge> {
    let given = solve_with(&cell.rules, &cell.setup, gauges, limits, watch)?;
    let Some(swapped) = &cell.swapped else { return Ok(given) };
    Ok(given.half_of_each(solve_with(&cell.rules, swapped, gauges, limits, watch)?.swap()))
}

/// The cell solvers.
struct Crew<'a> {
    limits: Limits,
    started: Stopwatch,
    time: Option<Duration>,
    watcher: &'a dyn Watcher,
    stop: &'a Stop,
    /// The first cell, by index, that could not be solved: later ones are abandoned, so that the error is always the
    /// same.
    failed: AtomicU32,
    /// The indices of the requested metrics of the pack that are computed.
    told: Vec<usize>,
}

impl Crew<'_> {
    /// Solves cells, no more at a time than there are threads: each thread takes one cell after another, and then helps
    /// with those that other threads have not finished.
    fn solve_all(&self, pool: &ThreadPool, cells: &[&Cell]) -> Vec<Result<CellOdds, TooLarge>> {
        let next = AtomicUsize::new(0);
        let take = |_: BroadcastContext<'_>| {
            let mut solved = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(cell) = cells.get(place) else { return solved };
                solved.push((place, self.solve(place as u32, cell)));
            }
        };
        let mut solved: Vec<_> = pool.broadcast(take).into_iter().flatten().collect();
        solved.sort_unstable_by_key(|(place, _)| *place);
        solved.into_iter().map(|(_, solved)| solved).collect()
    }

    fn solve(&self, place: u32, cell: &Cell) -> Result<CellOdds, TooLarge> {
        let number = cell.header.cell;
        let mut watch = |progress: &Progress| {
            self.watcher.walking(number, progress);
            if self.has_ended(place) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        if self.has_ended(place) {
            let progress = Progress { turns: cell.setup.turns, ..Progress::default() };
            return Err(self.explained(TooLarge { budget: Budget::Stopped, progress }));
        }
        let gauges: Vec<u8> = self.told.iter().map(|&place| cell.gauges[place]).collect();
        let solution = solve_with_metrics(cell, &gauges, &self.limits, &mut watch).map_err(|error| {
            self.failed.fetch_min(place, Ordering::Relaxed);
            self.explained(error)
        })?;
        self.watcher.solved(number);
        Ok(CellOdds::of(&solution, gauges.len()))
    }

    /// Whether the cell at this index no longer needs to be solved.
    fn has_ended(&self, place: u32) -> bool {
        self.stop.is_raised() || self.failed.load(Ordering::Relaxed) < place || self.time_is_up().is_some()
    }

    /// The time limit, if it has passed.
    fn time_is_up(&self) -> Option<Duration> {
        self.time.filter(|&time| self.started.elapsed() > time)
    }

    /// The error. If the time limit stopped the work, the error says so.
    fn explained(&self, error: TooLarge) -> TooLarge {
        let budget = match (error.budget, self.time_is_up()) {
            (Budget::Stopped, Some(time)) if !self.stop.is_raised() => Budget::Time(time),
            (budget, _) => budget,
        };
        TooLarge { budget, ..error }
    }
}
