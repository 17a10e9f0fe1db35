//! `grognard replay`: narrates one battle.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::RUNS_MAX;
use grognard_lab::exact::{narrate_judged, narrate_with_odds};
use grognard_lab::replay::narrate;
use grognard_lab::results::Manifest;
use grognard_lab::study::{Cell, Changes, Study};
use grognard_source::Sources;

use crate::failure::{Failure, Status};
use crate::parse::{self, Seed};
use crate::study::{load, overrides};
use crate::terminal;
use crate::text::{counted, tame};

const EXAMPLES: &str = "\
Examples:
  grognard replay square-vs-line --cell 18 --battle 17
  grognard replay square-vs-line --cell 18 --battle 17 --odds
  grognard replay square-vs-line --cell 18 --battle 17 --judge
  grognard replay results/square-vs-line --cell 18 --battle 17
  grognard replay my-study.toml --seed 1 --set defender.0.formation=square

A results folder gives the battle of its run, whatever has become of study and
pack since: any row of runs/*.parquet can be read this way.";

/// Narrate one battle, each event with its clause.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`, or a results folder.
    #[arg(value_name = "STUDY|RESULTS")]
    study: PathBuf,
    /// The cell's number.
    #[arg(long, value_name = "N", default_value_t = 0)]
    cell: u32,
    /// The battle's number.
    #[arg(long, value_name = "I", default_value_t = 0)]
    battle: u64,
    /// The seed instead of the study's.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Put a value at a path, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Work out before each half of a turn who wins from there how often. For few units.
    #[arg(long, group = "worked_out")]
    odds: bool,
    /// Say what each choice would have been worth between experts, what the choices made give away, and how much was luck. For few
    /// units: see `grognard best`.
    #[arg(long, group = "worked_out")]
    judge: bool,
    /// The most time for the odds, or for judging.
    #[arg(long, value_name = "TIME", value_parser = parse::duration, default_value = "20s", requires = "worked_out")]
    max_time: Duration,
}

/// Narrates one battle.
pub(crate) fn replay(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let (study, battles) = if args.study.join("manifest.json").is_file() {
        of_results(args, sources)?
    } else {
        let seed = args.seed.map(Seed::draw).transpose()?;
        let changes = Changes { seed, set: overrides(&args.set, sources)?, ..Changes::default() };
        (load(&args.study, &changes, sources)?, 0..RUNS_MAX)
    };
    let Some(cell) = study.cells.get(args.cell as usize) else {
        return Err(Failure::no_cell(format!("there is no cell {}", args.cell), study.cells.len()));
    };
    if !battles.contains(&args.battle) {
        let help = match battles.end.checked_sub(1).filter(|_| !battles.is_empty()) {
            None => "no battles were fought there".to_owned(),
            Some(last) => format!("battles go from {} to {last}", battles.start),
        };
        return Err(Failure::wrong(format!("there is no battle {}", args.battle), help));
    }
    let told = if args.odds {
        narrate_with_odds(&study, cell, args.battle, args.max_time)
            .map_err(|error| format!("the odds cannot be worked out: {error}"))
    } else if args.judge {
        narrate_judged(&study, cell, args.battle, args.max_time).map_err(|error| error.to_string())
    } else {
        Ok(narrate(&study, cell, args.battle))
    };
    let lines = match told {
        Ok(lines) => lines,
        Err(message) => {
            // The battle itself takes no time.
            terminal::print(&narration(&study, cell, args.battle, &narrate(&study, cell, args.battle)))?;
            let flag = if args.odds { "odds" } else { "judge" };
            let help = format!(
                "this is for few units: allow more with --max-time, leave out --{flag}, or replay a smaller battle"
            );
            return Err(Failure::beyond(message, help));
        }
    };
    terminal::print(&narration(&study, cell, args.battle, &lines))?;
    Ok(Status::Done)
}

/// The study of a results folder, and the battles that were fought in each of its cells.
fn of_results(args: &Args, sources: &mut Sources) -> Result<(Study, Range<u64>), Failure> {
    if args.seed.is_some() || !args.set.is_empty() {
        let message = "the battles of a results folder have their seed and values already";
        return Err(Failure::wrong(message, "leave out --seed and --set, or name the study instead of the folder"));
    }
    let manifest = Manifest::read(&args.study)?;
    let study = Study::of_manifest(&manifest, sources)?;
    if study.identity != manifest.identity {
        let (theirs, own) = (&manifest.tool, env!("CARGO_PKG_VERSION"));
        let message = format!("{} was written by version {theirs}, this is {own}", args.study.display());
        return Err(Failure::wrong(message, "their battles may differ: replay it with the version that fought it"));
    }
    let progress = &manifest.progress;
    Ok((study, progress.first..progress.first.saturating_add(progress.battles)))
}

/// The battle as text, under a header of two lines.
fn narration(study: &Study, cell: &Cell, battle: u64, lines: &[String]) -> String {
    let header = &cell.header;
    let values = header.vary.iter().map(|setting| format!("{} = {}", setting.path, setting.value.text));
    let values = values.collect::<Vec<_>>().join(", ");
    let values = if values.is_empty() { String::new() } else { format!(": {values}") };
    let roles = if cell.bout(battle).swapped { ", roles exchanged" } else { "" };
    let mut text = format!(
        "{} ({}), cell {}{}\nbattle {}{roles}, seed {}, {} {}\n\n",
        tame(&study.header.title),
        study.header.name,
        header.cell,
        values.replace('\n', " "),
        counted(battle),
        study.seed,
        cell.rules.name,
        cell.rules.version
    );
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}
