//! The losses of both sides jointly: the probability of each pair of losses, from exact odds.

use grognard_lab::results::CellHeader;
use grognard_lab::{BySide, Side};

use super::{Drawing, left_out};
use crate::axis::number;
use crate::font::{self, Weight};
use crate::frame::centred;
use crate::look::{FIRST, PAPER, RULE, SOFT, TEXT, narrow, size};
use crate::reading::Reading;
use crate::sheet::{Anchor, Sheet, Text, leading};
use crate::table::Table;
use crate::text::capitalised;

/// The stem of its file names.
pub(super) const NAME: &str = "losses-together";

/// Pairs of losses by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Together {
    /// The finding.
    pub finding: String,
    /// The sides' names.
    pub sides: BySide<String>,
    /// How many numbers of losses share a row or column, starting at 0.
    pub step: u32,
    /// Columns, one for each step of the first side's losses, and rows for the second side's.
    pub steps: BySide<usize>,
    /// The cells.
    pub maps: Vec<PairMap>,
    /// Cells in the results; the chart shows the first ones.
    pub cells: usize,
}

/// The pairs of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct PairMap {
    /// Its index.
    pub cell: u32,
    /// Its name; empty if there is only one.
    pub name: String,
    /// The steps of the two sides' losses, and the share of battles; only those that can happen, in ascending order.
    pub pairs: Vec<(BySide<usize>, f64)>,
}

/// Losses of both sides, and the share of battles.
type Pairs = Vec<([u16; 2], f64)>;

/// The maximum number of maps in a chart.
const MAPS: usize = 12;
/// The maximum numbers of rows and columns that can be distinguished on a map.
const STEPS: u32 = 24;
/// The maximum number of squares in a table.
const TABLE: usize = 400;
const GAP: f64 = 16.0;

impl Together {
    /// The chart's data; `None` without exact odds, or if one side always loses the same number.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let cells = reading.cells();
        let shown: Vec<(&CellHeader, Pairs)> =
            cells.iter().take(MAPS).filter_map(|cell| Some((cell, reading.losses_together(cell)?))).collect();
        let losses =
            |side: usize| shown.iter().flat_map(move |(_, pairs)| pairs.iter().map(move |(pair, _)| pair[side]));
        let most = [losses(0).max()?, losses(1).max()?];
        if [0, 1].into_iter().any(|side| losses(side).min() == Some(most[side])) {
            return None;
        }
        let step = (u32::from(most[0].max(most[1])) + 1).div_ceil(STEPS);
        let at = |losses: u16| (u32::from(losses) / step) as usize;
        let several = cells.len() > 1;
        let map = |(cell, pairs): &(&CellHeader, Pairs)| {
            let mut squares: Vec<(BySide<usize>, f64)> = Vec::new();
            for &([first, second], share) in pairs {
                let square = BySide::new(at(first), at(second));
                match squares.iter_mut().find(|(known, _)| *known == square) {
                    Some((_, sum)) => *sum += share,
                    None => squares.push((square, share)),
                }
            }
            squares.sort_by_key(|(square, _)| (square.first, square.second));
            let name = if several { reading.names.cell(cell) } else { String::new() };
            PairMap { cell: cell.cell, name, pairs: squares }
        };
        let mut together = Self {
            finding: String::new(),
            sides: reading.sides(),
            step,
            steps: BySide::new(at(most[0]) + 1, at(most[1]) + 1),
            maps: shown.iter().map(map).collect(),
            cells: cells.len(),
        };
        let headline = reading.headline.cell.map(|cell| cell.cell);
        let told = together.maps.iter().find(|map| Some(map.cell) == headline).or(together.maps.first())?;
        let with = match several {
            true => cells.iter().find(|cell| cell.cell == told.cell).map(|cell| reading.names.place(cell, None)),
            false => None,
        };
        together.finding = together.most_often(told, with.as_deref())?;
        Some(together)
    }

    /// The most frequent pair of losses.
    fn most_often(&self, map: &PairMap, with: Option<&str>) -> Option<String> {
        let (pair, share) = map.pairs.iter().max_by(|one, other| one.1.total_cmp(&other.1))?;
        let with = with.map_or_else(String::new, |with| format!(" {with}"));
        Some(format!(
            "{} loses {} and {} {} in {:.1} % of battles{with}, more often than any other pair",
            capitalised(&self.sides.first),
            self.losses(pair.first),
            self.sides.second,
            self.losses(pair.second),
            100.0 * share
        ))
    }

    /// The losses of a step.
    fn losses(&self, step: usize) -> String {
        let from = step as u32 * self.step;
        if self.step == 1 { from.to_string() } else { format!("{from}–{}", from + self.step - 1) }
    }

    /// The share with the strongest colour.
    fn top(&self) -> f64 {
        self.maps.iter().flat_map(|map| &map.pairs).map(|(_, share)| *share).fold(0.0, f64::max)
    }
}

impl Drawing for Together {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        format!(
            "The exact probability of each pair of losses. To the right: figures lost by {}; upwards: by {}. The strongest colour is \
             {:.1} % of battles.{}",
            self.sides.first,
            self.sides.second,
            100.0 * self.top(),
            left_out(self.maps.len(), self.cells, "first")
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = (0..self.steps.second).map(|step| self.losses(step)).collect::<Vec<_>>();
        let left = font::widest(labels.iter().map(String::as_str), size::SMALL, Weight::Regular) + 4.0;
        let most = if narrow(width) { 1 } else { 3 };
        let beside = self.maps.len().clamp(1, most);
        let room = (width - (beside - 1) as f64 * GAP) / beside as f64;
        let square = ((room - left) / self.steps.first as f64).min(220.0 / self.steps.second as f64).min(26.0);
        for band in self.maps.chunks(beside) {
            sheet.may_cut(None);
            let names: Vec<Vec<String>> = band
                .iter()
                .map(|map| font::wrap(&capitalised(&map.name), size::LABEL, Weight::Bold, room, 3))
                .collect();
            let lines = names.iter().map(Vec::len).max().unwrap_or(0);
            let top = sheet.height + if lines > 0 { lines as f64 * leading(size::LABEL) + 3.0 } else { 0.0 };
            for (nth, (map, name)) in band.iter().zip(&names).enumerate() {
                let across = nth as f64 * (room + GAP);
                sheet.write_lines(name, &Text::new("", (across, sheet.height + 9.0), size::LABEL, TEXT).bold());
                self.draw(&mut sheet, map, (across + left, top), square);
            }
            sheet.height = top + self.steps.second as f64 * square + leading(size::SMALL) + 4.0 + GAP;
        }
        sheet.height -= GAP;
        sheet.may_cut(None);
        sheet
    }

    fn is_tabled(&self) -> bool {
        false
    }

    fn table(&self) -> Option<Table> {
        let squares: usize = self.maps.iter().map(|map| map.pairs.len()).sum();
        let lost = |side: Side| format!("Lost by {}", self.sides[side]);
        let head =
            vec!["Cell".to_owned(), "Name".to_owned(), lost(Side::First), lost(Side::Second), "Share".to_owned()];
        let rows = self.maps.iter().flat_map(|map| {
            map.pairs.iter().map(|(pair, share)| {
                let share = format!("{:.2} %", 100.0 * share);
                vec![map.cell.to_string(), map.name.clone(), self.losses(pair.first), self.losses(pair.second), share]
            })
        });
        let caption = "Share of battles by the losses of both sides".to_owned();
        (squares <= TABLE).then(|| Table { caption, head, rows: rows.collect() })
    }
}

impl Together {
    /// A map whose upper left corner is at `(left, top)`.
    fn draw(&self, sheet: &mut Sheet, map: &PairMap, (left, top): (f64, f64), square: f64) {
        let (columns, rows) = (self.steps.first as f64, self.steps.second as f64);
        let (right, bottom, strongest) = (left + columns * square, top + rows * square, self.top());
        for (pair, share) in &map.pairs {
            let (x, y) = (left + pair.first as f64 * square, bottom - (pair.second + 1) as f64 * square);
            // Every outcome that can happen keeps a trace of colour.
            let part = 0.06 + 0.94 * share / strongest;
            sheet.fill((x + 0.3, y + 0.3), (x + square - 0.3, y + square - 0.3), FIRST.tint(part));
            let percent = format!("{:.0}", 100.0 * share);
            if percent != "0" && font::width(&percent, size::SMALL, Weight::Regular) <= square - 4.0 && square >= 13.0 {
                let ink = if part > 0.55 { PAPER } else { TEXT };
                let at = (x + square / 2.0, centred(y + square / 2.0, 1, size::SMALL));
                sheet.write(Text::new(percent, at, size::SMALL, ink).anchored(Anchor::Middle));
            }
        }
        sheet.path(vec![(left, top), (left, bottom), (right, bottom)], 0.5, RULE, crate::look::Dash::Solid);
        let widest = |labels: usize| {
            let labels = (0..labels).map(|step| number((step as u32 * self.step).into()));
            font::widest(labels.collect::<Vec<_>>().iter().map(String::as_str), size::SMALL, Weight::Regular)
        };
        let every =
            |labels: usize, room: f64| (1..=labels.max(1)).find(|every| *every as f64 * square >= room).unwrap_or(1);
        for step in (0..self.steps.first).step_by(every(self.steps.first, widest(self.steps.first) + 4.0)) {
            let x = left + (step as f64 + 0.5) * square;
            let text = Text::new(number((step as u32 * self.step).into()), (x, bottom + 9.0), size::SMALL, SOFT);
            sheet.write(text.anchored(Anchor::Middle));
        }
        for step in (0..self.steps.second).step_by(every(self.steps.second, leading(size::SMALL))) {
            let at = (left - 3.0, centred(bottom - (step as f64 + 0.5) * square, 1, size::SMALL));
            sheet.write(
                Text::new(number((step as u32 * self.step).into()), at, size::SMALL, SOFT).anchored(Anchor::End),
            );
        }
    }
}
