//! `grognard ablate`: what is each rule worth?

mod printed;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::questions::{Ablated, Ablation, Needed};
use grognard_lab::study::{Changes, Rule, Study, Switch, Variants};
use grognard_source::{Diagnostic, Sources};

use super::asking::{Battles, Cells, Showing, ended, held_battles};
use crate::failure::{Failure, Status};
use crate::parse;
use crate::study::{asked_metric, load};
use crate::text::plural;

const EXAMPLES: &str = "\
Examples:
  grognard ablate square-vs-line
  grognard ablate square-vs-line --only defender.0.formation=square --metric 'defender wins'
  grognard ablate pip-square --of roll.charge --of roll.stand
  grognard ablate refduel --metric turns --out rules-that-matter

Rules are switched off one at a time: each row of the pack that cites a clause, each flag
of a unit type or a formation, and each clause that several rows cite. The same battles
are fought with the same dice. A rule's worth is the metric with the rule minus the
metric without it.

Exit status: 0 if done, 4 if --time ran out before any rule was tried, 1 if the
command could not finish, 2 if the input is wrong.";

/// Measure what each rule is worth: switch it off and fight the same battles again.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// Try only this rule, the rules below a path (roll.shock), or a clause (9.50-G). May be repeated.
    #[arg(long, value_name = "RULE")]
    of: Vec<String>,
    /// Measure worth in this metric: a side's score or wins, draw, turns, or a side's metric such as
    /// defender.losses [default: the first side's score].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    #[command(flatten)]
    cells: Cells,
    /// Do not test pairs of the most valuable rules.
    #[arg(long)]
    no_pairs: bool,
    /// Battles in each cell with each rule off [default: enough for twenty million in all].
    #[arg(long, value_name = "N", value_parser = parse::runs)]
    runs: Option<u64>,
    /// Stop after this time, such as 90s or 10m. Results for the rules tried by then remain valid.
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
    ablation: &'a Ablation,
    found: &'a Ablated,
    command: String,
}

/// Runs the command.
pub(crate) fn ablate(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = Changes { runs: args.runs, ..args.battles.changes(sources)? };
    let study = load(&args.study, &changes, sources)?;
    let first = format!("{} score", study.sides[0]);
    let quantity = asked_metric(&study, args.metric.as_deref().unwrap_or(&first))?;
    let cells = args.cells.of(&study, sources)?;
    let variants = Variants::of(&study, sources)?;
    let switches = args.named(variants.switches())?;
    let (level, threads, pairs) = (args.battles.level, args.battles.threads(), !args.no_pairs);
    let mut ablation = Ablation { switches, cells, battles: 0, quantity, pairs, level, threads };
    let tried = ablation.switches.len() + 1;
    ablation.battles = held_battles(&study, study.chosen(&ablation.cells).len(), tried, args.runs)?;
    if let Some(needed) = ablation.all_needed(&study, &variants) {
        return Err(nothing(&needed));
    }
    args.showing.say(&announcement(&study, &ablation));
    let battles = ablation.battles_at_most(&study);
    let command = args.command(changes.seed, &ablation);
    let question = args.showing.begin(&study, &command)?;
    let (found, out_of_time) =
        question.watch(args.time, battles, |watch, stop| ablation.run(&study, &variants, watch, stop));
    let found = found.map_err(|error| Failure::unfinished(format!("cannot start the worker threads: {error}")))?;
    let found = found.ok_or_else(|| Failure::stopped("any rule was tried").timed(out_of_time))?;
    question.show(&Report { study: &study, ablation: &ablation, found: &found, command }.answer(), found.stopped)?;
    Ok(ended(found.stopped, out_of_time))
}

/// The failure if nothing that was named can be switched off.
fn nothing(needed: &[Needed]) -> Failure {
    const NAMED: usize = 5;
    let why = |needed: &Needed| format!("{}: {}", needed.switch.name(), needed.why);
    let mut whys: Vec<String> = needed.iter().take(NAMED).map(why).collect();
    whys.extend((needed.len() > NAMED).then(|| format!("and {} more", needed.len() - NAMED)));
    let message = match needed.len() {
        0 => "the pack has no rule that could be switched off".to_owned(),
        _ => format!("the pack is invalid without any of these rules ({})", whys.join("; ")),
    };
    Failure::wrong(message, "name other rules with --of, such as a modifier or a result of a roll")
}

/// The message about what will be tried.
fn announcement(study: &Study, ablation: &Ablation) -> String {
    format!(
        "{}: {} switched off one at a time, {} of {}, seed {}, {}",
        study.header.name,
        plural(ablation.switches.len() as u64, "rule"),
        plural(study.chosen(&ablation.cells).len() as u64, "cell"),
        plural(ablation.battles, "battle"),
        study.seed,
        study.pack_line()
    )
}

/// Whether a name refers to this rule: its path, a path above it, or a clause that it cites.
fn is_meant(switch: &Switch, name: &str) -> bool {
    let below = match &switch.what {
        Rule::Row(path) => path.to_string().strip_prefix(name).is_some_and(|rest| rest.starts_with('.')),
        Rule::Clause(..) => false,
    };
    below || switch.name() == name || switch.clauses.iter().any(|clause| clause == name)
}

impl Args {
    /// The rules that `--of` selects; all without it.
    fn named(&self, switches: Vec<Switch>) -> Result<Vec<Switch>, Failure> {
        for name in &self.of {
            if !switches.iter().any(|switch| is_meant(switch, name)) {
                let known: Vec<String> = switches.iter().map(Switch::name).collect();
                return Err(Diagnostic::unknown("rule", name, known.iter().map(String::as_str)).into());
            }
        }
        let meant = |switch: &Switch| self.of.is_empty() || self.of.iter().any(|name| is_meant(switch, name));
        Ok(switches.into_iter().filter(meant).collect())
    }

    /// The command line that reproduces the answer.
    fn command(&self, seed: Option<u64>, ablation: &Ablation) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard ablate".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.of.iter().map(|of| format!("--of {}", quoted(of))));
        words.extend(self.metric.iter().map(|metric| format!("--metric {}", quoted(metric))));
        words.extend(self.cells.words());
        words.extend(self.no_pairs.then(|| "--no-pairs".to_owned()));
        words.push(format!("--runs {}", ablation.battles));
        words.extend(self.battles.words(seed));
        words.join(" ")
    }
}
