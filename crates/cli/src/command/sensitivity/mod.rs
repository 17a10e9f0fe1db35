//! `grognard sensitivity`: which numbers in the rules change the answer.

mod chart;
mod written;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::progress::{Progress, Stop};
use grognard_lab::sensitivity::{AskError, Choice, Found, Global, Inquiry, Named, Ranged};
use grognard_lab::study::{Changes, Study, Variants, written_as};
use grognard_source::{Diagnostic, Path, Sources};

use super::asking::{Battles, Cells, Question, Showing, ended, held_battles, wait};
use crate::failure::{Failure, Status};
use crate::parse::{self, Bounds};
use crate::study::{load, quantity};
use crate::table;
use crate::text::{counted, plural};

const EXAMPLES: &str = "\
Examples:
  grognard sensitivity square-vs-line
  grognard sensitivity square-vs-line --cell 18 --of roll.shock --of roll.morale
  grognard sensitivity square-vs-line --metric defender.losses --pips 2
  grognard sensitivity refduel --out tornado
  grognard sensitivity square-vs-line --cell 18 --global
  grognard sensitivity refduel --global --range unit.plain.figures=16..24

Every number in use, in rows and within conditions, is made one step smaller and one
step larger, one at a time, and the same battles are fought with the same dice. The
answer is a side's share of wins, or another metric, over all cells. --global varies
several numbers at once over ranges (Morris's elementary effects). If the study varies
a number, the value in every cell is changed by the same amount.";

/// How many numbers --global varies by default: those with the greatest effect.
const TOGETHER: usize = 12;

/// Find which numbers in the rules change a study's answer, and by how much.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// Change this number, or all numbers below a path: of the pack, or of the deployment (attacker.0.figures). May
    /// be repeated.
    #[arg(long, value_name = "PATH", value_parser = parse::path)]
    of: Vec<Path>,
    #[command(flatten)]
    cells: Cells,
    /// Watch this metric: a side for its wins, draw, turns, or a side's metric such as defender.losses [default:
    /// the first side's wins].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Battles in each cell with each change [default: enough for twenty million in all].
    #[arg(long, value_name = "N", value_parser = parse::runs)]
    runs: Option<u64>,
    /// Change numbers by this many steps down and up.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(i64).range(1..=1000))]
    pips: i64,
    /// Stop after this time, such as 90s or 10m: results for the numbers tried by then remain valid.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    time: Option<Duration>,
    /// Also vary several numbers at once: those of --range, or the twelve with the greatest effect.
    #[arg(long)]
    global: bool,
    /// A number and its range for --global [default: three steps to either side]. May be repeated.
    #[arg(long, value_name = "PATH=LOW..HIGH", value_parser = parse::bounds, requires = "global")]
    range: Vec<Bounds>,
    /// Elementary effects for each number.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..=1000), requires = "global")]
    ways: u16,
    #[command(flatten)]
    battles: Battles,
    #[command(flatten)]
    showing: Showing,
}

/// The question and its result.
pub(crate) struct Report<'a> {
    pub(crate) study: &'a Study,
    pub(crate) inquiry: &'a Inquiry,
    pub(crate) choice: &'a Choice,
    pub(crate) found: &'a Found,
    pub(crate) global: Option<&'a Global>,
    /// The command line that reproduces the answer.
    pub(crate) command: String,
}

/// Runs the command.
pub(crate) fn sensitivity(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = Changes { runs: args.runs, ..args.battles.changes(sources)? };
    let study = load(&args.study, &changes, sources)?;
    let quantity = quantity(&study, args.metric.as_deref())?;
    let cells = args.cells.of(&study, sources)?;
    let variants = Variants::of(&study, sources)?;
    let named = Named { paths: args.of.clone() };
    let (numbers, _) = named.numbers(&variants).map_err(Diagnostic::from)?;
    let given = args.ranges(&variants)?;
    let (level, threads) = (args.battles.level, args.battles.threads());
    let mut inquiry = Inquiry { cells, battles: 0, quantity, pips: args.pips, level, threads };
    let deployed = inquiry.deployed(&study, &numbers).len();
    inquiry.battles = held_battles(&study, study.chosen(&inquiry.cells).len(), 2 * deployed + 1, args.runs)?;
    args.showing.say(&announcement(&study, &inquiry, args, deployed));
    let command = args.command(changes.seed, &inquiry);
    let question = args.showing.begin(&study, &command)?;
    let (found, out_of_time) = wait(args.time, |stop| {
        let work = Work { args, study: &study, variants: &variants, inquiry: &inquiry, question: &question, stop };
        let (choice, found) = work.one_at_a_time(&named)?;
        let global = if args.global && !stop.is_raised() { work.together(given, &found) } else { Ok(None) };
        Ok::<_, Failure>((choice, found, global?, stop.is_raised()))
    });
    let (choice, found, global, stopped) = found.map_err(|failure| failure.timed(out_of_time))?;
    let global = global.as_ref();
    let report = Report { study: &study, inquiry: &inquiry, choice: &choice, found: &found, global, command };
    written::print(&report, args.showing.format())?;
    args.showing.write(|folder| {
        let page = written::report_of(&report, chart::charts(&report));
        Ok(grognard_report::publish_answer(folder, "sensitivity", &page, &written::texts(&report)?)?)
    })?;
    question.close(stopped);
    Ok(ended(stopped, out_of_time))
}

/// The battles to fight, and the watcher.
struct Work<'a> {
    args: &'a Args,
    study: &'a Study,
    variants: &'a Variants<'a>,
    inquiry: &'a Inquiry,
    question: &'a Question<'a>,
    stop: &'a Stop,
}

impl Work<'_> {
    /// Changes one number at a time.
    fn one_at_a_time(&self, named: &Named) -> Result<(Choice, Found), Failure> {
        let Self { study, variants, inquiry, stop, .. } = *self;
        let battles = inquiry.battles * study.chosen(&inquiry.cells).len() as u64;
        let choice =
            self.question.step(battles, |watch| inquiry.choose(study, variants, named, watch, stop)).map_err(failed)?;
        let battles = inquiry.battles_at_most(study, choice.numbers.len());
        self.say(&format!(
            "{} in use: {} battles at most",
            plural(choice.numbers.len() as u64, "number"),
            counted(battles)
        ));
        let found = self.question.step(battles, |watch| inquiry.ask(study, variants, &choice, watch, stop));
        Ok((choice, found.map_err(failed)?))
    }

    /// Changes several numbers at once; `None` if it was stopped.
    fn together(&self, mut ranges: Vec<Ranged>, found: &Found) -> Result<Option<Global>, Failure> {
        let Self { study, variants, inquiry, stop, .. } = *self;
        if ranges.is_empty() {
            let most = found.moved.iter().filter(|moved| moved.stands() && !moved.number.varied).take(TOGETHER);
            ranges.extend(most.map(|moved| Ranged::around(&moved.number, study, variants)));
        }
        if ranges.is_empty() {
            let help = "name numbers and their ranges: --range PATH=LOW..HIGH";
            return Err(Failure::wrong(
                "no number changes the answer by more than the margin of error, so there is nothing to vary",
                help,
            ));
        }
        let ways = usize::from(self.args.ways);
        let battles = inquiry.global_at_most(study, ranges.len(), ways);
        let (numbers, in_ways) = (plural(ranges.len() as u64, "number"), plural(ways as u64, "way"));
        self.say(&format!("{numbers} at once, {in_ways}: {} battles at most", counted(battles)));
        let vary = |watch: &dyn Progress| inquiry.global(study, variants, &ranges, ways, watch, stop);
        match self.question.step(battles, vary) {
            Err(AskError::Stopped) => Ok(None),
            global => global.map(Some).map_err(failed),
        }
    }

    fn say(&self, line: &str) {
        self.args.showing.say(line);
    }
}

pub(super) fn failed(error: AskError) -> Failure {
    match error {
        AskError::Unnamed(unnamed) => Diagnostic::from(unnamed).into(),
        AskError::Stopped => Failure::stopped("any number was tried"),
        AskError::Threads(_) => Failure::unfinished(error.to_string()),
    }
}

/// The message at the start.
fn announcement(study: &Study, inquiry: &Inquiry, args: &Args, numbers: usize) -> String {
    let pips = if args.pips == 1 { "a pip".to_owned() } else { format!("{} pips", args.pips) };
    format!(
        "{}: {}, each {pips} down and up, {} of {}, seed {}, {}",
        study.header.name,
        plural(numbers as u64, "number"),
        plural(study.chosen(&inquiry.cells).len() as u64, "cell"),
        plural(inquiry.battles, "battle"),
        study.seed,
        study.pack_line()
    )
}

impl Args {
    /// The ranges on the command line.
    fn ranges(&self, variants: &Variants<'_>) -> Result<Vec<Ranged>, Failure> {
        let mut ranges: Vec<Ranged> = Vec::new();
        for Bounds { path, low, high } in &self.range {
            let named = Named { paths: vec![path.clone()] };
            let (mut numbers, _) = named.numbers(variants).map_err(Diagnostic::from)?;
            let number = match (numbers.pop(), numbers.len()) {
                (Some(number), 0) if number.path == *path => number,
                (_, others) => {
                    let message = format!("`{path}` is not one number but {}", others + 1);
                    return Err(Failure::wrong(message, "give a range for one number at a time"));
                }
            };
            if number.varied {
                let message = format!("the study varies `{path}` itself");
                return Err(Failure::wrong(message, "its cells show what that does; give another number a range"));
            }
            if ranges.iter().any(|known| known.number == number) {
                return Err(Failure::wrong(format!("`{path}` has two ranges"), "give each number one"));
            }
            if high - low < number.pip {
                let message =
                    format!("there is no step for `{path}` from {} to {}", written_as(*low), written_as(*high));
                return Err(Failure::wrong(message, format!("its step is {}", written_as(number.pip))));
            }
            ranges.push(Ranged { number, low: *low, high: *high });
        }
        Ok(ranges)
    }

    /// The command line that reproduces the numbers.
    fn command(&self, seed: Option<u64>, inquiry: &Inquiry) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard sensitivity".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.of.iter().map(|path| format!("--of {}", quoted(&path.to_string()))));
        words.extend(self.cells.words());
        words.extend(self.metric.iter().map(|metric| format!("--metric {}", quoted(metric))));
        words.push(format!("--runs {}", inquiry.battles));
        words.extend((self.pips != 1).then(|| format!("--pips {}", self.pips)));
        words.extend(self.global.then(|| "--global".to_owned()));
        let range =
            |range: &Bounds| quoted(&format!("{}={}..{}", range.path, written_as(range.low), written_as(range.high)));
        words.extend(self.range.iter().map(|bounds| format!("--range {}", range(bounds))));
        words.extend((self.ways != 10).then(|| format!("--ways {}", self.ways)));
        words.extend(self.battles.words(seed));
        words.join(" ")
    }
}

impl Report<'_> {
    /// The metric in words: `attacker wins`.
    pub(crate) fn asks(&self) -> String {
        let quantity = &self.inquiry.quantity;
        if self.study.sides.contains(&quantity.name) {
            format!("{} wins", quantity.name)
        } else {
            quantity.name.clone()
        }
    }

    /// The cells in words: `cell 18`, `mean of 36 cells`.
    pub(crate) fn over(&self) -> String {
        match self.found.cells.as_slice() {
            [only] if self.study.cells.len() > 1 => format!("cell {} ({})", only.cell, only.label),
            [_] => "its only cell".to_owned(),
            cells => format!("mean of {} cells", cells.len()),
        }
    }

    /// The table on standard output.
    pub(crate) fn table(&self, setting: table::Setting) -> String {
        table::sensitivity::table(self, setting)
    }
}
