//! The forms in which results are printed.

use std::io;

use clap::ValueEnum;
use grognard_lab::json::to_json;
use grognard_lab::results::Results;

use crate::failure::Failure;
use crate::{table, terminal};

/// A form of results on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Columns of text, for reading.
    Table,
    /// One JSON object, with every metric.
    Json,
    /// A line for each cell, with every metric, for a spreadsheet.
    Csv,
    /// Tables in Markdown, for rule notes.
    Markdown,
}

/// In what form results are asked for.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Form {
    /// How to print the results.
    #[arg(long, value_name = "FORM", default_value = "table")]
    format: Format,
    /// Print one JSON object: short for --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Form {
    /// The form.
    pub(crate) fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Whether it is for people and not for programs.
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
                let text = table::csv(&to_json(results)).map_err(|error| unwritten(&error))?;
                terminal::print(&text)
            }
        }
    }
}

fn unwritten(error: &io::Error) -> Failure {
    Failure::unfinished(format!("cannot write the results as CSV: {error}"))
}
