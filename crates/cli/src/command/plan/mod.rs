//! `grognard plan`: how long a study will take, and how precise its answers will be.

mod script;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grognard_lab::plan::{CellTrial, Trial};
use grognard_lab::sensitivity::Quantity;
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;
use grognard_stats::{Level, share_exact};
use serde_json::{Value as Json, json};

use super::export::expect_writable;
use crate::failure::{Failure, Status};
use crate::interrupt::stop_on_ctrl_c;
use crate::parse::{self, Seed};
use crate::progress::Watch;
use crate::study::{load, overrides, quantity};
use crate::{table, terminal};
use script::Run;

const EXAMPLES: &str = "\
Examples:
  grognard plan square-vs-line
  grognard plan square-vs-line --runs 1e7
  grognard plan square-vs-line --time 10m
  grognard plan square-vs-line --time 10m --out ten-minutes.sh

A short trial measures this machine and how much battles vary; only the --out file
is written. With --time, the cells that share a baseline get the number of battles
that makes their differences most precise in that time. The printed commands state
these numbers, so they can be repeated.";

/// The approximate duration of a trial.
const TRIAL: Duration = Duration::from_secs(2);
/// Battles in each cell that a run keeps by default.
const KEPT: u64 = 10_000;

/// Estimate the time, disk space and precision of a study before you run it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// Battles in each cell [default: the study's number].
    #[arg(long, value_name = "N", value_parser = parse::runs, conflicts_with = "time")]
    runs: Option<u64>,
    /// Spend this much time, such as 90s, 10m or 1h30m, where it improves precision most.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    time: Option<Duration>,
    /// Plan for this metric: a side for its wins, draw, turns, or a side's metric such as defender.losses [default:
    /// the first side's wins].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Use this seed instead of the study's: a number, or `random`.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Set a path to a value, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Confidence level of the intervals.
    #[arg(long, value_name = "LEVEL", value_parser = parse::level, default_value = "0.95")]
    level: Level,
    /// Write the commands of --time to a shell script.
    #[arg(long, value_name = "FILE", requires = "time")]
    out: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// A plan.
pub(crate) struct Plan<'a> {
    pub(crate) study: &'a Study,
    pub(crate) quantity: &'a Quantity,
    pub(crate) trial: &'a Trial,
    pub(crate) level: Level,
    /// The time to spend, and how to spend it.
    pub(crate) time: Option<(Duration, &'a [Run])>,
}

/// Runs the command.
pub(crate) fn plan(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let seed = args.seed.map(Seed::draw).transpose()?;
    let changes = Changes { runs: args.runs, seed, set: overrides(&args.set, sources)?, ..Changes::default() };
    let study = load(&args.study, &changes, sources)?;
    let quantity = quantity(&study, args.metric.as_deref())?;
    if let Some(file) = &args.out {
        expect_writable(file.parent().unwrap_or(Path::new("")))?;
    }
    let watch = Arc::new(Watch::new(0, 0, true));
    let teller = Arc::clone(&watch);
    let stop = stop_on_ctrl_c(move |message| teller.say(message));
    if !args.quiet {
        terminal::say("a short trial …");
    }
    let threads = args.threads.map_or(0, usize::from);
    let trial = Trial::fight(&study, &quantity, threads, TRIAL.as_secs_f64(), &*watch, &stop);
    let trial = trial.map_err(|error| Failure::unfinished(format!("cannot start the worker threads: {error}")))?;
    let Some(trial) = trial else { return Err(Failure::unfinished("stopped before the trial was over")) };
    let runs = args.time.map(|time| script::runs(args, &study, &trial, time, seed, sources));
    let time = args.time.zip(runs.as_deref());
    let plan = Plan { study: &study, quantity: &quantity, trial: &trial, level: args.level, time };
    if args.json {
        terminal::print_raw(&format!("{:#}\n", plan.json()))?;
    } else {
        terminal::print(&table::planned::planned(&plan))?;
    }
    if let (Some(path), Some((_, runs))) = (&args.out, time) {
        script::write(path, &study, runs)?;
        if !args.quiet {
            terminal::say(&format!("script   {}", path.display()));
        }
    }
    Ok(Status::Done)
}

impl Plan<'_> {
    /// Battles in a cell, by its position in the study.
    pub(crate) fn battles(&self, place: usize) -> u64 {
        let run = self.time.and_then(|(_, runs)| runs.iter().find(|run| run.cells.contains(&place)));
        run.map_or(self.study.runs, |run| run.battles)
    }

    /// The approximate running time in seconds, without the report.
    pub(crate) fn seconds(&self) -> f64 {
        match self.time {
            Some((_, runs)) => runs.iter().map(|run| run.seconds).sum(),
            None => self.trial.seconds(self.study.runs),
        }
    }

    /// The battles of all cells together.
    pub(crate) fn all(&self) -> u64 {
        (0..self.study.cells.len()).map(|place| self.battles(place)).sum()
    }

    /// Bytes of the battles that are kept individually.
    pub(crate) fn bytes(&self) -> f64 {
        let kept: u64 = (0..self.study.cells.len()).map(|place| self.battles(place).min(KEPT)).sum();
        kept as f64 * self.trial.bytes
    }

    /// Half the width of the interval of a share of one half, in the cell with the fewest battles.
    pub(crate) fn worst(&self) -> Option<f64> {
        let least = (0..self.study.cells.len()).map(|place| self.battles(place)).min()?;
        self.quantity.share.then(|| share_exact(least / 2, least, self.level).half_width())
    }

    /// The expected half-widths of a cell: of the metric, and of its difference from the baseline.
    pub(crate) fn half_widths(&self, place: usize, cell: &CellTrial) -> (f64, Option<f64>) {
        let battles = self.battles(place);
        (
            cell.half_width(self.quantity, battles, self.level),
            cell.difference_half_width(self.quantity, battles, self.level),
        )
    }

    fn json(&self) -> Json {
        let cell = |(place, cell): (usize, &CellTrial)| {
            let (own, difference) = self.half_widths(place, cell);
            let runs = (cell.sums.runs * cell.round).max(1) as f64;
            json!({
                "cell": cell.header.cell,
                "label": cell.header.label,
                "runs": self.battles(place),
                "trial": cell.sums.sum as f64 / runs,
                "half_width": own,
                "difference_half_width": difference,
                "seconds_a_battle": cell.seconds,
            })
        };
        let run = |run: &Run| json!({ "cells": run.cells, "runs": run.battles, "seconds": run.seconds, "command": run.command });
        json!({
            "study": self.study.header.name,
            "pack": self.study.pack.name,
            "seed": self.study.seed,
            "metric": self.quantity.name,
            "level": self.level.get(),
            "battles": self.all(),
            "trial": self.trial.battles,
            "trial_seconds": self.trial.took,
            "seconds": self.seconds(),
            "bytes": self.bytes(),
            "worst": self.worst(),
            "cells": self.trial.cells.iter().enumerate().map(cell).collect::<Vec<_>>(),
            "time": self.time.map(|(time, runs)| json!({
                "seconds": time.as_secs_f64(),
                "commands": runs.iter().map(run).collect::<Vec<_>>(),
            })),
        })
    }
}
