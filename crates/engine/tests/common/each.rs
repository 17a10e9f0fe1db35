//! Parallel work on many items, on all cores or with the number of threads in `JOBS`. `recipes/mutants` includes this
//! file, too.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` with each item and its index.
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
