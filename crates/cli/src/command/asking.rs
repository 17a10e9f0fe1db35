//! The common parts of commands that answer a question: their dice, how they wait, and how they show the answer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use grognard_exact::Limits;
use grognard_lab::notes::Notes;
use grognard_lab::progress::{Progress, Stop};
use grognard_lab::record::Record;
use grognard_lab::shell::quoted;
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;
use grognard_stats::Level;

use super::export::expect_writable;
use crate::answer::Answer;
use crate::failure::{Failure, Status};
use crate::format::{Form, Format};
use crate::interrupt::{stop_after, stop_on_ctrl_c};
use crate::parse::{self, Seed};
use crate::progress::Watch;
use crate::solving::Solving;
use crate::study::{cells_of, overrides};
use crate::terminal;
use crate::text::{counted, plural};

/// The dice of the battles, the changes to the study, and the confidence level.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Battles {
    /// Use this seed instead of the study's: a number, or `random`.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Set a path to a value, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Confidence level for all intervals together.
    #[arg(long, value_name = "LEVEL", value_parser = parse::level, default_value = "0.95")]
    pub(super) level: Level,
}

impl Battles {
    /// The changes to the study. A random seed is drawn here and recorded in them.
    ///
    /// # Errors
    ///
    /// The system provides no random numbers, or `--set` is wrong.
    pub(super) fn changes(&self, sources: &mut Sources) -> Result<Changes, Failure> {
        let seed = self.seed.map(Seed::draw).transpose()?;
        Ok(Changes { seed, set: overrides(&self.set, sources)?, ..Changes::default() })
    }

    /// The number of worker threads; 0 means one for each core.
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or(0, usize::from)
    }

    /// The flags of a command line that uses the same dice, including a seed that was drawn.
    pub(super) fn words(&self, seed: Option<u64>) -> Vec<String> {
        let mut words: Vec<String> = seed.map(|seed| format!("--seed {seed}")).into_iter().collect();
        words.extend(self.set.iter().map(|set| format!("--set {}", quoted(set))));
        words.extend((self.level != Level::default()).then(|| format!("--level {}", self.level.get())));
        words
    }
}

/// The cells that a question covers.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Cells {
    /// Use only these cells, such as 18 or 0,18. May be repeated.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    cell: Vec<usize>,
    /// Use only the cells with this value at a varied path. May be repeated.
    #[arg(long, value_name = "PATH=VALUE", conflicts_with = "cell")]
    only: Vec<String>,
}

impl Cells {
    /// The cells' positions in the study; empty if no flag selects any, which means all.
    ///
    /// # Errors
    ///
    /// A cell that does not exist or is named twice, or a value that no cell has.
    pub(super) fn of(&self, study: &Study, sources: &mut Sources) -> Result<Vec<usize>, Failure> {
        cells_of(study, &self.cell, &self.only, sources)
    }

    /// The flags of a command line that selects the same cells.
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        let cells = self.cell.iter().map(|cell| format!("--cell {cell}"));
        cells.chain(self.only.iter().map(|only| format!("--only {}", quoted(only))))
    }
}

/// Whether odds are computed, and with how much memory.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Computing {
    /// Compute exact odds instead of fighting battles.
    #[arg(long)]
    exact: bool,
    /// Memory limit for situations, with --exact.
    #[arg(long, value_name = "BYTES", value_parser = parse::memory, default_value = "8G", requires = "exact")]
    max_memory: u64,
}

impl Computing {
    /// The limits; `None` if battles are fought.
    pub(super) fn limits(&self) -> Option<Limits> {
        self.exact.then(|| Limits { bytes: self.max_memory, ..Limits::default() })
    }

    /// The flags of a command line with the same limits.
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        self.exact.then(|| "--exact".to_owned()).into_iter()
    }
}

/// The failure for a cell that is too large to compute.
pub(super) fn too_large(message: String) -> Failure {
    Failure::beyond(message, "allow more with --max-memory, or leave out --exact")
}

/// How an answer is shown.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Showing {
    #[command(flatten)]
    form: Form,
    /// Write a report to a folder: a page, Markdown, a one-page PDF, a chart, and the numbers as JSON and CSV. If battles
    /// are fought and the search is stopped, run the command again with the same folder to resume it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print only the answer and errors.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl Showing {
    /// Begins a question. `command` is the command line without flags that only affect speed. With `--out`, the
    /// battles fought are recorded in the folder, and battles recorded for the same question are not fought again.
    ///
    /// # Errors
    ///
    /// The folder cannot be written, or another process is writing to it.
    pub(super) fn begin(&self, study: &Study, command: &str) -> Result<Question<'_>, Failure> {
        self.check()?;
        let notes = self.out.as_ref().map(|folder| notes_in(folder, study, command, self.quiet)).transpose()?;
        Ok(Question { showing: self, notes })
    }

    /// Checks before the work begins that the answer can be written.
    ///
    /// # Errors
    ///
    /// The folder of `--out` cannot be written.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.out.as_deref().map_or(Ok(()), expect_writable)
    }

    /// Prints a message on standard error, unless `--quiet` is given.
    pub(super) fn say(&self, line: &str) {
        if !self.quiet {
            terminal::say(line);
        }
    }

    /// Prints a text below the answer for people to copy. JSON and CSV already contain it among their numbers.
    ///
    /// # Errors
    ///
    /// Standard output cannot be written.
    pub(super) fn print_below(&self, text: &str) -> Result<(), Failure> {
        match self.format() {
            Format::Table => terminal::print_raw(&format!("\n{text}")),
            Format::Markdown => terminal::print_raw(&format!("\n```toml\n{text}```\n")),
            Format::Json | Format::Csv => Ok(()),
        }
    }

    /// Prints the answer, and writes it to the folder if there is one.
    ///
    /// # Errors
    ///
    /// Standard output or the folder cannot be written.
    pub(super) fn show(&self, answer: &Answer) -> Result<(), Failure> {
        answer.print(self.format())?;
        self.write(|folder| answer.write(folder))
    }

    /// The format of the answer on standard output.
    pub(super) fn format(&self) -> Format {
        self.form.format()
    }

    /// Writes the files of the answer to the folder, if there is one, and says where its page is.
    ///
    /// # Errors
    ///
    /// As for `write`.
    pub(super) fn write(&self, write: impl FnOnce(&Path) -> Result<Vec<PathBuf>, Failure>) -> Result<(), Failure> {
        let Some(folder) = &self.out else { return Ok(()) };
        let files = write(folder)?;
        let page = files.iter().find(|file| file.extension().is_some_and(|extension| extension == "html"));
        page.into_iter().for_each(|page| self.say(&format!("report   {}", page.display())));
        Ok(())
    }
}

/// The record of a question in the folder of its answer. Prints a message if it has entries.
///
/// # Errors
///
/// The folder cannot be written, or another process is writing to it.
pub(super) fn notes_in(folder: &Path, study: &Study, command: &str, quiet: bool) -> Result<Notes, Failure> {
    let help = "wait for it to end, or name another folder with --out";
    let notes = Notes::open(folder, study, command).map_err(|error| Failure::beyond(error.to_string(), help))?;
    if !notes.is_new() && !quiet {
        terminal::say("resuming this question where it was stopped");
    }
    Ok(notes)
}

/// Removes the record of a question once it is answered, and keeps it if the question was stopped.
pub(super) fn close(notes: Option<Notes>, stopped: bool, quiet: bool) {
    match notes {
        Some(_) if stopped && !quiet => terminal::say("stopped; run the same command again to resume"),
        Some(notes) if !stopped => notes.remove(),
        _ => {}
    }
}

/// A question while it is being answered.
#[derive(Debug)]
pub(super) struct Question<'a> {
    showing: &'a Showing,
    notes: Option<Notes>,
}

impl Question<'_> {
    /// Runs work that Ctrl-C or the time limit can stop, and shows how many of `battles` have been fought. Also
    /// returns whether the time limit stopped it.
    pub(super) fn watch<T>(
        &self,
        time: Option<Duration>,
        battles: u64,
        work: impl FnOnce(&dyn Progress, &Stop) -> T,
    ) -> (T, bool) {
        wait(time, |stop| self.step(battles, |progress| work(progress, stop)))
    }

    /// Like [`Self::watch`], but if the work is `exact`, shows how much of each cell has been computed.
    pub(super) fn watch_either<T>(
        &self,
        time: Option<Duration>,
        battles: u64,
        exact: bool,
        work: impl FnOnce(&dyn Progress, &Stop) -> T,
    ) -> (T, bool) {
        if !exact {
            return self.watch(time, battles, work);
        }
        wait(time, |stop| {
            let solving = Solving::new(None, self.showing.quiet);
            let done = work(&solving, stop);
            solving.end();
            done
        })
    }

    /// Runs one step of the work, and shows how many of `battles` have been fought.
    pub(super) fn step<T>(&self, battles: u64, work: impl FnOnce(&dyn Progress) -> T) -> T {
        let watch = Watch::new(battles, 0, self.showing.quiet || battles == 0);
        let done = work(&Noting { watch: &watch, notes: self.notes.as_ref() });
        watch.end();
        done
    }

    /// Prints the answer, and writes it to the folder if there is one. If the question was `stopped`, its record is
    /// kept.
    ///
    /// # Errors
    ///
    /// Standard output or the folder cannot be written.
    pub(super) fn show(self, answer: &Answer, stopped: bool) -> Result<(), Failure> {
        self.showing.show(answer)?;
        self.close(stopped);
        Ok(())
    }

    /// Ends a question whose answer has been shown. If it was `stopped`, its record is kept.
    pub(super) fn close(self, stopped: bool) {
        close(self.notes, stopped, self.showing.quiet);
    }
}

/// A watcher that also records the battles fought.
pub(super) struct Noting<'a> {
    pub(super) watch: &'a Watch,
    pub(super) notes: Option<&'a Notes>,
}

impl Progress for Noting<'_> {
    fn advance(&self, battles: u64) {
        self.watch.advance(battles);
    }

    fn record(&self) -> Option<&dyn Record> {
        self.notes.map(|notes| notes as &dyn Record)
    }
}

/// Runs work that Ctrl-C or the time limit can stop. Also returns whether the time limit stopped it.
pub(super) fn wait<T>(time: Option<Duration>, work: impl FnOnce(&Stop) -> T) -> (T, bool) {
    let stop = stop_on_ctrl_c(terminal::say);
    let limit = time.map(|time| stop_after(time, &stop));
    let done = work(&stop);
    let out_of_time = limit.is_some_and(|limit| limit.is_over());
    // Nothing after this needs a graceful stop, so Ctrl-C may now end the command at once.
    stop.raise();
    (done, out_of_time)
}

/// The exit status: unfinished if the work was stopped, except by its own time limit.
pub(super) fn ended(stopped: bool, out_of_time: bool) -> Status {
    if stopped && !out_of_time { Status::Unfinished } else { Status::Done }
}

/// The guarantee of intervals that are simultaneous at every look: `95 % for all 81 intervals of all values and cells
/// together, …`.
pub(super) fn promise(level: Level, intervals: usize, of: &str) -> String {
    let level = 100.0 * level.get();
    match intervals {
        1 => format!("{level} % for the only interval, valid at any stopping time."),
        _ => format!(
            "{level} % for all {} intervals of all {of} and cells together, valid at any stopping time.",
            counted(intervals as u64)
        ),
    }
}

/// The approximate number of battles of a command without `--runs`.
const BATTLES: u64 = 20_000_000;
/// The minimum default of `--runs`.
const RUNS_MIN: u64 = 1_024;
/// The maximum number of battles under the original rules, which are held in memory.
const HELD_MAX: u64 = 10_000_000;

/// The number of battles in each cell under each variant of the rules: the number requested, or enough for [`BATTLES`]
/// in all.
///
/// # Errors
///
/// There are too many to hold in memory.
pub(super) fn held_battles(study: &Study, cells: usize, variants: usize, asked: Option<u64>) -> Result<u64, Failure> {
    let cells = cells as u64;
    let even = |battles: u64| battles - battles % study.round() as u64;
    let share = BATTLES / (cells * variants as u64);
    let by_itself = || even((share - share % 256).max(RUNS_MIN).min(HELD_MAX / cells).min(study.runs));
    let battles = asked.unwrap_or_else(by_itself);
    if battles.saturating_mul(cells) > HELD_MAX {
        let message =
            format!("{} battles of {} are too many to hold in memory", counted(battles), plural(cells, "cell"));
        let help = format!("use --runs {} or fewer, or select fewer cells with --cell", even(HELD_MAX / cells));
        return Err(Failure::wrong(message, help));
    }
    Ok(battles)
}
