//! Win shares by cell. A bar is divided into the first side's wins, draws and the second side's wins; with more sides,
//! into each side's wins, and draws.

use grognard_lab::BySide;
use grognard_lab::results::CellHeader;
use grognard_stats::Estimate;

use super::groups::{Group, grouped, widest_numbers, write_title};
use super::{Drawing, left_out};
use crate::axis::{Axis, number};
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{EVEN, FIRST, Ink, PALE, PAPER, RULE, SECOND, SOFT, TEXT, narrow, of_side, size};
use crate::reading::Reading;
use crate::sentence;
use crate::sheet::{Anchor, Sheet, Text};
use crate::text::{InPrint, capitalised, listed};

/// File name stems: for all cells, and for the cells in question only.
pub(super) const NAME: &str = "win-shares";
pub(super) const ANSWER: &str = "answer";

/// How often each side won, by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Shares {
    /// The finding.
    pub finding: String,
    /// The sides' names.
    pub sides: BySide<String>,
    /// The cells, in groups.
    pub groups: Vec<Group<ShareRow>>,
    /// Cells in the results; the chart shows the first ones.
    pub cells: usize,
    /// Which cells it shows.
    pub shown: Shown,
}

/// Which cells bars show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All of them.
    All,
    /// Those that the study asks about.
    Asked,
    /// Cells with many draws, which another chart of wins does not show.
    Drawn,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareRow {
    /// Its index.
    pub cell: u32,
    /// Its name within the group.
    pub name: String,
    /// How often each side won.
    pub wins: BySide<Estimate>,
    /// The share of draws.
    pub draws: Estimate,
}

const BAR: f64 = 10.0;
const ROW: f64 = 14.5;
/// Half the height of the gap that a line leaves for a number.
const CLEAR: f64 = 4.5;
/// The minimum share of draws in a cell for which a bar is worth showing next to another chart of wins.
const DRAWN: f64 = 0.1;

impl ShareRow {
    /// The position of the number of draws in a bar, if it fits: its middle and its width.
    fn drawn_at(&self, bar: &Axis) -> Option<(f64, f64)> {
        let (first, second) = (self.wins.first, self.wins.second.complement());
        let width = font::width(&self.draws.share_point(), size::SMALL, Weight::Regular);
        let room = bar.at(second.low) - bar.at(first.high);
        (width + 12.0 < room).then(|| (bar.at(f64::midpoint(first.point, second.point)), width))
    }

    /// Whether that number overlaps a line at `x`.
    fn is_drawn_over(&self, bar: &Axis, x: f64) -> bool {
        self.drawn_at(bar).is_some_and(|(middle, width)| (middle - x).abs() < width / 2.0 + 2.0)
    }
}

impl Shares {
    /// The chart's data; `None` if it is the same in all of several cells.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let row = |(cell, name): (&CellHeader, String)| {
            let wins = wins(reading, cell)?;
            Some(ShareRow { cell: cell.cell, name, wins, draws: reading.draws(cell)? })
        };
        let groups = grouped(reading, row);
        if groups.is_empty() || reading.is_still() {
            return None;
        }
        Some(Self {
            finding: sentence::of_wins(reading, false),
            sides: reading.sides(),
            groups,
            cells: reading.cells().len(),
            shown: Shown::All,
        })
    }

    /// The cells with many draws, which another chart of wins does not show; `None` if there are none.
    pub(crate) fn beside_wins(reading: &Reading<'_>) -> Option<Self> {
        let mut bars = Self { finding: sentence::drawn_where(reading)?, shown: Shown::Drawn, ..Self::of(reading)? };
        for group in &mut bars.groups {
            group.rows.retain(|row| row.draws.point >= DRAWN);
        }
        bars.groups.retain(|group| !group.rows.is_empty());
        (!bars.groups.is_empty()).then_some(bars)
    }

    /// The shares for only the cells that the study asks about.
    pub(crate) fn asked_about(reading: &Reading<'_>) -> Option<Self> {
        let asked = reading.asked_about();
        let headline = reading.headline.cell?;
        let row = |cell: &&CellHeader| {
            let wins = wins(reading, cell)?;
            Some(ShareRow {
                cell: cell.cell,
                name: reading.names.among(cell, headline),
                wins,
                draws: reading.draws(cell)?,
            })
        };
        let rows: Vec<ShareRow> = asked.iter().filter_map(row).collect();
        let cells = rows.len();
        let groups = vec![Group { title: String::new(), rows }];
        (cells > 0).then(|| Self {
            finding: sentence::headline(reading),
            sides: reading.sides(),
            groups,
            cells,
            shown: Shown::Asked,
        })
    }

    /// Whether more than two sides fight.
    fn is_of_many(&self) -> bool {
        self.sides.count() > 2
    }

    fn rows(&self) -> impl Iterator<Item = &ShareRow> {
        self.groups.iter().flat_map(|group| &group.rows)
    }
}

/// How often each side wins.
fn wins(reading: &Reading<'_>, cell: &CellHeader) -> Option<BySide<Estimate>> {
    BySide::try_of(reading.sides().count(), |side| reading.wins(cell, side))
}

impl Drawing for Shares {
    fn name(&self) -> &str {
        if self.shown == Shown::Asked { ANSWER } else { NAME }
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let level = self.rows().next().map_or(0.95, |row| row.wins.first.level.get());
        let errors = if self.rows().all(|row| row.wins.first.is_computed()) {
            "exact".to_owned()
        } else {
            format!(
                "with {} % intervals, as numbers and, where they are wide enough, as lines across the bars",
                number(100.0 * level)
            )
        };
        let shown = self.rows().count();
        let left_out = match self.shown {
            Shown::Drawn if shown < self.cells => {
                format!(" Shown: the {shown} of {} cells with at least {} % draws.", self.cells, number(100.0 * DRAWN))
            }
            Shown::All | Shown::Asked | Shown::Drawn => left_out(shown, self.cells, "first"),
        };
        if self.is_of_many() {
            let sides: Vec<String> = self.sides.iter().cloned().collect();
            let exact = self.rows().all(|row| row.wins.first.is_computed());
            let errors = if exact { "exact" } else { "with intervals in the table" };
            return format!(
                "Share of battles won by {}, from left to right, and drawn (pale), {errors}.{left_out}",
                listed(&sides)
            );
        }
        format!(
            "Share of battles won by {} (left), drawn (pale) and won by {} (right), {errors}. Dashed: 50 %.{left_out}",
            self.sides.first, self.sides.second,
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = RowLabels::new(self.rows().map(|row| row.name.as_str()), 0.3 * width);
        let words = |share: &Estimate| if narrow(width) { share.share_point() } else { share.share_range() };
        let numbers = widest_numbers(|| self.rows(), |row, side| words(&row.wins[side]));
        let beside = if self.is_of_many() { (0.0, 0.0) } else { (numbers.first, numbers.second) };
        let left = labels.width + beside.0 + 14.0;
        let right = width - beside.1 - 7.0;
        let bar = Axis::new((0.0, 1.0), (left, right));
        self.heading(&mut sheet, (left, right));

        let top = sheet.height;
        let rules = sheet.marks.len();
        let mut nth = 0;
        for group in &self.groups {
            let title = write_title(&mut sheet, &group.title, false);
            for (place, row) in group.rows.iter().enumerate() {
                if place > 0 {
                    sheet.may_cut(title);
                }
                let height = labels.height(nth, ROW);
                let middle = sheet.height + height / 2.0;
                labels.write(&mut sheet, nth, labels.width, middle);
                if self.is_of_many() {
                    draw_parts(&mut sheet, row, &bar, middle);
                    sheet.height += height;
                    nth += 1;
                    continue;
                }
                draw_row(&mut sheet, row, &bar, middle);
                let (x, top, bottom) = (bar.at(0.5), middle - height / 2.0, middle + height / 2.0);
                let pieces = match row.is_drawn_over(&bar, x) {
                    true => vec![(top, middle - CLEAR), (middle + CLEAR, bottom)],
                    false => vec![(top, bottom)],
                };
                for (from, to) in pieces {
                    sheet.path(vec![(x, from), (x, to)], EVEN.0, TEXT, EVEN.1);
                }
                let base = centred(middle, 1, size::SMALL);
                let number = |words: String, x| Text::new(words, (x, base), size::SMALL, TEXT);
                sheet.write(number(words(&row.wins.first), left - 6.0).anchored(Anchor::End));
                sheet.write(number(words(&row.wins.second), right + 6.0));
                sheet.height += height;
                nth += 1;
            }
        }
        sheet.may_cut(None);
        let bottom = sheet.height + 2.0;
        for quarter in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let x = bar.at(quarter);
            let percent = format!("{} %", number(100.0 * quarter));
            sheet.write(Text::new(percent, (x, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
            let rule = crate::sheet::Mark::Line {
                through: vec![(x, top), (x, bottom)],
                width: 0.4,
                ink: RULE,
                dash: crate::look::Dash::Solid,
            };
            sheet.marks.insert(rules, rule);
        }
        sheet.height = bottom + 12.0;
        sheet
    }
}

impl Shares {
    /// The names of the bar's parts, with their colours, above its ends.
    fn heading(&self, sheet: &mut Sheet, (left, right): (f64, f64)) {
        if narrow(sheet.width) || self.is_of_many() {
            return self.key(sheet);
        }
        let room = (right - left - 50.0) / 2.0 - 12.0;
        let name = |side: &str| {
            let words = format!("{} wins", capitalised(side));
            font::wrap(&words, size::LABEL, Weight::Bold, room, 2)
        };
        let (first, second) = (name(&self.sides.first), name(&self.sides.second));
        let lines = first.len().max(second.len());
        let base = |of: usize| 8.0 + (lines - of) as f64 * crate::sheet::leading(size::LABEL);
        let last = base(1);
        sheet.fill((left, last - 6.5), (left + 7.0, last + 0.5), FIRST);
        sheet.fill((right - 7.0, last - 6.5), (right, last + 0.5), SECOND);
        let like = Text::new("", (left + 10.0, base(first.len())), size::LABEL, TEXT).bold();
        sheet.write_lines(&first, &like);
        let like = Text::new("", (right - 10.0, base(second.len())), size::LABEL, TEXT).bold().anchored(Anchor::End);
        sheet.write_lines(&second, &like);
        let middle = f64::midpoint(left, right);
        sheet.fill((middle - 17.0, last - 6.5), (middle - 10.0, last + 0.5), PALE);
        sheet.write(Text::new("drawn", (middle - 7.0, last), size::LABEL, SOFT));
        sheet.height = last + 5.0;
    }

    /// The names of the bar's parts in a stack, where the bars are short.
    fn key(&self, sheet: &mut Sheet) {
        let wins = |side: &str| format!("{} wins", capitalised(side));
        let mut parts: Vec<(String, Ink)> =
            self.sides.sides().iter().map(|&side| (wins(&self.sides[side]), of_side(side))).collect();
        // Draws go between two sides, or after three or more.
        let drawn = if self.is_of_many() { parts.len() } else { 1 };
        parts.insert(drawn, ("Drawn".to_owned(), PALE));
        for (words, ink) in parts {
            let base = sheet.height + 8.0;
            sheet.fill((0.0, base - 6.5), (7.0, base + 0.5), ink);
            let lines = font::wrap(&words, size::LABEL, Weight::Bold, sheet.width - 10.0, 2);
            sheet.write_lines(&lines, &Text::new("", (10.0, base), size::LABEL, TEXT).bold());
            sheet.height += lines.len() as f64 * crate::sheet::leading(size::LABEL);
        }
        sheet.height += 4.0;
    }
}

/// The bar of one cell with more than two sides: each side's share of wins and the share of draws, with numbers where
/// there is room.
fn draw_parts(sheet: &mut Sheet, row: &ShareRow, bar: &Axis, middle: f64) {
    let (top, bottom) = (middle - BAR / 2.0, middle + BAR / 2.0);
    let sides = row.wins.sides().iter().map(|&side| (row.wins[side], of_side(side)));
    let mut from = 0.0;
    for (share, ink) in sides.chain([(row.draws, PALE)]) {
        let to = (from + share.point).min(1.0);
        sheet.fill((bar.at(from), top), (bar.at(to), bottom), ink);
        let words = share.share_point();
        let width = font::width(&words, size::SMALL, Weight::Regular);
        if width + 4.0 < bar.at(to) - bar.at(from) {
            let at = (bar.at(f64::midpoint(from, to)), centred(middle, 1, size::SMALL));
            let paper = if ink == PALE { TEXT } else { PAPER };
            sheet.write(Text::new(words, at, size::SMALL, paper).anchored(Anchor::Middle));
        }
        from = to;
    }
}

/// The bar of one cell, with an interval on each of its boundaries.
fn draw_row(sheet: &mut Sheet, row: &ShareRow, bar: &Axis, middle: f64) {
    let (top, bottom) = (middle - BAR / 2.0, middle + BAR / 2.0);
    let (first, second) = (row.wins.first, row.wins.second.complement());
    let part = |sheet: &mut Sheet, from: f64, to: f64, ink: Ink| sheet.fill((from, top), (to, bottom), ink);
    part(sheet, bar.at(0.0), bar.at(first.point), FIRST);
    part(sheet, bar.at(first.point), bar.at(second.point), PALE);
    part(sheet, bar.at(second.point), bar.at(1.0), SECOND);
    if let Some((x, _)) = row.drawn_at(bar) {
        let at = (x, centred(middle, 1, size::SMALL));
        sheet.write(Text::new(row.draws.share_point(), at, size::SMALL, TEXT).anchored(Anchor::Middle));
    }
    // Intervals that overlap are drawn one above the other; without draws there is only one boundary.
    let one = row.draws.point == 0.0;
    let apart = if !one && bar.at(second.low) - bar.at(first.high) < 2.0 { 2.2 } else { 0.0 };
    for (cut, aside) in [(first, -apart), (second, apart)].into_iter().take(if one { 1 } else { 2 }) {
        if !cut.is_computed() && cut.point > 0.0 && cut.point < 1.0 {
            whisker(sheet, (bar.at(cut.low.max(0.0)), bar.at(cut.high.min(1.0))), middle + aside);
        }
    }
}

/// An interval, black with a white edge so that it shows on any colour. It is left out if it is too narrow to be seen
/// next to the boundary.
fn whisker(sheet: &mut Sheet, (low, high): (f64, f64), middle: f64) {
    /// The minimum width that shows more than the boundary itself.
    const SEEN: f64 = 2.0;
    if high - low >= SEEN {
        sheet.fill((low, middle - 1.2), (high, middle + 1.2), PAPER);
        sheet.fill((low, middle - 0.6), (high, middle + 0.6), TEXT);
    }
}
