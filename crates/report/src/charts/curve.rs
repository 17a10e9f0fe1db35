//! One side's wins over a varied number, with a band for the interval: a line for each setting, a panel for each of what
//! else varies.

use grognard_lab::results::{CellHeader, Setting, Varied};
use grognard_stats::Estimate;

use super::Drawing;
use crate::axis::{Axis, number, rounded};
use crate::font::{self, Weight};
use crate::look::{RULE, SERIES, SOFT, TEXT, narrow, size};
use crate::panel::{self, EndLabels};
use crate::reading::Reading;
use crate::sheet::{Anchor, Mark, Sheet, Text, leading};
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
    /// The panels.
    pub panels: Vec<CurvePanel>,
}

/// A panel.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePanel {
    /// What its lines share; empty if there is but one.
    pub title: String,
    /// Its lines.
    pub lines: Vec<CurveLine>,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLine {
    /// What sets it apart in its panel; empty if nothing else varies.
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

/// Panels that a chart has at most.
const PANELS: usize = 12;
/// White between panels.
const GAP: f64 = 14.0;

/// Lines, each with the settings that it stands for.
type Lines<'a> = Vec<(Vec<&'a Setting>, CurveLine)>;

impl Curve {
    /// The chart's data; none unless some path takes three numbers or more.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let manifest = &reading.results.manifest;
        let numeric =
            |varied: &&Varied| varied.values.len() >= 3 && varied.values.iter().all(|value| value.number.is_some());
        let varied = manifest.vary.iter().filter(numeric).max_by_key(|varied| varied.values.len())?;
        let beside = line_path(reading, &varied.path);
        let mut panels: Vec<(Vec<&Setting>, Lines<'_>)> = Vec::new();
        for cell in reading.cells() {
            let Some(point) = point(reading, cell, &varied.path) else { continue };
            let others = cell.vary.iter().filter(|set| set.path != varied.path);
            let (own, shared): (Vec<&Setting>, Vec<&Setting>) =
                others.partition(|set| Some(set.path.as_str()) == beside);
            let at = panels.iter().position(|(settings, _)| *settings == shared).unwrap_or_else(|| {
                panels.push((shared, Vec::new()));
                panels.len() - 1
            });
            let lines = &mut panels[at].1;
            match lines.iter_mut().find(|(settings, _)| *settings == own) {
                Some((_, line)) => line.points.push(point),
                None => {
                    let name = reading.names.settings(own.iter().copied());
                    lines.push((own, CurveLine { name, points: vec![point] }));
                }
            }
        }
        let panels: Vec<CurvePanel> = panels
            .into_iter()
            .flat_map(|(settings, lines)| {
                let title = capitalised(&reading.names.settings(settings));
                let lines: Vec<CurveLine> = lines.into_iter().filter_map(|(_, line)| in_order(line)).collect();
                let panel = move |lines: &[CurveLine]| CurvePanel { title: title.clone(), lines: lines.to_vec() };
                lines.chunks(SERIES.len()).map(panel).collect::<Vec<_>>()
            })
            .collect();
        if panels.is_empty() || panels.len() > PANELS {
            return None;
        }
        let side = reading.sides()[reading.subject].clone();
        let path = reading.names.path(&varied.path);
        let finding = finding(&side, &path, &panels)?;
        Some(Self { finding, side, path, panels })
    }
}

/// Of what varies beside the number, what sets lines of one panel apart: what the study contrasts, or else the first.
fn line_path<'a>(reading: &'a Reading<'_>, varied: &str) -> Option<&'a str> {
    let vary = &reading.results.manifest.vary;
    let contrasted = reading.names.inner.iter().filter_map(|&at| vary.get(at));
    contrasted.chain(vary).map(|other| other.path.as_str()).find(|&path| path != varied)
}

fn point(reading: &Reading<'_>, cell: &CellHeader, path: &str) -> Option<CurvePoint> {
    let value = cell.vary.iter().find(|set| set.path == path)?.value.number?;
    Some(CurvePoint { cell: cell.cell, value, wins: reading.wins(cell, reading.subject)? })
}

/// The line by rising value; none if it has fewer than three points.
fn in_order(mut line: CurveLine) -> Option<CurveLine> {
    line.points.sort_by(|left, right| left.value.total_cmp(&right.value));
    (line.points.len() >= 3).then_some(line)
}

/// What happens from the least value to the greatest on the line where most does.
fn finding(side: &str, path: &str, panels: &[CurvePanel]) -> Option<String> {
    let ends = |line: &CurveLine| Some((line.points.first()?.clone(), line.points.last()?.clone()));
    let moved = |line: &CurveLine| ends(line).map_or(0.0, |(first, last)| (last.wins.point - first.wins.point).abs());
    let lines = panels.iter().flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)));
    let (panel, line) = lines.max_by(|one, other| moved(one.1).total_cmp(&moved(other.1)))?;
    let (first, last) = ends(line)?;
    let settings = [line.name.clone(), panel.title.to_lowercase()];
    let settings: Vec<String> = settings.into_iter().filter(|setting| !setting.is_empty()).collect();
    let within = if settings.is_empty() { String::new() } else { format!(" ({})", settings.join(", ")) };
    let (from, to) = (first.wins.percent_told(), last.wins.percent_told());
    let over = format!("as {path} goes from {} to {}{within}", number(first.value), number(last.value));
    let side = capitalised(side);
    Some(match first.wins.point.total_cmp(&last.wins.point) {
        _ if from == to => format!("{side}’s wins stay at {from} {over}"),
        std::cmp::Ordering::Greater => format!("{side}’s wins fall from {from} to {to} {over}"),
        _ => format!("{side}’s wins rise from {from} to {to} {over}"),
    })
}

/// What all panels share: the values and shares that their axes span.
#[derive(Clone, Copy)]
struct Spans {
    values: (f64, f64),
    shares: (f64, f64),
}

impl Drawing for Curve {
    fn name(&self) -> &'static str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let points = || self.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
        let errors = match points().all(|point| point.wins.is_computed()) {
            true => "computed, without error",
            false => "the band is the interval of each point",
        };
        format!("Share of battles won by {}, per cent, over {}; {errors}.", self.side, self.path)
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let spans = self.spans();
        let beside = if self.panels.len() == 1 || narrow(width) { 1 } else { 2 };
        let wide = (width - GAP * (beside - 1) as f64) / beside as f64;
        let tall = if self.panels.len() > 2 { 120.0 } else { 190.0 };
        for row in self.panels.chunks(beside) {
            let titles: Vec<_> =
                row.iter().map(|panel| font::wrap(&panel.title, size::LABEL, Weight::Bold, wide, 2)).collect();
            let titled = row.iter().any(|panel| !panel.title.is_empty());
            let head = if titled { titles.iter().map(Vec::len).max().unwrap_or(0) } else { 0 };
            let top = sheet.height + head as f64 * leading(size::LABEL) + 4.0;
            for (nth, (panel, title)) in row.iter().zip(titles).enumerate() {
                let left = nth as f64 * (wide + GAP);
                let like = Text::new("", (left, sheet.height + 8.0), size::LABEL, TEXT).bold();
                sheet.write_lines(&title, &like);
                draw_panel(&mut sheet, &panel.lines, (left, left + wide), (top, top + tall), spans);
            }
            sheet.height = top + tall + 20.0;
        }
        sheet.write(Text::new(capitalised(&self.path), (26.0, sheet.height), size::SMALL, SOFT));
        sheet.height += 2.0;
        sheet
    }
}

impl Curve {
    fn spans(&self) -> Spans {
        let all = || self.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
        let low = all().map(|point| 100.0 * point.wins.low).fold(100.0, f64::min);
        let high = all().map(|point| 100.0 * point.wins.high).fold(0.0, f64::max);
        let values =
            all().fold((f64::MAX, f64::MIN), |(low, high), point| (low.min(point.value), high.max(point.value)));
        let (low, high) = rounded(low, high, 5);
        Spans { values, shares: (low.max(0.0), high.min(100.0)) }
    }
}

fn draw_panel(
    sheet: &mut Sheet,
    lines: &[CurveLine],
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
    spans: Spans,
) {
    let names = lines.iter().map(|line| {
        let last = line.points.last().map_or_else(String::new, |point| point.wins.percent_point());
        format!("{last} {}", line.name).trim().to_owned()
    });
    let labels = EndLabels::new(names, 0.36 * (right - left));
    let (left, right) = (left + 30.0, right - labels.width - 14.0);
    let (across, up) = (Axis::new(spans.values, (left + 6.0, right - 4.0)), Axis::new(spans.shares, (bottom, top)));
    for tick in up.ticks(5) {
        let y = up.at(tick);
        sheet.line((left, y), (right, y), 0.4, RULE);
        let text = Text::new(format!("{} %", number(tick)), (left - 4.0, y + 2.3), size::SMALL, SOFT);
        sheet.write(text.anchored(Anchor::End));
    }
    for tick in across.ticks(((right - left) / 45.0).max(1.0) as usize) {
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
        ends.extend(through.last().copied());
        sheet.path(through, 1.2, style.ink, style.dash);
    }
    labels.write(sheet, &ends, (top.min(bottom - ends.len() as f64 * panel::LABEL_STEP), bottom));
}
