//! Tuning: what is the smallest change to printed numbers that meets all targets?

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use grognard_stats::{Level, bonferroni};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use super::judge::{Bench, Judge, Judged, Look, MARGIN, State, all, cells_of, counted, is_left, judged};
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Silent, Stop};
use crate::record::{What, is_noted, is_open, note};
use crate::runner::Fighter;
use crate::study::{Change, Number, Study, Variants};

/// Battles in a cell after which a candidate that neither certainly meets nor certainly misses the targets is set aside
/// until all candidates of its size have been tried.
const PATIENCE: u64 = 1 << 14;

/// A search for the smallest change that meets all targets of a study.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The numbers that may be changed.
    pub numbers: Vec<Number>,
    /// The maximum number of numbers changed together.
    pub changes: usize,
    /// The maximum number of pips by which one of them is changed.
    pub pips: i64,
    /// The maximum number of candidates tried, smallest first.
    pub candidates: usize,
    /// The maximum number of battles in a cell for one candidate.
    pub battles: u64,
    /// Simultaneous confidence level of all intervals of all candidates.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// A change of some numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The numbers, by index in [`Tuning::numbers`], and the number of pips by which each is changed.
    pub moves: Vec<(usize, i64)>,
}

impl Candidate {
    /// The size of a change: the number of numbers changed, then the total number of pips.
    #[must_use]
    pub fn size(&self) -> (usize, i64) {
        (self.moves.len(), self.moves.iter().map(|(_, pips)| pips.abs()).sum())
    }
}

/// The result of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tuned {
    /// The targets with the numbers as they are.
    pub now: Vec<Judged>,
    /// The smallest change that certainly meets all targets, with the results under it; `None` if none was found.
    pub found: Option<(Candidate, Vec<Judged>)>,
    /// Others of the same size that certainly meet all targets.
    pub runners_up: Vec<(Candidate, Vec<Judged>)>,
    /// The number of candidates of that size or smaller, or of all candidates if nothing was found. The unchanged rules
    /// count as one.
    pub tried: usize,
    /// The number of candidates that certainly miss a target.
    pub ruled_out: usize,
    /// The number of these, smaller than the change found, that do not certainly miss any target by more than
    /// [`MARGIN`].
    pub narrowly: usize,
    /// Candidates that neither certainly meet nor certainly miss the targets, with their effect on the targets as far
    /// as known.
    pub undecided: Vec<(Candidate, Vec<Judged>)>,
    /// The number of candidates that the rules do not allow.
    pub refused: usize,
    /// The number of candidates over which the intervals are simultaneous.
    pub candidates: usize,
    /// Whether there are more candidates within the limits than may be tried.
    pub cut: bool,
    /// Battles fought.
    pub fought: u64,
    /// Whether it was stopped.
    pub stopped: bool,
}

/// The result for a candidate.
struct Tried {
    state: State,
    targets: Vec<Judged>,
    fought: u64,
}

impl Tried {
    /// Judges the cells of all targets in sequence, until a target is missed.
    fn of(bench: &Bench<'_>) -> Self {
        let mut looked = Vec::new();
        for cell in cells_of(bench.targets) {
            let Ok(look) = bench.judge(cell) else { continue };
            looked.push(look);
            let missed = judged(bench.targets, &looked).iter().any(|target| target.state == State::Missed);
            if bench.patience.is_some() && missed {
                break;
            }
        }
        let fought = looked.iter().map(|(_, _, battles)| battles).sum();
        let targets = judged(bench.targets, &looked);
        Self { state: all(targets.iter().map(|target| target.state)), targets, fought }
    }

    /// Whether it does not certainly miss any target by more than [`MARGIN`].
    fn is_narrow(&self) -> bool {
        !self.targets.iter().any(|target| target.is_missed_by(MARGIN))
    }
}

/// Counts to search with instead of battles: how often each value of a target occurs in battles of a cell under a
/// candidate. It gets the candidate, the index of the target, the cell and the numbers of the battles.
pub type Draw<'a> = dyn Fn(&Candidate, usize, u32, &Range<u64>) -> BTreeMap<i32, u64> + Sync + 'a;

impl Tuning {
    /// The default maximum number of numbers changed together.
    pub const CHANGES: usize = 2;
    /// The default maximum number of pips for each.
    pub const PIPS: i64 = 3;
    /// The default maximum number of candidates.
    pub const CANDIDATES: usize = 1_000;
    /// The default maximum number of battles in a cell for one candidate.
    pub const BATTLES: u64 = 200_000;

    /// The candidates in the order in which they are tried: the unchanged rules first, then by size.
    #[must_use]
    pub fn all(&self) -> Vec<Candidate> {
        let mut all = vec![Candidate { moves: Vec::new() }];
        for count in 1..=self.changes.min(self.numbers.len()) {
            for pips in count as i64..=self.pips.saturating_mul(count as i64) {
                self.extend(&mut Vec::new(), count, pips, &mut all);
            }
        }
        all
    }

    /// The number of candidates within the limits on numbers and pips, however many of them are tried.
    #[must_use]
    pub fn possible(&self) -> u64 {
        let (numbers, steps) = (self.numbers.len() as u128, 2 * u128::from(self.pips.unsigned_abs()));
        let (mut all, mut ways) = (1_u128, 1_u128);
        for count in 1..=numbers.min(self.changes as u128) {
            ways = ways.saturating_mul((numbers + 1 - count) * steps) / count;
            all = all.saturating_add(ways);
        }
        u64::try_from(all).unwrap_or(u64::MAX)
    }

    /// Adds the candidates that change `count` more numbers by `pips` pips together, while there is room.
    fn extend(&self, moves: &mut Vec<(usize, i64)>, count: usize, pips: i64, all: &mut Vec<Candidate>) {
        if count == 0 {
            all.push(Candidate { moves: moves.clone() });
            return;
        }
        // Each of the others takes at least one pip and at most `self.pips`.
        let others = count as i64 - 1;
        let (least, most) = ((pips - others.saturating_mul(self.pips)).max(1), (pips - others).min(self.pips));
        let first = moves.last().map_or(0, |(number, _)| number + 1);
        for number in first..self.numbers.len() {
            for own in (least..=most).flat_map(|own| [own, -own]) {
                if all.len() >= self.candidates.max(1) {
                    return;
                }
                moves.push((number, own));
                self.extend(moves, count - 1, pips - own.abs(), all);
                moves.pop();
            }
        }
    }

    /// The approximate maximum number of battles, for progress.
    #[must_use]
    pub fn battles_about(&self, study: &Study) -> u64 {
        self.all().len() as u64 * cells_of(&study.targets).len() as u64 * PATIENCE.min(self.battles)
    }

    /// The values that a candidate gives its numbers.
    #[must_use]
    pub fn changes_of(&self, candidate: &Candidate) -> Vec<Change<'_>> {
        let change = |&(number, pips): &(usize, i64)| {
            let number = &self.numbers[number];
            Change { number, value: number.value.saturating_add(pips.saturating_mul(number.pip)) }
        };
        candidate.moves.iter().map(change).collect()
    }

    /// Tests the unchanged rules first, with the battles of a candidate's first look. Returns the result if they
    /// certainly meet all targets.
    ///
    /// The intervals allow for the largest number of candidates, so they hold whether or not a search follows.
    ///
    /// # Errors
    /// The worker threads cannot be started.
    pub fn as_they_are(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Option<Tuned>, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let race = Race { tuning: self, study, variants, each: each(self, study, self.candidates), progress, stop };
        let unchanged = Candidate { moves: Vec::new() };
        let tried = pool.install(|| race.run(&unchanged, PATIENCE.min(self.battles)));
        let met = tried.filter(|tried| tried.state == State::Met);
        Ok(met.map(|Tried { targets, fought, .. }| Tuned {
            now: targets.clone(),
            found: Some((unchanged, targets)),
            tried: 1,
            fought,
            ..Tuned::new(1)
        }))
    }

    /// Runs the search.
    ///
    /// If it is stopped, its results are still valid, and [`Tuned::stopped`] is set.
    ///
    /// # Errors
    /// The worker threads cannot be started.
    pub fn run(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Tuned, rayon::ThreadPoolBuildError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let each = each(self, study, self.all().len());
        let race = Race { tuning: self, study, variants, each, progress, stop };
        Ok(pool.install(|| self.search(&|candidate, battles| race.run(candidate, battles), progress, stop)))
    }

    /// The search on the threads of the caller, with counts that are drawn instead of counted in battles: for
    /// simulations with known true values.
    #[must_use]
    pub fn run_on(&self, study: &Study, draw: &Draw<'_>) -> Tuned {
        let (progress, stop, each) = (&Silent, &Stop::new(), each(self, study, self.all().len()));
        let try_out = |candidate: &Candidate, battles: u64| {
            let count = |cell: u32, range: &Range<u64>, looks: &[Look<'_>]| {
                Some(looks.iter().map(|look| draw(candidate, look.place, cell, range)).collect())
            };
            let judge = self.judge(battles);
            let (targets, about, patience) = (&study.targets, String::new(), patience(candidate));
            let bench = Bench { judge: &judge, targets, study, count: &count, each, about, patience, progress, stop };
            Some(Tried::of(&bench))
        };
        self.search(&try_out, progress, stop)
    }

    /// The judge of a candidate, with at most this many battles in each cell.
    fn judge(&self, battles: u64) -> Judge {
        Judge { battles, level: self.level, threads: 0, exact: None }
    }

    /// Tries the candidates with `run`, size by size, until one meets all targets.
    fn search(&self, run: &Run<'_>, progress: &dyn Progress, stop: &Stop) -> Tuned {
        let all = self.all();
        let patience = PATIENCE.min(self.battles);
        let mut tuned = Tuned { cut: self.possible() > all.len() as u64, ..Tuned::new(all.len()) };
        for class in all.chunk_by(|one, other| one.size() == other.size()) {
            if stop.is_raised() || tuned.found.is_some() {
                break;
            }
            let tried: Vec<Option<Tried>> = class.par_iter().map(|candidate| run(candidate, patience)).collect();
            if is_open(progress) {
                // Larger candidates are tried only once the results of these are known.
                break;
            }
            let (mut met, mut open, smaller) = (Vec::new(), Vec::new(), tuned.narrowly);
            for (candidate, tried) in class.iter().zip(tried) {
                let Some(tried) = tried else {
                    tuned.refused += 1;
                    continue;
                };
                tuned.fought += tried.fought;
                tuned.tried += 1;
                if candidate.moves.is_empty() {
                    tuned.now.clone_from(&tried.targets);
                }
                match tried.state {
                    State::Met => met.push((candidate.clone(), tried.targets)),
                    State::Missed => tuned.rule_out(&tried),
                    State::Undecided => open.push((candidate.clone(), tried.targets)),
                }
            }
            // All undecided candidates are fought to the end before a larger one is called the smallest.
            met.extend(self.settle(run, open, &mut tuned));
            tuned.take(met);
            if tuned.found.is_some() {
                // Nothing is claimed about candidates as large as the one found.
                tuned.narrowly = smaller;
            }
        }
        tuned.stopped = stop.is_raised();
        tuned
    }

    /// Fights undecided candidates to the end. Returns those that meet the targets, and records the others in `tuned`.
    fn settle(
        &self,
        run: &Run<'_>,
        open: Vec<(Candidate, Vec<Judged>)>,
        tuned: &mut Tuned,
    ) -> Vec<(Candidate, Vec<Judged>)> {
        if self.battles <= PATIENCE {
            tuned.undecided.extend(open);
            return Vec::new();
        }
        let tried: Vec<Option<Tried>> = open.par_iter().map(|(candidate, _)| run(candidate, self.battles)).collect();
        let mut met = Vec::new();
        for ((candidate, _), tried) in open.into_iter().zip(tried) {
            let Some(tried) = tried else { continue };
            tuned.fought += tried.fought;
            match tried.state {
                State::Met => met.push((candidate, tried.targets)),
                State::Missed => tuned.rule_out(&tried),
                State::Undecided => tuned.undecided.push((candidate, tried.targets)),
            }
        }
        met
    }
}

/// Tries a candidate with at most this many battles in each cell; `None` if the rules do not allow it.
type Run<'r> = dyn Fn(&Candidate, u64) -> Option<Tried> + Sync + 'r;

/// The number of battles after which a candidate is set aside; `None` for the unchanged numbers, whose results are
/// reported in full.
fn patience(candidate: &Candidate) -> Option<u64> {
    (!candidate.moves.is_empty()).then_some(PATIENCE)
}

/// The level of each interval for this many candidates.
fn each(tuning: &Tuning, study: &Study, candidates: usize) -> Level {
    let intervals = study.targets.iter().map(|target| target.cells.len()).sum::<usize>();
    bonferroni(tuning.level, intervals * candidates.max(1))
}

impl Tuned {
    /// A result before any candidate was tried.
    fn new(candidates: usize) -> Self {
        Self {
            now: Vec::new(),
            found: None,
            runners_up: Vec::new(),
            tried: 0,
            ruled_out: 0,
            narrowly: 0,
            undecided: Vec::new(),
            refused: 0,
            candidates,
            cut: false,
            fought: 0,
            stopped: false,
        }
    }

    /// Counts a candidate that certainly misses a target.
    fn rule_out(&mut self, tried: &Tried) {
        self.ruled_out += 1;
        self.narrowly += usize::from(tried.is_narrow());
    }

    /// Whether a candidate certainly meets all targets, certainly misses one, or neither. Nothing is claimed about
    /// candidates larger than the one found, which are called undecided.
    #[must_use]
    pub fn verdict(&self, candidate: &Candidate) -> State {
        let is_among = |of: &[(Candidate, Vec<Judged>)]| of.iter().any(|(one, _)| one == candidate);
        let size = self.found.as_ref().map(|(found, _)| found.size());
        if self.found.as_ref().is_some_and(|(found, _)| found == candidate) || is_among(&self.runners_up) {
            State::Met
        } else if is_among(&self.undecided) || size.is_some_and(|size| candidate.size() > size) {
            State::Undecided
        } else {
            State::Missed
        }
    }

    /// A bound on the distance of all undecided candidates from a band, as a share of battles; `None` if there are
    /// none, or if an undecided target is about a mean.
    #[must_use]
    pub fn nearness(&self) -> Option<f64> {
        let open = self.undecided.iter().flat_map(|(_, judged)| judged);
        let open = open.filter(|judged| judged.state == State::Undecided);
        open.map(Judged::nearness)
            .try_fold(None, |most: Option<f64>, near| Some(Some(most.unwrap_or(0.0).max(near?))))?
    }

    /// Takes the smallest candidate that meets all targets; of several, the one farthest within the bands.
    fn take(&mut self, mut met: Vec<(Candidate, Vec<Judged>)>) {
        let room = |judged: &[Judged]| judged.iter().map(Judged::room).fold(f64::MAX, f64::min);
        met.sort_by(|one, other| one.0.size().cmp(&other.0.size()).then(room(&other.1).total_cmp(&room(&one.1))));
        let mut met = met.into_iter();
        self.found = met.next();
        let size = self.found.as_ref().map(|(candidate, _)| candidate.size());
        self.runners_up = met.filter(|(candidate, _)| Some(candidate.size()) == size).collect();
    }
}

/// The setting in which candidates are tried.
struct Race<'a> {
    tuning: &'a Tuning,
    study: &'a Study,
    variants: &'a Variants<'a>,
    each: Level,
    progress: &'a dyn Progress,
    stop: &'a Stop,
}

impl Race<'_> {
    /// Tries a candidate with at most this many battles in each cell; `None` if the rules do not allow it.
    fn run(&self, candidate: &Candidate, battles: u64) -> Option<Tried> {
        let changes = self.tuning.changes_of(candidate);
        let about: String = changes.iter().map(noted).collect();
        let refused = What::from((about.clone(), "refused".to_owned()));
        if is_noted(self.progress, &refused) {
            return None;
        }
        let cells = cells_of(&self.study.targets);
        if cells.first().is_some_and(|&cell| is_left(self.progress, &about, cell, battles)) {
            return Some(Tried { state: State::Undecided, targets: Vec::new(), fought: 0 });
        }
        // Compiling the rules is slow, so it is done only if the candidate is fought, not if its results are recorded.
        let compiled = OnceLock::new();
        let compile = || {
            let whole: Vec<usize> = (0..self.study.cells.len()).collect();
            let cells = self.variants.cells(self.study, &whole, &changes).ok()?;
            Some(self.study.with_cells(cells))
        };
        let fighter = OnceLock::new();
        let count = |cell: u32, range: &Range<u64>, looks: &[Look<'_>]| {
            let study = compiled.get_or_init(compile).as_ref()?;
            let fighter = fighter.get_or_init(|| MemoisedCells::new(study));
            Some(counted(study, cell, looks, |cell| fighter.fight(cell, range.clone())))
        };
        // The maximum of a mean depends on the numbers; that of a share does not.
        let targets = &self.study.targets;
        let study = if targets.iter().all(|target| target.share) {
            Some(self.study)
        } else {
            compiled.get_or_init(compile).as_ref()
        };
        let refuse = || note(self.progress, &refused, &true);
        let Some(study) = study else {
            refuse();
            return None;
        };
        let judge = self.tuning.judge(battles);
        let bench = Bench {
            judge: &judge,
            targets,
            study,
            count: &count,
            each: self.each,
            about,
            patience: patience(candidate),
            progress: self.progress,
            stop: self.stop,
        };
        let tried = Tried::of(&bench);
        if compiled.get().is_some_and(Option::is_none) {
            refuse();
            return None;
        }
        Some(tried)
    }
}

/// A change as it is written in the notes.
fn noted(change: &Change<'_>) -> String {
    let Number { pack, path, nth, .. } = change.number;
    format!("{} {path} {}={} ", pack.as_deref().unwrap_or_default(), nth.unwrap_or_default(), change.value)
}
