//! What a battle cost: a small distribution per cell and side, with its mean.

use grognard_lab::results::CellHeader;
use grognard_lab::{BySide, Side};
use grognard_stats::Estimate;

use super::{ChartData, Drawing, left_out};
use crate::axis::{Axis, number};
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{BLACK, BLUE, Dash, Form, Ink, ORANGE, PAGE_WIDTH, ROWS_MAX, RULE, SLATE, size};
use crate::reading::{Reading, greatest};
use crate::sentence;
use crate::sheet::{Anchor, Mark, Sheet, Text};
use crate::text::{capitalised, mean_point};

/// Distribution of a metric by cell and side.
#[derive(Clone, Debug, PartialEq)]
pub struct Casualties {
    /// The finding.
    pub finding: String,
    /// What is counted, such as "figures lost".
    pub metric: String,
    /// The sides' names.
    pub sides: BySide<String>,
    /// The cells.
    pub rows: Vec<CasualtyRow>,
    /// Cells in the results; the chart shows the first ones.
    pub cells: usize,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CasualtyRow {
    /// Its index.
    pub cell: u32,
    /// Its name.
    pub name: String,
    /// Each side's mean.
    pub mean: BySide<Estimate>,
    /// Per value that occurred, the share of battles in which it did.
    pub shares: BySide<Vec<(i32, f64)>>,
}

/// The metric shown.
const METRIC: &str = "losses";

impl Casualties {
    /// The chart's data; none without tallies.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let manifest = &reading.results.manifest;
        let at = manifest.metrics.iter().position(|metric| metric.key == METRIC)?;
        let row = |cell: &CellHeader| {
            let tally = reading.tally(cell)?;
            let mean = |side| reading.mean(cell, Some(side), METRIC);
            let shares = BySide::from_fn(|side| {
                let histogram = &tally.metrics[side][at];
                let runs = histogram.runs().max(1) as f64;
                histogram.iter().map(|(value, count)| (value, count as f64 / runs)).collect()
            });
            let mean = BySide::new(mean(Side::First)?, mean(Side::Second)?);
            Some(CasualtyRow { cell: cell.cell, name: reading.names.cell(cell), mean, shares })
        };
        let shown = &reading.cells()[..reading.cells().len().min(ROWS_MAX)];
        let groups = reading.names.groups(shown);
        let rows: Vec<CasualtyRow> =
            groups.iter().flat_map(|group| &group.cells).filter_map(|(cell, _)| row(cell)).collect();
        if rows.iter().all(|row| Side::BOTH.iter().all(|&side| row.shares[side].is_empty())) {
            return None;
        }
        let metric = manifest.metrics[at].title.clone();
        let finding = finding(reading, &metric, &rows);
        Some(Self { finding, metric, sides: reading.sides(), rows, cells: reading.cells().len() })
    }
}

fn finding(reading: &Reading<'_>, metric: &str, rows: &[CasualtyRow]) -> String {
    let side = reading.subject;
    let comparisons = reading.comparisons(Some(side), METRIC);
    let mean = |cell| reading.mean(cell, Some(side), METRIC).map(|mean| mean_point(&mean));
    let told = greatest(&comparisons).and_then(|comparison| {
        let (own, theirs) = (mean(comparison.cell)?, mean(comparison.baseline)?);
        Some(sentence::contrast(&reading.names, comparison, &own, &theirs, ", "))
    });
    let side = &reading.sides()[side];
    match (told, rows) {
        (Some(told), _) => format!("{}: {metric} on average {told}", capitalised(side)),
        (None, [one]) => {
            let mean = |side: Side| mean_point(&one.mean[side]);
            let sides = reading.sides();
            format!(
                "{} on average: {} {}, {} {}",
                capitalised(metric),
                sides.first,
                mean(Side::First),
                sides.second,
                mean(Side::Second)
            )
        }
        (None, _) => {
            let means = || rows.iter().map(|row| (row.mean[reading.subject], &row.name));
            let by_mean =
                |left: &(Estimate, &String), right: &(Estimate, &String)| left.0.point.total_cmp(&right.0.point);
            let (least, most) = (means().min_by(by_mean), means().max_by(by_mean));
            let told = least.zip(most).map(|(least, most)| {
                format!("from {} with {} to {} with {}", mean_point(&least.0), least.1, mean_point(&most.0), most.1)
            });
            format!("{}: {metric} on average {}", capitalised(side), told.unwrap_or_default())
        }
    }
}

impl Drawing for Casualties {
    const NAME: &'static str = "casualties";

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        format!(
            "How often each number of {} occurs, left {}, right {}; each row to its own height. \
             Dot and line: the mean with its interval.{}",
            self.metric,
            self.sides.first,
            self.sides.second,
            left_out(self.rows.len(), self.cells, "first")
        )
    }

    fn body(&self) -> Sheet {
        let mut sheet = Sheet::new(PAGE_WIDTH);
        let labels = RowLabels::new(self.rows.iter().map(|row| row.name.as_str()), 0.34 * PAGE_WIDTH);
        let numbers = BySide::from_fn(|side| {
            let texts: Vec<String> = self.rows.iter().map(|row| row.mean[side].plain()).collect();
            font::widest(texts.iter().map(String::as_str), size::SMALL, Weight::Regular)
        });
        let panel = (PAGE_WIDTH - labels.width - numbers.first - numbers.second - 10.0 - 3.0 * 6.0 - 10.0) / 2.0;
        let first = (labels.width + 10.0, labels.width + 10.0 + panel);
        let second = (first.1 + 6.0 + numbers.first + 12.0, first.1 + 6.0 + numbers.first + 12.0 + panel);
        let ends = BySide::new(first, second);
        let axes = BySide::from_fn(|side| {
            let values = self.rows.iter().flat_map(|row| row.shares[side].iter().map(|&(value, _)| f64::from(value)));
            let (low, high) = values.fold((0.0_f64, 1.0_f64), |(low, high), value| (low.min(value), high.max(value)));
            Axis::new((low - 0.5, high + 0.5), ends[side])
        });

        let mut lines = 1;
        for side in Side::BOTH {
            let words = capitalised(&self.sides[side]);
            let room = panel + 6.0 + numbers[side];
            let wrapped = font::wrap(&words, size::LABEL, Weight::Bold, room, 2);
            sheet.write_lines(&wrapped, &Text::new("", (ends[side].0, 8.0), size::LABEL, BLACK).bold());
            lines = lines.max(wrapped.len());
        }
        sheet.height = 3.0 + lines as f64 * crate::sheet::leading(size::LABEL);
        let top = sheet.height;
        let rules = sheet.marks.len();

        // Forty rows and more share the page; a few get more room.
        let ridge = (560.0 / self.rows.len() as f64).clamp(14.0, 30.0);
        for (nth, row) in self.rows.iter().enumerate() {
            let height = labels.height(nth, ridge);
            let floor = sheet.height + height;
            labels.write(&mut sheet, nth, labels.width, floor - height / 2.0);
            for side in Side::BOTH {
                let ink = if side == Side::First { BLUE } else { ORANGE };
                draw_ridge(&mut sheet, &row.shares[side], &axes[side], (floor, ridge - 3.0), ink);
                draw_mean(&mut sheet, &row.mean[side], &axes[side], floor);
                let at = (ends[side].1 + 6.0, centred(floor - height / 2.0, 1, size::SMALL));
                sheet.write(Text::new(row.mean[side].plain(), at, size::SMALL, BLACK));
            }
            sheet.height = floor + 2.0;
        }
        let bottom = sheet.height;
        for side in Side::BOTH {
            for tick in axes[side].ticks((panel / 28.0) as usize).into_iter().filter(|tick| tick.fract() == 0.0) {
                let x = axes[side].at(tick);
                let rule =
                    Mark::Line { through: vec![(x, top), (x, bottom)], width: 0.4, ink: RULE, dash: Dash::Solid };
                sheet.marks.insert(rules, rule);
                sheet.write(Text::new(number(tick), (x, bottom + 9.0), size::SMALL, SLATE).anchored(Anchor::Middle));
            }
        }
        sheet.height = bottom + 12.0;
        sheet
    }

    fn data(self) -> ChartData {
        ChartData::Casualties(self)
    }
}

/// A distribution as a stepped outline on `floor`, its greatest share `tall`.
fn draw_ridge(sheet: &mut Sheet, shares: &[(i32, f64)], axis: &Axis, (floor, tall): (f64, f64), ink: Ink) {
    let most = shares.iter().map(|&(_, share)| share).fold(0.0, f64::max);
    let Some((&(low, _), &(high, _))) = shares.first().zip(shares.last()) else { return };
    if most <= 0.0 {
        return;
    }
    let mut outline = vec![(axis.at(f64::from(low) - 0.5), floor)];
    for value in low..=high {
        let share = shares.binary_search_by_key(&value, |&(value, _)| value).map_or(0.0, |at| shares[at].1);
        let y = floor - share / most * tall;
        outline.push((axis.at(f64::from(value) - 0.5), y));
        outline.push((axis.at(f64::from(value) + 0.5), y));
    }
    outline.push((axis.at(f64::from(high) + 0.5), floor));
    sheet.marks.push(Mark::Area { outline: outline.clone(), ink: ink.tint(0.45) });
    sheet.path(outline, 0.6, ink, Dash::Solid);
}

fn draw_mean(sheet: &mut Sheet, mean: &Estimate, axis: &Axis, floor: f64) {
    let y = floor - 2.6;
    if !mean.is_computed() {
        sheet.line((axis.at(mean.low), y), (axis.at(mean.high), y), 1.2, BLACK);
    }
    sheet.dot((axis.at(mean.point), y), 1.8, Form::Disc, BLACK, true);
}
