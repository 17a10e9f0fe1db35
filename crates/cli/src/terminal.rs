//! Standard output and standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use console::Term;

use crate::failure::Failure;
use crate::text::tame;

/// Columns of output that goes to a file or a pipe, and the least on a terminal.
const WIDTH: usize = 80;

/// Columns that a table on standard output may have.
pub(crate) fn width() -> usize {
    Term::stdout().size_checked().map_or(WIDTH, |(_, columns)| usize::from(columns).max(WIDTH))
}

/// Whether standard error is a terminal.
pub(crate) fn attended() -> bool {
    io::stderr().is_terminal()
}

/// Whether messages may be coloured: on a terminal, unless `NO_COLOR` is set (no-color.org) or it knows no colours.
pub(crate) fn colour() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    attended() && set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb")
}

/// Prints a result for people: nothing that a name in it says is obeyed by a terminal.
///
/// # Errors
/// As [`print_raw`].
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_raw(&tame(text))
}

/// Prints a result as it is.
///
/// # Errors
/// Standard output cannot be written. That nobody reads it any more is no error.
pub(crate) fn print_raw(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::unfinished(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a message, a line, on standard error.
pub(crate) fn say(line: &str) {
    say_raw(&format!("{}\n", tame(line)));
}

/// Prints messages on standard error as they are.
pub(crate) fn say_raw(text: &str) {
    // Where messages cannot be written there is nobody to tell.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
