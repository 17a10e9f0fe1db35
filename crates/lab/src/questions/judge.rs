//! Judging: does a study meet its targets?

use std::ops::Range;

use grognard_engine::Outcome;
use grognard_exact::Limits;
use grognard_stats::{Estimate, Level, bonferroni};
use serde_json::Value as Json;

use super::demand::metric;
use super::lane::{Counts, Lane, Reading};
use super::solved::{CellTooLarge, all_or_first_error, mean, solve};
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::record::{Known, kept, known};
use crate::runner::Fighter;
use crate::sensitivity::Quantity;
use crate::study::{Study, Target};

/// A target that is missed by this share of battles is missed beyond doubt: half a point.
pub const MARGIN: f64 = 0.005;

/// Settings for judging.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The maximum number of battles in each cell.
    pub battles: u64,
    /// The simultaneous confidence level of all intervals.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
    /// Limits for computing the odds instead of fighting; `None` to fight.
    pub exact: Option<Limits>,
}

/// Whether a target is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The whole interval lies in the band in every cell.
    Met,
    /// The whole interval lies outside the band in at least one cell.
    Missed,
    /// Neither is certain.
    Undecided,
}

/// The verdicts on all targets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdicts {
    /// The verdicts, in the order of the study's targets.
    pub targets: Vec<Judged>,
    /// Battles fought.
    pub fought: u64,
    /// The number of simultaneous intervals.
    pub intervals: usize,
    /// Whether it was stopped before everything was decided.
    pub stopped: bool,
}

impl Verdicts {
    /// The target that lies farthest beyond its band, or nearest to its edge: the one to fix first. `None` if there are
    /// no targets.
    #[must_use]
    pub fn farthest(&self) -> Option<&Judged> {
        self.targets.iter().min_by(|one, other| one.room().total_cmp(&other.room()))
    }

    /// Missed if any target is; otherwise undecided if any is; otherwise met.
    #[must_use]
    pub fn state(&self) -> State {
        all(self.targets.iter().map(|target| target.state))
    }
}

/// The verdict on a target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Judged {
    /// The target.
    pub target: Target,
    /// Whether it is met.
    pub state: State,
    /// Its cells, in order.
    pub cells: Vec<JudgedCell>,
}

impl Judged {
    /// The cell that decides: the one farthest beyond the band, or nearest to its edge; `None` before the first battle.
    #[must_use]
    pub fn worst(&self) -> Option<&JudgedCell> {
        let room = |cell: &&JudgedCell| self.target.room(cell.metric.point);
        self.cells.iter().min_by(|one, other| room(one).total_cmp(&room(other)))
    }

    /// A bound on the distance of all undecided cells from an end of the band; `None` if one of them was not examined,
    /// or for a mean.
    #[must_use]
    pub fn nearness(&self) -> Option<f64> {
        let (low, high) = self.target.band;
        let near = |cell: &JudgedCell| {
            let Estimate { low: from, high: to, .. } = cell.metric;
            let beyond = |end: f64| (end - from).max(to - end);
            [low, high].into_iter().filter(|end| (from..=to).contains(end)).map(beyond).fold(f64::MAX, f64::min)
        };
        let open = self.cells.iter().filter(|cell| cell.state == State::Undecided);
        (self.target.share && self.cells.len() == self.target.cells.len()).then(|| open.map(near).fold(0.0, f64::max))
    }

    /// Whether it is certainly missed by more than this share of battles in one cell; or, if it is about a mean, missed
    /// at all.
    #[must_use]
    pub fn is_missed_by(&self, margin: f64) -> bool {
        let most = if self.target.share { margin } else { 0.0 };
        self.cells.iter().any(|cell| beyond(&cell.metric, self.target.band) > most)
    }

    /// The margin of its worst cell within the band, as a share of half the band's width; below 0 outside the band.
    #[must_use]
    pub fn room(&self) -> f64 {
        let (low, high) = self.target.band;
        self.worst().map_or(0.0, |worst| 2.0 * self.target.room(worst.metric.point) / (high - low))
    }
}

/// The distance by which an interval lies beyond a band; 0 or less if it does not.
fn beyond(metric: &Estimate, (low, high): (f64, f64)) -> f64 {
    (low - metric.high).max(metric.low - high)
}

/// A target in one cell.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct JudgedCell {
    /// The cell's number.
    pub cell: u32,
    /// The metric, or its difference from the baseline's; the intervals of all targets and cells are simultaneous.
    pub metric: Estimate,
    /// Whether the target is met there.
    pub state: State,
}

/// Why nothing could be judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// A cell is too large to compute.
    #[error(transparent)]
    TooLarge(#[from] CellTooLarge),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The combined state of several targets or cells: missed if any is; otherwise undecided if any is; otherwise met.
pub(super) fn all(states: impl Iterator<Item = State>) -> State {
    states.fold(State::Met, |one, other| match (one, other) {
        (State::Missed, _) | (_, State::Missed) => State::Missed,
        (State::Undecided, _) | (_, State::Undecided) => State::Undecided,
        _ => State::Met,
    })
}

fn state(metric: &Estimate, (low, high): (f64, f64)) -> State {
    if metric.low >= low && metric.high <= high {
        State::Met
    } else if beyond(metric, (low, high)) > 0.0 {
        State::Missed
    } else {
        State::Undecided
    }
}

/// The cells that targets are about, by number.
#[must_use]
pub fn cells_of(targets: &[Target]) -> Vec<u32> {
    let mut cells: Vec<u32> = targets.iter().flat_map(|target| target.cells.clone()).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// A target in one cell.
pub(super) struct Look<'t> {
    /// The index of the target among all targets.
    pub(super) place: usize,
    target: &'t Target,
    quantity: Quantity,
    lane: Lane,
    metric: Option<Estimate>,
}

impl Judge {
    /// Fights every cell until all of its targets are decided there, all battles are fought, or `stop` is raised.
    ///
    /// If it is stopped, its results are still valid, and [`Verdicts::stopped`] is set.
    ///
    /// # Errors
    /// See [`JudgeError`].
    pub fn run(&self, study: &Study, progress: &dyn Progress, stop: &Stop) -> Result<Verdicts, JudgeError> {
        let intervals = study.targets.iter().map(|target| target.cells.len()).sum::<usize>();
        let each = bonferroni(self.level, intervals);
        let cells = cells_of(&study.targets);
        let fighter = MemoisedCells::new(study);
        let count = |cell, range: &Range<u64>, looks: &[Look<'_>]| {
            Some(counted(study, cell, looks, |cell| fighter.fight(cell, range.clone())))
        };
        let (targets, about) = (&study.targets, String::new());
        let at = Bench { judge: self, targets, study, count: &count, each, about, patience: None, progress, stop };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let looked = pool.install(|| all_or_first_error(&cells, |&cell| at.judge(cell)))?;
        let fought = looked.iter().map(|(_, _, battles)| battles).sum();
        Ok(Verdicts { targets: judged(&study.targets, &looked), fought, intervals, stopped: stop.is_raised() })
    }
}

/// The verdict on each target, from the looks at the cells.
pub(super) fn judged(targets: &[Target], looked: &[Looked<'_>]) -> Vec<Judged> {
    let judged = |(place, target): (usize, &Target)| {
        let own = looked.iter().flat_map(|(cell, looks, _)| looks.iter().map(move |look| (*cell, look)));
        let own = own.filter(|(_, look)| look.place == place);
        let cell = |(cell, look): (u32, &Look<'_>)| {
            let metric = look.metric?;
            Some(JudgedCell { cell, metric, state: state(&metric, target.band) })
        };
        let cells: Vec<JudgedCell> = own.filter_map(cell).collect();
        // A cell without any data yet is undecided.
        let unknown = if cells.len() < target.cells.len() { State::Undecided } else { State::Met };
        let state = all(cells.iter().map(|cell| cell.state).chain([unknown]));
        Judged { target: target.clone(), state, cells }
    };
    targets.iter().enumerate().map(judged).collect()
}

/// A cell, the looks at its targets, and the number of battles that they took.
pub(super) type Looked<'t> = (u32, Vec<Look<'t>>, u64);

/// See [`Bench::count`].
pub(super) type Count<'c> = dyn Fn(u32, &Range<u64>, &[Look<'_>]) -> Option<Vec<Counts>> + Sync + 'c;

/// The counts of each target's values in battles of a cell. `fight` fights these battles in a cell; those of the
/// baseline are fought too if one of the targets is about a difference.
pub(super) fn counted(
    study: &Study,
    cell: u32,
    looks: &[Look<'_>],
    fight: impl Fn(u32) -> Vec<Outcome>,
) -> Vec<Counts> {
    let own = fight(cell);
    let base = baseline(study, cell, looks).map(fight);
    let count = |look: &Look<'_>| {
        let reading = Reading { quantity: &look.quantity, round: study.round() };
        reading.counts(&own, base.as_deref().filter(|_| look.target.difference))
    };
    looks.iter().map(count).collect()
}

/// The baseline for differences, if one of the targets is about a difference.
fn baseline(study: &Study, cell: u32, looks: &[Look<'_>]) -> Option<u32> {
    let differs = looks.iter().any(|look| look.target.difference);
    study.cells[cell as usize].header.baseline.filter(|_| differs)
}

/// The setting in which cells are judged.
pub(super) struct Bench<'a> {
    /// The number of battles, or the limits.
    pub(super) judge: &'a Judge,
    /// The targets, which may be those of a study with changed numbers.
    pub(super) targets: &'a [Target],
    /// The cells, which may be fought with changed numbers.
    pub(super) study: &'a Study,
    /// The counts of each target's values in battles of a cell; `None` if the rules refuse the changed numbers.
    pub(super) count: &'a Count<'a>,
    /// The level of each interval.
    pub(super) each: Level,
    /// A short name for the battles in the record: the change of numbers.
    pub(super) about: String,
    /// Drops a cell once it misses a target by more than [`MARGIN`], or after this many battles in any case, regardless
    /// of the other targets. `None` decides all targets.
    pub(super) patience: Option<u64>,
    pub(super) progress: &'a dyn Progress,
    pub(super) stop: &'a Stop,
}

/// The name of battles in the record. The cells of a changed study are examined in sequence, and form one series.
fn battles_of(about: &str, cell: u32, range: &Range<u64>) -> (String, String) {
    match about.is_empty() {
        true => (format!("cell {cell} "), format!("{range:?}")),
        false => (about.to_owned(), format!("cell {cell} {range:?}")),
    }
}

/// Whether another process is fighting the battles of a changed study, judging by the first look at its first cell.
pub(super) fn is_left(progress: &dyn Progress, about: &str, cell: u32, most: u64) -> bool {
    let first = 0..Lane::default().next_look(most);
    !about.is_empty() && matches!(known::<Json>(progress, &battles_of(about, cell, &first).into()), Known::Left)
}

impl<'a> Bench<'a> {
    /// Judges all targets of a cell. Also returns the number of battles.
    pub(super) fn judge(&self, cell: u32) -> Result<Looked<'a>, JudgeError> {
        let targets = self.targets.iter().enumerate().filter(|(_, target)| target.cells.contains(&cell));
        let look = |(place, target): (usize, &'a Target)| {
            let quantity = metric(self.study, &target.metric)?;
            Some(Look { place, target, quantity, lane: Lane::default(), metric: None })
        };
        let mut looks: Vec<Look<'a>> = targets.filter_map(look).collect();
        let fought = match &self.judge.exact {
            Some(limits) => {
                self.solve(cell, limits, &mut looks)?;
                0
            }
            None => self.fight(cell, &mut looks),
        };
        Ok((cell, looks, fought))
    }

    fn fight(&self, cell: u32, looks: &mut [Look<'_>]) -> u64 {
        let (most, round) = (self.judge.battles, self.study.round());
        let baseline = baseline(self.study, cell, looks);
        let (mut battles, mut fought) = (0, 0);
        while battles < most && !self.stop.is_raised() {
            let next = looks.first().map_or(most, |look| look.lane.next_look(most));
            let range = battles..next;
            let name = || battles_of(&self.about, cell, &range);
            let counts = kept(self.progress, name, || (self.count)(cell, &range, looks));
            let Some(counts) = counts else { break };
            self.progress.advance(next - battles);
            fought += (next - battles) * if baseline.is_some() { 2 } else { 1 };
            battles = next;
            let mut open = false;
            for (look, counts) in looks.iter_mut().zip(counts) {
                let reading = Reading { quantity: &look.quantity, round };
                look.lane.add(counts, battles, baseline.is_some() && look.target.difference);
                let metric = look.lane.estimate(reading, self.each);
                open |= state(&metric, look.target.band) == State::Undecided;
                look.metric = Some(metric);
            }
            if self.is_dismissed(looks, battles).unwrap_or(!open) {
                self.progress.advance(most - battles);
                break;
            }
        }
        fought
    }

    /// Whether a cell that misses a target needs no more battles; `None` if it does not miss any, or if all targets
    /// must be decided.
    fn is_dismissed(&self, looks: &[Look<'_>], battles: u64) -> Option<bool> {
        let patience = self.patience?;
        let missed_by = |look: &Look<'_>| {
            let by = beyond(look.metric.as_ref()?, look.target.band);
            (by > 0.0).then_some(if look.target.share { by } else { f64::MAX })
        };
        let most = looks.iter().filter_map(missed_by).reduce(f64::max)?;
        Some(most > MARGIN || battles >= patience)
    }

    fn solve(&self, cell: u32, limits: &Limits, looks: &mut [Look<'_>]) -> Result<(), JudgeError> {
        let solve = |cell: u32| solve(&self.study.cells[cell as usize], limits, self.progress, self.stop);
        let Some(own) = solve(cell)? else { return Ok(()) };
        let baseline = baseline(self.study, cell, looks);
        let base = baseline.map(solve).transpose()?.flatten();
        if base.is_none() && baseline.is_some() {
            return Ok(());
        }
        for look in looks {
            let own = mean(&look.quantity, &own);
            let base = base.as_ref().filter(|_| look.target.difference).map(|base| mean(&look.quantity, base));
            look.metric = Some(match base {
                None => own,
                Some(base) => Estimate::bounded(own.point - base.point, own.low - base.high, own.high - base.low),
            });
        }
        Ok(())
    }
}
