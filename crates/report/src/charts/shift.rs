//! Cells before and after a change.

use grognard_lab::Side;
use grognard_stats::Estimate;

use super::{Chart, ChartData, Drawing, left_out};
use crate::axis::{Axis, number, rounded};
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{EVEN, FIRST, Form, RULE, SOFT, TEXT, narrow, of_side, size};
use crate::sheet::{Anchor, Sheet, Text};
use crate::text::InPrint;

/// The maximum number of rows in the chart, leaving room for words on a page.
const ROWS: usize = 20;

/// Cells before and after a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Shift {
    /// The stem of its file names.
    pub name: &'static str,
    /// The finding.
    pub finding: String,
    /// The metric, such as `attacker wins`.
    pub metric: String,
    /// The side it belongs to; `None` for draws and turns.
    pub side: Option<Side>,
    /// Whether it is a share of battles.
    pub share: bool,
    /// The names of the two parties.
    pub parties: [String; 2],
    /// The cells; the chart shows the first ones.
    pub rows: Vec<ShiftRow>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct ShiftRow {
    /// Its name.
    pub name: String,
    /// The values before and after.
    pub values: [Estimate; 2],
    /// The value after minus the value before, with an interval that is simultaneous for all rows.
    pub difference: Estimate,
}

impl Shift {
    /// The chart; `None` without rows.
    #[must_use]
    pub fn chart(self, caption: String) -> Option<Chart> {
        (!self.rows.is_empty()).then_some(Chart { data: ChartData::Shift(self), caption, exchanged: false })
    }

    fn shown(&self) -> &[ShiftRow] {
        &self.rows[..self.rows.len().min(ROWS)]
    }

    /// A value in the axis's unit.
    fn place(&self, value: f64) -> f64 {
        if self.share { 100.0 * value } else { value }
    }

    /// The axis's range: all possible shares, or all means in the chart.
    fn span(&self, ticks: usize) -> (f64, f64) {
        if self.share {
            return (0.0, 100.0);
        }
        let values = || self.shown().iter().flat_map(|row| &row.values);
        let (low, high) = (values().map(|value| value.low), values().map(|value| value.high));
        rounded(low.fold(f64::INFINITY, f64::min), high.fold(f64::NEG_INFINITY, f64::max), ticks)
    }

    fn words(&self, row: &ShiftRow) -> String {
        if self.share { row.difference.points_margin() } else { row.difference.mean_range() }
    }
}

impl Drawing for Shift {
    fn name(&self) -> &str {
        self.name
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let [before, after] = &self.parties;
        let unit = if self.share { ", in points" } else { "" };
        let even = if self.share { " Dashed: 50 %." } else { "" };
        let error = match self.rows.iter().all(|row| row.difference.is_computed()) {
            true => "exact",
            false => "with a simultaneous margin of error for all cells",
        };
        format!(
            "{}: {before} (open) and {after} (filled). The number is the change{unit}, {error}.{even}{}",
            self.metric,
            left_out(self.shown().len(), self.rows.len(), "first")
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = RowLabels::new(self.shown().iter().map(|row| row.name.as_str()), 0.4 * width);
        let texts: Vec<String> = self.shown().iter().map(|row| self.words(row)).collect();
        let numbers = font::widest(texts.iter().map(String::as_str), size::SMALL, Weight::Regular);
        let (left, right) = (labels.width + 10.0, width - numbers - 12.0);
        let ticks = if narrow(width) { 2 } else { 4 };
        let axis = Axis::new(self.span(ticks), (left, right));
        let heights: Vec<f64> = (0..texts.len()).map(|nth| labels.height(nth, 15.0)).collect();
        let bottom = heights.iter().sum::<f64>() + 2.0;
        for tick in axis.ticks(ticks) {
            let x = axis.at(tick);
            match self.share && tick == 50.0 {
                true => sheet.path(vec![(x, 0.0), (x, bottom)], EVEN.0, SOFT, EVEN.1),
                false => sheet.line((x, 0.0), (x, bottom), 0.4, RULE),
            }
            let words = if self.share { format!("{} %", number(tick)) } else { number(tick) };
            sheet.write(Text::new(words, (x, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        }
        let ink = self.side.map_or(FIRST, of_side);
        for ((nth, row), text) in self.shown().iter().enumerate().zip(texts) {
            sheet.may_cut(None);
            let middle = sheet.height + heights[nth] / 2.0;
            labels.write(&mut sheet, nth, labels.width, middle);
            let [before, after] = row.values.map(|value| axis.at(self.place(value.point)));
            sheet.line((before, middle), (after, middle), 1.6, ink);
            sheet.dot((before, middle), 3.0, Form::Disc, ink, false);
            sheet.dot((after, middle), 3.0, Form::Disc, ink, true);
            sheet.write(Text::new(text, (right + 10.0, centred(middle, 1, size::SMALL)), size::SMALL, TEXT));
            sheet.height += heights[nth];
        }
        sheet.may_cut(None);
        sheet.height = bottom + 12.0;
        sheet
    }
}
