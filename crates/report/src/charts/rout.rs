//! When sides broke: the share of battles in which at least one unit had broken, by turn.

use grognard_lab::Side;
use grognard_lab::results::CellHeader;
use grognard_stats::Estimate;

use super::Drawing;
use crate::axis::{Axis, number};
use crate::font::{self, Weight};
use crate::look::{RULE, SERIES, SOFT, SeriesStyle, TEXT, narrow, size};
use crate::panel;
use crate::reading::Reading;
use crate::sentence;
use crate::sheet::{Anchor, Sheet, Text, leading};
use crate::table::Table;
use crate::text::{InPrint, capitalised, listed, without_common_clauses, without_common_words};

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
    /// The number of cells in the results; the chart shows those with the most breaks.
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
    /// Its name, without what the title says.
    pub name: String,
    /// The share that had broken by the end of turn 0, 1, 2 …
    pub broken: Vec<Estimate>,
}

impl RoutPanel {
    /// The words that all its lines begin with, and the names without them.
    fn short_names(&self) -> (String, Vec<String>) {
        without_common_words(&self.lines.iter().map(|line| line.name.clone()).collect::<Vec<_>>())
    }

    /// The labels at the ends of its lines: their last shares and, unless a key lists them, their names.
    fn labels(&self, keyed: bool) -> Vec<String> {
        let share = |line: &RoutLine| line.broken.last().map_or_else(String::new, InPrint::share_point);
        let (_, names) = self.short_names();
        let label = |(line, name): (&RoutLine, String)| match keyed {
            true => share(line),
            false => format!("{} {name}", share(line)),
        };
        self.lines.iter().zip(names).map(label).collect()
    }
}

/// A panel's title: what all its cells share, and the side.
fn title(shared: &[&str], side: &str) -> String {
    let shared: Vec<&str> = shared.iter().copied().filter(|words| !words.is_empty()).collect();
    match capitalised(&shared.join(", ")) {
        none if none.is_empty() => capitalised(side),
        shared if shared.contains(':') => format!("{shared}, {side}"),
        shared => format!("{shared}: {side}"),
    }
}

/// The maximum number of pairs of panels in the chart's table.
const PANELS_MAX: usize = 12;

/// The maximum number of pairs of panels that are drawn: stacked in a column, they fit on a page.
const DRAWN_MAX: usize = 3;

/// The gap between panels side by side.
const GAP: f64 = 14.0;

/// The largest part of a panel's width for the labels of its lines.
const LABELS: f64 = 0.48;

/// The words for what happens to a side and its units: the pack may break units, or only lose them.
struct Words {
    /// The verb for a side, in findings.
    side: &'static str,
    /// The verb for a unit, in the caption.
    unit: &'static str,
    /// The noun.
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
        let line = |cell: &CellHeader, name: &str, side: Side| {
            let spread = reading.spread(cell, side, at)?;
            let broken = (0..=i32::from(turns)).map(|turn| spread.share_of(1..=turn)).collect();
            Some(RoutLine { cell: cell.cell, name: name.to_owned(), broken })
        };
        let sides = reading.sides();
        let mut panels: Vec<[RoutPanel; 2]> = Vec::new();
        for group in reading.names.groups(cells) {
            for chunk in group.cells.chunks(SERIES.len()) {
                let names: Vec<String> = chunk.iter().map(|(_, name)| name.clone()).collect();
                let (shared, names) = without_common_clauses(&names);
                panels.push(Side::BOTH.map(|side| RoutPanel {
                    title: title(&[&group.title, &shared], &sides[side]),
                    lines: chunk.iter().zip(&names).filter_map(|((cell, _), name)| line(cell, name, side)).collect(),
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
        let each = (width - GAP * (beside - 1) as f64) / beside as f64;
        let keys = keys(&drawn, width, each);
        let keyed = keys.iter().any(Option::is_some);
        let room = 560.0 - keys.iter().flatten().map(|key| key.height).sum::<f64>();
        let spacious = (room / (2 * drawn.len() / beside) as f64 - 35.0).clamp(58.0, 120.0);
        let tall = spacious.max(lines as f64 * panel::LABEL_STEP + if keyed { 2.0 } else { 12.0 });
        for (pair, key) in drawn.iter().zip(keys) {
            sheet.may_cut(None);
            for row in pair.chunks(beside) {
                self.draw_row(&mut sheet, row, (each, tall), keyed);
            }
            if let Some(key) = key {
                let (top, height) = (sheet.height, key.height);
                sheet.place(key, (0.0, top));
                sheet.height += height;
            }
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

/// The keys below pairs of panels, if not all labels fit next to their lines; one key for neighbouring pairs whose lines
/// have the same names.
fn keys(drawn: &[&[RoutPanel; 2]], width: f64, each: f64) -> Vec<Option<Sheet>> {
    let fits = |label: &String| font::width(label, size::SMALL, Weight::Regular) <= LABELS * each;
    let fit = drawn.iter().copied().flatten().all(|panel| panel.labels(false).iter().all(fits));
    let names = |pair: &[RoutPanel; 2]| pair[0].lines.iter().map(|line| line.name.clone()).collect::<Vec<_>>();
    let is_last = |nth: usize| drawn.get(nth + 1).is_none_or(|next| names(next) != names(drawn[nth]));
    (0..drawn.len()).map(|nth| (!fit && is_last(nth)).then(|| key(&drawn[nth][0], width))).collect()
}

/// A panel's lines with their names.
fn key(panel: &RoutPanel, width: f64) -> Sheet {
    let mut sheet = Sheet::new(width);
    let columns = if narrow(width) { 1 } else { 2 };
    let wide = (width - GAP * (columns - 1) as f64) / columns as f64;
    let entries: Vec<(&RoutLine, SeriesStyle)> = panel.lines.iter().zip(SERIES).collect();
    for row in entries.chunks(columns) {
        let mut most = 0;
        for (nth, (line, style)) in row.iter().enumerate() {
            let (left, base) = (nth as f64 * (wide + GAP), sheet.height + 8.0);
            let (from, middle, to) = (left, left + 8.0, left + 16.0);
            sheet.path(vec![(from, base - 3.0), (to, base - 3.0)], 1.1, style.ink, style.dash);
            sheet.dot((middle, base - 3.0), 1.9, style.form, style.ink, true);
            let name = font::wrap(&line.name, size::SMALL, Weight::Regular, wide - 21.0, 2);
            sheet.write_lines(&name, &Text::new("", (left + 21.0, base), size::SMALL, TEXT));
            most = most.max(name.len());
        }
        sheet.height += most as f64 * leading(size::SMALL);
    }
    sheet.height += 8.0;
    sheet
}

impl Rout {
    /// Panels side by side, each of this width and height, under their titles.
    fn draw_row(&self, sheet: &mut Sheet, row: &[RoutPanel], (wide, tall): (f64, f64), keyed: bool) {
        let titles: Vec<_> =
            row.iter().map(|panel| font::wrap(&panel.title, size::LABEL, Weight::Bold, wide, 3)).collect();
        let head = titles.iter().map(Vec::len).max().unwrap_or(1) as f64 * leading(size::LABEL) + 2.0;
        for (nth, (panel, title)) in row.iter().zip(titles).enumerate() {
            let left = nth as f64 * (wide + GAP);
            let like = Text::new("", (left, sheet.height + 8.0), size::LABEL, TEXT).bold();
            sheet.write_lines(&title, &like);
            let top = sheet.height + head;
            self.draw_panel(sheet, panel, (left, left + wide), (top, top + tall), keyed);
        }
        sheet.height += head + tall + 21.0;
    }

    fn draw_panel(
        &self,
        sheet: &mut Sheet,
        panel: &RoutPanel,
        (left, right): (f64, f64),
        (top, bottom): (f64, f64),
        keyed: bool,
    ) {
        let labels = panel::EndLabels::new(panel.labels(keyed), LABELS * (right - left));
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
    use crate::sheet::Mark;
    use crate::sheet::tests::assert_legible;

    fn rout(panels: Vec<[RoutPanel; 2]>) -> Chart {
        let cells = panels.iter().map(|[panel, _]| panel.lines.len()).sum();
        let finding = "The line breaks in 50 % of battles".to_owned();
        let data = Rout { finding, lost_only: false, turns: 8, panels, cells };
        Chart { data: ChartData::Rout(data), caption: "1000 battles a cell, seed 1".to_owned(), exchanged: false }
    }

    fn pair(shared: &str, names: &[String]) -> [RoutPanel; 2] {
        let broken = vec![Estimate::computed(0.5); 9];
        let line = |name: &String| RoutLine { cell: 0, name: name.clone(), broken: broken.clone() };
        ["attacker", "defender"]
            .map(|side| RoutPanel { title: title(&["", shared], side), lines: names.iter().map(line).collect() })
    }

    /// Names that are too long for the ends of their lines are in a key: every name can be read in full.
    #[test]
    fn lines_can_be_told_apart_however_long_their_names_are() {
        let counts = ["two", "three", "four", "five", "six", "seven"];
        let names = |formed: &str| counts.map(|count| format!("{count} battalions in {formed}, guns to the rear"));
        let words = |chart: &Chart, size: Size| -> Vec<String> {
            let marks = chart.sheet(size).marks;
            marks
                .into_iter()
                .filter_map(|mark| if let Mark::Text(text) = mark { Some(text.words) } else { None })
                .collect()
        };
        let apart = rout(vec![pair("", &names("one square")), pair("shelled", &names("two squares"))]);
        for size in Size::ALL {
            let words = words(&apart, size);
            assert!(words.iter().all(|words| !words.contains('…')), "{words:?}");
            assert_eq!(words.iter().filter(|words| *words == "50.0 %").count(), 4 * SERIES.len());
            assert_legible(&apart.sheet(size));
        }
        let found = words(&apart, Size::Page);
        assert!(["Attacker", "Shelled: attacker"].iter().all(|title| found.iter().any(|words| words == title)));
        assert!(found.join(" ").contains("seven battalions in two squares, guns to the rear"), "{found:?}");
        // Panels whose lines have the same names share one key.
        let alike = rout(vec![pair("on a road", &names("line")), pair("in a wood", &names("line"))]);
        let keys = words(&alike, Size::Page).iter().filter(|words| words.starts_with("two battalions")).count();
        assert_eq!(keys, 1);
        // Short names are next to their lines.
        let short = rout(vec![pair("", &["line".to_owned(), "square".to_owned()])]);
        assert_eq!(words(&short, Size::Page).iter().filter(|words| *words == "50.0 % line").count(), 2);
        let longest = rout(["line", "square", "one large column"].map(|formed| pair("", &names(formed))).into());
        assert!(longest.sheet(Size::Page).height < 800.0);
    }

    #[test]
    fn titles_name_what_cells_share() {
        assert_eq!(title(&["", ""], "attacker"), "Attacker");
        assert_eq!(title(&["", "shelled"], "attacker"), "Shelled: attacker");
        assert_eq!(title(&["Light cavalry", "on a road"], "defender"), "Light cavalry, on a road: defender");
        assert_eq!(title(&["", "hexes: line"], "defender"), "Hexes: line, defender");
    }

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
