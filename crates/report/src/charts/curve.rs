//! One side's wins over a varied number, with a band for the interval.

use grognard_lab::results::Varied;
use grognard_stats::Estimate;

use super::Drawing;
use crate::axis::{Axis, number, rounded};
use crate::look::{RULE, SERIES, SOFT, size};
use crate::panel::{self, EndLabels};
use crate::reading::Reading;
use crate::sheet::{Anchor, Mark, Sheet, Text};
use crate::text::capitalised;

/// The stem of its file names.
pub(super) const NAME: &str = "response";

/// One side's wins over a varied number.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The finding.
    pub finding: String,
    /// The side whose wins are shown.
    pub side: String,
    /// What varies.
    pub path: String,
    /// A line for each combination of the other values, in panels of a few each.
    pub panels: Vec<Vec<CurveLine>>,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLine {
    /// The other settings; empty if nothing else varies.
    pub name: String,
    /// Its points, by rising value.
    pub points: Vec<CurvePoint>,
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// The cell.
    pub cell: u32,
    /// The varied number.
    pub value: f64,
    /// How often the side won.
    pub wins: Estimate,
}

const TALL: f64 = 190.0;
const PANELS: usize = 6;

impl Curve {
    /// The chart's data; none unless some path takes three numbers or more.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let manifest = &reading.results.manifest;
        let numeric =
            |varied: &&Varied| varied.values.len() >= 3 && varied.values.iter().all(|value| value.number.is_some());
        let varied = manifest.vary.iter().filter(numeric).max_by_key(|varied| varied.values.len())?;
        let mut lines: Vec<(Vec<_>, CurveLine)> = Vec::new();
        for cell in reading.cells() {
            let Some(value) = cell.vary.iter().find(|set| set.path == varied.path).and_then(|set| set.value.number)
            else {
                continue;
            };
            let Some(wins) = reading.wins(cell, reading.subject) else { continue };
            let others: Vec<_> = cell.vary.iter().filter(|set| set.path != varied.path).collect();
            let point = CurvePoint { cell: cell.cell, value, wins };
            match lines.iter_mut().find(|(settings, _)| *settings == others) {
                Some((_, line)) => line.points.push(point),
                None => {
                    let name = reading.names.settings(others.iter().copied());
                    lines.push((others, CurveLine { name, points: vec![point] }));
                }
            }
        }
        let mut lines: Vec<CurveLine> =
            lines.into_iter().map(|(_, line)| line).filter(|line| line.points.len() >= 3).collect();
        if lines.is_empty() || lines.len() > PANELS * SERIES.len() {
            return None;
        }
        for line in &mut lines {
            line.points.sort_by(|left, right| left.value.total_cmp(&right.value));
        }
        let side = reading.sides()[reading.subject].clone();
        let path = reading.names.path(&varied.path);
        let finding = finding(&side, &path, &lines)?;
        Some(Self { finding, side, path, panels: lines.chunks(SERIES.len()).map(<[CurveLine]>::to_vec).collect() })
    }
}

/// What happens from the least value to the greatest on the line where most does.
fn finding(side: &str, path: &str, lines: &[CurveLine]) -> Option<String> {
    let ends = |line: &CurveLine| Some((line.points.first()?.clone(), line.points.last()?.clone()));
    let moved = |line: &&CurveLine| ends(line).map_or(0.0, |(first, last)| (last.wins.point - first.wins.point).abs());
    let line = lines.iter().max_by(|one, other| moved(one).total_cmp(&moved(other)))?;
    let (first, last) = ends(line)?;
    let within = if line.name.is_empty() { String::new() } else { format!(" ({})", line.name) };
    let way = if last.wins.point < first.wins.point { "fall" } else { "rise" };
    Some(format!(
        "{}'s wins {way} from {} to {} as {path} goes from {} to {}{within}",
        capitalised(side),
        first.wins.percent_point(),
        last.wins.percent_point(),
        number(first.value),
        number(last.value)
    ))
}

impl Drawing for Curve {
    fn name(&self) -> &'static str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        format!(
            "Share of battles won by {}, per cent, over {}; the band is the interval of each point.",
            self.side, self.path
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let all = || self.panels.iter().flatten().flat_map(|line| &line.points);
        let low = all().map(|point| 100.0 * point.wins.low).fold(100.0, f64::min);
        let high = all().map(|point| 100.0 * point.wins.high).fold(0.0, f64::max);
        let values =
            all().fold((f64::MAX, f64::MIN), |(low, high), point| (low.min(point.value), high.max(point.value)));
        let (low, high) = rounded(low, high, 5);
        let shares = (low.max(0.0), high.min(100.0));
        for lines in &self.panels {
            draw_panel(&mut sheet, lines, values, shares);
        }
        let words = capitalised(&self.path);
        sheet.write(Text::new(words, (26.0, sheet.height), size::SMALL, SOFT));
        sheet.height += 2.0;
        sheet
    }
}

fn draw_panel(sheet: &mut Sheet, lines: &[CurveLine], values: (f64, f64), shares: (f64, f64)) {
    let (top, bottom) = (sheet.height + 4.0, sheet.height + TALL);
    let names = lines.iter().map(|line| {
        let last = line.points.last().map_or_else(String::new, |point| point.wins.percent_point());
        format!("{last} {}", line.name).trim().to_owned()
    });
    let labels = EndLabels::new(names, 0.35 * sheet.width);
    let (left, right) = (30.0, sheet.width - labels.width - 14.0);
    let (across, up) = (Axis::new(values, (left + 6.0, right - 4.0)), Axis::new(shares, (bottom, top)));
    for tick in up.ticks(5) {
        let y = up.at(tick);
        sheet.line((left, y), (right, y), 0.4, RULE);
        let text = Text::new(format!("{} %", number(tick)), (left - 4.0, y + 2.3), size::SMALL, SOFT);
        sheet.write(text.anchored(Anchor::End));
    }
    for tick in across.ticks(((right - left) / 45.0) as usize) {
        let x = across.at(tick);
        sheet.line((x, bottom), (x, bottom + 2.5), 0.5, SOFT);
        sheet.write(Text::new(number(tick), (x, bottom + 10.0), size::SMALL, SOFT).anchored(Anchor::Middle));
    }
    let at = |value: f64, share: f64| (across.at(value), up.at(100.0 * share));
    for (line, style) in lines.iter().zip(SERIES) {
        let edge =
            |share: fn(&Estimate) -> f64| line.points.iter().map(move |point| at(point.value, share(&point.wins)));
        let outline = edge(|wins| wins.high).chain(edge(|wins| wins.low).rev()).collect();
        sheet.marks.push(Mark::Area { outline, ink: style.ink.faint(0.22) });
    }
    let mut ends = Vec::new();
    for (line, style) in lines.iter().zip(SERIES) {
        let through: Vec<_> = line.points.iter().map(|point| at(point.value, point.wins.point)).collect();
        for &place in &through {
            sheet.dot(place, 2.0, style.form, style.ink, true);
        }
        if let Some(&end) = through.last() {
            ends.push(end);
        }
        sheet.path(through, 1.2, style.ink, style.dash);
    }
    labels.write(sheet, &ends, (top.min(bottom - ends.len() as f64 * panel::LABEL_STEP), bottom));
    sheet.height = bottom + 20.0;
}
