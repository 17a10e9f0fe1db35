//! Targets: the designer's requirements for a study's numbers (`[[target]]`).

use grognard_engine::METRICS;
use grognard_source::{Diagnostic, Diagnostics, Document, FileId, Node, Path, Sources, Span, Value};

use super::Study;
use super::names::entries;
use super::select::{Wanted, with_values};
use super::wire::TargetWire;
use crate::results::{CellHeader, DRAW, TURNS};

/// A metric that should lie in a band.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Its meaning, in the designer's words.
    pub says: String,
    /// The metric: a side for its wins, `<side> score`, `draw`, `turns`, or `<side>.<metric>`.
    pub metric: String,
    /// Whether the metric is a share of battles.
    pub share: bool,
    /// Whether the difference from the baseline should lie in the band.
    pub difference: bool,
    /// The cells, by number: the target must be met in each of them.
    pub cells: Vec<u32>,
    /// The minimum and maximum.
    pub band: (f64, f64),
}

/// On the command line, the words that follow the metric if the target is about the difference from the baseline.
const DIFFERENCE: &str = "from the baseline";

impl Target {
    /// Reads a target of these cells (indices in the study) as written on the command line: `defender wins = 70 %..90
    /// %`, or `defender score from the baseline = 5 %..20 %`.
    ///
    /// # Errors
    /// The text has no metric or no band, or a cell is not compared with another; each with its location in the text.
    pub fn parse(study: &Study, cells: &[usize], file: FileId, sources: &Sources) -> Result<Self, Diagnostics> {
        let text = sources.text(file);
        let span = |part: &str| {
            let start = part.as_ptr() as usize - text.as_ptr() as usize;
            Span::new(file, start..start + part.len())
        };
        let form = || Diagnostic::new("a target needs a metric and a band").at(span(text));
        let (before, band) = text.split_once('=').ok_or_else(|| {
            Diagnostics::from(form().help(format!("write it like '{} wins = 40 %..60 %'", study.sides[0])))
        })?;
        let (name, difference) = match before.trim().strip_suffix(DIFFERENCE) {
            Some(name) => (name.trim(), true),
            None => (before.trim(), false),
        };
        let mut faults = Diagnostics::new();
        let metric = metric_of(&study.sides, name);
        if metric.is_none() {
            faults.push(unknown_metric(&study.sides, name).at(span(name)));
        }
        let share = metric.as_ref().is_none_or(|(_, share)| *share);
        let ends = match band.split_once("..") {
            Some((low, high)) => [low.trim(), high.trim()].map(|end| band_end(end, share, difference).ok_or(end)),
            None => {
                let fault = Diagnostic::new("the band has only one end").at(span(band.trim()));
                faults.push(fault.help("write both, such as 40 %..60 %"));
                return Err(faults);
            }
        };
        let wrong = ends.iter().filter_map(|end| end.err());
        wrong.for_each(|end| faults.push(no_end(end, share).at(span(end))));
        let chosen = study.chosen(cells);
        let headers: Vec<&CellHeader> = chosen.iter().map(|&cell| &study.cells[cell].header).collect();
        if difference && let Some(cell) = headers.iter().find(|cell| is_compared_with_none(cell)) {
            let fault = Diagnostic::new(format!("cell {} is not compared with another", cell.cell));
            faults.push(fault.at(span(before.trim())).help("name cells other than baselines with --cell or --only"));
        }
        let ([Ok(low), Ok(high)], Some((metric, share)), true) = (ends, metric, faults.is_empty()) else {
            return Err(faults);
        };
        if low >= high {
            return Err(upside_down().at(span(band.trim())).into());
        }
        let cells = headers.iter().map(|cell| cell.cell).collect();
        let says = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Self { says, metric, share, difference, cells, band: (low, high) })
    }

    /// How far a value lies from the nearest end of the band; negative outside the band. An end that no value can go
    /// beyond, such as 0 % of a share, does not count.
    #[must_use]
    pub fn room(&self, value: f64) -> f64 {
        let (low, high) = self.band;
        let below = if !self.difference && low <= 0.0 { f64::INFINITY } else { value - low };
        let above = if self.share && high >= 1.0 { f64::INFINITY } else { high - value };
        below.min(above)
    }

    /// The target restricted to these cells (indices in the study). `None` if it is not about any of them.
    #[must_use]
    pub fn within(mut self, cells: &[usize]) -> Option<Self> {
        self.cells.retain(|&cell| cells.contains(&(cell as usize)));
        (!self.cells.is_empty()).then_some(self)
    }
}

/// Whether a cell is its own baseline, or has none.
fn is_compared_with_none(cell: &CellHeader) -> bool {
    cell.baseline.is_none_or(|baseline| baseline == cell.cell)
}

/// The fault for a name that is not a metric of these sides, with the nearest valid one.
#[must_use]
pub fn unknown_metric(sides: &[String], name: &str) -> Diagnostic {
    let known = metrics_of(sides).into_iter().chain(sides.iter().map(|side| format!("{side} wins")));
    let known: Vec<String> = known.collect();
    Diagnostic::unknown("metric", name, known.iter().map(String::as_str))
}

/// The end of a band; `None` if the text is not a value of the metric.
fn band_end(text: &str, share: bool, difference: bool) -> Option<f64> {
    let least = if difference { f64::NEG_INFINITY } else { 0.0 };
    share_or_number(text, share).filter(|value| *value >= least && (!share || value.abs() <= 1.0))
}

fn no_end(text: &str, share: bool) -> Diagnostic {
    let what = if share { "share of battles" } else { "value of the metric" };
    let help = if share { "write a share such as \"70 %\" or 0.7" } else { "write a number such as 4.5" };
    Diagnostic::new(format!("`{text}` is not a {what}")).help(help)
}

fn upside_down() -> Diagnostic {
    Diagnostic::new("the first value of the band exceeds the second").help("write the smaller end first")
}

/// The plain name of a metric and whether it is a share: `defender wins` is `defender`, `defender losses` is
/// `defender.losses`. `None` for a name that is not a metric of these sides.
#[must_use]
pub fn metric_of(sides: &[String], name: &str) -> Option<(String, bool)> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let side = |name: &str| sides.iter().any(|side| side == name);
    let own = |side_name: &str, key: &str| {
        let metric = METRICS.iter().find(|metric| metric.key == key && !metric.partial).filter(|_| side(side_name))?;
        Some((format!("{side_name}.{key}"), metric.share))
    };
    let whole = words.join(" ");
    match words.as_slice() {
        _ if side(&whole) || whole == DRAW => Some((whole, true)),
        [TURNS] => Some((whole, false)),
        [before @ .., "wins"] if side(&before.join(" ")) => Some((before.join(" "), true)),
        [before @ .., "score"] if side(&before.join(" ")) => Some((whole, true)),
        [before @ .., key] if !before.is_empty() && own(&before.join(" "), key).is_some() => {
            own(&before.join(" "), key)
        }
        _ => whole.rsplit_once('.').and_then(|(side, key)| own(side, key)),
    }
}

/// The names of all metrics that [`metric_of`] knows.
#[must_use]
pub fn metrics_of(sides: &[String]) -> Vec<String> {
    let whole = || METRICS.iter().filter(|metric| !metric.partial);
    let of_side = |side: &String| whole().map(|metric| format!("{side}.{}", metric.key)).collect::<Vec<_>>();
    let wins = sides.iter().cloned().chain([DRAW.to_owned(), TURNS.to_owned()]);
    wins.chain(sides.iter().map(|side| format!("{side} score"))).chain(sides.iter().flat_map(of_side)).collect()
}

/// The targets of a study with these sides and cells. Values of `pinned` paths are ignored.
pub(super) fn targets(
    wires: &[TargetWire],
    document: &Document,
    sides: &[String],
    cells: &[&CellHeader],
    pinned: &[Path],
) -> Result<Vec<Target>, Diagnostics> {
    let rows = document.root.get("target").and_then(Node::as_array).unwrap_or_default();
    let mut faults = Diagnostics::new();
    let mut targets = Vec::new();
    for (wire, row) in wires.iter().zip(rows) {
        let row = Row { wire, row, cells, pinned };
        targets.extend(row.target(sides, &mut faults));
    }
    faults.into_result(targets)
}

/// A row of the study.
struct Row<'a> {
    wire: &'a TargetWire,
    row: &'a Node,
    cells: &'a [&'a CellHeader],
    pinned: &'a [Path],
}

impl Row<'_> {
    fn span(&self, name: &str) -> Span {
        self.row.child(name).map_or(self.row.span, |node| node.span)
    }

    fn target(&self, sides: &[String], faults: &mut Diagnostics) -> Option<Target> {
        let Some((metric, share)) = metric_of(sides, &self.wire.metric) else {
            faults.push(unknown_metric(sides, &self.wire.metric).at(self.span("metric")));
            return None;
        };
        let band = self.band(share, faults);
        let cells = self.chosen(faults).and_then(|cells| self.played(cells, sides, faults));
        if self.wire.difference {
            let chosen =
                || self.cells.iter().filter(|cell| cells.as_ref().is_some_and(|cells| cells.contains(&cell.cell)));
            if let Some(cell) = chosen().find(|cell| is_compared_with_none(cell)) {
                let fault = Diagnostic::new(format!("cell {} is not compared with another", cell.cell));
                faults.push(fault.at(self.span("difference")).help("name cells other than baselines with `cells`"));
            }
        }
        let (says, difference) = (self.wire.says.clone(), self.wire.difference);
        Some(Target { says, metric, share, difference, cells: cells?, band: band? })
    }

    /// The numbers of the cells; `None` if they do not exist.
    fn chosen(&self, faults: &mut Diagnostics) -> Option<Vec<u32>> {
        let all = || self.cells.iter().map(|cell| cell.cell);
        let Some(node) = self.row.child("cells") else { return Some(all().collect()) };
        let known = faults.len();
        let cells = match &node.value {
            Value::Table(settings) => {
                let wanted = entries(settings, &[], faults);
                let wanted = wanted.iter().filter(|entry| !self.pinned.contains(&entry.path));
                let wanted = wanted.map(|entry| Wanted { path: &entry.path, span: entry.span, node: &entry.node });
                with_values(wanted, self.cells, faults)?
            }
            value => {
                let numbers = match value {
                    Value::Array(numbers) => numbers.as_slice(),
                    _ => std::slice::from_ref(node),
                };
                let mut cells = Vec::new();
                for number in numbers {
                    let Value::Int(cell) = number.value else { continue };
                    match all().find(|&known| i64::from(known) == cell) {
                        Some(cell) => cells.push(cell),
                        // With a pinned path there are fewer cells, with different numbers.
                        None if !self.pinned.is_empty() => {}
                        None => {
                            let fault = Diagnostic::new(format!("there is no cell {cell}")).at(number.span);
                            let last = self.cells.len().saturating_sub(1);
                            faults.push(fault.help(format!("cells are numbered from 0 to {last}")));
                        }
                    }
                }
                cells
            }
        };
        if faults.len() > known {
            return None;
        }
        if cells.is_empty() {
            let fault = Diagnostic::new("no cell has all of these values").at(node.span);
            faults.push(fault.help("name fewer of them, or cells by their numbers"));
            return None;
        }
        Some(cells)
    }

    /// Of these cells, those in which one of the players of `by` plays every side whose player the study varies. `None`
    /// if there is no such player or no such cell.
    fn played(&self, cells: Vec<u32>, sides: &[String], faults: &mut Diagnostics) -> Option<Vec<u32>> {
        let Some(by) = &self.wire.by else { return Some(cells) };
        let span = self.span("by");
        let all: Vec<String> = sides.iter().map(|side| format!("{side}.player")).collect();
        let is_pinned = |path: &String| self.pinned.iter().any(|pinned| pinned.to_string() == *path);
        // A run with one player for a side has only the cells with this player.
        let paths: Vec<&String> = all.iter().filter(|path| !is_pinned(path)).collect();
        let player = |cell: &CellHeader, path: &str| {
            cell.vary.iter().find(|setting| setting.path == path).map(|setting| setting.value.text.clone())
        };
        let players = |cell: &CellHeader| paths.iter().filter_map(|path| player(cell, path)).collect::<Vec<_>>();
        let mut known: Vec<String> = self.cells.iter().flat_map(|cell| players(cell)).collect();
        known.sort_unstable();
        known.dedup();
        if known.is_empty() && paths.len() < all.len() {
            return Some(cells);
        }
        if known.is_empty() {
            let fault = Diagnostic::new("the study varies no player").at(span);
            faults.push(fault.help(format!("write `\"{}\" = [\"default\", …]` under `[vary]`", all[0])));
            return None;
        }
        let names = self.row.child("by").and_then(Node::as_array).unwrap_or_default();
        let unknown = by.iter().zip(names).find(|(name, _)| !known.contains(name));
        if let Some((name, node)) = unknown {
            faults.push(Diagnostic::unknown("player", name, known.iter().map(String::as_str)).at(node.span));
            return None;
        }
        let plays = |cell: &CellHeader| {
            let players = players(cell);
            by.iter().any(|name| players.iter().all(|player| player == name))
        };
        let header = |number: &u32| self.cells.iter().find(|cell| cell.cell == *number);
        let cells: Vec<u32> = cells.into_iter().filter(|cell| header(cell).is_some_and(|cell| plays(cell))).collect();
        if cells.is_empty() {
            let fault = Diagnostic::new("these players do not play both sides in any of the target's cells").at(span);
            faults.push(fault.help("name other players, or more cells with `cells`"));
            return None;
        }
        Some(cells)
    }

    /// The limits of the band; `None` if they are invalid.
    fn band(&self, share: bool, faults: &mut Diagnostics) -> Option<(f64, f64)> {
        let node = self.row.child("band")?;
        let ends = node.as_array().unwrap_or_default();
        let mut values = Vec::new();
        for end in ends {
            let text = match &end.value {
                Value::Text(text) => text.clone(),
                value => value.to_string(),
            };
            match band_end(&text, share, self.wire.difference) {
                Some(value) => values.push(value),
                None => faults.push(no_end(&text, share).at(end.span)),
            }
        }
        match values.as_slice() {
            [low, high] if low < high => Some((*low, *high)),
            [_, _] => {
                faults.push(upside_down().at(node.span));
                None
            }
            _ => None,
        }
    }
}

/// A number; for a share also `70 %`, which is 0.7.
pub(crate) fn share_or_number(text: &str, share: bool) -> Option<f64> {
    let (digits, scale) = match text.trim().strip_suffix('%') {
        Some(digits) if share => (digits.trim_end(), 100.0),
        _ => (text.trim(), 1.0),
    };
    digits.parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| value / scale)
}
