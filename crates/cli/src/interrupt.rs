//! Ctrl-C.

use std::sync::Arc;

use grognard_lab::progress::Stop;

use crate::progress::Watch;

/// A flag that the first Ctrl-C raises. The second one ends the command at once; the results folder stays whole even so.
pub(crate) fn stop_on_ctrl_c(watch: &Arc<Watch>) -> Arc<Stop> {
    let stop = Arc::new(Stop::new());
    let (raised, watch) = (Arc::clone(&stop), Arc::clone(watch));
    let handler = move || {
        if raised.is_raised() {
            std::process::exit(1);
        }
        raised.raise();
        watch.say("stopping; Ctrl-C again to stop at once");
    };
    // Without a handler Ctrl-C ends the command at once, and what it has written can be resumed.
    let _ = ctrlc::set_handler(handler);
    stop
}
