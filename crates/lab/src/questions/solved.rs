//! Cells that are worked out instead of fought.

use std::ops::ControlFlow;

use grognard_exact::{Limits, Solution, TooLarge};
use grognard_stats::Estimate;

use crate::exact::solve_cell;
use crate::progress::Stop;
use crate::sensitivity::Quantity;
use crate::study::Cell;

/// A cell is too large to be worked out.
#[derive(Debug, thiserror::Error)]
#[error("cell {cell}: {error}")]
pub struct CellTooLarge {
    /// The cell.
    pub cell: u32,
    /// What was passed.
    pub error: TooLarge,
}

/// Works a cell out, with the memory of one thread of all; none if it was stopped.
pub(super) fn solve(cell: &Cell, limits: &Limits, stop: &Stop) -> Result<Option<Solution>, CellTooLarge> {
    let threads = rayon::current_num_threads() as u64;
    let limits = Limits { bytes: limits.bytes / threads.max(1), ..*limits };
    let mut watch = |_: &grognard_exact::Progress| {
        if stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    match solve_cell(cell, &limits, &mut watch) {
        Ok(solution) => Ok(Some(solution)),
        Err(_) if stop.is_raised() => Ok(None),
        Err(error) => Err(CellTooLarge { cell: cell.header.cell, error }),
    }
}

/// The mean of a quantity in a battle, between ends that leave room for what was left out.
pub(super) fn mean(quantity: &Quantity, solution: &Solution) -> Estimate {
    let mean = solution.mean(|outcome| quantity.in_battle(outcome).unsigned_abs());
    let out = solution.left_out() * quantity.most as f64 + mean.error;
    let [point, low, high] =
        [mean.value, mean.value - mean.error, mean.value + out].map(|value| value / f64::from(quantity.per));
    Estimate::bounded(point, low, high)
}
