//! How much of the outcome the dice decided.

use grognard_lab::results::{CellHeader, WIN};

use super::{Drawing, left_out};
use crate::axis::Axis;
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{FIRST, ROWS_MAX, RULE, SOFT, TEXT, size};
use crate::reading::Reading;
use crate::sheet::{Anchor, Sheet, Text};

/// The stem of its file names.
pub(super) const NAME: &str = "luck";

/// How much of the outcome the dice decided, cell by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Luck {
    /// The finding.
    pub finding: String,
    /// The cells, beginning with those in which the dice decided most.
    pub rows: Vec<LuckRow>,
    /// The number of cells whose luck is known. The chart shows those in which the dice decided most.
    pub cells: usize,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct LuckRow {
    /// The cell.
    pub cell: u32,
    /// Its name.
    pub name: String,
    /// The part of the variance of the outcome that the luck of the rolls explains, from 0 to 1.
    pub decided: f64,
}

const ROW: f64 = 13.5;

impl Luck {
    /// The chart's data; `None` if luck was not counted, or there was none.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let row = |cell: &CellHeader| {
            let row = reading.results.controlled(cell.cell, Some(reading.victor), WIN)?;
            let decided = (1.0 - row.variance_ratio?).clamp(0.0, 1.0);
            Some(LuckRow { cell: cell.cell, name: reading.names.cell(cell), decided })
        };
        let mut rows: Vec<LuckRow> = reading.cells().iter().filter_map(row).collect();
        rows.sort_by(|one, other| other.decided.total_cmp(&one.decided));
        let percent = |row: &LuckRow| format!("{:.0} %", 100.0 * row.decided);
        let finding = match rows.as_slice() {
            [] => return None,
            [only] => format!("The luck of the dice explains {} of the outcome", percent(only)),
            [most, .., least] => format!(
                "The luck of the dice explains between {} ({}) and {} ({}) of the outcome",
                percent(least),
                least.name,
                percent(most),
                most.name
            ),
        };
        let cells = rows.len();
        rows.truncate(ROWS_MAX);
        Some(Self { finding, rows, cells })
    }
}

impl Drawing for Luck {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        format!(
            "The share of the variance of the outcome that is explained by how lucky each side's rolls were, each roll weighted by \
             its effect on the outcome. The rest depends on other parts of the situation.{}",
            left_out(self.rows.len(), self.cells, "first")
        )
    }

    fn is_tabled(&self) -> bool {
        false
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = RowLabels::new(self.rows.iter().map(|row| row.name.as_str()), 0.42 * width);
        let numbers = font::widest(["100 %"], size::SMALL, Weight::Regular);
        let (left, right) = (labels.width + 10.0, width - numbers - 14.0);
        let axis = Axis::new((0.0, 100.0), (left, right));
        let heights: Vec<f64> = (0..self.rows.len()).map(|nth| labels.height(nth, ROW)).collect();
        let bottom = heights.iter().sum::<f64>() + 2.0;
        for tick in [0.0, 50.0, 100.0] {
            let x = axis.at(tick);
            sheet.line(
                (x, 0.0),
                (x, bottom),
                if tick == 0.0 { 0.8 } else { 0.4 },
                if tick == 0.0 { TEXT } else { RULE },
            );
            let words = format!("{tick:.0} %");
            sheet.write(Text::new(words, (x, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        }
        for (nth, row) in self.rows.iter().enumerate() {
            sheet.may_cut(None);
            let middle = sheet.height + heights[nth] / 2.0;
            labels.write(&mut sheet, nth, labels.width, middle);
            sheet.fill((axis.at(0.0), middle - 3.0), (axis.at(100.0 * row.decided), middle + 3.0), FIRST);
            let words = format!("{:.0} %", 100.0 * row.decided);
            let at = (right + 13.0, centred(middle, 1, size::SMALL));
            sheet.write(Text::new(words, at, size::SMALL, TEXT));
            sheet.height += heights[nth];
        }
        sheet.may_cut(None);
        sheet.height = bottom + 12.0;
        sheet
    }
}
