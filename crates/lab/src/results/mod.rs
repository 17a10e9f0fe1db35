//! The results folder: what it holds, how it is written and read back.

mod error;
mod frames;
mod model;
mod read;
mod sha256;

pub use error::ResultsError;
pub use model::{
    CellHeader, DRAW, Ending, Expected, FORMAT, FileEntry, Files, Kind, Made, Manifest, Method, MetricHeader,
    PackHeader, Progress, ReportHeader, Results, Setting, StudyHeader, SummaryRow, TURNS, Value, Varied, WIN,
};
