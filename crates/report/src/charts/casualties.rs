//! What a battle cost: a small distribution per cell and side, with its mean.

use std::collections::BTreeSet;

use grognard_lab::results::CellHeader;
use grognard_lab::{BySide, Side};
use grognard_stats::Estimate;

use super::groups::{Group, grouped, panels, widest_numbers, write_title};
use super::ridge::{self, Ridge, draw_scale};
use super::{Drawing, left_out};
use crate::axis::{Axis, number};
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{Dash, RULE, SOFT, TEXT, narrow, of_side, size};
use crate::reading::Reading;
use crate::sentence::{self, FIGURES};
use crate::sheet::{Anchor, Mark, Sheet, Text, leading};
use crate::table::Table;
use crate::text::{InPrint, capitalised};

/// The stem of its file names.
pub(super) const NAME: &str = "casualties";

/// Distribution of a metric by cell and side.
#[derive(Clone, Debug, PartialEq)]
pub struct Casualties {
    /// The finding.
    pub finding: String,
    /// The metric, such as "figures lost".
    pub metric: String,
    /// The sides' names.
    pub sides: BySide<String>,
    /// The cells, in groups.
    pub groups: Vec<Group<CasualtyRow>>,
    /// Cells in the results; the chart shows the first ones.
    pub cells: usize,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CasualtyRow {
    /// Its index.
    pub cell: u32,
    /// Its name within the group.
    pub name: String,
    /// Each side's mean.
    pub mean: BySide<Estimate>,
    /// Per value that occurred, the share of battles in which it did.
    pub shares: BySide<Vec<(i32, f64)>>,
}

/// The metric shown.
pub(crate) const METRIC: &str = "losses";

impl Casualties {
    /// The chart's data; none if there are no counts, or nothing was ever lost, or more than two sides fight: it compares two.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        if reading.is_of_many() {
            return None;
        }
        let manifest = &reading.results.manifest;
        let at = manifest.metrics.iter().position(|metric| metric.key == METRIC)?;
        let row = |(cell, name): (&CellHeader, String)| {
            let mean = |side| reading.mean(cell, Some(side), METRIC);
            let shares = |side| Some(reading.spread(cell, side, at)?.shares());
            let shares = BySide::new(shares(Side::First)?, shares(Side::Second)?);
            let mean = BySide::new(mean(Side::First)?, mean(Side::Second)?);
            Some(CasualtyRow { cell: cell.cell, name, mean, shares })
        };
        let groups = grouped(reading, row);
        let mut rows = groups.iter().flat_map(|group| &group.rows);
        if rows.all(|row| Side::BOTH.iter().all(|&side| row.shares[side].iter().all(|&(value, _)| value == 0))) {
            return None;
        }
        let metric = manifest.metrics[at].title.clone();
        let finding = finding(reading, telling(reading));
        Some(Self { finding, metric, sides: reading.sides(), groups, cells: reading.cells().len() })
    }

    fn rows(&self) -> impl Iterator<Item = &CasualtyRow> {
        self.groups.iter().flat_map(|group| &group.rows)
    }
}

/// The subject, or the other side if the headline's comparison changes only its losses.
fn telling(reading: &Reading<'_>) -> Side {
    let differs = |side: Side| {
        let mean = |cell: &CellHeader| reading.mean(cell, Some(side), METRIC).map(|mean| mean.mean_point());
        let comparisons = reading.comparisons(Some(side), METRIC);
        reading.headlined(&comparisons).is_some_and(|one| mean(one.cell) != mean(one.baseline))
    };
    let subject = reading.subject;
    match subject.only_enemy(reading.sides().count()) {
        Some(other) if !differs(subject) && differs(other) => other,
        _ => subject,
    }
}

/// The losses of the side whose losses vary most from cell to cell; none if neither side's do.
pub(crate) fn losses(reading: &Reading<'_>) -> Option<String> {
    let apart = |side: Side| {
        let means = || reading.cells().iter().filter_map(move |cell| reading.mean(cell, Some(side), METRIC));
        let least = means().map(|mean| mean.high).fold(f64::INFINITY, f64::min);
        means().map(|mean| mean.low).fold(f64::NEG_INFINITY, f64::max) - least
    };
    let sides = Side::first(reading.results.manifest.sides.len()).iter().copied();
    let side = sides.max_by(|&one, &other| apart(one).total_cmp(&apart(other)))?;
    (apart(side) > 0.0).then(|| finding(reading, side))
}

fn finding(reading: &Reading<'_>, side: Side) -> String {
    let comparisons = reading.comparisons(Some(side), METRIC);
    let mean = |cell: &CellHeader| reading.mean(cell, Some(side), METRIC);
    let told = reading.headlined(&comparisons).and_then(|comparison| {
        let own = mean(comparison.cell)?.mean_point() + FIGURES;
        let theirs = mean(comparison.baseline)?.mean_point();
        let told = sentence::contrast(&reading.names, comparison, &own, &theirs, ", ");
        Some(told + sentence::unsure(&comparison.difference))
    });
    let sides = reading.sides();
    let name = capitalised(&sides[side]);
    match (told, reading.cells()) {
        (Some(told), _) => format!("{name} loses {told}"),
        (None, [one]) => {
            let mean = |side| reading.mean(one, Some(side), METRIC).map(|mean| mean.mean_point()).unwrap_or_default();
            let (first, second) = (mean(Side::First), mean(Side::Second));
            format!("{} loses {first}{FIGURES}, {} {second}", capitalised(&sides.first), sides.second)
        }
        (None, cells) => {
            let means = || cells.iter().filter_map(|cell| Some((mean(cell)?, cell)));
            let by_mean = |left: &(Estimate, _), right: &(Estimate, _)| left.0.point.total_cmp(&right.0.point);
            let told = means().min_by(by_mean).zip(means().max_by(by_mean)).map(|(least, most)| {
                let with = |(mean, cell): (Estimate, &CellHeader), unit: &str| {
                    format!("{}{unit} {}", mean.mean_point(), reading.names.with(&reading.names.cell(cell)))
                };
                format!("{}, {}", with(least, FIGURES), with(most, ""))
            });
            format!("{name} loses {}", told.unwrap_or_default())
        }
    }
}

impl Drawing for Casualties {
    fn name(&self) -> &'static str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let sampled = self.rows().any(|row| !row.mean.first.is_computed());
        format!(
            "Distribution of {} by {} (left) and {} (right). All rows have the same scale; a row's height is {:.0} % of battles. \
             {}.{}",
            self.metric,
            self.sides.first,
            self.sides.second,
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
        let ends = panels(width, &labels, numbers);
        let axes = self.axes(ends);
        self.heading(&mut sheet, ends, numbers);

        // Forty rows and more share the page; a few get more room.
        let ridge = (380.0 / self.rows().count() as f64).clamp(15.0, 26.0);
        let top_share = self.top();
        draw_scale(&mut sheet, ridge - 3.0, top_share);
        let (top, rules) = (sheet.height, sheet.marks.len());
        let mut nth = 0;
        for group in &self.groups {
            write_title(&mut sheet, &group.title, true);
            for row in &group.rows {
                let height = labels.height(nth, ridge);
                let floor = sheet.height + height;
                labels.write(&mut sheet, nth, labels.width, floor - height / 2.0);
                for side in Side::BOTH {
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
        let bottom = sheet.height;
        for side in Side::BOTH {
            for tick in axes[side]
                .ticks(((ends.first.1 - ends.first.0) / 28.0) as usize)
                .into_iter()
                .filter(|tick| tick.fract() == 0.0)
            {
                let x = axes[side].at(tick);
                let rule =
                    Mark::Line { through: vec![(x, top), (x, bottom)], width: 0.4, ink: RULE, dash: Dash::Solid };
                sheet.marks.insert(rules, rule);
                sheet.write(Text::new(number(tick), (x, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
            }
        }
        sheet.height = bottom + 12.0;
        sheet
    }

    fn table(&self) -> Option<Table> {
        let values: BTreeSet<i32> =
            self.rows().flat_map(|row| Side::BOTH.map(|side| &row.shares[side])).flatten().map(|one| one.0).collect();
        let mut head = vec!["Cell".to_owned(), "Name".to_owned(), "Side".to_owned(), "Mean".to_owned()];
        head.extend(values.iter().map(i32::to_string));
        let row = |(group, row, side): (&Group<CasualtyRow>, &CasualtyRow, Side)| {
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
        let rows = rows.flat_map(|(group, one)| Side::BOTH.map(|side| row((group, one, side)))).collect();
        let caption = format!("Share of battles by {}, and their mean with its interval", self.metric);
        // A table with too many columns to read is left out; the means are in the table of all cells.
        (values.len() <= 40).then_some(Table { caption, head, rows })
    }
}

impl Casualties {
    /// The share of battles that the height of a row represents.
    fn top(&self) -> f64 {
        ridge::top(self.rows().flat_map(|row| Side::BOTH.map(|side| row.shares[side].as_slice())))
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
        for side in Side::BOTH {
            let words = capitalised(&self.sides[side]);
            let room = ends[side].1 - ends[side].0 + 5.0 + numbers[side];
            let wrapped = font::wrap(&words, size::LABEL, Weight::Bold, room, 2);
            sheet.write_lines(&wrapped, &Text::new("", (ends[side].0, 8.0), size::LABEL, TEXT).bold());
            lines = lines.max(wrapped.len());
        }
        sheet.height = 3.0 + lines as f64 * leading(size::LABEL);
    }
}
