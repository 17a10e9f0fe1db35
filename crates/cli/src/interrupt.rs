//! Ctrl-C.

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
