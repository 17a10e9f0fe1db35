//! Estimates the time, disk space and precision of a study before it is fought.
//!
//! A short trial of the study's first battles measures how long a battle of each cell takes on this machine, and how
//! much battles vary. [`Trial::allocate`] divides the time among families of cells (those compared with the same
//! baseline) so that the sum of the squared errors of all differences is minimal (Neyman 1934, with unequal costs).
//! Cells that are compared battle by battle fight the same battles.
//!
//! The clock affects only the proposals, which are stated as numbers of battles.

use std::collections::BTreeMap;

use grognard_engine::Outcome;
use grognard_stats::{Level, Sums, risk_unseen, share_exact};
use rayon::prelude::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::clock::Stopwatch;
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::results::{CellHeader, Method, bytes_of_rows};
use crate::runner::{BLOCK, Fighter};
use crate::sensitivity::Quantity;
use crate::study::Study;

/// Battles in each cell in the first round of a trial; each later round at most doubles the number fought.
const FIRST: u64 = 64;
/// The share of its time that a trial may leave unused, because a round that short would measure nothing.
const LEFT: f64 = 0.05;
/// The maximum number of battles in a trial, over all cells. They are held in memory.
const HELD_MAX: u64 = 4_000_000;
/// The maximum number of battles, over all cells, that are written to measure how many bytes a kept battle takes.
const WEIGHED: u64 = 65_536;

/// A short run of a study.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Battles in each cell.
    pub battles: u64,
    /// The time it took, in seconds.
    pub took: f64,
    /// The result for each cell.
    pub cells: Vec<CellTrial>,
    /// The average number of cells fought in parallel.
    pub side_by_side: f64,
    /// Bytes on disk of a battle that is kept individually.
    pub bytes: f64,
}

/// The trial of a cell.
#[derive(Clone, Debug)]
pub struct CellTrial {
    /// The cell.
    pub header: CellHeader,
    /// Seconds that a battle keeps one thread busy.
    pub seconds: f64,
    /// Sums of the quantity over battles, or over rounds if battles are fought both ways.
    pub sums: Sums,
    /// Sums of the difference from the baseline; `None` for a baseline and for a cell without one.
    pub apart: Option<Sums>,
    /// Battles in an observation.
    pub round: u64,
}

/// Cells that fight the same battles.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// Their indices in the study.
    pub cells: Vec<usize>,
    /// The varied paths and values that they have in common and that no other cell shares completely.
    pub common: Vec<(String, String)>,
    /// The number of battles that each of them should fight.
    pub battles: u64,
    /// The approximate time that they take, in seconds.
    pub seconds: f64,
}

impl CellTrial {
    /// The expected half-width of the interval of the metric's mean after at most this many battles.
    ///
    /// A trial's estimate of a share is uncertain, and an event that it has not seen may still happen: the width is
    /// that of the share nearest to one half within the trial's 95 % interval.
    #[must_use]
    pub fn half_width(&self, quantity: &Quantity, battles: u64, level: Level) -> f64 {
        if quantity.share && self.round == 1 && self.sums.runs > 0 {
            let seen = share_exact(self.sums.sum.unsigned_abs() as u64, self.sums.runs, Level::P95);
            let widest = 0.5_f64.clamp(seen.low, seen.high);
            return share_exact((widest * battles as f64).round() as u64, battles, level).half_width();
        }
        self.expected(variance(self.sums), battles, level)
    }

    /// Like [`CellTrial::half_width`], for the difference from the baseline.
    #[must_use]
    pub fn difference_half_width(&self, quantity: &Quantity, battles: u64, level: Level) -> Option<f64> {
        let apart = self.apart?;
        let of_share = quantity.share && self.round == 1;
        // For shares, the sum of squares counts the pairs that differ, and the variance is at most their share.
        let differing = || share_exact(apart.squares as u64, apart.runs, Level::P95).high;
        Some(self.expected(if of_share { differing() } else { variance(apart) }, battles, level))
    }

    fn expected(&self, variance: f64, battles: u64, level: Level) -> f64 {
        level.z() * (variance / self.round as f64 / battles.max(1) as f64).sqrt()
    }

    /// The variance to minimise: for one battle, that of the difference from the baseline, or of the metric itself.
    fn error(&self, alone: bool) -> f64 {
        match self.apart {
            Some(apart) => variance(apart) / self.round as f64,
            None if alone => variance(self.sums) / self.round as f64,
            None => 0.0,
        }
    }
}

/// The variance of observations, but at least that of differences of 1 that may have gone unseen.
fn variance(sums: Sums) -> f64 {
    sums.variance().max(risk_unseen(sums.runs, Level::P95))
}

impl Trial {
    /// Fights the first battles of every cell, for about this many seconds; `None` if it was stopped.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn fight(
        study: &Study,
        quantity: &Quantity,
        threads: usize,
        seconds: f64,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Option<Self>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(pool.install(|| fight(study, quantity, seconds, progress, stop)))
    }

    /// The approximate time in seconds for this many battles in each cell.
    #[must_use]
    pub fn seconds(&self, battles: u64) -> f64 {
        self.of_battle(0..self.cells.len()) * battles as f64
    }

    /// Seconds that one more battle of each of these cells takes.
    fn of_battle(&self, cells: impl IntoIterator<Item = usize>) -> f64 {
        cells.into_iter().map(|cell| self.cells[cell].seconds).sum::<f64>() / self.side_by_side
    }

    /// Divides `seconds` among the families, in whole blocks of battles, at least one block for each.
    #[must_use]
    pub fn allocate(&self, seconds: f64) -> Vec<Family> {
        let mut families = families(&self.cells);
        let shares: Vec<(f64, f64)> = families
            .iter()
            .map(|family| {
                let alone = family.cells.iter().all(|&cell| self.cells[cell].apart.is_none());
                let error = family.cells.iter().map(|&cell| self.cells[cell].error(alone)).sum::<f64>();
                (error, self.of_battle(family.cells.iter().copied()))
            })
            .collect();
        let battles = shared_out(&shares, seconds);
        for ((family, (_, cost)), battles) in families.iter_mut().zip(&shares).zip(battles) {
            family.battles = battles;
            family.seconds = cost * battles as f64;
        }
        families
    }
}

fn fight(study: &Study, quantity: &Quantity, seconds: f64, progress: &dyn Progress, stop: &Stop) -> Option<Trial> {
    let fighter = MemoisedCells::new(study);
    let cells = study.cells.len() as u64;
    let most = (HELD_MAX / cells).max(FIRST) / 2 * 2;
    let mut outcomes: Vec<Vec<Outcome>> = vec![Vec::new(); study.cells.len()];
    let mut busy = vec![0.0; study.cells.len()];
    let mut pace = Pace::new(seconds, most);
    let started = Stopwatch::start();
    // Time in seconds, and battles of each cell, in the measured rounds.
    let (mut elapsed, mut measured) = (0.0, 0);
    while let Some(Round { from, to, counts }) = pace.next(started.elapsed().as_secs_f64()) {
        let round = Stopwatch::start();
        let one = |cell: u32| {
            let watch = Stopwatch::start();
            let fought = (!stop.is_raised()).then(|| fighter.fight(cell, from..to));
            progress.advance(to - from);
            Some((fought?, watch.elapsed().as_secs_f64()))
        };
        let fought: Option<Vec<_>> = (0..study.cells.len() as u32).into_par_iter().with_max_len(1).map(one).collect();
        if !counts {
            (elapsed, measured) = (0.0, 0);
            busy.fill(0.0);
        }
        elapsed += round.elapsed().as_secs_f64();
        measured += to - from;
        for (cell, (more, seconds)) in fought?.into_iter().enumerate() {
            outcomes[cell].extend(more);
            busy[cell] += seconds;
        }
    }
    let battles = pace.battles;
    let took = started.elapsed().as_secs_f64();
    let side_by_side = (busy.iter().sum::<f64>() / elapsed.max(1e-9)).max(0.1);
    busy.iter_mut().for_each(|seconds| *seconds /= measured.max(1) as f64);
    let round = study.round();
    let weighed = battles.min((WEIGHED / cells).max(FIRST));
    let rows: Vec<&[Outcome]> = outcomes.iter().map(|own| &own[..weighed as usize]).collect();
    let bytes = bytes_of_rows(&rows, &study.manifest(Method::Sampled))
        .map_or(0.0, |bytes| bytes as f64 / (weighed * cells).max(1) as f64);
    let cell = |(place, header): (usize, &CellHeader)| {
        let own = &outcomes[place];
        let baseline = header.baseline.map(|baseline| baseline as usize).filter(|&baseline| baseline != place);
        CellTrial {
            header: header.clone(),
            seconds: busy[place],
            sums: quantity.sums(own, None, round),
            apart: baseline.map(|baseline| quantity.sums(own, Some(outcomes[baseline].as_slice()), round)),
            round: round as u64,
        }
    };
    let headers = study.cells.iter().map(|cell| &cell.header).enumerate();
    Some(Trial { battles, took, cells: headers.map(cell).collect(), side_by_side, bytes })
}

/// Battles in each cell that a trial fights next.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Round {
    from: u64,
    to: u64,
    /// Whether the battles before this round are included in the measurement. Early ones are not, because the cache
    /// fills up only later.
    counts: bool,
}

/// How a trial spends its time: each round takes as long as all earlier ones together, and the last one no longer than
/// the time left.
#[derive(Clone, Debug)]
struct Pace {
    /// Seconds to spend.
    seconds: f64,
    /// The maximum number of battles in each cell.
    most: u64,
    /// The number of battles in each cell fought so far.
    battles: u64,
    /// The start of the last round: in battles and in seconds.
    last: (u64, f64),
    /// Whether the last round began late enough to be measured.
    warm: bool,
}

impl Pace {
    fn new(seconds: f64, most: u64) -> Self {
        Self { seconds, most, battles: 0, last: (0, 0.0), warm: false }
    }

    /// The round to fight after this many seconds; `None` if time is up.
    fn next(&mut self, elapsed: f64) -> Option<Round> {
        let left = self.seconds - elapsed;
        if self.battles > 0 && (self.battles >= self.most || left < LEFT * self.seconds) {
            return None;
        }
        // The number of battles that fit into the time left, at the speed of the last round.
        let rate = (self.battles - self.last.0) as f64 / (elapsed - self.last.1).max(1e-9);
        let room = if self.battles == 0 { FIRST } else { (rate * left) as u64 };
        let round = self.battles.max(FIRST).min(room).min(self.most - self.battles).max(2) / 2 * 2;
        let from = self.battles;
        self.last = (from, elapsed);
        self.battles += round;
        // The first quarter of the time is for warming up.
        let counts = self.warm;
        self.warm = elapsed >= self.seconds / 4.0;
        Some(Round { from, to: self.battles, counts })
    }
}

/// The cells by baseline; a cell without one is on its own.
fn families(cells: &[CellTrial]) -> Vec<Family> {
    let mut families: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, cell) in cells.iter().enumerate() {
        families.entry(cell.header.baseline.map_or(place, |baseline| baseline as usize)).or_default().push(place);
    }
    let common = |family: &[usize]| {
        let header = |place: &usize| &cells[*place].header;
        let has = |cell: &CellHeader, path: &str, value: &str| {
            cell.vary.iter().any(|setting| setting.path == path && setting.value.text == value)
        };
        let Some(first) = family.first().map(header) else { return Vec::new() };
        let settings = first.vary.iter().map(|setting| (setting.path.clone(), setting.value.text.clone()));
        settings.filter(|(path, value)| family.iter().map(header).all(|cell| has(cell, path, value))).collect()
    };
    families.into_values().map(|cells| Family { common: common(&cells), cells, battles: 0, seconds: 0.0 }).collect()
}

/// Battles for each family, in whole blocks: in proportion to the root of its error over its cost, at least one block.
fn shared_out(families: &[(f64, f64)], seconds: f64) -> Vec<u64> {
    let block = u64::from(BLOCK);
    let all: f64 = families.iter().map(|(error, cost)| (error * cost).sqrt()).sum();
    let battles = |(error, cost): &(f64, f64)| {
        let battles = seconds * (error / cost.max(1e-12)).sqrt() / all.max(1e-300);
        ((battles / block as f64).floor() as u64).clamp(1, crate::RUNS_MAX / block) * block
    };
    families.iter().map(battles).collect()
}

#[cfg(test)]
mod tests {
    use grognard_source::Sources;

    use super::*;
    use crate::progress::Silent;
    use crate::study::Changes;

    fn study() -> Study {
        let mut sources = Sources::new();
        let text = "study = 'duel'\npack = 'risk'\nturns = 60\nruns = 4096\n[vary]\n'defender.0.figures' = [1, 5, 9]\n\
            'attacker.0.figures' = [1, 9]\n[side.attacker]\nunits = [{ type = 'army' }]\n[side.defender]\n\
            units = [{ type = 'army' }]\n[report]\nbaseline = { 'attacker.0.figures' = 1 }\n";
        let file = sources.add("study.toml", text);
        Study::read(file, None, &Changes::default(), &mut sources).expect("a good study")
    }

    fn trial(study: &Study) -> Trial {
        let quantity = Quantity::of(study, None).expect("the first side's wins");
        let trial = Trial::fight(study, &quantity, 2, 0.3, &Silent, &Stop::new());
        trial.expect("threads").expect("nobody stops it")
    }

    #[test]
    fn a_trial_knows_how_sharp_a_run_will_be() {
        let study = study();
        let trial = trial(&study);
        assert!(trial.battles >= 64 && trial.took > 0.0 && trial.cells.len() == 6, "{trial:?}");
        assert!(trial.bytes > 0.0 && trial.seconds(1_000) > 0.0);
        let quantity = Quantity::of(&study, None).expect("the first side's wins");
        // One against one: the attacker wins 15 of 36 (Osborne 2003). The interval is z √(p (1 - p) / n). For a share
        // of one half it would be 1.4 % wider, and no trial expects more.
        let half_width = trial.cells[0].half_width(&quantity, 1_000_000, Level::P95);
        let expected = 1.959_964 * (15.0 / 36.0 * 21.0 / 36.0 / 1e6_f64).sqrt();
        assert!((0.98..1.03).contains(&(half_width / expected)), "{half_width} and not {expected}");
        assert!(trial.cells[0].apart.is_none() && trial.cells[1].apart.is_some());
        let difference =
            trial.cells[1].difference_half_width(&quantity, 1_000_000, Level::P95).expect("it has a baseline");
        assert!(difference > 0.0 && difference < 3.0 * expected);
    }

    /// An event that a trial of 1,000 battles has not seen may happen in 3.7 of them (Clopper and Pearson).
    #[test]
    fn what_a_trial_has_not_seen_is_not_taken_to_be_impossible() {
        let study = study();
        let quantity = Quantity::of(&study, None).expect("the first side's wins");
        let of = |sum: i128| CellTrial {
            header: study.cells[1].header.clone(),
            seconds: 1e-6,
            sums: Sums { runs: 1_000, sum, squares: sum as u128 },
            apart: Some(Sums { runs: 1_000, ..Sums::default() }),
            round: 1,
        };
        let rare = 1.959_964 * (0.003_68 / 1e6_f64).sqrt();
        for unseen in [of(0), of(1_000)] {
            let half_width = unseen.half_width(&quantity, 1_000_000, Level::P95);
            assert!((0.98..1.05).contains(&(half_width / rare)), "{half_width} and not {rare}");
        }
        let apart = of(0).difference_half_width(&quantity, 1_000_000, Level::P95).expect("it has a baseline");
        assert!((0.98..1.05).contains(&(apart / rare)), "{apart} and not {rare}");
    }

    /// Machines that fight from three hundred to ten million battles a second once they are warm, and a third as many
    /// before that.
    #[test]
    fn a_trial_spends_the_time_it_is_given() {
        for rate in [300.0, 1e4, 1e6, 1e7] {
            let mut pace = Pace::new(2.0, 1 << 40);
            let (mut clock, mut measured, mut seconds) = (0.0, 0, 0.0);
            while let Some(Round { from, to, counts }) = pace.next(clock) {
                let speed = if clock < 0.3 { rate / 3.0 } else { rate };
                let took = (to - from) as f64 / speed;
                (measured, seconds) = if counts { (measured, seconds) } else { (0, 0.0) };
                (measured, seconds, clock) = (measured + (to - from), seconds + took, clock + took);
            }
            assert!((1.8..2.4).contains(&clock), "{rate}: {clock} s");
            assert!(
                seconds > 0.4 && (measured as f64 / seconds / rate - 1.0).abs() < 0.35,
                "{rate}: {measured} in {seconds}"
            );
        }
        // A trial ends when it has fought as many battles as fit in memory.
        let mut pace = Pace::new(2.0, 1_000);
        let rounds: Vec<Round> = std::iter::from_fn(|| pace.next(0.001)).collect();
        assert_eq!(rounds.last().map(|round| round.to), Some(1_000));
        assert!(rounds.windows(2).all(|pair| pair[0].to == pair[1].from));
    }

    #[test]
    fn families_are_those_of_one_baseline() {
        let trial = trial(&study());
        let families = trial.allocate(10.0);
        let cells: Vec<&[usize]> = families.iter().map(|family| family.cells.as_slice()).collect();
        assert_eq!(cells, [&[0, 1][..], &[2, 3], &[4, 5]]);
        assert_eq!(families[1].common, [("defender.0.figures".to_owned(), "5".to_owned())]);
        assert!(families.iter().all(|family| family.battles.is_multiple_of(4_096) && family.battles > 0));
        let seconds: f64 = families.iter().map(|family| family.seconds).sum();
        assert!((8.0..=10.0 + 1e-6).contains(&seconds) || families.iter().any(|family| family.battles == 4_096));
    }

    #[test]
    fn time_goes_where_it_sharpens_the_answer_most() {
        let block = 4_096;
        // The same cost and four times the variance: twice the battles.
        assert_eq!(
            shared_out(&[(0.25, 1e-6), (0.062_5, 1e-6)], 3.001 * block as f64 * 1e-4),
            [200 * block, 100 * block]
        );
        // Four times the cost and the same variance: half the battles.
        assert_eq!(shared_out(&[(0.25, 1e-6), (0.25, 4e-6)], 3.001 * block as f64 * 1e-4), [100 * block, 50 * block]);
        assert_eq!(shared_out(&[(0.25, 1.0), (0.25, 1.0)], 0.0), [block, block]);
        // No other way of spending the same time has a smaller sum of squared errors.
        let families = [(0.25, 1e-6), (0.1, 3e-6), (0.02, 5e-7)];
        let best = shared_out(&families, 100.0);
        let error =
            |battles: &[f64]| families.iter().zip(battles).map(|((error, _), battles)| error / battles).sum::<f64>();
        let best: Vec<f64> = best.into_iter().map(|battles| battles as f64).collect();
        for (from, to) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
            let mut other = best.clone();
            let moved = 0.05 * best[from];
            other[from] -= moved;
            other[to] += moved * families[from].1 / families[to].1;
            assert!(error(&other) > error(&best), "{from} to {to}");
        }
    }
}
