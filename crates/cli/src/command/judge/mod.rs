//! `grognard judge`: do the rules give the results that their designer wants?

pub(super) mod printed;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::questions::{BATTLES, Judge, JudgeError, State, Verdicts, cells_of};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

use super::asking::{Battles, Computing, Showing, too_large};
use super::targets::Targets;
use crate::failure::{Failure, Status};
use crate::parse;
use crate::study::load;
use crate::text::plural;

const EXAMPLES: &str = "\
Examples:
  grognard judge my-study.toml
  grognard judge my-study.toml --set roll.shock.modifier.impetus.add=2
  grognard judge my-study.toml --time 60s --out judged
  grognard judge square-vs-line --target 'defender wins = 40 %..60 %' --cell 0

Targets are listed in the study, or given with --target:

  [[target]]
  says   = 'No attacker should be sure of beating a square'
  metric = 'defender wins'
  cells  = { 'defender.0.formation' = 'square' }
  band   = ['20 %', '60 %']

A target is met when the whole interval lies in the band in each of its cells, and
missed when the interval lies outside the band in one of them. Each cell is fought
until all of its targets are decided.

Exit status: 0 if all targets are met, 3 if one is missed, 4 if one is undecided and
none is missed, 1 if the command could not finish, 2 if the input is wrong.";

/// Report which targets of a study the rules meet.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The study.
    study: PathBuf,
    #[command(flatten)]
    targets: Targets,
    /// Judge another pack: a built-in one by name, or a folder.
    #[arg(long, value_name = "PACK")]
    pack: Option<String>,
    #[command(flatten)]
    computing: Computing,
    /// Maximum number of battles per cell.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = BATTLES, conflicts_with = "exact")]
    runs: u64,
    /// Stop after this time, such as 90s or 10m. Decisions made by then remain valid.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    time: Option<Duration>,
    #[command(flatten)]
    battles: Battles,
    #[command(flatten)]
    showing: Showing,
}

/// The question and its result.
struct Report<'a> {
    study: &'a Study,
    judge: &'a Judge,
    verdicts: &'a Verdicts,
    command: String,
}

/// Runs the command.
pub(crate) fn judge(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = Changes { pack: args.pack.clone(), ..args.battles.changes(sources)? };
    let mut study = load(&args.study, &changes, sources)?;
    args.targets.choose(&mut study, sources)?;
    let judge = Judge {
        battles: study.whole_rounds(args.runs),
        level: args.battles.level,
        threads: args.battles.threads(),
        exact: args.computing.limits(),
    };
    let cells = cells_of(&study.targets);
    args.showing.say(&format!(
        "{}: {}, {}, {}, {}",
        study.header.name,
        plural(study.targets.len() as u64, "target"),
        plural(cells.len() as u64, "cell"),
        if judge.exact.is_some() { "exact".to_owned() } else { format!("seed {}", study.seed) },
        study.pack_line()
    ));
    let command = args.command(changes.seed);
    let question = args.showing.begin(&study, &command)?;
    let (battles, exact) = (judge.battles * cells.len() as u64, judge.exact.is_some());
    let (verdicts, out_of_time) =
        question.watch_either(args.time, battles, exact, |watch, stop| judge.run(&study, watch, stop));
    let verdicts = verdicts.map_err(|error| {
        let message = error.to_string();
        match error {
            JudgeError::TooLarge { .. } => too_large(message),
            JudgeError::Threads(_) => Failure::unfinished(message),
        }
    })?;
    question.show(&Report { study: &study, judge: &judge, verdicts: &verdicts, command }.answer(), verdicts.stopped)?;
    Ok(match verdicts.state() {
        State::Met => Status::Done,
        State::Missed => Status::Missed,
        State::Undecided if verdicts.stopped && !out_of_time => Status::Unfinished,
        State::Undecided => Status::Undecided,
    })
}

impl Args {
    /// The command line that reproduces the judgement.
    fn command(&self, seed: Option<u64>) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard judge".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.pack.iter().map(|pack| format!("--pack {}", quoted(pack))));
        words.extend(self.targets.words());
        words.extend(self.computing.words());
        words.extend((self.runs != BATTLES).then(|| format!("--runs {}", self.runs)));
        words.extend(self.battles.words(seed));
        words.join(" ")
    }
}
