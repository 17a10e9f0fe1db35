//! Coverage of a pack by the battles of a study.

use grognard_dice::SeededDice;
use grognard_engine::{Coverage, fight};
use rayon::prelude::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::progress::{Progress, Stop};
use crate::study::{Cell, Study};

/// The number of battles counted in one batch.
const CHUNK: u64 = 256;

/// Fights the first battles of every cell and counts the clauses and rows used; `None` if it was stopped.
#[must_use]
pub fn coverage<'a>(study: &'a Study, runs: u64, progress: &dyn Progress, stop: &Stop) -> Option<Coverage<'a>> {
    let cells: Option<Vec<Coverage<'a>>> =
        study.cells.par_iter().map(|cell| of_cell(study, cell, runs, progress, stop)).collect();
    let mut cells = cells?.into_iter();
    let mut sum = cells.next()?;
    for cell in cells {
        sum.merge(&cell);
    }
    Some(sum)
}

fn of_cell<'a>(study: &Study, cell: &'a Cell, runs: u64, progress: &dyn Progress, stop: &Stop) -> Option<Coverage<'a>> {
    let chunk = |chunk: u64| {
        if stop.is_raised() {
            return None;
        }
        let battles = chunk * CHUNK..((chunk + 1) * CHUNK).min(runs);
        let mut dice = SeededDice::new(study.seed);
        let mut coverage = Coverage::new(&cell.rules, &cell.setup, &cell.gauges);
        progress.advance(battles.end - battles.start);
        for battle in battles {
            let bout = cell.bout(battle);
            dice.battle(bout.dice);
            coverage.begin();
            fight(&cell.rules, bout.setup, &mut dice, &mut coverage);
        }
        Some(coverage)
    };
    let empty = || Some(Coverage::new(&cell.rules, &cell.setup, &cell.gauges));
    (0..runs.div_ceil(CHUNK)).into_par_iter().map(chunk).reduce(empty, |one, other| {
        let mut one = one?;
        one.merge(&other?);
        Some(one)
    })
}
