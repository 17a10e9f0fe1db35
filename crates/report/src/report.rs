//! The report in memory, made from the data of a results folder without writing files.

use grognard_lab::results::{DRAW, Results, WIN};

use crate::charts::{self, Chart};
use crate::html::html;
use crate::look::Size;
use crate::noteworthy::{self, NoteworthyBattle};
use crate::paint::PaintError;
use crate::provenance::{self, Fact, Replay};
use crate::reading::Reading;
use crate::rules::{self, RulesInPlay};
use crate::sentence;
use crate::table::{self, Table};
use crate::text::{Piece, with_code};
use crate::who_plays::{WhoPlays, who_plays};

/// A report: its texts and charts, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The study's title.
    pub title: String,
    /// The question that the study asks; empty if its file does not begin with one.
    pub question: String,
    /// The answer in sentences, each with its numbers.
    pub answer: Vec<String>,
    /// Sentences that the study's author highlights.
    pub highlights: Vec<String>,
    /// The chart of the first page.
    pub lead: Option<Chart>,
    /// The cells asked about, on the first page; `None` before the first battle.
    pub asked: Option<Table>,
    /// The study's own analysis, by paragraph.
    pub analysis: Vec<String>,
    /// How far the findings depend on who plays; `None` if no other players were tried.
    pub who_plays: Option<WhoPlays>,
    /// The other charts for which the results have the numbers, except that of the clauses.
    pub charts: Vec<Chart>,
    /// The clauses used; `None` if no battles were watched.
    pub rules: Option<RulesInPlay>,
    /// Noteworthy battles.
    pub noteworthy: Vec<NoteworthyBattle>,
    /// Every number with its interval.
    pub tables: Vec<Table>,
    /// The heading above these tables.
    pub tables_title: &'static str,
    /// How it was made.
    pub facts: Vec<Fact>,
    /// How to see one of the battles.
    pub replay: Option<Replay>,
    /// Its origin, which identifies it.
    pub origin: String,
}

/// The heading above tables with a row for each cell.
pub(crate) const ALL_CELLS: &str = "All cells";

impl Report {
    /// The report on `results`.
    #[must_use]
    pub fn on(results: &Results) -> Self {
        let reading = Reading::of(results);
        let manifest = &results.manifest;
        let name = &manifest.study.name;
        let title = if manifest.study.title.trim().is_empty() { name } else { &manifest.study.title };
        let mut charts = charts::all(&reading);
        let (lead, is_one_of_all) = lead(&reading, &charts);
        if is_one_of_all {
            charts.retain(|chart| Some(chart) != lead.as_ref());
        } else if let Some(lead) = &lead {
            charts.iter_mut().for_each(|chart| chart.retitle(&reading, lead.finding()));
        }
        let mut tables = vec![table::outcomes(&reading), table::metrics(&reading)];
        tables.extend(table::expected(&reading));
        let who_plays = who_plays(&reading);
        let mut answer = sentence::answer(&reading);
        if let Some(told) = &who_plays {
            answer.extend(told.as_score.iter().chain(&told.verdict).cloned());
        }
        Self {
            title: with_code(title).map(Piece::words).collect(),
            question: manifest.report.question.clone(),
            answer,
            highlights: manifest.report.highlights.clone(),
            asked: lead.is_some().then(|| table::asked(&reading)),
            lead,
            analysis: paragraphs(&manifest.report.analysis),
            who_plays,
            rules: rules::in_play(&reading, &mut charts),
            charts,
            noteworthy: noteworthy::battles(&reading),
            tables,
            facts: provenance::facts(&reading),
            tables_title: ALL_CELLS,
            replay: provenance::replay(results),
            origin: provenance::origin(manifest),
        }
    }

    /// The first page alone: the question, the answer, one chart and the cells asked about.
    #[must_use]
    pub fn short(self) -> Self {
        let Self { title, question, answer, highlights, lead, asked, origin, tables_title, .. } = self;
        let (analysis, charts, noteworthy, tables, facts) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (who_plays, rules, replay) = (None, None, None);
        Self {
            title,
            question,
            answer,
            highlights,
            lead,
            asked,
            analysis,
            who_plays,
            charts,
            rules,
            noteworthy,
            tables,
            tables_title,
            facts,
            replay,
            origin,
        }
    }

    /// The report as one page of HTML that needs no other file.
    ///
    /// # Errors
    /// If a chart cannot be drawn.
    pub fn page(&self) -> Result<String, PaintError> {
        html(self)
    }

    /// A chart's description and, if the tables of all cells have its numbers, a note that they are there.
    pub(crate) fn alt(&self, chart: &Chart) -> String {
        match self.tables.is_empty() || !chart.is_tabled() {
            true => chart.alt(),
            false => format!("{} The numbers are under “{}”.", chart.alt(), self.tables_title),
        }
    }

    /// The chart of the first page, then the others, that of the clauses last.
    pub fn all_charts(&self) -> impl Iterator<Item = &Chart> {
        let of_rules = self.rules.iter().filter_map(|rules| rules.chart.as_ref());
        self.lead.iter().chain(&self.charts).chain(of_rules)
    }
}

/// The chart of the first page, and whether it is one of all charts. It shows the headline's metric. If the whole chart
/// leaves no room for words, it shows the cells in question only, or else their wins as bars.
fn lead(reading: &Reading<'_>, charts: &[Chart]) -> (Option<Chart>, bool) {
    /// The tallest chart that leaves room for the answer and a table on a page, in points.
    const TALLEST: f64 = 400.0;
    let wins = [WIN, DRAW].contains(&reading.headline.metric);
    let fits = |chart: &&Chart| chart.sheet(Size::Page).height <= TALLEST;
    let Some(first) = charts.iter().find(|chart| chart.is_about(reading.headline.metric)).or(charts.first()) else {
        return (None, false);
    };
    if fits(&first) {
        return (Some(first.clone()), true);
    }
    // If the side wins equally often in all cells, the study asks about no particular cell.
    let asked = !(wins && reading.is_still());
    let bars = || charts::asked_about(reading).filter(|_| wins);
    match first.asked_about(reading).or_else(bars).filter(|_| asked) {
        Some(chart) => (Some(chart), false),
        // The page shows only the beginning of this chart.
        None => (Some(first.clone()), true),
    }
}

/// Text split at its empty lines, each piece on one line.
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
