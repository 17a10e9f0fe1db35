//! Time and memory that cells share while they are solved at the same time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use grognard_exact::{Limits, Progress};

use super::walk::Found;
use super::{BestPlay, WalkOf};
use crate::clock::Stopwatch;
use crate::exact::Watcher;
use crate::progress::Stop;

/// What all cells share.
pub(super) struct Shared<'a> {
    clock: Clock,
    room: Room,
    limits: Limits,
    watcher: &'a dyn Watcher,
    stop: &'a Stop,
}

impl<'a> Shared<'a> {
    /// The resources of a number of cells on a number of threads.
    pub(super) fn new(best: &BestPlay, cells: usize, threads: usize, watcher: &'a dyn Watcher, stop: &'a Stop) -> Self {
        let clock = Clock {
            started: Stopwatch::start(),
            seconds: best.time.map(|time| time.as_secs_f64()),
            at_a_time: threads.min(cells).max(1) as f64,
            left: AtomicUsize::new(cells * best.walks().len()),
        };
        let room = Room { most: best.limits.bytes, taken: (0..cells).map(|_| AtomicU64::new(0)).collect() };
        Self { clock, room, limits: Limits { bytes: u64::MAX, ..best.limits }, watcher, stop }
    }

    /// Runs an enumeration of the cell at a position, if it can still improve the answer.
    pub(super) fn walk(&self, place: usize, found: &mut Found<'_>, walk: WalkOf) {
        let until = self.clock.share();
        if found.needs(walk) {
            let cell = found.number();
            let mut watch = |progress: &Progress| {
                self.watcher.walking(cell, progress);
                let enough = self.stop.is_raised() || until.is_some_and(|until| self.clock.now() > until);
                match enough || !self.room.is_left(place, progress.bytes) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            found.walk(walk, &self.limits, &mut watch);
            self.room.leave(place);
        }
        self.clock.left.fetch_sub(1, Ordering::Relaxed);
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

/// Divides time among enumerations.
struct Clock {
    started: Stopwatch,
    seconds: Option<f64>,
    at_a_time: f64,
    /// Unfinished enumerations.
    left: AtomicUsize,
}

/// The least share of the remaining time for one enumeration. Most take next to none, and a few take nearly all.
const SHARE: f64 = 0.4;

impl Clock {
    fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The deadline of an enumeration that starts now.
    fn share(&self) -> Option<f64> {
        let (now, seconds) = (self.now(), self.seconds?);
        let left = self.left.load(Ordering::Relaxed).max(1) as f64;
        Some(now + (seconds - now) * (self.at_a_time / left).clamp(SHARE, 1.0))
    }
}
