//! What commands that answer a question have in common: by which dice they fight, how they wait, and how the answer is shown.

use std::path::{Path, PathBuf};
use std::time::Duration;

use grognard_exact::Limits;
use grognard_lab::notes::Notes;
use grognard_lab::progress::{Progress, Stop};
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
use crate::study::{cells_of, overrides};
use crate::terminal;
use crate::text::{counted, plural};

/// By which dice battles are fought, with what changed, and how sure the answer is to be.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Battles {
    /// The seed instead of the study's: a number, or `random`.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Put a value at a path, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Confidence level of all intervals together.
    #[arg(long, value_name = "LEVEL", value_parser = parse::level, default_value = "0.95")]
    pub(super) level: Level,
}

impl Battles {
    /// What is changed in the study. A random seed is drawn here, and stands in it.
    ///
    /// # Errors
    /// The system gives no random numbers, or `--set` is wrong.
    pub(super) fn changes(&self, sources: &mut Sources) -> Result<Changes, Failure> {
        let seed = self.seed.map(Seed::draw).transpose()?;
        Ok(Changes { seed, set: overrides(&self.set, sources)?, ..Changes::default() })
    }

    /// Worker threads; 0 for as many as the machine has cores.
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or(0, usize::from)
    }

    /// The words of a command line that fights by the same dice; with the seed that was drawn, if one was asked for.
    pub(super) fn words(&self, seed: Option<u64>) -> Vec<String> {
        let mut words: Vec<String> = seed.map(|seed| format!("--seed {seed}")).into_iter().collect();
        words.extend(self.set.iter().map(|set| format!("--set {}", quoted(set))));
        words.extend((self.level != Level::default()).then(|| format!("--level {}", self.level.get())));
        words
    }
}

/// The cells that a question is about.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Cells {
    /// Only these cells, such as 18 or 0,18. May be repeated.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    cell: Vec<usize>,
    /// Only the cells with this value at a varied path. May be repeated.
    #[arg(long, value_name = "PATH=VALUE", conflicts_with = "cell")]
    only: Vec<String>,
}

impl Cells {
    /// Their places in the study; none where they name none, which means all.
    ///
    /// # Errors
    /// A cell that is not there or is named twice, or a value that no cell has.
    pub(super) fn of(&self, study: &Study, sources: &mut Sources) -> Result<Vec<usize>, Failure> {
        cells_of(study, &self.cell, &self.only, sources)
    }

    /// The words of a command line that names the same.
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        let cells = self.cell.iter().map(|cell| format!("--cell {cell}"));
        cells.chain(self.only.iter().map(|only| format!("--only {}", quoted(only))))
    }
}

/// Whether the odds are computed, and with how much memory.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Computing {
    /// Compute the odds instead of fighting battles.
    #[arg(long)]
    exact: bool,
    /// With --exact, the most memory for situations.
    #[arg(long, value_name = "BYTES", value_parser = parse::memory, default_value = "8G", requires = "exact")]
    max_memory: u64,
}

impl Computing {
    /// What may be taken; none where battles are fought.
    pub(super) fn limits(&self) -> Option<Limits> {
        self.exact.then(|| Limits { bytes: self.max_memory, ..Limits::default() })
    }

    /// The word of a command line that computes as well.
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        self.exact.then(|| "--exact".to_owned()).into_iter()
    }
}

/// A cell that is too large to be computed.
pub(super) fn too_large(message: String) -> Failure {
    Failure::beyond(message, "allow more with --max-memory, or leave out --exact")
}

/// How an answer is shown.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Showing {
    #[command(flatten)]
    form: Form,
    /// Write a report into a folder: a page, Markdown, a PDF of one page, the chart if there is one, and the numbers as JSON and CSV. A
    /// question that fights battles and is stopped goes on there if it is asked again.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say nothing but the answer, and what went wrong.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl Showing {
    /// Begins to work on a question: `command`, in words that leave out how fast it is answered. With `--out` what is fought is noted
    /// there, and what was noted for the same question is not fought again.
    ///
    /// # Errors
    /// The folder cannot be written, or somebody else writes to it.
    pub(super) fn begin(&self, study: &Study, command: &str) -> Result<Question<'_>, Failure> {
        self.check()?;
        let notes = self.out.as_ref().map(|folder| notes_in(folder, study, command, self.quiet)).transpose()?;
        Ok(Question { showing: self, notes })
    }

    /// Checks, before the work begins, that its answer can be written.
    ///
    /// # Errors
    /// The folder of `--out` cannot be written.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.out.as_deref().map_or(Ok(()), expect_writable)
    }

    /// Says something on standard error, unless nothing is to be said.
    pub(super) fn say(&self, line: &str) {
        if !self.quiet {
            terminal::say(line);
        }
    }

    /// Prints a text that a person may copy below the answer: not where the answer is for programs, which have it among their numbers.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub(super) fn print_below(&self, text: &str) -> Result<(), Failure> {
        match self.form.format() {
            Format::Table => terminal::print_raw(&format!("\n{text}")),
            Format::Markdown => terminal::print_raw(&format!("\n```toml\n{text}```\n")),
            Format::Json | Format::Csv => Ok(()),
        }
    }

    /// Prints the answer, and writes it to the folder if there is to be one.
    ///
    /// # Errors
    /// Standard output or the folder cannot be written.
    pub(super) fn show(&self, answer: &Answer) -> Result<(), Failure> {
        answer.print(self.form.format())?;
        self.out.as_deref().map_or(Ok(()), |folder| answer.write(folder, self.quiet))
    }
}

/// The notes of a question in the folder of its answer; says so if there are any.
///
/// # Errors
/// The folder cannot be written, or somebody else writes to it.
pub(super) fn notes_in(folder: &Path, study: &Study, command: &str, quiet: bool) -> Result<Notes, Failure> {
    let help = "wait for it to end, or name another place with --out";
    let notes = Notes::open(folder, study, command).map_err(|error| Failure::beyond(error.to_string(), help))?;
    if !notes.is_new() && !quiet {
        terminal::say("going on where the same question was stopped");
    }
    Ok(notes)
}

/// What becomes of the notes of a question that has been answered: they stay if it was stopped.
pub(super) fn close(notes: Option<Notes>, stopped: bool, quiet: bool) {
    match notes {
        Some(_) if stopped && !quiet => terminal::say("stopped; the same command goes on from here"),
        Some(notes) if !stopped => notes.remove(),
        _ => {}
    }
}

/// A question on its way to its answer.
#[derive(Debug)]
pub(super) struct Question<'a> {
    showing: &'a Showing,
    notes: Option<Notes>,
}

impl Question<'_> {
    /// Does work that Ctrl-C, or the end of the time it may take, asks to stop, and shows how many of `battles` it has fought; with
    /// whether it was the time that stopped it.
    pub(super) fn watch<T>(
        &self,
        time: Option<Duration>,
        battles: u64,
        work: impl FnOnce(&dyn Progress, &Stop) -> T,
    ) -> (T, bool) {
        wait(time, |stop| self.step(battles, |progress| work(progress, stop)))
    }

    /// Does one step of the work, and shows how many of `battles` it has fought.
    pub(super) fn step<T>(&self, battles: u64, work: impl FnOnce(&dyn Progress) -> T) -> T {
        let watch = Watch::new(battles, 0, self.showing.quiet || battles == 0);
        let done = work(&Noting { watch: &watch, notes: self.notes.as_ref() });
        watch.end();
        done
    }

    /// Prints the answer, and writes it to the folder if there is to be one. If it was `stopped`, what was fought stays there.
    ///
    /// # Errors
    /// Standard output or the folder cannot be written.
    pub(super) fn show(self, answer: &Answer, stopped: bool) -> Result<(), Failure> {
        self.showing.show(answer)?;
        close(self.notes, stopped, self.showing.quiet);
        Ok(())
    }
}

/// One who watches a question, and notes what is fought.
pub(super) struct Noting<'a> {
    pub(super) watch: &'a Watch,
    pub(super) notes: Option<&'a Notes>,
}

impl Progress for Noting<'_> {
    fn advance(&self, battles: u64) {
        self.watch.advance(battles);
    }

    fn notes(&self) -> Option<&Notes> {
        self.notes
    }
}

/// Does work that Ctrl-C, or the end of the time it may take, asks to stop; with whether it was the time that did.
pub(super) fn wait<T>(time: Option<Duration>, work: impl FnOnce(&Stop) -> T) -> (T, bool) {
    let stop = stop_on_ctrl_c(terminal::say);
    let limit = time.map(|time| stop_after(time, &stop));
    let done = work(&stop);
    let out_of_time = limit.is_some_and(|limit| limit.is_over());
    // From here on there is nothing left to stop gently.
    stop.raise();
    (done, out_of_time)
}

/// What the command ends with: it is unfinished if it was stopped, unless that was because its time was over.
pub(super) fn ended(stopped: bool, out_of_time: bool) -> Status {
    if stopped && !out_of_time { Status::Unfinished } else { Status::Done }
}

/// What intervals promise that hold together at every look: `95 % for all 81 intervals of all values and cells together, …`.
pub(super) fn promise(level: Level, intervals: usize, of: &str) -> String {
    format!(
        "{} % for all {} of all {of} and cells together, however often they were looked at.",
        100.0 * level.get(),
        plural(intervals as u64, "interval")
    )
}

/// Battles that a command fights in all, about, unless `--runs` says otherwise.
const BATTLES: u64 = 20_000_000;
/// The fewest battles of each cell that `--runs` is set to by itself.
const RUNS_MIN: u64 = 1_024;
/// The most battles with the rules as they are: they are held in memory.
const HELD_MAX: u64 = 10_000_000;

/// Battles of each of so many cells, fought by so many variants of the rules: as many as were asked for, or as many as make
/// [`BATTLES`].
///
/// # Errors
/// They are too many to be held in memory.
pub(super) fn held_battles(study: &Study, cells: usize, variants: usize, asked: Option<u64>) -> Result<u64, Failure> {
    let cells = cells as u64;
    let even = |battles: u64| battles - battles % study.round() as u64;
    let share = BATTLES / (cells * variants as u64);
    let by_itself = || even((share - share % 256).max(RUNS_MIN).min(HELD_MAX / cells).min(study.runs));
    let battles = asked.unwrap_or_else(by_itself);
    if battles.saturating_mul(cells) > HELD_MAX {
        let message = format!("{} battles of {} are too many to hold", counted(battles), plural(cells, "cell"));
        let help = format!("ask for --runs {} at most, or for fewer cells with --cell", even(HELD_MAX / cells));
        return Err(Failure::wrong(message, help));
    }
    Ok(battles)
}
