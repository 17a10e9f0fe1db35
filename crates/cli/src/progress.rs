//! How a run comes along, for those who wait for it.
#![allow(clippy::disallowed_types, reason = "no result depends on how fast a run comes along")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grognard_lab::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::terminal;
use crate::text::{counted, time};

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Somebody who watches a run.
#[derive(Debug)]
pub(crate) enum Watch {
    /// Nobody does.
    Nobody,
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// A line every few seconds, for a file or a pipe.
    Lines(Lines),
}

/// Lines that say how far a run has come.
#[derive(Debug)]
pub(crate) struct Lines {
    all: u64,
    before: u64,
    done: AtomicU64,
    started: Instant,
    /// When the last line was printed.
    last: Mutex<Instant>,
}

impl Watch {
    /// Watches a run of `all` battles, `before` of which were fought earlier.
    pub(crate) fn new(all: u64, before: u64, quiet: bool) -> Self {
        if quiet {
            return Self::Nobody;
        }
        if !terminal::attended() {
            let now = Instant::now();
            let done = AtomicU64::new(before);
            return Self::Lines(Lines { all, before, done, started: now, last: Mutex::new(now) });
        }
        let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
        bar.set_style(style());
        bar.set_position(before);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self::Bar(bar)
    }

    /// Prints a message without disturbing the bar.
    pub(crate) fn say(&self, message: &str) {
        match self {
            Self::Nobody => {}
            Self::Bar(bar) => bar.suspend(|| terminal::say(message)),
            Self::Lines(_) => terminal::say(message),
        }
    }

    /// Ends the watch; a bar leaves no trace.
    pub(crate) fn end(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Watch {
    fn advance(&self, battles: u64) {
        match self {
            Self::Nobody => {}
            Self::Bar(bar) => bar.inc(battles),
            Self::Lines(lines) => lines.advance(battles),
        }
    }
}

impl Lines {
    fn advance(&self, battles: u64) {
        let done = self.done.fetch_add(battles, Ordering::Relaxed) + battles;
        // Whoever finds the lock taken leaves the line to the other thread.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() >= LINE_EVERY {
            *last = Instant::now();
            terminal::say(&self.line(done, self.started.elapsed()));
        }
    }

    fn line(&self, done: u64, elapsed: Duration) -> String {
        let rate = (done - self.before) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = Duration::try_from_secs_f64((self.all.saturating_sub(done)) as f64 / rate.max(1e-9));
        format!(
            "{} of {} battles ({:.0} %), {} a second, {} left",
            counted(done),
            counted(self.all),
            100.0 * done as f64 / self.all.max(1) as f64,
            counted(rate as u64),
            left.map_or_else(|_| "a long time".to_owned(), time)
        )
    }
}

fn style() -> ProgressStyle {
    let done = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // Writing to the bar's own buffer does not fail.
        let _ = write!(out, "{} of {} battles", counted(state.pos()), counted(state.len().unwrap_or_default()));
    };
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, ", {} a second", counted(state.per_sec() as u64));
    };
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        if state.per_sec() > 0.0 {
            let _ = write!(out, ", {} left", time(state.eta()));
        }
    };
    ProgressStyle::with_template("{bar:24} {done}{rate}{left}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─")
        .with_key("done", done)
        .with_key("rate", rate)
        .with_key("left", left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_how_fast_and_how_long() {
        let now = Instant::now();
        let lines =
            Lines { all: 9_000_000, before: 1_000_000, done: AtomicU64::new(0), started: now, last: Mutex::new(now) };
        assert_eq!(
            lines.line(3_000_000, Duration::from_secs(4)),
            "3,000,000 of 9,000,000 battles (33 %), 500,000 a second, 12 s left"
        );
        assert!(lines.line(1_000_000, Duration::ZERO).ends_with("left"));
    }
}
