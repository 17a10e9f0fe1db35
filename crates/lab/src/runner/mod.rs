//! The runner: every battle of every cell, fought on all threads and counted as if on one.
//!
//! Battle indices are divided into blocks of [`BLOCK`]. If a run ends when it is precise, they are also divided at
//! every scheduled check. Within a block every cell fights the same indices, so that a cell is compared with its
//! baseline battle by battle, and all cells of a run that stops early have the same number of battles. Tallies are
//! merged in block order, and only whole blocks count: the result is always that of a run of that many battles.

mod fighter;
mod group;
mod shard;
mod sink;
mod tallied;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use grognard_stats::{Intervals, is_rung, next_rung};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

pub use fighter::{Fighter, Fought, Noting};
pub use shard::{NoShard, Shard};
pub use sink::{Discard, Keep, Sink};
pub use tallied::Tallied;

use crate::progress::{Progress, Stop};
use crate::results::{Ending, round_mean};
use crate::sequential_test;
use group::{CellBlock, Counting, Group};

/// The maximum number of battle indices in a block.
pub const BLOCK: u32 = 4_096;

/// The number of cells, for each thread, whose blocks are fought before they are handed over together: enough that no
/// thread waits long.
const WAVE: usize = 64;

/// The minimum number of parts into which a wave is divided for each thread, one after the other, so that no thread
/// waits long for the last part of another.
const PARTS: usize = 8;

/// The task of the runner.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// For each cell, the cell that it is compared with; a baseline is its own.
    pub baselines: Vec<Option<u32>>,
    /// Indices of the battles to fight in each cell.
    pub battles: Range<u64>,
    /// End early, at a scheduled check, when every outcome's share in every cell is known to plus or minus this.
    pub precision: Option<f64>,
    /// End early, at a scheduled check, when every cell that is compared with a baseline is known to be better or
    /// worse: see [`crate::sequential_test`].
    pub decide: bool,
    /// The intervals for `precision`, and the level for `decide`.
    pub intervals: Intervals,
    /// Whether battles are fought both ways: 0 and 1 with the same dice, 2 and 3, and so on.
    pub both_ways: bool,
    /// Whether to count how lucky each side's dice are.
    pub luck: bool,
    /// The metrics of the pack for which battles are counted by value: their places among those that the fighter
    /// counts.
    pub histograms: Vec<usize>,
    /// The battles that are passed to the sink individually.
    pub keep: Keep,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// Why a run could not continue.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The sink returned an error.
    #[error(transparent)]
    Sink(E),
}

/// Fights the remaining battles, adds them to `tallied`, and returns why it ended.
///
/// # Errors
/// The threads cannot be started, or the sink fails; `tallied` then contains the blocks up to that point.
pub fn run<F: Fighter, S: Sink>(
    options: &RunOptions,
    fighter: &F,
    tallied: &mut Tallied,
    sink: &mut S,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Ending, RunError<S::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let groups = Group::of_cells(&options.baselines);
    let workers = Workers { options, fighter, progress, stop };
    let mut tasks = tasks(tallied.next()..options.battles.end, options.precision.is_some(), &groups);
    let mut pending: Vec<CellBlock> = Vec::new();

    if let Some(ending) = workers.ending(tallied) {
        return Ok(ending);
    }
    let threads = pool.current_num_threads();
    let mut wave = workers.wave(&mut tasks, threads);
    let mut fought = pool.install(|| workers.fight_all(&wave));
    while !wave.is_empty() {
        // While one wave is handed over, which may involve writing a file, the next is already being fought, unless the
        // run may end between the two.
        let ahead = if workers.may_end_after(&wave) { Vec::new() } else { workers.wave(&mut tasks, threads) };
        let mut fought_ahead = Vec::new();
        let ending = pool.in_place_scope(|scope| {
            scope.spawn(|_| fought_ahead = workers.fight_all(&ahead));
            workers.hand_over(&wave, fought, tallied, &mut pending, sink)
        })?;
        if let Some(ending) = ending {
            return Ok(ending);
        }
        (wave, fought) = (ahead, fought_ahead);
        if wave.is_empty() {
            wave = workers.wave(&mut tasks, threads);
            fought = pool.install(|| workers.fight_all(&wave));
        }
    }
    // All battles were fought, and they may be enough even if the last one is not at a scheduled check.
    let is_precise = options.precision.is_some_and(|half_width| workers.is_precise(tallied, half_width));
    Ok(if is_precise && tallied.battles > 0 { Ending::Precise } else { Ending::AllRuns })
}

/// The cells in the order in which a run hands them over within a block.
#[cfg(feature = "folders")]
pub(crate) fn in_order(baselines: &[Option<u32>]) -> Vec<u32> {
    Group::of_cells(baselines).iter().flat_map(Group::cells).collect()
}

/// One block of one group of cells.
struct Task<'a> {
    block: Range<u64>,
    group: &'a Group,
    /// The number of the group.
    number: usize,
    /// Whether it is the last group of its block.
    ends_block: bool,
}

/// The tasks of a range of battles, in the order in which they are counted. With `rungs`, a block ends at every scheduled
/// check.
fn tasks(battles: Range<u64>, rungs: bool, groups: &[Group]) -> impl Iterator<Item = Task<'_>> {
    let (size, last) = (u64::from(BLOCK), battles.end);
    let block_at = move |start: u64| {
        let end = (start / size + 1) * size;
        let end = if rungs { end.min(next_rung(start)) } else { end };
        Some(start..end.min(last)).filter(|block| !block.is_empty())
    };
    std::iter::successors(block_at(battles.start), move |block| block_at(block.end)).flat_map(move |block| {
        groups.iter().enumerate().map(move |(index, group)| Task {
            block: block.clone(),
            group,
            number: index,
            ends_block: index + 1 == groups.len(),
        })
    })
}

/// The data shared by all workers.
struct Workers<'a, F> {
    options: &'a RunOptions,
    fighter: &'a F,
    progress: &'a dyn Progress,
    stop: &'a Stop,
}

impl<F: Fighter> Workers<'_, F> {
    /// The next tasks to fight in parallel: up to the next scheduled check if the run may end there.
    fn wave<'t>(&self, tasks: &mut impl Iterator<Item = Task<'t>>, threads: usize) -> Vec<Task<'t>> {
        let mut wave = Vec::new();
        let mut cells = 0;
        for task in tasks {
            cells += task.group.len();
            let rung = self.may_end_at(&task);
            wave.push(task);
            if rung || cells >= WAVE * threads {
                break;
            }
        }
        wave
    }

    /// Whether the run may check its results after this many battles: for `precision` at every scheduled check; for
    /// `decide`, which needs more than a hundred pairs, only between whole blocks.
    fn may_look_after(&self, battles: u64) -> bool {
        let whole = self.options.decide && battles.is_multiple_of(u64::from(BLOCK));
        is_rung(battles) && (self.options.precision.is_some() || whole)
    }

    /// Whether the run may end when this wave is counted.
    fn may_end_after(&self, wave: &[Task<'_>]) -> bool {
        wave.last().is_some_and(|task| self.may_end_at(task))
    }

    fn may_end_at(&self, task: &Task<'_>) -> bool {
        task.ends_block && self.may_look_after(task.block.end)
    }

    /// Fights the tasks of a wave in parallel; `None` for one if the run was stopped before it was done.
    fn fight_all(&self, wave: &[Task<'_>]) -> Vec<Option<Vec<CellBlock>>> {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, task) in wave.iter().enumerate() {
            groups.entry(task.number).or_default().push(index);
        }
        // All blocks of a cell in one part if there are enough cells.
        let cells: usize = groups.values().map(|tasks| wave[tasks[0]].group.len()).sum();
        let parts = (PARTS * rayon::current_num_threads()).div_ceil(cells.max(1));
        let parts: Vec<&[usize]> =
            groups.values().flat_map(|tasks| tasks.chunks(tasks.len().div_ceil(parts))).collect();
        let fought = parts.par_iter().map(|tasks| self.fight(wave, tasks));
        let mut done: Vec<_> = parts.iter().copied().flatten().zip(fought.flatten_iter().collect::<Vec<_>>()).collect();
        done.sort_unstable_by_key(|&(task, _)| task);
        done.into_iter().map(|(_, cells)| cells).collect()
    }

    /// Adds the results of a wave to the tallies and the sink, in order. Returns the ending, if the run ends there.
    /// `pending` contains the cells of an incomplete block.
    fn hand_over<S: Sink>(
        &self,
        wave: &[Task<'_>],
        fought: Vec<Option<Vec<CellBlock>>>,
        tallied: &mut Tallied,
        pending: &mut Vec<CellBlock>,
        sink: &mut S,
    ) -> Result<Option<Ending>, RunError<S::Error>> {
        for (task, cells) in wave.iter().zip(fought) {
            let Some(mut cells) = cells else { return Ok(Some(Ending::Stopped)) };
            for cell in &mut cells {
                let kept = std::mem::take(&mut cell.kept);
                sink.rows(cell.cell, task.block.start, &kept).map_err(RunError::Sink)?;
            }
            pending.extend(cells);
            if task.ends_block {
                tallied.merge(task.block.clone(), pending);
                pending.clear();
                sink.block_done(tallied).map_err(RunError::Sink)?;
                self.progress.counted(tallied);
                if let Some(ending) = self.ending(tallied) {
                    return Ok(Some(ending));
                }
            }
        }
        Ok(None)
    }

    /// Fights tasks of one group, given by number. There is at least one.
    fn fight(&self, wave: &[Task<'_>], tasks: &[usize]) -> Vec<Option<Vec<CellBlock>>> {
        let RunOptions { both_ways, histograms, .. } = self.options;
        let of_task = |&task: &usize| {
            let block = &wave[task].block;
            let kept = self.options.keep.of_block(self.options.battles.start, block);
            (block.clone(), Counting { kept, both_ways: *both_ways, histograms })
        };
        let blocks: Vec<_> = tasks.iter().map(of_task).collect();
        wave[tasks[0]].group.fight(&blocks, |cell, block| {
            if self.stop.is_raised() {
                return None;
            }
            let noting = Noting { luck: self.options.luck };
            let fought = self.fighter.fight_noting(cell, block.clone(), noting);
            self.progress.advance(fought.outcomes.len() as u64);
            Some(fought)
        })
    }

    /// Why the run may end here, if this is a scheduled check and the results meet the request.
    fn ending(&self, tallied: &Tallied) -> Option<Ending> {
        if tallied.battles == 0 || !self.may_look_after(tallied.next()) {
            return None;
        }
        if self.options.precision.is_some_and(|half_width| self.is_precise(tallied, half_width)) {
            return Some(Ending::Precise);
        }
        (self.options.decide && self.is_decided(tallied)).then_some(Ending::Decided)
    }

    fn is_precise(&self, tallied: &Tallied, half_width: f64) -> bool {
        let intervals = self.options.intervals;
        let enough = |count: u64| intervals.share(count, tallied.battles).half_width() <= half_width;
        tallied.cells.iter().all(|cell| match &cell.rounds {
            Some(rounds) => {
                rounds.verdicts.iter().all(|verdict| round_mean(verdict, 0..=1, intervals).half_width() <= half_width)
            }
            None => cell.outcomes.into_iter().all(enough),
        })
    }

    fn is_decided(&self, tallied: &Tallied) -> bool {
        let mut pairs = tallied.cells.iter().filter_map(|cell| cell.paired.as_ref());
        pairs.all(|pairs| sequential_test::evidence_of(pairs).is_enough(self.options.intervals.level))
    }
}
