//! `grognard exact`: works a study out.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grognard_exact::{Budget, Limits};
use grognard_lab::exact::{ExactError, Orders};
use grognard_lab::progress::Stop;
use grognard_lab::results::Results;
use grognard_lab::study::{Changes, Study};
use grognard_rules::source::Sources;

use crate::failure::{Failure, Status};
use crate::format::Form;
use crate::interrupt::stop_on_ctrl_c;
use crate::solving::Solving;
use crate::study::{load, overrides};
use crate::text::{counted, plural, time};
use crate::{parse, terminal};

const EXAMPLES: &str = "\
Examples:
  grognard exact risk-dice
  grognard exact square-vs-line --cell 18 --json
  grognard exact my-study.toml --set turns=4
  grognard exact my-study.toml --prune 1e-9

No battle is sampled: the odds of every situation are pushed on from step to
step, by the rules that battles are fought with, and equal situations are
merged. Few units are within reach, many are not: then fight the study.";

/// Work a study out: exact odds, without sampling.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A built-in study's name, a TOML file, or a folder with a study.toml.
    study: PathBuf,
    /// Only this cell. May be repeated.
    #[arg(long, value_name = "N")]
    cell: Vec<u32>,
    /// Put a value at a path, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Leave out the least likely battles, this share of all of them at most, such as 1e-6.
    #[arg(long, value_name = "P", value_parser = parse::prune, default_value = "0")]
    prune: f64,
    /// The most different situations after one step.
    #[arg(long, value_name = "N", value_parser = parse::states, default_value = "20_000_000")]
    max_states: u64,
    /// The most memory for situations, all cells that are solved at a time together.
    #[arg(long, value_name = "BYTES", value_parser = parse::memory, default_value = "8G")]
    max_memory: u64,
    /// Cells solved at a time; as many as there are cores unless told.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    form: Form,
    /// Say nothing but the odds, and what went wrong.
    #[arg(long, short)]
    quiet: bool,
}

/// Works a study out.
pub(crate) fn exact(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = Changes { set: overrides(&args.set, sources)?, ..Changes::default() };
    let study = load(&args.study, &changes, sources)?;
    if !args.quiet {
        terminal::say(&announcement(args, &study));
        let counted = study.counted();
        if !counted.is_empty() {
            let names = counted.join(", ");
            terminal::say(&format!(
                "left out, for it is counted along battles and needs sampling (grognard run): {names}"
            ));
        }
    }
    let orders = Orders {
        limits: Limits { states: args.max_states, bytes: args.max_memory, prune: args.prune, ..Limits::default() },
        cells: args.cell.clone(),
        threads: args.threads.map_or(0, usize::from),
        command: format!("grognard exact {}", study.header.name),
    };
    let cells = if args.cell.is_empty() { study.cells.len() } else { args.cell.len() };
    let watcher = Arc::new(Solving::new(cells as u64, args.quiet));
    let teller = Arc::clone(&watcher);
    let stop = stop_on_ctrl_c(move |message| teller.say(message));
    let results = solve(&orders, &study, &watcher, &stop);
    stop.raise();
    print(&results.map_err(|error| failure(&error, &study.header.name))?, args.form, args.quiet)
}

/// Works a study out under the eyes of a watcher.
pub(super) fn solve(orders: &Orders, study: &Study, watcher: &Solving, stop: &Stop) -> Result<Results, ExactError> {
    let results = orders.solve(study, watcher, stop);
    watcher.end();
    results
}

/// Prints odds, and what it took to work them out.
pub(super) fn print(results: &Results, form: Form, quiet: bool) -> Result<Status, Failure> {
    form.print(results)?;
    if !quiet {
        if form.is_prose() {
            terminal::say("");
        }
        terminal::say(&effort(results));
    }
    Ok(Status::Done)
}

/// What could not be done, and what might help.
pub(super) fn failure(error: &ExactError, study: &str) -> Failure {
    let message = error.to_string();
    match error {
        ExactError::NoCell { cells, .. } => {
            let last = cells.saturating_sub(1);
            Failure::wrong(
                message,
                if last == 0 { "the only cell is 0".to_owned() } else { format!("cells go from 0 to {last}") },
            )
        }
        ExactError::TooLarge { error, .. } => match error.budget {
            Budget::Stopped => Failure::unfinished(message),
            Budget::States(_) => Failure::beyond(message, help("--max-states", study)),
            Budget::Bytes(_) => Failure::beyond(message, help("--max-memory", study)),
            Budget::Paths(_) => Failure::unfinished(message),
        },
        ExactError::BothWays => {
            Failure::wrong(message, "work it out with `both-ways = false`, or fight it: grognard run")
        }
        ExactError::Threads(_) => Failure::unfinished(message),
    }
}

fn help(flag: &str, study: &str) -> String {
    format!(
        "allow more with {flag}, leave out what is least likely with --prune 1e-9, or fight it: grognard run {study}"
    )
}

/// What is about to be solved.
fn announcement(args: &Args, study: &Study) -> String {
    let cells = if args.cell.is_empty() { study.cells.len() } else { args.cell.len() };
    let cells = plural(cells as u64, "cell");
    format!("{}: {cells}, exact, {}", study.header.name, study.pack_line())
}

/// What it took.
fn effort(results: &Results) -> String {
    let sum = |of: fn(&grognard_exact::Effort) -> u64| results.odds.iter().map(|cell| of(&cell.effort)).sum::<u64>();
    let widest = results.odds.iter().map(|cell| cell.effort.widest).max().unwrap_or(0);
    let error = results.odds.iter().map(|cell| cell.error).fold(0.0, f64::max);
    let took = Duration::try_from_secs_f64(results.manifest.made.elapsed_s).unwrap_or_default();
    format!(
        "{} situations, {} at a time at most, {} ways between them; rounding at most {error:.0e}; {}",
        counted(sum(|effort| effort.states)),
        counted(widest),
        counted(sum(|effort| effort.paths)),
        time(took)
    )
}
