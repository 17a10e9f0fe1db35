//! The uncertainty of weights: the equilibria of resampled tables.

use grognard_stats::Level;
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use super::Tally;
use super::game::{cyclic_share, equilibrium};
use super::grid::Grid;
use crate::questions::chances::Chances;

/// Tables that are drawn.
pub const RESAMPLES: usize = 1_000;
/// The most batches of battles from which a table is drawn.
const BATCHES: usize = 256;

/// The uncertainty of weights and of the cyclic share, each on its own: the middle of all resamples at the level.
///
/// A resample draws whole batches of battle numbers, the same for all pairings, which preserves the correlation
/// from common dice.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The ends of the weight of each row.
    pub rows: Vec<(f64, f64)>,
    /// The ends of the weight of each column.
    pub columns: Vec<(f64, f64)>,
    /// The share of the resamples in which each row is chosen at all.
    pub rows_used: Vec<f64>,
    /// The share of the resamples in which each column is chosen at all.
    pub columns_used: Vec<f64>,
    /// The ends of the cyclic share.
    pub cyclic: Option<(f64, f64)>,
}

/// Draws tables from `rounds` observations of every pairing, each of `round` battles.
pub(super) fn spread(grid: &Grid, tallies: &[Tally], rounds: u64, round: usize, level: Level) -> Spread {
    let batches = tallies.first().map_or(0, |tally| tally.batches.len());
    let together = batches.div_ceil(BATCHES).max(1);
    let sums: Vec<Vec<i64>> =
        tallies.iter().map(|tally| tally.batches.chunks(together).map(|chunk| chunk.iter().sum()).collect()).collect();
    let count = batches.div_ceil(together);
    let drawn: Vec<Drawn> = (0..RESAMPLES)
        .into_par_iter()
        .map(|nth| {
            let mut times = vec![0_i64; count];
            let mut dice = Chances(nth as u64);
            (0..count).for_each(|_| times[dice.below(count)] += 1);
            let score = |(pairing, sums): (&super::Pairing, &Vec<i64>)| {
                let sum: i64 = sums.iter().zip(&times).map(|(sum, times)| sum * times).sum();
                // The last batch may be smaller: its weight is what it is in the battles.
                let most = 2 * (rounds as i64) * round as i64 * pairing.cells.len() as i64;
                (sum as f64 / most as f64).clamp(0.0, 1.0)
            };
            let scores: Vec<f64> = grid.pairings.iter().zip(&sums).map(score).collect();
            let table = grid.table(&scores);
            let best = equilibrium(&table);
            Drawn { rows: best.rows, columns: best.columns, cyclic: cyclic_share(&table) }
        })
        .collect();
    let ends = |of: &dyn Fn(&Drawn) -> f64| {
        let mut values: Vec<f64> = drawn.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        let out = (level.alpha() / 2.0 * values.len() as f64) as usize;
        (values[out], values[values.len() - 1 - out])
    };
    let used =
        |of: &dyn Fn(&Drawn) -> f64| drawn.iter().filter(|drawn| of(drawn) > 0.0).count() as f64 / drawn.len() as f64;
    let (rows, columns) = (0..grid.rows.len(), 0..grid.columns.len());
    Spread {
        rows: rows.clone().map(|row| ends(&|drawn| drawn.rows[row])).collect(),
        columns: columns.clone().map(|column| ends(&|drawn| drawn.columns[column])).collect(),
        rows_used: rows.map(|row| used(&|drawn| drawn.rows[row])).collect(),
        columns_used: columns.map(|column| used(&|drawn| drawn.columns[column])).collect(),
        cyclic: drawn.iter().all(|drawn| drawn.cyclic.is_some()).then(|| ends(&|drawn| drawn.cyclic.unwrap_or(0.0))),
    }
}

/// The result of one resample.
struct Drawn {
    rows: Vec<f64>,
    columns: Vec<f64>,
    cyclic: Option<f64>,
}
