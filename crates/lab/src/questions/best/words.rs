//! Best play in words: a short doctrine that plays nearly as well as the table of solved choices.
//!
//! The side's doctrine is changed step by step, as in training: rows are deleted, moved, copied and given other
//! conditions. No battles are fought: each doctrine is valued exactly against a perfect player who knows it. Only
//! phases in which best play differs from the doctrine are changed. At the end, rows that change nothing are dropped.

use std::ops::ControlFlow;
use std::time::Duration;

use grognard_engine::{BySide, Side};
use grognard_exact::Limits;
use grognard_exact::best::{Plays, explore};
use grognard_source::{Node, Span, Table};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use super::super::train::{Pool, begin_best, free_name, text, written};
use super::walk::Way;
use super::{BestError, BestPlay, Goal};
use crate::clock::Stopwatch;
use crate::progress::Stop;
use crate::questions::{Policy, TrainError};
use crate::study::{Cell, Study, Variants, WrittenDoctrine};

/// Values closer than this differ only by rounding.
const EQUAL: f64 = 1e-9;
/// The minimum gain of a change, as a share of the metric. A smaller gain is not worth a row.
const LITTLE: f64 = 0.000_5;
/// The maximum number of doctrines valued at a time. Each has the same share of the memory, however many cores there
/// are.
const AT_A_TIME: u64 = 16;
/// The memory that a changed doctrine may take if it is available, as a multiple of what the original one takes.
const ROOM: u64 = 2;

/// The settings for putting best play into words.
#[derive(Clone, Debug)]
pub struct InWords {
    /// The metric to play for, and the limits.
    pub best: BestPlay,
    /// The cells, by index.
    pub cells: Vec<usize>,
    /// The side whose best play is put into words.
    pub side: Side,
    /// The value of the table of solved choices against best play, as the mean over the cells, in the metric's unit.
    pub table: f64,
    /// The maximum number of changes.
    pub steps: usize,
}

/// A doctrine that describes best play.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Words {
    /// Its name in the pack.
    pub name: String,
    /// The original doctrine.
    pub from: WrittenDoctrine,
    /// Its rows and choices.
    pub policy: Policy,
    /// The worth of the original doctrine against best play, in the metric's unit: the mean over the cells.
    pub before: f64,
    /// The worth of the new doctrine.
    pub value: f64,
    /// The worth of the full table of choices.
    pub table: f64,
    /// The number of doctrines tried.
    pub tried: u64,
    /// The number of doctrines that were passed over because they were too large to value.
    pub too_large: u64,
    /// Whether no small change gains anything. If not, the search was stopped, or some changes were too large to value.
    pub settled: bool,
}

impl Words {
    /// Its loss compared with the table.
    #[must_use]
    pub fn lost(&self) -> f64 {
        (self.table - self.value).abs()
    }

    /// The doctrine as a table for a pack. `notes` are lines that state its origin.
    #[must_use]
    pub fn toml(&self, notes: &[String]) -> String {
        written(&self.from, (&self.name, "best play in words"), &self.policy, notes)
    }
}

/// Why best play could not be put into words.
#[derive(Debug, thiserror::Error)]
pub enum WordsError {
    /// The side's doctrine cannot be changed.
    #[error(transparent)]
    Doctrine(#[from] TrainError),
    /// Neither side wants the metric high or low, or threads cannot be started.
    #[error(transparent)]
    Best(#[from] BestError),
    /// The doctrine itself is too large to solve.
    #[error("best play against `{0}` is too large to enumerate")]
    TooMuch(String),
    /// The search was stopped before the doctrine itself was valued.
    #[error("the search for a doctrine was stopped before it began")]
    Stopped,
}

impl InWords {
    /// Searches for the doctrine until no small change gains anything or `stop` is raised.
    ///
    /// # Errors
    /// See [`WordsError`].
    pub fn find(&self, study: &Study, variants: &Variants<'_>, stop: &Stop) -> Result<Words, WordsError> {
        let quantity = &self.best.quantity;
        let goal = Goal::of(quantity).ok_or_else(|| BestError::NobodysMetric(quantity.name.clone()))?;
        let chosen = study.chosen(&self.cells);
        let (from, pool) = begin_best(study, variants, &chosen, self.side)?;
        let (started, time) = (Stopwatch::start(), self.best.time);
        let bytes = self.best.limits.bytes;
        let mut search =
            Search { asked: self, study, variants, chosen, goal, stop, started, time, span: from.span, bytes };
        let (before, taken) = match search.value(&Policy::of(&from)) {
            Worth::Is { value, bytes } => (value, bytes),
            _ if search.is_over() => return Err(WordsError::Stopped),
            _ => return Err(WordsError::TooMuch(from.name)),
        };
        let at_a_time = (bytes / (ROOM * taken).max(1)).clamp(1, AT_A_TIME);
        search.bytes = bytes / at_a_time;
        let threads = match self.best.threads {
            0 => rayon::current_num_threads(),
            threads => threads,
        };
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads.min(at_a_time as usize));
        threads.build().map_err(BestError::from)?.install(|| Ok(search.run(from, before, &pool)))
    }
}

/// The worth of a policy.
#[derive(Clone, Copy, Debug)]
enum Worth {
    /// Its value to the first side against a perfect player, and the bytes that it took to find.
    Is { value: f64, bytes: u64 },
    /// The rules do not allow the policy.
    NotAllowed,
    /// The enumeration did not fit in memory, or was stopped before it finished.
    TooLarge,
}

impl Worth {
    fn value(self) -> Option<f64> {
        match self {
            Self::Is { value, .. } => Some(value),
            Self::NotAllowed | Self::TooLarge => None,
        }
    }
}

/// The data for a search.
struct Search<'a> {
    asked: &'a InWords,
    study: &'a Study,
    variants: &'a Variants<'a>,
    chosen: Vec<usize>,
    goal: Goal<'a>,
    stop: &'a Stop,
    started: Stopwatch,
    /// The location of the doctrine.
    span: Span,
    /// The time limit for the search, in addition to that for solving.
    time: Option<Duration>,
    /// The memory for one policy.
    bytes: u64,
}

impl Search<'_> {
    fn run(&self, from: WrittenDoctrine, before: f64, pool: &Pool) -> Words {
        let mut now = Policy::of(&from);
        let table = self.goal.sign * self.asked.table;
        let (mut value, mut tried, mut too_large, mut steps, mut settled) = (before, 0, 0, 0, false);
        while !settled && steps < self.asked.steps && !self.is_over() && self.gain(value, table) > LITTLE * self.most()
        {
            let phases = self.phases(&now);
            let concerned =
                now.neighbours(pool).into_iter().filter(|candidate| touches(&now, &candidate.policy, &phases));
            let candidates: Vec<Policy> = concerned.map(|candidate| candidate.policy).collect();
            tried += candidates.len() as u64;
            let worth: Vec<Worth> = candidates.par_iter().map(|policy| self.value(policy)).collect();
            // Once the search is over, a policy may seem too large only because its enumeration was cut short.
            let is_over = self.is_over();
            let is_passed_over = |worth: &&Worth| !is_over && matches!(worth, Worth::TooLarge);
            let passed_over = worth.iter().filter(is_passed_over).count() as u64;
            too_large += passed_over;
            // Takes the shortest of those with the same gain, and the first of those that are equally short.
            let gains = worth.iter().zip(&candidates).enumerate().filter_map(|(place, (worth, policy))| {
                let gain = self.gain(value, worth.value()?);
                (gain > LITTLE * self.most()).then_some((gain, length(policy), place))
            });
            let best = gains.reduce(|one, other| {
                let better = other.0 > one.0 + EQUAL || ((other.0 - one.0).abs() <= EQUAL && other.1 < one.1);
                if better { other } else { one }
            });
            match best {
                Some((gain, _, place)) => {
                    value += self.sign() * gain;
                    now = candidates[place].clone();
                    steps += 1;
                }
                None => {
                    settled = !is_over && passed_over == 0;
                    break;
                }
            }
        }
        settled |= self.gain(value, table) <= LITTLE * self.most();
        let now = self.shortened(now, &mut value);
        let own = |value: f64| self.goal.sign * value;
        Words {
            name: free_name(&format!("{}-best", from.name), |name| pool.has(name)),
            from,
            policy: now,
            before: own(before),
            value: own(value),
            table: self.asked.table,
            tried,
            too_large,
            settled,
        }
    }

    /// Leaves out rows that are worth nothing, beginning with the last.
    fn shortened(&self, mut now: Policy, value: &mut f64) -> Policy {
        let mut place = now.rows.len();
        while place > 0 && !self.is_over() {
            place -= 1;
            if now.is_bound(place) {
                continue;
            }
            let shorter = now.left_out(place).policy;
            if let Some(worth) = self.value(&shorter).value().filter(|worth| self.gain(*worth, *value) <= EQUAL) {
                (now, *value) = (shorter, worth);
            }
        }
        now
    }

    /// 1 if the side wants the value to the first side high, −1 if it wants it low.
    fn sign(&self) -> f64 {
        if self.asked.side == Side::First { 1.0 } else { -1.0 }
    }

    /// How much more the second of two values is worth to the side.
    fn gain(&self, one: f64, other: f64) -> f64 {
        self.sign() * (other - one)
    }

    /// The maximum of the metric.
    fn most(&self) -> f64 {
        let (low, high) = self.goal.span();
        high - low
    }

    /// The cells under this policy.
    fn cells(&self, policy: &Policy) -> Option<Vec<Cell>> {
        let doctrine = policy.doctrine(self.span);
        let mut doctrines = BySide::new(None, None);
        doctrines[self.asked.side] = Some(&doctrine);
        self.variants.cells_with_doctrines(self.study, &self.chosen, &doctrines).ok()
    }

    /// The worth of a policy to the first side against a perfect player: the mean over the cells.
    fn value(&self, policy: &Policy) -> Worth {
        let plays = BySide::from_fn(|side| if side == self.asked.side { Plays::Doctrine } else { Plays::Best });
        let Some(cells) = self.cells(policy) else { return Worth::NotAllowed };
        let (mut value, mut bytes) = (0.0, 0);
        for cell in &cells {
            let ways = Way::of(cell, plays);
            for way in &ways {
                let graph = explore(way.rules, way.setup, way.played(plays), &self.limits(), &mut |_| self.goes_on());
                if !graph.is_whole() {
                    return Worth::TooLarge;
                }
                value += way.at_start(self.goal, &graph, plays).low / (cells.len() * ways.len()) as f64;
                bytes = bytes.max(graph.effort().bytes);
            }
        }
        Worth::Is { value, bytes }
    }

    /// The phases in which the rows choose worse than best play; empty if any phase may be one of them, for example
    /// because there is too much to enumerate.
    fn phases(&self, policy: &Policy) -> Vec<String> {
        let mut phases = Vec::new();
        let experts = BySide::new(Plays::Best, Plays::Best);
        for cell in self.cells(policy).iter().flatten() {
            for way in Way::of(cell, experts) {
                let graph = explore(way.rules, way.setup, way.played(experts), &self.limits(), &mut |_| self.goes_on());
                if !graph.is_whole() {
                    return Vec::new();
                }
                let values = way.values(self.goal, &graph, experts);
                for ((point, _), played) in graph.rows_against_best(way.side(self.asked.side), &values) {
                    let phase = &way.rules.phases[usize::from(graph.points()[point as usize].phase)].id;
                    if played.lost > EQUAL && !phases.contains(phase) {
                        phases.push(phase.clone());
                    }
                }
            }
        }
        phases
    }

    fn limits(&self) -> Limits {
        Limits { bytes: self.bytes, ..self.asked.best.limits }
    }

    /// Whether to stop with the current result.
    fn is_over(&self) -> bool {
        self.stop.is_raised() || self.time.is_some_and(|time| self.started.elapsed() > time)
    }

    fn goes_on(&self) -> ControlFlow<()> {
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Whether two doctrines differ in one of these phases, or in their choices outside rows; in any phase if `phases` is
/// empty.
fn touches(one: &Policy, other: &Policy, phases: &[String]) -> bool {
    let differ = |phase: &String| {
        let of_phase = |table: &&Table| text(table, "phase") == phase;
        one.tables().filter(of_phase).ne(other.tables().filter(of_phase))
    };
    phases.is_empty() || one.keys != other.keys || phases.iter().any(differ)
}

/// The length of a doctrine, in rows and in letters.
fn length(policy: &Policy) -> (usize, usize) {
    let letters = |table: &Table| table.get("when").and_then(Node::as_text).map_or(0, str::len);
    (policy.rows.len(), policy.tables().map(letters).sum::<usize>() + policy.keys.to_string().len())
}
