//! The results folder: its contents, and how it is written and read back.

#[cfg(feature = "folders")]
mod battles;
#[cfg(feature = "folders")]
mod begun;
mod columns;
#[cfg(feature = "folders")]
mod cut;
#[cfg(feature = "folders")]
mod disk;
#[cfg(feature = "folders")]
mod error;
mod expected;
#[cfg(feature = "folders")]
mod frames;
mod given;
mod labels;
#[cfg(feature = "folders")]
mod lock;
#[cfg(feature = "folders")]
mod merge;
mod model;
#[cfg(feature = "folders")]
mod parts;
mod promise;
mod quantities;
#[cfg(feature = "folders")]
mod read;
#[cfg(feature = "folders")]
mod report;
mod series;
mod sha256;
mod sum;
mod summary;
mod tables;
#[cfg(all(test, feature = "folders"))]
mod tests;
#[cfg(all(test, feature = "folders"))]
mod trouble;
#[cfg(feature = "folders")]
mod writer;

pub use columns::{Columns, column_name};
#[cfg(feature = "folders")]
pub use error::ResultsError;
pub use expected::Judged;
#[cfg(feature = "folders")]
pub(crate) use frames::Frames;
pub(crate) use given::odds_given;
pub use labels::{Headline, Label, Labels};
#[cfg(feature = "folders")]
pub(crate) use lock::Lock;
#[cfg(feature = "folders")]
pub use merge::merge;
pub use model::{
    CellHeader, DRAW, Ending, Expectation, Expected, FORMAT, FileEntry, Files, Kind, Made, Manifest, Method,
    MetricHeader, PackHeader, Progress, RatioHeader, ReportHeader, Results, Setting, StudyHeader, Summary, SummaryRow,
    TURNS, Value, Varied, WIN,
};
#[cfg(feature = "folders")]
pub(crate) use parts::bytes_of_rows;
pub use promise::{Promise, PromiseKind};
pub use quantities::names_of_quantities;
pub(crate) use quantities::quantities;
#[cfg(feature = "folders")]
pub use report::{PAGE, REPORT, REPORT_FILES, remove_report};
pub use series::{Difference, Differences};
pub(crate) use sha256::Sha256;
pub use sha256::sha256;
pub use sum::{Missing, Unaddable};
pub(crate) use sum::{Sum, sum};
#[cfg(feature = "folders")]
pub(crate) use summary::round_ratio;
pub(crate) use summary::{Bounds, round_mean};
pub use summary::{outcome_difference, outcome_share, pairs_of_metric, pairs_of_verdict};
pub use tables::{
    BattleRow, Column, Table, Values, battle_sides_table, battles_table, cells_table, ends_table, means_table,
    metadata, odds_table, summary_table, work_table,
};
#[cfg(feature = "folders")]
pub(crate) use tables::{Fields, OutcomeColumns};
#[cfg(feature = "folders")]
pub use writer::ResultsWriter;
