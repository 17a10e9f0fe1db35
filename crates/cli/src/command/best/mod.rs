//! `grognard best`: what is a battle worth between perfect players?

mod printed;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grognard_engine::Side;
use grognard_exact::Limits;
use grognard_lab::questions::{BestCell, BestError, BestPlay, InWords, Words, WordsError};
use grognard_lab::study::{Cell, Changes, Study, Switch, Variants};
use grognard_source::{Diagnostic, Sources};

use super::asking::{Showing, wait};
use super::export::write_new;
use crate::failure::{Failure, Status};
use crate::parse;
use crate::solving::Solving;
use crate::study::{asked_metric, cells_of, load, overrides, side_named};
use crate::text::plural;

const EXAMPLES: &str = "\
Examples:
  grognard best forming-square-late --cell 4
  grognard best square-vs-line --only attacker.0.type=heavy-cavalry --out experts
  grognard best square-vs-line --cell 18 --without roll.shock.modifier.square-against-cavalry
  grognard best square-vs-line --cell 19 --precision 0.5% --max-time 10m
  grognard best square-vs-line --cell 18 --words attacker
  grognard best my-study.toml --repertoire pack --json

Nothing is sampled. The command enumerates every order in the doctrines, whatever its
conditions, and every dice result. Then it computes the value of each state backwards
from the end: each side makes its best choice. Both sides see everything, so best play
is one choice for each situation, and its value is a number. If there is too much to
enumerate, a search finds only the values and skips whatever cannot change them. If the
search is stopped, the answer is a bracket: the minimum and maximum possible values.

Best play is limited to the orders in a side's doctrine: a doctrine that never forms
square offers no square. A doctrine may name another one for best play to choose from
(players = { best = \"NAME\" }). With --repertoire pack, a side may give the orders of any
doctrine of the pack; with --repertoire declared, those listed in the pack's `choice`
tables.";

/// The maximum number of changes in a doctrine that describes best play.
const STEPS: usize = 20;

/// The default of `--max-memory`.
const MEMORY: u64 = 8 << 30;

/// Compute best play: what a battle is worth between experts, and what each doctrine gives away.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// Play for this metric: a side's score or wins, or its losses, such as defender.losses [default: the first
    /// side's score].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Use only these cells, such as 18 or 0,18. May be repeated.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    cell: Vec<usize>,
    /// Use only the cells with this value at a varied path. May be repeated.
    #[arg(long, value_name = "PATH=VALUE", conflicts_with = "cell")]
    only: Vec<String>,
    /// Also report what this rule is worth: a row, a flag, or a clause, as listed by `grognard ablate`.
    #[arg(long, value_name = "RULE")]
    without: Option<String>,
    /// Describe a side's best play as a short doctrine, and report its value and its loss against the full table.
    #[arg(long, value_name = "SIDE", conflicts_with = "precision")]
    words: Option<String>,
    /// Write that doctrine to a file, as a table for a pack.
    #[arg(long, value_name = "FILE", requires = "words")]
    write: Option<PathBuf>,
    /// Set a path to a value, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Memory limit for all cells that are solved at the same time.
    #[arg(long, value_name = "BYTES", value_parser = parse::memory, default_value = "8G")]
    max_memory: u64,
    /// Time limit, such as 90 or 10m. Values that need more are printed as brackets.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    max_time: Option<Duration>,
    /// Accept brackets of this half-width, such as 0.5 % or 0.005.
    #[arg(long, value_name = "H", value_parser = parse::precision)]
    precision: Option<f64>,
    /// Let players give orders from this repertoire instead of the pack's: own, pack or declared. Short for --set
    /// repertoire=.
    #[arg(long, value_name = "WIDTH", value_parser = ["own", "pack", "declared"])]
    repertoire: Option<String>,
    /// Cells solved at a time [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    showing: Showing,
}

/// The question and its result.
struct Report<'a> {
    study: &'a Study,
    best: &'a BestPlay,
    cells: &'a [BestCell],
    /// The rule of `--without`, and the cells without it.
    without: Option<(&'a Switch, Vec<BestCell>)>,
    /// The side of `--words`, and the description of its best play.
    words: Option<(Side, Words)>,
    command: String,
}

/// Runs the command.
pub(crate) fn best(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let set: Vec<String> =
        args.set.iter().cloned().chain(args.repertoire.iter().map(|width| format!("repertoire={width}"))).collect();
    let changes = Changes { set: overrides(&set, sources)?, ..Changes::default() };
    let study = load(&args.study, &changes, sources)?;
    study.of_two_sides("`best`")?;
    let first = format!("{} score", study.sides[0]);
    let quantity = asked_metric(&study, args.metric.as_deref().unwrap_or(&first))?;
    let cells = cells_of(&study, &args.cell, &args.only, sources)?;
    let chosen = study.chosen(&cells);
    let (switch, without) = args.without(&study, &chosen, sources)?.unzip();
    let speaker = args.words.as_ref().map(|name| side_named(&study, name)).transpose()?;
    if let Some(file) = args.write.as_ref().filter(|file| file.exists()) {
        let message = format!("{} already exists", file.display());
        return Err(Failure::wrong(message, "name another file with --write"));
    }
    args.showing.check()?;
    args.showing.say(&format!(
        "{}: best play, {}, {}",
        study.header.name,
        plural(chosen.len() as u64, "cell"),
        study.pack_line()
    ));
    let best = BestPlay {
        quantity,
        limits: Limits { states: u64::from(u32::MAX), bytes: args.max_memory, ..Limits::default() },
        time: args.max_time,
        precision: args.precision,
        only_both: false,
        threads: args.threads.map_or(0, usize::from),
    };
    let variants = match speaker {
        Some(side) => Some((side, Variants::of(&study, sources)?)),
        None => None,
    };
    let (found, _) = wait(None, |stop| {
        // All cells are solved together, so that they share time and memory.
        let with = chosen.iter().map(|&place| &study.cells[place]);
        let cells: Vec<&Cell> = with.chain(without.iter().flatten()).collect();
        let watcher = Arc::new(Solving::new(Some(cells.len() as u64), args.showing.quiet));
        let solved = best.solve(&cells, &*watcher, stop);
        watcher.end();
        let mut cells = solved.map_err(unsolved)?;
        let without = cells.split_off(chosen.len());
        let words = variants.as_ref().map(|(side, variants)| {
            let asked = in_words(&best, &chosen, &cells, *side)?;
            Ok::<_, Failure>((*side, asked.find(&study, variants, stop).map_err(unsaid)?))
        });
        Ok::<_, Failure>((cells, without, words.transpose()))
    });
    let (cells, without, words) = found?;
    // Values that were solved are shown even if best play cannot be described.
    let (words, unsaid) = match words {
        Ok(words) => (words, None),
        Err(failure) => (None, Some(failure)),
    };
    let report = Report {
        study: &study,
        best: &best,
        cells: &cells,
        without: switch.as_ref().map(|switch| (switch, without)),
        words,
        command: args.command(),
    };
    args.showing.show(&report.answer())?;
    if let Some(toml) = report.toml() {
        match &args.write {
            Some(file) => write_new(file, &toml)?,
            None => args.showing.print_below(&toml)?,
        }
    }
    unsaid.map_or(Ok(Status::Done), Err)
}

/// The best play to describe, which must have been solved.
fn in_words(best: &BestPlay, places: &[usize], cells: &[BestCell], side: Side) -> Result<InWords, Failure> {
    if let Some(cell) = cells.iter().find(|cell| !cell.exact || cell.values.both_alone.width() > 0.0) {
        let message =
            format!("best play in cell {} was not solved completely, and cannot be described", cell.header.cell);
        let help = "allow more with --max-time and --max-memory, or ask about fewer cells with --cell";
        return Err(Failure::beyond(message, help));
    }
    let table = cells.iter().map(|cell| cell.values.both_alone.low).sum::<f64>() / cells.len().max(1) as f64;
    Ok(InWords { best: best.clone(), cells: places.to_vec(), side, table, steps: STEPS })
}

/// Why nothing was solved.
fn unsolved(error: BestError) -> Failure {
    match error {
        BestError::NobodysMetric(name) => {
            let message = format!("`{name}` is not a metric that either side tries to raise or lower");
            Failure::wrong(message, "name a side's score or wins, or its losses, such as defender.losses")
        }
        BestError::Threads(_) => Failure::unfinished(error.to_string()),
    }
}

/// Why best play was not described.
fn unsaid(error: WordsError) -> Failure {
    match error {
        WordsError::TooMuch(_) => Failure::beyond(error.to_string(), "allow more with --max-memory"),
        WordsError::Stopped => Failure::unfinished(error.to_string()),
        WordsError::Doctrine(error) => {
            Failure::wrong(error.to_string(), "name a side that follows one doctrine with rows in these cells")
        }
        WordsError::Best(error) => unsolved(error),
    }
}

impl Args {
    /// The rule of `--without`, and the cells without it.
    fn without(
        &self,
        study: &Study,
        chosen: &[usize],
        sources: &mut Sources,
    ) -> Result<Option<(Switch, Vec<Cell>)>, Failure> {
        let Some(name) = &self.without else { return Ok(None) };
        let variants = Variants::of(study, sources)?;
        let switches = variants.switches();
        let Some(switch) = switches.iter().find(|switch| switch.name() == *name).cloned() else {
            let known: Vec<String> = switches.iter().map(Switch::name).collect();
            return Err(Diagnostic::unknown("rule", name, known.iter().map(String::as_str)).into());
        };
        let cells = variants.cells_without(study, chosen, &[&switch]).map_err(|_| {
            let message = format!("`{name}` cannot be switched off: the pack is invalid without it");
            Failure::wrong(message, "`grognard ablate` lists the rules that can be switched off")
        })?;
        Ok(Some((switch, cells)))
    }

    /// The command line that reproduces the answer.
    fn command(&self) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard best".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.metric.iter().map(|metric| format!("--metric {}", quoted(metric))));
        words.extend(self.cell.iter().map(|cell| format!("--cell {cell}")));
        words.extend(self.only.iter().map(|only| format!("--only {}", quoted(only))));
        words.extend(self.without.iter().map(|rule| format!("--without {}", quoted(rule))));
        words.extend(self.words.iter().map(|side| format!("--words {}", quoted(side))));
        words.extend(self.set.iter().map(|set| format!("--set {}", quoted(set))));
        if self.max_memory != MEMORY {
            words.push(format!("--max-memory {}", self.max_memory));
        }
        words.extend(self.max_time.map(|time| format!("--max-time {}", time.as_secs_f64())));
        words.extend(self.precision.map(|half_width| format!("--precision {half_width}")));
        words.extend(self.repertoire.iter().map(|width| format!("--repertoire {width}")));
        words.join(" ")
    }
}
