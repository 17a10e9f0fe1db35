//! `grognard train`: is there a better doctrine, and what is it worth?

mod both;
mod printed;

use std::path::PathBuf;
use std::time::Duration;

use grognard_engine::Side;
use grognard_lab::questions::{Alternation, TrainError, Trained, Training};
use grognard_lab::sensitivity::Quantity;
use grognard_lab::study::{Study, Variants};
use grognard_source::Sources;

use super::asking::{Battles, Cells, Showing, ended};
use super::export::write_new;
use crate::failure::{Failure, Status};
use crate::parse;
use crate::study::{asked_metric, load, side_named};
use crate::text::plural;

const EXAMPLES: &str = "\
Examples:
  grognard train square-vs-line --side attacker --only attacker.0.type=heavy-cavalry
  grognard train my-study.toml --side defender --time 10m --write trained.toml
  grognard train my-study.toml --side defender --steps 3 --json
  grognard train my-study.toml --alternate --time 30m --write trained.toml

The search starts from the side's own doctrine and makes small changes. A change
deletes a row, moves a row up, changes a number, adds or removes a condition, or
copies one row, or all rows for a phase, from another doctrine of the pack. If the
rules leave these choices to the side, it may also reorder the lists gives-up and
picks-off or change the formula activates. Changes race with the same dice, and the best
is kept if it is clearly better. The result is scored with dice that the
search has not used, so the number of changes tried does not inflate the score. There
may be better doctrines still: see `grognard best`.

With --alternate, both sides are trained in turn, each against the other's current
mix, until neither finds a better reply. The result is how often each side should
choose each doctrine, so that the other cannot prepare for it.";

/// The default of `--rounds`.
const ROUNDS: u16 = 5;

/// Search for a better doctrine for a side, and report what it is worth.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// The side whose doctrine is trained [default: the first].
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    /// Train both sides in turn, beginning with --side, until neither finds a better reply.
    #[arg(long)]
    alternate: bool,
    /// With --alternate, the maximum number of rounds. In each, both sides search for a reply.
    #[arg(long, value_name = "N", default_value_t = ROUNDS, value_parser = clap::value_parser!(u16).range(1..=100), requires = "alternate")]
    rounds: u16,
    /// Train for this metric: a side's score or wins, or its losses, such as defender.losses [default: the
    /// side's score].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    #[command(flatten)]
    cells: Cells,
    /// Maximum number of changes to a doctrine. Changes that are undone at the end, because they turn
    /// out to gain next to nothing, do not count.
    #[arg(long, value_name = "N", default_value_t = Training::STEPS as u16, value_parser = clap::value_parser!(u16).range(1..=1000))]
    steps: u16,
    /// Battles in each cell that score the result.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = Training::BATTLES)]
    runs: u64,
    /// End the search after this time, such as 90s or 10m, and score what it has found.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    time: Option<Duration>,
    /// If a better doctrine is found, write it to a file, as a table for a pack.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    #[command(flatten)]
    battles: Battles,
    #[command(flatten)]
    showing: Showing,
}

/// The question and its result.
struct Report<'a> {
    study: &'a Study,
    training: &'a Training,
    trained: &'a Trained,
    command: String,
}

/// Runs the command.
pub(crate) fn train(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = args.battles.changes(sources)?;
    let study = load(&args.study, &changes, sources)?;
    study.of_two_sides("`train`")?;
    let side = args.side(&study)?;
    let quantity = match &args.metric {
        Some(name) => asked_metric(&study, name)?,
        None => Quantity::score(&study, side),
    };
    let training = Training {
        cells: args.cells.of(&study, sources)?,
        side,
        quantity,
        steps: usize::from(args.steps),
        look: Training::LOOK,
        battles: study.whole_rounds(args.runs),
        each: Training::sure(),
        level: args.battles.level,
        threads: args.battles.threads(),
    };
    if let Some(file) = args.write.as_ref().filter(|file| file.exists()) {
        let message = format!("{} already exists", file.display());
        return Err(Failure::wrong(message, "no battle has been fought; name another file with --write"));
    }
    let variants = Variants::of(&study, sources)?;
    let whose = if args.alternate {
        "doctrines of both sides".to_owned()
    } else {
        format!("doctrine of the {}", study.sides[side.index()])
    };
    args.showing.say(&format!(
        "{}: {whose}, {}, seed {}, {}",
        study.header.name,
        plural(study.chosen(&training.cells).len() as u64, "cell"),
        study.seed,
        study.pack_line()
    ));
    let command = args.command(changes.seed);
    let question = args.showing.begin(&study, &command)?;
    let (answer, toml, stopped, out_of_time) = if args.alternate {
        let alternation = Alternation { training, rounds: usize::from(args.rounds) };
        let (found, out_of_time) =
            question.watch(args.time, 0, |watch, stop| alternation.run(&study, &variants, watch, stop));
        let found = found.map_err(|error| failed(&error))?;
        let report = both::Report { study: &study, alternation: &alternation, found: &found, command };
        (report.answer(), report.new_doctrines(), found.stopped, out_of_time)
    } else {
        let (trained, out_of_time) =
            question.watch(args.time, 0, |watch, stop| training.run(&study, &variants, watch, stop));
        let trained = trained.map_err(|error| failed(&error))?;
        let report = Report { study: &study, training: &training, trained: &trained, command };
        (report.answer(), report.new_doctrine(), trained.stopped, out_of_time)
    };
    if let Some((file, toml)) = args.write.as_ref().zip(toml.as_ref()) {
        write_new(file, toml)?;
    }
    question.show(&answer, stopped)?;
    match (&args.write, toml) {
        (None, Some(toml)) => args.showing.print_below(&toml)?,
        (Some(file), None) => args.showing.say(&format!("no new doctrine, so {} is not written", file.display())),
        _ => {}
    }
    Ok(ended(stopped, out_of_time))
}

/// Why nothing was trained.
fn failed(error: &TrainError) -> Failure {
    let message = error.to_string();
    let help = match error {
        TrainError::NobodysMetric(_) => "name a side's score or wins, or its losses, such as defender.losses",
        TrainError::SeveralPacks => "name cells of one pack with --cell",
        TrainError::SeveralDoctrines { .. } => "name cells in which it follows one, with --only or --cell",
        TrainError::AtRandom(_) => "name cells in which it follows its doctrine, with --only or --cell",
        TrainError::NoRows { .. } => "give the side a doctrine with rows",
        TrainError::NotAllowed(_) => "train one side at a time, without --alternate",
        TrainError::Left | TrainError::Threads(_) => return Failure::unfinished(message),
    };
    Failure::wrong(message, help)
}

impl Args {
    /// The side that is trained, or trained first.
    fn side(&self, study: &Study) -> Result<Side, Failure> {
        self.side.as_ref().map_or(Ok(Side::First), |named| side_named(study, named))
    }

    /// The command line that reproduces the answer.
    fn command(&self, seed: Option<u64>) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard train".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.side.iter().map(|side| format!("--side {}", quoted(side))));
        words.extend(self.alternate.then(|| "--alternate".to_owned()));
        words.extend((self.rounds != ROUNDS).then(|| format!("--rounds {}", self.rounds)));
        words.extend(self.metric.iter().map(|metric| format!("--metric {}", quoted(metric))));
        words.extend(self.cells.words());
        words.extend((usize::from(self.steps) != Training::STEPS).then(|| format!("--steps {}", self.steps)));
        words.extend((self.runs != Training::BATTLES).then(|| format!("--runs {}", self.runs)));
        words.extend(self.battles.words(seed));
        words.join(" ")
    }
}
