//! `grognard tune`: which is the smallest change of printed numbers that meets all targets?

mod told;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::questions::{State, Tuned, Tuning};
use grognard_lab::sensitivity::{AskError, Inquiry, Named};
use grognard_lab::study::{Changes, Number, Study, Variants};
use grognard_source::{Path, Sources};
use grognard_stats::Level;

use super::export::expect_writable;
use super::sensitivity::refused;
use crate::failure::{Failure, Status};
use crate::format::Form;
use crate::interrupt::{stop_after, stop_on_ctrl_c};
use crate::parse::{self, Seed};
use crate::progress::Watch;
use crate::study::{asked_metric, load, overrides};
use crate::terminal;
use crate::text::{counted, plural};

const EXAMPLES: &str = "\
Examples:
  grognard tune my-study.toml
  grognard tune my-study.toml --number roll.shock --pips 2 --changes 1
  grognard tune my-study.toml --candidates 5000 --time 10m --out tuned

The targets stand in the study, as for grognard judge. Candidates are tried from
the smallest change to the largest: how many numbers change, then by how many pips
in all. A candidate is dropped when it surely misses a target, and the search ends
when one surely meets all of them.

Exit status: 0 a change was found, 3 every candidate misses a target, 4 none was
found and some are undecided, 1 it could not finish, 2 the input is wrong.";

/// Battles of each cell for one candidate, at the most, unless --runs says otherwise.
const RUNS: u64 = 200_000;
/// Battles of each cell by which it is seen which numbers are in use.
const LOOK: u64 = 512;

/// Find the smallest change of printed numbers that meets all targets of a study.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study with targets.
    study: PathBuf,
    /// A number that may change, or all numbers below a path. May be repeated [default: all numbers of the pack that are in use].
    #[arg(long, value_name = "PATH", value_parser = parse::path)]
    number: Vec<Path>,
    /// The most pips by which a number changes.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(i64).range(1..=100))]
    pips: i64,
    /// The most numbers that change together.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=6))]
    changes: u8,
    /// The most candidates: the smallest ones.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    candidates: u32,
    /// The most battles of each cell for one candidate.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = RUNS)]
    runs: u64,
    /// Stop after this time, such as 90s or 10m: what is found by then holds.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    time: Option<Duration>,
    /// The seed instead of the study's: a number, or `random`.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Put a value at a path, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Confidence level of all intervals of all candidates together.
    #[arg(long, value_name = "LEVEL", value_parser = parse::level, default_value = "0.95")]
    level: Level,
    #[command(flatten)]
    form: Form,
    /// Write a report into a folder: a page, Markdown, a PDF of one page, and the numbers as JSON and CSV.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say nothing but the answer, and what went wrong.
    #[arg(long, short)]
    quiet: bool,
}

/// All that was asked and found.
struct Report<'a> {
    study: &'a Study,
    tuning: &'a Tuning,
    tuned: &'a Tuned,
    command: String,
}

/// Tunes.
pub(crate) fn tune(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let seed = args.seed.map(Seed::draw).transpose()?;
    let changes = Changes { seed, set: overrides(&args.set, sources)?, ..Changes::default() };
    let study = load(&args.study, &changes, sources)?;
    let Some(first) = study.targets.first() else {
        let message = format!("the study `{}` has no targets", study.header.name);
        return Err(Failure::wrong(message, "write [[target]] with says, metric and band: see grognard judge --help"));
    };
    let metric = first.metric.clone();
    if let Some(folder) = &args.out {
        expect_writable(folder)?;
    }
    let variants = Variants::of(&study, sources)?;
    let stop = stop_on_ctrl_c(terminal::say);
    let limit = args.time.map(|time| stop_after(time, &stop));
    let threads = args.threads.map_or(0, usize::from);
    let inquiry = Inquiry {
        cells: Vec::new(),
        battles: LOOK,
        quantity: asked_metric(&study, &metric)?,
        pips: args.pips,
        level: args.level,
        threads,
    };
    let watch = Watch::new(LOOK * study.cells.len() as u64, 0, args.quiet);
    let named = Named { paths: args.number.clone() };
    let choice = inquiry.choose(&study, &variants, &named, &watch, &stop);
    watch.end();
    let numbers: Vec<Number> = choice.map_err(failed)?.numbers.into_iter().filter(|number| !number.varied).collect();
    if numbers.is_empty() {
        let message = "none of these numbers is in use in this study";
        return Err(Failure::wrong(message, "name others with --number; grognard sensitivity lists those in use"));
    }
    let tuning = Tuning {
        numbers,
        changes: usize::from(args.changes),
        pips: args.pips,
        candidates: args.candidates as usize,
        battles: args.runs + args.runs % if study.is_both_ways() { 2 } else { 1 },
        level: args.level,
        threads,
    };
    let cells = grognard_lab::questions::cells_of(&study.targets).len() as u64;
    let candidates = tuning.all().len() as u64;
    if !args.quiet {
        terminal::say(&format!(
            "{}: {}, {}, {}, {}, seed {}, {}",
            study.header.name,
            plural(tuning.numbers.len() as u64, "number"),
            plural(candidates, "candidate"),
            plural(study.targets.len() as u64, "target"),
            plural(cells, "cell"),
            study.seed,
            study.pack_line()
        ));
    }
    let watch = Watch::new(tuning.battles_about(&study), 0, args.quiet);
    let tuned = tuning.run(&study, &variants, &watch, &stop);
    watch.end();
    let out_of_time = limit.is_some_and(|limit| limit.is_over());
    let tuned = tuned.map_err(|error| Failure::unfinished(format!("cannot start the worker threads: {error}")))?;
    // From here on there is nothing left to stop gently.
    stop.raise();
    let command = args.command(seed);
    let answer = Report { study: &study, tuning: &tuning, tuned: &tuned, command }.answer();
    answer.print(args.form.format())?;
    if let Some(folder) = &args.out {
        answer.write(folder, args.quiet)?;
    }
    Ok(match state(&tuned) {
        State::Met => Status::Done,
        State::Missed => Status::Missed,
        State::Undecided if tuned.stopped && !out_of_time => Status::Unfinished,
        State::Undecided => Status::Undecided,
    })
}

/// Met if a change was found; missed if every candidate surely misses a target.
fn state(tuned: &Tuned) -> State {
    if tuned.found.is_some() {
        State::Met
    } else if tuned.undecided.is_empty() && !tuned.stopped {
        State::Missed
    } else {
        State::Undecided
    }
}

fn failed(error: AskError) -> Failure {
    match error {
        AskError::Unnamed(unnamed) => refused(&unnamed),
        AskError::Stopped | AskError::Threads(_) => Failure::unfinished(error.to_string()),
    }
}

impl Args {
    /// The command line that finds the same again.
    fn command(&self, seed: Option<u64>) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard tune".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.number.iter().map(|number| format!("--number {}", quoted(&number.to_string()))));
        words.extend((self.pips != 3).then(|| format!("--pips {}", self.pips)));
        words.extend((self.changes != 2).then(|| format!("--changes {}", self.changes)));
        words.extend((self.candidates != 1_000).then(|| format!("--candidates {}", self.candidates)));
        words.extend((self.runs != RUNS).then(|| format!("--runs {}", self.runs)));
        words.extend(seed.map(|seed| format!("--seed {seed}")));
        words.extend(self.set.iter().map(|set| format!("--set {}", quoted(set))));
        words.extend((self.level != Level::default()).then(|| format!("--level {}", self.level.get())));
        words.join(" ")
    }
}

/// A count and its word: `3 candidates`.
fn candidates(count: usize) -> String {
    if count == 1 { "1 candidate".to_owned() } else { format!("{} candidates", counted(count as u64)) }
}
