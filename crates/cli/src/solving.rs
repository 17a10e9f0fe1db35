//! Progress of exact odds, for the user.
#![allow(clippy::disallowed_types, reason = "no result depends on how fast the work progresses")]

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grognard_exact::Progress;
use grognard_lab::exact::Watcher;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::terminal;
use crate::text::plural;

/// Time between two messages, on a terminal and elsewhere.
const TELL_EVERY: Duration = Duration::from_millis(200);
const LINE_EVERY: Duration = Duration::from_secs(5);

/// The progress display while cells are solved.
#[derive(Debug)]
pub(crate) struct Solving {
    /// The number of cells, if it is known in advance.
    cells: Option<u64>,
    solved: AtomicU64,
    /// The progress line, unless progress is hidden.
    shown: Option<Shown>,
}

#[derive(Debug)]
struct Shown {
    /// `None` if there is no terminal.
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

/// The last message, and the cells being solved.
#[derive(Debug)]
struct State {
    last: Instant,
    /// The last line printed, which is not repeated.
    said: String,
    cells: BTreeMap<u32, Progress>,
}

impl Solving {
    /// Watches this many cells; `None` if their number depends on their results.
    pub(crate) fn new(cells: Option<u64>, quiet: bool) -> Self {
        let shown = (!quiet).then(|| {
            let bar = terminal::attended().then(|| {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                bar.set_style(
                    ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar()),
                );
                bar.enable_steady_tick(Duration::from_millis(100));
                bar
            });
            Shown {
                bar,
                state: Mutex::new(State { last: Instant::now(), said: String::new(), cells: BTreeMap::new() }),
            }
        });
        Self { cells, solved: AtomicU64::new(0), shown }
    }

    /// Prints a message without disturbing the bar.
    pub(crate) fn say(&self, message: &str) {
        match self.shown.as_ref().map(|shown| &shown.bar) {
            None => {}
            Some(None) => terminal::say(message),
            Some(Some(bar)) => bar.suspend(|| terminal::say(message)),
        }
    }

    /// Ends the display; a bar leaves no trace.
    pub(crate) fn end(&self) {
        if let Some(Shown { bar: Some(bar), .. }) = &self.shown {
            bar.finish_and_clear();
        }
    }

    /// The progress: `12 of 36 cells solved; cell 5 in turn 3 of 8, 120,331 states`.
    fn line(&self, cells: &BTreeMap<u32, Progress>) -> String {
        let of = self.cells.map_or_else(String::new, |cells| format!(" of {cells}"));
        let mut line = format!("{}{of} cells solved", self.solved.load(Ordering::Relaxed));
        for (cell, progress) in cells {
            let Progress { turn, turns, states, .. } = *progress;
            line.push_str(&format!("; cell {cell} in turn {turn} of {turns}, {}", plural(states, "state")));
        }
        line
    }
}

impl Watcher for Solving {
    fn walking(&self, cell: u32, progress: &Progress) {
        let Some(shown) = &self.shown else { return };
        // A thread that finds the lock taken leaves the message to the other thread.
        let Ok(mut state) = shown.state.try_lock() else { return };
        state.cells.insert(cell, *progress);
        let every = if shown.bar.is_some() { TELL_EVERY } else { LINE_EVERY };
        if state.last.elapsed() >= every {
            state.last = Instant::now();
            let line = self.line(&state.cells);
            match &shown.bar {
                Some(bar) => bar.set_message(line),
                None if line == state.said => {}
                None => {
                    terminal::say(&line);
                    state.said = line;
                }
            }
        }
    }

    fn solved(&self, cell: u32) {
        self.solved.fetch_add(1, Ordering::Relaxed);
        if let Some(shown) = &self.shown
            && let Ok(mut state) = shown.state.lock()
        {
            state.cells.remove(&cell);
        }
    }
}

/// The progress of a question that computes cells instead of fighting.
impl grognard_lab::progress::Progress for Solving {
    fn advance(&self, _battles: u64) {}

    fn solving(&self) -> &dyn Watcher {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_which_cells_are_where() {
        let solving = Solving::new(Some(36), true);
        solving.solved(0);
        let progress = Progress { turn: 3, turns: 8, states: 120_331, ..Progress::default() };
        let cells = BTreeMap::from([(1, progress)]);
        assert_eq!(solving.line(&cells), "1 of 36 cells solved; cell 1 in turn 3 of 8, 120,331 states");
        let uncounted = Solving::new(None, true);
        assert_eq!(uncounted.line(&cells), "0 cells solved; cell 1 in turn 3 of 8, 120,331 states");
    }
}
