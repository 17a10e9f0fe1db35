//! The race of candidates: the same dice for all, and more of them for those that lead.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use grognard_stats::{Estimate, Level, Sums, mean};
use rayon::prelude::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::Training;
use super::policy::{Candidate, Policy};
use crate::army::Army;
use crate::progress::{Progress, Stop, kept};
use crate::results::sha256;
use crate::runner::Fighter;
use crate::sensitivity::fought::{NotedSums, noted, of_noted, sum};
use crate::study::{Study, Variants};

/// Candidates that race each other.
pub(super) const FIELD: usize = 64;
/// How many are left for the looks after the first.
const LEFT: [usize; 3] = [16, 4, 2];
/// Battles of a cell at the first look, at least.
const FEWEST: u64 = 16;
/// Dice that no search ever comes to: those by which the outcome is scored.
const FRESH: u64 = 1 << 39;

/// Where candidates race.
pub(super) struct Race<'a> {
    pub(super) training: &'a Training,
    pub(super) study: &'a Study,
    pub(super) variants: &'a Variants<'a>,
    pub(super) chosen: Vec<usize>,
    /// 1 if the side wants the quantity high, −1 if it wants it low.
    pub(super) sign: i32,
    pub(super) progress: &'a dyn Progress,
    pub(super) stop: &'a Stop,
    /// Battles fought, those from notes included.
    pub(super) fought: AtomicU64,
}

/// A policy in the cells of the study.
pub(super) struct Fielded {
    pub(super) policy: Policy,
    cells: Study,
}

impl Race<'_> {
    /// A policy, made ready to fight; none if the rules do not allow its rows.
    pub(super) fn field(&self, policy: &Policy) -> Option<Fielded> {
        let side = self.training.side;
        let cells = self.variants.cells_with_rows(self.study, &self.chosen, side, &policy.tables()).ok()?;
        Some(Fielded { policy: policy.clone(), cells: Study { cells, ..self.study.clone() } })
    }

    /// The cells of the study as they are, each with its own doctrine.
    pub(super) fn as_it_is(&self, policy: Policy) -> Fielded {
        let cells = self.chosen.iter().map(|&cell| self.study.cells[cell].clone()).collect();
        Fielded { policy, cells: Study { cells, ..self.study.clone() } }
    }

    /// Battles of a cell at the first look.
    fn first_look(&self) -> u64 {
        let cells = self.chosen.len() as u64;
        self.study.whole_rounds(self.training.look.div_ceil(cells).max(FEWEST))
    }

    /// As many battles of a cell as the last look is at.
    fn last_look(&self) -> u64 {
        self.first_look() << (2 * LEFT.len())
    }

    /// The best of several changes, and what it gains over what is; none if none surely gains anything. Takes the dice from `next` on,
    /// and puts it behind them.
    pub(super) fn best_of(
        &self,
        now: &Fielded,
        candidates: &[Candidate],
        next: &mut u64,
    ) -> Option<(Fielded, String, Estimate)> {
        let mut field: Vec<(Fielded, &str, Sums)> = candidates
            .par_iter()
            .filter_map(|candidate| Some((self.field(&candidate.policy)?, candidate.says.as_str(), Sums::default())))
            .collect();
        let mut battles = self.first_look();
        for left in LEFT.into_iter().map(Some).chain([None]) {
            let range = *next..*next + battles;
            *next = range.end;
            if self.stop.is_raised() {
                return None;
            }
            let gains: Vec<Sums> =
                field.par_iter().map(|(fielded, ..)| self.gain(now, fielded, range.clone())).collect();
            for ((_, _, sums), gain) in field.iter_mut().zip(gains) {
                *sums = sum(*sums, gain);
            }
            field.retain(|(_, _, sums)| sums.sum > 0);
            // Of several that gain as much, the shortest; of several as short, the first.
            field.sort_by_key(|(fielded, _, sums)| (std::cmp::Reverse(sums.sum), rows(&fielded.policy).len()));
            field.truncate(left.unwrap_or(1));
            battles *= 4;
        }
        let (fielded, says, sums) = field.into_iter().next()?;
        let gain = self.estimate(sums, self.training.each);
        (gain.low > 0.0).then(|| (fielded, says.to_owned(), gain))
    }

    /// Whether a policy loses at most `within` against what is, as far as that can be seen.
    pub(super) fn is_as_good(&self, now: &Fielded, other: &Fielded, within: f64, next: &mut u64) -> bool {
        let range = *next..*next + self.last_look();
        *next = range.end;
        let sums = self.gain(now, other, range);
        (sums.sum == 0 && sums.squares == 0) || self.estimate(sums, self.training.each).low >= -within
    }

    /// What a policy gains, by dice that the search has not seen: over all cells together, then in each.
    pub(super) fn score(&self, before: &Fielded, after: &Fielded, level: Level) -> (Estimate, Vec<Estimate>) {
        let range = FRESH..FRESH + self.study.whole_rounds(self.training.battles);
        self.count(&range);
        let cells = 0..self.chosen.len();
        let by_cell: Vec<Vec<i32>> =
            cells.into_par_iter().map(|cell| self.differences(before, after, cell as u32, range.clone())).collect();
        let each = by_cell.iter().map(|gains| self.in_cells(sums_of(gains), 1, level)).collect();
        (self.in_cells(sums_of(&together(by_cell)), self.chosen.len(), level), each)
    }

    /// What a policy gains over another in these battles of all cells, by number of battle.
    fn gain(&self, before: &Fielded, after: &Fielded, range: Range<u64>) -> Sums {
        let what =
            || format!("{} {range:?}", sha256(format!("{}\n{}", rows(&before.policy), rows(&after.policy)).as_bytes()));
        let fight = || {
            let cells = 0..self.chosen.len();
            let by_cell: Vec<Vec<i32>> =
                cells.into_par_iter().map(|cell| self.differences(before, after, cell as u32, range.clone())).collect();
            Some(noted(sums_of(&together(by_cell))))
        };
        self.count(&range);
        let sums: Option<NotedSums> = kept(self.progress, what, fight);
        sums.map(of_noted).unwrap_or_default()
    }

    /// What it gains in the battles of a cell, one after the other, or by rounds of a study that is fought both ways.
    fn differences(&self, before: &Fielded, after: &Fielded, cell: u32, range: Range<u64>) -> Vec<i32> {
        let values = |fielded: &Fielded| -> Vec<i32> {
            let fought = Army::new(&fielded.cells).fight(cell, range.clone());
            self.progress.advance(range.end - range.start);
            let value = |outcome| self.sign * self.training.quantity.in_battle(outcome);
            fought.chunks(self.study.round()).map(|round| round.iter().map(value).sum()).collect()
        };
        values(after).into_iter().zip(values(before)).map(|(after, before)| after - before).collect()
    }

    /// Counts the battles of both policies.
    fn count(&self, range: &Range<u64>) {
        self.fought.fetch_add(2 * self.chosen.len() as u64 * (range.end - range.start), Ordering::Relaxed);
    }

    fn estimate(&self, sums: Sums, level: Level) -> Estimate {
        self.in_cells(sums, self.chosen.len(), level)
    }

    /// The mean of a battle, from sums over battles of so many cells at a time.
    fn in_cells(&self, sums: Sums, cells: usize, level: Level) -> Estimate {
        let rounds = (cells * self.study.round()) as i64;
        let most = self.training.quantity.most * rounds;
        let all = mean(sums, -most..=most, level);
        let by = rounds as f64 * f64::from(self.training.quantity.per);
        Estimate { point: all.point / by, low: all.low / by, high: all.high / by, ..all }
    }
}

/// Sums over cells, battle by battle.
fn together(by_cell: Vec<Vec<i32>>) -> Vec<i32> {
    let add = |mut sums: Vec<i32>, cell: Vec<i32>| {
        sums.iter_mut().zip(cell).for_each(|(sum, value)| *sum += value);
        sums
    };
    by_cell.into_iter().reduce(add).unwrap_or_default()
}

fn sums_of(values: &[i32]) -> Sums {
    Sums::of(values.iter().map(|&value| (value, 1)))
}

fn rows(policy: &Policy) -> String {
    policy.rows.iter().map(|row| grognard_source::Value::Table(row.table.clone()).to_string()).collect()
}
