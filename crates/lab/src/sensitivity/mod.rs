//! Sensitivity: which numbers of the rules change the answer of a study.
//!
//! [`Inquiry::ask`] changes one number at a time by a pip down and up, fights the same battles with the same dice, and
//! measures the change in the answer: the mean, over the cells, of a side's wins or of another metric. For each battle,
//! the change over all cells is one observation, so the interval accounts for the cells' common dice. Numbers that
//! change nothing at all in the first battles of every cell are only counted.
//!
//! `Inquiry::global` varies several numbers at once over ranges, by the elementary effects of Morris (1991), to find
//! numbers that matter only together, which changing one at a time cannot show.
//!
//! A number is in use unless it belongs to a unit type that no cell deploys, or is a value of a modifier or of a result
//! that was never used in any of the battles. Such a number cannot change any of those battles.

mod draws;
pub(crate) mod fought;
mod local;
mod morris;
mod named;
mod quantity;
#[cfg(test)]
mod tests;
mod used;

use grognard_stats::{Estimate, Level};

use crate::results::CellHeader;
use crate::study::Number;

pub use local::AskError;
pub use morris::REACH;
pub use named::{Meant, Named, Unnamed, number};
pub use quantity::Quantity;

/// Battles of every cell in which a change is examined first. A change without effect in them is dropped.
pub const LOOK: u64 = 512;

/// The settings of an inquiry.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// Cells to fight, by index in the study; all if empty.
    pub cells: Vec<usize>,
    /// The number of battles in each cell with each change; an even number if battles are fought both ways.
    pub battles: u64,
    /// The metric of the answer.
    pub quantity: Quantity,
    /// The number of pips, down and up.
    pub pips: i64,
    /// The simultaneous confidence level of all intervals.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// The numbers of a study.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The numbers to try.
    pub numbers: Vec<Number>,
    /// How many numbers the packs have, or how many were named.
    pub all: usize,
    /// How many of them the study itself varies.
    pub varied: usize,
    /// How many of them belong to unit types that no cell deploys.
    pub absent: usize,
    /// How many of them belong to modifiers or results that were never used.
    pub unreached: usize,
}

/// The results of an inquiry.
#[derive(Clone, Debug)]
pub struct Found {
    /// The cells that were fought.
    pub cells: Vec<CellHeader>,
    /// Battles in each cell with each change.
    pub battles: u64,
    /// Battles in each cell in which every change was examined.
    pub looked: u64,
    /// The answer with unchanged numbers, over all cells.
    pub base: Estimate,
    /// Level of each interval on its own.
    pub level: Level,
    /// Level of each simultaneous interval (Bonferroni).
    pub corrected: Level,
    /// The numbers that changed some battle, those with the greatest effect first.
    pub moved: Vec<Moved>,
    /// The number of changes without effect in the battles examined.
    pub still: usize,
    /// Numbers that can be changed neither down nor up.
    pub fixed: Vec<Number>,
    /// The number of changes that the rules allow, plus two for each number that was not tried: the size of the family
    /// of simultaneous intervals.
    pub changes: usize,
    /// Battles fought, including those with unchanged numbers.
    pub fought: u64,
    /// Numbers that were not tried before it was stopped.
    pub untried: Vec<Number>,
}

/// A number that changes something.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The number.
    pub number: Number,
    /// The effects of making it smaller and larger; `None` if the rules do not allow the number.
    pub steps: [Option<Step>; 2],
}

/// The effect of a changed number.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The changed number, in thousandths.
    pub value: i64,
    /// The `--set` that makes the change.
    pub set: String,
    /// The number of battles fought with the change that differed in any way.
    pub otherwise: u64,
    /// Battles in each cell that were fought with it.
    pub battles: u64,
    /// The change in the answer, over all cells.
    pub effect: Estimate,
    /// The effect with an interval that is simultaneous over all changes.
    pub together: Estimate,
    /// The p-value of "no difference".
    pub p: f64,
    /// The p-value, corrected for all changes (Holm).
    pub corrected_p: f64,
    /// The effect in each cell, with intervals that are simultaneous over all changes and cells.
    pub cells: Vec<Estimate>,
}

impl Step {
    /// Whether it certainly changes the answer, despite the number of changes tried.
    #[must_use]
    pub fn stands(&self) -> bool {
        !self.together.holds(0.0)
    }

    /// The cell, by index, that it changes most.
    #[must_use]
    pub fn most(&self) -> Option<(usize, &Estimate)> {
        self.cells.iter().enumerate().max_by(|(_, one), (_, other)| one.point.abs().total_cmp(&other.point.abs()))
    }
}

impl Moved {
    /// The size of its effect, in either direction.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.steps.iter().flatten().map(|step| step.effect.point.abs()).fold(0.0, f64::max)
    }

    /// Whether its effect exceeds the margin of error.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.steps.iter().flatten().any(Step::stands)
    }
}

/// A number and the range it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranged {
    /// The number.
    pub number: Number,
    /// The minimum, in thousandths.
    pub low: i64,
    /// The maximum, in thousandths.
    pub high: i64,
}

/// The effects of several numbers together: the elementary effects of each.
#[derive(Clone, Debug)]
pub struct Global {
    /// The numbers, those with the greatest mean effect first.
    pub rows: Vec<GlobalRow>,
    /// The number of trajectories through the ranges.
    pub ways: usize,
    /// Combinations of numbers that were fought.
    pub combinations: usize,
    /// Steps for which the rules did not allow both ends.
    pub refused: usize,
    /// Battles fought.
    pub fought: u64,
}

/// One of the numbers, with its effects.
#[derive(Clone, Debug)]
pub struct GlobalRow {
    /// The number with its range.
    pub ranged: Ranged,
    /// Its elementary effects.
    pub effects: Effects,
}

/// The elementary effects of a number, summed up.
#[derive(Clone, Copy, Debug)]
pub struct Effects {
    /// The number of elementary effects that could be measured.
    pub measured: usize,
    /// The number of battles, out of [`Inquiry::battles`], in which any of its steps changed the answer.
    pub changed: u64,
    /// Their mean size, for a step over the whole range: Morris's μ*.
    pub size: Estimate,
    /// Their mean, with its sign.
    pub mean: Estimate,
    /// Their standard deviation: large if the number's effect is nonlinear or depends on other numbers.
    pub spread: f64,
    /// The part of it that is sampling error: the root mean square of the effects' standard errors.
    pub noise: f64,
}
