//! What cells that are worked out at the same time share: time and memory.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use grognard_exact::{Limits, Progress};

use super::walk::Found;
use super::{BestPlay, WALKS, WalkOf};
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
    /// What so many cells share that are worked out by so many threads.
    pub(super) fn new(best: &BestPlay, cells: usize, threads: usize, watcher: &'a dyn Watcher, stop: &'a Stop) -> Self {
        let clock = Clock {
            started: Stopwatch::start(),
            seconds: best.time.map(|time| time.as_secs_f64()),
            at_a_time: threads.min(cells).max(1) as f64,
            left: AtomicUsize::new(cells * WALKS.len()),
        };
        let room = Room { most: best.limits.bytes, taken: (0..cells).map(|_| AtomicU64::new(0)).collect() };
        Self { clock, room, limits: Limits { bytes: u64::MAX, ..best.limits }, watcher, stop }
    }

    /// Walks something of the cell at a place, if there is anything left to be known by it.
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

/// Memory that is shared by cells that are worked out at the same time.
struct Room {
    most: u64,
    /// Bytes that each takes.
    taken: Vec<AtomicU64>,
}

impl Room {
    /// Whether a cell that takes so much may go on: where there is too little for all, the largest has to stop.
    fn is_left(&self, place: usize, bytes: u64) -> bool {
        self.taken[place].store(bytes, Ordering::Relaxed);
        let all = || self.taken.iter().map(|taken| taken.load(Ordering::Relaxed));
        all().sum::<u64>() <= self.most || all().any(|other| other > bytes)
    }

    fn leave(&self, place: usize) {
        self.taken[place].store(0, Ordering::Relaxed);
    }
}

/// Shares time out among what is to be walked.
struct Clock {
    started: Stopwatch,
    seconds: Option<f64>,
    at_a_time: f64,
    /// Walks that are not over.
    left: AtomicUsize,
}

/// Of the time that is left, the least that a walk may take. Most take next to none, and few nearly all.
const SHARE: f64 = 0.4;

impl Clock {
    fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// When a walk that begins now must end.
    fn share(&self) -> Option<f64> {
        let (now, seconds) = (self.now(), self.seconds?);
        let left = self.left.load(Ordering::Relaxed).max(1) as f64;
        Some(now + (seconds - now) * (self.at_a_time / left).clamp(SHARE, 1.0))
    }
}
