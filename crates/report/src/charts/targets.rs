//! Targets: where each metric lies, and where it should lie.

use grognard_stats::Estimate;

use super::{Chart, ChartData, Drawing};
use crate::axis::Axis;
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{FIRST, Form, Ink, PALE, ROWS_MAX, SECOND, SOFT, TEXT, narrow, size};
use crate::sheet::{Anchor, Sheet, Text, leading};

/// Each target's value against its band; all bands are aligned, whatever they measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Targets {
    /// The finding.
    pub finding: String,
    /// How to read the chart.
    pub about: String,
    /// The names of a row's values, in order, if there are several: `now`, `after`.
    pub key: Vec<String>,
    /// The targets, in their order.
    pub rows: Vec<TargetRow>,
}

/// A target.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetRow {
    /// The target's text.
    pub name: String,
    /// The metric and its band: `attacker wins, 5 to 25 %`.
    pub measure: String,
    /// The band's lower and upper limit.
    pub band: (f64, f64),
    /// Its values from top to bottom, each with its label; a value is `None` if it is unknown.
    pub values: Vec<(String, Option<Estimate>)>,
}

/// Height of a value's row.
const VALUE: f64 = 11.0;
/// Gap between two rows.
const GAP: f64 = 5.0;
/// How far the axis goes beyond a band on either side, in bands, even if no value lies there.
const BEYOND: f64 = 0.5;
/// Colour and marker of a row's values, in order.
const LOOKS: [(Ink, Form); 2] = [(SECOND, Form::Diamond), (FIRST, Form::Disc)];

impl Targets {
    /// The chart; `None` without targets.
    #[must_use]
    pub fn chart(mut self, caption: String) -> Option<Chart> {
        self.rows.truncate(ROWS_MAX);
        (!self.rows.is_empty()).then_some(Chart { data: ChartData::Targets(self), caption, exchanged: false })
    }

    /// The position of a value on the common axis, on which a band goes from 0 to 1.
    fn place(row: &TargetRow, value: f64) -> f64 {
        (value - row.band.0) / (row.band.1 - row.band.0)
    }

    /// Colour and marker of the value at this index in its row.
    fn look(&self, nth: usize) -> (Ink, Form) {
        // A single value looks like the second of two.
        let last = LOOKS.len() - 1;
        LOOKS[if self.key.is_empty() { last } else { nth.min(last) }]
    }

    fn draw_key(&self, sheet: &mut Sheet) {
        let values = self.key.iter().enumerate().map(|(nth, words)| (words.as_str(), Some(nth)));
        let (mut left, mut base) = (0.0, 8.0);
        for (words, value) in std::iter::once(("band", None)).chain(values) {
            let wide = 14.0 + font::width(words, size::LABEL, Weight::Regular);
            if left > 0.0 && left + wide > sheet.width {
                (left, base) = (0.0, base + leading(size::LABEL));
            }
            match value.map(|nth| self.look(nth)) {
                None => sheet.fill((left, base - 6.5), (left + 9.0, base + 0.5), PALE.tint(0.5)),
                Some((ink, form)) => sheet.dot((left + 4.5, base - 3.0), 3.0, form, ink, true),
            }
            sheet.write(Text::new(words, (left + 13.0, base), size::LABEL, TEXT));
            left += wide + 12.0;
        }
        sheet.height = base + 6.0;
    }
}

impl Drawing for Targets {
    fn name(&self) -> &str {
        "targets"
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        self.about.clone()
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        self.draw_key(&mut sheet);
        let names: Vec<String> = self.rows.iter().map(|row| format!("{} ({})", row.name, row.measure)).collect();
        let room = if narrow(width) { 0.46 } else { 0.44 } * width;
        let labels = RowLabels::lines(names.iter().map(String::as_str), room, if narrow(width) { 6 } else { 4 });
        let words = self.rows.iter().flat_map(|row| &row.values).map(|(words, _)| words.as_str());
        let beside = font::widest(words, size::SMALL, Weight::Regular);
        let known =
            || self.rows.iter().flat_map(|row| row.values.iter().filter_map(move |(_, value)| Some((row, (*value)?))));
        let low = known().map(|(row, value)| Self::place(row, value.low)).fold(-BEYOND, f64::min);
        let high = known().map(|(row, value)| Self::place(row, value.high)).fold(1.0 + BEYOND, f64::max);
        let axis = Axis::new((low, high), (labels.width + 12.0, width - beside - 10.0));
        let (from, to) = (axis.at(0.0), axis.at(1.0));
        for (nth, row) in self.rows.iter().enumerate() {
            sheet.may_cut(None);
            let height = labels.height(nth, VALUE * row.values.len() as f64 + 2.0);
            let (top, middle) = (sheet.height, sheet.height + height / 2.0);
            labels.write(&mut sheet, nth, labels.width, middle);
            sheet.fill((from, top), (to, top + height), PALE.tint(0.5));
            for end in [from, to] {
                sheet.line((end, top), (end, top + height), 0.6, SOFT);
            }
            let first = middle - VALUE * row.values.len() as f64 / 2.0;
            for (at, (words, value)) in row.values.iter().enumerate() {
                let line = first + VALUE * (at as f64 + 0.5);
                let (ink, form) = self.look(at);
                if let Some(value) = value {
                    let x = |value: f64| axis.at(Self::place(row, value));
                    sheet.line((x(value.low), line), (x(value.high), line), 1.0, TEXT);
                    sheet.dot((x(value.point), line), 3.0, form, ink, true);
                }
                let base = centred(line, 1, size::SMALL);
                sheet.write(Text::new(words.as_str(), (width, base), size::SMALL, TEXT).anchored(Anchor::End));
            }
            sheet.height += height + GAP;
        }
        sheet.may_cut(None);
        sheet
    }
}

#[cfg(test)]
mod tests {
    use grognard_stats::{Level, share};

    use super::*;
    use crate::look::{Size, Theme};
    use crate::sheet::Mark;
    use crate::sheet::tests::assert_legible;

    fn row(name: &str, band: (f64, f64), counts: &[u64]) -> TargetRow {
        let value = |&count: &u64| (format!("+{count} points"), Some(share(count, 100, Level::P95)));
        let measure = "defender score, from the baseline, +20 to +60 points".to_owned();
        TargetRow { name: name.to_owned(), measure, band, values: counts.iter().map(value).collect() }
    }

    fn targets(key: &[&str], rows: Vec<TargetRow>) -> Targets {
        let key = key.iter().map(|&words| words.to_owned()).collect();
        Targets { finding: "All is met".to_owned(), about: "Bands are wanted.".to_owned(), key, rows }
    }

    #[test]
    fn targets_of_any_kind_are_legible() {
        let long = "Infantry that forms square in time is safe from cavalry of any kind, whoever leads it and wherever it stands";
        let both = vec![row(long, (0.7, 0.9), &[10, 80]), row("Short", (0.0, 0.02), &[99, 1])];
        let unknown = TargetRow { values: vec![("–".to_owned(), None)], ..row("Unknown", (0.1, 0.2), &[]) };
        for chart in [
            targets(&["now", "after"], both),
            targets(&[], vec![row("One", (0.2, 0.4), &[30]), unknown]),
            targets(&[], vec![row("One", (0.2, 0.4), &[30]); ROWS_MAX + 3]),
        ] {
            let chart = chart.chart("Made up.".to_owned()).expect("it has rows");
            for size in Size::ALL {
                assert_legible(&chart.sheet(size));
            }
            assert!(chart.svg(Size::Page, Theme::Light).expect("it is drawn").contains("All is met"));
        }
        assert!(targets(&[], Vec::new()).chart(String::new()).is_none());
    }

    /// Bands of different widths are aligned, and each value is drawn relative to its band.
    #[test]
    fn a_value_lies_within_its_band_or_beyond_it() {
        let rows =
            vec![row("Below", (0.5, 0.9), &[30]), row("Within", (0.2, 0.4), &[30]), row("Above", (0.0, 0.1), &[30])];
        let sheet = targets(&[], rows).body(472.0);
        let bands: Vec<(f64, f64)> = (sheet.marks.iter())
            .filter_map(|mark| match mark {
                Mark::Box { corners, .. } if corners[1].0 - corners[0].0 > 20.0 => Some((corners[0].0, corners[1].0)),
                _ => None,
            })
            .collect();
        let dots: Vec<f64> = sheet
            .marks
            .iter()
            .filter_map(|mark| if let Mark::Dot { at, .. } = mark { Some(at.0) } else { None })
            .collect();
        assert_eq!((bands.len(), dots.len()), (3, 3));
        assert!(bands.iter().all(|band| *band == bands[0]), "{bands:?}");
        assert!(dots[0] < bands[0].0, "30 % is less than 50 to 90 %");
        assert!(bands[1].0 < dots[1] && dots[1] < bands[1].1, "30 % lies in 20 to 40 %");
        assert!(dots[2] > bands[2].1, "30 % is more than 0 to 10 %");
    }
}
