//! `grognard find`: at which value of a number does a metric reach its target?

mod printed;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::questions::{BATTLES, Demand, FindError, Found, Reach, Search, Values};
use grognard_lab::sensitivity::number;
use grognard_lab::study::{Number, Study, Variants, written_as};
use grognard_source::{Diagnostic, Sources};

use super::asking::{Battles, Cells, Computing, Showing, ended, too_large};
use crate::failure::{Failure, Status};
use crate::parse;
use crate::study::load;
use crate::text::plural;

const EXAMPLES: &str = "\
Examples:
  grognard find square-vs-line --number roll.shock.modifier.square-against-cavalry.add \\
      --only defender.0.formation=square --only attacker.0.type=heavy-cavalry --where even
  grognard find refduel --number unit.plain.figures --where 'a wins = 60 %'
  grognard find risk-dice --number attacker.0.figures --where 'attacker wins = 50 %' --exact
  grognard find refduel --number unit.plain.figures --where 'turns = 6' --range 10..30 --out even

At every value, battles are fought with the same dice until it is clear on which side of
the target the metric lies, for up to 16,384 battles in each cell. More battles are then
fought at the values next to the crossing, to reach --precision there. --runs limits both:
with a lower limit, some values stay unclear and the crossing is known less precisely. If
no value crosses the target, more battles are fought at the unclear values, up to --runs.

Exit status: 0 if every cell has its answer, 4 if the answer of a cell is undecided,
1 if the command could not finish, 2 if the input is wrong.";

/// Find the value of a number at which a metric reaches a target.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// The number: a path of the pack or of the deployment (attacker.0.figures). `PATH[2]` is the second number in
    /// a formula.
    #[arg(long, value_name = "PATH")]
    number: String,
    /// The target: `even`, or METRIC = VALUE, such as `defender wins = 60 %`, `draw = 5 %`, `turns = 6`, `defender.losses = 4`.
    #[arg(long = "where", value_name = "TARGET", default_value = "even")]
    demand: String,
    /// Try the values from LOW to HIGH [default: up to 40 steps to either side of the current value].
    #[arg(long, value_name = "LOW..HIGH", value_parser = parse::range)]
    range: Option<(i64, i64)>,
    /// The step from one value to the next [default: one step, 1 for most numbers].
    #[arg(long, value_name = "STEP", value_parser = parse::step, requires = "range")]
    step: Option<i64>,
    #[command(flatten)]
    cells: Cells,
    #[command(flatten)]
    computing: Computing,
    /// Maximum number of battles per cell at one value.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = BATTLES, conflicts_with = "exact")]
    runs: u64,
    /// Precision of the values next to the crossing, plus or minus: a share of battles (0.01 or 1%), or of the
    /// metric's range.
    #[arg(long, value_name = "P", value_parser = parse::precision, default_value = "1%", conflicts_with = "exact")]
    precision: f64,
    /// Stop after this time, such as 90s or 10m. The results so far remain valid.
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
    search: &'a Search,
    found: &'a Found,
    command: String,
}

/// Runs the command.
pub(crate) fn find(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = args.battles.changes(sources)?;
    let study = load(&args.study, &changes, sources)?;
    let demand = Demand::parse(&study, &args.demand).map_err(Diagnostic::from)?;
    let cells = args.cells.of(&study, sources)?;
    let variants = Variants::of(&study, sources)?;
    let number = number(&variants, &args.number)?;
    let values = args.values(&number)?;
    let scale = if demand.quantity.share { 1.0 } else { demand.greatest() };
    let search = Search {
        number,
        values,
        demand,
        cells,
        battles: study.whole_rounds(args.runs),
        precision: scale * args.precision,
        level: args.battles.level,
        threads: args.battles.threads(),
        exact: args.computing.limits(),
    };
    args.showing.say(&announcement(&study, &search));
    let command = args.command(changes.seed);
    let question = args.showing.begin(&study, &command)?;
    let (battles, exact) = (search.battles_about(&study), search.exact.is_some());
    let (found, out_of_time) =
        question.watch_either(args.time, battles, exact, |watch, stop| search.run(&study, &variants, watch, stop));
    let found = found.map_err(|error| failed(&error, &search))?;
    question.show(&Report { study: &study, search: &search, found: &found, command }.answer(), found.stopped)?;
    match search.reach(&found) {
        Reach::Undecided if !found.stopped || out_of_time => Ok(Status::Undecided),
        _ => Ok(ended(found.stopped, out_of_time)),
    }
}

fn failed(error: &FindError, search: &Search) -> Failure {
    let message = error.to_string();
    match error {
        FindError::NoValues => {
            let help =
                format!("it is {} now; use a --range of values that the rules allow", written_as(search.number.value));
            Failure::wrong(message, help)
        }
        FindError::TooLarge { .. } => too_large(message),
        FindError::Threads(_) => Failure::unfinished(message),
    }
}

/// The message at the start.
fn announcement(study: &Study, search: &Search) -> String {
    let cells = plural(study.chosen(&search.cells).len() as u64, "cell");
    let how = if search.exact.is_some() { "exact".to_owned() } else { format!("seed {}", study.seed) };
    format!("{}: {}, {cells}, {how}, {}", study.header.name, search.number.name(), study.pack_line())
}

impl Args {
    fn values(&self, number: &Number) -> Result<Values, Failure> {
        /// The maximum number of values tried.
        const MOST: i64 = 1_000;
        let Some((low, high)) = self.range else { return Ok(Values::Around) };
        let step = self.step.unwrap_or(number.pip);
        let steps = (high - low) / step;
        if steps < 1 {
            let message = format!(
                "the range {0} to {1} is narrower than one step ({2})",
                written_as(low),
                written_as(high),
                written_as(step)
            );
            return Err(Failure::wrong(message, "widen --range, or use a smaller --step"));
        }
        if steps >= MOST {
            return Err(Failure::wrong(
                format!("{steps} values are too many"),
                "narrow --range, or use a larger --step",
            ));
        }
        Ok(Values::These((0..=steps).map(|at| low + at * step).collect()))
    }

    /// The command line that reproduces the answer.
    fn command(&self, seed: Option<u64>) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard find".to_owned(), quoted(&self.study.to_string_lossy())];
        words.push(format!("--number {}", quoted(&self.number)));
        words.push(format!("--where {}", quoted(&self.demand)));
        words.extend(self.range.map(|(low, high)| format!("--range {}..{}", written_as(low), written_as(high))));
        words.extend(self.step.map(|step| format!("--step {}", written_as(step))));
        words.extend(self.cells.words());
        words.extend(self.computing.words());
        words.extend((self.runs != BATTLES).then(|| format!("--runs {}", self.runs)));
        words.extend(
            (self.computing.limits().is_none() && self.precision != 0.01)
                .then(|| format!("--precision {}", self.precision)),
        );
        words.extend(self.battles.words(seed));
        words.join(" ")
    }
}
