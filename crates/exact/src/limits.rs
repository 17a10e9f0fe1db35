//! Limits on the work of a solution, and its progress.

use std::fmt;
use std::time::Duration;

use grognard_engine::Setup;
use grognard_rules::model::Rules;

/// The limits of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The maximum number of different states after one step; at most 2,147,483,647.
    pub states: u64,
    /// The maximum memory in bytes, approximately.
    pub bytes: u64,
    /// The maximum number of paths through all steps. A path takes about as long as a sampled battle.
    pub paths: u64,
    /// The share of all battles that may be left out, the least likely states first: 0 (none) up to, but not including,
    /// 1.
    pub prune: f64,
    /// Whether all threads of the pool share the work. Otherwise the calling thread does it alone. The answer is the
    /// same.
    ///
    /// A thread that waits for others may start any pending work of the pool, so it must not hold a lock.
    pub shared: bool,
}

impl Default for Limits {
    /// Twenty million states, eight gibibytes, any number of paths, nothing left out, one thread.
    fn default() -> Self {
        Self { states: 20_000_000, bytes: 8 << 30, paths: u64::MAX, prune: 0.0, shared: false }
    }
}

/// The progress of a solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The game turn of the states being enumerated, from 1.
    pub turn: u8,
    /// The last turn.
    pub turns: u8,
    /// Completed steps, of `steps` at most. A step is a phase of one side, or of one unit if units act one at a time.
    pub step: u32,
    /// The number of steps in the longest battle.
    pub steps: u32,
    /// Different states before this step.
    pub states: u64,
    /// Different states found after this step so far.
    pub found: u64,
    /// The share of all battles that are over.
    pub over: f64,
    /// The approximate memory in bytes, for best play.
    pub bytes: u64,
}

impl Progress {
    /// The progress before the first step.
    pub(crate) fn before(rules: &Rules, setup: &Setup) -> Self {
        let phases = rules.phases.len() as u32;
        let sides = setup.start.sides().len() as u32;
        let turn = match rules.turn_order.as_ref().filter(|order| order.goes_by_unit()) {
            // The end of a turn is a separate step.
            Some(order) => order.activations(sides, setup.start.units.len() as u32) * phases + 1,
            None => sides * phases,
        };
        Self { turn: setup.start.turn, turns: setup.turns, steps: u32::from(setup.turns) * turn, ..Self::default() }
    }
}

/// The limit that was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// [`Limits::states`].
    States(u64),
    /// [`Limits::bytes`].
    Bytes(u64),
    /// [`Limits::paths`].
    Paths(u64),
    /// The time limit, by the watcher's clock.
    Time(Duration),
    /// The watcher asked to stop.
    Stopped,
}

/// A battle with more states than allowed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub struct TooLarge {
    /// The limit exceeded.
    pub budget: Budget,
    /// The progress up to that point.
    pub progress: Progress,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { turn, turns, found, over, .. } = self.progress;
        match self.budget {
            Budget::States(states) => write!(out, "more than {states} states")?,
            Budget::Bytes(bytes) => write!(out, "more than {} MiB of states", bytes >> 20)?,
            Budget::Paths(paths) => write!(out, "more than {paths} paths")?,
            Budget::Time(time) => write!(out, "more than {} s: stopped at {found} states", time.as_secs_f64())?,
            Budget::Stopped => write!(out, "stopped at {found} states")?,
        }
        write!(out, " in turn {turn} of {turns}, with {:.1} % of all battles over", 100.0 * over)
    }
}
