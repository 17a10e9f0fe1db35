//! The output formats of results.

use std::io;

use clap::ValueEnum;
use grognard_lab::json::to_json;
use grognard_lab::results::Results;

use crate::failure::Failure;
use crate::{table, terminal};

/// A format of results on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Columns of text.
    Table,
    /// One JSON object, with every metric.
    Json,
    /// A line for each cell, with every metric, for a spreadsheet.
    Csv,
    /// Tables in Markdown, for rule notes.
    Markdown,
}

/// The requested format.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Form {
    /// Format of the results.
    #[arg(long, value_name = "FORM", default_value = "table")]
    format: Format,
    /// Print one JSON object. Short for --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Form {
    /// The format.
    pub(crate) fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Whether it is for people rather than programs.
    pub(crate) fn is_prose(self) -> bool {
        matches!(self.format(), Format::Table | Format::Markdown)
    }

    /// Prints the results.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(crate) fn print(self, results: &Results) -> Result<(), Failure> {
        match self.format() {
            Format::Table => terminal::print_bars(&table::results(results, table::Setting::Text(terminal::page()))),
            Format::Markdown => terminal::print(&table::results(results, table::Setting::Markdown)),
            Format::Json => terminal::print_raw(&format!("{:#}\n", to_json(results))),
            Format::Csv => {
                let paths = results.manifest.vary.iter().map(|varied| varied.path.as_str());
                let varied: Vec<_> = paths.zip(results.manifest.columns().vary).collect();
                let text = table::csv(&to_json(results), &varied).map_err(|error| unwritten(&error))?;
                terminal::print(&text)
            }
        }
    }
}

fn unwritten(error: &io::Error) -> Failure {
    Failure::unfinished(format!("cannot write the results as CSV: {error}"))
}
