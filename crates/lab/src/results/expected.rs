//! The odds that a study expects, held against what was found.

use grognard_engine::Side;
use grognard_stats::{Estimate, Level, share, sidak};

use super::{DRAW, Expected, Results, WIN};

/// Chance that any of a study's odds is said to disagree though all of them are right.
const FALSE_ALARM: f64 = 0.01;

/// Expected odds beside what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged<'a> {
    /// What is expected.
    pub expected: &'a Expected,
    /// The same as a number, 0 to 1.
    pub odds: f64,
    /// What was found, with its interval at the level of the folder.
    pub found: Estimate,
    /// Whether the two agree.
    pub agrees: bool,
}

impl Results {
    /// The odds that the study expects, each beside what was found; those of cells that are not there are left out.
    ///
    /// They are judged all together at a level of 99 %: one by one, five in a hundred would seem wrong by chance.
    #[must_use]
    pub fn judged(&self) -> Vec<Judged<'_>> {
        let expected = &self.manifest.report.expect;
        let level = sidak(Level::new(1.0 - FALSE_ALARM).unwrap_or(Level::P99), expected.len());
        expected.iter().filter_map(|expected| self.judge(expected, level)).collect()
    }

    fn judge<'a>(&self, expected: &'a Expected, level: Level) -> Option<Judged<'a>> {
        let names = self.manifest.side_names();
        let side = Side::BOTH.into_iter().find(|&side| names[side] == expected.outcome);
        let row = self.estimate(expected.cell, side, if side.is_some() { WIN } else { DRAW })?;
        let odds = expected.numerator as f64 / expected.denominator as f64;
        let found = row.estimate();
        let tested = if found.is_computed() {
            found
        } else {
            share((row.mean * row.runs as f64).round() as u64, row.runs, level)
        };
        // A decimal stands for all numbers that are rounded to it; a computed number is right but for the last bits.
        let slack = if expected.rounded { 0.5 / expected.denominator as f64 } else { 0.0 } + 1e-9;
        let agrees = tested.low <= odds + slack && tested.high >= odds - slack;
        Some(Judged { expected, odds, found, agrees })
    }
}
