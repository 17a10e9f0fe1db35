//! The text around every chart: the finding above and the caption below. Also labels of rows.

use crate::font::{self, Weight};
use crate::look::{MARGIN, SOFT, TEXT, size};
use crate::sheet::{Anchor, Sheet, Text, leading};

/// A drawing with the words around it.
#[derive(Clone, Debug)]
pub(crate) struct Framed {
    /// The finding, as a sentence.
    pub(crate) finding: String,
    /// How to read it.
    pub(crate) about: String,
    /// Runs, seed, pack and the command that reproduces it.
    pub(crate) caption: String,
    /// The drawing; its width is also that of the words.
    pub(crate) body: Sheet,
}

impl Framed {
    /// The drawing with its words.
    pub(crate) fn sheet(&self) -> Sheet {
        furnished(&self.finding, &self.about, &self.caption, self.body.clone())
    }

    /// The drawing on pages of this height; the first page has only `first` left. The drawing is kept whole if it
    /// fits on a page, and otherwise cut between its rows, at full size.
    pub(crate) fn on_pages(&self, first: f64, page: f64) -> Vec<Sheet> {
        /// The minimum fraction of a page that must be free for a drawing to begin there.
        const WORTH: f64 = 0.4;
        let whole = self.sheet();
        let Some(last) = self.body.cuts.len().checked_sub(1).filter(|&last| last > 0 && whole.height > page) else {
            return vec![whole];
        };
        let first = if first < WORTH * page { page } else { first };
        let (mut parts, mut from) = (Vec::new(), 0);
        while from < last {
            let room = if from == 0 { first } else { page };
            let to = self.longest(from, room, "Continued on the next page.").unwrap_or(from + 1);
            parts.push(self.part(from, to, "Continued on the next page."));
            from = to;
        }
        parts
    }

    /// As many of its first rows as fit, with `below` under them; `None` if fewer than three fit.
    pub(crate) fn beginning(&self, room: f64, below: &str) -> Option<Sheet> {
        const ROWS: usize = 3;
        let to = self.longest(0, room, below).filter(|&to| to >= ROWS)?;
        Some(self.part(0, to, below))
    }

    /// The last cut up to which the rows from this one fit; preferably the end of a group, if that uses most of the
    /// room.
    fn longest(&self, from: usize, room: f64, below: &str) -> Option<usize> {
        /// The part of the room that a group must use for a cut at its end.
        const MOST: f64 = 0.6;
        let cuts = &self.body.cuts;
        let height = |to: usize| self.around(from, to, below).height + self.body.part_height(from, to);
        let fits = |to: &usize| height(*to) <= room;
        let most = (from + 1..cuts.len()).rev().find(fits)?;
        let ends_group = |to: &usize| cuts[*to].under.is_none() && height(*to) >= MOST * room;
        Some((from + 1..=most).rev().find(ends_group).unwrap_or(most))
    }

    /// The rows from one cut to another with the words around them.
    fn part(&self, from: usize, to: usize, below: &str) -> Sheet {
        let (finding, about, caption) = self.words(from, to, below);
        furnished(&finding, about, caption, self.body.part(from, to))
    }

    /// The words around a part, without its rows.
    fn around(&self, from: usize, to: usize, below: &str) -> Sheet {
        let (finding, about, caption) = self.words(from, to, below);
        furnished(&finding, about, caption, Sheet::new(self.body.width))
    }

    /// The words of a part: the first says how to read it, the last what it is based on.
    fn words<'a>(&'a self, from: usize, to: usize, below: &'a str) -> (String, &'a str, &'a str) {
        let caption = if to + 1 == self.body.cuts.len() { self.caption.as_str() } else { below };
        match from {
            0 => (self.finding.clone(), self.about.as_str(), caption),
            _ => (format!("{} (continued)", self.finding), "", caption),
        }
    }
}

/// A body with its words around it, as wide as the body.
fn furnished(finding: &str, about: &str, caption: &str, body: Sheet) -> Sheet {
    /// Maximum number of lines of words: a narrow chart needs several.
    const LINES: usize = 12;
    let room = body.width;
    let mut inner = Sheet::new(room);
    let paragraph = |sheet: &mut Sheet, lines: &[String], size: f64, weight: Weight, ink| {
        let like = Text { weight, ..Text::new("", (0.0, sheet.height + 0.8 * size), size, ink) };
        sheet.write_lines(lines, &like);
        sheet.height += lines.len() as f64 * leading(size);
    };
    let lines = |text: &str, size: f64| font::wrap(text, size, Weight::Regular, room, LINES);
    let finding = font::balanced(finding, size::FINDING, Weight::Bold, room, LINES);
    paragraph(&mut inner, &finding, size::FINDING, Weight::Bold, TEXT);
    inner.height += 2.0;
    if !about.is_empty() {
        paragraph(&mut inner, &lines(about, size::ABOUT), size::ABOUT, Weight::Regular, SOFT);
        inner.height += 8.0;
    }
    let (top, height) = (inner.height, body.height);
    inner.place(body, (0.0, top));
    inner.height += height + 8.0;
    paragraph(&mut inner, &lines(caption, size::SMALL), size::SMALL, Weight::Regular, SOFT);

    let mut sheet = Sheet::new(room + 2.0 * MARGIN);
    sheet.height = inner.height + 2.0 * MARGIN;
    sheet.place(inner, (MARGIN, MARGIN));
    sheet.cuts.clear();
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

    /// Like [`new`](Self::new), with at most this many lines each.
    pub(crate) fn lines<'a>(names: impl IntoIterator<Item = &'a str>, room: f64, most: usize) -> Self {
        let lines: Vec<Vec<String>> =
            names.into_iter().map(|name| font::wrap(name, size::LABEL, Weight::Regular, room, most)).collect();
        let width = font::widest(lines.iter().flatten().map(String::as_str), size::LABEL, Weight::Regular);
        Self { width, lines }
    }

    /// The height that the `nth` row needs, but not less than `least`.
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

/// The first base line of `lines` lines that are centred on `middle`.
pub(crate) fn centred(middle: f64, lines: usize, size: f64) -> f64 {
    middle + 0.33 * size - (lines.max(1) - 1) as f64 / 2.0 * leading(size)
}
