//! What came of a question.

use std::fmt;

use grognard_engine::Side;
use grognard_lab::results::{CellHeader, DRAW, Results, SummaryRow, WIN};
use grognard_source::unknown_name;
use grognard_stats::Estimate;

use crate::Error;

/// The numbers of every cell. Printed, it is a line for each: its label, who wins how often, and how sure that is.
#[derive(Clone, Debug)]
pub struct Answer {
    /// All of it: manifest, tallies or odds, and the summary with every interval.
    pub results: Results,
}

/// One cell of an [`Answer`]: one combination of the values that the study varies.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    results: &'a Results,
    header: &'a CellHeader,
}

impl Answer {
    /// The names of the two sides; the first one moves first.
    #[must_use]
    pub fn sides(&self) -> [&str; 2] {
        self.results.manifest.sides.each_ref().map(String::as_str)
    }

    /// The cells, in the order of the study.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell<'_>> + Clone {
        self.results.manifest.cells.iter().map(|header| Cell { results: &self.results, header })
    }

    /// The cells in which these paths have these values: `answer.with(&[("defender.0.formation", "square")])`.
    pub fn with<'a>(&'a self, values: &'a [(&str, &str)]) -> impl Iterator<Item = Cell<'a>> {
        self.cells().filter(move |cell| values.iter().all(|(path, value)| cell.value(path) == Some(value)))
    }
}

impl<'a> Cell<'a> {
    /// Its number, from 0.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.header.cell
    }

    /// Its name: the varied values that set it apart, such as `square, heavy-cavalry, front`.
    #[must_use]
    pub fn label(&self) -> &'a str {
        &self.header.label
    }

    /// What the study gives a varied path in this cell, as it is written there; none for a path that it does not vary.
    #[must_use]
    pub fn value(&self, path: &str) -> Option<&'a str> {
        self.header.vary.iter().find(|setting| setting.path == path).map(|setting| setting.value.text.as_str())
    }

    /// The same as a number, if it is one: for an axis.
    #[must_use]
    pub fn value_as_number(&self, path: &str) -> Option<f64> {
        self.header.vary.iter().find(|setting| setting.path == path)?.value.number
    }

    /// A number of the cell with its interval: the name of a side for the share of battles it wins, `draw`, `turns`, or a metric of a
    /// side such as `defender.losses`. Shares go from 0 to 1.
    ///
    /// # Errors
    /// [`Error::NoNumber`]: there is none of that name.
    pub fn estimate(&self, name: &str) -> Result<Estimate, Error> {
        let plain = |row: &&SummaryRow| !row.kind.is_difference() && !row.kind.is_controlled();
        let row = self.rows().filter(plain).find(|row| self.name(row) == name);
        row.map(SummaryRow::estimate).ok_or_else(|| self.no_number(name))
    }

    /// By how much a number of the cell differs from that of the cell it is compared with, battle by battle; none for a cell that
    /// is compared with nothing.
    ///
    /// # Errors
    /// [`Error::NoNumber`]: there is no number of that name.
    pub fn difference(&self, name: &str) -> Result<Option<Estimate>, Error> {
        if !self.rows().any(|row| self.name(row) == name) {
            return Err(self.no_number(name));
        }
        let row = self.rows().filter(|row| row.kind.is_difference()).find(|row| self.name(row) == name);
        Ok(row.map(SummaryRow::estimate))
    }

    fn rows(&self) -> impl Iterator<Item = &'a SummaryRow> {
        let (summary, cell) = (&self.results.summary, self.header.cell);
        let start = summary.partition_point(|row| row.cell < cell);
        summary[start..].iter().take_while(move |row| row.cell == cell)
    }

    /// A row's name, as `grognard run --json` has it.
    fn name(&self, row: &SummaryRow) -> String {
        let names = self.results.manifest.side_names();
        match (row.side, row.metric.as_str()) {
            (Some(side), WIN) => names[side].to_owned(),
            (Some(side), metric) => format!("{}.{metric}", names[side]),
            (None, metric) => metric.to_owned(),
        }
    }

    fn no_number(&self, name: &str) -> Error {
        let names: Vec<String> = self.rows().map(|row| self.name(row)).collect();
        let (what, help) = unknown_name("number", name, names.iter().map(String::as_str));
        Error::NoNumber { what, help: help.unwrap_or_default() }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.cells().map(|cell| cell.label().chars().count()).max().unwrap_or(0);
        for (place, cell) in self.cells().enumerate() {
            if place > 0 {
                out.write_str("\n")?;
            }
            write!(out, "{:width$}", cell.label())?;
            for side in [Some(Side::First), None, Some(Side::Second)] {
                let (name, metric) = side.map_or((DRAW, DRAW), |side| (self.sides()[side.index()], WIN));
                if let Some(row) = self.results.estimate(cell.number(), side, metric) {
                    write!(out, "  {name} {}", row.estimate().percent())?;
                }
            }
        }
        Ok(())
    }
}
