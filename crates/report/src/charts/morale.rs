//! Morale by turn: the share of each side's units in each state, cell by cell.

use grognard_lab::results::CellHeader;
use grognard_lab::watched::{Standing, StateByTurn};
use grognard_lab::{BySide, Side};
use grognard_stats::Estimate;

use super::groups::{Group, grouped, panels, widest_numbers, write_title};
use super::{Drawing, left_out};
use crate::axis::{Axis, number};
use crate::font::{self, Weight};
use crate::frame::{RowLabels, centred};
use crate::look::{Dash, Ink, RULE, SOFT, TEXT, narrow, of_side, size};
use crate::reading::Reading;
use crate::sentence;
use crate::sheet::{Anchor, Mark, Sheet, Text, leading};
use crate::table::{NONE, Table};
use crate::text::{InPrint, capitalised, plural, spaced};

/// The stem of its file names.
pub(super) const NAME: &str = "morale";

/// Morale of each side's units by turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Morale {
    /// The finding.
    pub finding: String,
    /// The sides' names.
    pub sides: BySide<String>,
    /// The states' names, from best to worst.
    pub states: Vec<String>,
    /// How many of these states, counting from the first, are good.
    pub good: usize,
    /// The last turn shown; nothing changes after it.
    pub turns: usize,
    /// Battles watched in each cell.
    pub battles: u64,
    /// The cells, in groups.
    pub groups: Vec<Group<MoraleRow>>,
    /// Cells in the results; the chart shows the first ones.
    pub cells: usize,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub struct MoraleRow {
    /// Its index.
    pub cell: u32,
    /// Its name within the group.
    pub name: String,
    /// Per side, state and turn, the share of units in the state: before the first turn, at the end of turn 1 … The
    /// list ends with the cell's last turn, or with the last one shown.
    pub shares: BySide<Vec<Vec<f64>>>,
    /// Per side, the share of units in good order at the end. The interval is the widest possible, as if all units of a
    /// side fared the same in a battle.
    pub good: BySide<Estimate>,
}

impl MoraleRow {
    /// Its last turn.
    fn last(&self) -> usize {
        self.shares.first.first().map_or(0, |shares| shares.len() - 1)
    }
}

impl Morale {
    /// The chart's data; `None` if no battles were watched, or if morale never changed.
    pub(crate) fn of(reading: &Reading<'_>) -> Option<Self> {
        let watched = reading.results.watched.as_ref().filter(|_| !reading.is_of_many())?;
        let mut states: Vec<(Standing, String)> = Vec::new();
        for state in watched.cells.iter().flat_map(|cell| cell.morale.iter().flatten()) {
            let named = (state.standing, state.state.clone());
            if !states.contains(&named) {
                states.push(named);
            }
        }
        states.sort_by_key(|(standing, _)| *standing);
        let good = states.iter().filter(|(standing, _)| *standing == Standing::Good).count();
        if good == states.len() {
            return None;
        }
        let turns = watched.cells.iter().flat_map(|cell| cell.morale.iter().flatten()).map(last_change).max()?.max(1);
        let row = |(cell, name): (&CellHeader, String)| {
            let watched_cell = watched.cell(cell.cell)?;
            let shares = BySide::from_fn(|side| shares(watched_cell.of(side), &states, turns));
            let good = BySide::from_fn(|side| {
                let at_end: f64 = shares[side].iter().take(good).filter_map(|state| state.last()).sum();
                let all = watched_cell.battles;
                let battles = (at_end * all as f64).round() as u64;
                let estimate = reading.intervals().widest_share(battles.min(all), all, reading.each());
                Estimate { point: at_end, low: estimate.low.min(at_end), high: estimate.high.max(at_end), ..estimate }
            });
            Some(MoraleRow { cell: cell.cell, name, shares, good })
        };
        let groups = grouped(reading, row);
        let rows: Vec<&MoraleRow> = groups.iter().flat_map(|group| &group.rows).collect();
        let states: Vec<String> = states.into_iter().map(|(_, name)| spaced(&name)).collect();
        let when = match rows.iter().any(|row| row.last() < turns) {
            true => "At the end,".to_owned(),
            false => format!("By the end of turn {turns},"),
        };
        let finding = finding(reading, &rows, &when, &well(&states[..good]))?;
        Some(Self {
            finding,
            sides: reading.sides(),
            states,
            good,
            turns,
            battles: watched.battles,
            groups,
            cells: reading.cells().len(),
        })
    }

    fn rows(&self) -> impl Iterator<Item = &MoraleRow> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// Whether some cells end before the last turn shown.
    fn ends_apart(&self) -> bool {
        self.rows().any(|row| row.last() < self.turns)
    }

    /// The strength of its side's colour for a state: full for the best, no colour for the worst.
    fn ink(&self, side: Side, state: usize) -> Ink {
        of_side(side).tint(1.0 - state as f64 / (self.states.len() - 1).max(1) as f64)
    }
}

/// The last turn in which the number of units in a state changes.
fn last_change(state: &StateByTurn) -> usize {
    state.units.windows(2).rposition(|pair| pair[0] != pair[1]).map_or(0, |at| at + 1)
}

/// Per state and turn, the share of a side's units, for at most `turns` turns.
fn shares(own: &[StateByTurn], states: &[(Standing, String)], turns: usize) -> Vec<Vec<f64>> {
    let last = own.iter().map(|state| state.units.len().saturating_sub(1)).max().map_or(turns, |last| last.min(turns));
    let units = |state: &StateByTurn, turn: usize| state.units.get(turn).copied().unwrap_or(0);
    let all = |turn: usize| own.iter().map(|state| units(state, turn)).sum::<u64>().max(1) as f64;
    let of = |(standing, name): &(Standing, String)| {
        let found = own.iter().find(|state| state.standing == *standing && state.state == *name);
        (0..=last).map(|turn| found.map_or(0, |state| units(state, turn)) as f64 / all(turn)).collect()
    };
    states.iter().map(of).collect()
}

/// The words for units in the best states: `in good order`, or the pack's own word in quotes.
fn well(good: &[String]) -> String {
    match good {
        [one] if one != "good" => format!("“{one}”"),
        _ => "in good order".to_owned(),
    }
}

/// The share of the subject's units in good order `when` the battles end, with a contrast where that differs most.
fn finding(reading: &Reading<'_>, rows: &[&MoraleRow], when: &str, well: &str) -> Option<String> {
    let side = reading.subject;
    let name = &reading.sides()[side];
    let header = |row: &MoraleRow| reading.cells().get(row.cell as usize);
    let good = |row: &MoraleRow| row.good[side].share_point();
    let of = |cell: u32| rows.iter().find(|row| row.cell == cell);
    let pairs = rows.iter().filter_map(|row| Some((*row, *of(header(row)?.baseline?)?)));
    let apart = |(own, theirs): &(&MoraleRow, &MoraleRow)| (own.good[side].point - theirs.good[side].point).abs();
    let contrasted: Vec<(&MoraleRow, &MoraleRow)> = pairs.filter(|(own, theirs)| own.cell != theirs.cell).collect();
    let led = contrasted.iter().find(|(own, _)| Some(own.cell) == reading.headline.cell.map(|cell| cell.cell));
    if let Some((own, theirs)) =
        led.or_else(|| contrasted.iter().max_by(|one, other| apart(one).total_cmp(&apart(other))))
    {
        let (cell, baseline) = (header(own)?, header(theirs)?);
        let well = format!("{} of {name}’s units are {well}", good(own));
        let told = sentence::contrast(&reading.names, [cell, baseline], Some(side), [&well, &good(theirs)]);
        return Some(format!("{when} {told}"));
    }
    let by_good = |one: &&&MoraleRow, other: &&&MoraleRow| one.good[side].point.total_cmp(&other.good[side].point);
    let (least, most) = (rows.iter().min_by(by_good)?, rows.iter().max_by(by_good)?);
    if let (1, Some(enemy)) = (rows.len(), side.only_enemy(reading.sides().count())) {
        let other = &reading.sides()[enemy];
        let theirs = least.good[enemy].share_point();
        return Some(format!("{when} {} of {name}’s units are {well}, and {theirs} of {other}’s", good(least)));
    }
    let with = |row: &MoraleRow| Some(format!("{} {}", good(row), reading.names.place(header(row)?, Some(side))));
    Some(format!("{when} between {} and {} of {name}’s units are {well}", with(least)?, with(most)?))
}

impl Drawing for Morale {
    fn name(&self) -> &str {
        NAME
    }

    fn finding(&self) -> &str {
        &self.finding
    }

    fn about(&self) -> String {
        let ends = if self.ends_apart() { " A cell with fewer turns has a shorter bar." } else { "" };
        format!(
            "Units of {} (left) and {} (right) by morale, before the first turn and at the end of each; from {} to {}. \
             The number is the share {} at the end.{ends} From the first {} of each cell.{}",
            self.sides.first,
            self.sides.second,
            self.states.first().map_or("", String::as_str),
            self.states.last().map_or("", String::as_str),
            well(&self.states[..self.good]),
            plural(self.battles as usize, "battle"),
            left_out(self.rows().count(), self.cells, "first")
        )
    }

    fn body(&self, width: f64) -> Sheet {
        let mut sheet = Sheet::new(width);
        let labels = RowLabels::new(self.rows().map(|row| row.name.as_str()), 0.3 * width);
        let words = |share: &Estimate| if narrow(width) { share.share_point() } else { share.share_range() };
        let numbers = widest_numbers(|| self.rows(), |row, side| words(&row.good[side]));
        let ends = panels(width, &labels, numbers);
        let axes = BySide::from_fn(|side| Axis::new((-0.5, self.turns as f64 + 0.5), ends[side]));
        let panel = ends.first.1 - ends.first.0;
        self.key(&mut sheet);
        for side in Side::BOTH {
            let name = font::wrap(&capitalised(&self.sides[side]), size::LABEL, Weight::Bold, panel + numbers[side], 1);
            let like = Text::new("", (ends[side].0, sheet.height + 8.0), size::LABEL, TEXT).bold();
            sheet.write_lines(&name, &like);
        }
        sheet.height += 3.0 + leading(size::LABEL);

        let tall = (560.0 / self.rows().count() as f64).clamp(11.0, 30.0);
        let mut nth = 0;
        for group in &self.groups {
            let title = write_title(&mut sheet, &group.title, false);
            for (place, row) in group.rows.iter().enumerate() {
                if place > 0 {
                    sheet.may_cut(title);
                }
                let height = labels.height(nth, tall);
                let (top, middle) = (sheet.height + (height - tall) / 2.0, sheet.height + height / 2.0);
                labels.write(&mut sheet, nth, labels.width, middle);
                for side in Side::BOTH {
                    let axis = &axes[side];
                    self.draw_strip(&mut sheet, side, row, axis, (top, top + tall));
                    let at = (axis.at(f64::MAX) + 5.0, centred(middle, 1, size::SMALL));
                    sheet.write(Text::new(words(&row.good[side]), at, size::SMALL, TEXT));
                }
                sheet.height += height + 3.0;
                nth += 1;
            }
        }
        sheet.may_cut(None);
        let bottom = sheet.height - 1.0;
        for axis in [&axes.first, &axes.second] {
            let wide = font::width("turn", size::SMALL, Weight::Regular);
            let left = (axis.at(f64::MIN) - 3.0 - wide).max(0.0);
            sheet.write(Text::new("turn", (left, bottom + 8.0), size::SMALL, SOFT));
            for tick in axis.ticks((panel / 16.0).min(9.0) as usize).into_iter().filter(|tick| tick.fract() == 0.0) {
                let text = Text::new(number(tick), (axis.at(tick), bottom + 8.0), size::SMALL, SOFT);
                sheet.write(text.anchored(Anchor::Middle));
            }
        }
        sheet.height = bottom + 11.0;
        sheet
    }

    fn is_tabled(&self) -> bool {
        false
    }

    fn watched(&self) -> Option<u64> {
        Some(self.battles)
    }

    fn table(&self) -> Option<Table> {
        let mut head: Vec<String> = ["Cell", "Name", "Side", "Morale", "Start"].map(str::to_owned).into();
        head.extend((1..=self.turns).map(|turn| format!("Turn {turn}")));
        let mut rows = Vec::new();
        for (group, row) in self.groups.iter().flat_map(|group| group.rows.iter().map(move |row| (group, row))) {
            let name = group.full_name(&row.name);
            for side in Side::BOTH {
                for (state, shares) in self.states.iter().zip(&row.shares[side]) {
                    let mut fields = vec![row.cell.to_string(), name.clone(), self.sides[side].clone(), state.clone()];
                    fields.extend(shares.iter().map(|share| format!("{:.0} %", 100.0 * share)));
                    fields.resize(head.len(), NONE.to_owned());
                    rows.push(fields);
                }
            }
        }
        let caption = "Share of units by morale, before the first turn and at the end of each".to_owned();
        (self.turns <= 40).then_some(Table { caption, head, rows })
    }
}

impl Morale {
    /// The states' names next to their colours, one set for each side.
    fn key(&self, sheet: &mut Sheet) {
        let mut left = 0.0;
        sheet.height += 9.0;
        for (nth, state) in self.states.iter().enumerate() {
            let name = font::wrap(state, size::LABEL, Weight::Regular, sheet.width - 25.0, 1);
            let wide = 21.0 + font::widest(name.iter().map(String::as_str), size::LABEL, Weight::Regular);
            if left > 0.0 && left + wide > sheet.width {
                (left, sheet.height) = (0.0, sheet.height + 1.3 * size::LABEL);
            }
            let base = sheet.height;
            for (side, x) in Side::BOTH.into_iter().zip([left, left + 8.5]) {
                let corners = [(x, base - 6.5), (x + 7.0, base - 6.5), (x + 7.0, base + 0.5), (x, base + 0.5)];
                sheet.fill(corners[0], corners[2], self.ink(side, nth));
                outline(sheet, corners);
            }
            sheet.write_lines(&name, &Text::new("", (left + 18.5, base), size::LABEL, TEXT));
            left += wide + 10.0;
        }
        sheet.height += 8.0;
    }

    /// The states stacked turn by turn, the best at the bottom.
    fn draw_strip(&self, sheet: &mut Sheet, side: Side, row: &MoraleRow, axis: &Axis, (top, bottom): (f64, f64)) {
        let mut floor = vec![0.0; row.last() + 1];
        for (nth, shares) in row.shares[side].iter().enumerate() {
            let ceiling: Vec<f64> = floor.iter().zip(shares).map(|(floor, share)| floor + share).collect();
            if shares.iter().any(|&share| share > 0.0) {
                let edge = |heights: &[f64]| -> Vec<_> {
                    let place = |turn: f64, height: f64| (axis.at(turn), bottom - height.min(1.0) * (bottom - top));
                    (0..)
                        .zip(heights)
                        .flat_map(|(turn, &height): (i32, _)| {
                            [place(f64::from(turn) - 0.5, height), place(f64::from(turn) + 0.5, height)]
                        })
                        .collect()
                };
                let outline = edge(&ceiling).into_iter().chain(edge(&floor).into_iter().rev()).collect();
                sheet.marks.push(Mark::Area { outline, ink: self.ink(side, nth) });
            }
            floor = ceiling;
        }
        let (left, right) = (axis.at(f64::MIN), axis.at(row.last() as f64 + 0.5));
        outline(sheet, [(left, top), (right, top), (right, bottom), (left, bottom)]);
    }
}

/// A hairline around areas that may be as pale as the paper.
fn outline(sheet: &mut Sheet, [one, two, three, four]: [crate::sheet::Place; 4]) {
    sheet.path(vec![one, two, three, four, one], 0.4, RULE, Dash::Solid);
}
