//! `grognard ablate`: what is each rule worth?

mod told;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::questions::{Ablated, Ablation};
use grognard_lab::study::{Changes, Study, Switch, Variants};
use grognard_source::{Diagnostic, Sources};
use grognard_stats::Level;

use super::export::expect_writable;
use crate::failure::{Failure, Status};
use crate::format::Form;
use crate::interrupt::{stop_after, stop_on_ctrl_c};
use crate::parse::{self, Seed};
use crate::progress::Watch;
use crate::study::{asked_metric, cells_of, load, overrides};
use crate::terminal;
use crate::text::{counted, plural};

const EXAMPLES: &str = "\
Examples:
  grognard ablate square-vs-line
  grognard ablate square-vs-line --only defender.0.formation=square --metric 'defender wins'
  grognard ablate pip-square --of roll.charge --of roll.stand
  grognard ablate refduel --metric turns --out rules-that-matter

Each row of the pack that cites a clause, each flag of a unit type or a formation,
and each clause that several rows cite is switched off by itself, and the same
battles are fought with the same dice. A rule's worth is the metric with the rule
less the metric without it.";

/// Battles that are fought in all, about, unless --runs says otherwise.
const BATTLES: u64 = 20_000_000;
/// The fewest battles of each cell that --runs is set to by itself.
const RUNS_MIN: u64 = 1_024;
/// The most battles with all rules on: they are held in memory.
const HELD_MAX: u64 = 10_000_000;

/// Say what each rule is worth: switch it off, and fight the same battles again.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// Only this rule, or the rules below a path, such as roll.shock; or a clause, such as 9.50-G. May be repeated.
    #[arg(long, value_name = "RULE")]
    of: Vec<String>,
    /// What the worth is measured in: a side's score or wins, draw, turns, or a side's metric such as defender.losses [default: the first
    /// side's score].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Only this cell. May be repeated.
    #[arg(long, value_name = "N")]
    cell: Vec<usize>,
    /// Only the cells with this value at a varied path. May be repeated.
    #[arg(long, value_name = "PATH=VALUE", conflicts_with = "cell")]
    only: Vec<String>,
    /// Leave out the pairs of the rules that are worth most.
    #[arg(long)]
    no_pairs: bool,
    /// Battles of each cell with each rule off; by itself as many as make twenty million in all.
    #[arg(long, value_name = "N", value_parser = parse::runs)]
    runs: Option<u64>,
    /// Give up after this time, such as 90s or 10m.
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
    ablation: &'a Ablation,
    found: &'a Ablated,
    command: String,
}

/// Switches rules off.
pub(crate) fn ablate(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let seed = args.seed.map(Seed::draw).transpose()?;
    let changes = Changes { runs: args.runs, seed, set: overrides(&args.set, sources)?, ..Changes::default() };
    let study = load(&args.study, &changes, sources)?;
    let first = format!("{} score", study.sides[0]);
    let quantity = asked_metric(&study, args.metric.as_deref().unwrap_or(&first))?;
    let cells = cells_of(&study, &args.cell, &args.only, sources)?;
    let variants = Variants::of(&study, sources)?;
    let switches = args.named(variants.switches())?;
    if let Some(folder) = &args.out {
        expect_writable(folder)?;
    }
    let threads = args.threads.map_or(0, usize::from);
    let pairs = !args.no_pairs;
    let mut ablation = Ablation { switches, cells, battles: 0, quantity, pairs, level: args.level, threads };
    ablation.battles = args.battles(&study, &ablation)?;
    if !args.quiet {
        terminal::say(&announcement(&study, &ablation));
    }
    let stop = stop_on_ctrl_c(terminal::say);
    let limit = args.time.map(|time| stop_after(time, &stop));
    let watch = Watch::new(ablation.battles_at_most(&study), 0, args.quiet);
    let found = ablation.run(&study, &variants, &watch, &stop);
    watch.end();
    let found = found.map_err(|error| Failure::unfinished(format!("cannot start the worker threads: {error}")))?;
    let Some(found) = found else {
        let message = match limit.is_some_and(|limit| limit.is_over()) {
            true => "the time was over before every rule was tried",
            false => "stopped before every rule was tried",
        };
        return Err(Failure::beyond(message, "give it more --time, fewer --runs, or fewer rules with --of"));
    };
    // From here on there is nothing left to stop gently.
    stop.raise();
    let command = args.command(seed, &ablation);
    let answer = Report { study: &study, ablation: &ablation, found: &found, command }.answer();
    answer.print(args.form.format())?;
    if let Some(folder) = &args.out {
        answer.write(folder, args.quiet)?;
    }
    Ok(Status::Done)
}

/// What is about to be tried.
fn announcement(study: &Study, ablation: &Ablation) -> String {
    format!(
        "{}: {} switched off one by one, {} of {}, seed {}, {}",
        study.header.name,
        plural(ablation.switches.len() as u64, "rule"),
        plural(ablation.chosen(study).len() as u64, "cell"),
        plural(ablation.battles, "battle"),
        study.seed,
        study.pack_line()
    )
}

/// Whether a name means this rule: its path, one above it, or the clause.
fn is_meant(switch: &Switch, name: &str) -> bool {
    let own = switch.name();
    let clause = own.strip_prefix("clause ");
    clause == Some(name)
        || own == name
        || (clause.is_none() && own.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

impl Args {
    /// The rules that `--of` names; all if it names none.
    fn named(&self, switches: Vec<Switch>) -> Result<Vec<Switch>, Failure> {
        for name in &self.of {
            let cited = || switches.iter().any(|switch| switch.clauses.contains(name));
            if !switches.iter().any(|switch| is_meant(switch, name)) && !cited() {
                let known: Vec<String> = switches.iter().map(Switch::name).collect();
                return Err(Diagnostic::unknown("rule", name, known.iter().map(String::as_str)).into());
            }
        }
        let meant = |switch: &Switch| {
            let by = |name: &String| is_meant(switch, name) || switch.clauses.contains(name);
            self.of.is_empty() || self.of.iter().any(by)
        };
        Ok(switches.into_iter().filter(meant).collect())
    }

    /// Battles of each cell with each rule off.
    fn battles(&self, study: &Study, ablation: &Ablation) -> Result<u64, Failure> {
        let cells = ablation.chosen(study).len() as u64;
        let share = BATTLES / (cells * (ablation.switches.len() as u64 + 1));
        let even = |battles: u64| battles - battles % if study.is_both_ways() { 2 } else { 1 };
        let battles = match self.runs {
            Some(runs) => even(runs),
            None => even((share - share % 256).max(RUNS_MIN).min(HELD_MAX / cells).min(study.runs)),
        };
        if battles == 0 {
            return Err(Failure::wrong("battles are fought in pairs here", "ask for --runs 2 at least"));
        }
        if battles.saturating_mul(cells) > HELD_MAX {
            let message = format!("{} battles of {} are too many to hold", counted(battles), plural(cells, "cell"));
            let help = format!("ask for --runs {} at most, or for fewer cells", even(HELD_MAX / cells));
            return Err(Failure::wrong(message, help));
        }
        Ok(battles)
    }

    /// The command line that finds the same again.
    fn command(&self, seed: Option<u64>, ablation: &Ablation) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard ablate".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.of.iter().map(|of| format!("--of {}", quoted(of))));
        words.extend(self.metric.iter().map(|metric| format!("--metric {}", quoted(metric))));
        words.extend(self.cell.iter().map(|cell| format!("--cell {cell}")));
        words.extend(self.only.iter().map(|only| format!("--only {}", quoted(only))));
        words.extend(self.no_pairs.then(|| "--no-pairs".to_owned()));
        words.push(format!("--runs {}", ablation.battles));
        words.extend(seed.map(|seed| format!("--seed {seed}")));
        words.extend(self.set.iter().map(|set| format!("--set {}", quoted(set))));
        words.extend((self.level != Level::default()).then(|| format!("--level {}", self.level.get())));
        words.join(" ")
    }
}
