//! The results folder: what it holds, how it is written and read back.

mod disk;
mod error;
mod expected;
mod frames;
mod merge;
mod model;
mod parts;
mod promise;
mod read;
mod series;
mod sha256;
mod summary;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod trouble;
mod writer;

pub use error::ResultsError;
pub use expected::Judged;
pub use merge::merge;
pub use model::{
    CellHeader, DRAW, Ending, Expectation, Expected, FORMAT, FileEntry, Files, Kind, Made, Manifest, Method,
    MetricHeader, PackHeader, Progress, RatioHeader, ReportHeader, Results, Setting, StudyHeader, SummaryRow, TURNS,
    Value, Varied, WIN,
};
pub use promise::{Promise, PromiseKind};
pub(crate) use read::checked_bytes;
pub use series::{Difference, Differences};
pub(crate) use sha256::sha256;
pub(crate) use summary::{Bounds, round_mean, round_ratio};
pub use summary::{pairs_of_metric, pairs_of_verdict};
pub use writer::ResultsWriter;
