//! The effects of changed numbers of the rules on the answer, the largest on top.

use grognard_stats::Estimate;

use super::{Chart, ChartData, Drawing};
use crate::axis::{Axis, number, rounded};
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{FIRST, PAPER, RULE, SECOND, SOFT, TEXT, size};
use crate::sheet::{Anchor, Sheet, Text, leading};

/// Maximum number of rows in the chart.
pub const TORNADO_ROWS: usize = 24;

/// Bars to the left and to the right of zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Tornado {
    /// The stem of its file names.
    pub name: &'static str,
    /// The finding.
    pub finding: String,
    /// How to read the chart.
    pub about: String,
    /// The unit that the axis counts: `points`.
    pub unit: String,
    /// Whether bars show sizes only, without a direction.
    pub sizes: bool,
    /// The key of the colours: first for the change to the smaller number, then for the change to the larger; empty for
    /// a single colour.
    pub key: [String; 2],
    /// The rows, longest bars first.
    pub rows: Vec<TornadoRow>,
}

/// A number of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct TornadoRow {
    /// Its name.
    pub name: String,
    /// Its bars, from top to bottom.
    pub bars: Vec<TornadoBar>,
}

/// The effect of one change.
#[derive(Clone, Debug, PartialEq)]
pub struct TornadoBar {
    /// The label at its end: the changed number.
    pub label: String,
    /// Its length, in the unit of the axis, with the ends of the error bar through its tip.
    pub effect: Estimate,
    /// Whether it is the change to the larger number.
    pub larger: bool,
}

impl Tornado {
    /// The chart; `None` without rows.
    #[must_use]
    pub fn chart(mut self, caption: String) -> Option<Chart> {
        self.rows.truncate(TORNADO_ROWS);
        (!self.rows.is_empty()).then_some(Chart { data: ChartData::Tornado(self), caption, exchanged: false })
    }
}

/// Height of a bar's row.
const BAR: f64 = 9.5;
/// Gap between two rows.
const GAP: f64 = 4.0;
/// Room for the label at a bar's end.
const END: f64 = 34.0;

impl Drawing for Tornado {
    fn name(&self) -> &str {
        self.name
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        self.about.clone()
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let mut key = Sheet::new(width);
        self.draw_key(&mut key);
        let labels = RowLabels::new(self.rows.iter().map(|row| row.name.as_str()), 0.44 * width);
        let (left, right) = (labels.width + 10.0 + END, width - END);
        let ends = || self.rows.iter().flat_map(|row| &row.bars).map(|bar| bar.effect);
        let low = ends().map(|effect| effect.low.min(effect.point)).fold(0.0, f64::min);
        let high = ends().map(|effect| effect.high.max(effect.point)).fold(0.0, f64::max);
        let ticks = ((right - left) / 45.0).max(2.0) as usize;
        let axis = Axis::new(rounded(low, high, ticks), (left, right));

        let height = |(nth, row): (usize, &TornadoRow)| labels.height(nth, BAR * row.bars.len() as f64) + GAP;
        let heights: Vec<f64> = self.rows.iter().enumerate().map(height).collect();
        let bottom = heights.iter().sum::<f64>() + 2.0;
        for tick in axis.ticks(ticks).into_iter().filter(|tick| tick.abs() > 1e-9) {
            let x = axis.at(tick);
            sheet.line((x, 0.0), (x, bottom), 0.4, RULE);
            let sign = if tick > 0.0 && !self.sizes { "+" } else { "" };
            let words = format!("{sign}{}", number(tick));
            sheet.write(Text::new(words, (x, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        }
        let zero = axis.at(0.0);
        for (nth, row) in self.rows.iter().enumerate() {
            sheet.may_cut(None);
            let middle = sheet.height + heights[nth] / 2.0;
            labels.write(&mut sheet, nth, labels.width, middle);
            let first = middle - BAR * row.bars.len() as f64 / 2.0;
            for (at, bar) in row.bars.iter().enumerate() {
                let top = first + BAR * at as f64;
                let (end, line) = (axis.at(bar.effect.point), top + BAR / 2.0);
                let ink = if bar.larger { FIRST } else { SECOND };
                sheet.fill((zero, top + 0.8), (end, top + BAR - 0.8), ink);
                sheet.line((axis.at(bar.effect.low), line), (axis.at(bar.effect.high), line), 0.8, TEXT);
                let (x, anchor) = match bar.effect.point < 0.0 {
                    true => (axis.at(bar.effect.low.min(0.0)) - 3.0, Anchor::End),
                    false => (axis.at(bar.effect.high.max(0.0)) + 3.0, Anchor::Start),
                };
                let label = bar.label.as_str();
                // Keeps the lines of the grid from running through the label.
                let wide = font::width(label, size::SMALL, Weight::Regular);
                let from = if anchor == Anchor::End { x - wide } else { x };
                sheet.fill((from - 1.0, top + 0.8), (from + wide + 1.0, top + BAR - 0.8), PAPER);
                sheet.write(Text::new(label, (x, centred(line, 1, size::SMALL)), size::SMALL, TEXT).anchored(anchor));
            }
            sheet.height += heights[nth];
        }
        sheet.may_cut(None);
        sheet.line((zero, 0.0), (zero, bottom), 0.8, TEXT);
        sheet.write(Text::new("0", (zero, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        sheet.write(
            Text::new(self.unit.as_str(), (labels.width, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::End),
        );
        sheet.height = bottom + 12.0;
        let (top, height) = (key.height, sheet.height);
        key.place(sheet, (0.0, top));
        key.height += height;
        key
    }
}

impl Tornado {
    /// The key of colours and lines, side by side where there is room.
    fn draw_key(&self, sheet: &mut Sheet) {
        if self.key.iter().all(String::is_empty) {
            return;
        }
        let (mut left, mut base) = (0.0, 8.0);
        let line = "interval".to_owned();
        for (words, ink) in [(&self.key[0], Some(SECOND)), (&self.key[1], Some(FIRST)), (&line, None)] {
            for words in font::wrap(words, size::LABEL, Weight::Regular, sheet.width - 14.0, 1) {
                let wide = 14.0 + font::width(&words, size::LABEL, Weight::Regular);
                if left > 0.0 && left + wide > sheet.width {
                    (left, base) = (0.0, base + leading(size::LABEL));
                }
                match ink {
                    Some(ink) => sheet.fill((left, base - 6.5), (left + 9.0, base + 0.5), ink),
                    None => sheet.line((left, base - 3.0), (left + 9.0, base - 3.0), 0.8, TEXT),
                }
                sheet.write(Text::new(words, (left + 13.0, base), size::LABEL, TEXT));
                left += wide + 12.0;
            }
        }
        sheet.height = base + 6.0;
    }
}

#[cfg(test)]
mod tests {
    use grognard_stats::{Level, Pairs, share_difference};

    use super::*;
    use crate::look::{Size, Theme};
    use crate::sheet::Mark;
    use crate::sheet::tests::assert_legible;

    fn bar(label: &str, more: u64, less: u64, larger: bool) -> TornadoBar {
        let pairs = Pairs { both: 0, cell_only: more, baseline_only: less, neither: 10_000 - more - less };
        let change = share_difference(pairs, Level::P95);
        let percent = |share: f64| 100.0 * share;
        let effect =
            Estimate { point: percent(change.point), low: percent(change.low), high: percent(change.high), ..change };
        TornadoBar { label: label.to_owned(), effect, larger }
    }

    fn tornado(rows: Vec<TornadoRow>) -> Tornado {
        let (finding, about) = ("One number matters".to_owned(), "Bars are changes.".to_owned());
        let key = ["one pip smaller", "one pip larger"].map(str::to_owned);
        Tornado { name: "tornado", finding, about, unit: "points".to_owned(), sizes: false, key, rows }
    }

    #[test]
    fn bars_of_any_size_with_any_name_are_legible() {
        let long = "shock square-against-cavalry-of-the-heaviest-kind-there-is-in-any-army add (7)";
        let some = vec![
            TornadoRow { name: long.to_owned(), bars: vec![bar("−6", 4_000, 0, false), bar("100", 0, 3_500, true)] },
            TornadoRow {
                name: "fire range (4)".to_owned(),
                bars: vec![bar("3", 300, 10, false), bar("5", 400, 90, true)],
            },
            TornadoRow { name: "one way".to_owned(), bars: vec![bar("1", 0, 0, true)] },
        ];
        for rows in [some.clone(), some[1..].to_vec(), some[2..].to_vec(), vec![some[0].clone(); TORNADO_ROWS + 5]] {
            let chart = tornado(rows).chart("Made up.".to_owned()).expect("it has rows");
            for size in Size::ALL {
                assert_legible(&chart.sheet(size));
            }
            let marks = chart.sheet(Size::Page).marks;
            let has = |text: &str| marks.iter().any(|mark| matches!(mark, Mark::Text(own) if own.words == text));
            assert!(has("one pip smaller") && has("one pip larger"), "colours have a key");
            assert!(chart.svg(Size::Page, Theme::Light).expect("it is drawn").contains("One number matters"));
        }
        assert!(tornado(Vec::new()).chart(String::new()).is_none());
    }
}
