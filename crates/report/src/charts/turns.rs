//! How long battles last: the distribution of turns fought, cell by cell.

use std::collections::BTreeSet;

use grognard_lab::results::{CellHeader, TURNS};
use grognard_stats::Estimate;

use super::groups::{Group, grouped, write_title};
use super::ridge::{self, Ridge, draw_scale, draw_ticks};
use super::{Drawing, left_out};
use crate::axis::Axis;
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{FIRST, SOFT, TEXT, narrow, size};
use crate::reading::Reading;
use crate::sentence;
use crate::sheet::{Sheet, Text};
use crate::table::Table;
use crate::text::{InPrint, plural};

/// The stem of its file names.
pub(super) const NAME: &str = "battle-length";

/// Turns fought, by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// The finding.
    pub finding: String,
    /// The cells, in groups.
    pub groups: Vec<Group<TurnsRow>>,
    /// Cells in the results; the chart shows the first ones.
    pub cells: usize,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnsRow {
    /// Its index.
    pub cell: u32,
    /// Its name within the group.
    pub name: String,
    /// The mean number of turns of a battle.
    pub mean: Estimate,
    /// For each number of turns that occurred, the share of battles that lasted that long.
    pub shares: Vec<(i32, f64)>,
    /// The same shares with their intervals, in the same order.
    pub estimates: Vec<Estimate>,
}

impl Turns {
    /// The chart's data; `None` if nearly all battles last the same number of turns.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let row = |(cell, name): (&CellHeader, String)| {
            let (mean, turns) = (reading.mean(cell, None, TURNS)?, reading.turns(cell)?);
            let shares = turns.shares();
            let estimates = shares.iter().map(|&(lasted, _)| turns.share_of(lasted..=lasted)).collect();
            Some(TurnsRow { cell: cell.cell, name, mean, shares, estimates })
        };
        let groups = grouped(reading, row);
        let rows = groups.iter().flat_map(|group: &Group<TurnsRow>| &group.rows);
        if ridge::is_flat(&rows.map(|row| row.shares.as_slice()).collect::<Vec<_>>()) {
            return None;
        }
        Some(Self { finding: finding(reading)?, groups, cells: reading.cells().len() })
    }

    fn rows(&self) -> impl Iterator<Item = &TurnsRow> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    fn top(&self) -> f64 {
        ridge::top(self.rows().map(|row| row.shares.as_slice()))
    }
}

/// How long the headline's battles last compared with those of its baseline, or else the shortest compared with the
/// longest.
fn finding(reading: &Reading<'_>) -> Option<String> {
    let mean = |cell: &CellHeader| reading.mean(cell, None, TURNS);
    if let Some(comparison) = reading.headlined(&reading.comparisons(None, TURNS)) {
        let (own, theirs) = (mean(comparison.cell)?.mean_point(), mean(comparison.baseline)?.mean_point());
        let told = sentence::contrast(&reading.names, comparison.cells(), None, [&format!("{own} turns"), &theirs]);
        return Some(format!("Battles last {told}{}", sentence::unsure(&comparison.difference)));
    }
    let cells = || reading.cells().iter().filter_map(|cell| Some((mean(cell)?, cell)));
    let by_mean = |one: &(Estimate, _), other: &(Estimate, _)| one.0.point.total_cmp(&other.0.point);
    let (least, most) = cells().min_by(by_mean).zip(cells().max_by(by_mean))?;
    if reading.cells().len() == 1 {
        return Some(format!("Battles last {} turns on average", least.0.mean_point()));
    }
    let with = |(mean, cell): (Estimate, &CellHeader), unit: &str| {
        format!("{}{unit} {}", mean.mean_point(), reading.names.place(cell, None))
    };
    Some(format!("Battles last from {} to {}", with(least, " turns"), with(most, "")))
}

impl Drawing for Turns {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let mean = match self.rows().all(|row| row.mean.is_computed()) {
            true => "Dot: the mean; exact",
            false => "Dot and line: the mean with its interval",
        };
        format!(
            "Share of battles by the number of turns they last. All rows have the same scale; a row's height is {:.0} % of battles. {mean}.{}",
            100.0 * self.top(),
            left_out(self.rows().count(), self.cells, "first")
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = RowLabels::new(self.rows().map(|row| row.name.as_str()), 0.4 * width);
        let words = |mean: &Estimate| if narrow(width) { mean.mean_point() } else { mean.mean_range() };
        let texts: Vec<String> = self.rows().map(|row| words(&row.mean)).collect();
        let numbers = font::widest(texts.iter().map(String::as_str), size::SMALL, Weight::Regular);
        let ends = (labels.width + 10.0, width - numbers - 6.0);
        let values = || self.rows().flat_map(|row| &row.shares).map(|&(turns, _)| f64::from(turns));
        let axis = Axis::new((values().fold(1.0, f64::min) - 0.5, values().fold(1.0, f64::max) + 0.5), ends);
        let ridge = (380.0 / self.rows().count() as f64).clamp(15.0, 26.0);
        draw_scale(&mut sheet, ridge - 3.0, self.top());
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
                let place = Ridge { axis: &axis, floor, tall: ridge - 3.0, top: self.top() };
                place.draw(&mut sheet, &row.shares, FIRST);
                place.draw_mean(&mut sheet, &row.mean);
                let at = (ends.1 + 5.0, centred(floor - height / 2.0, 1, size::SMALL));
                sheet.write(Text::new(texts[nth].as_str(), at, size::SMALL, TEXT));
                sheet.height = floor + 2.0;
                nth += 1;
            }
        }
        sheet.may_cut(None);
        let bottom = sheet.height;
        draw_ticks(&mut sheet, &axis, ends, (top, bottom), rules);
        sheet.write(Text::new("turns", (ends.1 + 5.0, bottom + 9.0), size::SMALL, SOFT));
        sheet.height = bottom + 12.0;
        sheet
    }

    fn table(&self) -> Option<Table> {
        let values: BTreeSet<i32> = self.rows().flat_map(|row| &row.shares).map(|&(turns, _)| turns).collect();
        let mut head = vec!["Cell".to_owned(), "Name".to_owned(), "Mean".to_owned()];
        head.extend(values.iter().map(|&turns| plural(turns.max(0) as usize, "turn")));
        let row = |(group, row): (&Group<TurnsRow>, &TurnsRow)| {
            let mut fields = vec![row.cell.to_string(), group.full_name(&row.name), row.mean.mean_range()];
            fields.extend(values.iter().map(|turns| {
                let found = row.shares.iter().position(|(own, _)| own == turns);
                found.map_or_else(|| "–".to_owned(), |at| row.estimates[at].share_range())
            }));
            fields
        };
        let rows =
            self.groups.iter().flat_map(|group| group.rows.iter().map(move |row| (group, row))).map(row).collect();
        let caption =
            "Share of battles by the number of turns they last, and the mean, each with its interval".to_owned();
        (values.len() <= 40).then_some(Table { caption, head, rows })
    }
}
