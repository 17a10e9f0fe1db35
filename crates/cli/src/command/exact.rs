//! `grognard exact`: computes a study's exact odds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grognard_exact::{Budget, Limits};
use grognard_lab::exact::{ExactError, SolveOptions};
use grognard_lab::progress::Stop;
use grognard_lab::results::{Method, Results, ResultsWriter};
use grognard_lab::shell::quoted;
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

use super::output::Output;
use crate::failure::{Failure, Status};
use crate::interrupt::stop_on_ctrl_c;
use crate::solving::Solving;
use crate::study::{load, overrides};
use crate::text::plural;
use crate::{parse, terminal};

const EXAMPLES: &str = "\
Examples:
  grognard exact risk-dice
  grognard exact square-vs-line --cell 0,18 --json
  grognard exact my-study.toml --set turns=4
  grognard exact my-study.toml --prune 1e-9
  grognard exact my-study.toml --out results/my-study.exact

Nothing is sampled. The odds of every situation are computed step by step, under
the rules of the battles, and equal situations are merged. This works for battles
of a few units; sample larger ones with `grognard run`.

With --out, the odds are written to a results folder for report and compare.
Compare it with a folder of sampled battles to see how well the two agree.";

/// Compute a study's exact odds, without sampling.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A built-in study's name, a TOML file, or a folder with a study.toml.
    study: PathBuf,
    /// Solve only these cells, such as 18 or 0,18. May be repeated.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    cell: Vec<u32>,
    /// Set a path to a value, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Leave out the least likely battles, up to this share of all of them, such as 1e-6.
    #[arg(long, value_name = "P", value_parser = parse::prune, default_value = "0")]
    prune: f64,
    /// Limit on the number of different situations after one step.
    #[arg(long, value_name = "N", value_parser = parse::states, default_value = "20_000_000")]
    max_states: u64,
    /// Memory limit for situations, for all cells that are solved at the same time.
    #[arg(long, value_name = "BYTES", value_parser = parse::memory, default_value = "8G")]
    max_memory: u64,
    /// Time limit, such as 90 or 24h.
    #[arg(long, value_name = "TIME", value_parser = parse::duration, default_value = "10m")]
    max_time: Duration,
    /// Cells solved at a time [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write the odds to a results folder, with a report.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite results in the folder that come from a different study, rules or seed.
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    output: Output,
}

/// Runs the command.
pub(crate) fn exact(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    if args.output.short && args.out.is_none() {
        let help = "add --out DIR, or omit --short";
        return Err(Failure::wrong(
            "--short shortens the report, but there is no report without a results folder",
            help,
        ));
    }
    let changes = Changes { set: overrides(&args.set, sources)?, ..Changes::default() };
    let study = load(&args.study, &changes, sources)?;
    if let Some(folder) = &args.out {
        ResultsWriter::check_create(folder, &study.manifest(Method::Exact), args.force)?;
    }
    if !args.output.quiet {
        terminal::say(&announcement(args, &study));
        let counted = study.counted();
        if !counted.is_empty() {
            let names = counted.join(", ");
            terminal::say(&format!(
                "left out, because it is counted during battles and needs sampling (grognard run): {names}"
            ));
        }
    }
    let options = SolveOptions {
        limits: Limits { states: args.max_states, bytes: args.max_memory, prune: args.prune, ..Limits::default() },
        cells: args.cell.clone(),
        time: Some(args.max_time),
        threads: args.threads.map_or(0, usize::from),
        command: args.command(),
    };
    let cells = if args.cell.is_empty() { study.cells.len() } else { args.cell.len() };
    let watcher = Arc::new(Solving::new(Some(cells as u64), args.output.quiet));
    let teller = Arc::clone(&watcher);
    let stop = stop_on_ctrl_c(move |message| teller.say(message));
    let results = solve(&options, &study, args.out.as_deref(), &watcher, &stop);
    if let Err(ExactError::TooLarge { solved: Some(solved), .. }) = &results {
        args.output.print(solved)?;
    }
    let results = results.map_err(|error| failure(error, &args.study))?;
    let interrupted = stop.is_raised();
    // Nothing after this needs a graceful stop, so Ctrl-C may now end the command at once.
    stop.raise();
    args.output.conclude(&results, interrupted, None)
}

impl Args {
    /// The command line that reproduces the odds.
    fn command(&self) -> String {
        let mut words = vec!["grognard".to_owned(), "exact".to_owned(), quoted(&self.study.to_string_lossy())];
        let mut flag = |name: &str, value: String| words.extend([format!("--{name}"), quoted(&value)]);
        if !self.cell.is_empty() {
            flag("cell", self.cell.iter().map(u32::to_string).collect::<Vec<_>>().join(","));
        }
        for set in &self.set {
            flag("set", set.clone());
        }
        if self.prune > 0.0 {
            flag("prune", self.prune.to_string());
        }
        if let Some(folder) = &self.out {
            flag("out", folder.to_string_lossy().into_owned());
        }
        words.join(" ")
    }
}

/// Solves a study with progress, and writes it to a folder if there is one.
pub(super) fn solve(
    options: &SolveOptions,
    study: &Study,
    folder: Option<&Path>,
    watcher: &Solving,
    stop: &Stop,
) -> Result<Results, ExactError> {
    let results = match folder {
        Some(folder) => options.solve_into(folder, study, watcher, stop),
        None => options.solve(study, watcher, stop),
    };
    watcher.end();
    results
}

/// The failure, and what might help.
pub(super) fn failure(error: ExactError, study: &Path) -> Failure {
    let message = error.to_string();
    match error {
        ExactError::Results(error) => error.into(),
        ExactError::NoCell { cells, .. } => Failure::no_cell(message, cells),
        ExactError::TooLarge { error, .. } => match error.budget {
            Budget::Stopped => Failure::unfinished(message),
            Budget::States(_) => Failure::beyond(message, help("--max-states", study)),
            Budget::Bytes(_) => Failure::beyond(message, help("--max-memory", study)),
            Budget::Time(_) => Failure::beyond(message, help("--max-time", study)),
            Budget::Paths(_) => Failure::unfinished(message),
        },
        ExactError::Threads(_) => Failure::unfinished(message),
    }
}

fn help(flag: &str, study: &Path) -> String {
    let study = quoted(&study.to_string_lossy());
    format!(
        "allow more with {flag}, leave out the least likely situations with --prune 1e-9, or sample it: grognard run {study}"
    )
}

/// The message at the start.
fn announcement(args: &Args, study: &Study) -> String {
    let cells = if args.cell.is_empty() { study.cells.len() } else { args.cell.len() };
    let cells = plural(cells as u64, "cell");
    format!("{}: {cells}, exact, {}", study.header.name, study.pack_line())
}
