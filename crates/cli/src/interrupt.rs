//! Signals: Ctrl-C, and the one that comes with a limit on the size of files.

use std::sync::Arc;

use grognard_lab::progress::Stop;

/// A flag that the first Ctrl-C raises. The second one ends the command at once; the results folder stays whole even so.
///
/// `say` prints a message without disturbing whatever else is on the terminal.
pub(crate) fn stop_on_ctrl_c(say: impl Fn(&str) + Send + 'static) -> Arc<Stop> {
    let stop = Arc::new(Stop::new());
    let raised = Arc::clone(&stop);
    let handler = move || {
        if raised.is_raised() {
            std::process::exit(1);
        }
        raised.raise();
        say("stopping; Ctrl-C again to stop at once");
    };
    // Without a handler Ctrl-C ends the command at once, and what it has written can be resumed.
    let _ = ctrlc::set_handler(handler);
    stop
}

/// Lets a write beyond the limit on the size of files (`ulimit -f`) fail like one to a full disk. By default its signal ends the
/// process without a word.
#[cfg(unix)]
pub(crate) fn survive_file_limits() {
    let flag = Arc::new(std::sync::atomic::AtomicBool::new(false));
    // The flag is never read: the write itself reports the error. Without the handler all is as it was.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag);
}

#[cfg(not(unix))]
pub(crate) fn survive_file_limits() {}
