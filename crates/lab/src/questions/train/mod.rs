//! Training: is there a better doctrine, and what is it worth?
//!
//! A search by small changes: to the rows (delete one, move it up, change a number, add or remove a condition, copy a
//! row of another doctrine), and to a doctrine's choices outside them (which units take hits, which go first). In a
//! race, all changes have the same dice; each race has different dice. The result is scored with dice that the search
//! has not used, so the number of changes tried does not inflate the score.

mod alternate;
mod choices;
mod policy;
mod race;
#[cfg(test)]
mod tests;
mod write;

use grognard_rules::model::DoctrineId;
use std::sync::atomic::{AtomicU64, Ordering};

use grognard_engine::{Side, UnitId};
use grognard_stats::{Estimate, Level, bonferroni};

pub use self::alternate::{Alternated, Alternation, Member, Round};
use self::choices::Choices;
pub use self::policy::{Policy, Row};
pub(super) use self::policy::{Pool, text};
use self::race::{FIELD, Fielded, Opponent, Race, Won};
pub(super) use self::write::{free_name, written};
use super::chances::Chances;
use crate::RUNS_MAX;
use crate::progress::{Progress, Stop};
use crate::record::is_open;
use crate::results::CellHeader;
use crate::sensitivity::Quantity;
use crate::study::{Study, Variants, WrittenDoctrine};

/// The first battle of a search. Its dice are not those of any run, so a run with the study's seed is a fair test of
/// what the search has found.
const SEARCH: u64 = RUNS_MAX;

/// The first battle that scores what was found. No search and no run gets this far.
const FRESH: u64 = 2 * RUNS_MAX;

/// The maximum loss from removing a row or condition that came from training, as a fraction of the metric's maximum.
const NOTHING: f64 = 0.002;

/// The number of looks skipped by changes that did well in an earlier race.
const KNOWN: usize = 2;

/// A doctrine to be trained.
#[derive(Clone, Debug)]
pub struct Training {
    /// The cells in which it should do well, by index; all if empty.
    pub cells: Vec<usize>,
    /// The side that follows it.
    pub side: Side,
    /// The metric to train for.
    pub quantity: Quantity,
    /// The maximum number of changes.
    pub steps: usize,
    /// The number of battles of all cells together before the first look at a race; each further look comes after four
    /// times as many.
    pub look: u64,
    /// The number of battles in each cell that score the result.
    pub battles: u64,
    /// Confidence level of a change's certain gain in a race, for each change on its own.
    pub each: Level,
    /// Confidence level of the score, in each cell and over all cells.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// A change that was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// The change, in words.
    pub says: String,
    /// Its gain in its race. As the best of many, this is biased upwards. `None` for a step that only drops something
    /// with next to no effect.
    pub gain: Option<Estimate>,
}

/// A doctrine that was trained.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trained {
    /// Its new name in the pack.
    pub name: String,
    /// The original doctrine.
    pub from: WrittenDoctrine,
    /// The doctrine or doctrines of the other side.
    pub against: Vec<String>,
    /// The result of training.
    pub policy: Policy,
    /// The changes, in the order in which they were made.
    pub steps: Vec<Step>,
    /// Its gain over the original doctrine, with fresh dice: the mean over the cells.
    pub gain: Estimate,
    /// The gain in each cell.
    pub cells: Vec<(CellHeader, Estimate)>,
    /// The number of changes tried.
    pub tried: u64,
    /// Battles fought.
    pub fought: u64,
    /// Whether no small change certainly gains anything.
    pub settled: bool,
    /// Whether the search was stopped. Its result is always scored in full.
    pub stopped: bool,
}

/// The reason why training is impossible.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// Neither side wants the quantity high or low.
    #[error("`{0}` is not a metric that either side tries to raise or lower")]
    NobodysMetric(String),
    /// The cells are fought under several packs.
    #[error("these cells are fought under several packs")]
    SeveralPacks,
    /// The side follows several doctrines.
    #[error("the {side} follows several doctrines: {}", doctrines.join(", "))]
    SeveralDoctrines {
        /// The side.
        side: String,
        /// The doctrines.
        doctrines: Vec<String>,
    },
    /// The side is played at random.
    #[error("the {0} is played at random")]
    AtRandom(String),
    /// The doctrine has no rows, and the rules leave it no other choice.
    #[error("the {side} follows `{doctrine}`, which gives no orders")]
    NoRows {
        /// The side.
        side: String,
        /// The doctrine.
        doctrine: String,
    },
    /// The rules do not allow a doctrine of a mix against those of the other side.
    #[error("the rules do not allow `{0}` against the doctrines of the other side")]
    NotAllowed(String),
    /// Battles are left to other processes, so there is no result yet.
    #[error("battles were left to other processes")]
    Left,
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Training {
    /// The default number of battles in each cell that score the result.
    pub const BATTLES: u64 = 20_000;
    /// Battles of all cells together before the first look at a race.
    pub const LOOK: u64 = 128;
    /// The default maximum number of changes.
    pub const STEPS: usize = 50;

    /// The confidence level at which a change must gain something, for each change on its own.
    #[must_use]
    pub fn sure() -> Level {
        Level::new(0.99).unwrap_or_default()
    }

    /// Trains until no small change is certain to gain anything, or `stop` is raised. The doctrine found by then is
    /// scored.
    ///
    /// # Errors
    /// See [`TrainError`].
    pub fn run(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Trained, TrainError> {
        let sign = self.sign()?;
        let chosen = study.chosen(&self.cells);
        let (from, pool) = begin(study, variants, &chosen, self.side)?;
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let (side, against, fought) = (self.side, vec![Opponent { weight: 1.0, doctrine: None }], &AtomicU64::new(0));
        let span = from.span;
        let race = Race { training: self, study, variants, chosen, side, span, sign, against, progress, stop, fought };
        threads.install(|| race.run(from, &pool)).ok_or(TrainError::Left)
    }

    /// 1 if the side wants the quantity high, −1 if it wants it low.
    fn sign(&self) -> Result<i32, TrainError> {
        let sign = self.quantity.sign_for(self.side);
        sign.ok_or_else(|| TrainError::NobodysMetric(self.quantity.name.clone()))
    }
}

/// The doctrine that a side follows in the chosen cells, and the material for small changes to it.
pub(super) fn begin(
    study: &Study,
    variants: &Variants<'_>,
    chosen: &[usize],
    side: Side,
) -> Result<(WrittenDoctrine, Pool), TrainError> {
    begin_with(study, variants, chosen, (side, followed(study, chosen, side)))
}

/// The doctrine that supplies the orders for a side's best play in the chosen cells, and the candidate changes to it.
pub(super) fn begin_best(
    study: &Study,
    variants: &Variants<'_>,
    chosen: &[usize],
    side: Side,
) -> Result<(WrittenDoctrine, Pool), TrainError> {
    let mut names = Vec::new();
    for &cell in chosen {
        let own = || followed(study, &[cell], side);
        for name in study.cells[cell].best_of(side).map_or_else(own, |name| vec![name.to_owned()]) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    begin_with(study, variants, chosen, (side, names))
}

/// The doctrine, if there is only one, and the material for small changes to it.
fn begin_with(
    study: &Study,
    variants: &Variants<'_>,
    chosen: &[usize],
    (side, mut names): (Side, Vec<String>),
) -> Result<(WrittenDoctrine, Pool), TrainError> {
    let (doctrines, formations) = variants.doctrines(chosen).ok_or(TrainError::SeveralPacks)?;
    let called = || study.sides[side.index()].clone();
    if chosen.iter().any(|&cell| study.cells[cell].setup.random[side]) {
        return Err(TrainError::AtRandom(called()));
    }
    if names.len() > 1 {
        return Err(TrainError::SeveralDoctrines { side: called(), doctrines: names });
    }
    let name = names.pop().unwrap_or_default();
    let begun = doctrines.iter().find(|doctrine| doctrine.name == name).map(|from| {
        let pool = Pool::of(&doctrines, from, formations, Choices::of(study, chosen, side));
        (from.clone(), pool)
    });
    match begun.filter(|(from, pool)| !from.rows.is_empty() || !pool.choices.is_empty()) {
        Some(begun) => Ok(begun),
        None => Err(TrainError::NoRows { side: called(), doctrine: name }),
    }
}

/// The doctrines that a side follows in these cells, each once.
fn followed(study: &Study, chosen: &[usize], side: Side) -> Vec<String> {
    let mut names = Vec::new();
    for cell in chosen.iter().map(|&cell| &study.cells[cell]) {
        let units = &cell.setup.start;
        let unit: Option<UnitId> = units.side(side).next();
        let doctrine = unit.map_or(DoctrineId::FIRST, |unit| units.unit(unit).doctrine);
        let name = &cell.rules.doctrines[doctrine].id;
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The result of a search.
struct Searched {
    now: Fielded,
    steps: Vec<Step>,
    tried: u64,
    settled: bool,
    stopped: bool,
}

impl Race<'_> {
    /// Trains and scores; `None` if battles are left to other processes.
    fn run(&self, from: WrittenDoctrine, pool: &Pool) -> Option<Trained> {
        let before = self.as_it_is(Policy::of(&from));
        let (mut order, mut next) = (Chances(self.study.seed), SEARCH);
        let found = self.search(self.as_it_is(Policy::of(&from)), pool, &mut order, &mut next);
        if is_open(self.progress) {
            return None;
        }
        let level = bonferroni(self.training.level, if self.chosen.len() > 1 { self.chosen.len() + 1 } else { 1 });
        let fresh = FRESH..FRESH + self.study.whole_rounds(self.training.battles);
        let (gain, each) = self.score(&[(1.0, &before)], &found.now, &fresh, level)?;
        let headers = self.chosen.iter().map(|&cell| self.study.cells[cell].header.clone());
        Some(Trained {
            name: free_name(&format!("{}-trained", from.name), |name| pool.has(name)),
            against: followed(self.study, &self.chosen, self.side.other()),
            from,
            policy: found.now.policy,
            steps: found.steps,
            gain,
            cells: headers.zip(each).collect(),
            tried: found.tried,
            fought: self.fought.load(Ordering::Relaxed),
            settled: found.settled,
            stopped: found.stopped,
        })
    }

    /// Makes one small change after another, each the best of a race. Uses the dice from `next` on, and advances it.
    fn search(&self, mut now: Fielded, pool: &Pool, order: &mut Chances, next: &mut u64) -> Searched {
        let (mut steps, mut tried, mut settled) = (Vec::new(), 0, false);
        let mut favourites: Vec<String> = Vec::new();
        while steps.len() < self.training.steps && !self.stop.is_raised() {
            let mut all = now.policy.neighbours(pool);
            shuffle(&mut all, order);
            // A change that also gained something in the last race may still do so after the change that won.
            let (known, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| favourites.contains(&one.says));
            let fields = [(&known[..], KNOWN)].into_iter().chain(others.chunks(FIELD).map(|field| (field, 0)));
            let found = fields.filter(|(field, _)| !field.is_empty()).find_map(|(field, first)| {
                tried += field.len() as u64;
                (!is_open(self.progress)).then(|| self.best_of(&now, field, first, next)).flatten()
            });
            let Some(Won { fielded, says, gain, others }) = found else {
                settled = !self.stop.is_raised();
                break;
            };
            now = fielded;
            steps.push(Step { says, gain: Some(gain) });
            favourites = others;
        }
        self.simplify(&mut now, &mut steps, pool, next);
        Searched { now, steps, tried, settled, stopped: self.stop.is_raised() }
    }

    /// Removes additions and changes that turned out to be worth next to nothing.
    fn simplify(&self, now: &mut Fielded, steps: &mut Vec<Step>, pool: &Pool, next: &mut u64) {
        let quantity = &self.training.quantity;
        let little = NOTHING * quantity.most as f64 / f64::from(quantity.per);
        let mut left = true;
        while left && !self.stop.is_raised() {
            left = false;
            for candidate in now.policy.without_additions(pool) {
                if is_open(self.progress) {
                    return;
                }
                if let Some(fielded) = self.if_as_good(now, &candidate, little, next) {
                    *now = fielded;
                    steps.push(Step { says: candidate.says, gain: None });
                    left = true;
                    break;
                }
            }
        }
    }
}

/// Shuffles items reproducibly.
fn shuffle<T>(things: &mut [T], order: &mut Chances) {
    for place in (1..things.len()).rev() {
        things.swap(place, order.below(place + 1));
    }
}
