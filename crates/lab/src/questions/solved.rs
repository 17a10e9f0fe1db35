//! Cells that are computed instead of fought.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use grognard_exact::{Limits, Solution, TooLarge};
use grognard_stats::Estimate;
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::exact::solve_cell;
use crate::progress::{Progress, Stop};
use crate::sensitivity::Quantity;
use crate::study::Cell;

/// A cell is too large to compute.
#[derive(Debug, thiserror::Error)]
#[error("cell {cell}: {error}")]
pub struct CellTooLarge {
    /// The cell.
    pub cell: u32,
    /// The limit exceeded.
    pub error: TooLarge,
}

/// Computes a cell, with one thread's share of the memory, and reports progress; `None` if it was stopped.
pub(super) fn solve(
    cell: &Cell,
    limits: &Limits,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Option<Solution>, CellTooLarge> {
    let threads = rayon::current_num_threads() as u64;
    let limits = Limits { bytes: limits.bytes / threads.max(1), ..*limits };
    let (number, watcher) = (cell.header.cell, progress.solving());
    let mut watch = |far: &grognard_exact::Progress| {
        watcher.walking(number, far);
        if stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    match solve_cell(cell, &limits, &mut watch) {
        Ok(solution) => {
            watcher.solved(number);
            Ok(Some(solution))
        }
        Err(_) if stop.is_raised() => Ok(None),
        Err(error) => Err(CellTooLarge { cell: number, error }),
    }
}

/// Does the work for each item. Returns the error of the first item that fails, whatever the number of threads. Once an
/// item has failed, later ones are not started.
pub(super) fn all_or_first_error<T: Sync, R: Send, E: Send>(
    things: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let failed = AtomicUsize::new(usize::MAX);
    let done: Vec<Option<Result<R, E>>> = things
        .par_iter()
        .enumerate()
        .map(|(at, thing)| {
            let begun = at < failed.load(Ordering::Relaxed);
            begun.then(|| work(thing).inspect_err(|_| _ = failed.fetch_min(at, Ordering::Relaxed)))
        })
        .collect();
    // Only items after a failed one are skipped, so the failure is found before any gap.
    done.into_iter().flatten().collect()
}

/// The mean of a quantity in a battle, with an interval that allows for the battles left out.
pub(super) fn mean(quantity: &Quantity, solution: &Solution) -> Estimate {
    let mean = solution.mean(|outcome| quantity.in_battle(outcome).unsigned_abs());
    let out = solution.left_out() * quantity.most as f64 + mean.error;
    let [point, low, high] =
        [mean.value, mean.value - mean.error, mean.value + out].map(|value| value / f64::from(quantity.per));
    Estimate::bounded(point, low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_in_order_is_told_whichever_came_first() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
        let things: Vec<u64> = (0..64).collect();
        let work = |&at: &u64| {
            // The first item that fails takes longest.
            std::thread::sleep(std::time::Duration::from_millis(if at == 5 { 30 } else { 1 }));
            if at >= 5 && at % 5 == 0 { Err(at) } else { Ok(at) }
        };
        assert_eq!(pool.install(|| all_or_first_error(&things, work)), Err(5));
        assert_eq!(pool.install(|| all_or_first_error(&things[..5], work)), Ok(vec![0, 1, 2, 3, 4]));
    }
}
