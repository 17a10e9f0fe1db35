//! The coverage of intervals over their whole range.

use super::{Chart, ChartData, Drawing};
use crate::axis::Axis;
use crate::look::{RULE, SERIES, SOFT, TEXT, size};
use crate::sheet::{Anchor, Place, Sheet, Text};

/// Panels of curves over a share, on a log-odds axis, which spreads out both rare and nearly certain events.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// The finding.
    pub finding: String,
    /// The caption.
    pub about: String,
    /// The names of the kinds of intervals, in the order of every panel's lines.
    pub kinds: Vec<String>,
    /// The nominal level of the intervals, in per cent.
    pub level: f64,
    /// The lowest percentage that is shown.
    pub least: f64,
    /// Panels, row by row.
    pub rows: Vec<Vec<LevelPanel>>,
}

/// The curves of one number of battles.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelPanel {
    /// The name of the series.
    pub title: String,
    /// For each kind of interval, the shares, each with the percentage of intervals that contain it.
    pub lines: Vec<Vec<(f64, f64)>>,
}

impl Levels {
    /// The chart.
    #[must_use]
    pub fn chart(self, caption: String) -> Chart {
        Chart { data: ChartData::Levels(self), caption, exchanged: false }
    }

    fn panel(&self, panel: &LevelPanel, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        sheet.write(Text::new(panel.title.as_str(), (LEFT, 0.8 * size::LABEL), size::LABEL, TEXT).bold());
        let (left, right, top, bottom) = (LEFT, width - RIGHT, 14.0, 14.0 + HEIGHT);
        let across = Axis::new((log_odds(RAREST), -log_odds(RAREST)), (left, right));
        let up = Axis::new((self.least, 100.0), (bottom, top));
        for tick in up.ticks(4) {
            sheet.line((left, up.at(tick)), (right, up.at(tick)), 0.4, RULE);
            let place = (left - 3.0, up.at(tick) + 0.33 * size::SMALL);
            sheet.write(Text::new(format!("{tick:.0} %"), place, size::SMALL, SOFT).anchored(Anchor::End));
        }
        for (share, name) in [(RAREST, "1e\u{2212}6"), (1e-3, "0.1 %"), (0.5, "50 %"), (0.999, "")] {
            let x = across.at(log_odds(share));
            sheet.line((x, bottom), (x, bottom + 2.0), 0.6, SOFT);
            sheet.write(Text::new(name, (x, bottom + 10.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        }
        sheet.line((right, bottom), (right, bottom + 2.0), 0.6, SOFT);
        let last = (right + RIGHT, bottom + 10.0);
        sheet.write(Text::new("1 \u{2212} 1e\u{2212}6", last, size::SMALL, SOFT).anchored(Anchor::End));
        sheet.line((left, up.at(self.level)), (right, up.at(self.level)), 0.8, SOFT);
        for (line, style) in panel.lines.iter().zip(SERIES).rev() {
            let places: Vec<Place> =
                line.iter().map(|&(share, held)| (across.at(log_odds(share)), up.at(held))).collect();
            sheet.path(places, 1.2, style.ink, style.dash);
        }
        sheet.height = bottom + 18.0;
        sheet
    }
}

/// The smallest share that is shown; the largest is 1 minus this.
const RAREST: f64 = 1e-6;
/// Room for the numbers of the vertical axis, and to the right of a panel.
const LEFT: f64 = 28.0;
const RIGHT: f64 = 10.0;
/// Height of a panel's field.
const HEIGHT: f64 = 84.0;

/// The position of a share on the axis.
fn log_odds(share: f64) -> f64 {
    (share / (1.0 - share)).log10()
}

impl Drawing for Levels {
    fn name(&self) -> &str {
        "coverage"
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        self.about.clone()
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let each = width / self.kinds.len().max(1) as f64;
        for (nth, (kind, style)) in self.kinds.iter().zip(SERIES).enumerate() {
            let x = nth as f64 * each;
            sheet.path(vec![(x, 5.0), (x + 22.0, 5.0)], 1.2, style.ink, style.dash);
            sheet.write(Text::new(kind.as_str(), (x + 27.0, 5.0 + 0.33 * size::LABEL), size::LABEL, TEXT));
        }
        sheet.height = 16.0;
        for row in &self.rows {
            let each = width / row.len().max(1) as f64;
            let panels: Vec<Sheet> = row.iter().map(|panel| self.panel(panel, each)).collect();
            let height = panels.iter().map(|panel| panel.height).fold(0.0, f64::max);
            for (nth, panel) in panels.into_iter().enumerate() {
                let down = sheet.height;
                sheet.place(panel, (nth as f64 * each, down));
            }
            sheet.height += height;
        }
        sheet
    }
}
