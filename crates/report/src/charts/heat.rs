//! One side's wins over two varied values: a heat map, repeated for each value of a third.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, Manifest, Setting, Varied};
use grognard_stats::Estimate;

use super::Drawing;
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{Hue, Ink, RULE, SOFT, TEXT, size};
use crate::reading::Reading;
use crate::sentence;
use crate::sheet::{Anchor, Sheet, Text, leading};
use crate::text::{InPrint, capitalised};

/// The stem of its file names.
pub(super) const NAME: &str = "heat-map";

/// One side's wins over two varied values.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// The finding.
    pub finding: String,
    /// The side whose wins are shown, with its name.
    pub side: (String, Side),
    /// Name and values of what varies from row to row.
    pub rows: (String, Vec<String>),
    /// Name and values of what varies from column to column.
    pub columns: (String, Vec<String>),
    /// A map for each value of the third varied path, or one.
    pub facets: Vec<Facet>,
}

/// One map.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet {
    /// The third value; empty if only two vary.
    pub title: String,
    /// Row by row, the cell's index and share; `None` where the study has no such cell.
    pub squares: Vec<Vec<Option<(u32, Estimate)>>>,
}

/// The maximum numbers of rows and columns of a map that can be read on a page.
const ROWS: usize = 30;
const COLUMNS: usize = 12;
const FACETS: usize = 12;
const SQUARE: f64 = 26.0;
const GAP: f64 = 12.0;

impl Heat {
    /// The chart's data; `None` unless two or three paths form a grid that fits a page.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let manifest = &reading.results.manifest;
        let order = axes(reading)?;
        let varied = |at: usize| &manifest.vary[order[at]];
        let (rows, columns, third) = (varied(0), varied(1), order.get(2).map(|&at| &manifest.vary[at]));
        let square =
            |cell: Option<&CellHeader>| cell.and_then(|cell| Some((cell.cell, reading.wins(cell, reading.victor)?)));
        let facet = |third: Option<(&Varied, usize)>| {
            let find = |row: usize, column: usize| {
                let wanted = [Some((rows, row)), Some((columns, column)), third];
                square(manifest.cells.iter().find(|cell| {
                    wanted.iter().flatten().all(|&(varied, value)| {
                        cell.vary.iter().any(|set| set.path == varied.path && set.value == varied.values[value])
                    })
                }))
            };
            let row = |row: usize| (0..columns.values.len()).map(|column| find(row, column)).collect();
            let title = third.map_or_else(String::new, |(varied, value)| {
                let (path, value) = (varied.path.clone(), varied.values[value].clone());
                reading.names.setting(&Setting { path, value })
            });
            Facet { title: capitalised(&title), squares: (0..rows.values.len()).map(row).collect() }
        };
        let facets: Vec<Facet> = match third {
            Some(third) => (0..third.values.len()).map(|value| facet(Some((third, value)))).collect(),
            None => vec![facet(None)],
        };
        let squares: Vec<(u32, Estimate)> =
            facets.iter().flat_map(|f| f.squares.iter().flatten().flatten().copied()).collect();
        // A grid that is mostly holes (`pairs`, explicit cells) makes no useful map.
        let places = facets.len() * rows.values.len() * columns.values.len();
        if squares.len() * 2 < places || squares.len() < 4 || reading.is_still() {
            return None;
        }
        let named = |varied: &Varied| {
            let values = varied.values.iter().map(|value| reading.names.value(&varied.path, value)).collect();
            (reading.names.path(&varied.path), values)
        };
        let side = (reading.sides()[reading.victor].clone(), reading.victor);
        let finding = sentence::of_wins(reading, false);
        Some(Self { finding, side, rows: named(rows), columns: named(columns), facets })
    }
}

/// The paths that make rows, columns and facets; `None` if they do not fit.
fn axes(reading: &Reading<'_>) -> Option<Vec<usize>> {
    let manifest: &Manifest = &reading.results.manifest;
    let values = |at: usize| manifest.vary[at].values.len();
    if !(2..=3).contains(&manifest.vary.len()) {
        return None;
    }
    let inner = reading.names.inner.first().copied().unwrap_or(0);
    let mut others: Vec<usize> = (0..manifest.vary.len()).filter(|&at| at != inner).collect();
    // The path with the fewest values makes the facets.
    others.sort_by_key(|&at| std::cmp::Reverse(values(at)));
    let mut order = vec![inner];
    order.extend(others);
    if values(order[1]) > values(order[0]) && values(order[1]) > COLUMNS {
        order.swap(0, 1);
    }
    let fits = (2..=ROWS).contains(&values(order[0]))
        && (2..=COLUMNS).contains(&values(order[1]))
        && order.get(2).is_none_or(|&at| values(at) <= FACETS);
    fits.then_some(order)
}

impl Drawing for Heat {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        format!(
            "Battles won by {}, in per cent with their margin of error (≤, ≥: one-sided limit); stronger colours mean more wins. Rows: \u{201c}{}\u{201d}; columns: \u{201c}{}\u{201d}.",
            self.side.0, self.rows.0, self.columns.0
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = RowLabels::new(self.rows.1.iter().map(String::as_str), 0.24 * width);
        let columns = self.columns.1.len() as f64;
        let left = labels.width + 8.0;
        let room = width - left;
        // As many maps side by side as possible while their squares have room for a number.
        let beside = (1..=self.facets.len())
            .rev()
            .find(|&beside| (room - (beside - 1) as f64 * GAP) / (beside as f64 * columns) >= 38.0)
            .unwrap_or(1);
        let width = ((room - (beside - 1) as f64 * GAP) / (beside as f64 * columns)).min(74.0);
        for band in self.facets.chunks(beside) {
            sheet.may_cut(None);
            let start = sheet.height;
            let across = |nth: usize| left + nth as f64 * (columns * width + GAP);
            let titles: Vec<Vec<String>> = band
                .iter()
                .map(|facet| font::wrap(&facet.title, size::LABEL, Weight::Bold, columns * width, 2))
                .collect();
            let lines = titles.iter().map(Vec::len).max().unwrap_or(0);
            if band.iter().any(|facet| !facet.title.is_empty()) {
                for (nth, title) in titles.iter().enumerate() {
                    let at = (across(nth), sheet.height + 9.0);
                    sheet.write_lines(title, &Text::new("", at, size::LABEL, TEXT).bold());
                }
                sheet.height += lines as f64 * leading(size::LABEL) + 3.0;
            }
            let top = sheet.height + self.column_labels(&mut sheet, band.len(), width, across);
            sheet.height = top;
            for (nth, facet) in band.iter().enumerate() {
                draw_squares(&mut sheet, facet, (across(nth), top), (width, &labels), self.side.1);
            }
            for nth in 0..self.rows.1.len() {
                if nth > 0 {
                    sheet.may_cut(Some((start, top)));
                }
                let height = labels.height(nth, SQUARE);
                let middle = sheet.height + height / 2.0;
                labels.write(&mut sheet, nth, labels.width, middle);
                sheet.height += height;
            }
            sheet.height += GAP;
        }
        sheet.height -= GAP;
        sheet.may_cut(None);
        sheet
    }
}

impl Heat {
    /// Writes the path of the columns, and their names above each map. Returns the height used.
    fn column_labels(&self, sheet: &mut Sheet, maps: usize, width: f64, across: impl Fn(usize) -> f64) -> f64 {
        let wrapped: Vec<Vec<String>> =
            self.columns.1.iter().map(|name| font::wrap(name, size::SMALL, Weight::Regular, width - 3.0, 4)).collect();
        let lines = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        let room = self.columns.1.len() as f64 * width;
        let heading = font::wrap(&capitalised(&self.columns.0), size::SMALL, Weight::Regular, room, 1);
        let named = leading(size::SMALL) + 1.0;
        for map in 0..maps {
            let at = (across(map) + 1.0, sheet.height + 8.0);
            sheet.write_lines(&heading, &Text::new("", at, size::SMALL, SOFT));
            for (column, name) in wrapped.iter().enumerate() {
                let x = across(map) + (column as f64 + 0.5) * width;
                let base = sheet.height + named + 8.0 + (lines - name.len()) as f64 * leading(size::SMALL);
                sheet.write_lines(name, &Text::new("", (x, base), size::SMALL, SOFT).anchored(Anchor::Middle));
            }
        }
        named + lines as f64 * leading(size::SMALL) + 4.0
    }
}

fn draw_squares(
    sheet: &mut Sheet,
    facet: &Facet,
    (left, top): (f64, f64),
    (width, labels): (f64, &RowLabels),
    side: Side,
) {
    let mut y = top;
    for (nth, row) in facet.squares.iter().enumerate() {
        let height = labels.height(nth, SQUARE);
        for (column, square) in row.iter().enumerate() {
            let x = left + column as f64 * width;
            let middle = (x + width / 2.0, y + height / 2.0);
            let Some((_, share)) = square else {
                sheet.line((x + 4.0, y + height - 4.0), (x + width - 4.0, y + 4.0), 0.5, RULE);
                continue;
            };
            let ground = Ink::of(Hue::Scale(side, share.point));
            sheet.fill((x + 0.5, y + 0.5), (x + width - 0.5, y + height - 0.5), ground);
            let number = share.share_point().replace(" %", "");
            if font::width(&number, size::LABEL, Weight::Bold) > width - 3.0 {
                continue;
            }
            let ink = Ink::of(Hue::OnScale(side, share.point));
            let error = Some(share.share_error())
                .filter(|error| font::width(error, size::SMALL, Weight::Regular) <= width - 3.0)
                .unwrap_or_default();
            let first = if error.is_empty() { centred(middle.1, 1, size::LABEL) } else { middle.1 - 1.0 };
            let at = (middle.0, first);
            sheet.write(Text::new(number, at, size::LABEL, ink).bold().anchored(Anchor::Middle));
            let at = (middle.0, middle.1 + 8.5);
            sheet.write(Text::new(error, at, size::SMALL, ink).anchored(Anchor::Middle));
        }
        y += height;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Mark;

    #[test]
    fn every_map_has_the_name_of_its_columns() {
        let facet =
            |title: &str| Facet { title: title.to_owned(), squares: vec![vec![Some((0, Estimate::computed(0.5))); 2]] };
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let heat = Heat {
            finding: String::new(),
            side: ("attacker".to_owned(), Side::First),
            rows: ("formation".to_owned(), names(&["line"])),
            columns: ("attacked by".to_owned(), names(&["lancers", "hussars"])),
            facets: vec![facet("from the front"), facet("from the rear")],
        };
        assert!(heat.about().ends_with("Rows: “formation”; columns: “attacked by”."), "{}", heat.about());
        let headings = heat
            .body(480.0)
            .marks
            .into_iter()
            .filter(|mark| matches!(mark, Mark::Text(text) if text.words == "Attacked by"));
        assert_eq!(headings.count(), 2);
    }
}
