//! `grognard run --method`: odds computed exactly if that is less work than fighting battles.

use std::path::Path;

use grognard_exact::{Budget, Limits};
use grognard_lab::exact::{ExactError, SolveOptions};
use grognard_lab::progress::Stop;
use grognard_lab::study::Study;

use super::exact;
use super::run::Args;
use crate::failure::{Failure, Status};
use crate::solving::Solving;
use crate::terminal;

/// How a study's numbers are obtained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Method {
    /// Computes odds if that is less work than fighting the battles; otherwise fights.
    Auto,
    /// Fights battles.
    #[default]
    Sampled,
    /// Computes odds.
    Exact,
}

/// A cell's odds are computed only if it has this many times fewer paths than battles. A path takes about as long as a
/// battle, and an abandoned attempt is wasted.
const CHEAPER: u64 = 4;

/// Solves the study into its results folder; `None` if battles are less work.
///
/// # Errors
///
/// Odds were requested and cannot be computed, or the flags require battles.
pub(super) fn worked_out(
    args: &Args,
    study: &Study,
    folder: &Path,
    command: String,
) -> Result<Option<Status>, Failure> {
    let limits = match args.method {
        Method::Sampled => return Ok(None),
        Method::Exact => {
            if let Some(flag) = args.is_about_battles() {
                let help = format!("omit {flag}, or omit --method exact");
                return Err(Failure::wrong(format!("{flag} needs battles, but exact odds use none"), help));
            }
            Limits::default()
        }
        // A part of a run is fought, so that it can be added to the rest.
        Method::Auto if args.wants_battles() => return Ok(None),
        Method::Auto => Limits { paths: battles(args, study) / CHEAPER, ..Limits::default() },
    };
    let options =
        SolveOptions { limits, cells: Vec::new(), time: None, threads: args.threads.map_or(0, usize::from), command };
    let quiet = args.output.quiet;
    let watcher = Solving::new(Some(study.cells.len() as u64), quiet);
    // Nothing is written until everything is computed, so Ctrl-C may end the command at once.
    match exact::solve(&options, study, Some(folder), &watcher, &Stop::new()) {
        Ok(results) => args.output.conclude(&results, false, None).map(Some),
        Err(ExactError::TooLarge { error, .. }) if args.method == Method::Auto && error.budget != Budget::Stopped => {
            if !quiet {
                terminal::say(
                    "computing the odds would take more work than fighting the battles, so the battles are \
                     fought",
                );
            }
            Ok(None)
        }
        Err(error) => {
            // If there are several studies, the message names the one that failed.
            let named = Path::new(&study.header.name);
            Err(exact::failure(error, if let [one] = args.studies.as_slice() { one } else { named }))
        }
    }
}

/// Battles that a cell would fight: the number requested, or the most that its precision needs.
fn battles(args: &Args, study: &Study) -> u64 {
    let needed = |half_width: f64| (args.level.z() / (2.0 * half_width)).powi(2).ceil() as u64;
    args.precision.map_or(study.runs, |half_width| needed(half_width).min(study.runs))
}
