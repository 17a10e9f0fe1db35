//! Standard output and standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use console::Term;

use crate::failure::Failure;
use crate::text::tame;

/// The width of output to a file or a pipe, and the least width on a terminal.
const WIDTH: usize = 80;

/// The page on which a table is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// Its width.
    pub(crate) width: usize,
    /// Whether shares may be drawn as bars if there is room: for people, not in files and pipes.
    pub(crate) bars: bool,
}

/// The page of standard output.
pub(crate) fn page() -> Page {
    Page { width: width(), bars: io::stdout().is_terminal() }
}

/// The width for a table on standard output.
pub(crate) fn width() -> usize {
    Term::stdout().size_checked().map_or(WIDTH, |(_, columns)| usize::from(columns).max(WIDTH))
}

/// Whether standard error is a terminal.
pub(crate) fn attended() -> bool {
    io::stderr().is_terminal()
}

/// Whether messages may be coloured: on a terminal, unless `NO_COLOR` is set (no-color.org) or it has no colours.
pub(crate) fn colour() -> bool {
    attended() && knows_colour()
}

fn knows_colour() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb")
}

/// Prints a result for people, with coloured bars if colours are allowed.
///
/// # Errors
///
/// As for [`print_raw`].
pub(crate) fn print_bars(text: &str) -> Result<(), Failure> {
    let text = tame(text);
    if io::stdout().is_terminal() && knows_colour() { print_raw(&painted(&text)) } else { print_raw(&text) }
}

/// The text with each run of blocks in blue.
fn painted(text: &str) -> String {
    let mut painted = String::with_capacity(text.len());
    let mut within = false;
    for letter in text.chars() {
        let block = ('\u{2588}'..='\u{258f}').contains(&letter);
        if block != within {
            painted.push_str(if block { "\u{1b}[34m" } else { "\u{1b}[0m" });
            within = block;
        }
        painted.push(letter);
    }
    painted
}

/// Prints a result for people. Escape sequences in names cannot reach the terminal.
///
/// # Errors
///
/// As for [`print_raw`].
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_raw(&tame(text))
}

/// Prints a result as it is.
///
/// # Errors
///
/// Standard output cannot be written. A closed pipe is not an error.
pub(crate) fn print_raw(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::unfinished(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a one-line message on standard error.
pub(crate) fn say(line: &str) {
    say_raw(&format!("{}\n", tame(line)));
}

/// Prints messages on standard error as they are.
pub(crate) fn say_raw(text: &str) {
    // If messages cannot be written, there is no way to report that.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_alone_are_painted() {
        assert_eq!(painted("a ██▌ b\n"), "a \u{1b}[34m██▌\u{1b}[0m b\n");
        assert_eq!(painted("line ───"), "line ───");
    }
}
