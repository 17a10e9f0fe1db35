//! Long-running work: other Python threads keep running, Ctrl-C works, and progress is reported.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use grognard_kit::{Error, Progress, Stop};
use pyo3::prelude::*;

use crate::errors::raised;

/// The time between two checks for signals.
const PAUSE: Duration = Duration::from_millis(50);

/// The latest progress report.
#[derive(Default)]
pub(crate) struct Latest(Mutex<Option<Progress>>);

impl Latest {
    /// The function that records progress.
    pub(crate) fn tell(&self) -> impl FnMut(&Progress) + Send + '_ {
        move |progress: &Progress| *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.clone())
    }

    fn take(&self) -> Option<Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Runs work on a separate thread. An exception raised in the meantime, by a signal or a progress function, stops it.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    run: impl FnOnce(&Stop, &Latest) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let told = py.import("grognard._progress")?.getattr("teller")?.call1((progress,))?;
    let (stop, latest) = (Stop::new(), Latest::default());
    let (done, is_done) = (Mutex::new(None), Condvar::new());
    let outcome = thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let outcome = run(&stop, &latest);
            *done.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            is_done.notify_all();
        });
        let mut fault = None;
        loop {
            let outcome = py.detach(|| {
                let waiting = done.lock().unwrap_or_else(PoisonError::into_inner);
                let waited = is_done.wait_timeout_while(waiting, PAUSE, |done| done.is_none());
                waited.unwrap_or_else(PoisonError::into_inner).0.take()
            });
            let heard = tell(&told, latest.take()).and_then(|()| py.check_signals());
            if let (Err(error), None) = (heard, &fault) {
                stop.raise();
                fault = Some(error);
            }
            if let Some(outcome) = outcome {
                return fault.map_or_else(|| outcome.map_err(|error| raised(py, error)), Err);
            }
            if worker.is_finished() && done.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
                // The worker panicked; joining it gives the panic.
                let panicked = py.detach(|| worker.join());
                std::panic::resume_unwind(panicked.err().unwrap_or_else(|| Box::new("the work has no result")));
            }
        }
    });
    let closed = told.call_method0("close");
    outcome.and_then(|outcome| closed.map(|_| outcome))
}

/// Reports progress: the amount done, the total, and a text.
fn tell(told: &Bound<'_, PyAny>, progress: Option<Progress>) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let (done, of) = match progress {
        Progress::Battles { fought, of, .. } => (Some(fought), of),
        _ => (None, None),
    };
    told.call1((done, of, progress.to_string())).map(drop)
}
