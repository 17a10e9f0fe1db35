//! Clause coverage: how often rows of the pack that cite each clause of the rulebook were used.

use grognard_stats::Estimate;

use super::Drawing;
use crate::axis::{Axis, number};
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{FIRST, Form, ROWS_MAX, RULE, SOFT, TEXT, narrow, size};
use crate::reading::Reading;
use crate::sheet::{Anchor, Sheet, Text};
use crate::table::Table;
use crate::text::{InPrint, counted, listed, plural};

/// The stem of its file names.
pub(super) const NAME: &str = "clauses";

/// How often rows that cite clauses were used. A row that cites several clauses counts for all of them, whichever
/// applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Clauses {
    /// The finding.
    pub finding: String,
    /// Battles watched in each cell, and cells.
    pub battles: (u64, usize),
    /// The clauses that were used in some battles, the most frequent first.
    pub rows: Vec<ClauseRow>,
    /// The numbers of the clauses that were used in every battle.
    pub always: Vec<String>,
    /// How many clauses were never used.
    pub never: usize,
}

/// A clause.
#[derive(Clone, Debug, PartialEq)]
pub struct ClauseRow {
    /// Its number in the rulebook.
    pub id: String,
    /// What it requires.
    pub text: String,
    /// The share of all watched battles in which something that cites it was used. It has an interval only if there is
    /// a single cell: over several cells, it describes only those that the study chose.
    pub share: Estimate,
    /// The shares in the cells where it is lowest and highest.
    pub range: (f64, f64),
    /// Cells in which it was used at all.
    pub cells: usize,
}

impl ClauseRow {
    /// Its number and its text; if the number is a word, a colon separates them.
    fn label(&self) -> String {
        let is_word = self.id.chars().filter(|character| character.is_alphabetic()).count() > 2;
        format!("{}{} {}", self.id, if is_word { ":" } else { "" }, self.text)
    }

    /// The share without an interval.
    fn often(&self) -> String {
        percent(self.share.point)
    }
}

/// A share of this many battles, in per cent. A share other than 0 or 1 is never printed as 0 or 100.
pub(crate) fn percent(share: f64) -> String {
    let whole = format!("{:.0}", 100.0 * share);
    let extreme = (whole == "0" || whole == "100") && share > 0.0 && share < 1.0;
    if extreme { format!("{:.2} %", 100.0 * share) } else { whole + " %" }
}

/// How often something was used: an estimate for one cell; for several cells, the plain share of the battles fought.
pub(crate) fn often(reading: &Reading<'_>, battles: u64, all: u64, cells: usize) -> Estimate {
    match cells {
        1 => reading.intervals().widest_share(battles, all, reading.each()),
        _ => Estimate::computed(battles as f64 / all.max(1) as f64),
    }
}

impl Clauses {
    /// The chart's data; `None` if no battles were watched, or if every clause was used in every battle or in none.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let watched = reading.results.watched.as_ref()?;
        let (each, cells) = (watched.clause_battles, watched.cells.len());
        let all = each.saturating_mul(cells as u64);
        if watched.clauses.is_empty() || all == 0 {
            return None;
        }
        let (mut rows, mut always, mut never) = (Vec::new(), Vec::new(), 0);
        for clause in &watched.clauses {
            let sum = clause.battles.iter().fold(0_u64, |sum, &battles| sum.saturating_add(battles)).min(all);
            let part = |battles: Option<&u64>| battles.map_or(0.0, |&battles| battles as f64 / each as f64).min(1.0);
            match sum {
                0 => never += 1,
                _ if sum == all => always.push(clause.id.clone()),
                _ => rows.push(ClauseRow {
                    id: clause.id.clone(),
                    text: clause.text.clone(),
                    share: often(reading, sum, all, cells),
                    range: (part(clause.battles.iter().min()), part(clause.battles.iter().max())),
                    cells: clause.battles.iter().filter(|&&battles| battles > 0).count(),
                }),
            }
        }
        rows.sort_by(|one, other| other.share.point.total_cmp(&one.share.point));
        if rows.is_empty() {
            return None;
        }
        let played = rows.len() + always.len();
        let every = match always.len() {
            0 => String::new(),
            some => format!("; {} in every battle", counted(some as u64)),
        };
        let finding = format!("{played} of {} were used{every}", plural(watched.clauses.len(), "clause"));
        Some(Self { finding, battles: (each, cells), rows, always, never })
    }

    fn shown(&self) -> &[ClauseRow] {
        &self.rows[..self.rows.len().min(ROWS_MAX)]
    }
}

impl Drawing for Clauses {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let (battles, cells) = self.battles;
        let many = if cells > 1 {
            "; the line runs from the cell with the smallest share to the one with the largest"
        } else {
            ""
        };
        let how = format!(
            "Share of battles in which a row of the pack that cites the clause was used; a row that cites several clauses counts \
             for all of them{many}. "
        );
        let always = match self.always.as_slice() {
            [] => String::new(),
            ids => format!("In every battle: {}. ", listed(ids)),
        };
        let least = match self.rows.len() > ROWS_MAX {
            true => format!(" The {ROWS_MAX} most frequent of {} are shown.", self.rows.len()),
            false => String::new(),
        };
        let each = if cells > 1 { format!(" of each of {cells} cells") } else { String::new() };
        format!("{how}{always}From the first {}{each}.{least}", plural(battles as usize, "battle"))
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let names: Vec<String> = self.shown().iter().map(ClauseRow::label).collect();
        // Two lines and an ellipsis are enough to identify a clause: the report has the full text.
        let labels =
            RowLabels::lines(names.iter().map(String::as_str), if narrow(width) { 0.5 } else { 0.58 } * width, 2);
        let cells = self.battles.1;
        let words = |row: &ClauseRow| match (narrow(width), cells) {
            (true, _) => row.often(),
            (false, 1) => row.share.share_range(),
            (false, _) => format!("{}, {}", row.often(), plural(row.cells, "cell")),
        };
        let texts: Vec<String> = self.shown().iter().map(words).collect();
        let numbers = font::widest(texts.iter().map(String::as_str), size::SMALL, Weight::Regular);
        let (left, right) = (labels.width + 12.0, width - numbers - 12.0);
        let axis = Axis::new((0.0, 1.0), (left, right));
        let heights: Vec<f64> = (0..names.len()).map(|nth| labels.height(nth, 13.5)).collect();
        let bottom = heights.iter().sum::<f64>() + 2.0;
        let parts: &[f64] = if right - left > 90.0 { &[0.0, 0.25, 0.5, 0.75, 1.0] } else { &[0.0, 1.0] };
        for &part in parts {
            let x = axis.at(part);
            sheet.line((x, 0.0), (x, bottom), 0.4, RULE);
            let percent = format!("{} %", number(100.0 * part));
            sheet.write(Text::new(percent, (x, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        }
        for ((nth, row), text) in self.shown().iter().enumerate().zip(texts) {
            sheet.may_cut(None);
            let middle = sheet.height + heights[nth] / 2.0;
            labels.write_from(&mut sheet, nth, 0.0, middle);
            sheet.line((axis.at(row.range.0), middle), (axis.at(row.range.1), middle), 1.6, FIRST.tint(0.5));
            sheet.dot((axis.at(row.share.point), middle), 2.0, Form::Disc, TEXT, true);
            sheet.write(Text::new(text, (right + 11.0, centred(middle, 1, size::SMALL)), size::SMALL, TEXT));
            sheet.height += heights[nth];
        }
        sheet.may_cut(None);
        sheet.height = bottom + 12.0;
        sheet
    }

    fn table(&self) -> Option<Table> {
        let head = ["Clause", "Used in", "Cells", "Least in a cell", "Most in a cell"];
        let row = |row: &ClauseRow| {
            let often = if self.battles.1 == 1 { row.share.share_range() } else { row.often() };
            vec![row.id.clone(), often, row.cells.to_string(), percent(row.range.0), percent(row.range.1)]
        };
        let caption = "Share of battles in which a row that cites the clause was used".to_owned();
        Some(Table { caption, head: head.map(str::to_owned).into(), rows: self.rows.iter().map(row).collect() })
    }

    fn watched(&self) -> Option<u64> {
        Some(self.battles.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_texts_do_not_run_into_each_other() {
        let row = |id: &str| ClauseRow {
            id: id.to_owned(),
            text: "A hit wounds.".to_owned(),
            share: Estimate::computed(0.5),
            range: (0.0, 1.0),
            cells: 1,
        };
        assert_eq!(row("wounding").label(), "wounding: A hit wounds.");
        assert_eq!(row("rank-bonus").label(), "rank-bonus: A hit wounds.");
        assert_eq!(row("7.21c").label(), "7.21c A hit wounds.");
        assert_eq!(row("HD7").label(), "HD7 A hit wounds.");
    }
}
