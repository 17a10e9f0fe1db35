//! Time and memory that cells share while they are solved at the same time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use grognard_exact::{Limits, Progress};

use super::walk::Found;
use super::{BestPlay, WalkOf};
use crate::clock::Stopwatch;
use crate::exact::Watcher;
use crate::progress::Stop;

/// The parts of the remaining time that rounds take. In the first one, what is quickly solved is solved in all cells; the last one is for
/// what takes longer.
const ROUNDS: [f64; 2] = [0.25, 1.0];

/// What all cells share.
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
    /// The resources of a number of cells on a number of threads.
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

    /// The part of the remaining time that each round takes; without a time limit there is one round.
    pub(super) fn rounds(&self) -> &'static [f64] {
        if self.seconds.is_some() { &ROUNDS } else { &ROUNDS[1..] }
    }

    /// Begins a round with this part of the remaining time.
    pub(super) fn round(&self, part: f64, found: &[Found<'_>], walks: &[WalkOf]) -> Round {
        let now = self.now();
        let needed: Vec<Vec<WalkOf>> =
            found.iter().map(|found| walks.iter().copied().filter(|&walk| found.needs(walk)).collect()).collect();
        let left = AtomicUsize::new(needed.iter().map(Vec::len).sum());
        Round { until: self.seconds.map(|seconds| now + part * (seconds - now)), needed, left }
    }

    /// Runs an enumeration of the cell at a position, if it can still improve the answer.
    pub(super) fn walk(&self, round: &Round, place: usize, found: &mut Found<'_>, walk: WalkOf) {
        if !round.needed[place].contains(&walk) {
            return;
        }
        let until = round.share(self.now(), self.at_a_time);
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
            if !is_cut {
                found.finish(walk);
            }
            self.room.leave(place);
        }
        round.left.fetch_sub(1, Ordering::Relaxed);
    }

    fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}

/// Divides the time of a round among enumerations.
pub(super) struct Round {
    /// When it ends; none if there is no limit.
    until: Option<f64>,
    /// By cell, what could improve its answer when the round began.
    needed: Vec<Vec<WalkOf>>,
    /// How much of that is still to come.
    left: AtomicUsize,
}

impl Round {
    /// The deadline of an enumeration that starts now: all that are still to come have the same share.
    fn share(&self, now: f64, at_a_time: f64) -> Option<f64> {
        let left = self.left.load(Ordering::Relaxed).max(1) as f64;
        Some(now + (self.until? - now) * (at_a_time / left).min(1.0))
    }
}

/// Memory shared by cells that are solved at the same time.
struct Room {
    most: u64,
    /// Bytes that each takes.
    taken: Vec<AtomicU64>,
}

impl Room {
    /// Whether a cell with this much memory may continue: if there is too little for all, the largest has to stop.
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

    /// Three enumerations on two threads share ten seconds; the last has all that the others left over.
    #[test]
    fn what_is_still_to_come_shares_the_time() {
        let left = AtomicUsize::new(3);
        let round = Round { until: Some(10.0), needed: Vec::new(), left };
        assert!(round.share(4.0, 2.0).is_some_and(|until| (until - 8.0).abs() < 1e-9));
        round.left.store(1, Ordering::Relaxed);
        assert_eq!(round.share(4.0, 2.0), Some(10.0));
        let endless = Round { until: None, ..round };
        assert_eq!(endless.share(4.0, 2.0), None);
    }
}
