//! The answer to a designer's question, in every form: printed, and written to a folder as a report.

use std::path::{Path, PathBuf};

use grognard_report::{Chart, Fact, Report, Table, publish_answer};
use serde_json::Value as Json;

use crate::failure::Failure;
use crate::format::Format;
use crate::table::{Column, Setting, answer, records};
use crate::terminal;

/// An answer to a question, in all its forms.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The subcommand, such as `find`; the answer's files are named after it.
    pub(crate) name: &'static str,
    /// The study's title.
    pub(crate) title: String,
    /// The question, as a sentence without its full stop.
    pub(crate) asked: String,
    /// Cells, battles, seed and pack.
    pub(crate) fought: String,
    /// The answer.
    pub(crate) sentences: Vec<String>,
    /// The table. Its last column is never shortened, so that it can be copied.
    pub(crate) columns: Vec<Column>,
    /// Other tables, each with its heading.
    pub(crate) more: Vec<(String, Vec<Column>)>,
    /// The meaning of the signs in the table, and the guarantee.
    pub(crate) legend: Vec<String>,
    /// The numbers as JSON.
    pub(crate) json: Json,
    /// The numbers for a spreadsheet: column names, then rows.
    pub(crate) records: Vec<Vec<String>>,
    /// The chart; `None` if there is nothing to draw.
    pub(crate) chart: Option<Chart>,
    /// The command line that reproduces the answer.
    pub(crate) command: String,
}

impl Answer {
    /// Prints the answer.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written.
    pub(crate) fn print(&self, format: Format) -> Result<(), Failure> {
        match format {
            Format::Table => terminal::print(&answer::table(self, Setting::Text(terminal::page()))),
            Format::Markdown => terminal::print(&answer::table(self, Setting::Markdown)),
            Format::Json => terminal::print_raw(&self.json_text()),
            Format::Csv => terminal::print(&self.csv()?),
        }
    }

    /// Writes the answer to a folder: a page, Markdown, a one-page PDF, the chart (SVG and PNG), and the numbers as
    /// JSON and CSV.
    ///
    /// # Errors
    ///
    /// The chart cannot be drawn, or a file cannot be written.
    pub(crate) fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
        let (json, csv) = (format!("{}.json", self.name), format!("{}.csv", self.name));
        let texts = [(json.as_str(), self.json_text()), (csv.as_str(), self.csv()?)];
        Ok(publish_answer(folder, self.name, &self.report(), &texts)?)
    }

    fn json_text(&self) -> String {
        format!("{:#}\n", self.json)
    }

    fn csv(&self) -> Result<String, Failure> {
        records(self.records.iter().cloned())
            .map_err(|error| Failure::unfinished(format!("cannot write the numbers as CSV: {error}")))
    }

    fn report(&self) -> Report {
        let asked = printed(&self.asked, &self.columns);
        let more = self.more.iter().map(|(heading, columns)| printed(heading.trim_end_matches(':'), columns));
        let fact = |term, text: &str, verbatim| Fact { term, text: text.to_owned(), verbatim };
        let guarantee = self.legend.join(" ");
        Report {
            title: self.title.clone(),
            question: self.asked.clone(),
            answer: self.sentences.clone(),
            highlights: Vec::new(),
            lead: self.chart.clone(),
            asked: Some(asked).filter(|table| !table.rows.is_empty()),
            analysis: Vec::new(),
            charts: Vec::new(),
            rules: None,
            noteworthy: Vec::new(),
            who_plays: None,
            tables: more.filter(|table| !table.rows.is_empty()).collect(),
            facts: vec![
                fact("Battles", &self.fought, false),
                fact("How to read it", &guarantee, false),
                fact("Command", &self.command, true),
            ],
            tables_title: "More numbers",
            replay: None,
            origin: String::new(),
        }
    }
}

/// The columns as a report's table.
pub(crate) fn printed(caption: &str, columns: &[Column]) -> Table {
    let rows = columns.first().map_or(0, |column| column.rows.len());
    let field = |column: &Column, row: usize| column.rows[row].split_whitespace().collect::<Vec<_>>().join(" ");
    Table {
        caption: caption.to_owned(),
        head: columns.iter().map(|column| column.head.join(" ")).collect(),
        rows: (0..rows).map(|row| columns.iter().map(|column| field(column, row)).collect()).collect(),
    }
}
