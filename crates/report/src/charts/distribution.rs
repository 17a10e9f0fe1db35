//! Distributions of a metric: a small one per cell and side, with its mean.

use std::collections::BTreeSet;

use grognard_lab::{BySide, Side};
use grognard_stats::Estimate;

use super::groups::{Group, panels, widest_numbers, write_title};
use super::ridge::{self, Ridge, draw_scale, draw_ticks};
use super::shares::ANSWER;
use super::{Drawing, left_out};
use crate::axis::Axis;
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{TEXT, narrow, of_side, size};
use crate::sheet::{Sheet, Text, leading};
use crate::table::Table;
use crate::text::{InPrint, capitalised};

/// Distribution of a metric by cell and side.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The stem of its file names.
    pub name: String,
    /// The finding.
    pub finding: String,
    /// The metric, such as "figures lost".
    pub metric: String,
    /// The sides' names.
    pub sides: BySide<String>,
    /// The only side that is drawn, if the other side's values are just the negatives.
    pub only: Option<Side>,
    /// The cells, in groups.
    pub groups: Vec<Group<DistributionRow>>,
    /// The number of cells in the results; the chart shows the first ones.
    pub cells: usize,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionRow {
    /// Its index.
    pub cell: u32,
    /// Its name within the group.
    pub name: String,
    /// Each side's mean.
    pub mean: BySide<Estimate>,
    /// For each value that occurred, the share of battles with that value.
    pub shares: BySide<Vec<(i32, f64)>>,
}

impl DistributionRow {
    /// Whether one side's value in a battle is always the negative of the other's.
    pub(super) fn is_mirrored(&self) -> bool {
        let (first, second) = (&self.shares.first, &self.shares.second);
        let opposite = |(own, foe): (&(i32, f64), &(i32, f64))| own.0 == -foe.0 && (own.1 - foe.1).abs() < 1e-9;
        first.len() == second.len() && first.iter().zip(second.iter().rev()).all(opposite)
    }
}

impl Distribution {
    pub(super) fn rows(&self) -> impl Iterator<Item = &DistributionRow> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// Whether no panel shows anything: each side has the same value in nearly all battles of all cells.
    pub(super) fn is_flat(&self) -> bool {
        let of = |side: Side| self.rows().map(|row| row.shares[side].as_slice()).collect::<Vec<_>>();
        self.drawn().iter().all(|&side| ridge::is_flat(&of(side)))
    }

    /// The same chart for these cells alone, in a separate file.
    pub(super) fn of_cells(&self, cells: &[u32]) -> Option<Self> {
        let mut some = Self { name: ANSWER.to_owned(), ..self.clone() };
        for group in &mut some.groups {
            group.rows.retain(|row| cells.contains(&row.cell));
        }
        some.groups.retain(|group| !group.rows.is_empty());
        some.cells = some.rows().count();
        (some.cells > 0).then_some(some)
    }

    /// The sides that are drawn.
    fn drawn(&self) -> &'static [Side] {
        match self.only {
            None => &Side::BOTH,
            Some(Side::First) => &Side::BOTH[..1],
            Some(_) => &Side::BOTH[1..],
        }
    }

    /// Where the panels begin and end.
    fn ends(&self, width: f64, labels: &RowLabels, numbers: BySide<f64>) -> BySide<(f64, f64)> {
        match self.only {
            None => panels(width, labels, numbers),
            Some(side) => BySide::from_fn(|_| (labels.width + 10.0, width - numbers[side] - 6.0)),
        }
    }
}

impl Drawing for Distribution {
    fn name(&self) -> &str {
        &self.name
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let sampled = self.rows().any(|row| !row.mean.first.is_computed());
        let whose = match self.only {
            None => format!("by {} (left) and {} (right)", self.sides.first, self.sides.second),
            Some(side) => format!("by {}; {} has the opposite values", self.sides[side], self.sides[side.other()]),
        };
        format!(
            "Distribution of {} {whose}. All rows have the same scale; a row's height is {:.0} % of battles. \
             {}.{}",
            self.metric,
            100.0 * self.top(),
            if sampled { "Dot and line: the mean with its interval" } else { "Dot: the mean; exact" },
            left_out(self.rows().count(), self.cells, "first")
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = RowLabels::new(self.rows().map(|row| row.name.as_str()), 0.34 * width);
        let words = |mean: &Estimate| if narrow(width) { mean.mean_point() } else { mean.mean_range() };
        let numbers = widest_numbers(|| self.rows(), |row, side| words(&row.mean[side]));
        let ends = self.ends(width, &labels, numbers);
        let axes = self.axes(ends);
        self.heading(&mut sheet, ends, numbers);

        // Rows get more height if there are few of them, within limits.
        let ridge = (380.0 / self.rows().count() as f64).clamp(15.0, 26.0);
        let top_share = self.top();
        draw_scale(&mut sheet, ridge - 3.0, top_share);
        let (top, rules) = (sheet.height, sheet.marks.len());
        let mut nth = 0;
        for group in &self.groups {
            let title = write_title(&mut sheet, &group.title, true);
            for (place, row) in group.rows.iter().enumerate() {
                if place > 0 {
                    sheet.may_cut(title);
                }
                let height = labels.height(nth, ridge);
                let floor = sheet.height + height;
                labels.write(&mut sheet, nth, labels.width, floor - height / 2.0);
                for &side in self.drawn() {
                    let ridge = Ridge { axis: &axes[side], floor, tall: ridge - 3.0, top: top_share };
                    ridge.draw(&mut sheet, &row.shares[side], of_side(side));
                    ridge.draw_mean(&mut sheet, &row.mean[side]);
                    let at = (ends[side].1 + 5.0, centred(floor - height / 2.0, 1, size::SMALL));
                    sheet.write(Text::new(words(&row.mean[side]), at, size::SMALL, TEXT));
                }
                sheet.height = floor + 2.0;
                nth += 1;
            }
        }
        sheet.may_cut(None);
        let bottom = sheet.height;
        for &side in self.drawn() {
            draw_ticks(&mut sheet, &axes[side], ends.first, (top, bottom), rules);
        }
        sheet.height = bottom + 12.0;
        sheet
    }

    fn table(&self) -> Option<Table> {
        let values: BTreeSet<i32> = self
            .rows()
            .flat_map(|row| self.drawn().iter().flat_map(|&side| &row.shares[side]))
            .map(|one| one.0)
            .collect();
        let mut head = vec!["Cell".to_owned(), "Name".to_owned(), "Side".to_owned(), "Mean".to_owned()];
        head.extend(values.iter().map(i32::to_string));
        let row = |(group, row, side): (&Group<DistributionRow>, &DistributionRow, Side)| {
            let mut fields = vec![
                row.cell.to_string(),
                group.full_name(&row.name),
                self.sides[side].clone(),
                row.mean[side].mean_range(),
            ];
            fields.extend(values.iter().map(|value| {
                let found = row.shares[side].iter().find(|(own, _)| own == value);
                found.map_or_else(|| "–".to_owned(), |(_, share)| format!("{:.1} %", 100.0 * share))
            }));
            fields
        };
        let rows = self.groups.iter().flat_map(|group| group.rows.iter().map(move |row| (group, row)));
        let rows =
            rows.flat_map(|(group, one)| self.drawn().iter().map(move |&side| (group, one, side))).map(row).collect();
        let caption = format!("Share of battles by {}, and their mean with its interval", self.metric);
        // A table with too many columns to read is left out; the means are in the table of all cells.
        (values.len() <= 40).then_some(Table { caption, head, rows })
    }
}

impl Distribution {
    /// The share of battles that a row's full height represents.
    fn top(&self) -> f64 {
        ridge::top(self.rows().flat_map(|row| self.drawn().iter().map(|&side| row.shares[side].as_slice())))
    }

    /// An axis for each side, over all values that occurred.
    fn axes(&self, ends: BySide<(f64, f64)>) -> BySide<Axis> {
        BySide::from_fn(|side| {
            let values = self.rows().flat_map(|row| row.shares[side].iter().map(|&(value, _)| f64::from(value)));
            let (low, high) = values.fold((0.0_f64, 1.0_f64), |(low, high), value| (low.min(value), high.max(value)));
            Axis::new((low - 0.5, high + 0.5), ends[side])
        })
    }

    /// The sides' names above their panels.
    fn heading(&self, sheet: &mut Sheet, ends: BySide<(f64, f64)>, numbers: BySide<f64>) {
        let mut lines = 1;
        for &side in self.drawn() {
            let words = capitalised(&self.sides[side]);
            let room = ends[side].1 - ends[side].0 + 5.0 + numbers[side];
            let wrapped = font::wrap(&words, size::LABEL, Weight::Bold, room, 2);
            sheet.write_lines(&wrapped, &Text::new("", (ends[side].0, 8.0), size::LABEL, TEXT).bold());
            lines = lines.max(wrapped.len());
        }
        sheet.height = 3.0 + lines as f64 * leading(size::LABEL);
    }
}
