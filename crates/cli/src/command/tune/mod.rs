//! `grognard tune`: what is the smallest change to printed numbers that meets all targets?

mod printed;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::progress::{Progress, Stop};
use grognard_lab::questions::{Judge, State, Tuned, Tuning, cells_of};
use grognard_lab::sensitivity::{Choice, Inquiry, Meant, Moved};
use grognard_lab::study::{Number, Study, Target, Variants};
use grognard_source::{Diagnostic, Sources};

use super::asking::{Battles, Question, Showing, wait};
use super::sensitivity::failed;
use super::targets::Targets;
use crate::failure::{Failure, Status};
use crate::parse;
use crate::study::{asked_metric, load};
use crate::text::plural;

const EXAMPLES: &str = "\
Examples:
  grognard tune my-study.toml
  grognard tune my-study.toml --number roll.shock --pips 2 --changes 1
  grognard tune my-study.toml --candidates 5000 --time 10m --out tuned
  grognard tune refduel --target 'a wins = 40 %..60 %' --cell 1

Targets are listed in the study or given with --target, as for `grognard judge`.
The rules as they are come first; if they meet all targets, the search ends there. Then
candidates are tried from the smallest change to the largest: by how many numbers
change, then by the total number of steps. A candidate is dropped when it is certain
to miss a target, and the search ends when one is certain to meet all of them. The
answer holds for changes within --pips of the numbers searched.

Exit status: 0 if a change was found, 3 if every candidate misses a target, 4 if none
was found and some are undecided or untried, 1 if the command could not finish, 2 if
the input is wrong.";

/// Battles in each cell that determine which numbers are in use.
const LOOK: u64 = 512;

/// Find the smallest change to printed numbers that meets all targets of a study.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The study.
    study: PathBuf,
    #[command(flatten)]
    targets: Targets,
    /// Allow this number, or all numbers below a path, to change. `PATH[2]` is the second number in a formula. May
    /// be repeated [default: all numbers in use that the pack does not mark as `fixed`].
    #[arg(long, value_name = "PATH")]
    number: Vec<String>,
    /// Maximum number of steps by which a number changes.
    #[arg(long, value_name = "N", default_value_t = Tuning::PIPS, value_parser = clap::value_parser!(i64).range(1..=100))]
    pips: i64,
    /// Maximum number of numbers that change together.
    #[arg(long, value_name = "N", default_value_t = Tuning::CHANGES as u8, value_parser = clap::value_parser!(u8).range(1..=6))]
    changes: u8,
    /// Maximum number of candidates to try, smallest changes first.
    #[arg(long, value_name = "N", default_value_t = Tuning::CANDIDATES as u32, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    candidates: u32,
    /// Maximum number of battles per cell for one candidate.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = Tuning::BATTLES)]
    runs: u64,
    /// Stop after this time, such as 90s or 10m. Results found by then remain valid.
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
    tuning: &'a Tuning,
    tuned: &'a Tuned,
    command: String,
}

/// Runs the command.
pub(crate) fn tune(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = args.battles.changes(sources)?;
    let mut study = load(&args.study, &changes, sources)?;
    args.targets.choose(&mut study, sources)?;
    let variants = Variants::of(&study, sources)?;
    let command = args.command(changes.seed);
    let question = args.showing.begin(&study, &command)?;
    let (tuned, out_of_time) = wait(args.time, |stop| args.search(&study, &variants, &question, stop));
    let (tuning, tuned) = tuned.map_err(|failure| failure.timed(out_of_time))?;
    question.show(&Report { study: &study, tuning: &tuning, tuned: &tuned, command }.answer(), tuned.stopped)?;
    Ok(match tuned.state() {
        State::Met => Status::Done,
        State::Missed => Status::Missed,
        State::Undecided if tuned.stopped && !out_of_time => Status::Unfinished,
        State::Undecided => Status::Undecided,
    })
}

/// The failure if there are no worker threads.
fn unready(error: impl std::fmt::Display) -> Failure {
    Failure::unfinished(format!("cannot start the worker threads: {error}"))
}

/// The positions of the cells that a target is about.
fn places(target: &Target) -> Vec<usize> {
    target.cells.iter().map(|&cell| cell as usize).collect()
}

/// The numbers sorted by the effect of one step, greatest first, followed by those without effect in their original
/// order.
fn by_slope(numbers: Vec<Number>, moved: &[Moved]) -> Vec<Number> {
    let place = |number: &Number| moved.iter().position(|moved| moved.number == *number).unwrap_or(moved.len());
    let mut numbers = numbers;
    numbers.sort_by_key(place);
    numbers
}

impl Args {
    /// Searches among the numbers in use.
    fn search(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        question: &Question<'_>,
        stop: &Stop,
    ) -> Result<(Tuning, Tuned), Failure> {
        let (level, threads) = (self.battles.level, self.battles.threads());
        let asked = Meant::of(&self.number, variants)?;
        asked.named().numbers(variants).map_err(Diagnostic::from)?;
        let mut tuning = Tuning {
            numbers: Vec::new(),
            changes: usize::from(self.changes),
            pips: self.pips,
            candidates: self.candidates as usize,
            battles: study.whole_rounds(self.runs),
            level,
            threads,
        };
        let now = question.step(0, |watch| tuning.as_they_are(study, variants, watch, stop)).map_err(unready)?;
        if let Some(tuned) = now {
            return Ok((tuning, tuned));
        }
        // Which numbers are in use does not depend on the metric.
        let quantity = asked_metric(study, &study.targets[0].metric)?;
        let inquiry = Inquiry { cells: Vec::new(), battles: LOOK, quantity, pips: self.pips, level, threads };
        let choose = |watch: &dyn Progress| inquiry.choose(study, variants, &asked.named(), watch, stop);
        let choice = question.step(LOOK * study.cells.len() as u64, choose).map_err(failed)?;
        let may_change = |number: &&Number| asked.may_change(number, variants);
        tuning.numbers = choice.numbers.iter().filter(may_change).cloned().collect();
        if tuning.numbers.is_empty() {
            let message = if self.number.is_empty() {
                "every number that is in use in this study is `fixed` in its pack"
            } else {
                "none of these numbers is in use in this study"
            };
            return Err(Failure::wrong(message, "name others with --number; grognard sensitivity lists those in use"));
        }
        if tuning.numbers.len() > 1 {
            // Not all candidates may be tried, and time may run out, so begin with the numbers that most affect the
            // metric farthest from its band.
            let judge = Judge { battles: LOOK, level, threads, exact: None };
            let battles = LOOK * cells_of(&study.targets).len() as u64;
            let now = question.step(battles, |watch| judge.run(study, watch, stop));
            let now = now.map_err(|error| Failure::unfinished(error.to_string()))?;
            let target = now.farthest().map_or(&study.targets[0], |judged| &judged.target);
            let quantity = asked_metric(study, &target.metric)?;
            let choice = Choice { numbers: std::mem::take(&mut tuning.numbers), ..choice };
            let inquiry = Inquiry { cells: places(target), pips: 1, quantity, ..inquiry };
            let battles = inquiry.battles_at_most(study, choice.numbers.len());
            let found = question.step(battles, |watch| inquiry.ask(study, variants, &choice, watch, stop));
            tuning.numbers = by_slope(choice.numbers, found.as_ref().map_or(&[], |found| &found.moved));
        }
        self.showing.say(&format!(
            "{}: {}, {}, {}, {}, seed {}, {}",
            study.header.name,
            plural(tuning.numbers.len() as u64, "number"),
            plural(tuning.all().len() as u64, "candidate"),
            plural(study.targets.len() as u64, "target"),
            plural(cells_of(&study.targets).len() as u64, "cell"),
            study.seed,
            study.pack_line()
        ));
        let tuned = question.step(tuning.battles_about(study), |watch| tuning.run(study, variants, watch, stop));
        Ok((tuning, tuned.map_err(unready)?))
    }

    /// The command line that reproduces the answer.
    fn command(&self, seed: Option<u64>) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard tune".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.targets.words());
        words.extend(self.number.iter().map(|number| format!("--number {}", quoted(number))));
        words.extend((self.pips != Tuning::PIPS).then(|| format!("--pips {}", self.pips)));
        words.extend((usize::from(self.changes) != Tuning::CHANGES).then(|| format!("--changes {}", self.changes)));
        words.extend(
            (self.candidates as usize != Tuning::CANDIDATES).then(|| format!("--candidates {}", self.candidates)),
        );
        words.extend((self.runs != Tuning::BATTLES).then(|| format!("--runs {}", self.runs)));
        words.extend(self.battles.words(seed));
        words.join(" ")
    }
}
