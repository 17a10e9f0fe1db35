//! From a study to a results folder: cells, the runner, tallies, summaries.
//!
//! See `docs/architecture.md` for the path of a battle through this crate.
//!
//! The feature `folders`, on by default, contains everything that stores results on disk, and pulls in polars. Programs
//! that only fight and compute turn it off; they use `grognard-kit`.
//!
//! ```
//! use std::path::Path;
//!
//! use grognard_lab::in_memory::Run;
//! use grognard_lab::progress::{Silent, Stop};
//! use grognard_lab::{Side, library, study::Changes};
//! use grognard_source::Sources;
//!
//! let mut sources = Sources::new();
//! let mut study = library::load(Path::new("refduel"), &Changes::default(), &mut sources).expect("a built-in study");
//! study.runs = 1_000;
//! let fought = Run::default().fight(&study, &Silent, &Stop::new())?;
//! let wins = fought.results.estimate(1, Some(Side::First), "win").expect("every study has it");
//! // +1 on a die wins 83.3 % of these duels.
//! assert!(wins.low < 0.833 && 0.833 < wins.high, "{wins:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
#[cfg(feature = "folders")]
pub mod compare;
pub mod coverage;
pub mod digest;
pub mod exact;
#[cfg(feature = "folders")]
pub mod folder_run;
#[cfg(feature = "folders")]
pub mod for_report;
pub mod in_memory;
mod intervals;
pub mod json;
pub mod library;
pub mod memoised_cells;
#[cfg(feature = "folders")]
pub mod notes;
#[cfg(feature = "folders")]
pub mod plan;
pub mod players;
mod pool;
pub mod print;
pub mod progress;
pub mod questions;
pub mod record;
pub mod replay;
pub mod results;
pub mod runner;
pub mod sensitivity;
pub mod sequential_test;
pub mod shell;
pub mod study;
pub mod tally;
#[cfg(test)]
mod testing;
pub mod watched;
mod worth;

pub use grognard_engine::{BySide, METRICS, Metric, Outcome, Side};

/// The maximum number of battles for one cell.
pub const RUNS_MAX: u64 = 1_000_000_000_000;
