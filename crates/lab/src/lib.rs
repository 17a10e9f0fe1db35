//! From a study to a results folder: cells, the runner, tallies, summaries.
//!
//! See `docs/architecture.md` for the way of a battle through this crate.

pub mod results;
pub mod tally;

pub use grognard_engine::{BySide, METRICS, Metric, Side};

/// The most battles that one cell may be asked to fight.
pub const RUNS_MAX: u64 = 1_000_000_000_000;
