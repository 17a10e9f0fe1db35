//! Cells against their baselines, in order of size.

use grognard_lab::Side;
use grognard_stats::{Estimate, worth};

use super::{Drawing, left_out};
use crate::axis::{Axis, number, rounded};
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{Form, ROWS_MAX, RULE, SOFT, TEXT, narrow, of_side, size};
use crate::names::Names;
use crate::reading::{ALL_SAME, Comparison, Reading, greatest};
use crate::sentence::is_surely_greatest;
use crate::sheet::{Anchor, Sheet, Text};
use crate::text::{InPrint, plural};

/// The stem of its file names.
pub(super) const NAME: &str = "differences";

/// Cells against their baselines.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    /// The finding.
    pub finding: String,
    /// The side whose wins are compared, with its name.
    pub side: (String, Side),
    /// The common baseline.
    pub baseline: String,
    /// The comparisons, the largest gain first.
    pub rows: Vec<DifferenceRow>,
    /// Comparisons in the results; the chart shows the largest.
    pub comparisons: usize,
    /// How many times as many battles independent dice would need, over all comparisons; `None` for exact odds.
    pub worth: Option<f64>,
    /// Whether the intervals are already simultaneous and need no widening here.
    pub promised: bool,
}

/// A cell against its baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferenceRow {
    /// The cell.
    pub cell: u32,
    /// The change, and its circumstances.
    pub name: String,
    /// The cell's share minus the baseline's.
    pub difference: Estimate,
    /// The difference with the wider interval that is simultaneous for all comparisons; `None` for exact odds.
    pub together: Option<Estimate>,
    /// Whether every battle matched the baseline's, so there is nothing to estimate.
    pub same: bool,
}

impl DifferenceRow {
    /// Whether the difference is clear, allowing for the number of comparisons.
    #[must_use]
    pub fn stands(&self) -> bool {
        !self.together.unwrap_or(self.difference).holds(0.0)
    }
}

const ROW: f64 = 13.5;

impl Differences {
    /// The chart's data; `None` if no cell has a baseline.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let side = reading.victor;
        let comparisons = reading.comparisons(Some(side), grognard_lab::results::WIN);
        let greatest = greatest(&comparisons).filter(|_| !reading.is_still())?;
        let names = &reading.names;
        let baselines: Vec<String> = comparisons.iter().map(|one| names.apart(one.baseline, one.cell)).collect();
        let baseline = baselines.first().filter(|first| baselines.iter().all(|other| other == *first)).cloned();
        let row = |(comparison, theirs): (&Comparison<'_>, &String)| DifferenceRow {
            cell: comparison.cell.cell,
            name: change(names, comparison, if baseline.is_some() { None } else { Some(theirs) }),
            difference: comparison.difference,
            together: reading.together(comparison.cell, side, comparisons.len()),
            same: reading.is_same(comparison.cell),
        };
        let mut rows: Vec<DifferenceRow> = comparisons.iter().zip(&baselines).map(row).collect();
        let standing = rows.iter().filter(|row| row.stands()).count();
        let surely = is_surely_greatest(&comparisons, greatest);
        let finding = finding(names, greatest, surely, standing, rows.len());
        let comparisons = rows.len();
        rows.sort_by(|left, right| right.difference.point.abs().total_cmp(&left.difference.point.abs()));
        rows.truncate(ROWS_MAX);
        rows.sort_by(|left, right| right.difference.point.total_cmp(&left.difference.point));
        let baseline = baseline.unwrap_or_else(|| "the baseline".to_owned());
        let promised = reading.results.manifest.promise.together;
        let (worth, side) = (reading.worth(side), (reading.sides()[side].clone(), side));
        Some(Self { finding, side, baseline, rows, comparisons, worth, promised })
    }
}

/// `square (heavy cavalry, front)`, with its baseline unless that is the same in all rows.
pub(crate) fn change(names: &Names, comparison: &Comparison<'_>, theirs: Option<&String>) -> String {
    let own = names.apart(comparison.cell, comparison.baseline);
    let context = names.alike(comparison.cell, comparison.baseline);
    let against = theirs.map_or_else(String::new, |theirs| format!(" against {theirs}"));
    let within = if context.is_empty() { String::new() } else { format!(" ({context})") };
    format!("{own}{against}{within}")
}

/// The finding as a sentence. `surely` says whether `greatest` is certainly the largest; `standing` of `all`
/// differences are clear.
fn finding(names: &Names, greatest: &Comparison<'_>, surely: bool, standing: usize, all: usize) -> String {
    let differences = plural(all, "difference");
    let clear = match standing {
        0 => format!("None of {differences} is clear"),
        1 => format!("1 of {differences} is clear"),
        _ if standing == all => format!("All {differences} are clear"),
        _ => format!("{standing} of {differences} are clear"),
    };
    let change = names.change(greatest.cell, greatest.baseline);
    let context = names.alike(greatest.cell, greatest.baseline);
    let within = if context.is_empty() { String::new() } else { format!("; {context}") };
    if surely {
        format!("{clear}; the largest is {} points ({change}{within})", greatest.difference.points_margin())
    } else {
        format!("{clear}; the largest are about {} points, such as {change}{within}", greatest.difference.points_told())
    }
}

impl Drawing for Differences {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let sampled = self.rows.iter().any(|row| row.together.is_some());
        let errors = match (sampled, self.comparisons) {
            (false, _) => "Computed exactly.".to_owned(),
            (true, many) if many > 1 && self.promised => {
                "Lines: intervals, simultaneous with all others in the results. Hollow: no clear effect.".to_owned()
            }
            (true, 1) => "Line: the interval. Hollow: no clear effect.".to_owned(),
            (true, many) => format!(
                "Thick: each interval on its own; thin: simultaneous intervals for all {many} (Bonferroni). \
                 Hollow: no clear effect."
            ),
        };
        let dice = match self.worth {
            None if sampled => ", with the same dice".to_owned(),
            None => String::new(),
            Some(times) => format!(", with the same dice (worth {} the battles)", worth(Some(1.0 / times))),
        };
        format!(
            "Battles won by {}, in percentage points against {}{dice}. {errors}{}{}",
            self.side.0,
            self.baseline,
            if self.rows.iter().any(|row| row.same) { format!(" 0: {ALL_SAME}.") } else { String::new() },
            left_out(self.rows.len(), self.comparisons, "largest")
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = RowLabels::new(self.rows.iter().map(|row| row.name.as_str()), 0.42 * width);
        let words = |row: &DifferenceRow| match narrow(width) {
            _ if row.same => "0".to_owned(),
            true => row.difference.points_margin(),
            false => row.difference.points_range(),
        };
        let texts: Vec<String> = self.rows.iter().map(words).collect();
        let beside = texts.iter().map(String::as_str).chain(["points"]);
        let numbers = font::widest(beside, size::SMALL, Weight::Regular);
        let (left, right) = (labels.width + 10.0, width - numbers - 14.0);

        let widest = |row: &DifferenceRow| row.together.unwrap_or(row.difference);
        let low = self.rows.iter().map(|row| 100.0 * widest(row).low.min(row.difference.low)).fold(0.0, f64::min);
        let high = self.rows.iter().map(|row| 100.0 * widest(row).high.max(row.difference.high)).fold(0.0, f64::max);
        let ticks = ((right - left) / 45.0).max(3.0) as usize;
        let axis = Axis::new(rounded(low, high, ticks), (left, right));

        let heights: Vec<f64> = (0..self.rows.len()).map(|nth| labels.height(nth, ROW)).collect();
        let bottom = heights.iter().sum::<f64>() + 2.0;
        for tick in axis.ticks(ticks) {
            let (x, zero) = (axis.at(tick), tick.abs() < 1e-9);
            sheet.line((x, 0.0), (x, bottom), if zero { 0.8 } else { 0.4 }, if zero { TEXT } else { RULE });
            let sign = if tick > 1e-9 { "+" } else { "" };
            let words = format!("{sign}{}", number(tick));
            sheet.write(Text::new(words, (x, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        }
        for ((nth, row), text) in self.rows.iter().enumerate().zip(texts) {
            sheet.may_cut(None);
            let middle = sheet.height + heights[nth] / 2.0;
            labels.write(&mut sheet, nth, labels.width, middle);
            let at = |share: f64| axis.at(100.0 * share);
            if let Some(together) = row.together.filter(|_| !row.same) {
                sheet.line((at(together.low), middle), (at(together.high), middle), 0.8, TEXT);
            }
            if !row.same {
                sheet.line((at(row.difference.low), middle), (at(row.difference.high), middle), 2.4, TEXT);
            }
            sheet.dot((at(row.difference.point), middle), 1.8, Form::Disc, of_side(self.side.1), row.stands());
            sheet.write(Text::new(text, (right + 13.0, centred(middle, 1, size::SMALL)), size::SMALL, TEXT));
            sheet.height += heights[nth];
        }
        sheet.may_cut(None);
        sheet.write(Text::new("points", (right + 13.0, bottom + 9.0), size::SMALL, SOFT));
        sheet.height = bottom + 12.0;
        sheet
    }
}
