//! Signals: Ctrl-C, and the one sent when a file exceeds its size limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grognard_lab::progress::Stop;

/// A flag that the first Ctrl-C raises. The second one ends the command at once, which also leaves the results
/// folder intact.
///
/// `say` prints a message without disturbing anything else on the terminal.
pub(crate) fn stop_on_ctrl_c(say: impl Fn(&str) + Send + 'static) -> Arc<Stop> {
    let stop = Arc::new(Stop::new());
    let raised = Arc::clone(&stop);
    let handler = move || {
        if raised.is_raised() {
            say("stopped at once; the results folder stays valid, and `grognard report` builds its report");
            std::process::exit(1);
        }
        raised.raise();
        say("stopping; press Ctrl-C again to stop immediately");
    };
    // Without a handler Ctrl-C ends the command at once, and what it has written can be resumed.
    let _ = ctrlc::set_handler(handler);
    stop
}

/// A time limit.
#[derive(Debug)]
pub(crate) struct TimeLimit(Arc<AtomicBool>);

impl TimeLimit {
    /// Whether the limit has been reached and has stopped the work.
    pub(crate) fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Raises the flag after this time, unless it is already raised.
pub(crate) fn stop_after(time: Duration, stop: &Arc<Stop>) -> TimeLimit {
    let over = Arc::new(AtomicBool::new(false));
    let (stop, told) = (Arc::clone(stop), Arc::clone(&over));
    // The thread ends with the process, if not before.
    std::thread::spawn(move || {
        std::thread::sleep(time);
        if !stop.is_raised() {
            told.store(true, Ordering::Relaxed);
            stop.raise();
        }
    });
    TimeLimit(over)
}

/// Makes a write beyond the file-size limit (`ulimit -f`) fail like one to a full disk. By default its signal ends
/// the process without a message.
#[cfg(unix)]
pub(crate) fn survive_file_limits() {
    let flag = Arc::new(std::sync::atomic::AtomicBool::new(false));
    // The flag is never read: the write itself reports the error. If the handler cannot be set, the signal keeps its
    // default effect.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
}

#[cfg(not(unix))]
pub(crate) fn survive_file_limits() {}
