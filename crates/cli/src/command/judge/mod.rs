//! `grognard judge`: do the rules come to what their designer wants?

pub(super) mod told;

use std::path::PathBuf;
use std::time::Duration;

use grognard_exact::Limits;
use grognard_lab::questions::{Judge, JudgeError, State, Verdicts, cells_of};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;
use grognard_stats::Level;

use super::export::expect_writable;
use crate::failure::{Failure, Status};
use crate::format::Form;
use crate::interrupt::{stop_after, stop_on_ctrl_c};
use crate::parse::{self, Seed};
use crate::progress::Watch;
use crate::study::{load, overrides};
use crate::terminal;
use crate::text::plural;

const EXAMPLES: &str = "\
Examples:
  grognard judge my-study.toml
  grognard judge my-study.toml --set roll.shock.modifier.impetus.add=2
  grognard judge my-study.toml --time 60s --out judged

The targets stand in the study:

  [[target]]
  says   = 'Nobody should be sure of a square'
  metric = 'defender wins'
  cells  = { 'defender.0.formation' = 'square' }
  band   = ['20 %', '60 %']

A target is met when its whole interval lies in the band in each of its cells, and
missed when it lies outside in one of them. Each cell is fought until all of its
targets are decided.

Exit status: 0 all targets are met, 3 one is missed, 4 one is undecided and none
missed, 1 it could not finish, 2 the input is wrong.";

/// Battles of each cell, at the most, unless --runs says otherwise.
const RUNS: u64 = 1_000_000;

/// Say whether the rules meet the targets of a study.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study with targets.
    study: PathBuf,
    /// Judge another pack: a built-in one by name, or a folder.
    #[arg(long, value_name = "PACK")]
    pack: Option<String>,
    /// Compute the odds instead of fighting battles.
    #[arg(long)]
    exact: bool,
    /// With --exact, the most memory for situations.
    #[arg(long, value_name = "BYTES", value_parser = parse::memory, default_value = "8G", requires = "exact")]
    max_memory: u64,
    /// The most battles of each cell.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = RUNS, conflicts_with = "exact")]
    runs: u64,
    /// Stop after this time, such as 90s or 10m: what is decided by then holds.
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
    /// Confidence level of all intervals together.
    #[arg(long, value_name = "LEVEL", value_parser = parse::level, default_value = "0.95")]
    level: Level,
    #[command(flatten)]
    form: Form,
    /// Write a report into a folder: a page, Markdown, a PDF of one page, the chart, and the numbers as JSON and CSV.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Say nothing but the answer, and what went wrong.
    #[arg(long, short)]
    quiet: bool,
}

/// All that was asked and found.
struct Report<'a> {
    study: &'a Study,
    judge: &'a Judge,
    verdicts: &'a Verdicts,
    command: String,
}

/// Judges.
pub(crate) fn judge(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let seed = args.seed.map(Seed::draw).transpose()?;
    let set = overrides(&args.set, sources)?;
    let changes = Changes { seed, set, pack: args.pack.clone(), ..Changes::default() };
    let study = load(&args.study, &changes, sources)?;
    if study.targets.is_empty() {
        let message = format!("the study `{}` has no targets", study.header.name);
        return Err(Failure::wrong(message, "write [[target]] with says, metric and band: see grognard judge --help"));
    }
    if let Some(folder) = &args.out {
        expect_writable(folder)?;
    }
    let judge = Judge {
        battles: args.runs + args.runs % if study.is_both_ways() { 2 } else { 1 },
        level: args.level,
        threads: args.threads.map_or(0, usize::from),
        exact: args.exact.then(|| Limits { bytes: args.max_memory, ..Limits::default() }),
    };
    let cells = cells_of(&study.targets);
    if !args.quiet {
        terminal::say(&format!(
            "{}: {}, {}, {}, {}",
            study.header.name,
            plural(study.targets.len() as u64, "target"),
            plural(cells.len() as u64, "cell"),
            if args.exact { "exact".to_owned() } else { format!("seed {}", study.seed) },
            study.pack_line()
        ));
    }
    let stop = stop_on_ctrl_c(terminal::say);
    let limit = args.time.map(|time| stop_after(time, &stop));
    let watch = Watch::new(judge.battles * cells.len() as u64, 0, args.quiet || args.exact);
    let verdicts = judge.run(&study, &watch, &stop);
    watch.end();
    let out_of_time = limit.is_some_and(|limit| limit.is_over());
    let verdicts = verdicts.map_err(|error| {
        let message = error.to_string();
        match error {
            JudgeError::TooLarge { .. } => {
                Failure::beyond(message, "allow more with --max-memory, or leave out --exact")
            }
            JudgeError::Threads(_) => Failure::unfinished(message),
        }
    })?;
    // From here on there is nothing left to stop gently.
    stop.raise();
    let command = args.command(seed);
    let answer = Report { study: &study, judge: &judge, verdicts: &verdicts, command }.answer();
    answer.print(args.form.format())?;
    if let Some(folder) = &args.out {
        answer.write(folder, args.quiet)?;
    }
    Ok(match verdicts.state() {
        State::Met => Status::Done,
        State::Missed => Status::Missed,
        State::Undecided if verdicts.stopped && !out_of_time => Status::Unfinished,
        State::Undecided => Status::Undecided,
    })
}

impl Args {
    /// The command line that judges the same again.
    fn command(&self, seed: Option<u64>) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard judge".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.pack.iter().map(|pack| format!("--pack {}", quoted(pack))));
        words.extend(self.exact.then(|| "--exact".to_owned()));
        words.extend((self.runs != RUNS).then(|| format!("--runs {}", self.runs)));
        words.extend(seed.map(|seed| format!("--seed {seed}")));
        words.extend(self.set.iter().map(|set| format!("--set {}", quoted(set))));
        words.extend((self.level != Level::default()).then(|| format!("--level {}", self.level.get())));
        words.join(" ")
    }
}
