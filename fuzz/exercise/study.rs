//! An untrusted study.

use grognard_lab::runner::Fighter;
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

use super::pack::told;

/// Reads a study and fights a few of its battles. Returns whether it is valid.
pub(crate) fn exercise(text: &str) -> bool {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text);
    match Study::read(file, None, &Changes::default(), &mut sources) {
        Ok(study) => {
            fought(&study);
            true
        }
        Err(faults) => {
            told(&faults, &sources);
            false
        }
    }
}

/// Fights two battles of the first and of the last cell: strengths never grow, and there are no more turns than the
/// limit.
pub(crate) fn fought(study: &Study) {
    let last = study.cells.len() as u32 - 1;
    for cell in [0, last] {
        let turns = study.cells[cell as usize].header.turns;
        for outcome in study.fight(cell, 0..2) {
            assert!(outcome.turns <= turns, "{outcome:?}");
        }
    }
}
