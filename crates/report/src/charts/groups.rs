//! Cells in groups: rows of a chart under the title of what they share, and two panels side by side, one for each side.

use grognard_lab::results::CellHeader;
use grognard_lab::{BySide, Side};

use crate::font::{self, Weight};
use crate::frame::RowLabels;
use crate::look::{PAPER, ROWS_MAX, TEXT, narrow, size};
use crate::reading::Reading;
use crate::sheet::{Sheet, Text};

/// Cells that share all but the settings shown side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Group<R> {
    /// The settings they share; empty if there is only one group.
    pub title: String,
    /// The cells.
    pub rows: Vec<R>,
}

impl<R> Group<R> {
    /// A row's name with the group's title, as in a table without groups.
    pub(super) fn full_name(&self, name: &str) -> String {
        [name, &self.title].join(", ").trim_end_matches(", ").to_owned()
    }
}

/// The first cells in their groups, as many as a chart shows, without cells that have no `row`, and without empty
/// groups.
pub(super) fn grouped<R>(
    reading: &Reading<'_>,
    mut row: impl FnMut((&CellHeader, String)) -> Option<R>,
) -> Vec<Group<R>> {
    let shown = &reading.cells()[..reading.cells().len().min(ROWS_MAX)];
    let groups = reading.names.groups(shown).into_iter();
    groups
        .map(|group| Group { title: group.title, rows: group.cells.into_iter().filter_map(&mut row).collect() })
        .filter(|group: &Group<R>| !group.rows.is_empty())
        .collect()
}

/// Writes a group's title above its rows, on a paper-coloured box if the lines of a grid should stop at the words. A
/// chart may be cut before it. Returns the title's top and bottom: a part that begins with a later row repeats the
/// title.
pub(super) fn write_title(sheet: &mut Sheet, title: &str, on_paper: bool) -> Option<(f64, f64)> {
    sheet.may_cut(None);
    let top = sheet.height;
    sheet.height += if title.is_empty() { 2.0 } else { 5.0 };
    for line in font::wrap(title, size::LABEL, Weight::Bold, sheet.width, 2) {
        if !line.is_empty() {
            if on_paper {
                let wide = font::width(&line, size::LABEL, Weight::Bold) + 3.0;
                sheet.fill((0.0, sheet.height), (wide, sheet.height + 10.5), PAPER);
            }
            sheet.write(Text::new(line, (0.0, sheet.height + 8.0), size::LABEL, TEXT).bold());
            sheet.height += 11.0;
        }
    }
    Some((top, sheet.height))
}

/// The maximum width of each side's numbers next to the rows.
pub(super) fn widest_numbers<'a, R: 'a, I: Iterator<Item = &'a R>>(
    rows: impl Fn() -> I,
    number: impl Fn(&'a R, Side) -> String,
) -> BySide<f64> {
    BySide::from_fn(|side| {
        let texts: Vec<String> = rows().map(|row| number(row, side)).collect();
        font::widest(texts.iter().map(String::as_str), size::SMALL, Weight::Regular)
    })
}

/// The left and right end of each side's panel, to the right of the labels, with room for the side's numbers to its
/// right.
pub(super) fn panels(width: f64, labels: &RowLabels, numbers: BySide<f64>) -> BySide<(f64, f64)> {
    let gap = if narrow(width) { 4.0 } else { 12.0 };
    let panel = (width - labels.width - numbers.first - numbers.second - 10.0 - 2.0 * 5.0 - gap) / 2.0;
    let first = labels.width + 10.0;
    let second = first + panel + 5.0 + numbers.first + gap;
    BySide::new((first, first + panel), (second, second + panel))
}
