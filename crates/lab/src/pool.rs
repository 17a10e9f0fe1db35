//! Worker threads. In a browser's worker there are none, and the caller does the work.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// A pool of worker threads.
pub(crate) struct Pool(Option<ThreadPool>);

impl Pool {
    /// Starts this number of worker threads; 0 means one for each core.
    ///
    /// # Errors
    /// They cannot be started.
    pub(crate) fn new(threads: usize) -> Result<Self, ThreadPoolBuildError> {
        if cfg!(target_family = "wasm") {
            return Ok(Self(None));
        }
        ThreadPoolBuilder::new().num_threads(threads).build().map(Some).map(Self)
    }

    /// The number available.
    pub(crate) fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs work with these threads.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}
