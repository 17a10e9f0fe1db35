//! What surrounds every chart: the finding above, the caption below; and labels of rows.

use crate::font::{self, Weight};
use crate::look::{MARGIN, SOFT, TEXT, size};
use crate::sheet::{Anchor, Sheet, Text, leading};

/// The words around a chart.
pub(crate) struct Words<'a> {
    /// The finding, as a sentence.
    pub(crate) finding: &'a str,
    /// The caption.
    pub(crate) about: &'a str,
    /// Runs, seed, pack and the command that makes it again.
    pub(crate) caption: &'a str,
}

/// A chart's body with its words around it, as wide as the body.
pub(crate) fn furnished(words: &Words<'_>, body: Sheet) -> Sheet {
    /// Lines that the words may take: a column has less room.
    const LINES: usize = 12;
    let room = body.width;
    let mut inner = Sheet::new(room);
    let paragraph = |sheet: &mut Sheet, lines: &[String], size: f64, weight: Weight, ink| {
        let like = Text { weight, ..Text::new("", (0.0, sheet.height + 0.8 * size), size, ink) };
        sheet.write_lines(lines, &like);
        sheet.height += lines.len() as f64 * leading(size);
    };
    let lines = |text: &str, size: f64| font::wrap(text, size, Weight::Regular, room, LINES);
    let finding = font::balanced(words.finding, size::FINDING, Weight::Bold, room, LINES);
    paragraph(&mut inner, &finding, size::FINDING, Weight::Bold, TEXT);
    inner.height += 2.0;
    paragraph(&mut inner, &lines(words.about, size::ABOUT), size::ABOUT, Weight::Regular, SOFT);
    inner.height += 8.0;
    let (top, height) = (inner.height, body.height);
    inner.place(body, (0.0, top));
    inner.height += height + 8.0;
    paragraph(&mut inner, &lines(words.caption, size::SMALL), size::SMALL, Weight::Regular, SOFT);

    let mut sheet = Sheet::new(room + 2.0 * MARGIN);
    sheet.height = inner.height + 2.0 * MARGIN;
    sheet.place(inner, (MARGIN, MARGIN));
    sheet
}

/// Labels of rows, wrapped into a common column.
pub(crate) struct RowLabels {
    /// The column's width.
    pub(crate) width: f64,
    lines: Vec<Vec<String>>,
}

impl RowLabels {
    /// Wraps `names` into a column no wider than `room`, at most three lines each.
    pub(crate) fn new<'a>(names: impl IntoIterator<Item = &'a str>, room: f64) -> Self {
        Self::lines(names, room, 3)
    }

    /// The same, with at most this many lines each.
    pub(crate) fn lines<'a>(names: impl IntoIterator<Item = &'a str>, room: f64, most: usize) -> Self {
        let lines: Vec<Vec<String>> =
            names.into_iter().map(|name| font::wrap(name, size::LABEL, Weight::Regular, room, most)).collect();
        let width = font::widest(lines.iter().flatten().map(String::as_str), size::LABEL, Weight::Regular);
        Self { width, lines }
    }

    /// The height that the `nth` row needs, and `least` at least.
    pub(crate) fn height(&self, nth: usize, least: f64) -> f64 {
        let lines = self.lines.get(nth).map_or(0, Vec::len) as f64;
        least.max(lines * leading(size::LABEL) + 3.0)
    }

    /// Writes the `nth` label, its lines centred on `middle`, beginning at `left`.
    pub(crate) fn write_from(&self, sheet: &mut Sheet, nth: usize, left: f64, middle: f64) {
        let Some(lines) = self.lines.get(nth) else { return };
        let first = centred(middle, lines.len(), size::LABEL);
        sheet.write_lines(lines, &Text::new("", (left, first), size::LABEL, TEXT));
    }

    /// Writes the `nth` label, its lines centred on `middle`, ending at `right`.
    pub(crate) fn write(&self, sheet: &mut Sheet, nth: usize, right: f64, middle: f64) {
        let Some(lines) = self.lines.get(nth) else { return };
        let first = centred(middle, lines.len(), size::LABEL);
        sheet.write_lines(lines, &Text::new("", (right, first), size::LABEL, TEXT).anchored(Anchor::End));
    }
}

/// The first base line of `lines` lines that stand centred on `middle`.
pub(crate) fn centred(middle: f64, lines: usize, size: f64) -> f64 {
    middle + 0.33 * size - (lines.max(1) - 1) as f64 / 2.0 * leading(size)
}
