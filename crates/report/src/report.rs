//! The report in memory: from the data of a results folder, no files.

use grognard_lab::results::Results;

use crate::charts::{self, Chart};
use crate::made::{self, Fact, Replay};
use crate::reading::Reading;
use crate::rules::{self, RulesInPlay};
use crate::sentence;
use crate::table::{self, Table};
use crate::told::{self, Told};

/// A report: what it says and shows, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The study's title.
    pub title: String,
    /// The answer in sentences, each with its numbers.
    pub answer: Vec<String>,
    /// Sentences that the study's author sets apart.
    pub highlights: Vec<String>,
    /// The study's own analysis, by paragraph.
    pub analysis: Vec<String>,
    /// The charts that the results have the numbers for.
    pub charts: Vec<Chart>,
    /// Which clauses of the rulebook are cited by what came into play; none if nobody watched.
    pub rules: Option<RulesInPlay>,
    /// Battles worth telling.
    pub told: Vec<Told>,
    /// Every number with its interval.
    pub tables: Vec<Table>,
    /// How it was made.
    pub facts: Vec<Fact>,
    /// How to see one of the battles.
    pub replay: Option<Replay>,
    /// What it is built from, to know it by.
    pub origin: String,
}

impl Report {
    /// The report on `results`.
    #[must_use]
    pub fn on(results: &Results) -> Self {
        let reading = Reading::of(results);
        let manifest = &results.manifest;
        let name = &manifest.study.name;
        let title = if manifest.study.title.trim().is_empty() { name } else { &manifest.study.title };
        let mut tables = vec![table::outcomes(&reading), table::metrics(&reading)];
        tables.extend(table::expected(&reading));
        Self {
            title: title.clone(),
            answer: sentence::answer(&reading),
            highlights: manifest.report.highlights.clone(),
            analysis: paragraphs(&manifest.report.analysis),
            charts: charts::all(&reading),
            rules: rules::in_play(&reading),
            told: told::told(&reading),
            tables,
            facts: made::facts(&reading),
            replay: made::replay(results),
            origin: made::origin(manifest),
        }
    }
}

/// Text cut at its empty lines, each piece on one line.
fn paragraphs(text: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in text.lines().map(str::trim) {
        match paragraphs.last_mut() {
            Some(last) if !line.is_empty() => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(line);
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}
