//! Trials: the effect of changes, shown at once and then with increasing precision.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use grognard_engine::Outcome;
use grognard_exact::{Limits, Solution};
use grognard_source::{Diagnostics, Sources};
use grognard_stats::{Estimate, Level, bonferroni};
use rayon::ThreadPoolBuildError;
use rayon::prelude::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator,
    ParallelIterator,
};

use super::lane::{Lane, Reading};
use super::solved::mean;
use crate::exact::solve_cell;
use crate::memoised_cells::MemoisedCells;
use crate::pool::Pool;
use crate::runner::Fighter;
use crate::sensitivity::Quantity;
use crate::study::{Cell, Change, Study, Switch, Variants, Whereabouts};

/// Battles in each cell at the first look; each further look comes after twice as many.
const FIRST: u64 = 32;

/// The number of battles in a cell between two checks that the answer is still wanted. It is even, for studies that are
/// fought both ways.
const PATIENCE: u64 = 1_024;

/// The maximum number of battles in each cell: battles with the unchanged rules are held in memory.
pub const TRIAL_MAX: u64 = 1 << 16;

/// The largest cell that is also computed exactly: a count of paths rather than a time, so that the same cells are
/// exact on every machine. A path takes about as long as a battle.
const QUICK: Limits = Limits { states: 1 << 20, bytes: 256 << 20, paths: 1 << 13, prune: 0.0, shared: false };

/// A study whose rules are changed again and again, and fought with the same dice each time.
pub struct Trial<'s> {
    study: Study,
    variants: Variants<'s>,
    /// For each cell, its battles under the original rules, as many as have been needed so far.
    plain: Vec<Mutex<Vec<Outcome>>>,
    /// For each cell, once requested, its odds under the original rules; the inner value is `None` if it is too large
    /// to compute quickly.
    odds: Vec<Mutex<Option<Option<Solution>>>>,
    pool: Pool,
}

/// The changes, and the question about them.
#[derive(Clone, Debug)]
pub struct Altered<'a> {
    /// The numbers that are changed.
    pub changes: Vec<Change<'a>>,
    /// Rules that are switched off.
    pub off: Vec<&'a Switch>,
    /// The cells, by index in the study; all if empty.
    pub cells: Vec<usize>,
    /// The metric of the answer.
    pub quantity: Quantity,
    /// The maximum number of battles in each cell, up to [`TRIAL_MAX`].
    pub battles: u64,
    /// The simultaneous confidence level of all intervals of the answer.
    pub level: Level,
}

/// The results after some battles.
#[derive(Clone, Debug)]
pub struct Look {
    /// Battles in each cell.
    pub battles: u64,
    /// The cells, in the order requested.
    pub cells: Vec<LookedCell>,
    /// The number of intervals that are simultaneous at every look.
    pub intervals: usize,
}

/// A cell of a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookedCell {
    /// Its index in the study.
    pub cell: usize,
    /// The quantity with the unchanged rules.
    pub was: Estimate,
    /// The quantity with the changes.
    pub now: Estimate,
    /// The effect of the changes, from the same battles with the same dice.
    pub change: Estimate,
    /// Whether these are computed odds rather than estimates.
    pub exact: bool,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The study's texts cannot be prepared again.
    #[error("the study cannot be prepared")]
    Unprepared(Diagnostics),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

/// The battles of one cell so far.
#[derive(Clone, Debug, Default)]
struct Lanes {
    was: Lane,
    now: Lane,
    change: Lane,
    /// The computed result. Once it is known, no more battles are fought.
    exact: Option<LookedCell>,
}

/// An answer in progress.
pub struct Course {
    study: Study,
    known: Known,
}

/// The question, and the data so far.
struct Known {
    lanes: Vec<Lanes>,
    places: Vec<usize>,
    quantity: Quantity,
    level: Level,
    intervals: usize,
    most: u64,
    fought: u64,
    /// How many of the cells were computed, or found to be too large.
    tried: usize,
}

impl<'s> Trial<'s> {
    /// Prepares a study, with this many worker threads; 0 means one for each core.
    ///
    /// # Errors
    /// See [`TrialError`].
    pub fn new(study: &Study, sources: &'s mut Sources, threads: usize) -> Result<Self, TrialError> {
        let variants = Variants::of(study, sources).map_err(TrialError::Unprepared)?;
        let chosen = study.chosen(&[]);
        // The pack's metrics are not counted in these battles.
        let cells = variants.cells(study, &chosen, &[]).map_err(TrialError::Unprepared)?;
        let plain = cells.iter().map(|_| Mutex::default()).collect();
        let odds = cells.iter().map(|_| Mutex::default()).collect();
        let pool = Pool::new(threads)?;
        Ok(Self { study: study.with_cells(cells), variants, plain, odds, pool })
    }

    /// The study.
    #[must_use]
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// The variants of the study, for making changes.
    #[must_use]
    pub fn variants(&self) -> &Variants<'s> {
        &self.variants
    }

    /// The study with the changes, reduced to its chosen cells.
    ///
    /// # Errors
    /// The rules do not allow a change.
    pub fn altered(&self, altered: &Altered<'_>) -> Result<Study, Diagnostics> {
        let chosen = self.study.chosen(&altered.cells);
        let cells = self.variants.cells_altered(&self.study, &chosen, &altered.changes, &altered.off)?;
        Ok(self.study.with_cells(cells))
    }

    /// The files of a folder called `name` with the changed study ([`Variants::saved`]).
    ///
    /// # Errors
    /// The rules do not allow a change, or it cannot be expressed in files.
    pub fn saved(
        &self,
        altered: &Altered<'_>,
        name: &str,
        packs: &dyn Whereabouts,
    ) -> Result<Vec<(String, String)>, Diagnostics> {
        self.altered(altered)?;
        self.variants.saved(&self.study, name, &altered.changes, &altered.off, packs)
    }

    /// Whether another study fights the same battles as this one with the changes, judging by the first battles of each
    /// cell.
    ///
    /// # Errors
    /// The rules do not allow a change.
    pub fn is_fought_alike(&self, altered: &Altered<'_>, other: &Study, battles: u64) -> Result<bool, Diagnostics> {
        let own = self.altered(&Altered { cells: Vec::new(), ..altered.clone() })?;
        let alike = |cell: u32| own.fight(cell, 0..battles) == other.fight(cell, 0..battles);
        Ok(own.cells.len() == other.cells.len()
            && self.pool.install(|| (0..own.cells.len() as u32).into_par_iter().all(alike)))
    }

    /// Fights the same battles with and without the changes, and reports results after 32 of each cell, 64 and so on,
    /// until all are fought or `fights`, which is called every few battles, returns false. Then computes the cells for
    /// which that is quick, while `wanted` returns true.
    ///
    /// # Errors
    /// The rules do not allow a change.
    pub fn run(
        &self,
        asked: &Altered<'_>,
        fights: &(dyn Fn() -> bool + Sync),
        wanted: &(dyn Fn() -> bool + Sync),
        tell: &mut dyn FnMut(&Look),
    ) -> Result<(), Diagnostics> {
        let mut course = self.begin(asked)?;
        let fighter = MemoisedCells::new(&course.study);
        while let Some(look) = self.look(&mut course.known, &fighter, fights) {
            tell(&look);
        }
        drop(fighter);
        while let Some(look) = self.solve(&mut course, wanted) {
            tell(&look);
        }
        Ok(())
    }

    /// Starts the work of [`Trial::run`], for callers that take each look themselves.
    ///
    /// # Errors
    /// The rules do not allow a change.
    pub fn begin(&self, asked: &Altered<'_>) -> Result<Course, Diagnostics> {
        let study = self.altered(asked)?;
        let places = self.study.chosen(&asked.cells);
        let known = Known {
            intervals: 3 * places.len(),
            level: bonferroni(asked.level, 3 * places.len()),
            quantity: asked.quantity.clone(),
            most: self.study.whole_rounds(asked.battles.min(TRIAL_MAX)),
            lanes: vec![Lanes::default(); places.len()],
            places,
            fought: 0,
            tried: 0,
        };
        Ok(Course { study, known })
    }

    /// The next look; `None` once all battles are fought or `wanted` returns false.
    pub fn next(&self, course: &mut Course, wanted: &(dyn Fn() -> bool + Sync)) -> Option<Look> {
        self.look(&mut course.known, &MemoisedCells::new(&course.study), wanted)
    }

    fn look(&self, known: &mut Known, fighter: &MemoisedCells<'_>, wanted: &(dyn Fn() -> bool + Sync)) -> Option<Look> {
        let reading = Reading { quantity: &known.quantity, round: self.study.round() };
        let (fought, level) = (known.fought, known.level);
        let next = (2 * fought).max(FIRST).min(known.most);
        if next == fought {
            return None;
        }
        let look = |(nth, (lanes, &cell)): (usize, (&mut Lanes, &usize))| {
            for first in (fought..next).step_by(PATIENCE as usize) {
                if !wanted() {
                    return None;
                }
                let battles = first..next.min(first + PATIENCE);
                let now = fighter.fight(nth as u32, battles.clone());
                let was = self.plain(cell, battles);
                lanes.was.add(reading.counts(&was, None), next, false);
                lanes.now.add(reading.counts(&now, None), next, false);
                lanes.change.add(reading.counts(&now, Some(&was)), next, true);
            }
            Some(lanes.read(cell, reading, level))
        };
        let lanes = known.lanes.par_iter_mut().zip(known.places.par_iter()).enumerate();
        let cells = self.pool.install(|| lanes.map(look).collect::<Option<Vec<_>>>())?;
        known.fought = next;
        Some(Look { battles: next, cells, intervals: known.intervals })
    }

    /// Computes the next cells for which that is quick, as many at a time as there are threads, and returns the results
    /// so far; `None` if no such cell is left, or `wanted` returns false.
    pub fn solve(&self, course: &mut Course, wanted: &(dyn Fn() -> bool + Sync)) -> Option<Look> {
        let Course { study, known } = course;
        while known.tried < known.places.len() && wanted() {
            let first = known.tried;
            let end = known.places.len().min(first + self.pool.threads());
            let quantity = &known.quantity;
            let odds = |place: usize| self.odds_of(known.places[place], &study.cells[place], quantity, wanted);
            let found: Vec<_> = self.pool.install(|| (first..end).into_par_iter().with_max_len(1).map(odds).collect());
            known.tried = end;
            let any = found.iter().any(Option::is_some);
            known.lanes[first..end].iter_mut().zip(found).for_each(|(lanes, found)| lanes.exact = found);
            if any {
                let reading = Reading { quantity, round: self.study.round() };
                let lanes = known.lanes.iter().zip(&known.places);
                let cells = lanes.map(|(lanes, &cell)| lanes.read(cell, reading, known.level)).collect();
                return Some(Look { battles: known.fought, cells, intervals: known.intervals });
            }
        }
        None
    }

    /// The odds of a cell with and without the changes, and their difference; `altered` is the cell with the changes.
    /// `None` if the cell is too large, or the caller has stopped waiting.
    fn odds_of(
        &self,
        cell: usize,
        altered: &Cell,
        quantity: &Quantity,
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Option<LookedCell> {
        let solved = |cell: &Cell| {
            solve_cell(cell, &QUICK, &mut |_| if wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        let was = {
            let mut known = self.odds[cell].lock().unwrap_or_else(PoisonError::into_inner);
            if known.is_none() {
                let plain = solved(&self.study.cells[cell]).ok();
                // A cell whose computation was stopped is not known to be too large.
                *known = (plain.is_some() || wanted()).then_some(plain);
            }
            mean(quantity, known.as_ref()?.as_ref()?)
        };
        let now = mean(quantity, &solved(altered).ok()?);
        let change = Estimate::bounded(now.point - was.point, now.low - was.high, now.high - was.low);
        Some(LookedCell { cell, was, now, change, exact: true })
    }

    /// Battles in a cell with the unchanged rules, fought now or earlier.
    fn plain(&self, cell: usize, battles: std::ops::Range<u64>) -> Vec<Outcome> {
        let mut known = self.plain[cell].lock().unwrap_or_else(PoisonError::into_inner);
        let held = known.len() as u64;
        if held < battles.end {
            let alone = self.study.with_cells(vec![self.study.cells[cell].clone()]);
            known.extend(MemoisedCells::new(&alone).fight(0, held..battles.end));
        }
        known[battles.start as usize..battles.end as usize].to_vec()
    }
}

impl Lanes {
    /// The current estimates for the cell.
    fn read(&self, cell: usize, reading: Reading<'_>, level: Level) -> LookedCell {
        let read = |lane: &Lane| lane.estimate(reading, level);
        let fought = || LookedCell {
            cell,
            was: read(&self.was),
            now: read(&self.now),
            change: read(&self.change),
            exact: false,
        };
        self.exact.unwrap_or_else(fought)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::testing::squares_of_beginners;

    /// The built-in study of squares and lines between beginners, whose cavalry charges squares.
    fn with_trial(then: impl FnOnce(&Trial<'_>)) {
        let (study, mut sources) = squares_of_beginners(None);
        then(&Trial::new(&study, &mut sources, 2).expect("it can be prepared"));
    }

    /// A question about a square under heavy cavalry, cell 18.
    fn asked(trial: &Trial<'_>) -> Altered<'static> {
        let quantity = Quantity::of(trial.study(), None).expect("a metric");
        Altered { changes: vec![], off: vec![], cells: vec![18], quantity, battles: 256, level: Level::default() }
    }

    fn last(trial: &Trial<'_>, altered: &Altered<'_>) -> Look {
        let mut last = None;
        trial.run(altered, &|| true, &|| false, &mut |look| last = Some(look.clone())).expect("the rules allow it");
        last.expect("a look")
    }

    #[test]
    fn looks_double_and_the_last_has_all_battles() {
        with_trial(|trial| {
            let mut looks = Vec::new();
            let asked = Altered { battles: 200, ..asked(trial) };
            trial.run(&asked, &|| true, &|| false, &mut |look| looks.push(look.clone())).expect("nothing has changed");
            assert_eq!(looks.iter().map(|look| look.battles).collect::<Vec<_>>(), [32, 64, 128, 200]);
            for look in looks {
                assert_eq!((look.intervals, look.cells.len()), (3, 1));
                assert_eq!(look.cells[0].was, look.cells[0].now);
            }
        });
    }

    #[test]
    fn an_answer_that_nobody_wants_any_more_ends() {
        with_trial(|trial| {
            let (asks, mut looks) = (AtomicU32::new(0), 0);
            let wanted = || asks.fetch_add(1, Ordering::Relaxed) < 2;
            let asked = Altered { battles: TRIAL_MAX, ..asked(trial) };
            trial.run(&asked, &wanted, &|| false, &mut |_| looks += 1).expect("nothing has changed");
            assert_eq!((looks, asks.into_inner()), (2, 3), "it asks before each look, as long as they are small");
        });
    }

    /// Lowering a bonus lowers its worth; changing a number of a disabled rule has no effect.
    #[test]
    fn numbers_and_rules_change_together() {
        with_trial(|trial| {
            const RULE: &str = "roll.shock.modifier.square-against-cavalry";
            let (numbers, _) = trial.variants().of_packs();
            let number = |name: &str| numbers.iter().find(|number| number.name() == name).expect("a number");
            let switches = trial.variants().switches();
            let rule = switches.iter().find(|switch| switch.name() == RULE).expect("a rule");
            let bonus = number("roll.shock.modifier.square-against-cavalry.add");
            let steady = number("roll.morale.modifier.square-steady.add");
            let look = |changes: Vec<Change<'_>>, off: Vec<&Switch>| {
                let found = last(trial, &Altered { changes, off, ..asked(trial) }).cells[0];
                (found.now.point, found.change)
            };
            let change = |number, value| Change { number, value };
            let off = look(vec![], vec![rule]);
            assert!(off.1.low > 0.0, "without its bonus a square is surely lost more often: {off:?}");
            assert_eq!(look(vec![change(bonus, 3_000)], vec![rule]), off, "the bonus is off with its rule");
            assert_eq!(look(vec![change(bonus, 0)], vec![]).0, off.0, "a bonus of 0 is none");
            let both = look(vec![change(steady, 0)], vec![rule]);
            assert_eq!(look(vec![change(steady, 0), change(bonus, 0)], vec![]).0, both.0);
            assert!(both.0 > off.0, "without either it is lost more often still: {both:?}, {off:?}");
        });
    }
}
