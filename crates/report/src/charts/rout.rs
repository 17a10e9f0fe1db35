//! When sides broke: the share of battles in which at least one unit had broken, by turn.

use grognard_lab::Side;
use grognard_lab::results::CellHeader;
use grognard_stats::Estimate;

use super::Drawing;
use crate::axis::{Axis, number};
use crate::font::{self, Weight};
use crate::look::{RULE, SERIES, SOFT, TEXT, narrow, size};
use crate::panel;
use crate::reading::Reading;
use crate::sentence;
use crate::sheet::{Anchor, Sheet, Text, leading};
use crate::table::Table;
use crate::text::{InPrint, capitalised, listed, without_common_words};

/// The stem of its file names.
pub(super) const NAME: &str = "turn-of-rout";

/// The share of battles in which some unit of the side had broken, by turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Rout {
    /// The finding.
    pub finding: String,
    /// Whether units are only ever lost, and never broken.
    pub lost_only: bool,
    /// Maximum number of turns fought.
    pub turns: u16,
    /// Two panels for each set of cells: the first side's and the second side's.
    pub panels: Vec<[RoutPanel; 2]>,
    /// The number of cells in the results; the chart shows those in which most breaks.
    pub cells: usize,
}

/// A panel.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutPanel {
    /// The parameters that its cells share, and the side.
    pub title: String,
    /// A line per cell.
    pub lines: Vec<RoutLine>,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutLine {
    /// The cell.
    pub cell: u32,
    /// Its name within the group.
    pub name: String,
    /// The share that had broken by the end of turn 0, 1, 2 …
    pub broken: Vec<Estimate>,
}

impl RoutPanel {
    /// The words that all its lines begin with, and the names without them.
    fn short_names(&self) -> (String, Vec<String>) {
        without_common_words(&self.lines.iter().map(|line| line.name.clone()).collect::<Vec<_>>())
    }
}

/// The maximum number of pairs of panels in the chart's table.
const PANELS_MAX: usize = 12;

/// The maximum number of pairs of panels that are drawn: stacked in a column, they fit on a page.
const DRAWN_MAX: usize = 3;

/// The words for what happens to a side and its units: the pack may break units, or only lose them.
struct Words {
    /// In findings.
    side: &'static str,
    /// In the caption.
    unit: &'static str,
    /// Its noun.
    events: &'static str,
}

impl Words {
    fn of(lost_only: bool, alone: bool) -> Self {
        match (lost_only, alone) {
            (false, _) => Self { side: "breaks", unit: "had broken", events: "breaks" },
            (true, true) => Self { side: "is lost", unit: "was lost", events: "losses" },
            (true, false) => Self { side: "loses a unit", unit: "was lost", events: "losses" },
        }
    }
}

/// The metric: turn of the first rout, 0 for none.
const METRIC: &str = "rout_turn";

impl Rout {
    /// The chart's data; `None` if there are no counts, if no unit ever broke, or if battles have only one turn.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        if reading.is_of_many() {
            return None;
        }
        let manifest = &reading.results.manifest;
        let at = manifest.metrics.iter().position(|metric| metric.key == METRIC)?;
        let cells = reading.cells();
        let last = |cell: &CellHeader| reading.longest(cell);
        let turns = u16::try_from(cells.iter().filter_map(last).max()?).ok().filter(|&turns| turns > 1)?;
        let line = |(cell, name): &(&CellHeader, String), side: Side| {
            let spread = reading.spread(cell, side, at)?;
            let broken = (0..=i32::from(turns)).map(|turn| spread.share_of(1..=turn)).collect();
            Some(RoutLine { cell: cell.cell, name: name.clone(), broken })
        };
        let sides = reading.sides();
        let mut panels: Vec<[RoutPanel; 2]> = Vec::new();
        for group in reading.names.groups(cells) {
            for chunk in group.cells.chunks(SERIES.len()) {
                panels.push(Side::BOTH.map(|side| RoutPanel {
                    title: match group.title.as_str() {
                        "" => capitalised(&sides[side]),
                        title => format!("{title}: {}", sides[side]),
                    },
                    lines: chunk.iter().filter_map(|cell| line(cell, side)).collect(),
                }));
            }
        }
        let panels: Vec<[RoutPanel; 2]> = fullest(&panels, PANELS_MAX).into_iter().cloned().collect();
        let shown: Vec<&CellHeader> = fullest(&panels, DRAWN_MAX)
            .into_iter()
            .flat_map(|[first, _]| &first.lines)
            .filter_map(|line| cells.iter().find(|cell| cell.cell == line.cell))
            .collect();
        let finding = finding(reading, at, &shown)?;
        Some(Self { finding, lost_only: manifest.lost_only, turns, panels, cells: cells.len() })
    }
}

/// The pairs of panels in which anything breaks; if there are more than `most`, those with the most breaks, in their
/// original order.
fn fullest(panels: &[[RoutPanel; 2]], most: usize) -> Vec<&[RoutPanel; 2]> {
    let broken = |pair: &[RoutPanel; 2]| {
        let ends = pair.iter().flat_map(|panel| &panel.lines).filter_map(|line| line.broken.last());
        ends.map(|broken| broken.point).fold(0.0, f64::max)
    };
    let mut panels: Vec<(usize, &[RoutPanel; 2])> = panels.iter().enumerate().collect();
    panels.retain(|(_, pair)| broken(pair) > 0.0);
    panels.sort_by(|(_, one), (_, other)| broken(other).total_cmp(&broken(one)));
    panels.truncate(most);
    panels.sort_by_key(|(nth, _)| *nth);
    panels.into_iter().map(|(_, pair)| pair).collect()
}

/// The share of battles in which the subject had broken by the end, contrasted where it differs most among the cells
/// that are shown.
fn finding(reading: &Reading<'_>, at: usize, shown: &[&CellHeader]) -> Option<String> {
    let side = reading.subject;
    let broken = |cell: &CellHeader| Some(reading.spread(cell, side, at)?.share_of(1..=i32::MAX));
    let name = capitalised(&reading.sides()[side]);
    let manifest = &reading.results.manifest;
    let alone = manifest.cells.iter().all(|cell| cell.units.get(side.index()) == Some(&1));
    let breaks = Words::of(manifest.lost_only, alone).side;
    let mut comparisons = reading.comparisons(Some(side), "routed");
    let is_shown = |cell: &CellHeader| shown.iter().any(|shown| shown.cell == cell.cell);
    comparisons.retain(|comparison| is_shown(comparison.cell) && is_shown(comparison.baseline));
    if let Some(comparison) = reading.headlined(&comparisons) {
        let own = format!("{} of battles", broken(comparison.cell)?.share_told());
        let theirs = format!("in {}", broken(comparison.baseline)?.share_told());
        let told = sentence::contrast(&reading.names, comparison.cells(), Some(side), [&own, &theirs]);
        return Some(format!("{name} {breaks} in {told}{}", sentence::unsure(&comparison.difference)));
    }
    let shares = shown.iter().filter_map(|&cell| Some((broken(cell)?, cell)));
    let most = shares.max_by(|left, right| left.0.point.total_cmp(&right.0.point))?;
    let several = reading.cells().len() > 1;
    let with = if several { format!(" {}", reading.names.place(most.1, Some(side))) } else { String::new() };
    Some(format!("{name} {breaks} in {} of battles{with}", most.0.share_told()))
}

impl Drawing for Rout {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let drawn = fullest(&self.panels, DRAWN_MAX);
        let shown: usize = drawn.iter().map(|[panel, _]| panel.lines.len()).sum();
        let Words { unit, events, .. } = Words::of(self.lost_only, false);
        let some = if shown < self.cells {
            format!(" {shown} of {} cells are shown, those with the most {events}.", self.cells)
        } else {
            String::new()
        };
        let mut names = drawn.iter().copied().flatten().map(RoutPanel::short_names);
        let named = names.find(|(common, _)| !common.is_empty());
        let by = named.map_or_else(String::new, |(common, short)| format!(" Lines: {common} {}.", listed(&short)));
        format!(
            "Share of battles in which at least one unit of the side {unit}, by the end of each game turn.{by}{some}"
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let drawn = fullest(&self.panels, DRAWN_MAX);
        let lines = drawn.iter().copied().flatten().map(|panel| panel.lines.len()).max().unwrap_or(1);
        // The two sides side by side or, in a narrow chart, one below the other.
        let beside = if narrow(width) { 1 } else { 2 };
        let spacious = (560.0 / (2 * drawn.len() / beside) as f64 - 35.0).clamp(58.0, 120.0);
        let tall = spacious.max(lines as f64 * panel::LABEL_STEP + 12.0);
        let width = (width - 14.0 * (beside - 1) as f64) / beside as f64;
        for row in drawn.iter().flat_map(|pair| pair.chunks(beside)) {
            sheet.may_cut(None);
            let titles: Vec<_> =
                row.iter().map(|panel| font::wrap(&panel.title, size::LABEL, Weight::Bold, width, 3)).collect();
            let head = titles.iter().map(Vec::len).max().unwrap_or(1) as f64 * leading(size::LABEL) + 2.0;
            for (nth, (panel, title)) in row.iter().zip(titles).enumerate() {
                let left = nth as f64 * (width + 14.0);
                let like = Text::new("", (left, sheet.height + 8.0), size::LABEL, TEXT).bold();
                sheet.write_lines(&title, &like);
                let top = sheet.height + head;
                self.draw_panel(&mut sheet, panel, (left, left + width), (top, top + tall));
            }
            sheet.height += head + tall + 21.0;
        }
        sheet.height -= 5.0;
        sheet.may_cut(None);
        sheet
    }

    fn table(&self) -> Option<Table> {
        let mut head = vec!["Cell".to_owned(), "Cells and side".to_owned(), "Name".to_owned()];
        head.extend((1..=self.turns).map(|turn| format!("Turn {turn}")));
        let row = |(panel, line): (&RoutPanel, &RoutLine)| {
            let mut row = vec![line.cell.to_string(), panel.title.clone(), line.name.clone()];
            row.extend(line.broken.iter().skip(1).map(InPrint::share_point));
            row
        };
        let panels = self.panels.iter().flatten();
        let lines = panels.flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)));
        let unit = Words::of(self.lost_only, false).unit;
        let caption =
            format!("Share of battles in which at least one unit of the side {unit}, by the end of each turn");
        Some(Table { caption, head, rows: lines.map(row).collect() })
    }
}

impl Rout {
    fn draw_panel(&self, sheet: &mut Sheet, panel: &RoutPanel, (left, right): (f64, f64), (top, bottom): (f64, f64)) {
        let (_, short) = panel.short_names();
        let names = panel.lines.iter().zip(short).map(|(line, name)| {
            let share = line.broken.last().map_or_else(String::new, InPrint::share_point);
            format!("{share} {name}")
        });
        let labels = panel::EndLabels::new(names, 0.48 * (right - left));
        let left = left + 29.0;
        let across = Axis::new((0.0, f64::from(self.turns)), (left, right - labels.width - 12.0));
        let up = Axis::new((0.0, 1.0), (bottom, top + 4.0));
        for part in [0.0, 0.5, 1.0] {
            let y = up.at(part);
            sheet.line((left, y), (across.at(f64::from(self.turns)), y), 0.4, RULE);
            let text = Text::new(format!("{} %", number(100.0 * part)), (left - 3.0, y + 3.0), size::SMALL, SOFT);
            sheet.write(text.anchored(Anchor::End));
        }
        let turn = Text::new("turn", (left - 4.0, bottom + 12.0), size::SMALL, SOFT);
        sheet.write(turn.anchored(Anchor::End));
        for tick in across.ticks(8).into_iter().filter(|tick| tick.fract() == 0.0) {
            let x = across.at(tick);
            sheet.line((x, bottom), (x, bottom + 2.0), 0.5, SOFT);
            sheet.write(Text::new(number(tick), (x, bottom + 12.0), size::SMALL, SOFT).anchored(Anchor::Middle));
        }
        let mut ends = Vec::new();
        for (line, style) in panel.lines.iter().zip(SERIES) {
            let mut steps = Vec::new();
            let mut y = up.at(0.0);
            for (turn, broken) in line.broken.iter().enumerate() {
                let x = across.at(turn as f64);
                steps.push((x, y));
                y = up.at(broken.point);
                steps.push((x, y));
            }
            let end = (across.at(f64::from(self.turns)), y);
            sheet.path(steps, 1.1, style.ink, style.dash);
            sheet.dot(end, 1.9, style.form, style.ink, true);
            ends.push(end);
        }
        labels.write(sheet, &ends, (top, bottom));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::{Chart, ChartData};
    use crate::look::Size;

    #[test]
    fn the_longest_chart_fits_a_page_and_its_table_has_what_is_not_drawn() {
        let line = |cell: usize| RoutLine {
            cell: cell as u32,
            name: format!("heavy cavalry against formation {cell}"),
            broken: vec![Estimate::computed(0.5); 9],
        };
        let panel = |pair: usize, side: &str| RoutPanel {
            title: format!("Charge, figures {pair}, from the front, at full strength: {side}"),
            lines: (0..SERIES.len()).map(|nth| line(SERIES.len() * pair + nth)).collect(),
        };
        let panels: Vec<_> =
            (0..PANELS_MAX).map(|pair| ["attacker", "defender"].map(|side| panel(pair, side))).collect();
        let cells = PANELS_MAX * SERIES.len();
        let data = Rout {
            finding: "The line breaks in 50 % of battles".to_owned(),
            lost_only: false,
            turns: 8,
            panels,
            cells,
        };
        assert!(data.about().contains("18 of 72 cells are shown"), "{}", data.about());
        assert_eq!(data.table().map(|table| table.rows.len()), Some(2 * cells));
        let chart =
            Chart { data: ChartData::Rout(data), caption: "1000 battles a cell, seed 1".to_owned(), exchanged: false };
        for size in Size::ALL {
            let height = chart.sheet(size).height;
            assert!(height < 800.0, "{}: {height}", size.name());
        }
    }
}
