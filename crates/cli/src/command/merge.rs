//! `grognard merge`: adds the results of shards.

use std::path::PathBuf;
use std::sync::Arc;

use grognard_lab::results::{Ending, Results, ResultsWriter, merge as add};
use grognard_lab::shell::quoted;

use super::output::Output;
use crate::failure::{Failure, Status};
use crate::interrupt::stop_on_ctrl_c;
use crate::progress::Watch;
use crate::terminal;
use crate::text::counted;

const EXAMPLES: &str = "\
Examples:
  grognard run square-vs-line --runs 1e8 --shard 1/2
  grognard run square-vs-line --runs 1e8 --shard 2/2
  grognard merge results/square-vs-line.shard-* --out results/square-vs-line

The sum is identical, byte for byte, to the result of a single run of all battles, except
for the record of how it was made: `made` in manifest.json, and the command line in the
report.";

/// Add up the results of shards: a table, and a folder with all numbers and a report.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The results folders of the shards, in any order.
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// The results folder for the sum.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Overwrite results in the folder that come from a different study, rules or seed.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
}

/// Runs the command.
pub(crate) fn merge(args: &Args) -> Result<Status, Failure> {
    let shards = args.results.iter().map(Results::open).collect::<Result<Vec<_>, _>>()?;
    let word = |folder: &PathBuf| quoted(&folder.to_string_lossy());
    let folders = args.results.iter().map(word).collect::<Vec<_>>();
    let command = format!("grognard merge {} --out {}", folders.join(" "), word(&args.out));
    if let Some(first) = shards.first() {
        ResultsWriter::check_create(&args.out, &first.manifest, args.force)?;
    }
    let watch = Arc::new(Watch::new(0, 0, args.output.quiet));
    let teller = Arc::clone(&watch);
    let stop = stop_on_ctrl_c(move |message| teller.say(message));
    let sum = add(&shards, &args.out, &command, args.output.reports(), &*watch, &stop)?;
    let interrupted = stop.is_raised();
    // Nothing after this needs a graceful stop, so Ctrl-C may now end the command at once.
    stop.raise();
    watch.end();
    let status = args.output.conclude(&sum, interrupted, None)?;
    let progress = &sum.manifest.progress;
    if progress.ending == Ending::Stopped && !interrupted {
        let end = progress.first + progress.battles;
        let missing = match (progress.first, end < sum.manifest.runs) {
            (0, _) => format!("those from battle {} on are missing", counted(end)),
            (first, false) => format!("those before battle {} are missing", counted(first)),
            (first, true) => format!("those before battle {} and from {} on are missing", counted(first), counted(end)),
        };
        terminal::say(&format!(
            "warning: the sum has {} of {} battles of each cell: {missing}",
            counted(progress.battles),
            counted(sum.manifest.runs)
        ));
    }
    Ok(status)
}
