//! Progress of a run, for the user.
#![allow(clippy::disallowed_types, reason = "no result depends on how fast a run progresses")]

use std::cmp::Reverse;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grognard_lab::progress::Progress;
use grognard_lab::results::{ResultsError, outcome_share};
use grognard_lab::runner::Tallied;
use grognard_lab::tally::{CellTally, Verdict};
use grognard_stats::{Intervals, Kind, Level};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::table::margin_alone;
use crate::terminal;
use crate::text::{counted, time};

/// Time between two lines without a terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// Time between two checks of the precision.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The progress display of a run.
#[derive(Debug)]
pub(crate) struct Watch {
    shown: Shown,
    known: Option<Known>,
    /// When preparation of the current study's report began, after its last battle.
    reporting: Mutex<Option<Instant>>,
    /// Whether the bar shows a stage of the work instead of battles.
    beside: AtomicBool,
}

/// How a run is shown.
#[derive(Debug)]
enum Shown {
    /// The run is not shown.
    Nobody,
    /// A bar on a terminal.
    Bar(ProgressBar),
    /// A line every few seconds, in a file or a pipe.
    Lines(Lines),
}

/// The current precision of the shares of all cells, for `--watch`.
#[derive(Debug)]
struct Known {
    level: Level,
    /// When it was last printed.
    last: Mutex<Option<Instant>>,
}

/// Lines that show the progress of a run.
#[derive(Debug)]
pub(crate) struct Lines {
    all: u64,
    before: u64,
    done: AtomicU64,
    started: Instant,
    /// When the last line was printed.
    last: Mutex<Instant>,
    /// Whether any line was printed.
    has_spoken: AtomicBool,
}

impl Watch {
    /// Watches a run of `all` battles, of which `before` were fought earlier.
    pub(crate) fn new(all: u64, before: u64, quiet: bool) -> Self {
        let shown = if quiet { Shown::Nobody } else { Shown::new(all, before) };
        Self { shown, known: None, reporting: Mutex::new(None), beside: AtomicBool::new(false) }
    }

    /// Also shows the precision of the shares, at this level at every look, if a level is given.
    pub(crate) fn watching(self, level: Option<Level>) -> Self {
        let known = level.map(|level| Known { level, last: Mutex::new(None) });
        Self { known, ..self }
    }

    /// Prints a message without disturbing the bar.
    pub(crate) fn say(&self, message: &str) {
        match &self.shown {
            Shown::Nobody => {}
            Shown::Bar(bar) => bar.suspend(|| terminal::say(message)),
            Shown::Lines(_) => terminal::say(message),
        }
    }

    /// Runs `act`, which prints, while the bar is hidden.
    pub(crate) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.shown {
            Shown::Bar(bar) if !bar.is_finished() => bar.suspend(act),
            _ => act(),
        }
    }

    /// How long it took to prepare the report of the last study fought, if one was prepared.
    pub(crate) fn reported(&self) -> Option<Duration> {
        self.reporting.lock().ok()?.take().map(|since| since.elapsed())
    }

    /// Ends the display; a bar leaves no trace.
    pub(crate) fn end(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Watch {
    fn advance(&self, battles: u64) {
        match &self.shown {
            Shown::Nobody => {}
            Shown::Bar(bar) => {
                // The next study's battles begin.
                if self.beside.swap(false, Ordering::Relaxed) {
                    bar.set_message("");
                    bar.set_style(style());
                    bar.reset_eta();
                }
                bar.inc(battles);
            }
            Shown::Lines(lines) => lines.advance(battles),
        }
    }

    fn counted(&self, tallied: &Tallied) {
        let Some(known) = &self.known else { return };
        match &self.shown {
            Shown::Nobody => {}
            Shown::Bar(bar) => known.say(tallied, LOOK_EVERY, |said| bar.set_message(format!("  {said}"))),
            Shown::Lines(_) => known.say(tallied, LINE_EVERY, terminal::say),
        }
    }

    fn reporting(&self) {
        if let Ok(mut since) = self.reporting.lock() {
            *since = Some(Instant::now());
        }
        let stage = "all battles are fought; preparing the report";
        match &self.shown {
            Shown::Nobody => {}
            Shown::Bar(bar) => {
                self.beside.store(true, Ordering::Relaxed);
                bar.set_style(stage_style());
                bar.set_message(stage);
            }
            // A short run has not printed any progress, so it prints no stages either.
            Shown::Lines(lines) if lines.has_spoken.load(Ordering::Relaxed) => terminal::say(stage),
            Shown::Lines(_) => {}
        }
    }

    fn lost(&self, error: &ResultsError) {
        let message = format!("warning: {error}; its battles are still counted, but are no longer kept individually");
        match &self.shown {
            // Losses are reported even with `--quiet`.
            Shown::Nobody => terminal::say(&message),
            _ => self.say(&message),
        }
    }

    fn unwatched(&self, why: &str) {
        let lacks = "the report lacks morale by turn, clauses and noteworthy battles";
        let message = format!("warning: {lacks}: {why}; to get them, run the study again without --no-report");
        match &self.shown {
            Shown::Nobody => terminal::say(&message),
            _ => self.say(&message),
        }
    }
}

impl Shown {
    fn new(all: u64, before: u64) -> Self {
        if !terminal::attended() {
            let now = Instant::now();
            let done = AtomicU64::new(before);
            let has_spoken = AtomicBool::new(false);
            return Self::Lines(Lines { all, before, done, started: now, last: Mutex::new(now), has_spoken });
        }
        let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
        bar.set_style(style());
        bar.set_position(before);
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self::Bar(bar)
    }
}

impl Known {
    /// Prints the precision of the shares, unless it was printed a moment ago.
    fn say(&self, tallied: &Tallied, every: Duration, say: impl FnOnce(&str)) {
        let Ok(mut last) = self.last.lock() else { return };
        if last.is_none_or(|last| last.elapsed() >= every) {
            *last = Some(Instant::now());
            say(&self.words(tallied));
        }
    }

    /// `every share is known to ±0.6 points (least precisely in cell 6), valid at every look`.
    fn words(&self, tallied: &Tallied) -> String {
        let intervals = Intervals { level: self.level, kind: Kind::Watched };
        let shares = (0_u64..).zip(&tallied.cells).flat_map(|(cell, tally)| {
            Verdict::among(tally.metrics.count()).iter().map(move |&verdict| (cell, tally, verdict))
        });
        let mut shares: Vec<(u64, &CellTally, Verdict)> = shares.collect();
        if tallied.cells.iter().all(|tally| tally.rounds.is_none()) {
            // With single battles, the share nearest to one half is the least precise; with rounds of two, it need not
            // be.
            let middle = |count: u64| count.min(tallied.battles.saturating_sub(count));
            shares.sort_by_key(|(cell, tally, verdict)| (Reverse(middle(tally.outcomes[verdict.index()])), *cell));
            shares.truncate(1);
        }
        let known =
            shares.iter().map(|(cell, tally, verdict)| (cell, outcome_share(tally, *verdict, intervals).half_width()));
        let Some((cell, half_width)) = known.max_by(|one, other| one.1.total_cmp(&other.1)) else {
            return String::new();
        };
        let half_width = 100.0 * half_width;
        let margin = margin_alone(half_width);
        format!("every share is known to {margin} points (least precisely in cell {cell}), valid at every look")
    }
}

impl Lines {
    fn advance(&self, battles: u64) {
        let done = self.done.fetch_add(battles, Ordering::Relaxed) + battles;
        // A thread that finds the lock taken leaves the line to the other thread.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() >= LINE_EVERY {
            *last = Instant::now();
            self.has_spoken.store(true, Ordering::Relaxed);
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

/// The style of a stage whose length is not known.
fn stage_style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {msg}").unwrap_or_else(|_| ProgressStyle::default_bar())
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
    ProgressStyle::with_template("{bar:24} {done}{rate}{left}{msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸─")
        .with_key("done", done)
        .with_key("rate", rate)
        .with_key("left", left)
}

#[cfg(test)]
mod tests {
    use grognard_lab::tally::RoundTally;

    use super::*;

    #[test]
    fn what_is_known_is_said_of_the_share_that_is_known_least() {
        let known = Known { level: Level::P95, last: Mutex::new(None) };
        let cell = |outcomes| CellTally { outcomes, ..CellTally::default() };
        let mut tallied = Tallied::new(0, &[]);
        (tallied.battles, tallied.cells) = (4_096, vec![cell([4_000, 96, 0, 0, 0]), cell([2_000, 2_096, 0, 0, 0])]);
        let words = known.words(&tallied);
        assert_eq!(words, "every share is known to ±3 points (least precisely in cell 1), valid at every look");
        assert_eq!(known.words(&Tallied::new(0, &[])), "");
        // These are the same battles, in rounds of two that always went the same way. There are half as many
        // independent results, so intervals are 1.4 times as wide.
        let mut rounds = RoundTally::default();
        rounds.verdicts[0].add_all((0..2_048).map(|round| 2 * (round % 2)));
        rounds.verdicts[1].add_all((0..2_048).map(|round| 2 - 2 * (round % 2)));
        rounds.verdicts[2].add_all((0..2_048).map(|_| 0));
        tallied.cells = vec![cell([2_048, 2_048, 0, 0, 0])];
        let alone = known.words(&tallied);
        tallied.cells[0].rounds = Some(Box::new(rounds));
        let width = |words: &str| words.split(['±', ' ']).find_map(|word| word.parse::<f64>().ok()).unwrap();
        let in_rounds = known.words(&tallied);
        assert!(width(&in_rounds) > 1.2 * width(&alone), "{alone}, {in_rounds}");
        let mut said = 0;
        (0..3).for_each(|_| known.say(&tallied, Duration::from_secs(3_600), |_| said += 1));
        assert_eq!(said, 1);
    }

    #[test]
    fn a_line_says_how_far_how_fast_and_how_long() {
        let now = Instant::now();
        let (done, has_spoken) = (AtomicU64::new(0), AtomicBool::new(false));
        let lines = Lines { all: 9_000_000, before: 1_000_000, done, started: now, last: Mutex::new(now), has_spoken };
        assert_eq!(
            lines.line(3_000_000, Duration::from_secs(4)),
            "3,000,000 of 9,000,000 battles (33 %), 500,000 a second, 12 s left"
        );
        assert!(lines.line(1_000_000, Duration::ZERO).ends_with("left"));
    }
}
