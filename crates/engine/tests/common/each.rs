//! Work on many things, on all cores or with as many threads as `JOBS` says. `recipes/mutants` contains this file as well.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does something with each of these and its place among them.
pub(crate) fn each<T: Sync>(all: &[T], work: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    let jobs = std::env::var("JOBS").ok().and_then(|jobs| jobs.parse().ok());
    let threads = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = all.get(place) else { break };
                    work(place, one);
                }
            });
        }
    });
}
