//! Time and memory that cells share while they are solved at the same time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use grognard_exact::{Limits, Progress};

use super::walk::Found;
use super::{BestPlay, WalkOf};
use crate::clock::Stopwatch;
use crate::exact::Watcher;
use crate::progress::Stop;

/// The share of the time for the first round, which solves in all cells what can be solved quickly. Each later round
/// has all the time that is left.
const FIRST: f64 = 0.25;
/// Each round starts all unfinished work from scratch, so a third or later round is worthwhile only if it has this many
/// times as long as the one before.
const LONGER: f64 = 2.0;

/// The state that all cells share.
pub(super) struct Shared<'a> {
    started: Stopwatch,
    seconds: Option<f64>,
    at_a_time: f64,
    room: Room,
    limits: Limits,
    watcher: &'a dyn Watcher,
    stop: &'a Stop,
}

impl<'a> Shared<'a> {
    /// The resources shared by this many cells on this many threads.
    pub(super) fn new(best: &BestPlay, cells: usize, threads: usize, watcher: &'a dyn Watcher, stop: &'a Stop) -> Self {
        let room = Room { most: best.limits.bytes, taken: (0..cells).map(|_| AtomicU64::new(0)).collect() };
        Self {
            started: Stopwatch::start(),
            seconds: best.time.map(|time| time.as_secs_f64()),
            at_a_time: threads.min(cells).max(1) as f64,
            room,
            limits: Limits { bytes: u64::MAX, ..best.limits },
            watcher,
            stop,
        }
    }

    /// The next round; `None` if it could find nothing more. Without a time limit there is one round.
    pub(super) fn round(&self, before: Option<&Round>, found: &[Found<'_>], walks: &[WalkOf]) -> Option<Round> {
        let now = self.now();
        let needed: Vec<Vec<WalkOf>> =
            found.iter().map(|found| walks.iter().copied().filter(|&walk| found.needs(walk)).collect()).collect();
        let part = if before.is_none() { FIRST } else { 1.0 };
        let until = self.seconds.map(|seconds| now + part * (seconds - now));
        let round = Round { is_first: before.is_none(), ..Round::new(until, needed) };
        let goes_on =
            before.is_none_or(|before| before.is_worth_another(&round, now, self.at_a_time) && !self.stop.is_raised());
        goes_on.then_some(round)
    }

    /// Runs an enumeration of the cell at a position, if it can still improve the answer.
    pub(super) fn walk(&self, round: &Round, place: usize, found: &mut Found<'_>, walk: WalkOf) {
        if !round.needed[place].contains(&walk) {
            return;
        }
        let begun = self.now();
        let until = round.share(place, begun, self.at_a_time);
        if found.needs(walk) {
            let cell = found.number();
            let mut is_cut = false;
            let mut watch = |progress: &Progress| {
                self.watcher.walking(cell, progress);
                let enough = self.stop.is_raised() || until.is_some_and(|until| self.now() > until);
                is_cut = enough || !self.room.is_left(place, progress.bytes);
                if is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            found.walk(walk, &self.limits, &mut watch);
            if is_cut {
                let took = (1000.0 * (self.now() - begun)) as u64;
                round.longest.fetch_max(took, Ordering::Relaxed);
            } else {
                found.finish(walk);
            }
            self.room.leave(place);
        }
        round.left[place].fetch_sub(1, Ordering::Relaxed);
    }

    fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}

/// Divides the time of a round among enumerations.
pub(super) struct Round {
    /// Whether it is the first round, which has only a part of the time: another one follows if anything was cut short.
    is_first: bool,
    /// When it ends; `None` if there is no limit.
    until: Option<f64>,
    /// For each cell, the walks that could improve its answer when the round began.
    needed: Vec<Vec<WalkOf>>,
    /// For each cell, the number of these walks that are still to come, one after another.
    left: Vec<AtomicUsize>,
    /// The longest time of an enumeration that was cut short, in milliseconds.
    longest: AtomicU64,
}

impl Round {
    fn new(until: Option<f64>, needed: Vec<Vec<WalkOf>>) -> Self {
        let left = needed.iter().map(|needed| AtomicUsize::new(needed.len())).collect();
        Self { is_first: false, until, needed, left, longest: AtomicU64::new(0) }
    }

    /// The deadline of an enumeration of a cell that starts now: all that are still to come get equal shares of the
    /// time.
    fn share(&self, place: usize, now: f64, at_a_time: f64) -> Option<f64> {
        let left = |cell: &AtomicUsize| cell.load(Ordering::Relaxed).max(1) as f64;
        let of_all: f64 = self.left.iter().map(|cell| cell.load(Ordering::Relaxed) as f64).sum();
        let part = (at_a_time / of_all.max(1.0)).min(1.0 / left(&self.left[place]));
        Some(now + (self.until? - now) * part)
    }

    /// Whether the next round, which begins now, has much more time for the work that this one cut short.
    fn is_worth_another(&self, next: &Self, now: f64, at_a_time: f64) -> bool {
        let longest = self.longest.load(Ordering::Relaxed) as f64 / 1000.0;
        let open = (0..next.needed.len()).filter(|&place| !next.needed[place].is_empty());
        let mut deadlines = open.filter_map(|place| next.share(place, now, at_a_time));
        deadlines.any(|until| self.is_first || until - now >= LONGER * longest)
    }
}

/// Memory shared by cells that are solved at the same time.
struct Room {
    most: u64,
    /// The bytes that each cell takes.
    taken: Vec<AtomicU64>,
}

impl Room {
    /// Whether a cell with this much memory may continue: if there is not enough for all, the largest has to stop.
    fn is_left(&self, place: usize, bytes: u64) -> bool {
        self.taken[place].store(bytes, Ordering::Relaxed);
        let all = || self.taken.iter().map(|taken| taken.load(Ordering::Relaxed));
        all().sum::<u64>() <= self.most || all().any(|other| other > bytes)
    }

    fn leave(&self, place: usize) {
        self.taken[place].store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three enumerations on two threads share ten seconds; the last one gets all that the others left over.
    #[test]
    fn what_is_still_to_come_shares_the_time() {
        let walks = |number: usize| vec![WalkOf::Search(0); number];
        let round = Round::new(Some(10.0), vec![walks(1), walks(1), walks(1)]);
        let near = |until: Option<f64>, seconds: f64| until.is_some_and(|until| (until - seconds).abs() < 1e-9);
        assert!(near(round.share(0, 4.0, 2.0), 8.0));
        round.left[0].store(0, Ordering::Relaxed);
        round.left[1].store(0, Ordering::Relaxed);
        assert!(near(round.share(2, 4.0, 2.0), 10.0));
        // The walks of one cell run one after another, however many threads there are.
        let alone = Round::new(Some(10.0), vec![walks(2)]);
        assert!(near(alone.share(0, 4.0, 2.0), 7.0));
        assert_eq!(Round::new(None, vec![walks(1)]).share(0, 4.0, 2.0), None);
    }

    /// A walk that was stopped after three of the ten seconds is started again if seven seconds are left, but not if
    /// five are.
    #[test]
    fn time_left_over_goes_to_what_was_cut_off() {
        let round = || Round::new(Some(10.0), vec![vec![], vec![WalkOf::Search(0)]]);
        let before = round();
        before.longest.store(3_000, Ordering::Relaxed);
        assert!(before.is_worth_another(&round(), 3.0, 2.0));
        assert!(!before.is_worth_another(&round(), 5.0, 2.0));
        // The first round has only a part of the time.
        assert!(Round { is_first: true, ..before }.is_worth_another(&round(), 5.0, 2.0));
        let before = round();
        let nothing = Round::new(Some(10.0), vec![vec![], vec![]]);
        assert!(!before.is_worth_another(&nothing, 0.0, 2.0));
        assert!(!before.is_worth_another(&Round::new(None, vec![vec![WalkOf::Search(0)]]), 0.0, 2.0));
    }
}
