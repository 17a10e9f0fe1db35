//! A metric over a varied number, with a band for the interval. Each setting has a line, and each combination of the
//! other varied values has a panel.

use grognard_lab::results::{CellHeader, Setting, Varied};
use grognard_stats::Estimate;

use super::Drawing;
use crate::axis::{Axis, number, rounded};
use crate::font::{self, Weight};
use crate::look::{EVEN, RULE, SERIES, SOFT, TEXT, narrow, size};
use crate::panel::{self, EndLabels};
use crate::reading::Reading;
use crate::sheet::{Anchor, Mark, Sheet, Text, leading};
use crate::text::{InPrint, capitalised, without_common_words};

/// The stem of its file names.
pub(super) const NAME: &str = "response";

/// A metric over a varied number.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The finding.
    pub finding: String,
    /// The first words of the caption: `Share of battles won by attacker, per cent`.
    pub what: String,
    /// Whether it is a share of battles, drawn in per cent.
    pub share: bool,
    /// The value of the dashed line, in the metric's own unit (a share from 0 to 1); `None` if there is no line.
    pub target: Option<f64>,
    /// The name of the varied path.
    pub path: String,
    /// The path that distinguishes the lines of a panel; empty if each panel has one line.
    pub lines: String,
    /// The panels.
    pub panels: Vec<CurvePanel>,
}

/// A panel.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePanel {
    /// The settings that its lines share; empty if there is only one.
    pub title: String,
    /// Its position among the panels with that title, from 0, and their number: a panel has a limited number of
    /// lines.
    pub part: (usize, usize),
    /// Its lines.
    pub lines: Vec<CurveLine>,
}

impl CurvePanel {
    /// The heading above it.
    fn heading(&self) -> String {
        match (self.part, self.title.as_str()) {
            ((_, 1), title) => title.to_owned(),
            ((nth, of), "") => format!("{} of {of}", nth + 1),
            ((nth, of), title) => format!("{title}, {} of {of}", nth + 1),
        }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveLine {
    /// Its distinguishing values in its panel; empty if nothing else varies.
    pub name: String,
    /// Its points, in ascending order of value.
    pub points: Vec<CurvePoint>,
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// The cell.
    pub cell: u32,
    /// The varied number.
    pub value: f64,
    /// The metric.
    pub metric: Estimate,
}

/// The maximum number of lines in a panel.
pub const SERIES_MAX: usize = SERIES.len();
/// The maximum number of panels in a chart.
const PANELS: usize = 12;
/// White between panels.
const GAP: f64 = 14.0;
/// Values that get a tick each where there is room.
const TICKS: usize = 16;
/// The definition of a jump between two neighbours: its minimum share of the line's whole change, the maximum share of
/// any other step, and its minimum size.
const JUMP: (f64, f64, f64) = (0.6, 0.1, 0.2);

/// Lines, each with its settings.
type Lines<'a> = Vec<(Vec<&'a Setting>, CurveLine)>;

impl Curve {
    /// The chart's data; `None` unless some path has three numbers or more.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let manifest = &reading.results.manifest;
        // Directions are not ordered by size.
        let numeric = |varied: &&Varied| {
            let numbers = varied.values.iter().all(|value| value.number.is_some());
            numbers && varied.values.len() >= 3 && varied.path.split('.').next_back() != Some("facing")
        };
        let varied = manifest
            .vary
            .iter()
            .filter(numeric)
            .filter(|_| !reading.is_still())
            .max_by_key(|varied| varied.values.len())?;
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
                let chunks = lines.chunks(SERIES_MAX);
                let of = chunks.len();
                let panel = move |(nth, lines): (usize, &[CurveLine])| CurvePanel {
                    title: title.clone(),
                    part: (nth, of),
                    lines: lines.to_vec(),
                };
                chunks.enumerate().map(panel).collect::<Vec<_>>()
            })
            .collect();
        if panels.is_empty() || panels.len() > PANELS {
            return None;
        }
        let side = reading.sides()[reading.victor].clone();
        let path = reading.names.axis(&varied.path);
        let words = PathWords {
            name: reading.names.path(&varied.path),
            number: &|value| reading.names.number(&varied.path, &number(value)),
        };
        let finding = finding(&side, &words, &panels, reading.headline.cell.map(|cell| cell.cell))?;
        let several = panels.iter().any(|panel| panel.lines.len() > 1);
        let lines = beside.filter(|_| several).map_or_else(String::new, |beside| reading.names.path(beside));
        let what = format!("Share of battles won by {side}, per cent");
        Some(Self { finding, what, share: true, target: Some(0.5), path, lines, panels })
    }
}

/// The path that distinguishes the lines of a panel, apart from the number's: the one that the study contrasts, or else
/// the first.
fn line_path<'a>(reading: &'a Reading<'_>, varied: &str) -> Option<&'a str> {
    let vary = &reading.results.manifest.vary;
    let contrasted = reading.names.inner.iter().filter_map(|&at| vary.get(at));
    contrasted.chain(vary).map(|other| other.path.as_str()).find(|&path| path != varied)
}

fn point(reading: &Reading<'_>, cell: &CellHeader, path: &str) -> Option<CurvePoint> {
    let value = cell.vary.iter().find(|set| set.path == path)?.value.number?;
    Some(CurvePoint { cell: cell.cell, value, metric: reading.wins(cell, reading.victor)? })
}

/// The line in ascending order of value; `None` if it has fewer than three points.
fn in_order(mut line: CurveLine) -> Option<CurveLine> {
    line.points.sort_by(|left, right| left.value.total_cmp(&right.value));
    (line.points.len() >= 3).then_some(line)
}

/// The name of a varied number.
struct PathWords<'a> {
    name: String,
    /// A value with its unit.
    number: &'a dyn Fn(f64) -> String,
}

/// The finding for the headline's line, or else for the line with the greatest change: a jump between two neighbours, a
/// rise or fall from one end to the other, or its range.
fn finding(side: &str, words: &PathWords<'_>, panels: &[CurvePanel], headline: Option<u32>) -> Option<String> {
    let PathWords { name: path, number: with_unit } = words;
    let lines = panels.iter().flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)));
    let moved = |line: &CurveLine| extremes(line).map_or(0.0, |(low, high)| high.metric.point - low.metric.point);
    let leads = |line: &CurveLine| line.points.iter().any(|point| Some(point.cell) == headline);
    let led = lines.clone().find(|(_, line)| leads(line));
    let (panel, line) = led.or_else(|| lines.max_by(|one, other| moved(one.1).total_cmp(&moved(other.1))))?;
    let settings = [line.name.clone(), panel.title.to_lowercase()];
    let settings: Vec<String> = settings.into_iter().filter(|setting| !setting.is_empty()).collect();
    let within = if settings.is_empty() { String::new() } else { format!(" ({})", settings.join(", ")) };
    let side = capitalised(side);
    let told = |point: &CurvePoint| point.metric.share_told();
    let way = |from: &CurvePoint, to: &CurvePoint| {
        if from.metric.point > to.metric.point { "fall" } else { "rise" }
    };
    if let Some(at) = jump(line) {
        let (from, to) = (&line.points[at], &line.points[at + 1]);
        let between = format!("between {path} {} and {}{within}", number(from.value), with_unit(to.value));
        return Some(format!("{side}’s wins {} from {} to {} {between}", way(from, to), told(from), told(to)));
    }
    let (first, last) = (line.points.first()?, line.points.last()?);
    let (low, high) = extremes(line)?;
    let beyond = |inner: &CurvePoint| [first, last].iter().all(|end| apart(&inner.metric, &end.metric));
    if beyond(low) || beyond(high) {
        let at = |point: &CurvePoint| format!("{} at {path} {}", told(point), with_unit(point.value));
        return Some(format!("{side}’s wins go from {} to {}{within}", at(low), at(high)));
    }
    let over = format!("as {path} goes from {} to {}{within}", number(first.value), with_unit(last.value));
    let (from, to) = (told(first), told(last));
    Some(match from == to {
        true => format!("{side}’s wins stay at {from} {over}"),
        false => format!("{side}’s wins {} from {from} to {to} {over}", way(first, last)),
    })
}

/// The lowest and the highest point of a line.
fn extremes(line: &CurveLine) -> Option<(&CurvePoint, &CurvePoint)> {
    let by_wins = |one: &&CurvePoint, other: &&CurvePoint| one.metric.point.total_cmp(&other.metric.point);
    line.points.iter().min_by(by_wins).zip(line.points.iter().max_by(by_wins))
}

/// Whether two shares differ beyond the margin of error.
fn apart(one: &Estimate, other: &Estimate) -> bool {
    one.low > other.high || other.low > one.high
}

/// The position after which a line of four points or more makes nearly all of its change, from one value to the
/// next. The values in between were not fought, so it is not a slope.
fn jump(line: &CurveLine) -> Option<usize> {
    let (low, high) = extremes(line)?;
    let all = high.metric.point - low.metric.point;
    let step = |pair: &[CurvePoint]| (pair[1].metric.point - pair[0].metric.point).abs();
    let mut steps: Vec<(usize, f64)> = line.points.windows(2).map(step).enumerate().collect();
    steps.sort_by(|one, other| other.1.total_cmp(&one.1));
    let [(at, most), (_, next), _, ..] = steps[..] else { return None };
    let surely = apart(&line.points[at].metric, &line.points[at + 1].metric);
    (most >= JUMP.2 && most >= JUMP.0 * all && next <= JUMP.1 * all && surely).then_some(at)
}

/// The values and shares that the axes of all panels span.
#[derive(Clone, Copy)]
struct Spans {
    values: (f64, f64),
    shares: (f64, f64),
}

impl Drawing for Curve {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let points = || self.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
        let errors = match points().all(|point| point.metric.is_computed()) {
            true => "exact",
            false => "the band is the interval of each point",
        };
        let lines =
            if self.lines.is_empty() { String::new() } else { format!(", a line for each value of {}", self.lines) };
        let broken = match self.panels.iter().flat_map(|panel| &panel.lines).any(|line| jump(line).is_some()) {
            true => " A line is broken where it jumps between two values.",
            false => "",
        };
        let target = self.shown_target().map_or_else(String::new, |target| format!(" Dashed: {}.", self.tick(target)));
        let comma = if self.what.contains(", ") { "," } else { "" };
        format!("{}{comma} over {}{lines}; {errors}.{target}{broken}", self.what, self.path)
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let spans = self.spans();
        let beside = if self.panels.len() == 1 || narrow(width) { 1 } else { 2 };
        let wide = (width - GAP * (beside - 1) as f64) / beside as f64;
        let tall = if self.panels.len() > 2 { 120.0 } else { 190.0 };
        for row in self.panels.chunks(beside) {
            sheet.may_cut(None);
            let titles: Vec<_> =
                row.iter().map(|panel| font::wrap(&panel.heading(), size::LABEL, Weight::Bold, wide, 2)).collect();
            let titled = row.iter().any(|panel| !panel.heading().is_empty());
            let head = if titled { titles.iter().map(Vec::len).max().unwrap_or(0) } else { 0 };
            let top = sheet.height + head as f64 * leading(size::LABEL) + 4.0;
            for (nth, (panel, title)) in row.iter().zip(titles).enumerate() {
                let left = nth as f64 * (wide + GAP);
                let like = Text::new("", (left, sheet.height + 8.0), size::LABEL, TEXT).bold();
                sheet.write_lines(&title, &like);
                self.draw_panel(&mut sheet, &panel.lines, (left, left + wide), (top, top + tall), spans);
            }
            sheet.height = top + tall + 20.0;
        }
        sheet.may_cut(None);
        sheet.write(Text::new(capitalised(&self.path), (26.0, sheet.height), size::SMALL, SOFT));
        sheet.height += 2.0;
        sheet
    }
}

impl Curve {
    /// How many cells have a point.
    pub(crate) fn cells(&self) -> usize {
        self.panels.iter().flat_map(|panel| &panel.lines).map(|line| line.points.len()).sum()
    }

    fn spans(&self) -> Spans {
        let all = || self.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
        let by = self.scale();
        let low = all().map(|point| by * point.metric.low).fold(f64::MAX, f64::min);
        let high = all().map(|point| by * point.metric.high).fold(f64::MIN, f64::max);
        let values =
            all().fold((f64::MAX, f64::MIN), |(low, high), point| (low.min(point.value), high.max(point.value)));
        let (low, high) = rounded(low, high, 5);
        Spans { values, shares: (low.max(0.0), if self.share { high.min(100.0) } else { high }) }
    }

    /// The target as drawn, if the axis reaches it.
    fn shown_target(&self) -> Option<f64> {
        let (low, high) = self.spans().shares;
        self.target.map(|target| self.scale() * target).filter(|&target| low < target && target < high)
    }

    /// The factor by which the metric is multiplied for drawing.
    fn scale(&self) -> f64 {
        if self.share { 100.0 } else { 1.0 }
    }

    /// The label of a tick on the vertical axis.
    fn tick(&self, value: f64) -> String {
        let unit = if self.share { " %" } else { "" };
        format!("{}{unit}", number(value))
    }

    /// Every value that was fought, in order.
    fn values(&self) -> Vec<f64> {
        let lines = self.panels.iter().flat_map(|panel| &panel.lines);
        let mut values: Vec<f64> = lines.flat_map(|line| &line.points).map(|point| point.value).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }

    /// The values that get a tick: every value that was fought, if there are few and they fit, or else round ones.
    fn ticks(&self, across: &Axis, room: f64) -> Vec<f64> {
        let values = self.values();
        let width = |value: f64| font::width(&number(value), size::SMALL, Weight::Regular) + 4.0;
        let clear = |pair: &[f64]| across.at(pair[1]) - across.at(pair[0]) >= (width(pair[0]) + width(pair[1])) / 2.0;
        if values.len() <= TICKS && values.windows(2).all(clear) {
            return values;
        }
        let round = across.ticks((room / 45.0).max(1.0) as usize);
        let whole = values.iter().all(|value| value.fract() == 0.0);
        round.into_iter().filter(|tick| !whole || tick.fract() == 0.0).collect()
    }

    fn draw_panel(
        &self,
        sheet: &mut Sheet,
        lines: &[CurveLine],
        (left, right): (f64, f64),
        (top, bottom): (f64, f64),
        spans: Spans,
    ) {
        let (_, short) = without_common_words(&lines.iter().map(|line| line.name.clone()).collect::<Vec<_>>());
        let names = lines.iter().zip(short).map(|(line, name)| {
            let shown =
                |point: &CurvePoint| if self.share { point.metric.share_point() } else { point.metric.mean_point() };
            let last = line.points.last().map_or_else(String::new, shown);
            format!("{last} {name}").trim().to_owned()
        });
        let labels = EndLabels::new(names, 0.36 * (right - left));
        let (left, right) = (left + 30.0, right - labels.width - 14.0);
        let (across, up) = (Axis::new(spans.values, (left + 6.0, right - 4.0)), Axis::new(spans.shares, (bottom, top)));
        for tick in up.ticks(5) {
            let y = up.at(tick);
            sheet.line((left, y), (right, y), 0.4, RULE);
            let text = Text::new(self.tick(tick), (left - 4.0, y + 3.0), size::SMALL, SOFT);
            sheet.write(text.anchored(Anchor::End));
        }
        if let Some(target) = self.shown_target() {
            let y = up.at(target);
            sheet.path(vec![(left, y), (right, y)], EVEN.0, SOFT, EVEN.1);
            if up.ticks(5).iter().all(|&tick| (up.at(tick) - y).abs() > size::SMALL) {
                let text = Text::new(self.tick(target), (left - 4.0, y + 3.0), size::SMALL, SOFT);
                sheet.write(text.anchored(Anchor::End));
            }
        }
        for tick in self.ticks(&across, right - left) {
            let x = across.at(tick);
            sheet.line((x, bottom), (x, bottom + 2.5), 0.5, SOFT);
            sheet.write(Text::new(number(tick), (x, bottom + 10.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        }
        let by = self.scale();
        let at = |value: f64, metric: f64| (across.at(value), up.at(by * metric));
        for (line, style) in lines.iter().zip(SERIES) {
            for points in unbroken(line) {
                if let [one] = points {
                    let (low, high) = (at(one.value, one.metric.low), at(one.value, one.metric.high));
                    sheet.line(low, high, 3.0, style.ink.faint(0.22));
                    continue;
                }
                let edge =
                    |share: fn(&Estimate) -> f64| points.iter().map(move |point| at(point.value, share(&point.metric)));
                let outline = edge(|metric| metric.high).chain(edge(|metric| metric.low).rev()).collect();
                sheet.marks.push(Mark::Area { outline, ink: style.ink.faint(0.22) });
            }
        }
        let mut ends = Vec::new();
        for (line, style) in lines.iter().zip(SERIES) {
            for points in unbroken(line) {
                let through: Vec<_> = points.iter().map(|point| at(point.value, point.metric.point)).collect();
                for &place in &through {
                    sheet.dot(place, 2.0, style.form, style.ink, true);
                }
                if through.len() > 1 {
                    sheet.path(through, 1.2, style.ink, style.dash);
                }
            }
            ends.extend(line.points.last().map(|point| at(point.value, point.metric.point)));
        }
        labels.write(sheet, &ends, (top.min(bottom - ends.len() as f64 * panel::LABEL_STEP), bottom));
    }
}

/// The pieces of a line: it is broken where it jumps.
fn unbroken(line: &CurveLine) -> Vec<&[CurvePoint]> {
    match jump(line) {
        Some(at) => vec![&line.points[..=at], &line.points[at + 1..]],
        None => vec![&line.points],
    }
}
